//! The one vocabulary of drops, for the model, the RTL counters, the registers, the dissector and the
//! documents.
//!
//! **Precedence.** The reason of a packet is the *lowest number whose condition holds*, among the conditions
//! that apply to its type. A condition is only looked at when no lower one holds, so it may take for granted
//! what the lower ones promise (a field lies inside of the frame, a length was checked). The RTL parser
//! computes all of its conditions side by side and encodes them by priority: the same answer. Numbers are
//! stable; new reasons take free numbers. 0 means accepted.

use crate::kinds::NakCode;

/// The step of the receiver that finds a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The MAC's own verdict.
    Frame,
    /// Ethernet header and tag.
    Ethernet,
    /// IP header.
    Ip,
    /// UDP header.
    Udp,
    /// Version, type, opcode, lengths.
    Transport,
    /// The buffer that holds a frame until its ICRC is known.
    Hold,
    /// Connection and tag, source address, path number.
    Connection,
    /// The path engine: duplicate or out of window.
    Path,
    /// Message slot, posted receives, outstanding requests.
    Message,
    /// Key, bounds and rights.
    Access,
    /// The sender's side: ACK, NAK and RESET.
    Sender,
}

/// What a drop is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Nothing: counted only.
    Silence,
    /// A full ACK.
    Ack,
    /// A NAK of that code. A packet that is itself an ACK, a NAK or a RESET is never answered by a NAK.
    Nak(NakCode),
}

macro_rules! reasons {
    ($( $(#[doc = $doc:literal])+
        $variant:ident = $code:literal, $word:literal, $stage:ident, $answer:expr; )+) => {
        /// Why a packet, or its effect, was dropped. Exactly one per drop; see the module for the precedence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum DropReason { $( $(#[doc = $doc])+ $variant = $code, )+ }

        impl DropReason {
            /// Every reason, in order of number and so of precedence.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The reason of this number, if there is one.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $( $code => Some(Self::$variant), )+
                    _ => None,
                }
            }
            /// Name in snake case: counters, registers and JSON keys use it.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $word, )+ }
            }
            /// One sentence.
            pub const fn doc(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+), )+ }
            }
            /// The step that finds it.
            pub const fn stage(self) -> Stage {
                match self { $( Self::$variant => Stage::$stage, )+ }
            }
            /// What it is answered with.
            pub const fn answer(self) -> Answer {
                match self { $( Self::$variant => $answer, )+ }
            }
        }
    };
}

const SILENCE: Answer = Answer::Silence;

