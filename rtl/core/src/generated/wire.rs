//! Numbers of the wire format and of the register map.
//!
//! Rendered from software-model/wire by `cargo run -p heddle-wire --bin wire-gen`. Do not edit.

/// The version on the wire.
pub const VERSION: u64 = 1;
/// The UDP destination port after reset.
pub const DEFAULT_PORT: u64 = 54791;
/// Reflected generator polynomial of the ICRC.
pub const CRC_POLYNOMIAL: u64 = 3988292384;
/// Width of the vector of header words, word 0 on top.
pub const HEADER_BITS: u64 = 384;

/// Packet types.
pub mod packet_type {
    /// A slice of a message, an answer, or a request.
    pub const DATA: u64 = 1;
    /// What one path has received.
    pub const ACK: u64 = 2;
    /// A packet that was refused for good.
    pub const NAK: u64 = 3;
    /// A question that a full ACK answers.
    pub const PROBE: u64 = 4;
    /// The end of an incarnation of a connection.
    pub const RESET: u64 = 5;
}

/// Opcodes of DATA.
pub mod opcode {
    /// Writes the payload to the remote address.
    pub const WRITE: u64 = 1;
    /// Writes, then completes a posted receive with the immediate.
    pub const WRITE_IMM: u64 = 2;
    /// Fills the posted receive that it names.
    pub const SEND: u64 = 3;
    /// Fills the posted receive that it names, with an immediate.
    pub const SEND_IMM: u64 = 4;
    /// Asks for remote memory; no payload.
    pub const READ_REQ: u64 = 5;
    /// A slice of the memory asked for.
    pub const READ_RESP: u64 = 6;
    /// Adds operand to the remote 64-bit word.
    pub const FETCH_ADD: u64 = 7;
    /// Replaces the remote 64-bit word by operand when it equals compare.
    pub const CMP_SWAP: u64 = 8;
    /// The earlier value of an atomic's word.
    pub const ATOMIC_RESP: u64 = 9;
}

/// Opcodes of ACK.
pub mod ack_form {
    /// Words 4 to 17.
    pub const SACK: u64 = 0;
    /// Words 4 to 9: no bit of the SACK is set.
    pub const NO_SACK: u64 = 1;
}

/// Bit positions of flags and ack_flags.
pub mod flag {
    /// The receiver answers with an ACK at once.
    pub const ACK_REQ: u64 = 0;
    /// Last packet of its message.
    pub const LAST: u64 = 1;
    /// Sent before, or a repeated PROBE.
    pub const RETX: u64 = 2;
    /// The sender could send faster than its hint lets it.
    pub const HINT_LIMITED: u64 = 3;
    /// RESET: the answer to a RESET. ACK, in ack_flags: word 8 speaks of answers.
    pub const RESPONSE: u64 = 4;
    /// PROBE: tests another plane. ACK, in ack_flags: answers such a PROBE.
    pub const PLANE_TEST: u64 = 5;
}

/// NAK codes.
pub mod nak_code {
    /// Wrong key, or a right that the region does not give. Ends the connection.
    pub const ACCESS: u64 = 1;
    /// Outside of the region, the posted receive or the sink. Ends the connection.
    pub const BOUNDS: u64 = 2;
    /// An operation that is not enabled, or a misaligned atomic. Ends the connection.
    pub const OPERATION: u64 = 3;
    /// A rule of the protocol broken. Ends the connection.
    pub const PROTOCOL: u64 = 4;
    /// Unknown connection, or a tag of another incarnation. For the control plane.
    pub const CONNECTION: u64 = 5;
}

/// Bit positions of a work request's flags.
pub mod work_flag {
    /// Held until the stream's earlier work requests are done.
    pub const FENCE: u64 = 0;
}

/// Bit positions of a completion's flags.
pub mod completion_flag {
    /// Of a posted receive.
    pub const RECEIVE: u64 = 0;
    /// The field imm is valid.
    pub const IMM: u64 = 1;
}

/// Completion status.
pub mod status {
    /// Done.
    pub const SUCCESS: u64 = 0;
    /// The peer refused key or right.
    pub const REMOTE_ACCESS: u64 = 1;
    /// The peer found it outside of a region or a receive.
    pub const REMOTE_BOUNDS: u64 = 2;
    /// The peer does not have the operation enabled.
    pub const REMOTE_OPERATION: u64 = 3;
    /// The peer saw a rule of the protocol broken.
    pub const REMOTE_PROTOCOL: u64 = 4;
    /// The peer has no such connection any more, or has reset it.
    pub const REMOTE_CONNECTION: u64 = 5;
    /// No progress for the retry budget.
    pub const RETRY_BUDGET: u64 = 6;
    /// The memory bus answered with an error.
    pub const LOCAL_MEMORY: u64 = 7;
    /// The connection had ended before this was done.
    pub const FLUSHED: u64 = 8;
    /// Refused at once: opcode, connection or stream is not one that this core has.
    pub const INVALID_REQUEST: u64 = 9;
}

/// Bit positions of the interrupt registers.
pub mod interrupt {
    /// A connection has ended with an error; see connection_error.
    pub const CONNECTION_ERROR: u64 = 0;
    /// A set-up command was refused, or a work request of a wrong length thrown away.
    pub const SETUP_ERROR: u64 = 1;
    /// A plane has come up or gone down.
    pub const PLANE_CHANGE: u64 = 2;
    /// A CONNECTION NAK waits for the control plane.
    pub const CONNECTION_NAK: u64 = 3;
}

/// Indices of the traffic counters.
pub mod counter {
    /// DATA packets sent for the first time.
    pub const DATA_SENT: u64 = 0;
    /// DATA packets sent again because evidence showed a loss.
    pub const DATA_RESENT: u64 = 1;
    /// DATA packets sent because a timer expired.
    pub const EXPIRY_RESENT: u64 = 2;
    /// PROBEs sent.
    pub const PROBES_SENT: u64 = 3;
    /// ACKs sent.
    pub const ACKS_SENT: u64 = 4;
    /// NAKs sent.
    pub const NAKS_SENT: u64 = 5;
    /// Payload bytes sent, resends included.
    pub const BYTES_SENT: u64 = 6;
    /// Frames received, before any check.
    pub const FRAMES_RECEIVED: u64 = 7;
    /// DATA packets accepted.
    pub const DATA_ACCEPTED: u64 = 8;
    /// Accepted or duplicate DATA packets that carried CE.
    pub const CE_RECEIVED: u64 = 9;
    /// PROBEs received.
    pub const PROBES_RECEIVED: u64 = 10;
    /// ACKs received that were good.
    pub const ACKS_RECEIVED: u64 = 11;
    /// NAKs received that were valid.
    pub const NAKS_RECEIVED: u64 = 12;
    /// Payload bytes written to memory.
    pub const BYTES_WRITTEN: u64 = 13;
    /// Timers of paths that expired.
    pub const EXPIRIES: u64 = 14;
    /// Routes found dead.
    pub const DEAD_ROUTES: u64 = 15;
    /// Rise of the dup_count in ACKs: resends that were not needed.
    pub const SPURIOUS: u64 = 16;
    /// Messages sent and completed.
    pub const MESSAGES_SENT: u64 = 17;
    /// Messages received whole.
    pub const MESSAGES_RECEIVED: u64 = 18;
    /// Connections ended with an error.
    pub const CONNECTION_ERRORS: u64 = 19;
}

/// Tables behind the set-up window.
pub mod setup_table {
    /// Receive side of a connection; index: connection. Once per control.reset: earlier messages stay.
    pub const RX_CONNECTION: u64 = 1;
    /// Transmit side of a connection; index: connection. Once per control.reset: earlier messages stay.
    pub const TX_CONNECTION: u64 = 2;
    /// Receive state of a path, made new with this first PSN; index: path.
    pub const RX_PATH: u64 = 3;
    /// Transmit state of a path, made new with this first PSN; index: path.
    pub const TX_PATH: u64 = 4;
    /// Route of a path; index: path.
    pub const ROUTE: u64 = 5;
    /// Memory region; index: the index part of its key.
    pub const REGION: u64 = 6;
}

