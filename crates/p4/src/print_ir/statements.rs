//! Statements.

use super::Printer;
use crate::ir::{Block, Collection, Stmt, StmtKind, SwitchCase, Type};

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        self.statements(&block.statements);
    }

    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// A statement that fits on a line, without its semicolon.
    fn short(&self, statement: &Stmt) -> Option<String> {
        Some(match &statement.kind {
            StmtKind::Declare { var, init } => {
                let ty = self.program.variables.get(var.index()).map(|v| self.ty(&v.ty));
                let head = format!("{} {}", ty.unwrap_or_default(), self.var(*var));
                match init {
                    Some(init) => format!("{head} = {}", self.expr(init)),
                    None => head,
                }
            }
            StmtKind::Instance(declaration) => {
                let name = declaration.var.map_or("_", |var| self.var(var));
                format!("instance {name} = {}", self.construction(declaration))
            }
            StmtKind::Assign { op, left, right } => {
                let op = op.map_or("", |op| op.symbol());
                format!("{} {op}= {}", self.expr(left), self.expr(right))
            }
            StmtKind::Call(call) => self.call(call),
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {}", self.expr(value)),
            StmtKind::Exit => "exit".to_owned(),
            StmtKind::Break => "break".to_owned(),
            StmtKind::Continue => "continue".to_owned(),
            StmtKind::Block(_)
            | StmtKind::If { .. }
            | StmtKind::Switch { .. }
            | StmtKind::For { .. }
            | StmtKind::ForIn { .. } => return None,
        })
    }

    fn shorts(&self, statements: &[Stmt]) -> String {
        let one = |s: &Stmt| self.short(s).unwrap_or_else(|| "{ .. }".to_owned());
        statements.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn statement(&mut self, statement: &Stmt) {
        if let Some(text) = self.short(statement) {
            self.line(&format!("{text};"));
            return;
        }
        match &statement.kind {
            StmtKind::Block(block) => {
                self.line("{");
                self.indent += 1;
                self.block(block);
                self.indent -= 1;
                self.line("}");
            }
            StmtKind::If { condition, then, otherwise } => {
                let head = format!("if ({})", self.expr(condition));
                match otherwise {
                    None => self.braces(&head, "}", |p| p.block(then)),
                    Some(otherwise) => {
                        self.line(&format!("{head} {{"));
                        self.indent += 1;
                        self.block(then);
                        self.indent -= 1;
                        self.braces("} else", "}", |p| p.block(otherwise));
                    }
                }
            }
            StmtKind::Switch { value, cases } => {
                let head = format!("switch ({})", self.expr(value));
                let ty = value.ty.clone();
                self.braces(&head, "}", |p| cases.iter().for_each(|case| p.case(case, &ty)));
            }
            StmtKind::For { init, condition, update, body } => {
                let head = format!(
                    "for ({}; {}; {})",
                    self.shorts(init),
                    self.expr(condition),
                    self.shorts(update)
                );
                self.braces(&head, "}", |p| p.block(body));
            }
            StmtKind::ForIn { variable, collection, body } => {
                let over = match collection {
                    Collection::Range(low, high) => {
                        format!("{} .. {}", self.expr(low), self.expr(high))
                    }
                    Collection::Elements(list) => self.expr(list),
                };
                let head =
                    format!("for ({} {} in {over})", self.ty(&variable.ty), self.expr(variable));
                self.braces(&head, "}", |p| p.block(body));
            }
            _ => {}
        }
    }

    fn case(&mut self, case: &SwitchCase, ty: &Type) {
        let mut labels: Vec<_> = case.labels.iter().map(|c| self.constant(c, ty)).collect();
        if case.is_default {
            labels.push("default".to_owned());
        }
        self.braces(&format!("{}:", labels.join(", ")), "}", |p| p.block(&case.body));
    }
}
