//! Packets that carry a program, and receivers that keep what it has read.

use crate::application::ShimSpec;
use serde::{Deserialize, Serialize};
use ww_host::agent::{Agent, Measured, Received, Report, Time};
use ww_host::record::Record;
use ww_host::shim::{Sent, Shim};

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Its shim.
    pub shim: ShimSpec,
    /// What counts.
    pub measured: Measured,
}

/// See the module.
#[derive(Debug)]
pub struct Collector {
    shim: Shim,
    measured: Measured,
    records: Vec<Record>,
    /// TPPs and bytes of them, and all bytes that were sent.
    stamped: u64,
    stamp_bytes: u64,
    sent_bytes: u64,
}

impl Collector {
    /// At the start.
    pub fn new(spec: Spec) -> Self {
        let Spec { shim, measured } = spec;
        Self {
            shim: shim.shim(),
            measured,
            records: Vec::new(),
            stamped: 0,
            stamp_bytes: 0,
            sent_bytes: 0,
        }
    }
}

impl Agent for Collector {
    fn transmit(&mut self, now: Time, frame: &mut Vec<u8>) -> bool {
        let before = frame.len();
        let sent = self.shim.transmit(frame);
        if self.measured.has(now) {
            self.stamped += u64::from(matches!(sent, Sent::Stamped(_)));
            self.stamp_bytes += (frame.len() - before) as u64;
            self.sent_bytes += frame.len() as u64;
        }
        sent != Sent::Refused
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let (received, tpp) = self.shim.take(frame);
        if self.measured.has(now)
            && let Some(tpp) = tpp
        {
            self.records.extend(Record::of(now, &tpp, frame));
        }
        received
    }

    fn report(&mut self) -> Report {
        let records = std::mem::take(&mut self.records);
        let figures = [
            ("stamped", self.stamped),
            ("collected", records.len() as u64),
            ("stamp_bytes", self.stamp_bytes),
            ("sent_bytes", self.sent_bytes),
        ];
        let figures = figures.map(|(name, value)| (name.to_owned(), value as f64)).to_vec();
        Report { figures, records, ..Report::default() }
    }
}
