//! Parsers (§13).

use super::Checker;
use super::constructors::Head;
use super::context::{Context, Place};
use super::parameters::Owner;
use super::scope::Symbol;
use crate::ast::{self, Annotation, DeclarationKind, Expression, ExpressionKind, Ident};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Expr, ExprKind, KeySet, Local, ParserId, Target, Type, VariableKind};
use std::collections::HashMap;

type States = HashMap<ast::Name, u32>;

impl<'a> Checker<'a> {
    pub(super) fn parser_declaration(
        &mut self,
        p: &'a ast::ParserDeclaration,
        annotations: &'a [Annotation],
    ) {
        let outer = std::mem::replace(
            &mut self.context,
            Context { place: Place::ParserLocals, ..Context::default() },
        );
        if let Some(first) = p.head.type_parameters.first() {
            self.error(first.span, "a parser declaration cannot have type parameters");
        }
        self.scopes.push();
        self.type_parameters(&p.head.type_parameters);
        let (constructor, constructor_defs) =
            self.parameters(&p.constructor_parameters, Owner::ParserConstructor);
        self.forbid_shared_names(&p.constructor_parameters, &p.head.parameters);
        let (parameters, apply_defs) = self.parameters(&p.head.parameters, Owner::Parser);
        let id = ParserId(self.program.parsers.len() as u32);
        self.program.parsers.push(ir::Parser {
            name: p.head.name.name.clone(),
            parameters,
            constructor,
            locals: Vec::new(),
            states: Vec::new(),
            start: 0,
            annotations: annotations.to_vec(),
            span: p.head.name.span,
        });
        self.parser_heads.push(Head { apply: apply_defs, constructor: constructor_defs });
        let outer_nameless = std::mem::take(&mut self.nameless);
        self.scopes.push();
        self.ahead.push(&p.locals);
        let mut locals = self.parser_locals(&p.locals);
        let states = self.state_names(p);
        let mut lowered = Vec::with_capacity(p.states.len());
        for s in &p.states {
            lowered.push(self.state(s, &states));
        }
        self.ahead.pop();
        self.scopes.pop();
        self.scopes.pop();
        locals.extend(
            std::mem::replace(&mut self.nameless, outer_nameless).into_iter().map(Local::Instance),
        );
        self.context = outer;
        let start = match states.get("start") {
            Some(&n) => n,
            None => {
                let message = format!("parser `{}` has no state `start`", p.head.name.name);
                self.error(p.head.name.span, message);
                0
            }
        };
        let parser = &mut self.program[id];
        (parser.locals, parser.states, parser.start) = (locals, lowered, start);
        self.declare(&p.head.name, Symbol::Parser(id));
    }

    /// Constructor and apply parameters share one scope.
    pub(super) fn forbid_shared_names(&mut self, a: &'a [ast::Parameter], b: &'a [ast::Parameter]) {
        for p in b {
            if let Some(first) = a.iter().find(|q| q.name.name == p.name.name) {
                let message = format!("parameter `{}` is declared twice", p.name.name);
                self.report(
                    Diagnostic::error(p.name.span, message)
                        .also(first.name.span, "first declaration"),
                );
            }
        }
    }

    fn parser_locals(&mut self, written: &'a [ast::Declaration]) -> Vec<Local> {
        let mut locals = Vec::new();
        for d in written {
            self.check_annotations(&d.annotations);
            match &d.kind {
                DeclarationKind::ValueSet { ty, size, name } => {
                    let element = self.type_of(ty);
                    let size_value = self.compile_time_integer(size, "a value set's size");
                    let shallow = self.shallow(&element);
                    let legal = match &shallow {
                        Type::Struct(id) => self.program.types[*id].kind == ir::StructKind::Struct,
                        Type::Bit(_)
                        | Type::Signed(_)
                        | Type::Enum(_)
                        | Type::Tuple(_)
                        | Type::New(_) => true,
                        Type::Unknown | Type::Bool | Type::Error => true,
                        _ => false,
                    };
                    if !legal {
                        let message = format!("a value set cannot hold `{}`", self.show(&shallow));
                        self.error(ty.span, message);
                    }
                    let count = match size_value {
                        Some(value) => {
                            super::type_expressions::as_count(&value).unwrap_or_else(|| {
                                self.error(
                                    size.span,
                                    format!("illegal size {value} of a value set"),
                                );
                                0
                            })
                        }
                        None => 0,
                    };
                    let var = self.variable(
                        name,
                        Type::ValueSet(Box::new(element)),
                        VariableKind::ValueSet,
                    );
                    self.declare(name, Symbol::Var(var));
                    locals.push(Local::ValueSet {
                        var,
                        size: count,
                        annotations: d.annotations.clone(),
                    });
                }
                _ => locals.extend(self.local_declaration(d, "in a parser")),
            }
        }
        locals
    }