/// Drop reasons; of several that hold the lowest number is the reason. 0 is none.
pub mod drop {
    /// The MAC flagged the frame (FCS, symbol error): tuser at the last beat.
    pub const BAD_FRAME: u64 = 1;
    /// Shorter than the Ethernet header: below 14 bytes, or below 18 with a tag.
    pub const ETHERNET_TRUNCATED: u64 = 2;
    /// Neither IPv4 nor IPv6, or a second tag.
    pub const ETHER_TYPE: u64 = 3;
    /// Shorter than the IP header: below 20 bytes (IPv4) or 40 (IPv6) behind the Ethernet header.
    pub const IP_TRUNCATED: u64 = 4;
    /// The version field disagrees with the EtherType.
    pub const IP_VERSION: u64 = 5;
    /// IPv4 with a header length other than 5 words: options.
    pub const IP_OPTIONS: u64 = 6;
    /// The IPv4 header checksum fails.
    pub const IP_CHECKSUM: u64 = 7;
    /// The IPv4 flags and fragment offset are not exactly DF: a fragment, or one in the making.
    pub const IP_FRAGMENT: u64 = 8;
    /// Not UDP; an IPv6 extension header counts as not UDP.
    pub const IP_PROTOCOL: u64 = 9;
    /// The frame ends before the IP length says, or the IP length is below the IPv4 header's own 20 bytes.
    pub const IP_LENGTH: u64 = 10;
    /// The frame goes on after the IP length says: trailing bytes. No frame of ours is short enough to be
    /// padded.
    pub const IP_TRAILING: u64 = 11;
    /// Fewer than 8 bytes behind the IP header.
    pub const UDP_TRUNCATED: u64 = 12;
    /// Not addressed to the configured UDP port.
    pub const UDP_PORT: u64 = 13;
    /// The UDP length is not the length of the IP payload.
    pub const UDP_LENGTH: u64 = 14;
    /// Fewer than 20 bytes behind the UDP header: no room for the common header and the ICRC.
    pub const TRANSPORT_TRUNCATED: u64 = 15;
    /// Not version 1.
    pub const VERSION: u64 = 16;
    /// An unknown packet type.
    pub const PACKET_TYPE: u64 = 17;
    /// An unknown opcode in a DATA packet, one other than 0 and 1 in an ACK, or one other than 0 in another
    /// type.
    pub const OPCODE: u64 = 18;
    /// The UDP length is no multiple of 4, or is not the one that type and opcode ask for.
    pub const LENGTH: u64 = 19;
    /// Longer than the hold buffer's limit for one frame.
    pub const OVERSIZE: u64 = 20;
    /// The hold buffer is full: what is behind it stalls. The MAC cannot be made to wait.
    pub const HOLD_OVERFLOW: u64 = 21;
    /// The ICRC fails.
    pub const ICRC: u64 = 22;
    /// dst_conn names no connection.
    pub const CONNECTION: u64 = 24;
    /// The tag is one of another incarnation.
    pub const TAG: u64 = 25;
    /// The source address, or its IP version, is not the peer's.
    pub const SOURCE_ADDRESS: u64 = 26;
    /// The connection has ended with an error and waits for its RESET to be answered; a RESET still passes.
    pub const CONNECTION_CLOSED: u64 = 27;
    /// The path number is not below the number of paths of the connection.
    pub const PATH: u64 = 28;
    /// A packet type that this core is built without.
    pub const UNSUPPORTED: u64 = 29;
    /// DATA received before.
    pub const DUPLICATE: u64 = 32;
    /// DATA at or beyond cum + 256.
    pub const OUT_OF_WINDOW: u64 = 33;
    /// The operation is not enabled, or an atomic's address is no multiple of 8.
    pub const OPERATION: u64 = 34;
    /// The stream number is not below the number of streams of the connection.
    pub const STREAM: u64 = 35;
    /// DATA of a message outside of \[done, done + M): a stale one of an earlier lap, or one too far ahead.
    pub const MSN_WINDOW: u64 = 36;
    /// An answer (READ_RESP, ATOMIC_RESP) to no request that is outstanding.
    pub const ANSWER_UNMATCHED: u64 = 37;
    /// Offset, payload length, message length, LAST and the slice size disagree.
    pub const SLICE: u64 = 38;
    /// Kind, length or rq_index is not that of the message's earlier packets.
    pub const SLOT_MISMATCH: u64 = 39;
    /// rq_index names no posted receive: the peer sent beyond its credit.
    pub const CREDIT: u64 = 40;
    /// More READ and atomic requests outstanding than the depth of the connection.
    pub const DEPTH: u64 = 41;
    /// The key names no region, its tag is wrong, or the region is of another protection domain.
    pub const KEY: u64 = 42;
    /// The region does not give the right.
    pub const RIGHTS: u64 = 43;
    /// Outside of the region, the posted receive or the sink. An empty range is inside of everything.
    pub const BOUNDS: u64 = 44;
    /// ACK with cum behind base, or an echo outside its age, be it too old or ahead of now: its path fields
    /// are ignored, done and credit are taken.
    pub const ACK_STALE: u64 = 48;
    /// ACK that speaks of packets never sent: ignored whole.
    pub const ACK_INVALID: u64 = 49;
    /// ACK with PLANE_TEST whose timestamp matches no plane test of ours.
    pub const ACK_PLANE_TEST: u64 = 50;
    /// NAK with an unknown code, of a PSN outside of \[base, next), or whose offender is not of this
    /// incarnation.
    pub const NAK_INVALID: u64 = 51;
    /// CONNECTION NAK while the control plane's queue is full.
    pub const NAK_OVERFLOW: u64 = 52;
    /// RESET with RESPONSE that answers none of ours.
    pub const RESET_UNMATCHED: u64 = 53;
}

/// Common header of every packet, words 0 to 3. Positions in the 384-bit vector of header words.
pub mod common {
    /// Lowest bit: Version of the protocol, 1.
    pub const VERSION_LSB: usize = 380;
    /// Width in bits of version.
    pub const VERSION_BITS: usize = 4;
    /// Lowest bit: Packet type: 1 DATA, 2 ACK, 3 NAK, 4 PROBE, 5 RESET.
    pub const PACKET_TYPE_LSB: usize = 376;
    /// Width in bits of packet_type.
    pub const PACKET_TYPE_BITS: usize = 4;
    /// Lowest bit: What a DATA packet does; of an ACK whether it has SACK words; 0 in every other type.
    pub const OPCODE_LSB: usize = 368;
    /// Width in bits of opcode.
    pub const OPCODE_BITS: usize = 8;
    /// Lowest bit: Flag bits.
    pub const FLAGS_LSB: usize = 360;
    /// Width in bits of flags.
    pub const FLAGS_BITS: usize = 8;
    /// Lowest bit: Path of the connection; in an ACK or NAK the path that carried the data.
    pub const PATH_LSB: usize = 352;
    /// Width in bits of path.
    pub const PATH_BITS: usize = 8;
    /// Lowest bit: Number of the connection at the receiver of this packet.
    pub const DST_CONN_LSB: usize = 336;
    /// Width in bits of dst_conn.
    pub const DST_CONN_BITS: usize = 16;
    /// Lowest bit: Random per incarnation of the connection.
    pub const TAG_LSB: usize = 320;
    /// Width in bits of tag.
    pub const TAG_BITS: usize = 16;
    /// Lowest bit: Counts the changes of route of the path; echoed by an ACK.
    pub const ROUTE_LSB: usize = 312;
    /// Width in bits of route.
    pub const ROUTE_BITS: usize = 8;
    /// Lowest bit: Packet sequence number of the path; in an ACK the highest received.
    pub const PSN_LSB: usize = 288;
    /// Width in bits of psn.
    pub const PSN_BITS: usize = 24;
    /// Lowest bit: Time of sending in ticks of 8 ns; echoed by an ACK.
    pub const TIMESTAMP_LSB: usize = 256;
    /// Width in bits of timestamp.
    pub const TIMESTAMP_BITS: usize = 32;
}

