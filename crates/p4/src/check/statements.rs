//! Statements (§12).

use super::Checker;
use super::context::Place;
use super::scope::Symbol;
use crate::ast::{
    self, DeclarationKind, Expression, ExpressionKind, ForVariable, Statement, StatementKind,
};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Block, Collection, Const, Expr, ExprKind, Local, Stmt, StmtKind, Type, VariableKind,
};
use crate::source::Span;
use std::collections::HashMap;

impl<'a> Checker<'a> {
    /// A block with a scope of its own.
    pub(super) fn block(&mut self, b: &'a ast::Block) -> Block {
        self.scopes.push();
        let block = self.body(b);
        self.scopes.pop();
        block
    }

    /// A block in the current scope: a body whose parameters are there already.
    pub(super) fn body(&mut self, b: &'a ast::Block) -> Block {
        self.check_annotations(&b.annotations);
        self.scopes.push();
        let mut statements = Vec::with_capacity(b.statements.len());
        for s in &b.statements {
            self.statement(s, &mut statements);
        }
        self.scopes.pop();
        Block { statements }
    }

    /// One statement as a block: a branch of `if`, a loop's body.
    fn branch(&mut self, s: &'a Statement) -> Block {
        if let StatementKind::Block(b) = &s.kind {
            return self.block(b);
        }
        self.scopes.push();
        let mut statements = Vec::new();
        self.statement(s, &mut statements);
        self.scopes.pop();
        Block { statements }
    }

