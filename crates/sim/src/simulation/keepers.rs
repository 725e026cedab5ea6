//! Hosts whose clocks are kept by packets: stamps, switches that add how long packets were in them, clocks that are set.

use super::{BuildError, Event, Simulation, kind};
use crate::frame;
use crate::measure::Observer;
use crate::measure::histogram::Histogram;
use crate::network::clocks::Kept;
use crate::network::{Network, NodeId, Phy};
use crate::packet::PacketId;
use crate::pending::Time;
use crate::random::Stream;
use std::collections::BTreeMap;
use ww_clocks::keeper::{Counts, Incoming, Keeper, Outgoing};
use ww_clocks::ptp::{self, message};
use ww_clocks::servo::Stamps;
use ww_clocks::{ntp, time};
use ww_packet::protocol::ip;
use ww_packet::udp_frame::{self, End};

/// Clocks that are further apart are not together: 1 us.
const TOGETHER: i128 = 1_000_000;
const SECOND: f64 = 1e12;
/// The unit of a keeper's time, 2^-16 ns, in 2^-32 ps.
const UNIT: i128 = 1000 << 16;

/// How far the clock of a host was from the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptReport {
    /// Whose.
    pub node: NodeId,
    /// Differences after the warm-up, either way, ps.
    pub offsets: Histogram,
    /// From when on they were 1 us or less to the end; `None` if they were not at the end.
    pub settled: Option<Time>,
    /// What its keeper has counted.
    pub counts: Counts,
}

/// A host with a keeper.
struct Seat {
    keeper: Box<dyn Keeper>,
    /// When it will be asked next.
    wakes: Time,
    /// When the last datagram will be noticed.
    noticed: Time,
    stream: Stream,
    /// What its oscillator is off, and by how much the clock is steered, in billionths.
    frequency: f64,
    steered: f64,
    offsets: Histogram,
    settled: Option<Time>,
}

/// What a packet is stamped for.
#[derive(Clone, Copy)]
enum Stamped {
    /// The host wants to know when it leaves.
    Departure { host: u32, tag: u32 },
    /// It is in a transparent clock, since that reading.
    Transit { since: time::Time },
}

/// See the module.
pub(super) struct Keepers {
    kept: Kept,
    /// By host.
    seats: BTreeMap<u32, Seat>,
    stamped: BTreeMap<PacketId, Stamped>,
}

impl Keepers {
    /// Of these hosts; `None` without any.
    ///
    /// # Errors
    /// A sentence.
    pub fn new(
        network: &Network,
        hosts: &[NodeId],
        keepers: BTreeMap<NodeId, Box<dyn Keeper>>,
        seed: u64,
    ) -> Result<Option<Self>, BuildError> {
        if keepers.is_empty() {
            return Ok(None);
        }
        let Some(kept) = network.clocks.kept else {
            return Err(BuildError(
                "hosts keep clocks, and it is not said how they see time".into(),
            ));
        };
        let mut seats = BTreeMap::new();
        for (node, keeper) in keepers {
            let Ok(host) = hosts.binary_search(&node) else {
                return Err(BuildError(format!("node {node} keeps a clock but is no host")));
            };
            let frequency = network.nodes[node as usize].clock.billionths() as f64;
            let seat = Seat {
                keeper,
                wakes: Time::MAX,
                noticed: 0,
                stream: Stream::new(seed, kind::KEEPER, node),
                frequency,
                steered: 0.0,
                offsets: Histogram::default(),
                settled: None,
            };
            seats.insert(host as u32, seat);
        }
        Ok(Some(Self { kept, seats, stamped: BTreeMap::new() }))
    }

    /// A packet is no more.
    pub fn forget(&mut self, id: PacketId) {
        self.stamped.remove(&id);
    }
}

