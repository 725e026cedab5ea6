//! Controls, actions and tables (§14).

use super::{
    Annotation, ApplyType, Argument, Block, Declaration, Expression, Ident, Parameter, Path,
};
use crate::source::Span;

/// `control C(..)(..) { .. apply { .. } }`
#[derive(Clone, Debug)]
pub struct ControlDeclaration {
    /// Name, type parameters (illegal here, but parsed) and apply parameters.
    pub head: ApplyType,
    /// Constructor parameters.
    pub constructor_parameters: Vec<Parameter>,
    /// Constants, variables, instances, actions, tables, in order.
    pub locals: Vec<Declaration>,
    /// The `apply` block.
    pub body: Block,
}

/// `action a(..) { .. }`
#[derive(Clone, Debug)]
pub struct ActionDeclaration {
    /// Name.
    pub name: Ident,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Body.
    pub body: Block,
}

/// `table t { .. }`
#[derive(Clone, Debug)]
pub struct TableDeclaration {
    /// Name.
    pub name: Ident,
    /// Properties in order; the checker finds duplicates.
    pub properties: Vec<TableProperty>,
}

/// One property of a table (§14.2.1).
#[derive(Clone, Debug)]
pub struct TableProperty {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// With `const`.
    pub is_const: bool,
    /// Which.
    pub kind: TablePropertyKind,
    /// The whole property.
    pub span: Span,
}

/// The kinds of table properties.
#[derive(Clone, Debug)]
pub enum TablePropertyKind {
    /// `key = { e : match_kind; }`
    Key(Vec<KeyElement>),
    /// `actions = { a; b(x); }`
    Actions(Vec<ActionRef>),
    /// `entries = { .. }`
    Entries(Vec<TableEntry>),
    /// `name = expression;`: `default_action`, `size` and those of the architecture.
    Custom {
        /// Name.
        name: Ident,
        /// Value.
        value: Expression,
    },
}

/// One key of a table.
#[derive(Clone, Debug)]
pub struct KeyElement {
    /// What is matched.
    pub expression: Expression,
    /// How.
    pub match_kind: Ident,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// An action in a table's list, or chosen by an entry.
#[derive(Clone, Debug)]
pub struct ActionRef {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The action.
    pub path: Path,
    /// Arguments, `None` without parentheses.
    pub arguments: Option<Vec<Argument>>,
    /// The whole reference.
    pub span: Span,
}

/// One entry of `entries`.
#[derive(Clone, Debug)]
pub struct TableEntry {
    /// With `const`.
    pub is_const: bool,
    /// `priority = e :`
    pub priority: Option<Expression>,
    /// Keyset, as in [`SelectCase`].
    pub keyset: Vec<Expression>,
    /// Action.
    pub action: ActionRef,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The whole entry.
    pub span: Span,
}
