//! Hosts that number the packets of each flow as they send them ([`label`]), and keep what the packets that come have
//! collected. A packet of a flow that is missing is known by its number, whatever the traffic is.

use super::Arrival;
use crate::application::ShimSpec;
use crate::label;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ww_host::agent::{Agent, Measured, Received, Report, Time};
use ww_host::filter::Fields;
use ww_host::record::Record;
use ww_host::shim::{Sent, Shim};

/// Flows whose packets a host numbers, at most; those of others have the number 0 and are not counted.
const MOST_FLOWS: usize = 1 << 20;

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Its shim.
    pub shim: ShimSpec,
    /// What counts: when packets come.
    pub measured: Measured,
}

/// See the module.
#[derive(Debug)]
pub struct Host {
    shim: Shim,
    measured: Measured,
    /// Packets of each flow that were sent.
    sent: BTreeMap<Fields, u32>,
    records: Vec<Record>,
}

impl Host {
    /// At the start.
    pub fn new(spec: Spec) -> Self {
        let Spec { shim, measured } = spec;
        Self { shim: shim.shim(), measured, sent: BTreeMap::new(), records: Vec::new() }
    }
}

impl Agent for Host {
    fn transmit(&mut self, _now: Time, frame: &mut Vec<u8>) -> bool {
        let flow = Fields::of(frame);
        let sent = self.shim.transmit(frame);
        if let (Sent::Stamped(_), Some(flow)) = (sent, flow)
            && (self.sent.len() < MOST_FLOWS || self.sent.contains_key(&flow))
        {
            // Numbers begin with 1.
            let number = self.sent.entry(flow).or_default();
            *number = number.saturating_add(1);
            label::write(frame, *number);
        }
        sent != Sent::Refused
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let (received, tpp) = self.shim.take(frame);
        if self.measured.has(now)
            && let Some(tpp) = tpp
            && let Some((number, path)) = label::read(&tpp)
            && number > 0
        {
            let record = Record::of(now, &tpp, frame);
            let words = [number].into_iter().chain(path).collect();
            self.records.extend(record.map(|record| Record { words, ..record }));
        }
        received
    }

    fn report(&mut self) -> Report {
        let records = std::mem::take(&mut self.records);
        let sent: u64 = self.sent.values().map(|sent| u64::from(*sent)).sum();
        let figures = [("sent", sent), ("received", records.len() as u64)];
        let figures = figures.map(|(name, value)| (name.to_owned(), value as f64)).to_vec();
        Report { figures, records, ..Report::default() }
    }
}

/// What a host's records say: the packets of each flow.
pub fn flows<'r>(records: impl Iterator<Item = &'r Record>) -> BTreeMap<Fields, Vec<Arrival>> {
    let mut flows: BTreeMap<Fields, Vec<Arrival>> = BTreeMap::new();
    for record in records {
        let Some((number, path)) = record.words.split_first() else { continue };
        let flow = Fields {
            protocol: record.protocol,
            source: record.source,
            destination: record.destination,
            ports: Some(record.ports),
        };
        let path = path.iter().take(record.hops.into()).copied().collect();
        let arrival = Arrival { sequence: (*number).into(), at: record.at, path };
        flows.entry(flow).or_default().push(arrival);
    }
    flows
}
