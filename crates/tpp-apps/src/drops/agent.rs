//! The host that collects reports of drops.

use super::{PORT, Place};
use serde::{Deserialize, Serialize};
use ww_host::agent::{Agent, Measured, Received, Report, Time};
use ww_host::record::Record;
use ww_packet::udp_frame::data;
use ww_tpp::frame::strip;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::switch::drops::Drop;

/// Reports that a collector keeps, at most: what comes from the network does not fill its memory.
const MOST: usize = 1 << 20;

/// What the host does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// What counts: when reports come.
    pub measured: Measured,
}

/// See the module.
#[derive(Debug)]
pub struct Collector {
    measured: Measured,
    records: Vec<Record>,
    reports: u64,
    /// Drops that switches did not report, as the next report says.
    untold: u64,
    /// Datagrams to the port that are no reports.
    malformed: u64,
}

impl Collector {
    /// At the start.
    pub fn new(spec: Spec) -> Self {
        let Spec { measured } = spec;
        Self { measured, records: Vec::new(), reports: 0, untold: 0, malformed: 0 }
    }

    fn dropped(&mut self, now: Time, drop: Drop) {
        self.reports += 1;
        self.untold += u64::from(drop.missed);
        let mut inner = drop.copy;
        let place = Place {
            reason: drop.reason,
            switch: drop.switch,
            output_port: drop.output_port.map(u32::from),
        };
        let tpp = strip(&mut inner).and_then(|tpp| Tpp::new(tpp).ok());
        if let Some(tpp) = tpp
            && self.records.len() < MOST
        {
            let tpp = Repr::parse(&tpp);
            let words = place.words().into_iter().chain(tpp.words()).collect();
            let record = Record::of(now, &tpp, &inner);
            self.records.extend(record.map(|record| Record {
                words,
                length: drop.length,
                ..record
            }));
        }
    }
}

impl Agent for Collector {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let Some(report) = data(frame, PORT) else { return Received::Deliver };
        match Drop::parse(report) {
            Some(drop) if self.measured.has(now) => self.dropped(now, drop),
            Some(_) => {}
            None => self.malformed += 1,
        }
        Received::Taken
    }

    fn report(&mut self) -> Report {
        let figures =
            [("reports", self.reports), ("untold", self.untold), ("malformed", self.malformed)];
        let figures = figures.map(|(name, value)| (name.to_owned(), value as f64)).to_vec();
        Report { figures, records: std::mem::take(&mut self.records), ..Report::default() }
    }
}
