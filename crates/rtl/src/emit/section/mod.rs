//! The architecture's sections as dataflow graphs: from the head of a packet to the headers that take its
//! place.
//!
//! A program whose packets only come and go is one graph. One that makes copies is two, ingress
//! and egress, with `ww_replicator` between; what egress needs of a packet crosses as bits, once
//! for the packet and once for its clone.
//!
//! - [`front`]: parser and ingress; [`back`]: egress, checksums and deparser.
//! - [`crossing`]: what goes from ingress to egress; [`kept`]: what packets keep that come back.
//! - [`outcome`]: what leaves a graph.

mod back;
mod crossing;
mod front;
mod kept;
mod outcome;

use super::dataflow::ValueId;
use super::lower::{Environment, Lowering, Slot};
use super::options::{EmitOptions, Optimiser};
use super::refusal::{Reason, Refusal};
use back::{EgressSide, back};
use crossing::{cross, crossed_originals, egress_lowering, originals, shared_arrays};
use front::{front, makes_copies};
use kept::{comes_back, kept_fields, kept_name};
pub use outcome::{Copies, EgressCopies, Gate, Outcome};
use ww_p4::pipeline::{Body, ControlGraph, FieldId, HeaderId, Pipeline, Scope};

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
pub fn lower<'p>(
    pipeline: &'p Pipeline,
    options: &'p EmitOptions,
) -> Result<Sections<'p>, Vec<super::Refusal>> {
    if let Some(path) = outcome::out_of_order(pipeline.architecture) {
        let what = format!(
            "architecture {}: hardware tries the paths of a block in the order clone, restart, \
             replicate, drop, enqueue; path `{path}` comes too late",
            pipeline.architecture.name
        );
        return Err(vec![Refusal { reason: Reason::Architecture, what, span: None }]);
    }
    let (sections, tail) = once(pipeline, options, Vec::new())?;
    if !options.optimisers.has(Optimiser::KeepUnchanged) || tail.is_empty() {
        return Ok(sections);
    }
    once(pipeline, options, tail).map(|(sections, _)| sections)
}

fn once<'p>(
    pipeline: &'p Pipeline,
    options: &'p EmitOptions,
    tail: Vec<HeaderId>,
) -> Result<(Sections<'p>, Vec<HeaderId>), Vec<super::Refusal>> {
    let mut l = Lowering::new(pipeline, options);
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
    split(pipeline, options, tail)
}

/// Lowers a program that makes copies.
fn split<'p>(
    pipeline: &'p Pipeline,
    options: &'p EmitOptions,
    tail: Vec<HeaderId>,
) -> Result<(Sections<'p>, Vec<HeaderId>), Vec<super::Refusal>> {
    // Egress is lowered first without knowing what packets keep, to find that out.
    let mut kept: Vec<FieldId> = Vec::new();
    let mut reenters = false;
    loop {
        let mut l = Lowering::new(pipeline, options);
        l.reenters = reenters;
        l.kept.clone_from(&tail);
        let front = front(&mut l, pipeline, &kept);
        l.keep_alive(&front.env);
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
        let kept = kept.iter().map(named).collect();
        let clones = outcome.clones(&egress);
        let copies = Copies { gate, egress, crossing, kept, reenters, clones };
        return Ok((Sections { front: l, copies: Some(copies), outcome }, found));
    }
}

/// Walks a control of the architecture.
pub(super) fn block(
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
