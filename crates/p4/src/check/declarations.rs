//! Top-level declarations and type definitions (§7.2, §10, §11).

use super::parameters::Owner;
use super::scope::{FunctionRef, Symbol};
use super::unify::Substitution;
use super::{Checker, fold};
use crate::ast::{self, Annotation, Declaration, DeclarationKind, Ident};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, ApplyKind, ApplyTypeId, EnumId, ExprKind, ExternId, NewTypeId, StructId, StructKind,
    Type, TypeParameterId,
};
use crate::source::Span;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A struct, header or union as declared; specialised per set of type arguments.
pub(super) struct StructInfo<'a> {
    pub declaration: &'a ast::StructDeclaration,
    pub annotations: &'a [Annotation],
    pub parameters: Vec<TypeParameterId>,
    pub fields: Vec<Type>,
}

/// Most operators of a constant that has no value before constructor parameters have theirs.
const MAX_OPERATORS: usize = 10_000;

/// Most scalar values that a variable of one type may hold.
const MAX_LEAVES: u64 = 1 << 20;

/// Whether an annotation of this name is present.
pub(crate) fn has_annotation(annotations: &[Annotation], name: &str) -> bool {
    annotations.iter().any(|a| &*a.name.name == name)
}

impl<'a> Checker<'a> {
    /// A declaration at the top level.
    pub(super) fn top_level(&mut self, d: &'a Declaration) {
        self.check_annotations(&d.annotations);
        match &d.kind {
            DeclarationKind::Constant { ty, name, value } => {
                self.constant_declaration(ty, name, value)
            }
            DeclarationKind::Instantiation(i) => {
                if let Some(declared) = self.instantiation(i, &d.annotations, d.span) {
                    self.program.top_level.push(declared);
                }
            }
            DeclarationKind::Errors(names) => self.error_members(names),
            DeclarationKind::MatchKinds(names) => {
                for name in names {
                    if !self.match_kinds.insert(name.name.clone()) {
                        self.error(
                            name.span,
                            format!("match kind `{}` is declared twice", name.name),
                        );
                    } else {
                        self.program.match_kinds.push(name.name.clone());
                    }
                }
            }
            DeclarationKind::Struct(s) => self.struct_declaration(s, &d.annotations),
            DeclarationKind::Enum(e) => self.enum_declaration(e, &d.annotations),
            DeclarationKind::Typedef { ty, name } => {
                let resolved = self.type_of(ty);
                if matches!(resolved, Type::Void | Type::String | Type::MatchKind) {
                    let message =
                        format!("`{}` cannot be given another name", self.show(&resolved));
                    self.error(ty.span, message);
                }
                self.declare(name, Symbol::Type(resolved));
            }
            DeclarationKind::NewType { ty, name } => self.new_type(ty, name, &d.annotations),
            DeclarationKind::ParserType(t) => self.apply_type(ApplyKind::Parser, t, &d.annotations),
            DeclarationKind::ControlType(t) => {
                self.apply_type(ApplyKind::Control, t, &d.annotations)
            }
            DeclarationKind::Package(t) => self.apply_type(ApplyKind::Package, t, &d.annotations),
            DeclarationKind::Extern(e) => self.extern_declaration(e, &d.annotations),
            DeclarationKind::ExternFunction(f) => self.extern_function(f, &d.annotations),
            DeclarationKind::Function(f) => self.function_declaration(f),
            DeclarationKind::Parser(p) => self.parser_declaration(p, &d.annotations),
            DeclarationKind::Control(c) => self.control_declaration(c, &d.annotations),
            DeclarationKind::Action(a) => {
                self.action_declaration(a, &d.annotations, None);
            }
            DeclarationKind::Variable(v) => {
                self.error(
                    d.span,
                    format!("variable `{}` is declared at the top level", v.name.name),
                );
                self.declare(&v.name, Symbol::Broken);
            }
            DeclarationKind::Table(t) => {
                self.error(
                    d.span,
                    format!("table `{}` is declared outside of a control", t.name.name),
                );
            }
            DeclarationKind::ValueSet { name, .. } => {
                self.error(
                    d.span,
                    format!("value set `{}` is declared outside of a parser", name.name),
                );
            }
        }
    }

