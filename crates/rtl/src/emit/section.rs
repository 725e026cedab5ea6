//! v1model's blocks as dataflow graphs: from the head of a packet to the headers that take its
//! place.
//!
//! A program whose packets only come and go is one graph. One that makes copies is two, ingress
//! and egress, with `ww_replicator` between; what egress needs of a packet crosses as bits, once
//! for the packet and once for its clone.

use super::dataflow::ValueId;
use super::lower::{Deparsed, Environment, Lowering, Parsed, Request, Slot};
use super::refusal::Reason;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use ww_p4::architecture::v1model::{
    COMPUTE, DEPARSER, DROP_PORT, EGRESS, INGRESS, InstanceType, PARSER, VERIFY,
};
use ww_p4::pipeline::{
    Body, ControlGraph, FieldId, HeaderId, NodeKind, OpKind, Pipeline, Scope, TableId,
};

/// What leaves the last graph with a packet.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// 1: the packet is dropped.
    pub drop: ValueId,
    /// The port that it leaves through, 16 bits.
    pub port: ValueId,
    /// Bytes that it may have at most, 16 bits; all ones for no limit.
    pub limit: ValueId,
    /// What the deparser makes of it.
    pub deparsed: Deparsed,
    /// Ways back, in a program that makes copies.
    pub copies: Option<EgressCopies>,
}

impl Outcome {
    /// All values.
    pub fn roots(&self) -> Vec<ValueId> {
        let mut roots = vec![self.drop, self.port, self.limit];
        roots.extend(&self.deparsed.bytes);
        roots.extend([self.deparsed.length, self.deparsed.skip]);
        if let Some(copies) = &self.copies {
            roots.extend([copies.again, copies.clone, copies.session]);
            roots.extend(copies.kept.iter().chain(&copies.clone_bits));
        }
        roots
    }
}

/// What egress asks for beside sending.
#[derive(Clone, Debug)]
pub struct EgressCopies {
    /// 1: the packet goes back to the parser.
    pub again: ValueId,
    /// 1: because the program recirculates it.
    pub recirculates: ValueId,
    /// What it keeps: one value for each field of [`Copies::kept`].
    pub kept: Vec<ValueId>,
    /// 1: a clone.
    pub clone: ValueId,
    /// Its session, 32 bits.
    pub session: ValueId,
    /// What crosses for it, as [`Copies::crossing`].
    pub clone_bits: Vec<ValueId>,
}

/// What leaves the ingress graph of a program that makes copies.
#[derive(Clone, Debug)]
pub struct Gate {
    /// 1: the packet is dropped.
    pub drop: ValueId,
    /// The port that it goes to, 16 bits.
    pub port: ValueId,
    /// Its multicast group, 16 bits; 0 for none.
    pub group: ValueId,
    /// 1: back to the parser as it came.
    pub resubmit: ValueId,
    /// 1: a clone.
    pub clone: ValueId,
    /// Its session, 32 bits.
    pub session: ValueId,
    /// What crosses for the packet, as [`Copies::crossing`].
    pub bits: Vec<ValueId>,
    /// What crosses for its clone.
    pub clone_bits: Vec<ValueId>,
}

impl Gate {
    /// All values.
    pub fn roots(&self) -> Vec<ValueId> {
        let mut roots =
            vec![self.drop, self.port, self.group, self.resubmit, self.clone, self.session];
        roots.extend(self.bits.iter().chain(&self.clone_bits));
        roots
    }
}

/// The second graph of a program that makes copies, and what is between the two.
#[derive(Debug)]
pub struct Copies<'p> {
    /// What leaves ingress.
    pub gate: Gate,
    /// Egress and deparser.
    pub egress: Lowering<'p>,
    /// Names and widths of what crosses: inputs of the egress graph of these names.
    pub crossing: Vec<(String, u32)>,
    /// Fields that packets keep on their way back to the parser: the inputs of the ingress graph
    /// with these names.
    pub kept: Vec<(String, u32)>,
    /// Whether packets go back to the parser.
    pub reenters: bool,
}

