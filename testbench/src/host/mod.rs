//! The world of a Verilated core: memory on AXI4, registers on AXI4-Lite, work requests and completions, frames to and from the MAC.
//!
//! [`Host`] owns a core and is all of it; a clock cycle is [`Host::cycle`]. The co-simulation puts two of them on a network; tests of
//! the whole core use one.

mod axi;
mod mac;
mod pins;
mod queues;
mod registers;

pub use axi::{AxiLatency, Backing};
pub use mac::Gathered;
pub use pins::{CorePins, Inputs, Outputs, Word};
pub use registers::{Clocked, Refused, Registers};

use axi::AxiMemory;
use heddle_wire::{Completion, WorkRequest};
use mac::{Receiver, Transmitter};
use queues::{Completions, Requests};

/// A core and everything around it.
pub struct Host<D: CorePins, M: Backing> {
    core: D,
    inputs: Inputs<D::Word>,
    outputs: Outputs<D::Word>,
    axi: AxiMemory<D::Word, M>,
    requests: Requests<D::Word>,
    completions: Completions,
    arriving: Transmitter<D::Word>,
    leaving: Receiver,
}

impl<D: CorePins, M: Backing> Host<D, M> {
    /// A core whose registers and memories hold what `seed` makes of them, reset, with every plane up.
    pub fn new(seed: u32, memory: M, latency: AxiLatency) -> Self {
        let mut core = D::power_on(seed);
        let mut inputs = Inputs { tx_ready: true, cpl_ready: true, plane_up: 0xFFFF, ..Inputs::default() };
        inputs.rst = true;
        core.drive(&inputs);
        (0..4).for_each(|_| core.tick());
        inputs.rst = false;
        Self {
            core,
            inputs,
            outputs: Outputs::default(),
            axi: AxiMemory::new(memory, latency),
            requests: Requests::default(),
            completions: Completions::default(),
            arriving: Transmitter::default(),
            leaving: Receiver::default(),
        }
    }

    /// The core.
    pub fn core(&self) -> &D {
        &self.core
    }

    /// The core.
    pub fn core_mut(&mut self) -> &mut D {
        &mut self.core
    }

    /// What the core puts out in the cycle that was looked at last.
    pub fn outputs(&self) -> &Outputs<D::Word> {
        &self.outputs
    }

    /// What is driven; changes count from the next cycle on.
    pub fn inputs_mut(&mut self) -> &mut Inputs<D::Word> {
        &mut self.inputs
    }

    /// The memory.
    pub fn memory(&self) -> &M {
        self.axi.memory()
    }

    /// Queues a work request; false while another waits to be taken.
    pub fn submit(&mut self, request: &WorkRequest) -> bool {
        self.requests.offer(request)
    }

    /// Queues a frame of `plane` behind those that wait for the receive port.
    pub fn deliver(&mut self, plane: u8, frame: &[u8]) {
        self.arriving.push(plane, frame);
    }

    /// Whether frames wait for the receive port.
    pub fn receives(&self) -> bool {
        self.arriving.is_busy()
    }

    /// The oldest frame that has left whole, with the core's cycle of its first beat.
    pub fn sent(&mut self) -> Option<Gathered> {
        self.leaving.take()
    }

    /// The oldest completion.
    pub fn completion(&mut self) -> Option<Completion> {
        self.completions.take()
    }

    /// One clock cycle; `watch` looks at it before its edge.
    pub fn cycle(&mut self, watch: impl FnOnce(&D)) {
        self.arriving.drive(&mut self.inputs);
        self.requests.drive(&mut self.inputs);
        self.axi.drive(&mut self.inputs);
        self.core.drive(&self.inputs);
        self.core.eval();
        self.core.sample(&mut self.outputs);
        watch(&self.core);
        let cycle = self.core.cycle();
        self.arriving.crossed(&self.outputs);
        self.requests.crossed(&self.outputs);
        self.completions.crossed(&self.inputs, &self.outputs);
        self.leaving.crossed(cycle, &self.inputs, &self.outputs);
        self.axi.crossed(&self.inputs, &self.outputs);
        self.core.tick();
    }
}