    /// `const T x = e;` at any level.
    pub(super) fn constant_declaration(
        &mut self,
        ty: &'a ast::TypeExpr,
        name: &'a Ident,
        value: &'a ast::Expression,
    ) {
        let ty = self.type_of(ty);
        let lowered = self.typed_expression(value, &ty);
        if ty == Type::Unknown || lowered.ty == Type::Unknown {
            self.declare(name, Symbol::Broken);
            return;
        }
        match ty {
            Type::Void
            | Type::Extern(..)
            | Type::Parser(_)
            | Type::Control(_)
            | Type::Apply(..) => {
                let message = format!("a constant cannot have type `{}`", self.show(&ty));
                self.error(value.span, message);
                self.declare(name, Symbol::Broken);
                return;
            }
            _ => {}
        }
        if !self.is_compile_time(&lowered) {
            let message =
                format!("the value of constant `{}` is not known at compile time", name.name);
            self.report(
                Diagnostic::error(value.span, message).label("not a compile-time constant"),
            );
            self.declare(name, Symbol::Broken);
            return;
        }
        // Only constructor parameters keep a constant from having a value here. Its uses copy it.
        if self.evaluate(&lowered).is_none() && fold::operators(&lowered) > MAX_OPERATORS {
            let message = format!(
                "constant `{}` has more than {MAX_OPERATORS} operators with those of the constants in it",
                name.name
            );
            self.error(value.span, message);
            self.declare(name, Symbol::Broken);
            return;
        }
        if self.context.control.is_none()
            && let Some(value) = self.evaluate(&lowered)
        {
            self.program.constants.push((name.name.clone(), lowered.ty.clone(), value));
        }
        self.declare(name, Symbol::Const(Rc::new(lowered)));
    }

    fn error_members(&mut self, names: &'a [Ident]) {
        for name in names {
            let code = self.program.errors.len() as u32;
            if self.error_codes.contains_key(&name.name) {
                self.error(name.span, format!("error `{}` is declared twice", name.name));
            } else {
                self.error_codes.insert(name.name.clone(), code);
                self.program.errors.push(name.name.clone());
            }
        }
    }

    fn struct_declaration(&mut self, s: &'a ast::StructDeclaration, annotations: &'a [Annotation]) {
        self.scopes.push();
        let parameters = self.type_parameters(&s.type_parameters);
        let mut names: HashSet<&str> = HashSet::new();
        let mut fields = Vec::with_capacity(s.fields.len());
        for field in &s.fields {
            self.check_annotations(&field.annotations);
            let mut ty = self.type_of(&field.ty);
            let before = self.diagnostics.error_count();
            self.check_field(s.kind, &ty, field.ty.span);
            if self.diagnostics.error_count() > before {
                ty = Type::Unknown;
            }
            if !names.insert(&field.name.name) {
                self.error(
                    field.name.span,
                    format!("field `{}` is declared twice", field.name.name),
                );
            }
            fields.push(ty);
        }
        let varbits = fields.iter().filter(|f| matches!(self.shallow(f), Type::Varbit(_))).count();
        if s.kind == StructKind::Header && varbits > 1 {
            let message =
                format!("header `{}` has {varbits} varbit fields, at most 1 is legal", s.name.name);
            self.report(Diagnostic::warning(s.name.span, message));
        }
        self.scopes.pop();
        let index = self.structs.len();
        let generic = !parameters.is_empty();
        self.structs.push(StructInfo { declaration: s, annotations, parameters, fields });
        self.declare(&s.name, Symbol::Struct(index));
        if !generic {
            self.instantiate_struct(index, Vec::new());
        }
    }

