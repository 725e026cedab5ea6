//! Statements.

use super::draft::End;
use super::effects::has_effects;
use super::storage::Purpose;
use super::values::Value;
use super::{Binding, Lowered, Lowerer, Place};
use crate::ir::{BinaryOp, Block, Expr as IrExpr, Stmt, StmtKind, SwitchCase, VarId};
use num_bigint::BigUint;

impl Lowerer<'_> {
    /// The statements of a block.
    pub(super) fn statements(&mut self, statements: &[Stmt]) -> Lowered<()> {
        // What cannot be lowered in one statement does not hide the next one's problem.
        let mut result = Ok(());
        for statement in statements {
            if let Err(stop) = self.statement(statement) {
                result = Err(stop);
            }
        }
        result
    }

    /// A block.
    pub(super) fn statement_block(&mut self, block: &Block) -> Lowered<()> {
        self.statements(&block.statements)
    }

    fn statement(&mut self, statement: &Stmt) -> Lowered<()> {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Declare { var, init } => self.declare(*var, init.as_ref())?,
            StmtKind::Instance(_) => {}
            StmtKind::Assign { op, left, right } => self.assignment(*op, left, right, statement)?,
            StmtKind::Call(call) => {
                self.call(call)?;
            }
            StmtKind::Block(block) => self.statement_block(block)?,
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.eval(condition)?.bool();
                match condition.as_bool() {
                    Some(true) => return self.statement_block(then),
                    Some(false) => {
                        return otherwise.as_ref().map_or(Ok(()), |b| self.statement_block(b));
                    }
                    None => {}
                }
                let [then_block, else_block, join] = [(); 3].map(|()| self.new_block(span));
                self.branch(condition, then_block, else_block);
                self.draft.switch_to(then_block);
                self.statement_block(then)?;
                self.draft.end(End::Goto(join));
                self.draft.switch_to(else_block);
                if let Some(block) = otherwise {
                    self.statement_block(block)?;
                }
                self.draft.end(End::Goto(join));
                self.draft.switch_to(join);
            }
            StmtKind::Switch { value, cases } => self.switch(value, cases, statement)?,
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    let value = self.eval(value)?;
                    if let Some(result) = self.flow.result.clone() {
                        self.assign(&Place::of(result), value, span)?;
                    }
                }
                self.draft.end(self.flow.leave.map_or(End::Finish, End::Goto));
            }
            StmtKind::Exit => {
                self.draft.end(self.flow.exit.map_or(End::Exit, End::Goto));
            }
            StmtKind::For { init, condition, update, body } => {
                self.for_loop(init, condition, update, body, span)?;
            }
            StmtKind::ForIn { variable, collection, body } => {
                self.for_in(variable, collection, body, span)?;
            }
            StmtKind::Break => {
                if let Some(to) = self.flow.break_to {
                    self.draft.end(End::Goto(to));
                }
            }
            StmtKind::Continue => {
                if let Some(to) = self.flow.continue_to {
                    self.draft.end(End::Goto(to));
                }
            }
        }
        Ok(())
    }

    /// A variable comes into being.
    fn declare(&mut self, var: VarId, init: Option<&IrExpr>) -> Lowered<()> {
        let variable = &self.program[var];
        let value = match init {
            Some(init) => self.eval(init)?,
            None => self.default_value(&variable.ty),
        };
        let name = format!("{}.{}", self.prefix, variable.name);
        let storage = self.storage(&name, &variable.ty, Purpose::local(variable.span))?;
        let place = Place::of(storage);
        self.environment.insert(var, Binding::Place(place.clone()));
        self.assign(&place, value, variable.span)
    }

    /// The l-value is evaluated first, then the value (§12.1).
    fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        left: &IrExpr,
        right: &IrExpr,
        statement: &Stmt,
    ) -> Lowered<()> {
        let place = self.place(left, true)?;
        let value = match op {
            None => self.eval(right)?,
            Some(op) => {
                let mut old = self.read(&place, &left.ty);
                if has_effects(right) {
                    old = self.materialise(&old, statement.span)?;
                }
                let operand = self.eval(right)?;
                self.operate(op, &old, &operand, &left.ty)
            }
        };
        self.assign(&place, value, statement.span)
    }

    fn switch(&mut self, value: &IrExpr, cases: &[SwitchCase], statement: &Stmt) -> Lowered<()> {
        let ty = &value.ty;
        let value = self.eval(value)?.to_bits();
        let mut seen: Vec<BigUint> = Vec::new();
        let mut labels = Vec::with_capacity(cases.len());
        for case in cases {
            let mut values = Vec::new();
            for label in &case.labels {
                let label = self.label(label, ty);
                // The first of two equal labels counts.
                if let Some(pattern) = super::expressions::pattern(&label, value.width)
                    && !seen.contains(&pattern)
                {
                    seen.push(pattern.clone());
                    values.push(pattern);
                }
            }
            labels.push(values);
        }
        let default = cases.iter().position(|c| c.is_default);
        if let Some(known) = value.as_const() {
            let chosen = labels.iter().position(|l| l.contains(known)).or(default);
            return chosen.map_or(Ok(()), |n| self.statement_block(&cases[n].body));
        }
        let join = self.new_block(statement.span);
        let blocks: Vec<_> = cases.iter().map(|c| self.new_block(c.span)).collect();
        let targets = labels
            .into_iter()
            .zip(&blocks)
            .filter(|(values, _)| !values.is_empty())
            .map(|(values, block)| (values, *block))
            .collect();
        let otherwise = default.map_or(join, |n| blocks[n]);
        self.draft.end(End::Switch(value, targets, otherwise));
        for (case, block) in cases.iter().zip(blocks) {
            self.draft.switch_to(block);
            self.statement_block(&case.body)?;
            self.draft.end(End::Goto(join));
        }
        self.draft.switch_to(join);
        Ok(())
    }

    /// `setValid`, `setInvalid` and the shifts of stacks.
    pub(super) fn set_valid(&mut self, header: &IrExpr, valid: bool) -> Lowered<()> {
        let place = self.place(header, true)?;
        let span = header.span;
        let mut members = vec![place.clone()];
        if let Some(super::Storage::Union(parts)) = place.alternatives.first() {
            // Any member's end is the end of all.
            members = (0..parts.len().min(1)).map(|n| self.part(&place, n)).collect();
        }
        for member in members {
            let headers: Vec<_> =
                member.alternatives.iter().filter_map(super::storage::header_id).collect();
            let Some(first) = headers.first() else { continue };
            if !valid {
                self.invalidate(member.index.as_ref(), &headers, span)?;
                self.invalidate_others(member.index.as_ref(), &headers, span)?;
                continue;
            }
            let bits = headers.iter().map(|h| self.out[*h].valid).collect::<Vec<_>>();
            use crate::pipeline::operations::OpKind;
            let value = crate::pipeline::Expr::bool(true);
            let kind = match &member.index {
                None => OpKind::Assign { to: self.out[*first].valid, value, guard: None },
                Some(index) => {
                    let (index, guards) = (index.clone(), Vec::new());
                    OpKind::AssignElement { index, to: bits, guards, value }
                }
            };
            self.emit(kind, span)?;
            self.invalidate_others(member.index.as_ref(), &headers, span)?;
        }
        Ok(())
    }

    /// `push_front` (a positive number) and `pop_front` (a negative one).
    pub(super) fn shift_stack(&mut self, stack: &IrExpr, by: i64) -> Lowered<()> {
        let place = self.place(stack, true)?;
        let Value::Stack(elements, next) = self.read(&place, &stack.ty) else { return Ok(()) };
        let size = elements.len() as i64;
        let empty = match &stack.ty {
            crate::ir::Type::Stack(element, _) => self.default_value(element),
            _ => Value::Nothing,
        };
        let shifted = (0..size)
            .map(|n| {
                let from = n - by;
                usize::try_from(from).ok().and_then(|n| elements.get(n)).unwrap_or(&empty).clone()
            })
            .collect();
        let next = next.map(|next| shifted_next(next, by, size));
        self.assign(&place, Value::Stack(shifted, next), stack.span)
    }
}

/// `nextIndex` stays between 0 and the size.
fn shifted_next(next: crate::pipeline::Expr, by: i64, size: i64) -> crate::pipeline::Expr {
    use crate::pipeline::expression::{BinaryOp as Op, Expr};
    let number = |n: i64| Expr::constant(32, u64::try_from(n).unwrap_or(0));
    if by >= 0 {
        let room = number((size - by).max(0));
        let fits = Expr::binary(Op::Lt, next.clone(), room);
        let sum = Expr::binary(Op::Add, next, number(by.min(size)));
        Expr::select(fits, sum, number(size))
    } else {
        let fits = Expr::binary(Op::Lt, number(-by), next.clone());
        let difference = Expr::binary(Op::Sub, next, number(-by));
        Expr::select(fits, difference, number(0))
    }
}
