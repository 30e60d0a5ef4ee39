//! Views: ports by name, of a design or of an instance inside another, read through one trait.

use crate::accessors::upper_camel;
use crate::compile::Built;
use crate::header::Port;
use crate::{Error, Probe, Source, View};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Not part of a view: what is seen is seen before its edge.
const CLOCK: &str = "clk";

/// Whether a design shows instances inside it as other designs.
pub fn looks_inside(source: &Source) -> bool {
    source.views.iter().any(|view| !view.instance.is_empty())
}

/// The design with a probe for every port that its views want.
pub fn with_probes(source: &Source, built: &BTreeMap<String, Built>) -> Result<Source, Error> {
    let mut source = source.clone();
    for view in source.views.clone() {
        if view.instance.is_empty() {
            continue;
        }
        let module = module_of(&source, &view.instance)?;
        let probe = |port: &Port| Probe { module: module.clone(), signal: port.name.clone() };
        let probes: Vec<Probe> = wanted(&source, &view, built)?.map(probe).collect();
        source.probes.extend(probes);
    }
    Ok(source)
}

/// The ports that a view has to have.
fn wanted<'a>(
    source: &Source,
    view: &View,
    built: &'a BTreeMap<String, Built>,
) -> Result<impl Iterator<Item = &'a Port>, Error> {
    let (design, instance, of) = (source.name.clone(), view.instance.clone(), view.of.clone());
    let found = built.get(&view.of).ok_or(Error::NoView { design, instance, of })?;
    Ok(shown(&found.ports))
}

fn shown(ports: &[Port]) -> impl Iterator<Item = &Port> {
    ports.iter().filter(|port| port.name != CLOCK)
}

/// The module of an instance, from the instantiations in the text.
fn module_of(source: &Source, instance: &str) -> Result<String, Error> {
    let mut module = source.name.as_str();
    for name in instance.split('.') {
        let text = source.modules.iter().find(|(found, _)| found == module).map(|(_, text)| text.as_str());
        module = child(source, text.unwrap_or(""), name)
            .ok_or_else(|| Error::Instance { design: source.name.clone(), instance: instance.into() })?;
    }
    Ok(module.into())
}

/// The module that is instantiated under `name`: `MODULE NAME (`.
fn child<'a>(source: &'a Source, text: &str, name: &str) -> Option<&'a str> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or("").to_string() + "\n").collect();
    let modules = source.modules.iter().map(|(module, _)| module.as_str());
    let heads = || {
        code.split(';').filter_map(|statement| Some(statement.split_once('(')?.0.split_whitespace().rev()))
    };
    modules
        .into_iter()
        .find(|module| heads().any(|mut head| head.next() == Some(name) && head.next() == Some(module)))
}

/// A view that a design shows: of which trait, and where its ports are among the design's addresses.
pub struct Seen {
    view: View,
    design: String,
    at: Vec<(String, usize, usize)>,
}

/// The views of a design: its own ports as its own trait, then those it names.
pub fn seen(source: &Source, built: &BTreeMap<String, Built>) -> Result<Vec<Seen>, Error> {
    let own = View { name: String::new(), instance: String::new(), of: source.name.clone() };
    std::iter::once(&own).chain(&source.views).map(|view| see(source, view, built)).collect()
}

fn see(source: &Source, view: &View, built: &BTreeMap<String, Built>) -> Result<Seen, Error> {
    let Built { ports, probes, .. } = &built[&source.name];
    let find = |name: &str| match view.instance.as_str() {
        "" => ports.iter().position(|p| p.name == name).map(|i| (i, ports[i].width)),
        instance => {
            let found = probes.iter().position(|p| p.instance == instance && p.signal == name);
            found.map(|i| (ports.len() + i, probes[i].width))
        }
    };
    let mut at = Vec::new();
    for port in wanted(source, view, built)? {
        let (index, width) = find(&port.name).ok_or_else(|| Error::View {
            design: source.name.clone(),
            instance: view.instance.clone(),
            of: view.of.clone(),
            port: port.name.clone(),
        })?;
        at.push((port.name.clone(), index, width));
    }
    Ok(Seen { view: view.clone(), design: source.name.clone(), at })
}

impl Seen {
    fn name(&self) -> String {
        upper_camel(&self.design) + &upper_camel(&self.view.name)
    }

