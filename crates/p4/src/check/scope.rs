//! Scopes and what names stand for (§6.6).

use crate::ast::Name;
use crate::ir::{
    ActionId, ApplyTypeId, ControlId, Expr, ExternFunctionId, ExternId, ParserId, TableId, Type,
    VarId,
};
use crate::source::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// A function that a name may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionRef {
    /// Of the architecture.
    Extern(ExternFunctionId),
    /// With a body: index in `Checker::functions`.
    Declared(usize),
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A type without parameters of its own: `typedef`, `type`, enum, type parameter.
    Type(Type),
    /// A struct, header or union: index in `Checker::structs`.
    Struct(usize),
    /// An extern object type.
    Extern(ExternId),
    /// A parser, control or package type.
    Apply(ApplyTypeId),
    /// A parser.
    Parser(ParserId),
    /// A control.
    Control(ControlId),
    /// Functions that share the name.
    Functions(Vec<FunctionRef>),
    /// An action.
    Action(ActionId),
    /// A table.
    Table(TableId),
    /// A constant.
    Const(Rc<Expr>),
    /// A variable, parameter, instance or value set.
    Var(VarId),
    /// A name whose declaration had errors: every use is silently accepted.
    Broken,
}

impl Symbol {
    /// Whether the name denotes a type.
    pub(super) fn is_type(&self) -> bool {
        use Symbol::*;
        matches!(self, Type(_) | Struct(_) | Extern(_) | Apply(_) | Parser(_) | Control(_))
    }

    /// As diagnostics name it.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Symbol::Type(_) => "a type",
            Symbol::Struct(_) => "a struct type",
            Symbol::Extern(_) => "an extern type",
            Symbol::Apply(_) => "a parser, control or package type",
            Symbol::Parser(_) => "a parser",
            Symbol::Control(_) => "a control",
            Symbol::Functions(_) => "a function",
            Symbol::Action(_) => "an action",
            Symbol::Table(_) => "a table",
            Symbol::Const(_) => "a constant",
            Symbol::Var(_) => "a variable",
            Symbol::Broken => "a name with errors",
        }
    }
}

/// A name in a scope.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    /// What it stands for.
    pub symbol: Symbol,
    /// Where it was declared.
    pub span: Span,
}

/// The scopes around the current place, innermost last.
pub(super) struct Scopes {
    levels: Vec<HashMap<Name, Binding>>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { levels: vec![HashMap::new()] }
    }

    pub(super) fn push(&mut self) {
        self.levels.push(HashMap::new());
    }

    pub(super) fn pop(&mut self) {
        self.levels.pop();
    }

    /// Leaves only the top level; the rest is given back to [`Scopes::restore`].
    pub(super) fn leave_to_top(&mut self) -> Vec<HashMap<Name, Binding>> {
        self.levels.split_off(1)
    }

    /// Undoes [`Scopes::leave_to_top`].
    pub(super) fn restore(&mut self, inner: Vec<HashMap<Name, Binding>>) {
        self.levels.truncate(1);
        self.levels.extend(inner);
    }

    /// Declares a name; gives back the former one of the same scope if there was one.
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol, span: Span) -> Option<Binding> {
        self.levels.last_mut()?.insert(name.clone(), Binding { symbol, span })
    }

    /// Adds a function to those of the same name in the innermost scope.
    pub(super) fn overload(&mut self, name: &Name, function: FunctionRef) {
        let former = self.levels.last_mut().and_then(|level| level.get_mut(name));
        if let Some(Binding { symbol: Symbol::Functions(list), .. }) = former {
            list.push(function);
        }
    }

    /// The binding of the innermost scope only.
    pub(super) fn local(&self, name: &str) -> Option<&Binding> {
        self.levels.last()?.get(name)
    }

    /// Looks a name up from inside out.
    pub(super) fn lookup(&self, name: &str) -> Option<&Binding> {
        self.levels.iter().rev().find_map(|level| level.get(name))
    }

    /// Looks a name up at the top level (`.name`).
    pub(super) fn lookup_top(&self, name: &str) -> Option<&Binding> {
        self.levels.first()?.get(name)
    }

    /// All visible names, for suggestions.
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.levels.iter().flat_map(|level| level.keys())
    }
}