/// DATA header, words 4 to 11, one layout for every opcode. Positions in the 384-bit vector of header words.
pub mod data {
    /// Lowest bit: Stream of the connection.
    pub const STREAM_LSB: usize = 248;
    /// Width in bits of stream.
    pub const STREAM_BITS: usize = 8;
    /// Lowest bit: Message sequence number of the stream.
    pub const MSN_LSB: usize = 224;
    /// Width in bits of msn.
    pub const MSN_BITS: usize = 24;
    /// Lowest bit: Where this packet's payload lies in the message, in bytes; a multiple of the slice size.
    pub const OFFSET_LSB: usize = 192;
    /// Width in bits of offset.
    pub const OFFSET_BITS: usize = 32;
    /// Lowest bit: Bytes of the whole message; of the answer in a READ_REQ.
    pub const LENGTH_LSB: usize = 160;
    /// Width in bits of length.
    pub const LENGTH_BITS: usize = 32;
    /// Lowest bit: Where this packet's payload goes (WRITE*), or where the source lies (READ_REQ, atomics).
    pub const ADDRESS_LSB: usize = 96;
    /// Width in bits of address.
    pub const ADDRESS_BITS: usize = 64;
    /// Lowest bit: Key of the memory region: an index and a random tag.
    pub const KEY_LSB: usize = 64;
    /// Width in bits of key.
    pub const KEY_BITS: usize = 32;
    /// Lowest bit: Immediate (WRITE_IMM, SEND_IMM); in a READ_REQ the hint for the answer.
    pub const IMM_LSB: usize = 32;
    /// Width in bits of imm.
    pub const IMM_BITS: usize = 32;
    /// Lowest bit: Which posted receive the message consumes (SEND, SEND_IMM, WRITE_IMM); which place at the
    /// responder a request takes (READ_REQ, FETCH_ADD, CMP_SWAP).
    pub const RQ_INDEX_LSB: usize = 16;
    /// Width in bits of rq_index.
    pub const RQ_INDEX_BITS: usize = 16;
    /// Lowest bit: Sent 0, ignored.
    pub const RESERVED_LSB: usize = 0;
    /// Width in bits of reserved.
    pub const RESERVED_BITS: usize = 16;
}

/// ACK header, words 4 to 17; without words 10 to 17 when no bit of the SACK is set (opcode 1). Positions in
/// the 384-bit vector of header words.
pub mod ack {
    /// Lowest bit: RESPONSE: word 8 speaks of answers. PLANE_TEST: answers a PROBE that tests a plane.
    pub const ACK_FLAGS_LSB: usize = 248;
    /// Width in bits of ack_flags.
    pub const ACK_FLAGS_BITS: usize = 8;
    /// Lowest bit: The lowest PSN of the path that was not received.
    pub const CUM_LSB: usize = 224;
    /// Width in bits of cum.
    pub const CUM_BITS: usize = 24;
    /// Lowest bit: Ticks from the echoed arrival to this ACK; 0xffff = no RTT sample.
    pub const HOLD_LSB: usize = 208;
    /// Width in bits of hold.
    pub const HOLD_BITS: usize = 16;
    /// Lowest bit: CE-marked arrivals on this path.
    pub const CE_COUNT_LSB: usize = 192;
    /// Width in bits of ce_count.
    pub const CE_COUNT_BITS: usize = 16;
    /// Lowest bit: Inverse rate for this connection, 16-bit float in 1/64 ps per byte; 0 = none.
    pub const HINT_LSB: usize = 176;
    /// Width in bits of hint.
    pub const HINT_BITS: usize = 16;
    /// Lowest bit: Receives posted.
    pub const RQ_CREDIT_LSB: usize = 160;
    /// Width in bits of rq_credit.
    pub const RQ_CREDIT_BITS: usize = 16;
    /// Lowest bit: Number of this ACK in the connection.
    pub const ACK_SEQ_LSB: usize = 144;
    /// Width in bits of ack_seq.
    pub const ACK_SEQ_BITS: usize = 16;
    /// Lowest bit: Duplicates that arrived on this path.
    pub const DUP_COUNT_LSB: usize = 128;
    /// Width in bits of dup_count.
    pub const DUP_COUNT_BITS: usize = 16;
    /// Lowest bit: The stream that done_msn speaks of.
    pub const DONE_STREAM_LSB: usize = 120;
    /// Width in bits of done_stream.
    pub const DONE_STREAM_BITS: usize = 8;
    /// Lowest bit: Leading messages of that stream that are complete here; with RESPONSE, the peer's message
    /// before which every READ and atomic is answered.
    pub const DONE_MSN_LSB: usize = 96;
    /// Width in bits of done_msn.
    pub const DONE_MSN_BITS: usize = 24;
    /// Lowest bit: Arrivals on this path.
    pub const ARRIVALS_LSB: usize = 80;
    /// Width in bits of arrivals.
    pub const ARRIVALS_BITS: usize = 16;
    /// Lowest bit: Sent 0, ignored.
    pub const RESERVED_LSB: usize = 64;
    /// Width in bits of reserved.
    pub const RESERVED_BITS: usize = 16;
}

/// NAK header, words 4 to 7. Positions in the 384-bit vector of header words.
pub mod nak {
    /// Lowest bit: Why: 1 ACCESS, 2 BOUNDS, 3 OPERATION, 4 PROTOCOL, 5 CONNECTION.
    pub const CODE_LSB: usize = 248;
    /// Width in bits of code.
    pub const CODE_BITS: usize = 8;
    /// Lowest bit: Sent 0, ignored.
    pub const RESERVED_LSB: usize = 224;
    /// Width in bits of reserved.
    pub const RESERVED_BITS: usize = 24;
    /// Lowest bit: Word 0 of the packet refused.
    pub const OFFENDER0_LSB: usize = 192;
    /// Width in bits of offender0.
    pub const OFFENDER0_BITS: usize = 32;
    /// Lowest bit: Word 1 of the packet refused.
    pub const OFFENDER1_LSB: usize = 160;
    /// Width in bits of offender1.
    pub const OFFENDER1_BITS: usize = 32;
    /// Lowest bit: Word 2 of the packet refused.
    pub const OFFENDER2_LSB: usize = 128;
    /// Width in bits of offender2.
    pub const OFFENDER2_BITS: usize = 32;
}

/// PROBE header, word 4. Positions in the 384-bit vector of header words.
pub mod probe {
    /// Lowest bit: The stream whose done_msn the sender waits for.
    pub const STREAM_LSB: usize = 248;
    /// Width in bits of stream.
    pub const STREAM_BITS: usize = 8;
    /// Lowest bit: Sent 0, ignored.
    pub const RESERVED_LSB: usize = 224;
    /// Width in bits of reserved.
    pub const RESERVED_BITS: usize = 24;
}

/// Work request: one message. 64 bytes on s_axis_wqe. Positions in the record, byte 0 in bits 7 to 0.
pub mod work_request {
    /// Lowest bit: WRITE, WRITE_IMM, SEND, SEND_IMM, READ_REQ (a READ), FETCH_ADD or CMP_SWAP, by its number
    /// on the wire.
    pub const OPCODE_LSB: usize = 0;
    /// Width in bits of opcode.
    pub const OPCODE_BITS: usize = 8;
    /// Lowest bit: Bit 0: FENCE.
    pub const FLAGS_LSB: usize = 8;
    /// Width in bits of flags.
    pub const FLAGS_BITS: usize = 8;
    /// Lowest bit: Local number of the connection.
    pub const CONN_LSB: usize = 16;
    /// Width in bits of conn.
    pub const CONN_BITS: usize = 16;
    /// Lowest bit: Stream of the connection.
    pub const STREAM_LSB: usize = 32;
    /// Width in bits of stream.
    pub const STREAM_BITS: usize = 8;
    /// Lowest bit: 0.
    pub const RESERVED0_LSB: usize = 40;
    /// Width in bits of reserved0.
    pub const RESERVED0_BITS: usize = 8;
    /// Lowest bit: 0.
    pub const RESERVED1_LSB: usize = 48;
    /// Width in bits of reserved1.
    pub const RESERVED1_BITS: usize = 16;
    /// Lowest bit: Returned in the completion.
    pub const WR_ID_LSB: usize = 64;
    /// Width in bits of wr_id.
    pub const WR_ID_BITS: usize = 64;
    /// Lowest bit: Local memory: source (WRITE, SEND), or sink of the answer (READ, atomics). Any byte
    /// address.
    pub const LOCAL_ADDRESS_LSB: usize = 128;
    /// Width in bits of local_address.
    pub const LOCAL_ADDRESS_BITS: usize = 64;
    /// Lowest bit: Remote memory (WRITE, READ, atomics).
    pub const REMOTE_ADDRESS_LSB: usize = 192;
    /// Width in bits of remote_address.
    pub const REMOTE_ADDRESS_BITS: usize = 64;
    /// Lowest bit: Bytes of the message; 8 for atomics.
    pub const LENGTH_LSB: usize = 256;
    /// Width in bits of length.
    pub const LENGTH_BITS: usize = 32;
    /// Lowest bit: Remote key (WRITE, READ, atomics).
    pub const RKEY_LSB: usize = 288;
    /// Width in bits of rkey.
    pub const RKEY_BITS: usize = 32;
    /// Lowest bit: Immediate (WRITE_IMM, SEND_IMM).
    pub const IMM_LSB: usize = 320;
    /// Width in bits of imm.
    pub const IMM_BITS: usize = 32;
    /// Lowest bit: 0.
    pub const RESERVED2_LSB: usize = 352;
    /// Width in bits of reserved2.
    pub const RESERVED2_BITS: usize = 32;
    /// Lowest bit: Added, or swapped in (atomics).
    pub const OPERAND_LSB: usize = 384;
    /// Width in bits of operand.
    pub const OPERAND_BITS: usize = 64;
    /// Lowest bit: Compared with (CMP_SWAP).
    pub const COMPARE_LSB: usize = 448;
    /// Width in bits of compare.
    pub const COMPARE_BITS: usize = 64;
}

