//! Hosts whose clocks are synchronised by packets: PTP and NTP with hardware or software time stamps, clocks that are
//! adjusted, oscillators that wander.

use crate::frame;
use crate::measure::histogram::Histogram;
use crate::network::clocks::Kept;
use crate::network::{Network, NodeId, Phy};
use crate::nodes::by_host;
use crate::packet::PacketId;
use crate::pending::Time;
use crate::random::{Stream, kind};
use crate::simulation::{BuildError, Context, Layer, Reports, Timer};
use std::collections::BTreeMap;
use ww_clocks::keeper::{Counts, Incoming, Keeper, Outgoing};
use ww_clocks::servo::Stamps;
use ww_clocks::{ntp, ptp, time};
use ww_packet::protocol::ip;
use ww_packet::udp_frame::{self, End};

/// Clocks that differ by more than this are not synchronised: 1 us.
const TOGETHER: i128 = 1_000_000;
const SECOND: f64 = 1e12;
/// The unit of a keeper's time, 2^-16 ns, in 2^-32 ps.
const UNIT: i128 = 1000 << 16;
/// Bytes of preamble and start of frame delimiter: stamps are of the first bit behind them.
pub(super) const PREAMBLE: u32 = 8;

/// Timers: a keeper is polled.
const POLL: u8 = 0;
/// A datagram of a keeper leaves; the tag is the keeper's.
const DEPARTED: u8 = 1;
/// A host's kernel notices a datagram for its keeper; the tag is the packet.
const NOTICED: u8 = 2;
/// Clocks are compared.
const COMPARE: u8 = 3;

/// How far the clock of a host was from the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptReport {
    /// Whose.
    pub node: NodeId,
    /// Absolute differences after the warm-up, ps.
    pub offsets: Histogram,
    /// From when on the difference stayed at 1 us or less until the end; `None` if it was larger at the end.
    pub settled: Option<Time>,
    /// What its keeper has counted.
    pub counts: Counts,
}

/// What a node's clock shows at a true time.
pub(super) fn reading(node: NodeId, at: Time, ctx: &Context<'_>) -> time::Time {
    time::Time(ctx.clock(node).fine(at).div_euclid(UNIT))
}

/// Picoseconds that so many bytes take on a direction of a link.
pub(super) fn serialization(direction: u32, bytes: u32, ctx: &Context<'_>) -> Time {
    let line = ctx.line(direction);
    let rate = if line.phy == Phy::Bytes { line.rate } else { Phy::TEN_GIGABIT };
    (u128::from(bytes) * 8_000_000_000_000 / u128::from(rate.max(1))) as Time
}

/// When the first bit behind the preamble of a packet came over a direction, if its last one comes now.
pub(super) fn first_bit(id: PacketId, direction: u32, ctx: &Context<'_>) -> Time {
    let bytes = ctx.packet(id).bytes.max(frame::SHORTEST) + 4;
    ctx.now().saturating_sub(serialization(direction, bytes, ctx))
}

/// Whether a keeper listens to a UDP port.
fn is_kept(port: u16) -> bool {
    [ptp::EVENT_PORT, ptp::GENERAL_PORT, ntp::PORT].contains(&port)
}

/// A host with a keeper.
struct Seat {
    node: NodeId,
    keeper: Box<dyn Keeper>,
    /// When it will be polled next.
    wakes: Time,
    /// When the last datagram will be noticed.
    noticed: Time,
    stream: Stream,
    /// Frequency error of its oscillator, and the servo's correction, in billionths.
    frequency: f64,
    steered: f64,
    offsets: Histogram,
    settled: Option<Time>,
}

impl Seat {
    /// Applies the keeper's adjustment to the clock.
    fn adjust(&mut self, ctx: &mut Context<'_>) {
        let Some(told) = self.keeper.adjustment() else { return };
        self.steered = told.frequency;
        let now = ctx.now();
        let clock = ctx.clock_mut(self.node);
        if told.step != time::Time(0) {
            clock.step(now, told.step.picoseconds() as i64);
        }
        clock.set_frequency(now, self.frequency + self.steered);
        // The clock may show the awaited time much earlier now.
        self.wakes = Time::MAX;
    }

