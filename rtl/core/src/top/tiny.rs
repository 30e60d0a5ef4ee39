//! 2 connections x 2 paths, 64 bits: the smallest that has something to mix up.

core_of!(tiny, parse: Parse64, icrc: Icrc64, framer: TxFramer,
    rx_path: crate::rx::path::RxPath<PW, PM>, word: 4,
    hold: 7, deadlines: 6, payload: 7);
