//! Uses of fields of headers that are certainly invalid (§8.18).
//!
//! A forward walk along the paths of each body: `extract`, `setValid`, `setInvalid`, assignments
//! and `isValid()` in conditions tell; whatever else may change a header makes it unknown.

mod effects;
mod expressions;
mod paths;
mod statements;

use super::Sink;
use super::parser_flow::{self, ParserFlow};
use crate::ir::visit;
use crate::ir::{Const, Direction, Expr, ExprKind, Local, Parameter, Program, Stmt};
use effects::Effects;
use paths::{HeaderPaths, Node};

pub(super) fn run(program: &Program, sink: &mut Sink) {
    for f in &program.functions {
        let paths = paths::of_block(program, &f.body);
        if let Some(mut flow) = Flow::new(program, sink, paths, &f.parameters) {
            flow.statements(&f.body.statements);
        }
    }
    for a in program.actions.iter() {
        let paths = paths::of_block(program, &a.body);
        if let Some(mut flow) = Flow::new(program, sink, paths, &a.parameters) {
            flow.statements(&a.body.statements);
        }
    }
    for c in &program.controls {
        let paths = paths::collect(program, |v| {
            visit::locals(v, &c.locals);
            visit::block(v, &c.body);
            c.actions.iter().for_each(|&a| visit::block(v, &program[a].body));
            for a in c.tables.iter().flat_map(|&t| &program[t].actions) {
                a.bound.iter().flat_map(|b| &b.value).for_each(|e| visit::expression(v, e));
            }
        });
        if let Some(mut flow) = Flow::new(program, sink, paths, &c.parameters) {
            flow.locals(&c.locals);
            flow.statements(&c.body.statements);
        }
    }
    for p in &program.parsers {
        let paths = paths::collect(program, |v| {
            visit::locals(v, &p.locals);
            for s in &p.states {
                visit::statements(v, &s.body);
                visit::transition(v, &s.transition);
            }
        });
        if let Some(mut flow) = Flow::new(program, sink, paths, &p.parameters) {
            flow.locals(&p.locals);
            parser_flow::run(&mut flow, p);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Validity {
    Unknown,
    Valid,
    Invalid,
}

/// The validity of each place; `None` where no path leads.
type State = Option<Vec<Validity>>;

fn join(a: State, b: State) -> State {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            for (x, y) in a.iter_mut().zip(b) {
                if *x != y {
                    *x = Validity::Unknown;
                }
            }
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

struct Flow<'a, 's> {
    program: &'a Program,
    sink: &'a mut Sink<'s>,
    paths: HeaderPaths,
    effects: Effects,
    state: State,
    /// Off while a parser's states are walked for the first times.
    report: bool,
    /// On while the body of an action that is called is walked.
    follows: bool,
    /// What leaves each enclosing loop by `break`.
    breaks: Vec<State>,
}

impl<'a, 's> Flow<'a, 's> {
    /// The state at the begin of a body, or `None` if it has no headers.
    fn new(
        program: &'a Program,
        sink: &'a mut Sink<'s>,
        paths: HeaderPaths,
        parameters: &[Parameter],
    ) -> Option<Self> {
        if !paths.has_headers() {
            return None;
        }
        let state = Some(vec![Validity::Unknown; paths.count()]);
        let mut flow = Flow {
            program,
            sink,
            paths,
            effects: Effects::default(),
            state,
            report: true,
            follows: false,
            breaks: Vec::new(),
        };
        // Headers of an `out` parameter begin invalid (§6.8).
        for p in parameters.iter().filter(|p| p.direction == Direction::Out) {
            if let Some(n) = flow.paths.root(p.var) {
                flow.set_within(n, Validity::Invalid);
            }
        }
        Some(flow)
    }

    fn set(&mut self, n: Node, to: Validity) {
        if let Some(v) = self.state.as_mut().and_then(|s| s.get_mut(n as usize)) {
            *v = to;
        }
    }

    fn set_within(&mut self, n: Node, to: Validity) {
        for n in self.paths.within(n) {
            self.set(n, to);
        }
    }

    fn forget(&mut self, nodes: impl IntoIterator<Item = Node>) {
        for n in nodes {
            self.set_within(n, Validity::Unknown);
        }
    }

    fn get(&self, n: Node) -> Validity {
        let known = self.state.as_ref().and_then(|s| s.get(n as usize));
        known.copied().unwrap_or(Validity::Unknown)
    }

    /// A header becomes valid; then no other member of its union is.
    fn becomes_valid(&mut self, n: Node) {
        let siblings: Vec<Node> = self.paths.siblings(n).collect();
        siblings.into_iter().for_each(|m| self.set(m, Validity::Invalid));
        self.set(n, Validity::Valid);
    }

    fn locals(&mut self, locals: &[Local]) {
        for local in locals {
            if let Local::Variable(var, init) = local {
                init.iter().for_each(|e| self.read(e));
                if let Some(n) = self.paths.root(*var) {
                    self.gets(n, init.as_ref());
                }
            }
        }
    }

    /// A place gets a value; without one its headers are invalid.
    fn gets(&mut self, n: Node, value: Option<&Expr>) {
        let Some(value) = value else {
            self.set_within(n, Validity::Invalid);
            return;
        };
        let validity = match &value.kind {
            ExprKind::Invalid | ExprKind::Default | ExprKind::Const(Const::Invalid) => {
                self.set_within(n, Validity::Invalid);
                return;
            }
            ExprKind::Struct(_)
            | ExprKind::StructInOrder(..)
            | ExprKind::Const(Const::Aggregate(_)) => Validity::Valid,
            _ => self.paths.find(value).map_or(Validity::Unknown, |from| self.get(from)),
        };
        self.set_within(n, Validity::Unknown);
        if self.paths.is_header(n) {
            match validity {
                Validity::Valid => self.becomes_valid(n),
                other => self.set(n, other),
            }
        }
    }
}

impl ParserFlow for Flow<'_, '_> {
    type State = Vec<Validity>;

    fn state(&mut self) -> &mut State {
        &mut self.state
    }

    fn join(a: State, b: State) -> State {
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
