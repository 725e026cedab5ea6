//! Settings of lines: of `edge` and `core` of a topology, and of single links.

use ww_config::quantity::{Bytes, Length, Probability, Rate, Span};
use ww_config::reader::Reader;
use ww_sim::line::Limits;
use ww_sim::network::{Direction, Phy};

/// Bytes that may wait in front of a line, if a lab does not say: 100 full frames and some.
pub const DEFAULT_QUEUE: u64 = 150_000;
/// Preamble, FCS and gap of Ethernet.
pub const DEFAULT_OVERHEAD: u32 = 24;

/// Bits a second of a line whose rate could not be read: no traffic is too fast for it.
pub(crate) const UNKNOWN_RATE: u64 = 1_000_000_000_000_000;
/// Picoseconds that a line takes whose delay could not be read: a day, so that no delay is longer.
pub(super) const UNKNOWN_DELAY: u64 = 86_400_000_000_000_000;

/// A line of which nothing is said.
pub(super) fn unknown_line() -> Direction {
    Direction {
        rate: UNKNOWN_RATE,
        delay: 0,
        jitter: 0,
        overhead: DEFAULT_OVERHEAD,
        limits: Limits { bytes: DEFAULT_QUEUE, mark: None },
        loss: 0.0,
        corruption: 0.0,
        phy: Phy::Bytes,
    }
}

/// What a table says of a line; the rest stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LineSettings {
    rate: Option<u64>,
    delay: Option<u64>,
    jitter: Option<u64>,
    overhead: Option<u32>,
    queue: Option<u64>,
    mark: Option<u64>,
    loss: Option<f64>,
    corruption: Option<f64>,
    phy: Option<Phy>,
}

/// Values of `phy`.
const PHYS: [(&str, Phy); 1] = [("10gbase-r", Phy::TenGigabit)];

impl LineSettings {
    /// Reads the keys of a line from a table that may have others.
    pub fn read(reader: &Reader<'_>) -> Self {
        let (delay, length) = (reader.get("delay"), reader.get("length"));
        if let (Some(Span(_)), Some(Length(_)), Some(value)) =
            (delay, length, reader.value("length"))
        {
            let message = format!("{} has 'delay' and 'length'", reader.what());
            let advice = Some("a length is a delay of 5 ns/m: leave out one of them".into());
            reader.mistakes().advise(&value.place, message, advice);
        }
        let is_unknown = ["delay", "length"]
            .iter()
            .any(|key| reader.value(key).is_some() || reader.has_slip_of(key));
        let overhead = reader.get::<Bytes>("overhead").map(|bytes| bytes.0);
        if overhead.is_some_and(|bytes| bytes > 1000)
            && let Some(value) = reader.value("overhead")
        {
            let message =
                format!("'overhead': expected 1000 B at most, found {}", value.described());
            reader.mistakes().add(&value.place, message);
        }
        let queue = reader.get::<Bytes>("queue");
        if queue == Some(Bytes(0))
            && let Some(value) = reader.value("queue")
        {
            let message = "'queue': expected room for a frame at least, found 0 bytes";
            reader.mistakes().add(&value.place, message);
        }
        let phy = reader.choice("phy", &PHYS);
        if phy.is_some() {
            check_phy(reader);
        }
        Self {
            // Also of an unknown PHY, so that no rate is missed.
            rate: match reader.get::<Rate>("rate") {
                Some(rate) => Some(rate.0),
                None if reader.value("rate").is_some() => None,
                None => reader.value("phy").map(|_| Phy::TEN_GIGABIT),
            },
            delay: delay
                .map(|span: Span| span.0)
                .or(length.map(|length: Length| length.0))
                .or(is_unknown.then_some(UNKNOWN_DELAY)),
            jitter: reader.get::<Span>("jitter").map(|span| span.0),
            overhead: overhead.map(|bytes| bytes.min(1000) as u32),
            queue: queue.map(|bytes| bytes.0),
            mark: reader.get::<Bytes>("mark").map(|bytes| bytes.0),
            loss: reader.get::<Probability>("loss").map(|share| share.0),
            corruption: reader.get::<Probability>("corruption").map(|share| share.0),
            phy,
        }
    }

    /// A line with these settings, which must say how fast it is. If they do not, that has been told, and the rate is
    /// [`UNKNOWN_RATE`].
    pub fn line(&self, reader: &Reader<'_>) -> Direction {
        if self.rate.is_none() && reader.value("rate").is_none() {
            reader.missing("rate", "\"10 Gb/s\"");
        }
        let mut line = unknown_line();
        self.change(&mut line);
        line
    }

    /// Changes a line where something is said.
    pub fn change(&self, line: &mut Direction) {
        line.rate = self.rate.unwrap_or(line.rate);
        line.delay = self.delay.unwrap_or(line.delay);
        line.jitter = self.jitter.unwrap_or(line.jitter);
        line.overhead = self.overhead.unwrap_or(line.overhead);
        line.limits.bytes = self.queue.unwrap_or(line.limits.bytes);
        line.limits.mark = self.mark.or(line.limits.mark);
        line.loss = self.loss.unwrap_or(line.loss);
        line.corruption = self.corruption.unwrap_or(line.corruption);
        line.phy = self.phy.unwrap_or(line.phy);
    }
}

/// What a line of characters cannot have besides.
fn check_phy(reader: &Reader<'_>) {
    let wrong = [
        (
            "rate",
            reader.get::<Rate>("rate").is_some_and(|rate| rate.0 != Phy::TEN_GIGABIT),
            "it is 10 Gb/s",
        ),
        ("overhead", true, "what a frame takes follows from its characters"),
        ("jitter", true, "characters come at an oscillator's pace"),
    ];
    for (key, is_wrong, why) in wrong {
        if let Some(value) = reader.value(key)
            && is_wrong
        {
            let message = format!("'{key}' of a link with phy = \"10gbase-r\": {why}");
            reader.mistakes().advise(&value.place, message, Some(format!("leave out '{key}'")));
        }
    }
}
