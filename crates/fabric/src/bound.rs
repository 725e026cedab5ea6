//! How many queues are longer than the published bound: 1 + incast(k) for a queue to host k, incast(k) being the sources
//! with an unfinished flow to k.

/// Keeps the number of queues over their bound, by what changes: no queue is looked at twice.
#[derive(Debug)]
pub struct Bound {
    /// Unfinished flows of each pair, by a number for the pair.
    unfinished: Vec<u32>,
    /// Of each host, the pairs to it with unfinished flows.
    incast: Vec<u32>,
    /// `lengths[k][n]`: queues to k with n cells, of those with 2 and more. Shorter ones are never over.
    lengths: Vec<Vec<u32>>,
    over: u64,
}

impl Bound {
    /// All queues are empty, no flow has started.
    pub fn new(hosts: usize, pairs: usize) -> Self {
        Self {
            unfinished: vec![0; pairs],
            incast: vec![0; hosts],
            lengths: vec![Vec::new(); hosts],
            over: 0,
        }
    }

    /// A flow of `pair`, which sends to host `to`, starts.
    pub fn start(&mut self, pair: u32, to: usize) {
        let unfinished = &mut self.unfinished[pair as usize];
        *unfinished += 1;
        if *unfinished == 1 {
            self.incast[to] += 1;
            // Those with one cell too many are over no longer.
            self.over -= self.at(to, 1 + self.incast[to]);
        }
    }

    /// A flow of `pair`, which sends to host `to`, has finished.
    pub fn finish(&mut self, pair: u32, to: usize) {
        let unfinished = &mut self.unfinished[pair as usize];
        *unfinished -= 1;
        if *unfinished == 0 {
            self.over += self.at(to, 1 + self.incast[to]);
            self.incast[to] -= 1;
        }
    }

    /// Queues to `to` with `length` cells, 2 or more.
    fn at(&self, to: usize, length: u32) -> u64 {
        self.lengths[to].get(length as usize).map_or(0, |&count| u64::from(count))
    }

    /// A queue to `to` has one cell more, now `length`.
    pub fn grow(&mut self, to: usize, length: u32) {
        if length < 2 {
            return;
        }
        let lengths = &mut self.lengths[to];
        if lengths.len() <= length as usize {
            lengths.resize(length as usize + 1, 0);
        }
        lengths[length as usize] += 1;
        lengths[length as usize - 1] -= u32::from(length > 2);
        self.over += u64::from(length == 2 + self.incast[to]);
    }

    /// A queue to `to` has one cell less, before `length`.
    pub fn shrink(&mut self, to: usize, length: u32) {
        if length < 2 {
            return;
        }
        let lengths = &mut self.lengths[to];
        lengths[length as usize] -= 1;
        lengths[length as usize - 1] += u32::from(length > 2);
        self.over -= u64::from(length == 2 + self.incast[to]);
    }

    /// Queues that are over their bound now.
    pub fn over(&self) -> u64 {
        self.over
    }
}
