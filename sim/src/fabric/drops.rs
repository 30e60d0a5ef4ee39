//! Why packets are lost.

/// One reason for every packet that does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drop {
    /// Chance, on a link.
    Chance,
    /// A bit was wrong, and the receiver's ICRC found it.
    Corrupt,
    /// No room in a switch.
    Buffer,
    /// Its link was down, or failed with the packet on it.
    Link,
    /// No way from a switch to its destination.
    NoRoute,
    /// No room at the receiving host.
    Host,
}

impl Drop {
    /// All of them, with the names that stand in results.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Chance, "chance"),
        (Self::Corrupt, "corrupt"),
        (Self::Buffer, "buffer"),
        (Self::Link, "link"),
        (Self::NoRoute, "no_route"),
        (Self::Host, "host"),
    ];
}

/// How many of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drops([u64; Drop::ALL.len()]);

impl Drops {
    /// One more.
    pub fn count(&mut self, why: Drop) {
        self.0[why as usize] += 1;
    }

    /// So many.
    pub fn of(&self, why: Drop) -> u64 {
        self.0[why as usize]
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
