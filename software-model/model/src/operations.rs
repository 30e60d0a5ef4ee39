//! Which operations an endpoint takes part in.

use heddle_wire::Opcode;

/// A set of opcodes. What is not in it is refused: work requests with INVALID_REQUEST, packets as `operation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operations(u16);

impl Operations {
    /// What the RTL has so far.
    pub const WRITE_ONLY: Self = Self(1 << Opcode::Write as u16);
    /// Every operation of the protocol.
    pub const ALL: Self = Self({
        let (mut all, mut i) = (0, 0);
        while i < Opcode::ALL.len() {
            all |= 1 << Opcode::ALL[i] as u16;
            i += 1;
        }
        all
    });

    /// Whether the opcode is in the set.
    pub const fn has(self, opcode: Opcode) -> bool {
        self.0 >> opcode as u16 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_has_every_opcode_and_write_only_one() {
        assert!(Opcode::ALL.iter().all(|&opcode| Operations::ALL.has(opcode)));
        let only: Vec<_> = Opcode::ALL.iter().filter(|&&opcode| Operations::WRITE_ONLY.has(opcode)).collect();
        assert_eq!(only, [&Opcode::Write]);
    }
}
