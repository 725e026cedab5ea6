//! Synthetic applications on disaggregated hosts (spec 004, section 5): the traces of the document (Gao and others, OSDI
//! 2016) are not public, so these have their shape and not their bytes.
//!
//! Each host is a processor, a memory or a disk; flows go between a processor and something else. A third of each kind is
//! busy, so that more than 84 % of the flows stay within a third of the hosts, as was published. Busy hosts are alike: under
//! Zipf's law with that much in a third, the busiest alone would get a third of the flows of its kind, more than a host can
//! take at the published mean inter-arrival of 12.65 ns. Means are such that 512 hosts with 77 Gb/s each for the bytes of flows
//! keep up with that: busy processors at half of it.

use super::{cells, shuffled};
use crate::schedule::BadFabric;
use ww_sim::random::Stream;
use ww_sim::workload::sizes::Pareto;

/// One kind of application. The names say what kind of job it stands for; none is a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Application {
    /// Its name.
    pub name: &'static str,
    /// Of flows, the share between a processor and a memory; the others are between a processor and a disk.
    pub memory: f64,
    /// Mean bytes of a flow to or from a memory: pages.
    pub memory_bytes: f64,
    /// Mean bytes of a flow to or from a disk: blocks.
    pub disk_bytes: f64,
}

/// Batch jobs on key-value records and on text, a graph, an interactive store, and relational queries that scan or
/// join.
pub const APPLICATIONS: [Application; 6] = [
    Application { name: "batch-records", memory: 0.9, memory_bytes: 4e3, disk_bytes: 40e3 },
    Application { name: "batch-text", memory: 0.85, memory_bytes: 4e3, disk_bytes: 25e3 },
    Application { name: "graph", memory: 0.98, memory_bytes: 6e3, disk_bytes: 50e3 },
    Application { name: "interactive", memory: 0.95, memory_bytes: 1e3, disk_bytes: 8e3 },
    Application { name: "relational-scan", memory: 0.8, memory_bytes: 4e3, disk_bytes: 20e3 },
    Application { name: "relational-join", memory: 0.9, memory_bytes: 4e3, disk_bytes: 16e3 },
];

/// Largest flow, in means.
const LARGEST: f64 = 100.0;
/// Exponent of the sizes of flows.
const SHAPE: f64 = 1.5;
/// Of the ends of flows at hosts of one kind, the share at the busy third: both are there for its square, 0.9.
const BUSY: f64 = 0.95;

impl Application {
    /// An application by its name.
    pub fn named(name: &str) -> Option<&'static Self> {
        APPLICATIONS.iter().find(|application| application.name == name)
    }

    /// Flows without starts: source, destination, cells, 0.
    pub(super) fn flows(
        &self,
        count: usize,
        hosts: usize,
        random: &mut Stream,
    ) -> Result<Vec<(usize, usize, u64, u64)>, BadFabric> {
        if hosts < 3 {
            return Err(BadFabric(format!(
                "hosts: an application needs a processor, a memory and a disk, found {hosts} hosts"
            )));
        }
        let sizes = |mean: f64| Pareto::new(SHAPE, mean, LARGEST * mean).map_err(BadFabric);
        let (memory, disk) = (sizes(self.memory_bytes)?, sizes(self.disk_bytes)?);
        // Ranks: n mod 3 is the kind, processor, memory, disk; those of the busy third come first.
        let order = shuffled(hosts, random);
        let kinds: [Ranks; 3] = std::array::from_fn(|kind| Ranks::new(kind, hosts));
        let mut flows = Vec::with_capacity(count);
        for _ in 0..count {
            let (kind, sizes) = if random.happens(self.memory) { (1, &memory) } else { (2, &disk) };
            let (processor, other) = (kinds[0].draw(random), kinds[kind].draw(random));
            let bytes = sizes.quantile(random.unit()) as u64;
            let (src, dst) =
                if random.happens(0.5) { (processor, other) } else { (other, processor) };
            flows.push((order[src], order[dst], cells(bytes), 0));
        }
        Ok(flows)
    }
}

/// Hosts of one kind, busy ones first.
struct Ranks {
    hosts: Vec<usize>,
    /// The share of this host and those before it.
    shares: Vec<f64>,
}

impl Ranks {
    fn new(kind: usize, hosts: usize) -> Self {
        let hosts: Vec<usize> = (kind..hosts).step_by(3).collect();
        let busy = hosts.len().div_ceil(3);
        let others = (hosts.len() - busy).max(1);
        let mut sum = 0.0;
        let share = |rank| match rank < busy {
            true => BUSY / busy as f64,
            false => (1.0 - BUSY) / others as f64,
        };
        let sums: Vec<f64> = (0..hosts.len())
            .map(|rank| {
                sum += share(rank);
                sum
            })
            .collect();
        Self { hosts, shares: sums.iter().map(|s| s / sum).collect() }
    }

    fn draw(&self, random: &mut Stream) -> usize {
        let share = random.unit();
        let place = self.shares.partition_point(|s| *s <= share);
        self.hosts[place.min(self.hosts.len() - 1)]
    }
}