    fn state_names(&mut self, p: &'a ast::ParserDeclaration) -> States {
        let mut names = States::new();
        for (n, s) in p.states.iter().enumerate() {
            let name = &s.name.name;
            if matches!(&**name, "accept" | "reject") {
                self.error(
                    s.name.span,
                    format!("state `{name}` is built in and cannot be declared"),
                );
            }
            if let Some(&first) = names.get(name) {
                let message = format!("state `{name}` is declared twice");
                let first = p.states[first as usize].name.span;
                self.report(
                    Diagnostic::error(s.name.span, message).also(first, "first declaration"),
                );
                continue;
            }
            if let Some(binding) = self.scopes.local(name) {
                let first = binding.span;
                let message = format!("`{name}` is declared twice");
                self.report(
                    Diagnostic::error(s.name.span, message).also(first, "first declaration"),
                );
            }
            names.insert(name.clone(), n as u32);
        }
        names
    }

    fn target(&mut self, name: &'a Ident, states: &States) -> Target {
        match (&*name.name, states.get(&name.name)) {
            ("accept", None) => Target::Accept,
            ("reject", None) => Target::Reject,
            (_, Some(&n)) => Target::State(n),
            _ => {
                let known = states.keys().map(|k| &**k);
                let near = Self::nearest(&mut self.compared, &name.name, known);
                let d = Diagnostic::error(name.span, format!("there is no state `{}`", name.name));
                self.report(match near {
                    Some(near) => d.help(format!("did you mean `{near}`?")),
                    None => d,
                });
                Target::Reject
            }
        }
    }

    fn state(&mut self, s: &'a ast::ParserState, states: &States) -> ir::State {
        self.check_annotations(&s.annotations);
        self.context.place = Place::ParserState;
        self.scopes.push();
        let mut body = Vec::new();
        for statement in &s.statements {
            self.statement(statement, &mut body);
        }
        let transition = match &s.transition {
            None => ir::Transition::Direct(Target::Reject),
            Some(ast::Transition::Direct(name)) => {
                ir::Transition::Direct(self.target(name, states))
            }
            Some(ast::Transition::Select { expressions, cases, .. }) => {
                self.select(expressions, cases, states)
            }
        };
        self.scopes.pop();
        self.context.place = Place::ParserLocals;
        ir::State {
            name: s.name.name.clone(),
            body,
            transition,
            annotations: s.annotations.clone(),
            span: s.name.span,
        }
    }

    fn select(
        &mut self,
        expressions: &'a [Expression],
        cases: &'a [ast::SelectCase],
        states: &States,
    ) -> ir::Transition {
        let mut values: Vec<Expr> = expressions.iter().map(|e| self.expression(e, None)).collect();
        for v in &mut values {
            if self.shallow(&v.ty) == Type::Int {
                let d = Diagnostic::error(v.span, "`select` on an `int`, whose width is unknown")
                    .help("give it a width, such as `8w1`");
                self.report(d);
                v.ty = Type::Unknown;
            } else if !self.can_match(&v.ty) {
                let message = format!("`select` cannot decide on `{}`", self.show(&v.ty));
                self.report(Diagnostic::error(v.span, message));
                v.ty = Type::Unknown;
            }
        }
        let types: Vec<Type> = values.iter().map(|v| v.ty.clone()).collect();
        let mut lowered = Vec::with_capacity(cases.len());
        for case in cases {
            let target = self.target(&case.target, states);
            let Some(sets) = self.keysets(&case.keyset, &types, case.span) else { continue };
            lowered.push(ir::SelectCase { sets, target, span: case.span });
        }
        ir::Transition::Select { values, cases: lowered }
    }

