//! Loops become loop regions; how often they run is found out where it is plain.

use super::draft::{BlockId, End};
use super::values::{Value, count};
use super::{Lowered, Lowerer};
use crate::ir::{self, Block, Collection, Const, Expr as IrExpr, ExprKind, Stmt, StmtKind, VarId};
use crate::pipeline::expression::{BinaryOp, Expr};
use crate::pipeline::fields::FieldType;
use crate::pipeline::operations::OpKind;
use crate::source::Span;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

impl Lowerer<'_> {
    /// `for (init; condition; update) body`
    pub(super) fn for_loop(
        &mut self,
        init: &[Stmt],
        condition: &IrExpr,
        update: &[Stmt],
        body: &Block,
        span: Span,
    ) -> Lowered<()> {
        self.statements(init)?;
        let bound = counted(init, condition, update, body);
        let head = self.start_block(span);
        let [test, inside, next_round, behind] = [(); 4].map(|()| self.new_block(span));
        self.draft.end(End::Loop(test, behind, bound));
        self.draft.switch_to(test);
        let condition = self.eval(condition)?.bool();
        self.branch(condition, inside, behind);
        self.draft.switch_to(inside);
        self.round(body, next_round, behind)?;
        self.statements(update)?;
        self.draft.end(End::Continue(head));
        self.draft.switch_to(behind);
        Ok(())
    }

    /// `for (variable in collection) body`
    pub(super) fn for_in(
        &mut self,
        variable: &IrExpr,
        collection: &Collection,
        body: &Block,
        span: Span,
    ) -> Lowered<()> {
        match collection {
            Collection::Range(low, high) => {
                let values = self.eval_all(&[low, high])?;
                self.for_range(variable, &values[0], &values[1], body, span)
            }
            Collection::Elements(list) => {
                let list = self.eval(list)?;
                let list = self.materialise(&list, span)?;
                let elements = list.parts();
                let Some(last) = (elements.len() as u64).checked_sub(1) else { return Ok(()) };
                let position = self.in_field(Expr::zero(32), FieldType::Bits, span)?;
                let position = self.read_field(position);
                let element = Value::index(&position, elements).unwrap_or(Value::Nothing);
                let last = Expr::constant(32, last);
                let bound = Some(elements.len() as u64);
                self.rounds(variable, element, position, last, bound, body, span)
            }
        }
    }

    fn for_range(
        &mut self,
        variable: &IrExpr,
        low: &Value,
        high: &Value,
        body: &Block,
        span: Span,
    ) -> Lowered<()> {
        let ty = self.program.types.storage(&variable.ty);
        let signed = matches!(ty, ir::Type::Signed(_));
        let width = super::storage::scalar(&self.program.types, &variable.ty).map_or(0, |s| s.1);
        let (low, high, bound) = match (low, high) {
            (Value::Integer(a), Value::Integer(b)) => {
                if a > b {
                    return Ok(());
                }
                let rounds: BigInt = b - a + 1;
                (low.scalar(width), high.scalar(width), rounds.to_u64())
            }
            _ => {
                let (a, b) = (low.scalar(width), high.scalar(width));
                let bound = match (a.as_const(), b.as_const()) {
                    (Some(x), Some(y)) if x <= y && !signed => Some(count(&(y - x + 1u32))),
                    _ => 1u64.checked_shl(a.width),
                };
                (a, b, bound)
            }
        };
        let behind = self.new_block(span);
        let inside = self.new_block(span);
        let field_type = if signed { FieldType::Signed } else { FieldType::Bits };
        let first = self.in_field(low, field_type, span)?;
        let position = self.read_field(first);
        let last = if high.as_const().is_some() {
            high
        } else {
            let field = self.in_field(high, field_type, span)?;
            self.read_field(field)
        };
        let op = if signed { BinaryOp::LeSigned } else { BinaryOp::Le };
        self.branch(Expr::binary(op, position.clone(), last.clone()), inside, behind);
        self.draft.switch_to(inside);
        let element = Value::Scalar(position.clone());
        self.rounds(variable, element, position, last, bound, body, span)?;
        self.draft.end(End::Goto(behind));
        self.draft.switch_to(behind);
        Ok(())
    }

    /// Rounds in which the variable takes `element`, while `position` counts up to `last`.
    #[allow(clippy::too_many_arguments)]
    fn rounds(
        &mut self,
        variable: &IrExpr,
        element: Value,
        position: Expr,
        last: Expr,
        bound: Option<u64>,
        body: &Block,
        span: Span,
    ) -> Lowered<()> {
        if let ExprKind::Var(var) = variable.kind
            && !self.environment.contains_key(&var)
        {
            self.declare_loop_variable(var)?;
        }
        let head = self.start_block(span);
        let [inside, next_round, step, behind] = [(); 4].map(|()| self.new_block(span));
        self.draft.end(End::Loop(inside, behind, bound));
        self.draft.switch_to(inside);
        let place = self.place(variable, true)?;
        self.assign(&place, element, span)?;
        self.round(body, next_round, behind)?;
        // The last position may be the largest of its type: compare before stepping.
        let at_end = position.clone().equals(last);
        self.branch(at_end, behind, step);
        self.draft.switch_to(step);
        if let Some(to) = position.as_field() {
            let value = Expr::binary(BinaryOp::Add, position.clone(), Expr::one(position.width));
            self.emit(OpKind::Assign { to, value, guard: None }, span)?;
        }
        self.draft.end(End::Continue(head));
        self.draft.switch_to(behind);
        Ok(())
    }

    /// The body of a loop: `break` leads out of it behind the loop, its end and `continue` to the next round.
    fn round(&mut self, body: &Block, next_round: BlockId, behind: BlockId) -> Lowered<()> {
        let outer = self.flow.clone();
        self.flow.break_to = Some(behind);
        self.flow.continue_to = Some(next_round);
        let result = self.statement_block(body);
        self.flow = outer;
        result?;
        self.draft.end(End::Goto(next_round));
        self.draft.switch_to(next_round);
        Ok(())
    }

    fn declare_loop_variable(&mut self, var: VarId) -> Lowered<()> {
        let variable = &self.program[var];
        let name = format!("{}.{}", self.prefix, variable.name);
        let purpose = super::storage::Purpose::local(variable.span);
        let storage = self.storage(&name, &variable.ty, purpose)?;
        self.environment.insert(var, super::Binding::Place(super::Place::of(storage)));
        Ok(())
    }
}

