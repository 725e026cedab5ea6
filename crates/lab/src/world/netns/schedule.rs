//! What hosts send, and how much it will be: computed by world sim, so that both worlds send the same.

use crate::plan::Plan;
use ww_sim::measure::{Delivery, FlowRecord, Observer, Wishes};
use ww_sim::network::traffic::{Kind, Traffic};
use ww_sim::network::{Network, NodeKind, Switch};
use ww_sim::simulation::{Parts, Simulation};

/// What a plan sends with a seed.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// Flows that start without regard to others, in the order of their starts, as world sim would have reported them.
    pub flows: Vec<FlowRecord>,
    /// Of each piece of traffic that is a stream: when packets are sent, ps, and the lengths of their frames.
    pub streams: Vec<Vec<(u64, u32)>>,
    /// Frames that pass a link in a second, at the busiest time.
    pub frames: f64,
}

/// Packets of streams that a run may have: they are planned in memory.
const MAX_PACKETS: usize = 1 << 23;
/// Pieces of a run in which frames are counted.
const PIECES: u64 = 50;
/// Shorter ones are not looked at, ps.
const SHORTEST: u64 = 10_000_000_000;

/// What the plan sends with this seed.
///
/// # Errors
/// World sim cannot run it, or it sends too much.
pub fn schedule(plan: &Plan, seed: u64) -> Result<Schedule, String> {
    let mut network = plan.network.clone();
    for node in &mut network.nodes {
        // Which program a switch runs does not change what hosts begin to send.
        if node.kind == NodeKind::Program {
            node.kind = NodeKind::Switch(Switch::default());
        }
    }
    let mut schedule = Schedule::default();
    let end = plan.run.duration + plan.run.drain;
    let (mut parts, mut whole) = (Parts::default(), network.clone());
    // Applications of TPPs send frames, too.
    crate::world::tpp::install(plan, seed, &mut whole, &mut parts)?;
    let mut simulation = Simulation::new(whole, parts, seed, Wishes::default())
        .map_err(|error| error.to_string())?;
    let mut flows = Records::default();
    let piece = (end / PIECES).max(SHORTEST);
    let (mut at, mut hops) = (0, 0);
    while at < end {
        let next = (at + piece).min(end);
        simulation.run(next, &mut flows);
        let passed = simulation.hops() - hops;
        schedule.frames = schedule.frames.max(passed as f64 * 1e12 / piece as f64);
        (at, hops) = (next, hops + passed);
    }
    simulation.finish(&mut flows);
    let open = |record: &FlowRecord| {
        let traffic: &Traffic = &plan.network.traffic[record.traffic as usize];
        matches!(traffic.kind, Kind::Flows(_) | Kind::Incast(_))
    };
    schedule.flows = flows.0.into_iter().filter(open).collect();
    schedule.flows.sort_by_key(|record| (record.start, record.serial));
    schedule.streams = streams(plan, network, seed)?;
    Ok(schedule)
}

/// When packets of streams are sent: in a network that loses nothing, so that all of them are reported.
fn streams(plan: &Plan, mut network: Network, seed: u64) -> Result<Vec<Vec<(u64, u32)>>, String> {
    let mut streams: Vec<Vec<(u64, u32)>> = vec![Vec::new(); network.traffic.len()];
    let is_stream = |traffic: &Traffic| matches!(traffic.kind, Kind::Stream(_));
    if !network.traffic.iter().any(is_stream) {
        return Ok(streams);
    }
    network.changes.clear();
    for link in &mut network.links {
        link.up = true;
        for line in &mut link.directions {
            (line.limits.bytes, line.limits.mark) = (u64::MAX >> 1, None);
            (line.loss, line.corruption) = (0.0, 0.0);
            line.rate = 100_000_000_000;
        }
    }
    let end = plan.run.duration;
    for traffic in &mut network.traffic {
        if !is_stream(traffic) {
            // Each draws its own numbers, so that the others' times stay what they are.
            (traffic.start, traffic.stop) = (end, end);
        }
    }
    let far: u64 =
        network.links.iter().flat_map(|link| link.directions).map(|line| line.delay).sum();
    let wishes = Wishes { packets: true, ..Wishes::default() };
    let mut simulation = Simulation::new(network, Parts::default(), seed, wishes)
        .map_err(|error| error.to_string())?;
    let mut sends = Sends { streams, count: 0 };
    simulation.run(end.saturating_add(far).saturating_add(1_000_000_000), &mut sends);
    if sends.count > MAX_PACKETS {
        return Err(format!(
            "the lab's streams have {} packets; world netns plans at most {MAX_PACKETS}",
            sends.count
        ));
    }
    streams = sends.streams;
    streams.iter_mut().for_each(|sends| sends.sort_unstable());
    Ok(streams)
}

#[derive(Default)]
struct Records(Vec<FlowRecord>);

impl Observer for Records {
    fn flow(&mut self, flow: &FlowRecord) {
        self.0.push(*flow);
    }
}

struct Sends {
    streams: Vec<Vec<(u64, u32)>>,
    count: usize,
}

impl Observer for Sends {
    fn delivered(&mut self, delivery: &Delivery) {
        self.count += 1;
        if self.count <= MAX_PACKETS
            && let Some(sends) = self.streams.get_mut(delivery.traffic as usize)
        {
            sends.push((delivery.sent, delivery.bytes));
        }
    }
}