impl Simulation {
    /// All are asked at the start.
    pub(super) fn begin_keepers(&mut self) {
        let Some(keepers) = &self.keepers else { return };
        for host in keepers.seats.keys() {
            self.pending.schedule(0, Event::Keeper { host: *host });
        }
        self.pending.schedule(keepers.kept.every, Event::Compare);
    }

    /// What a node's clock shows at a true time.
    fn shown(&self, node: NodeId, at: Time) -> time::Time {
        let fine = self.network.nodes[node as usize].clock.fine(at);
        time::Time(fine.div_euclid(UNIT))
    }

    /// The same as a stamp of hardware.
    fn stamp(&self, node: NodeId, at: Time) -> time::Time {
        let shown = self.shown(node, at);
        let resolution = self.keepers.as_ref().map_or(0, |keepers| keepers.kept.resolution);
        match time::Time::of_picoseconds(resolution.into()).0 {
            0 => shown,
            unit => time::Time(shown.0.div_euclid(unit) * unit),
        }
    }

    /// Picoseconds that so many bytes take on an output.
    fn takes(&self, output: u32, bytes: u32) -> Time {
        let line = &self.network.links[output as usize / 2].directions[output as usize % 2];
        let rate = if line.phy == Phy::Bytes { line.rate } else { Phy::TEN_GIGABIT };
        (u128::from(bytes) * 8_000_000_000_000 / u128::from(rate.max(1))) as Time
    }

    /// A packet will begin to leave an output at this time.
    pub(super) fn leaves(&mut self, id: PacketId, output: u32, begins: Time) {
        let stamped = self.keepers.as_mut().and_then(|keepers| keepers.stamped.remove(&id));
        let Some(stamped) = stamped else { return };
        // Stamps are of the first bit behind the preamble.
        let at = begins + self.takes(output, 8);
        match stamped {
            Stamped::Departure { host, tag } => {
                self.pending.schedule(at, Event::Departed { host, tag });
            }
            Stamped::Transit { since } => {
                let residence = self.shown(self.from(output), at) - since;
                let frame = self.packets.frame_mut(id);
                if let Some(message) = frame.get_mut(udp_frame::HEADERS..) {
                    message::add_correction(message, residence);
                    // Whoever changes a datagram may leave its checksum out (RFC 768).
                    frame[udp_frame::HEADERS - 2..udp_frame::HEADERS].fill(0);
                }
            }
        }
    }

    /// A packet has come to a switch through an output of another node.
    pub(super) fn passes(&mut self, id: PacketId, output: u32, node: NodeId) {
        let packet = self.packets.packet(id);
        let is_event = packet.protocol == ip::UDP && packet.ports[1] == ptp::EVENT_PORT;
        let is_transparent = self.keepers.as_ref().is_some_and(|keepers| keepers.kept.transparent);
        if !is_event || !is_transparent || self.packets.frame(id).is_empty() {
            return;
        }
        let began = self.began(id, output);
        let since = self.shown(node, began);
        if let Some(keepers) = &mut self.keepers {
            keepers.stamped.insert(id, Stamped::Transit { since });
        }
    }

    /// When the first bit behind the preamble of a packet came whose last one comes now.
    fn began(&self, id: PacketId, output: u32) -> Time {
        let bytes = self.packets.packet(id).bytes.max(frame::SHORTEST) + 4;
        self.pending.now().saturating_sub(self.takes(output, bytes))
    }

    /// Whether a packet is for a host's keeper, which then has it.
    pub(super) fn keeper_receives<O: Observer>(
        &mut self,
        id: PacketId,
        host: u32,
        observer: &mut O,
    ) -> bool {
        let packet = self.packets.packet(id);
        let is_own = packet.protocol == ip::UDP && is_kept(packet.ports[1]);
        let Some(keepers) = &mut self.keepers else { return false };
        let (kept, seat) = (keepers.kept, keepers.seats.get_mut(&host));
        let Some(seat) = seat.filter(|_| is_own && packet.destination == host) else {
            return false;
        };
        match kept.stamps {
            Stamps::Hardware => {
                let began = self.began(id, self.host_outputs[host as usize] ^ 1);
                let stamp = self.stamp(self.hosts[host as usize], began);
                self.tell(id, host, stamp, observer);
            }
            Stamps::Software => {
                let later = seat.stream.exponential(kept.interrupt as f64);
                // In the order in which they came.
                let at = (self.pending.now() + later).max(seat.noticed);
                seat.noticed = at;
                self.pending.schedule(at, Event::Noticed { packet: id, host });
            }
        }
        true
    }

