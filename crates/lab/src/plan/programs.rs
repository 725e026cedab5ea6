//! Programs of nodes with their entries, and scheduling policies.

use super::nodes::{Entries, Extras};
use super::{Folder, Origin, Program, Section};
use std::collections::BTreeMap;
use ww_config::mistakes::{Mistakes, Place};
use ww_runtime::switch::policy_compiler;
use ww_sched::policy_file;
use ww_sim::network::{Network, NodeId, NodeKind};
use ww_sim::routing::Routes;

/// Fields of a command for each route.
const FIELDS: [&str; 7] = ["ip", "mac", "port", "host", "next_mac", "own", "number"];
/// What they might be.
const SAMPLE: [&str; 7] =
    ["10.0.0.1", "02:00:0a:00:00:01", "0", "h0", "02:00:0a:00:00:01", "02:00:00:00:00:fe", "0"];

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
            let tell = |message| mistakes.add(&place, message);
            scheduler(&file, folder).map_err(|all| all.into_iter().for_each(tell)).ok()
        });
        if let Some(plan) = plan {
            plans.insert(node, plan.clone());
        }
    }
    plans
}

fn scheduler(file: &str, folder: &Folder<'_>) -> Result<policy_file::Plan, Vec<String>> {
    let read = || Ok((folder.path(file)?, folder.text(file)?));
    let (path, text) = read().map_err(|error| vec![error])?;
    let beside = path.parent().unwrap_or(&path);
    let name = format!("'{}'", path.display());
    policy_file::Plan::parse_in(&name, &text, beside, &policy_compiler())
        .map_err(|report| report.mistakes.iter().map(ToString::to_string).collect())
}

/// Programs with all their entries. Where not all of the network is known, each command for a route is there once, with values that
/// it might have: they show whether it is right.
pub(super) fn programs(
    network: &Network,
    extras: Extras,
    is_whole: bool,
    schedulers: &BTreeMap<NodeId, policy_file::Plan>,
    folder: &Folder<'_>,
    mistakes: &Mistakes,
) -> Vec<Program> {
    let mut programs = Vec::new();
    let mut routes = None;
    for (node, settings) in extras.programs {
        let name = network.nodes[node as usize].name.clone();
        if settings.program.is_none() && !settings.has_slip {
            let advice = Some("such as program = \"router.p4\"".to_owned());
            mistakes.advise(
                &settings.place,
                format!("'{name}' is a program: it needs 'program'"),
                advice,
            );
        }
        let program = settings.program.and_then(|(file, place)| {
            let path = folder.path(&file).map_err(|error| mistakes.add(&place, error));
            path.ok().map(|path| (path, place))
        });
        let mut entries_name = format!("entries of '{name}'");
        let mut commands = Commands::default();
        match settings.entries {
            Entries::None => {}
            Entries::Lines(lines) => {
                lines
                    .into_iter()
                    .for_each(|(line, place)| commands.add(&line, Origin::Line(place)));
            }
            Entries::File(file, place) => {
                entries_name.clone_from(&file);
                let text = folder.path(&file).and_then(|path| Ok((folder.text(&file)?, path)));
                match text {
                    Ok((text, path)) => commands.add(&text, Origin::File(path)),
                    Err(error) => mistakes.add(&place, error),
                }
            }
        }
        for (template, place) in &settings.routes {
            if !check(template, place, mistakes) {
                continue;
            }
            if !is_whole {
                let line = filled(template, &SAMPLE.map(str::to_owned));
                commands.add(&line, Origin::Route(place.clone(), String::new()));
                continue;
            }
            let routes = routes.get_or_insert_with(|| Routes::shortest(network, |_| true));
            expand((template, place), node, network, routes, &extras.macs, &mut commands);
        }
        let rates = rates(network, node);
        let scheduler = schedulers.get(&node).cloned();
        if let Some((file, place)) = program {
            let engine = settings.engine;
            programs.push(Program {
                node,
                name,
                file,
                place,
                entries: commands.text,
                sections: commands.sections,
                entries_name,
                engine,
                scheduler,
                rates,
                tcpu: None,
            });
        }
    }
    programs
}

/// Commands, and where they come from.
#[derive(Default)]
struct Commands {
    text: String,
    sections: Vec<Section>,
}

impl Commands {
    fn add(&mut self, text: &str, origin: Origin) {
        self.sections.push(Section { start: self.text.len(), origin });
        self.text.push_str(text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push('\n');
        }
    }
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
            let advice = ww_config::mistakes::did_you_mean(field, FIELDS)
                .or_else(|| Some(format!("there are {{{}}}", FIELDS.join("}, {"))));
            mistakes.advise(place, format!("unknown field '{{{field}}}' in {template:?}"), advice);
            good = false;
        }
    }
    good
}

/// A template with these values of the fields.
fn filled(template: &str, values: &[String; 7]) -> String {
    let fields = FIELDS.iter().zip(values);
    fields.fold(template.to_owned(), |line, (field, value)| {
        line.replace(&format!("{{{field}}}"), value)
    })
}

/// A line for each host that can be reached. Of several shortest paths a host's number chooses one.
fn expand(
    (template, place): (&str, &Place),
    node: NodeId,
    network: &Network,
    routes: &Routes,
    macs: &BTreeMap<NodeId, [u8; 6]>,
    commands: &mut Commands,
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
        let host = network.nodes[id as usize].name.clone();
        commands.add(&filled(template, &values), Origin::Route(place.clone(), host));
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
