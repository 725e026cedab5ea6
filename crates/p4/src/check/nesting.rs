//! Which types may stand inside which (§7.2.8).

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::ir::{StructKind, Type};
use crate::source::Span;

impl Checker<'_> {
    /// Checks a field's type against the kind of aggregate it stands in.
    pub(super) fn check_field(&mut self, kind: StructKind, ty: &Type, span: Span) {
        let shallow = self.shallow(ty);
        let legal = match kind {
            StructKind::Header => self.fits_header(&shallow),
            StructKind::Union => matches!(shallow, Type::Unknown) || self.is_header_like(&shallow),
            StructKind::Struct => {
                !matches!(shallow, Type::Int | Type::String | Type::List(_))
                    && self.fits_struct(&shallow)
            }
        };
        if legal {
            return;
        }
        let (holder, wanted) = match kind {
            StructKind::Header => (
                "a header",
                "legal are bit<W>, int<W>, varbit<W>, bool, serializable enums and structs of these",
            ),
            StructKind::Union => ("a header union", "only headers are legal"),
            StructKind::Struct => ("a struct", "this type has no run-time value"),
        };
        let message = format!("a field of {holder} cannot have type `{}`", self.show(&shallow));
        self.report(Diagnostic::error(span, message).label(wanted));
    }

    fn is_header_like(&self, ty: &Type) -> bool {
        matches!(ty, Type::Parameter(_)) || self.program.types.is_header(ty)
    }

    fn fits_header(&self, ty: &Type) -> bool {
        match ty {
            Type::Bit(_) | Type::Signed(_) | Type::Varbit(_) | Type::Bool => true,
            Type::Unknown | Type::Parameter(_) | Type::Infer(_) => true,
            Type::Enum(id) => self.program.types[*id].underlying.is_some(),
            Type::New(id) => self.fits_header(&self.program.types[*id].underlying),
            Type::Struct(id) => {
                let def = &self.program.types[*id];
                let fits = |ty: &Type| !matches!(ty, Type::Varbit(_)) && self.fits_header(ty);
                def.kind == StructKind::Struct && def.fields.iter().all(|f| fits(&f.ty))
            }
            _ => false,
        }
    }

    fn fits_struct(&self, ty: &Type) -> bool {
        match ty {
            Type::Void
            | Type::MatchKind
            | Type::Extern(..)
            | Type::Apply(..)
            | Type::Parser(_)
            | Type::Control(_)
            | Type::ValueSet(_)
            | Type::ActionRun(_)
            | Type::Set(_) => false,
            Type::New(id) => self.fits_struct(&self.program.types[*id].underlying),
            _ => true,
        }
    }

    /// Checks an element of a tuple type.
    pub(super) fn check_tuple_element(&mut self, ty: &Type, span: Span) {
        let shallow = self.shallow(ty);
        if !self.fits_struct(&shallow) {
            let message = format!("a tuple cannot hold `{}`", self.show(&shallow));
            self.error(span, message);
        }
    }

    /// Checks the element of a list type.
    pub(super) fn check_list_element(&mut self, ty: &Type, span: Span) {
        let shallow = self.shallow(ty);
        if !self.fits_struct(&shallow) && shallow != Type::MatchKind {
            let message = format!("a list cannot hold `{}`", self.show(&shallow));
            self.error(span, message);
        }
    }

    /// Whether variables of a type may exist at run time.
    pub(super) fn check_variable_type(&mut self, ty: &Type, span: Span) -> bool {
        let shallow = self.shallow(ty);
        let why = match &shallow {
            Type::Void => "`void` has no values",
            Type::Extern(..) => "objects are made by instantiation",
            Type::Parser(_) | Type::Control(_) | Type::Apply(..) => {
                "objects are made by instantiation"
            }
            Type::Int => "integers without a width exist only at compile time",
            Type::String => "strings exist only at compile time",
            Type::MatchKind => "match kinds exist only at compile time",
            Type::List(_) => "lists exist only at compile time",
            Type::ValueSet(_) | Type::Set(_) => "sets have no run-time value",
            _ => return true,
        };
        let message = format!("a variable cannot have type `{}`", self.show(&shallow));
        self.report(Diagnostic::error(span, message).label(why));
        false
    }

    /// Whether `==` is defined on a type.
    pub(super) fn has_equality(&self, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Void
            | Type::Extern(..)
            | Type::Apply(..)
            | Type::Parser(_)
            | Type::Control(_)
            | Type::ValueSet(_)
            | Type::Set(_) => false,
            Type::Parameter(_) => false,
            Type::Tuple(es) => es.iter().all(|e| self.has_equality(e)),
            Type::Struct(id) => {
                self.program.types[id].fields.iter().all(|f| self.has_equality(&f.ty))
            }
            Type::Stack(e, _) => self.has_equality(&e),
            Type::New(id) => self.has_equality(&self.program.types[id].underlying.clone()),
            _ => true,
        }
    }
}
