//! Settings of lines: of `edge` and `core` of a topology, and of single links.

use crate::file::quantity::{Bytes, Length, Probability, Rate, Span};
use crate::file::reader::Reader;
use ww_sim::line::Limits;
use ww_sim::network::Direction;

/// Bytes that may wait in front of a line, if a lab does not say: 100 full frames and some.
pub const DEFAULT_QUEUE: u64 = 150_000;
/// Preamble, FCS and gap of Ethernet.
pub const DEFAULT_OVERHEAD: u32 = 24;

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
}

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
        Self {
            rate: reader.get::<Rate>("rate").map(|rate| rate.0),
            delay: delay.map(|span: Span| span.0).or(length.map(|length: Length| length.0)),
            jitter: reader.get::<Span>("jitter").map(|span| span.0),
            overhead: overhead.map(|bytes| bytes.min(1000) as u32),
            queue: queue.map(|bytes| bytes.0),
            mark: reader.get::<Bytes>("mark").map(|bytes| bytes.0),
            loss: reader.get::<Probability>("loss").map(|share| share.0),
            corruption: reader.get::<Probability>("corruption").map(|share| share.0),
        }
    }

    /// A line with these settings, if they say how fast it is.
    pub fn line(&self, reader: &Reader<'_>) -> Option<Direction> {
        if self.rate.is_none() && reader.value("rate").is_none() {
            reader.missing("rate", "\"10 Gb/s\"");
        }
        let rate = self.rate?;
        let mut line = Direction {
            rate,
            delay: 0,
            jitter: 0,
            overhead: DEFAULT_OVERHEAD,
            limits: Limits { bytes: DEFAULT_QUEUE, mark: None },
            loss: 0.0,
            corruption: 0.0,
        };
        self.change(&mut line);
        Some(line)
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
    }
}
