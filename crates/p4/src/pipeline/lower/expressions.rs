//! Expressions: values without effects; what has effects becomes operations in front.

use super::effects::has_effects;
use super::storage::{Purpose, Storage};
use super::values::{Value, aggregate, cast};
use super::{Binding, Lowered, Lowerer};
use crate::ir::{self, Const, ConstructorValue, Expr as IrExpr, ExprKind, Type, VarId};
use crate::pipeline::arithmetic;
use crate::pipeline::expression::{BinaryOp, Expr, UnaryOp};
use crate::pipeline::fields::FieldType;
use crate::pipeline::operations::OpKind;
use crate::source::Span;
use num_bigint::BigInt;

impl Lowerer<'_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, e: &IrExpr) -> Lowered<Value> {
        let program = self.program;
        Ok(match &e.kind {
            ExprKind::Const(value) => self.const_value(value, &e.ty),
            ExprKind::Var(var) => self.variable(*var, e)?,
            ExprKind::Field(base, n) | ExprKind::TupleField(base, n) => {
                if self.is_place(e) {
                    let place = self.place(e, false)?;
                    return Ok(self.read(&place, &e.ty));
                }
                let base = self.eval(base)?;
                let part = base.parts().get(*n as usize).cloned();
                part.unwrap_or_else(|| self.default_value(&e.ty))
            }
            ExprKind::Element(base, index) => {
                if self.is_place(e) && !has_effects(index) {
                    let place = self.place(e, false)?;
                    return Ok(self.read(&place, &e.ty));
                }
                let values = self.eval_all(&[base, index])?;
                let index = values[1].scalar(64);
                let element = Value::index(&index, values[0].parts());
                match index.as_const() {
                    Some(n) if *n >= values[0].parts().len().into() => self.default_value(&e.ty),
                    _ => element.unwrap_or_else(|| self.default_value(&e.ty)),
                }
            }
            ExprKind::Next(_) | ExprKind::Last(_) => {
                let place = self.place(e, false)?;
                self.read(&place, &e.ty)
            }
            ExprKind::LastIndex(base) => {
                let next = if self.is_place(base) {
                    let stack = self.place(base, false)?;
                    self.next_index(&stack, &base.ty).0
                } else {
                    match self.eval(base)? {
                        Value::Stack(_, Some(next)) => next,
                        _ => Expr::zero(32),
                    }
                };
                Value::Scalar(Expr::binary(BinaryOp::Sub, next, Expr::one(32)))
            }
            ExprKind::Slice { base, hi, lo } => {
                let base = self.eval(base)?.scalar(hi.saturating_add(1));
                let width = hi.saturating_sub(*lo) + 1;
                let wide = if *hi < base.width { base } else { base.resize(hi.saturating_add(1)) };
                Value::Scalar(wide.slice(*lo, width))
            }
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand)?;
                unary(*op, value)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e)?,
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.eval(condition)?.bool();
                match condition.as_bool() {
                    Some(true) => self.eval(then)?,
                    Some(false) => self.eval(otherwise)?,
                    None if has_effects(then) || has_effects(otherwise) => {
                        self.one_of(condition, Ok(then), Ok(otherwise), e)?
                    }
                    None => {
                        let (then, otherwise) = (self.eval(then)?, self.eval(otherwise)?);
                        Value::select(&condition, &then, &otherwise)
                    }
                }
            }
            ExprKind::Cast(operand) => {
                let value = self.eval(operand)?;
                cast(program, value, &operand.ty, &e.ty)
            }
            ExprKind::Struct(items) | ExprKind::Tuple(items) => {
                let items = self.eval_all(&items.iter().collect::<Vec<_>>())?;
                aggregate(program, &e.ty, items)
            }
            ExprKind::StructInOrder(items, order) => {
                let written = order.iter().filter_map(|n| items.get(*n as usize));
                let values = self.eval_all(&written.collect::<Vec<_>>())?;
                let mut fields = vec![Value::Nothing; items.len()];
                for (n, value) in order.iter().zip(values) {
                    if let Some(field) = fields.get_mut(*n as usize) {
                        *field = value;
                    }
                }
                aggregate(program, &e.ty, fields)
            }
            ExprKind::Invalid | ExprKind::Default => self.default_value(&e.ty),
            ExprKind::Call(call) => self.call(call)?,
            ExprKind::TableHit(table) => {
                let hit = self.apply_table(*table, e.span, true, false)?.hit;
                Value::Scalar(hit.map_or(Expr::zero(1), |f| self.read_field(f)))
            }
            ExprKind::TableMiss(table) => {
                let hit = self.apply_table(*table, e.span, true, false)?.hit;
                Value::Scalar(hit.map_or(Expr::zero(1), |f| self.read_field(f)).inverted())
            }
            ExprKind::TableActionRun(table) => {
                let run = self.apply_table(*table, e.span, false, true)?.action_run;
                Value::Scalar(run.map_or(Expr::zero(32), |f| self.read_field(f)))
            }
            // Objects were made when the program was loaded.
            ExprKind::Construct(_) => Value::Nothing,
        })
    }

    /// Several expressions from left to right: what effects of later ones could change is kept.
    pub(super) fn eval_all(&mut self, items: &[&IrExpr]) -> Lowered<Vec<Value>> {
        let last_effect = items.iter().rposition(|e| has_effects(e)).unwrap_or(0);
        let mut values = Vec::with_capacity(items.len());
        for (n, item) in items.iter().enumerate() {
            let value = self.eval(item)?;
            let keep = n < last_effect;
            values.push(if keep { self.materialise(&value, item.span)? } else { value });
        }
        Ok(values)
    }

    fn variable(&mut self, var: VarId, e: &IrExpr) -> Lowered<Value> {
        match self.environment.get(&var) {
            Some(Binding::Place(place)) => Ok(self.read(place, &e.ty)),
            Some(Binding::Value(value)) => Ok(value.clone()),
            None => match self.bound(var) {
                Some(value) => Ok(value),
                None => {
                    let name = self.program[var].name.clone();
                    self.refuse(e.span, format!("`{name}` has no value here"))
                }
            },
        }
    }

    /// What a constructor parameter or local object of the instance at work, or a top-level
    /// object, stands for.
    pub(super) fn bound(&self, var: VarId) -> Option<Value> {
        let of = |id: ir::InstanceId| {
            self.program[id].bindings.iter().find(|(v, _)| *v == var).map(|(_, value)| value)
        };
        let mut found = self.this.and_then(of).or_else(|| of(self.instance));
        let mut at = self.program[self.instance].parent;
        while let (None, Some(parent)) = (found, at) {
            found = of(parent);
            at = self.program[parent].parent;
        }
        match found {
            Some(ConstructorValue::Const(value)) => {
                Some(self.const_value(value, &self.program[var].ty))
            }
            Some(ConstructorValue::Instance(id)) => Some(Value::Object(*id)),
            Some(ConstructorValue::Absent) => Some(Value::Nothing),
            None if matches!(self.program[var].ty, Type::ValueSet(_)) => Some(Value::Members(var)),
            None => {
                let global = self.program.globals.iter().find(|(v, _)| *v == var);
                global.map(|(_, id)| Value::Object(*id))
            }
        }
    }

    fn binary(
        &mut self,
        op: ir::BinaryOp,
        left: &IrExpr,
        right: &IrExpr,
        e: &IrExpr,
    ) -> Lowered<Value> {
        let logical = matches!(op, ir::BinaryOp::LogicalAnd | ir::BinaryOp::LogicalOr);
        if logical {
            let is_and = op == ir::BinaryOp::LogicalAnd;
            let first = self.eval(left)?.bool();
            // A known operand decides, or leaves it to the other one.
            return match first.as_bool() {
                Some(known) if known != is_and => Ok(Value::Scalar(first)),
                Some(_) => self.eval(right),
                None if has_effects(right) => {
                    let known = Value::Scalar(Expr::bool(!is_and));
                    let (then, otherwise) =
                        if is_and { (Ok(right), Err(known)) } else { (Err(known), Ok(right)) };
                    self.one_of(first, then, otherwise, e)
                }
                None => {
                    let second = self.eval(right)?.bool();
                    Ok(Value::Scalar(if is_and { first.and(second) } else { first.or(second) }))
                }
            };
        }
        let values = self.eval_all(&[left, right])?;
        Ok(self.operate(op, &values[0], &values[1], &left.ty))
    }

    /// A binary operator on values; `ty` is the left operand's type.
    pub(super) fn operate(
        &self,
        op: ir::BinaryOp,
        left: &Value,
        right: &Value,
        ty: &Type,
    ) -> Value {
        let signed = matches!(self.program.types.storage(ty), Type::Signed(_));
        binary_values(op, left, right, signed)
    }

    /// One of two values that are evaluated only if chosen.
    fn one_of(
        &mut self,
        condition: Expr,
        then: Result<&IrExpr, Value>,
        otherwise: Result<&IrExpr, Value>,
        e: &IrExpr,
    ) -> Lowered<Value> {
        self.temporaries += 1;
        let name = format!("${}", self.temporaries);
        let storage = self.storage(&name, &e.ty, Purpose::temporary(e.span))?;
        let place = super::Place::of(storage.clone());
        let [then_block, else_block, join] = [(); 3].map(|()| self.new_block(e.span));
        self.branch(condition, then_block, else_block);
        for (block, value) in [(then_block, then), (else_block, otherwise)] {
            self.draft.switch_to(block);
            let value = match value {
                Ok(expr) => self.eval(expr)?,
                Err(value) => value,
            };
            self.assign(&place, value, e.span)?;
            self.draft.end(super::draft::End::Goto(join));
        }
        self.draft.switch_to(join);
        Ok(self.read_storage(&storage))
    }

    /// The value in fields of its own.
    pub(super) fn in_storage(&mut self, value: Value, ty: &Type, span: Span) -> Lowered<Storage> {
        self.temporaries += 1;
        let name = format!("${}", self.temporaries);
        let storage = self.storage(&name, ty, Purpose::temporary(span))?;
        self.assign(&super::Place::of(storage.clone()), value, span)?;
        Ok(storage)
    }

    /// A check of the parser.
    pub(super) fn verify(&mut self, condition: Expr, error: &str, span: Span) -> Lowered<()> {
        if condition.as_bool() == Some(true) {
            return Ok(());
        }
        let code = self.program.error_code(error).unwrap_or(0);
        let error = Expr::constant(crate::pipeline::SYMBOLIC_WIDTH, code);
        self.emit(OpKind::Verify { condition, error }, span)
    }

    /// A constant of the program, as a pattern.
    pub(super) fn label(&self, label: &Const, ty: &Type) -> Value {
        match label {
            Const::Member(n) => Value::Scalar(Expr::constant(32, *n)),
            other => self.const_value(other, ty),
        }
    }

    /// A scalar in a field, for it is read often or must keep its value.
    pub(super) fn in_field(
        &mut self,
        value: Expr,
        ty: FieldType,
        span: Span,
    ) -> Lowered<super::FieldId> {
        let field = self.temporary(value.width, ty, span)?;
        self.emit(OpKind::Assign { to: field, value, guard: None }, span)?;
        Ok(field)
    }
}