    /// Polls the keeper: adjusts the clock, sends its datagrams, schedules the next poll.
    fn poll(&mut self, host: u32, kept: &Kept, ctx: &mut Context<'_>) {
        let now = ctx.now();
        self.adjust(ctx);
        let shown = reading(self.node, now, ctx);
        let mut out = Vec::new();
        let next = self.keeper.poll(shown, &mut out);
        if kept.stamps == Stamps::Software {
            for tag in out.iter().filter_map(|outgoing| outgoing.tag) {
                self.keeper.departed(tag, shown);
            }
            // What follows from the departure, without a wait.
            let more = out.len();
            self.keeper.poll(shown, &mut out);
            debug_assert!(out[more..].iter().all(|outgoing| outgoing.tag.is_none()));
        }
        for outgoing in out {
            self.send(host, kept, &outgoing, ctx);
        }
        let Some(next) = next else { return };
        let reading = Time::try_from(next.picoseconds() + 1).unwrap_or(0);
        let at = ctx.clock(self.node).next(now, reading).max(now + 1);
        // A timer that was scheduled earlier stays: the keeper is sometimes polled without need.
        if self.wakes <= now || at < self.wakes {
            self.wakes = at;
            ctx.schedule(at, Timer { kind: POLL, about: host, tag: 0 });
        }
    }

    fn send(&mut self, host: u32, kept: &Kept, outgoing: &Outgoing, ctx: &mut Context<'_>) {
        let to = ctx.addresses().get(&outgoing.to).and_then(|to| ctx.host(*to));
        let (Some(to), Some(from)) = (to, ctx.network().host(self.node)) else { return };
        let port = outgoing.port;
        let destination = End { mac: from.gateway.unwrap_or(to.mac), ip: to.ip, port };
        let source = End { mac: from.mac, ip: from.ip, port };
        let frame = udp_frame::datagram(source, destination, &outgoing.payload);
        let id = ctx.insert_frame(frame, None);
        let direction = ctx.host_direction(host);
        let begins = ctx.offer(id, direction);
        if let (Some(begins), Some(tag), Stamps::Hardware) = (begins, outgoing.tag, kept.stamps) {
            let at = begins + serialization(direction, PREAMBLE, ctx);
            ctx.schedule(at, Timer { kind: DEPARTED, about: host, tag });
        }
    }
}

/// See the module.
pub(crate) struct Keepers {
    kept: Kept,
    /// By host number.
    seats: BTreeMap<u32, Seat>,
}

impl Keepers {
    /// Of these hosts.
    ///
    /// # Errors
    /// A sentence.
    pub fn new(
        network: &Network,
        keepers: BTreeMap<NodeId, Box<dyn Keeper>>,
        seed: u64,
    ) -> Result<Self, BuildError> {
        let Some(kept) = network.clocks.kept else {
            return Err(BuildError(
                "hosts have keepers, but the network does not say how they take time stamps".into(),
            ));
        };
        let seat = |(host, node, keeper): (u32, NodeId, Box<dyn Keeper>)| {
            let frequency = network.nodes[node as usize].clock.billionths() as f64;
            let seat = Seat {
                node,
                keeper,
                wakes: Time::MAX,
                noticed: 0,
                stream: Stream::new(seed, kind::KEEPER, node),
                frequency,
                steered: 0.0,
                offsets: Histogram::default(),
                settled: None,
            };
            (host, seat)
        };
        let seats = by_host(network, keepers, "keeps a clock")?.map(seat).collect();
        Ok(Self { kept, seats })
    }

    /// Whether plain switches are transparent clocks.
    pub fn transparent(&self) -> bool {
        self.kept.transparent
    }

    /// A node's reading at a true time as a stamp of hardware.
    fn stamp(&self, node: NodeId, at: Time, ctx: &Context<'_>) -> time::Time {
        let shown = reading(node, at, ctx);
        match time::Time::of_picoseconds(self.kept.resolution.into()).0 {
            0 => shown,
            unit => time::Time(shown.0.div_euclid(unit) * unit),
        }
    }

