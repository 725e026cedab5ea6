//! Opera (Mellette et al., NSDI 2020): short flows take several hops at once, bulk flows wait for their circuit.

use super::expander::Ways;
use super::slots::{Hosts, Now, Policy};
use super::sources::Class;
use crate::plan::Planned;
use crate::queue::Cell;
use std::collections::VecDeque;

/// Channels that a host may have: the bits of a set of switches.
pub const MAX_CHANNELS: usize = 64;

/// The hosts of an Opera.
#[derive(Debug)]
pub struct Opera {
    switches: usize,
    /// Flows of at least so many cells are bulk.
    bulk_cells: u64,
    ways: Ways,
    /// `relayed[host * switches + switch]`: cells of others, all of short flows.
    relayed: Vec<VecDeque<Cell>>,
}

impl Opera {
    /// No cells anywhere.
    pub fn new(hosts: usize, switches: usize, bulk_cells: u64) -> Self {
        let relayed = vec![VecDeque::new(); hosts * switches];
        Self { switches, bulk_cells, ways: Ways::new(hosts), relayed }
    }

    /// Puts a cell of another host into the shortest of the queues to circuits on shortest ways.
    fn join(&mut self, now: &Now<'_>, host: usize, cell: Cell) {
        let first = self.ways.to(now.circuits, cell.dst.into())[host];
        let queues = host * self.switches;
        let on_way = (0..self.switches).filter(|switch| first >> switch & 1 == 1);
        // There is one: the switches that stay connect all hosts.
        if let Some(switch) = on_way.min_by_key(|switch| self.relayed[queues + switch].len()) {
            self.relayed[queues + switch].push_back(cell);
        }
    }

    /// The next cell of a short flow of `host` whose shortest way begins at `switch`.
    fn own(
        &mut self,
        hosts: &mut Hosts,
        now: &Now<'_>,
        switch: usize,
        host: usize,
    ) -> Option<Cell> {
        let mut place = 0;
        let mut spent = false;
        while let Some(&dst) = hosts.sources.active(host, Class::Short).get(place) {
            let dst = usize::from(dst);
            if self.ways.to(now.circuits, dst)[host] >> switch & 1 == 1 {
                match hosts.sources.take(host, dst, Class::Short, now.slot) {
                    Some(cell) => {
                        hosts.sources.turn(host, Class::Short, place);
                        if hosts.sources.left(host, dst, Class::Short) == 0 || spent {
                            hosts.sources.sweep(host, Class::Short);
                        }
                        return Some(cell);
                    }
                    None => spent = true,
                }
            }
            place += 1;
        }
        None
    }
}

impl Policy for Opera {
    fn slice(&mut self, hosts: &mut Hosts, now: &Now<'_>) {
        self.ways.forget();
        let all = self.relayed.len() / self.switches;
        for host in 0..all {
            hosts.sources.sweep(host, Class::Short);
            let queues = &mut self.relayed[host * self.switches..][..self.switches];
            let cells: Vec<Cell> = queues.iter_mut().flat_map(|queue| queue.drain(..)).collect();
            for cell in cells {
                self.join(now, host, cell);
            }
        }
    }

    fn start(&mut self, hosts: &mut Hosts, flow: &Planned) {
        let is_bulk = flow.cells >= self.bulk_cells;
        hosts.sources.start(flow, if is_bulk { Class::Bulk } else { Class::Short });
    }

    fn pick(
        &mut self,
        hosts: &mut Hosts,
        now: &Now<'_>,
        switch: usize,
        host: usize,
        peer: usize,
    ) -> Option<Cell> {
        if let Some(cell) = self.relayed[host * self.switches + switch].pop_front() {
            hosts.waiting.shrink(host, cell.dst.into(), now.slot);
            return Some(cell);
        }
        if !now.circuits.turning[switch]
            && let Some(cell) = self.own(hosts, now, switch, host)
        {
            return Some(cell);
        }
        hosts.sources.take(host, peer, Class::Bulk, now.slot)
    }

    fn relay(&mut self, _: &mut Hosts, now: &Now<'_>, host: usize, cell: Cell) {
        self.join(now, host, cell);
    }
}
