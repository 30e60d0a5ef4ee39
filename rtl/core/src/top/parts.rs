//! The blocks of the core, one by one, and the core.
//!
//! Compiled once per named configuration (see `ports.rs`).

use super::ports::HeddleCore;
use super::widths::*;
use crate::blocks::{emit, Block};
use crate::csr::Csr;
use crate::rx::access::RxAccess;
use crate::rx::ack::RxAck;
use crate::rx::ack_build::RxAckBuild;
use crate::rx::conn::RxConn;
use crate::rx::hold::Hold;
use crate::rx::msg::RxMsg;
use crate::rx::place::RxPlace;
use crate::rx::verdict::RxVerdict;
use crate::tx::ack_in::TxAckIn;
use crate::tx::build::TxBuild;
use crate::tx::cpl::TxCpl;
use crate::tx::msg::TxMsg;
use crate::tx::path::TxPath;
use crate::tx::probe::TxProbe;
use crate::tx::rto::TxRto;
use crate::tx::sched::TxSched;
use crate::tx::wqe::TxWqe;

/// The block `$uut` under `$name`.
macro_rules! block {
    ($name:literal, $uut:expr) => {
        Block::new($name, $name, |emitter, top| emit(emitter, top, || $uut))
    };
}

/// In the order in which a packet meets them.
pub fn blocks() -> Vec<Block> {
    vec![
        block!("parse", Parser::default()),
        block!("icrc", Icrc::default()),
        block!("rx_hold", Hold::<W, HA, HC>::new(CONFIG.slice_bytes().into())),
        block!("rx_conn", RxConn::<CW, CC, LW>::default()),
        block!("rx_access", RxAccess::<RW, RC, CW, SW, QW>::new(CONFIG.slice_bytes(), CONFIG.slots())),
        block!("rx_path", RxEngine::default()),
        block!("rx_verdict", RxVerdict::default()),
        block!("rx_place", RxPlace::<W, K>::default()),
        block!("rx_msg", RxMsg::<CW, QW, AW, AC, PW>::default()),
        block!("rx_ack", RxAck::<PW, PC, DA, DC>::new(ACK_ARRIVALS)),
        block!("rx_ack_build", RxAckBuild::<CW, CC, PW>::new(FIRST_WORD)),
        block!("tx_ack_in", TxAckIn::<W, CW, LW, PW>::default()),
        block!("tx_path", TxPath::<PW, PM>::default()),
        block!("tx_rto", TxRto::<PW, PC>::default()),
        block!("tx_probe", TxProbe::<CW, CC, LW, PW>::default()),
        block!("tx_wqe", TxWqe::<W>::default()),
        block!("tx_msg", TxMsg::<CW, PW, QW, QC, AW>::new(CONFIG.slice_bytes())),
        block!("tx_sched", TxSched::<CW, CC, LW, PW, PC>::default()),
        block!("tx_build", TxBuild::<W, K, CW, LW, PW, BR, FA>::default()),
        block!("tx_framer", Framer::<CW, LW, PW, PC, FA, FC>::default()),
        block!("tx_cpl", TxCpl::<W, K>::default()),
        block!("csr", Csr::new(&CONFIG)),
        Block::new("core", "heddle_core", |emitter, top| emit(emitter, top, HeddleCore::default)),
    ]
}