    /// The kernel stamps a datagram.
    pub(super) fn noticed<O: Observer>(&mut self, id: PacketId, host: u32, observer: &mut O) {
        let stamp = self.shown(self.hosts[host as usize], self.pending.now());
        self.tell(id, host, stamp, observer);
    }

    fn tell<O: Observer>(&mut self, id: PacketId, host: u32, stamp: time::Time, observer: &mut O) {
        let packet = *self.packets.packet(id);
        let source =
            self.hosts.get(packet.source as usize).and_then(|node| self.network.host(*node));
        let from = source.map(|host| host.ip);
        let port = packet.ports[1];
        let payload = udp_frame::data(self.packets.frame(id), port).map(<[u8]>::to_vec);
        self.packets.remove(id);
        let (Some(from), Some(payload)) = (from, payload) else { return };
        let seat = self.keepers.as_mut().and_then(|keepers| keepers.seats.get_mut(&host));
        if let Some(seat) = seat {
            seat.keeper.receive(Incoming { from, port, payload: &payload, stamp });
        }
        self.poll_keeper(host, observer);
    }

    /// A datagram of a keeper begins to leave.
    pub(super) fn departed<O: Observer>(&mut self, host: u32, tag: u32, observer: &mut O) {
        let stamp = self.stamp(self.hosts[host as usize], self.pending.now());
        if let Some(seat) = self.keepers.as_mut().and_then(|keepers| keepers.seats.get_mut(&host)) {
            seat.keeper.departed(tag, stamp);
        }
        self.poll_keeper(host, observer);
    }

    /// Sends what a keeper wants to send, and does to the clock what it wants.
    pub(super) fn poll_keeper<O: Observer>(&mut self, host: u32, observer: &mut O) {
        let (now, node) = (self.pending.now(), self.hosts[host as usize]);
        self.adjust(host, node);
        let shown = self.shown(node, now);
        let Some(keepers) = &mut self.keepers else { return };
        let stamps = keepers.kept.stamps;
        let Some(seat) = keepers.seats.get_mut(&host) else { return };
        let mut out = Vec::new();
        let next = seat.keeper.poll(shown, &mut out);
        if stamps == Stamps::Software {
            for tag in out.iter().filter_map(|outgoing| outgoing.tag) {
                seat.keeper.departed(tag, shown);
            }
            // What follows from its having left, without a wait.
            let more = out.len();
            seat.keeper.poll(shown, &mut out);
            debug_assert!(out[more..].iter().all(|outgoing| outgoing.tag.is_none()));
        }
        for outgoing in out {
            self.send_kept(host, node, &outgoing, observer);
        }
        let Some(next) = next else { return };
        let reading = Time::try_from(next.picoseconds() + 1).unwrap_or(0);
        let at = self.network.nodes[node as usize].clock.next(now, reading).max(now + 1);
        let Some(seat) = self.keepers.as_mut().and_then(|keepers| keepers.seats.get_mut(&host))
        else {
            return;
        };
        // It is asked now and then without need: an earlier wish stays an event.
        if seat.wakes <= now || at < seat.wakes {
            seat.wakes = at;
            self.pending.schedule(at, Event::Keeper { host });
        }
    }

