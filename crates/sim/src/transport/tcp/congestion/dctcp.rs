//! DCTCP's estimate of how much is marked (RFC 8257 section 3.3). Otherwise its window obeys the law of
//! RFC 5681.

/// DCTCP.Alpha and what it is made of.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    gain: f64,
    alpha: f64,
    acknowledged: u64,
    marked: u64,
    /// DCTCP.WindowEnd.
    window_end: u64,
}

impl Estimate {
    /// Alpha is 1 at first, so that the first mark halves the window (section 4.2).
    pub(super) fn new(gain: f64) -> Self {
        Self { gain, alpha: 1.0, acknowledged: 0, marked: 0, window_end: 0 }
    }

    pub(super) fn share(&self) -> f64 {
        self.alpha
    }

    /// Steps 1 to 8.
    #[inline]
    pub(super) fn observe(&mut self, acknowledged: u64, sent: u64, bytes: u64, marked: bool) {
        self.acknowledged += bytes;
        if marked {
            self.marked += bytes;
        }
        if acknowledged <= self.window_end {
            return;
        }
        let share = self.marked as f64 / self.acknowledged as f64;
        self.alpha = self.alpha * (1.0 - self.gain) + self.gain * share;
        (self.acknowledged, self.marked, self.window_end) = (0, 0, sent);
    }

    /// Equation 9: the window after a mark.
    pub(super) fn reduced(&self, window: u64) -> u64 {
        (window as f64 * (1.0 - self.alpha / 2.0)) as u64
    }
}