fn unary(op: ir::UnaryOp, value: Value) -> Value {
    match (op, value) {
        (ir::UnaryOp::Not | ir::UnaryOp::Complement, Value::Scalar(expr)) => {
            Value::Scalar(Expr::unary(UnaryOp::Not, expr))
        }
        (ir::UnaryOp::Negate, Value::Scalar(expr)) => {
            Value::Scalar(Expr::unary(UnaryOp::Negate, expr))
        }
        (ir::UnaryOp::Negate, Value::Integer(n)) => Value::Integer(-n),
        (_, value) => value,
    }
}

fn binary_values(op: ir::BinaryOp, left: &Value, right: &Value, signed: bool) -> Value {
    use ir::BinaryOp as Ir;
    match op {
        Ir::Eq => return Value::Scalar(left.equal(right)),
        Ir::Ne => return Value::Scalar(left.equal(right).inverted()),
        _ => {}
    }
    if let (Value::Integer(a), Value::Integer(b)) = (left, right) {
        return integers(op, a, b);
    }
    if let (Value::Integer(a), Ir::Shl | Ir::Shr) = (left, op) {
        // By a parameter of a constructor, which has a value by now.
        let amount = right.to_bits();
        let Some(amount) = amount.as_const() else { return Value::Nothing };
        return integers(op, a, &BigInt::from(amount.clone()));
    }
    let (a, b) = match (left, right) {
        (Value::Scalar(a), _) if matches!(op, Ir::Shl | Ir::Shr) => {
            // An amount of any size; beyond 32 bits all of them shift everything out.
            let amount = match right {
                Value::Integer(n) => Expr::constant(32, u32::try_from(n).unwrap_or(u32::MAX)),
                other => other.scalar(32),
            };
            (a.clone(), amount)
        }
        (Value::Scalar(a), _) => (a.clone(), right.scalar(a.width)),
        (_, Value::Scalar(b)) => (left.scalar(b.width), b.clone()),
        _ => return Value::Nothing,
    };
    let (less, less_or_equal) = if signed {
        (BinaryOp::LtSigned, BinaryOp::LeSigned)
    } else {
        (BinaryOp::Lt, BinaryOp::Le)
    };
    let expr = match op {
        Ir::Lt => Expr::binary(less, a, b),
        Ir::Le => Expr::binary(less_or_equal, a, b),
        Ir::Gt => Expr::binary(less, b, a),
        Ir::Ge => Expr::binary(less_or_equal, b, a),
        other => Expr::binary(operator(other, signed), a, b),
    };
    Value::Scalar(expr)
}

