//! `heddle cosim`: a file or messages through cores over a lossy multiplane network.

mod arguments;
mod outputs;
mod plot;
mod show;
mod simulate;
mod table;

pub use arguments::Arguments;

use crate::cmd_verilog;
use crate::failure::Failure;
use arguments::EngineKind;
use heddle_testbench::cosim::{
    EndpointSetup, EngineError, HostMemory, ModelEngine, RtlEngine, Scenario, WatchedCore,
};
use heddle_testbench::duts::{CoreGbe, CoreTiny};
use simulate::{simulate, Maker, Traced};

/// Carries the command out.
pub fn run_command(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = arguments.scenario()?;
    match arguments.engine {
        EngineKind::Rtl => match scenario.config().name() {
            "tiny" => verilated::<CoreTiny>(arguments, &scenario),
            "gbe" => verilated::<CoreGbe>(arguments, &scenario),
            other => Err(Failure::Usage(format!(
                "the core of {other} is not Verilated: name tiny or gbe, or give --engine model"
            ))),
        },
        EngineKind::Model => {
            let build = |setup: &EndpointSetup, memory, _: Option<&Traced>| {
                ModelEngine::new(&scenario, setup, memory)
            };
            simulate(arguments, &scenario, Maker { build, verilog: || Ok(Vec::new()) })
        }
    }
}

fn verilated<D: WatchedCore>(arguments: &Arguments, scenario: &Scenario) -> Result<(), Failure> {
    let mut seeds = scenario.power_on_seeds().into_iter().cycle();
    let build = |setup: &EndpointSetup, memory: HostMemory, traced: Option<&Traced>| {
        let seed = seeds.next().unwrap_or_default();
        let mut engine = RtlEngine::<D>::new(scenario.config(), setup, memory, seed)?;
        if let Some(Traced { file, window }) = traced {
            engine.trace(file, window.clone());
        }
        Ok::<_, EngineError>(engine)
    };
    simulate(arguments, scenario, Maker { build, verilog: || cmd_verilog::core_files(scenario.config()) })
}
