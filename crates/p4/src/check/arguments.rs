//! Matching arguments with parameters (§6.9).

use super::Checker;
use crate::ast::{Argument, Direction, ExpressionKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{CallArgument, Expr, ParameterDef, Type};
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// Parameters by name, if any of the arguments has one.
fn positions(parameters: &[ParameterDef], named: usize) -> HashMap<&str, usize> {
    let listed = if named == 0 { &[] } else { parameters };
    listed.iter().enumerate().rev().map(|(n, p)| (&*p.name, n)).collect()
}

/// Whether arguments fit parameters by number and names.
pub(super) fn fits(parameters: &[ParameterDef], arguments: &[Argument]) -> bool {
    let named = arguments.first().is_some_and(|a| a.name.is_some());
    if arguments.len() > parameters.len() {
        return false;
    }
    if named {
        let positions = positions(parameters, arguments.len());
        let names: HashSet<&str> =
            arguments.iter().filter_map(|a| Some(&*a.name.as_ref()?.name)).collect();
        let all_known = arguments
            .iter()
            .all(|a| a.name.as_ref().is_some_and(|n| positions.contains_key(&*n.name)));
        let known = |p: &ParameterDef| names.contains(&*p.name);
        all_known && parameters.iter().all(|p| known(p) || p.optional || p.default.is_some())
    } else {
        parameters[arguments.len()..].iter().all(|p| p.optional || p.default.is_some())
    }
}

impl<'a> Checker<'a> {
    /// For each argument its parameter, in written order; reports what does not fit.
    pub(super) fn match_arguments(
        &mut self,
        callee: &str,
        parameters: &[ParameterDef],
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<Vec<usize>> {
        let named = arguments.iter().filter(|a| a.name.is_some()).count();
        if named != 0 && named != arguments.len() {
            let first = arguments.iter().find(|a| a.name.is_none()).map_or(span, |a| a.span);
            let d = Diagnostic::error(
                first,
                format!("the call of `{callee}` mixes named and positional arguments"),
            )
            .help("name all arguments or none");
            self.report(d);
            return None;
        }
        let mut chosen: Vec<usize> = Vec::with_capacity(arguments.len());
        let mut given = vec![false; parameters.len()];
        let positions = positions(parameters, named);
        let mut legal = true;
        for (position, a) in arguments.iter().enumerate() {
            let n = match &a.name {
                None if position < parameters.len() => position,
                None => {
                    let message = format!(
                        "`{callee}` takes {} argument(s), {} given",
                        parameters.len(),
                        arguments.len()
                    );
                    self.report(Diagnostic::error(a.span, message).label("one too many"));
                    return None;
                }
                Some(name) => match positions.get(&*name.name) {
                    Some(&n) => n,
                    None => {
                        self.error(
                            name.span,
                            format!("`{callee}` has no parameter `{}`", name.name),
                        );
                        legal = false;
                        continue;
                    }
                },
            };
            if std::mem::replace(&mut given[n], true) {
                self.error(a.span, format!("parameter `{}` is given twice", parameters[n].name));
                legal = false;
            }
            chosen.push(n);
        }
        for (n, p) in parameters.iter().enumerate() {
            if !given[n] && !p.optional && p.default.is_none() && legal {
                let d = Diagnostic::error(
                    span,
                    format!("`{callee}` needs an argument for parameter `{}`", p.name),
                )
                .also(p.span, "the parameter");
                self.report(d);
                legal = false;
            }
        }
        legal.then_some(chosen)
    }

    /// Lowers arguments. `constant_data`: parameters without direction take compile-time values
    /// only (all but those of actions and `apply`).
    pub(super) fn lower_arguments(
        &mut self,
        callee: &str,
        parameters: &[ParameterDef],
        arguments: &'a [Argument],
        span: Span,
        constant_data: bool,
    ) -> Option<Vec<CallArgument>> {
        let Some(chosen) = self.match_arguments(callee, parameters, arguments, span) else {
            self.arguments_of_broken_call(arguments);
            return None;
        };
        let mut values: Vec<Option<Expr>> = Vec::with_capacity(arguments.len());
        let mut legal = true;
        for (a, &n) in arguments.iter().zip(&chosen) {
            if matches!(a.value.kind, ExpressionKind::DontCare) {
                if parameters[n].direction != Direction::Out {
                    let d = Diagnostic::error(
                        a.span,
                        "`_` is only legal for a parameter with direction `out`",
                    );
                    self.report(d.also(parameters[n].span, "the parameter"));
                    legal = false;
                }
                values.push(None);
                continue;
            }
            let expected = self.resolve(&parameters[n].ty);
            let value = self.expression(&a.value, Some(&expected));
            legal &= value.ty != Type::Unknown;
            values.push(Some(value));
        }
        if !legal {
            return None;
        }
        // An `int` decides a type parameter only if nothing else does.
        let waits = |checker: &Self, value: &Option<Expr>, n: usize| {
            value.as_ref().is_some_and(|v| checker.shallow(&v.ty) == Type::Int)
                && matches!(checker.shallow(&parameters[n].ty), Type::Infer(_))
        };
        let (later, first): (Vec<usize>, Vec<usize>) =
            (0..values.len()).partition(|&i| waits(self, &values[i], chosen[i]));
        for i in first.into_iter().chain(later) {
            let p = &parameters[chosen[i]];
            if let Some(value) = values[i].take() {
                let value = self.pass(value, p, constant_data);
                legal &= value.ty != Type::Unknown;
                values[i] = Some(value);
            }
        }
        if !legal {
            return None;
        }
        let mut lowered: Vec<CallArgument> = Vec::with_capacity(parameters.len());
        for (value, &n) in values.into_iter().zip(&chosen) {
            let p = &parameters[n];
            let ty = self.settle(&p.ty);
            lowered.push(CallArgument { parameter: n as u32, direction: p.direction, value, ty });
        }
        let mut given = vec![false; parameters.len()];
        chosen.iter().for_each(|&n| given[n] = true);
        for (n, p) in parameters.iter().enumerate() {
            if let Some(default) = &p.default
                && !given[n]
            {
                let ty = self.settle(&p.ty);
                let value = self.coerce(default.clone(), &ty);
                lowered.push(CallArgument {
                    parameter: n as u32,
                    direction: p.direction,
                    value: Some(value),
                    ty,
                });
            }
        }
        Some(lowered)
    }

    /// Gives an argument the parameter's type and checks its direction.
    fn pass(&mut self, value: Expr, p: &ParameterDef, constant_data: bool) -> Expr {
        let span = value.span;
        match p.direction {
            Direction::In => self.coerce(value, &p.ty),
            Direction::None => {
                let value = self.coerce(value, &p.ty);
                let object = matches!(
                    self.shallow(&value.ty),
                    Type::Extern(..)
                        | Type::Apply(..)
                        | Type::Parser(_)
                        | Type::Control(_)
                        | Type::Unknown
                );
                if constant_data && !object && !self.is_compile_time(&value) {
                    let d = Diagnostic::error(
                        span,
                        format!("the argument for `{}` must be a compile-time constant", p.name),
                    )
                    .label("not known at compile time")
                    .also(p.span, "the parameter has no direction");
                    self.report(d);
                    return self.broken(span);
                }
                value
            }
            Direction::Out | Direction::InOut => {
                if !self.check_lvalue(&value) {
                    return self.broken(span);
                }
                let found = value.ty.clone();
                if self.unify(&found, &p.ty) {
                    value
                } else {
                    // What is written back has the parameter's type, so no conversion is possible.
                    self.mismatch(span, &p.ty, &found);
                    self.broken(span)
                }
            }
        }
    }
}
