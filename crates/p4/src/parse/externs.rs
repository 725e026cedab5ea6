//! Externs (§7.2.9) and object initialisers (§11.3.1).

use super::scope::Meaning;
use super::{Abandoned, Parse, Parser};
use crate::ast::{Annotation, Declaration, DeclarationKind, ExternDeclaration, Ident, Prototype};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct};
use crate::source::Span;

impl Parser<'_> {
    /// `extern E { .. }` or `extern T f(..);`, annotations read.
    pub(super) fn extern_declaration(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        self.bump();
        let is_object = self.is_name_at(0)
            && (self.is_at(1, Punct::BraceOpen)
                || (self.is_at(1, Punct::Lt) && self.brace_behind_angles()));
        if is_object {
            return self.extern_object(start, annotations);
        }
        let head = self.span();
        let ty = self.type_or_void()?;
        if self.is(Punct::Semicolon) || self.is(Punct::ParenOpen) {
            let message = format!("expected a name behind the type, found {}", self.describe());
            let help = "a function is 'extern T f(..);', an object 'extern E { .. }'";
            self.report(Diagnostic::error(self.span(), message).help(help));
            return Err(Abandoned);
        }
        let name = self.name("the name of a function")?;
        let prototype = self.prototype_behind(head, Vec::new(), Some(ty), name);
        self.scopes.pop();
        let prototype = prototype?;
        if self.is(Punct::BraceOpen) {
            let message = "an extern function has no body";
            self.report(Diagnostic::error(self.span(), message).help("end it with ';'"));
            return Err(Abandoned);
        }
        self.semicolon("behind an extern function")?;
        let kind = DeclarationKind::ExternFunction(prototype);
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// Whether `<..> {` follows a name: type parameters contain names and commas only.
    fn brace_behind_angles(&self) -> bool {
        let mut at = 2;
        while self.is_name_at(at) || self.is_at(at, Punct::Comma) {
            at += 1;
        }
        self.is_at(at, Punct::Gt) && self.is_at(at + 1, Punct::BraceOpen)
    }

    fn extern_object(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Declaration> {
        let name = self.name("the name of an extern")?;
        self.scopes.declare(&name.name, Meaning::Type);
        self.scopes.push();
        let rest = self.extern_rest(&name);
        self.scopes.pop();
        let (type_parameters, prototypes) = rest?;
        let (constructors, methods) = prototypes.into_iter().partition(|p| p.return_type.is_none());
        let declaration = ExternDeclaration { name, type_parameters, constructors, methods };
        let kind = DeclarationKind::Extern(declaration);
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    fn extern_rest(&mut self, name: &Ident) -> Parse<(Vec<Ident>, Vec<Prototype>)> {
        let type_parameters = self.type_parameters()?;
        self.expect(Punct::BraceOpen, "before the methods")?;
        let mut prototypes = Vec::new();
        self.braced(&format!("extern '{}'", name.name), |p| {
            prototypes.push(p.method(name)?);
            p.semicolon("behind a method")
        })?;
        Ok((type_parameters, prototypes))
    }

    /// `methodPrototype` of the extern `owner`, up to its semicolon.
    fn method(&mut self, owner: &Ident) -> Parse<Prototype> {
        let start = self.span();
        let annotations = self.annotations()?;
        let is_abstract = self.eat_keyword(Keyword::Abstract);
        let is_constructor = self.is_name_at(0) && self.is_at(1, Punct::ParenOpen);
        let (return_type, name) = if is_constructor {
            let name = self.name("the name of a constructor")?;
            if name.name != owner.name {
                let message = format!(
                    "constructor '{}' is not named like its extern '{}'",
                    name.name, owner.name
                );
                let help = "a method has a return type, perhaps 'void'";
                self.complain(
                    Diagnostic::error(name.span, message)
                        .help(help)
                        .also(owner.span, "the extern is declared here"),
                );
            } else if is_abstract {
                let message = "a constructor cannot be abstract";
                self.complain(Diagnostic::error(name.span, message));
            }
            (None, name)
        } else {
            let ty = self.type_or_void()?;
            (Some(ty), self.name("the name of a method")?)
        };
        self.scopes.push();
        let type_parameters = self.type_parameters();
        let parameters = type_parameters.and_then(|t| Ok((t, self.parameters()?)));
        self.scopes.pop();
        let (type_parameters, parameters) = parameters?;
        if return_type.is_none()
            && let Some(parameter) = type_parameters.first()
        {
            let message = "a constructor has no type parameters of its own";
            self.complain(Diagnostic::error(parameter.span, message));
        }
        Ok(Prototype {
            annotations,
            is_abstract,
            return_type,
            name,
            type_parameters,
            parameters,
            span: self.since(start),
        })
    }

    /// `objInitializer`: functions and instantiations in braces.
    pub(super) fn object_initializer(&mut self) -> Parse<Vec<Declaration>> {
        self.nested(|p| {
            p.expect(Punct::BraceOpen, "before the object's initialiser")?;
            let mut declarations = Vec::new();
            p.scopes.push();
            let result = p.braced("an object's initialiser", |p| {
                let start = p.span();
                let annotations = p.annotations()?;
                if p.is_keyword(Keyword::Abstract) {
                    let message = "'abstract' belongs to the extern's declaration";
                    p.report(Diagnostic::error(p.span(), message).help("leave it out here"));
                    p.bump();
                }
                declarations.push(p.function(start, annotations)?);
                Ok(())
            });
            p.scopes.pop();
            result?;
            Ok(declarations)
        })
    }
}
