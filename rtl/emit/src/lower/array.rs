//! Array indices inside signal paths, such as `mask[2 * k + 1]`.
use super::{Lower, Lowered};
use crate::error::Reason;

impl Lower<'_> {
    /// The path with every index evaluated: `st[k - 1]$q` becomes `st$2$q`.
    pub(super) fn canonical(&self, raw: &str) -> Lowered<String> {
        let mut path = String::new();
        let mut rest = raw.trim_start_matches('.');
        while let Some(open) = rest.find('[') {
            let bad = || Reason::ArrayIndex(raw.to_string());
            let close = open + rest[open..].find(']').ok_or_else(bad)?;
            let text = &rest[open + 1..close];
            let index = Index { text: text.as_bytes(), at: 0, loops: &self.loops };
            path += &format!("{}${}", &rest[..open], index.evaluate().ok_or_else(bad)?);
            rest = &rest[close + 1..];
        }
        path += rest;
        Ok(path.replace("::", "$").replace('.', "$").trim_end_matches("$next").to_string())
    }
}

/// Evaluates `+ - * / %`, parentheses, literals and loop indices, left to right by precedence.
struct Index<'a> {
    text: &'a [u8],
    at: usize,
    loops: &'a [(String, i64)],
}

impl Index<'_> {
    fn evaluate(mut self) -> Option<i64> {
        let value = self.sum()?;
        (self.peek().is_none() && value >= 0).then_some(value)
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        while let Some(op @ (b'+' | b'-')) = self.peek() {
            self.at += 1;
            let right = self.product()?;
            value = if op == b'+' { value + right } else { value - right };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.atom()?;
        while let Some(op @ (b'*' | b'/' | b'%')) = self.peek() {
            self.at += 1;
            let right = self.atom()?;
            value = match op {
                b'*' => value * right,
                b'/' => value.checked_div(right)?,
                _ => value.checked_rem(right)?,
            };
        }
        Some(value)
    }

    fn atom(&mut self) -> Option<i64> {
        if self.peek() == Some(b'(') {
            self.at += 1;
            let value = self.sum()?;
            (self.peek() == Some(b')')).then(|| self.at += 1)?;
            return Some(value);
        }
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_') {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[start..self.at]).ok()?.trim();
        if let Some((_, value)) = self.loops.iter().rev().find(|(name, _)| name == word) {
            return Some(*value);
        }
        word.trim_end_matches("usize").replace('_', "").parse().ok()
    }

    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }
}
