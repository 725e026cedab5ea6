//! Calls: functions, actions, methods, `apply` (§6.9, §8.17 to §8.20).

use super::Checker;
use super::context::Place;
use super::scope::{FunctionRef, Symbol};
use super::unify::Substitution;
use crate::ast::{self, Argument, Direction, Expression, ExpressionKind, Ident, TypeExpr};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, ApplyKind, Call, Callee, Const, Expr, ExprKind, ParameterDef, Type, VariableKind,
};
use crate::source::Span;

/// The call of a method that the language has.
#[derive(Clone, Copy)]
struct Method<'a> {
    name: &'a Ident,
    arguments: &'a [Argument],
    span: Span,
}

impl<'a> Checker<'a> {
    /// `callee<types>(arguments)`.
    pub(super) fn call(
        &mut self,
        callee: &'a Expression,
        type_arguments: &'a [TypeExpr],
        arguments: &'a [Argument],
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        match &callee.kind {
            ExpressionKind::Name(path) => match self.lookup(path) {
                None => {
                    self.unknown_name(path, "function, action or type");
                    self.arguments_of_broken_call(arguments);
                    self.broken(span)
                }
                Some(Symbol::Broken) => {
                    self.arguments_of_broken_call(arguments);
                    self.broken(span)
                }
                Some(Symbol::Functions(list)) => {
                    self.function_call(&list, &path.name, type_arguments, arguments, span)
                }
                Some(Symbol::Action(id)) => {
                    self.action_call(id, &path.name, type_arguments, arguments, span)
                }
                Some(symbol) if symbol.is_type() => {
                    self.construct(path, type_arguments, arguments, span, expected)
                }
                Some(symbol) => {
                    let message = format!(
                        "`{}` is {} and cannot be called",
                        path.name.name,
                        symbol.describe()
                    );
                    self.broken_with(callee.span, message)
                }
            },
            ExpressionKind::Member(base, name) => {
                self.method_call(base, name, type_arguments, arguments, span)
            }
            _ => {
                self.arguments_of_broken_call(arguments);
                self.broken_with(callee.span, "this expression cannot be called")
            }
        }
    }

    /// Finds the errors inside arguments whose callee is unknown.
    pub(super) fn arguments_of_broken_call(&mut self, arguments: &'a [Argument]) {
        for a in arguments {
            if !matches!(a.value.kind, ExpressionKind::DontCare) {
                self.expression(&a.value, None);
            }
        }
    }

    fn function_call(
        &mut self,
        overloads: &[FunctionRef],
        name: &'a Ident,
        type_arguments: &'a [TypeExpr],
        arguments: &'a [Argument],
        span: Span,
    ) -> Expr {
        let heads: Vec<ir::Signature> =
            overloads.iter().map(|&f| self.function_signature(f)).collect();
        let Some(n) = self.choose(&heads, name, arguments, span) else { return self.broken(span) };
        let head = &heads[n];
        if matches!(overloads[n], FunctionRef::Extern(_))
            && self.result_in_parameter(head, arguments, name, span)
        {
            return self.broken(span);
        }
        let Some((types, lowered, returned)) =
            self.instantiate_call(head, &Substitution::new(), type_arguments, arguments, span)
        else {
            return self.broken(span);
        };
        let callee = match overloads[n] {
            FunctionRef::Extern(id) => {
                if &*name.name == "static_assert" {
                    return self.static_assert(&lowered, span);
                }
                if &*name.name == "verify" && self.context.place != Place::ParserState {
                    let message =
                        format!("`verify` cannot be called {}", self.context.place.describe());
                    return self.broken_with(span, message);
                }
                Callee::ExternFunction(id)
            }
            FunctionRef::Declared(index) => Callee::Function(self.specialise(index, types.clone())),
        };
        let call = Call { callee, type_arguments: types, arguments: lowered, span };
        Expr { kind: ExprKind::Call(Box::new(call)), ty: returned, span }
    }

