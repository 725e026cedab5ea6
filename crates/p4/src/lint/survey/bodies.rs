//! The part of the survey that walks statements, expressions, types, states and tables.

use super::{Kind, Survey};
use crate::ast::{
    ActionRef, Block, Expression, ExpressionKind, ForVariable, ParserState, Statement,
    StatementKind, TableDeclaration, TablePropertyKind, Transition, TypeExpr, TypeExprKind,
};

impl Survey {
    pub(super) fn type_expression(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeExprKind::Named { path, arguments } => {
                self.read(path);
                arguments.iter().for_each(|t| self.type_expression(t));
            }
            TypeExprKind::Bit(Some(e)) | TypeExprKind::Signed(e) | TypeExprKind::Varbit(e) => {
                self.expression(e);
            }
            TypeExprKind::Stack { element, size } => {
                self.type_expression(element);
                self.expression(size);
            }
            TypeExprKind::Tuple(list) => list.iter().for_each(|t| self.type_expression(t)),
            TypeExprKind::List(element) => self.type_expression(element),
            TypeExprKind::Bit(None)
            | TypeExprKind::Bool
            | TypeExprKind::Error
            | TypeExprKind::MatchKind
            | TypeExprKind::String
            | TypeExprKind::Void
            | TypeExprKind::Int
            | TypeExprKind::DontCare => {}
        }
    }

    pub(super) fn block(&mut self, b: &Block) {
        self.annotations(&b.annotations, b.span);
        self.scoped(|survey| b.statements.iter().for_each(|s| survey.statement(s)));
    }

    fn branch(&mut self, s: &Statement) {
        self.scoped(|survey| survey.statement(s));
    }

    fn statement(&mut self, s: &Statement) {
        match &s.kind {
            StatementKind::Declaration(d) => self.declaration(d),
            StatementKind::Assignment { left, right, .. } => {
                self.target(left);
                self.expression(right);
            }
            StatementKind::Call(e) => self.expression(e),
            StatementKind::Block(b) => self.block(b),
            StatementKind::If { condition, then, otherwise } => {
                self.expression(condition);
                self.branch(then);
                otherwise.iter().for_each(|s| self.branch(s));
            }
            StatementKind::Switch { expression, cases } => {
                self.expression(expression);
                for case in cases {
                    self.expression(&case.label);
                    case.body.iter().for_each(|b| self.block(b));
                }
            }
            StatementKind::Return(value) => value.iter().for_each(|e| self.expression(e)),
            StatementKind::For { annotations, init, condition, update, body } => {
                self.annotations(annotations, s.span);
                self.scoped(|survey| {
                    init.iter().for_each(|s| survey.statement(s));
                    survey.expression(condition);
                    update.iter().for_each(|s| survey.statement(s));
                    survey.branch(body);
                });
            }
            StatementKind::ForIn { annotations, variable, collection, body } => {
                self.annotations(annotations, s.span);
                self.expression(collection);
                self.scoped(|survey| {
                    match variable {
                        ForVariable::Declared { annotations, ty, name } => {
                            survey.annotations(annotations, s.span);
                            survey.type_expression(ty);
                            survey.declare(Kind::LoopVariable, name, annotations);
                        }
                        ForVariable::Existing(e) => survey.target(e),
                    }
                    survey.branch(body);
                });
            }
            StatementKind::Exit
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Empty => {}
        }
    }

    /// What is assigned to: a write of the variable at its root.
    fn target(&mut self, e: &Expression) {
        match &e.kind {
            ExpressionKind::Name(path) => self.write(path),
            ExpressionKind::Member(base, _) => self.target(base),
            ExpressionKind::Index(base, index) => {
                self.target(base);
                self.expression(index);
            }
            ExpressionKind::Slice(base, hi, lo) => {
                self.target(base);
                self.expression(hi);
                self.expression(lo);
            }
            _ => self.expression(e),
        }
    }

    pub(super) fn expression(&mut self, e: &Expression) {
        match &e.kind {
            ExpressionKind::Name(path) => self.read(path),
            ExpressionKind::Type(ty) => self.type_expression(ty),
            ExpressionKind::Member(a, _) | ExpressionKind::Unary(_, a) => self.expression(a),
            ExpressionKind::Index(a, b)
            | ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Mask(a, b)
            | ExpressionKind::Range(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExpressionKind::Slice(a, b, c) | ExpressionKind::Conditional(a, b, c) => {
                self.expression(a);
                self.expression(b);
                self.expression(c);
            }
            ExpressionKind::Call { callee, type_arguments, arguments } => {
                self.expression(callee);
                type_arguments.iter().for_each(|t| self.type_expression(t));
                arguments.iter().for_each(|a| self.expression(&a.value));
            }
            ExpressionKind::Cast(ty, a) => {
                self.type_expression(ty);
                self.expression(a);
            }
            ExpressionKind::List { elements, .. } => {
                elements.iter().for_each(|e| self.expression(e));
            }
            ExpressionKind::Record { fields, .. } => {
                fields.iter().for_each(|(_, e)| self.expression(e));
            }
            ExpressionKind::Bool(_)
            | ExpressionKind::Number { .. }
            | ExpressionKind::String(_)
            | ExpressionKind::This
            | ExpressionKind::Invalid
            | ExpressionKind::Defaults
            | ExpressionKind::DontCare
            | ExpressionKind::Default
            | ExpressionKind::Error => {}
        }
    }

    pub(super) fn state(&mut self, s: &ParserState) {
        self.annotations(&s.annotations, s.span);
        self.scoped(|survey| {
            s.statements.iter().for_each(|s| survey.statement(s));
            match &s.transition {
                Some(Transition::Direct(name)) => survey.read_name(name),
                Some(Transition::Select { expressions, cases, .. }) => {
                    expressions.iter().for_each(|e| survey.expression(e));
                    for case in cases {
                        case.keyset.iter().for_each(|e| survey.expression(e));
                        survey.read_name(&case.target);
                    }
                }
                None => {}
            }
        });
    }

    pub(super) fn table(&mut self, t: &TableDeclaration) {
        for p in &t.properties {
            self.annotations(&p.annotations, p.span);
            match &p.kind {
                TablePropertyKind::Key(keys) => {
                    for key in keys {
                        self.annotations(&key.annotations, key.expression.span);
                        self.expression(&key.expression);
                    }
                }
                TablePropertyKind::Actions(list) => list.iter().for_each(|a| self.action_ref(a)),
                TablePropertyKind::Entries(list) => {
                    for e in list {
                        self.annotations(&e.annotations, e.span);
                        e.priority.iter().for_each(|e| self.expression(e));
                        e.keyset.iter().for_each(|e| self.expression(e));
                        self.action_ref(&e.action);
                    }
                }
                TablePropertyKind::Custom { value, .. } => self.expression(value),
            }
        }
    }

    fn action_ref(&mut self, a: &ActionRef) {
        self.annotations(&a.annotations, a.span);
        self.read(&a.path);
        a.arguments.iter().flatten().for_each(|a| self.expression(&a.value));
    }
}
