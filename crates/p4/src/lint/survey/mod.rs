//! One walk over the syntax tree that finds out which declaration each name means, what is used
//! how often, and where warnings are silenced.

mod bodies;

use super::suppress::{Regions, deprecation};
use crate::ast::{
    Annotation, AnnotationBody, ApplyType, Declaration, DeclarationKind, Direction,
    FunctionDeclaration, Ident, Instantiation, Name, Parameter, ParserDeclaration, Path, Program,
    Prototype,
};
use crate::source::Span;
use std::collections::HashMap;

/// Kinds of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Constant,
    Variable,
    /// Declared by `for .. in`.
    LoopVariable,
    /// Of a function or action that uses its parameters as it likes.
    Parameter,
    /// Of a parser, control or abstract method's body, or of a stub, or `out`: that nothing uses
    /// it says nothing.
    ImposedParameter,
    Instance,
    ValueSet,
    Action,
    Table,
    Function,
    ExternFunction,
    Type,
    Parser,
    Control,
    State,
}

impl Kind {
    /// As warnings name it.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Kind::Constant => "constant",
            Kind::Variable | Kind::LoopVariable => "variable",
            Kind::Parameter | Kind::ImposedParameter => "parameter",
            Kind::Instance => "instance",
            Kind::ValueSet => "value set",
            Kind::Action => "action",
            Kind::Table => "table",
            Kind::Function | Kind::ExternFunction => "function",
            Kind::Type => "type",
            Kind::Parser => "parser",
            Kind::Control => "control",
            Kind::State => "state",
        }
    }
}

/// A declaration.
#[derive(Debug)]
pub(super) struct Symbol {
    pub kind: Kind,
    pub name: Name,
    /// The name's place.
    pub span: Span,
    /// Nesting of scopes; 0 is the top level.
    pub level: usize,
    pub reads: u32,
    pub writes: u32,
    /// What `@deprecated` says.
    pub deprecated: Option<Name>,
    /// The declaration further out that this one hides.
    pub hides: Option<usize>,
    /// The function declared before with the same name in the same scope.
    overload: Option<usize>,
}

/// What the walk found out.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub symbols: Vec<Symbol>,
    /// Uses of deprecated declarations: which, where.
    pub deprecated: Vec<(usize, Span)>,
    pub regions: Regions,
    scopes: Vec<HashMap<Name, usize>>,
}

/// Walks a whole program.
pub(super) fn survey(program: &Program) -> Survey {
    let mut survey = Survey { scopes: vec![HashMap::new()], ..Survey::default() };
    for d in &program.declarations {
        survey.declaration(d);
    }
    survey
}

