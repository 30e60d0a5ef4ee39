//! The Heddle wire format: one source for model, RTL, dissector and documents.
//!
//! Every layout is declared once, as a table and the struct that follows it ([`field`]); the transport's own
//! headers are in [`header`], those below in [`net`]. [`Frame`] reads and writes whole Ethernet frames;
//! whatever bytes it is given, it accepts them or says exactly one [`DropReason`]. Sequence numbers and times
//! are serial types ([`serial`]).
//!
//! The format is our own (`docs/protocol.md` section 3); no published format is claimed to be met.

pub mod drop;
pub mod error;
pub mod field;
pub mod frame;
pub mod header;
pub mod hint;
pub mod icrc;
pub mod ip;
pub mod kinds;
pub mod net;
pub mod packet;
pub mod queues;
pub mod registers;
pub mod render;
pub mod sack;
pub mod serial;
pub mod setup;

pub use drop::{Answer, DropReason, Stage};
pub use error::{EmitError, ParseError};
pub use frame::{Frame, ParseConfig, Vlan};
pub use header::{Ack, AtomicOperands, AtomicResult, Common, Data, Nak, Probe};
pub use hint::Hint;
pub use ip::{Ip, Ipv4, Ipv6};
pub use kinds::{AckForm, Flag, Flags, NakCode, Opcode, PacketType};
pub use packet::{Body, Packet};
pub use queues::{Completion, Receive, Status, WorkRequest};
pub use sack::Sack;
pub use serial::{Msn, Psn, Seq16, Time32};
