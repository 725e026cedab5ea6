//! From types as written to types (§7).

use super::Checker;
use super::scope::Symbol;
use crate::ast::{self, Expression, TypeExpr, TypeExprKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{Type, TypeParameterId};
use crate::source::Span;
use num_traits::{Signed, ToPrimitive};

/// Widest `bit<W>`, `int<W>` and `varbit<W>`. The specification leaves it to the target.
pub(crate) const MAX_WIDTH: u32 = 1 << 16;
/// Most types that one type may be made of: `typedef`s of tuples of `typedef`s double quickly.
const MAX_SIZE: usize = 1 << 14;
/// Most elements of a header stack.
const MAX_STACK: u32 = 1 << 16;

impl<'a> Checker<'a> {
    /// Resolves a type; errors are reported and give [`Type::Unknown`].
    pub(super) fn type_of(&mut self, written: &'a TypeExpr) -> Type {
        let ty = self.unbounded_type(written);
        if matches!(ty, Type::Tuple(_) | Type::Extern(..) | Type::Apply(..)) && size(&ty) > MAX_SIZE
        {
            let message = format!("this type is made of more than {MAX_SIZE} types");
            self.error(written.span, message);
            return Type::Unknown;
        }
        ty
    }

    fn unbounded_type(&mut self, written: &'a TypeExpr) -> Type {
        match &written.kind {
            TypeExprKind::Bool => Type::Bool,
            TypeExprKind::Error => Type::Error,
            TypeExprKind::MatchKind => Type::MatchKind,
            TypeExprKind::String => Type::String,
            TypeExprKind::Void => Type::Void,
            TypeExprKind::Int => Type::Int,
            TypeExprKind::Bit(None) => Type::Bit(1),
            TypeExprKind::Bit(Some(width)) => self.sized(width, Type::Bit, 0),
            TypeExprKind::Signed(width) => self.sized(width, Type::Signed, 1),
            TypeExprKind::Varbit(width) => self.sized(width, Type::Varbit, 0),
            TypeExprKind::Named { path, arguments } => {
                self.named_type(path, arguments, written.span)
            }
            TypeExprKind::Stack { element, size } => self.stack_type(element, size),
            TypeExprKind::Tuple(elements) => {
                let types: Vec<Type> = elements.iter().map(|e| self.type_of(e)).collect();
                for (ty, written) in types.iter().zip(elements) {
                    self.check_tuple_element(ty, written.span);
                }
                Type::Tuple(types)
            }
            TypeExprKind::List(element) => {
                let ty = self.type_of(element);
                self.check_list_element(&ty, element.span);
                Type::List(Box::new(ty))
            }
            TypeExprKind::DontCare => self.fresh(),
        }
    }

    fn sized(&mut self, width: &'a Expression, make: fn(u32) -> Type, least: u32) -> Type {
        let Some(value) = self.compile_time_integer(width, "a width") else { return Type::Unknown };
        match value.to_u32() {
            Some(w) if w >= least && w <= MAX_WIDTH => make(w),
            _ => {
                let d = Diagnostic::error(width.span, format!("illegal width {value}"))
                    .label(format!("must lie between {least} and {MAX_WIDTH}"));
                self.report(d);
                Type::Unknown
            }
        }
    }

    fn stack_type(&mut self, element: &'a TypeExpr, size: &'a Expression) -> Type {
        let ty = self.type_of(element);
        let size_value = self.compile_time_integer(size, "a stack's size");
        let shallow = self.shallow(&ty);
        let types = &self.program.types;
        let legal = matches!(shallow, Type::Unknown | Type::Parameter(_))
            || types.is_header(&shallow)
            || types.is_union(&shallow);
        if !legal {
            let message = format!("`{}` cannot be the element of a header stack", self.show(&ty));
            let d = Diagnostic::error(element.span, message)
                .label("must be a header or a header union");
            self.report(d);
            return Type::Unknown;
        }
        let Some(n) = size_value else { return Type::Unknown };
        match n.to_u32() {
            Some(n) if n > 0 && n <= MAX_STACK => Type::Stack(Box::new(ty), n),
            _ => {
                let d = Diagnostic::error(size.span, format!("illegal stack size {n}"))
                    .label(format!("must lie between 1 and {MAX_STACK}"));
                self.report(d);
                Type::Unknown
            }
        }
    }

    /// An expression that must be an integer known at compile time. `what` names its role.
    pub(super) fn compile_time_integer(
        &mut self,
        e: &'a Expression,
        what: &str,
    ) -> Option<num_bigint::BigInt> {
        let lowered = self.expression(e, None);
        let ty = self.shallow(&lowered.ty);
        if ty == Type::Unknown {
            return None;
        }
        let storage = self.program.types.storage(&ty).clone();
        if !matches!(storage, Type::Int | Type::Bit(_) | Type::Signed(_)) {
            let shown = self.show(&ty);
            self.error(e.span, format!("{what} must be an integer, not `{shown}`"));
            return None;
        }
        match self.integer(&lowered) {
            Some(value) => Some(value.clone()),
            None => {
                let d =
                    Diagnostic::error(e.span, format!("{what} must be a compile-time constant"))
                        .label("its value is not known at compile time");
                self.report(d);
                None
            }
        }
    }

    fn named_type(&mut self, path: &'a ast::Path, arguments: &'a [TypeExpr], span: Span) -> Type {
        let symbol = match self.lookup(path) {
            Some(symbol) => symbol,
            None => {
                self.unknown_name(path, "type");
                for argument in arguments {
                    self.type_of(argument);
                }
                return Type::Unknown;
            }
        };
        let arguments: Vec<Type> = arguments.iter().map(|a| self.type_argument(a)).collect();
        self.apply_type_arguments(&symbol, &path.name, arguments, span)
    }

    /// A type in the place of a type argument: `void` and `_` are legal there.
    pub(super) fn type_argument(&mut self, written: &'a TypeExpr) -> Type {
        self.type_of(written)
    }

    /// Number of type parameters of a symbol that is a type.
    pub(super) fn type_arity(&self, symbol: &Symbol) -> usize {
        let types = &self.program.types;
        match symbol {
            Symbol::Struct(n) => self.structs[*n].parameters.len(),
            Symbol::Extern(id) => types[*id].type_parameters.len(),
            Symbol::Apply(id) => types[*id].signature.type_parameters.len(),
            _ => 0,
        }
    }

    fn apply_type_arguments(
        &mut self,
        symbol: &Symbol,
        name: &ast::Ident,
        arguments: Vec<Type>,
        span: Span,
    ) -> Type {
        if matches!(symbol, Symbol::Broken) {
            return Type::Unknown;
        }
        if !symbol.is_type() {
            let message = format!("`{}` is {}, not a type", name.name, symbol.describe());
            self.error(name.span, message);
            return Type::Unknown;
        }
        let arity = self.type_arity(symbol);
        if arity != arguments.len() {
            let message = if arguments.is_empty() {
                format!("`{}` needs {arity} type argument(s)", name.name)
            } else if arity == 0 {
                format!("`{}` takes no type arguments", name.name)
            } else {
                format!("`{}` takes {arity} type argument(s), {} given", name.name, arguments.len())
            };
            self.error(span, message);
            return Type::Unknown;
        }
        match symbol {
            Symbol::Type(ty) => ty.clone(),
            Symbol::Struct(n) => Type::Struct(self.instantiate_struct(*n, arguments)),
            Symbol::Extern(id) => Type::Extern(*id, arguments),
            Symbol::Apply(id) => Type::Apply(*id, arguments),
            Symbol::Parser(id) => Type::Parser(*id),
            Symbol::Control(id) => Type::Control(*id),
            _ => Type::Unknown,
        }
    }

    /// The type of an instance, whose type arguments may be left to inference.
    pub(super) fn instance_type(&mut self, written: &'a TypeExpr) -> Type {
        if let TypeExprKind::Named { path, arguments } = &written.kind
            && arguments.is_empty()
            && let Some(symbol) = self.lookup(path)
            && matches!(symbol, Symbol::Extern(_) | Symbol::Apply(_))
        {
            let arguments = (0..self.type_arity(&symbol)).map(|_| self.fresh()).collect();
            return self.apply_type_arguments(&symbol, &path.name, arguments, written.span);
        }
        self.type_of(written)
    }

    /// Declares type parameters in the current scope.
    pub(super) fn type_parameters(&mut self, names: &'a [ast::Ident]) -> Vec<TypeParameterId> {
        let mut ids = Vec::with_capacity(names.len());
        for name in names {
            let id = TypeParameterId(self.program.types.parameters.len() as u32);
            self.program.types.parameters.push(name.name.clone());
            self.declare(name, Symbol::Type(Type::Parameter(id)));
            ids.push(id);
        }
        ids
    }

    /// Looks a name up.
    pub(super) fn lookup(&self, path: &ast::Path) -> Option<Symbol> {
        let binding = if path.absolute {
            self.scopes.lookup_top(&path.name.name)
        } else {
            self.scopes.lookup(&path.name.name)
        };
        binding.map(|b| b.symbol.clone())
    }

    /// Declares a name in the current scope; reports a second declaration.
    pub(super) fn declare(&mut self, name: &ast::Ident, symbol: Symbol) {
        if let Some(former) = self.scopes.declare(&name.name, symbol, name.span) {
            let d = Diagnostic::error(name.span, format!("`{}` is declared twice", name.name))
                .label("second declaration")
                .also(former.span, "first declaration");
            self.report(d);
        }
    }
}

/// The number of types that a type is made of, counted up to a little over [`MAX_SIZE`].
fn size(ty: &Type) -> usize {
    match ty {
        Type::Tuple(es) | Type::Extern(_, es) | Type::Apply(_, es) => {
            let mut sum = 1;
            for e in es {
                sum += size(e);
                if sum > MAX_SIZE {
                    break;
                }
            }
            sum
        }
        Type::Stack(e, _) | Type::List(e) | Type::ValueSet(e) | Type::Set(e) => 1 + size(e),
        _ => 1,
    }
}

/// Whether a compile-time integer is a usable count.
pub(super) fn as_count(value: &num_bigint::BigInt) -> Option<u64> {
    if value.is_negative() { None } else { value.to_u64() }
}
