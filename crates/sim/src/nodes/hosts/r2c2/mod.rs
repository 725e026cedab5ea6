//! Hosts with R2C2 ([`crate::transport::r2c2`]): what each knows of flows, and the rates that it computes from that.

mod map;

use super::flow::Carrier;
use super::{Hosts, RATES};
use crate::frame::SHORTEST;
use crate::max_min::{self, Flow};
use crate::packet::{PATH_OF_FLOW, Packet};
use crate::pending::Time;
use crate::random::{Stream, kind};
use crate::simulation::{BuildError, Context, Timer};
use crate::transport::r2c2::{Settings, check};
use map::Map;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use ww_sched::framework::fixed::Pace;

/// The IP protocol of broadcasts: one for experiments (RFC 3692).
pub(super) const BROADCAST: u8 = 253;
/// [`Packet::number`] of a broadcast: a flow has started.
const START: u32 = 0;
/// A flow has sent its last packet.
const END: u32 = 1;

/// What hosts with R2C2 have done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct R2c2Report {
    /// Broadcast packets that hosts have sent: one for each other host and each start and end, unless some were lost.
    pub broadcasts: u64,
    /// How often rates were computed; hosts that know the same flows share a computation.
    pub computations: u64,
}

/// A flow of which not all hosts know the end.
struct Announced {
    place: u32,
    from: u32,
    to: u32,
    hash: u32,
    /// Hosts that have not heard of its end.
    unheard: u32,
}

/// What a host knows.
#[derive(Clone, Default)]
struct View {
    /// Flows of all hosts by their numbers in the run.
    known: BTreeSet<u64>,
    /// Its own, and whether they send already.
    own: BTreeMap<u64, bool>,
    /// When it computes rates.
    due: Option<Time>,
}

/// See the module.
pub(super) struct R2c2 {
    settings: Settings,
    map: Map,
    announced: BTreeMap<u64, Announced>,
    views: Vec<View>,
    /// The flows whose rates were computed last, and these rates: bits of frames a second.
    computed: (BTreeSet<u64>, Arc<BTreeMap<u64, f64>>),
    stream: Stream,
    report: R2c2Report,
}

impl R2c2 {
    /// `None` if no traffic uses it.
    ///
    /// # Errors
    /// What of the network it cannot work with.
    pub fn new(ctx: &Context<'_>) -> Result<Option<Box<Self>>, BuildError> {
        let Some(settings) = check(ctx.network()).map_err(BuildError)? else { return Ok(None) };
        if ctx.is_framed() {
            let message =
                "R2C2 is a model: its packets have no bytes for captures, programs and agents";
            return Err(BuildError(message.to_owned()));
        }
        let map = Map::new(settings.headroom, settings.bytes, ctx);
        Ok(Some(Box::new(Self {
            settings,
            views: vec![View::default(); map.count() as usize],
            map,
            announced: BTreeMap::new(),
            computed: Default::default(),
            // No host has this number, so this is not the order of paths of any.
            stream: Stream::new(ctx.seed(), kind::SPRAY, u32::MAX),
            report: R2c2Report::default(),
        })))
    }

    /// What hosts have done.
    pub fn report(&self) -> R2c2Report {
        self.report
    }

    /// The path of a packet, if it is of a flow of R2C2: at each node a random one of the shortest ways.
    pub fn path(&mut self, serial: u64) -> Option<u32> {
        self.announced.contains_key(&serial).then(|| self.stream.below(PATH_OF_FLOW.into()) as u32)
    }

    /// The time from the first bit sent to the last one received of a flow that has the network for itself, of which the first
    /// packet takes `first`: the others follow at the rate of all shortest paths. `rest` are the bits of their frames.
    pub fn ideal(
        &mut self,
        (from, to): (u32, u32),
        first: Time,
        rest: u64,
        ctx: &Context<'_>,
    ) -> Option<Time> {
        let alone = self.map.alone(from, to, self.settings.headroom, ctx)?;
        Some(first.saturating_add((rest as f64 / alone * 1e12) as Time))
    }

    /// A host computes rates then, if not earlier.
    fn wake(&mut self, host: u32, at: Time, ctx: &mut Context<'_>) {
        let due = &mut self.views[host as usize].due;
        if due.is_none_or(|due| due > at) {
            *due = Some(at);
            ctx.schedule(at, Timer { kind: RATES, about: host, tag: 0 });
        }
    }

    /// What a host knows has changed: if it sends, it computes rates at the next multiple of the interval.
    fn wake_later(&mut self, host: u32, ctx: &mut Context<'_>) {
        if !self.views[host as usize].own.is_empty() {
            let interval = self.settings.interval;
            self.wake(host, ctx.now().div_ceil(interval).saturating_mul(interval), ctx);
        }
    }

