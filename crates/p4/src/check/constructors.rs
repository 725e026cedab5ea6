//! Instantiations: objects that exist when the program is loaded (§11.3, §18.3).

use super::Checker;
use super::context::Place;
use super::parameters::Owner;
use super::scope::Symbol;
use super::unify::Substitution;
use crate::ast::{
    self, Annotation, Argument, Declaration, DeclarationKind, Direction, Ident, TypeExpr,
};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, ApplyKind, Expr, ExprKind, InstanceDeclaration, ParameterDef, Type, VariableKind,
};
use crate::source::Span;

/// The parameters of a declared parser or control, with names and defaults.
#[derive(Clone, Default)]
pub(super) struct Head {
    pub apply: Vec<ParameterDef>,
    pub constructor: Vec<ParameterDef>,
}

impl<'a> Checker<'a> {
    /// `T(args) x;`. The name is declared also if there were errors.
    pub(super) fn instantiation(
        &mut self,
        i: &'a ast::Instantiation,
        annotations: &'a [Annotation],
        span: Span,
    ) -> Option<InstanceDeclaration> {
        let declared = self.instantiate(i, annotations, span);
        if declared.is_none() {
            self.declare(&i.name, Symbol::Broken);
        }
        declared
    }

    fn instantiate(
        &mut self,
        i: &'a ast::Instantiation,
        annotations: &'a [Annotation],
        span: Span,
    ) -> Option<InstanceDeclaration> {
        let ty = self.instance_type(&i.ty);
        let shallow = self.shallow(&ty);
        if shallow == Type::Unknown {
            self.arguments_of_broken_call(&i.arguments);
            return None;
        }
        self.check_place(&shallow, span)?;
        let name = match &i.ty.kind {
            ast::TypeExprKind::Named { path, .. } => path.name.clone(),
            _ => Ident { name: self.show(&ty).into(), span: i.ty.span },
        };
        let (constructor, arguments) =
            self.constructor_call(&shallow, &name, &i.arguments, span)?;
        let mut ty = self.settle(&ty);
        if let Type::Apply(_, types) = &mut ty {
            // What only an absent optional parameter could tell makes no difference.
            for t in types.iter_mut().filter(|t| matches!(t, Type::Infer(_))) {
                *t = Type::Void;
            }
        }
        if self.is_open(&ty) {
            let message = format!("the type arguments of `{}` cannot be inferred", name.name);
            self.report(
                Diagnostic::error(i.ty.span, message)
                    .help(format!("name them: `{}<...>(...)`", name.name)),
            );
            return None;
        }
        let (methods, inner) = self.initializer(&ty, i.initializer.as_deref(), &i.name)?;
        let var = self.variable(&i.name, ty.clone(), VariableKind::Instance);
        self.declare(&i.name, Symbol::Var(var));
        Some(InstanceDeclaration {
            var: Some(var),
            name: i.name.name.clone(),
            ty,
            constructor,
            arguments,
            methods,
            inner,
            annotations: annotations.to_vec(),
            span,
        })
    }

    /// Which kinds of objects may be made where (Appendix F).
    fn check_place(&mut self, ty: &Type, span: Span) -> Option<()> {
        let kind = match ty {
            Type::Extern(..) => None,
            Type::Parser(_) => Some(ApplyKind::Parser),
            Type::Control(_) => Some(ApplyKind::Control),
            Type::Apply(id, _) => match self.program.types[*id].kind {
                ApplyKind::Package => Some(ApplyKind::Package),
                kind => {
                    let what = if kind == ApplyKind::Parser { "parser" } else { "control" };
                    let message =
                        format!("`{}` is a {what} type and cannot be instantiated", self.show(ty));
                    let d = Diagnostic::error(span, message)
                        .help(format!("instantiate a declared {what}"));
                    self.report(d);
                    return None;
                }
            },
            _ => {
                let message = format!("`{}` cannot be instantiated", self.show(ty));
                self.error(span, message);
                return None;
            }
        };
        let place = self.context.place;
        let legal = match kind {
            _ if matches!(
                place,
                Place::Action | Place::Function | Place::ParserState | Place::ControlApply
            ) =>
            {
                false
            }
            None => true,
            Some(ApplyKind::Package) => place == Place::TopLevel,
            Some(ApplyKind::Parser) => place == Place::ParserLocals,
            Some(ApplyKind::Control) => place == Place::ControlLocals,
        };
        if legal {
            return Some(());
        }
        let message = format!("`{}` cannot be instantiated {}", self.show(ty), place.describe());
        self.error(span, message);
        None
    }