    /// The definition of a struct for some type arguments.
    pub(super) fn instantiate_struct(&mut self, index: usize, arguments: Vec<Type>) -> StructId {
        let key = (index, arguments);
        if let Some(&id) = self.struct_cache.get(&key) {
            return id;
        }
        let arguments = key.1.clone();
        let info = &self.structs[index];
        let (declaration, annotations) = (info.declaration, info.annotations);
        let with: Substitution =
            info.parameters.iter().copied().zip(arguments.iter().cloned()).collect();
        let types = info.fields.clone();
        let mut name = declaration.name.name.to_string();
        if !arguments.is_empty() {
            let list: Vec<String> = arguments.iter().map(|a| self.show(a)).collect();
            name = format!("{name}<{}>", list.join(", "));
            // Arguments within arguments can double at each level.
            if name.len() > 4096 {
                name = format!("{}<...>", declaration.name.name);
            }
        }
        let mut fields = Vec::with_capacity(types.len());
        for (field, ty) in declaration.fields.iter().zip(&types) {
            let specialised = self.substitute(ty, &with);
            if !with.is_empty() {
                self.check_field(declaration.kind, &specialised, field.ty.span);
            }
            fields.push(ir::Field {
                name: field.name.name.clone(),
                ty: specialised,
                annotations: field.annotations.clone(),
                span: field.name.span,
            });
        }
        self.limit_fields(&mut fields, declaration.name.span);
        let id = StructId(self.program.types.structs.len() as u32);
        self.program.types.structs.push(ir::StructDef {
            kind: declaration.kind,
            name: name.into(),
            declared: declaration.name.name.clone(),
            arguments,
            fields,
            annotations: annotations.to_vec(),
            span: declaration.name.span,
        });
        self.struct_origin.push(index);
        self.struct_cache.insert(key, id);
        id
    }

    /// Structs that hold two of one another double at every level; passes that walk all fields
    /// need a bound. Past it the fields count as broken, so that they are not walked again.
    fn limit_fields(&mut self, fields: &mut [ir::Field], span: Span) {
        let leaves = fields.iter().map(|f| self.leaves(&f.ty)).fold(1, u64::saturating_add);
        if leaves > MAX_LEAVES {
            let message = format!("this type has {leaves} fields in all");
            self.report(
                Diagnostic::error(span, message).label(format!("at most {MAX_LEAVES} are legal")),
            );
            fields.iter_mut().for_each(|f| f.ty = Type::Unknown);
            self.struct_leaves.push(1);
        } else {
            self.struct_leaves.push(leaves);
        }
    }

    /// How many scalar values a type holds.
    fn leaves(&self, ty: &Type) -> u64 {
        match self.shallow(ty) {
            Type::Struct(id) => self.struct_leaves[id.index()],
            Type::Stack(e, n) => self.leaves(&e).saturating_mul(u64::from(n)),
            Type::Tuple(es) => es.iter().map(|e| self.leaves(e)).fold(1, u64::saturating_add),
            Type::List(e) => self.leaves(&e),
            _ => 1,
        }
    }

    fn enum_declaration(&mut self, e: &'a ast::EnumDeclaration, annotations: &'a [Annotation]) {
        let underlying = e.underlying.as_ref().map(|written| {
            let ty = self.type_of(written);
            let storage = match &ty {
                Type::Enum(_) => &ty,
                ty => self.program.types.storage(ty),
            };
            if !matches!(storage, Type::Bit(_) | Type::Signed(_) | Type::Unknown) {
                let message = format!("an enum cannot be made of `{}`", self.show(&ty));
                self.report(
                    Diagnostic::error(written.span, message).label("must be bit<W> or int<W>"),
                );
                return Type::Unknown;
            }
            ty
        });
        let id = EnumId(self.program.types.enums.len() as u32);
        // Declared before its members' values: a value may use an earlier member.
        self.program.types.enums.push(ir::EnumDef {
            name: e.name.name.clone(),
            underlying: underlying.clone(),
            members: Vec::new(),
            annotations: annotations.to_vec(),
            span: e.name.span,
        });
        if e.members.is_empty() {
            self.error(e.name.span, format!("enum `{}` has no members", e.name.name));
        }
        self.declare(&e.name, Symbol::Type(Type::Enum(id)));
        let mut names: HashSet<&str> = HashSet::with_capacity(e.members.len());
        for (name, value) in &e.members {
            if !names.insert(&name.name) {
                self.error(name.span, format!("enum member `{}` is declared twice", name.name));
            }
            let value = match (&underlying, value) {
                (Some(ty), Some(written)) => {
                    let ty = ty.clone();
                    let lowered = self.expression(written, Some(&ty));
                    if let (Type::Int, Some(n)) =
                        (self.shallow(&lowered.ty), self.integer(&lowered))
                        && !super::fold::fits(n, self.program.types.storage(&ty))
                    {
                        let message = format!("value {n} does not fit in `{}`", self.show(&ty));
                        self.error(written.span, message);
                    }
                    let lowered = self.coerce(lowered, &ty);
                    let known = self.integer(&lowered).cloned();
                    if known.is_none() && lowered.ty != Type::Unknown {
                        self.error(
                            written.span,
                            "an enum member's value must be a compile-time constant",
                        );
                    }
                    known.or(Some(0.into()))
                }
                (Some(_), None) => {
                    let message =
                        format!("member `{}` of a serializable enum needs a value", name.name);
                    self.report(Diagnostic::error(name.span, message).help("write `NAME = value`"));
                    Some(0.into())
                }
                (None, Some(written)) => {
                    let d = Diagnostic::error(
                        written.span,
                        "only a serializable enum's members have values",
                    )
                    .help("give the enum an underlying type: `enum bit<8> E { ... }`");
                    self.report(d);
                    None
                }
                (None, None) => None,
            };
            let member = ir::EnumMember { name: name.name.clone(), value, span: name.span };
            self.program.types[id].members.push(member);
        }
    }