/// Posted receive: the sink of one SEND, or the right to one WRITE_IMM. 32 bytes on s_axis_rqe. Positions in
/// the record, byte 0 in bits 7 to 0.
pub mod receive {
    /// Lowest bit: Local number of the connection.
    pub const CONN_LSB: usize = 0;
    /// Width in bits of conn.
    pub const CONN_BITS: usize = 16;
    /// Lowest bit: 0.
    pub const RESERVED0_LSB: usize = 16;
    /// Width in bits of reserved0.
    pub const RESERVED0_BITS: usize = 16;
    /// Lowest bit: Bytes of the sink.
    pub const LENGTH_LSB: usize = 32;
    /// Width in bits of length.
    pub const LENGTH_BITS: usize = 32;
    /// Lowest bit: Returned in the completion.
    pub const WR_ID_LSB: usize = 64;
    /// Width in bits of wr_id.
    pub const WR_ID_BITS: usize = 64;
    /// Lowest bit: The sink, any byte address.
    pub const LOCAL_ADDRESS_LSB: usize = 128;
    /// Width in bits of local_address.
    pub const LOCAL_ADDRESS_BITS: usize = 64;
    /// Lowest bit: 0.
    pub const RESERVED1_LSB: usize = 192;
    /// Width in bits of reserved1.
    pub const RESERVED1_BITS: usize = 64;
}

/// Completion of a work request or of a posted receive. 32 bytes on m_axis_cpl. Positions in the record, byte
/// 0 in bits 7 to 0.
pub mod completion {
    /// Lowest bit: How it ended; 0 is success.
    pub const STATUS_LSB: usize = 0;
    /// Width in bits of status.
    pub const STATUS_BITS: usize = 8;
    /// Lowest bit: Opcode of the work request; of the arrived message for a posted receive.
    pub const OPCODE_LSB: usize = 8;
    /// Width in bits of opcode.
    pub const OPCODE_BITS: usize = 8;
    /// Lowest bit: Local number of the connection.
    pub const CONN_LSB: usize = 16;
    /// Width in bits of conn.
    pub const CONN_BITS: usize = 16;
    /// Lowest bit: Stream of the connection.
    pub const STREAM_LSB: usize = 32;
    /// Width in bits of stream.
    pub const STREAM_BITS: usize = 8;
    /// Lowest bit: Bit 0: RECEIVE, of a posted receive. Bit 1: IMM, imm is valid.
    pub const FLAGS_LSB: usize = 40;
    /// Width in bits of flags.
    pub const FLAGS_BITS: usize = 8;
    /// Lowest bit: 0.
    pub const RESERVED0_LSB: usize = 48;
    /// Width in bits of reserved0.
    pub const RESERVED0_BITS: usize = 16;
    /// Lowest bit: The one given with the work request or the receive.
    pub const WR_ID_LSB: usize = 64;
    /// Width in bits of wr_id.
    pub const WR_ID_BITS: usize = 64;
    /// Lowest bit: Bytes of the message that were moved; 0 unless the status is success.
    pub const BYTE_COUNT_LSB: usize = 128;
    /// Width in bits of byte_count.
    pub const BYTE_COUNT_BITS: usize = 32;
    /// Lowest bit: Immediate of the arrived message.
    pub const IMM_LSB: usize = 160;
    /// Width in bits of imm.
    pub const IMM_BITS: usize = 32;
    /// Lowest bit: Message sequence number on its stream, 24 bits; 0 for a work request that was refused.
    pub const MSN_LSB: usize = 192;
    /// Width in bits of msn.
    pub const MSN_BITS: usize = 32;
    /// Lowest bit: 0.
    pub const RESERVED1_LSB: usize = 224;
    /// Width in bits of reserved1.
    pub const RESERVED1_BITS: usize = 32;
}

/// Receive side of a connection: what its packets must carry. Positions in the row, its word 0 on top.
pub mod rx_connection {
    /// Lowest bit: 1: packets are accepted.
    pub const VALID_LSB: usize = 191;
    /// Width in bits of valid.
    pub const VALID_BITS: usize = 1;
    /// Lowest bit: 1: the peer's address is IPv6.
    pub const V6_LSB: usize = 190;
    /// Width in bits of v6.
    pub const V6_BITS: usize = 1;
    /// Lowest bit: 0.
    pub const RESERVED0_LSB: usize = 176;
    /// Width in bits of reserved0.
    pub const RESERVED0_BITS: usize = 14;
    /// Lowest bit: Tag that the peer must send.
    pub const TAG_LSB: usize = 160;
    /// Width in bits of tag.
    pub const TAG_BITS: usize = 16;
    /// Lowest bit: Protection domain that its keys must be of.
    pub const PD_LSB: usize = 144;
    /// Width in bits of pd.
    pub const PD_BITS: usize = 16;
    /// Lowest bit: 0.
    pub const RESERVED1_LSB: usize = 128;
    /// Width in bits of reserved1.
    pub const RESERVED1_BITS: usize = 16;
    /// Lowest bit: Source address of the peer; an IPv4 address in the last 4 bytes behind zeros.
    pub const PEER_ADDRESS_LSB: usize = 0;
    /// Width in bits of peer_address.
    pub const PEER_ADDRESS_BITS: usize = 128;
}

/// Transmit side of a connection: what its packets carry. Positions in the row, its word 0 on top.
pub mod tx_connection {
    /// Lowest bit: 1: work requests are accepted.
    pub const VALID_LSB: usize = 255;
    /// Width in bits of valid.
    pub const VALID_BITS: usize = 1;
    /// Lowest bit: 1: the peer's address is IPv6.
    pub const V6_LSB: usize = 254;
    /// Width in bits of v6.
    pub const V6_BITS: usize = 1;
    /// Lowest bit: 1: frames carry an 802.1Q tag.
    pub const TAGGED_LSB: usize = 253;
    /// Width in bits of tagged.
    pub const TAGGED_BITS: usize = 1;
    /// Lowest bit: 0.
    pub const RESERVED0_LSB: usize = 240;
    /// Width in bits of reserved0.
    pub const RESERVED0_BITS: usize = 13;
    /// Lowest bit: The tag's control information: priority 3, drop eligible 1, VLAN 12.
    pub const VLAN_TCI_LSB: usize = 224;
    /// Width in bits of vlan_tci.
    pub const VLAN_TCI_BITS: usize = 16;
    /// Lowest bit: Number of the connection at the peer.
    pub const PEER_CONN_LSB: usize = 208;
    /// Width in bits of peer_conn.
    pub const PEER_CONN_BITS: usize = 16;
    /// Lowest bit: Tag that the peer expects.
    pub const PEER_TAG_LSB: usize = 192;
    /// Width in bits of peer_tag.
    pub const PEER_TAG_BITS: usize = 16;
    /// Lowest bit: Destination address; an IPv4 address in the last 4 bytes behind zeros.
    pub const PEER_ADDRESS_LSB: usize = 64;
    /// Width in bits of peer_address.
    pub const PEER_ADDRESS_BITS: usize = 128;
    /// Lowest bit: 0.
    pub const RESERVED1_LSB: usize = 48;
    /// Width in bits of reserved1.
    pub const RESERVED1_BITS: usize = 16;
    /// Lowest bit: First two bytes of the next hop's Ethernet address.
    pub const PEER_MAC_HIGH_LSB: usize = 32;
    /// Width in bits of peer_mac_high.
    pub const PEER_MAC_HIGH_BITS: usize = 16;
    /// Lowest bit: Last four bytes of the next hop's Ethernet address.
    pub const PEER_MAC_LOW_LSB: usize = 0;
    /// Width in bits of peer_mac_low.
    pub const PEER_MAC_LOW_BITS: usize = 32;
}