    /// A nameless instance: `T(args)` as an expression.
    pub(super) fn construct(
        &mut self,
        path: &'a ast::Path,
        type_arguments: &'a [TypeExpr],
        arguments: &'a [Argument],
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let Some(symbol) = self.lookup(path) else { return self.broken(span) };
        let arity = self.type_arity(&symbol);
        let inferred = type_arguments.is_empty();
        if !inferred && type_arguments.len() != arity {
            let message = format!(
                "`{}` takes {arity} type argument(s), {} given",
                path.name.name,
                type_arguments.len()
            );
            return self.broken_with(span, message);
        }
        let types: Vec<Type> = if inferred {
            (0..arity).map(|_| self.fresh()).collect()
        } else {
            type_arguments.iter().map(|t| self.type_argument(t)).collect()
        };
        let ty = match &symbol {
            Symbol::Extern(id) => Type::Extern(*id, types),
            Symbol::Apply(id) => Type::Apply(*id, types),
            Symbol::Parser(id) => Type::Parser(*id),
            Symbol::Control(id) => Type::Control(*id),
            Symbol::Type(ty) if matches!(self.shallow(ty), Type::Extern(..)) => ty.clone(),
            _ => {
                self.arguments_of_broken_call(arguments);
                let message =
                    format!("`{}` is {} and has no constructor", path.name.name, symbol.describe());
                return self.broken_with(span, message);
            }
        };
        if let Type::Apply(id, _) = &ty
            && self.program.types[*id].kind != ApplyKind::Package
        {
            let message =
                format!("`{}` is an abstract type and cannot be instantiated", path.name.name);
            return self.broken_with(span, message);
        }
        if matches!(
            self.context.place,
            Place::ControlApply | Place::Action | Place::Function | Place::ParserState
        ) {
            self.arguments_of_broken_call(arguments);
            let message = format!(
                "`{}` cannot be instantiated {}",
                path.name.name,
                self.context.place.describe()
            );
            return self.broken_with(span, message);
        }
        let Some((constructor, lowered)) = self.constructor_call(&ty, &path.name, arguments, span)
        else {
            return self.broken(span);
        };
        if let Some(expected) = expected
            && self.is_open(&ty)
        {
            let length = self.trail.len();
            if !self.unify(&ty, expected) {
                self.roll_back(length);
            }
        }
        if let Type::Extern(id, _) = &ty
            && self.program.types[*id].methods.iter().any(|m| m.is_abstract)
        {
            let message =
                format!("`{}` has abstract methods and needs a named instance", path.name.name);
            return self.broken_with(span, message);
        }
        let ty = self.settle(&ty);
        let declared = InstanceDeclaration {
            var: None,
            name: path.name.name.clone(),
            ty: ty.clone(),
            constructor,
            arguments: lowered,
            methods: Vec::new(),
            inner: Vec::new(),
            annotations: Vec::new(),
            span,
        };
        Expr { kind: ExprKind::Construct(Box::new(declared)), ty, span }
    }

