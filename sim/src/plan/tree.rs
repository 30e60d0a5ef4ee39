//! A TOML document that knows where each of its values was said.

use super::error::{Origin, PlanError, Refusal};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;
use toml_edit::{ImDocument, Item, TableLike, Value as Toml};

/// A value, a list or a table, and where it was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where.
    pub origin: Origin,
    /// What.
    pub content: Content,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Text, a number, or true or false.
    Leaf(Value),
    /// Several of something.
    List(Vec<Node>),
    /// Keys and values, in the order in which they were said.
    Table(Vec<(String, Node)>),
}

impl Node {
    /// An empty table.
    pub fn table(origin: Origin) -> Self {
        Self { origin, content: Content::Table(Vec::new()) }
    }

    /// Reads a document; messages call it `source`.
    ///
    /// # Errors
    /// What is no TOML, or a value of a kind that no key has.
    pub fn parse(source: &str, text: &str) -> Result<Self, PlanError> {
        let reader = Reader { source, text };
        let document = ImDocument::parse(text).map_err(|e| {
            let origin = reader.origin(e.span(), 1);
            let message = e.message().trim().replace('\n', ", ");
            PlanError { origin, key: String::new(), message: format!("is no TOML: {message}") }
        })?;
        reader.table(document.as_table(), 1, "")
    }

    /// The node of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.content {
            Content::Table(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// What a list holds; a single value is a list of one.
    pub fn list(&self) -> &[Self] {
        match &self.content {
            Content::List(nodes) => nodes,
            _ => std::slice::from_ref(self),
        }
    }

    /// Takes a key out.
    pub fn take(&mut self, key: &str) -> Option<Self> {
        let Content::Table(entries) = &mut self.content else { return None };
        let at = entries.iter().position(|(name, _)| name == key)?;
        Some(entries.remove(at).1)
    }

    /// Puts `node` where `key`, names with dots between them, says.
    pub fn set(&mut self, key: &str, node: Self) {
        if !matches!(self.content, Content::Table(_)) {
            self.content = Content::Table(Vec::new());
        }
        let Content::Table(entries) = &mut self.content else { return };
        let (first, rest) = key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
        let at = entries.iter().position(|(name, _)| name == first).unwrap_or_else(|| {
            entries.push((first.to_owned(), Self::table(node.origin.clone())));
            entries.len() - 1
        });
        match rest {
            Some(rest) => entries[at].1.set(rest, node),
            None => entries[at].1 = node,
        }
    }

    /// Everything below that is no table, with its key.
    pub fn leaves(&self) -> Vec<(String, &Self)> {
        let Content::Table(entries) = &self.content else { return Vec::new() };
        let mut leaves = Vec::new();
        for (name, node) in entries {
            match node.content {
                Content::Table(_) => {
                    leaves.extend(
                        node.leaves().into_iter().map(|(rest, leaf)| (format!("{name}.{rest}"), leaf)),
                    );
                }
                _ => leaves.push((name.clone(), node)),
            }
        }
        leaves
    }

    /// The same without origins.
    pub fn to_json(&self) -> Value {
        match &self.content {
            Content::Leaf(value) => value.clone(),
            Content::List(nodes) => nodes.iter().map(Self::to_json).collect(),
            Content::Table(entries) => Value::Object(
                entries.iter().map(|(k, node)| (k.clone(), node.to_json())).collect::<Map<_, _>>(),
            ),
        }
    }

    /// What it says.
    ///
    /// # Errors
    /// The first key that is unknown, and the first value that cannot be read, with where it was said.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, PlanError> {
        serde_path_to_error::deserialize(self.to_json()).map_err(|e| {
            let key = match e.path().iter().next() {
                Some(_) => e.path().to_string(),
                None => String::new(),
            };
            let origin = self.origin_of(e.path().iter()).clone();
            let message = e.inner().to_string();
            PlanError { origin, key, message }
        })
    }

    /// The refusal of a key, with where it was said; a key that was left open is about the table that it
    /// belongs to.
    pub fn refuse(&self, refusal: Refusal) -> PlanError {
        let mut node = self;
        for part in refusal.key.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
            let next = match (&node.content, part.parse::<usize>()) {
                (Content::List(nodes), Ok(n)) => nodes.get(n),
                _ => node.get(part),
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        PlanError { origin: node.origin.clone(), key: refusal.key, message: refusal.message }
    }

    fn origin_of<'a>(&self, path: impl Iterator<Item = &'a Segment>) -> &Origin {
        let mut node = self;
        for segment in path {
            let next = match (segment, &node.content) {
                (Segment::Map { key }, _) => node.get(key),
                (Segment::Seq { index }, Content::List(nodes)) => nodes.get(*index),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        &node.origin
    }
}

/// Turns the document of the parser into nodes.
struct Reader<'a> {
    source: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    /// The line in which a span begins, else `line`.
    fn origin(&self, span: Option<std::ops::Range<usize>>, line: usize) -> Origin {
        let before = span.and_then(|span| self.text.get(..span.start));
        let line = before.map_or(line, |before| before.matches('\n').count() + 1);
        Origin { source: self.source.to_owned(), line }
    }

    fn table(&self, table: &dyn TableLike, line: usize, path: &str) -> Result<Node, PlanError> {
        let origin = self.origin(None, line);
        let mut entries = Vec::new();
        for (name, item) in table.iter() {
            let key = table.key(name);
            let line = self.origin(key.and_then(|key| key.span()).or(item.span()), line).line;
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            entries.push((name.to_owned(), self.item(item, line, &path)?));
        }
        Ok(Node { origin, content: Content::Table(entries) })
    }

    fn item(&self, item: &Item, line: usize, path: &str) -> Result<Node, PlanError> {
        match item {
            Item::None => Ok(Node::table(self.origin(None, line))),
            Item::Value(value) => self.value(value, line, path),
            Item::Table(table) => self.table(table, line, path),
            Item::ArrayOfTables(tables) => {
                let each = tables.iter().enumerate();
                let nodes = each.map(|(n, table)| {
                    let line = self.origin(table.span(), line).line;
                    self.table(table, line, &format!("{path}[{n}]"))
                });
                let content = Content::List(nodes.collect::<Result<_, _>>()?);
                Ok(Node { origin: self.origin(None, line), content })
            }
        }
    }

    fn value(&self, value: &Toml, line: usize, path: &str) -> Result<Node, PlanError> {
        let origin = self.origin(value.span(), line);
        let refuse = |what: &str| {
            let message = format!("{what} is no value of a plan: text, numbers, true and false are");
            PlanError { origin: origin.clone(), key: path.to_owned(), message }
        };
        let leaf = match value {
            Toml::String(text) => Value::from(text.value().as_str()),
            Toml::Integer(number) => Value::from(*number.value()),
            Toml::Float(number) => match serde_json::Number::from_f64(*number.value()) {
                Some(number) => Value::Number(number),
                None => return Err(refuse(&number.value().to_string())),
            },
            Toml::Boolean(yes) => Value::from(*yes.value()),
            Toml::Datetime(date) => return Err(refuse(&date.value().to_string())),
            Toml::Array(array) => {
                let nodes = array.iter().enumerate();
                let nodes = nodes.map(|(n, value)| self.value(value, origin.line, &format!("{path}[{n}]")));
                let content = Content::List(nodes.collect::<Result<_, _>>()?);
                return Ok(Node { origin, content });
            }
            Toml::InlineTable(table) => return self.table(table, origin.line, path),
        };
        Ok(Node { origin, content: Content::Leaf(leaf) })
    }
}
