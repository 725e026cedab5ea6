//! Egress, checksum update and deparser.

use super::super::dataflow::ValueId;
use super::super::lower::{Environment, Lowering, Request, Slot};
use super::block;
use super::front::Front;
use super::kept::{kept_name, kept_value};
use super::outcome::{EgressCopies, Outcome, destination, limit};
use std::collections::BTreeMap;
use ww_p4::architecture::v1model::{COMPUTE, DEPARSER, EGRESS, InstanceType};
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
