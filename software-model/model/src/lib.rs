//! The bit-accurate golden model of the Heddle transport.
