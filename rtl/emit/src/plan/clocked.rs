//! Registers: one clocked block per clock.
//!
//! A statement that assigns nothing but registers, and reads only settled nets, moves into the clocked
//! block as it is, with `<=`: nothing can read a register's `d`, so this is the same. The `d = q` default
//! then disappears, since a register holds by itself. Any other register has a net `NAME_d`.
use super::connect::{last_writes, settled};
use super::{remove_steps, Step};
use crate::error::Reason;
use crate::ir::{Expr, NetId, Scope, Stmt};
use crate::module::Register;
use std::collections::{BTreeMap, BTreeSet};

/// Conditions that a split may duplicate.
const SPLIT_LIMIT: usize = 3;

/// The clocked block of one clock.
#[derive(Debug)]
pub(crate) struct Clocked {
    pub clock: NetId,
    pub updates: Vec<Update>,
}

/// The registers of one reset and enable.
#[derive(Debug)]
pub(crate) struct Update {
    /// Reset and enable, of `Reg`s.
    pub control: Option<(Expr, Expr)>,
    /// Registers reset here: `q` and value.
    pub resets: Vec<(NetId, Expr)>,
    /// Statements with `q` for every `d`, to be printed with `<=`.
    pub steps: Vec<Step>,
}

impl Clocked {
    pub fn exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        for update in &self.updates {
            if let Some((rst, en)) = &update.control {
                f(rst);
                f(en);
            }
            update.steps.iter().for_each(|step| step.stmt.exprs(f));
        }
    }
}

/// Block and update a register belongs to, by its `d`.
type Homes = BTreeMap<NetId, (usize, usize)>;

pub(super) fn plan(
    steps: &mut Vec<Step>,
    scope: &Scope,
    registers: &[Register],
    connect: &BTreeMap<NetId, Expr>,
) -> Result<Vec<Clocked>, (NetId, Reason)> {
    let data: Data = registers.iter().map(|register| (register.d, register)).collect();
    split(steps, &data);
    let direct = take_direct(steps, &data);
    let mut blocks: Vec<Clocked> = vec![];
    let mut homes = Homes::new();
    for register in registers {
        let Some(Expr::Net { net: clock, .. }) = connect.get(&register.clock) else {
            let register_name = register.path.replace('$', ".");
            return Err((register.clock, Reason::Clock { register: register_name }));
        };
        let control = register.control.map(|control| {
            let signal = |net: NetId| connect.get(&net).cloned().unwrap_or(Expr::Net { net, width: 1 });
            (signal(control.rst), signal(control.en))
        });
        let block = blocks.iter().position(|block| block.clock == *clock).unwrap_or_else(|| {
            blocks.push(Clocked { clock: *clock, updates: vec![] });
            blocks.len() - 1
        });
        let updates = &mut blocks[block].updates;
        let update = updates.iter().position(|update| update.control == control).unwrap_or_else(|| {
            updates.push(Update { control: control.clone(), resets: vec![], steps: vec![] });
            updates.len() - 1
        });
        homes.insert(register.d, (block, update));
        let update = &mut updates[update];
        let width = scope.net(register.q).width;
        if control.is_some() {
            update.resets.push((register.q, Expr::constant(register.init.clone(), width)));
        }
        if !direct.nets.contains(&register.d) {
            let value = Expr::Net { net: register.d, width };
            let stmt = Stmt::Assign { target: register.q, range: None, value };
            update.steps.push(Step { comments: vec![], stmt });
        }
    }
    for step in direct.steps {
        distribute(step, &data, &homes, &mut blocks);
    }
    Ok(blocks)
}

/// Registers by their `d`.
type Data<'a> = BTreeMap<NetId, &'a Register>;

/// Statements that assign registers alone, and the `d` nets they make unnecessary.
struct Direct {
    nets: BTreeSet<NetId>,
    steps: Vec<Step>,
}