/// Rounds of `for (i = a; i < b; i = i + c)` with constants and a body that leaves `i` alone.
fn counted(init: &[Stmt], condition: &IrExpr, update: &[Stmt], body: &Block) -> Option<u64> {
    let [start] = init else { return None };
    let (var, from) = match &start.kind {
        StmtKind::Declare { var, init: Some(value) } => (*var, integer(value)?),
        StmtKind::Assign { op: None, left, right } => (variable(left)?, integer(right)?),
        _ => return None,
    };
    let ExprKind::Binary(op, left, right) = &condition.kind else { return None };
    let limit = integer(right)?;
    let limit = match op {
        ir::BinaryOp::Lt => limit,
        ir::BinaryOp::Le => limit + 1,
        _ => return None,
    };
    let [step] = update else { return None };
    let StmtKind::Assign { op: compound, left: target, right: value } = &step.kind else {
        return None;
    };
    let step = match (compound, &value.kind) {
        (Some(ir::BinaryOp::Add), _) => integer(value)?,
        (None, ExprKind::Binary(ir::BinaryOp::Add, a, b)) if variable(a) == Some(var) => {
            integer(b)?
        }
        _ => return None,
    };
    let fits = variable(left) == Some(var) && variable(target) == Some(var);
    if !fits || step < BigInt::one() || assigns(&body.statements, var) {
        return None;
    }
    // Stepping over the largest number would start again from below.
    let ir::Type::Bit(width) = condition_type(left) else { return None };
    if &limit + &step > BigInt::one() << *width {
        return None;
    }
    if limit <= from {
        return Some(0);
    }
    let rounds: BigInt = (limit - from + &step - 1) / step;
    rounds.to_u64()
}

fn condition_type(e: &IrExpr) -> &ir::Type {
    &e.ty
}

fn variable(e: &IrExpr) -> Option<VarId> {
    match e.kind {
        ExprKind::Var(var) => Some(var),
        _ => None,
    }
}

fn integer(e: &IrExpr) -> Option<BigInt> {
    match &e.kind {
        ExprKind::Const(Const::Int(n)) => Some(n.clone()),
        _ => None,
    }
}

/// Whether statements may change a variable: assignments to it, and calls that get it.
fn assigns(statements: &[Stmt], var: VarId) -> bool {
    let call = |call: &ir::Call| {
        call.arguments.iter().any(|a| {
            let writes = matches!(a.direction, ir::Direction::Out | ir::Direction::InOut);
            writes && a.value.as_ref().is_some_and(|v| rooted(v) == Some(var))
        }) || !matches!(
            call.callee,
            ir::Callee::Function(_) | ir::Callee::ExternFunction(_) | ir::Callee::Method { .. }
        )
    };
    let expr = |e: &IrExpr| super::effects::has_effects(e);
    statements.iter().any(|s| match &s.kind {
        StmtKind::Declare { init, .. } => init.as_ref().is_some_and(expr),
        StmtKind::Assign { left, right, .. } => {
            rooted(left) == Some(var) || expr(left) || expr(right)
        }
        StmtKind::Call(c) => call(c) || c.arguments.iter().any(|a| a.value.iter().any(expr)),
        StmtKind::Block(b) => assigns(&b.statements, var),
        StmtKind::If { condition, then, otherwise } => {
            expr(condition)
                || assigns(&then.statements, var)
                || otherwise.as_ref().is_some_and(|b| assigns(&b.statements, var))
        }
        StmtKind::Switch { value, cases } => {
            expr(value) || cases.iter().any(|c| assigns(&c.body.statements, var))
        }
        StmtKind::For { init, condition, update, body } => {
            expr(condition)
                || assigns(init, var)
                || assigns(update, var)
                || assigns(&body.statements, var)
        }
        StmtKind::ForIn { variable, body, .. } => {
            rooted(variable) == Some(var) || assigns(&body.statements, var)
        }
        StmtKind::Return(value) => value.as_ref().is_some_and(expr),
        StmtKind::Instance(_) | StmtKind::Exit | StmtKind::Break | StmtKind::Continue => false,
    })
}

fn rooted(e: &IrExpr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Field(base, _)
        | ExprKind::TupleField(base, _)
        | ExprKind::Element(base, _)
        | ExprKind::Slice { base, .. } => rooted(base),
        _ => None,
    }
}
