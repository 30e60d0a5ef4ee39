//! Lowering of `ast::VerilogExpression` to width-exact Verilog-2005 text.
//!
//! Invariant: the `code` of every `V::Ex` is a *self-determined* Verilog expression whose width is
//! exactly `w`, and every operand of every context-determined operator is emitted at the operator's
//! own width.  Nothing is therefore ever widened by context (no lost carry, no `~` widening), and no
//! tool has a reason to print a WIDTH warning.  Anything the AST does not determine is an error.
use num_bigint::{BigInt, Sign};
use rust_hdl::core::ast::*;
use rust_hdl::core::bits::clog2;
use std::collections::{BTreeMap, BTreeSet};

pub type Res<T> = Result<T, String>;

/// A lowered value.
#[derive(Clone, Debug)]
pub enum V {
    /// Known at generation time: literal, unrolled loop index, enum variant, arithmetic on those.
    /// `w == None`: width not in the AST (Rust inferred it); it adapts to its context.
    Const { v: BigInt, w: Option<usize>, signed: bool },
    /// Run-time value of exactly `w` bits.  `ident`: a plain identifier (bit selects are legal).
    Ex { code: String, w: usize, signed: bool, ident: bool },
    /// `signed_bit_cast(x)`: sign extension/truncation to a width that the AST has lost.
    Sx { code: String, w: usize, ident: bool },
}

#[derive(Clone, Debug)]
pub struct Sym {
    pub vname: String,
    pub w: usize,
    pub signed: bool,
    pub readable: bool,
    pub writable: bool,
    pub ident: bool,
}

/// What names mean inside one module.
#[derive(Default)]
pub struct Scope {
    pub syms: BTreeMap<String, Sym>,
    /// "State$Idle" -> (value, width, verilog localparam name)
    pub enums: BTreeMap<String, (usize, usize, String)>,
}

#[derive(Default)]
pub struct Lower {
    pub scope: Scope,
    pub loops: Vec<(String, i64)>,
    pub funcs: BTreeMap<String, String>,
    pub reads: BTreeSet<String>,
    pub used_enums: BTreeSet<String>,
}

pub fn mask(v: &BigInt, w: usize) -> BigInt {
    let m = BigInt::from(1) << w;
    let r = v % &m;
    if r.sign() == Sign::Minus {
        r + m
    } else {
        r
    }
}

pub fn lit(v: &BigInt, w: usize) -> String {
    let v = mask(v, w);
    if w == 1 {
        format!("1'b{v}")
    } else if v < BigInt::from(10) {
        format!("{w}'d{v}")
    } else {
        format!("{w}'h{v:x}")
    }
}

/// `VerilogLiteral`'s fields are private; its `LowerHex` is public ("32'hff", "32'h-5").
pub fn literal_value(l: &VerilogLiteral) -> (BigInt, usize) {
    let s = format!("{l:x}");
    let (w, h) = s.split_once("'h").expect("literal format");
    (BigInt::parse_bytes(h.as_bytes(), 16).expect("literal"), w.parse().unwrap())
}

fn rng(w: usize) -> String {
    if w == 1 {
        String::new()
    } else {
        format!("[{}:0] ", w - 1)
    }
}
fn zext(code: &str, w: usize, to: usize) -> String {
    if to == w {
        code.into()
    } else {
        format!("{{{}, {}}}", lit(&0.into(), to - w), code)
    }
}
fn konst(v: impl Into<BigInt>) -> V {
    V::Const { v: v.into(), w: None, signed: false }
}
fn ex(code: String, w: usize) -> V {
    V::Ex { code, w, signed: false, ident: false }
}

impl Lower {
    fn func(
        &mut self,
        name: String,
        inputs: &[(&str, usize)],
        w: usize,
        local: Option<usize>,
        body: &str,
    ) -> String {
        let mut t = format!("// verilator lint_off UNUSEDSIGNAL\nfunction {}{name};\n", rng(w));
        for (n, iw) in inputs {
            t += &format!("  input {}{n};\n", rng(*iw));
        }
        if let Some(l) = local {
            t += &format!("  reg {}s_;\n", rng(l));
        }
        t += &format!(
            "  begin\n    {}\n  end\nendfunction\n// verilator lint_on UNUSEDSIGNAL\n",
            body.replace("@", &name).replace("; ", ";\n    ")
        );
        self.funcs.insert(name.clone(), t);
        name
    }

