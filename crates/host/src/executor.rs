//! Sending standalone TPPs and getting them back over a network that loses packets: retries, and many switches at
//! once.
//!
//! A TPP under way is known by the UDP port that it was sent from. What is safe to be executed twice may be sent
//! twice: loads, and CSTORE with a condition, of which a second one does nothing (spec 003 section 2.13). Whoever
//! drives the executor sends what [`Executor::poll`] gives, and gives it what comes back.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use ww_tpp::header::WordSize;
use ww_tpp::packet::{Repr, Tpp};

/// Time in picoseconds.
pub type Time = u64;

/// A number for something that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call(pub u64);

/// How often something is sent, and when it counts as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The most times that it is sent, 1 or more.
    pub tries: u32,
    /// From one time to the next, and until it is given up.
    pub timeout: Time,
}

/// A datagram with a TPP to UDP port 0x6666.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Whose it is.
    pub call: Call,
    /// The UDP port that it comes from.
    pub port: u16,
    /// Where it goes.
    pub to: Ipv4Addr,
    /// The TPP.
    pub tpp: Vec<u8>,
}

/// How a call has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The TPP as it came back.
    Returned(Repr),
    /// It did not come back as often as it was sent.
    Lost,
}

#[derive(Clone, Debug)]
struct UnderWay {
    call: Call,
    to: Ipv4Addr,
    tpp: Vec<u8>,
    left: u32,
    again: Time,
    timeout: Time,
}

/// The first UDP port that TPPs are sent from, and how many (RFC 6335: the dynamic ports).
const PORTS: (u16, u16) = (49_152, 16_384);

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Executor {
    next_call: u64,
    next_port: u16,
    under_way: BTreeMap<u16, UnderWay>,
    /// Calls that wait for a port.
    waiting: VecDeque<(Call, Ipv4Addr, Vec<u8>, Patience)>,
    outcomes: BTreeMap<Call, Outcome>,
    sent: u64,
}

impl Executor {
    /// Nothing under way.
    pub fn new() -> Self {
        Self::default()
    }

    /// Datagrams that were given out to be sent.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Calls without an outcome.
    pub fn open(&self) -> usize {
        self.under_way.len() + self.waiting.len()
    }

    /// Has a TPP sent until it comes back.
    pub fn reliable(&mut self, tpp: &Repr, to: Ipv4Addr, patience: Patience) -> Call {
        let call = Call(self.next_call);
        self.next_call += 1;
        self.waiting.push_back((call, to, tpp.emit(), patience));
        call
    }

    /// How a call has ended, once.
    pub fn outcome(&mut self, call: Call) -> Option<Outcome> {
        self.outcomes.remove(&call)
    }

    /// Puts what is to be sent now into `out`. Gives when it wants to be asked again.
    pub fn poll(&mut self, now: Time, out: &mut Vec<Outgoing>) -> Option<Time> {
        let over: Vec<u16> = self
            .under_way
            .iter()
            .filter(|(_, way)| way.again <= now && way.left == 0)
            .map(|(port, _)| *port)
            .collect();
        for port in over {
            if let Some(way) = self.under_way.remove(&port) {
                self.outcomes.insert(way.call, Outcome::Lost);
            }
        }
        while self.under_way.len() < usize::from(PORTS.1)
            && let Some((call, to, tpp, patience)) = self.waiting.pop_front()
        {
            let Patience { tries, timeout } = patience;
            let port = self.free_port();
            let way = UnderWay { call, to, tpp, left: tries.max(1), again: now, timeout };
            self.under_way.insert(port, way);
        }
        for (port, way) in &mut self.under_way {
            if way.again <= now {
                way.left -= 1;
                way.again = now.saturating_add(way.timeout.max(1));
                self.sent += 1;
                out.push(Outgoing {
                    call: way.call,
                    port: *port,
                    to: way.to,
                    tpp: way.tpp.clone(),
                });
            }
        }
        self.under_way.values().map(|way| way.again).min()
    }

    /// The next port that nothing is under way from: of a late answer the port is not used again soon.
    fn free_port(&mut self) -> u16 {
        loop {
            let port = PORTS.0 + self.next_port;
            self.next_port = (self.next_port + 1) % PORTS.1;
            if !self.under_way.contains_key(&port) {
                return port;
            }
        }
    }

    /// Nothing that is sent from a port will come back: what it was for counts as lost.
    pub fn give_up(&mut self, port: u16) {
        if let Some(way) = self.under_way.remove(&port) {
            self.outcomes.insert(way.call, Outcome::Lost);
        }
    }

    /// A TPP has returned to a port. False if no call waits for it, or it is not the one that was sent.
    pub fn returned(&mut self, port: u16, bytes: &[u8]) -> bool {
        let (Some(way), Ok(tpp)) = (self.under_way.get(&port), Tpp::new(bytes)) else {
            return false;
        };
        let Ok(own) = Tpp::new(way.tpp.as_slice()) else { return false };
        if !own.instructions().eq(tpp.instructions()) || own.app_tag() != tpp.app_tag() {
            return false;
        }
        let call = way.call;
        self.under_way.remove(&port);
        self.outcomes.insert(call, Outcome::Returned(Repr::parse(&tpp)));
        true
    }
}

/// Whether a CSTORE that reports back has happened, at this try or an earlier one: `slot` is what it found.
pub fn has_stored(slot: u32, old: u32, new: u32, word: WordSize) -> bool {
    let mask = word.max();
    slot & mask == old & mask || slot & mask == new & mask
}