    fn new_type(
        &mut self,
        written: &'a ast::TypeExpr,
        name: &'a Ident,
        annotations: &'a [Annotation],
    ) {
        let underlying = self.type_of(written);
        let legal = match self.shallow(&underlying) {
            Type::Bool | Type::Bit(_) | Type::Signed(_) | Type::New(_) | Type::Unknown => true,
            Type::Enum(_) | Type::Error | Type::Varbit(_) => {
                matches!(underlying, Type::Enum(id) if self.program.types[id].underlying.is_some())
            }
            _ => false,
        };
        if !legal {
            let message = format!("`type` cannot be made of `{}`", self.show(&underlying));
            let d = Diagnostic::error(written.span, message)
                .label("must be bit<W>, int<W>, bool or a type made of these");
            self.report(d);
            self.declare(name, Symbol::Broken);
            return;
        }
        let id = NewTypeId(self.program.types.new_types.len() as u32);
        self.program.types.new_types.push(ir::NewTypeDef {
            name: name.name.clone(),
            underlying,
            annotations: annotations.to_vec(),
            span: name.span,
        });
        self.declare(name, Symbol::Type(Type::New(id)));
    }

    fn apply_type(
        &mut self,
        kind: ApplyKind,
        t: &'a ast::ApplyType,
        annotations: &'a [Annotation],
    ) {
        self.scopes.push();
        let type_parameters = self.type_parameters(&t.type_parameters);
        let owner = match kind {
            ApplyKind::Parser => Owner::Parser,
            ApplyKind::Control => Owner::Control,
            ApplyKind::Package => Owner::Package,
        };
        let parameters = self.signature_parameters(&t.parameters, owner);
        self.scopes.pop();
        let id = ApplyTypeId(self.program.types.apply_types.len() as u32);
        self.program.types.apply_types.push(ir::ApplyTypeDef {
            kind,
            signature: ir::Signature {
                name: t.name.name.clone(),
                type_parameters,
                parameters,
                return_type: Type::Void,
                span: t.name.span,
            },
            annotations: annotations.to_vec(),
            span: t.name.span,
        });
        self.declare(&t.name, Symbol::Apply(id));
    }

    /// The head of an extern function, method or constructor, in a scope of its own.
    pub(super) fn signature(&mut self, p: &'a ast::Prototype, owner: Owner) -> ir::Signature {
        self.scopes.push();
        let type_parameters = self.type_parameters(&p.type_parameters);
        let return_type = match &p.return_type {
            Some(ty) => self.type_of(ty),
            None => Type::Void,
        };
        if let Some(written) = &p.return_type {
            self.check_return_type(&return_type, written.span);
        }
        let parameters = self.signature_parameters(&p.parameters, owner);
        self.scopes.pop();
        ir::Signature {
            name: p.name.name.clone(),
            type_parameters,
            parameters,
            return_type,
            span: p.name.span,
        }
    }

