//! A name for the module of a generic block.
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::{Block, Logic};

/// Prefix of the scope through which a [`ModuleName`] shows itself to the emitter.
pub(crate) const SCOPE: &str = "module$";

/// Names the module of the block it is a field of. It holds no hardware.
///
/// A block whose name does not depend on parameters says `comment!("module NAME")` instead.
#[derive(Clone, Debug, Default)]
pub struct ModuleName(String);

impl ModuleName {
    /// The module is called `name`.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }
}

impl Logic for ModuleName {
    fn update(&mut self) {}
}

impl Block for ModuleName {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, _: &str, probe: &mut dyn Probe) {
        if !self.0.is_empty() {
            let scope = format!("{SCOPE}{}", self.0);
            probe.visit_start_scope(&scope, self);
            probe.visit_end_scope(&scope, self);
        }
    }
}

/// A comment in a kernel: it is printed in the Verilog text.
///
/// As a kernel's first statement, `comment!("module NAME")` names the module.
#[macro_export]
macro_rules! comment {
    ($($text:tt)*) => {};
}