    /// Bits `[lo +: m]` of an expression, zeros past the top (Rust: `bit_cast::<M>(x >> lo)`).
    fn slice(&mut self, code: &str, w: usize, ident: bool, lo: usize, m: usize) -> String {
        if lo >= w {
            return lit(&0.into(), m);
        }
        let n = m.min(w - lo); // bits that exist
        let part = if lo == 0 && n == w {
            code.to_string()
        } else if ident && n == 1 {
            format!("{code}[{lo}]")
        } else if ident {
            format!("{code}[{}:{lo}]", lo + n - 1)
        } else {
            let sel = if n == 1 { format!("x_[{lo}]") } else { format!("x_[{}:{lo}]", lo + n - 1) };
            let f = self.func(format!("f_slice_{w}_{lo}_{n}"), &[("x_", w)], n, None, &format!("@ = {sel};"));
            format!("{f}({code})")
        };
        zext(&part, n, m)
    }

    /// Sign extension or truncation.
    fn sext(&mut self, code: &str, w: usize, ident: bool, m: usize) -> String {
        if m == w {
            code.into()
        } else if m < w {
            self.slice(code, w, ident, 0, m)
        } else if ident && w > 1 {
            format!("{{{{{}{{{code}[{}]}}}}, {code}}}", m - w, w - 1)
        } else if w == 1 {
            format!("{{{m}{{{code}}}}}")
        } else {
            let f = self.func(
                format!("f_sext_{w}_{m}"),
                &[("x_", w)],
                m,
                None,
                &format!("@ = {{{{{}{{x_[{}]}}}}, x_}};", m - w, w - 1),
            );
            format!("{f}({code})")
        }
    }

    /// Text of `v` at exactly `w` bits; errors if the value has another known width.
    pub fn fit(&mut self, v: &V, w: usize) -> Res<String> {
        match v {
            V::Const { v: c, w: cw, signed } => {
                if let Some(cw) = cw {
                    if *cw != w {
                        return Err(format!("constant of {cw} bits used where {w} bits are needed"));
                    }
                }
                let neg = c.sign() == Sign::Minus;
                let bits =
                    if neg { (c + 1i32).bits() + 1 } else { c.bits() + if *signed { 1 } else { 0 } } as usize;
                if bits > w {
                    return Err(format!("literal {c} does not fit {w} bits (Rust would panic)"));
                }
                Ok(lit(c, w))
            }
            V::Ex { code, w: ew, .. } if *ew == w => Ok(code.clone()),
            V::Ex { code, w: ew, .. } => {
                Err(format!("width mismatch: `{code}` has {ew} bits, context needs {w}"))
            }
            V::Sx { code, w: ew, ident } => Ok(self.sext(code, *ew, *ident, w)),
        }
    }

    fn width(v: &V) -> Option<usize> {
        match v {
            V::Const { w, .. } => *w,
            V::Ex { w, .. } => Some(*w),
            V::Sx { .. } => None,
        }
    }
    fn is_signed(v: &V) -> bool {
        match v {
            V::Const { signed, .. } | V::Ex { signed, .. } => *signed,
            V::Sx { .. } => true,
        }
    }

    /// Replace `name[k+1]$q` by `name$3$q`, with the loop indices of the moment.
    pub fn canonical(&self, n: &str) -> Res<String> {
        let mut out = String::new();
        let mut rest = n.trim_start_matches('.');
        while let Some(a) = rest.find('[') {
            let b = rest[a..].find(']').ok_or("unbalanced []")? + a;
            let i = IndexEval { s: &rest.as_bytes()[a + 1..b], p: 0, l: &self.loops }
                .run()
                .map_err(|e| format!("array index in `{n}`: {e}"))?;
            out += &format!("{}${i}", &rest[..a]);
            rest = &rest[b + 1..];
        }
        out += rest;
        Ok(out.replace("::", "$").replace('.', "$").trim_end_matches("$next").to_string())
    }

