//! Plans that are part of the program; the files are in `sim/plans`.

/// A plan that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// What it is called.
    pub name: &'static str,
    /// Its TOML.
    pub text: &'static str,
}

/// All of them.
pub const fn builtins() -> &'static [Builtin] {
    &BUILTINS
}

/// The one of this name.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|plan| plan.name == name)
}

macro_rules! plans {
    ($($name:literal),*) => {
        [$(Builtin { name: $name, text: include_str!(concat!("../../plans/", $name, ".toml")) }),*]
    };
}

static BUILTINS: [Builtin; 9] = plans!(
    "headline",
    "loss_sweep",
    "planes",
    "plane_failure",
    "incast",
    "spraying",
    "unmarked",
    "small",
    "sensitivity"
);
