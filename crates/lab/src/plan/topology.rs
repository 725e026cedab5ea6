//! `[topology]`: networks of regular shapes.

use super::fabric::{self, Circuits};
use super::lines::{LineSettings, UNKNOWN_DELAY, unknown_line};
use ww_config::quantity::Span;
use ww_config::reader::Reader;
use ww_sim::network::{Direction, Network, NodeId, Switch};
use ww_sim::topology::{
    Clos, clos, dumbbell, fat_tree, leaf_spine, parking_lot, ring, star, torus,
};

/// Nodes times hosts of a network: the number of entries, of 8 bytes each, of a table of routes.
pub const MAX_ROUTES: u64 = 1 << 25;

#[derive(Clone, Copy)]
enum Shape {
    Star,
    Dumbbell,
    ParkingLot,
    LeafSpine,
    Clos,
    FatTree,
    Ring,
    Torus,
}

const SHAPES: [(&str, Shape); 8] = [
    ("star", Shape::Star),
    ("dumbbell", Shape::Dumbbell),
    ("parking-lot", Shape::ParkingLot),
    ("leaf-spine", Shape::LeafSpine),
    ("clos", Shape::Clos),
    ("fat-tree", Shape::FatTree),
    ("ring", Shape::Ring),
    ("torus", Shape::Torus),
];

/// Links of a network.
const MAX_LINKS: u64 = 1 << 20;

/// The most of one thing: more are refused for their sum anyway.
const MOST: u32 = 1 << 16;

/// The keys with numbers of nodes.
const SIZES: [&str; 8] =
    ["hosts", "left", "right", "links", "leaves", "spines", "switches", "ports"];

/// The switch of a star: its first node.
pub(super) const MIDDLE: NodeId = 0;

/// A network of a regular shape.
pub(super) struct Generated {
    /// Nodes and links.
    pub network: Network,
    /// What a star may have in the place of its switch, [`MIDDLE`].
    pub circuits: Option<Circuits>,
}

/// The network of the table. `None` if its shape has mistakes. Mistakes in its links and switches
/// are noted, too, but these are there all the same.
pub(super) fn network(reader: Reader<'_>) -> Option<Generated> {
    let shape = reader.needed_choice("kind", &SHAPES);
    let switch = switch(&reader);
    let edge = line(&reader, "edge");
    let Some(shape) = shape else {
        // Which keys belong here is not known; what is wrong with these would be so anyway.
        if reader.value("core").is_some() {
            line(&reader, "core");
        }
        for key in SIZES {
            reader.within(key, 1..=MOST);
        }
        reader.value("k");
        reader.value("sizes");
        reader.finish();
        return None;
    };
    let core = match shape {
        Shape::Star => edge,
        _ => line(&reader, "core"),
    };
    let before = reader.mistakes().told();
    let count =
        |key, least, example| reader.needed_within(key, least..=MOST, example).unwrap_or(least);
    let place = reader.place();
    let large = |hosts: u64, switches: u64| {
        let nodes = hosts.saturating_add(switches);
        if hosts.saturating_mul(nodes) > MAX_ROUTES || nodes > MAX_ROUTES {
            let message = format!(
                "{hosts} hosts and {switches} switches are too many: hosts times nodes must not exceed {MAX_ROUTES}"
            );
            reader.mistakes().add(place, message);
        }
    };
    // The sizes are all read before anything is built, so that the keys are known.
    type Build = Box<dyn FnOnce(Direction, Direction) -> Network>;
    let (hosts, switches, build): (u64, u64, Build) = match shape {
        Shape::Star => {
            let hosts = count("hosts", 1, "8");
            (u64::from(hosts), 1, Box::new(move |edge, _| star(hosts, switch, edge)))
        }
        Shape::Dumbbell => {
            let (left, right) = (count("left", 1, "2"), count("right", 1, "2"));
            let hosts = u64::from(left) + u64::from(right);
            (hosts, 2, Box::new(move |edge, core| dumbbell(left, right, switch, edge, core)))
        }
        Shape::ParkingLot => {
            let (links, hosts) =
                (count("links", 1, "3"), reader.within("hosts", 1..=MOST).unwrap_or(1));
            let row = u64::from(links) + 1;
            let build = move |edge, core| parking_lot(links, hosts, switch, edge, core);
            (row * u64::from(hosts), row, Box::new(build))
        }
        Shape::LeafSpine => {
            let (leaves, spines) = (count("leaves", 1, "4"), count("spines", 1, "2"));
            let hosts = count("hosts", 1, "4");
            let build = move |edge, core| leaf_spine((leaves, spines, hosts), switch, edge, core);
            let switches = u64::from(leaves) + u64::from(spines);
            // Each leaf has a link to each spine.
            let links = u64::from(leaves) * u64::from(spines);
            if links > MAX_LINKS {
                let message = format!("{links} links are too many: there may be {MAX_LINKS}");
                reader.mistakes().add(place, message);
            }
            (u64::from(leaves) * u64::from(hosts), switches, Box::new(build))
        }
        Shape::Clos => {
            let shape = Clos {
                ports: count("ports", 2, "8"),
                leaves: count("leaves", 1, "8"),
                hosts: count("hosts", 1, "4"),
            };
            let spines = spines(&reader, shape, reader.mistakes().told() == before);
            let hosts = u64::from(shape.leaves) * u64::from(shape.hosts);
            // Only a shape that `spines` has accepted is built.
            let build = move |edge, core| clos(shape, switch, edge, core).unwrap_or_default();
            (hosts, u64::from(shape.leaves) + u64::from(spines), Box::new(build))
        }
        Shape::FatTree => {
            let k = reader.needed_within("k", 2..=256, "4").unwrap_or(2);
            if k % 2 == 1
                && let Some(value) = reader.value("k")
            {
                let message = format!("'k': expected an even number of ports, found {k}");
                reader.mistakes().add(&value.place, message);
            }
            let wide = u64::from(k);
            let build = move |edge, core| fat_tree(k, switch, edge, core);
            (wide * wide * wide / 4, wide * wide * 5 / 4, Box::new(build))
        }
        Shape::Ring => {
            let (switches, hosts) =
                (count("switches", 2, "4"), reader.within("hosts", 1..=MOST).unwrap_or(1));
            let build = move |edge, core| ring(switches, hosts, switch, edge, core);
            (u64::from(switches) * u64::from(hosts), switches.into(), Box::new(build))
        }
        Shape::Torus => {
            let sizes = torus_sizes(&reader).unwrap_or_default();
            let hosts = reader.within("hosts", 1..=MOST).unwrap_or(1);
            let switches =
                sizes.iter().fold(1u64, |product, size| product.saturating_mul((*size).into()));
            let build = move |edge, core| torus(&sizes, hosts, switch, edge, core);
            (switches.saturating_mul(hosts.into()), switches, Box::new(build))
        }
    };
    large(hosts, switches);
    let circuits = circuits(&reader, shape, hosts);
    let mut sizes = SIZES.into_iter().chain(["k", "sizes"]).filter(|key| reader.knows(key));
    let is_slip = sizes.any(|key| reader.has_slip_of(key));
    let is_known = reader.mistakes().told() == before && !is_slip;
    reader.finish();
    is_known.then(|| Generated { network: build(edge, core), circuits })
}

