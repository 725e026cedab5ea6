//! The sections behind the queue.

use super::super::dataflow::ValueId;
use super::super::lower::{Environment, Lowering, Request, Slot};
use super::block;
use super::front::Front;
use super::kept::{kept_name, kept_value};
use super::outcome::{
    EgressCopies, Kind, Outcome, destination, dropped, instance_type, limit, queued,
};
use std::collections::BTreeMap;
use ww_p4::architecture::Meaning;
use ww_p4::pipeline::{FieldId, HeaderId, Pipeline};

/// What egress starts with.
pub(super) struct EgressSide {
    pub(super) env: Environment,
    /// 1: nothing is left to do for the packet.
    pub(super) gone: ValueId,
    pub(super) port: ValueId,
    pub(super) time: ValueId,
    pub(super) length: ValueId,
    pub(super) skip: ValueId,
    /// Kind of the token, its replication id and limit, in a program that makes copies.
    pub(super) token: Option<(ValueId, ValueId, ValueId)>,
}

impl EgressSide {
    /// In a program that is one graph.
    pub(super) fn whole(l: &mut Lowering<'_>, front: &Front) -> Self {
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
    pub(super) fn crossed(l: &mut Lowering<'_>) -> Self {
        let kind = l.graph.input("kind", 3);
        let resubmitted = l.graph.is(kind, Kind::Resubmitted as u32);
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

/// The sections behind the queue. `kept` are the fields that packets keep on their way
/// back; without, a request for a copy is only reported.
pub(super) fn back(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    front: &Front,
    side: EgressSide,
    originals: &BTreeMap<FieldId, ValueId>,
    kept: Option<&[FieldId]>,
) -> (Outcome, Vec<HeaderId>) {
    let mut env = side.env;
    l.behind_ingress = true;
    let zero = l.graph.zero(16);
    l.set_intrinsic(&mut env, Meaning::EgressPort, side.port);
    l.set_intrinsic(&mut env, Meaning::OutputPort, zero);
    l.set_intrinsic(&mut env, Meaning::PacketLength, side.length);
    l.set_intrinsic(&mut env, Meaning::EnqueueTime, side.time);
    l.set_intrinsic(&mut env, Meaning::EgressTime, side.time);
    let zero = l.graph.zero(1);
    for meaning in [Meaning::EnqueueDepth, Meaning::QueueTime, Meaning::DequeueDepth] {
        l.set_intrinsic(&mut env, meaning, zero);
    }
    let queued = queued(pipeline.architecture);
    if let Some((kind, rid, _)) = side.token {
        let mut value = instance_type(l, kind, queued.unwrap_or(0));
        if queued.is_none()
            && let Some(own) = l.intrinsic(&env, Meaning::InstanceType)
        {
            // The packet itself stays what it was in front of the queue.
            let itself = l.graph.is(kind, Kind::Itself as u32);
            let width = l.graph.width(own);
            let other = l.graph.resize(value, width);
            value = l.graph.mux(itself, own, other);
        }
        l.set_intrinsic(&mut env, Meaning::InstanceType, value);
        if let Some(own) = l.intrinsic(&env, Meaning::ReplicationId) {
            let itself = l.graph.is(kind, 0u32);
            let own = l.graph.resize(own, 16);
            let rid = l.graph.mux(itself, own, rid);
            l.set_intrinsic(&mut env, Meaning::ReplicationId, rid);
        }
    } else if let Some(queued) = queued {
        let queued = l.graph.constant(32, queued);
        l.set_intrinsic(&mut env, Meaning::InstanceType, queued);
    }
    let sections = &pipeline.architecture.sections;
    let active = l.not(side.gone);
    let mut behind = env;
    for position in sections.egress.clone() {
        behind = block(l, pipeline, position, behind, active);
    }
    let egress_drop = match sections.egress.is_empty() {
        true => l.graph.bit(false),
        false => dropped(l, &behind, sections.egress.end - 1),
    };
    let dropped = l.graph.or(side.gone, egress_drop);
    let lost = l.get(&behind, Slot::Lost);
    let dropped = l.graph.or(dropped, lost);
    let active = l.not(dropped);
    let mut env = behind.clone();
    let deparser = sections.finish.end - 1;
    for position in sections.finish.start..deparser {
        env = block(l, pipeline, position, env, active);
    }
    let always = l.graph.bit(true);
    let env = block(l, pipeline, deparser, env, always);
    l.keep_alive(&env);
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
            let resubmitted = l.graph.is(kind, Kind::Resubmitted as u32);
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
