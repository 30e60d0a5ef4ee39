//! Why a block cannot be emitted, and where.
use std::fmt;

/// A refusal: the instance path, the kernel statement and signal when there is one, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct EmitError {
    /// Instance path from the top, such as `rx_path.ring`.
    pub path: String,
    /// The signal concerned, in rust-hdl's spelling with `.` between levels.
    pub signal: Option<String>,
    /// The kernel statement, printed back from rust-hdl's syntax tree.
    pub statement: Option<String>,
    /// What was found and what is needed.
    pub reason: Reason,
}

impl fmt::Display for EmitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.path)?;
        if let Some(signal) = &self.signal {
            write!(out, ": `{signal}`")?;
        }
        write!(out, ": {}", self.reason)?;
        if let Some(statement) = &self.statement {
            write!(out, " in `{statement}`")?;
        }
        Ok(())
    }
}

/// What the emitter found that it cannot express exactly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// rust-hdl's own checks (connections, loops, writes to inputs) failed.
    #[error("rust-hdl's checks fail: {0}")]
    Checks(String),
    /// The top is not a `LogicBlock`.
    #[error("the top is not a block")]
    NotABlock,
    /// A signal without bits.
    #[error("it has no bits")]
    NoBits,
    /// A bidirectional port or link.
    #[error("bidirectional signals have no exact simulation to emit")]
    Bidirectional,
    /// A block with Verilog of its own has children.
    #[error("a block with its own Verilog text cannot have children")]
    ChildrenOfCustom,
    /// A register's clock is not a plain signal.
    #[error("the clock of register `{register}` is not a plain signal")]
    Clock {
        /// Register concerned.
        register: String,
    },
    /// Two names are equal after renaming.
    #[error("the port name `{0}` is taken")]
    PortName(String),
    /// A value of one width where another is needed.
    #[error("{got} bits where {need} are needed")]
    Width {
        /// Bits found.
        got: usize,
        /// Bits needed.
        need: usize,
    },
    /// Operands of different widths.
    #[error("operands of {left} and {right} bits")]
    Operands {
        /// Bits of the left operand.
        left: usize,
        /// Bits of the right operand.
        right: usize,
    },
    /// A literal that rust-hdl would refuse at run time.
    #[error("{value} does not fit {width} bits")]
    Literal {
        /// The value.
        value: String,
        /// Bits available.
        width: usize,
    },
    /// rust-hdl's syntax tree does not tell the width.
    #[error("the width of {0} is not in the syntax tree; copy it to a Local first")]
    NoWidth(&'static str),
    /// A name that is no signal, loop index or variant.
    #[error("`{0}` is no signal, loop index or enum variant (a Rust constant? use a Constant field)")]
    UnknownName(String),
    /// Two enums have a variant of this name.
    #[error("`{0}` is a variant of more than one enum; write the enum's name")]
    AmbiguousVariant(String),
    /// A loop index named as a signal: rust-hdl's tree does not tell them apart.
    #[error("the loop index has the name of signal `{0}`")]
    LoopIndexIsSignal(String),
    /// The input of a child is read: its value there is that of the previous delta.
    #[error("`{0}` is the input of a child and cannot be read; use a Local")]
    ChildInputRead(String),
    /// Assignment to something the block does not drive.
    #[error("`{0}` is not driven by this block")]
    NotDriven(String),
    /// Not assigned on every path.
    #[error("`{0}` is not assigned on every path: a latch; assign a default first")]
    Latch(String),
    /// Read before it is assigned.
    #[error("`{0}` is read before it is completely assigned")]
    ReadBeforeAssigned(String),
    /// Computed in steps from nothing but constants.
    #[error("`{0}` is computed in steps from constants only; use a Constant field")]
    ConstantSteps(String),
    /// Arithmetic on the result of `.index()`.
    #[error("arithmetic on .index(); write (a + b).index() or use a Local")]
    IndexArithmetic,
    /// A constant index past the end.
    #[error("index {index} of {width} bits")]
    IndexRange {
        /// Index found.
        index: String,
        /// Bits there are.
        width: usize,
    },
    /// An array index that is no expression of literals and loop indices.
    #[error("array index `{0}` is not an expression of literals and loop indices")]
    ArrayIndex(String),
    /// Integer arithmetic that Rust would refuse at run time.
    #[error("{0} is not an unsigned integer")]
    Integer(String),
    /// An operator that integers known at emission do not have here.
    #[error("{0} of integers known at emission")]
    IntegerOperator(&'static str),
    /// A condition wider than one bit.
    #[error("a condition of more than one bit")]
    Condition,
    /// An assignment target that is no signal.
    #[error("the assignment target is no signal")]
    Target,
    /// A match pattern that is neither variant nor literal.
    #[error("match pattern `{0}`")]
    Pattern(String),
    /// `match` on something known at emission.
    #[error("match on a constant")]
    MatchOnConstant,
    /// A field at an offset known only at run time.
    #[error("slice assignment at an offset known only at run time")]
    FieldOffset,
}
