//! Which names are types (Appendix H: `TYPE_IDENTIFIER` and `IDENTIFIER`).

use crate::ast::Name;
use std::collections::HashMap;

/// What a name stands for, as far as the grammar cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A type, a parser, a control, a package or an extern.
    Type,
    /// A variable or a parameter: its value is known at run time only.
    Variable,
    /// Anything else.
    Object,
}

/// Nested scopes of declared names.
pub(super) struct Scopes {
    names: HashMap<Name, Vec<(usize, Meaning)>>,
    /// Names declared in each open scope, the outermost first.
    open: Vec<Vec<Name>>,
}

impl Scopes {
    /// With an empty top level.
    pub(super) fn new() -> Self {
        Self { names: HashMap::new(), open: vec![Vec::new()] }
    }

    pub(super) fn push(&mut self) {
        self.open.push(Vec::new());
    }

    pub(super) fn pop(&mut self) {
        for name in self.open.pop().unwrap_or_default() {
            if let Some(list) = self.names.get_mut(&name) {
                list.pop();
            }
        }
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: &Name, meaning: Meaning) {
        let level = self.open.len();
        let list = self.names.entry(name.clone()).or_default();
        match list.last_mut() {
            Some((at, known)) if *at == level => *known = meaning,
            _ => {
                list.push((level, meaning));
                if let Some(scope) = self.open.last_mut() {
                    scope.push(name.clone());
                }
            }
        }
    }

    /// What a name means here, if it was declared.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.names.get(name)?.last().map(|&(_, meaning)| meaning)
    }

    /// What a name means at the top level.
    pub(super) fn top_level_meaning(&self, name: &str) -> Option<Meaning> {
        self.names.get(name)?.first().filter(|(level, _)| *level == 1).map(|&(_, m)| m)
    }
}
