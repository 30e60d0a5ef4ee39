//! The `heddle` command: argument parsing and dispatch only.

fn main() {}