    fn check_return_type(&mut self, ty: &Type, span: Span) {
        let shallow = self.shallow(ty);
        if matches!(
            shallow,
            Type::Parser(_) | Type::Control(_) | Type::Apply(..) | Type::Extern(..)
        ) {
            let message = format!("`{}` cannot be returned", self.show(&shallow));
            self.error(span, message);
        }
    }

    fn extern_declaration(&mut self, e: &'a ast::ExternDeclaration, annotations: &'a [Annotation]) {
        let id = ExternId(self.program.types.externs.len() as u32);
        self.program.types.externs.push(ir::ExternDef {
            name: e.name.name.clone(),
            type_parameters: Vec::new(),
            constructors: Vec::new(),
            methods: Vec::new(),
            annotations: annotations.to_vec(),
            span: e.name.span,
        });
        self.declare(&e.name, Symbol::Extern(id));
        self.scopes.push();
        let parameters = self.type_parameters(&e.type_parameters);
        self.program.types[id].type_parameters = parameters;
        let mut heads: HashSet<(ast::Name, Vec<ast::Name>)> = HashSet::new();
        for constructor in &e.constructors {
            let signature = self.signature(constructor, Owner::ExternConstructor);
            if !heads.insert(head_of(&signature)) {
                self.error(constructor.span, "two constructors take the same parameters");
            }
            self.program.types[id].constructors.push(signature);
        }
        let mut firsts: HashMap<&str, (&ast::Prototype, Option<&ast::Prototype>)> = HashMap::new();
        heads.clear();
        for method in &e.methods {
            self.check_annotations(&method.annotations);
            // The first method of that name, and the first that is abstract.
            let former = firsts.get(&*method.name.name).copied();
            let of_name = firsts.entry(&method.name.name).or_insert((method, None));
            if method.is_abstract && of_name.1.is_none() {
                of_name.1 = Some(method);
            }
            let barred = former.and_then(
                |(any, of_abstract)| if method.is_abstract { Some(any) } else { of_abstract },
            );
            if let Some(first) = barred {
                let message =
                    format!("abstract method `{}` cannot be overloaded", method.name.name);
                self.report(
                    Diagnostic::error(method.name.span, message)
                        .also(first.name.span, "first declaration"),
                );
            }
            if method.name.name == e.name.name {
                let message = format!("method `{}` has the name of its extern", method.name.name);
                self.report(
                    Diagnostic::error(method.name.span, message)
                        .help("a constructor has no return type"),
                );
                continue;
            }
            let signature = self.signature(method, Owner::Extern);
            if !heads.insert(head_of(&signature)) {
                let message = format!("two methods `{}` take the same parameters", signature.name);
                self.error(method.name.span, message);
            }
            self.program.types[id].methods.push(ir::Method {
                signature,
                is_abstract: method.is_abstract,
                annotations: method.annotations.clone(),
            });
        }
        self.scopes.pop();
    }

    fn extern_function(&mut self, f: &'a ast::Prototype, annotations: &'a [Annotation]) {
        let signature = self.signature(f, Owner::Extern);
        let id = ir::ExternFunctionId(self.program.extern_functions.len() as u32);
        self.program.extern_functions.push(ir::ExternFunction {
            signature,
            annotations: annotations.to_vec(),
            module: None,
            model: None,
        });
        self.declare_function(&f.name, FunctionRef::Extern(id));
    }

    /// Adds a function to the overloads of its name.
    pub(super) fn declare_function(&mut self, name: &'a Ident, function: FunctionRef) {
        let head = self.function_signature(function);
        let is_overload = self
            .scopes
            .local(&name.name)
            .is_some_and(|former| matches!(former.symbol, Symbol::Functions(_)));
        if !is_overload {
            self.function_heads.insert(head_of(&head), function);
            self.declare(name, Symbol::Functions(vec![function]));
            return;
        }
        if let Some(&twin) = self.function_heads.get(&head_of(&head)) {
            let twin_head = self.function_signature(twin);
            let message =
                format!("function `{}` is declared twice with the same parameters", name.name);
            // A program may repeat what a later version of its architecture declares too.
            let repeated =
                matches!((twin, function), (FunctionRef::Extern(_), FunctionRef::Extern(_)))
                    && same_declaration(&twin_head, &head);
            let d = match repeated {
                true => Diagnostic::warning(name.span, message),
                false => Diagnostic::error(name.span, message),
            };
            self.report(d.also(twin_head.span, "first declaration"));
            return;
        }
        self.function_heads.insert(head_of(&head), function);
        self.scopes.overload(&name.name, function);
    }

