//! Switches, cables and what fails, as a point says.

use super::{switches, RunError};
use crate::fabric::background::{Pace, Stream};
use crate::fabric::fault::{Fault, Faults, Part};
use crate::fabric::loss::Model;
use crate::fabric::mark::Marking;
use crate::fabric::topology::{
    reverse, Cable, FatTree, LeafSpine, Node, Ratio, Single, Size, Spines, Topology, TopologyError,
};
use crate::fabric::{Drain, FabricConfig, Losses, Place, Routing as Choice};
use crate::plan::{Ecn, LossPlace, Point, Routing, Shape, Where};
use crate::time::Rate;

/// Bytes that wait in a host's port at most: the host itself sees to that, this is beyond what it asks for.
const NIC_BYTES: u64 = 1 << 20;

/// Receive buffer of a host that has a drain rate.
const RECEIVE_BYTES: u64 = 1 << 20;

pub(super) fn topology(point: &Point) -> Result<Topology, TopologyError> {
    let &crate::plan::Fabric { shape, hosts, planes, rate, fabric_rate, delay, fabric_delay, slow, .. } =
        &point.fabric;
    let (edge, core) = (Cable { rate, delay }, Cable { rate: fabric_rate, delay: fabric_delay });
    let mut topology = match shape {
        Shape::Single => Single { hosts, planes, edge }.build(),
        Shape::LeafSpine { hosts_per_leaf, spines } => {
            LeafSpine { hosts, hosts_per_leaf, spines: Spines::Count(spines), planes, edge, core }.build()
        }
        Shape::FatTree { oversubscription } => {
            let oversubscription = Ratio { down: oversubscription.down, up: oversubscription.up };
            FatTree { size: Size::Hosts(hosts), oversubscription, planes, edge, aggregation: core, core }
                .build()
        }
    }?;
    // Both directions of the cable of each slower host.
    let cables = |host| (0..planes).map(move |plane| (host, plane));
    for (host, plane) in slow.iter().flat_map(|(count, _)| (hosts - count..hosts).flat_map(cables)) {
        let up = topology.uplink(host, plane);
        for link in [up, reverse(up)] {
            topology.links[link as usize].rate = point.fabric.rate_of(host);
        }
    }
    Ok(topology)
}

pub(super) fn config(point: &Point, dst_port: u16) -> Result<FabricConfig, RunError> {
    let switch = &point.switch;
    let marking = match switch.ecn {
        Ecn::Off => Marking::Never,
        Ecn::Threshold(bytes) => Marking::Threshold { bytes },
        Ecn::Red { from, to, probability } => {
            Marking::Red { min: from, max: to, pmax: probability.fraction() }
        }
    };
    let loss = &point.loss;
    let rate = loss.rate.fraction();
    let model = match loss.burst {
        0 | 1 => Model::Bernoulli { loss: rate },
        burst => Model::Bursts { loss: rate, mean_burst: burst.into() },
    };
    let place = match loss.on {
        LossPlace::LastHop => Place::Downlinks,
        LossPlace::EveryHop => Place::All,
    };
    Ok(FabricConfig {
        buffer_bytes: switch.buffer,
        nic_bytes: NIC_BYTES,
        queues: switches::queues(point)?,
        routing: match switch.routing {
            Routing::Ecmp => Choice::Ecmp,
            Routing::Spray => Choice::Spray,
            Routing::Adaptive => Choice::Adaptive,
        },
        drain: point.fabric.drain.map(|rate| Drain { rate, bytes: RECEIVE_BYTES }),
        marking,
        losses: vec![Losses { place, model, corrupt: loss.corrupt.fraction() }],
        dst_port,
    })
}

/// From every port of every host, at times drawn.
pub(super) fn background(point: &Point) -> Result<Vec<Stream>, RunError> {
    let Some(crate::plan::Background { load, packet }) = point.background else { return Ok(Vec::new()) };
    let ports =
        (0..point.fabric.hosts).flat_map(|src| (0..point.fabric.planes).map(move |plane| (src, plane)));
    let stream = |(src, plane)| {
        let bps = (point.fabric.rate_of(src).bits_per_second() as f64 * load.fraction()) as u64;
        let rate = Rate::new(bps).ok_or(RunError::Background { bps })?;
        Ok(Stream { src, plane, dst: None, rate, bytes: packet, pace: Pace::Poisson })
    };
    ports.map(stream).collect()
}

pub(super) fn faults(point: &Point, topology: &Topology) -> Result<Faults, RunError> {
    let mut faults = Vec::new();
    for fault in &point.faults {
        let switch = |switch: u32| topology.switches_per_plane() * u32::from(fault.plane) + switch;
        let part = match fault.place {
            Where::Plane => Part::Plane(fault.plane),
            Where::Host(host) => Part::Cable(topology.uplink(host, fault.plane) / 2),
            Where::Switch(number) => Part::Switch(switch(number)),
            Where::Link(a, b) => {
                let ends = (Node::Switch(switch(a)), Node::Switch(switch(b)));
                // The plan has seen that there is one.
                let links = topology
                    .links
                    .iter()
                    .position(|link| (link.from, link.to) == ends || (link.to, link.from) == ends);
                Part::Cable(links.unwrap_or_default() as u32 / 2)
            }
        };
        let (down, up) = match (part, fault.silent) {
            (part, true) => (Fault::Muted(part), Fault::Unmuted(part)),
            (Part::Cable(cable), false) => (Fault::CableDown(cable), Fault::CableUp(cable)),
            (Part::Switch(switch), false) => (Fault::SwitchDown(switch), Fault::SwitchUp(switch)),
            (Part::Plane(plane), false) => (Fault::PlaneDown(plane), Fault::PlaneUp(plane)),
        };
        faults.push((fault.at, down));
        faults.extend(fault.until.map(|until| (until, up)));
    }
    Ok(Faults::new(topology, &faults, point.switch.reroute)?)
}
