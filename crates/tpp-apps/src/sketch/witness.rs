//! What links have truly carried, to compare sketches of them with.

use super::agent::Element;
use super::lab::{PORT, Sketch};
use super::results::by_direction;
use super::{bitmap, hash};
use crate::application::{Findings, Set, Witness};
use std::collections::{BTreeMap, HashSet};
use ww_host::filter::Fields;
use ww_sim::network::{Network, NodeId};
use ww_tpp::frame::strip;
use ww_tpp::packet::Tpp;
use ww_tpp::switch::Config;

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
    app: u8,
    element: Element,
    bits: usize,
    directions: BTreeMap<u32, Direction>,
}

impl Carried {
    /// Watches all directions that leave a switch with TPPs.
    pub fn new(sketch: &Sketch, network: &Network, switches: &BTreeMap<NodeId, Config>) -> Self {
        let ends = (0u32..).zip(network.links.iter().flat_map(|link| link.ends));
        let from_switches = ends.filter(|(_, end)| switches.contains_key(&end.node));
        let empty = Direction { flags: vec![false; sketch.bits], ..Direction::default() };
        let directions = from_switches.map(|(at, _)| (at, empty.clone())).collect();
        Self { app: sketch.app, element: sketch.element, bits: sketch.bits, directions }
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
}

impl Witness for Carried {
    fn directions(&self) -> Vec<u32> {
        self.directions.keys().copied().collect()
    }

    fn frame(&mut self, direction: u32, frame: &[u8]) {
        if !self.directions.contains_key(&direction) {
            return;
        }
        let mut frame = frame.to_vec();
        let tpp = strip(&mut frame).and_then(|tpp| Tpp::new(tpp).ok().map(|tpp| tpp.app_tag()));
        let Some(fields) = Fields::of(&frame) else { return };
        let element = self.only(fields);
        let bit = hash(self.element.number(&fields)) as usize % self.bits;
        let Some(link) = self.directions.get_mut(&direction) else { return };
        let is_push = fields.ports.is_some_and(|ports| ports == [PORT; 2]);
        if !is_push {
            link.all.insert(element);
        }
        if tpp == Some(self.app) {
            link.elements.insert(element);
            link.flags[bit] = true;
        }
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        let bitmaps = by_direction(findings)?;
        let (mut identical, mut different, mut beyond, mut errors, mut squares) =
            (0, 0, 0, 0.0, 0.0);
        let (mut largest, mut seen) = (0f64, 0u64);
        for (direction, link) in &self.directions {
            let words = bitmaps.get(direction).map_or(&[][..], Vec::as_slice);
            let is_set =
                |bit: usize| words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
            let same = link.flags.iter().enumerate().all(|(bit, flag)| is_set(bit) == *flag);
            if link.elements.is_empty() && same {
                continue;
            }
            identical += u64::from(same);
            different += u64::from(!same);
            seen += 1;
            let name = &findings.directions[*direction as usize];
            let truth = link.elements.len() as f64;
            let error = bitmap::estimate(words).least() / truth - 1.0;
            let sigmas = error / bitmap::relative_error(self.bits, truth);
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
        Ok(())
    }
}
