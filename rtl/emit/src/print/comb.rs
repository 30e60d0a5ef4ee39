//! Statements, `assign`s, `always` blocks.
use super::expr::{part, Printer};
use super::wrap::wrap;
use crate::design::fields;
use crate::ir::{NetId, Range, Stmt};
use crate::plan::{Clocked, Comb, Step, Update};

impl Printer<'_> {
    pub fn comb(&self, comb: &Comb) -> String {
        match comb {
            Comb::Assign(steps) => steps.iter().map(|step| self.assign(step)).collect(),
            Comb::Block(steps) => format!("  always @(*) begin\n{}  end\n", self.steps(steps, 2, "=")),
        }
    }

    fn assign(&self, step: &Step) -> String {
        let mut text = comments(step, 1);
        if let Stmt::Assign { target, range, value } = &step.stmt {
            let note = self.field_note(*target, *range);
            text +=
                &wrap(&format!("  assign {} = {};{note}", self.target(*target, *range), self.expr(value)));
        }
        text
    }

    pub fn clocked(&self, block: &Clocked) -> String {
        let body: String = block.updates.iter().map(|update| self.update(update)).collect();
        if body.is_empty() {
            return body;
        }
        let clock = &self.scope.net(block.clock).name;
        format!("\n  always @(posedge {clock}) begin\n{body}  end\n")
    }

    fn update(&self, update: &Update) -> String {
        let Some((rst, en)) = &update.control else { return self.steps(&update.steps, 2, "<=") };
        let mut text = wrap(&format!("    if ({}) begin", self.expr(rst)));
        for (q, value) in &update.resets {
            text += &format!("      {} <= {};\n", self.scope.net(*q).name, self.expr(value));
        }
        if !update.steps.is_empty() {
            text += &match en.known() {
                Some(one) if *one == 1u32.into() => "    end else begin\n".to_string(),
                _ => wrap(&format!("    end else if ({}) begin", self.expr(en))),
            };
            text += &self.steps(&update.steps, 3, "<=");
        }
        text + "    end\n"
    }

    fn steps(&self, steps: &[Step], depth: usize, op: &str) -> String {
        steps.iter().map(|step| comments(step, depth) + &self.stmt(&step.stmt, depth, op)).collect()
    }

    fn stmts(&self, stmts: &[Stmt], depth: usize, op: &str) -> String {
        stmts.iter().map(|stmt| self.stmt(stmt, depth, op)).collect()
    }

    fn stmt(&self, stmt: &Stmt, depth: usize, op: &str) -> String {
        let pad = "  ".repeat(depth);
        match stmt {
            Stmt::Comment(text) => format!("{pad}// {text}\n"),
            Stmt::Assign { target, range, value } => {
                let note = self.field_note(*target, *range);
                wrap(&format!("{pad}{} {op} {};{note}", self.target(*target, *range), self.expr(value)))
            }
            Stmt::If { .. } => self.conditional(stmt, depth, op),
            Stmt::Case { on, arms, full } => {
                let mut text = wrap(&format!("{pad}case ({})", self.expr(on)));
                for (index, arm) in arms.iter().enumerate() {
                    let last = *full && index + 1 == arms.len();
                    let label = match &arm.pattern {
                        Some(pattern) if last => format!("default /* {} */", self.expr(pattern)),
                        Some(pattern) => self.expr(pattern),
                        None => "default".into(),
                    };
                    if arm.body.is_empty() {
                        text += &format!("{pad}  {label}: ;\n");
                        continue;
                    }
                    let body = self.stmts(&arm.body, depth + 2, op);
                    text += &format!("{pad}  {label}: begin\n{body}{pad}  end\n");
                }
                text + &format!("{pad}endcase\n")
            }
        }
    }

    /// `if`, with `else if` for an `else` that holds nothing but another `if`.
    fn conditional(&self, stmt: &Stmt, depth: usize, op: &str) -> String {
        let pad = "  ".repeat(depth);
        let mut text = String::new();
        let mut next = Some(stmt);
        let mut lead = format!("{pad}if");
        while let Some(Stmt::If { cond, then, otherwise }) = next {
            text += &wrap(&format!("{lead} ({}) begin", self.expr(cond)));
            text += &self.stmts(then, depth + 1, op);
            next = match otherwise.as_slice() {
                [inner @ Stmt::If { .. }] => Some(inner),
                [] => None,
                body => {
                    text += &format!("{pad}end else begin\n{}", self.stmts(body, depth + 1, op));
                    None
                }
            };
            lead = format!("{pad}end else if");
        }
        text + &format!("{pad}end\n")
    }

    fn target(&self, net: NetId, range: Option<Range>) -> String {
        format!("{}{}", self.scope.net(net).name, part(range))
    }

    /// The struct field a partial assignment is to.
    fn field_note(&self, net: NetId, range: Option<Range>) -> String {
        let Some(range) = range else { return String::new() };
        let fields = fields(&self.scope.net(net).ty);
        let field = fields.iter().find(|field| (field.lo, field.width) == range);
        field.map_or_else(String::new, |field| format!(" // {}", field.path.join(".")))
    }
}

fn comments(step: &Step, depth: usize) -> String {
    step.comments.iter().map(|text| format!("{}// {text}\n", "  ".repeat(depth))).collect()
}
