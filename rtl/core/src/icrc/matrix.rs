//! The CRC-32 register as a linear map over GF(2), for the constant masks of [`super::Icrc`].
//!
//! A register of 32 bits is a column; feeding bits is a matrix product. Every output bit of a product is
//! then one XOR of the input under a constant mask, which synthesis turns into a balanced tree (a loop
//! over the bits would stay a chain).

/// Reflected generator polynomial. Source: IEEE 802.3; docs/protocol.md section 3.
const POLYNOMIAL: u32 = 0xedb8_8320;
/// The register before the first byte, and what the sent word is complemented with.
pub const ONES: u32 = u32::MAX;

/// The register after one zero bit.
const fn forward(register: u32) -> u32 {
    if register & 1 == 1 {
        register >> 1 ^ POLYNOMIAL
    } else {
        register >> 1
    }
}

/// The register before one zero bit: the inverse of [`forward`]. Bit 31 of the polynomial is set, so bit
/// 31 says which case it was.
const fn backward(register: u32) -> u32 {
    if register >> 31 == 1 {
        (register ^ POLYNOMIAL) << 1 | 1
    } else {
        register << 1
    }
}

/// The register after `bytes` zero bytes.
pub fn after_zeros(register: u32, bytes: usize) -> u32 {
    (0..8 * bytes).fold(register, |r, _| forward(r))
}

/// The register that becomes `register` after `bytes` zero bytes.
pub fn before_zeros(register: u32, bytes: usize) -> u32 {
    (0..8 * bytes).fold(register, |r, _| backward(r))
}

/// The register after a good packet and its ICRC, least significant byte first.
pub fn residue() -> u32 {
    // With register r the ICRC is !r, so feeding it leaves the map of ones alone, whatever r was.
    after_zeros(ONES, 4)
}

/// Row `out` of a map: the input bits that reach output bit `out`, bit k for input bit k.
pub fn row(out: usize, map: impl Fn(u32) -> u32) -> u32 {
    (0..32).filter(|k| map(1 << k) >> out & 1 == 1).fold(0, |mask, k| mask | 1 << k)
}

/// The data bits of a beat of `bytes` bytes that reach register bit `out`: bit `8 * i + j` of the beat
/// is bit j of byte i.
pub fn data_row(out: usize, bytes: usize) -> impl Iterator<Item = bool> {
    let bits = 8 * bytes;
    let mut reach = 1;
    let mut column: Vec<bool> = (0..bits)
        .map(|_| {
            reach = forward(reach);
            reach >> out & 1 == 1
        })
        .collect();
    // The last bit of the beat passes the register once, the first one `bits` times.
    column.reverse();
    column.into_iter()
}
