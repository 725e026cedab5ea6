//! Statements.

use super::Printer;
use crate::ast::{Block, Declaration, DeclarationKind, ForVariable, Statement, StatementKind};

impl Printer {
    /// ` {` to `}` behind what owns the block; ends without a line break.
    pub(super) fn block(&mut self, block: &Block) {
        self.annotations_behind(&block.annotations);
        self.end(" {");
        self.indent += 1;
        for statement in &block.statements {
            self.statement(statement);
        }
        self.indent -= 1;
        self.start();
        self.text("}");
    }

    /// A statement on lines of its own.
    pub(super) fn statement(&mut self, statement: &Statement) {
        if let StatementKind::Declaration(declaration) = &statement.kind {
            self.declaration(declaration);
            return;
        }
        self.start();
        self.statement_here(statement);
        self.end("");
    }

    /// A statement where the line has begun; ends without a line break.
    fn statement_here(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => {
                // Only after an error: grammar keeps declarations in blocks.
                self.declaration_part(declaration);
                self.text(";");
            }
            StatementKind::Assignment { .. } | StatementKind::Call(_) => {
                self.simple(statement);
                self.text(";");
            }
            StatementKind::Block(block) => {
                self.annotations_before(&block.annotations);
                self.text("{");
                self.out.push('\n');
                self.indent += 1;
                for inner in &block.statements {
                    self.statement(inner);
                }
                self.indent -= 1;
                self.start();
                self.text("}");
            }
            StatementKind::If { condition, then, otherwise } => {
                self.text("if (");
                self.expression(condition);
                self.text(") ");
                self.statement_here(then);
                // A loop, because `else if` may go on for long.
                let mut rest = otherwise;
                while let Some(statement) = rest {
                    self.text(" else ");
                    let StatementKind::If { condition, then, otherwise } = &statement.kind else {
                        self.statement_here(statement);
                        break;
                    };
                    self.text("if (");
                    self.expression(condition);
                    self.text(") ");
                    self.statement_here(then);
                    rest = otherwise;
                }
            }
            StatementKind::Switch { expression, cases } => {
                self.text("switch (");
                self.expression(expression);
                self.end(") {");
                self.indent += 1;
                for case in cases {
                    self.start();
                    self.expression(&case.label);
                    self.text(":");
                    if let Some(body) = &case.body {
                        self.block(body);
                    }
                    self.end("");
                }
                self.indent -= 1;
                self.start();
                self.text("}");
            }
            StatementKind::Return(None) => self.text("return;"),
            StatementKind::Return(Some(value)) => {
                self.text("return ");
                self.expression(value);
                self.text(";");
            }
            StatementKind::Exit => self.text("exit;"),
            StatementKind::For { annotations, init, condition, update, body } => {
                self.annotations_before(annotations);
                self.text("for (");
                self.commas(init, Self::simple);
                self.text("; ");
                self.expression(condition);
                self.text("; ");
                self.commas(update, Self::simple);
                self.text(") ");
                self.statement_here(body);
            }
            StatementKind::ForIn { annotations, variable, collection, body } => {
                self.annotations_before(annotations);
                self.text("for (");
                match variable {
                    ForVariable::Declared { annotations, ty, name } => {
                        self.annotations_before(annotations);
                        self.ty(ty);
                        self.text(" ");
                        self.text(&name.name);
                    }
                    ForVariable::Existing(target) => self.expression(target),
                }
                self.text(" in ");
                self.expression(collection);
                self.text(") ");
                self.statement_here(body);
            }
            StatementKind::Break => self.text("break;"),
            StatementKind::Continue => self.text("continue;"),
            StatementKind::Empty => self.text(";"),
        }
    }

    /// A declaration, assignment or call without its semicolon.
    fn simple(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration_part(declaration),
            StatementKind::Assignment { op, left, right } => {
                self.expression(left);
                self.text(" ");
                self.text(op.map_or("", |op| op.symbol()));
                self.text("= ");
                self.expression(right);
            }
            StatementKind::Call(call) => self.expression(call),
            _ => {}
        }
    }

    /// A variable with its annotations on the same line, without its semicolon.
    fn declaration_part(&mut self, declaration: &Declaration) {
        self.annotations_before(&declaration.annotations);
        if let DeclarationKind::Variable(variable) = &declaration.kind {
            self.variable(variable);
        }
    }
}
