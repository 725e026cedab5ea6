//! Names of nodes, hosts and links in a lab, and what they stand for.

use std::collections::{HashMap, HashSet};
use ww_config::mistakes::{Mistakes, Place, did_you_mean};
use ww_config::tree::{Kind, Value};
use ww_sim::network::{End, Link, LinkId, Network, NodeId, NodeKind};
use ww_tpp_apps::application::HostNames;

/// Finds nodes and links by their names, and says what is not there.
pub(super) struct Names<'n> {
    pub network: &'n Network,
    pub mistakes: &'n Mistakes,
    nodes: HashMap<&'n str, NodeId>,
    links: HashMap<[NodeId; 2], Vec<LinkId>>,
    known: Known,
}

/// What is known of a network that may have mistakes: what is not known is not told to be missing.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Some nodes have no name.
    pub nodes_missing: bool,
    /// Some links could not be made.
    pub links_missing: bool,
    /// Nodes whose kind is not known.
    pub vague: HashSet<NodeId>,
}

impl HostNames for Names<'_> {
    fn host(&self, value: &Value) -> Option<NodeId> {
        Names::host(self, value)
    }

    fn hosts(&self, value: &Value) -> Option<Vec<NodeId>> {
        Names::hosts(self, value)
    }
}

impl<'n> Names<'n> {
    pub fn new(network: &'n Network, mistakes: &'n Mistakes, known: Known) -> Self {
        let nodes = (0..).zip(&network.nodes).map(|(id, node)| (node.name.as_str(), id)).collect();
        let mut links: HashMap<[NodeId; 2], Vec<LinkId>> = HashMap::new();
        for (id, link) in (0..).zip(&network.links) {
            let mut ends = link.ends.map(|end| end.node);
            ends.sort_unstable();
            links.entry(ends).or_default().push(id);
        }
        Self { network, mistakes, nodes, links, known }
    }

    fn unknown(&self, place: &Place, what: &str, name: &str, known: &[&str]) {
        if self.known.nodes_missing {
            return;
        }
        let advice = did_you_mean(name, known.iter().copied()).or_else(|| listed(known));
        self.mistakes.advise(place, format!("there is no {what} '{name}'"), advice);
    }

