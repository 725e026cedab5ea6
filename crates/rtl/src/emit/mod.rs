//! From the pipeline IR to SystemVerilog.
//!
//! - [`lower`] makes a dataflow graph of the program: control flow becomes conditions.
//! - [`dataflow`] holds the graph, and the schedule that says in which clock what happens.
//! - [`section`] puts the architecture's blocks together.
//! - [`implementation`] chooses the memories of tables, [`selector`] those of action selectors.
//! - [`verilog`] writes it down.

pub mod dataflow;
pub mod implementation;
pub mod lower;
pub mod options;
pub mod refusal;
pub mod section;
pub mod selector;
pub mod verilog;

use crate::design::Design;
use crate::library;
use dataflow::UnitKind;
use dataflow::schedule::{StateCycle, Timing, schedule};
use implementation::Implementation;
use lower::Lowering;
pub use options::{EmitOptions, MOST_PORTS, Optimiser, Optimisers, Shape};
pub use refusal::{Reason, Refusal};
use section::{Gate, Outcome};
use verilog::design::Timed;
use verilog::pipeline::Stages;
use ww_p4::pipeline::Pipeline;
use ww_p4::source::SourceMap;

/// Clocks that a register array takes to read.
const READ_LATENCY: u32 = 2;
/// Bytes of SystemVerilog at most: tools take minutes for more.
const MAX_TEXT: usize = 2 << 20;
/// Bytes of SystemVerilog for a register between two stages, at least: its declaration and what
/// it takes at a clock.
const REGISTER_TEXT: usize = 32;
/// Clocks until it is known whether a value set has a key.
const MEMBER_LATENCY: u32 = 1;
/// Clocks that a meter takes.
const METER_LATENCY: u32 = 8;

/// Makes a design of a pipeline. `program` is its name; `sources` say where something stands.
///
/// # Errors
/// What hardware cannot hold, each with its place in the program.
pub fn emit(
    pipeline: &Pipeline,
    program: &str,
    sources: Option<&SourceMap>,
    options: &EmitOptions,
) -> Result<Design, Vec<Refusal>> {
    let unknown = implementation::request::unknown(pipeline, options);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let mut sections = section::lower(pipeline, options)?;
    let front = timed(
        &mut sections.front,
        &sections.outcome,
        sections.copies.as_ref().map(|c| &c.gate),
        options,
    )?;
    let egress = match &mut sections.copies {
        Some(copies) => Some(timed(&mut copies.egress, &sections.outcome, None, options)?),
        None => None,
    };
    let timed_sections = [(&sections.front, Some(&front))]
        .into_iter()
        .chain(sections.copies.iter().map(|copies| (&copies.egress, egress.as_ref())));
    let registers: usize = timed_sections
        .filter_map(|(lowering, timed)| Some((lowering, timed?)))
        .map(|(lowering, timed)| {
            Stages::new(lowering, &timed.schedule, &|_| None, &timed.roots).registers()
        })
        .sum();
    let least = registers.saturating_mul(REGISTER_TEXT);
    if least > MAX_TEXT {
        return Err(too_large(pipeline, least));
    }
    let places = |span: ww_p4::source::Span| {
        let sources = sources?;
        let file = sources.file(span.file)?.path.file_name()?.to_string_lossy().into_owned();
        Some(format!("{file}:{}", sources.position(span)?.line))
    };
    let parts = verilog::design::Parts {
        program,
        sections: &sections,
        front: &front,
        egress: egress.as_ref(),
        options,
        places: &places,
    };
    let modules = options.sources_of(&sections)?;
    let mut design = verilog::design::design(&parts);
    let text = design.files.iter().map(|file| file.text.len()).sum::<usize>();
    if text > MAX_TEXT {
        return Err(too_large(pipeline, text));
    }
    for file in &modules {
        let is_block = file.name.strip_suffix(".sv").and_then(library::block).is_some();
        if is_block || design.files.iter().any(|own| own.name == file.name) {
            let what = format!("--module: the design has a file `{}` itself", file.name);
            return Err(vec![Refusal { reason: Reason::Module, what, span: None }]);
        }
    }
    design.files.splice(0..0, modules);
    Ok(design)
}

/// That a design has at least `bytes` of SystemVerilog.
fn too_large(pipeline: &Pipeline, bytes: usize) -> Vec<Refusal> {
    let span = pipeline.blocks.first().map(|block| block.span);
    let (mib, most) = (bytes as f64 / f64::from(1 << 20), MAX_TEXT >> 20);
    let what = format!("at least {mib:.1} MiB of SystemVerilog, where {most} MiB are the most");
    vec![Refusal { reason: Reason::Size, what, span }]
}

/// Chooses a section's tables and schedules it. What leaves it is the gate to egress, if there
/// is one, otherwise the outcome.
fn timed(
    lowering: &mut Lowering<'_>,
    outcome: &Outcome,
    gate: Option<&Gate>,
    options: &EmitOptions,
) -> Result<Timed, Vec<Refusal>> {
    let pipeline = lowering.pipeline;
    let mut tables: Vec<Option<Implementation>> = Vec::new();
    for (n, table) in pipeline.tables.iter().enumerate() {
        let copies = lowering.tables[n].copies.len() as u32;
        let chosen = (copies > 0).then(|| Implementation::choose(lowering, table, copies, options));
        tables.push(chosen);
    }
    if !lowering.refusals.is_empty() {
        return Err(std::mem::take(&mut lowering.refusals));
    }
    let single: Vec<bool> = lowering.arrays.iter().map(|array| array.ports.len() == 1).collect();
    let modules: Vec<u32> = lowering.modules.iter().map(|used| used.module.latency).collect();
    let latency = |kind: UnitKind| match kind {
        UnitKind::Module(n, _) => modules[n as usize],
        UnitKind::Lookup(table, _) => {
            tables[table as usize].as_ref().map_or(0, |table| table.latency)
        }
        UnitKind::Read(array, _) if single[array as usize] => READ_LATENCY,
        UnitKind::Meter(_) => METER_LATENCY,
        UnitKind::Member(..) => MEMBER_LATENCY,
        _ => 0,
    };
    let timing = Timing { levels: options.levels, latency: &latency };
    let mut roots = gate.map_or_else(|| outcome.roots(), Gate::roots);
    roots.extend(&lowering.alive);
    match schedule(&lowering.graph, &roots, &timing) {
        Ok(schedule) => Ok(Timed { schedule, tables, roots }),
        Err(StateCycle(array)) => {
            let instance = &pipeline[lowering.arrays[array as usize].object];
            let (name, span) = (instance.name.to_string(), instance.span);
            lowering.refuse(Reason::StateCycle, &name, Some(span));
            Err(std::mem::take(&mut lowering.refusals))
        }
    }
}
