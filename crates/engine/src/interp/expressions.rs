//! Expressions: operands from left to right, each once (§8, §6.8).

use super::machine::{Machine, Run};
use super::operators::{binary, cast, unary};
use super::values::{Stack, Value};
use crate::bits::Bits;
use ww_p4::ir::{BinaryOp, Const, Expr, ExprKind, Type};

impl<'a> Machine<'a> {
    /// The value of an expression.
    pub fn eval(&mut self, expr: &'a Expr) -> Run<Value> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(Value::from_const(self.program, value, &expr.ty)),
            ExprKind::Var(var) => Ok(self.slots[var.index()].clone()),
            _ => grow_stack(|| self.compound(expr)),
        }
    }

    fn compound(&mut self, expr: &'a Expr) -> Run<Value> {
        Ok(match &expr.kind {
            ExprKind::Const(_) | ExprKind::Var(_) => self.eval(expr)?,
            ExprKind::Field(base, position) | ExprKind::TupleField(base, position) => {
                match self.peek(expr) {
                    Some(value) => value.clone(),
                    None => {
                        let base = self.eval(base)?;
                        let part = base.parts().and_then(|p| p.get(*position as usize));
                        part.cloned().unwrap_or_default()
                    }
                }
            }
            ExprKind::Element(base, index) => self.element(expr, base, index)?,
            ExprKind::Next(_) | ExprKind::Last(_) => {
                let place = self.place(expr)?;
                self.load(&place, &expr.ty)
            }
            ExprKind::LastIndex(base) => {
                let stack = self.place(base)?;
                let next = self.next_index(&stack);
                Value::bits(32, u128::from(next.wrapping_sub(1)))
            }
            ExprKind::Slice { base, hi, lo } => match self.eval(base)? {
                Value::Bits(bits) => Value::Bits(bits.slice(*hi, *lo)),
                Value::Int(value) => {
                    Value::Bits(Bits::from_bigint(hi.saturating_add(1), &value).slice(*hi, *lo))
                }
                other => other,
            },
            ExprKind::Unary(op, operand) => unary(*op, self.eval(operand)?),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right)?,
            ExprKind::Conditional(condition, then, otherwise) => {
                if self.eval(condition)?.is_true() {
                    self.eval(then)?
                } else {
                    self.eval(otherwise)?
                }
            }
            ExprKind::Cast(operand) => {
                let value = self.eval(operand)?;
                cast(self.program, value, &operand.ty, &expr.ty)
            }
            ExprKind::Struct(items) | ExprKind::Tuple(items) => {
                let items = items.iter().map(|i| self.eval(i)).collect::<Run<Vec<_>>>()?;
                Value::aggregate(self.program, &expr.ty, items)
            }
            ExprKind::StructInOrder(items, order) => {
                let mut values = vec![Value::Absent; items.len()];
                for position in order {
                    let position = *position as usize;
                    values[position] = self.eval(&items[position])?;
                }
                Value::aggregate(self.program, &expr.ty, values)
            }
            ExprKind::Invalid | ExprKind::Default => Value::default_of(self.program, &expr.ty),
            ExprKind::Call(call) => self.call(call)?,
            ExprKind::TableHit(table) => Value::Bool(self.apply_table(*table)?.hit),
            ExprKind::TableMiss(table) => Value::Bool(!self.apply_table(*table)?.hit),
            ExprKind::TableActionRun(table) => Value::Member(self.apply_table(*table)?.action),
            // Objects were made when the program was loaded.
            ExprKind::Construct(_) => Value::Absent,
        })
    }

    fn binary(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Run<Value> {
        let a = self.eval(left)?;
        match op {
            BinaryOp::LogicalAnd if !a.is_true() => return Ok(Value::Bool(false)),
            BinaryOp::LogicalOr if a.is_true() => return Ok(Value::Bool(true)),
            _ => {}
        }
        let b = self.eval(right)?;
        Ok(binary(op, &a, &b, self.is_signed(&left.ty)))
    }

    /// Whether values of a type compare and shift as two's complement.
    pub fn is_signed(&self, ty: &Type) -> bool {
        matches!(self.program.types.storage(ty), Type::Signed(_))
    }

    /// An element of a stack: the stack's value, then the index.
    fn element(&mut self, expr: &'a Expr, base: &'a Expr, index: &'a Expr) -> Run<Value> {
        if let ExprKind::Const(Const::Int(_)) = &index.kind
            && let Some(value) = self.peek(expr)
        {
            return Ok(value.clone());
        }
        let has_effects = matches!(&index.kind, ExprKind::Call(_));
        let element = if self.peek(base).is_some() && !has_effects {
            let index = self.eval(index)?.to_u64();
            let base = self.peek(base).and_then(Value::parts);
            usize::try_from(index).ok().and_then(|n| base?.get(n)).cloned()
        } else {
            let base = self.eval(base)?;
            let index = self.eval(index)?.to_u64();
            usize::try_from(index).ok().and_then(|n| base.parts()?.get(n)).cloned()
        };
        Ok(element.unwrap_or_else(|| Value::default_of(self.program, &expr.ty)))
    }

    /// The value of an expression without copying it: for variables, and fields and elements
    /// with constant indices of them. Such expressions have no effects.
    pub fn peek(&self, expr: &Expr) -> Option<&Value> {
        match &expr.kind {
            ExprKind::Var(var) => self.slots.get(var.index()),
            ExprKind::Field(base, position) | ExprKind::TupleField(base, position) => {
                self.peek(base)?.parts()?.get(*position as usize)
            }
            ExprKind::Element(base, index) => {
                let ExprKind::Const(Const::Int(index)) = &index.kind else { return None };
                let index = usize::try_from(index).ok()?;
                match self.peek(base)? {
                    Value::Stack(Stack { elements, .. }) => elements.get(index),
                    other => other.parts()?.get(index),
                }
            }
            _ => None,
        }
    }
}

/// Runs `work` with room on the stack: programs may nest as deeply as the front end lets them,
/// and threads have stacks of any size.
pub fn grow_stack<T>(work: impl FnOnce() -> T) -> T {
    /// What one level of recursion takes at most, with a margin.
    const NEEDED: usize = 64 << 10;
    /// What is added when less is left.
    const STEP: usize = 1 << 20;
    stacker::maybe_grow(NEEDED, STEP, work)
}
