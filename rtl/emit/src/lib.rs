//! Exact-width Verilog-2005 from unmodified rust-hdl blocks.
