//! The clock of a live run: monotonic, in picoseconds since the start.

use crate::time::UtcTime;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use ww_dataplane::Picoseconds;

/// One worker's view of the run's clock.
#[derive(Clone)]
pub(super) struct Clock {
    began: Instant,
    /// The time of this round.
    pub now: Picoseconds,
    /// The time of day at `now`, to place the kernel's stamps.
    today: UtcTime,
    /// The latest time given to the dataplane; it never runs backwards.
    latest: Picoseconds,
}

impl Clock {
    /// A clock that starts now.
    pub fn new() -> Self {
        Self { began: Instant::now(), now: 0, today: time_of_day(), latest: 0 }
    }

    /// Starts again from zero; the time of day stays.
    pub fn restart(&mut self) {
        self.began = Instant::now();
    }

    /// The time of day when this was called last, or when the clock was made.
    pub fn today(&self) -> UtcTime {
        self.today
    }

    /// Looks at the time.
    pub fn tick(&mut self) {
        let elapsed = self.began.elapsed().as_nanos().saturating_mul(1000);
        self.now = Picoseconds::try_from(elapsed).unwrap_or(Picoseconds::MAX);
    }

    /// Looks at the time of day, which [`arrival`](Self::arrival) compares with.
    pub fn tick_today(&mut self) {
        self.today = time_of_day();
    }

    /// The run's time for a frame the kernel stamped: now, less its age. A step of
    /// the system's clock cannot push it into the future or behind other frames.
    pub fn arrival(&mut self, stamp: Option<UtcTime>) -> Picoseconds {
        let age = stamp.and_then(|stamp| self.today.since(stamp)).unwrap_or(0);
        self.at(self.now.saturating_sub(age))
    }

    /// `time`, or the latest time given out if that is later.
    pub fn at(&mut self, time: Picoseconds) -> Picoseconds {
        self.latest = self.latest.max(time);
        self.latest
    }

    /// The latest of all times so far.
    pub fn end(&self) -> Picoseconds {
        self.now.max(self.latest)
    }

    /// How long it is until `time`.
    pub fn until(&self, time: Picoseconds) -> Duration {
        let due = self.began.checked_add(Duration::from_nanos(time.div_ceil(1000)));
        due.map_or(Duration::MAX, |due| due.saturating_duration_since(Instant::now()))
    }

    /// Real time since the start, in seconds.
    pub fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }
}

fn time_of_day() -> UtcTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UtcTime::from_seconds(since.as_secs() as i64, since.subsec_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_runs_backwards() {
        let mut clock = Clock::new();
        clock.now = 1_000;
        clock.today = UtcTime(5_000);
        assert_eq!(clock.arrival(Some(UtcTime(4_900))), 900);
        assert_eq!(clock.arrival(Some(UtcTime(4_800))), 900, "behind another frame");
        assert_eq!(clock.arrival(Some(UtcTime(9_999))), 1_000, "from the future");
        assert_eq!(clock.arrival(None), 1_000);
        clock.now = 2_000;
        assert_eq!(clock.arrival(Some(UtcTime(0))), 1_000, "older than the run");
    }
}
