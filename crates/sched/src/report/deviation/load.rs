//! Loads, and policies under them: how far service is from the fluid server's.

use super::super::link::{Arrival, Departure, serve};
use super::fluid;
use crate::framework::fixed::Pace;
use crate::framework::scheduler::Scheduler;
use crate::framework::{ChildSpec, NodeSpec, Packet, Parameters, Policy, Trigger};
use crate::policies::drr::DeficitRoundRobin;
use crate::policies::sfq::StochasticQueues;
use crate::policies::stfq::StartTime;
use crate::policies::wf2q::Wf2q;
use crate::policies::wfq::Wfq;
use crate::report::statistics::Random;
use std::collections::HashMap;

/// The longest packet, bytes.
pub const LONGEST: u32 = 1500;
/// Bits a second: 800 ps a byte.
const LINK: u64 = 10_000_000_000;
/// Picoseconds a byte on the link.
const BYTE: u64 = 800;

/// Who is compared with the fluid server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    Wf2q,
    Wfq,
    Stfq,
    Drr,
    Sfq,
}

impl Contender {
    pub const ALL: [Self; 5] = [Self::Wf2q, Self::Wfq, Self::Stfq, Self::Drr, Self::Sfq];

    pub fn word(self) -> &'static str {
        match self {
            Self::Wf2q => "wf2q+",
            Self::Wfq => "wfq",
            Self::Stfq => "stfq",
            Self::Drr => "drr",
            Self::Sfq => "sfq",
        }
    }

    /// How many bytes a flow may be ahead of the fluid server, and behind it, while all flows are
    /// backlogged; `part` is its share, `flows` their number. Nothing: theory gives no such bound.
    ///
    /// WF2Q+: Bennett and Zhang 1996. WFQ behind: Parekh and Gallager 1993. Start-time: from the bound
    /// of Goyal, Vin and Cheng 1996 on pairs, |Wi/ri - Wj/rj| <= Li/ri + Lj/rj, summed over all j with
    /// their shares. Round robin: visits of two flows differ by one at most, and a flow has in a deficit
    /// less than a packet (Shreedhar and Varghese 1995), summed alike; its quantum is `quantum`.
    pub fn bounds(self, part: f64, flows: usize, quantum: f64) -> (Option<f64>, Option<f64>) {
        let longest = f64::from(LONGEST);
        let others = (flows - 1) as f64;
        match self {
            Self::Wf2q => (Some(longest * (1.0 - part)), Some(longest)),
            Self::Wfq => (None, Some(longest)),
            Self::Stfq => {
                let pairs = longest * (1.0 - part) + part * others * longest;
                (Some(pairs), Some(pairs))
            }
            Self::Drr => (
                Some(quantum * (1.0 - part) + others * part * longest),
                Some((quantum + longest) * (1.0 - part)),
            ),
            Self::Sfq => (None, None),
        }
    }
}

/// Packets of flows: when they come (picoseconds) and their bytes.
#[derive(Clone, Debug)]
pub struct Load {
    pub weights: Vec<u64>,
    pub packets: Vec<Vec<(u64, u32)>>,
    /// Only until the first flow has no packet left is compared.
    pub while_all_wait: bool,
}

impl Load {
    /// Flows with random weights and packets, all there from the beginning; bytes in proportion to weights, so that
    /// all end at about the same time.
    pub fn backlogged(flows: usize, random: &mut Random) -> Self {
        let weights: Vec<u64> = (0..flows).map(|_| random.between(1, 9)).collect();
        let mut queue = |weight: &u64| {
            let (mut left, mut packets) = (weight * 30_000, Vec::new());
            while left > 0 {
                let bytes = random.between(64, u64::from(LONGEST)).min(left);
                packets.push((0, bytes as u32));
                left -= bytes;
            }
            packets
        };
        let packets = weights.iter().map(&mut queue).collect();
        Self { weights, packets, while_all_wait: true }
    }