    /// `main` must be a package, if it is there at all.
    pub(super) fn check_main(&mut self) {
        let Some(binding) = self.scopes.lookup_top("main").cloned() else { return };
        let is_package = match &binding.symbol {
            Symbol::Var(var) => {
                let ty = self.program[*var].ty.clone();
                matches!(self.shallow(&ty), Type::Unknown)
                    || matches!(self.apply_parameters(&ty), Some((ApplyKind::Package, _)))
            }
            Symbol::Broken => true,
            _ => false,
        };
        if !is_package {
            let d = Diagnostic::error(binding.span, "`main` must be an instance of a package")
                .label(format!("is {}", binding.symbol.describe()));
            self.report(d);
        }
    }

    /// Annotations whose form the language fixes (§20.2).
    pub(super) fn check_annotations(&mut self, annotations: &'a [Annotation]) {
        for a in annotations {
            match &a.body {
                ast::AnnotationBody::Expressions(list) => {
                    for e in list {
                        self.annotation_value(e);
                    }
                }
                ast::AnnotationBody::KeyValues(list) => {
                    let mut keys: HashSet<&str> = HashSet::new();
                    for (key, e) in list {
                        if !keys.insert(&key.name) {
                            self.error(
                                key.span,
                                format!("key `{}` occurs twice in an annotation", key.name),
                            );
                        }
                        self.annotation_value(e);
                    }
                }
                ast::AnnotationBody::Unstructured(tokens)
                    if matches!(&*a.name.name, "name" | "deprecated" | "noWarn")
                        && super::tables::joined_strings(tokens).is_none() =>
                {
                    self.error(a.span, format!("`@{}` takes one string", a.name.name));
                }
                ast::AnnotationBody::Empty
                    if matches!(&*a.name.name, "name" | "deprecated" | "noWarn") =>
                {
                    self.error(a.span, format!("`@{}` takes one string", a.name.name));
                }
                _ => {}
            }
        }
        let structured = |a: &Annotation| {
            matches!(
                a.body,
                ast::AnnotationBody::Expressions(_) | ast::AnnotationBody::KeyValues(_)
            )
        };
        let mut names: HashMap<&str, &Annotation> = HashMap::new();
        for a in annotations {
            let first = *names.entry(&a.name.name).or_insert(a);
            if !std::ptr::eq(first, a) && (structured(a) || structured(first)) {
                let message = format!("annotation `@{}` is given twice", a.name.name);
                let d = Diagnostic::error(a.span, message)
                    .label("a structured annotation may stand once per element")
                    .also(first.span, "first");
                self.report(d);
            }
        }
    }

    fn annotation_value(&mut self, e: &'a ast::Expression) {
        let lowered = self.expression(e, None);
        let constant = matches!(
            lowered.kind,
            ExprKind::Const(ir::Const::Int(_) | ir::Const::Bool(_) | ir::Const::String(_))
        );
        if lowered.ty != Type::Unknown && !constant {
            let d =
                Diagnostic::error(e.span, "a structured annotation holds compile-time values only")
                    .label("must be a constant number, boolean or string");
            self.report(d);
        }
    }
}

/// Whether two functions that have the same head, and no type parameters, agree in all types.
fn same_declaration(a: &ir::Signature, b: &ir::Signature) -> bool {
    let generic = !a.type_parameters.is_empty() || !b.type_parameters.is_empty();
    let mut pairs = a.parameters.iter().zip(&b.parameters);
    !generic
        && a.return_type == b.return_type
        && pairs.all(|(x, y)| x.ty == y.ty && x.direction == y.direction)
}

/// What overloads are told apart by: the number and names of arguments (§6.9.2), behind their name.
fn head_of(signature: &ir::Signature) -> (ast::Name, Vec<ast::Name>) {
    let names = signature.parameters.iter().map(|p| p.name.clone()).collect();
    (signature.name.clone(), names)
}
