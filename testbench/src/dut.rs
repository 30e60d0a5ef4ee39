//! What every Verilated design shares: clock, reset, power-on, waveform, ports by name.

use crate::wave::Wave;
use crate::wide::mask;
use rand::RngCore;
use std::ffi::c_void;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

/// A port of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortInfo {
    /// Name in the Verilog.
    pub name: &'static str,
    /// Width in bits.
    pub width: usize,
    /// Driven by the testbench.
    pub input: bool,
}

/// A Verilated design with a clock `clk` and a synchronous, active-high reset `rst`.
///
/// A clock cycle is: set inputs, [`eval`](Dut::eval), read every port (what the rising edge will see),
/// [`tick`](Dut::tick). Designs are independent of each other: each has its own Verilator context, so tests run in
/// parallel threads, and a design may be moved to another thread.
pub trait Dut: Sized + Send {
    /// Name of the top module.
    const NAME: &'static str;
    /// Ports in the order of the top module.
    const PORTS: &'static [PortInfo];

    /// Builds the design. What the Verilog does not initialise (registers, memories) is random, from `seed`.
    fn power_on(seed: u32) -> Self;
    /// The untyped part.
    fn model(&self) -> &Model;
    /// The untyped part.
    fn model_mut(&mut self) -> &mut Model;

    /// [`power_on`](Dut::power_on) with a fixed seed.
    fn new() -> Self {
        Self::power_on(1)
    }

    /// Settles the logic with the clock low, so that outputs follow the inputs of this cycle.
    ///
    /// # Panics
    /// Like [`tick`](Dut::tick), when the design ran into a `$stop`: an assumption of its author does not hold.
    #[inline]
    fn eval(&mut self) {
        self.model_mut().settle();
    }

    /// Ends the cycle with a rising clock edge.
    #[inline]
    fn tick(&mut self) {
        self.model_mut().tick();
    }

    /// Holds `rst` for `cycles` clock edges, then releases it.
    fn reset(&mut self, cycles: u32) {
        self.model_mut().set_reset(true);
        (0..cycles).for_each(|_| self.tick());
        self.model_mut().set_reset(false);
    }

    /// Rising edges since power-on.
    fn cycle(&self) -> u64 {
        self.model().cycle
    }

    /// Writes the cycles of `window` to a VCD file, all signals of the hierarchy; cycle c is 10c to 10c + 9 ns.
    fn trace(&mut self, path: &Path, window: Range<u64>) {
        self.model_mut().wave = Some(Wave::new(path, window));
    }

    /// Drives every input whose name starts with `prefix`, except `_valid` and `_ready`, with random bits: what an
    /// idle link may carry.
    fn noise(&mut self, prefix: &str, rng: &mut impl RngCore) {
        let handshake = |name: &str| name.ends_with("_valid") || name.ends_with("_ready");
        for (i, port) in Self::PORTS.iter().enumerate() {
            if port.input && port.name.starts_with(prefix) && !handshake(port.name) {
                self.model_mut().touch();
                self.model().store(i, port.width, rng);
            }
        }
    }

    /// The sinks that can stall: (input `.._ready`, output `.._valid`), as indexes into [`Dut::PORTS`].
    fn sinks() -> Vec<(usize, usize)> {
        let find = |name: &str, input| Self::PORTS.iter().position(|p| p.name == name && p.input == input);
        let inputs = Self::PORTS.iter().enumerate().filter(|(_, port)| port.input);
        let pair = |(i, port): (usize, &PortInfo)| {
            let valid = format!("{}valid", port.name.strip_suffix("ready")?);
            Some((i, find(&valid, false)?))
        };
        inputs.filter_map(pair).collect()
    }

    /// Every port and its value in hexadecimal, for the report of a hang.
    fn ports_text(&self) -> String {
        Self::PORTS.iter().enumerate().fold(String::new(), |mut text, (i, port)| {
            let _ = write!(text, " {}={}", port.name, self.model().hex(i, port.width));
            text
        })
    }
}

/// The C functions of one design.
#[derive(Clone, Copy)]
pub struct Functions {
    pub(crate) new: unsafe extern "C" fn(u32) -> *mut c_void,
    pub(crate) delete: unsafe extern "C" fn(*mut c_void),
    pub(crate) eval: unsafe extern "C" fn(*mut c_void) -> bool,
    pub(crate) trace: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub(crate) address: unsafe extern "C" fn(*mut c_void, u32) -> *mut c_void,
}

/// Verilator seeds its random values per process: models are made one at a time, so that a seed always gives the
/// same power-on state.
static CONSTRUCTION: Mutex<()> = Mutex::new(());

