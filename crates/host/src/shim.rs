//! The shim between a host's network stack and its wire: puts TPPs into packets that filters choose, takes them out of
//! packets that arrive, sends standalone ones back, and lets no TPP pass that its application may not send.

use crate::agent;
use crate::classifier::Classifier;
use crate::filter::{Fields, Filter};
use serde::{Deserialize, Serialize};
use ww_tpp::analyse::verify::verify;
use ww_tpp::frame::{self, Carriage};
use ww_tpp::header::TPP_NUMBER;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::Protection;

/// Bytes of an Ethernet header, which do not count for the MTU.
const ETHERNET_HEADER: usize = 14;

/// An application's wish that packets carry its TPP: `add_tpp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Which packets.
    pub filter: Filter,
    /// The TPP, which [`super::registry::Registry::authorise`] has let pass.
    pub tpp: Vec<u8>,
    /// One in this many of them, at random; 0 for none. Sampling is part of the match: a packet that misses it goes on
    /// to the next filter.
    pub every: u32,
    /// Higher ones are asked first; of the same the one that was added first.
    pub priority: i32,
}

/// A number for a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u64);

/// What became of a frame from the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It goes out as it is.
    Plain,
    /// It goes out with the TPP of this rule.
    Stamped(RuleId),
    /// It carries a TPP that its application may not send, or a malformed one: it goes nowhere.
    Refused,
}

/// What came from the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// For the stack, as it is.
    Plain,
    /// The frame, which is without its TPP now, is for the stack; the TPP for the aggregator of its application.
    Stripped(Vec<u8>),
    /// The frame goes back to the wire: its TPP has done what it was sent for.
    Echo,
    /// The TPP of a returned datagram, for its sender.
    Returned {
        /// The TPP.
        tpp: Vec<u8>,
        /// The UDP port that it was sent from.
        port: u16,
    },
}

/// What a shim has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Frames of the stack that got a TPP.
    pub stamped: u64,
    /// Frames that a rule chose but that would have been longer than the MTU, so that they went without.
    pub too_long: u64,
    /// Frames of the stack with a TPP that was not to be sent.
    pub refused: u64,
    /// TPPs that were taken out of frames for the stack.
    pub stripped: u64,
    /// Standalone TPPs that were sent back.
    pub echoed: u64,
    /// Standalone TPPs that came back.
    pub returned: u64,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Shim {
    /// In the order in which they are asked.
    rules: Vec<(RuleId, Rule)>,
    classifier: Classifier,
    next: u64,
    draws: fastrand::Rng,
    mtu: usize,
    protection: Protection,
    counters: Counters,
    /// Rules that fit the frame at work.
    found: Vec<u32>,
    /// Where the frame gets its TPP.
    stamped: Vec<u8>,
}

impl Shim {
    /// Of an interface with an MTU in bytes. `protection` has what applications of this host may do; without rules
    /// the host is not trusted, and its stack sends no TPPs.
    pub fn new(mtu: usize, protection: Protection, seed: u64) -> Self {
        Self {
            rules: Vec::new(),
            classifier: Classifier::default(),
            next: 0,
            draws: fastrand::Rng::with_seed(seed),
            mtu,
            protection,
            counters: Counters::default(),
            found: Vec::new(),
            stamped: Vec::new(),
        }
    }

    /// What has happened.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Has packets carry a TPP from now on.
    pub fn add(&mut self, rule: Rule) -> RuleId {
        let id = RuleId(self.next);
        self.next += 1;
        let place = self.rules.partition_point(|(_, other)| other.priority >= rule.priority);
        self.rules.insert(place, (id, rule));
        self.reclassify();
        id
    }

    /// Has many packets carry TPPs from now on; the same as [`add`](Self::add) one after the other, in less time.
    pub fn add_all(&mut self, rules: Vec<Rule>) -> Vec<RuleId> {
        let first = self.next;
        self.next += rules.len() as u64;
        let ids: Vec<RuleId> = (first..self.next).map(RuleId).collect();
        self.rules.extend(ids.iter().copied().zip(rules));
        self.rules.sort_by_key(|(_, rule)| std::cmp::Reverse(rule.priority));
        self.reclassify();
        ids
    }

    /// Ends that. False if there is no such rule.
    pub fn remove(&mut self, id: RuleId) -> bool {
        let before = self.rules.len();
        self.rules.retain(|(other, _)| *other != id);
        self.reclassify();
        self.rules.len() < before
    }