/// A path made new, on the receive or on the transmit side. Positions in the row, its word 0 on top.
pub mod path {
    /// Lowest bit: 0.
    pub const RESERVED_LSB: usize = 24;
    /// Width in bits of reserved.
    pub const RESERVED_BITS: usize = 8;
    /// Lowest bit: Random; the same at both ends.
    pub const FIRST_PSN_LSB: usize = 0;
    /// Width in bits of first_psn.
    pub const FIRST_PSN_BITS: usize = 24;
}

/// Where a path's packets travel. Positions in the row, its word 0 on top.
pub mod route {
    /// Lowest bit: Plane: tdest of its frames.
    pub const PLANE_LSB: usize = 24;
    /// Width in bits of plane.
    pub const PLANE_BITS: usize = 8;
    /// Lowest bit: 0.
    pub const RESERVED_LSB: usize = 16;
    /// Width in bits of reserved.
    pub const RESERVED_BITS: usize = 8;
    /// Lowest bit: UDP source port.
    pub const SRC_PORT_LSB: usize = 0;
    /// Width in bits of src_port.
    pub const SRC_PORT_BITS: usize = 16;
}

/// A memory region that a peer can name. Positions in the row, its word 0 on top.
pub mod region {
    /// Lowest bit: 1: the key can be used.
    pub const VALID_LSB: usize = 191;
    /// Width in bits of valid.
    pub const VALID_BITS: usize = 1;
    /// Lowest bit: 1: remote READ.
    pub const REMOTE_READ_LSB: usize = 190;
    /// Width in bits of remote_read.
    pub const REMOTE_READ_BITS: usize = 1;
    /// Lowest bit: 1: remote WRITE.
    pub const REMOTE_WRITE_LSB: usize = 189;
    /// Width in bits of remote_write.
    pub const REMOTE_WRITE_BITS: usize = 1;
    /// Lowest bit: 1: remote atomics.
    pub const REMOTE_ATOMIC_LSB: usize = 188;
    /// Width in bits of remote_atomic.
    pub const REMOTE_ATOMIC_BITS: usize = 1;
    /// Lowest bit: 0.
    pub const RESERVED0_LSB: usize = 176;
    /// Width in bits of reserved0.
    pub const RESERVED0_BITS: usize = 12;
    /// Lowest bit: The tag part of the key, random.
    pub const TAG_LSB: usize = 160;
    /// Width in bits of tag.
    pub const TAG_BITS: usize = 16;
    /// Lowest bit: Protection domain.
    pub const PD_LSB: usize = 144;
    /// Width in bits of pd.
    pub const PD_BITS: usize = 16;
    /// Lowest bit: 0.
    pub const RESERVED1_LSB: usize = 128;
    /// Width in bits of reserved1.
    pub const RESERVED1_BITS: usize = 16;
    /// Lowest bit: First byte.
    pub const BASE_LSB: usize = 64;
    /// Width in bits of base.
    pub const BASE_BITS: usize = 64;
    /// Lowest bit: Bytes.
    pub const LENGTH_LSB: usize = 0;
    /// Width in bits of length.
    pub const LENGTH_BITS: usize = 64;
}

/// A key as it travels in word 9 of DATA. Positions in the row, its word 0 on top.
pub mod key {
    /// Lowest bit: Of the region's row.
    pub const INDEX_LSB: usize = 16;
    /// Width in bits of index.
    pub const INDEX_BITS: usize = 16;
    /// Lowest bit: Must be the row's tag.
    pub const TAG_LSB: usize = 0;
    /// Width in bits of tag.
    pub const TAG_BITS: usize = 16;
}

