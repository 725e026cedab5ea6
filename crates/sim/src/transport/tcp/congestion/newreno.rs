//! Additive increase and halving (RFC 5681 section 3.1).

/// Bytes that were acknowledged since the window last grew (RFC 3465 section 2.1).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted(u64);

impl Counted {
    /// By how much the window grows in congestion avoidance: a segment for each window of bytes.
    #[inline]
    pub(super) fn grow(&mut self, window: u64, bytes: u64, segment: u64) -> u64 {
        self.0 += bytes;
        if self.0 < window {
            return 0;
        }
        self.0 -= window;
        segment
    }
}

/// Equation 4 of RFC 5681, without its lower bound.
pub(super) fn halved(bytes: u64) -> u64 {
    bytes / 2
}
