//! Which matchings the switches hold. A matching takes each host to at most one other.

use super::timing::Timing;
use crate::queue::NONE;

/// A matching: who sends to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Host i sends to host i + s (modulo the hosts).
    Shift(usize),
    /// By the sender; a host that is its own peer is idle.
    Table(Box<[u16]>),
}

impl Matching {
    /// To whom `host` of `hosts` sends.
    pub fn peer(&self, hosts: usize, host: usize) -> Option<usize> {
        let peer = match self {
            Self::Shift(shift) => (host + shift) % hosts,
            Self::Table(peers) => usize::from(peers[host]),
        };
        (peer != host).then_some(peer)
    }
}

/// The switches of a fabric with their matchings.
#[derive(Clone, Debug)]
pub struct Switches {
    hosts: usize,
    /// `[switch][place]`, as many places at each.
    matchings: Vec<Vec<Matching>>,
}

impl Switches {
    /// Deals matchings, at least as many as there are switches, to `switches` switches in turn. So that all switches have as
    /// many, those that got one less show their first matching twice in a cycle.
    pub fn deal(hosts: usize, switches: usize, all: Vec<Matching>) -> Self {
        let mut matchings = vec![Vec::new(); switches];
        for (number, matching) in all.into_iter().enumerate() {
            matchings[number % switches].push(matching);
        }
        let places = matchings[0].len();
        for held in &mut matchings {
            if held.len() < places {
                held.push(held[0].clone());
            }
        }
        Self { hosts, matchings }
    }

    /// Those of RotorNet: shifts 1, 2, ..., each at one switch.
    pub fn shifts(hosts: usize, switches: usize) -> Self {
        Self::deal(hosts, switches, (1..hosts).map(Matching::Shift).collect())
    }

    /// Hosts.
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// Switches.
    pub fn switches(&self) -> usize {
        self.matchings.len()
    }

    /// Matchings of a switch.
    pub fn places(&self) -> usize {
        self.matchings[0].len()
    }

    /// To whom `host` sends through `switch` while it shows its matching number `place`.
    ///
    /// # Panics
    ///
    /// If there is no such switch, place or host.
    pub fn peer(&self, switch: usize, place: usize, host: usize) -> Option<usize> {
        self.matchings[switch][place].peer(self.hosts, host)
    }
}

/// The circuits of a slice.
#[derive(Debug)]
pub struct Circuits {
    /// The place that each switch shows.
    places: Vec<Option<usize>>,
    /// `to[switch][host]`: to whom a host sends; [`NONE`]: nobody.
    pub to: Vec<Vec<u16>>,
    /// `from[switch][host]`: who sends to a host; [`NONE`]: nobody.
    pub from: Vec<Vec<u16>>,
    /// Whether a switch turns at the slice's end.
    pub turning: Vec<bool>,
}

impl Circuits {
    /// Before any slice.
    pub fn new(switches: &Switches) -> Self {
        let none = vec![vec![NONE; switches.hosts()]; switches.switches()];
        Self {
            places: vec![None; switches.switches()],
            to: none.clone(),
            from: none,
            turning: vec![false; switches.switches()],
        }
    }

    /// Shows those of a slice.
    pub fn show(&mut self, switches: &Switches, timing: &Timing, slice: u64) {
        for switch in 0..timing.switches {
            self.turn(switches, switch, timing.place(switch, slice));
            self.turning[switch] = timing.turns(switch, slice);
        }
    }

    /// A switch shows its matching number `place`.
    fn turn(&mut self, switches: &Switches, switch: usize, place: usize) {
        if self.places[switch].replace(place) == Some(place) {
            return;
        }
        let (to, from) = (&mut self.to[switch], &mut self.from[switch]);
        from.fill(NONE);
        for (host, to) in to.iter_mut().enumerate() {
            *to = NONE;
            if let Some(peer) = switches.peer(switch, place, host) {
                *to = peer as u16;
                from[peer] = host as u16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each shift is at a switch, none at two, but for those that fill up.
    #[test]
    fn shifts_are_dealt_once() {
        for hosts in 3..20 {
            for switches in 1..hosts {
                let dealt = Switches::shifts(hosts, switches);
                assert_eq!(dealt.places(), (hosts - 1).div_ceil(switches));
                let mut met = vec![0; hosts];
                for switch in 0..switches {
                    for place in 0..dealt.places() {
                        met[dealt.peer(switch, place, 0).unwrap()] += 1;
                    }
                }
                assert!(met[1..].iter().all(|&count| count >= 1), "{hosts} {switches}");
                let extra = dealt.places() * switches - (hosts - 1);
                assert_eq!(met.iter().sum::<usize>(), hosts - 1 + extra);
                assert!(met.iter().all(|&count| count <= 2));
            }
        }
    }
}