    /// The rates of the flows that a host knows.
    fn rates(&mut self, host: u32, ctx: &Context<'_>) -> Arc<BTreeMap<u64, f64>> {
        let known = &self.views[host as usize].known;
        if self.computed.0 != *known {
            let mut numbers = Vec::new();
            let mut flows = Vec::new();
            for serial in known {
                let Some(flow) = self.announced.get(serial) else { continue };
                // A flow without a path gets no rate.
                let Some(shares) = self.map.shares(flow.from, flow.to, ctx) else { continue };
                numbers.push(*serial);
                flows.push(Flow { weight: 1.0, demand: f64::INFINITY, uses: shares.to_vec() });
            }
            // Each flow uses a link, and all links have rates that are numbers: nothing is left to be refused.
            let rates = max_min::rates(&self.map.capacities, &flows).unwrap_or_default();
            self.computed = (known.clone(), Arc::new(numbers.into_iter().zip(rates).collect()));
            self.report.computations += 1;
        }
        self.computed.1.clone()
    }
}

impl Hosts {
    /// A flow of R2C2 starts: its source knows it at once, the others when the broadcast comes.
    pub(super) fn announce(&mut self, place: u32, serial: u64, ctx: &mut Context<'_>) {
        let (Some(flow), Some(r2c2)) = (self.flows.get(place, serial), &mut self.r2c2) else {
            return;
        };
        let (from, to, hash) = (flow.from, flow.to, flow.hash);
        let unheard = r2c2.map.count() - 1;
        r2c2.announced.insert(serial, Announced { place, from, to, hash, unheard });
        let view = &mut r2c2.views[from as usize];
        view.known.insert(serial);
        view.own.insert(serial, false);
        // Others that start at this time are known by then.
        r2c2.wake(from, ctx.now(), ctx);
        self.broadcast(serial, from, START, ctx);
    }

    /// A flow of R2C2 has sent its last packet.
    pub(super) fn retire(&mut self, serial: u64, ctx: &mut Context<'_>) {
        let Some(r2c2) = &mut self.r2c2 else { return };
        let Some(from) = r2c2.announced.get(&serial).map(|flow| flow.from) else { return };
        let view = &mut r2c2.views[from as usize];
        view.known.remove(&serial);
        view.own.remove(&serial);
        r2c2.wake_later(from, ctx);
        self.broadcast(serial, from, END, ctx);
    }

    /// A host sends or passes on a broadcast.
    fn broadcast(&mut self, serial: u64, host: u32, event: u32, ctx: &mut Context<'_>) {
        let Some(r2c2) = &mut self.r2c2 else { return };
        let Some(flow) = r2c2.announced.get(&serial) else { return };
        let children = r2c2.map.children(host, flow.from, flow.hash, ctx);
        r2c2.report.broadcasts += children.len() as u64;
        let packet = Packet {
            sent: ctx.now(),
            source: host,
            bytes: SHORTEST,
            hash: flow.hash,
            flow: flow.place,
            serial,
            number: event,
            protocol: BROADCAST,
            ..Packet::default()
        };
        for destination in children {
            let id = ctx.insert(Packet { destination, ..packet });
            self.give(id, host, ctx);
        }
    }

    /// A broadcast has come to a host.
    pub(super) fn hear(&mut self, packet: &Packet, ctx: &mut Context<'_>) {
        let (host, serial) = (packet.destination, packet.serial);
        self.broadcast(serial, host, packet.number, ctx);
        let Some(r2c2) = &mut self.r2c2 else { return };
        let known = &mut r2c2.views[host as usize].known;
        match packet.number {
            START => {
                known.insert(serial);
            }
            _ => {
                known.remove(&serial);
                if let Some(flow) = r2c2.announced.get_mut(&serial) {
                    flow.unheard = flow.unheard.saturating_sub(1);
                    if flow.unheard == 0 {
                        r2c2.announced.remove(&serial);
                    }
                }
            }
        }
        r2c2.wake_later(host, ctx);
    }

    /// A host computes rates, and its flows have them from their next packet on.
    pub(super) fn take_rates(&mut self, host: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(r2c2) = &mut self.r2c2 else { return };
        if r2c2.views[host as usize].due.take_if(|due| *due == now).is_none() {
            return;
        }
        let rates = r2c2.rates(host, ctx);
        let mut starting = Vec::new();
        for (serial, sends) in &mut r2c2.views[host as usize].own {
            let place = r2c2.announced.get(serial).map(|flow| flow.place);
            let pace = rates.get(serial).and_then(|rate| Pace::of_rate(*rate as u64));
            let (Some(place), Some(pace)) = (place, pace) else { continue };
            if let Some(flow) = self.flows.get(place, *serial)
                && let Carrier::Datagrams(datagrams) = &mut flow.carrier
            {
                datagrams.multiplier = pace.multiplier();
            }
            if !std::mem::replace(sends, true) {
                starting.push((place, *serial));
            }
        }
        for (place, serial) in starting {
            self.send_next(place, serial, ctx);
        }
    }
}
