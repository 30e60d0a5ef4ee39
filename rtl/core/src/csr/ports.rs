//! Ports and registers of the register block.

use super::rows::SetupRows;
use crate::bus::AxiLiteSlave;
use crate::config::Config;
use crate::generated::wire::register as reg;
use crate::generated::wire::rows::{Region, Route, RxConnection, TxConnection};
use crate::generated::wire::{setup_table as table, status};
use rust_hdl::prelude::*;

/// Planes: widths of `tdest` and of `plane_up` are fixed.
pub const PLANES: u64 = 16;

// The kernel's literals are these numbers.
const _: () =
    assert!(reg::ID == 0 && reg::VERSION == 4 && reg::CONFIG_SIZES == 8 && reg::CONFIG_CLOCK == 0xC);
const _: () = assert!(reg::CONTROL == 0x20 && reg::PLANE_STATUS == 0x24 && reg::IRQ_STATUS == 0x28);
const _: () = assert!(reg::IRQ_ENABLE == 0x2C && reg::CONNECTION_ERROR == 0x30 && reg::UDP_PORT == 0x40);
const _: () = assert!(reg::IP_CLASS == 0x44 && reg::OWN_MAC_HIGH == 0x48 && reg::OWN_MAC_LOW == 0x4C);
const _: () =
    assert!(reg::OWN_IPV4 == 0x50 && reg::OWN_IPV6 == 0x60 && reg::SEED == 0x70 && reg::RTO0 == 0x80);
const _: () = assert!(reg::RTO_CAP == 0x84 && reg::ACK_DELAY == 0x88 && reg::ACK_ARRIVALS == 0x8C);
const _: () = assert!(reg::ECHO_AGE == 0x90 && reg::CWND == 0x98 && reg::REORDER == 0x9C);
const _: () = assert!(reg::SETUP_DATA == 0x100 && reg::SETUP_COMMAND == 0x140 && reg::SETUP_STATUS == 0x144);
const _: () = assert!(reg::DROPS == 0x200 && reg::DROPS_COUNT == 64 && reg::TRAFFIC == 0x300);
const _: () = assert!(table::RX_CONNECTION == 1 && table::TX_CONNECTION == 2 && table::RX_PATH == 3);
const _: () = assert!(table::TX_PATH == 4 && table::ROUTE == 5 && table::REGION == 6);

