//! Expressions.

use super::emitter::{Emitter, Words};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};
use ww_p4::pipeline::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Up to this many elements are evaluated all, and one is chosen without a branch.
const CHOSEN_WITHOUT_BRANCH: usize = 4;

impl Emitter<'_, '_> {
    /// The value of an expression.
    pub fn eval(&mut self, expr: &Expr) -> Words {
        stacker::maybe_grow(64 << 10, 4 << 20, || self.eval_kind(expr))
    }

    fn eval_kind(&mut self, expr: &Expr) -> Words {
        let width = expr.width;
        match &expr.kind {
            ExprKind::Const(value) => self.constant(width, value),
            ExprKind::Field(field) => self.field(*field),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand);
                match op {
                    UnaryOp::Not => self.not(&value, width),
                    UnaryOp::Negate => self.negate(&value, width),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.eval(left), self.eval(right));
                match op {
                    BinaryOp::Concat => self.concat((&a, left.width), (&b, right.width)),
                    BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShrSigned => {
                        match right.as_const().and_then(|n| u32::try_from(n).ok()) {
                            Some(amount) if amount < width && *op != BinaryOp::ShrSigned => {
                                self.shift_by(*op, &a, amount, width)
                            }
                            _ => self.shift(*op, &a, &b, width),
                        }
                    }
                    _ => self.binary(*op, &a, &b, left.width),
                }
            }
            ExprKind::Select(condition, yes, no) => {
                let condition = self.eval(condition)[0];
                let (yes, no) = (self.eval(yes), self.eval(no));
                self.choose(condition, &yes, &no)
            }
            ExprKind::Slice(operand, low) => {
                let value = self.eval(operand);
                self.slice(&value, operand.width, *low, width)
            }
            ExprKind::ZeroExtend(operand) => {
                let value = self.eval(operand);
                self.extend(&value, operand.width, width, false)
            }
            ExprKind::SignExtend(operand) => {
                let value = self.eval(operand);
                self.extend(&value, operand.width, width, true)
            }
            ExprKind::Index(index, elements) => self.element(index, elements, width),
        }
    }

    /// A shift by less than the width.
    fn shift_by(&mut self, op: BinaryOp, a: &[Value], amount: u32, width: u32) -> Words {
        if op == BinaryOp::Shl {
            let kept = self.slice(a, width, 0, width - amount);
            let zeros = self.constant(amount, &0u32.into());
            return self.concat((&kept, width - amount), (&zeros, amount));
        }
        let kept = self.slice(a, width, amount, width - amount);
        self.extend(&kept, width - amount, width, false)
    }

    fn element(&mut self, index: &Expr, elements: &[Expr], width: u32) -> Words {
        let zero = self.constant(width, &0u32.into());
        if elements.len() <= CHOSEN_WITHOUT_BRANCH {
            let index = self.eval(index);
            let mut chosen = zero;
            for (n, element) in elements.iter().enumerate() {
                let position = self.constant(index.len() as u32 * 64, &n.into());
                let here = self.binary(BinaryOp::Eq, &index, &position, index.len() as u32 * 64);
                let value = self.eval(element);
                chosen = self.choose(here[0], &value, &chosen);
            }
            return chosen;
        }
        let after = self.b.create_block();
        for _ in &zero {
            self.b.append_block_param(after, types::I64);
        }
        let (targets, beyond) = self.dispatch(index, elements.len());
        let before = self.known.clone();
        for (element, target) in elements.iter().zip(targets) {
            self.enter(target, before.clone());
            let value = self.eval(element);
            self.jump_with(after, &value);
        }
        self.enter(beyond, before.clone());
        let zero = self.constant(width, &0u32.into());
        self.jump_with(after, &zero);
        self.enter(after, before);
        self.b.block_params(after).to_vec()
    }

    fn jump_with(&mut self, to: Block, values: &[Value]) {
        let arguments: Vec<_> = values.iter().map(|v| (*v).into()).collect();
        self.b.ins().jump(to, &arguments);
    }

    /// Goes to one of `count` new blocks by an index, or to the last one returned.
    pub fn dispatch(&mut self, index: &Expr, count: usize) -> (Vec<Block>, Block) {
        let index = self.eval(index);
        let low = self.position(&index, count);
        self.dispatch_word(low, count)
    }

    /// An index as one word; `count` for all that are as large or larger.
    fn position(&mut self, index: &[Value], count: usize) -> Value {
        let most = self.word(count as u64);
        let low = self.b.ins().umin(index[0], most);
        match index.get(1..) {
            Some(high) if !high.is_empty() => {
                let any = self.any(high);
                self.b.ins().select(any, most, low)
            }
            _ => low,
        }
    }

    /// Goes to one of `count` new blocks by a number, or to the last one returned.
    pub fn dispatch_word(&mut self, number: Value, count: usize) -> (Vec<Block>, Block) {
        let targets: Vec<Block> = (0..count).map(|_| self.b.create_block()).collect();
        let beyond = self.b.create_block();
        if let [only] = targets[..] {
            let zero = self.word(0);
            let here = self.b.ins().icmp(IntCC::Equal, number, zero);
            self.b.ins().brif(here, only, &[], beyond, &[]);
            return (targets, beyond);
        }
        let pool = &mut self.b.func.dfg.value_lists;
        let calls: Vec<_> =
            targets.iter().map(|t| cranelift_codegen::ir::BlockCall::new(*t, [], pool)).collect();
        let default = cranelift_codegen::ir::BlockCall::new(beyond, [], pool);
        let table = self.b.create_jump_table(JumpTableData::new(default, &calls));
        let number = self.b.ins().ireduce(types::I32, number);
        self.b.ins().br_table(number, table);
        (targets, beyond)
    }
}
