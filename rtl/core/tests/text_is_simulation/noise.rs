//! Random values of the types that ports have.

use heddle_emit::diff::Stimuli;
use heddle_rtl::generated::wire::rows::{Region, Route, RxConnection, TxConnection};
use heddle_rtl::rx::placed::PlacedPacket;
use heddle_rtl::rx::rows::{HeldFrame, LocatedFrame, OrderEntry, PlaceRequest};
use heddle_rtl::tx::rows::{AckSample, DoneEvent, FrameRequest, JobRow, MessageFields, PathResult, SliceRow};
use rust_hdl::prelude::Bits;

/// Whatever a port can carry.
pub trait Noise {
    /// Any value.
    fn noise(stimuli: &mut Stimuli) -> Self;
}

impl Noise for bool {
    fn noise(stimuli: &mut Stimuli) -> Self {
        stimuli.bit()
    }
}

impl<const N: usize> Noise for Bits<N> {
    fn noise(stimuli: &mut Stimuli) -> Self {
        stimuli.bits()
    }
}

macro_rules! noise {
    ($type:ident { $($field:ident),* }) => {
        impl Noise for $type {
            fn noise(stimuli: &mut Stimuli) -> Self {
                Self { $($field: Noise::noise(stimuli)),* }
            }
        }
    };
}

noise!(HeldFrame { words, src, v6, ce, plane, len });
noise!(LocatedFrame { words, ce, len, domain });
noise!(PlaceRequest { address, len, conn, path, stream, msn, message_len });
noise!(OrderEntry { kind, reason, place });
noise!(PlacedPacket { conn, path, stream, msn, message_len, len, ok });
noise!(PathResult { op, path, ok, base, next_psn, route, psn, newly, inflight, waiting, now });
noise!(SliceRow { stream, msn, index, tail, more });
noise!(JobRow { kind, path, psn, route, now, ack_req, stream, msn, index, repeat });
noise!(MessageFields { local, remote, length, rkey });
noise!(DoneEvent { conn, stream, msn });
noise!(AckSample { path, rtt, has_rtt, newly, inflight });
noise!(FrameRequest { path, words, count, len });
noise!(RxConnection { valid, v6, tag, pd, peer_address });
noise!(TxConnection {
    valid,
    v6,
    tagged,
    vlan_tci,
    peer_conn,
    peer_tag,
    peer_address,
    peer_mac_high,
    peer_mac_low
});
noise!(Route { plane, src_port });
noise!(Region { valid, remote_read, remote_write, remote_atomic, tag, pd, base, length });
