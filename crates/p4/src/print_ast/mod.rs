//! The syntax tree as P4 text: one layout for equal trees, and text that parses to an equal tree.

mod declarations;
mod expressions;
mod statements;

use crate::ast::{Annotation, AnnotationBody, AnnotationToken, Expression, Program};
use crate::lexer::encode_string;

/// The program as P4 source with all includes and macros resolved.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::default();
    for (index, declaration) in program.declarations.iter().enumerate() {
        if index > 0 && spans_lines(declaration) {
            printer.out.push('\n');
        }
        printer.declaration(declaration);
    }
    printer.out
}

/// An expression as P4 source.
pub fn expression(expression: &Expression) -> String {
    let mut printer = Printer::default();
    printer.expression(expression);
    printer.out
}

/// Declarations with a body stand apart.
fn spans_lines(declaration: &crate::ast::Declaration) -> bool {
    use crate::ast::DeclarationKind::*;
    matches!(
        declaration.kind,
        Struct(_) | Enum(_) | Extern(_) | Function(_) | Parser(_) | Control(_) | Action(_)
    )
}

/// Text under construction.
#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Begins a line.
    fn start(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    /// Ends a line.
    fn end(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A whole line.
    fn line(&mut self, text: &str) {
        self.start();
        self.end(text);
    }

    /// ` {`, lines, `}` and what follows it on its line.
    fn braces(&mut self, close: &str, lines: impl FnOnce(&mut Self)) {
        self.end(" {");
        self.indent += 1;
        lines(self);
        self.indent -= 1;
        self.line(close);
    }

    /// Items with commas between them.
    fn commas<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (index, part) in items.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            item(self, part);
        }
    }

    /// Annotations on lines of their own before a declaration.
    fn annotation_lines(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.start();
            self.annotation(annotation);
            if !self.out.ends_with('\n') {
                self.out.push('\n');
            }
        }
    }

    /// Annotations before something on the same line, each with a space behind it.
    fn annotations_before(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.annotation(annotation);
            if !self.out.ends_with('\n') {
                self.out.push(' ');
            }
        }
    }

    /// Annotations behind something on the same line, each with a space before it.
    fn annotations_behind(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.out.push(' ');
            self.annotation(annotation);
        }
    }

    fn annotation(&mut self, annotation: &Annotation) {
        match &annotation.body {
            AnnotationBody::Unstructured(tokens) if !is_balanced(tokens) => {
                // Only a line of `@pragma` holds such tokens.
                self.text("@pragma ");
                self.text(&annotation.name.name);
                self.text(" ");
                self.annotation_tokens(tokens);
                self.text("\n");
            }
            body => {
                self.text("@");
                self.text(&annotation.name.name);
                match body {
                    AnnotationBody::Empty => {}
                    AnnotationBody::Unstructured(tokens) => {
                        self.text("(");
                        self.annotation_tokens(tokens);
                        self.text(")");
                    }
                    AnnotationBody::Expressions(expressions) => {
                        self.text("[");
                        self.commas(expressions, |p, e| p.expression(e));
                        self.text("]");
                    }
                    AnnotationBody::KeyValues(pairs) => {
                        self.text("[");
                        self.commas(pairs, |p, (key, value)| {
                            p.text(&key.name);
                            p.text(" = ");
                            p.expression(value);
                        });
                        self.text("]");
                    }
                }
            }
        }
    }

    fn annotation_tokens(&mut self, tokens: &[AnnotationToken]) {
        for (index, token) in tokens.iter().enumerate() {
            if index > 0 {
                self.text(" ");
            }
            match token.is_string {
                true => self.text(&encode_string(&token.text)),
                false => self.text(&token.text),
            }
        }
    }
}

/// Whether every closing parenthesis has an opening one before it and the other way round.
fn is_balanced(tokens: &[AnnotationToken]) -> bool {
    let mut open = 0usize;
    for token in tokens.iter().filter(|t| !t.is_string) {
        match (&*token.text, open) {
            ("(", _) => open += 1,
            (")", 0) => return false,
            (")", _) => open -= 1,
            _ => {}
        }
    }
    open == 0
}
