//! All widths of a program: those of its types and of its numbers.

use crate::tree::*;

/// Replaces a width by another wherever it occurs; numbers lose the bits that do not fit.
pub fn replace(program: &mut Program, from: u32, to: u32) {
    each(program, &mut |width| {
        if *width == from {
            *width = to;
        }
    });
}

/// Visits each width.
pub fn each(program: &mut Program, visit: &mut dyn FnMut(&mut u32)) {
    Walk { visit }.declarations(&mut program.declarations);
}

struct Walk<'a> {
    visit: &'a mut dyn FnMut(&mut u32),
}

impl Walk<'_> {
    fn ty(&mut self, ty: &mut Type) {
        match ty {
            Type::Bit(width) | Type::Int(width) | Type::Varbit(width) => (self.visit)(width),
            Type::Alias(_, of)
            | Type::New(_, of)
            | Type::Enum(_, Some(of))
            | Type::Stack(of, _) => {
                self.ty(of);
            }
            Type::Tuple(types) | Type::Generic(_, types) => {
                types.iter_mut().for_each(|t| self.ty(t));
            }
            _ => {}
        }
    }

    fn params(&mut self, params: &mut [Param]) {
        params.iter_mut().for_each(|p| self.ty(&mut p.ty));
    }

    fn exprs(&mut self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, expr: &mut Expr) {
        self.ty(&mut expr.ty);
        match &mut expr.kind {
            ExprKind::Number(value) => {
                if let Some(width) = expr.ty.width() {
                    *value = &*value & crate::pool::ones(width);
                }
            }
            ExprKind::Member(a, _)
            | ExprKind::Slice(a, ..)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(a) => self.expr(a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Set(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Ternary(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Call(of, types, arguments) => {
                self.expr(of);
                types.iter_mut().for_each(|t| self.ty(t));
                self.exprs(arguments);
            }
            ExprKind::List(parts) | ExprKind::Sets(parts) => self.exprs(parts),
            ExprKind::Record(parts) => parts.iter_mut().for_each(|(_, e)| self.expr(e)),
            _ => {}
        }
    }

    fn block(&mut self, block: &mut [Stmt]) {
        block.iter_mut().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Variable(ty, _, value) => {
                self.ty(ty);
                value.iter_mut().for_each(|v| self.expr(v));
            }
            Stmt::Assign(target, _, value) => {
                self.expr(target);
                self.expr(value);
            }
            Stmt::Call(call) => self.expr(call),
            Stmt::If(condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                otherwise.iter_mut().for_each(|b| self.block(b));
            }
            Stmt::Switch(value, cases) => {
                self.expr(value);
                for case in cases {
                    self.expr(&mut case.label);
                    case.body.iter_mut().for_each(|b| self.block(b));
                }
            }
            Stmt::For { ty, from, condition, update, body, .. } => {
                self.ty(ty);
                self.expr(from);
                self.expr(condition);
                self.block(update);
                self.block(body);
            }
            Stmt::ForIn(ty, _, set, body) => {
                self.ty(ty);
                self.expr(set);
                self.block(body);
            }
            Stmt::Block(body) => self.block(body),
            Stmt::Return(value) => value.iter_mut().for_each(|v| self.expr(v)),
            Stmt::Word(_) => {}
        }
    }

    fn declarations(&mut self, declarations: &mut [Decl]) {
        declarations.iter_mut().for_each(|d| self.declaration(d));
    }

    fn declaration(&mut self, declaration: &mut Decl) {
        match declaration {
            Decl::Typedef(_, ty, _) | Decl::ValueSet(ty, ..) => self.ty(ty),
            Decl::Enum(_, underlying, _) => underlying.iter_mut().for_each(|t| self.ty(t)),
            Decl::Errors(_) => {}
            Decl::Constant(ty, _, value) => {
                self.ty(ty);
                self.expr(value);
            }
            Decl::Struct(_, _, fields) => fields.iter_mut().for_each(|f| self.ty(&mut f.ty)),
            Decl::Variable(ty, _, value) => {
                self.ty(ty);
                value.iter_mut().for_each(|v| self.expr(v));
            }
            Decl::Instance(ty, arguments, _) => {
                self.ty(ty);
                self.exprs(arguments);
            }
            Decl::Function(ty, _, params, body) => {
                self.ty(ty);
                self.params(params);
                self.block(body);
            }
            Decl::Action(_, params, body) => {
                self.params(params);
                self.block(body);
            }
            Decl::Table(table) => self.table(table),
            Decl::Parser(parser) => {
                self.params(&mut parser.params);
                self.params(&mut parser.constructor);
                self.declarations(&mut parser.locals);
                for state in &mut parser.states {
                    self.block(&mut state.body);
                    if let Transition::Select(keys, cases) = &mut state.transition {
                        self.exprs(keys);
                        cases.iter_mut().for_each(|(set, _)| self.expr(set));
                    }
                }
            }
            Decl::Control(control) => {
                self.params(&mut control.params);
                self.params(&mut control.constructor);
                self.declarations(&mut control.locals);
                self.block(&mut control.body);
            }
        }
    }

    fn table(&mut self, table: &mut Table) {
        table.keys.iter_mut().for_each(|(key, _)| self.expr(key));
        table.actions.iter_mut().for_each(|a| self.exprs(&mut a.arguments));
        table.default.iter_mut().for_each(|(_, a)| self.exprs(&mut a.arguments));
        for row in table.entries.iter_mut().flat_map(|(_, rows)| rows) {
            self.exprs(&mut row.keys);
            self.exprs(&mut row.action.arguments);
        }
        table.properties.iter_mut().for_each(|(_, value)| self.expr(value));
    }
}