    /// Hands a datagram with its time stamp to a keeper.
    fn tell(&mut self, id: PacketId, host: u32, stamp: time::Time, ctx: &mut Context<'_>) {
        let packet = *ctx.packet(id);
        let from = ctx.host(packet.source).map(|host| host.ip);
        let port = packet.ports[1];
        let payload = udp_frame::data(ctx.frame(id), port).map(<[u8]>::to_vec);
        ctx.remove(id);
        let (Some(from), Some(payload)) = (from, payload) else { return };
        if let Some(seat) = self.seats.get_mut(&host) {
            seat.keeper.receive(Incoming { from, port, payload: &payload, stamp });
        }
        self.poll(host, ctx);
    }

    fn poll(&mut self, host: u32, ctx: &mut Context<'_>) {
        if let Some(seat) = self.seats.get_mut(&host) {
            seat.poll(host, &self.kept, ctx);
        }
    }

    /// Compares clocks, and lets oscillators wander.
    fn compare(&mut self, ctx: &mut Context<'_>) {
        let (now, warmup) = (ctx.now(), ctx.wishes().warmup);
        let kept = self.kept;
        let reference = ctx.clock(kept.reference).fine(now);
        for seat in self.seats.values_mut() {
            let clock = ctx.clock_mut(seat.node);
            if seat.node != kept.reference {
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
        ctx.schedule(now + kept.every, Timer { kind: COMPARE, ..Timer::default() });
    }
}

impl Layer for Keepers {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        for host in self.seats.keys() {
            ctx.schedule(0, Timer { kind: POLL, about: *host, tag: 0 });
        }
        ctx.schedule(self.kept.every, Timer { kind: COMPARE, ..Timer::default() });
        Ok(())
    }

    /// Takes what is for a host's keeper.
    fn receive(&mut self, id: PacketId, host: u32, ctx: &mut Context<'_>) -> bool {
        let packet = ctx.packet(id);
        let is_own = packet.protocol == ip::UDP && is_kept(packet.ports[1]);
        let is_own = is_own && packet.destination == host;
        let Some(seat) = self.seats.get_mut(&host).filter(|_| is_own) else { return true };
        match self.kept.stamps {
            Stamps::Hardware => {
                let (node, incoming) = (seat.node, ctx.host_direction(host) ^ 1);
                let stamp = self.stamp(node, first_bit(id, incoming, ctx), ctx);
                self.tell(id, host, stamp, ctx);
            }
            Stamps::Software => {
                let later = seat.stream.exponential(self.kept.interrupt as f64);
                // In the order in which they came.
                let at = (ctx.now() + later).max(seat.noticed);
                seat.noticed = at;
                ctx.schedule(at, Timer { kind: NOTICED, about: host, tag: id });
            }
        }
        false
    }

    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        let Timer { kind, about: host, tag } = timer;
        let now = ctx.now();
        match kind {
            COMPARE => self.compare(ctx),
            NOTICED => {
                let stamp = reading(ctx.host_node(host), now, ctx);
                self.tell(tag, host, stamp, ctx);
            }
            DEPARTED => {
                let stamp = self.stamp(ctx.host_node(host), now, ctx);
                if let Some(seat) = self.seats.get_mut(&host) {
                    seat.keeper.departed(tag, stamp);
                }
                self.poll(host, ctx);
            }
            _ => self.poll(host, ctx),
        }
    }

    /// How far clocks of hosts were from the reference, which is omitted.
    fn inspect(&mut self, _ctx: &mut Context<'_>, reports: &mut Reports) {
        let reference = self.kept.reference;
        for seat in self.seats.values_mut().filter(|seat| seat.node != reference) {
            reports.add(KeptReport {
                node: seat.node,
                offsets: std::mem::take(&mut seat.offsets),
                settled: seat.settled,
                counts: seat.keeper.counts(),
            });
        }
    }
}
