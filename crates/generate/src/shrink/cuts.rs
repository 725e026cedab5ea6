//! Cuts of a program, numbered: [`cut`] makes the n-th one.
//!
//! The walk counts the places where something could be simplified and changes the one that is
//! asked for. It goes from the outside to the inside, so that large parts go first.

use crate::tree::*;
use num_bigint::BigUint;

/// Makes the n-th cut; false if there are no more.
pub fn cut(program: &mut Program, n: usize) -> bool {
    let mut cutter = Cutter { left: n, done: false };
    cutter.declarations(&mut program.declarations);
    cutter.narrow(program);
    cutter.done
}

struct Cutter {
    /// Cuts to pass over.
    left: usize,
    done: bool,
}

impl Cutter {
    /// Whether the cut at this place is the one.
    fn here(&mut self) -> bool {
        if self.done {
            return false;
        }
        if self.left == 0 {
            self.done = true;
            return true;
        }
        self.left -= 1;
        false
    }

    /// Removes a run of elements: all, halves, quarters, down to one.
    fn list<T>(&mut self, list: &mut Vec<T>) {
        let mut length = list.len();
        while length > 0 && !self.done {
            for start in (0..list.len()).step_by(length) {
                if self.here() {
                    list.drain(start..(start + length).min(list.len()));
                    return;
                }
            }
            length /= 2;
        }
    }

    fn declarations(&mut self, declarations: &mut Vec<Decl>) {
        self.list(declarations);
        for declaration in declarations {
            if self.done {
                return;
            }
            self.declaration(declaration);
        }
    }

    fn declaration(&mut self, declaration: &mut Decl) {
        match declaration {
            Decl::Struct(_, _, fields) => self.list(fields),
            Decl::Enum(_, _, members) => self.list(members),
            Decl::Errors(names) => self.list(names),
            Decl::Constant(_, _, value) => self.expr(value),
            Decl::Variable(_, _, value) => value.iter_mut().for_each(|v| self.expr(v)),
            Decl::Function(_, _, params, body) | Decl::Action(_, params, body) => {
                self.list(params);
                self.block(body);
            }
            Decl::Instance(_, arguments, _) => arguments.iter_mut().for_each(|a| self.expr(a)),
            Decl::Table(table) => self.table(table),
            Decl::Parser(parser) => {
                self.list(&mut parser.states);
                self.declarations(&mut parser.locals);
                for state in &mut parser.states {
                    self.block(&mut state.body);
                    self.transition(&mut state.transition);
                }
            }
            Decl::Control(control) => {
                self.block(&mut control.body);
                self.declarations(&mut control.locals);
            }
            Decl::Typedef(..) | Decl::ValueSet(..) => {}
        }
    }

    fn transition(&mut self, transition: &mut Transition) {
        let (keys, cases) = match transition {
            Transition::Select(keys, cases) => (keys, cases),
            Transition::Direct(target) => {
                if target != "accept" && self.here() {
                    *target = "accept".into();
                }
                return;
            }
        };
        let mut targets: Vec<String> = vec!["accept".into()];
        targets.extend(cases.iter().map(|(_, target)| target.clone()));
        for target in targets {
            if self.here() {
                *transition = Transition::Direct(target);
                return;
            }
        }
        self.list(cases);
        keys.iter_mut().for_each(|k| self.expr(k));
    }

    fn table(&mut self, table: &mut Table) {
        if table.entries.is_some() && self.here() {
            table.entries = None;
        }
        if let Some((_, rows)) = &mut table.entries {
            self.list(rows);
        }
        if table.default.is_some() && self.here() {
            table.default = None;
        }
        self.list(&mut table.properties);
        self.list(&mut table.actions);
        // A key goes with its part of each entry.
        for n in 0..table.keys.len() {
            if self.here() {
                table.keys.remove(n);
                for row in table.entries.iter_mut().flat_map(|(_, rows)| rows) {
                    if n < row.keys.len() {
                        row.keys.remove(n);
                    }
                }
                return;
            }
        }
        for (key, kind) in &mut table.keys {
            self.expr(key);
            if *kind != "exact" && self.here() {
                *kind = "exact";
            }
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.list(block);
        let mut n = 0;
        while n < block.len() && !self.done {
            // A statement gives way to what is inside it.
            let mut inner = insides(&block[n]);
            inner.retain(|b| !b.is_empty());
            for body in inner {
                if self.here() {
                    block.splice(n..=n, body);
                    return;
                }
            }
            self.statement(&mut block[n]);
            n += 1;
        }
    }

    fn statement(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Variable(_, _, value) => value.iter_mut().for_each(|v| self.expr(v)),
            Stmt::Assign(target, op, value) => {
                self.port(target, value);
                if *op != "=" && self.here() {
                    *op = "=";
                }
                self.expr(value);
            }
            Stmt::Call(call) => self.call(call),
            Stmt::If(condition, then, otherwise) => {
                if otherwise.is_some() && self.here() {
                    *otherwise = None;
                }
                self.expr(condition);
                self.block(then);
                otherwise.iter_mut().for_each(|b| self.block(b));
            }
            Stmt::Switch(value, cases) => {
                self.list(cases);
                if !matches!(value.kind, ExprKind::Member(..)) {
                    self.expr(value);
                }
                for case in cases {
                    case.body.iter_mut().for_each(|b| self.block(b));
                }
            }
            Stmt::For { body, .. } => self.block(body),
            Stmt::ForIn(_, _, set, body) => {
                if let ExprKind::List(parts) = &mut set.kind {
                    self.list(parts);
                    parts.iter_mut().for_each(|p| self.expr(p));
                }
                self.block(body);
            }
            Stmt::Block(body) => self.block(body),
            Stmt::Return(value) => value.iter_mut().for_each(|v| self.expr(v)),
            Stmt::Word(_) => {}
        }
    }

