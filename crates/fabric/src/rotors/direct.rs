//! Hosts that relay nothing: a cell waits for the circuit to its destination.

use super::slots::{Hosts, Now, Policy};
use super::sources::Class;
use crate::plan::Planned;
use crate::queue::Cell;

/// One hop.
#[derive(Debug)]
pub struct Direct;

impl Policy for Direct {
    fn slice(&mut self, _: &mut Hosts, _: &Now<'_>) {}

    fn start(&mut self, hosts: &mut Hosts, flow: &Planned) {
        hosts.sources.start(flow, Class::Bulk);
    }

    fn pick(
        &mut self,
        hosts: &mut Hosts,
        now: &Now<'_>,
        _: usize,
        host: usize,
        peer: usize,
    ) -> Option<Cell> {
        hosts.sources.take(host, peer, Class::Bulk, now.slot)
    }

    fn relay(&mut self, _: &mut Hosts, _: &Now<'_>, host: usize, cell: Cell) {
        unreachable!("host {host} got a cell for {}, which was sent to no other", cell.dst);
    }
}
