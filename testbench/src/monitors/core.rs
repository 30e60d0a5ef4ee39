//! Every block of a core under its monitor.
//!
//! A core shows its blocks by views (`Design::view` in `heddle_rtl::designs`). [`Core`] names them, and
//! [`watchers`] puts a monitor on each; a block joins with a line in both.

use super::{icrc, parse, rx_access, rx_ack, rx_ack_build, rx_conn, rx_hold, rx_msg, rx_path, rx_place};
use super::{rx_verdict, tx_ack_in, tx_build, tx_cpl, tx_framer, tx_msg, tx_path, tx_probe, tx_rto};
use super::{tx_sched, tx_wqe};
use crate::lockstep::{Watch, Watchers};
use crate::views::*;
use crate::Dut;
use heddle_model::operations::Operations;
use heddle_model::rx::access::AccessConfig;
use heddle_model::rx::ack::AckConfig;
use heddle_model::rx::msg::RxMsgConfig;
use heddle_model::tx::msg::TxMsgConfig;
use heddle_model::tx::sched::SchedConfig;
use heddle_rtl::config::Config;

/// Arrivals that an ACK waits for, and deadlines of ACKs that wait at a time. Source: docs/core.md.
const ACK: (u8, u8) = (4, 64);

/// Every block that is watched: its field in the core, the method of the generated type, its view.
macro_rules! blocks {
    ($then:ident $($core:ident)?) => {
        $then! {
            $($core)?
            parse view_parse ParseView,
            icrc view_icrc IcrcView,
            hold view_hold RxHoldView,
            conn view_conn RxConnView,
            access view_access RxAccessView,
            rx_path view_rx_path RxPathView,
            verdict view_verdict RxVerdictView,
            place view_place RxPlaceView,
            rx_msg view_rx_msg RxMsgView,
            ack view_ack RxAckView,
            ack_build view_ack_build RxAckBuildView,
            ack_in view_ack_in TxAckInView,
            tx_path view_tx_path TxPathView,
            sched view_sched TxSchedView,
            rto view_rto TxRtoView,
            probe view_probe TxProbeView,
            wqe view_wqe TxWqeView,
            tx_msg view_tx_msg TxMsgView,
            cpl view_cpl TxCplView,
            build view_build TxBuildView,
            framer view_framer TxFramerView,
        }
    };
}

macro_rules! declare {
    ($($block:ident $method:ident $view:ident,)*) => {
        /// A core whose blocks are seen, with 64 data bits.
        pub trait Core: Dut + 'static {
            $(
                #[doc = concat!("The block `", stringify!($block), "`.")]
                fn $block(&self) -> impl $view + '_;
            )*
        }
    };
}

blocks!(declare);

/// A monitor on every block of a core of this configuration. The blocks' own reset resets them, so they may
/// watch from the first cycle on.
///
/// # Panics
/// When the core has other than 64 data bits.
pub fn watchers<C: Core>(config: &Config) -> Watchers<C> {
    let mut all = Watchers::resetting(|core: &C| core.hold().rst().bit());
    let (connections, paths) = (config.connections(), config.paths());
    let (streams, slots, bytes) = (config.streams(), config.slots(), config.data_bytes());
    let (few_connections, few_paths, total) = (connections as u16, paths as u16, 1u16 << config.path_bits());
    assert_eq!(bytes, 8, "bytes of a beat in `{}`: the monitor of ACKs has beats of 8", config.name());
    let slice_log2 = config.slice_offset_bits() as u32;
    let operations = Operations::WRITE_ONLY;
    let access = AccessConfig { regions: config.regions(), streams, slots, slice_log2, operations };
    // What the ports say counts: T here, cwnd of the scheduler.
    let ack = AckConfig::new(ACK.0, 1, ACK.1).expect("in range");
    let sched = SchedConfig { connections, paths, cwnd: 1 };
    let sizes = TxMsgConfig { connections, streams, slots, slice_log2, paths, operations };
    let requests = tx_msg::Sizes { config: sizes, first: 0 };
    let build = tx_build::BuildConfig {
        conn_bits: config.connection_bits() as u32,
        local_bits: config.local_path_bits() as u32,
        slice_log2,
        lanes: bytes,
    };
    let messages = RxMsgConfig { connections, streams, slots };
    macro_rules! watch {
        ($block:ident, $module:ident, $monitor:expr) => {
            all.add(Watch::new($monitor, |core: &C| $module::Ports::sample(&core.$block())))
        };
    }
    watch!(parse, parse, parse::ParseMonitor::new(bytes));
    watch!(icrc, icrc, icrc::IcrcMonitor::new(bytes));
    watch!(hold, rx_hold, rx_hold::HoldMonitor::new(bytes, config.slice_bytes() as u16));
    watch!(conn, rx_conn, rx_conn::ConnMonitor::new(connections, paths));
    watch!(access, rx_access, rx_access::AccessMonitor::new(connections, access));
    watch!(rx_path, rx_path, rx_path::PathMonitor::<false>::new(total.into()));
    watch!(verdict, rx_verdict, rx_verdict::VerdictMonitor::default());
    watch!(place, rx_place, rx_place::PlaceMonitor::new(bytes));
    watch!(rx_msg, rx_msg, rx_msg::MsgMonitor::new(messages, few_paths));
    watch!(ack, rx_ack, rx_ack::AckMonitor::new(total, ack));
    watch!(ack_build, rx_ack_build, rx_ack_build::BuildMonitor::new(connections, paths));
    watch!(ack_in, tx_ack_in, tx_ack_in::AckInMonitor::new(few_connections, few_paths));
    watch!(tx_path, tx_path, tx_path::Engine::new(total.into()));
    watch!(sched, tx_sched, tx_sched::SchedMonitor::new(sched));
    watch!(rto, tx_rto, tx_rto::RtoMonitor::new(total));
    watch!(probe, tx_probe, tx_probe::ProbeMonitor::new(few_connections, few_paths));
    watch!(wqe, tx_wqe, tx_wqe::TxWqeMonitor::default());
    watch!(tx_msg, tx_msg, tx_msg::TxMsgMonitor::new(requests));
    watch!(cpl, tx_cpl, tx_cpl::TxCplMonitor::new(bytes));
    watch!(build, tx_build, tx_build::TxBuildMonitor::new(build));
    watch!(framer, tx_framer, tx_framer::FramerMonitor::new(bytes, few_connections, few_paths));
    all
}

macro_rules! implement {
    ($core:ident $($block:ident $method:ident $view:ident,)*) => {
        impl Core for crate::duts::$core {
            $(
                fn $block(&self) -> impl $view + '_ {
                    self.$method()
                }
            )*
        }
    };
}

blocks!(implement CoreGbe);
blocks!(implement CoreTiny);
