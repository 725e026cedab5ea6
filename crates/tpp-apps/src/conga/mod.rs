//! CONGA*: flowlets on the least congested path, chosen by hosts (spec 003, section 2.18).
//!
//! Switches choose a path by a tag in the packet, here the UDP destination port. Some packets of each path collect the
//! utilisation of the links on the way ([`COLLECT`]); the receiver sends that back. The sender keeps a measure for each
//! path, and gives a new flowlet the path with the least.
//!
//! The paper says neither how long a gap makes a flowlet nor what keeps hosts from moving all flows to and fro, as each
//! report is older than what they have done since. Here measures are averages, a flow stays unless another path is
//! better by some margin, and after a move the host waits until it can see what came of it.

pub mod agent;
pub mod lab;

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use ww_tpp::packet::Repr;

/// Time in picoseconds.
pub type Time = u64;

/// What packets collect at each hop, for the assembler: link and utilisation. With 16-bit words 32 bytes for 3 hops.
pub const COLLECT: &str = ".word 16\nPUSH [Link:ID]\nPUSH [Link:TX-Utilization]\n";

/// Words that [`COLLECT`] takes a hop.
pub const WORDS: usize = 2;

/// Links and utilisations (0x8000 for the capacity) that a TPP has collected.
pub fn samples(tpp: &Repr) -> Vec<(u32, u32)> {
    let words: Vec<u32> = tpp.words().collect();
    words.chunks_exact(WORDS).take(tpp.hop.into()).map(|hop| (hop[0], hop[1])).collect()
}

/// What the links of a path make the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measure {
    /// The largest utilisation, as in CONGA's switches.
    Largest,
    /// Their sum, which its authors found nearer to the best.
    Sum,
}

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// A flow that has been silent for longer may take another path: its packets are not overtaken.
    pub gap: Time,
    /// The weight of a new report in a path's measure, 0 to 1.
    pub weight: f64,
    /// How much better another path has to be, in shares of the capacity.
    pub margin: f64,
    /// From one move of a flow to the next one of any flow of the host.
    pub settle: Time,
    /// Of a path without a report for so long nothing is known.
    pub stale: Time,
    /// What makes a path of its links.
    pub measure: Measure,
}