    /// Arguments in parameter order for the only constructor of a parser, control or package.
    pub(super) fn constructor_arguments(
        &mut self,
        ty: &Type,
        name: &Ident,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<Vec<Option<Expr>>> {
        self.constructor_call(ty, name, arguments, span).map(|(_, arguments)| arguments)
    }

    /// Which constructor, and its arguments in parameter order.
    fn constructor_call(
        &mut self,
        ty: &Type,
        name: &Ident,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<(u32, Vec<Option<Expr>>)> {
        let (constructor, mut parameters, with): (usize, Vec<ParameterDef>, Substitution) = match ty
        {
            Type::Parser(id) => {
                (0, self.parser_heads[id.index()].constructor.clone(), Substitution::new())
            }
            Type::Control(id) => {
                (0, self.control_heads[id.index()].constructor.clone(), Substitution::new())
            }
            Type::Apply(id, types) => {
                let signature = &self.program.types[*id].signature;
                let with =
                    signature.type_parameters.iter().copied().zip(types.iter().cloned()).collect();
                (0, signature.parameters.clone(), with)
            }
            Type::Extern(id, types) => {
                let def = &self.program.types[*id];
                let with: Substitution =
                    def.type_parameters.iter().copied().zip(types.iter().cloned()).collect();
                let heads = def.constructors.clone();
                if heads.is_empty() {
                    self.arguments_of_broken_call(arguments);
                    let message = format!(
                        "extern `{}` has no constructor and cannot be instantiated",
                        name.name
                    );
                    self.error(span, message);
                    return None;
                }
                let n = self.choose(&heads, name, arguments, span)?;
                (n, heads[n].parameters.clone(), with)
            }
            _ => return None,
        };
        for p in &mut parameters {
            p.ty = self.substitute(&p.ty, &with);
            // Everything given to a constructor is a compile-time value.
            p.direction = Direction::None;
        }
        let lowered = self.lower_arguments(&name.name, &parameters, arguments, span, true)?;
        let mut ordered: Vec<Option<Expr>> = vec![None; parameters.len()];
        for a in lowered {
            ordered[a.parameter as usize] = a.value;
        }
        Some((constructor as u32, ordered))
    }

    /// Bodies for abstract methods.
    #[allow(clippy::type_complexity)] // Two lists that travel together once.
    fn initializer(
        &mut self,
        ty: &Type,
        written: Option<&'a [Declaration]>,
        name: &Ident,
    ) -> Option<(Vec<(u32, ir::FunctionId)>, Vec<InstanceDeclaration>)> {
        let Type::Extern(id, types) = ty else {
            if written.is_some_and(|w| !w.is_empty()) {
                self.error(
                    name.span,
                    "only an extern's instance can have an initializer with methods",
                );
                return None;
            }
            return Some((Vec::new(), Vec::new()));
        };
        let def = self.program.types[*id].clone();
        let with: Substitution =
            def.type_parameters.iter().copied().zip(types.iter().cloned()).collect();
        let mut methods: Vec<(u32, ir::FunctionId)> = Vec::new();
        let mut inner = Vec::new();
        let mut legal = true;
        // A body sees its parameters, the instances beside it and the top level (§11.3.1).
        let around = self.scopes.leave_to_top();
        self.scopes.push();
        for d in written.unwrap_or_default() {
            match &d.kind {
                DeclarationKind::Function(f) => {
                    let head = &f.prototype;
                    let position = def.methods.iter().position(|m| {
                        m.is_abstract
                            && m.signature.name == head.name.name
                            && m.signature.parameters.len() == head.parameters.len()
                    });
                    let Some(position) = position else {
                        let message = format!(
                            "extern `{}` has no such abstract method `{}`",
                            def.name, head.name.name
                        );
                        self.error(head.name.span, message);
                        legal = false;
                        continue;
                    };
                    legal &=
                        self.check_implementation(&def.methods[position].signature, &with, head);
                    let function = self.callable(head, &f.body, Some(ty.clone()));
                    methods.push((position as u32, function));
                }
                DeclarationKind::Instantiation(i) => {
                    match self.instantiation(i, &d.annotations, d.span) {
                        Some(declared) => inner.push(declared),
                        None => legal = false,
                    }
                }
                _ => {
                    self.error(
                        d.span,
                        "only functions and instances are legal in an object initializer",
                    );
                    legal = false;
                }
            }
        }
        self.scopes.pop();
        self.scopes.restore(around);
        for (n, method) in def.methods.iter().enumerate().filter(|(_, m)| m.is_abstract) {
            if legal && !methods.iter().any(|(m, _)| *m as usize == n) {
                let message = format!("abstract method `{}` has no body", method.signature.name);
                let d = Diagnostic::error(name.span, message)
                    .also(method.signature.span, "declared here");
                self.report(d);
                legal = false;
            }
        }
        legal.then_some((methods, inner))
    }

    /// Whether a body has the head of the abstract method that it implements.
    fn check_implementation(
        &mut self,
        declared: &ir::Signature,
        with: &Substitution,
        head: &'a ast::Prototype,
    ) -> bool {
        let found = self.signature(head, Owner::Function);
        let returned = self.substitute(&declared.return_type, with);
        let mut same = self.unify(&returned, &found.return_type);
        for (a, b) in declared.parameters.iter().zip(&found.parameters) {
            let ty = self.substitute(&a.ty, with);
            same &= a.direction == b.direction && self.unify(&ty, &b.ty);
        }
        if !same {
            let message =
                format!("`{}` differs from the abstract method that it implements", found.name);
            self.report(
                Diagnostic::error(head.name.span, message)
                    .also(declared.span, "the abstract method"),
            );
        }
        same
    }
}
