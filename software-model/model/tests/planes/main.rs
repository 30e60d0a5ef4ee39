//! Whole cores over a network of planes that die, come back and are congested, with a fixed cwnd.

mod kills;
mod plan;
mod world;
