//! From a rust-hdl block to a netlist of modules.
use crate::expr::*;
use crate::netlist::{EmitError, Module as OutModule, Netlist};
use crate::stmt::*;
use rust_hdl::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

// ---------------------------------------------------------------- design tree, from Block::accept

#[derive(Debug, Clone)]
pub(crate) struct Sig {
    pub name: String,
    pub kind: AtomKind,
    pub w: usize,
    pub desc: TypeDescriptor,
    pub val: String,
}
#[derive(Debug, Clone, Default)]
pub(crate) struct Inst {
    pub name: String,
    pub sigs: Vec<Sig>,
    pub subs: Vec<Inst>,
    pub code: Verilog,
}

#[derive(Default)]
struct Collect {
    stack: Vec<(Inst, Vec<String>)>,
    root: Option<Inst>,
}
impl Probe for Collect {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.stack.push((Inst { name: name.into(), code: node.hdl(), ..Default::default() }, vec![]));
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let (i, _) = self.stack.pop().unwrap();
        match self.stack.last_mut() {
            Some((p, ns)) => {
                let mut i = i;
                if !ns.is_empty() {
                    i.name = format!("{}${}", ns.join("$"), i.name);
                }
                p.subs.push(i)
            }
            None => self.root = Some(i),
        }
    }
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.stack.last_mut().unwrap().1.push(name.into());
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.stack.last_mut().unwrap().1.pop();
    }
    fn visit_atom(&mut self, name: &str, a: &dyn Atom) {
        let (i, ns) = self.stack.last_mut().unwrap();
        let name = ns.iter().map(|s| s.as_str()).chain([name]).collect::<Vec<_>>().join("$");
        let (v, _) = literal_value(&a.verilog());
        i.sigs.push(Sig {
            name,
            kind: a.kind(),
            w: a.bits(),
            desc: a.descriptor(),
            val: lit(&v, a.bits().max(1)),
        });
    }
}
pub(crate) fn collect(b: &dyn Block) -> Inst {
    let mut c = Collect::default();
    b.accept("top", &mut c);
    c.root.expect("top must be a LogicBlock")
}

fn is_port(k: AtomKind) -> bool {
    k.is_parameter()
}
fn enums(d: &TypeDescriptor, out: &mut BTreeMap<String, (usize, usize, String)>) {
    match &d.kind {
        TypeKind::Enum(vs) => {
            let w = clog2(vs.len());
            for (i, v) in vs.iter().enumerate() {
                let k = v.replace("::", "$");
                out.insert(k.clone(), (i, w, k.replace('$', "_")));
            }
        }
        TypeKind::Composite(fs) => fs.iter().for_each(|f| enums(&f.kind, out)),
        _ => {}
    }
}
fn width_of(d: &TypeDescriptor) -> usize {
    match &d.kind {
        TypeKind::Bits(n) | TypeKind::Signed(n) => *n,
        TypeKind::Enum(v) => clog2(v.len()),
        TypeKind::Composite(f) => f.iter().map(|f| width_of(&f.kind)).sum(),
    }
}
fn type_note(d: &TypeDescriptor) -> String {
    match &d.kind {
        TypeKind::Enum(_) => format!(" // {}", d.name),
        TypeKind::Composite(fs) => {
            let mut lo = 0;
            let l: Vec<_> = fs
                .iter()
                .map(|f| {
                    let w = width_of(&f.kind);
                    let t = format!("{}[{}:{}]", f.fieldname, lo + w - 1, lo);
                    lo += w;
                    t
                })
                .collect();
            format!(" // {}: {}", d.name, l.join(" "))
        }
        TypeKind::Signed(_) => " // signed".into(),
        _ => String::new(),
    }
}

// ---------------------------------------------------------------- names