/// A program as dataflow.
#[derive(Debug)]
pub struct Sections<'p> {
    /// All of it, or parser and ingress.
    pub front: Lowering<'p>,
    /// Egress, in a program that makes copies.
    pub copies: Option<Copies<'p>>,
    /// What leaves the last graph.
    pub outcome: Outcome,
}

/// Lowers a program. It is done twice: the first time shows which headers can stay where they
/// are.
pub fn lower(pipeline: &Pipeline, keep: bool) -> Result<Sections<'_>, Vec<super::Refusal>> {
    let (sections, tail) = once(pipeline, Vec::new())?;
    if !keep || tail.is_empty() {
        return Ok(sections);
    }
    once(pipeline, tail).map(|(sections, _)| sections)
}

/// Parser and ingress.
struct Front {
    parsed: Parsed,
    env: Environment,
    skip: ValueId,
}

fn once(
    pipeline: &Pipeline,
    tail: Vec<HeaderId>,
) -> Result<(Sections<'_>, Vec<HeaderId>), Vec<super::Refusal>> {
    let mut l = Lowering::new(pipeline);
    l.kept.clone_from(&tail);
    // Which fields packets keep when they come back shows only when everything was lowered.
    let front = front(&mut l, pipeline, &[]);
    let copies = makes_copies(&mut l, &front.env);
    if !l.refusals.is_empty() {
        return Err(l.refusals);
    }
    if !copies {
        let egress = EgressSide::whole(&mut l, &front);
        let originals = originals(&mut l, pipeline, &front.parsed.env);
        let (outcome, found) = back(&mut l, pipeline, &front, egress, &originals, None);
        let asked = outcome.copies.is_some();
        if !asked {
            l.finish_state();
            if !l.refusals.is_empty() {
                return Err(l.refusals);
            }
            let sections = Sections { front: l, copies: None, outcome };
            return Ok((sections, found));
        }
    }
    split(pipeline, tail)
}

/// Lowers a program that makes copies.
fn split(
    pipeline: &Pipeline,
    tail: Vec<HeaderId>,
) -> Result<(Sections<'_>, Vec<HeaderId>), Vec<super::Refusal>> {
    // Egress is lowered first without knowing what packets keep, to find that out.
    let mut kept: Vec<FieldId> = Vec::new();
    let mut reenters = false;
    loop {
        let mut l = Lowering::new(pipeline);
        l.reenters = reenters;
        l.kept.clone_from(&tail);
        let front = front(&mut l, pipeline, &kept);
        let (mut egress, known) = egress_lowering(&mut l, pipeline, &front, &tail);
        let side = EgressSide::crossed(&mut egress);
        let originals = crossed_originals(&mut l, &mut egress, pipeline, &front);
        let (outcome, found) = back(&mut egress, pipeline, &front, side, &originals, Some(&kept));
        let wanted = kept_fields(&l, &egress);
        if !l.refusals.is_empty() || !egress.refusals.is_empty() {
            l.refusals.append(&mut egress.refusals);
            return Err(l.refusals);
        }
        let returns = comes_back(&mut l, &front, &egress, &outcome);
        let wanted = if returns { wanted } else { Vec::new() };
        if wanted != kept || returns != reenters {
            (kept, reenters) = (wanted, returns);
            continue;
        }
        shared_arrays(&mut l, &egress);
        egress.finish_state();
        let (gate, crossing, outcome) =
            cross(&mut l, &mut egress, pipeline, &front, &known, outcome, &kept);
        l.finish_state();
        l.refusals.append(&mut egress.refusals);
        if !l.refusals.is_empty() {
            return Err(l.refusals);
        }
        let named = |field: &FieldId| {
            let field = &pipeline[*field];
            (kept_name(&field.name), field.width)
        };
        let copies =
            Copies { gate, egress, crossing, kept: kept.iter().map(named).collect(), reenters };
        return Ok((Sections { front: l, copies: Some(copies), outcome }, found));
    }
}

