//! Paths of single packets: a host goes through all paths to a destination in a random order, and begins again in
//! another one. So each path carries the same number of its packets, to one.

use crate::packet::PATH_OF_FLOW;
use crate::random::{Stream, kind};
use crate::simulation::Context;
use std::collections::BTreeMap;

/// Paths between pairs of hosts that have sent something.
#[derive(Debug, Default)]
pub(super) struct Spray(BTreeMap<(u32, u32), Round>);

#[derive(Debug)]
struct Round {
    paths: Vec<u32>,
    next: usize,
    stream: Stream,
}

impl Round {
    /// The next path; a new order of all of them when they are through.
    fn path(&mut self) -> u32 {
        if self.next == 0 {
            for last in (1..self.paths.len()).rev() {
                self.paths.swap(last, self.stream.below(last as u64 + 1) as usize);
            }
        }
        let path = self.paths[self.next];
        self.next = (self.next + 1) % self.paths.len();
        path
    }
}

impl Spray {
    /// The path of the next packet from a host to another one; [`PATH_OF_FLOW`] if packets are not sprayed. Those of some transports
    /// always are.
    pub fn path(&mut self, (from, to): (u32, u32), always: bool, ctx: &Context<'_>) -> u32 {
        if !always && !ctx.network().routing.spray {
            return PATH_OF_FLOW;
        }
        let round = self.0.entry((from, to)).or_insert_with(|| {
            let mut own = Stream::new(ctx.seed(), kind::SPRAY, from);
            let stream = Stream::new(own.bits(), kind::SPRAY, to);
            Round { paths: (0..ctx.count_paths(from, to)).collect(), next: 0, stream }
        });
        round.path()
    }
}
