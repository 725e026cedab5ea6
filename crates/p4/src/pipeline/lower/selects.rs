//! `select` becomes rows of constants; what is not constant becomes conditions.

use super::draft::{BlockId, DraftMatch, DraftRow, End};
use super::values::Value;
use super::{Lowered, Lowerer};
use crate::ir::{Expr as IrExpr, KeySet, SelectCase, Type};
use crate::pipeline::blocks::Match;
use crate::pipeline::expression::{BinaryOp, Expr};
use crate::source::Span;

/// A value of a select as its scalars.
struct Column<'a> {
    expr: &'a IrExpr,
    value: Value,
    scalars: Vec<Expr>,
}

impl Lowerer<'_> {
    /// Ends a state with a select.
    pub(super) fn select(
        &mut self,
        exprs: &[IrExpr],
        cases: &[SelectCase],
        blocks: &[BlockId],
        accept: BlockId,
        span: Span,
    ) -> Lowered<()> {
        let values = self.eval_all(&exprs.iter().collect::<Vec<_>>())?;
        let columns: Vec<Column<'_>> = exprs
            .iter()
            .zip(values)
            .map(|(expr, value)| {
                let mut scalars = Vec::new();
                leaves(&value, &mut scalars);
                Column { expr, value, scalars }
            })
            .collect();
        let mut rows = Vec::new();
        for case in cases {
            let target = self.target(case.target, blocks, accept);
            match self.row(&columns, case)? {
                Row::Match(kind) => rows.push(DraftRow { kind, target, span: case.span }),
                Row::Condition(condition) => {
                    // Rows so far, and behind them a state that decides on this one.
                    let next = self.new_block(span);
                    let rest = self.new_block(span);
                    rows.push(DraftRow { kind: DraftMatch::Any, target: next, span: case.span });
                    self.end_select(&columns, std::mem::take(&mut rows));
                    self.draft.switch_to(next);
                    self.branch(condition, target, rest);
                    self.draft.switch_to(rest);
                }
            }
        }
        self.end_select(&columns, rows);
        Ok(())
    }

    fn end_select(&mut self, columns: &[Column<'_>], rows: Vec<DraftRow>) {
        let always = |r: &DraftRow| match &r.kind {
            DraftMatch::Any => true,
            DraftMatch::Values(matches) => matches.iter().all(|m| *m == Match::Any),
            DraftMatch::ValueSet(_) => false,
        };
        match rows.first() {
            Some(first) if always(first) => {
                let target = first.target;
                self.draft.end(End::Goto(target));
            }
            _ => {
                let scalars = columns.iter().flat_map(|c| c.scalars.iter().cloned()).collect();
                self.draft.end(End::Select(scalars, rows));
            }
        }
    }

    fn row(&mut self, columns: &[Column<'_>], case: &SelectCase) -> Lowered<Row> {
        if let [only] = case.sets.as_slice()
            && columns.len() != 1
        {
            return Ok(Row::Match(match only {
                KeySet::ValueSet(set) => DraftMatch::ValueSet(self.value_set(set)?),
                _ => DraftMatch::Any,
            }));
        }
        if let ([KeySet::ValueSet(set)], [_]) = (case.sets.as_slice(), columns) {
            return Ok(Row::Match(DraftMatch::ValueSet(self.value_set(set)?)));
        }
        let mut matches = Vec::new();
        let mut condition = Expr::bool(true);
        let mut is_constant = true;
        for (set, column) in case.sets.iter().zip(columns) {
            match self.set(set, column)? {
                Row::Match(DraftMatch::Values(these)) => matches.extend(these),
                Row::Match(_) => {}
                Row::Condition(fits) => {
                    is_constant = false;
                    condition = condition.and(fits);
                }
            }
        }
        if is_constant {
            return Ok(Row::Match(DraftMatch::Values(matches)));
        }
        // Some sets are conditions: all of them become so.
        let mut all = condition;
        for (set, column) in case.sets.iter().zip(columns) {
            if let Row::Match(DraftMatch::Values(these)) = self.set(set, column)? {
                for (m, scalar) in these.iter().zip(&column.scalars) {
                    all = all.and(fits(m, scalar, set_span(set, column))?);
                }
            }
        }
        Ok(Row::Condition(all))
    }

    fn set(&mut self, set: &KeySet, column: &Column<'_>) -> Lowered<Row> {
        let width = column.scalars.first().map_or(0, |e| e.width);
        let pattern = |e: &Expr| e.as_const().cloned();
        let values = |m: Match| Ok(Row::Match(DraftMatch::Values(vec![m])));
        match set {
            KeySet::Any => {
                let any = column.scalars.iter().map(|_| Match::Any).collect();
                Ok(Row::Match(DraftMatch::Values(any)))
            }
            KeySet::Value(value) => {
                let value = self.eval(value)?;
                let mut scalars = Vec::new();
                leaves(&value, &mut scalars);
                if let Value::Integer(_) = value {
                    scalars = vec![value.scalar(width)];
                }
                let patterns: Option<Vec<_>> = scalars.iter().map(pattern).collect();
                match patterns {
                    Some(patterns) if patterns.len() == column.scalars.len() => {
                        let matches = patterns.into_iter().map(Match::Value).collect();
                        Ok(Row::Match(DraftMatch::Values(matches)))
                    }
                    _ => Ok(Row::Condition(column.value.equal(&value))),
                }
            }
            KeySet::Mask(value, mask) => {
                let value = self.eval(value)?.scalar(width);
                let mask = self.eval(mask)?.scalar(width);
                match (pattern(&value), pattern(&mask)) {
                    (Some(value), Some(mask)) => values(Match::Mask { value: value & &mask, mask }),
                    _ => {
                        let and = |a, b| Expr::binary(BinaryOp::And, a, b);
                        let key = column.scalars.first().cloned().unwrap_or(Expr::zero(width));
                        Ok(Row::Condition(and(key, mask.clone()).equals(and(value, mask))))
                    }
                }
            }
            KeySet::Range(low, high) => {
                let low = self.eval(low)?.scalar(width);
                let high = self.eval(high)?.scalar(width);
                let signed = matches!(self.program.types.storage(&column.expr.ty), Type::Signed(_));
                match (pattern(&low), pattern(&high)) {
                    (Some(low), Some(high)) => values(Match::Range { low, high, signed }),
                    _ => {
                        let op = if signed { BinaryOp::LeSigned } else { BinaryOp::Le };
                        let key = column.scalars.first().cloned().unwrap_or(Expr::zero(width));
                        let above = Expr::binary(op, low, key.clone());
                        Ok(Row::Condition(above.and(Expr::binary(op, key, high))))
                    }
                }
            }
            KeySet::ValueSet(set) => values(Match::ValueSet(self.value_set(set)?)),
        }
    }
}

fn set_span(set: &KeySet, column: &Column<'_>) -> Span {
    match set {
        KeySet::Any => column.expr.span,
        KeySet::Value(e) | KeySet::Mask(e, _) | KeySet::Range(e, _) | KeySet::ValueSet(e) => e.span,
    }
}

/// A constant match as a condition. A value set cannot be one; the checker demands constants in
/// all other places, so that the two do not meet.
fn fits(m: &Match, scalar: &Expr, _span: Span) -> Lowered<Expr> {
    let constant = |value: &num_bigint::BigUint| Expr::constant(scalar.width, value.clone());
    Ok(match m {
        Match::Any => Expr::bool(true),
        Match::Value(value) => scalar.clone().equals(constant(value)),
        Match::Mask { value, mask } => {
            Expr::binary(BinaryOp::And, scalar.clone(), constant(mask)).equals(constant(value))
        }
        Match::Range { low, high, signed } => {
            let op = if *signed { BinaryOp::LeSigned } else { BinaryOp::Le };
            let above = Expr::binary(op, constant(low), scalar.clone());
            above.and(Expr::binary(op, scalar.clone(), constant(high)))
        }
        Match::ValueSet(_) => return Err(super::Stop),
    })
}

enum Row {
    Match(DraftMatch),
    Condition(Expr),
}

/// The scalars that a value is made of, in order.
pub(super) fn leaves(value: &Value, out: &mut Vec<Expr>) {
    match value {
        Value::Scalar(expr) => out.push(expr.clone()),
        Value::Varbit(..) => out.push(value.to_bits()),
        other => other.parts().iter().for_each(|part| leaves(part, out)),
    }
}
