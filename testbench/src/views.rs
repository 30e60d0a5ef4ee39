//! One trait per design: its ports by name, to be read of the design alone and of an instance inside a core
//! alike.
//!
//! For the design `rx_path` there is `RxPathView`, with a method per port but `clk`. `duts::RxPath`
//! implements it; so do designs that `heddle_rtl::designs` says are viewed as it, and the views of
//! instances, which a design that shows the instance `rx_path` gives by `view_rx_path()`. Widths are those
//! of whoever implements it: a [`Signal`] knows its own. A read is a load from the Verilated model.

use crate::signal::Signal;

include!(concat!(env!("OUT_DIR"), "/views.rs"));
