//! Type inference: unification of types (§8.20, §7.2.10).

use super::Checker;
use crate::ir::{ApplyKind, ParameterDef, Type, TypeParameterId};
use std::collections::HashMap;

/// Types for type parameters.
pub(super) type Substitution = HashMap<TypeParameterId, Type>;

impl Checker<'_> {
    /// A type to be inferred.
    pub(super) fn fresh(&mut self) -> Type {
        self.inferred.push(None);
        Type::Infer(self.inferred.len() as u32 - 1)
    }

    /// Takes back what was inferred since the trail had this length.
    pub(super) fn roll_back(&mut self, length: usize) {
        for variable in self.trail.drain(length..) {
            self.inferred[variable as usize] = None;
        }
    }

    /// Fresh types for type parameters.
    pub(super) fn freshen(&mut self, parameters: &[TypeParameterId]) -> Substitution {
        parameters.iter().map(|&p| (p, self.fresh())).collect()
    }

    /// Follows inference variables at the top of a type only.
    pub(super) fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        while let Type::Infer(n) = ty {
            match &self.inferred[n as usize] {
                Some(next) => ty = next.clone(),
                None => break,
            }
        }
        ty
    }

    /// Replaces what inference found out, everywhere except inside struct arguments (see
    /// [`Checker::settle`]).
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        let all = |types: &[Type]| types.iter().map(|t| self.resolve(t)).collect();
        match self.shallow(ty) {
            Type::Stack(e, n) => Type::Stack(Box::new(self.resolve(&e)), n),
            Type::Tuple(es) => Type::Tuple(all(&es)),
            Type::List(e) => Type::List(Box::new(self.resolve(&e))),
            Type::Extern(id, args) => Type::Extern(id, all(&args)),
            Type::Apply(id, args) => Type::Apply(id, all(&args)),
            Type::ValueSet(e) => Type::ValueSet(Box::new(self.resolve(&e))),
            Type::Set(e) => Type::Set(Box::new(self.resolve(&e))),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(n, t)| (n.clone(), self.resolve(t))).collect())
            }
            ty => ty,
        }
    }

    /// Replaces what inference found out everywhere, struct arguments included.
    pub(super) fn settle(&mut self, ty: &Type) -> Type {
        self.map_type(ty, &|_| None)
    }

    /// Puts types in the place of type parameters.
    pub(super) fn substitute(&mut self, ty: &Type, with: &Substitution) -> Type {
        if with.is_empty() {
            return ty.clone();
        }
        self.map_type(ty, &|p| with.get(&p).cloned())
    }

    fn map_types(
        &mut self,
        types: &[Type],
        f: &dyn Fn(TypeParameterId) -> Option<Type>,
    ) -> Vec<Type> {
        types.iter().map(|t| self.map_type(t, f)).collect()
    }

    fn map_type(&mut self, ty: &Type, f: &dyn Fn(TypeParameterId) -> Option<Type>) -> Type {
        match self.shallow(ty) {
            Type::Parameter(p) => f(p).unwrap_or(Type::Parameter(p)),
            Type::Stack(e, n) => Type::Stack(Box::new(self.map_type(&e, f)), n),
            Type::Tuple(es) => Type::Tuple(self.map_types(&es, f)),
            Type::List(e) => Type::List(Box::new(self.map_type(&e, f))),
            Type::Extern(id, args) => Type::Extern(id, self.map_types(&args, f)),
            Type::Apply(id, args) => Type::Apply(id, self.map_types(&args, f)),
            Type::ValueSet(e) => Type::ValueSet(Box::new(self.map_type(&e, f))),
            Type::Set(e) => Type::Set(Box::new(self.map_type(&e, f))),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(n, t)| (n.clone(), self.map_type(t, f))).collect())
            }
            Type::Struct(id) => {
                let arguments = self.program.types[id].arguments.clone();
                if arguments.is_empty() {
                    return Type::Struct(id);
                }
                let mapped = self.map_types(&arguments, f);
                if mapped == arguments {
                    return Type::Struct(id);
                }
                let origin = self.struct_origin[id.index()];
                Type::Struct(self.instantiate_struct(origin, mapped))
            }
            ty => ty,
        }
    }

    /// Whether a type still has something to infer.
    pub(super) fn is_open(&self, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Infer(_) => true,
            Type::Stack(e, _) | Type::List(e) | Type::ValueSet(e) | Type::Set(e) => {
                self.is_open(&e)
            }
            Type::Tuple(es) | Type::Extern(_, es) | Type::Apply(_, es) => {
                es.iter().any(|e| self.is_open(e))
            }
            Type::Record(fields) => fields.iter().any(|(_, t)| self.is_open(t)),
            Type::Struct(id) => self.program.types[id].arguments.iter().any(|t| self.is_open(t)),
            _ => false,
        }
    }

    /// Whether a type mentions a type parameter: true only inside generic declarations.
    pub(super) fn is_generic(&self, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Parameter(_) => true,
            Type::Stack(e, _) | Type::List(e) | Type::ValueSet(e) | Type::Set(e) => {
                self.is_generic(&e)
            }
            Type::Tuple(es) | Type::Extern(_, es) | Type::Apply(_, es) => {
                es.iter().any(|e| self.is_generic(e))
            }
            Type::Record(fields) => fields.iter().any(|(_, t)| self.is_generic(t)),
            Type::Struct(id) => self.program.types[id].arguments.iter().any(|t| self.is_generic(t)),
            _ => false,
        }
    }

    /// Makes two types equal by inference, if that can be done. A parser or control fits a parser
    /// or control type with the same parameters.
    pub(super) fn unify(&mut self, a: &Type, b: &Type) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Infer(x), Type::Infer(y)) if x == y => true,
            (Type::Infer(x), other) | (other, Type::Infer(x)) => {
                if self.occurs(*x, other) {
                    return false;
                }
                self.inferred[*x as usize] = Some(other.clone());
                self.trail.push(*x);
                true
            }
            (Type::Stack(x, n), Type::Stack(y, m)) => n == m && self.unify(x, y),
            (Type::Tuple(xs), Type::Tuple(ys)) => self.unify_all(xs, ys),
            (Type::List(x), Type::List(y)) => self.unify(x, y),
            (Type::ValueSet(x), Type::ValueSet(y)) | (Type::Set(x), Type::Set(y)) => {
                self.unify(x, y)
            }
            (Type::Extern(x, xs), Type::Extern(y, ys)) => x == y && self.unify_all(xs, ys),
            (Type::Apply(x, xs), Type::Apply(y, ys)) if x == y => self.unify_all(xs, ys),
            (Type::Apply(..), Type::Apply(..)) => self.unify_applicable(&a, &b),
            (Type::Parser(_) | Type::Control(_), Type::Apply(..))
            | (Type::Apply(..), Type::Parser(_) | Type::Control(_)) => {
                self.unify_applicable(&a, &b)
            }
            (Type::Struct(x), Type::Struct(y)) => {
                if x == y {
                    return true;
                }
                let same = self.struct_origin[x.index()] == self.struct_origin[y.index()];
                let xs = self.program.types[*x].arguments.clone();
                let ys = self.program.types[*y].arguments.clone();
                same && !xs.is_empty() && self.unify_all(&xs, &ys)
            }
            (Type::Record(xs), Type::Record(ys)) => {
                xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|((n, x), (m, y))| n == m && self.unify(x, y))
            }
            _ => a == b,
        }
    }

    fn unify_all(&mut self, xs: &[Type], ys: &[Type]) -> bool {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y))
    }

    fn occurs(&self, variable: u32, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Infer(n) => n == variable,
            Type::Stack(e, _) | Type::List(e) | Type::ValueSet(e) | Type::Set(e) => {
                self.occurs(variable, &e)
            }
            Type::Tuple(es) | Type::Extern(_, es) | Type::Apply(_, es) => {
                es.iter().any(|e| self.occurs(variable, e))
            }
            Type::Record(fields) => fields.iter().any(|(_, t)| self.occurs(variable, t)),
            Type::Struct(id) => {
                self.program.types[id].arguments.iter().any(|t| self.occurs(variable, t))
            }
            _ => false,
        }
    }

    /// The kind and the `apply` parameters of a parser, control or their types.
    pub(super) fn apply_parameters(&mut self, ty: &Type) -> Option<(ApplyKind, Vec<ParameterDef>)> {
        match self.shallow(ty) {
            Type::Parser(id) => {
                Some((ApplyKind::Parser, self.parser_heads[id.index()].apply.clone()))
            }
            Type::Control(id) => {
                Some((ApplyKind::Control, self.control_heads[id.index()].apply.clone()))
            }
            Type::Apply(id, arguments) => {
                let def = self.program.types[id].clone();
                let with: Substitution =
                    def.signature.type_parameters.iter().copied().zip(arguments).collect();
                let mut parameters = def.signature.parameters;
                for p in &mut parameters {
                    p.ty = self.substitute(&p.ty, &with);
                }
                Some((def.kind, parameters))
            }
            _ => None,
        }
    }

    fn unify_applicable(&mut self, a: &Type, b: &Type) -> bool {
        let (Some((ka, xs)), Some((kb, ys))) = (self.apply_parameters(a), self.apply_parameters(b))
        else {
            return false;
        };
        ka == kb
            && ka != ApplyKind::Package
            && xs.len() == ys.len()
            && xs
                .iter()
                .zip(&ys)
                .all(|(x, y)| x.direction == y.direction && self.unify(&x.ty, &y.ty))
    }
}