    /// The classical case against WFQ: one flow with half of the link and a packet more than there are others,
    /// each of which has one packet.
    pub fn burst(others: usize) -> Self {
        let weights = [vec![others as u64], vec![1; others]].concat();
        let of = |flow| vec![(0, LONGEST); if flow == 0 { others + 1 } else { 1 }];
        Self { weights, packets: (0..=others).map(of).collect(), while_all_wait: false }
    }

    /// Flows that send bursts of 1 to 20 packets at the link's rate and pause, with 90 % of the link in all.
    pub fn bursty(flows: usize, random: &mut Random) -> Self {
        let weights: Vec<u64> = (0..flows).map(|_| random.between(1, 9)).collect();
        let sum: u64 = weights.iter().sum();
        let mut queue = |weight: &u64| {
            let mut packets = Vec::new();
            let mut time = random.between(0, 400_000 * BYTE);
            while time < 2_000_000 * BYTE {
                let begin = time;
                let mut bytes_of_burst = 0;
                for _ in 0..random.between(1, 20) {
                    let bytes = random.between(64, u64::from(LONGEST));
                    packets.push((time, bytes as u32));
                    time += bytes * BYTE;
                    bytes_of_burst += bytes;
                }
                // From one burst to the next so that the mean is nine tenths of the flow's share.
                let mean = bytes_of_burst * BYTE * sum * 10 / (weight * 9);
                time = time.max(begin + random.between(mean / 2, mean * 3 / 2));
            }
            packets
        };
        let packets = weights.iter().map(&mut queue).collect();
        Self { weights, packets, while_all_wait: false }
    }

    /// The same packets with equal weights.
    fn levelled(&self) -> Self {
        Self { weights: vec![1; self.weights.len()], ..self.clone() }
    }

    fn fluid(&self) -> Vec<fluid::Flow> {
        let flow = |(weight, packets): (&u64, &Vec<(u64, u32)>)| fluid::Flow {
            weight: *weight as f64,
            arrivals: packets
                .iter()
                .map(|&(time, bytes)| (time as f64 / BYTE as f64, f64::from(bytes)))
                .collect(),
        };
        self.weights.iter().zip(&self.packets).map(flow).collect()
    }
}

/// How one policy did under one load. Bytes.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The most that a flow was ahead of the fluid server.
    pub ahead: f64,
    /// The most that a flow was behind it.
    pub behind: f64,
    /// Whether some flow was beyond its bound, and by how much at most; negative within.
    pub beyond: Option<f64>,
    /// The loosest bounds of the flows.
    pub bounds: (Option<f64>, Option<f64>),
    /// Packets in the order in which they left.
    order: Vec<u64>,
}

impl Measured {
    /// How many places packets are from where another order has them: the most, and the mean.
    pub fn displaced(&self, from: &Self) -> (f64, f64) {
        let places: HashMap<u64, usize> =
            from.order.iter().enumerate().map(|(place, &packet)| (packet, place)).collect();
        let places = self
            .order
            .iter()
            .enumerate()
            .filter_map(|(place, packet)| Some(places.get(packet)?.abs_diff(place) as f64));
        let (most, sum) = places.fold((0.0, 0.0), |(most, sum), d| (d.max(most), sum + d));
        (most, sum / self.order.len().max(1) as f64)
    }
}

fn flat(policy: impl Policy + 'static, children: &[Parameters]) -> Result<Scheduler, String> {
    let children = children.iter().map(|&parameters| (parameters, ChildSpec::Flow)).collect();
    Scheduler::new(NodeSpec { policy: Box::new(policy), trigger: Trigger::Output, children })
}

