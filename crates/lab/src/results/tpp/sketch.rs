//! Sketches of links as numbers, beside what the links have truly carried.

use crate::plan::Plan;
use crate::plan::tpp::{Kind, SKETCH_PORT, Sketch, Tpps};
use std::collections::{BTreeMap, HashSet};
use ww_host::agent::Report;
use ww_host::filter::Fields;
use ww_tpp::frame::strip;
use ww_tpp::packet::Tpp;
use ww_tpp_apps::sketch::agent::Element;
use ww_tpp_apps::sketch::{bitmap, hash};

/// What switches have sent on a direction of a link.
#[derive(Clone, Debug, Default)]
struct Direction {
    /// A sketch in the switch: a flag for each bit.
    flags: Vec<bool>,
    /// Elements of packets with a TPP.
    elements: HashSet<Fields>,
    /// Elements of all packets.
    all: HashSet<Fields>,
}

/// What links have truly carried, frame by frame.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The application's tag.
    pub app: u8,
    element: Element,
    bits: usize,
    directions: BTreeMap<u32, Direction>,
}

impl Carried {
    /// For each application with sketches: of all directions that leave a switch with TPPs.
    pub fn of_sketches(plan: &Plan) -> Vec<Self> {
        let Some(tpps) = &plan.tpps else { return Vec::new() };
        let ends = (0u32..).zip(plan.network.links.iter().flat_map(|link| link.ends));
        let from_switches = ends.filter(|(_, end)| tpps.switches.contains_key(&end.node));
        let directions: Vec<u32> = from_switches.map(|(direction, _)| direction).collect();
        let of = |sketch: &Sketch| {
            let empty = Direction { flags: vec![false; sketch.bits], ..Direction::default() };
            let directions = directions.iter().map(|at| (*at, empty.clone())).collect();
            Self { app: sketch.app, element: sketch.element, bits: sketch.bits, directions }
        };
        let kinds = tpps.applications.iter().map(|application| &application.kind);
        kinds
            .filter_map(|kind| match kind {
                Kind::Sketch(sketch) => Some(of(sketch)),
                _ => None,
            })
            .collect()
    }

    /// The directions of which it wants the frames.
    pub fn directions(&self) -> impl Iterator<Item = u32> + '_ {
        self.directions.keys().copied()
    }

    /// What of a packet makes it an element, and nothing else.
    fn only(&self, packet: Fields) -> Fields {
        let none = Fields { protocol: 0, source: 0, destination: 0, ports: None };
        match self.element {
            Element::Source => Fields { source: packet.source, ..none },
            Element::Destination => Fields { destination: packet.destination, ..none },
            Element::Flow => packet,
        }
    }

    /// A frame is on a link.
    pub fn frame(&mut self, direction: u32, frame: &[u8]) {
        if !self.directions.contains_key(&direction) {
            return;
        }
        let mut frame = frame.to_vec();
        let tpp = strip(&mut frame).and_then(|tpp| Tpp::new(tpp).ok().map(|tpp| tpp.app_tag()));
        let Some(fields) = Fields::of(&frame) else { return };
        let element = self.only(fields);
        let bit = hash(self.element.number(&fields)) as usize % self.bits;
        let Some(link) = self.directions.get_mut(&direction) else { return };
        let is_push = fields.ports.is_some_and(|ports| ports == [SKETCH_PORT; 2]);
        if !is_push {
            link.all.insert(element);
        }
        if tpp == Some(self.app) {
            link.elements.insert(element);
            link.flags[bit] = true;
        }
    }
}

/// Estimates of the service; and how they compare with what links have carried, if that was seen.
pub(super) fn numbers(
    plan: &Plan,
    sketch: &Sketch,
    reports: &[&Report],
    carried: Option<&Carried>,
    set: &mut impl FnMut(&[&str], f64),
) {
    let bitmaps = reports.iter().flat_map(|report| &report.bitmaps).filter_map(|(link, words)| {
        let direction = Tpps::direction(&plan.network, link.switch.into(), link.port.into())?;
        Some((direction, words.as_slice()))
    });
    let bitmaps: BTreeMap<u32, &[u64]> = bitmaps.collect();
    set(&["links"], bitmaps.len() as f64);
    for (direction, words) in &bitmaps {
        let name = &plan.directions[*direction as usize];
        set(&[name, "estimate"], bitmap::estimate(words).least());
    }
    let figure = |name: &str| -> f64 {
        let all = reports.iter().flat_map(|report| &report.figures);
        all.filter(|(found, _)| found == name).map(|(_, value)| value).sum()
    };
    set(&["push_share"], figure("push_bytes") / figure("sent_bytes"));
    set(&["stamp_share"], figure("stamp_bytes") / figure("sent_bytes"));
    set(&["bytes_per_host"], figure("host_bytes") / reports.len() as f64);
    let Some(carried) = carried else { return };
    let (mut identical, mut different, mut beyond, mut errors, mut squares) = (0, 0, 0, 0.0, 0.0);
    let (mut largest, mut seen) = (0f64, 0u64);
    for (direction, link) in &carried.directions {
        let words = bitmaps.get(direction).copied().unwrap_or(&[]);
        let is_set =
            |bit: usize| words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
        let same = link.flags.iter().enumerate().all(|(bit, flag)| is_set(bit) == *flag);
        if link.elements.is_empty() && same {
            continue;
        }
        identical += u64::from(same);
        different += u64::from(!same);
        seen += 1;
        let name = &plan.directions[*direction as usize];
        let truth = link.elements.len() as f64;
        let error = bitmap::estimate(words).least() / truth - 1.0;
        let sigmas = error / bitmap::relative_error(sketch.bits, truth);
        set(&[name, "elements"], truth);
        set(&[name, "all_elements"], link.all.len() as f64);
        set(&[name, "error"], error);
        set(&[name, "identical"], f64::from(u8::from(same)));
        if sigmas.is_finite() {
            beyond += u64::from(sigmas.abs() > 3.0);
            largest = largest.max(sigmas.abs());
            squares += sigmas * sigmas;
        }
        errors += error.abs();
    }
    set(&["links_identical"], identical as f64);
    set(&["links_different"], different as f64);
    set(&["links_beyond_3_sigma"], beyond as f64);
    set(&["largest_sigmas"], largest);
    set(&["mean_square_sigmas"], squares / seen as f64);
    set(&["mean_error"], errors / seen as f64);
}
