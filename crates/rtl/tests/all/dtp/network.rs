//! Devices in hardware, in true time: oscillators that are off, cables, and crossings with an extra cycle or without.

use crate::dtp::Random;
use crate::dtp::node::Node;
use std::collections::BTreeMap;
use ww_dtp::simulation::oscillator::{Attoseconds, NOMINAL_PERIOD, Oscillator};

/// Ticks of transceivers; those of the sublayers and of the crossing come on top.
const PHY_TICKS: u64 = 30;
/// Blocks on their way at most, a power of two.
const BLOCKS: usize = 4096;

/// Who decides about the extra cycle.
#[derive(Clone, Copy, Debug)]
pub enum Crossings {
    /// Chance, for each message.
    Random,
    /// An adversary, by who receives: for INIT and its answer, and for what tells counters.
    Constant { measures: [bool; 2], tells: [bool; 2] },
}

/// Two ends, a device and a port each, and the time from one to the other.
pub type Cable = ((usize, usize), (usize, usize), Attoseconds);

/// From one port to another.
struct Line {
    from: (usize, usize),
    to: (usize, usize),
    latency: Attoseconds,
    blocks: Vec<u64>,
    /// The tick of the sender whose block comes next, and when it does.
    next: u64,
    at: Attoseconds,
}

/// What was seen of two counters: their difference, and how often.
pub type Offsets = BTreeMap<i64, u64>;

pub struct Network {
    nodes: Vec<Node>,
    oscillators: Vec<Oscillator>,
    ticks: Vec<u64>,
    at: Vec<Attoseconds>,
    lines: Vec<Line>,
    crossings: Crossings,
    random: Random,
    /// Frames of so many blocks one behind the other; 0 for none.
    frame: u64,
    /// Pairs that are compared at each tick of the first one.
    pairs: Vec<(usize, usize)>,
    largest: Vec<[u64; 32]>,
    counters: Vec<u64>,
    now: Attoseconds,
}

impl Network {
    /// Nodes with their numbers of ports and oscillators; cables between ports, with their latency.
    pub fn new(
        nodes: Vec<(Node, Oscillator)>,
        cables: &[Cable],
        crossings: Crossings,
        frame: u64,
        seed: u64,
    ) -> Self {
        let (nodes, oscillators): (Vec<_>, Vec<_>) = nodes.into_iter().unzip();
        let both = cables.iter().flat_map(|(a, b, way)| [(*a, *b, *way), (*b, *a, *way)]);
        let line = |(from, to, latency): Cable| Line {
            from,
            to,
            latency,
            blocks: vec![0; BLOCKS],
            next: 0,
            at: oscillators[from.0].time_of(PHY_TICKS) + latency,
        };
        let lines = both.map(line).collect();
        let at = oscillators.iter().map(|oscillator| oscillator.time_of(0)).collect();
        Self {
            ticks: vec![0; nodes.len()],
            at,
            lines,
            crossings,
            random: Random(seed),
            frame,
            pairs: Vec::new(),
            largest: Vec::new(),
            counters: vec![0; nodes.len()],
            nodes,
            oscillators,
            now: 0,
        }
    }

    pub fn all_up(&mut self) {
        self.nodes.iter_mut().for_each(Node::links_up);
    }

    /// Compares two counters from now on.
    pub fn watch(&mut self, first: usize, second: usize) {
        self.pairs.push((first, second));
        self.largest.push([0; 32]);
    }

    /// Differences of each pair, with their signs.
    pub fn offsets(&self) -> Vec<Offsets> {
        let of = |counts: &[u64; 32]| {
            let seen = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            seen.map(|(n, count)| (n as i64 - 16, *count)).collect()
        };
        self.largest.iter().map(of).collect()
    }

    pub fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    /// Runs for some nominal ticks, and says by how many parts per million the first counter was fast.
    pub fn run(&mut self, ticks: u64) -> f64 {
        let (begin, before) = (self.now, self.counters[0]);
        let end = self.now + ticks * NOMINAL_PERIOD;
        loop {
            let line = (0..self.lines.len()).min_by_key(|n| self.lines[*n].at).expect("a cable");
            let node = (0..self.nodes.len()).min_by_key(|n| self.at[*n]).expect("a node");
            let time = self.lines[line].at.min(self.at[node]);
            if time >= end {
                break;
            }
            self.now = time;
            // A message that comes in the very moment of a tick is seen.
            if self.lines[line].at <= self.at[node] { self.arrive(line) } else { self.tick(node) }
        }
        self.now = end;
        let nominal = (end - begin) as f64 / NOMINAL_PERIOD as f64;
        ((self.counters[0] - before) as f64 / nominal - 1.0) * 1e6
    }

    fn arrive(&mut self, number: usize) {
        let line = &mut self.lines[number];
        let bits = line.blocks[line.next as usize % BLOCKS];
        let node = &mut self.nodes[line.to.0];
        if bits != 0 {
            let late = match self.crossings {
                Crossings::Random => self.random.bits() >> 40 & 1 == 1,
                Crossings::Constant { measures, tells } => {
                    let told = !matches!(bits & 7, 1 | 2);
                    if told { tells[line.to.0] } else { measures[line.to.0] }
                }
            };
            node.set_late(line.to.1, late);
        }
        node.arrives(line.to.1, bits);
        line.next += 1;
        line.at = self.oscillators[line.from.0].time_of(line.next + PHY_TICKS) + line.latency;
    }

    fn tick(&mut self, number: usize) {
        let tick = self.ticks[number];
        let node = &mut self.nodes[number];
        node.tick(self.frame > 0 && !tick.is_multiple_of(self.frame + 1));
        for line in self.lines.iter_mut().filter(|line| line.from.0 == number) {
            line.blocks[tick as usize % BLOCKS] = node.sent(line.from.1);
        }
        let counter = node.counter();
        assert!(counter > self.counters[number], "a counter went back");
        self.counters[number] = counter;
        for (pair, counts) in self.pairs.iter().zip(&mut self.largest) {
            if pair.0 == number {
                let offset = self.counters[pair.0] as i64 - self.counters[pair.1] as i64;
                counts[(offset + 16).clamp(0, 31) as usize] += 1;
            }
        }
        self.ticks[number] = tick + 1;
        self.at[number] = self.oscillators[number].time_of(tick + 1);
    }
}