    /// Applications may do something else from now on.
    pub fn set_protection(&mut self, protection: Protection) {
        self.protection = protection;
    }

    fn reclassify(&mut self) {
        self.classifier = Classifier::new(self.rules.iter().map(|(_, rule)| rule.filter.clone()));
    }

    /// A frame from the wire, for an agent that sends no datagrams of its own: the verdict, and the TPP that the frame
    /// came with if there is one for the aggregators of this host.
    pub fn take(&mut self, frame: &mut Vec<u8>) -> (agent::Received, Option<Repr>) {
        match self.receive(frame) {
            Received::Plain => (agent::Received::Deliver, None),
            Received::Stripped(tpp) => {
                (agent::Received::Deliver, Tpp::new(tpp).ok().map(|tpp| Repr::parse(&tpp)))
            }
            Received::Echo => (agent::Received::SendBack, None),
            Received::Returned { .. } => (agent::Received::Taken, None),
        }
    }

    /// A frame from the stack, on its way to the wire.
    pub fn transmit(&mut self, frame: &mut Vec<u8>) -> Sent {
        if frame::may_carry(frame)
            && let Some(place) = frame::find(frame)
            && !(place.carriage == Carriage::Standalone && place.bytes.is_empty())
        {
            return self.police(frame, place);
        }
        let Some(fields) = Fields::of(frame) else { return Sent::Plain };
        self.classifier.find(&fields, &mut self.found);
        for number in &self.found {
            let (id, rule) = &self.rules[*number as usize];
            if !chosen(&mut self.draws, rule.every) {
                continue;
            }
            if frame.len() + rule.tpp.len() > self.mtu + ETHERNET_HEADER {
                self.counters.too_long += 1;
                return Sent::Plain;
            }
            // It is an IPv4 packet without TPP, so that there is a place.
            self.stamped.clear();
            frame::attach(frame, &rule.tpp, &mut self.stamped);
            std::mem::swap(frame, &mut self.stamped);
            self.counters.stamped += 1;
            return Sent::Stamped(*id);
        }
        Sent::Plain
    }

    /// A frame with a TPP that the stack made.
    fn police(&mut self, frame: &[u8], place: frame::Place) -> Sent {
        let is_echo = place.carriage == Carriage::Echo;
        let allowed = Tpp::new(&frame[place.bytes]).is_ok_and(|tpp| {
            // One that is done does nothing any more.
            is_echo && tpp.is_done() || verify(&Repr::parse(&tpp), &self.protection).is_ok()
        });
        if allowed {
            return Sent::Plain;
        }
        self.counters.refused += 1;
        Sent::Refused
    }

    /// A frame from the wire.
    pub fn receive(&mut self, frame: &mut Vec<u8>) -> Received {
        if !frame::may_carry(frame) {
            return Received::Plain;
        }
        let Some(place) = frame::find(frame) else { return Received::Plain };
        match place.carriage {
            Carriage::Transparent => match frame::strip(frame) {
                Some(tpp) => {
                    self.counters.stripped += 1;
                    Received::Stripped(tpp)
                }
                None => Received::Plain,
            },
            Carriage::Standalone if frame::send_back(frame) => {
                self.counters.echoed += 1;
                Received::Echo
            }
            Carriage::Standalone | Carriage::Echo => self.returned(frame, &place),
        }
    }

    fn returned(&mut self, frame: &[u8], place: &frame::Place) -> Received {
        let (Ok(tpp), Some(fields)) = (Tpp::new(&frame[place.bytes.clone()]), Fields::of(frame))
        else {
            return Received::Plain;
        };
        let [from, to] = fields.ports.unwrap_or_default();
        if !tpp.is_done() {
            return Received::Plain;
        }
        self.counters.returned += 1;
        // A switch that reflects a datagram exchanges its ports; one that was done before keeps them.
        let port = if from == TPP_NUMBER { to } else { from };
        Received::Returned { tpp: tpp.as_bytes().to_vec(), port }
    }
}

/// Whether a packet is one of those that are sampled.
fn chosen(draws: &mut fastrand::Rng, every: u32) -> bool {
    match every {
        0 => false,
        1 => true,
        every => draws.u32(..every) == 0,
    }
}
