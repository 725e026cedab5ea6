//! Where in a program the checker is: what may be written and called there.

use crate::ir::{ControlId, Type};

/// The kinds of places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    /// Top-level declarations.
    #[default]
    TopLevel,
    /// Locals of a parser.
    ParserLocals,
    /// Statements and transitions of a parser state.
    ParserState,
    /// Locals of a control.
    ControlLocals,
    /// A control's `apply` block.
    ControlApply,
    /// An action's body.
    Action,
    /// A function's body.
    Function,
    /// A key, property or entry of a table.
    Table,
}

impl Place {
    /// As diagnostics name it.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Place::TopLevel => "at the top level",
            Place::ParserLocals => "in a parser's declarations",
            Place::ParserState => "in a parser state",
            Place::ControlLocals => "in a control's declarations",
            Place::ControlApply => "in a control's apply block",
            Place::Action => "in an action",
            Place::Function => "in a function",
            Place::Table => "in a table",
        }
    }
}

/// The context of the statement or expression under check.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// Where.
    pub place: Place,
    /// The control around.
    pub control: Option<ControlId>,
    /// The type that `return` must have; `None` where no function is around.
    pub return_type: Option<Type>,
    /// Loops around.
    pub loops: u32,
    /// The extern whose abstract method is being given a body: the type of `this`.
    pub this: Option<Type>,
}
