//! Links that lose packets while switches count nothing (spec 003, section 2.20): from how many packets of each path were
//! sent and have arrived, the link that explains the losses best.
//!
//! For each link the likelihood of the counts is compared: that this link loses the share that best fits and all others
//! next to nothing, against that none does. Paths with a busy link say nothing, as queues lose there, too.

pub mod agent;
pub mod lab;
mod results;
pub mod tally;

use std::collections::{BTreeMap, BTreeSet};

/// Time in picoseconds.
pub type Time = u64;

/// What packets collect at each hop, for the assembler: link and utilisation, 4 bytes.
pub const COLLECT: &str = ".word 16\nPUSH [Link:ID]\nPUSH [Link:TX-Utilization]\n";

/// Words that [`COLLECT`] takes a hop.
pub const WORDS: usize = 2;

/// Behind [`COLLECT`]: what the switch itself has counted, to show that it has seen nothing. One word more.
pub const COUNTED: &str = "PUSH [Link:Drop-Packets]\n";

/// Packets of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathCount {
    /// The links of the path.
    pub links: Vec<u32>,
    /// Packets that were sent.
    pub sent: u64,
    /// Those that have arrived.
    pub received: u64,
}

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The share of packets that a good link may lose, above 0.
    pub background: f64,
    /// By how much the logarithm of the likelihood has to be larger than without a bad link, and than with another one.
    pub lead: f64,
    /// Links with a utilisation above this are busy, 0x8000 for the capacity.
    pub busy: u32,
}

impl Default for Settings {
    /// One in 10,000; a thousand times as likely, and more; half the capacity.
    fn default() -> Self {
        Self { background: 1e-4, lead: 10.0, busy: 0x4000 }
    }
}

/// What the counts say.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No link loses packets.
    Clean,
    /// This link does.
    Link {
        /// Which.
        link: u32,
        /// The share of its packets that it loses.
        loss: f64,
    },
    /// One of these does; the counts do not distinguish them.
    OneOf(Vec<u32>),
}

/// The logarithm of the likelihood that `lost` of `sent` packets are lost, with a loss probability between the background's
/// and almost 1.
fn likelihood(sent: u64, lost: u64, loss: f64, background: f64) -> f64 {
    let loss = loss.clamp(background, 1.0 - 1e-9);
    lost as f64 * loss.ln() + (sent - lost) as f64 * (1.0 - loss).ln()
}

/// See the module. Of a path of which more has arrived than was sent, all has.
pub fn localise(paths: &[PathCount], busy: &BTreeSet<u32>, settings: &Settings) -> Verdict {
    // Of each link: sent and lost.
    let mut sums: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for path in paths.iter().filter(|path| !path.links.iter().any(|link| busy.contains(link))) {
        let lost = path.sent.saturating_sub(path.received);
        for link in path.links.iter().collect::<BTreeSet<_>>() {
            let sum = sums.entry(*link).or_default();
            *sum = (sum.0 + path.sent, sum.1 + lost);
        }
    }
    // All paths without the link are the same with and without a fault: what counts is the difference of the others.
    let gain = |(sent, lost): (u64, u64)| {
        let loss = lost as f64 / (sent as f64).max(1.0);
        let background = settings.background;
        likelihood(sent, lost, loss, background) - likelihood(sent, lost, background, background)
    };
    let mut gains: Vec<(f64, u32)> = sums.iter().map(|(link, sum)| (gain(*sum), *link)).collect();
    gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let Some((best, link)) = gains.first().copied().filter(|(best, _)| *best > settings.lead)
    else {
        return Verdict::Clean;
    };
    let near: Vec<u32> = gains
        .iter()
        .filter(|(gain, _)| *gain > best - settings.lead)
        .map(|(_, link)| *link)
        .collect();
    match near.len() {
        1 => {
            let (sent, lost) = sums[&link];
            Verdict::Link { link, loss: lost as f64 / sent as f64 }
        }
        _ => Verdict::OneOf(near),
    }
}

/// Counts of flows in windows of time. A flow whose packets are all lost counts for the path that it had last.
#[derive(Clone, Debug)]
pub struct Windows {
    length: Time,
    /// Sent and received, by window and flow.
    counts: BTreeMap<(u64, u64), (u64, u64)>,
    paths: BTreeMap<u64, Vec<u32>>,
    /// The largest utilisation of a link in a window.
    shares: BTreeMap<(u64, u32), u32>,
}

impl Windows {
    /// Of a length above 0.
    pub fn new(length: Time) -> Self {
        let (counts, paths, shares) = Default::default();
        Self { length: length.max(1), counts, paths, shares }
    }

