//! How many cells of others wait at hosts: a queue for each host and destination, whatever order cells leave in.

use crate::bound::Bound;
use crate::plan::Planned;

/// The lengths of all queues of cells that are neither at their source nor at their destination.
#[derive(Debug)]
pub struct Waiting {
    hosts: usize,
    /// `lengths[host * hosts + dst]`
    lengths: Vec<u32>,
    /// Since which slot a queue has had its length.
    since: Vec<u64>,
    /// By length: samples, one at the end of each slot.
    samples: Vec<u64>,
    /// Cells at each host, and the most there ever were at the end of a slot's arrivals.
    at_host: Vec<u64>,
    at_host_max: u64,
    /// Queues over the bound of the relaying rules.
    bound: Bound,
}

impl Waiting {
    /// No cell waits.
    pub fn new(hosts: usize, pairs: usize) -> Self {
        Self {
            hosts,
            lengths: vec![0; hosts * hosts],
            since: vec![0; hosts * hosts],
            samples: Vec::new(),
            at_host: vec![0; hosts],
            at_host_max: 0,
            bound: Bound::new(hosts, pairs),
        }
    }

    fn sample(&mut self, queue: usize, slot: u64) {
        let length = self.lengths[queue] as usize;
        if self.samples.len() <= length {
            self.samples.resize(length + 1, 0);
        }
        self.samples[length] += slot - self.since[queue];
        self.since[queue] = slot;
    }

    /// A cell to `dst` arrives at `host` at the end of `slot`.
    pub fn grow(&mut self, host: usize, dst: usize, slot: u64) {
        let queue = host * self.hosts + dst;
        self.sample(queue, slot);
        self.lengths[queue] += 1;
        self.bound.grow(dst, self.lengths[queue]);
        self.at_host[host] += 1;
        self.at_host_max = self.at_host_max.max(self.at_host[host]);
    }

    /// A cell to `dst` leaves `host` in `slot`.
    pub fn shrink(&mut self, host: usize, dst: usize, slot: u64) {
        let queue = host * self.hosts + dst;
        self.sample(queue, slot);
        self.bound.shrink(dst, self.lengths[queue]);
        self.lengths[queue] -= 1;
        self.at_host[host] -= 1;
    }

    /// Cells to `dst` that wait at `host`.
    pub fn length(&self, host: usize, dst: usize) -> u64 {
        self.lengths[host * self.hosts + dst].into()
    }

    /// A flow starts.
    pub fn start(&mut self, flow: &Planned) {
        self.bound.start(flow.pair, usize::from(flow.dst));
    }

    /// A flow of a pair to `dst` has finished.
    pub fn finish(&mut self, pair: u32, dst: usize) {
        self.bound.finish(pair, dst);
    }

    /// Queues longer than 1 + the sources with an unfinished flow to their destination.
    pub fn over(&self) -> u64 {
        self.bound.over()
    }

    /// The most cells that ever waited at a host.
    pub fn at_host_max(&self) -> u64 {
        self.at_host_max
    }

    /// By length: samples of all queues at the ends of the slots before `slot`.
    pub fn samples(mut self, slot: u64) -> Vec<u64> {
        let hosts = self.hosts;
        for queue in (0..hosts * hosts).filter(|queue| queue % (hosts + 1) != 0) {
            self.sample(queue, slot);
        }
        self.samples
    }
}