    /// A port as a number: what it is made from need not stay for it.
    fn port(&mut self, target: &Expr, value: &mut Expr) {
        let is_port = matches!(&target.kind, ExprKind::Member(_, name) if name == "egress_spec");
        if is_port && !matches!(value.kind, ExprKind::Number(_)) {
            for port in 2..=8 {
                if self.here() {
                    *value = Expr::number(port as u32, target.ty.clone());
                    return;
                }
            }
        }
    }

    /// The call itself stays.
    fn call(&mut self, call: &mut Expr) {
        if let ExprKind::Call(_, _, arguments) = &mut call.kind {
            arguments.iter_mut().for_each(|a| self.expr(a));
        }
    }

    /// Replaces an expression by a constant, by a part of it, or simplifies its parts.
    fn expr(&mut self, expr: &mut Expr) {
        if self.done {
            return;
        }
        for simple in simpler(expr) {
            if self.here() {
                *expr = simple;
                return;
            }
        }
        if let ExprKind::List(parts) = &mut expr.kind {
            self.list(parts);
        }
        parts_mut(expr).into_iter().for_each(|e| self.expr(e));
    }

    /// Makes a width smaller wherever it occurs.
    fn narrow(&mut self, program: &mut Program) {
        if self.done {
            return;
        }
        let mut widths = Vec::new();
        super::widths::each(program, &mut |width| widths.push(*width));
        widths.sort_unstable();
        widths.dedup();
        for width in widths.into_iter().rev() {
            for smaller in [1, 4, 8, 16, 32, 64].into_iter().filter(|&w| w < width) {
                if self.here() {
                    super::widths::replace(program, width, smaller);
                    return;
                }
            }
        }
    }
}

fn insides(statement: &Stmt) -> Vec<Block> {
    match statement {
        Stmt::If(_, then, otherwise) => {
            let mut all = vec![then.clone()];
            all.extend(otherwise.clone());
            all
        }
        Stmt::Switch(_, cases) => cases.iter().filter_map(|c| c.body.clone()).collect(),
        Stmt::For { body, .. } | Stmt::ForIn(_, _, _, body) | Stmt::Block(body) => {
            vec![body.clone()]
        }
        _ => Vec::new(),
    }
}

/// Simpler expressions of the same type.
fn simpler(expr: &Expr) -> Vec<Expr> {
    let mut out = Vec::new();
    let is_constant = matches!(expr.kind, ExprKind::Number(_) | ExprKind::Bool(_));
    match expr.ty.plain() {
        Type::Bool if !is_constant => out.extend([Expr::bool(false), Expr::bool(true)]),
        Type::Bool if expr.kind == ExprKind::Bool(true) => out.push(Expr::bool(false)),
        Type::Bit(_) | Type::Int(_) => {
            let zero = Expr::number(0u32, expr.ty.clone());
            let one = Expr::number(1u32, expr.ty.clone());
            match &expr.kind {
                ExprKind::Number(value) if *value == BigUint::ZERO => {}
                ExprKind::Number(value) if *value == BigUint::from(1u32) => out.push(zero),
                _ => out.extend([zero, one]),
            }
        }
        _ => {}
    }
    let same = |e: &&Expr| e.ty.plain() == expr.ty.plain();
    out.extend(parts(expr).into_iter().filter(same).cloned());
    out
}

fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Slice(a, ..) | ExprKind::Unary(_, a) | ExprKind::Cast(a) => vec![a],
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Set(_, a, b) => vec![a, b],
        ExprKind::Ternary(c, a, b) => vec![c, a, b],
        ExprKind::Call(_, _, all) | ExprKind::List(all) | ExprKind::Sets(all) => {
            all.iter().collect()
        }
        ExprKind::Record(all) => all.iter().map(|(_, e)| e).collect(),
        _ => Vec::new(),
    }
}

fn parts_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Slice(a, ..) | ExprKind::Unary(_, a) | ExprKind::Cast(a) => vec![a],
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Set(_, a, b) => vec![a, b],
        ExprKind::Ternary(c, a, b) => vec![c, a, b],
        ExprKind::Call(_, _, all) | ExprKind::List(all) | ExprKind::Sets(all) => {
            all.iter_mut().collect()
        }
        ExprKind::Record(all) => all.iter_mut().map(|(_, e)| e).collect(),
        _ => Vec::new(),
    }
}
