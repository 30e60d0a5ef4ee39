//! Which operations an endpoint takes part in.

use heddle_wire::Opcode;

/// A set of opcodes. What is not in it is refused: work requests with INVALID_REQUEST, packets as `operation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// The operations of these requests, with the answers to them.
    pub const fn of(requests: &[Opcode]) -> Self {
        let (mut bits, mut i) = (0, 0);
        while i < requests.len() {
            bits |= 1 << requests[i] as u16;
            if let Some(answer) = answer(requests[i]) {
                bits |= 1 << answer as u16;
            }
            i += 1;
        }
        Self(bits)
    }

    /// The opcode of a work request that is taken: in the set, and no answer.
    pub fn request(self, code: u8) -> Option<Opcode> {
        Opcode::from_code(code).filter(|&opcode| self.has(opcode) && !opcode.is_answer())
    }

    /// Only WRITE: everything that other operations need is as if it were not there.
    pub fn is_write_only(self) -> bool {
        self == Self::WRITE_ONLY
    }

    /// Whether the opcode is in the set.
    pub const fn has(self, opcode: Opcode) -> bool {
        self.0 >> opcode as u16 & 1 == 1
    }
}

/// The opcode that answers this request, if one does.
pub const fn answer(request: Opcode) -> Option<Opcode> {
    match request {
        Opcode::ReadReq => Some(Opcode::ReadResp),
        Opcode::FetchAdd | Opcode::CmpSwap => Some(Opcode::AtomicResp),
        _ => None,
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
        assert!(Operations::WRITE_ONLY.is_write_only() && !Operations::ALL.is_write_only());
    }

    #[test]
    fn a_request_brings_its_answer_with_it_and_an_answer_is_no_work_request() {
        let reads = Operations::of(&[Opcode::ReadReq]);
        let has: Vec<_> = Opcode::ALL.iter().filter(|&&opcode| reads.has(opcode)).collect();
        assert_eq!(has, [&Opcode::ReadReq, &Opcode::ReadResp]);
        let taken: Vec<u8> = (0..=255).filter(|&code| Operations::ALL.request(code).is_some()).collect();
        assert_eq!(taken, [1, 2, 3, 4, 5, 7, 8]);
    }
}
