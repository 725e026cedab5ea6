//! L-values: evaluated once to a place, then read and written.

use super::machine::{Interrupt, Machine, Run};
use super::values::{Header, Value};
use ww_dataplane::trace::TraceEvent;
use ww_p4::ir::{Expr, ExprKind, Program, Span, Type, VarId};

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A field, member or element.
    Part(u32),
    /// An element out of range.
    Outside,
    /// Bits of a number.
    Slice {
        /// Highest.
        hi: u32,
        /// Lowest.
        lo: u32,
    },
}

/// A variable or a part of it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: VarId,
    /// The way to the part.
    pub steps: Vec<Step>,
    /// How many steps lead to the stack whose `next` is on the way, if one is.
    pub next_of: Option<usize>,
}

impl<'a> Machine<'a> {
    /// Evaluates an l-value: indices are computed now.
    pub fn place(&mut self, expr: &'a Expr) -> Run<Place> {
        let (base, step) = match &expr.kind {
            ExprKind::Var(var) => {
                return Ok(Place { root: *var, steps: Vec::with_capacity(4), next_of: None });
            }
            ExprKind::Field(base, position) | ExprKind::TupleField(base, position) => {
                (self.place(base)?, Step::Part(*position))
            }
            ExprKind::Element(base, index) => {
                let size = stack_size(base);
                let base = self.place(base)?;
                let index = self.eval(index)?.to_u64();
                (base, if index < size { Step::Part(index as u32) } else { Step::Outside })
            }
            ExprKind::Next(base) => {
                let size = stack_size(base);
                let base = self.place(base)?;
                let next = self.next_index(&base);
                if u64::from(next) >= size {
                    return Err(self.parser_error("StackOutOfBounds"));
                }
                let mut place = base;
                place.next_of = Some(place.steps.len());
                place.steps.push(Step::Part(next));
                return Ok(place);
            }
            ExprKind::Last(base) => {
                let size = stack_size(base);
                let base = self.place(base)?;
                let next = self.next_index(&base);
                if next == 0 || u64::from(next) > size {
                    return Err(self.parser_error("StackOutOfBounds"));
                }
                (base, Step::Part(next - 1))
            }
            ExprKind::Slice { base, hi, lo } => {
                (self.place(base)?, Step::Slice { hi: *hi, lo: *lo })
            }
            // The checker lets nothing else stand where an l-value must.
            _ => return Err(Interrupt::Drop(ww_dataplane::DropReason::Fault)),
        };
        let mut place = base;
        place.steps.push(step);
        Ok(place)
    }

    /// `nextIndex` of the stack at a place.
    pub fn next_index(&self, stack: &Place) -> u32 {
        match self.load_ref(stack) {
            Some(Value::Stack(stack)) => stack.next,
            _ => 0,
        }
    }

    /// After an extraction into `stack.next`, or into a member of that: the stack moves on.
    pub fn advance_next(&mut self, element: &Place) {
        let Some(steps) = element.next_of.and_then(|n| element.steps.get(..n)) else { return };
        if let Some(Value::Stack(stack)) = self.part_mut(element.root, steps) {
            stack.next = stack.next.saturating_add(1);
        }
    }

    /// The value at a place, if it is stored as it is (not a slice, not out of range).
    fn load_ref(&self, place: &Place) -> Option<&Value> {
        let mut value = self.slots.get(place.root.index())?;
        for step in &place.steps {
            match step {
                Step::Part(n) => value = value.parts()?.get(*n as usize)?,
                Step::Outside | Step::Slice { .. } => return None,
            }
        }
        Some(value)
    }

