//! Taking the time.

use super::frames::{Buffers, Frames};
use super::outputs::Count;
use std::time::{Duration, Instant};
use ww_dataplane::{Dataplane, Picoseconds, Sink};

/// What 64-byte frames take on a 10 Gbit/s link, gap and preamble included: how far apart the
/// frames of a benchmark arrive.
const SPACING: Picoseconds = 67_200;

/// Drives a dataplane with frames; time goes on as if a wire brought them.
pub struct Driver<'f> {
    frames: &'f Frames,
    buffers: Buffers,
    now: Picoseconds,
}

impl<'f> Driver<'f> {
    /// For batches of `batch` frames.
    pub fn new(frames: &'f Frames, batch: usize) -> Self {
        Self { frames, buffers: frames.buffers(batch), now: 0 }
    }

    /// All frames once.
    pub fn pass(&mut self, dataplane: &mut dyn Dataplane, sink: &mut dyn Sink) {
        let now = &mut self.now;
        let mut held = Vec::new();
        self.frames.replay(&mut self.buffers, |batch| {
            *now += SPACING * batch.len() as Picoseconds;
            while dataplane.next_event().is_some_and(|due| due <= *now) {
                dataplane.advance(*now, &mut held);
                held.drain(..).for_each(|out| sink.transmit(out.port, out.at, &out.frame));
            }
            dataplane.receive_batch(*now, batch, sink);
        });
    }

    /// `passes` passes, timed.
    fn round(&mut self, dataplane: &mut dyn Dataplane, passes: u64) -> (Round, Count) {
        let mut count = Count::default();
        let start = Instant::now();
        for _ in 0..passes {
            self.pass(dataplane, &mut count);
        }
        let elapsed = start.elapsed();
        (Round { packets: passes * self.frames.len() as u64, elapsed }, count)
    }

    /// Warms up with one pass, then measures: for about `seconds` in about `rounds` rounds of
    /// whole passes, or in rounds of at least `packets` packets.
    pub fn measure(
        &mut self,
        dataplane: &mut dyn Dataplane,
        rounds: u32,
        length: Length,
    ) -> Measurement {
        self.round(dataplane, 1);
        let passes = match length {
            Length::Packets(packets) => packets.div_ceil(self.frames.len() as u64),
            Length::Seconds(seconds) => {
                let one = self.round(dataplane, 1).0.elapsed.as_secs_f64().max(1e-9);
                (seconds / f64::from(rounds) / one).ceil() as u64
            }
        };
        let (mut list, mut total) = (Vec::new(), Count::default());
        for _ in 0..rounds {
            let (round, count) = self.round(dataplane, passes.max(1));
            list.push(round);
            total.frames += count.frames;
            total.bytes += count.bytes;
        }
        Measurement { rounds: list, transmitted: total.frames, bytes_out: total.bytes }
    }
}

/// How long a measurement takes.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// All rounds together.
    Seconds(f64),
    /// Each round.
    Packets(u64),
}

/// One timed row of passes.
#[derive(Clone, Copy)]
pub struct Round {
    /// Packets that came in.
    pub packets: u64,
    /// Time by the wall clock.
    pub elapsed: Duration,
}

impl Round {
    /// Nanoseconds a packet.
    pub fn nanoseconds(&self) -> f64 {
        self.elapsed.as_secs_f64() * 1e9 / self.packets as f64
    }
}

/// All rounds.
pub struct Measurement {
    /// In the order in which they ran.
    pub rounds: Vec<Round>,
    /// Frames that left in all of them.
    pub transmitted: u64,
    /// Bytes of these frames.
    pub bytes_out: u64,
}

impl Measurement {
    fn sorted(&self) -> Vec<f64> {
        let mut all: Vec<f64> = self.rounds.iter().map(Round::nanoseconds).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// Packets that came in.
    pub fn packets(&self) -> u64 {
        self.rounds.iter().map(|round| round.packets).sum()
    }

    /// Time of all rounds together.
    pub fn seconds(&self) -> f64 {
        self.rounds.iter().map(|round| round.elapsed.as_secs_f64()).sum()
    }

    /// Of the median round (the slower one of the two in the middle).
    pub fn nanoseconds(&self) -> f64 {
        let sorted = self.sorted();
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// Of the fastest and of the slowest round.
    pub fn extremes(&self) -> (f64, f64) {
        let sorted = self.sorted();
        let of = |end: Option<&f64>| end.copied().unwrap_or(f64::NAN);
        (of(sorted.first()), of(sorted.last()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_round() {
        let round = |milliseconds| Round {
            packets: 1_000_000,
            elapsed: Duration::from_millis(milliseconds),
        };
        let rounds = vec![round(90), round(10), round(20)];
        let measurement = Measurement { rounds, transmitted: 0, bytes_out: 0 };
        assert_eq!(measurement.nanoseconds().round(), 20.0);
        assert_eq!(measurement.extremes().0.round(), 10.0);
        assert_eq!(measurement.extremes().1.round(), 90.0);
        assert_eq!((measurement.packets(), measurement.seconds()), (3_000_000, 0.12));
    }
}
