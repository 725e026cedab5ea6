//! Axes: from values to places, and where the ticks are.

use crate::text;

/// An axis: what it shows, and how values become places.
#[derive(Clone, Debug)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) scale: Scale,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scale {
    Linear,
    Log2,
    Log10,
    Categories(Vec<String>),
}

impl Axis {
    fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale, low: None, high: None }
    }

    /// Equal steps for equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Linear)
    }

    /// Equal steps for equal factors; ticks at powers of two. Values of 0 and less are not drawn.
    pub fn log2(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Log2)
    }

    /// Equal steps for equal factors; ticks at powers of ten. Values of 0 and less are not drawn.
    pub fn log10(label: impl Into<String>) -> Self {
        Self::new(label, Scale::Log10)
    }

    /// A place for each word; value n is the place of word n, from 0.
    pub fn categories<W: Into<String>>(
        label: impl Into<String>,
        words: impl IntoIterator<Item = W>,
    ) -> Self {
        Self::new(label, Scale::Categories(words.into_iter().map(Into::into).collect()))
    }

    /// The axis reaches at least from here.
    pub fn from(mut self, low: f64) -> Self {
        self.low = Some(low);
        self
    }

    /// The axis reaches at least to here.
    pub fn to(mut self, high: f64) -> Self {
        self.high = Some(high);
        self
    }

    /// The place in it for these values.
    pub(crate) fn range(&self, values: impl Iterator<Item = f64>) -> Range {
        if let Scale::Categories(words) = &self.scale {
            return Range { scale: self.scale.clone(), low: -0.5, high: words.len() as f64 - 0.5 };
        }
        let is_log = self.scale != Scale::Linear;
        let all = values.chain(self.low).chain(self.high);
        let fit = all.filter(|v| v.is_finite() && (!is_log || *v > 0.0));
        let (mut low, mut high) =
            fit.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        if low > high {
            (low, high) = if is_log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        let (low, high) = match self.scale {
            Scale::Log2 => widen(low.log2(), high.log2(), 1.0, |v| v.exp2()),
            Scale::Log10 => {
                let (from, to) = (low.log10(), high.log10());
                // Whole decades only where there are several.
                let step = if to - from > 1.2 { 1.0 } else { 0.1 };
                widen(from, to, step, |v| 10f64.powf(v))
            }
            _ => {
                if low == high {
                    (low, high) = (low.min(0.0), if high == 0.0 { 1.0 } else { high.max(0.0) });
                }
                // What is fixed stays; the rest ends at a tick.
                let step = step(high - low);
                let to = if self.high == Some(high) { high } else { (high / step).ceil() * step };
                let from = if self.low == Some(low) { low } else { (low / step).floor() * step };
                (from, to)
            }
        };
        Range { scale: self.scale.clone(), low, high }
    }
}

/// To the next steps outside, in logarithms, and back.
fn widen(low: f64, high: f64, step: f64, back: impl Fn(f64) -> f64) -> (f64, f64) {
    // Logarithms of whole powers may be a rounding error away from them.
    let from = ((low / step) + 1e-9).floor() * step;
    let to = ((high / step) - 1e-9).ceil() * step;
    (back(from), back(if to > from { to } else { from + step }))
}

/// A step of 1, 2 or 5 times a power of ten, some six of which fill a span.
fn step(span: f64) -> f64 {
    let raw = span / 6.0;
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * power >= raw * 0.999).unwrap_or(10.0);
    factor * power
}

