//! Kernel source that simulates one way and would be emitted another is found.
use heddle_emit::check_source;
use heddle_emit::source::Rule;

/// The rules a kernel with this body breaks.
fn rules(body: &str) -> Vec<Rule> {
    let text =
        format!("impl Logic for Block {{\n    #[hdl_gen]\n    fn update(&mut self) {{\n{body}\n    }}\n}}\n");
    check_source(&text).into_iter().map(|error| error.rule).collect()
}

#[test]
fn index_is_allowed_only_as_a_whole_index() {
    assert_eq!(rules("self.q.next = self.w.val().get_bit(self.i.val().index());"), []);
    assert_eq!(rules("self.q.next = self.w.val().get_bits::<4>((self.i.val() + 1).index());"), []);
    assert_eq!(rules("self.w.next = self.w.val().replace_bit(self.i.val().index(), self.q.val());"), []);
    assert_eq!(rules("self.q.next = self.w.val().get_bit(self.i.val().index() + 1);"), [Rule::Index]);
    assert_eq!(rules("self.q.next = self.w.val().get_bit((self.i.val().index() + 1));"), [Rule::Index]);
    assert_eq!(rules("self.q.next = self.i.val().index() + 1 == 0;"), [Rule::Index]);
    assert_eq!(rules("if self.i.val().index() == 3 { self.q.next = true; }"), [Rule::Index]);
    assert_eq!(rules("self.a.next = self.i.val().index().to_bits();"), [Rule::Index]);
}

#[test]
fn what_the_tree_forgets_is_refused() {
    assert_eq!(rules("for k in 0..=3 { self.a[k].next = 0.into(); }"), [Rule::InclusiveRange]);
    assert_eq!(rules("for k in 0..N { self.a[k].next = (k * 3).to_bits(); }"), []);
    assert_eq!(rules("self.a.next = self.b.val() + FOO;"), [Rule::Name("FOO".into())]);
    assert_eq!(rules("self.a.next = self.b.val() + k;"), [Rule::Name("k".into())]);
    assert_eq!(rules("self.a.next = bits_of(self.b.val());"), [Rule::Function("bits_of".into())]);
    assert_eq!(rules("self.a.next = bit_cast::<4, 8>(self.b.val());"), []);
    assert_eq!(rules("StreamSink::link(&mut self.s, &mut self.fifo.s);"), []);
    assert_eq!(rules("Helper::link_all(&mut self.s);"), [Rule::Function("Helper::link_all".into())]);
    assert_eq!(rules("match self.s.val() { State::A if self.k.val() => {} _ => {} }"), [Rule::Guard]);
    assert_eq!(rules("comment!(\"module x\"); dff_setup!(self, clk, a);"), []);
}

#[test]
fn only_kernels_are_checked_and_errors_name_the_line() {
    let text = "fn f(x: Bits<8>) -> usize { x.index() + 1 }\n\
                impl Logic for A {\n  #[hdl_gen]\n  fn update(&mut self) {\n    \
                self.q.next = self.i.val().index() == 0;\n  }\n}\n\
                impl A { fn plain(&self) -> usize { self.i.val().index() + K } }\n";
    let errors = check_source(text);
    assert_eq!(errors.len(), 1);
    assert_eq!((errors[0].line, errors[0].column), (5, 32));
    assert!(matches!(check_source("fn (")[0].rule, Rule::Syntax(_)));
}

#[test]
fn the_kernels_of_this_crate_pass() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "tests/blocks"] {
        assert_eq!(heddle_emit::check_source_dir(&root.join(folder)).unwrap(), []);
    }
}
