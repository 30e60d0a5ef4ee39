//! Operator mutants of emitted Verilog: small faults that a block's tests have to notice.
//!
//! Mutated is logic only: right-hand sides, conditions, case labels and the values of constants. Never declarations,
//! widths, part selects, instance connections, initial blocks, simulation-only text or comments.

mod expression;
mod lexer;
mod statement;

use std::ops::Range;

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The text replaced.
    pub before: String,
    /// What replaces it.
    pub after: String,
    range: Range<usize>,
}

impl Mutant {
    /// The module's text with this fault; `text` is what [`mutants`] was given.
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.range.start], self.after, &text[self.range.end..])
    }
}

/// Every mutant of a module's text, in the order of the text.
///
/// The operators: `+ -`, `& |`, `^ |`, `~` and `!` dropped, `== !=`, `< <=`, `> >=`, `<< >>`, `&& ||`, constants one
/// up and one down, arms of `?:` swapped, conditions negated, always true (an enable dropped) and never true.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let tokens = lexer::tokens(text);
    let mut found = statement::changes(text, &tokens);
    found.sort_by_key(|change| change.range.start);
    let place = |range: Range<usize>, after: String| {
        let (line, column) = position(text, range.start);
        Mutant { line, column, before: text[range.clone()].to_string(), after, range }
    };
    found.into_iter().map(|change| place(change.range, change.after)).collect()
}

/// A replacement, by byte range.
#[derive(Debug)]
struct Change {
    range: Range<usize>,
    after: String,
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, at - line_start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        mutants(text).into_iter().map(|m| (m.before, m.after)).collect()
    }

    fn of(expression: &str) -> Vec<(String, String)> {
        pairs(&format!("module m (input [3:0] a);\n  assign y = {expression};\nendmodule\n"))
    }

    fn pair(before: &str, after: &str) -> (String, String) {
        (before.into(), after.into())
    }

    #[test]
    fn every_binary_operator_has_its_partner() {
        let partners = [
            ("+", "-"),
            ("-", "+"),
            ("&", "|"),
            ("|", "&"),
            ("^", "|"),
            ("==", "!="),
            ("!=", "=="),
            ("<", "<="),
            ("<=", "<"),
            (">", ">="),
            (">=", ">"),
            ("<<", ">>"),
            (">>", "<<"),
            ("&&", "||"),
            ("||", "&&"),
        ];
        for (operator, partner) in partners {
            assert_eq!(of(&format!("a {operator} b")), [pair(operator, partner)]);
        }
    }

    #[test]
    fn inversions_are_dropped_and_reductions_changed() {
        assert_eq!(of("~a"), [pair("~", "")]);
        assert_eq!(of("!a"), [pair("!", "")]);
        assert_eq!(of("^(a & b)"), [pair("^", "|"), pair("&", "|")]);
        assert_eq!(of("-a"), []);
    }

    #[test]
    fn constants_move_by_one_within_their_width() {
        assert_eq!(of("5'h10"), [pair("5'h10", "5'h11"), pair("5'h10", "5'hf")]);
        assert_eq!(of("4'd15"), [pair("4'd15", "4'd0"), pair("4'd15", "4'd14")]);
        assert_eq!(of("1'b0"), [pair("1'b0", "1'b1")]);
        assert_eq!(of("a[2]"), [pair("2", "3"), pair("2", "1")]);
        let wide = "256'h8000000000000000000000000000000000000000000000000000000000000000";
        assert_eq!(of(wide), [pair(wide, &(wide[..wide.len() - 1].to_string() + "1"))]);
    }

    #[test]
    fn widths_part_selects_padding_and_replication_stay() {
        assert_eq!(of("{3'd0, a[7:4], {2{b}}, c[i +: 8]}"), []);
    }

    #[test]
    fn arms_of_a_choice_are_swapped_with_their_whole_extent() {
        assert_eq!(of("(s ? a : b) + c"), [pair("a : b", "(b) : (a)"), pair("+", "-")]);
        let nested = of("s ? a : t ? b : c");
        assert_eq!(nested, [pair("a : t ? b : c", "(t ? b : c) : (a)"), pair("b : c", "(c) : (b)")]);
    }

    #[test]
    fn conditions_are_negated_forced_and_their_operators_changed() {
        let text = "module m (input a);\n  always @(posedge clk)\n    if (en & a) q <= d;\nendmodule\n";
        let wanted =
            [pair("en & a", "!(en & a)"), pair("en & a", "1'b1"), pair("en & a", "1'b0"), pair("&", "|")];
        assert_eq!(pairs(text), wanted);
    }

    #[test]
    fn a_nonblocking_assignment_is_no_comparison() {
        let text =
            "module m (input a);\n  always @(posedge clk) begin\n    q[a] <= b <= c;\n  end\nendmodule\n";
        assert_eq!(mutants(text).len(), 1);
        assert_eq!((mutants(text)[0].line, mutants(text)[0].column), (3, 15));
    }

    #[test]
    fn declarations_instances_initial_blocks_and_comments_stay() {
        let text = "module m (\n  input wire [7:0] a, output reg [3:0] y\n);\n\
            wire [8-1:0] w;\n  (* keep = 1 *) reg [3:0] mem [0:15];\n  integer i;\n\
            initial begin\n for (i = 0; i < 16; i = i + 1) begin mem[i] = 4'd3; end\n y = 4'd1;\n end\n\
            `ifndef SYNTHESIS\n always @(posedge clk) if (a == b) $stop;\n `endif\n\
            fifo #(.N(3)) u_fifo (.clk(clk), .d(a + 1));\n // a + b\n /* a & b */\nendmodule\n";
        assert_eq!(pairs(text), []);
    }

    #[test]
    fn values_of_constants_and_case_labels_are_logic() {
        let text = "module m (input a);\n  localparam [3:0] LIMIT = 4'd8;\n  always @(*) begin\n    \
            case (s)\n      2'd1: y = a;\n      default: y = b;\n    endcase\n  end\nendmodule\n";
        let wanted = [pair("4'd8", "4'd9"), pair("4'd8", "4'd7"), pair("2'd1", "2'd2"), pair("2'd1", "2'd0")];
        assert_eq!(pairs(text), wanted);
    }

    #[test]
    fn a_mutant_changes_its_place_and_nothing_else() {
        let text = "module m (input a);\n  assign y = a + b;\n  assign z = a + b;\nendmodule\n";
        let all = mutants(text);
        assert_eq!(all[1].apply(text), text.replace("z = a + b", "z = a - b"));
        assert_eq!((all[1].line, all[1].column), (3, 16));
    }
}