    fn all(&self) -> Vec<&'n str> {
        self.network.nodes.iter().map(|node| node.name.as_str()).collect()
    }

    fn is_host(&self, id: NodeId) -> bool {
        matches!(self.network.nodes[id as usize].kind, NodeKind::Host(_))
    }

    /// Whether a node is called that.
    pub fn is_node(&self, name: &str) -> bool {
        self.nodes.contains_key(name)
    }

    fn host_names(&self) -> Vec<&'n str> {
        self.network.hosts().map(|(id, _)| self.network.nodes[id as usize].name.as_str()).collect()
    }

    /// The node that a value names.
    pub fn node(&self, value: &Value) -> Option<NodeId> {
        let Some(name) = value.text() else {
            let found = value.described();
            self.mistakes.add(&value.place, format!("expected the name of a node, found {found}"));
            return None;
        };
        let id = self.nodes.get(name).copied();
        if id.is_none() {
            self.unknown(&value.place, "node", name, &self.all());
        }
        id
    }

    /// The host that a value names.
    pub fn host(&self, value: &Value) -> Option<NodeId> {
        let Some(name) = value.text() else {
            let found = value.described();
            self.mistakes.add(&value.place, format!("expected the name of a host, found {found}"));
            return None;
        };
        match self.nodes.get(name).copied() {
            Some(id) if self.is_host(id) => Some(id),
            Some(id) if self.known.vague.contains(&id) => None,
            Some(_) => {
                self.mistakes.add(&value.place, format!("'{name}' is a switch; expected a host"));
                None
            }
            None => {
                self.unknown(&value.place, "host", name, &self.host_names());
                None
            }
        }
    }

    /// The hosts that names, patterns (`h*`) and ranges (`h0..h7`) stand for, each once, in the order of nodes.
    /// `None` has been told.
    pub fn hosts(&self, value: &Value) -> Option<Vec<NodeId>> {
        let mut chosen = vec![false; self.network.nodes.len()];
        let mut good = true;
        for item in value.listed() {
            match item.text() {
                Some(text) if is_pattern(text) => {
                    let fits = |id: &NodeId| matches(text, &self.network.nodes[*id as usize].name);
                    let mut found = self.network.hosts().map(|(id, _)| id).filter(fits).peekable();
                    if found.peek().is_none() {
                        good = false;
                        self.unknown(&item.place, "host that fits", text, &self.host_names());
                    }
                    found.for_each(|id| chosen[id as usize] = true);
                }
                _ => match self.host(item) {
                    Some(id) => chosen[id as usize] = true,
                    None => good = false,
                },
            }
        }
        let list: Vec<NodeId> =
            (0..).zip(&chosen).filter(|(_, yes)| **yes).map(|(id, _)| id).collect();
        if good && list.is_empty() {
            self.mistakes.add(&value.place, "expected the names of hosts, found none");
        }
        (good && !list.is_empty()).then_some(list)
    }

    /// The link that `a-b` names; with ports (`a:1-b:2`) where two nodes have several.
    pub fn link(&self, value: &Value) -> Option<LinkId> {
        self.connection(value, "-", "s0-s1").map(|(link, _)| link)
    }

    /// The direction that `a->b` names: twice the link's number, and one more for the way back.
    pub fn direction(&self, value: &Value) -> Option<u32> {
        let (link, reverse) = self.connection(value, "->", "s0->s1")?;
        Some(2 * link + u32::from(reverse))
    }

    fn connection(&self, value: &Value, between: &str, example: &str) -> Option<(LinkId, bool)> {
        let parts = value.text().and_then(|text| text.split_once(between));
        let Some((from, to)) = parts.map(|(from, to)| (from.trim(), to.trim())) else {
            let found = value.described();
            let message =
                format!("expected the two ends of a link such as \"{example}\", found {found}");
            self.mistakes.add(&value.place, message);
            return None;
        };
        let ends = [from, to].map(|end| {
            let (name, port) = split_port(end);
            let id = self.nodes.get(name).copied();
            if id.is_none() {
                self.unknown(&value.place, "node", name, &self.all());
            }
            id.map(|id| (id, port))
        });
        let [Some(from_end), Some(to_end)] = ends else { return None };
        let mut key = [from_end.0, to_end.0];
        key.sort_unstable();
        let fits = |end: End, (node, port): (NodeId, Option<u32>)| {
            end.node == node && port.is_none_or(|port| port == end.port)
        };
        let mut found = Vec::new();
        for id in self.links.get(&key).into_iter().flatten() {
            let [first, second] = self.network.links[*id as usize].ends;
            if fits(first, from_end) && fits(second, to_end) {
                found.push((*id, false));
            } else if fits(second, from_end) && fits(first, to_end) {
                found.push((*id, true));
            }
        }
        match found[..] {
            [one] => Some(one),
            [] => {
                if !self.known.links_missing {
                    self.mistakes.advise(
                        &value.place,
                        format!("there is no link between '{from}' and '{to}'"),
                        self.neighbours(from_end.0),
                    );
                }
                None
            }
            _ => {
                let count = found.len();
                let message = format!("'{from}' and '{to}' have {count} links");
                let [first, second] = self.network.links[found[0].0 as usize].ends;
                let name = |end: End| {
                    format!("{}:{}", self.network.nodes[end.node as usize].name, end.port)
                };
                let advice =
                    format!("name ports, such as \"{}{between}{}\"", name(first), name(second));
                self.mistakes.advise(&value.place, message, Some(advice));
                None
            }
        }
    }

    fn neighbours(&self, node: NodeId) -> Option<String> {
        let others =
            self.network.links.iter().filter_map(|link| match link.ends.map(|end| end.node) {
                [a, b] if a == node => Some(b),
                [a, b] if b == node => Some(a),
                _ => None,
            });
        let names: Vec<&str> =
            others.map(|id| self.network.nodes[id as usize].name.as_str()).collect();
        let name = &self.network.nodes[node as usize].name;
        listed(&names).map(|text| format!("at '{name}' {text}"))
    }

    /// Directions: `"all"`, or a list of names.
    pub fn directions(&self, value: &Value) -> Vec<u32> {
        if value.text() == Some("all") {
            return (0..2 * self.network.links.len() as u32).collect();
        }
        let mut list: Vec<u32> =
            value.listed().iter().filter_map(|item| self.direction(item)).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Both directions of links (`a-b`), or single ones (`a->b`).
    pub fn captures(&self, value: &Value) -> Vec<u32> {
        let mut list = Vec::new();
        for item in value.listed() {
            match &item.kind {
                Kind::Text(text) if !text.contains("->") => {
                    list.extend(
                        self.link(item).into_iter().flat_map(|link| [2 * link, 2 * link + 1]),
                    );
                }
                _ => list.extend(self.direction(item)),
            }
        }
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// "there are ...", with some of the words.
pub(super) fn listed(known: &[&str]) -> Option<String> {
    let some = known[..known.len().min(8)].join(", ");
    match known.len() {
        0 => None,
        1 => Some(format!("there is {some}")),
        2..=8 => Some(format!("there are {some}")),
        _ => Some(format!("there are {some}, ...")),
    }
}

/// Names of all directions, in their order.
pub(super) fn directions(network: &Network) -> Vec<String> {
    let key = |link: &Link| {
        let mut ends = link.ends.map(|end| end.node);
        ends.sort_unstable();
        ends
    };
    let mut counts: HashMap<[NodeId; 2], u32> = HashMap::new();
    for link in &network.links {
        *counts.entry(key(link)).or_default() += 1;
    }
    let mut names = Vec::new();
    for (id, link) in (0..).zip(&network.links) {
        let with_port =
            |end: End| format!("{}:{}", network.nodes[end.node as usize].name, end.port);
        let [from, to] = link.ends.map(with_port);
        match counts[&key(link)] > 1 {
            true => names.extend([format!("{from}->{to}"), format!("{to}->{from}")]),
            false => names.extend([false, true].map(|reverse| network.direction_name(id, reverse))),
        }
    }
    names
}

/// `s1:2` as name and port.
pub(super) fn split_port(end: &str) -> (&str, Option<u32>) {
    match end.split_once(':') {
        Some((name, port)) => (name, port.parse().ok().or(Some(u32::MAX))),
        None => (end, None),
    }
}

/// Whether a text stands for several names.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains('*') || text.contains("..")
}

/// Whether a name fits a pattern with `*` for any letters, or a range `h0..h7`.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    if let Some((from, to)) = pattern.split_once("..") {
        let split = |text: &str| {
            let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            let (stem, number) = text.split_at(text.len() - digits);
            number.parse::<u64>().ok().map(|number| (stem.to_owned(), number))
        };
        return match (split(from), split(to), split(name)) {
            (Some((stem, from)), Some((other, to)), Some((named, number))) => {
                stem == other && stem == named && (from..=to).contains(&number)
            }
            _ => false,
        };
    }
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name) in [
            ("h*", "h12"),
            ("*", "x"),
            ("h1", "h1"),
            ("l*f*3", "leaf13"),
            ("h0..h7", "h7"),
            ("s0.0..s0.3", "s0.2"),
        ] {
            assert!(is_pattern(pattern) || pattern == name);
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("h*", "s1"),
            ("h1", "h12"),
            ("h0..h7", "h8"),
            ("h0..h7", "s3"),
            ("a*b*c", "acb"),
            ("h0..", "h0"),
            ("*a", "b"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
