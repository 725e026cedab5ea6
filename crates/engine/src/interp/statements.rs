//! Statements (§12).

use super::expressions::grow_stack;
use super::machine::{Flow, Machine, Run};
use super::operators::binary;
use super::values::Value;
use crate::bits::Bits;
use num_bigint::BigInt;
use ww_p4::ir::{BinaryOp, Block, Collection, Const, Expr, Stmt, StmtKind, SwitchCase, Type};

impl<'a> Machine<'a> {
    /// Runs the statements of a block until one leaves it.
    pub fn block(&mut self, block: &'a Block) -> Run<Flow> {
        grow_stack(|| self.statements(&block.statements))
    }

    /// Runs statements until one leaves them.
    pub fn statements(&mut self, statements: &'a [Stmt]) -> Run<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &'a Stmt) -> Run<Flow> {
        match &statement.kind {
            StmtKind::Declare { var, init } => {
                let value = match init {
                    Some(init) => self.eval(init)?,
                    None => self.loaded.defaults[var.index()].clone(),
                };
                self.slots[var.index()] = value;
            }
            StmtKind::Instance(_) => {}
            StmtKind::Assign { op, left, right } => {
                self.assignment(*op, left, right, statement)?;
            }
            StmtKind::Call(call) => {
                self.call(call)?;
            }
            StmtKind::Block(block) => return self.block(block),
            StmtKind::If { condition, then, otherwise } => {
                if self.eval(condition)?.is_true() {
                    return self.block(then);
                } else if let Some(otherwise) = otherwise {
                    return self.block(otherwise);
                }
            }
            StmtKind::Switch { value, cases } => {
                let value_type = &value.ty;
                let value = self.eval(value)?;
                if let Some(case) = self.switch_case(&value, value_type, cases) {
                    return self.block(&case.body);
                }
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::Absent,
                };
                return Ok(Flow::Return(value));
            }
            StmtKind::Exit => return Err(super::machine::Interrupt::Exit),
            StmtKind::For { init, condition, update, body } => {
                return self.for_loop(init, condition, update, body);
            }
            StmtKind::ForIn { variable, collection, body } => {
                return self.for_in(variable, collection, body, statement);
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    /// The l-value is evaluated first, then the value (§12.1).
    fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        left: &'a Expr,
        right: &'a Expr,
        statement: &'a Stmt,
    ) -> Run<()> {
        let place = self.place(left)?;
        let value = match op {
            None => self.eval(right)?,
            Some(op) => {
                let old = self.load(&place, &left.ty);
                let operand = self.eval(right)?;
                binary(op, &old, &operand, self.is_signed(&left.ty))
            }
        };
        self.assign(&place, left, value, statement.span);
        Ok(())
    }

    fn switch_case(
        &self,
        value: &Value,
        ty: &Type,
        cases: &'a [SwitchCase],
    ) -> Option<&'a SwitchCase> {
        let fits = |label: &Const| match (label, value) {
            (Const::Member(n), Value::Member(m)) => n == m,
            _ => Value::from_const(self.program, label, ty) == *value,
        };
        cases
            .iter()
            .find(|case| case.labels.iter().any(fits))
            .or_else(|| cases.iter().find(|case| case.is_default))
    }

    fn for_loop(
        &mut self,
        init: &'a [Stmt],
        condition: &'a Expr,
        update: &'a [Stmt],
        body: &'a Block,
    ) -> Run<Flow> {
        self.statements(init)?;
        while self.eval(condition)?.is_true() {
            self.step()?;
            match self.block(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow => return Ok(flow),
            }
            self.statements(update)?;
        }
        Ok(Flow::Next)
    }

    fn for_in(
        &mut self,
        variable: &'a Expr,
        collection: &'a Collection,
        body: &'a Block,
        statement: &'a Stmt,
    ) -> Run<Flow> {
        let round = |machine: &mut Self, value: Value| -> Run<Option<Flow>> {
            machine.step()?;
            let place = machine.place(variable)?;
            machine.assign(&place, variable, value, statement.span);
            Ok(match machine.block(body)? {
                Flow::Next | Flow::Continue => None,
                flow => Some(flow),
            })
        };
        let ended = match collection {
            Collection::Range(low, high) => {
                let low = self.eval(low)?;
                let high = self.eval(high)?;
                let signed = self.is_signed(&variable.ty);
                let mut next = Some(low);
                let mut ended = None;
                while let Some(value) = next {
                    if binary(BinaryOp::Gt, &value, &high, signed).is_true() {
                        break;
                    }
                    // The last value may be the largest of its type: compare before stepping.
                    next = (value != high).then(|| successor(&value));
                    let value = match (&value, self.program.types.storage(&variable.ty)) {
                        (Value::Int(n), Type::Bit(width) | Type::Signed(width)) => {
                            Value::Bits(Bits::from_bigint(*width, n))
                        }
                        _ => value,
                    };
                    ended = round(self, value)?;
                    if ended.is_some() {
                        break;
                    }
                }
                ended
            }
            Collection::Elements(list) => {
                let list = self.eval(list)?;
                let mut ended = None;
                for element in list.parts().unwrap_or_default() {
                    ended = round(self, element.clone())?;
                    if ended.is_some() {
                        break;
                    }
                }
                ended
            }
        };
        Ok(match ended {
            None | Some(Flow::Break) => Flow::Next,
            Some(flow) => flow,
        })
    }
}

fn successor(value: &Value) -> Value {
    match value {
        Value::Bits(bits) => Value::Bits(bits.add(&Bits::new(bits.width(), 1))),
        Value::Int(value) => Value::Int(Box::new(&**value + BigInt::from(1))),
        other => other.clone(),
    }
}