/// Runs a policy. SFQ knows no weights: it is compared with a fluid server without weights.
///
/// # Errors
/// The scheduler does not go on.
pub fn measure(contender: Contender, load: &Load, seed: u64) -> Result<Measured, String> {
    let load = &if contender == Contender::Sfq { load.levelled() } else { load.clone() };
    let link = Pace::of_rate(LINK).ok_or("a rate in range")?;
    let flows = load.weights.len();
    let quantum = |weight: u64| weight * u64::from(LONGEST);
    let children: Vec<Parameters> = load
        .weights
        .iter()
        .map(|&weight| {
            let (priority, burst) = (0, u64::from(LONGEST));
            Parameters { weight, priority, pace: link, burst, quantum: quantum(weight) }
        })
        .collect();
    let queues = StochasticQueues { queues: flows as u32, seed };
    let mut scheduler = match contender {
        Contender::Wf2q => flat(Wf2q::new(link), &children)?,
        Contender::Wfq => flat(Wfq::new(link), &children)?,
        Contender::Stfq => flat(StartTime::new(link), &children)?,
        Contender::Drr | Contender::Sfq => flat(DeficitRoundRobin::default(), &children)?,
    };
    let mut arrivals = Vec::new();
    for (flow, packets) in load.packets.iter().enumerate() {
        for (number, &(time, bytes)) in packets.iter().enumerate() {
            let handle = (number as u64) << 32 | flow as u64;
            let queue = match contender {
                Contender::Sfq => queues.queue(flow as u64) as usize,
                _ => flow,
            };
            arrivals.push(Arrival {
                time,
                flow: queue,
                packet: Packet { handle, bytes, ..Packet::default() },
            });
        }
    }
    // Packets that come at one time: the first of each flow, then the second of each.
    arrivals.sort_by_key(|arrival| (arrival.time, arrival.packet.handle));
    let mut departures: Vec<Departure> = Vec::with_capacity(arrivals.len());
    serve(&mut scheduler, link, &arrivals, &[], u64::MAX, |_, sent| departures.push(*sent))?;
    Ok(compared(contender, load, &departures, quantum))
}

fn compared(
    contender: Contender,
    load: &Load,
    departures: &[Departure],
    quantum: impl Fn(u64) -> u64,
) -> Measured {
    let flow_of = |departure: &Departure| (departure.packet.handle & 0xffff_ffff) as usize;
    // A flow is most behind when it begins to send, most ahead when it ends.
    let asks = |d: &Departure| [d.begin, d.end].map(|time| (time as f64 / BYTE as f64, flow_of(d)));
    let questions: Vec<(f64, usize)> = departures.iter().flat_map(asks).collect();
    let ideal = fluid::served(&load.fluid(), &questions);
    let flows = load.weights.len();
    let all: Vec<f64> =
        load.packets.iter().map(|p| p.iter().map(|&(_, bytes)| f64::from(bytes)).sum()).collect();
    let (mut ahead, mut behind) = (vec![f64::MIN; flows], vec![f64::MIN; flows]);
    let mut given = vec![0.0; flows];
    for (departure, ideal) in departures.iter().zip(ideal.chunks(2)) {
        let flow = flow_of(departure);
        behind[flow] = behind[flow].max(ideal[0] - given[flow]);
        given[flow] += f64::from(departure.packet.bytes);
        ahead[flow] = ahead[flow].max(given[flow] - ideal[1]);
        // One has no packets any more, here or in the fluid server.
        let empty = given[flow] >= all[flow] || ideal[1] >= all[flow] - 1.0;
        if load.while_all_wait && empty {
            break;
        }
    }
    let sum: u64 = load.weights.iter().sum();
    let (mut beyond, mut bounds): (Option<f64>, _) = (None, (None, None));
    let most = |a: Option<f64>, b: f64| Some(a.map_or(b, |a: f64| a.max(b)));
    for (flow, &weight) in load.weights.iter().enumerate().filter(|_| load.while_all_wait) {
        let part = weight as f64 / sum as f64;
        let bound = contender.bounds(part, flows, quantum(weight) as f64);
        if let Some(bound) = bound.0 {
            (beyond, bounds.0) = (most(beyond, ahead[flow] - bound), most(bounds.0, bound));
        }
        if let Some(bound) = bound.1 {
            (beyond, bounds.1) = (most(beyond, behind[flow] - bound), most(bounds.1, bound));
        }
    }
    let largest = |values: &[f64]| values.iter().copied().fold(f64::MIN, f64::max);
    let order = departures.iter().map(|d| d.packet.handle).collect();
    Measured { ahead: largest(&ahead), behind: largest(&behind), beyond, bounds, order }
}
