//! RTL against golden model: differential, lockstep, pair and whole-core co-simulation.
