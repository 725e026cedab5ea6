//! What crosses from ingress to egress: fields that differ from packet to packet.

use super::super::dataflow::ValueId;
use super::super::lower::{Environment, Lowering, PAYLOAD_SUM, Request, Slot};
use super::super::refusal::Reason;
use super::front::{Front, clone_environment, clones_in_egress, multicast_group};
use super::kept::{kept_name, kept_value};
use super::outcome::{Gate, Outcome, destination};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use ww_p4::pipeline::{FieldId, HeaderId, Pipeline, Scope};

/// What the fields of headers are behind the parser.
pub(super) fn originals(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    parsed: &Environment,
) -> BTreeMap<FieldId, ValueId> {
    header_fields(pipeline).map(|field| (field, l.field(parsed, field))).collect()
}

fn header_fields(pipeline: &Pipeline) -> impl Iterator<Item = FieldId> {
    let fields = pipeline.fields.iter().enumerate();
    fields
        .filter(|(_, field)| field.scope == Scope::Headers && field.width > 0)
        .map(|(n, _)| FieldId(n as u32))
}

/// What crosses unchanged from the parser: the egress graph's value of it.
pub(super) fn crossed_originals(
    l: &mut Lowering<'_>,
    egress: &mut Lowering<'_>,
    pipeline: &Pipeline,
    front: &Front,
) -> BTreeMap<FieldId, ValueId> {
    let mut same = BTreeMap::new();
    for field in header_fields(pipeline) {
        if l.field(&front.parsed.env, field) == l.field(&front.env, field) {
            let crossed = egress.field(&Environment::default(), field);
            same.insert(field, crossed);
        }
    }
    same
}

/// The lowering of egress: its fields come from ingress, but for those that are the same for
/// every packet.
pub(super) fn egress_lowering<'p>(
    l: &mut Lowering<'p>,
    pipeline: &'p Pipeline,
    front: &Front,
    tail: &[HeaderId],
) -> (Lowering<'p>, Environment) {
    let clone = clone_environment(l, pipeline, front);
    let mut egress = Lowering::new(pipeline, l.options);
    egress.kept = tail.to_vec();
    egress.keeps.clone_from(&l.keeps);
    let mut known: BTreeMap<Slot, BigUint> = BTreeMap::new();
    egress.asked = front.env.slots().filter(|slot| matches!(slot, Slot::Request(_))).collect();
    if clones_in_egress(pipeline) {
        // What egress left of a packet comes to it again: nothing is the same for all.
        egress.crossing = Some(known);
        return (egress, clone);
    }
    let mut slots: BTreeSet<Slot> = front.env.slots().chain(clone.slots()).collect();
    slots.extend((0..pipeline.fields.len()).map(|n| Slot::Field(FieldId(n as u32))));
    for slot in slots {
        if matches!(slot, Slot::Field(field) if pipeline[field].width == 0) {
            continue;
        }
        let (value, of_clone) = (l.get(&front.env, slot), l.get(&clone, slot));
        if value == of_clone
            && let Some(number) = l.graph.as_const(value)
        {
            known.insert(slot, number.clone());
        }
    }
    egress.crossing = Some(known);
    // Headers that exclude each other still do.
    let valid: Vec<FieldId> = pipeline.headers.iter().map(|header| header.valid).collect();
    for (n, a) in valid.iter().enumerate() {
        for b in &valid[n + 1..] {
            let (x, y) = (l.field(&front.env, *a), l.field(&front.env, *b));
            let (u, v) = (l.field(&clone, *a), l.field(&clone, *b));
            if l.graph.as_const(x).is_some() || l.graph.as_const(y).is_some() {
                continue;
            }
            if l.conditions.exclude(&l.graph, x, y) && l.conditions.exclude(&l.graph, u, v) {
                let none = Environment::default();
                let (a, b) = (egress.field(&none, *a), egress.field(&none, *b));
                egress.conditions.add_exclusive(a, b);
            }
        }
    }
    (egress, clone)
}

/// A register array that both graphs access has no single place; nor has a module with a state.
pub(super) fn shared_arrays(l: &mut Lowering<'_>, egress: &Lowering<'_>) {
    for own in egress.modules.iter().filter(|used| !used.module.stateless) {
        if l.modules.iter().any(|other| other.module.name == own.module.name) {
            let name = &own.module.name;
            let what = format!("module `{name}` has a state and is called in ingress and egress");
            l.refuse(Reason::Module, &what, Some(own.span));
        }
    }
    for array in &egress.arrays {
        if l.arrays.iter().any(|other| other.object == array.object) {
            let instance = &l.pipeline[array.object];
            let (name, span) = (instance.name.to_string(), instance.span);
            l.refuse(Reason::RegisterPorts, &name, Some(span));
        }
    }
}

