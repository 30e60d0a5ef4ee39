//! Field tables: the one description of every layout that crosses a boundary of Heddle.
//!
//! A layout is declared once with the crate's `layout!` macro, which makes both the constant table (from
//! which documents, the dissector, the C header and the RTL constants are rendered) and the Rust struct that
//! is read and written by that same list. On the wire bits are counted from the most significant bit of the
//! first byte, as they travel; records in host memory are little-endian.

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Our own choice, explained in that section of `docs/protocol.md`.
    Protocol(u8),
    /// An IETF document, by number.
    Rfc(u16),
    /// An IEEE standard, by name.
    Ieee(&'static str),
    /// Our own choice, explained in `docs/architecture.md`.
    Architecture,
}

/// One field of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in the field's own vocabulary, snake case.
    pub name: &'static str,
    /// Width in bits.
    pub bits: u16,
    /// One sentence: meaning and unit.
    pub doc: &'static str,
    /// Where the field comes from.
    pub source: Source,
}

/// How a layout's fields lie in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Most significant bit first from the first byte on: everything on the wire.
    Big,
    /// Least significant byte first: records in host memory and on the host's streams, byte 0 in bits 7 to 0.
    Little,
}

/// A list of fields that fills whole bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Name, snake case.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// How the fields lie in bytes.
    pub order: Order,
    /// The fields from the first byte on.
    pub fields: &'static [Field],
}

impl Layout {
    /// Total width in bits.
    pub const fn bits(&self) -> usize {
        self.offset_of_index(self.fields.len())
    }

    /// Total width in bytes.
    pub const fn bytes(&self) -> usize {
        self.bits() / 8
    }

    /// Bits before field number `index`; the total width for the number of fields.
    pub const fn offset_of_index(&self, index: usize) -> usize {
        let (mut sum, mut i) = (0, 0);
        while i < index {
            sum += self.fields[i].bits as usize;
            i += 1;
        }
        sum
    }