    fn send_kept<O: Observer>(
        &mut self,
        host: u32,
        node: NodeId,
        outgoing: &Outgoing,
        observer: &mut O,
    ) {
        let to = self.addresses.get(&outgoing.to).and_then(|to| self.hosts.get(*to as usize));
        let to = to.and_then(|to| self.network.host(*to));
        let (Some(to), Some(from)) = (to, self.network.host(node)) else { return };
        let port = outgoing.port;
        let destination = End { mac: from.gateway.unwrap_or(to.mac), ip: to.ip, port };
        let source = End { mac: from.mac, ip: from.ip, port };
        let bytes = udp_frame::datagram(source, destination, &outgoing.payload);
        let packet = frame::read(&bytes, &self.addresses, None, self.pending.now());
        let id = self.packets.insert(packet);
        *self.packets.frame_mut(id) = bytes;
        if let Some(keepers) = &mut self.keepers
            && let Some(tag) = outgoing.tag
            && keepers.kept.stamps == Stamps::Hardware
        {
            keepers.stamped.insert(id, Stamped::Departure { host, tag });
        }
        self.offer(id, self.host_outputs[host as usize], observer);
    }

    fn adjust(&mut self, host: u32, node: NodeId) {
        let now = self.pending.now();
        let Some(keepers) = &mut self.keepers else { return };
        let Some(seat) = keepers.seats.get_mut(&host) else { return };
        let Some(told) = seat.keeper.adjustment() else { return };
        seat.steered = told.frequency;
        let clock = &mut self.network.nodes[node as usize].clock;
        if told.step != time::Time(0) {
            clock.step(now, told.step.picoseconds() as i64);
        }
        clock.set_frequency(now, seat.frequency + seat.steered);
        // It may show what it waits for much earlier now.
        seat.wakes = Time::MAX;
    }

    /// Compares clocks, and lets oscillators wander.
    pub(super) fn compare(&mut self) {
        let (now, warmup) = (self.pending.now(), self.wishes.warmup);
        let Some(keepers) = &mut self.keepers else { return };
        let kept = keepers.kept;
        let nodes = &mut self.network.nodes;
        let reference = nodes[kept.reference as usize].clock.fine(now);
        for (host, seat) in &mut keepers.seats {
            let node = self.hosts[*host as usize];
            let clock = &mut nodes[node as usize].clock;
            if node != kept.reference {
                let offset = ((clock.fine(now) - reference) >> 32).abs();
                if offset > TOGETHER {
                    seat.settled = None;
                } else {
                    seat.settled.get_or_insert(now);
                }
                if now >= warmup {
                    seat.offsets.record(Time::try_from(offset).unwrap_or(Time::MAX));
                }
            }
            if kept.wander > 0.0 {
                // A step of a random walk has this size, forth or back.
                let step = kept.wander * (kept.every as f64 / SECOND).sqrt();
                seat.frequency += if seat.stream.bits() & 1 == 0 { step } else { -step };
                clock.set_frequency(now, seat.frequency + seat.steered);
            }
        }
        self.pending.schedule(now + kept.every, Event::Compare);
    }

    /// How far clocks of hosts with a keeper were from the reference, which is left out. Asked once, at the end.
    pub fn kept_reports(&mut self) -> Vec<KeptReport> {
        let Some(keepers) = &mut self.keepers else { return Vec::new() };
        let reference = keepers.kept.reference;
        let seats = keepers.seats.iter_mut().map(|(host, seat)| (self.hosts[*host as usize], seat));
        let seats = seats.filter(|(node, _)| *node != reference);
        let report = |(node, seat): (NodeId, &mut Seat)| KeptReport {
            node,
            offsets: std::mem::take(&mut seat.offsets),
            settled: seat.settled,
            counts: seat.keeper.counts(),
        };
        seats.map(report).collect()
    }
}

/// Whether a keeper listens to a UDP port.
fn is_kept(port: u16) -> bool {
    [ptp::EVENT_PORT, ptp::GENERAL_PORT, ntp::PORT].contains(&port)
}