    /// A part of a variable to be changed in place; what it is a part of stays as it is, so
    /// this is for changes that no union has to know of.
    pub fn part_mut(&mut self, root: VarId, steps: &[Step]) -> Option<&mut Value> {
        let mut value = self.slots.get_mut(root.index())?;
        for step in steps {
            let Step::Part(n) = step else { return None };
            value = match value {
                Value::Header(Header { fields: parts, .. })
                | Value::Struct(parts)
                | Value::Union(parts) => parts.get_mut(*n as usize)?,
                Value::Stack(stack) => stack.elements.get_mut(*n as usize)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Reads a place whose type is `ty`.
    pub fn load(&self, place: &Place, ty: &Type) -> Value {
        if let Some(value) = self.load_ref(place) {
            return value.clone();
        }
        let mut value = self.slots.get(place.root.index()).cloned().unwrap_or_default();
        for step in &place.steps {
            value = match (step, value) {
                (Step::Part(n), value) => {
                    value.parts().and_then(|p| p.get(*n as usize)).cloned().unwrap_or_default()
                }
                (Step::Slice { hi, lo }, Value::Bits(bits)) => Value::Bits(bits.slice(*hi, *lo)),
                _ => Value::Absent,
            };
        }
        match value {
            Value::Absent => Value::default_of(self.program, ty),
            value => value,
        }
    }

    /// Writes a place.
    pub fn store(&mut self, place: &Place, value: Value) {
        if let Some(slot) = self.slots.get_mut(place.root.index()) {
            store(slot, &place.steps, value);
        }
    }

    /// Writes a place and tells the observer what changed; `expr` is the l-value as written.
    pub fn assign(&mut self, place: &Place, expr: &Expr, value: Value, at: Span) {
        if !self.is_traced() {
            return self.store(place, value);
        }
        let old = self.load(place, &expr.ty);
        self.store(place, value);
        let new = self.load(place, &expr.ty);
        let name = self.place_name(place);
        self.trace_changes(name, &expr.ty, &old, &new, at);
    }

    /// Reports each leaf in which two values of one type differ.
    pub fn trace_changes(&mut self, name: String, ty: &Type, old: &Value, new: &Value, at: Span) {
        if old == new {
            return;
        }
        let program = self.program;
        let part_name = |n: usize| part_name(program, ty, n);
        let same_shape = match (old, new) {
            (Value::Header(a), Value::Header(b)) => a.valid == b.valid,
            (Value::Struct(_), Value::Struct(_)) | (Value::Stack(_), Value::Stack(_)) => true,
            (Value::Union(_), Value::Union(_)) => true,
            _ => false,
        };
        if let (true, Some(a), Some(b)) = (same_shape, old.parts(), new.parts()) {
            for (n, (a, b)) in a.iter().zip(b).enumerate() {
                let (suffix, part_type) = part_name(n);
                self.trace_changes(format!("{name}{suffix}"), part_type, a, b, at);
            }
            return;
        }
        self.trace(|program| TraceEvent::Assign {
            name,
            old: old.text(program, ty),
            new: new.text(program, ty),
            at: at.into(),
        });
    }

    /// A place as its author would write it, with the indices it has now.
    pub fn place_name(&self, place: &Place) -> String {
        let variable = &self.program[place.root];
        let mut name = variable.name.to_string();
        let mut ty = &variable.ty;
        for step in &place.steps {
            match step {
                Step::Part(n) => {
                    let (suffix, part_type) = part_name(self.program, ty, *n as usize);
                    name.push_str(&suffix);
                    ty = part_type;
                }
                Step::Outside => name.push_str("[out of range]"),
                Step::Slice { hi, lo } => name.push_str(&format!("[{hi}:{lo}]")),
            }
        }
        name
    }
}

/// `.field` or `[n]`, and the type of that part.
fn part_name<'t>(program: &'t Program, ty: &'t Type, n: usize) -> (String, &'t Type) {
    match program.types.storage(ty) {
        Type::Struct(id) => match program.types[*id].fields.get(n) {
            Some(field) => (format!(".{}", field.name), &field.ty),
            None => (format!(".{n}"), &Type::Void),
        },
        Type::Tuple(types) => (format!("[{n}]"), types.get(n).unwrap_or(&Type::Void)),
        Type::Stack(element, _) | Type::List(element) => (format!("[{n}]"), element),
        _ => (format!("[{n}]"), &Type::Void),
    }
}

fn stack_size(stack: &Expr) -> u64 {
    match &stack.ty {
        Type::Stack(_, size) => u64::from(*size),
        _ => 0,
    }
}

/// Writes a part of a value. Writing inside an invalid header or out of range does nothing, and
/// a member of a union that is valid afterwards is the only one.
fn store(target: &mut Value, steps: &[Step], value: Value) {
    let Some((step, rest)) = steps.split_first() else {
        *target = value;
        return;
    };
    match (step, target) {
        (Step::Part(n), Value::Header(header)) => {
            if let (true, Some(field)) = (header.valid, header.fields.get_mut(*n as usize)) {
                store(field, rest, value);
            }
        }
        (Step::Part(n), Value::Struct(parts)) => {
            if let Some(part) = parts.get_mut(*n as usize) {
                store(part, rest, value);
            }
        }
        (Step::Part(n), Value::Stack(stack)) => {
            if let Some(element) = stack.elements.get_mut(*n as usize) {
                store(element, rest, value);
            }
        }
        (Step::Part(n), Value::Union(members)) => {
            let position = *n as usize;
            if let Some(member) = members.get_mut(position) {
                store(member, rest, value);
                if member.is_valid() {
                    invalidate_others(members, position);
                } else if rest.is_empty() {
                    // §8.20: whichever member was valid is not any more.
                    members.iter_mut().for_each(Value::set_invalid);
                }
            }
        }
        (Step::Slice { hi, lo }, Value::Bits(bits)) => {
            let mut part = Value::Bits(bits.slice(*hi, *lo));
            store(&mut part, rest, value);
            if let Value::Bits(part) = part {
                *bits = bits.with_slice(*hi, *lo, &part);
            }
        }
        _ => {}
    }
}

fn invalidate_others(members: &mut [Value], valid: usize) {
    for (n, member) in members.iter_mut().enumerate() {
        if n != valid {
            member.set_invalid();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::values::Stack;

    fn header(valid: bool, value: u128) -> Value {
        Value::Header(Header { valid, fields: Box::new([Value::bits(8, value)]) })
    }

    #[test]
    fn writes_into_invalid_headers_do_nothing() {
        let mut target = header(false, 0);
        store(&mut target, &[Step::Part(0)], Value::bits(8, 5));
        assert_eq!(target, header(false, 0));
        target.set_valid();
        store(&mut target, &[Step::Part(0)], Value::bits(8, 5));
        assert_eq!(target, header(true, 5));
    }

    #[test]
    fn a_union_has_one_valid_member() {
        let mut union = Value::Union(Box::new([header(true, 1), header(false, 0)]));
        store(&mut union, &[Step::Part(1)], header(true, 2));
        assert_eq!(union, Value::Union(Box::new([header(false, 0), header(true, 2)])));
        store(&mut union, &[Step::Part(0), Step::Part(0)], Value::bits(8, 3));
        assert_eq!(union, Value::Union(Box::new([header(false, 0), header(true, 2)])));
        store(&mut union, &[Step::Part(0)], header(false, 0));
        assert_eq!(union, Value::Union(Box::new([header(false, 0), header(false, 0)])));
    }

    #[test]
    fn slices_and_missing_elements() {
        let elements = Box::new([Value::bits(8, 0xab)]);
        let mut stack = Value::Stack(Stack { elements, next: 0 });
        let outer = Step::Slice { hi: 7, lo: 4 };
        let inner = Step::Slice { hi: 1, lo: 0 };
        // 0xab = 1010_1011; bits 1:0 of bits 7:4 become 01.
        store(&mut stack, &[Step::Part(0), outer, inner], Value::bits(2, 1));
        store(&mut stack, &[Step::Outside], Value::bits(8, 1));
        store(&mut stack, &[Step::Part(9)], Value::bits(8, 1));
        assert_eq!(stack.parts(), Some(&[Value::bits(8, 0x9b)][..]));
    }
}
