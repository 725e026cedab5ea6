//! Generators of FLOWS: the traffic that the document's figures are about (spec 004, S36 and section 5), and any other
//! of the same kinds. The same arguments give the same flows.

mod applications;

pub use applications::{APPLICATIONS, Application};

use crate::flows::{CLASSES, Flow};
use crate::schedule::BadFabric;
use ww_sim::random::{Stream, kind};
use ww_sim::workload::sizes::Pareto;

/// Bytes of a flow that a cell carries (spec 004, 2.11).
pub const PAYLOAD: u64 = 56;

/// Cells of a flow of so many bytes: at least one.
pub fn cells(bytes: u64) -> u64 {
    bytes.div_ceil(PAYLOAD).max(1)
}

/// What flows there are.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Hosts each send one flow to another host, all in slot 0; no host sends or receives two.
    Permutation {
        /// Hosts that send, 1 to all.
        pairs: usize,
        /// Cells of a flow.
        cells: u64,
    },
    /// Hosts each send one flow to host 0, all in slot 0.
    Incast {
        /// Hosts that send, 1 to all but one.
        senders: usize,
        /// Cells of a flow.
        cells: u64,
    },
    /// Flows from random hosts to random others, all in slot 0.
    Random {
        /// Flows.
        flows: usize,
        /// Cells of a flow.
        cells: u64,
    },
    /// Flows that arrive at random times, with sizes of a Pareto distribution that is cut off.
    Pareto {
        /// Flows.
        flows: usize,
        /// Exponent of the distribution.
        shape: f64,
        /// Its mean in bytes, after the cut.
        mean_bytes: f64,
        /// The largest size in bytes.
        largest_bytes: f64,
        /// When they start.
        arrivals: Arrivals,
    },
    /// Flows of an application whose processors, memories and disks are hosts of their own.
    Application {
        /// Flows.
        flows: usize,
        /// Which.
        application: &'static Application,
        /// When they start.
        arrivals: Arrivals,
    },
}

/// How often a flow starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrivals {
    /// So that all hosts together have this much to send in a slot, of a cell a host and channel: 0 to 1. Sizes count as
    /// they were drawn, for the mean of a heavy tail is rarely seen.
    Load {
        /// The share.
        load: f64,
        /// Channels of a host.
        channels: usize,
    },
    /// One in so many slots in the mean.
    EverySlots(f64),
}

/// Flows of a pattern among `hosts` hosts, sorted by their starts, with ids from 0.
///
/// # Errors
/// Fewer than two hosts, or a number that the pattern does not allow.
pub fn generate(pattern: &Pattern, hosts: usize, seed: u64) -> Result<Vec<Flow>, BadFabric> {
    let count = |what: &str, found: usize, most: usize| match found {
        0 => Err(BadFabric(format!("{what}: expected 1 to {most}, found 0"))),
        n if n > most => Err(BadFabric(format!("{what}: expected 1 to {most}, found {n}"))),
        _ => Ok(()),
    };
    if !(2..=1 << 20).contains(&hosts) {
        return Err(BadFabric(format!("hosts: expected 2 to {}, found {hosts}", 1 << 20)));
    }
    const MOST_FLOWS: usize = 10_000_000;
    let mut random = Stream::new(seed, kind::FLOWS, 0);
    let pairs: Vec<(usize, usize, u64, u64)> = match *pattern {
        Pattern::Permutation { pairs, cells } => {
            count("pairs", pairs, hosts)?;
            let (order, next) = (shuffled(hosts, &mut random), cycle(hosts, &mut random));
            order[..pairs].iter().map(|&src| (src, next[src], cells, 0)).collect()
        }
        Pattern::Incast { senders, cells } => {
            count("senders", senders, hosts - 1)?;
            (1..=senders).map(|src| (src, 0, cells, 0)).collect()
        }
        Pattern::Random { flows, cells } => {
            count("flows", flows, MOST_FLOWS)?;
            (0..flows)
                .map(|_| {
                    let (src, dst) = two_hosts(hosts, &mut random);
                    (src, dst, cells, 0)
                })
                .collect()
        }
        Pattern::Pareto { flows, shape, mean_bytes, largest_bytes, arrivals } => {
            count("flows", flows, MOST_FLOWS)?;
            let sizes = Pareto::new(shape, mean_bytes, largest_bytes).map_err(BadFabric)?;
            let mut flows: Vec<_> = (0..flows)
                .map(|_| {
                    let (src, dst) = two_hosts(hosts, &mut random);
                    (src, dst, cells(sizes.quantile(random.unit()) as u64), 0)
                })
                .collect();
            arrive(&mut flows, hosts, arrivals, &mut random)?;
            flows
        }
        Pattern::Application { flows, application, arrivals } => {
            count("flows", flows, MOST_FLOWS)?;
            let mut flows = application.flows(flows, hosts, &mut random)?;
            arrive(&mut flows, hosts, arrivals, &mut random)?;
            flows
        }
    };
    if pairs.iter().any(|(.., cells, _)| *cells == 0) {
        return Err(BadFabric("cells: expected at least 1, found 0".into()));
    }
    let flow = |(id, (src, dst, cells, start)): (usize, (usize, usize, u64, u64))| Flow {
        id: id as u64,
        src: src as u32,
        dst: dst as u32,
        cells,
        start,
    };
    Ok(pairs.into_iter().enumerate().map(flow).collect())
}

