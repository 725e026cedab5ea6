//! Operations of a program when everything that it calls is counted at each call: a program in
//! which every function calls the one before twice doubles with each of them.

use crate::diagnostic::Diagnostic;
use crate::frontend::with_stack;
use crate::ir::visit::{self, Visitor};
use crate::ir::{
    ActionId, Block, Call, CallArgument, Callee, ConstructorValue, Expr, ExprKind, FunctionId,
    InstanceId, InstanceKind, Local, Program, Stmt, StmtKind, TableId, VarId,
};
use crate::source::Span;
use std::collections::HashMap;

/// The most operations of a program: 2^20. Statements and calls count one each, a called body once
/// for each of its calls. Engines that inline calls need memory and time in this proportion, the
/// one that executes them time for every packet.
pub const MOST_OPERATIONS: u64 = 1 << 20;

/// The function, action or block with which a program has more than [`MOST_OPERATIONS`]
/// operations, as an error. Counts each body once, however often it is called.
pub fn operations(program: &Program) -> Option<Diagnostic> {
    let judge = || Count::new(program).judge();
    // Chains of calls may be long; without a thread nobody else gets further either.
    with_stack(judge).ok().flatten()
}

/// A body of the program, seen from an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Body {
    /// With the object whose abstract method it is.
    Function(FunctionId, Option<InstanceId>),
    Action(ActionId),
    /// The most that an application may run.
    Table(TableId),
    /// A parser or control.
    Instance,
}

struct Count<'p> {
    program: &'p Program,
    known: HashMap<(InstanceId, Body), u64>,
    /// The first body that alone has too many: what it is, and where.
    found: Option<(String, u64, Span)>,
}

impl<'p> Count<'p> {
    fn new(program: &'p Program) -> Self {
        Self { program, known: HashMap::new(), found: None }
    }

    fn judge(mut self) -> Option<Diagnostic> {
        let main = self.program.main?;
        let blocks = self.program[main].arguments.iter().filter_map(|argument| match argument {
            ConstructorValue::Instance(id) => Some(*id),
            _ => None,
        });
        let mut sum = 0u64;
        for block in blocks.collect::<Vec<_>>() {
            let span = self.program[block].span;
            sum = sum.saturating_add(self.body(block, Body::Instance, span));
            if sum > MOST_OPERATIONS && self.found.is_none() {
                let what = format!("the program up to block `{}`", self.program[block].name);
                self.found = Some((what, sum, span));
            }
        }
        let (what, count, span) = self.found?;
        let count = match count {
            u64::MAX => "more than 2^64".to_owned(),
            count => count.to_string(),
        };
        let message = format!(
            "{what} has {count} operations, counting what it calls at each call; engines carry out \
             at most {MOST_OPERATIONS} (2^20) operations"
        );
        let help = "call it fewer times, or replace repeated calls by a loop or a table";
        Some(Diagnostic::error(span, message).label("too many operations").help(help))
    }

    /// The operations of a body, with all that it calls.
    fn body(&mut self, instance: InstanceId, body: Body, span: Span) -> u64 {
        if let Some(known) = self.known.get(&(instance, body)) {
            return *known;
        }
        // No body calls itself; if one did, it would not be counted again.
        self.known.insert((instance, body), 0);
        let program = self.program;
        let (what, count, span) = match body {
            Body::Function(id, this) => {
                let function = &program[id];
                let count = self.walk(instance, this, |walk| visit::block(walk, &function.body));
                (format!("function `{}`", function.name), count, function.span)
            }
            Body::Action(id) => {
                let action = &program[id];
                let count = self.walk(instance, None, |walk| visit::block(walk, &action.body));
                (format!("action `{}`", action.name), count, action.span)
            }
            Body::Table(id) => {
                let table = &program[id];
                let keys = self.walk(instance, None, |walk| {
                    table.keys.iter().for_each(|key| visit::expression(walk, &key.value));
                });
                let most = table.actions.iter().map(|action| {
                    let own = self.body(instance, Body::Action(action.action), span);
                    own.saturating_add(self.arguments(instance, &action.bound))
                });
                let count = keys.saturating_add(most.max().unwrap_or(0));
                (format!("table `{}`", table.name), count, table.span)
            }
            Body::Instance => self.instance(instance, span),
        };
        if count > MOST_OPERATIONS && self.found.is_none() {
            self.found = Some((what, count, span));
        }
        self.known.insert((instance, body), count);
        count
    }

