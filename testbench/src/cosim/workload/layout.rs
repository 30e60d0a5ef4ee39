//! Where everything lies: memory of the hosts in the making, and what they ask for.

use super::super::memory::GUARD_BYTE;
use super::super::plan::HostPlan;
use super::super::scenario::Scenario;
use super::super::setup::EndpointSetup;
use heddle_wire::{Receive, WorkRequest};

/// First number of the receives of a host; its work requests are numbered from 0.
pub const FIRST_RECEIVE: u64 = 1 << 32;

/// What a sink holds that is to become `bytes`: each of them differs, so one that is not written cannot look
/// right.
pub fn complement(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| !byte).collect()
}

/// Plans of all hosts in the making.
pub struct Layout<'a> {
    scenario: &'a Scenario,
    setups: &'a [EndpointSetup],
    hosts: Vec<HostPlan>,
}

impl<'a> Layout<'a> {
    /// Hosts without memory that ask for nothing.
    pub fn new(scenario: &'a Scenario, setups: &'a [EndpointSetup]) -> Self {
        Self { scenario, setups, hosts: vec![HostPlan::default(); setups.len()] }
    }

    /// The run.
    pub fn scenario(&self) -> &'a Scenario {
        self.scenario
    }

    /// Number that a host gives to the connection with its peer.
    pub fn connection(&self, host: usize, peer: usize) -> u16 {
        let connections = &self.setups[host].connections;
        let found = connections.iter().find(|one| one.peer == peer);
        found.expect("a workload asks for connections that are set up").connection
    }

    /// Key of a host's memory.
    pub fn rkey(&self, host: usize) -> u32 {
        self.setups[host].rkey()
    }

    /// Puts bytes behind what the host has; their address.
    pub fn place(&mut self, host: usize, bytes: &[u8]) -> u64 {
        let address = self.end(host);
        self.hosts[host].memory.extend(bytes);
        address
    }

    /// The same at a multiple of 8.
    pub fn place_word(&mut self, host: usize, word: u64) -> u64 {
        let gap = self.end(host).next_multiple_of(8) - self.end(host);
        self.gap(host, gap as usize);
        self.place(host, &word.to_le_bytes())
    }

    /// Leaves bytes that nothing may touch.
    pub fn gap(&mut self, host: usize, bytes: usize) {
        let memory = &mut self.hosts[host].memory;
        memory.resize(memory.len() + bytes, GUARD_BYTE);
    }

    /// The bytes that a host starts with at this address.
    pub fn bytes(&self, host: usize, address: u64, len: usize) -> &[u8] {
        let at = (address - self.setups[host].region.base) as usize;
        &self.hosts[host].memory[at..at + len]
    }

    /// Adds a work request, and numbers it.
    pub fn request(&mut self, host: usize, request: WorkRequest) {
        let requests = &mut self.hosts[host].requests;
        requests.push(WorkRequest { wr_id: requests.len() as u64, ..request });
    }

    /// Adds a receive, and numbers it.
    pub fn receive(&mut self, host: usize, receive: Receive) {
        let receives = &mut self.hosts[host].receives;
        receives.push(Receive { wr_id: FIRST_RECEIVE + receives.len() as u64, ..receive });
    }

    /// Sets how many receives of a connection are posted at a time.
    pub fn receive_depth(&mut self, host: usize, depth: usize) {
        self.hosts[host].receive_depth = depth;
    }

    /// The hosts.
    pub fn finish(self) -> Vec<HostPlan> {
        self.hosts
    }

    fn end(&self, host: usize) -> u64 {
        self.setups[host].region.base + self.hosts[host].memory.len() as u64
    }
}
