//! Synthetic applications on disaggregated hosts (spec 004, section 5): the traces of the document (Gao and others, OSDI
//! 2016) are not public, so these have their shape and not their bytes.
//!
//! Each host is a processor, a memory or a disk; flows go between a processor and something else. Which hosts are busy
//! follows Zipf's law, so that more than 84 % of the flows stay within a third of the hosts, as was published.

use super::{cells, shuffled};
use crate::schedule::BadFabric;
use ww_sim::random::Stream;
use ww_sim::workload::sizes::Pareto;

/// One kind of application. The names say what kind of job it stands for; none is a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Application {
    /// Its name.
    pub name: &'static str,
    /// Exponent of Zipf's law: the n-th host is as busy as n^-zipf.
    pub zipf: f64,
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
    Application {
        name: "batch-records",
        zipf: 1.5,
        memory: 0.6,
        memory_bytes: 4e3,
        disk_bytes: 400e3,
    },
    Application {
        name: "batch-text",
        zipf: 1.5,
        memory: 0.5,
        memory_bytes: 4e3,
        disk_bytes: 150e3,
    },
    Application { name: "graph", zipf: 1.5, memory: 0.95, memory_bytes: 8e3, disk_bytes: 100e3 },
    Application {
        name: "interactive",
        zipf: 1.55,
        memory: 0.9,
        memory_bytes: 2e3,
        disk_bytes: 16e3,
    },
    Application {
        name: "relational-scan",
        zipf: 1.5,
        memory: 0.4,
        memory_bytes: 4e3,
        disk_bytes: 250e3,
    },
    Application {
        name: "relational-join",
        zipf: 1.5,
        memory: 0.75,
        memory_bytes: 4e3,
        disk_bytes: 100e3,
    },
];

/// Largest flow, in means.
const LARGEST: f64 = 100.0;
/// Exponent of the sizes of flows.
const SHAPE: f64 = 1.5;

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
        // The n-th busiest host; n mod 3 is its kind: processor, memory, disk.
        let order = shuffled(hosts, random);
        let kinds: [Ranks; 3] = std::array::from_fn(|kind| Ranks::new(kind, hosts, self.zipf));
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

/// Hosts of one kind, by how busy they are.
struct Ranks {
    hosts: Vec<usize>,
    /// The share of this host and those before it.
    shares: Vec<f64>,
}

impl Ranks {
    fn new(kind: usize, hosts: usize, zipf: f64) -> Self {
        let hosts: Vec<usize> = (kind..hosts).step_by(3).collect();
        let mut sum = 0.0;
        let sums: Vec<f64> = hosts
            .iter()
            .map(|rank| {
                sum += libm::pow((rank + 1) as f64, -zipf);
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
