//! `[[link]]`, `[[change]]`, `[routing]`.

use super::lines::LineSettings;
use super::names::{Names, listed, split_port};
use std::collections::{BTreeMap, HashMap, HashSet};
use ww_config::mistakes::{Mistakes, Place, did_you_mean};
use ww_config::quantity::{Probability, Rate, Span};
use ww_config::reader::Reader;
use ww_config::tree::{Kind, Value};
use ww_sim::network::{Change, End, Link, LinkChange, LinkId, Network, NodeId, NodeKind, Routing};

/// Ports of a node are numbered below this.
const MAX_PORT: u32 = 511;

/// Adds the links of the tables. One between two nodes that a topology has connected changes that link.
/// `quiet`: not all nodes are known, so unknown names are not reported. Returns whether all links could be made.
pub(super) fn links(network: &mut Network, tables: &[Reader<'_>], quiet: bool) -> bool {
    let generated = network.links.len();
    let names: HashMap<String, NodeId> =
        (0..).zip(&network.nodes).map(|(id, node)| (node.name.clone(), id)).collect();
    let mut used: HashSet<(NodeId, u32)> =
        network.links.iter().flat_map(|link| link.ends).map(|end| (end.node, end.port)).collect();
    let mut good = true;
    // Ports that are written have precedence over those that are chosen.
    let mut open = Vec::new();
    for reader in tables {
        let mistakes = reader.mistakes();
        let ends = ends(network, reader, &names, quiet);
        let settings = LineSettings::read(reader);
        let reverse = reader.inner("reverse").map(|inner| {
            let settings = LineSettings::read(&inner);
            inner.finish();
            settings
        });
        let up = reader.get::<bool>("up");
        let Some(ends) = ends else {
            good = false;
            if generated == 0 {
                // It is a link of its own, whichever its ends are.
                settings.line(reader);
            }
            continue;
        };
        let existing = existing(network, generated, &ends);
        if let Some((id, turned)) = existing {
            let link = &mut network.links[id as usize];
            let [forth, back] = [usize::from(turned), usize::from(!turned)];
            settings.change(&mut link.directions[forth]);
            settings.change(&mut link.directions[back]);
            if let Some(reverse) = reverse {
                reverse.change(&mut link.directions[back]);
            }
            link.up = up.unwrap_or(link.up);
            continue;
        }
        let line = settings.line(reader);
        let mut back = line;
        if let Some(reverse) = reverse {
            reverse.change(&mut back);
        }
        for (node, port) in &ends {
            if let Some(port) = port
                && !used.insert((*node, *port))
            {
                let name = &network.nodes[*node as usize].name;
                mistakes.add(reader.place(), format!("port {port} of '{name}' has two links"));
            }
        }
        open.push((ends, [line, back], up.unwrap_or(true), reader.place().clone()));
    }
    let mut next: HashMap<NodeId, u32> = HashMap::new();
    for (ends, directions, up, place) in open {
        let ends = ends.map(|(node, port)| {
            let port = port.unwrap_or_else(|| {
                let next = next.entry(node).or_default();
                while !used.insert((node, *next)) {
                    *next += 1;
                }
                *next
            });
            End { node, port }
        });
        if let Some(end) = ends.iter().find(|end| end.port > MAX_PORT) {
            let name = &network.nodes[end.node as usize].name;
            let mistakes = tables[0].mistakes();
            mistakes.add(
                &place,
                format!("'{name}' has ports 0 to {MAX_PORT}; found port {}", end.port),
            );
        }
        network.links.push(Link { ends, directions, up });
    }
    good
}

/// The nodes that the two ends name. Mistakes are noted.
fn ends(
    network: &Network,
    reader: &Reader<'_>,
    names: &HashMap<String, NodeId>,
    quiet: bool,
) -> Option<[(NodeId, Option<u32>); 2]> {
    let value = reader.needed_value("ends", "[\"h0\", \"s0\"]")?;
    let mistakes = reader.mistakes();
    let list = match &value.kind {
        Kind::List(list) if list.len() == 2 => list,
        _ => {
            let message =
                "'ends': expected two nodes such as [\"h0\", \"s0:1\"] (name, or name:port)";
            mistakes.add(&value.place, message);
            return None;
        }
    };
    let ends: Vec<_> = list.iter().map(|item| end(network, item, names, quiet, mistakes)).collect();
    let [Some(first), Some(second)] = ends[..] else { return None };
    if first.0 == second.0 {
        let name = &network.nodes[first.0 as usize].name;
        mistakes.add(&value.place, format!("both ends are at '{name}'"));
        return None;
    }
    Some([first, second])
}

fn end(
    network: &Network,
    item: &Value,
    names: &HashMap<String, NodeId>,
    quiet: bool,
    mistakes: &Mistakes,
) -> Option<(NodeId, Option<u32>)> {
    let Some(text) = item.text() else {
        let message =
            format!("expected a node such as \"s0\" or \"s0:1\", found {}", item.described());
        mistakes.add(&item.place, message);
        return None;
    };
    let (name, port) = split_port(text);
    let Some(id) = names.get(name).copied() else {
        if quiet {
            return None;
        }
        let known: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
        let advice = did_you_mean(name, known.iter().copied()).or_else(|| listed(&known));
        mistakes.advise(&item.place, format!("there is no node '{name}'"), advice);
        return None;
    };
    if port.is_some_and(|port| port > MAX_PORT) {
        let message = format!("expected a port from 0 to {MAX_PORT}, found {text:?}");
        mistakes.add(&item.place, message);
        return None;
    }
    Some((id, port))
}

/// The generated link between two nodes, and whether it is written the other way round.
fn existing(
    network: &Network,
    generated: usize,
    ends: &[(NodeId, Option<u32>); 2],
) -> Option<(LinkId, bool)> {
    let fits = |end: End, (node, port): (NodeId, Option<u32>)| {
        end.node == node && port.is_none_or(|port| port == end.port)
    };
    (0..).zip(&network.links[..generated]).find_map(|(id, link)| {
        let [first, second] = link.ends;
        if fits(first, ends[0]) && fits(second, ends[1]) {
            Some((id, false))
        } else if fits(first, ends[1]) && fits(second, ends[0]) {
            Some((id, true))
        } else {
            None
        }
    })
}

/// No address is there twice. Told at what says it last; once where several nodes have it from one table.
pub(super) fn check_addresses(
    network: &Network,
    addressed: &BTreeMap<NodeId, Place>,
    mistakes: &Mistakes,
    place_of: impl Fn(NodeId) -> Place,
) {
    let (mut ips, mut macs) = (HashMap::new(), HashMap::new());
    let mut told = HashSet::new();
    for (id, host) in network.hosts() {
        let name = |id: NodeId| &network.nodes[id as usize].name;
        let mut tell = |other: NodeId, address: String| {
            let written = addressed.get(&id).max(addressed.get(&other));
            let place = written.cloned().unwrap_or_else(|| place_of(id));
            if told.insert(place.clone()) {
                let message =
                    format!("'{}' and '{}' have the address {address}", name(other), name(id));
                mistakes.add(&place, message);
            }
        };
        if let Some(other) = ips.insert(host.ip, id) {
            tell(other, host.ip.to_string());
        } else if let Some(other) = macs.insert(host.mac, id) {
            let words: Vec<String> = host.mac.iter().map(|byte| format!("{byte:02x}")).collect();
            tell(other, words.join(":"));
        }
    }
}

/// Hosts have one link, all nodes have some, all hosts reach each other.
pub(super) fn check(
    network: &Network,
    doubled: &HashSet<NodeId>,
    mistakes: &Mistakes,
    place_of: impl Fn(NodeId) -> Place,
) {
    let mut degree = vec![0u32; network.nodes.len()];
    for end in network.links.iter().flat_map(|link| link.ends) {
        degree[end.node as usize] += 1;
    }
    let mut alone = false;
    for (id, node) in (0..).zip(&network.nodes) {
        let name = &node.name;
        if degree[id as usize] == 0 {
            alone = true;
            let advice = Some(format!("add [[link]] with ends = [\"{name}\", ...]"));
            mistakes.advise(
                &place_of(id),
                format!("'{name}' is not connected: it has no link"),
                advice,
            );
        }
        let is_host = matches!(node.kind, NodeKind::Host(_));
        if is_host && degree[id as usize] > 1 && !doubled.contains(&id) {
            let message =
                format!("host '{name}' has {} links; a host has one", degree[id as usize]);
            mistakes.add(&place_of(id), message);
        }
    }
    if alone {
        return;
    }
    // Links that are down at the start may come up.
    let mut part: Vec<usize> = (0..network.nodes.len()).collect();
    fn root(part: &mut [usize], mut at: usize) -> usize {
        while part[at] != at {
            part[at] = part[part[at]];
            at = part[at];
        }
        at
    }
    for link in &network.links {
        let [first, second] = link.ends.map(|end| root(&mut part, end.node as usize));
        part[first.max(second)] = first.min(second);
    }
    let apart = (1..network.nodes.len()).find(|at| root(&mut part, *at) != 0);
    if let Some(at) = apart {
        let (first, other) = (&network.nodes[0].name, &network.nodes[at].name);
        let message = format!(
            "there is no way between '{first}' and '{other}'; connect them with a [[link]], or leave one away"
        );
        mistakes.add(&place_of(at as NodeId), message);
    }
}

/// `[[change]]`
pub(super) fn changes(tables: &[Reader<'_>], names: &Names<'_>) -> Vec<Change> {
    let mut list = Vec::new();
    for reader in tables {
        let at = reader.need::<Span>("at", "\"10 ms\"").map(|span| span.0);
        let link = reader.needed_value("link", "\"s0-s1\"").and_then(|value| names.link(value));
        let truth = |key| match reader.get::<bool>(key) {
            Some(true) => Some(()),
            Some(false) => {
                if let Some(value) = reader.value(key) {
                    let message = format!("'{key}': expected true, or the key left out");
                    reader.mistakes().add(&value.place, message);
                }
                None
            }
            None => None,
        };
        let what = [
            truth("down").map(|()| LinkChange::Down),
            truth("up").map(|()| LinkChange::Up),
            reader.get::<Rate>("rate").map(|rate| LinkChange::Rate(rate.0)),
            reader.get::<Span>("delay").map(|span| LinkChange::Delay(span.0)),
            reader.get::<Probability>("loss").map(|share| LinkChange::Loss(share.0)),
        ];
        let keys = ["down", "up", "rate", "delay", "loss"];
        let before = keys.iter().any(|key| reader.value(key).is_some());
        let what: Vec<LinkChange> = what.into_iter().flatten().collect();
        if what.is_empty() && !before && !keys.iter().any(|key| reader.has_slip_of(key)) {
            let message = "[[change]] needs what changes";
            let advice = Some("one of down = true, up = true, rate, delay, loss".to_owned());
            reader.mistakes().advise(reader.place(), message, advice);
        }
        if let (Some(at), Some(link)) = (at, link) {
            list.extend(what.into_iter().map(|what| Change { at, link, what }));
        }
    }
    list.sort_by_key(|change| change.at);
    list
}

/// `[routing]`
pub(super) fn routing(reader: Option<Reader<'_>>) -> Routing {
    let mut routing = Routing::default();
    if let Some(reader) = reader {
        routing.multipath = reader.get_or("multipath", routing.multipath);
        routing.spray = reader.get_or("spray", routing.spray);
        routing.reroute = reader.get_or("reroute", Span(routing.reroute)).0;
        reader.finish();
    }
    routing
}
