//! Declarations: top level, derived types, functions, actions, controls and the heads that
//! parsers, controls and packages share.

use super::scope::Meaning;
use super::{Abandoned, Parse, Parser};
use crate::ast::{
    ActionDeclaration, Annotation, ApplyType, Block, ControlDeclaration, Declaration,
    DeclarationKind, Direction, EnumDeclaration, Expression, FunctionDeclaration, Ident, Parameter,
    Path, Program, Prototype, StructDeclaration, StructField, StructKind, TypeExpr, TypeExprKind,
};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind};
use crate::source::Span;
use ww_spelling::suggestion;

impl Parser<'_> {
    /// `p4program`.
    pub(super) fn program(&mut self) -> Program {
        let mut declarations = Vec::new();
        while !self.at_end() {
            let before = self.position();
            if self.eat(Punct::Semicolon) {
                continue;
            }
            if self.declaration(&mut declarations).is_err() {
                self.skip_statement(before);
            }
            if self.position() == before && !self.at_end() {
                // A `}` that closes nothing.
                self.expected("a declaration");
                self.bump();
            }
        }
        Program { declarations }
    }

    /// One top-level declaration; a `typedef` of a derived type makes two.
    fn declaration(&mut self, out: &mut Vec<Declaration>) -> Parse<()> {
        let start = self.span();
        let annotations = self.annotations()?;
        if let Some(construct) = self.older_language() {
            return Err(self.refuse_older_language(construct));
        }
        let TokenKind::Keyword(keyword) = self.peek() else {
            if self.is_name_at(0) || self.is(Punct::Dot) {
                out.push(self.function_or_instance(start, annotations)?);
                return Ok(());
            }
            return Err(self.expected("a declaration"));
        };
        let declaration = match *keyword {
            Keyword::Const => self.constant(start, annotations)?,
            Keyword::Extern => self.extern_declaration(start, annotations)?,
            Keyword::Action => self.action(start, annotations)?,
            Keyword::Parser => self.parser(start, annotations)?,
            Keyword::Control => self.control(start, annotations)?,
            Keyword::Package => self.package(start, annotations)?,
            Keyword::Struct | Keyword::Header | Keyword::HeaderUnion | Keyword::Enum => {
                self.derived_type(start, annotations)?
            }
            Keyword::Typedef => self.typedef(start, annotations, out)?,
            Keyword::Type if !self.is_at(1, Punct::ParenOpen) => {
                self.bump();
                let ty = self.type_ref()?;
                let name = self.name("the name of a type")?;
                self.scopes.declare(&name.name, Meaning::Type);
                self.semicolon("behind a type declaration")?;
                let kind = DeclarationKind::NewType { ty, name };
                Declaration { annotations, kind, span: self.since(start) }
            }
            Keyword::Error if self.is_at(1, Punct::BraceOpen) => {
                let names = self.identifier_block("an error declaration", false)?;
                let kind = DeclarationKind::Errors(names);
                self.reject_annotations(&annotations);
                Declaration { annotations, kind, span: self.since(start) }
            }
            Keyword::MatchKind if self.is_at(1, Punct::BraceOpen) => {
                let names = self.identifier_block("a match_kind declaration", true)?;
                let kind = DeclarationKind::MatchKinds(names);
                self.reject_annotations(&annotations);
                Declaration { annotations, kind, span: self.since(start) }
            }
            Keyword::Table | Keyword::ValueSet | Keyword::Transition => {
                let word = keyword.text();
                let message = format!("'{word}' cannot stand at the top level");
                let help = match word {
                    "table" => "tables are declared inside a control",
                    _ => "it belongs into a parser",
                };
                self.report(Diagnostic::error(self.span(), message).help(help));
                self.bump();
                return Err(Abandoned);
            }
            _ if self.is_type_keyword_at(0) || keyword.is_name() => {
                self.function_or_instance(start, annotations)?
            }
            _ => return Err(self.expected("a declaration")),
        };
        out.push(declaration);
        Ok(())
    }

    fn reject_annotations(&mut self, annotations: &[Annotation]) {
        if let Some(annotation) = annotations.first() {
            let message = "this declaration takes no annotation";
            self.complain(Diagnostic::error(annotation.span, message));
        }
    }

    /// `{ a, b, c }` behind the current word.
    fn identifier_block(&mut self, what: &str, trailing: bool) -> Parse<Vec<Ident>> {
        self.bump();
        self.expect(Punct::BraceOpen, "before the names")?;
        let names = self.list(Punct::BraceClose, trailing, what, |p| p.name("a name"))?;
        if names.is_empty() {
            let message = format!("expected at least one name in {what}");
            self.complain(Diagnostic::error(self.previous(), message));
        }
        Ok(names)
    }

    /// A declaration that begins with a type: a function or an instantiation.
    fn function_or_instance(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        self.misspelled_keyword()?;
        let ty = self.type_or_void()?;
        if self.is(Punct::ParenOpen) {
            return self.instance(start, annotations, ty);
        }
        let name = self.name("a name behind the type")?;
        if self.is(Punct::ParenOpen) || self.is(Punct::Lt) {
            let head = self.prototype_behind(start, Vec::new(), Some(ty), name);
            return self.function_body(start, annotations, head);
        }
        if self.is(Punct::Assign) || self.is(Punct::Semicolon) {
            let message = "variables cannot be declared at the top level";
            let help =
                "declare a constant with 'const', or the variable inside a control or parser";
            self.complain(Diagnostic::error(name.span, message).help(help));
            if self.eat(Punct::Assign) {
                self.expression()?;
            }
            self.scopes.declare(&name.name, Meaning::Object);
            self.semicolon("behind the declaration")?;
            let variable = crate::ast::VariableDeclaration { ty, name, init: None };
            let kind = DeclarationKind::Variable(variable);
            return Ok(Declaration { annotations, kind, span: self.since(start) });
        }
        Err(self.expected("'(' and the parameters of a function"))
    }

    /// Reports `strcut S {` and the like, which is no type and a name.
    fn misspelled_keyword(&mut self) -> Parse<()> {
        let TokenKind::Identifier(word) = self.peek() else { return Ok(()) };
        let declares =
            self.is_name_at(1) && (self.is_at(2, Punct::BraceOpen) || self.is_name_at(2));
        if self.scopes.meaning(word).is_some() || !(declares || self.is_type_keyword_at(1)) {
            return Ok(());
        }
        let words = [
            "action",
            "const",
            "control",
            "enum",
            "extern",
            "header",
            "header_union",
            "package",
            "parser",
            "struct",
            "type",
            "typedef",
        ];
        let message = format!("expected a declaration, found '{word}'");
        let mut diagnostic = Diagnostic::error(self.span(), message);
        if let Some(near) = suggestion(word, words) {
            diagnostic = diagnostic.help(format!("did you mean '{near}'?"));
        }
        self.report(diagnostic);
        self.bump();
        Err(Abandoned)
    }

    /// A function with its body, in an object initialiser or at the top level.
    pub(super) fn function(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        let ty = self.type_or_void()?;
        if self.is(Punct::ParenOpen) {
            return self.instance(start, annotations, ty);
        }
        let name = self.name("the name of a function")?;
        let head = self.prototype_behind(start, Vec::new(), Some(ty), name);
        self.function_body(start, annotations, head)
    }

    fn function_body(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
        head: Parse<Prototype>,
    ) -> Parse<Declaration> {
        // The head opened a scope for its type parameters and parameters.
        let result = head.and_then(|prototype| {
            let body = self.block(Vec::new(), "a function")?;
            Ok(FunctionDeclaration { prototype, body })
        });
        self.scopes.pop();
        let function = result?;
        self.scopes.declare(&function.prototype.name.name, Meaning::Object);
        let kind = DeclarationKind::Function(function);
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// Type parameters and parameters behind a name. Opens a scope, which the caller closes.
    pub(super) fn prototype_behind(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
        return_type: Option<TypeExpr>,
        name: Ident,
    ) -> Parse<Prototype> {
        self.scopes.declare(&name.name, Meaning::Object);
        self.scopes.push();
        let type_parameters = self.type_parameters()?;
        let parameters = self.parameters()?;
        Ok(Prototype {
            annotations,
            is_abstract: false,
            return_type,
            name,
            type_parameters,
            parameters,
            span: self.since(start),
        })
    }

    /// `( parameterList )`. The names are declared in the innermost scope.
    pub(super) fn parameters(&mut self) -> Parse<Vec<Parameter>> {
        self.expect(Punct::ParenOpen, "before the parameters")?;
        self.list(Punct::ParenClose, false, "a list of parameters", |p| {
            let start = p.span();
            let annotations = p.annotations()?;
            let direction = match p.peek() {
                TokenKind::Keyword(Keyword::In) => Direction::In,
                TokenKind::Keyword(Keyword::Out) => Direction::Out,
                TokenKind::Keyword(Keyword::InOut) => Direction::InOut,
                _ => Direction::None,
            };
            if direction != Direction::None {
                p.bump();
            }
            let ty = p.type_ref()?;
            let name = p.name("the name of a parameter")?;
            let default = if p.eat(Punct::Assign) { Some(p.expression()?) } else { None };
            p.scopes.declare(&name.name, Meaning::Variable);
            let span = p.since(start);
            Ok(Parameter { annotations, direction, ty, name, default, span })
        })
    }

    /// `struct`, `header`, `header_union` or `enum`, annotations read.
    fn derived_type(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Declaration> {
        let kind = match self.peek() {
            TokenKind::Keyword(Keyword::Struct) => StructKind::Struct,
            TokenKind::Keyword(Keyword::Header) => StructKind::Header,
            TokenKind::Keyword(Keyword::HeaderUnion) => StructKind::Union,
            _ => return self.enumeration(start, annotations),
        };
        self.bump();
        let name = self.name("the name of a type")?;
        self.scopes.declare(&name.name, Meaning::Type);
        self.scopes.push();
        let rest = self.struct_rest(&name);
        self.scopes.pop();
        let (type_parameters, fields) = rest?;
        let kind =
            DeclarationKind::Struct(StructDeclaration { kind, name, type_parameters, fields });
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    fn struct_rest(&mut self, name: &Ident) -> Parse<(Vec<Ident>, Vec<StructField>)> {
        let type_parameters = self.type_parameters()?;
        self.expect(Punct::BraceOpen, "before the fields")?;
        let mut fields = Vec::new();
        self.braced(&format!("'{}'", name.name), |p| {
            let annotations = p.annotations()?;
            let ty = p.type_ref()?;
            let name = p.name("the name of a field")?;
            fields.push(StructField { annotations, ty, name });
            p.semicolon("behind a field")
        })?;
        Ok((type_parameters, fields))
    }

    fn enumeration(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Declaration> {
        self.bump();
        let plain = self.is_at(1, Punct::BraceOpen);
        let underlying = if plain { None } else { Some(self.type_ref()?) };
        let name = self.name("the name of an enumeration")?;
        self.scopes.declare(&name.name, Meaning::Type);
        self.expect(Punct::BraceOpen, "before the members")?;
        let members = self.list(Punct::BraceClose, true, "an enumeration", |p| {
            let name = p.name("the name of a member")?;
            let value: Option<Expression> = match p.eat(Punct::Assign) {
                true => Some(p.expression()?),
                false => None,
            };
            let place = name.span;
            if underlying.is_none() && value.is_some() {
                let message =
                    format!("member '{}' has a value, but the enum has no type", name.name);
                let help = "write the type before the name: enum bit<8> E { ... }";
                p.complain(Diagnostic::error(place, message).help(help));
            } else if underlying.is_some() && value.is_none() {
                let message = format!("member '{}' needs a value", name.name);
                let help = "every member of an enum with an underlying type has a value";
                p.complain(Diagnostic::error(place, message).help(help));
            }
            Ok((name, value))
        })?;
        if members.is_empty() {
            let message = "an enumeration needs at least one member";
            self.complain(Diagnostic::error(name.span, message));
        }
        let kind = DeclarationKind::Enum(EnumDeclaration { underlying, name, members });
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// `typedef`, of a type or of a derived type that is declared in place.
    fn typedef(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
        out: &mut Vec<Declaration>,
    ) -> Parse<Declaration> {
        self.bump();
        let inner = self.span();
        let inner_annotations = self.annotations()?;
        let is_derived = matches!(
            self.peek(),
            TokenKind::Keyword(
                Keyword::Struct | Keyword::Header | Keyword::HeaderUnion | Keyword::Enum
            )
        );
        let ty = if is_derived {
            let declaration = self.derived_type(inner, inner_annotations)?;
            let name = match &declaration.kind {
                DeclarationKind::Struct(declared) => declared.name.clone(),
                DeclarationKind::Enum(declared) => declared.name.clone(),
                _ => return Err(Abandoned),
            };
            out.push(declaration);
            {
                let span = name.span;
                let path = Path { absolute: false, name };
                TypeExpr { kind: TypeExprKind::Named { path, arguments: Vec::new() }, span }
            }
        } else {
            self.reject_annotations(&inner_annotations);
            self.type_ref()?
        };
        let name = self.name("the new name of a type")?;
        self.scopes.declare(&name.name, Meaning::Type);
        self.semicolon("behind 'typedef'")?;
        let kind = DeclarationKind::Typedef { ty, name };
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// `action`, annotations read.
    pub(super) fn action(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        self.bump();
        let name = self.name("the name of an action")?;
        self.scopes.declare(&name.name, Meaning::Object);
        self.scopes.push();
        let rest = self.parameters().and_then(|parameters| {
            let body = self.annotated_block("an action")?;
            Ok((parameters, body))
        });
        self.scopes.pop();
        let (parameters, body) = rest?;
        let kind = DeclarationKind::Action(ActionDeclaration { name, parameters, body });
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    fn package(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Declaration> {
        let head = self.apply_type("a package");
        self.scopes.pop();
        let head = head?;
        self.semicolon("behind a package declaration")?;
        let kind = DeclarationKind::Package(head);
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// `parser P<T>(..)` and so on; the current token is the word. Declares the name and opens a
    /// scope for type parameters and parameters, which the caller closes, also after an error.
    pub(super) fn apply_type(&mut self, what: &str) -> Parse<ApplyType> {
        self.bump();
        let name = self.name(&format!("the name of {what}"));
        if let Ok(name) = &name {
            self.scopes.declare(&name.name, Meaning::Type);
        }
        self.scopes.push();
        let name = name?;
        let type_parameters = self.type_parameters()?;
        let parameters = self.parameters()?;
        Ok(ApplyType { name, type_parameters, parameters })
    }

    /// `optConstructorParameters`.
    pub(super) fn constructor_parameters(&mut self) -> Parse<Vec<Parameter>> {
        if self.is(Punct::ParenOpen) { self.parameters() } else { Ok(Vec::new()) }
    }

    /// `control`, a type or with its body, annotations read.
    fn control(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Declaration> {
        let head = self.apply_type("a control");
        let kind = head.and_then(|head| {
            if self.eat(Punct::Semicolon) {
                return Ok(DeclarationKind::ControlType(head));
            }
            let constructor_parameters = self.constructor_parameters()?;
            let (locals, body) = self.control_body(&head)?;
            let control = ControlDeclaration { head, constructor_parameters, locals, body };
            Ok(DeclarationKind::Control(control))
        });
        self.scopes.pop();
        Ok(Declaration { annotations, kind: kind?, span: self.since(start) })
    }

    fn control_body(&mut self, head: &ApplyType) -> Parse<(Vec<Declaration>, Block)> {
        let name = &head.name.name;
        let open = self.expect(Punct::BraceOpen, "before the body of a control")?;
        let mut locals = Vec::new();
        let mut apply: Option<Block> = None;
        self.braced(&format!("control '{name}'"), |p| {
            let is_apply = p.is_keyword(Keyword::Apply)
                && (p.is_at(1, Punct::BraceOpen) || p.is_at(1, Punct::At));
            if is_apply {
                let place = p.bump();
                if apply.is_some() {
                    let message = format!("control '{name}' has a second 'apply' block");
                    p.complain(Diagnostic::error(place, message));
                }
                apply = Some(p.annotated_block("'apply'")?);
                return Ok(());
            }
            let declaration = p.control_local()?;
            if apply.is_some() {
                let message = "declarations of a control stand before its 'apply' block";
                p.complain(Diagnostic::error(declaration.span, message));
            }
            locals.push(declaration);
            Ok(())
        })?;
        let body = match apply {
            Some(body) => body,
            None => {
                let message = format!("control '{name}' has no 'apply' block");
                let help = "a control ends in 'apply { ... }', which may be empty";
                self.complain(Diagnostic::error(head.name.span, message).help(help));
                Block { annotations: Vec::new(), statements: Vec::new(), span: self.since(open) }
            }
        };
        Ok((locals, body))
    }

    /// `controlLocalDeclaration`.
    fn control_local(&mut self) -> Parse<Declaration> {
        let start = self.span();
        let annotations = self.annotations()?;
        match self.peek() {
            TokenKind::Keyword(Keyword::Const) => self.constant(start, annotations),
            TokenKind::Keyword(Keyword::Action) => self.action(start, annotations),
            TokenKind::Keyword(Keyword::Table) => self.table(start, annotations),
            TokenKind::Keyword(Keyword::ValueSet) => {
                let message = "value sets are declared in parsers, not in controls";
                self.report(Diagnostic::error(self.span(), message));
                Err(Abandoned)
            }
            _ if self.is_name_at(0) || self.is(Punct::Dot) || self.is_type_keyword_at(0) => {
                self.local_variable_or_instance(start, annotations, "a control")
            }
            _ => Err(self.expected("a declaration or 'apply'")),
        }
    }

    /// A variable or instance of a parser or control; functions have their own message.
    pub(super) fn local_variable_or_instance(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
        owner: &str,
    ) -> Parse<Declaration> {
        let ty = self.type_or_void()?;
        if self.is(Punct::ParenOpen) {
            return self.instance(start, annotations, ty);
        }
        if self.is_name_at(0) && (self.is_at(1, Punct::ParenOpen) || self.is_at(1, Punct::Lt)) {
            let message = format!("functions cannot be declared inside {owner}");
            let help = "declare it at the top level";
            self.complain(Diagnostic::error(self.span(), message).help(help));
            let name = self.name("the name of a function")?;
            let head = self.prototype_behind(start, Vec::new(), Some(ty), name);
            return self.function_body(start, annotations, head);
        }
        if self.is(Punct::Assign) || self.is(Punct::Dot) || self.is(Punct::BracketOpen) {
            let message = format!("statements cannot stand among the declarations of {owner}");
            self.report(Diagnostic::error(ty.span, message));
            return Err(Abandoned);
        }
        let variable = self.variable_of(ty)?;
        self.semicolon("behind the declaration of a variable")?;
        let kind = DeclarationKind::Variable(variable);
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }
}
