//! Statements: loop unrolling, static ifs, grouping into independent always blocks / assigns.
use crate::expr::*;
use rust_hdl::core::ast::*;
use std::collections::{BTreeMap, BTreeSet};

pub type Names = BTreeSet<String>;

#[derive(Clone, Debug)]
pub enum S {
    Assign {
        lhs: String,
        lw: usize,
        range: Option<(usize, usize)>,
        code: String,
        reads: Names,
    },
    If {
        cond: String,
        reads: Names,
        then: Vec<S>,
        els: Vec<S>,
    },
    /// `full`: patterns cover every variant, so the last arm is printed as `default`.
    Case {
        sel: String,
        reads: Names,
        arms: Vec<(Option<String>, Vec<S>)>,
        full: bool,
    },
    Comment(String),
}

pub fn link_ends(l: &VerilogLink) -> (String, String, bool) {
    let j = |o: &str, m: &str| {
        if m.is_empty() {
            o.to_string()
        } else {
            format!("{o}${}", m.trim_start_matches('.'))
        }
    };
    match l {
        // (driven, driver, bidirectional)
        VerilogLink::Forward(d) => (j(&d.other_name, &d.my_name), j(&d.owner_name, &d.my_name), false),
        VerilogLink::Backward(d) => (j(&d.owner_name, &d.my_name), j(&d.other_name, &d.my_name), false),
        VerilogLink::Bidirectional(d) => (j(&d.owner_name, &d.my_name), j(&d.other_name, &d.my_name), true),
    }
}

impl Lower {
    fn take(&mut self) -> Names {
        std::mem::take(&mut self.reads)
    }

    fn lhs(&self, raw: &str) -> Res<Sym> {
        let n = self.canonical(raw)?;
        let s = self.scope.syms.get(&n).ok_or(format!("assignment to unknown `{n}`"))?;
        if !s.writable {
            return Err(format!("assignment to `{n}`, which this block does not drive"));
        }
        Ok(s.clone())
    }

    pub fn block(&mut self, b: &[VerilogStatement]) -> Res<Vec<S>> {
        let mut out = vec![];
        for s in b {
            self.statement(s, &mut out)?;
        }
        Ok(out)
    }

