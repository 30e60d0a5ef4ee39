//! The small vocabularies of the headers: packet types, opcodes, flags and NAK codes. Every number here is
//! our own choice.

use crate::field::{load_u64, store_u64, Value};

/// One entry of a vocabulary, as the renderings show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Name as the documents write it.
    pub name: &'static str,
    /// The number (for flags, the bit position).
    pub code: u8,
    /// One sentence.
    pub doc: &'static str,
}

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident, $what:literal {
        $( $(#[doc = $vdoc:literal])+ $variant:ident = $code:literal, $word:literal; )+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name { $( $(#[doc = $vdoc])+ $variant = $code, )+ }

        impl $name {
            /// Every value, in order of the number.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The table behind the renderings, in order of the number.
            pub const CODES: &'static [$crate::kinds::Code] =
                &[$( $crate::kinds::Code { name: $word, code: $code, doc: concat!($($vdoc),+) } ),+];

            #[doc = concat!("The ", $what, " of this number, if there is one.")]
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $( $code => Some(Self::$variant), )+
                    _ => None,
                }
            }
            /// The number on the wire.
            pub const fn code(self) -> u8 {
                self as u8
            }
            /// The name as the documents write it.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $word, )+ }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use vocabulary;

vocabulary! {
    /// What a packet is: `type` in word 0.
    PacketType, "packet type" {
        /// A slice of a message, an answer, or a request.
        Data = 1, "DATA";
        /// What one path has received.
        Ack = 2, "ACK";
        /// A packet that was refused for good.
        Nak = 3, "NAK";
        /// A question that a full ACK answers.
        Probe = 4, "PROBE";
        /// The end of an incarnation of a connection.
        Reset = 5, "RESET";
    }
}

vocabulary! {
    /// What a DATA packet does. The opcode of an ACK is its [`AckForm`]; the other types carry opcode 0.
    Opcode, "opcode" {
        /// Writes the payload to the remote address.
        Write = 1, "WRITE";
        /// Writes, then completes a posted receive with the immediate.
        WriteImm = 2, "WRITE_IMM";
        /// Fills the posted receive that it names.
        Send = 3, "SEND";
        /// Fills the posted receive that it names, with an immediate.
        SendImm = 4, "SEND_IMM";
        /// Asks for remote memory; no payload.
        ReadReq = 5, "READ_REQ";
        /// A slice of the memory asked for.
        ReadResp = 6, "READ_RESP";
        /// Adds operand to the remote 64-bit word.
        FetchAdd = 7, "FETCH_ADD";
        /// Replaces the remote 64-bit word by operand when it equals compare.
        CmpSwap = 8, "CMP_SWAP";
        /// The earlier value of an atomic's word.
        AtomicResp = 9, "ATOMIC_RESP";
    }
}

vocabulary! {
    /// Which words an ACK carries, said in its opcode.
    AckForm, "ACK form" {
        /// Words 4 to 17.
        Sack = 0, "SACK";
        /// Words 4 to 9: no bit of the SACK is set.
        NoSack = 1, "NO_SACK";
    }
}

impl AckForm {
    /// Bytes of the ACK header of this form.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Sack => crate::header::Ack::BYTES,
            Self::NoSack => crate::header::ACK.offset_of("sack") / 8,
        }
    }
}

/// Which payloads an opcode can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadRule {
    /// A slice of the message: any multiple of 4 bytes, 0 only for a message of 0 bytes.
    Slice,
    /// Exactly this many bytes.
    Exactly(usize),
}

impl Opcode {
    /// Which payloads a packet of this opcode can carry.
    pub const fn payload_rule(self) -> PayloadRule {
        match self {
            Self::ReadReq => PayloadRule::Exactly(0),
            Self::FetchAdd | Self::CmpSwap => PayloadRule::Exactly(crate::header::AtomicOperands::BYTES),
            Self::AtomicResp => PayloadRule::Exactly(crate::header::AtomicResult::BYTES),
            _ => PayloadRule::Slice,
        }
    }

    /// True for answers: placed by the requester's table of outstanding requests, never by key.
    pub const fn is_answer(self) -> bool {
        matches!(self, Self::ReadResp | Self::AtomicResp)
    }

