//! Whole cores of the golden model on a network of planes.

mod credit;
mod evidence;
mod faults;
mod goodput;
mod histories;
mod joints;
mod life;
mod mixed;
mod named;
mod pair;
#[path = "../shared/rows.rs"]
mod rows;
mod security;
mod world;