/// A class for each of so many flows, drawn at random: class n with the n-th of `shares`, of their sum. The flows that
/// [`generate`] makes of the same seed do not depend on it.
///
/// # Errors
/// Not 1 to [`CLASSES`] shares, or one that is no number from 0, or all are 0.
pub fn classes(shares: &[f64], flows: usize, seed: u64) -> Result<Vec<u8>, BadFabric> {
    if !(1..=usize::from(CLASSES)).contains(&shares.len()) {
        return Err(BadFabric(format!(
            "class shares: expected 1 to {CLASSES}, found {}",
            shares.len()
        )));
    }
    if let Some(bad) = shares.iter().find(|share| !(share.is_finite() && **share >= 0.0)) {
        return Err(BadFabric(format!("class shares: expected numbers from 0, found {bad}")));
    }
    let sum: f64 = shares.iter().sum();
    let Some(last) = shares.iter().rposition(|&share| share > 0.0).filter(|_| sum.is_finite())
    else {
        return Err(BadFabric(format!(
            "class shares: expected a sum above 0 that is a number, found {sum}"
        )));
    };
    let mut random = Stream::new(seed, kind::FLOWS, 1);
    let class = |_| {
        let mut rest = random.unit() * sum;
        let ends = shares.iter().position(|share| {
            rest -= share;
            rest < 0.0
        });
        // Rounding may leave a rest.
        ends.unwrap_or(last) as u8
    };
    Ok((0..flows).map(class).collect())
}

/// Gives each flow its start: a Poisson process.
fn arrive(
    flows: &mut [(usize, usize, u64, u64)],
    hosts: usize,
    arrivals: Arrivals,
    random: &mut Stream,
) -> Result<(), BadFabric> {
    let between = match arrivals {
        Arrivals::Load { load, channels } => {
            if !(load > 0.0 && load <= 1.0) {
                return Err(BadFabric(format!(
                    "load: expected a number above 0, at most 1, found {load}"
                )));
            }
            let cells: u64 = flows.iter().map(|(.., cells, _)| cells).sum();
            cells as f64 / flows.len() as f64 / (load * (hosts * channels) as f64)
        }
        Arrivals::EverySlots(slots) if slots > 0.0 && slots.is_finite() => slots,
        Arrivals::EverySlots(slots) => {
            return Err(BadFabric(format!(
                "slots between flows: expected a number above 0, found {slots}"
            )));
        }
    };
    let mut now = 0.0;
    for (.., start) in flows {
        // In whole 2^-20 of a slot, so that it is the same on every platform.
        now += random.exponential(between * f64::from(1 << 20)) as f64 / f64::from(1 << 20);
        *start = now as u64;
    }
    Ok(())
}

/// A host and another one.
fn two_hosts(hosts: usize, random: &mut Stream) -> (usize, usize) {
    let src = random.below(hosts as u64) as usize;
    let dst = random.below(hosts as u64 - 1) as usize;
    (src, if dst < src { dst } else { dst + 1 })
}

/// The hosts in random order.
fn shuffled(hosts: usize, random: &mut Stream) -> Vec<usize> {
    let mut order: Vec<usize> = (0..hosts).collect();
    for n in (1..hosts).rev() {
        order.swap(n, random.below(n as u64 + 1) as usize);
    }
    order
}

/// For each host another one, so that each is chosen once: all hosts on one random circle.
fn cycle(hosts: usize, random: &mut Stream) -> Vec<usize> {
    let circle = shuffled(hosts, random);
    let mut next = vec![0; hosts];
    for (n, &host) in circle.iter().enumerate() {
        next[host] = circle[(n + 1) % hosts];
    }
    next
}
