//! Arguments: copy-in and copy-out (§6.8), or the argument's own storage where nobody can tell
//! the difference.
//!
//! A parameter stands for its argument itself if the argument is always the same storage, is not
//! a part of a header (writing there may have no effect) or a member of a union (writing there
//! changes the other members), and shares no field with another
//! argument or with what the callee reaches by itself. Otherwise it has storage of its own.

use super::draft::{BlockId, End};
use super::effects::has_effects;
use super::storage::{Purpose, Storage};
use super::values::Value;
use super::{Binding, Lowered, Lowerer, Place};
use crate::ir::{CallArgument, Direction, InstanceId, Parameter, Type};
use crate::pipeline::expression::ExprKind;
use crate::pipeline::fields::FieldId;
use crate::source::Span;
use std::collections::HashSet;

/// Where parameters live that have storage of their own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// In new fields for each call.
    Call,
    /// In the same fields for all calls of an instance, for its tables refer to them.
    Instance(InstanceId),
}

/// What a call is made of.
pub(super) struct Passing<'a> {
    /// The callee's parameters.
    pub parameters: &'a [Parameter],
    /// The arguments in evaluation order.
    pub arguments: &'a [CallArgument],
    /// Fields that the callee reaches without being given them.
    pub reach: &'a HashSet<FieldId>,
    /// Where parameters live.
    pub home: Home,
    /// Whether parameters may stand for their arguments.
    pub by_reference: bool,
    /// The call.
    pub span: Span,
}

/// An argument after its evaluation.
enum Passed {
    Value(Value),
    /// The argument's own storage; `true` for `out` and `inout`.
    Reference(Place, bool),
    /// A value to start with, and where the result goes.
    Copy(Value, Option<Place>),
}

/// A result to be copied out: from, to, and the type.
pub(super) struct CopyOut {
    from: Storage,
    to: Place,
    ty: Type,
}