/// Whether packets can come back to the parser.
fn comes_back(
    l: &mut Lowering<'_>,
    front: &Front,
    egress: &Lowering<'_>,
    outcome: &Outcome,
) -> bool {
    let resubmit = l.get(&front.env, Slot::Request(Request::Resubmit));
    let again = outcome.copies.as_ref().map(|copies| copies.recirculates);
    l.graph.as_bit(resubmit) != Some(false)
        || again.is_some_and(|again| egress.graph.as_bit(again) != Some(false))
}

fn kept_name(field: &str) -> String {
    format!("kept.{field}")
}

/// Fields that some list of fields to keep has, of those lists that lead back to the parser.
fn kept_fields(front: &Lowering<'_>, egress: &Lowering<'_>) -> Vec<FieldId> {
    let lists = front.keeps.iter().chain(&egress.keeps);
    let fields: BTreeSet<FieldId> = lists.flatten().copied().collect();
    fields.into_iter().filter(|field| front.pipeline[*field].width > 0).collect()
}

fn front(l: &mut Lowering<'_>, pipeline: &Pipeline, kept: &[FieldId]) -> Front {
    let always = l.graph.bit(true);
    let length = l.graph.input("length", 16);
    let port = l.graph.input("port", 16);
    let time = l.graph.input("arrival_time", 48);
    let packet_length = l.graph.input("packet_length", 16);
    let mut env = Environment::default();
    l.set_intrinsic(&mut env, "ingress_port", port);
    if l.reenters {
        let kind = l.graph.input("kind", 3);
        let fresh = l.graph.is(kind, 0u32);
        for field in kept {
            let declared = &pipeline[*field];
            let value = l.graph.input(&kept_name(&declared.name), declared.width);
            let own = l.field(&env, *field);
            let value = l.graph.mux(fresh, own, value);
            l.set(&mut env, *field, value);
        }
        l.set_intrinsic(&mut env, "instance_type", kind);
    }
    l.set_intrinsic(&mut env, "packet_length", packet_length);
    l.set_intrinsic(&mut env, "ingress_global_timestamp", time);
    let parsed = match &pipeline.blocks[PARSER].body {
        Body::Parser(graph) => l.parser(graph, env, length),
        Body::Control(_) => unreachable!("the architecture's first block is a parser"),
    };
    let mut env = parsed.env.clone();
    let error = l.field(&env, pipeline.parser_error);
    l.set_intrinsic(&mut env, "parser_error", error);
    l.verifying = true;
    let env = block(l, pipeline, VERIFY, env, always);
    l.verifying = false;
    let env = block(l, pipeline, INGRESS, env, always);
    let skip = l.skip(&parsed);
    Front { parsed, env, skip }
}

/// Whether ingress asks for copies.
fn makes_copies(l: &mut Lowering<'_>, env: &Environment) -> bool {
    let requests = [Request::Clone, Request::Resubmit, Request::Recirculate];
    let asked = requests.into_iter().any(|request| {
        let asked = l.get(env, Slot::Request(request));
        l.graph.as_bit(asked) != Some(false)
    });
    let group = l.intrinsic(env, "mcast_grp");
    asked || group.is_some_and(|group| l.graph.as_number(group) != Some(0))
}

/// What egress starts with.
struct EgressSide {
    env: Environment,
    /// 1: nothing is left to do for the packet.
    gone: ValueId,
    port: ValueId,
    time: ValueId,
    length: ValueId,
    skip: ValueId,
    /// Kind of the token, its replication id and limit, in a program that makes copies.
    token: Option<(ValueId, ValueId, ValueId)>,
}

impl EgressSide {
    /// In a program that is one graph.
    fn whole(l: &mut Lowering<'_>, front: &Front) -> Self {
        let (drop, port) = destination(l, &front.env);
        let lost = l.get(&front.env, Slot::Lost);
        Self {
            env: front.env.clone(),
            gone: l.graph.or(drop, lost),
            port,
            time: l.graph.input("arrival_time", 48),
            length: l.graph.input("packet_length", 16),
            skip: front.skip,
            token: None,
        }
    }

