//! v1model's blocks as one dataflow graph: from the head of a packet to the headers that take
//! its place.

use super::dataflow::ValueId;
use super::lower::{Deparsed, Environment, Lowering, Request, Slot};
use super::refusal::Reason;
use ww_p4::architecture::v1model::{
    COMPUTE, DEPARSER, DROP_PORT, EGRESS, INGRESS, PARSER, VERIFY,
};
use ww_p4::pipeline::{Body, ControlGraph, HeaderId, Pipeline, Scope};

/// What leaves the pipeline with a packet.
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
}

/// Lowers a program twice: the first time shows which headers can stay where they are.
pub fn lower(pipeline: &Pipeline, keep: bool) -> (Lowering<'_>, Outcome) {
    let (lowering, outcome, tail) = once(pipeline, Vec::new());
    if !keep || tail.is_empty() || !lowering.refusals.is_empty() {
        return (lowering, outcome);
    }
    let (lowering, outcome, _) = once(pipeline, tail);
    (lowering, outcome)
}

fn once(pipeline: &Pipeline, kept: Vec<HeaderId>) -> (Lowering<'_>, Outcome, Vec<HeaderId>) {
    let mut l = Lowering::new(pipeline);
    l.kept = kept;
    let always = l.graph.bit(true);
    let length = l.graph.input("length", 16);
    let port = l.graph.input("port", 16);
    let time = l.graph.input("arrival_time", 48);

    let mut env = Environment::default();
    l.set_intrinsic(&mut env, "ingress_port", port);
    l.set_intrinsic(&mut env, "packet_length", length);
    l.set_intrinsic(&mut env, "ingress_global_timestamp", time);
    let parsed = match &pipeline.blocks[PARSER].body {
        Body::Parser(graph) => l.parser(graph, env, length),
        Body::Control(_) => unreachable!("the architecture's first block is a parser"),
    };
    let mut env = parsed.env.clone();
    let error = l.field(&env, pipeline.parser_error);
    l.set_intrinsic(&mut env, "parser_error", error);
    l.verifying = true;
    let env = block(&mut l, pipeline, VERIFY, env, always);
    l.verifying = false;
    let mut env = block(&mut l, pipeline, INGRESS, env, always);

    for request in [Request::Clone, Request::Resubmit, Request::Recirculate] {
        refuse_copies(&mut l, pipeline, &env, request);
    }
    if let Some(group) = l.intrinsic(&env, "mcast_grp")
        && l.graph.as_number(group) != Some(0)
    {
        l.refuse(Reason::Copies, "mcast_grp", Some(pipeline.blocks[INGRESS].span));
    }
    let (mut ingress_drop, port) = destination(&mut l, &env);
    let lost = l.get(&env, Slot::Lost);
    ingress_drop = l.graph.or(ingress_drop, lost);

    let zero = l.graph.zero(16);
    l.set_intrinsic(&mut env, "egress_port", port);
    l.set_intrinsic(&mut env, "egress_spec", zero);
    l.set_intrinsic(&mut env, "packet_length", length);
    l.set_intrinsic(&mut env, "enq_timestamp", time);
    l.set_intrinsic(&mut env, "egress_global_timestamp", time);
    let zero = l.graph.zero(1);
    for name in ["enq_qdepth", "deq_timedelta", "deq_qdepth"] {
        l.set_intrinsic(&mut env, name, zero);
    }
    let active = l.not(ingress_drop);
    let env = block(&mut l, pipeline, EGRESS, env, active);
    for request in [Request::Clone, Request::Recirculate] {
        refuse_copies(&mut l, pipeline, &env, request);
    }
    let (egress_drop, _) = destination(&mut l, &env);
    let dropped = l.graph.or(ingress_drop, egress_drop);
    let active = l.not(dropped);
    let env = block(&mut l, pipeline, COMPUTE, env, active);
    let env = block(&mut l, pipeline, DEPARSER, env, always);
    let lost = l.get(&env, Slot::Lost);
    let drop = l.graph.or(dropped, lost);

    let limit = limit(&mut l, &env);
    let tail = l.unchanged_tail(&parsed);
    let deparsed = l.deparsed(&parsed);
    l.finish_state();
    (l, Outcome { drop, port, limit, deparsed }, tail)
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

fn limit(l: &mut Lowering<'_>, env: &Environment) -> ValueId {
    let asked = l.get(env, Slot::Request(Request::Truncate));
    let length = l.get(env, Slot::Request(Request::TruncateLength));
    let none = l.graph.constant(16, 0xffffu32);
    let fits = l.below(length, 0xffff);
    let low = l.graph.slice(length, 0, 16);
    let limited = l.graph.and(asked, fits);
    l.graph.mux(limited, low, none)
}

fn refuse_copies(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    env: &Environment,
    request: Request,
) {
    let asked = l.get(env, Slot::Request(request));
    if l.graph.as_bit(asked) != Some(false) {
        l.refuse(Reason::Copies, "", Some(pipeline.blocks[INGRESS].span));
    }
}
