//! L-values: fields, or several alternatives between which an index chooses.

use super::storage::{Storage, header_id};
use super::values::{Value, count};
use super::{Binding, Lowered, Lowerer};
use crate::ir::{Expr as IrExpr, ExprKind, Type};
use crate::pipeline::MAX_ELEMENTS;
use crate::pipeline::expression::{BinaryOp, Expr};
use crate::pipeline::fields::{FieldId, FieldType, HeaderId};
use crate::pipeline::operations::OpKind;
use crate::source::Span;
use std::collections::HashSet;

/// Storage that can be read and written.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Which alternative; `None` for the only one.
    pub index: Option<Expr>,
    /// The storage, or storages of one shape. Empty: out of range.
    pub alternatives: Vec<Storage>,
    /// Validity bits of the headers around, one per alternative; empty outside headers.
    pub guards: Vec<FieldId>,
    /// Only these bits: lowest and number.
    pub slice: Option<(u32, u32)>,
    /// The stack, if this is its `next`.
    pub next_of: Option<Box<Place>>,
}

impl Place {
    /// The place of a variable.
    pub fn of(storage: Storage) -> Self {
        let alternatives = vec![storage];
        Place { index: None, alternatives, guards: Vec::new(), slice: None, next_of: None }
    }

    /// The storage, if it is always the same, whole, and not inside a header.
    pub fn whole(&self) -> Option<&Storage> {
        match self.alternatives.as_slice() {
            [only] if self.index.is_none() && self.guards.is_empty() && self.slice.is_none() => {
                Some(only)
            }
            _ => None,
        }
    }

    /// The storage, if it is always the same; perhaps inside a header.
    pub fn fixed(&self) -> Option<&Storage> {
        match self.alternatives.as_slice() {
            [only] if self.index.is_none() && self.slice.is_none() => Some(only),
            _ => None,
        }
    }
}

/// Zero or one of several fields, for the index says which.
fn column(alternatives: &[&Storage], pick: &dyn Fn(&Storage) -> Option<FieldId>) -> Vec<FieldId> {
    alternatives.iter().filter_map(|s| pick(s)).collect()
}

