//! Hosts of the transports that Heddle is compared with, as a point says.

use crate::packet::Host;
use crate::plan::Point;
use crate::time::Ps;
use crate::transports::dcqcn::DcqcnSettings;
use crate::transports::irn::{Irn, IrnSettings};
use crate::transports::roce::{Roce, RoceSettings};
use crate::transports::{Port, SettingsError};

/// What a queue pair carries before the next one's turn, where there are several: of 32, 128 and 512 KiB the
/// one that serves long transfers and all-reduces best, with and without loss.
const CHUNK_BYTES: u32 = 128 << 10;

/// RoCE's timer where nothing is lost: the default of deployed NICs. A short one expires in vain where pauses
/// make queues long; where packets are lost the short one is better. An operator chooses, so the better one
/// is taken for each.
const LOSSLESS_TIMEOUT: Ps = Ps(4_096_000 << 14);

fn port(point: &Point, host: Host) -> Port {
    Port { planes: point.fabric.planes, rate: point.fabric.rate_of(host), rtt: point.fabric.round_trip() }
}

pub(super) fn roce(
    point: &Point,
    mtu: u32,
    qps: u16,
    dcqcn: bool,
    timeout: Option<Ps>,
) -> Result<Vec<Roce>, SettingsError> {
    let own = RoceSettings::default();
    let lossless =
        point.switch.pfc.is_some() && point.loss.rate.fraction() + point.loss.corrupt.fraction() == 0.0;
    let timeout = timeout.unwrap_or(if lossless { LOSSLESS_TIMEOUT } else { own.timeout });
    let dcqcn = dcqcn.then(DcqcnSettings::default);
    let chunk_bytes = (qps > 1).then_some(CHUNK_BYTES);
    let settings = RoceSettings { chunk_bytes, mtu, qps, dcqcn, timeout, ..own };
    (0..point.fabric.hosts).map(|host| Roce::new(host, &port(point, host), &settings, point.seed)).collect()
}

pub(super) fn irn(
    point: &Point,
    mtu: u32,
    qps: u16,
    dcqcn: bool,
    timeout: Option<Ps>,
    window: Option<u32>,
) -> Result<Vec<Irn>, SettingsError> {
    let own = IrnSettings::default();
    let chunk_bytes = (qps > 1).then_some(CHUNK_BYTES);
    let dcqcn = dcqcn.then(DcqcnSettings::default);
    let timeout_high = timeout.unwrap_or(own.timeout_high);
    let settings = IrnSettings { mtu, qps, chunk_bytes, dcqcn, window, timeout_high, ..own };
    (0..point.fabric.hosts).map(|host| Irn::new(host, &port(point, host), &settings, point.seed)).collect()
}
