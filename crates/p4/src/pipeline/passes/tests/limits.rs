//! Large programs take time in proportion to their size.

use super::{Passes, Sample};
use crate::pipeline::blocks::{Body, ControlGraph, Node, NodeId, NodeKind};
use crate::pipeline::expression::{BinaryOp, Expr};
use crate::pipeline::fields::{Field, FieldId, FieldRole, FieldType, Scope};
use crate::pipeline::operations::{Op, OpKind};
use crate::pipeline::passes::optimise;
use crate::source::Span;
use std::time::{Duration, Instant};

/// Branches one after the other; on either way of each another field is assigned.
fn large(branches: u32) -> crate::pipeline::Pipeline {
    let mut pipeline = Sample::default().lowered();
    let first = pipeline.fields.len() as u32;
    for n in 0..branches {
        pipeline.fields.push(Field {
            name: format!("meta.many{n}").into(),
            width: 8,
            ty: FieldType::Bits,
            scope: Scope::Metadata,
            role: FieldRole::Variable,
            span: Span::NONE,
        });
    }
    // Kept fields may hold anything at the start, and are read at the end.
    pipeline.field_lists.push((2, (first..first + branches).map(FieldId).collect()));
    let field = |n: u32| Expr::field(FieldId(first + n % branches), &pipeline.fields);
    let mut nodes = Vec::new();
    let assign = |to: u32, value: Expr| Op {
        kind: OpKind::Assign { to: FieldId(first + to), value, guard: None },
        span: Span::NONE,
    };
    for n in 0..branches {
        let at = n * 3;
        // Division keeps it from becoming a selection.
        let value = Expr::binary(BinaryOp::Div, field(n.wrapping_mul(7919)), field(n + 1));
        let condition = field(n + 2).equals(Expr::constant(8, 3u32));
        let kinds = [
            NodeKind::Branch { condition, then: NodeId(at + 1), otherwise: NodeId(at + 2) },
            NodeKind::Block { ops: vec![assign(n, value)], next: NodeId(at + 3) },
            NodeKind::Block { ops: vec![assign(n, Expr::one(8))], next: NodeId(at + 3) },
        ];
        nodes.extend(kinds.map(|kind| Node { kind, span: Span::NONE }));
    }
    nodes.push(Node { kind: NodeKind::End, span: Span::NONE });
    let ingress = pipeline.blocks.iter_mut().find(|b| b.description.parameter == "ig");
    ingress.expect("there is one").body = Body::Control(ControlGraph { nodes });
    pipeline
}

#[test]
fn time_grows_with_size() {
    let mut pipeline = large(1 << 14);
    let start = Instant::now();
    let report = optimise(&mut pipeline, Passes::all());
    println!("{:?} {report:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