    /// Index of the field called `name`.
    pub const fn index_of(&self, name: &str) -> Option<usize> {
        let mut i = 0;
        while i < self.fields.len() {
            if same(self.fields[i].name, name) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    /// Bits before the field called `name`. A wrong name in a constant stops compilation.
    ///
    /// # Panics
    /// When there is no such field.
    pub const fn offset_of(&self, name: &str) -> usize {
        match self.index_of(name) {
            Some(index) => self.offset_of_index(index),
            None => panic!("no field of that name in this layout"),
        }
    }

    /// True when every field is 8, 16, 32 or 64 bits at a multiple of its own size, as a C struct wants it.
    pub const fn is_naturally_aligned(&self) -> bool {
        let mut i = 0;
        while i < self.fields.len() {
            let (at, bits) = (self.offset_of_index(i), self.fields[i].bits as usize);
            if !matches!(bits, 8 | 16 | 32 | 64) || at % bits != 0 {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Where the codec finds the field called `name`, in bits from the top of the bytes in the order of
    /// significance.
    pub(crate) const fn position(&self, name: &str) -> usize {
        let at = self.offset_of(name);
        match (self.order, self.index_of(name)) {
            (Order::Little, Some(index)) => self.bits() - at - self.fields[index].bits as usize,
            _ => at,
        }
    }

    /// Puts bytes in memory order into the order of significance, or back.
    pub(crate) fn turn<const N: usize>(&self, mut bytes: [u8; N]) -> [u8; N] {
        if matches!(self.order, Order::Little) {
            bytes.reverse();
        }
        bytes
    }

    /// True when the layout is whole 32-bit words and no field crosses a word other than by filling whole
    /// words.
    pub const fn is_word_aligned(&self) -> bool {
        let (mut at, mut i) = (0, 0);
        while i < self.fields.len() {
            let bits = self.fields[i].bits as usize;
            let inside = at % 32 + bits <= 32;
            let whole = at % 32 == 0 && bits % 32 == 0;
            if !inside && !whole {
                return false;
            }
            at += bits;
            i += 1;
        }
        at % 32 == 0
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A Rust type that a field can have.
pub trait Value: Sized {
    /// Widest field that this type can hold, in bits.
    const BITS: u16;
    /// Reads `bits` bits that start `at` bits into `bytes`.
    fn load(bytes: &[u8], at: usize, bits: u16) -> Self;
    /// Writes the low `bits` bits of `self`, starting `at` bits into `bytes`, over bits that are zero.
    fn store(&self, bytes: &mut [u8], at: usize, bits: u16);
}

/// The bytes that a field touches, as one number, and how many bits of it lie behind the field. At most 9 bytes.
fn window(bytes: &[u8], at: usize, bits: u16) -> (u128, usize) {
    let end = at + usize::from(bits);
    let touched = &bytes[at / 8..end.div_ceil(8)];
    (touched.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte)), end.next_multiple_of(8) - end)
}

/// Ones in the low `bits` bits.
fn ones(bits: u16) -> u128 {
    (1 << bits) - 1
}

/// Reads a field of at most 64 bits.
pub(crate) fn load_u64(bytes: &[u8], at: usize, bits: u16) -> u64 {
    let (touched, behind) = window(bytes, at, bits);
    (touched >> behind & ones(bits)) as u64
}

/// Writes the low `bits` bits of `value` over zeros.
pub(crate) fn store_u64(value: u64, bytes: &mut [u8], at: usize, bits: u16) {
    let (touched, behind) = window(bytes, at, bits);
    let sum = touched | (u128::from(value) & ones(bits)) << behind;
    let end = (at + usize::from(bits)).div_ceil(8);
    for (i, byte) in bytes[at / 8..end].iter_mut().rev().enumerate() {
        *byte = (sum >> (8 * i)) as u8;
    }
}

macro_rules! unsigned_value {
    ($($ty:ty),*) => { $(
        impl Value for $ty {
            const BITS: u16 = <$ty>::BITS as u16;
            fn load(bytes: &[u8], at: usize, bits: u16) -> Self {
                load_u64(bytes, at, bits) as $ty
            }
            fn store(&self, bytes: &mut [u8], at: usize, bits: u16) {
                store_u64(u64::from(*self), bytes, at, bits);
            }
        }
    )* };
}
unsigned_value!(u8, u16, u32, u64);

impl<const N: usize> Value for [u8; N] {
    const BITS: u16 = (8 * N) as u16;
    fn load(bytes: &[u8], at: usize, _bits: u16) -> Self {
        core::array::from_fn(|i| load_u64(bytes, at + 8 * i, 8) as u8)
    }
    fn store(&self, bytes: &mut [u8], at: usize, _bits: u16) {
        for (i, byte) in self.iter().enumerate() {
            store_u64(u64::from(*byte), bytes, at + 8 * i, 8);
        }
    }
}

/// Declares a layout once: its table, and a struct with `parse` and `emit` that follow the table.
macro_rules! layout {
    (
        $(#[doc = $doc:literal])+
        $table:ident, $name:ident, $order:ident, $bytes:literal {
            $( $(#[doc = $fdoc:literal])+ $field:ident : $ty:ty = $bits:literal, $source:expr; )+
        }
    ) => {
        $(#[doc = $doc])+
        ///
        /// The table of the struct of the same layout.
        pub const $table: $crate::field::Layout = $crate::field::Layout {
            name: stringify!($table),
            doc: concat!($($doc),+),
            order: $crate::field::Order::$order,
            fields: &[$( $crate::field::Field {
                name: stringify!($field),
                bits: $bits,
                doc: concat!($($fdoc),+),
                source: $source,
            } ),+],
        };
        const _: () = assert!($table.bits() == 8 * $bytes, "fields must fill the layout exactly");
        $( const _: () =
            assert!($bits <= <$ty as $crate::field::Value>::BITS, "field wider than its type"); )+

        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name { $( $(#[doc = $fdoc])+ pub $field: $ty, )+ }

        impl $name {
            /// Size on the wire, in bytes.
            pub const BYTES: usize = $bytes;

            /// Reads every field. Reserved fields are kept, so that `emit` gives the same bytes back.
            pub fn parse(bytes: &[u8; $bytes]) -> Self {
                let bytes = $table.turn(*bytes);
                Self { $( $field: <$ty as $crate::field::Value>::load(
                    &bytes, const { $table.position(stringify!($field)) }, $bits), )+ }
            }

            /// Writes every field. Of a value wider than its field the low bits are written.
            pub fn emit(&self) -> [u8; $bytes] {
                let mut bytes = [0; $bytes];
                $( $crate::field::Value::store(
                    &self.$field, &mut bytes, const { $table.position(stringify!($field)) }, $bits); )+
                $table.turn(bytes)
            }
        }
    };
}
pub(crate) use layout;
