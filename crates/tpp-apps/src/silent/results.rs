//! Links that lose packets: what the counts of hosts say, beside what the lab's own file has links lose.

use super::lab::Silent;
use super::tally;
use super::{Verdict, Windows};
use crate::application::{Findings, Set};
use crate::numbering::link_id;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use ww_host::filter::Fields;
use ww_sim::network::{Link, LinkChange, LinkId, Network};

/// What a window's verdict is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    /// No link loses packets.
    Clean,
    /// One does from the window's begin to its end: this share of them.
    One(LinkId, f64),
    /// Several do, or something changes inside of the window: no verdict is right or wrong.
    Unclear,
}

/// What the lab has links lose from one time to another.
fn truth(network: &Network, from: u64, until: u64) -> Truth {
    let mut losses: Vec<f64> = network
        .links
        .iter()
        .map(|link| {
            let lost =
                link.directions.map(|line| 1.0 - (1.0 - line.loss) * (1.0 - line.corruption));
            lost[0].max(lost[1])
        })
        .collect();
    for change in network.changes.iter().filter(|change| change.at < until) {
        match change.what {
            LinkChange::Loss(loss) => {
                let before = std::mem::replace(&mut losses[change.link as usize], loss);
                if change.at > from && before != loss {
                    return Truth::Unclear;
                }
            }
            // Until switches take other ways packets are lost.
            LinkChange::Down | LinkChange::Up => {
                if change.at.saturating_add(network.routing.reroute) >= from {
                    return Truth::Unclear;
                }
            }
            LinkChange::Rate(_) | LinkChange::Delay(_) => {}
        }
    }
    let mut faulty = (0u32..).zip(losses).filter(|(_, loss)| *loss > 0.0);
    match (faulty.next(), faulty.next()) {
        (None, _) => Truth::Clean,
        (Some((link, loss)), None) => Truth::One(link, loss),
        _ => Truth::Unclear,
    }
}

/// What became of windows.
#[derive(Debug, Default)]
struct Score {
    /// Windows with a verdict that is right or wrong.
    windows: u64,
    /// Those in which a link lost packets.
    faulty: u64,
    /// Of these: it was named, and no other.
    named: u64,
    /// Of these: it was named beside others.
    ambiguous: u64,
    /// Of these: nothing was named.
    missed: u64,
    /// Windows in which a link was named, alone or with others, and none of those named lost packets.
    falsely: u64,
    /// The largest difference between the share that was found and the lab's.
    error: f64,
}

impl Score {
    fn count(&mut self, truth: Truth, verdict: &Verdict) {
        let named: &[u32] = match verdict {
            Verdict::Clean => &[],
            Verdict::Link { link, .. } => std::slice::from_ref(link),
            Verdict::OneOf(links) => links,
        };
        self.windows += u64::from(truth != Truth::Unclear);
        match truth {
            Truth::Unclear => {}
            Truth::Clean => self.falsely += u64::from(!named.is_empty()),
            Truth::One(faulty, share) => {
                self.faulty += 1;
                match verdict {
                    Verdict::Link { link, loss } if *link == faulty => {
                        self.named += 1;
                        self.error = self.error.max((loss - share).abs());
                    }
                    Verdict::OneOf(links) if links.contains(&faulty) => self.ambiguous += 1,
                    Verdict::Clean => self.missed += 1,
                    _ => self.falsely += 1,
                }
            }
        }
    }
}

/// Adds verdicts window by window, and how many of them are right. A link is both of its directions, as a fault of a
/// line card is.
///
/// # Errors
/// A host has reported no tallies, or something else.
pub(super) fn verdicts(
    silent: &Silent,
    findings: &Findings<'_>,
    set: &mut Set<'_>,
) -> Result<(), String> {
    let network = findings.network;
    let ends = (0u32..)
        .zip(&network.links)
        .flat_map(|(number, link)| link.ends.map(|end| (link_id(end.node, end.port), number)));
    let cables: BTreeMap<u32, LinkId> = ends.collect();
    // A host knows the link that it is at, which no switch sends its packets to.
    let own: BTreeMap<Ipv4Addr, LinkId> = network
        .hosts()
        .filter_map(|(node, host)| {
            let at = |link: &Link| link.ends.iter().any(|end| end.node == node);
            Some((host.ip, network.links.iter().position(at)? as LinkId))
        })
        .collect();
    let reported = findings.reports.iter().map(|report| tally::all(report));
    let mut tallies = reported.collect::<Result<Vec<_>, _>>()?.concat();
    tallies.sort_by_key(|tally| (tally.window, tally.flow));
    let mut numbers: BTreeMap<Fields, u64> = BTreeMap::new();
    let mut drops: BTreeMap<u32, u32> = BTreeMap::new();
    let mut windows = Windows::new(silent.window);
    let mut score = Score::default();
    let mut rest = tallies.as_slice();
    let (first, last) =
        (findings.warmup.div_ceil(silent.window), findings.duration / silent.window);
    for window in first..last {
        while let Some((tally, others)) = rest.split_first()
            && u64::from(tally.window) <= window
        {
            rest = others;
            let next = numbers.len() as u64;
            let flow = *numbers.entry(tally.flow).or_insert(next);
            windows.add(tally.window.into(), flow, [tally.sent, tally.received]);
            if tally.path.is_empty() {
                continue;
            }
            let crossed = tally.path.iter();
            let known = crossed.filter_map(|one| Some((*cables.get(&one.link)?, one.utilisation)));
            let begin = own.get(&Ipv4Addr::from(tally.flow.source)).map(|link| (*link, 0));
            windows.went(tally.window.into(), flow, begin.into_iter().chain(known));
            for one in &tally.path {
                let most = drops.entry(one.link).or_default();
                *most = (*most).max(one.drops);
            }
        }
        let verdict = windows.verdict(window, &silent.settings);
        windows.forget(window + 1);
        let from = window * silent.window;
        score.count(truth(network, from, from + silent.window), &verdict);
        let name = format!("window{window}");
        let link =
            |link: u32| findings.link(link as usize).unwrap_or_else(|| format!("link{link}"));
        match verdict {
            Verdict::Clean => {}
            Verdict::Link { link: found, loss } => set(&[&name, &link(found), "loss"], loss),
            Verdict::OneOf(links) => {
                let several = links.len() as f64;
                links.iter().for_each(|one| set(&[&name, &link(*one), "one_of"], several));
            }
        }
    }
    set(&["windows"], score.windows as f64);
    set(&["faulty"], score.faulty as f64);
    set(&["named"], score.named as f64);
    set(&["ambiguous"], score.ambiguous as f64);
    set(&["missed"], score.missed as f64);
    set(&["false"], score.falsely as f64);
    set(&["loss_error"], score.error);
    set(&["switch_drops"], drops.values().map(|drops| f64::from(*drops)).sum());
    Ok(())
}