fn operator(op: ir::BinaryOp, signed: bool) -> BinaryOp {
    use ir::BinaryOp as Ir;
    match (op, signed) {
        (Ir::Mul, _) => BinaryOp::Mul,
        (Ir::Div, _) => BinaryOp::Div,
        (Ir::Mod, _) => BinaryOp::Rem,
        (Ir::Add, _) => BinaryOp::Add,
        (Ir::Sub, _) => BinaryOp::Sub,
        (Ir::SatAdd, false) => BinaryOp::SatAdd,
        (Ir::SatAdd, true) => BinaryOp::SatAddSigned,
        (Ir::SatSub, false) => BinaryOp::SatSub,
        (Ir::SatSub, true) => BinaryOp::SatSubSigned,
        (Ir::Shl, _) => BinaryOp::Shl,
        (Ir::Shr, false) => BinaryOp::Shr,
        (Ir::Shr, true) => BinaryOp::ShrSigned,
        (Ir::And | Ir::LogicalAnd, _) => BinaryOp::And,
        (Ir::Or | Ir::LogicalOr, _) => BinaryOp::Or,
        (Ir::Xor, _) => BinaryOp::Xor,
        (Ir::Concat, _) => BinaryOp::Concat,
        (Ir::Eq, _) => BinaryOp::Eq,
        (Ir::Ne, _) => BinaryOp::Ne,
        (Ir::Lt | Ir::Gt, false) => BinaryOp::Lt,
        (Ir::Le | Ir::Ge, false) => BinaryOp::Le,
        (Ir::Lt | Ir::Gt, true) => BinaryOp::LtSigned,
        (Ir::Le | Ir::Ge, true) => BinaryOp::LeSigned,
    }
}