/// The values that an axis shows.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Range {
    /// Where a value is: 0 at the beginning of the axis, 1 at its end. `None` for what a logarithmic axis
    /// cannot show, and for what is no number.
    pub fn place(&self, value: f64) -> Option<f64> {
        let (value, low, high) = match self.scale {
            Scale::Log2 | Scale::Log10 if value <= 0.0 => return None,
            Scale::Log2 | Scale::Log10 => (value.ln(), self.low.ln(), self.high.ln()),
            _ => (value, self.low, self.high),
        };
        let place = (value - low) / (high - low);
        place.is_finite().then_some(place)
    }

    /// The place from which bars and areas rise.
    pub fn floor(&self) -> f64 {
        self.place(0.0).unwrap_or(0.0).clamp(0.0, 1.0)
    }

    /// Width of a category, as a part of the axis.
    pub fn slot(&self) -> f64 {
        1.0 / (self.high - self.low)
    }

    /// Places of the ticks with their words; fewer than `most`.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let most = most.max(2);
        let values: Vec<(f64, String)> = match &self.scale {
            Scale::Categories(words) => {
                words.iter().enumerate().map(|(n, word)| (n as f64, word.clone())).collect()
            }
            Scale::Log2 => self.powers(2.0, most, text::binary),
            Scale::Log10 => self.powers(10.0, most, text::number),
            Scale::Linear => {
                let span = self.high - self.low;
                let mut step = step(span);
                while span / step + 1.0 > most as f64 {
                    step *= 2.0;
                }
                let first = (self.low / step - 1e-9).ceil() as i64;
                let last = (self.high / step + 1e-9).floor() as i64;
                (first..=last).map(|n| (n as f64 * step, text::number(n as f64 * step))).collect()
            }
        };
        let placed =
            values.into_iter().filter_map(|(value, word)| Some((self.place(value)?, word)));
        placed.filter(|(place, _)| (-1e-6..=1.0 + 1e-6).contains(place)).collect()
    }

    fn powers(&self, base: f64, most: usize, word: fn(f64) -> String) -> Vec<(f64, String)> {
        let of = |value: f64| value.ln() / base.ln();
        let first = (of(self.low) - 1e-9).ceil() as i32;
        let last = (of(self.high) + 1e-9).floor() as i32;
        let count = (last - first + 1).max(0) as usize;
        let stride = count.div_ceil(most).max(1);
        let mut values: Vec<f64> =
            (first..=last).step_by(stride).map(|power| base.powi(power)).collect();
        if base > 2.0 && count <= 2 {
            // A decade or less: the steps between as well.
            let between = (first - 1..=last)
                .flat_map(|power| [1.0, 2.0, 5.0].map(|factor| factor * base.powi(power)));
            values = between.collect();
        }
        values.into_iter().map(|value| (value, word(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis, values: &[f64]) -> Vec<String> {
        let range = axis.range(values.iter().copied());
        range.ticks(10).into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let linear = Axis::linear("").from(0.0);
        assert_eq!(words(&linear, &[0.0, 57.0]), ["0", "10", "20", "30", "40", "50", "60"]);
        let kibi = Axis::log2("");
        assert_eq!(words(&kibi, &[512.0, 4000.0]), ["512", "1K", "2K", "4K"]);
        let decades = Axis::log10("");
        assert_eq!(words(&decades, &[120.0, 90_000.0]), ["100", "1000", "10k", "100k"]);
        assert_eq!(words(&decades, &[2.1, 9.0]), ["2", "5", "10"]);
        assert_eq!(words(&Axis::categories("", ["a", "b"]), &[]), ["a", "b"]);
    }

    #[test]
    fn places_are_between_the_ends() {
        let range = Axis::log2("").range([16.0, 65_536.0].into_iter());
        assert!((range.place(1024.0).expect("positive") - 0.5).abs() < 1e-9);
        assert_eq!(range.place(0.0), None);
        assert_eq!(range.place(f64::NAN), None);
        let range = Axis::categories("", ["a", "b", "c", "d"]).range(std::iter::empty());
        assert_eq!(range.place(1.5), Some(0.5));
        assert_eq!(range.slot(), 0.25);
    }

    /// Nothing, one value, all equal, not numbers: an axis all the same.
    #[test]
    fn strange_values_make_an_axis() {
        for axis in [Axis::linear(""), Axis::log2(""), Axis::log10("")] {
            for values in [&[][..], &[0.0], &[5.0, 5.0], &[f64::NAN, f64::INFINITY], &[-3.0]] {
                let range = axis.range(values.iter().copied());
                assert!(range.low < range.high, "{axis:?} {values:?}: {range:?}");
                let places = range.ticks(8).into_iter().map(|(place, _)| place);
                assert!(places.clone().all(f64::is_finite), "{axis:?} {values:?}");
                assert!(places.count() < 12);
            }
        }
    }
}
