//! Packets that carry a program, and receivers that keep what it has read.

use serde::{Deserialize, Serialize};
use ww_host::agent::{Agent, Measured, Received, Report, Time};
use ww_host::record::Record;
use ww_host::shim::{self, Rule, Sent, Shim};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::Protection;

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Bytes of an IP packet on the wire, with its TPP.
    pub mtu: usize,
    /// Of sampling.
    pub seed: u64,
    /// What applications of this host may do.
    pub protection: Protection,
    /// Which packets carry which TPPs.
    pub rules: Vec<Rule>,
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
        let Spec { mtu, seed, protection, rules, measured } = spec;
        let mut shim = Shim::new(mtu, protection, seed);
        shim.add_all(rules);
        Self { shim, measured, records: Vec::new(), stamped: 0, stamp_bytes: 0, sent_bytes: 0 }
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
        match self.shim.receive(frame) {
            shim::Received::Plain => Received::Deliver,
            shim::Received::Stripped(tpp) => {
                if self.measured.has(now)
                    && let Ok(tpp) = Tpp::new(tpp)
                {
                    self.records.extend(Record::of(now, &Repr::parse(&tpp), frame));
                }
                Received::Deliver
            }
            shim::Received::Echo => Received::SendBack,
            shim::Received::Returned { .. } => Received::Taken,
        }
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
