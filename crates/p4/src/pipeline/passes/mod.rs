//! Optimisation passes. Each keeps what the pipeline does to every packet, and can be left out.
//!
//! Fields, headers, tables, actions and objects keep their numbers; nodes and states do not. The
//! result of every pass satisfies [`super::verify`].
//!
//! The passes rely on the rules of the pipeline IR (fields of invalid headers are zero, local
//! fields are written before they are read) and keep them, but for one thing: a field that is not
//! read any more need not be written, so that its value means nothing. [`live_fields`] tells
//! which fields are read at all.

mod algebra;
mod constants_and_copies;
mod control_flow;
mod dead_code;
mod facts;
mod field_sets;
mod if_conversion;
mod liveness;
mod lookups;
mod parse_graph;
mod switch_fields;
mod tables_as_code;
#[cfg(test)]
mod tests;

pub use liveness::live_fields;
pub use lookups::lookup_groups;
pub use parse_graph::{can_time_out, start_offsets};
pub use tables_as_code::{constant_entries, entry_condition};

use super::Pipeline;

/// Most times that constants and dead code are looked for: each may uncover more of the other.
const MAX_ROUNDS: usize = 4;

/// Which passes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Tables that nobody can change become control flow.
    pub tables_as_code: bool,
    /// Constants and copies are propagated, known branches folded.
    pub constants_and_copies: bool,
    /// Operations whose results nobody reads go.
    pub dead_code: bool,
    /// Small branches become selections.
    pub if_conversion: bool,
    /// Parser states that follow each other become one.
    pub parse_graph: bool,
}

impl Passes {
    /// Names of the passes, in the order in which they run, with what they do.
    pub const NAMES: [(&'static str, &'static str); 5] = [
        ("tables-as-code", "turns tables that nobody can change into control flow"),
        ("constants-and-copies", "propagates constants and copies, folds known branches"),
        ("dead-code", "removes operations whose results nobody reads"),
        ("if-conversion", "turns small branches into selections"),
        ("parse-graph", "joins parser states that follow each other"),
    ];

    /// All passes.
    pub const fn all() -> Self {
        Self {
            tables_as_code: true,
            constants_and_copies: true,
            dead_code: true,
            if_conversion: true,
            parse_graph: true,
        }
    }

    /// No pass.
    pub const fn none() -> Self {
        Self {
            tables_as_code: false,
            constants_and_copies: false,
            dead_code: false,
            if_conversion: false,
            parse_graph: false,
        }
    }

    /// The same with one pass switched on or off; `None` if no pass has this name.
    pub fn with(mut self, name: &str, on: bool) -> Option<Self> {
        let slot = match name {
            "tables-as-code" => &mut self.tables_as_code,
            "constants-and-copies" => &mut self.constants_and_copies,
            "dead-code" => &mut self.dead_code,
            "if-conversion" => &mut self.if_conversion,
            "parse-graph" => &mut self.parse_graph,
            _ => return None,
        };
        *slot = on;
        Some(self)
    }
}

impl Default for Passes {
    fn default() -> Self {
        Self::all()
    }
}

/// What the passes did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Applications of tables that became control flow.
    pub tables_as_code: u64,
    /// Expressions and operations that became simpler, branches and rows that were decided.
    pub simplified: u64,
    /// Dead operations and results.
    pub dead: u64,
    /// Branches that became selections.
    pub converted: u64,
    /// Nodes of control-flow graphs that are gone, beside those of other passes.
    pub nodes: u64,
    /// Parser states that are gone.
    pub states: u64,
}

/// Runs passes on a pipeline that satisfies [`super::verify`].
pub fn optimise(pipeline: &mut Pipeline, passes: Passes) -> Report {
    let mut report = Report::default();
    if passes == Passes::none() {
        return report;
    }
    if passes.tables_as_code {
        report.tables_as_code += tables_as_code::run(pipeline);
        report.nodes += control_flow::tidy(pipeline);
    }
    simplify(pipeline, passes, &mut report);
    if passes.if_conversion {
        let converted = if_conversion::run(pipeline);
        report.converted += converted;
        report.nodes += control_flow::tidy(pipeline);
        if converted > 0 {
            simplify(pipeline, passes, &mut report);
        }
    }
    if passes.parse_graph {
        super::parse_loops::find(pipeline);
        report.states += parse_graph::run(pipeline);
    }
    super::parse_loops::find(pipeline);
    parse_graph::fix_offsets(pipeline);
    report
}

fn simplify(pipeline: &mut Pipeline, passes: Passes, report: &mut Report) {
    for _ in 0..MAX_ROUNDS {
        let mut changes = 0;
        if passes.constants_and_copies {
            let count = constants_and_copies::run(pipeline);
            report.simplified += count;
            report.nodes += control_flow::tidy(pipeline);
            changes += count;
        }
        if passes.dead_code {
            let count = dead_code::run(pipeline);
            report.dead += count;
            report.nodes += control_flow::tidy(pipeline);
            changes += count;
        }
        if changes == 0 {
            break;
        }
    }
}