impl Lowerer<'_> {
    /// Evaluates arguments and binds parameters; gives what is to be copied out.
    pub(super) fn pass(&mut self, passing: &Passing<'_>) -> Lowered<Vec<CopyOut>> {
        let mut passed = Vec::with_capacity(passing.arguments.len());
        let effects: Vec<bool> =
            passing.arguments.iter().map(|a| a.value.as_ref().is_some_and(has_effects)).collect();
        for (n, argument) in passing.arguments.iter().enumerate() {
            let disturbed = effects.iter().skip(n + 1).any(|e| *e);
            passed.push(self.evaluate(argument, disturbed, passing)?);
        }
        self.resolve_conflicts(&mut passed, passing)?;
        self.bind_parameters(passed, passing)
    }

    fn evaluate(
        &mut self,
        argument: &CallArgument,
        disturbed: bool,
        passing: &Passing<'_>,
    ) -> Lowered<Passed> {
        let Some(expr) = &argument.value else {
            return Ok(match argument.direction {
                Direction::In | Direction::None => Passed::Value(Value::Nothing),
                _ => Passed::Copy(self.default_value(&argument.ty), None),
            });
        };
        match argument.direction {
            Direction::In | Direction::None => {
                if !disturbed && passing.by_reference && self.is_place(expr) && !has_effects(expr) {
                    let place = self.place(expr, true)?;
                    if place.fixed().is_some() {
                        return Ok(Passed::Reference(place, false));
                    }
                    let value = self.read(&place, &expr.ty);
                    return Ok(Passed::Value(self.materialise(&value, expr.span)?));
                }
                let value = self.eval(expr)?;
                Ok(Passed::Value(if disturbed {
                    self.materialise(&value, expr.span)?
                } else {
                    value
                }))
            }
            Direction::Out | Direction::InOut => {
                if matches!(argument.ty, Type::Extern(..)) || !self.is_place(expr) {
                    return Ok(Passed::Value(self.eval(expr)?));
                }
                let place = self.place(expr, true)?;
                if !disturbed && passing.by_reference && self.can_stand_for(&place) {
                    return Ok(Passed::Reference(place, true));
                }
                let value = if argument.direction == Direction::InOut {
                    let value = self.read(&place, &expr.ty);
                    if disturbed { self.materialise(&value, expr.span)? } else { value }
                } else {
                    self.default_value(&argument.ty)
                };
                Ok(Passed::Copy(value, Some(place)))
            }
        }
    }

    /// Whether writing to a place while the callee runs is like writing there afterwards. Writing
    /// a member of a union as a whole also changes the others.
    fn can_stand_for(&self, place: &Place) -> bool {
        match place.whole() {
            Some(Storage::Header(header, _)) => self.out[*header].union.is_none(),
            Some(_) => true,
            None => false,
        }
    }

    /// The fields of a place, and the bits that guard them.
    pub(super) fn place_fields(&self, place: &Place) -> HashSet<FieldId> {
        let mut fields = HashSet::new();
        for storage in &place.alternatives {
            self.for_each_field(storage, &mut |f| {
                fields.insert(f);
            });
        }
        fields.extend(&place.guards);
        fields
    }

    /// References that could be told from copies become copies.
    fn resolve_conflicts(&mut self, passed: &mut [Passed], passing: &Passing<'_>) -> Lowered<()> {
        let fields: Vec<HashSet<FieldId>> = passed
            .iter()
            .map(|p| match p {
                Passed::Reference(place, _) | Passed::Copy(_, Some(place)) => {
                    self.place_fields(place)
                }
                _ => HashSet::new(),
            })
            .collect();
        let written: Vec<bool> = passed
            .iter()
            .map(|p| matches!(p, Passed::Reference(_, true) | Passed::Copy(_, Some(_))))
            .collect();
        let clash: Vec<bool> = (0..passed.len())
            .map(|n| {
                let is_written = written.get(n).copied().unwrap_or(false);
                let others = fields.iter().enumerate().any(|(m, other)| {
                    m != n && (is_written || written[m]) && !other.is_disjoint(&fields[n])
                });
                others || !passing.reach.is_disjoint(&fields[n])
            })
            .collect();
        // Values are read when the callee uses them: after it may have written what they mention.
        let mut changing = passing.reach.clone();
        for (n, p) in passed.iter().enumerate() {
            if matches!(p, Passed::Reference(_, true)) && !clash[n] {
                changing.extend(&fields[n]);
            }
        }
        for ((n, p), argument) in passed.iter_mut().enumerate().zip(passing.arguments) {
            let span = argument.value.as_ref().map_or(passing.span, |e| e.span);
            let ty = argument.value.as_ref().map_or(&argument.ty, |e| &e.ty);
            match p {
                Passed::Reference(place, false) if clash[n] => {
                    let value = self.read(place, ty);
                    *p = Passed::Value(self.materialise(&value, span)?);
                }
                Passed::Reference(place, true) if clash[n] => {
                    let value = match argument.direction {
                        Direction::InOut => self.read(place, ty),
                        _ => self.default_value(&argument.ty),
                    };
                    let place = place.clone();
                    *p = Passed::Copy(value, Some(place));
                }
                Passed::Value(value) => {
                    let mut keep = true;
                    value.for_each_expr(&mut |e| {
                        keep &= matches!(e.kind, ExprKind::Const(_) | ExprKind::Field(_));
                        e.for_each_field(&mut |f| keep &= !changing.contains(&f));
                    });
                    if !keep {
                        *p = Passed::Value(self.materialise(value, span)?);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn bind_parameters(
        &mut self,
        passed: Vec<Passed>,
        passing: &Passing<'_>,
    ) -> Lowered<Vec<CopyOut>> {
        let mut results = Vec::new();
        let mut starts = Vec::new();
        for (p, argument) in passed.into_iter().zip(passing.arguments) {
            let Some(parameter) = passing.parameters.get(argument.parameter as usize) else {
                continue;
            };
            let span = argument.value.as_ref().map_or(passing.span, |e| e.span);
            let binding = match (p, passing.home) {
                (Passed::Value(value), Home::Instance(_)) if is_data(&value) => {
                    let storage = self.parameter_storage(parameter, passing)?;
                    let place = Place::of(storage);
                    starts.push((place.clone(), value, span));
                    Binding::Place(place)
                }
                (Passed::Value(value), _) => Binding::Value(value),
                (Passed::Reference(place, is_written), _) => {
                    if is_written && argument.direction == Direction::Out {
                        let value = self.default_value(&argument.ty);
                        starts.push((place.clone(), value, span));
                    }
                    Binding::Place(place)
                }
                (Passed::Copy(value, target), _) => {
                    let storage = self.parameter_storage(parameter, passing)?;
                    let place = Place::of(storage.clone());
                    starts.push((place.clone(), value, span));
                    if let Some(to) = target {
                        let ty = argument.value.as_ref().map_or(&argument.ty, |e| &e.ty);
                        results.push(CopyOut { from: storage, to, ty: ty.clone() });
                    }
                    Binding::Place(place)
                }
            };
            self.environment.insert(parameter.var, binding);
        }
        for (place, value, span) in starts {
            self.assign(&place, value, span)?;
        }
        // Parameters that are `@optional` and left out have no value.
        for (n, parameter) in passing.parameters.iter().enumerate() {
            if !passing.arguments.iter().any(|a| a.parameter as usize == n) {
                self.environment.insert(parameter.var, Binding::Value(Value::Nothing));
            }
        }
        Ok(results)
    }

    fn parameter_storage(
        &mut self,
        parameter: &Parameter,
        passing: &Passing<'_>,
    ) -> Lowered<Storage> {
        let variable = &self.program[parameter.var];
        let purpose = Purpose::local(variable.span);
        match passing.home {
            Home::Call => {
                let name = format!("{}.{}", self.prefix, variable.name);
                self.storage(&name, &parameter.ty, purpose)
            }
            Home::Instance(id) => {
                if let Some(storage) = self.persistent.get(&(id, parameter.var)) {
                    return Ok(storage.clone());
                }
                let name = format!("{}.{}", self.program[id].name, variable.name);
                let storage = self.storage(&name, &parameter.ty, purpose)?;
                self.persistent.insert((id, parameter.var), storage.clone());
                Ok(storage)
            }
        }
    }

    /// Runs the body of a call, then copies results out from left to right; also when `exit`,
    /// `reject` or an error of the parser ends the body.
    pub(super) fn with_copy_out(
        &mut self,
        results: &[CopyOut],
        span: Span,
        body: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        if results.is_empty() {
            return body(self);
        }
        let (exit, reject) = (self.flow.exit, self.flow.reject);
        let on_exit = self.new_block(span);
        self.flow.exit = Some(on_exit);
        let on_reject = self.in_parser.then(|| self.new_block(span));
        if on_reject.is_some() {
            self.flow.reject = on_reject;
            self.start_block(span);
        }
        let result = body(self);
        (self.flow.exit, self.flow.reject) = (exit, reject);
        result?;
        if on_reject.is_some() {
            self.start_block(span);
        }
        self.copy_out(results, span)?;
        let behind = self.draft.current;
        let ends: [(Option<BlockId>, End); 2] = [
            (Some(on_exit), exit.map_or(End::Exit, End::Goto)),
            (on_reject, reject.map_or(End::Reject, End::Goto)),
        ];
        for (block, end) in ends {
            if let Some(block) = block {
                self.draft.switch_to(block);
                self.copy_out(results, span)?;
                self.draft.end(end);
            }
        }
        self.draft.switch_to(behind);
        Ok(())
    }

    fn copy_out(&mut self, results: &[CopyOut], span: Span) -> Lowered<()> {
        for result in results {
            let value = self.read(&Place::of(result.from.clone()), &result.ty);
            self.assign(&result.to, value, span)?;
        }
        Ok(())
    }
}

/// Whether a value has bits at run time.
fn is_data(value: &Value) -> bool {
    let mut any = false;
    value.for_each_expr(&mut |_| any = true);
    any
}
