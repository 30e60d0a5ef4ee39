//! Walks a module's statements and finds the expressions in them.

use super::expression::{self, closing};
use super::lexer::{Kind, Token};
use super::Change;

const DECLARATIONS: &[&str] =
    &["module", "input", "output", "inout", "wire", "reg", "integer", "genvar", "parameter", "localparam"];
const PLAIN: &[&str] =
    &["begin", "end", "else", "endcase", "endmodule", "generate", "endgenerate", "default", "assign"];

/// Every change in the statements of `tokens`.
pub fn changes(text: &str, tokens: &[Token]) -> Vec<Change> {
    let mut walk = Walk { text, tokens, found: Vec::new() };
    let mut at = 0;
    while at < tokens.len() {
        at = walk.statement(at);
    }
    walk.found
}

struct Walk<'a> {
    text: &'a str,
    tokens: &'a [Token],
    found: Vec<Change>,
}

impl Walk<'_> {
    /// Handles what begins at token `at` and gives the token after it; a compound statement is walked part by part.
    fn statement(&mut self, at: usize) -> usize {
        let word = self.word(at);
        match word {
            "if" => self.condition(at),
            "case" | "casez" | "casex" => self.selector(at),
            "initial" => self.after_block(at + 1),
            "for" => self.close(at + 1) + 1,
            "always" => self.sensitivity(at + 1),
            _ if DECLARATIONS.contains(&word) => self.declaration(at),
            _ if PLAIN.contains(&word) || word == ";" || word == ":" => at + 1,
            _ if word.starts_with('$') => self.end(at) + 1,
            _ if self.word(at + 1) == ":" => self.label(at),
            _ if self.is_instance(at) => self.end(at) + 1,
            _ => self.assignment(at),
        }
    }

    fn condition(&mut self, at: usize) -> usize {
        let close = self.close(at + 1);
        if close > at + 2 && close < self.tokens.len() {
            let range = self.tokens[at + 2].start..self.tokens[close - 1].end;
            let condition = &self.text[range.clone()];
            for after in [format!("!({condition})"), "1'b1".into(), "1'b0".into()] {
                self.found.push(Change { range: range.clone(), after });
            }
            self.expression(at + 2, close);
        }
        close + 1
    }

    fn selector(&mut self, at: usize) -> usize {
        let close = self.close(at + 1);
        self.expression(at + 2, close);
        close + 1
    }

    fn sensitivity(&self, at: usize) -> usize {
        match (self.word(at), self.word(at + 1)) {
            ("@", "(") => self.close(at + 1) + 1,
            ("@", _) => at + 2,
            _ => at,
        }
    }

    /// A declaration is left alone up to its value, if it has one.
    fn declaration(&mut self, at: usize) -> usize {
        let end = self.end(at);
        if let Some(equals) = (at..end).find(|i| self.word(*i) == "=") {
            if self.word(at) != "module" {
                self.expression(equals + 1, end);
            }
        }
        end + 1
    }

    fn label(&mut self, at: usize) -> usize {
        self.expression(at, at + 1);
        at + 2
    }

    fn is_instance(&self, at: usize) -> bool {
        let is_name = |i: usize| self.tokens.get(i).is_some_and(|t| t.kind == Kind::Word);
        is_name(at) && ((is_name(at + 1) && self.word(at + 2) == "(") || self.word(at + 1) == "#")
    }

    fn assignment(&mut self, at: usize) -> usize {
        let end = self.end(at);
        let mut i = at;
        while i < end && !["=", "<="].contains(&self.word(i)) {
            // A comparison in an index or a concatenation on the left is no assignment.
            i = if "([{".contains(self.word(i)) { self.close(i) + 1 } else { i + 1 };
        }
        self.expression(i + 1, end);
        end + 1
    }

    fn after_block(&self, at: usize) -> usize {
        if self.word(at) != "begin" {
            return self.end(at) + 1;
        }
        let mut depth = 0;
        for i in at..self.tokens.len() {
            match self.word(i) {
                "begin" | "case" => depth += 1,
                "end" | "endcase" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return i + 1;
            }
        }
        self.tokens.len()
    }

    fn expression(&mut self, from: usize, to: usize) {
        let to = to.min(self.tokens.len());
        if from < to {
            expression::changes(self.text, &self.tokens[from..to], &mut self.found);
        }
    }

    /// The next `;`.
    fn end(&self, at: usize) -> usize {
        (at..self.tokens.len()).find(|i| self.word(*i) == ";").unwrap_or(self.tokens.len())
    }

    fn close(&self, open: usize) -> usize {
        closing(self.text, self.tokens, open)
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.text))
    }
}