impl Default for Settings {
    /// For reports every millisecond: a gap of 1 ms, averages of some 32 ms, 100 ms after a move; a path is stale when ten
    /// reports are missing.
    fn default() -> Self {
        Self {
            gap: 1_000_000_000,
            weight: 1.0 / 32.0,
            margin: 0.08,
            settle: 100_000_000_000,
            stale: 10_000_000_000,
            measure: Measure::Largest,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Path {
    /// Averages by link. Links are averaged one by one: the largest of several that vary is more than the largest of
    /// their averages, so that longer paths would look worse than they are.
    links: BTreeMap<u32, f64>,
    at: Time,
}

/// What a sender knows of its paths to one destination.
#[derive(Clone, Debug)]
pub struct Balancer {
    settings: Settings,
    tags: Vec<u16>,
    paths: BTreeMap<u16, Path>,
    /// Tag of each flow, and when it sent last.
    flows: HashMap<u64, (u16, Time)>,
    next_tag: usize,
    may_move: Time,
}

impl Balancer {
    /// With these tags, one or more for each path; flows of which nothing is known take them in turn.
    pub fn new(settings: Settings, tags: Vec<u16>) -> Self {
        Self {
            settings,
            tags,
            paths: BTreeMap::new(),
            flows: HashMap::new(),
            next_tag: 0,
            may_move: 0,
        }
    }

    /// A report of a path: links and their utilisations, 0x8000 for the capacity.
    pub fn report(&mut self, now: Time, tag: u16, links: impl IntoIterator<Item = (u32, u32)>) {
        let path = self.paths.entry(tag).or_default();
        let before = std::mem::take(&mut path.links);
        for (link, share) in links {
            let share = f64::from(share) / f64::from(0x8000);
            let average = before.get(&link).copied().unwrap_or(share);
            path.links.insert(link, average + self.settings.weight * (share - average));
        }
        path.at = now;
    }

    /// The measure of a path; `None` if nothing is known of it.
    pub fn measure(&self, now: Time, tag: u16) -> Option<f64> {
        let path = self.paths.get(&tag)?;
        let averages = path.links.values().copied();
        let measure = match self.settings.measure {
            Measure::Largest => averages.fold(0.0, f64::max),
            Measure::Sum => averages.sum(),
        };
        (now.saturating_sub(path.at) <= self.settings.stale).then_some(measure)
    }

    /// The tag for a packet that a flow sends now.
    pub fn tag(&mut self, now: Time, flow: u64) -> u16 {
        let Some(&(tag, last)) = self.flows.get(&flow) else {
            let tag = self.tags.get(self.next_tag % self.tags.len().max(1)).copied().unwrap_or(0);
            self.next_tag += 1;
            self.flows.insert(flow, (tag, now));
            return tag;
        };
        let is_new = now.saturating_sub(last) > self.settings.gap;
        let tag = if is_new { self.choose(now, tag) } else { tag };
        self.flows.insert(flow, (tag, now));
        tag
    }

    /// The tag for a new flowlet of a flow that had this one.
    fn choose(&mut self, now: Time, own: u16) -> u16 {
        if now < self.may_move {
            return own;
        }
        let known = self.tags.iter().filter_map(|tag| Some((*tag, self.measure(now, *tag)?)));
        let best = known.min_by(|a, b| a.1.total_cmp(&b.1));
        let (Some((best, least)), Some(here)) = (best, self.measure(now, own)) else { return own };
        if best == own || here - least <= self.settings.margin {
            return own;
        }
        self.may_move = now + self.settings.settle;
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Time = 1_000_000_000;

    #[test]
    fn flowlets_move_and_flows_do_not() {
        let settings = Settings { weight: 1.0, settle: 5 * MS, ..Settings::default() };
        let mut balancer = Balancer::new(settings, vec![1, 2]);
        assert_eq!([balancer.tag(0, 7), balancer.tag(0, 8)], [1, 2], "in turn");
        balancer.report(MS, 1, [(11, 0x4000), (12, 0x7000)]);
        balancer.report(MS, 2, [(21, 0x2000), (22, 0x1000)]);
        assert_eq!(balancer.measure(MS, 1), Some(0.875));
        assert_eq!(balancer.tag(MS, 7), 1, "no gap: not a new flowlet");
        assert_eq!(balancer.tag(2 * MS + 1, 7), 2);
        balancer.report(3 * MS, 2, [(21, 0x8000)]);
        assert_eq!(balancer.tag(4 * MS, 7), 2, "it has just moved");
        assert_eq!(balancer.tag(8 * MS, 7), 1);
        // Within the margin nothing moves; of a stale path nothing is known.
        balancer.report(20 * MS, 1, [(11, 0x4000)]);
        balancer.report(20 * MS, 2, [(21, 0x4000 - 0x0400)]);
        assert_eq!(balancer.tag(20 * MS, 7), 1);
        balancer.report(31 * MS, 1, [(11, 0x8000)]);
        assert_eq!((balancer.measure(31 * MS, 2), balancer.tag(31 * MS, 7)), (None, 1));
    }

    #[test]
    fn sums_and_averages() {
        let settings = Settings { measure: Measure::Sum, weight: 0.5, ..Settings::default() };
        let mut balancer = Balancer::new(settings, vec![1]);
        balancer.report(0, 1, [(11, 0x4000), (12, 0x4000)]);
        balancer.report(MS, 1, [(11, 0), (12, 0)]);
        assert_eq!(balancer.measure(MS, 1), Some(0.5));
    }
}
