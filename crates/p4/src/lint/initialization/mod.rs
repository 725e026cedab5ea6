//! Variables and `out` parameters that are read before they have a value, and `out` parameters
//! that never get one (§6.8, §11.2).
//!
//! A forward walk along the paths of each body. What the actions of a table write counts as
//! written behind its application, because the control plane sees to it; a loop is taken to run
//! at least once.

mod expressions;
mod slots;
mod statements;

use super::parser_flow::{self, ParserFlow};
use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Action, ActionId, Block, Control, Direction, Expr, Local, Parameter, Parser, Program, Stmt,
    TableId, Type,
};
use crate::source::Span;
use slots::{Bits, Slots};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    let inner = Inner::of(program);
    let mut flow = Flow {
        program,
        sink,
        slots: Slots::new(program),
        state: None,
        report: true,
        shared: 0,
        exposed: Vec::new(),
        written: Bits::default(),
        reported: HashSet::new(),
        loops: Vec::new(),
        summaries: HashMap::new(),
        tables: HashMap::new(),
    };
    for f in &program.functions {
        flow.body_alone(&f.parameters, &f.body);
    }
    for a in program.actions.iter().filter(|a| a.control.is_none()) {
        flow.body_alone(&a.parameters, &a.body);
    }
    for (n, c) in program.controls.iter().enumerate() {
        flow.control(c, inner.controls.contains(&(n as u32)));
    }
    for (n, p) in program.parsers.iter().enumerate() {
        flow.parser(p, inner.parsers.contains(&(n as u32)));
    }
}

/// Parsers and controls that others of the program apply: their parameters are the author's, not
/// the architecture's.
#[derive(Default)]
struct Inner {
    parsers: HashSet<u32>,
    controls: HashSet<u32>,
}

impl Inner {
    fn of(program: &Program) -> Self {
        let mut inner = Inner::default();
        let locals = program
            .parsers
            .iter()
            .map(|p| &p.locals)
            .chain(program.controls.iter().map(|c| &c.locals));
        for local in locals.flatten() {
            match local {
                Local::Instance(d) => match d.ty {
                    Type::Parser(id) => drop(inner.parsers.insert(id.0)),
                    Type::Control(id) => drop(inner.controls.insert(id.0)),
                    _ => {}
                },
                Local::Variable(..) | Local::ValueSet { .. } => {}
            }
        }
        inner
    }
}

/// What is known at a point of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// Written on every path that leads here.
    must: Bits,
    /// Written on some path that leads here.
    may: Bits,
}

/// A read in an action of a variable that the control declares.
#[derive(Clone)]
struct Exposed {
    slots: Range<u32>,
    span: Span,
}

/// What running an action means for the control's variables.
#[derive(Clone, Default)]
struct Summary {
    reads: Vec<Exposed>,
    must: Bits,
    may: Bits,
}

#[derive(Default)]
struct LoopExits {
    breaks: Option<State>,
    continues: Option<State>,
}

struct Flow<'a, 's> {
    program: &'a Program,
    sink: &'a mut Sink<'s>,
    slots: Slots<'a>,
    /// `None` where no path leads.
    state: Option<State>,
    /// Off while a parser's states are walked for the first times.
    report: bool,
    /// In an action: slots below belong to the control.
    shared: u32,
    exposed: Vec<Exposed>,
    /// All slots written anywhere in the body.
    written: Bits,
    reported: HashSet<u32>,
    loops: Vec<LoopExits>,
    summaries: HashMap<ActionId, Summary>,
    tables: HashMap<TableId, Summary>,
}

