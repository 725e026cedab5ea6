//! How often, and with which arguments, controls are applied.
//!
//! The tables of a control are lowered once, so their keys and actions must find the control's
//! parameters in the same fields wherever it is applied.

use crate::architecture::BoundBlock;
use crate::ir::{
    Block, Call, Callee, ConstructorValue, ControlId, Expr, ExprKind, InstanceId, InstanceKind,
    Program, Stmt, StmtKind, VarId,
};
use std::collections::{HashMap, HashSet};

/// Which instances of controls are applied in different ways.
#[derive(Debug, Default)]
pub(super) struct Applications {
    shared: HashSet<InstanceId>,
}

/// A variable and the fields that lead from it to an argument.
type Path = (VarId, Vec<u32>);

impl Applications {
    /// Looks through all blocks of a program.
    pub fn of(program: &Program, blocks: &[BoundBlock]) -> Self {
        let mut walk = Walk { program, sites: HashMap::new(), visited: HashSet::new() };
        for block in blocks {
            if let InstanceKind::Control(id) = program[block.instance].kind {
                walk.control(block.instance, id);
            }
        }
        let shared = walk
            .sites
            .iter()
            .filter(|(instance, sites)| {
                let same = sites.iter().all(|s| s.is_some() && Some(s) == sites.first());
                sites.len() > 1 && !same && has_tables(program, **instance)
            })
            .map(|(instance, _)| *instance)
            .collect();
        Self { shared }
    }

    /// Whether the control is applied with different arguments and has tables that must find
    /// them in one place.
    pub fn is_shared(&self, instance: InstanceId) -> bool {
        self.shared.contains(&instance)
    }
}

fn has_tables(program: &Program, instance: InstanceId) -> bool {
    let instance = &program[instance];
    let InstanceKind::Control(id) = instance.kind else { return false };
    !program[id].tables.is_empty()
        || instance.bindings.iter().any(|(_, value)| match value {
            ConstructorValue::Instance(inner) => has_tables(program, *inner),
            _ => false,
        })
}

struct Walk<'p> {
    program: &'p Program,
    /// For each application the arguments, if all of them are plain paths.
    sites: HashMap<InstanceId, Vec<Option<Vec<Path>>>>,
    visited: HashSet<InstanceId>,
}

impl Walk<'_> {
    fn control(&mut self, instance: InstanceId, id: ControlId) {
        if self.visited.insert(instance) {
            let body = &self.program[id].body;
            self.block(instance, body);
        }
    }

    fn block(&mut self, instance: InstanceId, block: &Block) {
        self.statements(instance, &block.statements);
    }

    fn statements(&mut self, instance: InstanceId, statements: &[Stmt]) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Call(call) => self.call(instance, call),
                StmtKind::Block(block) => self.block(instance, block),
                StmtKind::If { then, otherwise, .. } => {
                    self.block(instance, then);
                    if let Some(block) = otherwise {
                        self.block(instance, block);
                    }
                }
                StmtKind::Switch { cases, .. } => {
                    cases.iter().for_each(|case| self.block(instance, &case.body));
                }
                StmtKind::For { init, update, body, .. } => {
                    self.statements(instance, init);
                    self.statements(instance, update);
                    self.block(instance, body);
                }
                StmtKind::ForIn { body, .. } => self.block(instance, body),
                _ => {}
            }
        }
    }

    fn call(&mut self, instance: InstanceId, call: &Call) {
        let Callee::Apply(object) = &call.callee else { return };
        let ExprKind::Var(var) = object.kind else { return };
        let mut at = Some(instance);
        let mut target = None;
        while let (None, Some(id)) = (target, at) {
            target = self.program[id].bindings.iter().find_map(|(v, value)| match value {
                ConstructorValue::Instance(inner) if *v == var => Some(*inner),
                _ => None,
            });
            at = self.program[id].parent;
        }
        let global = || self.program.globals.iter().find(|(v, _)| *v == var).map(|(_, id)| *id);
        let Some(target) = target.or_else(global) else { return };
        let arguments = call.arguments.iter().map(|a| a.value.as_ref().and_then(path)).collect();
        self.sites.entry(target).or_default().push(arguments);
        if let InstanceKind::Control(id) = self.program[target].kind {
            self.control(target, id);
        }
    }
}

fn path(e: &Expr) -> Option<Path> {
    match &e.kind {
        ExprKind::Var(var) => Some((*var, Vec::new())),
        ExprKind::Field(base, n) | ExprKind::TupleField(base, n) => {
            let (var, mut fields) = path(base)?;
            fields.push(*n);
            Some((var, fields))
        }
        _ => None,
    }
}