const KEYWORDS: &str = " always and assign automatic begin bit buf case casex casez cell config deassign default defparam design disable do edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify endtable endtask event final for force forever fork function generate genvar if ifnone incdir include initial inout input instance int integer interface join large liblist library localparam logic macromodule medium module nand negedge new nmos nor noshowcancelled not notif or output package parameter pmos posedge primitive priority program property pull pulldown pullup rand real realtime ref reg release repeat return scalared sequence signed small specify specparam static string strong strength struct super supply table task this time tran tri type typedef union unique unsigned use var vectored virtual void wait wand while wire with wor xnor xor ";
fn legal(n: &str) -> String {
    let n = n.replace('$', "_");
    if KEYWORDS.contains(&format!(" {n} ")) {
        n + "_"
    } else {
        n
    }
}
fn unique(want: String, used: &mut BTreeSet<String>) -> String {
    let mut n = want.clone();
    let mut i = 1;
    while !used.insert(n.clone()) {
        i += 1;
        n = format!("{want}_{i}");
    }
    n
}
fn rng(w: usize) -> String {
    if w == 1 {
        String::new()
    } else {
        format!("[{}:0] ", w - 1)
    }
}
/// Replace whole identifiers in user-supplied Verilog.
fn rename_words(code: &str, map: &[(String, String)]) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut out = String::new();
    let mut cur = String::new();
    for c in code.chars().chain(['\n']) {
        if word(c) {
            cur.push(c)
        } else {
            out += map.iter().find(|m| m.0 == cur).map(|m| m.1.as_str()).unwrap_or(&cur);
            cur.clear();
            out.push(c);
        }
    }
    out
}

// ---------------------------------------------------------------- emitter

#[derive(Clone, Debug)]
struct Def {
    name: String,
    text: String,
    uses: Vec<String>,
    ports: Vec<(Sig, String)>,
}

/// Turns rust-hdl blocks into Verilog modules, one per distinct definition.
#[derive(Default)]
pub struct Emitter {
    modules: Vec<Def>,
    by_body: HashMap<String, usize>,
    names: BTreeSet<String>,
    cores: Vec<String>,
    warnings: Vec<String>,
}

impl Emitter {
    /// An emitter that knows no definition yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the definition of `sample` a name: an equal definition has an equal body.
    pub fn register(&mut self, name: &str, sample: &dyn Block) -> Result<(), EmitError> {
        self.module(&collect(sample), Some(name), &[]).map(|_| ()).map_err(EmitError::new)
    }

    /// Emits `uut` (after `connect_all()`) as module `name`; `renames` pairs a rust-hdl port path
    /// (`"s$tdata"`) with the port name wanted (`"s_axis_tdata"`).
    pub fn top<B: Block>(
        &mut self,
        name: &str,
        uut: &B,
        renames: &[(&str, &str)],
    ) -> Result<Netlist, EmitError> {
        check_all(uut).map_err(|e| EmitError::new(format!("{e:?}")))?;
        let i = self.module(&collect(uut), Some(name), renames).map_err(EmitError::new)?;
        if let Some(w) = self.warnings.first() {
            return Err(EmitError::new(w.clone()));
        }
        let mut seen = BTreeSet::new();
        let mut todo = vec![self.modules[i].name.clone()];
        while let Some(n) = todo.pop() {
            if seen.insert(n.clone()) {
                if let Some(m) = self.modules.iter().find(|m| m.name == n) {
                    todo.extend(m.uses.iter().cloned());
                }
            }
        }
        let mut out: Vec<OutModule> = self
            .modules
            .iter()
            .filter(|m| seen.contains(&m.name) && !m.text.is_empty())
            .map(|m| OutModule { name: m.name.clone(), text: m.text.clone() })
            .collect();
        if !self.cores.is_empty() {
            out.insert(0, OutModule { name: "cores".into(), text: self.cores.join("\n") });
        }
        Ok(Netlist::new(out))
    }

