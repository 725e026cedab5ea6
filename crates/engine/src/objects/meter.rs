//! The two-rate three-colour marker of RFC 2698 in its colour-blind mode.

use super::Cells;
use ww_dataplane::Picoseconds;
use ww_dataplane::control::{MeterRate, MeterRates};

/// What a meter says. The numbers are v1model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Colour {
    /// Within both rates.
    Green = 0,
    /// Above the committed rate.
    Yellow = 1,
    /// Above the peak rate.
    Red = 2,
}

/// Rates count 10^-12 units per microsecond, tokens 10^-12 units: integers, so that every engine
/// and `rtl/meter_array` come to the same colour, and decimal, so that a rate of 0.1 is exact.
const UNIT: u128 = 1_000_000_000_000;
const PICOSECONDS_PER_MICROSECOND: Picoseconds = 1_000_000;

/// One meter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meter {
    configured: Option<Configured>,
}

#[derive(Clone, Debug, PartialEq)]
struct Configured {
    rates: MeterRates,
    committed: Bucket,
    peak: Bucket,
    /// When the buckets were filled last, in microseconds.
    filled_at: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Bucket {
    tokens: u128,
    depth: u128,
    per_microsecond: u128,
}

impl Bucket {
    fn full(rate: MeterRate) -> Self {
        let depth = u128::from(rate.burst) * UNIT;
        // A conversion from float saturates; negative numbers and NaN become zero.
        let per_microsecond = (rate.units_per_microsecond * UNIT as f64).round() as u128;
        Self { tokens: depth, depth, per_microsecond }
    }

    fn fill(&mut self, elapsed: u64) {
        let gained = self.per_microsecond.saturating_mul(u128::from(elapsed));
        self.tokens = self.tokens.saturating_add(gained).min(self.depth);
    }

    /// Takes the tokens if there are enough.
    fn has(&self, units: u128) -> bool {
        self.tokens >= units
    }
}

impl Meter {
    /// Sets both rates, with full buckets; `None` makes the meter green for ever.
    pub fn configure(&mut self, rates: Option<MeterRates>) {
        self.configured = rates.map(|rates| Configured {
            committed: Bucket::full(rates.committed),
            peak: Bucket::full(rates.peak),
            rates,
            filled_at: 0,
        });
    }

    /// The rates, if they were set.
    pub fn rates(&self) -> Option<MeterRates> {
        self.configured.as_ref().map(|c| c.rates)
    }

    /// Whether rates were set: a meter without is green and stays as it is.
    pub fn is_configured(&self) -> bool {
        self.configured.is_some()
    }

    /// The colour of a packet of so many units (1, or its bytes) at `now`. Tokens accrue with each
    /// whole microsecond, the unit of a packet's timestamps: hardware knows no finer time.
    pub fn execute(&mut self, now: Picoseconds, units: u64) -> Colour {
        let Some(meter) = &mut self.configured else { return Colour::Green };
        let now = now / PICOSECONDS_PER_MICROSECOND;
        let elapsed = now.saturating_sub(meter.filled_at);
        meter.filled_at = meter.filled_at.max(now);
        meter.committed.fill(elapsed);
        meter.peak.fill(elapsed);
        let units = u128::from(units) * UNIT;
        if !meter.peak.has(units) {
            return Colour::Red;
        }
        meter.peak.tokens -= units;
        if !meter.committed.has(units) {
            return Colour::Yellow;
        }
        meter.committed.tokens -= units;
        Colour::Green
    }
}

impl Cells<Meter> {
    /// The colour that the meter at an index gives to a packet; green beyond the end. A meter
    /// without rates takes no memory for it.
    pub fn execute(&mut self, index: u64, now: Picoseconds, units: u64) -> Colour {
        match self.get(index) {
            Some(meter) if meter.is_configured() => {
                self.get_mut(index).map_or(Colour::Green, |meter| meter.execute(now, units))
            }
            _ => Colour::Green,
        }
    }
}

/// The next meters, from index `from` on, that may have rates: the first, and the one behind the
/// last.
pub fn next_meter(meters: &Cells<Meter>, from: u64) -> Option<(u64, u64)> {
    match meters.initial().is_configured() {
        true => (from < meters.size()).then_some((from, meters.size())),
        false => meters.next_used(from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meter(committed: (f64, u64), peak: (f64, u64)) -> Meter {
        let rate = |(units_per_microsecond, burst)| MeterRate { units_per_microsecond, burst };
        let mut meter = Meter::default();
        meter.configure(Some(MeterRates { committed: rate(committed), peak: rate(peak) }));
        meter
    }

    #[test]
    fn unconfigured_is_green() {
        assert_eq!(Meter::default().execute(0, u64::MAX), Colour::Green);
    }

    #[test]
    fn bursts_then_rates() {
        use Colour::{Green, Red, Yellow};
        // One packet per 10 microseconds, bursts of 1 and 2 (RFC 2698 section 3 by hand).
        let mut m = meter((0.1, 1), (0.1, 2));
        let us = |n: u64| n * 1_000_000;
        let colours: Vec<_> =
            [0, 0, 0, 5, 10, 20, 20].iter().map(|&t| m.execute(us(t), 1)).collect();
        // At 5 both buckets hold half a token; at 10 one each, both taken; at 20 the same.
        assert_eq!(colours, [Green, Yellow, Red, Red, Green, Green, Red]);
    }

    /// 1.75 packets a microsecond: from 1.9 us to 2.0 us a microsecond begins, from 2.0 us to 2.9 us none does.
    #[test]
    fn tokens_accrue_with_each_whole_microsecond() {
        use Colour::{Green, Red};
        let mut m = meter((1.75, 1), (1.75, 1));
        let colours: Vec<_> =
            [1_900_000, 2_000_000, 2_900_000, 3_000_000].iter().map(|&t| m.execute(t, 1)).collect();
        assert_eq!(colours, [Green, Green, Red, Green]);
    }

    #[test]
    fn red_takes_nothing_and_yellow_only_from_the_peak_bucket() {
        use Colour::{Green, Red, Yellow};
        let mut m = meter((0.0, 10), (0.0, 16));
        let colours: Vec<_> = [17, 6, 5, 4, 2, 1, 1].iter().map(|&n| m.execute(0, n)).collect();
        assert_eq!(colours, [Red, Green, Yellow, Green, Red, Yellow, Red]);
    }
}
