//! Clock synchronisation in the physical layer (DTP), in the idle blocks between frames.
//!
//! Packets are independent of it, so it runs behind them: what happened up to now is known, and with it which blocks
//! were idle.

use crate::clock::Clock;
use crate::network::{Change, LinkChange, Network, NodeId, Phy};
use crate::packet::PacketId;
use crate::pending::Time;
use crate::random::{Stream, kind};
use crate::simulation::{BuildError, Context, Ingress, Node, Reports, Timer};
use ww_dtp::counter::Counter;
use ww_dtp::port::PortCounts;
use ww_dtp::simulation::crossing::{BitErrors, Random};
use ww_dtp::simulation::offsets::Offsets;
use ww_dtp::simulation::oscillator::{NOMINAL_PERIOD, Oscillator};
use ww_dtp::simulation::{Cable, Occupancy};

/// Attoseconds of a picosecond.
const PICOSECOND: u64 = 1_000_000;
/// The time up to which DTP is simulated: 18 s.
pub const LONGEST: Time = 18_000_000_000_000;
/// Interval at which it catches up with the packets: 20 us.
const LAG: Time = 20_000_000;
/// Two ticks: a frame that leaves now may be part of a block that has begun.
const BLOCK: u64 = 2 * NOMINAL_PERIOD;

/// Two nodes whose counters were compared.
#[derive(Clone, Debug, PartialEq)]
pub struct DtpPair {
    /// The nodes.
    pub nodes: [NodeId; 2],
    /// Differences in ticks, in every tick after the warm-up.
    pub offsets: Offsets,
}

/// Results of clock synchronisation.
#[derive(Clone, Debug, PartialEq)]
pub struct DtpReport {
    /// In the order of [`crate::network::clocks::Dtp::pairs`].
    pub pairs: Vec<DtpPair>,
    /// Parts per million by which the first node's counter was faster than true time after the warm-up.
    pub rate_ppm: f64,
    /// The same of the fastest oscillator.
    pub fastest_ppm: f64,
    /// Sums over all ports since the links came up.
    pub counts: PortCounts,
    /// Ports that ignore their peers as faulty.
    pub faulty: u64,
}

/// See the module.
pub(crate) struct Dtp {
    simulation: ww_dtp::simulation::Simulation<Random>,
    pairs: Vec<[NodeId; 2]>,
    /// Device and port of each direction's sender.
    ports: Vec<Option<(usize, usize)>>,
    /// Direction of each device and port.
    outputs: Vec<Vec<u32>>,
    fastest_ppm: f64,
    /// When comparing began, and the first device's counter then.
    began: (u64, Counter),
}

/// Which blocks are idle between frames.
struct Idle<'c, 's> {
    ctx: &'c mut Context<'s>,
    outputs: &'c [Vec<u32>],
}

impl Occupancy for Idle<'_, '_> {
    fn idle_from(&mut self, device: usize, port: usize, block: u64) -> u64 {
        let direction = self.outputs[device][port];
        self.ctx.wire_mut(direction).map_or(block, |wire| wire.idle_from(block))
    }
}

/// The oscillators of all nodes, with phases that are drawn; clocks that are exact become as wrong as the network says.
pub(crate) fn oscillators(network: &mut Network, seed: u64) -> Vec<Oscillator> {
    let spread = u64::from(network.clocks.spread);
    let draw = |(id, node): (u32, &mut crate::network::Node)| {
        let mut stream = Stream::new(seed, kind::CLOCK, id);
        if spread > 0 && node.clock == Clock::exact() {
            node.clock = Clock::new(0, stream.below(2 * spread + 1) as i64 - spread as i64);
        }
        Oscillator::new(node.clock.billionths() as f64 / 1000.0, stream.below(NOMINAL_PERIOD))
    };
    (0..).zip(&mut network.nodes).map(draw).collect()
}

