//! A host that has the switches of a path take a route, and the host at the other end, to which it leads.
//!
//! In front of the first TPP and behind the last one goes a packet to an address of the route, which nobody knew before: the
//! first is lost, and what comes behind says that the route is there.

use super::{Change, Outcome, outcomes, program};
use crate::station::Station;
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;
use ww_host::agent::{Agent, Received, Report, Time};
use ww_host::filter::Fields;
use ww_host::shim::{self, Sent, Shim};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::Protection;

/// The UDP port that TPPs are sent from.
pub const PORT: u16 = 40_000;

/// The UDP port of packets to the new address, and those that they come from: when they were sent.
const DATA: u16 = 40_001;
const BEFORE: u16 = 40_002;
const BEHIND: u16 = 40_003;

/// A route that no switch has: the TPP leaves a switch for which this is expected as it is.
const NOBODY: u32 = u32::MAX;

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// It.
    pub host: Station,
    /// When the change begins.
    pub at: Time,
    /// What it changes; `None` for the host at the other end.
    pub changes: Option<Changes>,
    /// What applications of this host may do.
    pub protection: Protection,
}

/// What is changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// Where the path ends.
    pub to: Station,
    /// By hop.
    pub hops: Vec<Change>,
    /// The stage whose registers are routes, from 1, and the route.
    pub place: (u16, u16),
    /// One switch after the other, from the last one, each when the one before has answered: as a controller does that
    /// must not lead packets where there is no route yet.
    pub each: bool,
    /// A TPP that has not come back by then is sent again.
    pub timeout: Time,
    /// Times that a TPP is sent, at most.
    pub tries: u32,
    /// An address of the route.
    pub address: Ipv4Addr,
    /// The application's tag.
    pub app: u8,
}

/// What is yet to be done.
#[derive(Debug)]
struct Work {
    /// The hops that the next TPPs change: all, or one each.
    parts: Vec<Vec<bool>>,
    /// When the TPP under way is sent again.
    again: Time,
    /// Times that it may still be sent.
    left: u32,
    is_under_way: bool,
}

/// See the module.
#[derive(Debug)]
pub struct Host {
    spec: Spec,
    shim: Shim,
    work: Option<Work>,
    done: u64,
    sent: u64,
    /// From the begin: when all switches have answered; when the last TPP came by here.
    confirmed: Option<Time>,
    reached: Option<Time>,
    /// Packets to the new address that came.
    before: u64,
    behind: u64,
}

impl Host {
    /// At the start.
    pub fn new(spec: Spec) -> Self {
        let shim = Shim::new(1500, spec.protection.clone(), 1);
        let work = spec.changes.as_ref().map(|changes| {
            let hops = changes.hops.len();
            let parts = match changes.each {
                // Taken from the end: the last one first.
                true => (0..hops).map(|one| (0..hops).map(|hop| hop == one).collect()).collect(),
                false => vec![vec![true; hops]],
            };
            Work { parts, again: spec.at, left: changes.tries, is_under_way: false }
        });
        Self {
            spec,
            shim,
            work,
            done: 0,
            sent: 0,
            confirmed: None,
            reached: None,
            before: 0,
            behind: 0,
        }
    }

    /// The changes of some hops; others are to stay as they are.
    fn only(hops: &[Change], part: &[bool]) -> Vec<Change> {
        let change = |(change, is_meant): (&Change, &bool)| match is_meant {
            true => *change,
            false => Change { old: NOBODY, ..*change },
        };
        hops.iter().zip(part).map(change).collect()
    }

    fn returned(&mut self, now: Time, tpp: &[u8]) {
        let (Some(changes), Some(work)) = (&self.spec.changes, &mut self.work) else { return };
        let (Ok(tpp), Some(part)) = (Tpp::new(tpp), work.parts.last()) else { return };
        let own = Self::only(&changes.hops, part);
        let found = outcomes(&Repr::parse(&tpp), &own);
        let meant = found.iter().zip(part).filter(|(_, is_meant)| **is_meant);
        self.done += meant.filter(|(outcome, _)| **outcome == Outcome::Done).count() as u64;
        work.parts.pop();
        (work.again, work.left, work.is_under_way) = (now, changes.tries, false);
        if work.parts.is_empty() {
            self.confirmed = Some(now.saturating_sub(self.spec.at));
            self.work = None;
        }
    }
}

impl Agent for Host {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        match self.shim.receive(frame) {
            shim::Received::Echo => {
                self.reached = Some(now.saturating_sub(self.spec.at));
                Received::SendBack
            }
            shim::Received::Returned { tpp, port } => {
                if port == PORT {
                    self.returned(now, &tpp);
                }
                Received::Taken
            }
            shim::Received::Plain | shim::Received::Stripped(_) => {
                match Fields::of(frame).and_then(|fields| fields.ports) {
                    Some([BEFORE, DATA]) => self.before += 1,
                    Some([BEHIND, DATA]) => self.behind += 1,
                    _ => return Received::Deliver,
                }
                Received::Taken
            }
        }
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        let (Some(changes), Some(work)) = (&self.spec.changes, &mut self.work) else { return None };
        if now < work.again {
            return Some(work.again);
        }
        if work.left == 0 {
            // Nobody answers.
            self.work = None;
            return None;
        }
        let to = Station { ip: changes.address, ..changes.to };
        let data = |from| self.spec.host.datagram(&to, [from, DATA], &[], 64);
        if self.sent == 0 {
            out.push(data(BEFORE));
        }
        let part = work.parts.last()?;
        let hops = Self::only(&changes.hops, part);
        let (stage, route) = changes.place;
        let tpp = program(stage, route, &hops, changes.app)?;
        let mut frame = self.spec.host.standalone(&changes.to, PORT, &tpp)?;
        if self.shim.transmit(&mut frame) != Sent::Plain {
            self.work = None;
            return None;
        }
        self.sent += 1;
        out.push(frame);
        if work.parts.len() == 1 && !work.is_under_way {
            out.push(data(BEHIND));
        }
        work.is_under_way = true;
        work.left -= 1;
        work.again = now + changes.timeout;
        Some(work.again)
    }

    fn report(&mut self) -> Report {
        let mut figures = Vec::new();
        let mut tell = |name: &str, value: f64| figures.push((name.to_owned(), value));
        let us = |time: Time| time as f64 / 1e6;
        if let Some(changes) = &self.spec.changes {
            tell("switches", changes.hops.len() as f64);
            tell("done", self.done as f64);
            tell("tpps", self.sent as f64);
            if let Some(time) = self.confirmed {
                tell("confirmed_us", us(time));
            }
        } else {
            tell("before", self.before as f64);
            tell("behind", self.behind as f64);
            if let Some(time) = self.reached {
                tell("reached_us", us(time));
            }
        }
        Report { figures, ..Report::default() }
    }
}
