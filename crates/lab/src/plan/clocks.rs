//! `[clocks]`: how far off clocks are, and what keeps them together.

use super::names::Names;
use std::collections::BTreeSet;
use ww_clocks::servo::Stamps;
use ww_config::quantity::{Probability, Span};
use ww_config::reader::Reader;
use ww_config::tree::{Kind, Value};
use ww_dtp::port::Config;
use ww_sim::network::clocks::{Clocks, Dtp, Kept};
use ww_sim::network::{Change, Link, LinkChange, Network, NodeId, Phy};
use ww_sim::nodes::dtp::LONGEST as LONGEST_DTP;

/// Parts per million that clocks may be off at most.
const MOST_PPM: f64 = 10_000.0;
/// Pairs of nodes that are compared at most, if a lab does not name them.
const MOST_PAIRS: usize = 2_000;

/// Hosts whose clocks packets keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Keeping {
    /// How.
    pub protocol: Protocol,
    /// Whose time it is.
    pub master: NodeId,
    /// Who follows.
    pub slaves: Vec<NodeId>,
}

/// How packets keep clocks. Times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Protocol {
    /// PTP.
    Ptp {
        /// From Sync to Sync.
        sync: f64,
        /// From Delay_Req to Delay_Req.
        delay: f64,
    },
    /// NTP.
    Ntp {
        /// From request to request.
        poll: f64,
    },
}

impl Protocol {
    /// In labs and results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ptp { .. } => "ptp",
            Self::Ntp { .. } => "ntp",
        }
    }
}

const STAMPS: [(&str, Stamps); 2] =
    [("hardware", Stamps::Hardware), ("software", Stamps::Software)];
const MILLISECOND: u64 = 1_000_000_000;

/// `[clocks]`; `end` is that of the run.
pub(super) fn clocks(
    reader: Option<Reader<'_>>,
    names: &Names<'_>,
    changes: &[Change],
    end: Option<u64>,
) -> (Clocks, Option<Keeping>) {
    let mut clocks = Clocks::default();
    let Some(reader) = reader else { return (clocks, None) };
    let ppm = reader.within("ppm", 0.0..=MOST_PPM).unwrap_or(0.0);
    clocks.spread = (ppm * 1000.0).round() as u32;
    let wander = reader.within("wander", 0.0..=1e6).unwrap_or(0.0);
    let every = reader.get_or("every", Span(MILLISECOND)).0;
    if every == 0
        && let Some(value) = reader.value("every")
    {
        reader.mistakes().add(&value.place, "'every': expected more than 0");
    }
    clocks.dtp = reader.inner("dtp").and_then(|inner| {
        let dtp = dtp(&inner, names, changes, end);
        inner.finish();
        dtp
    });
    let seen = (wander, every.max(1));
    let packets = reader.inner("packets").and_then(|inner| {
        let packets = packets(&inner, names, seen);
        inner.finish();
        packets
    });
    reader.finish();
    let (kept, keeping) = packets.unzip();
    clocks.kept = kept;
    (clocks, keeping)
}

/// `[clocks.packets]`; `seen` are how clocks wander and how often they are compared.
fn packets(
    reader: &Reader<'_>,
    names: &Names<'_>,
    (wander, every): (f64, u64),
) -> Option<(Kept, Keeping)> {
    let period = |key, default: u64| reader.get_or(key, Span(default)).0.max(1) as f64 / 1e12;
    let (sync, delay) = (period("sync", 1000 * MILLISECOND), period("delay", 750 * MILLISECOND));
    let poll = period("poll", 16_000 * MILLISECOND);
    let words = [("ptp", Protocol::Ptp { sync, delay }), ("ntp", Protocol::Ntp { poll })];
    let protocol = reader.needed_choice("protocol", &words);
    let stamps = reader.choice("stamps", &STAMPS).unwrap_or(match protocol {
        Some(Protocol::Ntp { .. }) => Stamps::Software,
        _ => Stamps::Hardware,
    });
    let transparent = reader.get_or("transparent", false);
    let resolution = reader.get_or("resolution", Span(0)).0;
    let interrupt = reader.get_or("interrupt", Span(10_000_000)).0;
    let master = reader.needed_value("master", "\"h0\"").and_then(|value| names.host(value));
    let mut slaves = match reader.value("slaves") {
        Some(value) => names.hosts(value)?,
        None => names.network.hosts().map(|(id, _)| id).collect(),
    };
    let (protocol, master) = (protocol?, master?);
    slaves.retain(|slave| *slave != master);
    let reference = master;
    let kept = Kept { reference, stamps, resolution, interrupt, transparent, wander, every };
    Some((kept, Keeping { protocol, master, slaves }))
}