    /// A statement, appended to `out`.
    pub(super) fn statement(&mut self, s: &'a Statement, out: &mut Vec<Stmt>) {
        let span = s.span;
        let kind = match &s.kind {
            StatementKind::Empty => return,
            StatementKind::Declaration(d) => match self.declaration_statement(d) {
                Some(kind) => kind,
                None => return,
            },
            StatementKind::Assignment { op, left, right } => {
                match self.assignment(*op, left, right, span) {
                    Some(kind) => kind,
                    None => return,
                }
            }
            StatementKind::Call(e) => match self.statement_expression(e).kind {
                ExprKind::Call(call) => StmtKind::Call(*call),
                ExprKind::Construct(_) => {
                    self.error(span, "a constructor call is not a statement");
                    return;
                }
                _ => return,
            },
            StatementKind::Block(b) => StmtKind::Block(self.block(b)),
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.typed_expression(condition, &Type::Bool);
                let then = self.branch(then);
                let otherwise = otherwise.as_ref().map(|s| self.branch(s));
                StmtKind::If { condition, then, otherwise }
            }
            StatementKind::Switch { expression, cases } => {
                match self.switch(expression, cases, span) {
                    Some(kind) => kind,
                    None => return,
                }
            }
            StatementKind::Return(value) => match self.return_statement(value.as_ref(), span) {
                Some(kind) => kind,
                None => return,
            },
            StatementKind::Exit => {
                if !matches!(self.context.place, Place::ControlApply | Place::Action) {
                    self.error(
                        span,
                        format!("`exit` is not allowed {}", self.context.place.describe()),
                    );
                }
                StmtKind::Exit
            }
            StatementKind::For { annotations, init, condition, update, body } => {
                self.check_annotations(annotations);
                self.for_statement(init, condition, update, body)
            }
            StatementKind::ForIn { annotations, variable, collection, body } => {
                self.check_annotations(annotations);
                match self.for_in(variable, collection, body) {
                    Some(kind) => kind,
                    None => return,
                }
            }
            StatementKind::Break | StatementKind::Continue => {
                let (word, kind) = match s.kind {
                    StatementKind::Break => ("break", StmtKind::Break),
                    _ => ("continue", StmtKind::Continue),
                };
                if self.context.loops == 0 {
                    self.error(span, format!("`{word}` is only legal inside a loop"));
                }
                kind
            }
        };
        out.push(Stmt { kind, span });
    }

    /// The call that a statement consists of.
    fn statement_expression(&mut self, e: &'a Expression) -> Expr {
        self.statement_call = Some(e.span);
        self.expression(e, None)
    }

    fn declaration_statement(&mut self, d: &'a ast::Declaration) -> Option<StmtKind> {
        self.check_annotations(&d.annotations);
        match self.local_declaration(d, "among statements")? {
            Local::Variable(var, init) => Some(StmtKind::Declare { var, init }),
            Local::Instance(declared) => Some(StmtKind::Instance(Box::new(declared))),
            Local::ValueSet { .. } => None,
        }
    }

    /// A declaration that is legal in parsers, in controls and among statements. `None`: a constant, or a mistake.
    pub(super) fn local_declaration(
        &mut self,
        d: &'a ast::Declaration,
        place: &str,
    ) -> Option<Local> {
        match &d.kind {
            DeclarationKind::Variable(v) => {
                let (var, init) = self.variable_declaration(v);
                Some(Local::Variable(var, init))
            }
            DeclarationKind::Constant { ty, name, value } => {
                self.constant_declaration(ty, name, value);
                None
            }
            DeclarationKind::Instantiation(i) => {
                self.instantiation(i, &d.annotations, d.span).map(Local::Instance)
            }
            _ => {
                self.error(d.span, format!("this declaration is not legal {place}"));
                None
            }
        }
    }

    /// `T x = e;`
    pub(super) fn variable_declaration(
        &mut self,
        v: &'a ast::VariableDeclaration,
    ) -> (ir::VarId, Option<Expr>) {
        let mut ty = self.type_of(&v.ty);
        if !self.check_variable_type(&ty, v.ty.span) {
            ty = Type::Unknown;
        }
        self.receiver = v.init.as_ref().map(|e| (e.span, v.name.span));
        let init = v.init.as_ref().map(|e| self.typed_expression(e, &ty));
        let var = self.variable(&v.name, ty, VariableKind::Local);
        self.declare(&v.name, Symbol::Var(var));
        (var, init)
    }

    fn assignment(
        &mut self,
        op: Option<ir::BinaryOp>,
        left: &'a Expression,
        right: &'a Expression,
        span: Span,
    ) -> Option<StmtKind> {
        let l = self.expression(left, None);
        let ty = l.ty.clone();
        let writable = self.check_lvalue(&l);
        let Some(op) = op else {
            self.receiver = Some((right.span, left.span));
            let right = self.typed_expression(right, &ty);
            return writable.then_some(StmtKind::Assign { op: None, left: l, right });
        };
        let r = self.expression(right, Some(&ty));
        if !writable || l.ty == Type::Unknown || r.ty == Type::Unknown {
            return None;
        }
        // `a op= b` means `a = a op b`: check that, and keep the converted right operand.
        let whole = self.binary_lowered(op, l.clone(), r.clone(), span);
        if whole.ty == Type::Unknown {
            return None;
        }
        let right = match &whole.kind {
            ExprKind::Binary(_, _, r) => (**r).clone(),
            _ => r,
        };
        let whole = self.coerce(whole, &ty);
        (whole.ty != Type::Unknown).then_some(StmtKind::Assign { op: Some(op), left: l, right })
    }

    fn return_statement(&mut self, value: Option<&'a Expression>, span: Span) -> Option<StmtKind> {
        if matches!(self.context.place, Place::ParserState | Place::ParserLocals) {
            self.error(span, "`return` is not allowed in a parser");
            return None;
        }
        let wanted = self.context.return_type.clone().unwrap_or(Type::Void);
        match (value, &wanted) {
            (None, Type::Void | Type::Unknown) => Some(StmtKind::Return(None)),
            (None, _) => {
                let message = format!("`return` needs a value of type `{}`", self.show(&wanted));
                self.error(span, message);
                None
            }
            (Some(e), Type::Void) => {
                let message = format!("`return` with a value {}", self.context.place.describe());
                self.report(Diagnostic::error(e.span, message).label("nothing is returned here"));
                None
            }
            (Some(e), ty) => Some(StmtKind::Return(Some(self.typed_expression(e, ty)))),
        }
    }

    fn switch(
        &mut self,
        e: &'a Expression,
        cases: &'a [ast::SwitchCase],
        span: Span,
    ) -> Option<StmtKind> {
        if self.context.place == Place::ParserState {
            self.error(span, "`switch` is not allowed in a parser");
        }
        let value = self.expression(e, None);
        let ty = self.shallow(&value.ty);
        let by_action = match ty {
            Type::ActionRun(_) if self.context.place != Place::ControlApply => {
                self.error(
                    span,
                    "`switch` on a table's action is only legal in a control's apply block",
                );
                return None;
            }
            Type::ActionRun(table) => Some(table),
            Type::Bit(_)
            | Type::Signed(_)
            | Type::Enum(_)
            | Type::Error
            | Type::Bool
            | Type::Int
            | Type::New(_) => None,
            Type::Unknown => {
                for case in cases {
                    if let Some(body) = &case.body {
                        self.block(body);
                    }
                }
                return None;
            }
            _ => {
                let message = format!("`switch` cannot decide on `{}`", self.show(&ty));
                self.error(e.span, message);
                return None;
            }
        };
        let mut lowered: Vec<ir::SwitchCase> = Vec::new();
        let mut labels: Vec<Const> = Vec::new();
        let mut is_default = false;
        let mut seen: HashMap<Const, Span> = HashMap::new();
        let mut default_span: Option<Span> = None;
        for case in cases {
            if let Some(first) = default_span {
                let d = Diagnostic::error(first, "`default` must be the last label of a `switch`");
                self.report(d.also(case.label.span, "this label follows it"));
            }
            if matches!(case.label.kind, ExpressionKind::Default) {
                if let Some(first) = default_span {
                    let d = Diagnostic::error(case.label.span, "`default` occurs twice")
                        .also(first, "first");
                    self.report(d);
                }
                default_span = Some(case.label.span);
                is_default = true;
            } else if let Some(label) = self.switch_label(&case.label, &ty, by_action) {
                if let Some(first) = seen.get(&label) {
                    let d = Diagnostic::error(case.label.span, "this label occurs twice")
                        .also(*first, "first");
                    self.report(d);
                }
                seen.entry(label.clone()).or_insert(case.label.span);
                labels.push(label);
            }
            if let Some(body) = &case.body {
                let body = self.block(body);
                lowered.push(ir::SwitchCase {
                    labels: std::mem::take(&mut labels),
                    is_default: std::mem::take(&mut is_default),
                    body,
                    span: case.label.span,
                });
            }
        }
        if let Some(last) = cases.last()
            && last.body.is_none()
        {
            self.warning(
                last.label.span,
                "the last label of a `switch` has no block to fall through to",
            );
        }
        Some(StmtKind::Switch { value, cases: lowered })
    }

    fn switch_label(
        &mut self,
        label: &'a Expression,
        ty: &Type,
        table: Option<ir::TableId>,
    ) -> Option<Const> {
        let Some(table) = table else {
            let value = self.typed_expression(label, ty);
            if value.ty == Type::Unknown {
                return None;
            }
            let known = self.evaluate(&value);
            if known.is_none() {
                self.error(label.span, "a label must be a compile-time constant");
            }
            return known;
        };
        let ExpressionKind::Name(path) = &label.kind else {
            self.error(label.span, "a label must be the name of an action of the table");
            return None;
        };
        let Some(symbol) = self.lookup(path) else {
            self.unknown_name(path, "action");
            return None;
        };
        let actions = &self.program[table].actions;
        let position = match symbol {
            Symbol::Action(id) => actions.iter().position(|a| a.action == id),
            Symbol::Broken => return None,
            _ => None,
        };
        if position.is_none() {
            let message = format!(
                "`{}` is not an action of table `{}`",
                path.name.name, self.program[table].name
            );
            self.error(label.span, message);
        }
        position.map(|n| Const::Member(n as u32))
    }

    fn for_statement(
        &mut self,
        init: &'a [Statement],
        condition: &'a Expression,
        update: &'a [Statement],
        body: &'a Statement,
    ) -> StmtKind {
        self.scopes.push();
        let mut before = Vec::new();
        for s in init {
            self.statement(s, &mut before);
        }
        let condition = self.typed_expression(condition, &Type::Bool);
        let mut after = Vec::new();
        for s in update {
            self.statement(s, &mut after);
        }
        self.context.loops += 1;
        let body = self.branch(body);
        self.context.loops -= 1;
        self.scopes.pop();
        StmtKind::For { init: before, condition, update: after, body }
    }

    fn for_in(
        &mut self,
        variable: &'a ForVariable,
        collection: &'a Expression,
        body: &'a Statement,
    ) -> Option<StmtKind> {
        self.scopes.push();
        let (target, ty) = match variable {
            ForVariable::Declared { annotations, ty, name } => {
                self.check_annotations(annotations);
                let resolved = self.type_of(ty);
                let resolved = if self.check_variable_type(&resolved, ty.span) {
                    resolved
                } else {
                    Type::Unknown
                };
                let var = self.variable(name, resolved.clone(), VariableKind::Local);
                let target =
                    Expr { kind: ExprKind::Var(var), ty: resolved.clone(), span: name.span };
                (Some((name, var, target)), resolved)
            }
            ForVariable::Existing(e) => {
                let target = self.expression(e, None);
                self.check_lvalue(&target);
                let ty = target.ty.clone();
                let lowered = self.for_in_rest(target, &ty, None, collection, body);
                self.scopes.pop();
                return lowered;
            }
        };
        let (name, var, target) = target?;
        let lowered = self.for_in_rest(target, &ty, Some((name, var)), collection, body);
        self.scopes.pop();
        lowered
    }

    fn for_in_rest(
        &mut self,
        variable: Expr,
        ty: &Type,
        declared: Option<(&'a ast::Ident, ir::VarId)>,
        collection: &'a Expression,
        body: &'a Statement,
    ) -> Option<StmtKind> {
        // The collection is outside of the loop variable's scope.
        let over = match &collection.kind {
            ExpressionKind::Range(lo, hi) => {
                if !matches!(self.shallow(ty), Type::Bit(_) | Type::Signed(_) | Type::Unknown) {
                    let message = format!("`{}` cannot run over a range", self.show(ty));
                    self.error(collection.span, message);
                }
                let (lo, hi) = (self.typed_expression(lo, ty), self.typed_expression(hi, ty));
                let legal = lo.ty != Type::Unknown && hi.ty != Type::Unknown;
                legal.then_some(Collection::Range(lo, hi))
            }
            ExpressionKind::List { .. } => {
                let list = Type::List(Box::new(ty.clone()));
                let e = self.typed_expression(collection, &list);
                (e.ty != Type::Unknown).then_some(Collection::Elements(e))
            }
            _ => {
                let e = self.expression(collection, None);
                match self.shallow(&e.ty) {
                    Type::Unknown => None,
                    Type::Stack(element, _) | Type::List(element) => {
                        if self.unify(&element, ty) {
                            Some(Collection::Elements(e))
                        } else {
                            self.mismatch(collection.span, ty, &element);
                            None
                        }
                    }
                    other => {
                        let d = Diagnostic::error(
                            collection.span,
                            format!("a loop cannot run over `{}`", self.show(&other)),
                        )
                        .label("must be a range `lo .. hi`, a list or a header stack");
                        self.report(d);
                        None
                    }
                }
            }
        };
        if let Some((name, var)) = declared {
            self.declare(name, Symbol::Var(var));
        }
        self.context.loops += 1;
        let body = self.branch(body);
        self.context.loops -= 1;
        Some(StmtKind::ForIn { variable, collection: over?, body })
    }
}

/// Whether control cannot reach the end of a block.
pub(super) fn always_returns(block: &Block) -> bool {
    block.statements.iter().any(|s| match &s.kind {
        StmtKind::Return(_) | StmtKind::Exit => true,
        StmtKind::Block(b) => always_returns(b),
        StmtKind::If { then, otherwise: Some(otherwise), .. } => {
            always_returns(then) && always_returns(otherwise)
        }
        StmtKind::Switch { cases, .. } => {
            cases.iter().any(|c| c.is_default) && cases.iter().all(|c| always_returns(&c.body))
        }
        _ => false,
    })
}