/// The block.
#[derive(LogicBlock)]
pub struct Csr {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: every register has its value after reset.
    pub rst: Signal<In, Bit>,
    /// The registers.
    pub s_axil: AxiLiteSlave,
    /// Interrupt line, level.
    pub irq: Signal<Out, Bit>,
    /// Carrier per plane, synchronous to `clk`.
    pub plane_up: Signal<In, Bits<16>>,
    /// Synchronous reset of every other block: `rst`, or asked for by control.reset.
    pub core_rst: Signal<Out, Bit>,
    /// Frames are received and sent.
    pub enable: Signal<Out, Bit>,
    /// Pulse: enable has gone to 1, the random register is loaded.
    pub seed_we: Signal<Out, Bit>,
    /// Its contents.
    pub seed: Signal<Out, Bits<32>>,
    /// UDP destination port.
    pub port: Signal<Out, Bits<16>>,
    /// TTL or hop limit.
    pub hops: Signal<Out, Bits<8>>,
    /// DSCP of DATA and PROBE.
    pub data_dscp: Signal<Out, Bits<6>>,
    /// DSCP of the other types.
    pub ack_dscp: Signal<Out, Bits<6>>,
    /// Ethernet address, first byte on top.
    pub own_mac: Signal<Out, Bits<48>>,
    /// IPv4 address.
    pub own_ipv4: Signal<Out, Bits<32>>,
    /// IPv6 address.
    pub own_ipv6: Signal<Out, Bits<128>>,
    /// Expiry of a path without a sample, ticks.
    pub rto0: Signal<Out, Bits<27>>,
    /// T, ticks.
    pub ack_delay: Signal<Out, Bits<16>>,
    /// Packets in flight allowed per path.
    pub cwnd: Signal<Out, Bits<9>>,
    /// Guard of the loss rule, packets.
    pub reorder: Signal<Out, Bits<8>>,
    /// Index of the row being set up.
    pub set_index: Signal<Out, Bits<24>>,
    /// Pulse: row of the receive connections.
    pub set_rx_connection: Signal<Out, Bit>,
    /// The row.
    pub rx_connection: Signal<Out, RxConnection>,
    /// Pulse: row of the transmit connections.
    pub set_tx_connection: Signal<Out, Bit>,
    /// The row.
    pub tx_connection: Signal<Out, TxConnection>,
    /// Pulse: route of a path.
    pub set_route: Signal<Out, Bit>,
    /// The row.
    pub route: Signal<Out, Route>,
    /// Pulse: memory region.
    pub set_region: Signal<Out, Bit>,
    /// The row.
    pub region: Signal<Out, Region>,
    /// Low while the tables are cleared and every path is made new after a reset.
    pub ready: Signal<Out, Bit>,
    /// A receive path to be made new is offered.
    pub rx_path_valid: Signal<Out, Bit>,
    /// It is taken.
    pub rx_path_ready: Signal<In, Bit>,
    /// Its index.
    pub rx_path_index: Signal<Out, Bits<24>>,
    /// Its first PSN.
    pub rx_path_psn: Signal<Out, Bits<24>>,
    /// A transmit path to be made new is offered.
    pub tx_path_valid: Signal<Out, Bit>,
    /// It is taken.
    pub tx_path_ready: Signal<In, Bit>,
    /// Its index.
    pub tx_path_index: Signal<Out, Bits<24>>,
    /// Its first PSN.
    pub tx_path_psn: Signal<Out, Bits<24>>,
    /// Pulse: the receive side ends a connection.
    pub rx_error: Signal<In, Bit>,
    /// Which.
    pub rx_error_conn: Signal<In, Bits<16>>,
    /// 1 memory, 2 length.
    pub rx_error_code: Signal<In, Bits<2>>,
    /// Pulse: the transmit side ends a connection: memory.
    pub tx_error: Signal<In, Bit>,
    /// Which.
    pub tx_error_conn: Signal<In, Bits<16>>,
    /// Pulse: a work request of a wrong length was thrown away.
    pub wqe_bad: Signal<In, Bit>,
    /// Counter that is read: drop reason, or in its low 5 bits the traffic counter.
    pub count_index: Signal<Out, Bits<6>>,
    /// The drop counter asked for in the cycle before.
    pub drop_count: Signal<In, Bits<32>>,
    /// The traffic counter asked for in the cycle before.
    pub traffic_count: Signal<In, Bits<32>>,
    pub(super) rows: SetupRows,
    pub(super) answer: DFF<Bit>,
    pub(super) refused: DFF<Bit>,
    pub(super) reading: DFF<Bits<3>>,
    pub(super) address: DFF<Bits<12>>,
    pub(super) read: DFF<Bits<32>>,
    pub(super) enabled: DFF<Bit>,
    pub(super) boot: DFF<Bits<18>>,
    pub(super) rx_sweep: DFF<Bits<24>>,
    pub(super) tx_sweep: DFF<Bits<24>>,
    pub(super) restart: DFF<Bit>,
    pub(super) planes: DFF<Bits<16>>,
    pub(super) irq_status: DFF<Bits<4>>,
    pub(super) irq_enable: DFF<Bits<4>>,
    pub(super) error: DFF<Bits<32>>,
    pub(super) udp_port: DFF<Bits<16>>,
    pub(super) ip_class: DFF<Bits<32>>,
    pub(super) mac_high: DFF<Bits<16>>,
    pub(super) mac_low: DFF<Bits<32>>,
    pub(super) ipv4: DFF<Bits<32>>,
    pub(super) ipv6: [DFF<Bits<32>>; 4],
    pub(super) seed_word: DFF<Bits<32>>,
    pub(super) rto: DFF<Bits<27>>,
    pub(super) delay: DFF<Bits<16>>,
    pub(super) window: DFF<Bits<17>>,
    pub(super) guard: DFF<Bits<8>>,
    pub(super) words: [DFF<Bits<32>>; 8],
    pub(super) command: DFF<Bits<32>>,
    pub(super) commanded: DFF<Bit>,
    pub(super) pending_rx: DFF<Bit>,
    pub(super) pending_tx: DFF<Bit>,
    pub(super) command_refused: DFF<Bit>,
    pub(super) write: Signal<Local, Bit>,
    pub(super) at: Signal<Local, Bits<12>>,
    pub(super) value: Signal<Local, Bits<32>>,
    pub(super) booting: Signal<Local, Bit>,
    pub(super) rx_sweeping: Signal<Local, Bit>,
    pub(super) tx_sweeping: Signal<Local, Bit>,
    pub(super) first_psn: Signal<Local, Bits<24>>,
    pub(super) busy: Signal<Local, Bit>,
    pub(super) reset: Signal<Local, Bit>,
    pub(super) table: Signal<Local, Bits<8>>,
    pub(super) index: Signal<Local, Bits<24>>,
    pub(super) known: Signal<Local, Bit>,
    pub(super) refuse: Signal<Local, Bit>,
    pub(super) legal: Signal<Local, Bit>,
    pub(super) raised: Signal<Local, Bits<4>>,
    pub(super) cleared: Signal<Local, Bits<4>>,
    pub(super) selected: Signal<Local, Bits<32>>,
    pub(super) id: Constant<Bits<32>>,
    pub(super) version: Constant<Bits<32>>,
    pub(super) sizes: Constant<Bits<32>>,
    pub(super) clock: Constant<Bits<32>>,
    pub(super) longest: Constant<Bits<32>>,
    pub(super) arrivals: Constant<Bits<32>>,
    pub(super) echo_age: Constant<Bits<32>>,
    pub(super) memory_error: Constant<Bits<32>>,
    pub(super) length_error: Constant<Bits<32>>,
    pub(super) port_reset: Constant<Bits<16>>,
    pub(super) class_reset: Constant<Bits<32>>,
    pub(super) class_mask: Constant<Bits<32>>,
    pub(super) seed_reset: Constant<Bits<32>>,
    pub(super) rto_reset: Constant<Bits<27>>,
    pub(super) delay_reset: Constant<Bits<16>>,
    pub(super) window_reset: Constant<Bits<17>>,
    pub(super) boot_cycles: Constant<Bits<18>>,
    pub(super) paths: Constant<Bits<24>>,
    pub(super) no_connection: Constant<Bits<24>>,
    pub(super) no_path: Constant<Bits<24>>,
    pub(super) no_region: Constant<Bits<24>>,
}

