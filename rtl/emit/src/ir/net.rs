//! The names of one module: nets, constants, enum variants.
use num_bigint::BigUint;
use rust_hdl::prelude::{TypeDescriptor, TypeKind};
use std::collections::BTreeMap;

/// Index into [`Scope::nets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NetId(pub usize);

/// What drives a net and who may use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Input,
    Output,
    Local,
    ChildInput,
    ChildOutput,
    /// Input `d`, clock, reset or enable of an inlined register.
    RegisterInput,
    /// Output `q` of an inlined register.
    Register,
}

#[derive(Clone, Debug)]
pub(crate) struct Net {
    /// rust-hdl's path, `$` between levels.
    pub path: String,
    /// Verilog identifier.
    pub name: String,
    pub width: usize,
    pub ty: TypeDescriptor,
    pub role: Role,
}

impl Net {
    pub fn signed(&self) -> bool {
        matches!(self.ty.kind, TypeKind::Signed(_))
    }

    /// May the kernel read it?
    pub fn readable(&self) -> bool {
        !matches!(self.role, Role::ChildInput | Role::RegisterInput)
    }

    /// Does the kernel drive it?
    pub fn driven(&self) -> bool {
        !matches!(self.role, Role::Input | Role::ChildOutput | Role::Register)
    }

    /// rust-hdl's spelling.
    pub fn spelling(&self) -> String {
        self.path.replace('$', ".")
    }
}

/// A named value known at emission: a `Constant` field or an enum variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub name: String,
    pub value: BigUint,
    pub width: usize,
    pub signed: bool,
}

/// What names mean in one module.
#[derive(Default, Debug)]
pub(crate) struct Scope {
    pub nets: Vec<Net>,
    pub by_path: BTreeMap<String, NetId>,
    pub constants: BTreeMap<String, Named>,
    /// By `Type$Variant`.
    pub variants: BTreeMap<String, Named>,
}

impl Scope {
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.0]
    }

    pub fn add(&mut self, net: Net) -> NetId {
        let id = NetId(self.nets.len());
        self.by_path.insert(net.path.clone(), id);
        self.nets.push(net);
        id
    }

    pub fn ids(&self) -> impl Iterator<Item = NetId> + '_ {
        (0..self.nets.len()).map(NetId)
    }
}