/// The spines of a folded Clos network. Mistakes are noted, but nothing about numbers that are not all there.
fn spines(reader: &Reader<'_>, shape: Clos, is_read: bool) -> u32 {
    let Clos { ports, leaves, hosts } = shape;
    if !is_read {
        return 0;
    }
    let Some(up) = ports.checked_sub(hosts).filter(|up| *up > 0) else {
        let message = format!(
            "a leaf of {ports} ports with {hosts} hosts has no port for a spine: take fewer 'hosts' or more 'ports'"
        );
        reader.wrong("hosts", &message);
        return 0;
    };
    let links = u64::from(leaves) * u64::from(up);
    if links > MAX_LINKS {
        let message = format!("{links} links are too many: there may be {MAX_LINKS}");
        reader.mistakes().add(reader.place(), message);
        return 0;
    }
    let Some((spines, _)) = shape.spines() else {
        let least = links.div_ceil(ports.into());
        let message = format!(
            "{leaves} leaves with {up} uplinks each need {least} spines of {ports} ports, and {up} uplinks do not divide \
             evenly among {least}: {}",
            even(shape)
        );
        reader.wrong("leaves", &message);
        return 0;
    };
    spines
}

/// Which numbers of leaves next to that of a shape have spines: advice.
fn even(shape: Clos) -> String {
    let is_even = |leaves: &u32| Clos { leaves: *leaves, ..shape }.spines().is_some();
    let below = (1..shape.leaves).rev().find(is_even);
    let above = (shape.leaves + 1..=shape.ports).find(is_even);
    let leaves: Vec<String> = [below, above].into_iter().flatten().map(|n| n.to_string()).collect();
    match leaves.is_empty() {
        true => "take other 'ports' or 'hosts'".to_owned(),
        false => format!("take {} leaves", leaves.join(" or ")),
    }
}

/// `fabric`, which only a star has.
fn circuits(reader: &Reader<'_>, shape: Shape, hosts: u64) -> Option<Circuits> {
    let inner = reader.inner("fabric")?;
    let wrong = |message: &str| {
        reader.wrong("fabric", message);
        inner.skip_rest();
        None
    };
    match (shape, u32::try_from(hosts)) {
        (Shape::Star, Ok(_)) if reader.has("switch") => {
            wrong("'fabric' takes the place of the star's switch: leave out 'switch'")
        }
        (Shape::Star, Ok(hosts)) => fabric::circuits(inner, hosts),
        _ => wrong("'fabric' takes the place of a star's switch: say kind = \"star\""),
    }
}

/// The properties of links. Mistakes are noted.
fn line(reader: &Reader<'_>, key: &'static str) -> Direction {
    match reader.inner(key) {
        Some(inner) => {
            let line = LineSettings::read(&inner).line(&inner);
            inner.finish();
            line
        }
        None => {
            if reader.value(key).is_none() {
                reader.missing(key, "{ rate = \"10 Gb/s\", delay = \"1 us\" }");
            }
            Direction { delay: UNKNOWN_DELAY, ..unknown_line() }
        }
    }
}

fn switch(reader: &Reader<'_>) -> Switch {
    let Some(inner) = reader.inner("switch") else { return Switch::default() };
    let routes = inner.get_or("routes", false);
    let latency = inner.get_or("latency", Span(0)).0;
    inner.finish();
    Switch { routes, latency }
}

fn torus_sizes(reader: &Reader<'_>) -> Option<Vec<u32>> {
    let value = reader.needed_value("sizes", "[4, 4]")?;
    let sizes: Vec<Option<u32>> =
        value.listed().iter().map(|item| reader.read::<u32>("sizes", item)).collect();
    let sizes = sizes.into_iter().collect::<Option<Vec<u32>>>()?;
    if sizes.is_empty() || sizes.len() > 8 || sizes.contains(&0) {
        let message = "'sizes': expected 1 to 8 numbers, each 1 or more, such as [4, 4]";
        reader.mistakes().add(&value.place, message);
        return None;
    }
    Some(sizes)
}
