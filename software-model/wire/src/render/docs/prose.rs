//! What the documents say around their tables.

pub const WIRE_FORMAT: &str = "\
The format of `docs/protocol.md` section 3, bit by bit. It is our own; no published format is claimed to be met.

Ethernet II with at most one 802.1Q tag / IPv4 without options, or IPv6 without extension headers / UDP / transport
header / payload / ICRC. Big-endian, whole 32-bit words; word 0 is the first of the transport header, bit 31 the first of
a word on the wire.

- **Lengths are exact.** The frame (without preamble and FCS) ends where the IP length says. The smallest frame of this
  protocol is 62 bytes, so Ethernet never pads it, and bytes behind the IP packet are a fault. The UDP length is the IP
  payload's, and the transport's is the one that type and opcode ask for.
- **IPv4**: flags and fragment offset are exactly 0x4000 (DF). The header checksum is checked by its sum, so a zero checksum
  may be spelled 0x0000 or 0xffff.
- **UDP checksum**: sent 0, ignored on receipt.
- **ECN**: DATA and PROBE are sent ECN-capable, and CE on them is counted.
- **Reserved** bits are sent 0 and ignored on receipt. Opcode is 0 in every type but DATA and ACK, and that is checked.
- **ACK**: with opcode 1 it ends with word 9, 40 bytes with the common header, and its SACK is all zeros. It is sent so exactly when no
  bit of the SACK is set; a receiver takes either form, whatever the bits.
- **ICRC**: CRC-32 of the Ethernet FCS (reflected polynomial 0xedb88320, register starting as ones and complemented at the
  end), without a prefix, over the bytes from the IP header to the end of the payload, with these fields taken as ones: IPv4 TOS,
  TTL and header checksum; IPv6 traffic class, flow label and hop limit; UDP checksum. Sent least significant byte first.
- **Hint** (word 6 of an ACK): bits 15 to 11 exponent e, bits 10 to 0 mantissa m, value m << e in 1/64 ps per byte. The smallest
  e that fits, rounded up, saturating; 0 means none. 100 Gb/s is 80 ps per byte, 5,120 units, 0x1500.
- **Destination Ethernet and IP addresses** are not looked at by the core: filtering by Ethernet address is the MAC's, and a
  connection is known by number, tag and source address.
";

pub const PAYLOAD: &str = "\
### Payload of DATA

WRITE, WRITE_IMM, SEND, SEND_IMM, READ_RESP: a slice of the message, min(S, length - offset) bytes, then zeros up to whole
words. READ_REQ: none. FETCH_ADD, CMP_SWAP and ATOMIC_RESP: the layouts below.
";

pub const DROP_REASONS: &str = "\
Every packet that arrives is accepted, or dropped for exactly one of these reasons, and counted there (register `drops`, the
number being the index). Of several reasons that hold, **the lowest number is the reason**: that is the order of the checks of
`docs/protocol.md` section 4, for the model and for every block of the RTL. A condition may take for granted what lower
numbers promise: where a frame is too short for its IP header, nothing is asked about the IP header. Numbers are stable;
0 means accepted; new reasons take free numbers below 64.

An ACK, a NAK or a RESET is never answered by a NAK. `ack_stale` is the one reason of which something is used: done and
credit are still taken.
";

pub const REGISTERS: &str = "\
32-bit registers behind AXI4-Lite, byte addresses of 12 bits. Addresses without a register read as 0, and writes to them do
nothing; both answer OKAY. A write with byte strobes other than all ones, or of a value outside of the range of its register, does nothing
and answers SLVERR. Times are in ticks of 8 ns.
";

pub const SETUP: &str = "\
A row is written by its words to `setup_data`, word 0 first, the first field of a word on top, then table and index to
`setup_command`; `setup_status` says when it is done. Tables can be written only. A connection is set up in this order: TX_PATH,
RX_PATH and ROUTE of each of its paths, TX_CONNECTION, RX_CONNECTION; the index of a path is that of its connection followed
by its number in the connection. A connection is taken down in the reverse order, valid = 0.
";

pub const QUEUES: &str = "\
Records on the AXI4-Stream ports, one per stream packet, little-endian: byte 0 in bits 7 to 0 of the first beat. They lie in host
memory in the same way.
";
