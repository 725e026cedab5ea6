//! Warnings for what is legal but suspicious.
//!
//! Each pass looks for one kind of thing and never changes the program. Passes about names walk
//! the syntax tree; passes about meaning walk the typed IR. A warning ends with its lint's name in
//! brackets, and `@noWarn("name")` at a declaration or statement around it silences it. Code in
//! Wirewright's own include files never gives warnings.

mod conditions;
mod contradictions;
mod deprecated;
mod entries;
mod initialization;
mod keysets;
mod overwritten;
mod parser_flow;
mod ranges;
mod select_cases;
mod shadowed;
mod statements;
mod states;
mod suppress;
mod survey;
mod tables;
mod unattached;
mod unused;
mod validity;

use crate::ast;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir;
use crate::limits;
use crate::source::{FileId, SourceMap, Span};
use std::collections::HashSet;
use suppress::Regions;

/// The kinds of warnings that passes of this module give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lint {
    /// A declaration that nothing uses.
    Unused,
    /// Code, states or cases that are never reached.
    Unreachable,
    /// A variable or `out` parameter that is read before it has a value.
    UninitializedUse,
    /// An `out` parameter that is never written.
    UninitializedOutParam,
    /// A field of a header that is certainly invalid.
    InvalidHeader,
    /// A declaration that hides one further out.
    Shadow,
    /// An entry of a table that another one hides.
    OverlappingEntries,
    /// Entries of one table with equal priorities (§14.2.1.4).
    DuplicatePriorities,
    /// Entries whose order differs from that of their priorities (§14.2.1.4).
    EntriesOutOfPriorityOrder,
    /// A condition or comparison with only one possible outcome.
    ConstantCondition,
    /// Parser states that run in circles without end.
    ParserLoop,
    /// A table whose entries cannot make a difference.
    UselessTable,
    /// Use of what is annotated `@deprecated`.
    Deprecated,
    /// A field that the switch sets itself after the program wrote to it.
    OverwrittenField,
    /// A direct object that belongs to no table.
    Unattached,
    /// What is legal and no engine can carry out.
    Unexecutable,
    /// Beyond a limit that all engines have: see [`crate::limits`].
    EngineLimit,
}

impl Lint {
    /// All lints.
    pub const ALL: [Lint; 17] = [
        Lint::Unused,
        Lint::Unreachable,
        Lint::UninitializedUse,
        Lint::UninitializedOutParam,
        Lint::InvalidHeader,
        Lint::Shadow,
        Lint::OverlappingEntries,
        Lint::DuplicatePriorities,
        Lint::EntriesOutOfPriorityOrder,
        Lint::ConstantCondition,
        Lint::ParserLoop,
        Lint::UselessTable,
        Lint::Deprecated,
        Lint::OverwrittenField,
        Lint::Unattached,
        Lint::Unexecutable,
        Lint::EngineLimit,
    ];

    /// The stable name: in brackets at a warning's end, and the argument of `@noWarn`. Names that
    /// the specification fixes, and those that published programs use, are spelled as there.
    pub fn name(self) -> &'static str {
        match self {
            Lint::Unused => "unused",
            Lint::Unreachable => "unreachable",
            Lint::UninitializedUse => "uninitialized_use",
            Lint::UninitializedOutParam => "uninitialized_out_param",
            Lint::InvalidHeader => "invalid_header",
            Lint::Shadow => "shadow",
            Lint::OverlappingEntries => "overlapping_entries",
            Lint::DuplicatePriorities => "duplicate_priorities",
            Lint::EntriesOutOfPriorityOrder => "entries_out_of_priority_order",
            Lint::ConstantCondition => "constant_condition",
            Lint::ParserLoop => "parser_loop",
            Lint::UselessTable => "useless_table",
            Lint::Deprecated => "deprecated",
            Lint::OverwrittenField => "overwritten_field",
            Lint::Unattached => "unattached",
            Lint::Unexecutable => "unexecutable",
            Lint::EngineLimit => "engine_limit",
        }
    }
}

/// More warnings than this are counted, not shown.
const MAX_WARNINGS: usize = 1000;

/// Adds warnings about a program that passed the check.
pub fn lint(
    ast: &ast::Program,
    program: &ir::Program,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) {
    let mut survey = survey::survey(ast);
    let silenced = std::mem::take(&mut survey.regions).prepare();
    let mut sink = Sink::new(sources, silenced);
    // A program's own file is the one with `main`; without it the file is a library, whose top
    // level is there for others to use.
    let own = program
        .main
        .and_then(|id| program.instances.get(id.index()))
        .map(|main| main.span.file)
        .filter(|file| *file != Span::NONE.file);
    unused::run(&survey.symbols, own, &mut sink);
    shadowed::run(&survey.symbols, &mut sink);
    deprecated::run(&survey, program, &mut sink);
    statements::run(program, &mut sink);
    states::run(program, &mut sink);
    select_cases::run(program, &mut sink);
    entries::run(program, &mut sink);
    tables::run(program, &mut sink);
    conditions::run(program, &mut sink);
    initialization::run(program, &mut sink);
    validity::run(program, &mut sink);
    contradictions::run(program, &mut sink);
    overwritten::run(program, &mut sink);
    unattached::run(program, &mut sink);
    for limit in [limits::cells(program), limits::operations(program)] {
        limit.into_iter().for_each(|found| sink.warn(Lint::EngineLimit, found.into_warning()));
    }
    sink.deliver(diagnostics);
}

/// Collects the warnings of all passes.
struct Sink<'a> {
    sources: &'a SourceMap,
    silenced: Regions,
    system: Vec<bool>,
    seen: HashSet<(Span, Lint, String)>,
    found: Vec<Diagnostic>,
    dropped: usize,
}

impl<'a> Sink<'a> {
    fn new(sources: &'a SourceMap, silenced: Regions) -> Self {
        let system = sources.files().map(|f| f.is_system).collect();
        Self { sources, silenced, system, seen: HashSet::new(), found: Vec::new(), dropped: 0 }
    }

    /// Whether a file belongs to Wirewright (or to nobody).
    fn is_system(&self, file: FileId) -> bool {
        self.system.get(file.0 as usize).copied().unwrap_or(true)
    }

    /// A place as the author wrote it, without blanks.
    fn text(&self, span: Span) -> String {
        self.sources.snippet(span).split_whitespace().collect()
    }

    /// Adds a warning unless it is silenced or was given before.
    fn warn(&mut self, lint: Lint, mut diagnostic: Diagnostic) {
        let span = diagnostic.span;
        if self.is_system(span.file) || self.silenced.contains(lint.name(), span) {
            return;
        }
        if self.found.len() >= MAX_WARNINGS {
            self.dropped += 1;
            return;
        }
        if self.seen.insert((span, lint, diagnostic.message.clone())) {
            diagnostic.message.push_str(&format!(" [{}]", lint.name()));
            self.found.push(diagnostic);
        }
    }

    fn deliver(self, diagnostics: &mut Diagnostics) {
        for d in self.found {
            diagnostics.push(d);
        }
        if self.dropped > 0 {
            diagnostics.warning(Span::NONE, format!("... and {} more warnings", self.dropped));
        }
    }
}