    /// Whether values of a type can be keys.
    pub(super) fn can_match(&self, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Bool
            | Type::Bit(_)
            | Type::Signed(_)
            | Type::Error
            | Type::Unknown
            | Type::Varbit(_) => true,
            Type::Enum(_) | Type::New(_) | Type::Parameter(_) => true,
            Type::Tuple(es) => es.iter().all(|e| self.can_match(e)),
            Type::Struct(id) => {
                let def = &self.program.types[id];
                def.kind == ir::StructKind::Struct
                    && def.fields.iter().all(|f| self.can_match(&f.ty))
            }
            _ => false,
        }
    }

    /// A keyset for several values: one set per value, or one for all.
    pub(super) fn keysets(
        &mut self,
        written: &'a [Expression],
        types: &[Type],
        span: crate::source::Span,
    ) -> Option<Vec<KeySet>> {
        if let [single] = written {
            match &single.kind {
                ExpressionKind::Default | ExpressionKind::DontCare => {
                    return Some(vec![KeySet::Any]);
                }
                _ => {}
            }
            if let ExpressionKind::Name(path) = &single.kind
                && let Some(Symbol::Var(var)) = self.lookup(path)
                && let Type::ValueSet(element) = self.program[var].ty.clone()
            {
                return self.value_set(var, &element, types, single);
            }
            if let (ExpressionKind::List { elements, defaults: false }, true) =
                (&single.kind, types.len() > 1)
            {
                return self.keysets(elements, types, span);
            }
        }
        if written.len() != types.len() {
            let message = format!("{} value(s) for {} key(s)", written.len(), types.len());
            self.report(
                Diagnostic::error(span, message).label(format!("expected {}", types.len())),
            );
            return None;
        }
        let sets: Vec<Option<KeySet>> =
            written.iter().zip(types).map(|(e, ty)| self.keyset(e, ty)).collect();
        sets.into_iter().collect()
    }

    fn value_set(
        &mut self,
        var: ir::VarId,
        element: &Type,
        types: &[Type],
        e: &'a Expression,
    ) -> Option<Vec<KeySet>> {
        let parts: Vec<Type> = match (self.shallow(element), types.len()) {
            (Type::Struct(id), n) if !(n == 1 && self.shallow(&types[0]) == Type::Struct(id)) => {
                self.program.types[id].fields.iter().map(|f| f.ty.clone()).collect()
            }
            (Type::Tuple(es), n) if n > 1 => es,
            (ty, _) => vec![ty],
        };
        let same =
            parts.len() == types.len() && parts.iter().zip(types).all(|(a, b)| self.unify(a, b));
        if !same {
            let shown = self.show(element);
            self.error(
                e.span,
                format!("a value set of `{shown}` does not fit the values selected on"),
            );
            return None;
        }
        let ty = self.program[var].ty.clone();
        Some(vec![KeySet::ValueSet(Expr { kind: ExprKind::Var(var), ty, span: e.span })])
    }

    /// One set of values of a type.
    pub(super) fn keyset(&mut self, e: &'a Expression, ty: &Type) -> Option<KeySet> {
        match &e.kind {
            ExpressionKind::Default | ExpressionKind::DontCare => Some(KeySet::Any),
            ExpressionKind::Mask(value, mask) => {
                let (value, mask) = self.set_operands(value, mask, ty, e)?;
                Some(KeySet::Mask(value, mask))
            }
            ExpressionKind::Range(lo, hi) => {
                let (lo, hi) = self.set_operands(lo, hi, ty, e)?;
                if let (Some(a), Some(b)) = (self.integer(&lo), self.integer(&hi))
                    && a > b
                {
                    let message = format!("range {a} .. {b} is empty");
                    self.warning(e.span, message);
                }
                Some(KeySet::Range(lo, hi))
            }
            _ => {
                if let ExpressionKind::Name(path) = &e.kind
                    && let Some(Symbol::Var(var)) = self.lookup(path)
                    && let Type::ValueSet(element) = self.program[var].ty.clone()
                {
                    return self.value_set(var, &element, std::slice::from_ref(ty), e)?.pop();
                }
                let value = self.typed_expression(e, ty);
                if value.ty == Type::Unknown {
                    return None;
                }
                self.check_label(&value)?;
                Some(KeySet::Value(value))
            }
        }
    }

    fn set_operands(
        &mut self,
        a: &'a Expression,
        b: &'a Expression,
        ty: &Type,
        whole: &'a Expression,
    ) -> Option<(Expr, Expr)> {
        let shallow = self.shallow(ty);
        let storage = self.program.types.storage(&shallow).clone();
        if !matches!(storage, Type::Bit(_) | Type::Signed(_) | Type::Unknown | Type::Parameter(_)) {
            let message = format!("masks and ranges are not defined on `{}`", self.show(ty));
            self.error(whole.span, message);
            return None;
        }
        // The operands of a set over an enum or a `type` may be plain numbers of its width.
        let operand = if matches!(shallow, Type::Enum(_)) { storage } else { shallow };
        let lower = |checker: &mut Self, e: &'a Expression| {
            let value = checker.expression(e, Some(&operand));
            let value = match checker.try_coerce(value, &operand) {
                Ok(value) => value,
                Err(value) => checker.coerce(value, ty),
            };
            (value.ty != Type::Unknown && checker.check_label(&value).is_some()).then_some(value)
        };
        let (a, b) = (lower(self, a), lower(self, b));
        Some((a?, b?))
    }

    /// Keys in `entries` are compile-time values; those of `select` may be computed (§13.6).
    fn check_label(&mut self, value: &Expr) -> Option<()> {
        if self.context.place == Place::ParserState || self.is_compile_time(value) {
            return Some(());
        }
        let d = Diagnostic::error(value.span, "a key must be a compile-time constant")
            .label("not known at compile time");
        self.report(d);
        None
    }
}
