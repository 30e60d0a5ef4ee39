//! 1,024 connections x 16 paths, 512 bits.

core_of!(dc100, parse: Parse512, icrc: Icrc512, framer: TxFramer512,
    rx_path: crate::rx::path_wide::RxPathWide<PW>, word: 7,
    hold: 8, deadlines: 7, payload: 8);
