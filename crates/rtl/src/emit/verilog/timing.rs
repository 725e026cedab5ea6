//! When a packet is where: what the manifest says of a design's schedule.

use super::design::{Parts, Timed};
use crate::emit::dataflow::schedule::register_bits;
use crate::emit::dataflow::{UnitKind, ValueKind};
use crate::emit::lower::{Lowering, PACKET_SUM};
use crate::manifest::{Access, SectionTiming, Timing};
use ww_p4::pipeline::ExternInstanceId;

/// Of a whole design.
pub fn timing(parts: &Parts<'_>) -> Timing {
    let front = &parts.sections.front;
    let mut reasons = Vec::new();
    let mut because = |holds: bool, reason: &str| {
        if holds {
            reasons.push(reason.to_owned());
        }
    };
    // What egress wants of it is an input of ingress that crosses.
    let crosses = parts
        .sections
        .copies
        .as_ref()
        .is_some_and(|copies| copies.crossing.iter().any(|(name, _)| name == "packet_length"));
    let is_read = reads(front, parts.front, "packet_length");
    let metered = |lowering: &Lowering<'_>| lowering.meters.iter().any(|meter| meter.bytes);
    let reader =
        if metered(front) { "a meter counts bytes" } else { "the program reads packet_length" };
    because(is_read && !crosses, reader);
    because(front.reads_length, "the parser asks for the length of the packet");
    because(reads(front, parts.front, PACKET_SUM), "a checksum covers the payload");
    let name = if parts.sections.copies.is_some() { "ingress" } else { "pipeline" };
    let mut sections = vec![section(name, front, parts.front)];
    if let (Some(copies), Some(timed)) = (&parts.sections.copies, parts.egress) {
        let egress = section("egress", &copies.egress, timed);
        let reader = if metered(&copies.egress) {
            "a meter of egress counts bytes, whose number every copy brings along"
        } else {
            "egress reads packet_length, which every copy brings along"
        };
        because(crosses, reader);
        sections.push(egress);
    }
    Timing { store_and_forward: reasons, head_bytes: front.head_bytes, sections }
}

/// Whether a section needs this input.
pub fn reads(lowering: &Lowering<'_>, timed: &Timed, name: &str) -> bool {
    let graph = &lowering.graph;
    graph.values.iter().zip(&timed.schedule.clocks).any(|(value, clock)| {
        let input = match value.kind {
            ValueKind::Input(n) => graph.inputs.get(n as usize),
            _ => None,
        };
        clock.is_some() && input.is_some_and(|(input, _)| input == name)
    })
}

/// Of a section.
fn section(name: &str, lowering: &Lowering<'_>, timed: &Timed) -> SectionTiming {
    let graph = &lowering.graph;
    let mut accesses = Vec::new();
    for (n, unit) in graph.units.iter().enumerate() {
        let Some(clock) = timed.schedule.units[n] else { continue };
        let instance = |object: ExternInstanceId| lowering.pipeline[object].name.to_string();
        let (object, operation) = match unit.kind {
            UnitKind::Lookup(table, _) => {
                (lowering.pipeline.tables[table as usize].name.to_string(), "lookup")
            }
            UnitKind::Count(counter, _) => {
                (instance(lowering.counters[counter as usize].object), "count")
            }
            UnitKind::Read(array, _) => (instance(lowering.arrays[array as usize].object), "read"),
            UnitKind::Write(array, _) => {
                (instance(lowering.arrays[array as usize].object), "write")
            }
            UnitKind::Digest(message) => {
                (lowering.digests[message as usize].name.clone(), "digest")
            }
            UnitKind::Module(n, _) => (lowering.modules[n as usize].function.clone(), "call"),
            UnitKind::Member(set, _) => {
                (lowering.pipeline.value_sets[set as usize].name.to_string(), "value set")
            }
            UnitKind::Meter(meter) => (format!("meter {meter}"), "meter"),
        };
        let answers = graph.values.iter().zip(&timed.schedule.clocks).filter_map(|(value, at)| {
            match value.kind {
                ValueKind::Output(of, _) if of.index() == n => *at,
                _ => None,
            }
        });
        let latency = answers.max().map_or(0, |answer| answer.saturating_sub(clock));
        accesses.push(Access { object, operation: operation.to_owned(), clock, latency });
    }
    accesses.sort_by_key(|access| access.clock);
    SectionTiming {
        name: name.to_owned(),
        latency: timed.schedule.last + 1,
        accesses,
        register_bits: register_bits(graph, &timed.schedule, &timed.roots),
    }
}
