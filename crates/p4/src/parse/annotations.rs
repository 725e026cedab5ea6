//! Annotations (§20): `@name`, `@name(...)`, `@name[...]` and `@pragma` lines.

use super::{Abandoned, Parse, Parser};
use crate::ast::{Annotation, AnnotationBody, AnnotationToken, Expression, Ident, Name};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    /// `optAnnotations`.
    pub(super) fn annotations(&mut self) -> Parse<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.is(Punct::At) {
            annotations.push(self.annotation()?);
        }
        Ok(annotations)
    }

    fn annotation(&mut self) -> Parse<Annotation> {
        let start = self.bump();
        if matches!(self.peek(), TokenKind::Identifier(name) if &**name == "pragma") {
            self.bump();
            return self.pragma(start);
        }
        let name = self.annotation_name()?;
        let body = match self.peek() {
            TokenKind::Punct(Punct::ParenOpen) => {
                AnnotationBody::Unstructured(self.annotation_tokens()?)
            }
            TokenKind::Punct(Punct::BracketOpen) => self.structured_body()?,
            _ => AnnotationBody::Empty,
        };
        Ok(Annotation { name, body, span: self.since(start) })
    }

    /// A name; reserved words do no harm behind an `@`.
    fn annotation_name(&mut self) -> Parse<Ident> {
        if let TokenKind::Keyword(keyword) = self.peek() {
            let name: Name = keyword.text().into();
            return Ok(Ident { name, span: self.bump() });
        }
        self.name("the name of an annotation")
    }

    /// The rest of a `@pragma` line.
    fn pragma(&mut self, start: Span) -> Parse<Annotation> {
        let name = self.annotation_name()?;
        let mut tokens = Vec::new();
        while !matches!(self.peek(), TokenKind::EndPragma | TokenKind::End) {
            tokens.push(self.annotation_token());
        }
        let span = self.since(start);
        if *self.peek() == TokenKind::EndPragma {
            self.bump();
        }
        let body = match tokens.is_empty() {
            true => AnnotationBody::Empty,
            false => AnnotationBody::Unstructured(tokens),
        };
        Ok(Annotation { name, body, span })
    }

    /// Takes any token as part of an annotation.
    fn annotation_token(&mut self) -> AnnotationToken {
        let is_string = matches!(self.peek(), TokenKind::String(_));
        let text: Name = match self.peek() {
            TokenKind::Identifier(name) | TokenKind::String(name) | TokenKind::Unknown(name) => {
                name.clone()
            }
            TokenKind::Keyword(keyword) => keyword.text().into(),
            TokenKind::Number(number) => number.text.clone(),
            TokenKind::Punct(punct) => punct.text().into(),
            TokenKind::EndPragma | TokenKind::End => "".into(),
        };
        AnnotationToken { text, is_string, span: self.bump() }
    }

    /// `( annotationBody )`: anything with balanced parentheses.
    fn annotation_tokens(&mut self) -> Parse<Vec<AnnotationToken>> {
        let open = self.bump();
        let mut tokens = Vec::new();
        let mut depth = 0usize;
        loop {
            match self.peek() {
                TokenKind::End => {
                    let message = "the parenthesis of this annotation is never closed";
                    self.report(Diagnostic::error(open, message));
                    return Err(Abandoned);
                }
                TokenKind::EndPragma => {
                    self.bump();
                    continue;
                }
                TokenKind::Punct(Punct::ParenOpen) => depth += 1,
                TokenKind::Punct(Punct::ParenClose) if depth == 0 => {
                    self.bump();
                    return Ok(tokens);
                }
                TokenKind::Punct(Punct::ParenClose) => depth -= 1,
                _ => {}
            }
            tokens.push(self.annotation_token());
        }
    }

    /// `[ structuredAnnotationBody ]`: expressions or `key = expression` pairs, not both.
    fn structured_body(&mut self) -> Parse<AnnotationBody> {
        self.bump();
        let mut pairs: Vec<(Ident, Expression)> = Vec::new();
        let mut expressions: Vec<Expression> = Vec::new();
        self.list(Punct::BracketClose, true, "a structured annotation", |p| {
            let is_name = p.is_name_at(0) || p.is_keyword(Keyword::List);
            let is_pair = is_name && p.is_at(1, Punct::Assign);
            let mixed = if is_pair { !expressions.is_empty() } else { !pairs.is_empty() };
            if mixed {
                let message = "a structured annotation cannot mix expressions and key-value pairs";
                p.complain(Diagnostic::error(p.span(), message));
            }
            if is_pair {
                let key = p.name("a key")?;
                p.bump();
                pairs.push((key, p.expression()?));
            } else {
                expressions.push(p.expression()?);
            }
            Ok(())
        })?;
        Ok(match pairs.is_empty() {
            true => AnnotationBody::Expressions(expressions),
            false => AnnotationBody::KeyValues(pairs),
        })
    }
}
