//! A run's work: every endpoint's set-up, memory, work requests and posted receives.

use super::memory::HostMemory;
use super::scenario::Scenario;
use super::setup::{endpoints, EndpointSetup, RECEIVER};
use super::workload::{Layout, Workload};
use heddle_wire::{Opcode, Receive, WorkRequest};

/// What a host asks for.
#[derive(Clone, Debug, Default)]
pub struct HostPlan {
    /// Memory at the start; it lies at the base of the endpoint's region.
    pub memory: Vec<u8>,
    /// Work requests in the order in which they are handed in.
    pub requests: Vec<WorkRequest>,
    /// Receives in the order in which each connection posts its own.
    pub receives: Vec<Receive>,
    /// Most receives of a connection that are posted and not consumed.
    pub receive_depth: usize,
}

/// The work of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name of the workload.
    pub name: &'static str,
    /// Every endpoint's set-up.
    pub setups: Vec<EndpointSetup>,
    /// Every host's work, in the same order.
    pub hosts: Vec<HostPlan>,
}

impl Plan {
    /// Every sender writes `file` to a place of its own in the receiver's memory.
    pub fn file(scenario: &Scenario, file: &[u8]) -> Self {
        Self::of(scenario, "file", |layout| super::workload::write_file(layout, file))
    }

    /// A workload that moves so many bytes per sender, or a little more.
    pub fn workload(scenario: &Scenario, workload: Workload, bytes: u64) -> Self {
        Self::of(scenario, workload.name(), |layout| workload.lay_out(layout, bytes))
    }

    fn of(scenario: &Scenario, name: &'static str, lay_out: impl FnOnce(&mut Layout<'_>)) -> Self {
        let mut setups = endpoints(scenario);
        let mut layout = Layout::new(scenario, &setups);
        lay_out(&mut layout);
        let hosts = layout.finish();
        for (n, host) in hosts.iter().enumerate() {
            // Who is asked for nothing lets nobody in.
            let asked = |codes: &[Opcode]| {
                let code = |request: &WorkRequest| codes.iter().any(|one| one.code() == request.opcode);
                let peers = hosts.iter().enumerate().filter(|(m, _)| (*m == RECEIVER) != (n == RECEIVER));
                u8::from(peers.flat_map(|(_, peer)| &peer.requests).any(code))
            };
            let region = &mut setups[n].region;
            region.length = host.memory.len() as u64;
            region.remote_write = asked(&[Opcode::Write, Opcode::WriteImm]);
            region.remote_read = asked(&[Opcode::ReadReq]);
            region.remote_atomic = asked(&[Opcode::FetchAdd, Opcode::CmpSwap]);
        }
        Self { name, setups, hosts }
    }

    /// The memory of a host as the run finds it.
    pub fn memory(&self, host: usize) -> HostMemory {
        HostMemory::new(self.setups[host].region.base, &self.hosts[host].memory)
    }

    /// The host at the other end of a host's connection.
    pub fn peer(&self, host: usize, connection: u16) -> Option<usize> {
        let connections = &self.setups.get(host)?.connections;
        connections.iter().find(|one| one.connection == connection).map(|one| one.peer)
    }

    /// The number that a host's peer has given to the connection between them.
    pub fn connection(&self, host: usize, peer: usize) -> Option<u16> {
        let connections = &self.setups.get(host)?.connections;
        connections.iter().find(|one| one.peer == peer).map(|one| one.connection)
    }

    /// Work requests of all hosts.
    pub fn requests(&self) -> usize {
        self.hosts.iter().map(|host| host.requests.len()).sum()
    }

    /// Bytes that they move.
    pub fn bytes(&self) -> u64 {
        self.hosts.iter().flat_map(|host| &host.requests).map(|request| u64::from(request.length)).sum()
    }
}
