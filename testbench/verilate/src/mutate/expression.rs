//! Changes within one expression.

use super::lexer::{Kind, Token};
use super::Change;

/// What replaces a symbol; the empty text drops it.
const PARTNERS: &[(&str, &str)] = &[
    ("+", "-"),
    ("-", "+"),
    ("&", "|"),
    ("|", "&"),
    ("^", "|"),
    ("~", ""),
    ("!", ""),
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

/// Adds every change of the expression that `tokens` are.
pub fn changes(text: &str, tokens: &[Token], found: &mut Vec<Change>) {
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        match (token.kind, word(at)) {
            (Kind::Number, number) => {
                let replication = word(at + 1) == "{";
                let padding = at > 0 && word(at - 1) == "{" && zero(number);
                if !replication && !padding {
                    let range = token.start..token.end;
                    found.extend(
                        neighbours(number).into_iter().map(|after| Change { range: range.clone(), after }),
                    );
                }
            }
            (Kind::Symbol, "[") => {
                let close = closing(text, tokens, at);
                if (at..close).any(|i| [":", "+:", "-:"].contains(&word(i))) {
                    at = close;
                }
            }
            (Kind::Symbol, "?") => found.extend(swapped(text, tokens, at)),
            (Kind::Symbol, symbol) => {
                let sign = symbol == "-" && (at == 0 || is_operator(&tokens[at - 1], word(at - 1)));
                if let Some((_, partner)) = PARTNERS.iter().find(|(from, _)| *from == symbol && !sign) {
                    found.push(Change { range: token.start..token.end, after: (*partner).into() });
                }
            }
            (Kind::Word, _) => {}
        }
        at += 1;
    }
}

fn is_operator(token: &Token, text: &str) -> bool {
    token.kind == Kind::Symbol && ![")", "]", "}"].contains(&text)
}

/// Index of what closes the bracket at `open`; the number of tokens when nothing does.
pub fn closing(text: &str, tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text(text) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    tokens.len()
}

/// `a : b` after the `?` at `at`, as `(b) : (a)`.
fn swapped(text: &str, tokens: &[Token], at: usize) -> Option<Change> {
    let colon = matching_colon(text, tokens, at)?;
    let mut end = colon + 1;
    while end < tokens.len() && ![")", "]", "}", ",", ":"].contains(&tokens[end].text(text)) {
        end = match tokens[end].text(text) {
            "(" | "[" | "{" => closing(text, tokens, end) + 1,
            // A choice within the second arm belongs to it, with its own colon.
            "?" => matching_colon(text, tokens, end)? + 1,
            _ => end + 1,
        };
    }
    let arm = |from: usize, to: usize| Some(&text[tokens.get(from)?.start..tokens.get(to)?.end]);
    let (first, second) = (arm(at + 1, colon.checked_sub(1)?)?, arm(colon + 1, end.checked_sub(1)?)?);
    let range = tokens[at + 1].start..tokens[end - 1].end;
    Some(Change { range, after: format!("({second}) : ({first})") })
}

fn matching_colon(text: &str, tokens: &[Token], question: usize) -> Option<usize> {
    let (mut open, mut i) = (1, question + 1);
    while i < tokens.len() {
        match tokens[i].text(text) {
            "(" | "[" | "{" => i = closing(text, tokens, i),
            "?" => open += 1,
            ":" => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// A sized number in parts: bits, base letter, digits.
fn parts(number: &str) -> Option<(u32, char, &str)> {
    let (size, rest) = number.split_once('\'')?;
    let base = rest.chars().next()?;
    Some((size.parse().ok()?, base, &rest[1..]))
}

fn radix(base: char) -> u32 {
    match base {
        'b' => 2,
        'o' => 8,
        'd' => 10,
        _ => 16,
    }
}

fn zero(number: &str) -> bool {
    parts(number).is_some_and(|(_, _, digits)| digits.chars().all(|c| c == '0' || c == '_'))
}

/// One up and one down, within the width.
fn neighbours(number: &str) -> Vec<String> {
    let Some((bits, base, digits)) = parts(number) else {
        let Ok(value) = number.replace('_', "").parse::<u64>() else { return Vec::new() };
        return [Some(value + 1), value.checked_sub(1)]
            .into_iter()
            .flatten()
            .map(|v| v.to_string())
            .collect();
    };
    let digits = digits.replace('_', "");
    let Ok(value) = u128::from_str_radix(&digits, radix(base)) else {
        return low_bit_flipped(bits, base, &digits).into_iter().collect();
    };
    let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
    let (up, down) = (value.wrapping_add(1) & mask, value.wrapping_sub(1) & mask);
    let mut values = vec![up, down];
    values.dedup();
    values.into_iter().map(|v| written(bits, base, v)).collect()
}

fn written(bits: u32, base: char, value: u128) -> String {
    match radix(base) {
        2 => format!("{bits}'{base}{value:b}"),
        8 => format!("{bits}'{base}{value:o}"),
        10 => format!("{bits}'{base}{value}"),
        _ => format!("{bits}'{base}{value:x}"),
    }
}

/// For a hexadecimal number of more than 128 bits.
fn low_bit_flipped(bits: u32, base: char, digits: &str) -> Option<String> {
    let last = digits.chars().last()?.to_digit(radix(base))?;
    let flipped = char::from_digit(last ^ 1, radix(base))?;
    Some(format!("{bits}'{base}{}{flipped}", &digits[..digits.len() - 1]))
}