impl Lowerer<'_> {
    /// Whether an expression is a variable with storage, or a part of one.
    pub(super) fn is_place(&self, e: &IrExpr) -> bool {
        match &e.kind {
            ExprKind::Var(var) => matches!(self.environment.get(var), Some(Binding::Place(_))),
            ExprKind::Field(base, _)
            | ExprKind::TupleField(base, _)
            | ExprKind::Element(base, _)
            | ExprKind::Next(base)
            | ExprKind::Last(base) => self.is_place(base),
            ExprKind::Slice { base, .. } => self.is_place(base),
            _ => false,
        }
    }

    /// Evaluates an l-value. With `save` the indices keep the value that they have now.
    pub(super) fn place(&mut self, e: &IrExpr, save: bool) -> Lowered<Place> {
        match &e.kind {
            ExprKind::Var(var) => match self.environment.get(var) {
                Some(Binding::Place(place)) => Ok(place.clone()),
                _ => self.refuse(e.span, "this is not a variable with storage"),
            },
            ExprKind::Field(base, n) | ExprKind::TupleField(base, n) => {
                let base = self.place(base, save)?;
                Ok(self.part(&base, *n as usize))
            }
            ExprKind::Element(base, index) => {
                let base = self.place(base, save)?;
                let mut index = self.eval(index)?.scalar(64);
                if save {
                    index = self.saved(index, e.span)?;
                }
                self.element(&base, index, e.span)
            }
            ExprKind::Next(base) => {
                let stack = self.place(base, save)?;
                let (next, size) = self.next_index(&stack, &base.ty);
                let limit = Expr::constant(32, size);
                let in_range = Expr::binary(BinaryOp::Lt, next.clone(), limit);
                self.verify(in_range, "StackOutOfBounds", e.span)?;
                let mut place = self.element(&stack, next, e.span)?;
                place.next_of = Some(Box::new(stack));
                Ok(place)
            }
            ExprKind::Last(base) => {
                let stack = self.place(base, save)?;
                let (next, size) = self.next_index(&stack, &base.ty);
                let last = Expr::binary(BinaryOp::Sub, next, Expr::one(32));
                // An empty stack's last index wraps around to the largest number.
                let limit = Expr::constant(32, size);
                let in_range = Expr::binary(BinaryOp::Lt, last.clone(), limit);
                self.verify(in_range, "StackOutOfBounds", e.span)?;
                let last = if save { self.saved(last, e.span)? } else { last };
                self.element(&stack, last, e.span)
            }
            ExprKind::Slice { base, hi, lo } => {
                let mut place = self.place(base, save)?;
                let outer = place.slice.map_or(0, |(low, _)| low);
                place.slice = Some((outer.saturating_add(*lo), hi.saturating_sub(*lo) + 1));
                Ok(place)
            }
            _ => self.refuse(e.span, "this cannot be assigned to"),
        }
    }

    fn saved(&mut self, index: Expr, span: Span) -> Lowered<Expr> {
        if index.as_const().is_some() {
            return Ok(index);
        }
        let field = self.temporary(index.width, FieldType::Bits, span)?;
        self.emit(OpKind::Assign { to: field, value: index, guard: None }, span)?;
        Ok(self.read_field(field))
    }

    /// A field of a struct, header or union.
    pub(super) fn part(&self, base: &Place, n: usize) -> Place {
        let mut guards = base.guards.clone();
        if let Some(Storage::Header(..)) = base.alternatives.first() {
            let headers = base.alternatives.iter().filter_map(header_id);
            guards = headers.map(|h| self.out[h].valid).collect();
        }
        let parts = base.alternatives.iter().filter_map(|a| a.parts().get(n).cloned());
        let alternatives = parts.collect();
        // A member of `stack.next` is still extracted into the next element.
        let next_of = match base.alternatives.first() {
            Some(Storage::Union(_)) => base.next_of.clone(),
            _ => None,
        };
        Place { index: base.index.clone(), alternatives, guards, slice: None, next_of }
    }

    /// An element of a stack or array.
    fn element(&mut self, base: &Place, index: Expr, span: Span) -> Lowered<Place> {
        let size = base.alternatives.first().map_or(0, |a| a.parts().len());
        if let Some(n) = index.as_const() {
            let n = usize::try_from(count(n)).unwrap_or(usize::MAX);
            let mut place = self.part(base, n);
            place.next_of = None;
            if place.alternatives.is_empty() {
                place.guards.clear();
            }
            return Ok(place);
        }
        let total = base.alternatives.len().saturating_mul(size);
        if total > MAX_ELEMENTS {
            let message = format!(
                "an index computed at run time among {total} elements; {MAX_ELEMENTS} are the limit"
            );
            return self.refuse(span, message);
        }
        let alternatives: Vec<Storage> =
            base.alternatives.iter().flat_map(|a| a.parts().iter().cloned()).collect();
        let guards = base.guards.iter().flat_map(|g| std::iter::repeat_n(*g, size)).collect();
        let index = match &base.index {
            None => index,
            Some(outer) => flat_index(outer, &index, size as u64, total as u64),
        };
        Ok(Place { index: Some(index), alternatives, guards, slice: None, next_of: None })
    }

    /// `nextIndex` of a stack, and its size.
    pub(super) fn next_index(&self, stack: &Place, ty: &Type) -> (Expr, u32) {
        let size = match ty {
            Type::Stack(_, size) => *size,
            _ => 0,
        };
        let next = self.next_fields(stack);
        let next = match &stack.index {
            Some(index) => {
                let elements = next.iter().map(|f| self.read_field(*f)).collect();
                Expr::index(index.clone(), 32, elements)
            }
            None => next.first().map_or(Expr::zero(32), |f| self.read_field(*f)),
        };
        (next, size)
    }

    fn next_fields(&self, stack: &Place) -> Vec<FieldId> {
        let stacks = stack.alternatives.iter();
        stacks
            .filter_map(|s| match s {
                Storage::Stack(Some(id), _) => Some(self.out[*id].next),
                _ => None,
            })
            .collect()
    }

    /// Sets `nextIndex` of a stack.
    pub(super) fn set_next(&mut self, stack: &Place, value: Expr, span: Span) -> Lowered<()> {
        let fields = self.next_fields(stack);
        self.store_column(stack.index.as_ref(), fields, &[], value, span)
    }

    /// The value at a place whose type is `ty`.
    pub(super) fn read(&self, place: &Place, ty: &Type) -> Value {
        let mut whole: Vec<Value> =
            place.alternatives.iter().map(|s| self.read_storage(s)).collect();
        let value = match &place.index {
            Some(index) => Value::index(index, &whole),
            None => whole.pop(),
        };
        let value = value.unwrap_or_else(|| self.default_value(ty));
        match (place.slice, value) {
            (Some((low, width)), Value::Scalar(expr)) if low + width <= expr.width => {
                Value::Scalar(expr.slice(low, width))
            }
            (_, value) => value,
        }
    }

    /// The value of a storage.
    pub(super) fn read_storage(&self, storage: &Storage) -> Value {
        let parts = || storage.parts().iter().map(|p| self.read_storage(p)).collect();
        match storage {
            Storage::Scalar(field) => Value::Scalar(self.read_field(*field)),
            Storage::Varbit(field, length) => {
                Value::Varbit(self.read_field(*field), self.read_field(*length))
            }
            Storage::Header(id, _) => Value::Header(self.read_field(self.out[*id].valid), parts()),
            Storage::Union(_) => Value::Union(parts()),
            Storage::Struct(_) => Value::Struct(parts()),
            Storage::Stack(id, _) => {
                let next = id.map(|id| self.read_field(self.out[id].next));
                Value::Stack(parts(), next)
            }
            Storage::Nothing => Value::Nothing,
        }
    }

    /// Writes a value to a place.
    pub(super) fn assign(&mut self, place: &Place, value: Value, span: Span) -> Lowered<()> {
        if let Some((low, _)) = place.slice {
            let whole = Place { slice: None, ..place.clone() };
            let Some(Storage::Scalar(field)) = whole.alternatives.first() else { return Ok(()) };
            let width = self.out[*field].width;
            let old = self.read(&whole, &Type::Bit(width)).scalar(width);
            let part = place.slice.map_or(0, |(_, width)| width);
            let new = old.with_slice(low, value.scalar(part));
            return self.assign(&whole, Value::Scalar(new), span);
        }
        let value = self.apart(place, value, span)?;
        let alternatives: Vec<&Storage> = place.alternatives.iter().collect();
        self.store(place.index.as_ref(), &alternatives, &place.guards, &value, false, span)
    }

    /// The value in temporaries, if writing it field by field would change what is still to be
    /// read.
    fn apart(&mut self, place: &Place, value: Value, span: Span) -> Lowered<Value> {
        let mut written = HashSet::new();
        for storage in &place.alternatives {
            self.for_each_field(storage, &mut |f| {
                written.insert(f);
            });
        }
        if written.len() < 2 {
            return Ok(value);
        }
        let mut clash = false;
        value.for_each_expr(&mut |e| e.for_each_field(&mut |f| clash |= written.contains(&f)));
        if clash { self.materialise(&value, span) } else { Ok(value) }
    }

    /// The value in temporaries, so that it keeps what it is now.
    pub(super) fn materialise(&mut self, value: &Value, span: Span) -> Lowered<Value> {
        value.map(&mut |expr| self.saved(expr.clone(), span))
    }

    /// Writes fields, one per alternative.
    fn store_column(
        &mut self,
        index: Option<&Expr>,
        to: Vec<FieldId>,
        guards: &[FieldId],
        value: Expr,
        span: Span,
    ) -> Lowered<()> {
        let kind = match (index, to.as_slice()) {
            (_, []) => return Ok(()),
            (None, [to, ..]) => OpKind::Assign { to: *to, value, guard: guards.first().copied() },
            (Some(index), _) => {
                let (index, guards) = (index.clone(), guards.to_vec());
                OpKind::AssignElement { index, to, guards, value }
            }
        };
        self.emit(kind, span)
    }

    /// Writes a value to the alternative that the index chooses. `raw` copies members of a union
    /// as they are.
    fn store(
        &mut self,
        index: Option<&Expr>,
        alternatives: &[&Storage],
        guards: &[FieldId],
        value: &Value,
        raw: bool,
        span: Span,
    ) -> Lowered<()> {
        let Some(first) = alternatives.first() else { return Ok(()) };
        match (first, value) {
            (Storage::Scalar(field), _) => {
                let width = self.out[*field].width;
                let to = column(alternatives, &|s| match s {
                    Storage::Scalar(field) => Some(*field),
                    _ => None,
                });
                self.store_column(index, to, guards, value.scalar(width), span)
            }
            (Storage::Varbit(..), Value::Varbit(bits, length)) => {
                let pick = |which: bool| {
                    column(alternatives, &|s| match s {
                        Storage::Varbit(bits, length) => Some(if which { *bits } else { *length }),
                        _ => None,
                    })
                };
                self.store_column(index, pick(true), guards, bits.clone(), span)?;
                self.store_column(index, pick(false), guards, length.clone(), span)
            }
            (Storage::Header(..), Value::Header(..) | Value::Struct(_)) => {
                let valid = match value {
                    Value::Header(valid, _) => valid.clone(),
                    _ => Expr::bool(true),
                };
                if index.is_none() && valid.as_bool() == Some(false) && is_zero(value) {
                    let headers: Vec<_> = header_id(first).into_iter().collect();
                    self.invalidate(None, &headers, span)?;
                    return if raw { Ok(()) } else { self.invalidate_others(None, &headers, span) };
                }
                let to = column(alternatives, &|s| header_id(s).map(|h| self.out[h].valid));
                self.store_column(index, to, &[], valid.clone(), span)?;
                self.store_parts(index, alternatives, value, false, span)?;
                if raw {
                    return Ok(());
                }
                let headers: Vec<_> = alternatives.iter().filter_map(|s| header_id(s)).collect();
                self.invalidate_others(index, &headers, span)
            }
            (Storage::Union(_), _) => self.store_parts(index, alternatives, value, true, span),
            (Storage::Stack(stack, _), _) => {
                if let (Some(_), Value::Stack(_, Some(next))) = (stack, value) {
                    let to = column(alternatives, &|s| match s {
                        Storage::Stack(Some(id), _) => Some(self.out[*id].next),
                        _ => None,
                    });
                    self.store_column(index, to, &[], next.clone(), span)?;
                }
                self.store_inner(index, alternatives, guards, value, span)
            }
            (Storage::Struct(_), _) => self.store_inner(index, alternatives, guards, value, span),
            _ => Ok(()),
        }
    }

    fn store_inner(
        &mut self,
        index: Option<&Expr>,
        alternatives: &[&Storage],
        guards: &[FieldId],
        value: &Value,
        span: Span,
    ) -> Lowered<()> {
        for (n, part) in value.parts().iter().enumerate() {
            let parts: Vec<_> = alternatives.iter().filter_map(|s| s.parts().get(n)).collect();
            self.store(index, &parts, guards, part, false, span)?;
        }
        Ok(())
    }

    /// Fields of headers, of which the value is right also where the header is invalid; members
    /// of unions.
    fn store_parts(
        &mut self,
        index: Option<&Expr>,
        alternatives: &[&Storage],
        value: &Value,
        raw: bool,
        span: Span,
    ) -> Lowered<()> {
        for (n, part) in value.parts().iter().enumerate() {
            let parts: Vec<_> = alternatives.iter().filter_map(|s| s.parts().get(n)).collect();
            self.store(index, &parts, &[], part, raw, span)?;
        }
        Ok(())
    }

    /// The other members of the unions that headers belong to become invalid: after one became
    /// valid, but also after one became invalid, for then the union is (§8.20).
    pub(super) fn invalidate_others(
        &mut self,
        index: Option<&Expr>,
        headers: &[HeaderId],
        span: Span,
    ) -> Lowered<()> {
        let Some(union) = headers.first().and_then(|h| self.out[*h].union) else { return Ok(()) };
        for n in 0..self.out[union].members.len() {
            if headers.first() == self.out[union].members.get(n) {
                continue;
            }
            let others: Vec<HeaderId> = headers
                .iter()
                .filter_map(|h| self.out[*h].union)
                .filter_map(|u| self.out[u].members.get(n).copied())
                .collect();
            self.invalidate(index, &others, span)?;
        }
        Ok(())
    }

    /// Headers, between which the index chooses, become invalid.
    pub(super) fn invalidate(
        &mut self,
        index: Option<&Expr>,
        headers: &[HeaderId],
        span: Span,
    ) -> Lowered<()> {
        let Some(first) = headers.first() else { return Ok(()) };
        let Some(index) = index else {
            return self.emit(OpKind::Invalidate { header: *first }, span);
        };
        let (index, headers) = (index.clone(), headers.to_vec());
        self.emit(OpKind::InvalidateElement { index, headers }, span)
    }
}

/// Whether all expressions of a value are zero.
fn is_zero(value: &Value) -> bool {
    let mut zero = true;
    value.for_each_expr(&mut |e| zero &= e.as_const().is_some_and(num_traits::Zero::is_zero));
    zero
}

/// One index for two levels; beyond the end if either is.
fn flat_index(outer: &Expr, inner: &Expr, size: u64, total: u64) -> Expr {
    const WIDTH: u32 = 32;
    let clamp = |e: &Expr, limit: u64| {
        // A number of few bits is in range by itself.
        let wide = e.width.max(64 - limit.leading_zeros());
        let e = e.clone().resize(wide);
        Expr::binary(BinaryOp::Lt, e, Expr::constant(wide, limit))
    };
    let in_range = clamp(outer, total.checked_div(size).unwrap_or(0)).and(clamp(inner, size));
    let row = Expr::binary(BinaryOp::Mul, outer.clone().resize(WIDTH), Expr::constant(WIDTH, size));
    let flat = Expr::binary(BinaryOp::Add, row, inner.clone().resize(WIDTH));
    Expr::select(in_range, flat, Expr::constant(WIDTH, total))
}