fn join(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.must.keep(&b.must);
            a.may.add(&b.may);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

impl Flow<'_, '_> {
    fn fresh(&self) -> Option<State> {
        let count = self.slots.count();
        Some(State { must: Bits::new(count), may: Bits::new(count) })
    }

    fn begin(&mut self) {
        self.state = self.fresh();
        self.written = Bits::new(self.slots.count());
        self.reported.clear();
        self.exposed.clear();
        self.loops.clear();
        self.shared = 0;
        self.report = true;
    }

    fn add_outs(&mut self, parameters: &[Parameter]) {
        for p in parameters.iter().filter(|p| p.direction == Direction::Out) {
            self.slots.add(p.var);
        }
    }

    fn body_alone(&mut self, parameters: &[Parameter], body: &Block) {
        self.slots.clear();
        self.add_outs(parameters);
        self.slots.add_locals(body);
        if self.slots.count() == 0 {
            return;
        }
        self.begin();
        self.block(body);
        self.never_written(parameters);
    }

    /// Complains about `out` parameters that nothing writes.
    fn never_written(&mut self, parameters: &[Parameter]) {
        for p in parameters.iter().filter(|p| p.direction == Direction::Out) {
            let Some(slots) = self.slots.of(p.var) else { continue };
            let untouched = |n| !self.written.contains(n) && !self.reported.contains(&n);
            if slots.is_empty() || !slots.clone().all(untouched) {
                continue;
            }
            let v = &self.program[p.var];
            if !v.name.starts_with('_') {
                let message = format!("`out` parameter `{}` is never written", v.name);
                let d = Diagnostic::warning(v.span, message)
                    .label("the caller's variable loses its value");
                self.sink.warn(Lint::UninitializedOutParam, d);
            }
        }
    }

    fn control(&mut self, c: &Control, inner: bool) {
        self.slots.clear();
        self.add_outs(&c.parameters);
        for local in &c.locals {
            if let Local::Variable(var, _) = local {
                self.slots.add(*var);
            }
        }
        let shared = self.slots.count();
        let actions: Vec<(ActionId, &Action)> =
            c.actions.iter().map(|&id| (id, &self.program[id])).collect();
        for (_, a) in &actions {
            self.add_outs(&a.parameters);
            self.slots.add_locals(&a.body);
        }
        self.slots.add_locals(&c.body);
        if self.slots.count() == 0 {
            return;
        }
        self.begin();
        let mut written = self.written.clone();
        for (id, a) in actions {
            self.begin();
            self.shared = shared;
            self.block(&a.body);
            self.never_written(&a.parameters);
            let end = self.state.take();
            let summary = Summary {
                reads: std::mem::take(&mut self.exposed),
                // An action that always ends everything leaves nobody to read.
                must: end.map_or_else(|| self.written.clone(), |s| s.must),
                may: self.written.clone(),
            };
            written.add(&self.written);
            self.summaries.insert(id, summary);
        }
        self.begin();
        self.locals(&c.locals);
        self.block(&c.body);
        if inner {
            self.written.add(&written);
            self.never_written(&c.parameters);
        }
    }

    fn locals(&mut self, locals: &[Local]) {
        for local in locals {
            if let Local::Variable(var, Some(init)) = local {
                self.read(init);
                if let Some(slots) = self.slots.of(*var) {
                    self.wrote(slots);
                }
            }
        }
    }

    fn parser(&mut self, p: &Parser, inner: bool) {
        self.slots.clear();
        self.add_outs(&p.parameters);
        for local in &p.locals {
            if let Local::Variable(var, _) = local {
                self.slots.add(*var);
            }
        }
        p.states.iter().for_each(|s| self.slots.add_declared(&s.body));
        if self.slots.count() == 0 {
            return;
        }
        self.begin();
        self.locals(&p.locals);
        parser_flow::run(self, p);
        if inner {
            self.never_written(&p.parameters);
        }
    }
}

impl ParserFlow for Flow<'_, '_> {
    type State = State;

    fn state(&mut self) -> &mut Option<State> {
        &mut self.state
    }

    fn join(a: Option<State>, b: Option<State>) -> Option<State> {
        join(a, b)
    }

    fn reports(&mut self, on: bool) {
        self.report = on;
    }

    fn statements(&mut self, list: &[Stmt]) {
        self.statements(list);
    }

    fn read(&mut self, e: &Expr) {
        self.read(e);
    }
}