    fn instance(&mut self, id: InstanceId, span: Span) -> (String, u64, Span) {
        let program = self.program;
        match program[id].kind {
            InstanceKind::Control(control) => {
                let control = &program[control];
                let mut count = self.block(id, &control.locals, &control.body);
                // The actions of a table are there once, however often it is applied.
                for table in &control.tables {
                    for action in &program[*table].actions {
                        let own = self.body(id, Body::Action(action.action), span);
                        count = count.saturating_add(own);
                    }
                }
                (format!("control `{}`", control.name), count, control.span)
            }
            InstanceKind::Parser(parser) => {
                let parser = &program[parser];
                let mut count = self.block(id, &parser.locals, &Block::default());
                for state in &parser.states {
                    let own = self.walk(id, None, |walk| {
                        visit::statements(walk, &state.body);
                        visit::transition(walk, &state.transition);
                    });
                    count = count.saturating_add(own).saturating_add(1);
                }
                (format!("parser `{}`", parser.name), count, parser.span)
            }
            _ => (String::new(), 0, span),
        }
    }

    fn block(&mut self, id: InstanceId, locals: &[Local], body: &Block) -> u64 {
        self.walk(id, None, |walk| {
            visit::locals(walk, locals);
            visit::block(walk, body);
        })
    }

    fn arguments(&mut self, instance: InstanceId, list: &[CallArgument]) -> u64 {
        self.walk(instance, None, |walk| {
            list.iter().filter_map(|a| a.value.as_ref()).for_each(|e| visit::expression(walk, e));
        })
    }

    fn walk(
        &mut self,
        instance: InstanceId,
        this: Option<InstanceId>,
        see: impl FnOnce(&mut Walk<'_, 'p>),
    ) -> u64 {
        let mut walk = Walk { count: self, instance, this, sum: 0 };
        see(&mut walk);
        walk.sum
    }

    /// The object that a variable stands for.
    fn object(&self, instance: InstanceId, var: VarId) -> Option<InstanceId> {
        let mut at = Some(instance);
        while let Some(id) = at {
            let bound = self.program[id].bindings.iter().find(|(v, _)| *v == var);
            if let Some((_, value)) = bound {
                return match value {
                    ConstructorValue::Instance(inner) => Some(*inner),
                    _ => None,
                };
            }
            at = self.program[id].parent;
        }
        self.program.globals.iter().find(|(v, _)| *v == var).map(|(_, id)| *id)
    }
}

/// Adds up a piece of code.
struct Walk<'c, 'p> {
    count: &'c mut Count<'p>,
    instance: InstanceId,
    this: Option<InstanceId>,
    sum: u64,
}

impl Walk<'_, '_> {
    fn add(&mut self, count: u64) {
        self.sum = self.sum.saturating_add(count);
    }

    fn variable(&self, object: &Expr) -> Option<InstanceId> {
        match object.kind {
            ExprKind::Var(var) => self.count.object(self.instance, var),
            _ => None,
        }
    }
}

impl Visitor for Walk<'_, '_> {
    fn statement(&mut self, s: &Stmt) {
        // Blocks are what is in them, and calls count as such.
        if !matches!(s.kind, StmtKind::Block(_) | StmtKind::Call(_) | StmtKind::Instance(_)) {
            self.add(1);
        }
    }

    fn expression(&mut self, e: &Expr) {
        if let ExprKind::TableHit(table)
        | ExprKind::TableMiss(table)
        | ExprKind::TableActionRun(table) = &e.kind
        {
            let own = self.count.body(self.instance, Body::Table(*table), e.span);
            self.add(own.saturating_add(1));
        }
    }

    fn call(&mut self, c: &Call) {
        self.add(1);
        let program = self.count.program;
        let (instance, body) = match &c.callee {
            Callee::Function(id) => (self.instance, Body::Function(*id, None)),
            Callee::Action(id) => (self.instance, Body::Action(*id)),
            Callee::Table(id) => (self.instance, Body::Table(*id)),
            Callee::ExternFunction(id) => match program[*id].model {
                Some(model) => (self.instance, Body::Function(model, None)),
                None => return,
            },
            Callee::Apply(object) => match self.variable(object) {
                Some(id) => (id, Body::Instance),
                None => return,
            },
            Callee::Method { object, method, .. } => {
                let object = match object {
                    Some(object) => self.variable(object),
                    None => self.this,
                };
                let Some(object) = object else { return };
                let found = program[object].methods.iter().find(|(m, _)| m == method);
                let Some((_, function)) = found else { return };
                (self.instance, Body::Function(*function, Some(object)))
            }
            _ => return,
        };
        let own = self.count.body(instance, body, c.span);
        self.add(own);
    }
}
