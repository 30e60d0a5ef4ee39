//! What the steps of the framer hand to each other.
#![allow(missing_docs, reason = "the derive of LogicStruct generates undocumented items")]

use rust_hdl::prelude::*;

/// A frame whose headers are made.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct ComposedFrame {
    /// Two bytes of zeros, then the headers up to the last header word, the first byte on top, zeros behind.
    pub head: Bits<1120>,
    /// Words of `head` that are not zeros behind it.
    pub words: Bits<6>,
    /// Payload beats.
    pub beats: Bits<16>,
    /// Bytes of the last payload beat, 0 for all.
    pub tail: Bits<6>,
    /// Beats of the frame.
    pub left: Bits<16>,
    /// Words of `head` and payload, modulo those of a beat.
    pub rest: Bits<4>,
    /// 0 IPv4, 1 IPv4 behind a tag, 2 IPv6, 3 IPv6 behind a tag.
    pub layout: Bits<2>,
    /// Plane.
    pub plane: Bits<4>,
}

/// What goes with a beat.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct BeatNotes {
    /// Where ICRC goes: 0 nowhere; 1 behind word `rest` of this last beat; 2 its first half at this beat's
    /// end, 3 its second in this last beat, which has nothing else.
    pub place: Bits<2>,
    /// That of the frame.
    pub rest: Bits<4>,
    /// That of the frame.
    pub layout: Bits<2>,
    /// That of the frame.
    pub plane: Bits<4>,
}

/// What goes with a beat that is finished.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct FramedNotes {
    /// Last of the frame; with `rest` words and two bytes.
    pub last: Bit,
    /// That of the frame.
    pub rest: Bits<4>,
    /// Plane.
    pub plane: Bits<4>,
}
