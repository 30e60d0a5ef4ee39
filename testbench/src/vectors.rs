//! Reader of the golden vectors in `testbench/vectors`.

use std::collections::BTreeMap;
use std::path::Path;

/// One vector: its lines by key, several lines of one key joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vector {
    /// Key to value.
    pub lines: BTreeMap<String, String>,
}

impl Vector {
    /// The value of `key`, if the vector has one.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.lines.get(key).map(String::as_str)
    }

    /// The value of `key`.
    ///
    /// # Panics
    /// When the vector has none.
    pub fn text(&self, key: &str) -> &str {
        self.get(key).unwrap_or_else(|| panic!("vector {:?} has no line {key}", self.get("name")))
    }

    /// The number in decimal under `key`.
    ///
    /// # Panics
    /// When there is none.
    pub fn number(&self, key: &str) -> u64 {
        let text = self.text(key);
        text.parse().unwrap_or_else(|_| panic!("{key} {text}: not a number"))
    }

    /// The bytes in hexadecimal under `key`.
    ///
    /// # Panics
    /// When there are none.
    pub fn bytes(&self, key: &str) -> Vec<u8> {
        let digits: Vec<u8> = self
            .text(key)
            .chars()
            .map(|c| c.to_digit(16).unwrap_or_else(|| panic!("{key}: {c:?} is no hexadecimal digit")) as u8)
            .collect();
        digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
    }
}

/// Reads the vectors of a file in `testbench/vectors`: lines `key value`, vectors separated by empty
/// lines, `#` comments.
///
/// # Panics
/// When the file cannot be read or a line has no value.
pub fn read(file: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let paragraphs = text.split("\n\n").map(paragraph);
    paragraphs.filter(|vector| !vector.lines.is_empty()).collect()
}

fn paragraph(text: &str) -> Vector {
    let mut vector = Vector::default();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, value) = line.split_once(' ').unwrap_or_else(|| panic!("no value in {line:?}"));
        vector.lines.entry(key.into()).or_default().push_str(value);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_key_are_joined_and_comments_skipped() {
        let vector = paragraph("# why\nname a b\nframe 01ff\nframe 02\npaylen 76");
        assert_eq!((vector.text("name"), vector.number("paylen")), ("a b", 76));
        assert_eq!(vector.bytes("frame"), [1, 0xff, 2]);
        assert_eq!(vector.get("drop"), None);
    }
}