    pub fn enum_variant(&mut self, n: &str) -> Res<Option<V>> {
        let suffix = format!("${n}");
        let hit: Vec<_> = self
            .scope
            .enums
            .iter()
            .filter(|(k, _)| {
                *k == n || n.ends_with(&format!("${k}")) || (!n.contains('$') && k.ends_with(&suffix))
            })
            .map(|(_, v)| v.clone())
            .collect();
        match hit.len() {
            0 => Ok(None),
            1 => {
                let (_, w, name) = hit[0].clone();
                self.used_enums.insert(name.clone());
                Ok(Some(ex(name, w)))
            }
            _ => Err(format!("ambiguous enum variant `{n}`")),
        }
    }

    fn signal(&mut self, raw: &str) -> Res<V> {
        if let Some((_, v)) = self.loops.iter().rev().find(|(n, _)| n == raw) {
            // fixup_ident() erases "self.", so `self.k` and a loop index `k` look the same
            if self.scope.syms.contains_key(raw) {
                return Err(format!("loop index `{raw}` has the name of a signal: ambiguous in the AST"));
            }
            return Ok(konst(*v));
        }
        let n = self.canonical(raw)?;
        if let Some(s) = self.scope.syms.get(&n).cloned() {
            if !s.readable {
                return Err(format!("`{n}` is a submodule input: its .val() is the value of the previous delta, do not read it"));
            }
            self.reads.insert(s.vname.clone());
            return Ok(V::Ex { code: s.vname, w: s.w, signed: s.signed, ident: s.ident });
        }
        if let Some(v) = self.enum_variant(&n)? {
            return Ok(v);
        }
        Err(format!("unknown name `{raw}` (a Rust const or const generic? use a Constant<..> field)"))
    }

    pub fn boolean(&mut self, e: &VerilogExpression) -> Res<V> {
        let v = self.expr(e)?;
        match &v {
            V::Ex { w: 1, .. } | V::Const { .. } => Ok(v),
            _ => Err("condition is not one bit".into()),
        }
    }