    /// `static_assert(condition [, message])` is decided here (core library).
    fn static_assert(&mut self, arguments: &[ir::CallArgument], span: Span) -> Expr {
        let value = |n: usize| arguments.get(n).and_then(|a| a.value.as_ref());
        match value(0).and_then(|e| self.constant(e)) {
            Some(Const::Bool(true)) => {}
            Some(_) => {
                let message = match value(1).and_then(|e| self.constant(e)) {
                    Some(Const::String(text)) => format!("static_assert failed: {text}"),
                    _ => "static_assert failed".to_owned(),
                };
                self.error(span, message);
            }
            None => self.error(span, "the condition of static_assert is not known at compile time"),
        }
        super::expressions::constant(Const::Bool(true), Type::Bool, span)
    }

    /// The overload that takes these arguments, by their number and names.
    pub(super) fn choose(
        &mut self,
        heads: &[ir::Signature],
        name: &Ident,
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<usize> {
        let fitting: Vec<usize> = (0..heads.len())
            .filter(|&n| super::arguments::fits(&heads[n].parameters, arguments))
            .collect();
        match fitting[..] {
            [n] => Some(n),
            // With one candidate the precise complaint comes from matching the arguments.
            [] if heads.len() == 1 => Some(0),
            [] => {
                self.arguments_of_broken_call(arguments);
                let mut d = Diagnostic::error(
                    span,
                    format!("no overload of `{}` takes these arguments", name.name),
                );
                for head in heads {
                    d = d.also(head.span, format!("takes {} parameter(s)", head.parameters.len()));
                }
                self.report(d);
                None
            }
            _ => {
                // An overload that needs no default or optional parameter is the better one.
                let exact: Vec<usize> = fitting
                    .iter()
                    .copied()
                    .filter(|&n| heads[n].parameters.len() == arguments.len())
                    .collect();
                if let [n] = exact[..] {
                    return Some(n);
                }
                self.arguments_of_broken_call(arguments);
                let mut d =
                    Diagnostic::error(span, format!("the call of `{}` is ambiguous", name.name));
                for &n in &fitting {
                    d = d.also(heads[n].span, "this one fits");
                }
                self.report(d);
                None
            }
        }
    }

    /// Gives a head types for its type parameters and lowers the arguments. `outer` holds the types
    /// of the extern around a method.
    pub(super) fn instantiate_call(
        &mut self,
        head: &ir::Signature,
        outer: &Substitution,
        type_arguments: &'a [TypeExpr],
        arguments: &'a [Argument],
        span: Span,
    ) -> Option<(Vec<Type>, Vec<ir::CallArgument>, Type)> {
        let mut with = self.freshen(&head.type_parameters);
        if !type_arguments.is_empty() && type_arguments.len() != head.type_parameters.len() {
            let message = format!(
                "`{}` takes {} type argument(s), {} given",
                head.name,
                head.type_parameters.len(),
                type_arguments.len()
            );
            self.error(span, message);
            self.arguments_of_broken_call(arguments);
            return None;
        }
        for (p, written) in head.type_parameters.iter().zip(type_arguments) {
            let ty = self.type_argument(written);
            with.insert(*p, ty);
        }
        let parameters_of = head.type_parameters.clone();
        let inferred: Vec<Type> = parameters_of.iter().map(|p| with[p].clone()).collect();
        with.extend(outer.iter().map(|(p, t)| (*p, t.clone())));
        let mut parameters = head.parameters.clone();
        for p in &mut parameters {
            p.ty = self.substitute(&p.ty, &with);
        }
        let lowered = self.lower_arguments(&head.name, &parameters, arguments, span, true)?;
        let mut types = Vec::with_capacity(inferred.len());
        for (p, ty) in parameters_of.iter().zip(&inferred) {
            let ty = self.settle(ty);
            let name = self.program.types.parameters[p.index()].clone();
            if self.is_open(&ty) {
                let d = Diagnostic::error(
                    span,
                    format!("type parameter `{name}` of `{}` cannot be inferred", head.name),
                )
                .help(format!("name it: `{}<...>(...)`", head.name));
                self.report(d);
                return None;
            }
            if ty == Type::Int && type_arguments.is_empty() {
                let d = Diagnostic::error(
                    span,
                    format!("type parameter `{name}` of `{}` is inferred as `int`", head.name),
                )
                .label("an `int` has no width at run time")
                .help("give the literal a width, such as `32w0`");
                self.report(d);
                return None;
            }
            types.push(ty);
        }
        let returned = self.substitute(&head.return_type, &with);
        let returned = self.settle(&returned);
        Some((types, lowered, returned))
    }

    fn action_call(
        &mut self,
        id: ir::ActionId,
        name: &'a Ident,
        type_arguments: &'a [TypeExpr],
        arguments: &'a [Argument],
        span: Span,
    ) -> Expr {
        if !matches!(self.context.place, Place::ControlApply | Place::Action) {
            self.arguments_of_broken_call(arguments);
            let message = format!(
                "action `{}` cannot be called {}",
                name.name,
                self.context.place.describe()
            );
            return self.broken_with(span, message);
        }
        if !type_arguments.is_empty() {
            return self.broken_with(span, "an action takes no type arguments");
        }
        let parameters = self.action_parameters(id);
        let Some(lowered) = self.lower_arguments(&name.name, &parameters, arguments, span, false)
        else {
            return self.broken(span);
        };
        let call = Call {
            callee: Callee::Action(id),
            type_arguments: Vec::new(),
            arguments: lowered,
            span,
        };
        Expr { kind: ExprKind::Call(Box::new(call)), ty: Type::Void, span }
    }

    /// An action's parameters with their names and defaults.
    pub(super) fn action_parameters(&self, id: ir::ActionId) -> Vec<ParameterDef> {
        self.action_heads[id.index()].clone()
    }

    fn method_call(
        &mut self,
        base: &'a Expression,
        name: &'a Ident,
        type_arguments: &'a [TypeExpr],
        arguments: &'a [Argument],
        span: Span,
    ) -> Expr {
        if let ExpressionKind::This = base.kind
            && let Some(Type::Extern(id, types)) = self.context.this.clone()
        {
            return self.extern_method(None, id, types, name, type_arguments, arguments, span);
        }
        if let ExpressionKind::Name(path) = &base.kind
            && let Some(Symbol::Table(table)) = self.lookup(path)
        {
            return self.table_apply(table, name, arguments, span);
        }
        if let Some(ty) = self.type_named_by(base) {
            return match ty {
                Type::Unknown => {
                    self.arguments_of_broken_call(arguments);
                    let message =
                        "this type needs type arguments, or is abstract, and cannot be applied";
                    self.broken_with(base.span, message)
                }
                Type::Parser(_) | Type::Control(_) if &*name.name == "apply" => {
                    self.direct_application(ty, arguments, base.span, span)
                }
                ty => self.size_method(&ty, Method { name, arguments, span }),
            };
        }
        let object = self.expression(base, None);
        let ty = self.shallow(&object.ty);
        match ty {
            Type::Unknown => {
                self.arguments_of_broken_call(arguments);
                self.broken(span)
            }
            Type::Extern(id, types) => {
                self.extern_method(Some(object), id, types, name, type_arguments, arguments, span)
            }
            Type::Parser(_) | Type::Control(_) | Type::Apply(..) => {
                self.apply_call(object, Method { name, arguments, span })
            }
            Type::Stack(..) if matches!(&*name.name, "push_front" | "pop_front") => {
                self.stack_method(object, Method { name, arguments, span })
            }
            Type::Struct(_) if matches!(&*name.name, "isValid" | "setValid" | "setInvalid") => {
                self.validity_method(object, Method { name, arguments, span })
            }
            ty => self.size_method(&ty, Method { name, arguments, span }),
        }
    }

    #[allow(clippy::too_many_arguments)] // The parts of one call, each used once.
    fn extern_method(
        &mut self,
        object: Option<Expr>,
        id: ir::ExternId,
        types: Vec<Type>,
        name: &'a Ident,
        type_arguments: &'a [TypeExpr],
        arguments: &'a [Argument],
        span: Span,
    ) -> Expr {
        let def = &self.program.types[id];
        let named = |m: &&ir::Method| m.signature.name == name.name;
        let heads: Vec<ir::Signature> =
            def.methods.iter().filter(named).map(|m| m.signature.clone()).collect();
        let positions: Vec<usize> = (0..def.methods.len())
            .filter(|&n| def.methods[n].signature.name == name.name)
            .collect();
        let outer: Substitution = def.type_parameters.iter().copied().zip(types).collect();
        if heads.is_empty() {
            let message = format!("extern `{}` has no method `{}`", def.name, name.name);
            let near = Self::nearest(
                &mut self.compared,
                &name.name,
                def.methods.iter().map(|m| &*m.signature.name),
            );
            let d = Diagnostic::error(name.span, message);
            self.report(match near {
                Some(near) => d.help(format!("did you mean `{near}`?")),
                None => d,
            });
            self.arguments_of_broken_call(arguments);
            return self.broken(span);
        }
        let Some(n) = self.choose(&heads, name, arguments, span) else { return self.broken(span) };
        if self.result_in_parameter(&heads[n], arguments, name, span) {
            return self.broken(span);
        }
        let Some((types, lowered, returned)) =
            self.instantiate_call(&heads[n], &outer, type_arguments, arguments, span)
        else {
            return self.broken(span);
        };
        if !self.check_core_method(id, &name.name, &types, &lowered, span) {
            return self.broken(span);
        }
        let callee = Callee::Method {
            object: object.map(Box::new),
            extern_id: id,
            method: positions[n] as u32,
        };
        let call = Call { callee, type_arguments: types, arguments: lowered, span };
        Expr { kind: ExprKind::Call(Box::new(call)), ty: returned, span }
    }

    fn table_apply(
        &mut self,
        table: ir::TableId,
        name: &'a Ident,
        arguments: &'a [Argument],
        span: Span,
    ) -> Expr {
        let table_name = self.program[table].name.clone();
        if &*name.name != "apply" {
            let message = format!("table `{table_name}` has no member `{}`", name.name);
            self.report(Diagnostic::error(name.span, message).label("a table can only be applied"));
            return self.broken(span);
        }
        if !arguments.is_empty() {
            return self.broken_with(span, "`apply` of a table takes no arguments");
        }
        if self.context.place != Place::ControlApply {
            let message =
                format!("table `{table_name}` cannot be applied {}", self.context.place.describe());
            return self.broken_with(span, message);
        }
        let call = Call {
            callee: Callee::Table(table),
            type_arguments: Vec::new(),
            arguments: Vec::new(),
            span,
        };
        Expr { kind: ExprKind::Call(Box::new(call)), ty: Type::Void, span }
    }

    /// `C.apply(..)` stands for a nameless instance of its own (§15.1).
    fn direct_application(
        &mut self,
        ty: Type,
        arguments: &'a [Argument],
        type_span: Span,
        span: Span,
    ) -> Expr {
        let name: ast::Name = match &ty {
            Type::Parser(id) => self.program[*id].name.clone(),
            Type::Control(id) => self.program[*id].name.clone(),
            _ => "".into(),
        };
        let ident = Ident { name: name.clone(), span: type_span };
        let Some(constructor) = self.constructor_arguments(&ty, &ident, &[], span) else {
            return self.broken(span);
        };
        let var = self.variable(&ident, ty.clone(), VariableKind::Instance);
        self.nameless.push(ir::InstanceDeclaration {
            var: Some(var),
            name,
            ty: ty.clone(),
            constructor: 0,
            arguments: constructor,
            methods: Vec::new(),
            inner: Vec::new(),
            annotations: Vec::new(),
            span,
        });
        let object = Expr { kind: ExprKind::Var(var), ty, span: type_span };
        self.applied(object, arguments, span)
    }

    fn apply_call(&mut self, object: Expr, method: Method<'a>) -> Expr {
        let Method { name, arguments, span } = method;
        if &*name.name != "apply" {
            let shown = self.show(&object.ty);
            self.arguments_of_broken_call(arguments);
            return self.broken_with(name.span, format!("`{shown}` has no method `{}`", name.name));
        }
        self.applied(object, arguments, span)
    }

    fn applied(&mut self, object: Expr, arguments: &'a [Argument], span: Span) -> Expr {
        let Some((kind, parameters)) = self.apply_parameters(&object.ty) else {
            return self.broken(span);
        };
        let (legal, what) = match kind {
            ApplyKind::Parser => (self.context.place == Place::ParserState, "parser"),
            ApplyKind::Control => (self.context.place == Place::ControlApply, "control"),
            ApplyKind::Package => (false, "package"),
        };
        if !legal {
            self.arguments_of_broken_call(arguments);
            let message = format!("a {what} cannot be applied {}", self.context.place.describe());
            return self.broken_with(span, message);
        }
        let Some(lowered) = self.lower_arguments("apply", &parameters, arguments, span, true)
        else {
            return self.broken(span);
        };
        let call = Call {
            callee: Callee::Apply(Box::new(object)),
            type_arguments: Vec::new(),
            arguments: lowered,
            span,
        };
        Expr { kind: ExprKind::Call(Box::new(call)), ty: Type::Void, span }
    }

    fn validity_method(&mut self, object: Expr, method: Method<'a>) -> Expr {
        let Method { name, arguments, span } = method;
        let is_header = self.program.types.is_header(&object.ty);
        let is_union = self.program.types.is_union(&object.ty);
        let reads = &*name.name == "isValid";
        let has_method = is_header || (is_union && reads);
        if !has_method {
            let message = format!("`{}` has no method `{}`", self.show(&object.ty), name.name);
            let label = if is_union {
                "set one of its headers instead"
            } else {
                "only headers are valid or not"
            };
            self.report(Diagnostic::error(name.span, message).label(label));
            return self.broken(span);
        }
        if !arguments.is_empty() {
            return self.broken_with(span, format!("`{}` takes no arguments", name.name));
        }
        if !reads && !self.check_lvalue(&object) {
            return self.broken(span);
        }
        let object = Box::new(object);
        let (callee, ty) = match &*name.name {
            "isValid" => (Callee::IsValid(object), Type::Bool),
            "setValid" => (Callee::SetValid(object), Type::Void),
            _ => (Callee::SetInvalid(object), Type::Void),
        };
        let call = Call { callee, type_arguments: Vec::new(), arguments: Vec::new(), span };
        Expr { kind: ExprKind::Call(Box::new(call)), ty, span }
    }

    fn stack_method(&mut self, object: Expr, method: Method<'a>) -> Expr {
        let Method { name, arguments, span } = method;
        let [argument] = arguments else {
            return self.broken_with(span, format!("`{}` takes one argument", name.name));
        };
        let writable = self.check_lvalue(&object);
        let Some(count) = self.compile_time_integer(&argument.value, "the count") else {
            return self.broken(span);
        };
        let Some(count) = super::type_expressions::as_count(&count).filter(|n| *n > 0) else {
            return self
                .broken_with(argument.span, format!("the count must be positive, not {count}"));
        };
        if !writable {
            return self.broken(span);
        }
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let object = Box::new(object);
        let callee = match &*name.name {
            "push_front" => Callee::PushFront(object, count),
            _ => Callee::PopFront(object, count),
        };
        let call = Call { callee, type_arguments: Vec::new(), arguments: Vec::new(), span };
        Expr { kind: ExprKind::Call(Box::new(call)), ty: Type::Void, span }
    }

    /// `minSizeInBits` and its sisters (§9).
    fn size_method(&mut self, ty: &Type, method: Method<'a>) -> Expr {
        let Method { name, arguments, span } = method;
        let sizes = self.program.types.size_in_bits(&self.shallow(ty));
        let value = match (&*name.name, sizes) {
            ("minSizeInBits", Some((min, _))) => min,
            ("maxSizeInBits", Some((_, max))) => max,
            ("minSizeInBytes", Some((min, _))) => min.div_ceil(8),
            ("maxSizeInBytes", Some((_, max))) => max.div_ceil(8),
            ("minSizeInBits" | "maxSizeInBits" | "minSizeInBytes" | "maxSizeInBytes", None) => {
                let message = format!("`{}` has no size in bits", self.show(ty));
                return self.broken_with(span, message);
            }
            _ => {
                self.arguments_of_broken_call(arguments);
                let message = format!("`{}` has no method `{}`", self.show(ty), name.name);
                return self.broken_with(name.span, message);
            }
        };
        if !arguments.is_empty() {
            return self.broken_with(span, format!("`{}` takes no arguments", name.name));
        }
        super::expressions::constant(Const::Int(value.into()), Type::Int, span)
    }

    /// The number of leading parameters with a direction.
    pub(super) fn directed(parameters: &[ParameterDef]) -> usize {
        parameters.iter().filter(|p| p.direction != Direction::None).count()
    }
}
