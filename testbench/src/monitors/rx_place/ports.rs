//! The placer's links, at any data width.

use crate::lockstep::Link;
use crate::placed::Placed;
use crate::rows::Place;
use crate::views::RxPlaceView;

/// Address of a burst.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    /// First byte.
    pub address: u64,
    /// Beats.
    pub beats: u16,
    /// AWID.
    pub id: u8,
    /// log2 of the bytes per beat.
    pub size: u8,
    /// Kind: 1 is INCR.
    pub burst: u8,
}

/// A write beat; lanes that are not written are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// Its bytes.
    pub data: Vec<u8>,
    /// Lanes that are written.
    pub strobe: u64,
    /// Last of its burst.
    pub last: bool,
}

/// The links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Request.
    pub w: Link<Place>,
    /// Payload beat.
    pub d: Link<Vec<u8>>,
    /// AW.
    pub address: Link<Address>,
    /// W.
    pub write: Link<Write>,
    /// B: its response code.
    pub response: Link<u8>,
    /// Report of a packet.
    pub b: Link<Placed>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxPlaceView) -> Self {
        let address = || Address {
            address: view.m_axi_awaddr().u64(),
            beats: u16::from(view.m_axi_awlen().u8()) + 1,
            id: view.m_axi_awid().u8(),
            size: view.m_axi_awsize().u8(),
            burst: view.m_axi_awburst().u8(),
        };
        let write = || {
            let (mut data, strobe) = (view.m_axi_wdata().bytes().to_vec(), view.m_axi_wstrb().u64());
            let blank = |(lane, byte): (usize, &mut u8)| {
                if strobe >> lane & 1 == 0 {
                    *byte = 0;
                }
            };
            data.iter_mut().enumerate().for_each(blank);
            Write { data, strobe, last: view.m_axi_wlast().bit() }
        };
        let request = || Place::unpack(view.w_request().words());
        let report = || Placed::unpack(view.b_placed().words());
        Self {
            w: Link::new(view.w_valid().bit(), view.w_ready().bit(), request),
            d: Link::new(view.d_valid().bit(), view.d_ready().bit(), || view.d_data().bytes().to_vec()),
            address: Link::new(view.m_axi_awvalid().bit(), view.m_axi_awready().bit(), address),
            write: Link::new(view.m_axi_wvalid().bit(), view.m_axi_wready().bit(), write),
            response: Link::new(view.m_axi_bvalid().bit(), view.m_axi_bready().bit(), || {
                view.m_axi_bresp().u8()
            }),
            b: Link::new(view.b_valid().bit(), view.b_ready().bit(), report),
        }
    }
}