impl Csr {
    /// Registers of a core of this configuration.
    ///
    /// After a reset every path is made new, then the longest of the tables has the time to be cleared row by row; set-up waits for
    /// that.
    pub fn new(config: &Config) -> Self {
        let word = |value: u64| Constant::new(value.to_bits());
        let above = |bits: usize| Constant::new((0xFF_FFFF & !((1u64 << bits) - 1)).to_bits());
        let (connections, paths) = (config.connection_bits(), config.path_bits());
        let (streams, slots) = (config.stream_bits() as u64, config.slot_bits() as u64);
        let regions = config.region_bits();
        let sizes = (connections as u64) << reg::CONFIG_SIZES_CONNECTION_BITS_LSB
            | (config.local_path_bits() as u64) << reg::CONFIG_SIZES_PATH_BITS_LSB
            | streams << reg::CONFIG_SIZES_STREAM_BITS_LSB
            | slots << reg::CONFIG_SIZES_SLOT_BITS_LSB
            | (regions as u64) << reg::CONFIG_SIZES_REGION_BITS_LSB
            | (config.slice_offset_bits() as u64) << reg::CONFIG_SIZES_SLICE_BITS_LSB;
        let tick = config.tick_scale();
        let clock = u64::from(tick.shift) << reg::CONFIG_CLOCK_TICK_SHIFT_LSB
            | u64::from(tick.factor) << reg::CONFIG_CLOCK_TICK_FACTOR_LSB
            | PLANES << reg::CONFIG_CLOCK_PLANES_LSB
            | (config.data_bits() as u64) << reg::CONFIG_CLOCK_DATA_BITS_LSB;
        let rows = [paths, regions, connections + 6].into_iter().max().unwrap_or(0);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s_axil: Default::default(),
            irq: Default::default(),
            plane_up: Default::default(),
            core_rst: Default::default(),
            enable: Default::default(),
            seed_we: Default::default(),
            seed: Default::default(),
            port: Default::default(),
            hops: Default::default(),
            data_dscp: Default::default(),
            ack_dscp: Default::default(),
            own_mac: Default::default(),
            own_ipv4: Default::default(),
            own_ipv6: Default::default(),
            rto0: Default::default(),
            ack_delay: Default::default(),
            cwnd: Default::default(),
            reorder: Default::default(),
            set_index: Default::default(),
            set_rx_connection: Default::default(),
            rx_connection: Default::default(),
            set_tx_connection: Default::default(),
            tx_connection: Default::default(),
            set_route: Default::default(),
            route: Default::default(),
            set_region: Default::default(),
            region: Default::default(),
            ready: Default::default(),
            rx_path_valid: Default::default(),
            rx_path_ready: Default::default(),
            rx_path_index: Default::default(),
            rx_path_psn: Default::default(),
            tx_path_valid: Default::default(),
            tx_path_ready: Default::default(),
            tx_path_index: Default::default(),
            tx_path_psn: Default::default(),
            rx_error: Default::default(),
            rx_error_conn: Default::default(),
            rx_error_code: Default::default(),
            tx_error: Default::default(),
            tx_error_conn: Default::default(),
            wqe_bad: Default::default(),
            count_index: Default::default(),
            drop_count: Default::default(),
            traffic_count: Default::default(),
            rows: Default::default(),
            answer: Default::default(),
            refused: Default::default(),
            reading: Default::default(),
            address: Default::default(),
            read: Default::default(),
            enabled: Default::default(),
            boot: Default::default(),
            rx_sweep: Default::default(),
            tx_sweep: Default::default(),
            restart: Default::default(),
            planes: Default::default(),
            irq_status: Default::default(),
            irq_enable: Default::default(),
            error: Default::default(),
            udp_port: Default::default(),
            ip_class: Default::default(),
            mac_high: Default::default(),
            mac_low: Default::default(),
            ipv4: Default::default(),
            ipv6: Default::default(),
            seed_word: Default::default(),
            rto: Default::default(),
            delay: Default::default(),
            window: Default::default(),
            guard: Default::default(),
            words: Default::default(),
            command: Default::default(),
            commanded: Default::default(),
            pending_rx: Default::default(),
            pending_tx: Default::default(),
            command_refused: Default::default(),
            write: Default::default(),
            at: Default::default(),
            value: Default::default(),
            booting: Default::default(),
            rx_sweeping: Default::default(),
            tx_sweeping: Default::default(),
            first_psn: Default::default(),
            busy: Default::default(),
            reset: Default::default(),
            table: Default::default(),
            index: Default::default(),
            known: Default::default(),
            refuse: Default::default(),
            legal: Default::default(),
            raised: Default::default(),
            cleared: Default::default(),
            selected: Default::default(),
            id: word(reg::ID_VALUE),
            version: word(reg::VERSION_RESET),
            sizes: word(sizes),
            clock: word(clock),
            longest: word(reg::RTO_CAP_RESET),
            arrivals: word(reg::ACK_ARRIVALS_RESET),
            echo_age: word(reg::ECHO_AGE_RESET),
            memory_error: word(1 << 31 | status::LOCAL_MEMORY << reg::CONNECTION_ERROR_STATUS_LSB),
            length_error: word(1 << 31 | status::REMOTE_PROTOCOL << reg::CONNECTION_ERROR_STATUS_LSB),
            port_reset: Constant::new(reg::UDP_PORT_RESET.to_bits()),
            class_reset: word(reg::IP_CLASS_RESET),
            class_mask: word(0x00FF_3F3F),
            seed_reset: word(reg::SEED_RESET),
            rto_reset: Constant::new(reg::RTO0_RESET.to_bits()),
            delay_reset: Constant::new(reg::ACK_DELAY_RESET.to_bits()),
            window_reset: Constant::new(reg::CWND_RESET.to_bits()),
            boot_cycles: Constant::new(((1u64 << rows) + 32).to_bits()),
            paths: Constant::new((1u64 << paths).to_bits()),
            no_connection: above(connections),
            no_path: above(paths),
            no_region: above(regions),
        }
    }
}