    /// The window of a time.
    pub fn window(&self, at: Time) -> u64 {
        at / self.length
    }

    /// A flow has sent a packet.
    pub fn sent(&mut self, at: Time, flow: u64) {
        self.add(self.window(at), flow, [1, 0]);
    }

    /// A packet that was sent at a time has arrived, with links and utilisations that it has collected.
    pub fn received(&mut self, at: Time, flow: u64, links: impl IntoIterator<Item = (u32, u32)>) {
        let window = self.window(at);
        self.add(window, flow, [0, 1]);
        self.went(window, flow, links);
    }

    /// What a host has counted of a flow in a window, of all of its packets there.
    pub fn add(&mut self, window: u64, flow: u64, [sent, received]: [u64; 2]) {
        let counts = self.counts.entry((window, flow)).or_default();
        *counts = (counts.0 + sent, counts.1 + received);
    }

    /// In a window packets of a flow have taken a path: links, and the largest utilisation of each.
    pub fn went(&mut self, window: u64, flow: u64, links: impl IntoIterator<Item = (u32, u32)>) {
        let mut path = Vec::new();
        for (link, share) in links {
            let most = self.shares.entry((window, link)).or_default();
            *most = (*most).max(share);
            path.push(link);
        }
        self.paths.insert(flow, path);
    }

    /// What a window's counts say, when all of its packets that will arrive have.
    pub fn verdict(&self, window: u64, settings: &Settings) -> Verdict {
        let of_window = self.counts.range((window, 0)..=(window, u64::MAX));
        let paths: Vec<PathCount> = of_window
            .filter_map(|((_, flow), (sent, received))| {
                let links = self.paths.get(flow)?.clone();
                Some(PathCount { links, sent: *sent, received: *received })
            })
            .collect();
        let shares = self.shares.range((window, 0)..=(window, u32::MAX));
        let busy = shares.filter(|(_, share)| **share > settings.busy).map(|((_, link), _)| *link);
        localise(&paths, &busy.collect(), settings)
    }

    /// Forgets windows before this one, but for the paths of flows.
    pub fn forget(&mut self, before: u64) {
        self.counts = self.counts.split_off(&(before, 0));
        self.shares = self.shares.split_off(&(before, 0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(links: &[u32], sent: u64, received: u64) -> PathCount {
        PathCount { links: links.to_vec(), sent, received }
    }

    /// By hand: two leaves and two spines; links 1 and 2 up, 3 and 4 down.
    #[test]
    fn the_link_that_explains_the_losses() {
        let settings = Settings::default();
        let none = BTreeSet::new();
        let say = |paths: &[PathCount]| localise(paths, &none, &settings);
        let paths = [path(&[1, 3], 1000, 700), path(&[2, 4], 1000, 1000), path(&[1, 4], 500, 500)];
        assert_eq!(say(&paths), Verdict::Link { link: 3, loss: 0.3 });
        assert_eq!(say(&paths[..2]), Verdict::OneOf(vec![1, 3]), "nobody else uses them");
        assert_eq!(say(&paths[1..]), Verdict::Clean);
        // One packet of 1,000 is ten times the background: ln(10) - 0.9 more likely, which is not enough.
        assert_eq!(say(&[path(&[1], 1000, 999), path(&[2], 1000, 1001)]), Verdict::Clean);
        assert_eq!(
            say(&[path(&[1], 100, 0), path(&[2], 100, 100)]),
            Verdict::Link { link: 1, loss: 1.0 }
        );
        // Losses of a busy link are no wonder, and say nothing of links beside it.
        assert_eq!(localise(&paths, &[3].into(), &settings), Verdict::Clean);
        assert_eq!(say(&[]), Verdict::Clean);
    }

    #[test]
    fn windows_keep_the_path_of_a_flow_that_is_lost() {
        let mut windows = Windows::new(10);
        for at in 0..20 {
            for flow in 0..2 {
                windows.sent(at, flow);
                if at < 10 || flow == 1 {
                    windows.received(at, flow, [(flow as u32, 100)]);
                }
            }
        }
        let settings = Settings::default();
        assert_eq!(windows.verdict(0, &settings), Verdict::Clean);
        assert_eq!(windows.verdict(1, &settings), Verdict::Link { link: 0, loss: 1.0 });
        windows.received(15, 0, [(0, 0x4001)]);
        assert_eq!(windows.verdict(1, &settings), Verdict::Clean, "busy");
        windows.forget(2);
        assert_eq!((windows.counts.len(), windows.shares.len()), (0, 0));
    }
}
