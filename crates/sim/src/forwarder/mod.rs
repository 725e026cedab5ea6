//! A plain switch as a dataplane: the shortest paths and the choice among them that switches of a simulation make by
//! themselves. Real switches of a lab are such, and those that execute TPPs are in all worlds ([`tcpu`]).

mod start;
pub mod tcpu;

use crate::frame;
use crate::lookup::Lookup;
use crate::network::{LinkChange, Network, NodeId, NodeKind};
use crate::routing::Routes;
use crate::simulation::{choose, salt};
use serde::{Deserialize, Serialize};
pub use start::Start;
use std::net::Ipv4Addr;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_tpp::switch::drops::Reason;

/// The configuration of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The hosts, by their numbers.
    pub hosts: Vec<Ipv4Addr>,
    /// Routing tables: for each host the ports that lead to it, valid from a time in ps after the start on. The first is
    /// valid from the beginning.
    pub tables: Vec<(Picoseconds, Vec<Vec<u32>>)>,
    /// The salt of flow hashes.
    pub salt: u64,
    /// Flows are spread over all ports that lead to a host; otherwise all take the first one.
    pub multipath: bool,
    /// It decrements the time to live.
    pub routes: bool,
    /// How long it holds a frame, ps.
    pub latency: Picoseconds,
}

impl Settings {
    /// The settings of a plain switch of a network, including its tables after each change of a link.
    pub fn of(network: &Network, node: NodeId, seed: u64) -> Self {
        let hosts: Vec<Ipv4Addr> = network.hosts().map(|(_, host)| host.ip).collect();
        let mut up: Vec<bool> = network.links.iter().map(|link| link.up).collect();
        let table = |up: &[bool]| {
            let routes = Routes::shortest(network, |link| up[link as usize]);
            (0..hosts.len() as u32).map(|host| routes.ports(node, host).to_vec()).collect()
        };
        let mut tables: Vec<(Picoseconds, Vec<Vec<u32>>)> = vec![(0, table(&up))];
        let mut changes = network.changes.clone();
        changes.sort_by_key(|change| change.at);
        for change in changes {
            up[change.link as usize] = match change.what {
                LinkChange::Down => false,
                LinkChange::Up => true,
                _ => continue,
            };
            tables.push((change.at.saturating_add(network.routing.reroute), table(&up)));
        }
        let (routes, latency) = match &network.nodes[node as usize].kind {
            NodeKind::Switch(switch) => (switch.routes, switch.latency),
            _ => (false, 0),
        };
        let (salt, multipath) = (salt(seed, node), network.routing.multipath);
        Self { hosts, tables, salt, multipath, routes, latency }
    }
}

/// What a switch has dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// Frames for nobody that is known, or that cannot be reached.
    pub route: u64,
    /// Frames whose time to live was over.
    pub ttl: u64,
    /// Frames that their queue had no room for, in switches that have queues of their own.
    pub queue: u64,
    /// Frames with a TPP that came in where none is allowed.
    pub outside: u64,
}

/// A plain switch. See the module.
#[derive(Debug)]
pub struct Forwarder {
    settings: Settings,
    numbers: Lookup<Ipv4Addr, u32>,
    current: usize,
    start: Start,
    /// What it has dropped.
    pub dropped: Dropped,
}

impl Forwarder {
    /// A switch with its routing tables.
    pub fn new(settings: Settings, start: Start) -> Self {
        let numbers = settings.hosts.iter().copied().zip(0..).collect();
        Self { settings, numbers, current: 0, start, dropped: Dropped::default() }
    }

    /// The output port and queue of a frame; frames without one are counted. A route that was `written` takes precedence
    /// over the switch's own.
    fn route(
        &mut self,
        frame: &[u8],
        now: Picoseconds,
        written: Option<PortId>,
    ) -> Result<(PortId, u32), Reason> {
        let packet = frame::read(frame, &self.numbers, None, now);
        if self.settings.routes && packet.protocol != 0 && packet.ttl <= 1 {
            self.dropped.ttl += 1;
            return Err(Reason::TimeToLive);
        }
        let queue = u32::from(packet.class) & 7;
        if let Some(port) = written {
            return Ok((port, queue));
        }
        let tables = self.settings.tables.get(self.current);
        let ports = tables.and_then(|(_, table)| table.get(packet.destination as usize));
        let Some(ports) = ports.filter(|ports| !ports.is_empty()) else {
            self.dropped.route += 1;
            return Err(Reason::NoRoute);
        };
        let chosen = match self.settings.multipath {
            true => choose(packet.hash, self.settings.salt, ports.len() as u32) as usize,
            false => 0,
        };
        Ok((ports[chosen], queue))
    }

    /// Advances to the routing table that is valid now.
    fn refresh(&mut self, now: Picoseconds) {
        while self.next_table().is_some_and(|at| at <= now) {
            self.current += 1;
        }
    }

    fn next_table(&self) -> Option<Picoseconds> {
        let (at, _) = self.settings.tables.get(self.current + 1)?;
        Some(self.start.get()?.saturating_add(*at))
    }
}

impl Dataplane for Forwarder {
    fn receive(&mut self, _port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let Ok((port, _)) = self.route(frame, now, None) else { return };
        let mut frame = frame.to_vec();
        if self.settings.routes {
            frame::age(&mut frame);
        }
        out.push(Transmit { port, at: now.saturating_add(self.settings.latency), frame });
    }

    fn advance(&mut self, now: Picoseconds, _out: &mut Vec<Transmit>) {
        self.refresh(now);
    }

    fn status(&self) -> Status {
        Status { next_event: self.next_table(), refused: 0 }
    }
}
