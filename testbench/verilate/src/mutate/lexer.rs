//! Verilog text to tokens: only what finding operators needs.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Identifier or keyword, with `$` names.
    Word,
    /// Number, sized or not.
    Number,
    /// Operator or punctuation.
    Symbol,
}

/// A token, by its byte range.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

impl Token {
    /// Its text.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }
}

/// Longest first; `(*)` is a sensitivity list and no attribute.
const SYMBOLS: &[&str] = &[
    "(*)", ">>>", "<<<", "===", "!==", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "~^", "^~", "~&",
    "~|", "+:", "-:", "(*", "*)",
];

/// The tokens of `text`, without comments, strings, attributes, compiler directives, and what stands between
/// `` `ifndef SYNTHESIS `` and its `` `endif ``.
pub fn tokens(text: &str) -> Vec<Token> {
    let (mut tokens, mut at, mut simulation_only) = (Vec::new(), 0, false);
    while at < text.len() {
        let rest = &text[at..];
        let length = skipped(rest);
        if length > 0 {
            simulation_only = match rest.split_whitespace().next() {
                Some("`ifndef") => rest[..length].contains("SYNTHESIS"),
                Some("`endif") => false,
                _ => simulation_only,
            };
            at += length;
            continue;
        }
        let (kind, length) = token(rest);
        if !simulation_only {
            tokens.push(Token { kind, start: at, end: at + length });
        }
        at += length;
    }
    without_attributes(text, tokens)
}

/// Length of the blank, comment, string or directive at the start, 0 if there is none.
fn skipped(rest: &str) -> usize {
    let line = rest.find('\n').unwrap_or(rest.len());
    let until = |end: &str| rest[2..].find(end).map_or(rest.len(), |i| i + 2 + end.len());
    match rest.chars().next() {
        Some(c) if c.is_whitespace() => c.len_utf8(),
        Some('`') => line,
        Some('"') => rest[1..].find('"').map_or(rest.len(), |i| i + 2),
        Some('/') if rest.starts_with("//") => line,
        Some('/') if rest.starts_with("/*") => until("*/"),
        _ => 0,
    }
}

fn token(rest: &str) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let run = |from: usize, more: fn(char) -> bool| {
        rest[from..].find(|c: char| !more(c)).map_or(rest.len(), |length| from + length)
    };
    if first.is_ascii_digit() || first == '\'' {
        let size = run(0, |c| c.is_ascii_digit() || c == '_');
        let based = rest[size..].starts_with('\'');
        return (
            Kind::Number,
            if based { run(size + 1, |c| c.is_ascii_alphanumeric() || c == '_') } else { size },
        );
    }
    if first.is_ascii_alphabetic() || first == '_' || first == '$' {
        return (Kind::Word, run(0, |c| c.is_ascii_alphanumeric() || c == '_' || c == '$'));
    }
    let symbol = SYMBOLS.iter().find(|s| rest.starts_with(**s));
    (Kind::Symbol, symbol.map_or(first.len_utf8(), |s| s.len()))
}

fn without_attributes(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let mut inside = false;
    let keep = |token: &Token| {
        let symbol = token.text(text);
        let was = inside;
        inside = if was { symbol != "*)" } else { symbol == "(*" };
        !was && !inside
    };
    tokens.into_iter().filter(keep).collect()
}