    fn module(&mut self, m: &Inst, forced: Option<&str>, renames: &[(&str, &str)]) -> Res<usize> {
        let kids = m.subs.iter().map(|s| self.module(s, None, &[])).collect::<Res<Vec<_>>>()?;
        let here = |e: String| format!("{}: {e}", m.name);
        if let Verilog::Blackbox(b) = &m.code {
            if !self.cores.contains(&b.code) {
                self.cores.push(b.code.clone());
            }
            let ports =
                m.sigs.iter().filter(|s| is_port(s.kind)).map(|s| (s.clone(), s.name.clone())).collect();
            return Ok(self.intern(
                Def { name: b.name.clone(), text: String::new(), uses: vec![], ports },
                format!("blackbox {}", b.name),
                &b.name,
            ));
        }
        // --- names
        let mut lw = Lower::default();
        let mut used: BTreeSet<String> = ["x_", "i_", "b_", "s_"].map(String::from).into(); // arguments of helper functions
        let custom = matches!(m.code, Verilog::Custom(_) | Verilog::Wrapper(_));
        let mut vn: BTreeMap<String, String> = BTreeMap::new();
        for s in &m.sigs {
            if s.w == 0 {
                return Err(here(format!("`{}` has no bits", s.name)));
            }
            let want = renames
                .iter()
                .find(|r| r.0 == s.name)
                .map(|r| r.1.to_string())
                .unwrap_or_else(|| legal(&s.name));
            let v = unique(want, &mut used);
            vn.insert(s.name.clone(), v.clone());
            enums(&s.desc, &mut lw.scope.enums);
            let signed = matches!(s.desc.kind, TypeKind::Signed(_));
            let konst = s.kind == AtomKind::Constant;
            lw.scope.syms.insert(
                s.name.clone(),
                Sym {
                    vname: v,
                    w: s.w,
                    signed,
                    readable: true,
                    writable: matches!(s.kind, AtomKind::OutputParameter | AtomKind::LocalSignal),
                    ident: !konst,
                },
            );
        }
        let mut nets: Vec<(Sig, String, usize, bool)> = vec![]; // (port, net, child, driven here)
        for (k, sub) in m.subs.iter().enumerate() {
            for (p, _) in self.modules[kids[k]].ports.clone() {
                let full = format!("{}${}", sub.name, p.name);
                let v = unique(legal(&full), &mut used);
                enums(&p.desc, &mut lw.scope.enums);
                let input = p.kind == AtomKind::InputParameter;
                lw.scope.syms.insert(
                    full.clone(),
                    Sym {
                        vname: v.clone(),
                        w: p.w,
                        signed: matches!(p.desc.kind, TypeKind::Signed(_)),
                        readable: true,
                        writable: input,
                        ident: true,
                    },
                ); // reads of an input: see below
                vn.insert(full, v.clone());
                nets.push((p, v, k, input));
            }
        }
        let inst_names: Vec<String> =
            m.subs.iter().map(|s| unique(format!("u_{}", s.name.replace('$', "_")), &mut used)).collect();

        // --- behaviour
        let mut stmts = match &m.code {
            Verilog::Combinatorial(b) => lw.block(b).map_err(here)?,
            _ => vec![],
        };
        let mut wanted = forced.map(str::to_string);
        if let Some(S::Comment(c)) = stmts.first() {
            if let Some(n) = c.strip_prefix("module ") {
                wanted = wanted.or(Some(n.trim().into()));
                stmts.remove(0);
            }
        }
        let mut header = String::new();
        while let Some(S::Comment(c)) = stmts.first() {
            header += &format!("// {c}\n");
            stmts.remove(0);
        }
        let driven: Names = stmts.iter().flat_map(|s| s.writes()).collect();
        let mut cov = BTreeMap::new();
        let mut warn = Names::new();
        check_assigned(&stmts, &mut cov, &driven, &mut warn);
        for v in &driven {
            if !cov.get(v).is_some_and(|c| c.iter().all(|x| *x)) {
                return Err(here(format!("`{v}` is not assigned on every path (latch)")));
            }
        }
        for w in warn {
            self.warnings.push(here(w));
        }

        // `sub.x.val()` of an input is the settled value, whatever the position of the read
        for (_, v, k, _) in nets.iter().filter(|n| n.3) {
            for (r, s) in stmts.iter().enumerate() {
                if s.all_reads().contains(v)
                    && stmts.iter().enumerate().any(|(w, s)| w >= r && s.writes().contains(v))
                {
                    return Err(here(format!(
                        "`{v}` (input of `{}`) is read before its last assignment",
                        m.subs[*k].name
                    )));
                }
            }
        }

        // --- inputs of submodules that are plain copies of a settled net: connect directly
        let mut direct: BTreeMap<String, String> = BTreeMap::new();
        if let Verilog::Combinatorial(b) = &m.code {
            fn links(b: &[ast::VerilogStatement], f: &mut Vec<(String, String)>) {
                for s in b {
                    match s {
                        ast::VerilogStatement::Link(l) => {
                            f.extend(l.iter().map(link_ends).filter(|l| l.2).map(|l| (l.0, l.1)))
                        }
                        ast::VerilogStatement::Macro(b) => links(b, f),
                        _ => {}
                    }
                }
            }
            let mut f = vec![];
            links(b, &mut f);
            for (a, b) in f {
                let (a, b) = (lw.canonical(&a)?, lw.canonical(&b)?);
                let (outer, inner) = if m.sigs.iter().any(|s| s.name == a) { (a, b) } else { (b, a) };
                if let (Some(o), Some(i)) = (vn.get(&outer), vn.get(&inner)) {
                    direct.insert(i.clone(), o.clone());
                }
            }
        }
        let copies: Vec<(usize, String, String)> = stmts
            .iter()
            .enumerate()
            .filter_map(|(i, s)| match s {
                S::Assign { lhs, range: None, code, reads, .. }
                    if reads.len() == 1 && reads.contains(code) && nets.iter().any(|n| n.1 == *lhs) =>
                {
                    Some((i, lhs.clone(), code.clone()))
                }
                _ => None,
            })
            .collect();
        let read: Names = stmts.iter().flat_map(|s| s.all_reads()).collect();
        let mut drop = BTreeSet::new();
        for (i, l, r) in copies {
            let once = stmts.iter().enumerate().all(|(j, s)| j == i || !s.writes().contains(&l));
            let settled = stmts.iter().enumerate().all(|(j, s)| j < i || !s.writes().contains(&r))
                || stmts.iter().enumerate().all(|(j, s)| j > i || !s.writes().contains(&r));
            if once && settled && !read.contains(&l) {
                direct.insert(l, r);
                drop.insert(i);
            }
        }
        let stmts: Vec<S> =
            stmts.into_iter().enumerate().filter(|(i, _)| !drop.contains(i)).map(|x| x.1).collect();
        let comps = group(stmts);
        let simple = |c: &Vec<S>| {
            c.iter().filter(|s| !matches!(s, S::Comment(_))).count() == 1
                && matches!(c.last(), Some(S::Assign { range: None, .. }))
        };
        let mut regs = Names::new();
        for c in &comps {
            if !simple(c) {
                let w: Names = c.iter().flat_map(|s| s.writes()).collect();
                if c.iter().all(|s| s.all_reads().is_empty()) {
                    self.warnings
                        .push(here(format!("{w:?}: a block of constants never triggers always @(*)")));
                }
                regs.extend(w);
            }
        }

        // --- text
        let mut t = header;
        t += "module @MODULE@ (\n";
        let mut ports: Vec<(Sig, String)> = vec![];
        let mut lines = vec![];
        let mut last = String::new();
        for s in m.sigs.iter().filter(|s| is_port(s.kind)) {
            let v = vn[&s.name].clone();
            let dir = match s.kind {
                AtomKind::InputParameter => "input  wire",
                AtomKind::OutputParameter if matches!(m.code, Verilog::Custom(_)) || regs.contains(&v) => {
                    "output reg "
                }
                AtomKind::OutputParameter => "output wire",
                _ => "inout  wire",
            };
            let grp = s.name.rsplit_once('$').map(|x| x.0).unwrap_or("").to_string();
            if grp != last && !grp.is_empty() {
                lines.push((format!("  // {grp}"), String::new()));
            }
            last = grp;
            let unread = s.kind == AtomKind::InputParameter && !custom && !read.contains(&v);
            let pr = if unread {
                ("/* verilator lint_off UNUSEDSIGNAL */ ", " /* verilator lint_on UNUSEDSIGNAL */")
            } else {
                ("", "")
            };
            lines.push((
                format!("  {}{dir} {:>8}{v}", pr.0, rng(s.w)),
                format!("{}{}", pr.1, type_note(&s.desc)),
            ));
            ports.push((s.clone(), v));
        }
        let lastp = lines.iter().rposition(|l| !l.0.starts_with("  //")).unwrap_or(0);
        for (i, (a, n)) in lines.iter().enumerate() {
            let c = if a.starts_with("  //") || i == lastp { "" } else { "," };
            t += &format!("{a}{c}{n}\n");
        }
        t += ");\n";
        for s in m.sigs.iter().filter(|s| s.kind == AtomKind::Constant) {
            t += &format!("  localparam {}{} = {};\n", rng(s.w), vn[&s.name], s.val);
        }
        for (v, w, n) in lw.scope.enums.values() {
            if lw.used_enums.contains(n) {
                t += &format!("  localparam {}{n} = {};\n", rng(*w), lit(&(*v).into(), *w));
            }
        }
        let decl = |v: &str, w: usize, note: String, is_read: bool| {
            let k = if regs.contains(v) { "reg " } else { "wire" };
            let d = format!("  {k} {:>8}{v};{note}\n", rng(w));
            if is_read {
                d
            } else {
                format!(
                    "  /* verilator lint_off UNUSEDSIGNAL */\n{d}  /* verilator lint_on UNUSEDSIGNAL */\n"
                )
            }
        };
        if !custom {
            for s in m.sigs.iter().filter(|s| s.kind == AtomKind::LocalSignal) {
                let v = &vn[&s.name];
                if driven.contains(v) || read.contains(v) {
                    t += &decl(v, s.w, type_note(&s.desc), read.contains(v));
                }
            }
        }
        for (p, v, _, input) in &nets {
            if !direct.contains_key(v) {
                t += &decl(v, p.w, type_note(&p.desc), *input || read.contains(v));
            }
        }
        for f in lw.funcs.values() {
            t += "\n";
            for l in f.lines() {
                t += &format!("  {l}\n");
            }
        }
        for (k, sub) in m.subs.iter().enumerate() {
            let child = &self.modules[kids[k]];
            t += &format!("\n  {} {} (\n", child.name, inst_names[k]);
            let _ = sub;
            let l: Vec<_> = child
                .ports
                .iter()
                .zip(nets.iter().filter(|n| n.2 == k))
                .map(|((_, pv), (_, net, _, _))| format!("    .{pv}({})", direct.get(net).unwrap_or(net)))
                .collect();
            t += &l.join(",\n");
            t += "\n  );\n";
        }
        let mut was_assign = false;
        for c in &comps {
            if !(was_assign && simple(c)) {
                t += "\n";
            }
            was_assign = simple(c);
            if simple(c) {
                for s in c {
                    match s {
                        S::Assign { lhs, code, .. } => t += &format!("  assign {lhs} = {};\n", strip(code)),
                        s => s.print(1, &mut t),
                    }
                }
            } else {
                t += "  always @(*) begin\n";
                c.iter().for_each(|s| s.print(2, &mut t));
                t += "  end\n";
            }
        }
        let map: Vec<_> = vn.iter().filter(|(a, b)| a != b).map(|(a, b)| (a.clone(), b.clone())).collect();
        let user = match &m.code {
            Verilog::Custom(c) => Some(c),
            Verilog::Wrapper(w) => {
                if !self.cores.contains(&w.cores) {
                    self.cores.push(w.cores.clone());
                }
                Some(&w.code)
            }
            _ => None,
        };
        if let Some(c) = user {
            let mut c = rename_words(c, &map);
            if let Some((n, rest)) = c.strip_prefix("// module ").and_then(|r| r.split_once('\n')) {
                wanted = wanted.or(Some(n.trim().into()));
                c = rest.to_string();
            }
            t += "\n";
            for l in c.trim_end().lines() {
                t += format!("  {l}").trim_end();
                t += "\n";
            }
        }
        t += "endmodule\n";
        let uses = kids.iter().map(|k| self.modules[*k].name.clone()).collect();
        let base = wanted.unwrap_or_else(|| {
            let mut n = m.name.as_str();
            while let Some((a, i)) = n.rsplit_once('$') {
                if i.chars().all(|c| c.is_ascii_digit()) {
                    n = a
                } else {
                    break;
                }
            }
            legal(n)
        });
        Ok(self.intern(Def { name: String::new(), text: String::new(), uses, ports }, t, &base))
    }

    fn intern(&mut self, mut m: Def, body: String, base: &str) -> usize {
        if let Some(i) = self.by_body.get(&body) {
            return *i;
        }
        m.name = if body.starts_with("blackbox ") {
            base.to_string()
        } else {
            unique(legal(base), &mut self.names)
        };
        if !body.starts_with("blackbox ") {
            m.text = body.replace("@MODULE@", &m.name).replace(") (\n);", "();");
        }
        self.by_body.insert(body, self.modules.len());
        self.modules.push(m);
        self.modules.len() - 1
    }
}
