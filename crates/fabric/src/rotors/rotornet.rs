//! RotorNet (Mellette et al., SIGCOMM 2017) with its load balancing, RotorLB: a cell goes to its destination directly, or
//! by one detour over a host that has accepted it.

use super::fair::max_min;
use super::runs::Runs;
use super::slots::{Hosts, Now, Policy};
use super::sources::Class;
use crate::plan::Planned;
use crate::queue::{Cell, NONE};

/// An offer of the host at the other end of a circuit: cells of its own for a third host.
struct Offer {
    dst: u16,
    switch: usize,
    cells: u64,
}

/// What a host may send for third hosts over one of its circuits: cells by destination, in turn.
#[derive(Clone, Debug, Default)]
struct Accepted {
    /// Destinations with how many more cells may go, none with 0.
    cells: Vec<(u16, u64)>,
    turn: usize,
}

/// The hosts of a RotorNet.
#[derive(Debug)]
pub struct RotorNet {
    hosts: usize,
    switches: usize,
    /// Slots of a slice in which circuits are up.
    lit: u64,
    /// Slots from a slice's begin until an offer has gone there and the answer back.
    asking: u64,
    /// `relayed[host * hosts + dst]`: cells of others.
    relayed: Vec<Runs>,
    /// `accepted[host * switches + switch]`
    accepted: Vec<Accepted>,
}

impl RotorNet {
    /// No cells anywhere. A circuit is up for `lit` slots, a cell takes `delay` slots.
    pub fn new(hosts: usize, switches: usize, lit: u64, delay: u64) -> Self {
        Self {
            hosts,
            switches,
            lit,
            asking: 2 * delay,
            relayed: vec![Runs::default(); hosts * hosts],
            accepted: vec![Accepted::default(); hosts * switches],
        }
    }

    /// Cells that `host` has for `dst`, of its own and of others.
    fn direct(&self, hosts: &Hosts, host: usize, dst: usize) -> u64 {
        hosts.sources.left(host, dst, Class::Bulk).saturating_add(hosts.waiting.length(host, dst))
    }

    /// The offers to `host` over all of its circuits, by destination.
    fn offers(&self, hosts: &Hosts, now: &Now<'_>, host: usize) -> Vec<Offer> {
        let mut offers = Vec::new();
        for switch in 0..self.switches {
            let from = now.circuits.from[switch][host];
            if from == NONE {
                continue;
            }
            let from = usize::from(from);
            for &dst in hosts.sources.active(from, Class::Bulk) {
                let to = usize::from(dst);
                if to == host {
                    continue;
                }
                let mut cells = hosts.sources.left(from, to, Class::Bulk);
                // A circuit of its own takes what it can; the rest is offered to all others, in equal parts.
                let direct =
                    (0..self.switches).filter(|&s| now.circuits.to[s][from] == dst).count();
                if direct > 0 {
                    let room =
                        (self.lit * direct as u64).saturating_sub(hosts.waiting.length(from, to));
                    cells = cells.saturating_sub(room);
                }
                let others = (self.switches - direct) as u64;
                let cells = cells / others + u64::from((switch as u64) < cells % others);
                if cells > 0 {
                    offers.push(Offer { dst, switch, cells });
                }
            }
        }
        // Stable: by switch for each destination.
        offers.sort_by_key(|offer| offer.dst);
        offers
    }

    /// `host` answers all offers.
    fn accept(&mut self, hosts: &Hosts, now: &Now<'_>, host: usize) {
        let offers = self.offers(hosts, now, host);
        // By switch: destinations and what may come for them.
        let mut granted: Vec<Vec<(u16, u64)>> = vec![Vec::new(); self.switches];
        for same in offers.chunk_by(|a, b| a.dst == b.dst) {
            // No more than leaves in one circuit to the destination, behind what is here already.
            let room = self.lit.saturating_sub(self.direct(hosts, host, same[0].dst.into()));
            let demands: Vec<u64> = same.iter().map(|offer| offer.cells).collect();
            for (offer, cells) in same.iter().zip(max_min(&demands, room)) {
                if cells > 0 {
                    granted[offer.switch].push((offer.dst, cells));
                }
            }
        }
        for (switch, mut granted) in granted.into_iter().enumerate() {
            let from = now.circuits.from[switch][host];
            if from == NONE {
                continue;
            }
            let from = usize::from(from);
            let busy = self.direct(hosts, from, host).max(self.asking);
            let demands: Vec<u64> = granted.iter().map(|&(_, cells)| cells).collect();
            let shares = max_min(&demands, self.lit.saturating_sub(busy));
            for (granted, share) in granted.iter_mut().zip(shares) {
                granted.1 = share;
            }
            granted.retain(|&(_, cells)| cells > 0);
            self.accepted[from * self.switches + switch] = Accepted { cells: granted, turn: 0 };
        }
    }
}

impl Policy for RotorNet {
    fn slice(&mut self, hosts: &mut Hosts, now: &Now<'_>) {
        self.accepted.fill(Accepted::default());
        for host in 0..self.hosts {
            hosts.sources.sweep(host, Class::Bulk);
        }
        for host in 0..self.hosts {
            self.accept(hosts, now, host);
        }
    }

    fn wake(&self) -> u64 {
        self.asking
    }

    fn start(&mut self, hosts: &mut Hosts, flow: &Planned) {
        hosts.sources.start(flow, Class::Bulk);
    }

    fn pick(
        &mut self,
        hosts: &mut Hosts,
        now: &Now<'_>,
        switch: usize,
        host: usize,
        peer: usize,
    ) -> Option<Cell> {
        if let Some(cell) = self.relayed[host * self.hosts + peer].pop() {
            hosts.waiting.shrink(host, peer, now.slot);
            return Some(cell);
        }
        let own = hosts.sources.take(host, peer, Class::Bulk, now.slot);
        if own.is_some() || now.timing.within(now.slot) < self.asking {
            return own;
        }
        let Accepted { cells, turn } = &mut self.accepted[host * self.switches + switch];
        while !cells.is_empty() {
            *turn %= cells.len();
            let (dst, left) = &mut cells[*turn];
            let own = hosts.sources.take(host, usize::from(*dst), Class::Bulk, now.slot);
            *left -= 1;
            if own.is_none() || *left == 0 {
                cells.remove(*turn);
            } else {
                *turn += 1;
            }
            if own.is_some() {
                return own;
            }
        }
        None
    }

    fn relay(&mut self, _: &mut Hosts, _: &Now<'_>, host: usize, cell: Cell) {
        self.relayed[host * self.hosts + usize::from(cell.dst)].push(cell);
    }
}
