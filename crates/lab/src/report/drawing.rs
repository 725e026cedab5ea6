//! A topology as SVG: hosts below, switches above them by their distance from hosts; switches in a circle where they
//! form rings.

use crate::plan::Plan;
use std::collections::{BTreeMap, VecDeque};
use std::f64::consts::TAU;
use std::fmt::Write;
use ww_plot::escaped;
use ww_sim::network::{Direction, Network, NodeId, NodeKind};

/// More hosts than this are drawn as one box for each switch.
const HOSTS: usize = 48;
/// Larger networks are not drawn.
const SWITCHES: usize = 400;

/// Width of the drawing in pixels, and the distance of rows.
const WIDTH: f64 = 960.0;
const ROW: f64 = 110.0;

/// The drawing; `None` for networks that are too large to show anything.
pub fn topology(plan: &Plan) -> Option<String> {
    let network = &plan.network;
    let hosts = network.hosts().count();
    if network.nodes.len() - hosts > SWITCHES || network.nodes.is_empty() {
        return None;
    }
    let single = hosts <= HOSTS;
    let neighbours = neighbours(network);
    let levels = levels(network, &neighbours);
    let (mut places, height) = match is_ring(network, &levels) {
        true => circle(network),
        false => rows(network, &neighbours, &levels),
    };
    if !single {
        places.retain(|id, _| !is_host(network, *id));
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\" fill=\"currentColor\" stroke=\"currentColor\">\n"
    );
    for (number, link) in network.links.iter().enumerate() {
        let ends = link.ends.map(|end| places.get(&end.node));
        let [Some((x1, y1)), Some((x2, y2))] = ends else { continue };
        let dash = if link.up { "" } else { " stroke-dasharray=\"4 4\"" };
        let _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke-width=\"1.2\" opacity=\"0.6\"{dash}><title>{}</title></line>",
            escaped(&line_title(plan, number))
        );
    }
    let counts = hosts_of(network, &neighbours);
    for (id, (x, y)) in &places {
        let below = counts.get(id).copied().filter(|_| !single);
        svg.push_str(&shape(plan, *id, *x, *y, below));
    }
    svg.push_str("</svg>");
    Some(svg)
}

fn is_host(network: &Network, id: NodeId) -> bool {
    matches!(network.nodes[id as usize].kind, NodeKind::Host(_))
}

fn neighbours(network: &Network) -> Vec<Vec<NodeId>> {
    let mut list = vec![Vec::new(); network.nodes.len()];
    for link in &network.links {
        let [a, b] = link.ends.map(|end| end.node);
        list[a as usize].push(b);
        list[b as usize].push(a);
    }
    list
}

/// How far from hosts each node is; hosts are 0.
fn levels(network: &Network, neighbours: &[Vec<NodeId>]) -> Vec<usize> {
    let mut levels = vec![usize::MAX; network.nodes.len()];
    let mut queue: VecDeque<NodeId> = network.hosts().map(|(id, _)| id).collect();
    queue.iter().for_each(|id| levels[*id as usize] = 0);
    while let Some(at) = queue.pop_front() {
        for next in &neighbours[at as usize] {
            if levels[*next as usize] == usize::MAX {
                levels[*next as usize] = levels[at as usize] + 1;
                queue.push_back(*next);
            }
        }
    }
    // Without hosts, or beyond reach.
    levels.iter_mut().filter(|level| **level == usize::MAX).for_each(|level| *level = 1);
    levels
}

/// Whether switches of one level have at least as many links among each other as there are switches.
fn is_ring(network: &Network, levels: &[usize]) -> bool {
    let switches = levels.iter().filter(|level| **level > 0).count();
    let same = network.links.iter().filter(|link| {
        let [a, b] = link.ends.map(|end| levels[end.node as usize]);
        a == b && a > 0
    });
    switches > 2 && same.count() >= switches
}

type Places = BTreeMap<NodeId, (f64, f64)>;

fn rows(network: &Network, neighbours: &[Vec<NodeId>], levels: &[usize]) -> (Places, f64) {
    let top = levels.iter().copied().max().unwrap_or(0);
    let height = (top + 1) as f64 * ROW;
    let mut places = Places::new();
    let y = |level: usize| height - (level as f64 + 0.5) * ROW;
    // Hosts in the order of their switches, so that few lines cross.
    let mut order: Vec<NodeId> = Vec::new();
    let switches: Vec<NodeId> =
        (0..network.nodes.len() as NodeId).filter(|id| levels[*id as usize] == 1).collect();
    for switch in &switches {
        let below = neighbours[*switch as usize].iter().filter(|id| levels[**id as usize] == 0);
        order.extend(below);
    }
    let direct = (0..network.nodes.len() as NodeId).filter(|id| levels[*id as usize] == 0);
    for id in direct {
        if !order.contains(&id) {
            order.push(id);
        }
    }
    order.dedup();
    for level in 0..=top {
        let nodes: Vec<NodeId> = match level {
            0 => order.clone(),
            _ => (0..network.nodes.len() as NodeId)
                .filter(|id| levels[*id as usize] == level)
                .collect(),
        };
        let count = nodes.len() as f64;
        for (place, id) in nodes.into_iter().enumerate() {
            places.insert(id, ((place as f64 + 0.5) * WIDTH / count, y(level)));
        }
    }
    (places, height)
}