/// Divides small statements that assign both registers and other nets, where the register part reads
/// only settled nets.
fn split(steps: &mut Vec<Step>, data: &Data) {
    let last = last_writes(steps);
    let mut out = vec![];
    for (index, step) in std::mem::take(steps).into_iter().enumerate() {
        let writes = step.stmt.writes();
        let ours = writes.iter().filter(|net| data.contains_key(net)).count();
        let mixed = ours > 0 && ours < writes.len();
        let mut conditions = 0;
        step.stmt.visit(&mut |stmt| {
            conditions += usize::from(matches!(stmt, Stmt::If { .. } | Stmt::Case { .. }));
        });
        let parts = (mixed && conditions <= SPLIT_LIMIT)
            .then(|| {
                let ours = step.stmt.project(&|net| data.contains_key(&net))?;
                let rest = step.stmt.project(&|net| !data.contains_key(&net))?;
                let settled = settled(&ours, index, &last);
                settled.then_some((rest, ours))
            })
            .flatten();
        match parts {
            Some((rest, ours)) => {
                out.push(Step { comments: step.comments, stmt: rest });
                out.push(Step { comments: vec![], stmt: ours });
            }
            None => out.push(step),
        }
    }
    *steps = out;
}

fn take_direct(steps: &mut Vec<Step>, data: &Data) -> Direct {
    let last = last_writes(steps);
    let mut indirect: BTreeSet<NetId> = BTreeSet::new();
    for (index, step) in steps.iter().enumerate() {
        let writes = step.stmt.writes();
        let pure = writes.iter().all(|net| data.contains_key(net));
        let settled = settled(&step.stmt, index, &last);
        if !(pure && settled) {
            indirect.extend(writes.iter().filter(|net| data.contains_key(net)));
        }
    }
    let nets: BTreeSet<NetId> = data.keys().filter(|net| !indirect.contains(net)).copied().collect();
    let mut taken = vec![];
    let mut gone = BTreeSet::new();
    let mut begun = BTreeSet::new();
    for (index, step) in steps.iter_mut().enumerate() {
        let writes = step.stmt.writes();
        let Some(ours) = step.stmt.project(&|net| nets.contains(&net)) else { continue };
        let mut comments = vec![];
        match step.stmt.project(&|net| !nets.contains(&net)) {
            Some(rest) => step.stmt = rest,
            None => {
                gone.insert(index);
                comments = std::mem::take(&mut step.comments);
            }
        }
        let first = !writes.iter().any(|net| begun.contains(net));
        begun.extend(writes);
        if !(first && is_hold(&ours, data)) {
            taken.push(Step { comments, stmt: ours });
        }
    }
    remove_steps(steps, &|index| gone.contains(&index));
    Direct { nets, steps: taken }
}

/// `d = q`.
fn is_hold(stmt: &Stmt, data: &Data) -> bool {
    match stmt {
        Stmt::Assign { target, range: None, value: Expr::Net { net, .. } } => {
            data.get(target).is_some_and(|register| register.q == *net)
        }
        _ => false,
    }
}

/// Puts the parts of a statement into the updates of the registers they assign.
fn distribute(step: Step, data: &Data, homes: &Homes, blocks: &mut [Clocked]) {
    let mut comments = step.comments;
    let places: BTreeSet<(usize, usize)> =
        step.stmt.writes().iter().filter_map(|net| homes.get(net)).copied().collect();
    for place in places {
        if let Some(mut stmt) = step.stmt.project(&|net| homes.get(&net) == Some(&place)) {
            retarget(&mut stmt, data);
            let step = Step { comments: std::mem::take(&mut comments), stmt };
            blocks[place.0].updates[place.1].steps.push(step);
        }
    }
}

fn retarget(stmt: &mut Stmt, data: &Data) {
    match stmt {
        Stmt::Assign { target, .. } => {
            if let Some(register) = data.get(target) {
                *target = register.q;
            }
        }
        Stmt::If { then, otherwise, .. } => {
            then.iter_mut().chain(otherwise).for_each(|stmt| retarget(stmt, data));
        }
        Stmt::Case { arms, .. } => {
            arms.iter_mut().flat_map(|arm| &mut arm.body).for_each(|stmt| retarget(stmt, data));
        }
        Stmt::Comment(_) => {}
    }
}
