//! One link in one cycle.

/// A valid/ready link as the rising clock edge of one cycle sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Link<T> {
    payload: Option<T>,
    ready: bool,
}

impl<T> Link<T> {
    /// A link; `payload` is only read when `valid`.
    #[inline]
    pub fn new(valid: bool, ready: bool, payload: impl FnOnce() -> T) -> Self {
        Self { payload: valid.then(payload), ready }
    }

    /// A link that cannot stall.
    #[inline]
    pub fn pulse(valid: bool, payload: impl FnOnce() -> T) -> Self {
        Self::new(valid, true, payload)
    }

    /// The payload, when valid.
    #[inline]
    pub fn offered(&self) -> Option<&T> {
        self.payload.as_ref()
    }

    /// The payload, when it is transferred in this cycle.
    #[inline]
    pub fn crossing(&self) -> Option<&T> {
        self.payload.as_ref().filter(|_| self.ready)
    }
}

/// Checks that an offer stays, unchanged, until it is taken.
#[derive(Clone, Debug)]
pub(crate) struct Handshake<T> {
    waiting: Option<T>,
}

impl<T: Clone + PartialEq> Handshake<T> {
    pub fn new() -> Self {
        Self { waiting: None }
    }

    /// Gives (was, is) when an offer that was not taken has changed or gone.
    pub fn broken(&mut self, link: &Link<T>) -> Option<(T, Option<T>)> {
        let offered = link.offered();
        let changed = self.waiting.is_some() && self.waiting.as_ref() != offered;
        let broken = self.waiting.take_if(|_| changed).map(|was| (was, offered.cloned()));
        if link.crossing().is_some() {
            self.waiting = None;
        } else if self.waiting.is_none() {
            // Most offers wait for long: what is known already is not copied again.
            self.waiting = offered.cloned();
        }
        broken
    }

    /// An offer was waiting already in the cycle before.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    pub fn reset(&mut self) {
        self.waiting = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_may_only_end_by_being_taken() {
        let mut link = Handshake::new();
        assert_eq!(link.broken(&Link::new(true, false, || 7)), None);
        assert_eq!(link.broken(&Link::new(true, false, || 7)), None);
        assert_eq!(link.broken(&Link::new(true, true, || 7)), None);
        assert_eq!(link.broken(&Link::new(true, false, || 8)), None);
        assert_eq!(link.broken(&Link::new(true, true, || 9)), Some((8, Some(9))));
        assert_eq!(link.broken(&Link::new(true, false, || 1)), None);
        assert_eq!(link.broken(&Link::new(false, true, || 0)), Some((1, None)));
    }
}
