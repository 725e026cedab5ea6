//! What the core library's methods demand of their types beyond their signatures (§13.8, §16).

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::ir::{CallArgument, ExternId, StructKind, Type};
use crate::source::Span;

impl Checker<'_> {
    /// Checks `extract`, `lookahead` and `emit`.
    pub(super) fn check_core_method(
        &mut self,
        id: ExternId,
        method: &str,
        types: &[Type],
        arguments: &[CallArgument],
        span: Span,
    ) -> bool {
        let name = self.program.types[id].name.clone();
        let in_parser = matches!(self.context.place, super::context::Place::ParserState);
        if &*name == "packet_in"
            && matches!(method, "extract" | "lookahead" | "advance")
            && !in_parser
        {
            let message = format!("`{method}` cannot be called {}", self.context.place.describe());
            self.error(span, message);
            return false;
        }
        let Some(ty) = types.first().map(|t| self.shallow(t)) else { return true };
        if matches!(ty, Type::Unknown | Type::Parameter(_)) {
            return true;
        }
        match (&*name, method) {
            ("packet_in", "extract") => self.check_extract(&ty, arguments.len(), span),
            ("packet_in", "lookahead") => {
                if self.program.types.width(&ty).is_some() && !self.contains_union(&ty) {
                    return true;
                }
                let message = format!("`lookahead` cannot read `{}`", self.show(&ty));
                self.report(Diagnostic::error(span, message).label("its size is not fixed"));
                false
            }
            ("packet_out", "emit") => {
                if self.can_emit(&ty) {
                    return true;
                }
                let message = format!("`emit` cannot write `{}`", self.show(&ty));
                let d = Diagnostic::error(span, message)
                    .label("must be a header, a stack, a header union or a struct of these");
                self.report(d);
                false
            }
            _ => true,
        }
    }

    fn check_extract(&mut self, ty: &Type, arguments: usize, span: Span) -> bool {
        let Some(def) = self.program.types.as_kind(ty, StructKind::Header) else {
            let message = format!("`extract` cannot fill `{}`", self.show(ty));
            self.report(Diagnostic::error(span, message).label("must be a header"));
            return false;
        };
        let variable = def.fields.iter().filter(|f| matches!(f.ty, Type::Varbit(_))).count();
        let problem = match (arguments, variable) {
            (1, 0) | (2, 1) => return true,
            (1, _) => "a header with a varbit field needs `extract` with two arguments",
            (_, 0) => "`extract` with two arguments needs a header with a varbit field",
            _ => "`extract` with two arguments needs exactly one varbit field",
        };
        self.error(span, problem);
        false
    }

    fn contains_union(&self, ty: &Type) -> bool {
        match self.program.types.storage(ty) {
            Type::Struct(id) => {
                let def = &self.program.types[*id];
                def.kind == StructKind::Union
                    || def.fields.iter().any(|f| self.contains_union(&f.ty))
            }
            Type::Stack(e, _) => self.contains_union(e),
            Type::Tuple(es) => es.iter().any(|e| self.contains_union(e)),
            _ => false,
        }
    }

    fn can_emit(&self, ty: &Type) -> bool {
        match ty {
            Type::Unknown | Type::Parameter(_) => true,
            Type::Stack(e, _) => self.can_emit(e),
            Type::Tuple(es) => es.iter().all(|e| self.can_emit(e)),
            Type::Struct(id) => {
                let def = &self.program.types[*id];
                def.kind != StructKind::Struct || def.fields.iter().all(|f| self.can_emit(&f.ty))
            }
            _ => false,
        }
    }
}
