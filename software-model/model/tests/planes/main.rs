//! Whole cores over a network of planes that die, come back and are congested, with a fixed cwnd.

mod congestion;
mod controlled;
mod dark;
mod farewells;
mod frames;
mod kills;
mod plan;
mod returns;
#[path = "../shared/rows.rs"]
mod rows;
mod setup;
mod world;
