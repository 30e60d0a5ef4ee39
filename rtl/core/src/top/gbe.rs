//! 16 connections x 4 paths, 64 bits: gigabit Ethernet.

core_of!(gbe, parse: Parse64, icrc: Icrc64, framer: TxFramer,
    rx_path: crate::rx::path::RxPath<PW, PM>, word: 4,
    hold: 9, deadlines: 6, payload: 9);
