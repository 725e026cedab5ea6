//! What each optimiser of the emitter gains: designs of one program, with all of them and with one
//! left out, side by side.

use crate::design::Design;
use crate::emit::{EmitOptions, Optimiser, Optimisers};
use crate::manifest::ObjectKind;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Name of the design with all optimisers.
const ALL: &str = "all";
/// Name of the design without any.
const NONE: &str = "none";

/// What a design costs, as far as the emitter knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The optimiser that is left out; `all` with none left out, `none` with all.
    pub without: String,
    /// Clocks in the pipelines, from the head to the new headers: those of all pipelines together.
    pub clocks: u32,
    /// Bits of the registers between the stages of the pipelines.
    pub register_bits: u64,
    /// Bits of the tables' memories.
    pub memory_bits: u64,
    /// Bits of tables' entries in flip-flops, which each lookup is compared with.
    pub compared_bits: u64,
    /// Tables that software fills.
    pub tables: usize,
    /// Lines of SystemVerilog, without the blocks of `rtl/`.
    pub lines: usize,
}

impl Cost {
    /// Of a design.
    pub fn new(without: &str, design: &Design) -> Self {
        let objects = || {
            design.manifest.objects.iter().filter_map(|object| match &object.kind {
                ObjectKind::Table(table) => Some(table),
                _ => None,
            })
        };
        let sections = &design.manifest.timing.sections;
        Self {
            without: without.to_owned(),
            clocks: sections.iter().map(|section| section.latency).sum(),
            register_bits: sections.iter().map(|section| section.register_bits).sum(),
            memory_bits: objects().map(|table| table.memory_bits).sum(),
            compared_bits: objects().map(|table| table.compared_bits).sum(),
            tables: objects().filter(|table| table.has_entries()).count(),
            lines: design.files.iter().map(|file| file.text.lines().count()).sum(),
        }
    }
}

/// Sets of optimisers to compare, with their names.
pub fn variants() -> Vec<(&'static str, Optimisers)> {
    let without = |o: Optimiser| (o.name(), Optimisers::all().without(o));
    let mut list = vec![(ALL, Optimisers::all())];
    list.extend(Optimiser::ALL.map(without));
    list.push((NONE, Optimisers::none()));
    list
}

/// The costs of a program's designs; `design` makes one. One that hardware does not hold without
/// an optimiser is left out, and said.
///
/// # Errors
/// With all optimisers at work there is no design.
pub fn compare(
    options: &EmitOptions,
    design: impl Fn(&EmitOptions) -> Result<Design, String>,
) -> Result<(Vec<Cost>, Vec<String>), String> {
    let (mut costs, mut refused) = (Vec::new(), Vec::new());
    for (name, optimisers) in variants() {
        match design(&EmitOptions { optimisers, ..options.clone() }) {
            Ok(design) => costs.push(Cost::new(name, &design)),
            Err(error) if name == ALL => return Err(error),
            Err(error) => refused.push(format!("{name}: {error}")),
        }
    }
    Ok((costs, refused))
}

/// As a table in Markdown, which is readable as it is.
pub fn text(program: &str, costs: &[Cost], refused: &[String]) -> String {
    let mut text = format!(
        "| `{program}` without | clocks | register bits | table memory bits | compared bits | tables | lines |\n\
         |---|---|---|---|---|---|---|\n"
    );
    for cost in costs {
        let name = match cost.without.as_str() {
            ALL => "nothing".to_owned(),
            NONE => "all of them".to_owned(),
            name => format!("`{name}`"),
        };
        let Cost { clocks, register_bits, memory_bits, compared_bits, tables, lines, .. } = cost;
        let _ = writeln!(
            text,
            "| {name} | {clocks} | {register_bits} | {memory_bits} | {compared_bits} | {tables} | {lines} |"
        );
    }
    for line in refused {
        let _ = writeln!(text, "not held without {line}");
    }
    text
}
