//! A walk over all code of the typed IR.

use super::{
    Block, Call, CallArgument, Callee, Collection, Expr, ExprKind, InstanceDeclaration, KeySet,
    Local, Program, Stmt, StmtKind, Transition,
};

/// What a pass wants to see; each thing is shown before its parts.
pub trait Visitor {
    /// An expression.
    fn expression(&mut self, _e: &Expr) {}
    /// A call, as an expression or as a statement.
    fn call(&mut self, _c: &Call) {}
    /// A statement.
    fn statement(&mut self, _s: &Stmt) {}
}

/// Shows `see` every call of the program, nested ones after the one around them.
pub fn calls(p: &Program, see: impl FnMut(&Call)) {
    struct Calls<F>(F);
    impl<F: FnMut(&Call)> Visitor for Calls<F> {
        fn call(&mut self, c: &Call) {
            (self.0)(c);
        }
    }
    program(&mut Calls(see), p);
}

/// Shows `see` every call of a block.
pub fn calls_in(b: &Block, see: &mut dyn FnMut(&Call)) {
    struct Calls<'f>(&'f mut dyn FnMut(&Call));
    impl Visitor for Calls<'_> {
        fn call(&mut self, c: &Call) {
            (self.0)(c);
        }
    }
    block(&mut Calls(see), b);
}

/// Whether evaluating an expression may change something or end the parser.
pub fn has_effects(e: &Expr) -> bool {
    struct Effects(bool);
    impl Visitor for Effects {
        fn expression(&mut self, e: &Expr) {
            use ExprKind::*;
            self.0 |= matches!(
                e.kind,
                TableHit(_) | TableMiss(_) | TableActionRun(_) | Next(_) | Last(_)
            );
        }
        fn call(&mut self, c: &Call) {
            self.0 |= !matches!(c.callee, Callee::IsValid(_));
        }
    }
    let mut effects = Effects(false);
    expression(&mut effects, e);
    effects.0
}

/// Everything in the program.
pub fn program<V: Visitor>(v: &mut V, p: &Program) {
    for f in &p.functions {
        block(v, &f.body);
    }
    for a in &p.actions {
        block(v, &a.body);
    }
    for parser in &p.parsers {
        locals(v, &parser.locals);
        for s in &parser.states {
            statements(v, &s.body);
            transition(v, &s.transition);
        }
    }
    for c in &p.controls {
        locals(v, &c.locals);
        block(v, &c.body);
    }
    for t in &p.tables {
        t.keys.iter().for_each(|k| expression(v, &k.value));
        for a in &t.actions {
            arguments(v, &a.bound);
        }
        t.default_action.arguments.iter().for_each(|e| expression(v, e));
        for e in &t.entries {
            e.keys.iter().for_each(|k| keyset(v, k));
            e.action.arguments.iter().for_each(|e| expression(v, e));
        }
        t.properties.iter().for_each(|p| expression(v, &p.value));
    }
    p.top_level.iter().for_each(|d| instance(v, d));
}

/// Declarations of a parser or control.
pub fn locals<V: Visitor>(v: &mut V, locals: &[Local]) {
    for local in locals {
        match local {
            Local::Variable(_, Some(init)) => expression(v, init),
            Local::Instance(d) => instance(v, d),
            Local::Variable(_, None) | Local::ValueSet { .. } => {}
        }
    }
}

fn instance<V: Visitor>(v: &mut V, d: &InstanceDeclaration) {
    d.arguments.iter().flatten().for_each(|e| expression(v, e));
    d.inner.iter().for_each(|d| instance(v, d));
}

/// The end of a parser state.
pub fn transition<V: Visitor>(v: &mut V, t: &Transition) {
    if let Transition::Select { values, cases } = t {
        values.iter().for_each(|e| expression(v, e));
        for case in cases {
            case.sets.iter().for_each(|s| keyset(v, s));
        }
    }
}

fn keyset<V: Visitor>(v: &mut V, set: &KeySet) {
    match set {
        KeySet::Any => {}
        KeySet::Value(e) | KeySet::ValueSet(e) => expression(v, e),
        KeySet::Mask(a, b) | KeySet::Range(a, b) => {
            expression(v, a);
            expression(v, b);
        }
    }
}