/// Gives the egress graph's inputs their values in the ingress graph, and in that of a clone.
pub(super) fn cross(
    l: &mut Lowering<'_>,
    egress: &mut Lowering<'_>,
    pipeline: &Pipeline,
    front: &Front,
    clone_env: &Environment,
    mut outcome: Outcome,
    kept: &[FieldId],
) -> (Gate, Vec<(String, u32)>, Outcome) {
    // The clone of egress: headers as they are, metadata but for what it keeps.
    let behind = std::mem::take(&mut egress.clone_env);
    let list = egress.get(&behind, Slot::Request(Request::CloneKeep));
    let list = egress.graph.resize(list, 8);
    let mut again = behind.clone();
    again.retain(|slot| match slot {
        Slot::Field(field) => pipeline[field].scope == Scope::Headers,
        _ => false,
    });
    let kept_fields: BTreeSet<FieldId> = egress.keeps.iter().flatten().copied().collect();

    // Only what something needs crosses; the clone of egress may need more of it.
    let clones = outcome.clones(egress);
    let mut wanted: Vec<(String, u32, Crossed)> = Vec::new();
    let mut clone_bits: Vec<ValueId> = Vec::new();
    loop {
        let mut roots = outcome.roots();
        roots.extend(clone_bits.iter().chain(&egress.alive));
        let live = super::super::dataflow::schedule::live_inputs(&egress.graph, &roots);
        let mut found: Vec<(String, u32, Crossed)> = Vec::new();
        for name in live {
            if let Some(crossed) = crossed(egress, pipeline, &name, kept) {
                found.push((name, crossed.0, crossed.1));
            }
        }
        if found.len() == wanted.len() {
            break;
        }
        wanted = found;
        clone_bits.clear();
        if !clones {
            continue;
        }
        for (_, width, what) in &wanted {
            let value = match what {
                Crossed::Slot(Slot::Field(field)) => {
                    let field = *field;
                    if pipeline[field].scope == Scope::Headers {
                        egress.field(&again, field)
                    } else if kept_fields.contains(&field) {
                        let value = egress.field(&behind, field);
                        kept_value(egress, field, list, value)
                    } else {
                        let initial = pipeline.initial(&pipeline[field]);
                        egress.graph.constant(*width, initial)
                    }
                }
                Crossed::Input(name) => egress.graph.input(name, *width),
                _ => egress.graph.zero(*width),
            };
            clone_bits.push(value);
        }
    }
    if clone_bits.is_empty() {
        clone_bits = wanted.iter().map(|(_, width, _)| egress.graph.zero(*width)).collect();
    }
    if let Some(copies) = &mut outcome.copies {
        copies.clone_bits = clone_bits;
    }

    let (mut bits, mut of_clone) = (Vec::new(), Vec::new());
    let resubmit_list = l.get(&front.env, Slot::Request(Request::ResubmitKeep));
    let resubmit_list = l.graph.resize(resubmit_list, 8);
    for (_, width, what) in &wanted {
        let (value, clone) = match what {
            Crossed::Slot(slot) => (l.get(&front.env, *slot), l.get(clone_env, *slot)),
            Crossed::Kept(field) => {
                let value = l.field(&front.env, *field);
                let value = kept_value(l, *field, resubmit_list, value);
                (value, l.graph.zero(*width))
            }
            Crossed::Input(name) if *name == "skip" => (front.skip, front.skip),
            Crossed::Input(PAYLOAD_SUM) => {
                let sum = l.payload_sum();
                (sum, sum)
            }
            Crossed::Input(name) => {
                let value = l.graph.input(name, *width);
                (value, value)
            }
        };
        bits.push(value);
        of_clone.push(clone);
    }
    let (drop, port) = destination(l, &front.env);
    let lost = l.get(&front.env, Slot::Lost);
    let alive = l.not(lost);
    let drop = l.graph.or(drop, lost);
    let group = multicast_group(l, &front.env);
    let zero = l.graph.zero(16);
    let group = l.graph.mux(lost, zero, group);
    let clone = l.get(&front.env, Slot::Request(Request::Clone));
    let clone = l.graph.and(clone, alive);
    let resubmit = l.get(&front.env, Slot::Request(Request::Resubmit));
    let resubmit = l.graph.and(resubmit, alive);
    let session = l.get(&front.env, Slot::Request(Request::CloneSession));
    let gate = Gate { drop, port, group, resubmit, clone, session, bits, clone_bits: of_clone };
    let crossing = wanted.into_iter().map(|(name, width, _)| (name, width)).collect();
    (gate, crossing, outcome)
}

/// What an input of the egress graph stands for.
enum Crossed {
    /// A slot at the end of ingress.
    Slot(Slot),
    /// A field that a resubmitted packet keeps.
    Kept(FieldId),
    /// What came with the packet.
    Input(&'static str),
}

fn crossed(
    egress: &Lowering<'_>,
    pipeline: &Pipeline,
    name: &str,
    kept: &[FieldId],
) -> Option<(u32, Crossed)> {
    let width = egress.graph.inputs.iter().find(|(n, _)| n == name)?.1;
    let what = match name {
        "skip" => Crossed::Input("skip"),
        PAYLOAD_SUM => Crossed::Input(PAYLOAD_SUM),
        "arrival_time" => Crossed::Input("arrival_time"),
        "packet_length" => Crossed::Input("packet_length"),
        // The replicator gives these.
        "kind" | "rid" | "limit" | "port" | "dropped" => return None,
        _ => match egress.crossed.iter().find(|(n, _)| n == name) {
            Some((_, slot)) => Crossed::Slot(*slot),
            None => {
                let is = |field: &&FieldId| kept_name(&pipeline[**field].name) == name;
                Crossed::Kept(*kept.iter().find(is)?)
            }
        },
    };
    Some((width, what))
}
