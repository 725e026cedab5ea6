//! Opera's matchings, and the ways of short flows through those of a slice.

use super::matchings::{Circuits, Matching, Switches};
use super::timing::Timing;
use crate::queue::NONE;
use crate::schedule::BadFabric;
use std::sync::Arc;
use ww_sim::random::{Stream, kind};

/// How many random networks are tried.
const TRIES: u64 = 200;

/// Whichever order random numbers are drawn in, these are not those of flows.
const COMPONENT: u32 = 1;

/// The first of some random networks in which the switches that do not turn connect all hosts with all others, in every
/// slice of `timing`, on ways that cells with a delay of `delay` slots pass within a slice.
///
/// Matching k takes host x to b((a(x) + k) mod N), with two random permutations a and b: each host meets each other one in
/// exactly one of N matchings, and itself in one, in which it is idle. Shifts would do the first, but sums of a few shifts
/// reach few hosts, while products of these matchings are as good as random permutations.
pub fn network(hosts: usize, timing: &Timing, delay: u64) -> Result<Switches, BadFabric> {
    for seed in 0..TRIES {
        let made = random(hosts, timing.switches, seed);
        let Some(longest) = longest_way(&made, timing) else { continue };
        let slots = u64::from(longest).saturating_mul(delay);
        if slots > timing.matching {
            return Err(BadFabric(format!(
                "expected {slots} slots or more from one turn to the next, which a cell may take for {longest} hops, \
                 found {}; change --matching-ns or --delay-ns",
                timing.matching
            )));
        }
        return Ok(made);
    }
    Err(BadFabric(format!(
        "expected switches that connect {hosts} hosts while one of {} turns, found none in {TRIES} random networks; \
         change --channels or --hosts",
        timing.switches
    )))
}

fn permutation(hosts: usize, random: &mut Stream) -> Vec<u16> {
    let mut to: Vec<u16> = (0..hosts as u16).collect();
    for last in (1..hosts).rev() {
        to.swap(last, random.below(last as u64 + 1) as usize);
    }
    to
}

fn random(hosts: usize, switches: usize, seed: u64) -> Switches {
    let mut random = Stream::new(seed, kind::FLOWS, COMPONENT);
    let (before, behind) = (permutation(hosts, &mut random), permutation(hosts, &mut random));
    let matching = |k: usize| {
        Matching::Table(before.iter().map(|&x| behind[(usize::from(x) + k) % hosts]).collect())
    };
    Switches::deal(hosts, switches, (0..hosts).map(matching).collect())
}

/// A bound on the hops of shortest ways in all slices: from any host to host 0 and from there to any. None: there is no way
/// between some.
fn longest_way(switches: &Switches, timing: &Timing) -> Option<u32> {
    let mut circuits = Circuits::new(switches);
    let mut distances = Distances::new(switches.hosts());
    (0..timing.cycle_slices()).try_fold(0, |longest: u32, slice| {
        circuits.show(switches, timing, slice);
        distances.fill(&circuits.from, &circuits.turning, 0);
        let there = distances.farthest()?;
        distances.fill(&circuits.to, &circuits.turning, 0);
        Some(longest.max(there + distances.farthest()?))
    })
}

/// The longest of all shortest ways in a slice, in hops, over switches that do not turn; none if there is no way.
pub fn diameter(circuits: &Circuits) -> Option<u32> {
    let hosts = circuits.to[0].len();
    let mut distances = Distances::new(hosts);
    (0..hosts).try_fold(0, |longest: u32, host| {
        distances.fill(&circuits.from, &circuits.turning, host);
        Some(longest.max(distances.farthest()?))
    })
}

/// Hops between one host and all others.
#[derive(Debug)]
struct Distances {
    hops: Vec<u32>,
    queue: Vec<u16>,
}

impl Distances {
    fn new(hosts: usize) -> Self {
        Self { hops: vec![u32::MAX; hosts], queue: Vec::with_capacity(hosts) }
    }

    /// With `tables` of who sends to whom: hops to `root`, with the reverse of them hops from it.
    fn fill(&mut self, tables: &[Vec<u16>], turning: &[bool], root: usize) {
        self.hops.fill(u32::MAX);
        self.queue.clear();
        self.hops[root] = 0;
        self.queue.push(root as u16);
        let mut done = 0;
        while let Some(&host) = self.queue.get(done) {
            done += 1;
            let host = usize::from(host);
            for (table, _) in tables.iter().zip(turning).filter(|&(_, &turning)| !turning) {
                let next = table[host];
                if next != NONE && self.hops[usize::from(next)] == u32::MAX {
                    self.hops[usize::from(next)] = self.hops[host] + 1;
                    self.queue.push(next);
                }
            }
        }
    }

    fn farthest(&self) -> Option<u32> {
        self.hops.iter().copied().max().filter(|&hops| hops != u32::MAX)
    }
}

/// The shortest ways of a slice, worked out for the destinations that somebody asks for.
#[derive(Debug)]
pub struct Ways {
    distances: Distances,
    /// By destination.
    to: Vec<Option<Arc<[u64]>>>,
}

impl Ways {
    /// Of no slice.
    pub fn new(hosts: usize) -> Self {
        Self { distances: Distances::new(hosts), to: vec![None; hosts] }
    }

    /// Another slice begins.
    pub fn forget(&mut self) {
        self.to.fill(None);
    }

    /// By host, the switches (bits) over which the shortest ways to `dst` begin.
    pub fn to(&mut self, circuits: &Circuits, dst: usize) -> Arc<[u64]> {
        if let Some(known) = &self.to[dst] {
            return known.clone();
        }
        self.distances.fill(&circuits.from, &circuits.turning, dst);
        let hops = &self.distances.hops;
        let first = |host: usize| {
            let mut first = 0;
            for (switch, table) in circuits.to.iter().enumerate() {
                let next = table[host];
                if !circuits.turning[switch]
                    && next != NONE
                    && hops[usize::from(next)].checked_add(1) == Some(hops[host])
                {
                    first |= 1 << switch;
                }
            }
            first
        };
        let made: Arc<[u64]> = (0..hops.len()).map(first).collect();
        self.to[dst] = Some(made.clone());
        made
    }
}