fn circle(network: &Network) -> (Places, f64) {
    let height = 640.0;
    let (centre, wide) = ((WIDTH / 2.0, height / 2.0), 200.0);
    let switches: Vec<NodeId> =
        (0..network.nodes.len() as NodeId).filter(|id| !is_host(network, *id)).collect();
    let mut places = Places::new();
    let at = |angle: f64, radius: f64| {
        (centre.0 + radius * libm::sin(angle), centre.1 - radius * libm::cos(angle))
    };
    let mut angles = BTreeMap::new();
    for (number, id) in switches.iter().enumerate() {
        let angle = TAU * number as f64 / switches.len() as f64;
        angles.insert(*id, angle);
        places.insert(*id, at(angle, wide));
    }
    let step = TAU / switches.len() as f64;
    let mut hosts: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for link in &network.links {
        let [a, b] = link.ends.map(|end| end.node);
        match (is_host(network, a), is_host(network, b)) {
            (true, false) => hosts.entry(b).or_default().push(a),
            (false, true) => hosts.entry(a).or_default().push(b),
            _ => {}
        }
    }
    for (switch, list) in hosts {
        for (number, host) in list.iter().enumerate() {
            let offset = (number as f64 + 0.5) / list.len() as f64 - 0.5;
            places.insert(*host, at(angles[&switch] + offset * step * 0.8, wide + 80.0));
        }
    }
    (places, height)
}

/// How many hosts each switch has.
fn hosts_of(network: &Network, neighbours: &[Vec<NodeId>]) -> BTreeMap<NodeId, usize> {
    let count =
        |id: NodeId| neighbours[id as usize].iter().filter(|next| is_host(network, **next)).count();
    (0..network.nodes.len() as NodeId)
        .filter(|id| !is_host(network, *id))
        .map(|id| (id, count(id)))
        .filter(|(_, count)| *count > 0)
        .collect()
}

fn shape(plan: &Plan, id: NodeId, x: f64, y: f64, below: Option<usize>) -> String {
    let node = &plan.network.nodes[id as usize];
    let name = escaped(&node.name);
    let title = match &node.kind {
        NodeKind::Host(host) => format!("{}: host, {}", node.name, host.ip),
        NodeKind::Switch(_) => match plan.schedulers.contains_key(&id) {
            true => format!("{}: switch with a scheduler", node.name),
            false => format!("{}: switch", node.name),
        },
        NodeKind::Program => {
            let program = plan.programs.iter().find(|program| program.node == id);
            let file =
                program.map(|program| program.file.display().to_string()).unwrap_or_default();
            format!("{}: program {file}", node.name)
        }
    };
    let title = escaped(&title);
    let (colour, wide) = match node.kind {
        NodeKind::Host(_) => ("#56b4e9", 0.0),
        NodeKind::Switch(_) => ("#999999", 1.0),
        NodeKind::Program => ("#e69f00", 1.0),
    };
    let body = match wide > 0.0 {
        false => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"{colour}\"/>"),
        true => {
            let (left, top) = (x - 26.0, y - 12.0);
            format!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"52\" height=\"24\" rx=\"5\" fill=\"{colour}\"/>"
            )
        }
    };
    let (label_y, label) = match below {
        Some(count) => (y + 28.0, format!("{name}, {count} hosts")),
        None if wide > 0.0 => (y + 4.0, name.clone()),
        None => (y + 24.0, name.clone()),
    };
    let dark = if wide > 0.0 && below.is_none() { " fill=\"#111\"" } else { "" };
    format!(
        "<g><title>{title}</title>{body}<text x=\"{x:.1}\" y=\"{label_y:.1}\" text-anchor=\"middle\" stroke=\"none\"{dark}>{label}</text></g>\n"
    )
}

fn line_title(plan: &Plan, number: usize) -> String {
    let link = &plan.network.links[number];
    let words = |direction: &Direction| {
        let mut text = format!(
            "{} Gb/s, {} us, queue {} bytes",
            direction.rate as f64 / 1e9,
            direction.delay as f64 / 1e6,
            direction.limits.bytes
        );
        if let Some(mark) = direction.limits.mark {
            let _ = write!(text, ", marks from {mark} bytes");
        }
        if direction.loss > 0.0 {
            let _ = write!(text, ", loses {} %", direction.loss * 100.0);
        }
        text
    };
    let name = &plan.directions[2 * number];
    match link.directions[0] == link.directions[1] {
        true => format!("{name} and back: {}", words(&link.directions[0])),
        false => {
            format!("{name}: {}; back: {}", words(&link.directions[0]), words(&link.directions[1]))
        }
    }
}
