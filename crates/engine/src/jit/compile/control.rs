//! Control-flow graphs and the application of tables.

use super::emitter::{Emitter, Known, both};
use super::tables::Application;
use crate::jit::packet::{PacketHead, status};
use cranelift_codegen::ir::{Block, InstBuilder};
use std::mem::offset_of;
use ww_dataplane::DropReason;
use ww_dataplane::control::Schema;
use ww_p4::pipeline::{ControlGraph, Expr, NodeId, NodeKind};

/// What is known where a graph ends, by the two ways in which it can; `None` if it does not end
/// that way.
#[derive(Default)]
pub struct Endings {
    /// By its end.
    pub end: Option<Known>,
    /// By `exit`.
    pub exit: Option<Known>,
}

impl Endings {
    /// Of a graph whose two ways lead to one place.
    fn ends(self) -> Known {
        let mut known = self.end;
        arrive(&mut known, self.exit);
        known.unwrap_or_default()
    }
}

/// One more way on which something is known leads to a place.
pub fn arrive(place: &mut Option<Known>, known: Option<Known>) {
    *place = match (place.take(), known) {
        (Some(one), Some(other)) => Some(both(one, &other)),
        (one, other) => one.or(other),
    };
}

impl Emitter<'_, '_> {
    /// Makes a control or deparser; goes on in a new block behind it.
    pub fn control(&mut self, graph: &ControlGraph, schema: &Schema) {
        let end = self.b.create_block();
        let known = self.graph(graph, schema, end, end).ends();
        self.enter(end, known);
    }

    /// Makes a graph that ends in one of two blocks.
    pub fn graph(
        &mut self,
        graph: &ControlGraph,
        schema: &Schema,
        end: Block,
        exit: Block,
    ) -> Endings {
        let blocks: Vec<Block> = graph.nodes.iter().map(|_| self.b.create_block()).collect();
        let mut endings = Endings::default();
        let Some(first) = blocks.first() else {
            endings.end = Some(std::mem::take(&mut self.known));
            self.jump(end);
            return endings;
        };
        self.jump(*first);
        let mut arriving: Vec<Option<Known>> = vec![None; blocks.len()];
        arriving[0] = Some(std::mem::take(&mut self.known));
        let at = |node: NodeId| blocks[node.index()];
        let turns = self.turns(graph, schema);
        for (n, node) in graph.nodes.iter().enumerate() {
            let known = match node.kind {
                // What is known in front of a loop need not be known in its next round.
                NodeKind::Loop { .. } => Known::new(),
                _ => arriving[n].take().unwrap_or_default(),
            };
            self.enter(blocks[n], known);
            if self.is_full() {
                self.give(status::DONE);
                continue;
            }
            match &node.kind {
                NodeKind::Block { ops, next } => {
                    for op in ops {
                        if self.is_full() {
                            break;
                        }
                        self.operation(op);
                    }
                    self.jump(at(*next));
                }
                NodeKind::Branch { condition, then, otherwise } => {
                    let condition = self.eval(condition)[0];
                    self.b.ins().brif(condition, at(*then), &[], at(*otherwise), &[]);
                }
                NodeKind::Switch { value, cases, default } => {
                    let cases = cases
                        .iter()
                        .flat_map(|case| case.values.iter().map(|value| (value, at(case.target))));
                    self.switch(value, cases, at(*default));
                }
                NodeKind::Apply { table, hit, action_run, next, exit: left, .. } => {
                    let left_block = left.map_or(exit, at);
                    let application = Application {
                        table: *table,
                        hit: *hit,
                        action_run: *action_run,
                        turn: &turns[n],
                        next: at(*next),
                        exit: left_block,
                    };
                    let ways = self.apply(schema, &application);
                    arrive(&mut arriving[next.index()], ways.end);
                    match left {
                        Some(left) => arrive(&mut arriving[left.index()], ways.exit),
                        None => arrive(&mut endings.exit, ways.exit),
                    }
                    continue;
                }
                NodeKind::Loop { body, .. } => {
                    let left = self.head(offset_of!(PacketHead, steps));
                    let less = self.b.ins().iadd_imm_s(left, -1);
                    self.set_head(offset_of!(PacketHead, steps), 8, less);
                    let lost = self.lost(DropReason::TooManySteps);
                    self.b.ins().brif(left, at(*body), &[], lost, &[]);
                }
                NodeKind::Continue { head } => {
                    self.jump(at(*head));
                    continue;
                }
                NodeKind::End => {
                    self.jump(end);
                    arrive(&mut endings.end, Some(std::mem::take(&mut self.known)));
                }
                NodeKind::Exit => {
                    self.jump(exit);
                    arrive(&mut endings.exit, Some(std::mem::take(&mut self.known)));
                }
            }
            node.kind.for_each_successor(&mut |next| {
                arrive(&mut arriving[next.index()], Some(self.known.clone()));
            });
        }
        endings
    }

    fn switch<'c>(
        &mut self,
        value: &Expr,
        cases: impl Iterator<Item = (&'c num_bigint::BigUint, Block)>,
        default: Block,
    ) {
        let subject = self.eval(value);
        if subject.len() == 1 {
            let mut switch = cranelift_frontend::Switch::new();
            for (case, target) in cases {
                let case = case.iter_u64_digits().next().unwrap_or(0);
                if !switch.entries().contains_key(&u128::from(case)) {
                    switch.set_entry(u128::from(case), target);
                }
            }
            return switch.emit(&mut self.b, subject[0], default);
        }
        for (case, target) in cases {
            let case = self.constant(value.width, case);
            let here = self.binary(ww_p4::pipeline::BinaryOp::Eq, &subject, &case, value.width)[0];
            let next = self.b.create_block();
            self.b.ins().brif(here, target, &[], next, &[]);
            self.b.switch_to_block(next);
        }
        self.jump(default);
    }
}
