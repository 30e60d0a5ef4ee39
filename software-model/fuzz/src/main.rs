//! The fuzz target: whatever a program of bytes does to an endpoint, the endpoint holds its rules.
#![no_main]

mod endpoint;

libfuzzer_sys::fuzz_target!(|program: &[u8]| endpoint::run(program));