    pub fn expr(&mut self, e: &VerilogExpression) -> Res<V> {
        use VerilogExpression as E;
        Ok(match e {
            E::Paren(x) => self.expr(x)?,
            E::Signal(n) => self.signal(n)?,
            E::Literal(l) => {
                let (v, w) = literal_value(l);
                V::Const { v, w: if w == 1 { Some(1) } else { None }, signed: false }
            }
            E::Cast(x, m) => {
                match self.expr(x)? {
                    V::Const { v, .. } => V::Const { v: mask(&v, *m), w: Some(*m), signed: false },
                    V::Ex { code, w, ident, .. } => {
                        let same = w == *m;
                        let c = self.slice(&code, w, ident, 0, *m);
                        V::Ex { code: c, w: *m, signed: false, ident: ident && same }
                    }
                    V::Sx { .. } => return Err(
                        "bit_cast of signed_bit_cast: the intermediate width is not in the AST; use a Local"
                            .into(),
                    ),
                }
            }
            E::Signed(x) => match self.expr(x)? {
                V::Const { v, w, .. } => V::Const { v, w, signed: true },
                V::Ex { code, w, ident, signed: false } => V::Ex { code, w, ident, signed: true },
                V::Ex { code, w, ident, signed: true } => V::Sx { code, w, ident },
                V::Sx { .. } => {
                    return Err("nested signed_bit_cast: intermediate width lost; use a Local".into())
                }
            },
            E::Unsigned(x) => match self.expr(x)? {
                V::Const { v, w, .. } => V::Const { v, w, signed: false },
                V::Ex { code, w, ident, .. } => V::Ex { code, w, ident, signed: false },
                V::Sx { .. } => {
                    return Err("unsigned_cast of signed_bit_cast: width lost; use a Local".into())
                }
            },
            E::Unary(o, x) => self.unary(o, x)?,
            E::Binary(l, o, r) => self.binary(l, o, r)?,
            E::Slice(x, m, off) => {
                let (code, w, ident, signed) = self.target(x)?;
                let c = match self.index(off)? {
                    V::Const { v, .. } => {
                        let lo = usize::try_from(v).map_err(|_| "negative offset")?;
                        if lo > w {
                            return Err(format!("get_bits offset {lo} past {w} bits"));
                        }
                        self.slice(&code, w, ident, lo, *m)
                    }
                    V::Ex { code: i, w: iw, .. } => {
                        let n = (*m).min(w);
                        let sel = if n == 1 { "s_[0]".into() } else { format!("s_[{}:0]", n - 1) };
                        let f = if w == 1 {
                            return Err("dynamic get_bits of one bit".into());
                        } else {
                            self.func(
                                format!("f_bits_{w}_{iw}_{n}"),
                                &[("x_", w), ("i_", iw)],
                                n,
                                Some(w),
                                &format!("s_ = x_ >> i_; @ = {sel};"),
                            )
                        };
                        zext(&format!("{f}({code}, {i})"), n, *m)
                    }
                    _ => unreachable!(),
                };
                V::Ex { code: c, w: *m, signed, ident: false }
            }
            E::Index(x, i) => {
                let (code, w, ident, _) = self.target(x)?;
                match self.index(i)? {
                    V::Const { v, .. } => {
                        let lo = usize::try_from(v).map_err(|_| "negative index")?;
                        if lo >= w {
                            return Err(format!("get_bit({lo}) of {w} bits"));
                        }
                        ex(self.slice(&code, w, ident, lo, 1), 1)
                    }
                    V::Ex { code: i, w: iw, .. } => {
                        if w == 1 {
                            return Ok(ex(code, 1));
                        } // index must be 0 in Rust
                        let need = clog2(w);
                        if ident && iw <= need && w == 1 << need {
                            ex(format!("{code}[{}]", zext(&i, iw, need)), 1)
                        } else {
                            let f = self.func(
                                format!("f_bit_{w}_{iw}"),
                                &[("x_", w), ("i_", iw)],
                                1,
                                Some(w),
                                "s_ = x_ >> i_; @ = s_[0];",
                            );
                            ex(format!("{f}({code}, {i})"), 1)
                        }
                    }
                    _ => unreachable!(),
                }
            }
            E::IndexReplace(x, i, b) => {
                let (code, w, ident, signed) = self.target(x)?;
                let b = self.expr(b)?;
                let b = self.fit(&b, 1)?;
                let c = match self.index(i)? {
                    V::Const { v, .. } => {
                        let k = usize::try_from(v).map_err(|_| "negative index")?;
                        if k >= w {
                            return Err(format!("replace_bit({k}) of {w} bits"));
                        }
                        let mut p = vec![];
                        if k + 1 < w {
                            p.push(self.slice(&code, w, ident, k + 1, w - k - 1));
                        }
                        p.push(b);
                        if k > 0 {
                            p.push(self.slice(&code, w, ident, 0, k));
                        }
                        format!("{{{}}}", p.join(", "))
                    }
                    V::Ex { w: iw, code: i, .. } if w > 1 => {
                        let z = lit(&0.into(), w - 1); // one-hot mask: 8 % fewer yosys cells than `y[i] = b`
                        let body = format!("@ = (x_ & ~({{{z}, 1'b1}} << i_)) | ({{{z}, b_}} << i_);");
                        let f = self.func(
                            format!("f_setbit_{w}_{iw}"),
                            &[("x_", w), ("i_", iw), ("b_", 1)],
                            w,
                            None,
                            &body,
                        );
                        format!("{f}({code}, {i}, {b})")
                    }
                    _ => b, // one-bit vector: index must be 0
                };
                V::Ex { code: c, w, signed, ident: false }
            }
        })
    }

    /// Operand of a bit selection: must have a known width.
    fn target(&mut self, e: &VerilogExpression) -> Res<(String, usize, bool, bool)> {
        match self.expr(e)? {
            V::Ex { code, w, ident, signed } => Ok((code, w, ident, signed)),
            V::Const { v, w: Some(w), signed } => Ok((lit(&v, w), w, false, signed)),
            _ => Err("bit selection of a value whose width is not in the AST".into()),
        }
    }

    /// Index/offset.  `.index()` leaves no trace in the AST, so `x.index() + 1` (usize arithmetic)
    /// and `(x + 1).index()` (wraps) differ only by a Paren: the first form is refused.
    fn index(&mut self, e: &VerilogExpression) -> Res<V> {
        let v = self.expr(e)?;
        match (&v, e) {
            (V::Const { .. }, _) => Ok(v),
            (V::Ex { .. }, VerilogExpression::Binary(..)) => {
                Err("usize arithmetic on .index(): write (a + b).index() or use a Local".into())
            }
            (V::Ex { .. }, _) => Ok(v),
            _ => Err("index of unknown width".into()),
        }
    }

