//! The children of a block: registers written into it, and instances of other modules.
use crate::ir::NetId;
use num_bigint::BigUint;

/// A register declared in the parent.
#[derive(Debug, Clone)]
pub(crate) struct Register {
    pub path: String,
    pub q: NetId,
    pub d: NetId,
    pub clock: NetId,
    /// Synchronous reset and enable, of a `Reg`.
    pub control: Option<Control>,
    pub init: BigUint,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Control {
    pub rst: NetId,
    pub en: NetId,
}

/// An instance of another module.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    /// Instance name.
    pub name: String,
    pub module: String,
    /// The child's port and the net it is connected to, in the order of the child's ports.
    pub ports: Vec<(String, NetId)>,
}
