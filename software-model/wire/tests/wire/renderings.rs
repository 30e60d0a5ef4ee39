//! What is committed is what the tables say now.

use std::path::Path;

#[test]
fn committed_renderings_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut checked = 0;
    for rendering in heddle_wire::render::all() {
        let committed = std::fs::read_to_string(root.join(rendering.path)).unwrap_or_default();
        assert!(
            committed == rendering.text,
            "{} is stale: run cargo run -p heddle-wire --bin wire-gen, and commit",
            rendering.path
        );
        checked += 1;
    }
    assert_eq!(checked, 7);
}
