//! The CRC-32 register as a linear map.

use heddle_rtl::icrc::matrix::{after_zeros, before_zeros, data_row, residue, row, ONES};

fn bitwise(register: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(register, |r, byte| after_zeros(r ^ u32::from(*byte), 1))
}

/// Check value of CRC-32 from the published catalogue of CRC parameters.
#[test]
fn register_gives_the_catalogue_check_value() {
    assert_eq!(bitwise(ONES, b"123456789") ^ ONES, 0xcbf4_3926);
}

#[test]
fn stepping_back_undoes_stepping_forward() {
    let mut checked = 0;
    for bytes in 0..70 {
        for register in [1, 0x8000_0000, 0x1234_5678, ONES] {
            assert_eq!(before_zeros(after_zeros(register, bytes), bytes), register);
            checked += 1;
        }
    }
    assert_eq!(checked, 280);
}

#[test]
fn packet_with_its_icrc_leaves_the_residue() {
    let register = bitwise(ONES, b"any packet");
    assert_eq!(bitwise(register, &(register ^ ONES).to_le_bytes()), residue());
    // The well-known residue of CRC-32 before the final complement, bit-reflected.
    assert_eq!(residue(), 0xdebb_20e3);
}

#[test]
fn rows_rebuild_the_register_after_a_beat() {
    let beat = *b"\x01\x80\xa5\x00\xff\x10\x37\xc2";
    let start = 0xdead_beef;
    let parity = |mask: u32, value: u32| (mask & value).count_ones() & 1;
    let mut got = 0;
    for out in 0..32 {
        let data: u32 = data_row(out, 8)
            .enumerate()
            .map(|(k, reaches)| u32::from(reaches) & u32::from(beat[k / 8] >> (k % 8)))
            .sum();
        let bit = parity(row(out, |r| after_zeros(r, 8)), start) ^ (data & 1);
        got |= bit << out;
    }
    assert_eq!(got, bitwise(start, &beat));
}