/// An amount for the shift of an integer. More than this many bits give what this many do in all widths that exist:
/// zeros on the left, copies of the sign on the right; a negative amount, as in the reference engine, likewise.
fn shift_amount(amount: &BigInt) -> u32 {
    const MOST: u32 = 1 << 20;
    u32::try_from(amount).unwrap_or(MOST).min(MOST)
}

/// Integers of any size only meet at compile time, but constants need not be folded.
fn integers(op: ir::BinaryOp, a: &BigInt, b: &BigInt) -> Value {
    use ir::BinaryOp as Ir;
    let zero = BigInt::ZERO;
    Value::Integer(match op {
        Ir::Lt => return Value::Scalar(Expr::bool(a < b)),
        Ir::Le => return Value::Scalar(Expr::bool(a <= b)),
        Ir::Gt => return Value::Scalar(Expr::bool(a > b)),
        Ir::Ge => return Value::Scalar(Expr::bool(a >= b)),
        Ir::Mul => a * b,
        Ir::Div if *b == zero => zero,
        Ir::Div => a / b,
        Ir::Mod if *b == zero => zero,
        Ir::Mod => a % b,
        Ir::Add => a + b,
        Ir::Sub => a - b,
        Ir::And => a & b,
        Ir::Or => a | b,
        Ir::Xor => a ^ b,
        Ir::Shl => a << shift_amount(b),
        Ir::Shr => a >> shift_amount(b),
        _ => return Value::Nothing,
    })
}

/// A constant expression as a pattern of some width.
pub(super) fn pattern(value: &Value, width: u32) -> Option<num_bigint::BigUint> {
    match value {
        Value::Integer(n) => Some(arithmetic::pattern(n, width)),
        other => other.to_bits().as_const().map(|v| arithmetic::truncate(v, width)),
    }
}
