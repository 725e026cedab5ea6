//! Hosts that count what they send and what comes to them, by flow and window of time. Each packet carries the window in
//! which it was sent ([`label`]), so that sender and receiver count it in the same one, whatever their clocks say.

use super::tally::{Crossed, Tally};
use super::{Time, WORDS};
use crate::application::ShimSpec;
use crate::application::value;
use crate::label;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use ww_host::agent::{Agent, Measured, Received, Report};
use ww_host::filter::Fields;
use ww_host::shim::{Sent, Shim};
use ww_tpp::packet::Repr;

/// Flows and windows that a host counts, at most: what comes from the network does not fill its memory.
const MOST: usize = 1 << 20;

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Its shim.
    pub shim: ShimSpec,
    /// The length of a window.
    pub window: Time,
    /// What counts: when packets are sent.
    pub measured: Measured,
}

/// See the module.
#[derive(Debug)]
pub struct Host {
    shim: Shim,
    window: Time,
    measured: Measured,
    tallies: BTreeMap<(u32, Fields), Tally>,
    /// Packets that were not counted, as there were too many flows.
    uncounted: u64,
}

impl Host {
    /// At the start.
    pub fn new(spec: Spec) -> Self {
        let Spec { shim, window, measured } = spec;
        let window = window.max(1);
        Self { shim: shim.shim(), window, measured, tallies: BTreeMap::new(), uncounted: 0 }
    }

    /// The window of a time.
    fn window_of(&self, at: Time) -> u32 {
        u32::try_from(at / self.window).unwrap_or(u32::MAX)
    }

    fn tally(&mut self, window: u32, flow: Fields) -> Option<&mut Tally> {
        let full = self.tallies.len() >= MOST;
        match self.tallies.entry((window, flow)) {
            Entry::Occupied(entry) => Some(entry.into_mut()),
            Entry::Vacant(_) if full => {
                self.uncounted += 1;
                None
            }
            Entry::Vacant(entry) => {
                let path = Vec::new();
                Some(entry.insert(Tally { window, flow, sent: 0, received: 0, path }))
            }
        }
    }

    fn arrived(&mut self, tpp: &Repr, frame: &[u8]) {
        let (Some((window, words)), Some(flow)) = (label::read(tpp), Fields::of(frame)) else {
            return;
        };
        let ends = self.window_of(self.measured.until);
        if !(self.window_of(self.measured.from)..=ends).contains(&window) {
            return;
        }
        let Some(tally) = self.tally(window, flow) else { return };
        tally.received += 1;
        let before = std::mem::take(&mut tally.path);
        let hops = words.chunks_exact(WORDS + 1).take(tpp.hop.into());
        tally.path = hops
            .map(|hop| {
                let crossed = Crossed { link: hop[0], utilisation: hop[1], drops: hop[2] };
                let known = before.iter().find(|known| known.link == crossed.link);
                let known = *known.unwrap_or(&crossed);
                Crossed {
                    utilisation: crossed.utilisation.max(known.utilisation),
                    drops: crossed.drops.max(known.drops),
                    ..crossed
                }
            })
            .collect();
    }
}

impl Agent for Host {
    fn transmit(&mut self, now: Time, frame: &mut Vec<u8>) -> bool {
        let flow = Fields::of(frame);
        let sent = self.shim.transmit(frame);
        if let (Sent::Stamped(_), Some(flow)) = (sent, flow) {
            let window = self.window_of(now);
            label::write(frame, window);
            if self.measured.has(now)
                && let Some(tally) = self.tally(window, flow)
            {
                tally.sent += 1;
            }
        }
        sent != Sent::Refused
    }

    fn receive(&mut self, _now: Time, frame: &mut Vec<u8>) -> Received {
        let (received, tpp) = self.shim.take(frame);
        if let Some(tpp) = tpp {
            self.arrived(&tpp, frame);
        }
        received
    }

    fn report(&mut self) -> Report {
        let tallies: Vec<Tally> = std::mem::take(&mut self.tallies).into_values().collect();
        let sum = |count: fn(&Tally) -> u64| tallies.iter().map(count).sum::<u64>() as f64;
        let figures = [
            ("sent", sum(|tally| tally.sent)),
            ("received", sum(|tally| tally.received)),
            ("uncounted", self.uncounted as f64),
        ];
        let figures = figures.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Report { figures, details: value(&tallies), ..Report::default() }
    }
}
