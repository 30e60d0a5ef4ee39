//! The mutant that a build was asked for.

use crate::{mutate, Error, Source};

/// The variable that asks for a mutant: `DESIGN:INDEX`, or `DESIGN/MODULE:INDEX` for one in a module inside it.
pub const VARIABLE: &str = "HEDDLE_MUTANT";

/// A request for one mutant of one module of one design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The design; others, even those that have the module too, stay as they are.
    pub design: String,
    /// The module.
    pub module: String,
    /// Index into [`mutate::mutants`] of the module's text.
    pub index: usize,
}

impl Request {
    /// Reads `DESIGN:INDEX` or `DESIGN/MODULE:INDEX`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = || error(text, "expected DESIGN:INDEX or DESIGN/MODULE:INDEX");
        let (place, index) = text.rsplit_once(':').ok_or_else(wrong)?;
        let (design, module) = place.split_once('/').unwrap_or((place, place));
        let index = index.parse().map_err(|_| wrong())?;
        Ok(Self { design: design.into(), module: module.into(), index })
    }

    /// Replaces the module's text in the design by the mutant.
    pub fn apply(&self, sources: &mut [Source]) -> Result<(), Error> {
        let (name, index) = (self.to_string(), self.index);
        let design = sources.iter_mut().find(|s| s.name == self.design);
        let design = design.ok_or_else(|| error(&name, "no such design"))?;
        let module = design.modules.iter_mut().find(|(module, _)| *module == self.module);
        let (_, text) = module.ok_or_else(|| error(&name, "no such module in the design"))?;
        let mutants = mutate::mutants(text);
        let mutant =
            mutants.get(index).ok_or_else(|| error(&name, &format!("it has {} mutants", mutants.len())))?;
        *text = mutant.apply(text);
        design.mutated = true;
        Ok(())
    }
}

impl std::fmt::Display for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}:{}", self.design, self.module, self.index)
    }
}

fn error(request: &str, reason: &str) -> Error {
    Error::Mutant { request: request.into(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Vec<Source> {
        let text = "module inner (input a);\n  assign y = a + b;\nendmodule\n";
        let modules =
            vec![("inner".to_string(), text.to_string()), ("top".to_string(), "module top;".to_string())];
        vec![Source::new("top", modules.clone()), Source::new("other", modules)]
    }

    #[test]
    fn only_the_named_design_is_changed_and_marked() {
        let mut all = sources();
        Request::parse("top/inner:0").unwrap().apply(&mut all).unwrap();
        assert!(all[0].modules[0].1.contains("a - b") && all[0].mutated);
        assert_eq!(all[1].modules, sources()[1].modules);
        assert!(!all[1].mutated);
    }

    #[test]
    fn a_request_that_names_nothing_is_refused() {
        assert!(Request::parse("top").is_err() && Request::parse("top:x").is_err());
        for text in ["none:0", "top/none:0", "top/inner:1", "top:0"] {
            assert!(Request::parse(text).unwrap().apply(&mut sources()).is_err(), "{text}");
        }
    }
}