/// The untyped part of a design.
pub struct Model {
    handle: *mut c_void,
    functions: Functions,
    clock: *mut u8,
    reset: *mut u8,
    settled: bool,
    cycle: u64,
    wave: Option<Wave>,
}

impl Model {
    pub(crate) fn new(functions: Functions, seed: u32, clock: Option<u32>, reset: Option<u32>) -> Self {
        let _one_at_a_time = CONSTRUCTION.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // SAFETY: the shim of this design made the functions; the handle is theirs. The addresses are those of
        // ports inside the model, which lives and does not move until `delete`.
        unsafe {
            let handle = (functions.new)(seed);
            let port = |index: Option<u32>| match index {
                Some(i) => (functions.address)(handle, i).cast::<u8>(),
                None => std::ptr::null_mut(),
            };
            let (clock, reset) = (port(clock), port(reset));
            Self { handle, functions, clock, reset, settled: false, cycle: 0, wave: None }
        }
    }

    pub(crate) fn address(&self, index: usize) -> *mut c_void {
        let index = u32::try_from(index).expect("a port number");
        // SAFETY: as in `new`.
        unsafe { (self.functions.address)(self.handle, index) }
    }

    /// An input changed: the logic has to be settled again.
    #[inline]
    pub(crate) fn touch(&mut self) {
        self.settled = false;
    }

    #[inline]
    fn settle(&mut self) {
        if !self.settled {
            self.drive_clock(0);
            self.settled = true;
        }
    }

    #[inline]
    fn tick(&mut self) {
        self.settle();
        let now = 10 * self.cycle;
        self.dump(now);
        self.drive_clock(1);
        self.dump(now + 5);
        self.settled = false;
        self.cycle += 1;
    }

    #[inline]
    fn drive_clock(&mut self, level: u8) {
        // SAFETY: as in `new`; a design without a clock has only its logic evaluated.
        let runs = unsafe {
            if !self.clock.is_null() {
                *self.clock = level;
            }
            (self.functions.eval)(self.handle)
        };
        assert!(
            runs,
            "the design ran into a $stop in cycle {} (its message is on the standard output)",
            self.cycle
        );
    }

    #[inline]
    fn dump(&mut self, now: u64) {
        let (handle, attach, cycle) = (self.handle, self.functions.trace, self.cycle);
        if let Some(wave) = &mut self.wave {
            // SAFETY: as in `new`; the VCD object outlives the model's use of it (see `drop`).
            wave.dump(cycle, now, |vcd| unsafe { attach(handle, vcd) });
        }
    }

    fn set_reset(&mut self, level: bool) {
        assert!(!self.reset.is_null(), "the design has no input `rst` of one bit");
        self.touch();
        // SAFETY: as in `new`.
        unsafe { *self.reset = level.into() }
    }

    /// Bytes that Verilator uses for a port of `width` bits: 1, 2, 4, 8, then whole 32-bit words.
    fn bytes(width: usize) -> usize {
        match width {
            0..=64 => width.div_ceil(8).next_power_of_two(),
            wide => wide.div_ceil(32) * 4,
        }
    }

    /// A port of one bit.
    pub(crate) fn bit(&self, index: usize) -> bool {
        // SAFETY: as in `new`; a port of at most 8 bits is one byte.
        unsafe { *self.address(index).cast::<u8>() != 0 }
    }

    /// Drives an input of one bit.
    pub(crate) fn set_bit(&mut self, index: usize, value: bool) {
        self.touch();
        // SAFETY: as in `bit`.
        unsafe { *self.address(index).cast::<u8>() = value.into() }
    }

    fn store(&self, index: usize, width: usize, rng: &mut impl RngCore) {
        let at = self.address(index).cast::<u8>();
        for byte in 0..Self::bytes(width) {
            let bits = width.saturating_sub(8 * byte).min(8);
            let value = (rng.next_u32() & mask(bits)) as u8;
            // SAFETY: the port has this many bytes in little-endian order; bits above the width stay 0.
            unsafe { *at.add(byte) = value }
        }
    }

    fn hex(&self, index: usize, width: usize) -> String {
        let at = self.address(index).cast::<u8>();
        // SAFETY: as in `store`.
        (0..width.div_ceil(8)).rev().map(|byte| format!("{:02x}", unsafe { *at.add(byte) })).collect()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // The file is closed first: it reads the model's signals until then.
        self.wave = None;
        let _one_at_a_time = CONSTRUCTION.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // SAFETY: as in `new`; nothing uses the handle afterwards.
        unsafe { (self.functions.delete)(self.handle) }
    }
}
