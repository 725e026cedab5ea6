//! `for` statements (§12.8): the three-part form and the form over a collection.

use super::scope::Meaning;
use super::statements::Beginning;
use super::{Parse, Parser};
use crate::ast::{
    Annotation, Declaration, DeclarationKind, ExpressionKind, ForVariable, Statement, StatementKind,
};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct};

impl Parser<'_> {
    /// `for (..) statement`, annotations read.
    pub(super) fn for_statement(&mut self, annotations: Vec<Annotation>) -> Parse<StatementKind> {
        self.scopes.push();
        let result = self.for_parts(annotations);
        self.scopes.pop();
        result
    }

    fn for_parts(&mut self, annotations: Vec<Annotation>) -> Parse<StatementKind> {
        self.bump();
        self.expect(Punct::ParenOpen, "behind 'for'")?;
        let mut init = Vec::new();
        while !self.is(Punct::Semicolon) {
            match self.for_init()? {
                Init::Variable(variable) if init.is_empty() => {
                    return self.for_in(annotations, variable);
                }
                Init::Variable(_) => return Err(self.expected("';' or ','")),
                Init::Statement(statement) => init.push(statement),
            }
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Semicolon, "behind the first part of 'for'")?;
        let condition = self.expression()?;
        self.expect(Punct::Semicolon, "behind the condition of 'for'")?;
        let update = self.list(Punct::ParenClose, false, "the last part of 'for'", |p| {
            let start = p.span();
            let kind = p.assignment_or_call()?;
            Ok(Statement { kind, span: p.since(start) })
        })?;
        let body = Box::new(self.branch("'for'")?);
        Ok(StatementKind::For { annotations, init, condition, update, body })
    }

    /// One statement before the loop, or the variable before `in`.
    fn for_init(&mut self) -> Parse<Init> {
        let start = self.span();
        let annotations = self.annotations()?;
        if matches!(self.beginning(), Beginning::Type) {
            let ty = self.type_ref()?;
            if self.is_name_at(0) && self.is_keyword_at(1, Keyword::In) {
                let name = self.name("the name of the loop variable")?;
                return Ok(Init::Variable(ForVariable::Declared { annotations, ty, name }));
            }
            let variable = self.variable_of(ty)?;
            let kind = DeclarationKind::Variable(variable);
            let span = self.since(start);
            let declaration = Declaration { annotations, kind, span };
            let kind = StatementKind::Declaration(Box::new(declaration));
            return Ok(Init::Statement(Statement { kind, span }));
        }
        if let Some(annotation) = annotations.first() {
            let message = "only a declaration takes annotations here";
            self.complain(Diagnostic::error(annotation.span, message));
        }
        if self.is_name_at(0) || self.is_keyword(Keyword::This) {
            // Either an l-value before `in` or the target of an assignment; the latter begins
            // anew, which costs little because targets are short.
            if let Some(behind) = self.simple_target_length()
                && self.is_keyword_at(behind, Keyword::In)
            {
                let target = self.target()?;
                return Ok(Init::Variable(ForVariable::Existing(target)));
            }
        }
        let kind = self.assignment_or_call()?;
        Ok(Init::Statement(Statement { kind, span: self.since(start) }))
    }

    /// The number of tokens of an l-value `a.b.c` here.
    fn simple_target_length(&self) -> Option<usize> {
        let mut at = 1;
        while self.is_at(at, Punct::Dot) && self.is_name_at(at + 1) {
            at += 2;
        }
        Some(at)
    }

    /// Behind the loop variable.
    fn for_in(
        &mut self,
        annotations: Vec<Annotation>,
        variable: ForVariable,
    ) -> Parse<StatementKind> {
        self.bump();
        let collection = self.collection()?;
        if let ForVariable::Declared { name, .. } = &variable {
            self.scopes.declare(&name.name, Meaning::Variable);
        }
        if matches!(collection.kind, ExpressionKind::Mask(..)) {
            let message = "a mask is no collection";
            self.complain(Diagnostic::error(collection.span, message));
        }
        self.expect(Punct::ParenClose, "behind the collection of 'for'")?;
        let body = Box::new(self.branch("'for'")?);
        Ok(StatementKind::ForIn { annotations, variable, collection, body })
    }
}

/// What the parenthesis of a `for` begins with.
enum Init {
    Statement(Statement),
    Variable(ForVariable),
}