/// A block's statements.
pub fn block<V: Visitor>(v: &mut V, b: &Block) {
    statements(v, &b.statements);
}

/// Statements in order.
pub fn statements<V: Visitor>(v: &mut V, list: &[Stmt]) {
    list.iter().for_each(|s| statement(v, s));
}

/// A statement and all in it.
pub fn statement<V: Visitor>(v: &mut V, s: &Stmt) {
    v.statement(s);
    match &s.kind {
        StmtKind::Declare { init, .. } => init.iter().for_each(|e| expression(v, e)),
        StmtKind::Instance(d) => instance(v, d),
        StmtKind::Assign { left, right, .. } => {
            expression(v, left);
            expression(v, right);
        }
        StmtKind::Call(c) => call(v, c),
        StmtKind::Block(b) => block(v, b),
        StmtKind::If { condition, then, otherwise } => {
            expression(v, condition);
            block(v, then);
            otherwise.iter().for_each(|b| block(v, b));
        }
        StmtKind::Switch { value, cases } => {
            expression(v, value);
            cases.iter().for_each(|c| block(v, &c.body));
        }
        StmtKind::Return(e) => e.iter().for_each(|e| expression(v, e)),
        StmtKind::For { init, condition, update, body } => {
            statements(v, init);
            expression(v, condition);
            statements(v, update);
            block(v, body);
        }
        StmtKind::ForIn { variable, collection, body } => {
            expression(v, variable);
            match collection {
                Collection::Range(lo, hi) => {
                    expression(v, lo);
                    expression(v, hi);
                }
                Collection::Elements(e) => expression(v, e),
            }
            block(v, body);
        }
        StmtKind::Exit | StmtKind::Break | StmtKind::Continue => {}
    }
}

fn arguments<V: Visitor>(v: &mut V, list: &[CallArgument]) {
    list.iter().filter_map(|a| a.value.as_ref()).for_each(|e| expression(v, e));
}

/// A call and its arguments.
pub fn call<V: Visitor>(v: &mut V, c: &Call) {
    v.call(c);
    match &c.callee {
        Callee::Method { object: Some(e), .. }
        | Callee::Apply(e)
        | Callee::IsValid(e)
        | Callee::SetValid(e)
        | Callee::SetInvalid(e)
        | Callee::PushFront(e, _)
        | Callee::PopFront(e, _) => expression(v, e),
        _ => {}
    }
    arguments(v, &c.arguments);
}

/// An expression and all in it.
pub fn expression<V: Visitor>(v: &mut V, e: &Expr) {
    v.expression(e);
    match &e.kind {
        ExprKind::Call(c) => call(v, c),
        ExprKind::Construct(d) => instance(v, d),
        _ => operands(e).for_each(|e| expression(v, e)),
    }
}

/// The expressions of which an expression is made, in the order of their evaluation; without those of calls and
/// constructors.
pub fn operands(e: &Expr) -> impl Iterator<Item = &Expr> {
    let (few, list): ([Option<&Expr>; 3], &[Expr]) = match &e.kind {
        ExprKind::Field(a, _)
        | ExprKind::TupleField(a, _)
        | ExprKind::Next(a)
        | ExprKind::Last(a)
        | ExprKind::LastIndex(a)
        | ExprKind::Slice { base: a, .. }
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a) => ([Some(a), None, None], &[]),
        ExprKind::Element(a, b) | ExprKind::Binary(_, a, b) => ([Some(a), Some(b), None], &[]),
        ExprKind::Conditional(a, b, c) => ([Some(a), Some(b), Some(c)], &[]),
        ExprKind::Struct(list) | ExprKind::StructInOrder(list, _) | ExprKind::Tuple(list) => {
            ([None; 3], list)
        }
        ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Invalid
        | ExprKind::Default
        | ExprKind::Call(_)
        | ExprKind::Construct(_)
        | ExprKind::TableHit(_)
        | ExprKind::TableMiss(_)
        | ExprKind::TableActionRun(_) => ([None; 3], &[]),
    };
    few.into_iter().flatten().chain(list)
}
