//! Whole cores of the golden model on a network of planes.

mod life;
mod mixed;
mod world;
