//! Bits that nothing reads.
//!
//! They are named in one wire at the end of the module, in the form lint tools know, so that a reader
//! sees them and no waiver is needed.
use super::expr::part;
use crate::ir::{NetId, Role, Scope};
use crate::module::Naming;
use crate::plan::Plan;
use std::collections::{BTreeMap, BTreeSet};

/// Which bits of which nets the module reads.
pub(super) struct Reads(BTreeMap<NetId, Vec<bool>>);

impl Reads {
    pub fn new(naming: &Naming, plan: &Plan) -> Self {
        let mut reads = Reads(BTreeMap::new());
        let scope = &naming.scope;
        plan.exprs(&mut |expr| expr.reads(&mut |net, lo, width| reads.mark(scope, net, lo, width)));
        for (_, net) in naming.children.iter().flat_map(|child| &child.ports) {
            if scope.net(*net).role == Role::ChildInput {
                reads.mark(scope, *net, 0, 0);
            }
        }
        reads
    }

    fn mark(&mut self, scope: &Scope, net: NetId, lo: usize, width: usize) {
        let all = scope.net(net).width;
        let width = if width == 0 { all } else { width };
        self.0.entry(net).or_insert_with(|| vec![false; all])[lo..lo + width].fill(true);
    }

    pub fn any(&self, net: NetId) -> bool {
        self.0.contains_key(&net)
    }

    /// The sink, or nothing when every bit of every declared net is read.
    pub fn sink(&self, naming: &mut Naming, declared: &BTreeSet<NetId>) -> String {
        let mut unread = vec![];
        for id in naming.scope.ids() {
            let net = naming.scope.net(id);
            let source = matches!(net.role, Role::Input | Role::Local | Role::ChildOutput | Role::Register);
            if !source || !(net.role == Role::Input || declared.contains(&id)) {
                continue;
            }
            match self.0.get(&id) {
                None => unread.push(net.name.clone()),
                Some(bits) => {
                    unread.extend(gaps(bits).map(|range| format!("{}{}", net.name, part(Some(range)))))
                }
            }
        }
        if unread.is_empty() {
            return String::new();
        }
        let name = naming.names.take("_unused");
        super::wrap::wrap(&format!("  wire {name} = &{{1'b0, {}}};", unread.join(", ")))
    }
}

/// Runs of unread bits, highest first.
fn gaps(bits: &[bool]) -> impl Iterator<Item = (usize, usize)> {
    let mut runs: Vec<(usize, usize)> = vec![];
    for (bit, _) in bits.iter().enumerate().filter(|(_, read)| !**read) {
        match runs.last_mut() {
            Some((lo, width)) if *lo + *width == bit => *width += 1,
            _ => runs.push((bit, 1)),
        }
    }
    runs.into_iter().rev()
}