    fn statement(&mut self, s: &VerilogStatement, out: &mut Vec<S>) -> Res<()> {
        match s {
            VerilogStatement::Assignment(l, r) => {
                let VerilogExpression::Signal(n) = l else { return Err("assignment target".into()) };
                let sym = self.lhs(n)?;
                let v = self.expr(r).map_err(|e| format!("`{}`: {e}", sym.vname))?;
                let code = self.fit(&v, sym.w).map_err(|e| format!("`{}`: {e}", sym.vname))?;
                out.push(S::Assign { lhs: sym.vname, lw: sym.w, range: None, code, reads: self.take() });
            }
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let VerilogExpression::Signal(n) = base else { return Err("slice assignment target".into()) };
                let sym = self.lhs(n)?;
                let V::Const { v, .. } = self.expr(offset)? else {
                    return Err("slice assignment at a run-time offset".into());
                };
                let lo = usize::try_from(v).map_err(|_| "offset")?;
                let v = self.expr(replacement)?;
                let code = self.fit(&v, *width).map_err(|e| format!("field of `{}`: {e}", sym.vname))?;
                let range = if lo == 0 && *width == sym.w { None } else { Some((lo, *width)) };
                out.push(S::Assign { lhs: sym.vname, lw: sym.w, range, code, reads: self.take() });
            }
            VerilogStatement::If(c) => {
                let t = self.boolean(&c.test)?;
                let reads = self.take();
                if let V::Const { v, .. } = &t {
                    // `if k == 3` in an unrolled loop
                    return if *v != 0.into() {
                        let b = self.block(&c.then)?;
                        out.extend(b);
                        Ok(())
                    } else {
                        self.otherwise(&c.otherwise, out)
                    };
                }
                let cond = self.fit(&t, 1)?;
                let then = self.block(&c.then)?;
                let mut els = vec![];
                self.otherwise(&c.otherwise, &mut els)?;
                out.push(S::If { cond, reads, then, els });
            }
            VerilogStatement::Match(m) => {
                let V::Ex { code: sel, w, .. } = self.expr(&m.test)? else {
                    return Err("match on a constant".into());
                };
                let reads = self.take();
                let mut arms = vec![];
                for c in &m.cases {
                    let label = if c.condition == "default" {
                        None
                    } else {
                        let t = c.condition.replace('_', "");
                        let v = match self.enum_variant(&c.condition.replace("::", "$").replace(' ', ""))? {
                            Some(v) => v,
                            None => V::Const {
                                v: t.parse::<u128>()
                                    .map_err(|_| format!("match pattern `{}`", c.condition))?
                                    .into(),
                                w: None,
                                signed: false,
                            },
                        };
                        Some(self.fit(&v, w)?)
                    };
                    let body = self.block(&c.block)?;
                    arms.push((label, body));
                }
                // every variant listed: a `_` arm is unreachable in Rust (and would be a latch here)
                let ty = |c: &str| {
                    c.replace("::", "$")
                        .replace(' ', "")
                        .rsplit_once('$')
                        .map(|x| x.0.rsplit('$').next().unwrap().to_string())
                };
                if let Some(t) = m.cases.first().and_then(|c| ty(&c.condition)) {
                    let variants = self.scope.enums.keys().filter(|k| ty(k).as_ref() == Some(&t)).count();
                    if arms.iter().filter(|a| a.0.is_some()).count() == variants {
                        arms.retain(|a| a.0.is_some());
                    }
                }
                let full = arms.iter().all(|a| a.0.is_some()); // Rust has checked exhaustiveness
                out.push(S::Case { sel, reads, arms, full });
            }
            VerilogStatement::Loop(l) => {
                for i in l.from.as_usize()..l.to.as_usize() {
                    self.loops.push((l.index.clone(), i as i64));
                    for s in &l.block {
                        self.statement(s, out).map_err(|e| format!("{e} [{} = {i}]", l.index))?;
                    }
                    self.loops.pop();
                }
            }
            VerilogStatement::Macro(b) => {
                for s in b {
                    self.statement(s, out)?;
                }
            }
            VerilogStatement::Comment(c) => out.push(S::Comment(
                c.split_once("(\"").map_or(&c[..], |x| x.1).trim_end_matches("\")").trim().to_string(),
            )),
            VerilogStatement::Link(ls) => {
                for l in ls {
                    let (dst, src, bidi) = link_ends(l);
                    if bidi {
                        continue;
                    } // joined in the port map
                    let d = self.lhs(&dst)?;
                    let V::Ex { code, w, .. } = self.expr(&VerilogExpression::Signal(src))? else {
                        return Err("link".into());
                    };
                    if w != d.w {
                        return Err(format!("link of {w} and {} bits", d.w));
                    }
                    out.push(S::Assign { lhs: d.vname, lw: d.w, range: None, code, reads: self.take() });
                }
            }
        }
        Ok(())
    }

    fn otherwise(&mut self, o: &VerilogBlockOrConditional, out: &mut Vec<S>) -> Res<()> {
        match o {
            VerilogBlockOrConditional::Block(b) => {
                let b = self.block(b)?;
                out.extend(b);
                Ok(())
            }
            VerilogBlockOrConditional::Conditional(c) => self.statement(c, out),
            VerilogBlockOrConditional::None => Ok(()),
        }
    }
}

impl S {
    pub fn visit(&self, f: &mut impl FnMut(&S)) {
        f(self);
        match self {
            S::If { then, els, .. } => then.iter().chain(els).for_each(|s| s.visit(f)),
            S::Case { arms, .. } => arms.iter().flat_map(|a| &a.1).for_each(|s| s.visit(f)),
            _ => {}
        }
    }
    pub fn writes(&self) -> Names {
        let mut n = Names::new();
        self.visit(&mut |s| {
            if let S::Assign { lhs, .. } = s {
                n.insert(lhs.clone());
            }
        });
        n
    }
    pub fn all_reads(&self) -> Names {
        let mut n = Names::new();
        self.visit(&mut |s| match s {
            S::Assign { reads, .. } | S::If { reads, .. } | S::Case { reads, .. } => {
                n.extend(reads.iter().cloned())
            }
            _ => {}
        });
        n
    }
    pub fn print(&self, ind: usize, o: &mut String) {
        let p = "  ".repeat(ind);
        let body = |b: &[S], o: &mut String| b.iter().for_each(|s| s.print(ind + 1, o));
        match self {
            S::Comment(c) => *o += &format!("{p}// {c}\n"),
            S::Assign { lhs, range, code, .. } => {
                *o += &format!("{p}{lhs}{} = {};\n", sel(range), strip(code))
            }
            S::If { cond, then, els, .. } => {
                *o += &format!("{p}if ({}) begin\n", strip(cond));
                body(then, o);
                if !els.is_empty() {
                    *o += &format!("{p}end else begin\n");
                    body(els, o);
                }
                *o += &format!("{p}end\n");
            }
            S::Case { sel, arms, full, .. } => {
                *o += &format!("{p}case ({})\n", strip(sel));
                for (i, (l, b)) in arms.iter().enumerate() {
                    let last = *full && i + 1 == arms.len();
                    let l = match l {
                        Some(l) if last => format!("default /* {l} */"),
                        Some(l) => l.clone(),
                        None => "default".into(),
                    };
                    *o += &format!("{p}  {l}: begin\n");
                    b.iter().for_each(|s| s.print(ind + 2, o));
                    *o += &format!("{p}  end\n");
                }
                *o += &format!("{p}endcase\n");
            }
        }
    }
}