/// Registers: byte address, value after reset, and the lowest bit and width of each field.
pub mod register {
    /// Width of an address in bits.
    pub const ADDRESS_BITS: u64 = 12;
    /// Value of the register id.
    pub const ID_VALUE: u64 = 0x4844444c;
    /// Address: What this is.
    pub const ID: u64 = 0x000;
    /// Value of id after reset.
    pub const ID_RESET: u64 = 0x4844444c;
    /// Lowest bit: 0x4844444c, HDDL in ASCII.
    pub const ID_ID_LSB: u64 = 0;
    /// Width in bits of id in id.
    pub const ID_ID_BITS: u64 = 32;
    /// Address: Which version this is.
    pub const VERSION: u64 = 0x004;
    /// Value of version after reset.
    pub const VERSION_RESET: u64 = 0x10000;
    /// Lowest bit: Version on the wire.
    pub const VERSION_PROTOCOL_LSB: u64 = 16;
    /// Width in bits of protocol in version.
    pub const VERSION_PROTOCOL_BITS: u64 = 8;
    /// Lowest bit: Version of this map, 0.
    pub const VERSION_MAP_LSB: u64 = 0;
    /// Width in bits of map in version.
    pub const VERSION_MAP_BITS: u64 = 16;
    /// Address: Sizes of the tables this core was built with.
    pub const CONFIG_SIZES: u64 = 0x008;
    /// Value of config_sizes after reset.
    pub const CONFIG_SIZES_RESET: u64 = 0x0;
    /// Lowest bit: Connections: 2 to this power.
    pub const CONFIG_SIZES_CONNECTION_BITS_LSB: u64 = 20;
    /// Width in bits of connection_bits in config_sizes.
    pub const CONFIG_SIZES_CONNECTION_BITS_BITS: u64 = 5;
    /// Lowest bit: Paths of a connection: 2 to this power.
    pub const CONFIG_SIZES_PATH_BITS_LSB: u64 = 16;
    /// Width in bits of path_bits in config_sizes.
    pub const CONFIG_SIZES_PATH_BITS_BITS: u64 = 4;
    /// Lowest bit: Streams of a connection: 2 to this power.
    pub const CONFIG_SIZES_STREAM_BITS_LSB: u64 = 12;
    /// Width in bits of stream_bits in config_sizes.
    pub const CONFIG_SIZES_STREAM_BITS_BITS: u64 = 4;
    /// Lowest bit: Messages in flight of a stream: 2 to this power.
    pub const CONFIG_SIZES_SLOT_BITS_LSB: u64 = 8;
    /// Width in bits of slot_bits in config_sizes.
    pub const CONFIG_SIZES_SLOT_BITS_BITS: u64 = 4;
    /// Lowest bit: Memory regions: 2 to this power.
    pub const CONFIG_SIZES_REGION_BITS_LSB: u64 = 4;
    /// Width in bits of region_bits in config_sizes.
    pub const CONFIG_SIZES_REGION_BITS_BITS: u64 = 4;
    /// Lowest bit: Bytes of a slice: 2 to this power.
    pub const CONFIG_SIZES_SLICE_BITS_LSB: u64 = 0;
    /// Width in bits of slice_bits in config_sizes.
    pub const CONFIG_SIZES_SLICE_BITS_BITS: u64 = 4;
    /// Address: Widths and clock this core was built with.
    pub const CONFIG_CLOCK: u64 = 0x00c;
    /// Value of config_clock after reset.
    pub const CONFIG_CLOCK_RESET: u64 = 0x0;
    /// Lowest bit: Ticks = cycles x tick_factor >> tick_shift.
    pub const CONFIG_CLOCK_TICK_SHIFT_LSB: u64 = 19;
    /// Width in bits of tick_shift in config_clock.
    pub const CONFIG_CLOCK_TICK_SHIFT_BITS: u64 = 3;
    /// Lowest bit: Ticks = cycles x tick_factor >> tick_shift.
    pub const CONFIG_CLOCK_TICK_FACTOR_LSB: u64 = 16;
    /// Width in bits of tick_factor in config_clock.
    pub const CONFIG_CLOCK_TICK_FACTOR_BITS: u64 = 3;
    /// Lowest bit: Planes.
    pub const CONFIG_CLOCK_PLANES_LSB: u64 = 10;
    /// Width in bits of planes in config_clock.
    pub const CONFIG_CLOCK_PLANES_BITS: u64 = 6;
    /// Lowest bit: Width of packet and memory streams in bits.
    pub const CONFIG_CLOCK_DATA_BITS_LSB: u64 = 0;
    /// Width in bits of data_bits in config_clock.
    pub const CONFIG_CLOCK_DATA_BITS_BITS: u64 = 10;
    /// Address: Turns the core on and off.
    pub const CONTROL: u64 = 0x020;
    /// Value of control after reset.
    pub const CONTROL_RESET: u64 = 0x0;
    /// Lowest bit: Write 1: all but the registers is reset, open AXI bursts are forgotten: write it while
    /// none is open, or reset the memory side too. Reads 1 until done.
    pub const CONTROL_RESET_LSB: u64 = 1;
    /// Width in bits of reset in control.
    pub const CONTROL_RESET_BITS: u64 = 1;
    /// Lowest bit: 1: frames are received and sent. 0: arriving frames are ignored.
    pub const CONTROL_ENABLE_LSB: u64 = 0;
    /// Width in bits of enable in control.
    pub const CONTROL_ENABLE_BITS: u64 = 1;
    /// Address: Planes as the MACs report them.
    pub const PLANE_STATUS: u64 = 0x024;
    /// Value of plane_status after reset.
    pub const PLANE_STATUS_RESET: u64 = 0x0;
    /// Lowest bit: Bit p: plane p has carrier.
    pub const PLANE_STATUS_UP_LSB: u64 = 0;
    /// Width in bits of up in plane_status.
    pub const PLANE_STATUS_UP_BITS: u64 = 32;
    /// Address: Interrupts that wait.
    pub const IRQ_STATUS: u64 = 0x028;
    /// Value of irq_status after reset.
    pub const IRQ_STATUS_RESET: u64 = 0x0;
    /// Lowest bit: A CONNECTION NAK waits for the control plane.
    pub const IRQ_STATUS_CONNECTION_NAK_LSB: u64 = 3;
    /// Width in bits of connection_nak in irq_status.
    pub const IRQ_STATUS_CONNECTION_NAK_BITS: u64 = 1;
    /// Lowest bit: A plane has come up or gone down.
    pub const IRQ_STATUS_PLANE_CHANGE_LSB: u64 = 2;
    /// Width in bits of plane_change in irq_status.
    pub const IRQ_STATUS_PLANE_CHANGE_BITS: u64 = 1;
    /// Lowest bit: A set-up command was refused, or a work request of a wrong length thrown away.
    pub const IRQ_STATUS_SETUP_ERROR_LSB: u64 = 1;
    /// Width in bits of setup_error in irq_status.
    pub const IRQ_STATUS_SETUP_ERROR_BITS: u64 = 1;
    /// Lowest bit: A connection has ended with an error.
    pub const IRQ_STATUS_CONNECTION_ERROR_LSB: u64 = 0;
    /// Width in bits of connection_error in irq_status.
    pub const IRQ_STATUS_CONNECTION_ERROR_BITS: u64 = 1;
    /// Address: Which of them raise the interrupt line: it is high while irq_status AND irq_enable is not 0.
    pub const IRQ_ENABLE: u64 = 0x02c;
    /// Value of irq_enable after reset.
    pub const IRQ_ENABLE_RESET: u64 = 0x0;
    /// Lowest bit: 1: raises the line.
    pub const IRQ_ENABLE_CONNECTION_NAK_LSB: u64 = 3;
    /// Width in bits of connection_nak in irq_enable.
    pub const IRQ_ENABLE_CONNECTION_NAK_BITS: u64 = 1;
    /// Lowest bit: 1: raises the line.
    pub const IRQ_ENABLE_PLANE_CHANGE_LSB: u64 = 2;
    /// Width in bits of plane_change in irq_enable.
    pub const IRQ_ENABLE_PLANE_CHANGE_BITS: u64 = 1;
    /// Lowest bit: 1: raises the line.
    pub const IRQ_ENABLE_SETUP_ERROR_LSB: u64 = 1;
    /// Width in bits of setup_error in irq_enable.
    pub const IRQ_ENABLE_SETUP_ERROR_BITS: u64 = 1;
    /// Lowest bit: 1: raises the line.
    pub const IRQ_ENABLE_CONNECTION_ERROR_LSB: u64 = 0;
    /// Width in bits of connection_error in irq_enable.
    pub const IRQ_ENABLE_CONNECTION_ERROR_BITS: u64 = 1;
    /// Address: The last connection that ended with an error.
    pub const CONNECTION_ERROR: u64 = 0x030;
    /// Value of connection_error after reset.
    pub const CONNECTION_ERROR_RESET: u64 = 0x0;
    /// Lowest bit: 1: there was one since reset.
    pub const CONNECTION_ERROR_VALID_LSB: u64 = 31;
    /// Width in bits of valid in connection_error.
    pub const CONNECTION_ERROR_VALID_BITS: u64 = 1;
    /// Lowest bit: Completion status that says why.
    pub const CONNECTION_ERROR_STATUS_LSB: u64 = 16;
    /// Width in bits of status in connection_error.
    pub const CONNECTION_ERROR_STATUS_BITS: u64 = 8;
    /// Lowest bit: Its number.
    pub const CONNECTION_ERROR_CONN_LSB: u64 = 0;
    /// Width in bits of conn in connection_error.
    pub const CONNECTION_ERROR_CONN_BITS: u64 = 16;
    /// Address: Where packets of this transport are received and sent to.
    pub const UDP_PORT: u64 = 0x040;
    /// Value of udp_port after reset.
    pub const UDP_PORT_RESET: u64 = 0xd607;
    /// Lowest bit: UDP destination port.
    pub const UDP_PORT_PORT_LSB: u64 = 0;
    /// Width in bits of port in udp_port.
    pub const UDP_PORT_PORT_BITS: u64 = 16;
    /// Address: Class of service and hops of sent packets.
    pub const IP_CLASS: u64 = 0x044;
    /// Value of ip_class after reset.
    pub const IP_CLASS_RESET: u64 = 0x401a30;
    /// Lowest bit: TTL, or hop limit.
    pub const IP_CLASS_HOP_LIMIT_LSB: u64 = 16;
    /// Width in bits of hop_limit in ip_class.
    pub const IP_CLASS_HOP_LIMIT_BITS: u64 = 8;
    /// Lowest bit: DSCP of DATA and PROBE; sent as ECN-capable.
    pub const IP_CLASS_DATA_DSCP_LSB: u64 = 8;
    /// Width in bits of data_dscp in ip_class.
    pub const IP_CLASS_DATA_DSCP_BITS: u64 = 6;
    /// Lowest bit: DSCP of ACK, NAK and RESET; sent as not ECN-capable.
    pub const IP_CLASS_ACK_DSCP_LSB: u64 = 0;
    /// Width in bits of ack_dscp in ip_class.
    pub const IP_CLASS_ACK_DSCP_BITS: u64 = 6;
    /// Address: First two bytes of this port's Ethernet address.
    pub const OWN_MAC_HIGH: u64 = 0x048;
    /// Value of own_mac_high after reset.
    pub const OWN_MAC_HIGH_RESET: u64 = 0x0;
    /// Lowest bit: Bytes 0 and 1.
    pub const OWN_MAC_HIGH_MAC_LSB: u64 = 0;
    /// Width in bits of mac in own_mac_high.
    pub const OWN_MAC_HIGH_MAC_BITS: u64 = 16;
    /// Address: Last four bytes of this port's Ethernet address.
    pub const OWN_MAC_LOW: u64 = 0x04c;
    /// Value of own_mac_low after reset.
    pub const OWN_MAC_LOW_RESET: u64 = 0x0;
    /// Lowest bit: Bytes 2 to 5.
    pub const OWN_MAC_LOW_MAC_LSB: u64 = 0;
    /// Width in bits of mac in own_mac_low.
    pub const OWN_MAC_LOW_MAC_BITS: u64 = 32;
    /// Address: This endpoint's IPv4 address.
    pub const OWN_IPV4: u64 = 0x050;
    /// Value of own_ipv4 after reset.
    pub const OWN_IPV4_RESET: u64 = 0x0;
    /// Lowest bit: First byte on top.
    pub const OWN_IPV4_ADDRESS_LSB: u64 = 0;
    /// Width in bits of address in own_ipv4.
    pub const OWN_IPV4_ADDRESS_BITS: u64 = 32;
    /// Address: This endpoint's IPv6 address, first word first.
    pub const OWN_IPV6: u64 = 0x060;
    /// How many registers own_ipv6 has.
    pub const OWN_IPV6_COUNT: u64 = 4;
    /// Value of own_ipv6 after reset.
    pub const OWN_IPV6_RESET: u64 = 0x0;
    /// Lowest bit: Four bytes, the first on top.
    pub const OWN_IPV6_ADDRESS_LSB: u64 = 0;
    /// Width in bits of address in own_ipv6.
    pub const OWN_IPV6_ADDRESS_BITS: u64 = 32;
    /// Address: Seed of the one source of randomness; taken when control.enable goes to 1.
    pub const SEED: u64 = 0x070;
    /// Value of seed after reset.
    pub const SEED_RESET: u64 = 0x1;
    /// Lowest bit: Anything but 0; 0 is taken as all ones.
    pub const SEED_SEED_LSB: u64 = 0;
    /// Width in bits of seed in seed.
    pub const SEED_SEED_BITS: u64 = 32;
    /// Address: Expiry of a path without an RTT sample.
    pub const RTO0: u64 = 0x080;
    /// Value of rto0 after reset.
    pub const RTO0_RESET: u64 = 0x61a8;
    /// Lowest bit: 8 ns each; 1 to 125,000,000.
    pub const RTO0_TICKS_LSB: u64 = 0;
    /// Width in bits of ticks in rto0.
    pub const RTO0_TICKS_BITS: u64 = 27;
    /// Address: Cap of the doubling of a path's expiry.
    pub const RTO_CAP: u64 = 0x084;
    /// Value of rto_cap after reset.
    pub const RTO_CAP_RESET: u64 = 0x7735940;
    /// Lowest bit: 8 ns each.
    pub const RTO_CAP_TICKS_LSB: u64 = 0;
    /// Width in bits of ticks in rto_cap.
    pub const RTO_CAP_TICKS_BITS: u64 = 32;
    /// Address: T: how long an ACK may wait.
    pub const ACK_DELAY: u64 = 0x088;
    /// Value of ack_delay after reset.
    pub const ACK_DELAY_RESET: u64 = 0xfa;
    /// Lowest bit: 8 ns each; at least 1.
    pub const ACK_DELAY_TICKS_LSB: u64 = 0;
    /// Width in bits of ticks in ack_delay.
    pub const ACK_DELAY_TICKS_BITS: u64 = 16;
    /// Address: A: how many arrivals an ACK may wait for.
    pub const ACK_ARRIVALS: u64 = 0x08c;
    /// Value of ack_arrivals after reset.
    pub const ACK_ARRIVALS_RESET: u64 = 0x4;
    /// Lowest bit: At least 1.
    pub const ACK_ARRIVALS_ARRIVALS_LSB: u64 = 0;
    /// Width in bits of arrivals in ack_arrivals.
    pub const ACK_ARRIVALS_ARRIVALS_BITS: u64 = 8;
    /// Address: Oldest echo that an ACK may carry.
    pub const ECHO_AGE: u64 = 0x090;
    /// Value of echo_age after reset.
    pub const ECHO_AGE_RESET: u64 = 0x200000;
    /// Lowest bit: 8 ns each; below 2^31.
    pub const ECHO_AGE_TICKS_LSB: u64 = 0;
    /// Width in bits of ticks in echo_age.
    pub const ECHO_AGE_TICKS_BITS: u64 = 32;
    /// Address: Congestion window of a path, first or fixed.
    pub const CWND: u64 = 0x098;
    /// Value of cwnd after reset.
    pub const CWND_RESET: u64 = 0x1000;
    /// Lowest bit: 1/256 packet; 256 to 65,536.
    pub const CWND_CWND_LSB: u64 = 0;
    /// Width in bits of cwnd in cwnd.
    pub const CWND_CWND_BITS: u64 = 17;
    /// Address: Guard of the loss rule.
    pub const REORDER: u64 = 0x09c;
    /// Value of reorder after reset.
    pub const REORDER_RESET: u64 = 0x0;
    /// Lowest bit: Lost by evidence only from this far below on.
    pub const REORDER_PACKETS_LSB: u64 = 0;
    /// Width in bits of packets in reorder.
    pub const REORDER_PACKETS_BITS: u64 = 8;
    /// Address: Words of the row to be written.
    pub const SETUP_DATA: u64 = 0x100;
    /// How many registers setup_data has.
    pub const SETUP_DATA_COUNT: u64 = 8;
    /// Value of setup_data after reset.
    pub const SETUP_DATA_RESET: u64 = 0x0;
    /// Lowest bit: A word of the row.
    pub const SETUP_DATA_WORD_LSB: u64 = 0;
    /// Width in bits of word in setup_data.
    pub const SETUP_DATA_WORD_BITS: u64 = 32;
    /// Address: A write puts the row of setup_data into a table.
    pub const SETUP_COMMAND: u64 = 0x140;
    /// Value of setup_command after reset.
    pub const SETUP_COMMAND_RESET: u64 = 0x0;
    /// Lowest bit: Which table.
    pub const SETUP_COMMAND_TABLE_LSB: u64 = 24;
    /// Width in bits of table in setup_command.
    pub const SETUP_COMMAND_TABLE_BITS: u64 = 8;
    /// Lowest bit: Which row.
    pub const SETUP_COMMAND_INDEX_LSB: u64 = 0;
    /// Width in bits of index in setup_command.
    pub const SETUP_COMMAND_INDEX_BITS: u64 = 24;
    /// Address: How the last set-up command went.
    pub const SETUP_STATUS: u64 = 0x144;
    /// Value of setup_status after reset.
    pub const SETUP_STATUS_RESET: u64 = 0x0;
    /// Lowest bit: No such table or row, or a command while busy; until the next good one.
    pub const SETUP_STATUS_REFUSED_LSB: u64 = 1;
    /// Width in bits of refused in setup_status.
    pub const SETUP_STATUS_REFUSED_BITS: u64 = 1;
    /// Lowest bit: The row is being written.
    pub const SETUP_STATUS_BUSY_LSB: u64 = 0;
    /// Width in bits of busy in setup_status.
    pub const SETUP_STATUS_BUSY_BITS: u64 = 1;
    /// Address: Drops by reason: the index is the number of the reason.
    pub const DROPS: u64 = 0x200;
    /// How many registers drops has.
    pub const DROPS_COUNT: u64 = 64;
    /// Value of drops after reset.
    pub const DROPS_RESET: u64 = 0x0;
    /// Lowest bit: Wraps.
    pub const DROPS_COUNT_LSB: u64 = 0;
    /// Width in bits of count in drops.
    pub const DROPS_COUNT_BITS: u64 = 32;
    /// Address: Traffic by kind: the index is the number of the counter.
    pub const TRAFFIC: u64 = 0x300;
    /// How many registers traffic has.
    pub const TRAFFIC_COUNT: u64 = 32;
    /// Value of traffic after reset.
    pub const TRAFFIC_RESET: u64 = 0x0;
    /// Lowest bit: Wraps.
    pub const TRAFFIC_COUNT_LSB: u64 = 0;
    /// Width in bits of count in traffic.
    pub const TRAFFIC_COUNT_BITS: u64 = 32;
}

