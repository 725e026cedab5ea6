//! From offsets to frequency: a proportional and integral servo.
//!
//! Gains follow the usual ones of PTP daemons: larger for stamps of hardware than for those of software, and smaller the longer the
//! time between samples is, so that the loop is stable at each.

use crate::keeper::Adjustment;
use crate::time::Time;

/// Where stamps are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stamps {
    /// In the physical layer, as the first bit passes.
    #[default]
    Hardware,
    /// In the kernel: as a frame is given to the queue, and after the interrupt.
    Software,
}

/// Most parts in 10^9 by which a clock is made faster or slower: 900 ppm.
const MOST_FREQUENCY: f64 = 900_000.0;

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// No offset yet.
    Empty,
    /// One offset, and when.
    One(Time, Time),
    /// The frequency is known.
    Locked,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Servo {
    proportional: f64,
    integral: f64,
    /// An offset that is larger is stepped, also when the frequency is known.
    step_threshold: Option<Time>,
    first_step: Time,
    frequency: f64,
    state: State,
}

/// Seconds in which the first frequency is measured, times the integral gain.
const MEASURED: f64 = 0.016;

impl Servo {
    /// A servo for this interval between samples, in seconds.
    pub fn new(stamps: Stamps, interval: f64, step_threshold: Option<Time>) -> Self {
        // A first offset that is larger is stepped: more than what stamps are off.
        let first_step = Time::of_nanoseconds(match stamps {
            Stamps::Hardware => 1_000,
            Stamps::Software => 20_000,
        });
        let (proportional, integral) = match stamps {
            Stamps::Hardware => (
                (0.7 * interval.powf(-0.3)).min(0.7 / interval),
                (0.3 * interval.powf(0.4)).min(0.3 / interval),
            ),
            Stamps::Software => ((0.1 / interval).min(0.1), (0.001 / interval).min(0.001)),
        };
        let (frequency, state) = (0.0, State::Empty);
        Self { proportional, integral, step_threshold, first_step, frequency, state }
    }

    /// The clock was ahead by `offset` at this reading of it: what is to be done. Nothing after the first one.
    pub fn sample(&mut self, offset: Time, at: Time) -> Option<Adjustment> {
        match self.state {
            State::Empty => {
                self.state = State::One(offset, at);
                None
            }
            State::One(first, since) => {
                let seconds = (at - since).seconds();
                if seconds <= 0.0 {
                    self.state = State::One(offset, at);
                }
                // The frequency is known the better the longer it took: an error in it goes the more slowly the smaller the gain is.
                if seconds < MEASURED / self.integral {
                    return None;
                }
                let drift = (offset - first).nanoseconds() / seconds;
                self.frequency = bounded(self.frequency - drift);
                self.state = State::Locked;
                let steps = offset.0.abs() > self.first_step.0;
                let step = if steps { -offset } else { Time(0) };
                Some(Adjustment { step, frequency: self.frequency })
            }
            State::Locked => {
                if self.step_threshold.is_some_and(|most| offset.0.abs() > most.0) {
                    self.state = State::Empty;
                    return Some(Adjustment { step: -offset, frequency: self.frequency });
                }
                let nanoseconds = offset.nanoseconds();
                self.frequency = bounded(self.frequency - self.integral * nanoseconds);
                let frequency = bounded(self.frequency - self.proportional * nanoseconds);
                Some(Adjustment { step: Time(0), frequency })
            }
        }
    }
}

fn bounded(frequency: f64) -> f64 {
    frequency.clamp(-MOST_FREQUENCY, MOST_FREQUENCY)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that is 1 ms and 80 ppm off, and then 81 ppm, is within 10 ns after some samples, whatever is between them.
    #[test]
    fn servo_locks() {
        for (stamps, interval, samples) in [
            (Stamps::Hardware, 1.0, 30),
            (Stamps::Hardware, 0.125, 120),
            (Stamps::Hardware, 1.0 / 128.0, 1000),
            (Stamps::Software, 1.0, 2000),
        ] {
            let mut servo = Servo::new(stamps, interval, None);
            let (mut offset, mut drift, mut at) = (1e6, 80_000.0, 0.0);
            let mut oscillator = 80_000.0;
            for number in 0..samples {
                if number == samples / 4 {
                    drift += 1000.0;
                    oscillator += 1000.0;
                }
                at += interval;
                offset += drift * interval;
                let sample = Time::of_seconds(offset * 1e-9);
                if let Some(told) = servo.sample(sample, Time::of_seconds(at)) {
                    offset += told.step.nanoseconds();
                    drift = oscillator + told.frequency;
                }
            }
            assert!(offset.abs() < 10.0, "{stamps:?} {interval}: {offset} ns");
        }
    }

    #[test]
    fn large_offsets_are_stepped_again() {
        let mut servo = Servo::new(Stamps::Hardware, 1.0, Some(Time::of_nanoseconds(1000)));
        let sample = |servo: &mut Servo, offset, at: f64| {
            servo.sample(Time::of_nanoseconds(offset), Time::of_seconds(at))
        };
        assert_eq!(sample(&mut servo, 0, 0.0), None);
        assert_eq!(sample(&mut servo, 100, 1.0).map(|told| told.frequency), Some(-100.0));
        let told = sample(&mut servo, 5000, 2.0).expect("a step");
        assert_eq!(told.step, Time::of_nanoseconds(-5000));
        assert_eq!(sample(&mut servo, 0, 3.0), None, "it begins anew");
    }
}