    fn unary(&mut self, o: &VerilogOpUnary, x: &VerilogExpression) -> Res<V> {
        let v = self.expr(x)?;
        match (o, v) {
            (VerilogOpUnary::Neg, V::Const { v, w, .. }) => Ok(V::Const { v: -v, w, signed: true }),
            (VerilogOpUnary::Not, V::Const { v, w: Some(w), signed }) => {
                Ok(V::Const { v: mask(&(-v - 1i32), w), w: Some(w), signed })
            }
            (o, V::Ex { code, w, signed, .. }) => Ok(match o {
                VerilogOpUnary::Not => V::Ex { code: format!("(~{code})"), w, signed, ident: false },
                VerilogOpUnary::Neg => V::Ex { code: format!("(-{code})"), w, signed, ident: false },
                VerilogOpUnary::All => ex(format!("(&{code})"), 1),
                VerilogOpUnary::Any => ex(format!("(|{code})"), 1),
                VerilogOpUnary::Xor => ex(format!("(^{code})"), 1),
            }),
            _ => Err("unary operator on a value whose width is not in the AST".into()),
        }
    }

    fn binary(&mut self, l: &VerilogExpression, o: &VerilogOp, r: &VerilogExpression) -> Res<V> {
        use VerilogOp::*;
        let (l, r) = (self.expr(l)?, self.expr(r)?);
        let signed = Self::is_signed(&l) || Self::is_signed(&r);
        if let (V::Const { v: a, w: None, .. }, V::Const { v: b, w: None, .. }) = (&l, &r) {
            return Self::fold(a, o, b);
        }
        match o {
            Shl | Shr => {
                let (sh, huge) = match &r {
                    // shift amounts are self-determined in Verilog
                    V::Const { v, .. } => {
                        let w = (v.bits() as usize).max(1);
                        (lit(v, w), Some(usize::try_from(v.clone()).unwrap_or(usize::MAX)))
                    }
                    V::Ex { code, .. } => (code.clone(), None),
                    _ => return Err("shift amount of unknown width".into()),
                };
                // `1 << x.val()` is LiteralType << Bits<N> = Bits<64> in Rust
                let (code, w) = match &l {
                    V::Const { v, w: None, .. } => (lit(v, 64), 64),
                    V::Const { v, w: Some(w), .. } => (lit(v, *w), *w),
                    V::Ex { code, w, .. } => (code.clone(), *w),
                    _ => return Err("shift of unknown width".into()),
                };
                if matches!(huge, Some(h) if h >= w) {
                    return Ok(V::Const { v: 0.into(), w: Some(w), signed });
                }
                Ok(V::Ex {
                    code: format!("({code} {} {sh})", if matches!(o, Shl) { "<<" } else { ">>" }),
                    w,
                    signed,
                    ident: false,
                })
            }
            Mul => {
                let (Some(a), Some(b)) = (Self::width(&l), Self::width(&r)) else {
                    return Err("multiply by a literal: width not in the AST".into());
                };
                let (lc, rc, w) = (self.fit(&l, a)?, self.fit(&r, b)?, a + b);
                let (li, ri) =
                    (matches!(l, V::Ex { ident: true, .. }), matches!(r, V::Ex { ident: true, .. }));
                let (lc, rc) = if signed {
                    (self.sext(&lc, a, li, w), self.sext(&rc, b, ri, w))
                } else {
                    (zext(&lc, a, w), zext(&rc, b, w))
                };
                Ok(V::Ex { code: format!("({lc} * {rc})"), w, signed, ident: false })
            }
            _ => {
                let w = match (Self::width(&l), Self::width(&r)) {
                    (Some(a), Some(b)) if a == b => a,
                    (Some(a), Some(1)) if matches!(o, Add) => a, // Bits<N> + bool
                    (Some(a), Some(b)) => return Err(format!("operand widths {a} and {b} differ ({o:?})")),
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => {
                        return Err(format!("neither operand of {o:?} has a width in the AST; use a Local"))
                    }
                };
                let lc = self.fit(&l, w)?;
                let rc = if Self::width(&r) == Some(1) && w != 1 {
                    let c = self.fit(&r, 1)?;
                    zext(&c, 1, w)
                } else {
                    self.fit(&r, w)?
                };
                let (op, cmp) = match o {
                    Add => ("+", 0),
                    Sub => ("-", 0),
                    BitXor => ("^", 0),
                    BitAnd => ("&", 0),
                    BitOr => ("|", 0),
                    LogicalAnd => ("&", 0),
                    LogicalOr => ("|", 0),
                    Eq => ("==", 1),
                    Ne => ("!=", 1),
                    Lt => ("<", 2),
                    Le => ("<=", 2),
                    Ge => (">=", 2),
                    Gt => (">", 2),
                    _ => unreachable!(),
                };
                Ok(if cmp == 2 && signed {
                    ex(format!("($signed({lc}) {op} $signed({rc}))"), 1)
                } else if cmp > 0 {
                    ex(format!("({lc} {op} {rc})"), 1)
                } else {
                    V::Ex { code: format!("({lc} {op} {rc})"), w, signed, ident: false }
                })
            }
        }
    }