/// Layouts as rows of memories and payloads of FIFOs; reserved fields left out, the first lowest.
#[allow(missing_docs)] // of public methods that the derive makes
pub mod rows {
    use rust_hdl::prelude::*;

    /// Common header of every packet, words 0 to 3.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Common {
        /// Version of the protocol, 1.
        pub version: Bits<4>,
        /// Packet type: 1 DATA, 2 ACK, 3 NAK, 4 PROBE, 5 RESET.
        pub packet_type: Bits<4>,
        /// What a DATA packet does; of an ACK whether it has SACK words; 0 in every other type.
        pub opcode: Bits<8>,
        /// Flag bits.
        pub flags: Bits<8>,
        /// Path of the connection; in an ACK or NAK the path that carried the data.
        pub path: Bits<8>,
        /// Number of the connection at the receiver of this packet.
        pub dst_conn: Bits<16>,
        /// Random per incarnation of the connection.
        pub tag: Bits<16>,
        /// Counts the changes of route of the path; echoed by an ACK.
        pub route: Bits<8>,
        /// Packet sequence number of the path; in an ACK the highest received.
        pub psn: Bits<24>,
        /// Time of sending in ticks of 8 ns; echoed by an ACK.
        pub timestamp: Bits<32>,
    }

    /// DATA header, words 4 to 11, one layout for every opcode.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Data {
        /// Stream of the connection.
        pub stream: Bits<8>,
        /// Message sequence number of the stream.
        pub msn: Bits<24>,
        /// Where this packet's payload lies in the message, in bytes; a multiple of the slice size.
        pub offset: Bits<32>,
        /// Bytes of the whole message; of the answer in a READ_REQ.
        pub length: Bits<32>,
        /// Where this packet's payload goes (WRITE*), or where the source lies (READ_REQ, atomics).
        pub address: Bits<64>,
        /// Key of the memory region: an index and a random tag.
        pub key: Bits<32>,
        /// Immediate (WRITE_IMM, SEND_IMM); in a READ_REQ the hint for the answer.
        pub imm: Bits<32>,
        /// Which posted receive the message consumes (SEND, SEND_IMM, WRITE_IMM); which place at the
        /// responder a request takes (READ_REQ, FETCH_ADD, CMP_SWAP).
        pub rq_index: Bits<16>,
    }

    /// ACK header, words 4 to 17; without words 10 to 17 when no bit of the SACK is set (opcode 1).
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Ack {
        /// RESPONSE: word 8 speaks of answers. PLANE_TEST: answers a PROBE that tests a plane.
        pub ack_flags: Bits<8>,
        /// The lowest PSN of the path that was not received.
        pub cum: Bits<24>,
        /// Ticks from the echoed arrival to this ACK; 0xffff = no RTT sample.
        pub hold: Bits<16>,
        /// CE-marked arrivals on this path.
        pub ce_count: Bits<16>,
        /// Inverse rate for this connection, 16-bit float in 1/64 ps per byte; 0 = none.
        pub hint: Bits<16>,
        /// Receives posted.
        pub rq_credit: Bits<16>,
        /// Number of this ACK in the connection.
        pub ack_seq: Bits<16>,
        /// Duplicates that arrived on this path.
        pub dup_count: Bits<16>,
        /// The stream that done_msn speaks of.
        pub done_stream: Bits<8>,
        /// Leading messages of that stream that are complete here; with RESPONSE, the peer's message before
        /// which every READ and atomic is answered.
        pub done_msn: Bits<24>,
        /// Arrivals on this path.
        pub arrivals: Bits<16>,
        /// Bit p mod 256: PSN p beyond cum is received; bit i is bit i mod 32 of word 10 + i / 32. Not there,
        /// and all zeros, with opcode 1.
        pub sack: Bits<256>,
    }

    /// NAK header, words 4 to 7.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Nak {
        /// Why: 1 ACCESS, 2 BOUNDS, 3 OPERATION, 4 PROTOCOL, 5 CONNECTION.
        pub code: Bits<8>,
        /// Word 0 of the packet refused.
        pub offender0: Bits<32>,
        /// Word 1 of the packet refused.
        pub offender1: Bits<32>,
        /// Word 2 of the packet refused.
        pub offender2: Bits<32>,
    }

    /// PROBE header, word 4.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Probe {
        /// The stream whose done_msn the sender waits for.
        pub stream: Bits<8>,
    }

    /// Work request: one message. 64 bytes on s_axis_wqe.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct WorkRequest {
        /// WRITE, WRITE_IMM, SEND, SEND_IMM, READ_REQ (a READ), FETCH_ADD or CMP_SWAP, by its number on the
        /// wire.
        pub opcode: Bits<8>,
        /// Bit 0: FENCE.
        pub flags: Bits<8>,
        /// Local number of the connection.
        pub conn: Bits<16>,
        /// Stream of the connection.
        pub stream: Bits<8>,
        /// Returned in the completion.
        pub wr_id: Bits<64>,
        /// Local memory: source (WRITE, SEND), or sink of the answer (READ, atomics). Any byte address.
        pub local_address: Bits<64>,
        /// Remote memory (WRITE, READ, atomics).
        pub remote_address: Bits<64>,
        /// Bytes of the message; 8 for atomics.
        pub length: Bits<32>,
        /// Remote key (WRITE, READ, atomics).
        pub rkey: Bits<32>,
        /// Immediate (WRITE_IMM, SEND_IMM).
        pub imm: Bits<32>,
        /// Added, or swapped in (atomics).
        pub operand: Bits<64>,
        /// Compared with (CMP_SWAP).
        pub compare: Bits<64>,
    }

    /// Posted receive: the sink of one SEND, or the right to one WRITE_IMM. 32 bytes on s_axis_rqe.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Receive {
        /// Local number of the connection.
        pub conn: Bits<16>,
        /// Bytes of the sink.
        pub length: Bits<32>,
        /// Returned in the completion.
        pub wr_id: Bits<64>,
        /// The sink, any byte address.
        pub local_address: Bits<64>,
    }

    /// Completion of a work request or of a posted receive. 32 bytes on m_axis_cpl.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Completion {
        /// How it ended; 0 is success.
        pub status: Bits<8>,
        /// Opcode of the work request; of the arrived message for a posted receive.
        pub opcode: Bits<8>,
        /// Local number of the connection.
        pub conn: Bits<16>,
        /// Stream of the connection.
        pub stream: Bits<8>,
        /// Bit 0: RECEIVE, of a posted receive. Bit 1: IMM, imm is valid.
        pub flags: Bits<8>,
        /// The one given with the work request or the receive.
        pub wr_id: Bits<64>,
        /// Bytes of the message that were moved; 0 unless the status is success.
        pub byte_count: Bits<32>,
        /// Immediate of the arrived message.
        pub imm: Bits<32>,
        /// Message sequence number on its stream, 24 bits; 0 for a work request that was refused.
        pub msn: Bits<32>,
    }

    /// Receive side of a connection: what its packets must carry.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct RxConnection {
        /// 1: packets are accepted.
        pub valid: Bits<1>,
        /// 1: the peer's address is IPv6.
        pub v6: Bits<1>,
        /// Tag that the peer must send.
        pub tag: Bits<16>,
        /// Protection domain that its keys must be of.
        pub pd: Bits<16>,
        /// Source address of the peer; an IPv4 address in the last 4 bytes behind zeros.
        pub peer_address: Bits<128>,
    }

    /// Transmit side of a connection: what its packets carry.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct TxConnection {
        /// 1: work requests are accepted.
        pub valid: Bits<1>,
        /// 1: the peer's address is IPv6.
        pub v6: Bits<1>,
        /// 1: frames carry an 802.1Q tag.
        pub tagged: Bits<1>,
        /// The tag's control information: priority 3, drop eligible 1, VLAN 12.
        pub vlan_tci: Bits<16>,
        /// Number of the connection at the peer.
        pub peer_conn: Bits<16>,
        /// Tag that the peer expects.
        pub peer_tag: Bits<16>,
        /// Destination address; an IPv4 address in the last 4 bytes behind zeros.
        pub peer_address: Bits<128>,
        /// First two bytes of the next hop's Ethernet address.
        pub peer_mac_high: Bits<16>,
        /// Last four bytes of the next hop's Ethernet address.
        pub peer_mac_low: Bits<32>,
    }

    /// Where a path's packets travel.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Route {
        /// Plane: tdest of its frames.
        pub plane: Bits<8>,
        /// UDP source port.
        pub src_port: Bits<16>,
    }

    /// A memory region that a peer can name.
    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
    pub struct Region {
        /// 1: the key can be used.
        pub valid: Bits<1>,
        /// 1: remote READ.
        pub remote_read: Bits<1>,
        /// 1: remote WRITE.
        pub remote_write: Bits<1>,
        /// 1: remote atomics.
        pub remote_atomic: Bits<1>,
        /// The tag part of the key, random.
        pub tag: Bits<16>,
        /// Protection domain.
        pub pd: Bits<16>,
        /// First byte.
        pub base: Bits<64>,
        /// Bytes.
        pub length: Bits<64>,
    }
}