    /// True when the message consumes the posted receive that `rq_index` names.
    pub const fn consumes_receive(self) -> bool {
        matches!(self, Self::Send | Self::SendImm | Self::WriteImm)
    }

    /// True when the packet names memory by key.
    pub const fn has_key(self) -> bool {
        matches!(self, Self::Write | Self::WriteImm | Self::ReadReq | Self::FetchAdd | Self::CmpSwap)
    }
}

vocabulary! {
    /// Why a packet was refused: `code` of a NAK.
    NakCode, "NAK code" {
        /// Wrong key, or a right that the region does not give. Ends the connection.
        Access = 1, "ACCESS";
        /// Outside of the region, the posted receive or the sink. Ends the connection.
        Bounds = 2, "BOUNDS";
        /// An operation that is not enabled, or a misaligned atomic. Ends the connection.
        Operation = 3, "OPERATION";
        /// A rule of the protocol broken. Ends the connection.
        Protocol = 4, "PROTOCOL";
        /// Unknown connection, or a tag of another incarnation. For the control plane.
        Connection = 5, "CONNECTION";
    }
}

vocabulary! {
    /// Bit positions in `flags` of word 0; 0 is the least significant.
    Flag, "flag" {
        /// The receiver answers with an ACK at once.
        AckReq = 0, "ACK_REQ";
        /// Last packet of its message.
        Last = 1, "LAST";
        /// Sent before, or a repeated PROBE.
        Retx = 2, "RETX";
        /// The sender could send faster than its hint lets it.
        HintLimited = 3, "HINT_LIMITED";
        /// RESET: the answer to a RESET. ACK, in ack_flags: word 8 speaks of answers.
        Response = 4, "RESPONSE";
        /// PROBE: tests another plane. ACK, in ack_flags: answers such a PROBE.
        PlaneTest = 5, "PLANE_TEST";
    }
}

/// The flags byte, and ack_flags, which uses the same positions. Undefined bits are sent 0, ignored on
/// receipt, and kept here so that a frame can be reproduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);

    /// The flags of this byte.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
    /// The byte as it travels.
    pub const fn bits(self) -> u8 {
        self.0
    }
    /// These flags and `flag`.
    pub const fn with(self, flag: Flag) -> Self {
        Self(self.0 | 1 << flag.code())
    }
    /// These flags without `flag`.
    pub const fn without(self, flag: Flag) -> Self {
        Self(self.0 & !(1 << flag.code()))
    }
    /// True when `flag` is set.
    pub const fn has(self, flag: Flag) -> bool {
        self.0 >> flag.code() & 1 == 1
    }
}

impl FromIterator<Flag> for Flags {
    fn from_iter<I: IntoIterator<Item = Flag>>(flags: I) -> Self {
        flags.into_iter().fold(Self::NONE, Self::with)
    }
}

impl Value for Flags {
    const BITS: u16 = 8;
    fn load(bytes: &[u8], at: usize, bits: u16) -> Self {
        Self(load_u64(bytes, at, bits) as u8)
    }
    fn store(&self, bytes: &mut [u8], at: usize, bits: u16) {
        store_u64(u64::from(self.0), bytes, at, bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_unknown_numbers_are_refused() {
        let mut known = 0;
        for code in 0..=u8::MAX {
            known += usize::from(PacketType::from_code(code).is_some_and(|v| v.code() == code));
            known += usize::from(Opcode::from_code(code).is_some_and(|v| v.code() == code));
            known += usize::from(NakCode::from_code(code).is_some_and(|v| v.code() == code));
            known += usize::from(AckForm::from_code(code).is_some_and(|v| v.code() == code));
        }
        assert_eq!(known, 5 + 9 + 5 + 2);
        assert_eq!(PacketType::from_code(0), None);
        assert_eq!(Opcode::from_code(0), None);
    }

    #[test]
    fn flags_are_set_and_cleared_one_by_one() {
        let flags: Flags = [Flag::AckReq, Flag::Retx].into_iter().collect();
        assert_eq!(flags.bits(), 0b101);
        assert!(flags.has(Flag::Retx) && !flags.has(Flag::Last));
        assert_eq!(flags.without(Flag::AckReq).with(Flag::PlaneTest).bits(), 0b10_0100);
    }
}
