//! Parsers (§13): their declarations, states and transitions.

use super::scope::Meaning;
use super::{Abandoned, Parse, Parser};
use crate::ast::{
    Annotation, ApplyType, Declaration, DeclarationKind, ParserDeclaration, ParserState,
    SelectCase, Statement, StatementKind, Transition,
};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind};
use crate::source::Span;

impl Parser<'_> {
    /// `parser`, a type or with its states, annotations read.
    pub(super) fn parser(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        let head = self.apply_type("a parser");
        let kind = head.and_then(|head| {
            if self.eat(Punct::Semicolon) {
                return Ok(DeclarationKind::ParserType(head));
            }
            let constructor_parameters = self.constructor_parameters()?;
            let (locals, states) = self.parser_body(&head)?;
            let parser = ParserDeclaration { head, constructor_parameters, locals, states };
            Ok(DeclarationKind::Parser(parser))
        });
        self.scopes.pop();
        Ok(Declaration { annotations, kind: kind?, span: self.since(start) })
    }

    fn parser_body(&mut self, head: &ApplyType) -> Parse<(Vec<Declaration>, Vec<ParserState>)> {
        let name = &head.name.name;
        self.expect(Punct::BraceOpen, "before the body of a parser")?;
        let mut locals = Vec::new();
        let mut states: Vec<ParserState> = Vec::new();
        let errors = self.diagnostics.error_count();
        self.braced(&format!("parser '{name}'"), |p| {
            let start = p.span();
            let annotations = p.annotations()?;
            // `state` may name a type as well, but then a name and no brace follow it.
            if p.is_keyword(Keyword::State) && !p.is_at(2, Punct::Semicolon) {
                states.push(p.state(start, annotations)?);
                return Ok(());
            }
            let local = p.parser_local(start, annotations)?;
            if !states.is_empty() {
                let message = "declarations of a parser stand before its states";
                p.complain(Diagnostic::error(local.span, message));
            }
            locals.push(local);
            Ok(())
        })?;
        if states.is_empty() && self.diagnostics.error_count() == errors {
            let message = format!("parser '{name}' has no states");
            let help = "it needs at least 'state start { ... }'";
            self.complain(Diagnostic::error(head.name.span, message).help(help));
        }
        Ok((locals, states))
    }

    /// `parserLocalElement`, annotations read.
    fn parser_local(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Declaration> {
        match self.peek() {
            TokenKind::Keyword(Keyword::Const) => self.constant(start, annotations),
            TokenKind::Keyword(Keyword::ValueSet) => self.value_set(start, annotations),
            TokenKind::Keyword(keyword @ (Keyword::Action | Keyword::Table)) => {
                let message = format!("'{}' cannot stand in a parser", keyword.text());
                let help = "actions and tables are declared in controls";
                self.report(Diagnostic::error(self.span(), message).help(help));
                self.bump();
                Err(Abandoned)
            }
            _ if self.is_name_at(0) || self.is(Punct::Dot) || self.is_type_keyword_at(0) => {
                self.local_variable_or_instance(start, annotations, "a parser")
            }
            _ => Err(self.expected("a declaration or a state")),
        }
    }

    /// `value_set<T>(n) s;`
    fn value_set(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Declaration> {
        self.bump();
        self.expect(Punct::Lt, "behind 'value_set'")?;
        let ty = self.type_ref()?;
        self.closing_angle("behind the type of a value set")?;
        self.expect(Punct::ParenOpen, "before the size of a value set")?;
        let size = self.expression()?;
        self.expect(Punct::ParenClose, "behind the size of a value set")?;
        let name = self.name("the name of a value set")?;
        self.scopes.declare(&name.name, Meaning::Object);
        self.semicolon("behind the declaration of a value set")?;
        let kind = DeclarationKind::ValueSet { ty, size, name };
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// `state s { .. }`
    fn state(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<ParserState> {
        self.bump();
        let name = self.name("the name of a state")?;
        self.expect(Punct::BraceOpen, "before the body of a state")?;
        let mut statements = Vec::new();
        let mut transition: Option<Transition> = None;
        self.scopes.push();
        let result = self.braced(&format!("state '{}'", name.name), |p| {
            if p.is_keyword(Keyword::Transition) {
                let place = p.span();
                let read = p.transition()?;
                if transition.is_some() {
                    let message = format!("state '{}' has a second transition", name.name);
                    p.complain(Diagnostic::error(place, message));
                }
                transition = Some(read);
                return Ok(());
            }
            let statement = p.statement()?;
            if transition.is_some() {
                let message = "the transition is the last statement of a state";
                p.complain(Diagnostic::error(statement.span, message));
            }
            p.check_state_statement(&statement);
            statements.push(statement);
            Ok(())
        });
        self.scopes.pop();
        result?;
        Ok(ParserState { annotations, name, statements, transition, span: self.since(start) })
    }

    /// `parserStatement` is narrower than `statement`.
    fn check_state_statement(&mut self, statement: &Statement) {
        let word = match &statement.kind {
            StatementKind::Switch { .. } => "switch",
            StatementKind::Return(_) => "return",
            StatementKind::Exit => "exit",
            StatementKind::For { .. } | StatementKind::ForIn { .. } => "for",
            StatementKind::Break => "break",
            StatementKind::Continue => "continue",
            StatementKind::Block(block) => {
                for inner in &block.statements {
                    self.check_state_statement(inner);
                }
                return;
            }
            _ => return,
        };
        let message = format!("'{word}' cannot stand in a parser state");
        self.complain(Diagnostic::error(statement.span, message));
    }

    /// `transition s;` or `transition select (..) { .. }`
    fn transition(&mut self) -> Parse<Transition> {
        self.bump();
        if !self.is_keyword(Keyword::Select) {
            let name = self.name("a state or 'select'")?;
            self.semicolon("behind a transition")?;
            return Ok(Transition::Direct(name));
        }
        let start = self.bump();
        self.expect(Punct::ParenOpen, "behind 'select'")?;
        let expressions = self.list(Punct::ParenClose, false, "'select'", Self::expression)?;
        self.expect(Punct::BraceOpen, "before the cases of 'select'")?;
        let mut cases = Vec::new();
        self.braced("'select'", |p| {
            let start = p.span();
            let keyset = p.keyset()?;
            p.expect(Punct::Colon, "behind a keyset")?;
            let target = p.name("the name of a state")?;
            p.semicolon("behind a case of 'select'")?;
            cases.push(SelectCase { keyset, target, span: p.since(start) });
            Ok(())
        })?;
        Ok(Transition::Select { expressions, cases, span: self.since(start) })
    }
}
