//! The visitor.
use super::Rule;
use proc_macro2::LineColumn;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprForLoop, ExprMethodCall, ExprPath, ExprRange, ImplItemFn, Pat};

/// rust-hdl's functions that have a translation.
const FUNCTIONS: [&str; 6] = ["bit_cast", "bits", "signed_bit_cast", "signed_cast", "unsigned_cast", "Bits"];

/// Collects what the kernels of a file must not say.
#[derive(Default)]
pub(super) struct Kernels {
    pub found: Vec<(LineColumn, Rule)>,
}

impl<'ast> Visit<'ast> for Kernels {
    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        let kernel = |attribute: &syn::Attribute| {
            attribute.path().segments.last().is_some_and(|segment| segment.ident == "hdl_gen")
        };
        if function.attrs.iter().any(kernel) {
            let mut kernel = Kernel { found: &mut self.found, loops: vec![] };
            kernel.visit_block(&function.block);
        }
        visit::visit_impl_item_fn(self, function);
    }
}

struct Kernel<'a> {
    found: &'a mut Vec<(LineColumn, Rule)>,
    /// Loop indices in scope.
    loops: Vec<String>,
}

impl Kernel<'_> {
    fn refuse(&mut self, at: &impl Spanned, rule: Rule) {
        self.found.push((at.span().start(), rule));
    }

    /// The index of a bit selection: `x.index()` is allowed here, and only as a whole.
    fn visit_index(&mut self, index: &Expr) {
        match index {
            Expr::MethodCall(call) if call.method == "index" => self.visit_expr(&call.receiver),
            other => self.visit_expr(other),
        }
    }
}

impl<'ast> Visit<'ast> for Kernel<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        match call.method.to_string().as_str() {
            "get_bit" | "get_bits" | "replace_bit" => {
                self.visit_expr(&call.receiver);
                let mut arguments = call.args.iter();
                if let Some(index) = arguments.next() {
                    self.visit_index(index);
                }
                arguments.for_each(|argument| self.visit_expr(argument));
            }
            "index" => {
                self.refuse(&call.method, Rule::Index);
                self.visit_expr(&call.receiver);
            }
            _ => {
                self.visit_expr(&call.receiver);
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
        }
    }

    fn visit_expr_for_loop(&mut self, body: &'ast ExprForLoop) {
        if let Expr::Range(range) = body.expr.as_ref() {
            if matches!(range.limits, syn::RangeLimits::Closed(_)) {
                self.refuse(range, Rule::InclusiveRange);
            }
        }
        let before = self.loops.len();
        if let Pat::Ident(index) = body.pat.as_ref() {
            self.loops.push(index.ident.to_string());
        }
        // The bounds are evaluated by Rust: any constant is fine there.
        self.visit_block(&body.body);
        self.loops.truncate(before);
    }

    fn visit_expr_range(&mut self, range: &'ast ExprRange) {
        if matches!(range.limits, syn::RangeLimits::Closed(_)) {
            self.refuse(range, Rule::InclusiveRange);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((word, _)) = &arm.guard {
            self.refuse(word, Rule::Guard);
        }
        self.visit_expr(&arm.body);
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        if let Some(name) = path.path.get_ident() {
            let name = name.to_string();
            let known = name == "self" || self.loops.contains(&name);
            // An imported enum variant begins with a capital and has a lower-case letter.
            let variant = name.starts_with(char::is_uppercase) && name.chars().any(char::is_lowercase);
            if !known && !variant {
                self.refuse(path, Rule::Name(name));
            }
        }
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = call.func.as_ref() {
            let segments = &function.path.segments;
            let last = segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
            let first = segments.first().map(|segment| segment.ident.to_string()).unwrap_or_default();
            let link = segments.len() > 1 && (last == "link" || last == "join");
            if !link && !FUNCTIONS.contains(&first.as_str()) {
                let name: Vec<_> = segments.iter().map(|segment| segment.ident.to_string()).collect();
                self.refuse(function, Rule::Function(name.join("::")));
            }
        }
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }
}
