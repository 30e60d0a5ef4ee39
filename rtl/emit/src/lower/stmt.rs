//! Statements: loops unroll, conditions known at emission choose their branch.
use super::value::Value;
use super::{ends, render, Lower, Lowered};
use crate::error::Reason;
use crate::ir::{Arm, Expr, Stmt};
use num_bigint::BigInt;
use rust_hdl::core::ast::{
    VerilogBlockOrConditional as Else, VerilogCase, VerilogConditional, VerilogExpression as Ast,
    VerilogLink, VerilogLoop, VerilogMatch, VerilogStatement,
};

/// A refusal inside a kernel.
pub(crate) struct Fault {
    pub signal: Option<String>,
    pub statement: Option<String>,
    pub reason: Reason,
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Fault { signal: None, statement: None, reason }
    }
}

type Done = Result<(), Fault>;

impl Lower<'_> {
    pub fn block(&mut self, block: &[VerilogStatement]) -> Result<Vec<Stmt>, Fault> {
        let mut out = vec![];
        self.statements(block, &mut out)?;
        Ok(out)
    }

    fn statements(&mut self, block: &[VerilogStatement], out: &mut Vec<Stmt>) -> Done {
        block.iter().try_for_each(|statement| self.statement(statement, out))
    }

    fn statement(&mut self, statement: &VerilogStatement, out: &mut Vec<Stmt>) -> Done {
        match statement {
            VerilogStatement::Assignment(target, value) => {
                let done = self.assign(target, value);
                out.push(done.map_err(|reason| self.at(target, render::assignment(target, value), reason))?);
                Ok(())
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let done = self.assign_field(base, *width, offset, replacement);
                let text = || format!("{}.next.(field) = {}", render::name(base), render::expr(replacement));
                out.push(done.map_err(|reason| self.at(base, text(), reason))?);
                Ok(())
            }
            VerilogStatement::If(conditional) => self.conditional(conditional, out),
            VerilogStatement::Match(choice) => self.choice(choice, out),
            VerilogStatement::Loop(body) => self.unroll(body, out),
            VerilogStatement::Macro(block) => self.statements(block, out),
            VerilogStatement::Comment(text) => {
                out.push(Stmt::Comment(comment_text(text)));
                Ok(())
            }
            VerilogStatement::Link(links) => links.iter().try_for_each(|link| {
                out.push(self.link(link)?);
                Ok(())
            }),
        }
    }

    fn at(&self, target: &Ast, statement: String, reason: Reason) -> Fault {
        let mut signal = render::name(target);
        for (name, value) in &self.loops {
            signal += &format!(" [{name} = {value}]");
        }
        Fault { signal: Some(signal), statement: Some(statement), reason }
    }

    fn assign(&self, target: &Ast, value: &Ast) -> Lowered<Stmt> {
        let Ast::Signal(name) = target else { return Err(Reason::Target) };
        let target = self.target(name)?;
        let value = self.value(value)?.fit(self.scope.net(target).width)?;
        Ok(Stmt::Assign { target, range: None, value })
    }

    fn assign_field(&self, base: &Ast, width: usize, offset: &Ast, value: &Ast) -> Lowered<Stmt> {
        let Ast::Signal(name) = base else { return Err(Reason::Target) };
        let target = self.target(name)?;
        let Value::Int { value: offset, .. } = self.value(offset)? else {
            return Err(Reason::FieldOffset);
        };
        let lo = usize::try_from(offset).map_err(|_| Reason::FieldOffset)?;
        let whole = lo == 0 && width == self.scope.net(target).width;
        let value = self.value(value)?.fit(width)?;
        Ok(Stmt::Assign { target, range: (!whole).then_some((lo, width)), value })
    }

    fn conditional(&mut self, conditional: &VerilogConditional, out: &mut Vec<Stmt>) -> Done {
        let test = self.condition(&conditional.test).map_err(|reason| Fault {
            signal: None,
            statement: Some(format!("if {}", render::expr(&conditional.test))),
            reason,
        })?;
        if let Value::Int { value, .. } = &test {
            return if *value != BigInt::default() {
                self.statements(&conditional.then, out)
            } else {
                self.otherwise(&conditional.otherwise, out)
            };
        }
        let cond = test.fit(1)?;
        let then = self.block(&conditional.then)?;
        let mut otherwise = vec![];
        self.otherwise(&conditional.otherwise, &mut otherwise)?;
        out.push(Stmt::If { cond, then, otherwise });
        Ok(())
    }

    fn otherwise(&mut self, branch: &Else, out: &mut Vec<Stmt>) -> Done {
        match branch {
            Else::Block(block) => self.statements(block, out),
            Else::Conditional(statement) => self.statement(statement, out),
            Else::None => Ok(()),
        }
    }

    fn choice(&mut self, choice: &VerilogMatch, out: &mut Vec<Stmt>) -> Done {
        let Value::Bits { expr: on, .. } = self.value(&choice.test)? else {
            return Err(Reason::MatchOnConstant.into());
        };
        let mut arms = vec![];
        for case in &choice.cases {
            let pattern = self.pattern(case, on.width())?;
            arms.push(Arm { pattern, body: self.block(&case.block)? });
        }
        // With every variant listed a `_` arm is unreachable in Rust, and would be a latch here.
        if arms.iter().filter(|arm| arm.pattern.is_some()).count() == self.variants_of(choice) {
            arms.retain(|arm| arm.pattern.is_some());
        }
        // Rust has checked that the patterns are exhaustive.
        let full = arms.iter().all(|arm| arm.pattern.is_some());
        out.push(Stmt::Case { on, arms, full });
        Ok(())
    }

    fn pattern(&self, case: &VerilogCase, width: usize) -> Lowered<Option<Expr>> {
        if case.condition == "default" {
            return Ok(None);
        }
        let path = case.condition.replace("::", "$").replace(' ', "");
        if let Some(named) = self.variant(&path)? {
            return Value::bits(Expr::Named(named)).fit(width).map(Some);
        }
        let number = path.replace('_', "").parse::<BigInt>().map_err(|_| Reason::Pattern(path))?;
        Value::integer(number).fit(width).map(Some)
    }

    /// How many variants the enum matched on has; 0 when it is not an enum.
    fn variants_of(&self, choice: &VerilogMatch) -> usize {
        let enum_of = |path: &str| {
            let path = path.replace("::", "$").replace(' ', "");
            path.rsplit_once('$').and_then(|(ty, _)| ty.rsplit('$').next().map(str::to_string))
        };
        let Some(wanted) = choice.cases.first().and_then(|case| enum_of(&case.condition)) else { return 0 };
        self.scope.variants.keys().filter(|key| enum_of(key).as_ref() == Some(&wanted)).count()
    }

    fn unroll(&mut self, body: &VerilogLoop, out: &mut Vec<Stmt>) -> Done {
        for index in body.from.as_usize()..body.to.as_usize() {
            self.loops.push((body.index.clone(), index as i64));
            self.statements(&body.block, out)?;
            self.loops.pop();
        }
        Ok(())
    }

    fn link(&self, link: &VerilogLink) -> Result<Stmt, Fault> {
        let ends = ends(link).ok_or(Reason::Bidirectional)?;
        let (driven, driver) = (Ast::Signal(ends.driven), Ast::Signal(ends.driver));
        self.assign(&driven, &driver)
            .map_err(|reason| self.at(&driven, render::assignment(&driven, &driver), reason))
    }
}

/// rust-hdl keeps some of the macro call around the text of a comment.
fn comment_text(raw: &str) -> String {
    let inner = raw.split_once("(\"").map_or(raw, |(_, rest)| rest);
    inner.trim_end_matches("\")").trim().to_string()
}
