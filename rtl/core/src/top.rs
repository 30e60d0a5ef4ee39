//! The top: `heddle_core`, once per named configuration.

/// The core of a named configuration: its widths, and the one description of ports and links compiled against them.
macro_rules! core_of {
    ($config:ident, parse: $parse:ident, icrc: $icrc:ident, framer: $framer:ident, rx_path: $engine:ty, word: $word:literal,
        hold: $hold:literal, deadlines: $deadlines:literal, payload: $payload:literal) => {
        mod widths {
            use crate::config::{named, Config};

            pub use crate::icrc::$icrc as Icrc;
            pub use crate::rx::parse::$parse as Parser;
            pub use crate::tx::framer::$framer as Framer;

            /// The configuration.
            pub const CONFIG: Config = named::$config();
            /// Data bits.
            pub const W: usize = CONFIG.data_bits();
            /// Data bytes.
            pub const K: usize = W / 8;
            /// Connection index.
            pub const CW: usize = CONFIG.connection_bits();
            /// One more.
            pub const CC: usize = CW + 1;
            /// Path of a connection.
            pub const LW: usize = CONFIG.local_path_bits();
            /// Path index.
            pub const PW: usize = CONFIG.path_bits();
            /// One more.
            pub const PC: usize = PW + 1;
            /// Word of a path's map.
            pub const PM: usize = PW + 2;
            /// Packet of a path.
            pub const BR: usize = PW + 8;
            /// Stream of a connection.
            pub const SW: usize = CONFIG.stream_bits();
            /// Stream index.
            pub const QW: usize = CW + SW;
            /// One more.
            pub const QC: usize = QW + 1;
            /// Message index.
            pub const AW: usize = CW + 6;
            /// One more.
            pub const AC: usize = AW + 1;
            /// Region index.
            pub const RW: usize = CONFIG.region_bits();
            /// One more.
            pub const RC: usize = RW + 1;
            /// Beat of the receive buffer: the smallest that takes two payloads and what is inside the parser.
            pub const HA: usize = $hold;
            /// One more.
            pub const HC: usize = HA + 1;
            /// Deadline of an ACK.
            pub const DA: usize = $deadlines;
            /// One more.
            pub const DC: usize = DA + 1;
            /// Beat of a payload buffer of the sender: four slices.
            pub const FA: usize = $payload;
            /// One more.
            pub const FC: usize = FA + 1;
            /// Arrivals that an ACK waits for.
            pub const ACK_ARRIVALS: u8 = 4;
            /// Cycles from a LOOK to the first word of its snapshot.
            pub const FIRST_WORD: u64 = $word;
            /// The receive path engine.
            pub type RxEngine = $engine;
        }

        #[allow(clippy::duplicate_mod, reason = "one description for every configuration")]
        #[path = "core.rs"]
        mod core;
        #[allow(clippy::duplicate_mod, reason = "one description for every configuration")]
        #[path = "ports.rs"]
        mod ports;

        #[allow(clippy::duplicate_mod, reason = "one description for every configuration")]
        #[path = "parts.rs"]
        mod parts;

        pub use parts::blocks;
        pub use ports::HeddleCore;
    };
}

pub mod dc100;
pub mod gate;
pub mod gbe;
pub mod rx_feed;
pub mod tick;
pub mod tiny;
pub mod tx_feed;
