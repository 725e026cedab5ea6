//! A host that reads a statistic of all switches on a path again and again, and the host at the other end, which sends the
//! TPPs back.

use super::{Answer, Devices};
use crate::station::Station;
use serde::{Deserialize, Serialize};
use ww_host::agent::{Agent, Measured, Received, Report, Time};
use ww_host::shim::{self, Sent, Shim};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::Protection;

/// The UDP port that TPPs are sent from.
pub const PORT: u16 = 40_000;

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// It.
    pub host: Station,
    /// What it asks; `None` for the host at the other end.
    pub asks: Option<Asks>,
    /// What applications of this host may do.
    pub protection: Protection,
    /// What counts.
    pub measured: Measured,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asks {
    /// Where the path ends.
    pub to: Station,
    /// What is believed of the devices on it at the start.
    pub devices: Devices,
    /// From one TPP to the next; a TPP that has not come back by then is lost.
    pub period: Time,
    /// No TPP is sent any more.
    pub stop: Time,
    /// The application's tag.
    pub app: u8,
}

/// The result so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// TPPs that were sent.
    asked: u64,
    /// TPPs that came back.
    answered: u64,
    /// Statistics that were read.
    values: u64,
    /// Switches that were of another vendor than expected.
    other_vendor: u64,
    /// Programs that were made anew for that.
    remade: u64,
}

/// See the module.
#[derive(Debug)]
pub struct Host {
    spec: Spec,
    shim: Shim,
    next: Time,
    /// What the TPP under way was made for.
    under_way: Option<Devices>,
    counts: Counts,
    /// The last value of each hop.
    last: Vec<Option<u32>>,
}

impl Host {
    /// At the start.
    pub fn new(spec: Spec) -> Self {
        let shim = Shim::new(1500, spec.protection.clone(), 1);
        let last = vec![None; spec.asks.as_ref().map_or(0, |asks| asks.devices.path.len())];
        Self { spec, shim, next: 0, under_way: None, counts: Counts::default(), last }
    }

    fn returned(&mut self, now: Time, tpp: &[u8]) {
        let (Some(asks), Some(devices)) = (&mut self.spec.asks, self.under_way.take()) else {
            return;
        };
        let Ok(tpp) = Tpp::new(tpp) else { return };
        let answers = devices.answers(&Repr::parse(&tpp));
        let remade = asks.devices.met(&answers);
        for (last, answer) in self.last.iter_mut().zip(&answers) {
            if let Answer::Value(value) = answer {
                *last = Some(*value);
            }
        }
        if self.spec.measured.has(now) {
            let values = answers.iter().filter(|one| matches!(one, Answer::Value(_))).count();
            self.counts.answered += 1;
            self.counts.values += values as u64;
            self.counts.other_vendor += (answers.len() - values) as u64;
            self.counts.remade += u64::from(remade);
        }
    }
}

impl Agent for Host {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        match self.shim.receive(frame) {
            shim::Received::Echo => Received::SendBack,
            shim::Received::Returned { tpp, port } => {
                if port == PORT {
                    self.returned(now, &tpp);
                }
                Received::Taken
            }
            shim::Received::Plain | shim::Received::Stripped(_) => Received::Deliver,
        }
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        let asks = self.spec.asks.as_ref()?;
        if now >= asks.stop {
            return None;
        }
        if now >= self.next {
            self.next = now + asks.period;
            let tpp = asks.devices.program(asks.app)?;
            let mut frame = self.spec.host.standalone(&asks.to, PORT, &tpp)?;
            if self.shim.transmit(&mut frame) == Sent::Plain {
                self.counts.asked += u64::from(self.spec.measured.has(now));
                self.under_way = Some(asks.devices.clone());
                out.push(frame);
            }
        }
        Some(self.next)
    }

    fn report(&mut self) -> Report {
        if self.spec.asks.is_none() {
            return Report::default();
        }
        let Counts { asked, answered, values, other_vendor, remade } = self.counts;
        let counts = [
            ("asked", asked),
            ("answered", answered),
            ("values", values),
            ("other_vendor", other_vendor),
            ("remade", remade),
        ];
        let mut figures = counts.map(|(name, count)| (name.to_owned(), count as f64)).to_vec();
        let hops = (0..).zip(&self.last);
        figures.extend(
            hops.filter_map(|(hop, last): (u32, _)| {
                Some((format!("hop{hop}"), f64::from((*last)?)))
            }),
        );
        Report { figures, ..Report::default() }
    }
}