impl Dtp {
    /// For the links of 10GBASE-R; `None` if clocks are not synchronised so.
    ///
    /// # Errors
    /// A sentence: there is no such link at a node that is compared.
    pub fn new(
        network: &Network,
        oscillators: &[Oscillator],
        seed: u64,
    ) -> Result<Option<Self>, BuildError> {
        let Some(plan) = &network.clocks.dtp else { return Ok(None) };
        let mut ports = vec![None; 2 * network.links.len()];
        let mut outputs: Vec<Vec<u32>> = Vec::new();
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut devices = vec![None; network.nodes.len()];
        for (output, place) in ports.iter_mut().enumerate() {
            let link = &network.links[output / 2];
            if link.directions.iter().any(|direction| direction.phy != Phy::TenGigabit) {
                continue;
            }
            let node = link.ends[output % 2].node;
            let device = *devices[node as usize].get_or_insert_with(|| {
                nodes.push(node);
                outputs.push(Vec::new());
                nodes.len() - 1
            });
            *place = Some((device, outputs[device].len()));
            outputs[device].push(output as u32);
        }
        for node in plan.pairs.iter().flatten() {
            if devices.get(*node as usize).is_none_or(Option::is_none) {
                return Err(BuildError(format!("node {node} has no link of 10GBASE-R")));
            }
        }
        let pair = |link: usize| Some([ports[2 * link]?, ports[2 * link + 1]?]);
        let cables = (0..network.links.len()).filter_map(|link| {
            let latency = network.links[link].directions[0].delay * PICOSECOND;
            Some(Cable { latency, ..Cable::new(pair(link)?, 0) })
        });
        let cables: Vec<Cable> = cables.collect();
        let own: Vec<Oscillator> = nodes.iter().map(|node| oscillators[*node as usize]).collect();
        let fastest = own.iter().map(|one| one.period).min().unwrap_or(NOMINAL_PERIOD);
        let draws = |number| Stream::new(seed, kind::DTP, number).bits();
        let random = Random::new(draws(0));
        let mut simulation = ww_dtp::simulation::Simulation::new(plan.config, own, &cables, random);
        simulation.set_errors(BitErrors::new(plan.errors_one_in, draws(1)));
        for (link, cable) in
            network.links.iter().zip(0..).filter_map(|(link, number)| Some((link, pair(number)?)))
        {
            if link.up {
                simulation.link_up(cable[0].0, cable[0].1);
            }
        }
        for [first, second] in &plan.pairs {
            let device = |node: &NodeId| devices[*node as usize].unwrap_or_default();
            simulation.watch(device(first), device(second));
        }
        Ok(Some(Self {
            simulation,
            pairs: plan.pairs.clone(),
            ports,
            outputs,
            fastest_ppm: (NOMINAL_PERIOD as f64 / fastest as f64 - 1.0) * 1e6,
            began: (0, Counter::default()),
        }))
    }

    /// It catches up with the packets.
    fn catch_up(&mut self, ctx: &mut Context<'_>) {
        let now = ctx.now();
        if now > LONGEST {
            return;
        }
        let warmup = ctx.wishes().warmup.min(LONGEST);
        let Self { simulation, outputs, began, .. } = self;
        let mut idle = Idle { ctx, outputs };
        let (warmup, until) = (warmup * PICOSECOND, (now * PICOSECOND).saturating_sub(BLOCK));
        if simulation.now() < warmup && warmup <= until {
            simulation.run_until(warmup, &mut idle);
            simulation.take_offsets();
            *began = (warmup, simulation.counter(0));
        }
        simulation.run_until(until, &mut idle);
    }
}

impl Node for Dtp {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        ctx.schedule(0, Timer::default());
        Ok(())
    }

    /// No node of the network is its own, so no packet comes.
    fn receive(&mut self, id: PacketId, _ingress: Ingress, ctx: &mut Context<'_>) {
        ctx.remove(id);
    }

    /// It catches up, now and from now on.
    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        self.catch_up(ctx);
        ctx.schedule(ctx.now() + LAG, timer);
    }

    fn link_changes(&mut self, change: Change, ctx: &mut Context<'_>) {
        self.catch_up(ctx);
        let Some((device, port)) = self.ports[2 * change.link as usize] else { return };
        let was_up = ctx.is_up(2 * change.link);
        match change.what {
            LinkChange::Down if was_up => self.simulation.link_down(device, port),
            LinkChange::Up if !was_up => self.simulation.link_up(device, port),
            _ => {}
        }
    }

    /// The results by now.
    fn inspect(&mut self, ctx: &mut Context<'_>, reports: &mut Reports) {
        self.catch_up(ctx);
        let offsets = self.simulation.take_offsets();
        let pairs = self.pairs.iter().zip(offsets);
        let pairs = pairs.map(|(nodes, offsets)| DtpPair { nodes: *nodes, offsets }).collect();
        let phases = self.simulation.config().phases as f64;
        let ticks = self.simulation.counter(0).ahead_of(self.began.1) as f64 / phases;
        let nominal = (self.simulation.now() - self.began.0) as f64 / NOMINAL_PERIOD as f64;
        let (mut counts, mut faulty) = (PortCounts::default(), 0);
        for (device, outputs) in self.outputs.iter().enumerate() {
            for number in 0..outputs.len() {
                let port = self.simulation.device(device).port(number);
                counts.add(&port.counts());
                faulty += u64::from(port.is_faulty());
            }
        }
        reports.add(DtpReport {
            pairs,
            rate_ppm: (ticks / nominal - 1.0) * 1e6,
            fastest_ppm: self.fastest_ppm,
            counts,
            faulty,
        });
    }
}