reasons! {
    /// The MAC flagged the frame (FCS, symbol error): tuser at the last beat.
    BadFrame = 1, "bad_frame", Frame, SILENCE;

    /// Shorter than the Ethernet header: below 14 bytes, or below 18 with a tag.
    EthernetTruncated = 2, "ethernet_truncated", Ethernet, SILENCE;
    /// Neither IPv4 nor IPv6, or a second tag.
    EtherType = 3, "ether_type", Ethernet, SILENCE;

    /// Shorter than the IP header: below 20 bytes (IPv4) or 40 (IPv6) behind the Ethernet header.
    IpTruncated = 4, "ip_truncated", Ip, SILENCE;
    /// The version field disagrees with the EtherType.
    IpVersion = 5, "ip_version", Ip, SILENCE;
    /// IPv4 with a header length other than 5 words: options.
    IpOptions = 6, "ip_options", Ip, SILENCE;
    /// The IPv4 header checksum fails.
    IpChecksum = 7, "ip_checksum", Ip, SILENCE;
    /// The IPv4 flags and fragment offset are not exactly DF: a fragment, or one in the making.
    IpFragment = 8, "ip_fragment", Ip, SILENCE;
    /// Not UDP; an IPv6 extension header counts as not UDP.
    IpProtocol = 9, "ip_protocol", Ip, SILENCE;
    /// The frame ends before the IP length says, or the IP length is below the IPv4 header's own 20 bytes.
    IpLength = 10, "ip_length", Ip, SILENCE;
    /// The frame goes on after the IP length says: trailing bytes. No frame of ours is short enough to be
    /// padded.
    IpTrailing = 11, "ip_trailing", Ip, SILENCE;

    /// Fewer than 8 bytes behind the IP header.
    UdpTruncated = 12, "udp_truncated", Udp, SILENCE;
    /// Not addressed to the configured UDP port.
    UdpPort = 13, "udp_port", Udp, SILENCE;
    /// The UDP length is not the length of the IP payload.
    UdpLength = 14, "udp_length", Udp, SILENCE;

    /// Fewer than 20 bytes behind the UDP header: no room for the common header and the ICRC.
    TransportTruncated = 15, "transport_truncated", Transport, SILENCE;
    /// Not version 1.
    Version = 16, "version", Transport, SILENCE;
    /// An unknown packet type.
    PacketType = 17, "packet_type", Transport, SILENCE;
    /// An unknown opcode in a DATA packet, one other than 0 and 1 in an ACK, or one other than 0 in another
    /// type.
    Opcode = 18, "opcode", Transport, SILENCE;
    /// The UDP length is no multiple of 4, or is not the one that type and opcode ask for.
    Length = 19, "length", Transport, SILENCE;

    /// Longer than the hold buffer's limit for one frame.
    Oversize = 20, "oversize", Hold, SILENCE;
    /// The hold buffer is full: what is behind it stalls. The MAC cannot be made to wait.
    HoldOverflow = 21, "hold_overflow", Hold, SILENCE;
    /// The ICRC fails.
    Icrc = 22, "icrc", Hold, SILENCE;

    /// dst_conn names no connection.
    Connection = 24, "connection", Connection, Answer::Nak(NakCode::Connection);
    /// The tag is one of another incarnation.
    Tag = 25, "tag", Connection, Answer::Nak(NakCode::Connection);
    /// The source address, or its IP version, is not the peer's.
    SourceAddress = 26, "source_address", Connection, SILENCE;
    /// The connection has ended with an error and waits for its RESET to be answered; a RESET still passes.
    ConnectionClosed = 27, "connection_closed", Connection, SILENCE;
    /// The path number is not below the number of paths of the connection.
    Path = 28, "path", Connection, SILENCE;
    /// A packet type that this core is built without.
    Unsupported = 29, "unsupported", Connection, SILENCE;

    /// DATA received before.
    Duplicate = 32, "duplicate", Path, Answer::Ack;
    /// DATA at or beyond cum + 256.
    OutOfWindow = 33, "out_of_window", Path, Answer::Ack;

    /// The operation is not enabled, or an atomic's address is no multiple of 8.
    Operation = 34, "operation", Message, Answer::Nak(NakCode::Operation);
    /// The stream number is not below the number of streams of the connection.
    Stream = 35, "stream", Message, Answer::Nak(NakCode::Protocol);
    /// DATA of a message outside of \[done, done + M): a stale one of an earlier lap, or one too far ahead.
    MsnWindow = 36, "msn_window", Message, SILENCE;
    /// An answer (READ_RESP, ATOMIC_RESP) to no request that is outstanding.
    AnswerUnmatched = 37, "answer_unmatched", Message, SILENCE;
    /// Offset, payload length, message length, LAST and the slice size disagree.
    Slice = 38, "slice", Message, Answer::Nak(NakCode::Protocol);
    /// Kind, length or rq_index is not that of the message's earlier packets.
    SlotMismatch = 39, "slot_mismatch", Message, Answer::Nak(NakCode::Protocol);
    /// rq_index names no posted receive: the peer sent beyond its credit.
    Credit = 40, "credit", Message, Answer::Nak(NakCode::Protocol);
    /// More READ and atomic requests outstanding than the depth of the connection.
    Depth = 41, "depth", Message, Answer::Nak(NakCode::Protocol);

    /// The key names no region, its tag is wrong, or the region is of another protection domain.
    Key = 42, "key", Access, Answer::Nak(NakCode::Access);
    /// The region does not give the right.
    Rights = 43, "rights", Access, Answer::Nak(NakCode::Access);
    /// Outside of the region, the posted receive or the sink. An empty range is inside of everything.
    Bounds = 44, "bounds", Access, Answer::Nak(NakCode::Bounds);

    /// ACK with cum behind base, or an echo outside its age, be it too old or ahead of now: its path fields are
    /// ignored, done and credit are taken.
    AckStale = 48, "ack_stale", Sender, SILENCE;
    /// ACK that speaks of packets never sent: ignored whole.
    AckInvalid = 49, "ack_invalid", Sender, SILENCE;
    /// ACK with PLANE_TEST whose timestamp matches no plane test of ours.
    AckPlaneTest = 50, "ack_plane_test", Sender, SILENCE;
    /// NAK with an unknown code, of a PSN outside of \[base, next), or whose offender is not of this
    /// incarnation.
    NakInvalid = 51, "nak_invalid", Sender, SILENCE;
    /// CONNECTION NAK while the control plane's queue is full.
    NakOverflow = 52, "nak_overflow", Sender, SILENCE;
    /// RESET with RESPONSE that answers none of ours.
    ResetUnmatched = 53, "reset_unmatched", Sender, SILENCE;
}

impl DropReason {
    /// Every number is below this: the size of a counter array indexed by number.
    pub const LIMIT: usize = 64;

    /// The stable number.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl core::fmt::Display for DropReason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_are_unique_and_fit_the_counter_array() {
        for pair in DropReason::ALL.windows(2) {
            assert!(pair[0].code() < pair[1].code(), "{} {}", pair[0], pair[1]);
        }
        let known: Vec<_> = (0..=u8::MAX).filter_map(DropReason::from_code).collect();
        assert_eq!(known, DropReason::ALL);
        assert!(DropReason::ALL.iter().all(|r| (1..DropReason::LIMIT).contains(&usize::from(r.code()))));
    }

    #[test]
    fn names_are_unique_snake_case() {
        let mut names: Vec<_> = DropReason::ALL.iter().map(|r| r.name()).collect();
        assert!(names.iter().all(|n| n.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), DropReason::ALL.len());
    }
}
