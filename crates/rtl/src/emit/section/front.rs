//! Parser and ingress, and what a clone starts egress with.

use super::super::dataflow::ValueId;
use super::super::lower::{Environment, Lowering, Parsed, Request, Slot};
use super::block;
use super::kept::{keep_metadata, kept_name};
use super::outcome::instance_type;
use ww_p4::architecture::{Meaning, PathAction, Trigger};
use ww_p4::pipeline::{Body, ControlGraph, FieldId, NodeKind, OpKind, Pipeline, Scope, TableId};

/// Parser and ingress.
pub(super) struct Front {
    pub(super) parsed: Parsed,
    pub(super) env: Environment,
    pub(super) skip: ValueId,
}

pub(super) fn front(l: &mut Lowering<'_>, pipeline: &Pipeline, kept: &[FieldId]) -> Front {
    let always = l.graph.bit(true);
    let length = l.graph.input("length", 16);
    let port = l.graph.input("port", 16);
    let time = l.graph.input("arrival_time", 48);
    let packet_length = l.graph.input("packet_length", 16);
    let mut env = Environment::default();
    l.set_intrinsic(&mut env, Meaning::IngressPort, port);
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
        let kind = instance_type(l, kind, 0);
        l.set_intrinsic(&mut env, Meaning::InstanceType, kind);
    }
    l.set_intrinsic(&mut env, Meaning::PacketLength, packet_length);
    l.set_intrinsic(&mut env, Meaning::IngressTime, time);
    let parsed = match &pipeline.blocks[0].body {
        Body::Parser(graph) => l.parser(graph, env, length),
        Body::Control(_) => unreachable!("the architecture's first block is a parser"),
    };
    if l.reenters {
        // One byte more than the parser reaches tells whether a packet without headers has anything left.
        l.head_bytes += 1;
    }
    l.payload_begins(&parsed);
    let mut env = parsed.env.clone();
    let error = l.field(&env, pipeline.parser_error);
    l.set_intrinsic(&mut env, Meaning::ParserError, error);
    let architecture = pipeline.architecture;
    let checksum = architecture.intrinsic.iter().find(|f| f.meaning == Meaning::ChecksumError);
    let verifier = checksum.and_then(|field| architecture.block(field.block));
    for position in 1..architecture.sections.front.end {
        l.verifying = Some(position) == verifier;
        env = block(l, pipeline, position, env, always);
    }
    l.verifying = false;
    let skip = l.skip(&parsed);
    Front { parsed, env, skip }
}

/// Whether ingress asks for copies.
pub(super) fn makes_copies(l: &mut Lowering<'_>, env: &Environment) -> bool {
    let requests = [Request::Clone, Request::Resubmit, Request::Recirculate];
    let asked = requests.into_iter().any(|request| {
        let asked = l.get(env, Slot::Request(request));
        l.graph.as_bit(asked) != Some(false)
    });
    let group = multicast_group(l, env);
    asked || l.graph.as_number(group) != Some(0)
}

/// The multicast group that the packet goes to, 16 bits; 0 for none.
pub(super) fn multicast_group(l: &mut Lowering<'_>, env: &Environment) -> ValueId {
    let architecture = l.pipeline.architecture;
    let mut ends = architecture.paths_from(architecture.sections.front.end - 1);
    let field = ends.find_map(|end| match (end.action, end.when) {
        (PathAction::Replicate, Trigger::NotZero(field)) => l.pipeline.intrinsic_field(field),
        _ => None,
    });
    match field {
        Some(field) => {
            let group = l.field(env, field);
            l.graph.resize(group, 16)
        }
        None => l.graph.zero(16),
    }
}

/// Whether egress, or an action of some table, has a call that clones.
pub(super) fn clones_in_egress(pipeline: &Pipeline) -> bool {
    let clones = |graph: &ControlGraph| {
        graph.operations().any(|(_, op)| match &op.kind {
            OpKind::Extern(call) => call.object.is_none() && call.name.starts_with("clone"),
            _ => false,
        })
    };
    let controls = || {
        let blocks = &pipeline.blocks[pipeline.architecture.sections.egress.clone()];
        blocks.iter().filter_map(|block| match &block.body {
            Body::Control(graph) => Some(graph),
            Body::Parser(_) => None,
        })
    };
    let applied = |table: TableId| {
        controls().flat_map(|control| &control.nodes).any(
            |node| matches!(node.kind, NodeKind::Apply { table: applied, .. } if applied == table),
        )
    };
    let tables = pipeline.tables.iter().enumerate();
    controls().any(clones)
        || tables.filter(|(n, _)| applied(TableId(*n as u32))).any(|(_, table)| {
            table.actions.iter().any(|listed| clones(&pipeline[listed.action].body))
        })
}

/// What a clone of ingress starts egress with: the headers as parsed, fresh metadata but for
/// what it keeps.
pub(super) fn clone_environment(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    front: &Front,
) -> Environment {
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
    l.set_intrinsic(&mut env, Meaning::IngressPort, port);
    env
}
