//! The map itself, in order of address.

use super::{Access, Register, ID};
use crate::drop::DropReason;
use crate::field::{Field, Source};
use crate::header::{DEFAULT_PORT, VERSION};
use crate::registers::Counter;
use crate::setup::MAX_ROW_WORDS;

const fn field(name: &'static str, bits: u16, doc: &'static str) -> Field {
    Field { name, bits, doc, source: Source::Architecture }
}

/// Bits without meaning: read as 0, written as 0.
const fn gap(bits: u16) -> Field {
    field("reserved", bits, "0.")
}

macro_rules! registers {
    ($( $(#[doc = $doc:literal])+
        $name:ident @ $address:literal $([$count:expr])?, $access:ident, $reset:expr,
            [$($field:expr),+ $(,)?]; )+) => {
        /// Every register, in order of address.
        pub const REGISTERS: &[Register] = &[$( Register {
            name: stringify!($name),
            address: $address,
            count: 1 $( - 1 + $count as u32 )?,
            access: Access::$access,
            reset: $reset,
            fields: &[$($field),+],
            doc: concat!($($doc),+),
        } ),+];
    };
}

/// Ticks of 8 ns in a microsecond.
const TICKS_PER_US: u32 = 125;
/// Ticks of 8 ns in a second.
const TICKS_PER_S: u32 = 125_000_000;

registers! {
    /// What this is.
    id @ 0x000, ReadOnly, ID, [field("id", 32, "0x4844444c, HDDL in ASCII.")];
    /// Which version this is.
    version @ 0x004, ReadOnly, (VERSION as u32) << 16,
        [gap(8), field("protocol", 8, "Version on the wire."), field("map", 16, "Version of this map, 0.")];
    /// Sizes of the tables this core was built with.
    config_sizes @ 0x008, ReadOnly, 0, [
        gap(7),
        field("connection_bits", 5, "Connections: 2 to this power."),
        field("path_bits", 4, "Paths of a connection: 2 to this power."),
        field("stream_bits", 4, "Streams of a connection: 2 to this power."),
        field("slot_bits", 4, "Messages in flight of a stream: 2 to this power."),
        field("region_bits", 4, "Memory regions: 2 to this power."),
        field("slice_bits", 4, "Bytes of a slice: 2 to this power."),
    ];
    /// Widths and clock this core was built with.
    config_clock @ 0x00c, ReadOnly, 0, [
        gap(10),
        field("tick_shift", 3, "Ticks = cycles x tick_factor >> tick_shift."),
        field("tick_factor", 3, "Ticks = cycles x tick_factor >> tick_shift."),
        field("planes", 6, "Planes."),
        field("data_bits", 10, "Width of packet and memory streams in bits."),
    ];
    /// Turns the core on and off.
    control @ 0x020, ReadWrite, 0, [
        gap(30),
        field(
            "reset",
            1,
            "Write 1: all but the registers is reset, open AXI bursts are forgotten: write it while none is open, \
             or reset the memory side too. Reads 1 until done.",
        ),
        field("enable", 1, "1: frames are received and sent. 0: arriving frames are ignored."),
    ];
    /// Planes as the MACs report them.
    plane_status @ 0x024, ReadOnly, 0, [field("up", 32, "Bit p: plane p has carrier.")];
    /// Interrupts that wait.
    irq_status @ 0x028, WriteOneToClear, 0, [
        gap(28),
        field("connection_nak", 1, "A CONNECTION NAK waits for the control plane."),
        field("plane_change", 1, "A plane has come up or gone down."),
        field("setup_error", 1, "A set-up command was refused, or a work request of a wrong length thrown away."),
        field("connection_error", 1, "A connection has ended with an error."),
    ];
    /// Which of them raise the interrupt line: it is high while irq_status AND irq_enable is not 0.
    irq_enable @ 0x02c, ReadWrite, 0, [
        gap(28),
        field("connection_nak", 1, "1: raises the line."),
        field("plane_change", 1, "1: raises the line."),
        field("setup_error", 1, "1: raises the line."),
        field("connection_error", 1, "1: raises the line."),
    ];
    /// The last connection that ended with an error.
    connection_error @ 0x030, ReadOnly, 0, [
        field("valid", 1, "1: there was one since reset."),
        gap(7),
        field("status", 8, "Completion status that says why."),
        field("conn", 16, "Its number."),
    ];
    /// Where packets of this transport are received and sent to.
    udp_port @ 0x040, ReadWrite, DEFAULT_PORT as u32, [gap(16), field("port", 16, "UDP destination port.")];
    /// Class of service and hops of sent packets.
    ip_class @ 0x044, ReadWrite, 64 << 16 | 26 << 8 | 48, [
        gap(8),
        field("hop_limit", 8, "TTL, or hop limit."),
        gap(2),
        field("data_dscp", 6, "DSCP of DATA and PROBE; sent as ECN-capable."),
        gap(2),
        field("ack_dscp", 6, "DSCP of ACK, NAK and RESET; sent as not ECN-capable."),
    ];
    /// First two bytes of this port's Ethernet address.
    own_mac_high @ 0x048, ReadWrite, 0, [gap(16), field("mac", 16, "Bytes 0 and 1.")];
    /// Last four bytes of this port's Ethernet address.
    own_mac_low @ 0x04c, ReadWrite, 0, [field("mac", 32, "Bytes 2 to 5.")];
    /// This endpoint's IPv4 address.
    own_ipv4 @ 0x050, ReadWrite, 0, [field("address", 32, "First byte on top.")];
    /// This endpoint's IPv6 address, first word first.
    own_ipv6 @ 0x060 [4], ReadWrite, 0, [field("address", 32, "Four bytes, the first on top.")];
    /// Seed of the one source of randomness; taken when control.enable goes to 1.
    seed @ 0x070, ReadWrite, 1, [field("seed", 32, "Anything but 0; 0 is taken as all ones.")];
    /// Expiry of a path without an RTT sample.
    rto0 @ 0x080, ReadWrite, 200 * TICKS_PER_US,
        [gap(5), field("ticks", 27, "8 ns each; 1 to 125,000,000.")];
    /// Cap of the doubling of a path's expiry.
    rto_cap @ 0x084, ReadOnly, TICKS_PER_S, [field("ticks", 32, "8 ns each.")];
    /// T: how long an ACK may wait.
    ack_delay @ 0x088, ReadWrite, 2 * TICKS_PER_US, [gap(16), field("ticks", 16, "8 ns each; at least 1.")];
    /// A: how many arrivals an ACK may wait for.
    ack_arrivals @ 0x08c, ReadOnly, 4, [gap(24), field("arrivals", 8, "At least 1.")];
    /// Oldest echo that an ACK may carry.
    echo_age @ 0x090, ReadOnly, 1 << 21, [field("ticks", 32, "8 ns each; below 2^31.")];
    /// Congestion window of a path, first or fixed.
    cwnd @ 0x098, ReadWrite, 16 << 8, [gap(15), field("cwnd", 17, "1/256 packet; 256 to 65,536.")];
    /// Guard of the loss rule.
    reorder @ 0x09c, ReadWrite, 0,
        [gap(24), field("packets", 8, "Lost by evidence only from this far below on.")];
    /// Words of the row to be written.
    setup_data @ 0x100 [MAX_ROW_WORDS], ReadWrite, 0, [field("word", 32, "A word of the row.")];
    /// A write puts the row of setup_data into a table.
    setup_command @ 0x140, WriteOnly, 0,
        [field("table", 8, "Which table."), field("index", 24, "Which row.")];
    /// How the last set-up command went.
    setup_status @ 0x144, ReadOnly, 0, [
        gap(30),
        field("refused", 1, "No such table or row, or a command while busy; until the next good one."),
        field("busy", 1, "The row is being written."),
    ];
    /// Drops by reason: the index is the number of the reason.
    drops @ 0x200 [DropReason::LIMIT], ReadOnly, 0, [field("count", 32, "Wraps.")];
    /// Traffic by kind: the index is the number of the counter.
    traffic @ 0x300 [Counter::LIMIT], ReadOnly, 0, [field("count", 32, "Wraps.")];
}

const _: () = {
    let mut i = 0;
    while i < REGISTERS.len() {
        assert!(
            REGISTERS[i].lsb(0) + REGISTERS[i].fields[0].bits as u32 == 32,
            "fields must fill a register"
        );
        assert!(i == 0 || REGISTERS[i - 1].end() <= REGISTERS[i].address, "registers must not overlap");
        i += 1;
    }
};