    /// The method of the design's type that gives the view; the type itself is the view of its own ports.
    pub fn method(&self) -> String {
        let View { name: method, instance, .. } = &self.view;
        if instance.is_empty() {
            return String::new();
        }
        let name = self.name();
        format!(
            "    /// The links of `{instance}`, inside.\n    #[inline(always)]\n    \
             pub fn view_{method}(&self) -> {name}<'_> {{\n        {name}(self)\n    }}\n"
        )
    }

    /// The view's type and its implementation of the trait.
    pub fn implementation(&self) -> String {
        let (design, of) = (upper_camel(&self.design), upper_camel(&self.view.of));
        let (target, at, mut text) = match self.view.instance.as_str() {
            "" => (design, "self.at", String::new()),
            instance => {
                let name = self.name();
                let doc = format!("/// `{instance}` inside of [`{design}`].\n#[derive(Clone, Copy)]\n");
                (format!("{name}<'_>"), "self.0.at", format!("{doc}pub struct {name}<'a>(&'a {design});\n"))
            }
        };
        writeln!(text, "impl crate::views::{of}View for {target} {{").expect("string");
        for (name, index, width) in &self.at {
            writeln!(
                text,
                "    #[inline(always)]\n    fn {name}(&self) -> Signal<'_> {{\n        // SAFETY: the model \
                 keeps {width} bits there.\n        unsafe {{ Signal::new({at}[{index}], {width}) }}\n    }}"
            )
            .expect("string");
        }
        text + "}\n"
    }
}

/// The trait of a design: a getter for every port but the clock.
pub fn interface(design: &str, ports: &[Port]) -> String {
    let mut text = format!("/// Ports of `{design}`.\npub trait {}View {{\n", upper_camel(design));
    for Port { name, width, .. } in shown(ports) {
        writeln!(
            text,
            "    /// `{name}`, {width} bits in `{design}` itself.\n    fn {name}(&self) -> Signal<'_>;"
        )
        .expect("string");
    }
    text + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &str = "\
// rows: inner row (
module top (
  input wire clk
);
  wire a;

  inner one (
    .clk(clk)
  );

  always @(posedge clk) begin
    a <= 1;
  end

  leaf two (
    .clk(clk)
  );
endmodule
";

    fn source() -> Source {
        let inner = "module inner (\n);\n  leaf deep (\n  );\nendmodule\n";
        let modules = [("leaf", "module leaf (\n);\nendmodule\n"), ("inner", inner), ("top", TOP)];
        Source::new("top", modules.map(|(name, text)| (name.into(), text.into())).to_vec())
    }

    #[test]
    fn an_instance_is_followed_to_its_module() {
        let found = |instance: &str| module_of(&source(), instance).unwrap();
        assert_eq!([found("one"), found("two"), found("one.deep")], ["inner", "leaf", "leaf"]);
    }

    #[test]
    fn an_instance_that_is_not_there_is_an_error_with_its_name() {
        let error = module_of(&source(), "two.deep").unwrap_err().to_string();
        assert_eq!(error, "`top` has no instance `two.deep` to view");
        assert!(module_of(&source(), "row").is_err(), "a comment is no instantiation");
    }

    #[test]
    fn a_port_that_an_instance_lacks_is_an_error_with_its_name() {
        let port = |name: &str, width| Port { name: name.into(), width, input: true };
        let built = |ports| Built { folder: "".into(), ports, probes: Vec::new() };
        let block = built(vec![port("clk", 1), port("in_valid", 1), port("in_psn", 24)]);
        let top = built(vec![port("in_valid", 1)]);
        let all = BTreeMap::from([("block".to_string(), block), ("top".to_string(), top)]);
        let mut source = source();
        let view =
            |instance: &str, of: &str| View { name: "x".into(), instance: instance.into(), of: of.into() };
        source.views = vec![view("", "block")];
        let error = seen(&source, &all).err().unwrap().to_string();
        assert_eq!(error, "`` in `top` is viewed as `block`, but has no port `in_psn`");
        source.views = vec![view("one", "bloc")];
        let error = with_probes(&source, &all).unwrap_err().to_string();
        assert_eq!(error, "`one` in `top` is to be viewed as `bloc`, which is no design");
    }
}
