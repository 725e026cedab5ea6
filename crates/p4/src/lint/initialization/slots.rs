//! Slots for the parts of variables that can be without a value, and sets of slots.
//!
//! A struct has a slot for each of its parts; a header has none, because its fields live and die
//! with its validity, which is another pass's business.

use crate::ir::visit::{self, Visitor};
use crate::ir::{
    Block, Expr, ExprKind, Program, Stmt, StmtKind, StructId, StructKind, Type, VarId,
};
use std::collections::HashMap;
use std::ops::Range;

/// A struct with more parts than this has one slot for all of them.
const MAX_PARTS: u32 = 256;

/// Which variables have which slots.
pub(super) struct Slots<'p> {
    program: &'p Program,
    of: HashMap<VarId, Range<u32>>,
    owners: Vec<VarId>,
    parts: HashMap<StructId, u32>,
}

impl<'p> Slots<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self { program, of: HashMap::new(), owners: Vec::new(), parts: HashMap::new() }
    }

    /// Forgets all variables, keeps what was found out about types.
    pub(super) fn clear(&mut self) {
        self.of.clear();
        self.owners.clear();
    }

    /// Number of slots.
    pub(super) fn count(&self) -> u32 {
        self.owners.len() as u32
    }

    /// The variable of a slot.
    pub(super) fn owner(&self, slot: u32) -> Option<VarId> {
        self.owners.get(slot as usize).copied()
    }

    /// Gives slots to a variable.
    pub(super) fn add(&mut self, var: VarId) {
        if self.of.contains_key(&var) {
            return;
        }
        let start = self.count();
        let parts = self.parts_of(&self.program[var].ty);
        self.owners.extend((0..parts).map(|_| var));
        self.of.insert(var, start..start + parts);
    }

    /// Gives slots to the variables declared in a block.
    pub(super) fn add_locals(&mut self, b: &Block) {
        self.add_declared(&b.statements);
    }

    /// Gives slots to the variables declared among statements.
    pub(super) fn add_declared(&mut self, statements: &[Stmt]) {
        visit::statements(self, statements);
    }

    fn parts_of(&mut self, ty: &Type) -> u32 {
        match ty {
            Type::Struct(id) => {
                let def = &self.program.types[*id];
                if def.kind != StructKind::Struct {
                    return 0;
                }
                if let Some(&known) = self.parts.get(id) {
                    return known;
                }
                let sum =
                    def.fields.iter().fold(0u32, |sum, f| sum.saturating_add(self.parts_of(&f.ty)));
                let parts = if sum > MAX_PARTS { 1 } else { sum };
                self.parts.insert(*id, parts);
                parts
            }
            Type::Stack(element, _) => self.parts_of(element).min(1),
            Type::Extern(..)
            | Type::Apply(..)
            | Type::Parser(_)
            | Type::Control(_)
            | Type::ValueSet(_)
            | Type::Parameter(_)
            | Type::Infer(_)
            | Type::Unknown
            | Type::Void => 0,
            _ => 1,
        }
    }

    /// Slots of a variable.
    pub(super) fn of(&self, var: VarId) -> Option<Range<u32>> {
        self.of.get(&var).cloned()
    }

    /// Slots of a variable or of a part that has slots of its own; `None` for other expressions
    /// and variables.
    pub(super) fn place(&mut self, e: &Expr) -> Option<Range<u32>> {
        match &e.kind {
            ExprKind::Var(var) => self.of(*var),
            ExprKind::Field(base, n) => {
                let whole = self.place(base)?;
                let Type::Struct(id) = &base.ty else { return Some(whole.start..whole.start) };
                let def = &self.program.types[*id];
                let mut start = whole.start;
                if whole.is_empty() || def.kind != StructKind::Struct {
                    return Some(start..start);
                }
                // One slot stands for all of many parts; otherwise the fields are few.
                if def.fields.len() > MAX_PARTS as usize {
                    return Some(whole);
                }
                let mut sum = 0u32;
                let mut part = 0..0;
                for (m, f) in def.fields.iter().enumerate() {
                    let count = self.parts_of(&f.ty);
                    if m == *n as usize {
                        part = start..start.saturating_add(count);
                    }
                    start = start.saturating_add(count);
                    sum = sum.saturating_add(count);
                }
                let split = sum == whole.end - whole.start;
                Some(if split { part } else { whole })
            }
            _ => None,
        }
    }
}

impl Visitor for Slots<'_> {
    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Declare { var, .. } => self.add(*var),
            StmtKind::ForIn { variable, .. } => {
                if let ExprKind::Var(var) = &variable.kind
                    && self.program[*var].kind == crate::ir::VariableKind::Local
                {
                    self.add(*var);
                }
            }
            _ => {}
        }
    }
}

/// A set of slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set, with room for `count` slots.
    pub(super) fn new(count: u32) -> Self {
        Bits(vec![0; (count as usize).div_ceil(64)])
    }

    pub(super) fn contains(&self, n: u32) -> bool {
        self.0.get(n as usize / 64).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }

    pub(super) fn set(&mut self, range: Range<u32>, on: bool) {
        for n in range {
            if let Some(word) = self.0.get_mut(n as usize / 64) {
                let bit = 1 << (n % 64);
                if on { *word |= bit } else { *word &= !bit }
            }
        }
    }

    pub(super) fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(super) fn keep(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }
}
