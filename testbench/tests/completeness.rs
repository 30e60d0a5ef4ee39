//! One block = one RTL file = one model file = one documentation page = one test: no block lacks a sibling.
//!
//! A block is a file of `rtl/core/src`, not in a block's own folder, that implements `Logic`. The file `rx/path.rs`
//! wants `software-model/model/src/rx/path.rs`, `docs/blocks/rx-path.md` and `testbench/tests/rx_path.rs`. A wide
//! variant (`rx/path_wide.rs`) has the same behaviour, so it shares the model and the page, and may share the test
//! file, which then names its design.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_block_has_its_model_its_page_and_its_test() {
    let blocks = blocks(&root().join("rtl/core/src"));
    let missing: Vec<_> = blocks.iter().flat_map(|block| missing_siblings(&root(), block)).collect();
    assert!(missing.is_empty(), "of {} blocks:\n{}", blocks.len(), missing.join("\n"));
}

#[test]
fn a_block_without_siblings_is_noticed() {
    let tree = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = tree.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    file("rtl/core/src/rx/path.rs", "impl<const PW: usize> Logic for Path<PW> {}");
    file("rtl/core/src/rx/path/row.rs", "impl Logic for Row {}");
    file("rtl/core/src/rx/path_wide.rs", "impl<const A: usize> Logic\n    for PathWide<A> {}");
    file("rtl/core/src/config.rs", "pub struct Config;");
    let found = blocks(&tree.path().join("rtl/core/src"));
    assert_eq!(found, ["rx/path", "rx/path_wide"]);
    assert_eq!(missing_siblings(tree.path(), "rx/path").len(), 3);
    file("software-model/model/src/rx/path.rs", "");
    file("docs/blocks/rx-path.md", "");
    file("testbench/tests/rx_path.rs", "duts::RxPath");
    assert_eq!(missing_siblings(tree.path(), "rx/path"), [""; 0]);
    assert_eq!(missing_siblings(tree.path(), "rx/path_wide").len(), 1);
    file("testbench/tests/rx_path.rs", "duts::{RxPath, RxPathWide}");
    assert_eq!(missing_siblings(tree.path(), "rx/path_wide"), [""; 0]);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Paths without `.rs`, relative to `source`: `rx/path`.
fn blocks(source: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for file in rust_files(source) {
        let in_a_block = file.parent().is_some_and(|folder| folder.with_extension("rs").exists());
        let text = fs::read_to_string(&file).unwrap();
        // Long parameter lists are broken over lines.
        let is_block = text.split_whitespace().collect::<Vec<_>>().join(" ").contains("> Logic for ")
            || text.contains("impl Logic for ");
        if is_block && !in_a_block {
            let name = file.strip_prefix(source).unwrap().with_extension("");
            found.push(name.to_string_lossy().into_owned());
        }
    }
    found.sort();
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => rust_files(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

fn missing_siblings(root: &Path, block: &str) -> Vec<String> {
    let base = block.strip_suffix("_wide").unwrap_or(block);
    let model = format!("software-model/model/src/{base}.rs");
    let page = format!("docs/blocks/{}.md", base.replace(['/', '_'], "-"));
    let siblings = [model, page].into_iter().filter(|file| !root.join(file).exists()).collect::<Vec<_>>();
    let test =
        (!has_test(root, block, base)).then(|| format!("testbench/tests/{}.rs", block.replace('/', "_")));
    siblings.into_iter().chain(test).map(|file| format!("{block}: {file}")).collect()
}

/// A file of its own, or, for a variant, its design's type in the file of the block it is a variant of.
fn has_test(root: &Path, block: &str, base: &str) -> bool {
    let (name, base) = (block.replace('/', "_"), base.replace('/', "_"));
    let tests = root.join("testbench/tests");
    let shared = fs::read_to_string(tests.join(format!("{base}.rs"))).unwrap_or_default();
    tests.join(format!("{name}.rs")).exists() || (base != name && shared.contains(&upper_camel(&name)))
}

fn upper_camel(name: &str) -> String {
    name.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}
