//! Rows out of the words of the set-up window, word 0 first; a part of the registers. No state.

use crate::generated::wire::rows::{Region, Route, RxConnection, TxConnection};
use rust_hdl::prelude::*;

/// The typed rows.
#[derive(LogicBlock, Default)]
pub struct SetupRows {
    /// setup_data.
    pub words: [Signal<In, Bits<32>>; 8],
    /// As the receive side of a connection.
    pub rx_connection: Signal<Out, RxConnection>,
    /// As the transmit side of a connection.
    pub tx_connection: Signal<Out, TxConnection>,
    /// As the route of a path.
    pub route: Signal<Out, Route>,
    /// As a memory region.
    pub region: Signal<Out, Region>,
}

impl Logic for SetupRows {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module csr_rows");
        self.rx_connection.next.valid = self.words[0].val().get_bits::<1>(31);
        self.rx_connection.next.v6 = self.words[0].val().get_bits::<1>(30);
        self.rx_connection.next.tag = self.words[0].val().get_bits::<16>(0);
        self.rx_connection.next.pd = self.words[1].val().get_bits::<16>(16);
        self.rx_connection.next.peer_address = (bit_cast::<128, 32>(self.words[2].val()) << 96)
            | (bit_cast::<128, 32>(self.words[3].val()) << 64)
            | (bit_cast::<128, 32>(self.words[4].val()) << 32)
            | bit_cast::<128, 32>(self.words[5].val());
        self.tx_connection.next.valid = self.words[0].val().get_bits::<1>(31);
        self.tx_connection.next.v6 = self.words[0].val().get_bits::<1>(30);
        self.tx_connection.next.tagged = self.words[0].val().get_bits::<1>(29);
        self.tx_connection.next.vlan_tci = self.words[0].val().get_bits::<16>(0);
        self.tx_connection.next.peer_conn = self.words[1].val().get_bits::<16>(16);
        self.tx_connection.next.peer_tag = self.words[1].val().get_bits::<16>(0);
        self.tx_connection.next.peer_address = (bit_cast::<128, 32>(self.words[2].val()) << 96)
            | (bit_cast::<128, 32>(self.words[3].val()) << 64)
            | (bit_cast::<128, 32>(self.words[4].val()) << 32)
            | bit_cast::<128, 32>(self.words[5].val());
        self.tx_connection.next.peer_mac_high = self.words[6].val().get_bits::<16>(0);
        self.tx_connection.next.peer_mac_low = self.words[7].val();
        self.route.next.plane = self.words[0].val().get_bits::<8>(24);
        self.route.next.src_port = self.words[0].val().get_bits::<16>(0);
        self.region.next.valid = self.words[0].val().get_bits::<1>(31);
        self.region.next.remote_read = self.words[0].val().get_bits::<1>(30);
        self.region.next.remote_write = self.words[0].val().get_bits::<1>(29);
        self.region.next.remote_atomic = self.words[0].val().get_bits::<1>(28);
        self.region.next.tag = self.words[0].val().get_bits::<16>(0);
        self.region.next.pd = self.words[1].val().get_bits::<16>(16);
        self.region.next.base =
            (bit_cast::<64, 32>(self.words[2].val()) << 32) | bit_cast::<64, 32>(self.words[3].val());
        self.region.next.length =
            (bit_cast::<64, 32>(self.words[4].val()) << 32) | bit_cast::<64, 32>(self.words[5].val());
    }
}