pub fn sel(r: &Option<(usize, usize)>) -> String {
    match r {
        None => String::new(),
        Some((lo, 1)) => format!("[{lo}]"),
        Some((lo, w)) => format!("[{}:{lo}]", lo + w - 1),
    }
}

/// Drop one redundant outer pair of parentheses.
pub fn strip(c: &str) -> &str {
    if !c.starts_with('(') || !c.ends_with(')') {
        return c;
    }
    let mut d = 0;
    for (i, b) in c.bytes().enumerate() {
        match b {
            b'(' => d += 1,
            b')' => {
                d -= 1;
                if d == 0 && i + 1 < c.len() {
                    return c;
                }
            }
            _ => {}
        }
    }
    &c[1..c.len() - 1]
}

/// Bits of each variable assigned on every path (latch and read-before-write check).
type Cover = BTreeMap<String, Vec<bool>>;
pub fn check_assigned(b: &[S], cov: &mut Cover, local: &Names, warn: &mut Names) {
    let rd = |reads: &Names, cov: &Cover, warn: &mut Names| {
        for r in reads {
            if local.contains(r) && !cov.get(r).is_some_and(|c| c.iter().all(|x| *x)) {
                warn.insert(format!("`{r}` is read before it is completely assigned"));
            }
        }
    };
    let meet = |cs: Vec<Cover>| -> Cover {
        let mut it = cs.into_iter();
        let mut a = it.next().unwrap();
        for c in it {
            a = a
                .into_iter()
                .filter_map(|(k, v)| c.get(&k).map(|u| (k, v.iter().zip(u).map(|(x, y)| *x && *y).collect())))
                .collect();
        }
        a
    };
    for s in b {
        match s {
            S::Assign { lhs, lw, range, reads, .. } => {
                rd(reads, cov, warn);
                let (lo, w) = range.unwrap_or((0, *lw));
                let c = cov.entry(lhs.clone()).or_insert_with(|| vec![false; *lw]);
                c[lo..lo + w].fill(true);
            }
            S::If { reads, then, els, .. } => {
                rd(reads, cov, warn);
                let (mut a, mut e) = (cov.clone(), cov.clone());
                check_assigned(then, &mut a, local, warn);
                check_assigned(els, &mut e, local, warn);
                *cov = meet(vec![a, e]);
            }
            S::Case { reads, arms, .. } => {
                rd(reads, cov, warn);
                let cs = arms
                    .iter()
                    .map(|(_, b)| {
                        let mut c = cov.clone();
                        check_assigned(b, &mut c, local, warn);
                        c
                    })
                    .collect();
                *cov = meet(cs);
            }
            S::Comment(_) => {}
        }
    }
}

/// Split top-level statements into components that can live in separate always blocks.
/// Statements writing the same variable stay together; a reader of `v` joins the writers of `v`
/// only if it reads an intermediate value (it sits between two writes).  Any other reader sees the
/// settled value, which is what rust-hdl's fixed-point simulation gives it.
pub fn group(stmts: Vec<S>) -> Vec<Vec<S>> {
    let n = stmts.len();
    let mut up: Vec<usize> = (0..n).collect();
    fn find(up: &mut [usize], i: usize) -> usize {
        let mut i = i;
        while up[i] != i {
            up[i] = up[up[i]];
            i = up[i];
        }
        i
    }
    let mut w: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let info: Vec<_> = stmts.iter().map(|s| (s.writes(), s.all_reads())).collect();
    for (i, (ws, _)) in info.iter().enumerate() {
        for v in ws {
            w.entry(v.clone()).or_default().push(i);
        }
    }
    for ws in w.values() {
        for x in ws {
            let (a, b) = (find(&mut up, ws[0]), find(&mut up, *x));
            up[b] = a;
        }
    }
    for (i, (_, rs)) in info.iter().enumerate() {
        for v in rs {
            if let Some(ws) = w.get(v) {
                if ws[0] < i && i < *ws.last().unwrap() {
                    let (a, b) = (find(&mut up, ws[0]), find(&mut up, i));
                    up[b] = a;
                }
            }
        }
    }
    let mut comps: Vec<(usize, Vec<S>)> = vec![];
    let mut comments = vec![];
    for (i, s) in stmts.into_iter().enumerate() {
        if let S::Comment(_) = s {
            comments.push(s);
            continue;
        }
        let r = find(&mut up, i);
        let k = comps.iter().position(|c| c.0 == r).unwrap_or_else(|| {
            comps.push((r, vec![]));
            comps.len() - 1
        });
        comps[k].1.append(&mut comments);
        comps[k].1.push(s);
    }
    comps.into_iter().map(|c| c.1).collect()
}