impl Survey {
    pub(super) fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        walk(self);
        self.scopes.pop();
    }

    pub(super) fn declare(&mut self, kind: Kind, name: &Ident, annotations: &[Annotation]) {
        let level = self.scopes.len() - 1;
        let id = self.symbols.len();
        let hides =
            self.scopes[..level].iter().rev().find_map(|scope| scope.get(&name.name).copied());
        let before = self.scopes[level].insert(name.name.clone(), id);
        let functions = |k| matches!(k, Kind::Function | Kind::ExternFunction);
        let overload = before.filter(|&b| functions(kind) && functions(self.symbols[b].kind));
        self.symbols.push(Symbol {
            kind,
            name: name.name.clone(),
            span: name.span,
            level,
            reads: 0,
            writes: 0,
            deprecated: deprecation(annotations),
            hides,
            overload,
        });
    }

    /// Notes a use of a name; of overloaded functions all are used.
    fn used(&mut self, path: &Path, count: impl Fn(&mut Symbol)) {
        let scopes = if path.absolute { &self.scopes[..1] } else { &self.scopes[..] };
        let mut next = scopes.iter().rev().find_map(|scope| scope.get(&path.name.name).copied());
        while let Some(id) = next {
            let symbol = &mut self.symbols[id];
            count(symbol);
            // Overloads of the architecture are told apart in the typed IR.
            if symbol.deprecated.is_some() && symbol.kind != Kind::ExternFunction {
                self.deprecated.push((id, path.name.span));
            }
            next = symbol.overload;
        }
    }

    pub(super) fn read(&mut self, path: &Path) {
        self.used(path, |symbol| symbol.reads += 1);
    }

    pub(super) fn write(&mut self, path: &Path) {
        self.used(path, |symbol| symbol.writes += 1);
    }

    pub(super) fn read_name(&mut self, name: &Ident) {
        self.read(&Path { absolute: false, name: name.clone() });
    }

    /// Annotations of something that covers `span`.
    pub(super) fn annotations(&mut self, annotations: &[Annotation], span: Span) {
        self.regions.add(annotations, span);
        for a in annotations {
            match &a.body {
                AnnotationBody::Expressions(list) => list.iter().for_each(|e| self.expression(e)),
                AnnotationBody::KeyValues(list) => {
                    list.iter().for_each(|(_, e)| self.expression(e));
                }
                _ => {}
            }
        }
    }

    pub(super) fn declaration(&mut self, d: &Declaration) {
        self.annotations(&d.annotations, d.span);
        let annotations = &d.annotations[..];
        match &d.kind {
            DeclarationKind::Constant { ty, name, value } => {
                self.type_expression(ty);
                self.expression(value);
                self.declare(Kind::Constant, name, annotations);
            }
            DeclarationKind::Variable(v) => {
                self.type_expression(&v.ty);
                v.init.iter().for_each(|e| self.expression(e));
                self.declare(Kind::Variable, &v.name, annotations);
            }
            DeclarationKind::Instantiation(i) => self.instantiation(i, annotations),
            DeclarationKind::Errors(_) | DeclarationKind::MatchKinds(_) => {}
            DeclarationKind::Struct(s) => {
                self.scoped(|survey| {
                    survey.type_parameters(&s.type_parameters);
                    for f in &s.fields {
                        survey.annotations(&f.annotations, f.name.span);
                        survey.type_expression(&f.ty);
                    }
                });
                self.declare(Kind::Type, &s.name, annotations);
            }
            DeclarationKind::Enum(e) => {
                e.underlying.iter().for_each(|ty| self.type_expression(ty));
                e.members.iter().filter_map(|m| m.1.as_ref()).for_each(|e| self.expression(e));
                self.declare(Kind::Type, &e.name, annotations);
            }
            DeclarationKind::Typedef { ty, name } | DeclarationKind::NewType { ty, name } => {
                self.type_expression(ty);
                self.declare(Kind::Type, name, annotations);
            }
            DeclarationKind::ParserType(t)
            | DeclarationKind::ControlType(t)
            | DeclarationKind::Package(t) => {
                self.scoped(|survey| {
                    survey.type_parameters(&t.type_parameters);
                    survey.parameter_types(&t.parameters);
                });
                self.declare(Kind::Type, &t.name, annotations);
            }
            DeclarationKind::Extern(e) => {
                self.scoped(|survey| {
                    survey.type_parameters(&e.type_parameters);
                    e.constructors.iter().chain(&e.methods).for_each(|p| survey.prototype(p));
                });
                self.declare(Kind::Type, &e.name, annotations);
            }
            DeclarationKind::ExternFunction(p) => {
                self.prototype(p);
                self.declare(Kind::ExternFunction, &p.name, annotations);
            }
            DeclarationKind::Function(f) => {
                self.function(f, Kind::Parameter);
                self.declare(Kind::Function, &f.prototype.name, annotations);
            }
            DeclarationKind::Parser(p) => {
                self.parser(p);
                self.declare(Kind::Parser, &p.head.name, annotations);
            }
            DeclarationKind::Control(c) => {
                self.scoped(|survey| {
                    survey.head(&c.head, &c.constructor_parameters);
                    survey.scoped(|survey| {
                        c.locals.iter().for_each(|d| survey.declaration(d));
                        survey.block(&c.body);
                    });
                });
                self.declare(Kind::Control, &c.head.name, annotations);
            }
            DeclarationKind::Action(a) => {
                let stub = a.body.statements.is_empty();
                let kind = if stub { Kind::ImposedParameter } else { Kind::Parameter };
                self.scoped(|survey| {
                    survey.parameters(&a.parameters, kind);
                    survey.block(&a.body);
                });
                self.declare(Kind::Action, &a.name, annotations);
            }
            DeclarationKind::Table(t) => {
                self.table(t);
                self.declare(Kind::Table, &t.name, annotations);
            }
            DeclarationKind::ValueSet { ty, size, name } => {
                self.type_expression(ty);
                self.expression(size);
                self.declare(Kind::ValueSet, name, annotations);
            }
        }
    }

    fn type_parameters(&mut self, names: &[Ident]) {
        names.iter().for_each(|name| self.declare(Kind::Type, name, &[]));
    }

    /// Parameters without a body that could use them.
    fn parameter_types(&mut self, parameters: &[Parameter]) {
        for p in parameters {
            self.annotations(&p.annotations, p.span);
            self.type_expression(&p.ty);
            p.default.iter().for_each(|e| self.expression(e));
        }
    }

    fn parameters(&mut self, parameters: &[Parameter], kind: Kind) {
        self.parameter_types(parameters);
        for p in parameters {
            // That an `out` parameter is not used is a matter of values.
            let out = p.direction == Direction::Out;
            let kind = if out { Kind::ImposedParameter } else { kind };
            self.declare(kind, &p.name, &p.annotations);
        }
    }

    fn prototype(&mut self, p: &Prototype) {
        self.scoped(|survey| {
            survey.annotations(&p.annotations, p.span);
            survey.type_parameters(&p.type_parameters);
            p.return_type.iter().for_each(|ty| survey.type_expression(ty));
            survey.parameter_types(&p.parameters);
        });
    }

    fn function(&mut self, f: &FunctionDeclaration, kind: Kind) {
        let p = &f.prototype;
        let stub = f.body.statements.is_empty();
        let kind = if stub { Kind::ImposedParameter } else { kind };
        self.scoped(|survey| {
            survey.annotations(&p.annotations, p.span.to(f.body.span));
            survey.type_parameters(&p.type_parameters);
            p.return_type.iter().for_each(|ty| survey.type_expression(ty));
            survey.parameters(&p.parameters, kind);
            survey.block(&f.body);
        });
    }

    fn head(&mut self, head: &ApplyType, constructor: &[Parameter]) {
        self.type_parameters(&head.type_parameters);
        self.parameters(constructor, Kind::ImposedParameter);
        self.parameters(&head.parameters, Kind::ImposedParameter);
    }

    fn parser(&mut self, p: &ParserDeclaration) {
        self.scoped(|survey| {
            survey.head(&p.head, &p.constructor_parameters);
            survey.scoped(|survey| {
                p.locals.iter().for_each(|d| survey.declaration(d));
                p.states.iter().for_each(|s| survey.declare(Kind::State, &s.name, &s.annotations));
                p.states.iter().for_each(|s| survey.state(s));
            });
        });
    }

    fn instantiation(&mut self, i: &Instantiation, annotations: &[Annotation]) {
        self.type_expression(&i.ty);
        i.arguments.iter().for_each(|a| self.expression(&a.value));
        if let Some(list) = &i.initializer {
            // Bodies of abstract methods see the top level and each other's surroundings only.
            let around = self.scopes.split_off(1);
            self.scoped(|survey| {
                for d in list {
                    match &d.kind {
                        DeclarationKind::Function(f) => {
                            survey.annotations(&d.annotations, d.span);
                            survey.function(f, Kind::ImposedParameter);
                        }
                        _ => survey.declaration(d),
                    }
                }
            });
            self.scopes.extend(around);
        }
        self.declare(Kind::Instance, &i.name, annotations);
    }
}
