//! Tables (§14.2): keys, actions, entries and other properties.

use super::scope::Meaning;
use super::{Abandoned, Parse, Parser};
use crate::ast::{
    ActionRef, Annotation, Declaration, DeclarationKind, Expression, ExpressionKind, KeyElement,
    Path, TableDeclaration, TableEntry, TableProperty, TablePropertyKind,
};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind};
use crate::source::Span;
use ww_spelling::suggestion;

impl Parser<'_> {
    /// `table t { .. }`, annotations read.
    pub(super) fn table(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        self.bump();
        let name = self.name("the name of a table")?;
        self.scopes.declare(&name.name, Meaning::Object);
        self.expect(Punct::BraceOpen, "before the properties of a table")?;
        let mut properties = Vec::new();
        let errors = self.diagnostics.error_count();
        self.braced(&format!("table '{}'", name.name), |p| {
            properties.push(p.table_property()?);
            Ok(())
        })?;
        if properties.is_empty() && self.diagnostics.error_count() == errors {
            let message = format!("table '{}' has no properties", name.name);
            let help = "it needs at least 'actions = { ... }'";
            self.complain(Diagnostic::error(name.span, message).help(help));
        }
        let kind = DeclarationKind::Table(TableDeclaration { name, properties });
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    fn table_property(&mut self) -> Parse<TableProperty> {
        let start = self.span();
        let annotations = self.annotations()?;
        let is_const = self.eat_keyword(Keyword::Const);
        let kind = match self.peek() {
            TokenKind::Keyword(keyword @ (Keyword::Key | Keyword::Actions)) => {
                let keyword = *keyword;
                if is_const {
                    let message = format!("'{}' is always constant", keyword.text());
                    let help = "leave out 'const'";
                    self.complain(Diagnostic::error(start, message).help(help));
                }
                self.open_property(keyword.text())?;
                if keyword == Keyword::Key { self.keys()? } else { self.actions()? }
            }
            TokenKind::Keyword(Keyword::Entries) => {
                self.open_property("entries")?;
                self.entries()?
            }
            _ => {
                let name = self.name("the name of a table property")?;
                let meant = suggestion(&name.name, ["key", "actions", "entries"]);
                if let (Some(meant), true, true) =
                    (meant, self.is(Punct::Assign), self.is_at(1, Punct::BraceOpen))
                {
                    let message = format!("tables have no property '{}'", name.name);
                    let help = format!("did you mean '{meant}'?");
                    self.report(Diagnostic::error(name.span, message).help(help));
                    self.open_property(meant)?;
                    self.skip_braces();
                    let kind = ExpressionKind::Error;
                    let value = Expression { kind, span: self.since(start) };
                    let kind = TablePropertyKind::Custom { name, value };
                    return Ok(TableProperty {
                        annotations,
                        is_const,
                        kind,
                        span: self.since(start),
                    });
                }
                if let Some(abandoned) = self.property_without_assign(&name.name) {
                    return Err(abandoned);
                }
                self.expect(Punct::Assign, "behind the name of a table property")?;
                let value = self.expression()?;
                self.semicolon("behind a table property")?;
                TablePropertyKind::Custom { name, value }
            }
        };
        Ok(TableProperty { annotations, is_const, kind, span: self.since(start) })
    }

    /// `key = {`, `actions = {` or `entries = {`.
    fn open_property(&mut self, name: &str) -> Parse<()> {
        if !self.is(Punct::Assign) {
            self.bump();
        }
        if let Some(abandoned) = self.property_without_assign(name) {
            return Err(abandoned);
        }
        self.expect(Punct::Assign, &format!("behind '{name}'"))?;
        self.expect(Punct::BraceOpen, &format!("before the contents of '{name}'"))?;
        Ok(())
    }

    fn keys(&mut self) -> Parse<TablePropertyKind> {
        let mut keys = Vec::new();
        self.braced("'key'", |p| {
            let expression = p.expression()?;
            p.expect(Punct::Colon, "between a key and its match kind")?;
            let match_kind = p.name("a match kind")?;
            let annotations = p.annotations()?;
            p.semicolon("behind a key")?;
            keys.push(KeyElement { expression, match_kind, annotations });
            Ok(())
        })?;
        Ok(TablePropertyKind::Key(keys))
    }

    fn actions(&mut self) -> Parse<TablePropertyKind> {
        let mut actions = Vec::new();
        self.braced("'actions'", |p| {
            let annotations = p.annotations()?;
            actions.push(p.action_ref(annotations)?);
            if p.is(Punct::Comma) {
                let message = "actions end in ';', not ','";
                p.report(Diagnostic::error(p.span(), message).label("expected ';'"));
                p.bump();
                return Ok(());
            }
            p.semicolon("behind an action")
        })?;
        Ok(TablePropertyKind::Actions(actions))
    }

    /// `actionRef`, annotations read.
    fn action_ref(&mut self, annotations: Vec<Annotation>) -> Parse<ActionRef> {
        let start = self.span();
        let absolute = self.eat(Punct::Dot);
        let name = self.name("the name of an action")?;
        let has_arguments = self.is(Punct::ParenOpen);
        let arguments = if has_arguments { Some(self.arguments()?.0) } else { None };
        let path = Path { absolute, name };
        Ok(ActionRef { annotations, path, arguments, span: self.since(start) })
    }

    fn entries(&mut self) -> Parse<TablePropertyKind> {
        let mut entries = Vec::new();
        self.braced("'entries'", |p| {
            entries.push(p.entry()?);
            Ok(())
        })?;
        Ok(TablePropertyKind::Entries(entries))
    }

    /// `[const] [priority = n :] keyset : action(..) [annotations];`
    fn entry(&mut self) -> Parse<TableEntry> {
        let start = self.span();
        let mut annotations = self.annotations()?;
        if let Some(annotation) = annotations.first() {
            let message = "the annotations of an entry stand behind its action";
            self.complain(Diagnostic::error(annotation.span, message));
        }
        let is_const = self.eat_keyword(Keyword::Const);
        let has_priority = self.is_keyword(Keyword::Priority) && self.is_at(1, Punct::Assign);
        let priority = if has_priority {
            self.bump();
            self.bump();
            let is_plain =
                matches!(self.peek(), TokenKind::Number(_) | TokenKind::Punct(Punct::ParenOpen));
            if !is_plain {
                let what = "a number or a parenthesised expression as the priority";
                return Err(self.expected(what));
            }
            let priority = self.width_operand()?;
            if !self.is(Punct::Colon) {
                let message =
                    format!("expected ':' behind the priority, found {}", self.describe());
                let help = "a priority that is an expression needs parentheses";
                self.report(Diagnostic::error(self.span(), message).help(help));
                return Err(Abandoned);
            }
            self.bump();
            Some(priority)
        } else {
            None
        };
        let keyset = self.keyset()?;
        self.expect(Punct::Colon, "between a keyset and its action")?;
        let action = self.action_ref(Vec::new())?;
        annotations.extend(self.annotations()?);
        self.semicolon("behind an entry")?;
        let span = self.since(start);
        Ok(TableEntry { is_const, priority, keyset, action, annotations, span })
    }
}