    /// Plain integer arithmetic (loop indices); mirrors usize, so underflow is an error.
    fn fold(a: &BigInt, o: &VerilogOp, b: &BigInt) -> Res<V> {
        use VerilogOp::*;
        let s = || usize::try_from(b.clone()).map_err(|_| "bad shift".to_string());
        let v = match o {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            BitXor => a ^ b,
            BitAnd => a & b,
            BitOr => a | b,
            Shl => a << s()?,
            Shr => a >> s()?,
            Eq => ((a == b) as u8).into(),
            Ne => ((a != b) as u8).into(),
            Lt => ((a < b) as u8).into(),
            Le => ((a <= b) as u8).into(),
            Ge => ((a >= b) as u8).into(),
            Gt => ((a > b) as u8).into(),
            LogicalAnd | LogicalOr => return Err("&& of integers".into()),
        };
        if matches!(o, Sub) && v.sign() == Sign::Minus {
            return Err(format!("{a} - {b} underflows usize"));
        }
        Ok(V::Const {
            v,
            w: if matches!(o, Eq | Ne | Lt | Le | Ge | Gt) { Some(1) } else { None },
            signed: false,
        })
    }
}

/// `k`, `3`, `+ - * / %`, parentheses.
struct IndexEval<'a> {
    s: &'a [u8],
    p: usize,
    l: &'a [(String, i64)],
}
impl IndexEval<'_> {
    fn run(mut self) -> Res<i64> {
        let v = self.sum()?;
        if self.p == self.s.len() {
            Ok(v)
        } else {
            Err("not a constant expression of loop indices".into())
        }
    }
    fn sum(&mut self) -> Res<i64> {
        let mut v = self.prod()?;
        while let Some(c @ (b'+' | b'-')) = self.peek() {
            self.p += 1;
            let r = self.prod()?;
            v = if c == b'+' { v + r } else { v - r };
        }
        Ok(v)
    }
    fn prod(&mut self) -> Res<i64> {
        let mut v = self.atom()?;
        while let Some(c @ (b'*' | b'/' | b'%')) = self.peek() {
            self.p += 1;
            let r = self.atom()?;
            if r == 0 && c != b'*' {
                return Err("division by zero".into());
            }
            v = match c {
                b'*' => v * r,
                b'/' => v / r,
                _ => v % r,
            };
        }
        Ok(v)
    }
    fn peek(&mut self) -> Option<u8> {
        while self.s.get(self.p) == Some(&b' ') {
            self.p += 1;
        }
        self.s.get(self.p).copied()
    }
    fn atom(&mut self) -> Res<i64> {
        if self.peek() == Some(b'(') {
            self.p += 1;
            let v = self.sum()?;
            if self.peek() != Some(b')') {
                return Err("missing )".into());
            }
            self.p += 1;
            return Ok(v);
        }
        let a = self.p;
        while matches!(self.peek(), Some(c) if c.is_ascii_alphanumeric() || c == b'_') {
            self.p += 1;
        }
        let t = std::str::from_utf8(&self.s[a..self.p]).unwrap();
        if let Ok(v) = t.trim_end_matches("usize").trim_end_matches('_').replace('_', "").parse() {
            return Ok(v);
        }
        self.l
            .iter()
            .rev()
            .find(|x| x.0 == t)
            .map(|x| x.1)
            .ok_or(format!("`{}` is not constant", String::from_utf8_lossy(self.s)))
    }
}