/// `[clocks.dtp]`
fn dtp(
    reader: &Reader<'_>,
    names: &Names<'_>,
    changes: &[Change],
    end: Option<u64>,
) -> Option<Dtp> {
    let interval = reader.within("interval", 2..=100_000).unwrap_or(200u64);
    let phases = reader.within("phases", 1..=64).unwrap_or(1u64);
    if !phases.is_power_of_two()
        && let Some(value) = reader.value("phases")
    {
        reader
            .mistakes()
            .add(&value.place, format!("'phases': expected 1, 2, 4, ..., 64, found {phases}"));
        return None;
    }
    let errors: Option<Probability> = reader.get("errors");
    let nodes = nodes_with_phy(names.network);
    if nodes.is_empty() {
        let message = "clocks can be synchronised in the physical layer only where there is one";
        let advice = Some("give links phy = \"10gbase-r\"".to_owned());
        reader.mistakes().advise(reader.place(), message, advice);
        return None;
    }
    if end.is_some_and(|end| end > LONGEST_DTP) {
        let message =
            "a lab with [clocks.dtp] lasts 18 s at most: ticks are counted in attoseconds";
        reader.mistakes().advise(
            reader.place(),
            message,
            Some("make 'duration' shorter".to_owned()),
        );
    }
    if changes.iter().any(|change| matches!(change.what, LinkChange::Delay(_))) {
        let message =
            "a delay is measured when a link comes up; one that changes without that is no cable";
        let advice = Some("take the link down, change it, and take it up".to_owned());
        reader.mistakes().advise(reader.place(), message, advice);
    }
    let pairs = match reader.value("pairs") {
        None => {
            let nodes: Vec<NodeId> = nodes.iter().copied().collect();
            let later = |at: usize| nodes[at + 1..].iter().map(move |other| (at, *other));
            let all = (0..nodes.len()).flat_map(later).map(|(at, other)| [nodes[at], other]);
            all.take(MOST_PAIRS).collect()
        }
        Some(value) => {
            value.listed().iter().filter_map(|item| pair(item, &nodes, names, reader)).collect()
        }
    };
    Some(Dtp {
        config: Config::with_phases(interval, phases),
        pairs,
        errors_one_in: match errors {
            Some(Probability(share)) if share > 0.0 => (1.0 / share).round() as u64,
            _ => 0,
        },
    })
}

/// Nodes that have a link of characters both ways.
fn nodes_with_phy(network: &Network) -> BTreeSet<NodeId> {
    let has_phy =
        |link: &&Link| link.directions.iter().all(|direction| direction.phy == Phy::TenGigabit);
    network.links.iter().filter(has_phy).flat_map(|link| link.ends.map(|end| end.node)).collect()
}

/// `["h0", "h1"]`
fn pair(
    item: &Value,
    nodes: &BTreeSet<NodeId>,
    names: &Names<'_>,
    reader: &Reader<'_>,
) -> Option<[NodeId; 2]> {
    let both: Vec<NodeId> = match &item.kind {
        Kind::List(list) => list.iter().map(|one| names.node(one)).collect::<Option<_>>()?,
        _ => Vec::new(),
    };
    match both[..] {
        [first, second] if first != second && nodes.contains(&first) && nodes.contains(&second) => {
            Some([first, second])
        }
        _ => {
            let message = format!(
                "'pairs': expected two nodes with links of phy = \"10gbase-r\", such as [\"h0\", \"h1\"], found {}",
                item.described()
            );
            reader.mistakes().add(&item.place, message);
            None
        }
    }
}