    /// Behind the replicator.
    fn crossed(l: &mut Lowering<'_>) -> Self {
        let kind = l.graph.input("kind", 3);
        let resubmitted = l.graph.is(kind, InstanceType::Resubmitted as u32);
        let dropped = l.graph.input("dropped", 1);
        let mut env = Environment::default();
        // Clones and replicas take over nothing of what the packet asked for.
        let itself = l.graph.is(kind, 0u32);
        let recirculate = l.get(&env, Slot::Request(Request::Recirculate));
        let recirculate = l.graph.and(recirculate, itself);
        env.set(Slot::Request(Request::Recirculate), recirculate);
        let rid = l.graph.input("rid", 16);
        let limit = l.graph.input("limit", 16);
        Self {
            env,
            gone: l.graph.or(resubmitted, dropped),
            port: l.graph.input("port", 16),
            time: l.graph.input("arrival_time", 48),
            length: l.graph.input("packet_length", 16),
            skip: l.graph.input("skip", 16),
            token: Some((kind, rid, limit)),
        }
    }
}

/// Egress, checksum update and deparser. `kept` are the fields that packets keep on their way
/// back; without, a request for a copy is only reported.
fn back(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    front: &Front,
    side: EgressSide,
    originals: &BTreeMap<FieldId, ValueId>,
    kept: Option<&[FieldId]>,
) -> (Outcome, Vec<HeaderId>) {
    let mut env = side.env;
    let zero = l.graph.zero(16);
    l.set_intrinsic(&mut env, "egress_port", side.port);
    l.set_intrinsic(&mut env, "egress_spec", zero);
    l.set_intrinsic(&mut env, "packet_length", side.length);
    l.set_intrinsic(&mut env, "enq_timestamp", side.time);
    l.set_intrinsic(&mut env, "egress_global_timestamp", side.time);
    let zero = l.graph.zero(1);
    for name in ["enq_qdepth", "deq_timedelta", "deq_qdepth"] {
        l.set_intrinsic(&mut env, name, zero);
    }
    if let Some((kind, rid, _)) = side.token {
        l.set_intrinsic(&mut env, "instance_type", kind);
        if let Some(own) = l.intrinsic(&env, "egress_rid") {
            let itself = l.graph.is(kind, 0u32);
            let own = l.graph.resize(own, 16);
            let rid = l.graph.mux(itself, own, rid);
            l.set_intrinsic(&mut env, "egress_rid", rid);
        }
    } else {
        let zero = l.graph.zero(1);
        l.set_intrinsic(&mut env, "instance_type", zero);
    }
    let active = l.not(side.gone);
    let behind = block(l, pipeline, EGRESS, env, active);
    let (egress_drop, _) = destination(l, &behind);
    let dropped = l.graph.or(side.gone, egress_drop);
    let lost = l.get(&behind, Slot::Lost);
    let dropped = l.graph.or(dropped, lost);
    let active = l.not(dropped);
    let env = block(l, pipeline, COMPUTE, behind.clone(), active);
    let always = l.graph.bit(true);
    let env = block(l, pipeline, DEPARSER, env, always);
    let lost = l.get(&env, Slot::Lost);
    let mut drop = l.graph.or(dropped, lost);

    let none = l.graph.constant(16, 0xffffu32);
    let mut limit = limit(l, &env, side.token.map_or(none, |(_, _, limit)| limit));
    let tail = l.unchanged_tail(&front.parsed, originals);
    let mut deparsed = l.deparsed(side.skip);
    let clone = l.get(&behind, Slot::Request(Request::Clone));
    let recirculate = l.get(&env, Slot::Request(Request::Recirculate));
    let asks = |l: &Lowering<'_>, v| l.graph.as_bit(v) != Some(false);
    let copies = match (kept, side.token) {
        (Some(kept), Some((kind, _, _))) => {
            let resubmitted = l.graph.is(kind, InstanceType::Resubmitted as u32);
            let not = l.not(resubmitted);
            drop = l.graph.and(drop, not);
            // As it came: nothing in front, nothing left out, nothing cut.
            let dropped = l.graph.input("dropped", 1);
            drop = l.graph.or(drop, dropped);
            let zero = l.graph.zero(16);
            deparsed.length = l.graph.mux(resubmitted, zero, deparsed.length);
            deparsed.skip = l.graph.mux(resubmitted, zero, deparsed.skip);
            let alive = l.not(drop);
            let recirculates = l.graph.and(recirculate, not);
            let again = l.graph.or(recirculates, resubmitted);
            let again = l.graph.and(again, alive);
            // A packet that comes back is not cut.
            limit = l.graph.mux(again, none, limit);
            let list = l.get(&env, Slot::Request(Request::RecirculateKeep));
            let list = l.graph.resize(list, 8);
            let mut values = Vec::new();
            for field in kept {
                let declared = &pipeline[*field];
                let own = l.field(&env, *field);
                let own = kept_value(l, *field, list, own);
                let resubmit = l.graph.input(&kept_name(&declared.name), declared.width);
                values.push(l.graph.mux(resubmitted, resubmit, own));
            }
            let lost = l.get(&behind, Slot::Lost);
            let alive = l.graph.or(side.gone, lost);
            let alive = l.not(alive);
            let clone = l.graph.and(clone, alive);
            let session = l.get(&behind, Slot::Request(Request::CloneSession));
            l.clone_env = behind;
            Some(EgressCopies {
                again,
                recirculates,
                kept: values,
                clone,
                session,
                clone_bits: Vec::new(),
            })
        }
        _ if asks(l, clone) || asks(l, recirculate) => Some(EgressCopies {
            again: recirculate,
            recirculates: recirculate,
            kept: Vec::new(),
            clone,
            session: clone,
            clone_bits: Vec::new(),
        }),
        _ => None,
    };
    (Outcome { drop, port: side.port, limit, deparsed, copies }, tail)
}

