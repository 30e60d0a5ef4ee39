//! No kernel says what would simulate one way and be emitted another.
use std::path::Path;

#[test]
fn kernels_say_only_what_the_emitter_can_see() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let errors = heddle_emit::check_source_dir(&sources).unwrap();
    let list: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{}", list.join("\n"));
}
