//! Programs of nodes with their entries, and scheduling policies.

use super::nodes::{Entries, Extras};
use super::{Folder, Program};
use crate::file::mistakes::{Mistakes, Place};
use std::collections::BTreeMap;
use ww_sched::policy_file;
use ww_sim::network::{Network, NodeId, NodeKind};
use ww_sim::routing::Routes;

/// Fields of a command for each route.
const FIELDS: [&str; 7] = ["ip", "mac", "port", "host", "next_mac", "own", "number"];

/// Policies of switches and programs, checked.
pub(super) fn schedulers(
    extras: &mut Extras,
    folder: &Folder<'_>,
    mistakes: &Mistakes,
) -> BTreeMap<NodeId, policy_file::Plan> {
    let mut read: BTreeMap<String, Option<policy_file::Plan>> = BTreeMap::new();
    let mut plans = BTreeMap::new();
    for (node, (file, place)) in std::mem::take(&mut extras.schedulers) {
        let plan = read.entry(file.clone()).or_insert_with(|| {
            scheduler(&file, folder).map_err(|error| mistakes.add(&place, error)).ok()
        });
        if let Some(plan) = plan {
            plans.insert(node, plan.clone());
        }
    }
    plans
}

fn scheduler(file: &str, folder: &Folder<'_>) -> Result<policy_file::Plan, String> {
    let path = folder.path(file)?;
    let text = folder.text(file)?;
    let beside = path.parent().unwrap_or(&path);
    policy_file::Plan::parse_in(&text, beside)
        .map_err(|error| format!("'{}':{error}", path.display()))
}

/// Programs with all their entries.
pub(super) fn programs(
    network: &Network,
    extras: Extras,
    schedulers: &BTreeMap<NodeId, policy_file::Plan>,
    folder: &Folder<'_>,
    mistakes: &Mistakes,
) -> Vec<Program> {
    let mut programs = Vec::new();
    let mut routes = None;
    for (node, settings) in extras.programs {
        let name = network.nodes[node as usize].name.clone();
        let Some((file, place)) = settings.program else {
            let advice = Some("such as program = \"router.p4\"".to_owned());
            mistakes.advise(
                &settings.place,
                format!("'{name}' is a program: it needs 'program'"),
                advice,
            );
            continue;
        };
        let path = folder.path(&file).map_err(|error| mistakes.add(&place, error)).ok();
        let mut entries_name = format!("entries of '{name}'");
        let mut entries = match settings.entries {
            Entries::None => String::new(),
            Entries::Lines(lines) => lines.join("\n"),
            Entries::File(file, place) => {
                entries_name.clone_from(&file);
                let text = folder.text(&file);
                text.map_err(|error| mistakes.add(&place, error)).unwrap_or_default()
            }
        };
        if !entries.is_empty() && !entries.ends_with('\n') {
            entries.push('\n');
        }
        for (template, place) in &settings.routes {
            if !check(template, place, mistakes) {
                continue;
            }
            let routes = routes.get_or_insert_with(|| Routes::shortest(network, |_| true));
            expand(template, node, network, routes, &extras.macs, &mut entries);
        }
        let rates = rates(network, node);
        let scheduler = schedulers.get(&node).cloned();
        if let Some(file) = path {
            let engine = settings.engine;
            programs.push(Program {
                node,
                name,
                file,
                entries,
                entries_name,
                engine,
                scheduler,
                rates,
            });
        }
    }
    programs
}

/// Rates of a node's ports, bits a second.
pub fn rates(network: &Network, node: NodeId) -> BTreeMap<u32, u64> {
    let ends = network.links.iter().flat_map(|link| {
        [(link.ends[0], link.directions[0].rate), (link.ends[1], link.directions[1].rate)]
    });
    ends.filter(|(end, _)| end.node == node).map(|(end, rate)| (end.port, rate)).collect()
}

/// Whether all that stands in braces is known.
fn check(template: &str, place: &Place, mistakes: &Mistakes) -> bool {
    let mut good = true;
    for part in template.split('{').skip(1) {
        let known = part.split_once('}').is_some_and(|(field, _)| FIELDS.contains(&field));
        if !known {
            let field = part.split('}').next().unwrap_or_default();
            let advice = crate::file::mistakes::suggestion(field, FIELDS)
                .or_else(|| Some(format!("there are {{{}}}", FIELDS.join("}, {"))));
            mistakes.advise(place, format!("unknown field '{{{field}}}' in {template:?}"), advice);
            good = false;
        }
    }
    good
}

/// A line for each host that can be reached. Of several shortest paths a host's number chooses one.
fn expand(
    template: &str,
    node: NodeId,
    network: &Network,
    routes: &Routes,
    macs: &BTreeMap<NodeId, [u8; 6]>,
    text: &mut String,
) {
    for (number, (id, host)) in (0u32..).zip(network.hosts()) {
        let ports = routes.ports(node, number);
        let Some(port) = ports.get(number as usize % ports.len().max(1)).copied() else { continue };
        let next = next(network, node, port);
        let next_mac = match next.map(|next| &network.nodes[next as usize].kind) {
            Some(NodeKind::Program) => next.and_then(|next| macs.get(&next)).copied(),
            _ => None,
        };
        let values = [
            host.ip.to_string(),
            mac(host.mac),
            port.to_string(),
            network.nodes[id as usize].name.clone(),
            mac(next_mac.unwrap_or(host.mac)),
            mac(macs.get(&node).copied().unwrap_or_default()),
            number.to_string(),
        ];
        let mut line = template.to_owned();
        for (field, value) in FIELDS.iter().zip(values) {
            line = line.replace(&format!("{{{field}}}"), &value);
        }
        text.push_str(&line);
        text.push('\n');
    }
}

fn next(network: &Network, node: NodeId, port: u32) -> Option<NodeId> {
    network.links.iter().find_map(|link| {
        let [first, second] = link.ends;
        if (first.node, first.port) == (node, port) {
            Some(second.node)
        } else if (second.node, second.port) == (node, port) {
            Some(first.node)
        } else {
            None
        }
    })
}

fn mac(bytes: [u8; 6]) -> String {
    let words: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    words.join(":")
}
