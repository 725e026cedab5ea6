//! Which headers a piece of code may make valid or invalid, or replace.

use super::paths::{HeaderPaths, Node, may_hold_headers};
use crate::ir::visit::{self, Visitor};
use crate::ir::{
    ActionId, Call, CallArgument, Callee, Direction, Expr, ExprKind, Program, Stmt, StmtKind,
    TableId,
};
use std::collections::{HashMap, HashSet};

/// Effects of actions and tables, found once each.
#[derive(Default)]
pub(super) struct Effects {
    actions: HashMap<ActionId, Vec<Node>>,
    tables: HashMap<TableId, Vec<Node>>,
}

impl Effects {
    /// Places that statements may change.
    pub(super) fn of_statements<'p>(
        &mut self,
        program: &'p Program,
        paths: &'p HeaderPaths,
        list: &[Stmt],
    ) -> Vec<Node> {
        let mut finder = Finder { program, paths, effects: self, found: HashSet::new() };
        visit::statements(&mut finder, list);
        let mut found: Vec<Node> = finder.found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// Places that an action may change.
    pub(super) fn of_action(
        &mut self,
        program: &Program,
        paths: &HeaderPaths,
        id: ActionId,
    ) -> Vec<Node> {
        if let Some(known) = self.actions.get(&id) {
            return known.clone();
        }
        let found = self.of_statements(program, paths, &program[id].body.statements);
        self.actions.insert(id, found.clone());
        found
    }

    /// Places that the actions of a table may change.
    pub(super) fn of_table(
        &mut self,
        program: &Program,
        paths: &HeaderPaths,
        id: TableId,
    ) -> Vec<Node> {
        if let Some(known) = self.tables.get(&id) {
            return known.clone();
        }
        let mut found = HashSet::new();
        for a in &program[id].actions {
            found.extend(self.of_action(program, paths, a.action));
            found.extend(outputs(paths, &a.bound));
        }
        let mut found: Vec<Node> = found.into_iter().collect();
        found.sort_unstable();
        self.tables.insert(id, found.clone());
        found
    }
}

/// Places that a call may write through its arguments.
pub(super) fn outputs<'a>(
    paths: &'a HeaderPaths,
    arguments: &'a [CallArgument],
) -> impl Iterator<Item = Node> + 'a {
    arguments
        .iter()
        .filter(|a| matches!(a.direction, Direction::Out | Direction::InOut))
        .filter_map(|a| a.value.as_ref())
        .filter(|e| may_hold_headers(&e.ty))
        .filter_map(|e| paths.around(e))
}

struct Finder<'p, 'e> {
    program: &'p Program,
    paths: &'p HeaderPaths,
    effects: &'e mut Effects,
    found: HashSet<Node>,
}

impl Finder<'_, '_> {
    fn whole(&mut self, e: &Expr) {
        if may_hold_headers(&e.ty) {
            self.found.extend(self.paths.around(e));
        }
    }
}

impl Visitor for Finder<'_, '_> {
    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { left, .. } => self.whole(left),
            StmtKind::ForIn { variable, .. } => self.whole(variable),
            StmtKind::Declare { var, .. } => self.found.extend(self.paths.root(*var)),
            _ => {}
        }
    }

    fn call(&mut self, c: &Call) {
        match &c.callee {
            Callee::SetValid(e)
            | Callee::SetInvalid(e)
            | Callee::PushFront(e, _)
            | Callee::PopFront(e, _) => {
                let node = self.paths.around(e);
                self.found.extend(node.into_iter().flat_map(|n| self.paths.siblings(n)));
                self.found.extend(node);
            }
            Callee::Action(id) => {
                let found = self.effects.of_action(self.program, self.paths, *id);
                self.found.extend(found);
            }
            Callee::Table(id) => {
                let found = self.effects.of_table(self.program, self.paths, *id);
                self.found.extend(found);
            }
            _ => {}
        }
        self.found.extend(outputs(self.paths, &c.arguments));
    }

    fn expression(&mut self, e: &Expr) {
        if let ExprKind::TableHit(id) | ExprKind::TableMiss(id) | ExprKind::TableActionRun(id) =
            &e.kind
        {
            let found = self.effects.of_table(self.program, self.paths, *id);
            self.found.extend(found);
        }
    }
}