/// The value of a field if the list of fields to keep has it, otherwise zero.
fn kept_value(l: &mut Lowering<'_>, field: FieldId, list: ValueId, value: ValueId) -> ValueId {
    let mut has = l.graph.bit(false);
    for (n, fields) in l.keeps.clone().iter().enumerate() {
        if fields.contains(&field) {
            let this = l.graph.is(list, n);
            has = l.graph.or(has, this);
        }
    }
    let zero = l.graph.zero(l.graph.width(value));
    l.graph.mux(has, value, zero)
}

/// What the fields of headers are behind the parser.
fn originals(
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
fn crossed_originals(
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
fn egress_lowering<'p>(
    l: &mut Lowering<'p>,
    pipeline: &'p Pipeline,
    front: &Front,
    tail: &[HeaderId],
) -> (Lowering<'p>, Environment) {
    let clone = clone_environment(l, pipeline, front);
    let mut egress = Lowering::new(pipeline);
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

/// Whether egress, or an action of some table, has a call that clones.
fn clones_in_egress(pipeline: &Pipeline) -> bool {
    let clones = |graph: &ControlGraph| {
        graph.operations().any(|(_, op)| match &op.kind {
            OpKind::Extern(call) => call.object.is_none() && call.name.starts_with("clone"),
            _ => false,
        })
    };
    let Body::Control(egress) = &pipeline.blocks[EGRESS].body else { return false };
    let applied = |table: TableId| {
        egress.nodes.iter().any(
            |node| matches!(node.kind, NodeKind::Apply { table: applied, .. } if applied == table),
        )
    };
    let tables = pipeline.tables.iter().enumerate();
    clones(egress)
        || tables.filter(|(n, _)| applied(TableId(*n as u32))).any(|(_, table)| {
            table.actions.iter().any(|listed| clones(&pipeline[listed.action].body))
        })
}

/// What a clone of ingress starts egress with: the headers as parsed, fresh metadata but for
/// what it keeps.
fn clone_environment(l: &mut Lowering<'_>, pipeline: &Pipeline, front: &Front) -> Environment {
    let clone = l.get(&front.env, Slot::Request(Request::Clone));
    if l.graph.as_bit(clone) == Some(false) {
        // There is none: whatever costs nothing.
        return front.env.clone();
    }
    let mut env = front.parsed.env.clone();
    env.retain(|slot| match slot {
        Slot::Field(field) => pipeline[field].scope == Scope::Headers,
        Slot::Kept => true,
        _ => false,
    });
    let list = l.get(&front.env, Slot::Request(Request::CloneKeep));
    keep_metadata(l, pipeline, &front.env, list, &mut env);
    let port = l.graph.input("port", 16);
    l.set_intrinsic(&mut env, "ingress_port", port);
    env
}

/// Sets the metadata that a list of fields keeps.
fn keep_metadata(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    from: &Environment,
    list: ValueId,
    env: &mut Environment,
) {
    let fields: BTreeSet<FieldId> = l.keeps.iter().flatten().copied().collect();
    for field in fields {
        if pipeline[field].width > 0 {
            let value = l.field(from, field);
            let value = kept_value(l, field, list, value);
            l.set(env, field, value);
        }
    }
}

/// A register array that both graphs access has no single place.
fn shared_arrays(l: &mut Lowering<'_>, egress: &Lowering<'_>) {
    for array in &egress.arrays {
        if l.arrays.iter().any(|other| other.object == array.object) {
            let instance = &l.pipeline[array.object];
            let (name, span) = (instance.name.to_string(), instance.span);
            l.refuse(Reason::RegisterPorts, &name, Some(span));
        }
    }
}

/// Gives the egress graph's inputs their values in the ingress graph, and in that of a clone.
fn cross(
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
    let clones = outcome
        .copies
        .as_ref()
        .is_some_and(|copies| egress.graph.as_bit(copies.clone) != Some(false));
    let mut wanted: Vec<(String, u32, Crossed)> = Vec::new();
    let mut clone_bits: Vec<ValueId> = Vec::new();
    loop {
        let mut roots = outcome.roots();
        roots.extend(&clone_bits);
        let mut live = super::dataflow::schedule::live_inputs(&egress.graph, &roots);
        // Counters of egress count the bytes of the packet as it came.
        if !egress.counters.is_empty() && !live.iter().any(|name| name == "packet_length") {
            live.push("packet_length".to_owned());
        }
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
    let group = match l.intrinsic(&front.env, "mcast_grp") {
        Some(group) => l.graph.resize(group, 16),
        None => l.graph.zero(16),
    };
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

/// Walks a control of the architecture.
fn block(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    position: usize,
    mut env: Environment,
    active: ValueId,
) -> Environment {
    // Local fields belong to one block.
    env.retain(|slot| match slot {
        Slot::Field(field) => pipeline[field].scope != Scope::Local,
        _ => true,
    });
    let none = ControlGraph::default();
    let graph = match &pipeline.blocks[position].body {
        Body::Control(graph) => graph,
        Body::Parser(_) => &none,
    };
    let before = env.clone();
    l.control(graph, env, active).end.map_or(before, |ending| ending.env)
}

/// Whether `egress_spec` drops the packet, and the port, 16 bits.
fn destination(l: &mut Lowering<'_>, env: &Environment) -> (ValueId, ValueId) {
    match l.intrinsic(env, "egress_spec") {
        Some(spec) => {
            let drop = l.graph.is(spec, DROP_PORT);
            (drop, l.graph.resize(spec, 16))
        }
        None => (l.graph.bit(false), l.graph.zero(16)),
    }
}

/// The limit that the program asks for, otherwise `none`.
fn limit(l: &mut Lowering<'_>, env: &Environment, none: ValueId) -> ValueId {
    let asked = l.get(env, Slot::Request(Request::Truncate));
    let length = l.get(env, Slot::Request(Request::TruncateLength));
    let fits = l.below(length, 0xffff);
    let low = l.graph.slice(length, 0, 16);
    let all = l.graph.constant(16, 0xffffu32);
    let own = l.graph.mux(fits, low, all);
    l.graph.mux(asked, own, none)
}
