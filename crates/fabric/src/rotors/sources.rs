//! What hosts have to send of their own.

use crate::plan::{Plan, Planned};
use crate::queue::{Cell, NONE};
use crate::ring::{Outgoing, Ring};

/// What flows wait for. The flows of a pair take turns within a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// For a circuit to their destination, or to a host that has offered to relay.
    Bulk,
    /// For nothing: they take any way.
    Short,
}

const CLASSES: usize = 2;

/// The cells of one class of a pair.
#[derive(Debug, Default)]
struct Own {
    ring: Ring,
    left: u64,
}

/// The flows at their sources.
#[derive(Debug)]
pub struct Sources {
    hosts: usize,
    /// `numbers[src * hosts + dst]`: the number of a pair with flows, or `u32::MAX`.
    numbers: Vec<u32>,
    /// By the number of the pair and the class.
    own: Vec<[Own; CLASSES]>,
    /// By the number of the pair: the number of its next cell, whatever its class.
    next_seq: Vec<u64>,
    /// By class and host, the destinations that have had cells since [`Sources::sweep`] found none.
    active: [Vec<Vec<u16>>; CLASSES],
    /// Slots of the first and the last cell that left, of each flow, once all have.
    departed: Vec<[u64; 2]>,
}

impl Sources {
    /// No flow has started.
    pub fn new(plan: &Plan, hosts: usize) -> Self {
        let mut numbers = vec![u32::MAX; hosts * hosts];
        for (number, pair) in (0..).zip(&plan.pairs) {
            numbers[usize::from(pair.src) * hosts + usize::from(pair.dst)] = number;
        }
        Self {
            hosts,
            numbers,
            own: plan.pairs.iter().map(|_| Default::default()).collect(),
            next_seq: vec![0; plan.pairs.len()],
            active: [vec![Vec::new(); hosts], vec![Vec::new(); hosts]],
            departed: vec![[0; 2]; plan.flows.len()],
        }
    }

    fn pair(&self, src: usize, dst: usize) -> Option<usize> {
        let number = self.numbers[src * self.hosts + dst];
        (number != u32::MAX).then_some(number as usize)
    }

    /// A flow starts.
    pub fn start(&mut self, flow: &Planned, class: Class) {
        let own = &mut self.own[flow.pair as usize][class as usize];
        let active = &mut self.active[class as usize][usize::from(flow.src)];
        if own.left == 0 && !active.contains(&flow.dst) {
            active.push(flow.dst);
        }
        own.left = own.left.saturating_add(flow.cells);
        own.ring.join(Outgoing::new(flow.at_source, flow.at_destination, flow.cells));
    }

    /// Cells of a class that a pair has to send.
    pub fn left(&self, src: usize, dst: usize, class: Class) -> u64 {
        self.pair(src, dst).map_or(0, |pair| self.own[pair][class as usize].left)
    }

    /// Destinations for which a host may have cells of a class: all for which it has some, each once.
    pub fn active(&self, src: usize, class: Class) -> &[u16] {
        &self.active[class as usize][src]
    }

    /// Forgets destinations of a host for which it has no cells of a class; the others stay in order.
    pub fn sweep(&mut self, src: usize, class: Class) {
        let mut active = std::mem::take(&mut self.active[class as usize][src]);
        active.retain(|&dst| self.left(src, usize::from(dst), class) > 0);
        self.active[class as usize][src] = active;
    }

    /// Puts the destination at `place` behind all others.
    pub fn turn(&mut self, src: usize, class: Class, place: usize) {
        self.active[class as usize][src][place..].rotate_left(1);
    }

    /// Takes the next cell of a pair, if it has one, in `slot`.
    pub fn take(&mut self, src: usize, dst: usize, class: Class, slot: u64) -> Option<Cell> {
        let pair = self.pair(src, dst)?;
        let own = &mut self.own[pair][class as usize];
        if own.left == 0 {
            return None;
        }
        own.left -= 1;
        let taken = own.ring.take(slot);
        if let Some((number, first)) = taken.last_of {
            self.departed[number as usize] = [first, slot];
        }
        let seq = self.next_seq[pair];
        self.next_seq[pair] += 1;
        debug_assert!(dst < usize::from(NONE));
        Some(Cell { seq, flow: taken.flow, src: src as u16, dst: dst as u16 })
    }

    /// The slots in which the first and the last cell of a flow left its source, once all have.
    pub fn departed(&self, number: u32) -> [u64; 2] {
        self.departed[number as usize]
    }
}
