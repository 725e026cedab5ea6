//! Counting packets, and how many there were lately.

/// Time in picoseconds since the start of the run.
pub type Picoseconds = u64;

/// Packets and bytes since the start, and those of the last whole window of time.
///
/// Windows are next to one another and begin at time 0; a rate is that of the last one that is over, so that it
/// changes once a window, as the meters of the paper do each millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meter {
    /// Packets since the start.
    pub packets: u64,
    /// Their bytes, without FCS.
    pub bytes: u64,
    /// When the window of now is over.
    end: Picoseconds,
    /// What `packets` and `bytes` were when it began.
    begin: (u64, u64),
    /// Packets and bytes of the window before it.
    last: (u64, u64),
}

impl Meter {
    /// A packet.
    #[inline]
    pub fn count(&mut self, now: Picoseconds, window: Picoseconds, bytes: u32) {
        self.roll(now, window);
        self.packets += 1;
        self.bytes += u64::from(bytes);
    }

    /// Packets and bytes of the last window that is over.
    #[inline]
    pub fn last(&mut self, now: Picoseconds, window: Picoseconds) -> (u64, u64) {
        self.roll(now, window);
        self.last
    }

    /// Begins a new window if it is time.
    #[inline]
    fn roll(&mut self, now: Picoseconds, window: Picoseconds) {
        if now < self.end {
            return;
        }
        let all = (self.packets, self.bytes);
        self.last = match now - self.end < window {
            true => (all.0 - self.begin.0, all.1 - self.begin.1),
            false => (0, 0),
        };
        self.begin = all;
        self.end = (now / window + 1).saturating_mul(window);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 1_000_000_000;

    #[test]
    fn rates_are_those_of_the_last_whole_window() {
        let mut meter = Meter::default();
        meter.count(5, WINDOW, 100);
        meter.count(WINDOW - 1, WINDOW, 200);
        assert_eq!(meter.last(WINDOW - 1, WINDOW), (0, 0), "no window is over yet");
        assert_eq!(meter.last(WINDOW, WINDOW), (2, 300));
        meter.count(WINDOW + 1, WINDOW, 50);
        assert_eq!(meter.last(2 * WINDOW - 1, WINDOW), (2, 300));
        assert_eq!(meter.last(2 * WINDOW, WINDOW), (1, 50));
        assert_eq!(meter.last(3 * WINDOW, WINDOW), (0, 0), "an idle window");
        meter.count(3 * WINDOW + 7, WINDOW, 9);
        assert_eq!(meter.last(9 * WINDOW, WINDOW), (0, 0), "the last one was idle");
        assert_eq!((meter.packets, meter.bytes), (4, 359));
    }
}
