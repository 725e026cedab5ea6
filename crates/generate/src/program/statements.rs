//! Statements.

use super::Generator;
use super::scope::{Body, FunctionHead, Stage, Var, param};
use crate::profile::Feature;
use crate::tree::*;

/// Depth of statements within one another.
const NESTING: usize = 2;

#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Operator,
    Slice,
    Element,
    Header,
    Struct,
    Local,
    Tuple,
    If,
    Switch,
    For,
    ForIn,
    Block,
    Leave,
    Call,
    Apply,
    Object,
    Extern,
}

impl Generator<'_> {
    /// A function of the top level.
    pub(super) fn function(&mut self) {
        let result = if self.random.chance(20) { Type::Bool } else { self.number_type() };
        let mut params = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let direction = ["in", "in", "in", "inout", "out"][self.random.below(5)];
            let ty = self.number_type();
            params.push(param(direction, ty, self.fresh("p")));
        }
        self.open(Stage::Anywhere, Body::Function, &params);
        self.scope.result = Some(result.clone());
        let mut body = self.statements((1, 3), 0);
        body.push(Stmt::Return(Some(self.expr(&result, self.profile.depth))));
        let name = self.fresh("function_");
        self.declarations.push(Decl::Function(result.clone(), name.clone(), params.clone(), body));
        self.functions.push(FunctionHead { name, params, result });
    }

    /// So many statements, in the scope that is open.
    pub(super) fn statements(&mut self, count: (usize, usize), depth: usize) -> Block {
        let mut out = Vec::new();
        for _ in 0..self.random.between(count.0, count.1) {
            self.statement(&mut out, depth);
        }
        out
    }

    /// Statements in braces.
    pub(super) fn block(&mut self, depth: usize) -> Block {
        self.nested(|g| g.statements((1, 2), depth + 1))
    }

    fn kinds(&self, depth: usize) -> Vec<(usize, Kind)> {
        let (body, stage) = (self.scope.body, self.scope.stage);
        let objects = self.profile.object_weight * self.scope.objects.len().min(3);
        let mut kinds = vec![
            (10, Kind::Assign),
            (2, Kind::Operator),
            (3, Kind::Slice),
            (1, Kind::Element),
            (3, Kind::Header),
            (1, Kind::Struct),
            (3, Kind::Local),
            (1, Kind::Tuple),
            (2, Kind::Call),
            (objects, Kind::Object),
        ];
        if matches!(stage, Stage::Ingress | Stage::Egress | Stage::Parser) && body != Body::Function
        {
            kinds.push((self.profile.object_weight, Kind::Extern));
        }
        if depth < NESTING {
            kinds.extend([(5, Kind::If), (1, Kind::Block)]);
            if body != Body::State {
                kinds.push((2, Kind::Switch));
                if self.may(Feature::Loops) && self.scope.loops < 2 {
                    kinds.extend([(1, Kind::For), (1, Kind::ForIn)]);
                }
            }
        }
        if body == Body::Apply && self.scope.loops == 0 {
            kinds.push((3, Kind::Apply));
        }
        if body != Body::State && depth < NESTING {
            kinds.push((1, Kind::Leave));
        }
        kinds
    }

    /// Adds a statement, and what it needs in front of it.
    fn statement(&mut self, out: &mut Block, depth: usize) {
        let kinds = self.kinds(depth);
        match self.random.weighted(&kinds) {
            Kind::Assign => self.assignment(out),
            Kind::Operator => self.operator_assignment(out),
            Kind::Slice => self.slice_assignment(out),
            Kind::Element => self.element_assignment(out),
            Kind::Header => self.header_statement(out),
            Kind::Struct => self.struct_statement(out),
            Kind::Local => {
                let ty = self.scalar_type();
                self.local(ty, out);
            }
            Kind::Tuple => {
                let ty = Type::Tuple(vec![self.number_type(), self.scalar_type()]);
                self.local(ty, out);
            }
            Kind::If => {
                let condition = self.condition(self.profile.depth);
                let then = self.block(depth);
                let otherwise = self.random.chance(40).then(|| self.block(depth));
                out.push(Stmt::If(condition, then, otherwise));
            }
            Kind::Switch => self.switch(out, depth),
            Kind::For => self.counted_loop(out, depth),
            Kind::ForIn => self.collection_loop(out, depth),
            Kind::Block => {
                let body = self.block(depth);
                out.push(Stmt::Block(body));
            }
            Kind::Leave => self.leave(out),
            Kind::Call => self.call_statement(out),
            Kind::Apply => self.application(out, depth),
            Kind::Object => self.object_statement(out),
            Kind::Extern => self.extern_statement(out),
        }
    }

    /// A new variable with a value.
    pub(super) fn local(&mut self, ty: Type, out: &mut Block) -> Expr {
        let value = self.expr(&ty, self.profile.depth);
        let name = self.fresh("x");
        out.push(Stmt::Variable(ty.clone(), name.clone(), Some(value)));
        let expr = Expr::name(name, ty);
        self.name_value(expr.clone(), true);
        expr
    }

    /// Something of exactly this type that can be written; a new variable if there is nothing.
    pub(super) fn target(&mut self, ty: &Type, out: &mut Block) -> Expr {
        match self.writable(ty) {
            Some(found) => found,
            None => self.local(ty.clone(), out),
        }
    }

    pub(super) fn assignment(&mut self, out: &mut Block) {
        let Some(target) = self.variable(|v| v.writable) else {
            let ty = self.scalar_type();
            self.local(ty, out);
            return;
        };
        let value = self.expr(&target.ty.clone(), self.profile.depth);
        out.push(Stmt::Assign(target, "=", value));
    }

    fn writable_number(&mut self) -> Option<Expr> {
        self.variable(|v| v.writable && matches!(v.expr.ty.plain(), Type::Bit(_) | Type::Int(_)))
    }

    fn operator_assignment(&mut self, out: &mut Block) {
        const OPS: [&str; 9] = ["+=", "-=", "*=", "&=", "|=", "^=", "|+|=", "|-|=", "<<="];
        let Some(target) = self.writable_number() else { return self.assignment(out) };
        let op = OPS[self.random.below(OPS.len())];
        let value = match op {
            "<<=" => Expr::bits(4, self.random.below(9) as u64),
            _ => self.expr(&target.ty.clone(), self.profile.depth),
        };
        out.push(Stmt::Assign(target, op, value));
    }

    fn slice_assignment(&mut self, out: &mut Block) {
        let Some(target) = self.writable_number() else { return self.assignment(out) };
        let width = target.ty.width().unwrap_or(1) as usize;
        let low = self.random.below(width);
        let high = self.random.between(low, width - 1);
        let target = target.slice(high as u32, low as u32);
        let value = self.expr(&target.ty.clone(), self.profile.depth);
        out.push(Stmt::Assign(target, "=", value));
    }

    fn element_assignment(&mut self, out: &mut Block) {
        match self.element_field(true, |_| true) {
            Some(target) => {
                let value = self.expr(&target.ty.clone(), 2);
                out.push(Stmt::Assign(target, "=", value));
            }
            None => self.assignment(out),
        }
    }

    /// Validity, copies of headers and stacks, `push_front`, `pop_front`.
    fn header_statement(&mut self, out: &mut Block) {
        let places: Vec<_> = self.scope.places.iter().filter(|p| p.writable).cloned().collect();
        let Some(place) = self.random.pick(&places).cloned() else { return self.assignment(out) };
        let same: Vec<_> = self
            .scope
            .places
            .iter()
            .filter(|p| p.expr.ty == place.expr.ty && p.expr != place.expr)
            .map(|p| p.expr.clone())
            .collect();
        if let Some(other) = self.random.pick(&same).cloned()
            && self.random.chance(40)
        {
            out.push(Stmt::Assign(place.expr, "=", other));
            return;
        }
        if let Some(size) = place.size {
            let method = ["push_front", "pop_front"][self.random.below(2)];
            let count = Expr::number(self.random.between(1, size as usize), Type::Void);
            out.push(Stmt::Call(place.expr.method(method, vec![count], Type::Void)));
            return;
        }
        let fields = self.header_types[place.header].fields.clone();
        match self.random.below(5) {
            0 if self.header_types[place.header].varbit().is_none() => {
                let parts: Vec<_> =
                    fields.iter().map(|(name, ty)| (name.clone(), self.expr(ty, 2))).collect();
                let kind = if self.random.chance(50) {
                    ExprKind::Record(parts)
                } else {
                    ExprKind::List(parts.into_iter().map(|(_, e)| e).collect())
                };
                let ty = place.expr.ty.clone();
                out.push(Stmt::Assign(place.expr, "=", Expr::new(kind, ty)));
            }
            1 => out.push(Stmt::Call(place.expr.method("setInvalid", Vec::new(), Type::Void))),
            _ => out.push(Stmt::Call(place.expr.method("setValid", Vec::new(), Type::Void))),
        }
    }

    fn struct_statement(&mut self, out: &mut Block) {
        let found: Vec<_> = self.scope.structs.iter().filter(|s| s.writable).cloned().collect();
        let Some(place) = self.random.pick(&found).cloned() else {
            let index = self.random.below(self.struct_types.len());
            let (name, fields) =
                (self.struct_types[index].name.clone(), self.struct_types[index].fields.clone());
            let parts = fields.iter().map(|(n, ty)| (n.clone(), self.expr(ty, 2))).collect();
            let ty = Type::Named(name);
            let value = Expr::new(ExprKind::Record(parts), ty.clone());
            let name = self.fresh("x");
            out.push(Stmt::Variable(ty.clone(), name.clone(), Some(value)));
            self.name_value(Expr::name(name, ty), true);
            return;
        };
        let parts = place.fields.iter().map(|(_, ty)| self.expr(ty, 2)).collect();
        let ty = place.expr.ty.clone();
        out.push(Stmt::Assign(place.expr, "=", Expr::new(ExprKind::List(parts), ty)));
    }

    fn switch(&mut self, out: &mut Block, depth: usize) {
        let found = self.variable(|v| {
            !v.constant
                && matches!(
                    v.expr.ty.plain(),
                    Type::Bit(_) | Type::Int(_) | Type::Enum(..) | Type::Error
                )
        });
        let Some(value) = found else { return self.assignment(out) };
        let ty = value.ty.clone();
        let mut cases: Vec<Case> = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            let label = self.literal(&ty);
            // Casts among the labels of an enum would be compared as numbers: leave them out.
            if matches!(label.kind, ExprKind::Cast(_)) || cases.iter().any(|c| c.label == label) {
                continue;
            }
            let body = self.random.chance(80).then(|| self.block(depth));
            cases.push(Case { label, body });
        }
        if cases.is_empty() || self.random.chance(50) {
            let body = Some(self.block(depth));
            cases.push(Case { label: Expr::new(ExprKind::Any("default"), ty), body });
        } else if let Some(last) = cases.last_mut()
            && last.body.is_none()
        {
            last.body = Some(Vec::new());
        }
        out.push(Stmt::Switch(value, cases));
    }

    fn loop_body(&mut self, variable: Expr, depth: usize) -> Block {
        self.scope.loops += 1;
        let body = self.nested(|g| {
            g.scope.vars.push(Var { expr: variable, writable: false, constant: false });
            let mut body = Vec::new();
            if g.random.chance(50) {
                let word = ["break", "continue"][g.random.below(2)];
                body.push(Stmt::If(g.condition(1), vec![Stmt::Word(word)], None));
            }
            body.extend(g.statements((1, 2), depth + 1));
            body
        });
        self.scope.loops -= 1;
        body
    }

    fn counted_loop(&mut self, out: &mut Block, depth: usize) {
        let ty = Type::Bit(8);
        let name = self.fresh("i");
        let variable = Expr::name(name.clone(), ty.clone());
        let last = Expr::bits(8, self.random.between(1, 5) as u64);
        let condition = Expr::binary("<", variable.clone(), last, Type::Bool);
        let next = Expr::binary("+", variable.clone(), Expr::bits(8, 1), ty.clone());
        let mut update = vec![Stmt::Assign(variable.clone(), "=", next)];
        if self.random.chance(20) {
            self.nested(|g| g.assignment(&mut update));
            // A declaration has no place in the head of a loop.
            update.retain(|s| matches!(s, Stmt::Assign(..)));
        }
        let body = self.loop_body(variable, depth);
        out.push(Stmt::For { ty, name, from: Expr::bits(8, 0), condition, update, body });
    }

    fn collection_loop(&mut self, out: &mut Block, depth: usize) {
        let ty = self.number_type();
        let name = self.fresh("i");
        let set = if self.random.chance(50) && ty.width().is_some_and(|w| w >= 4) {
            let low = self.random.below(4);
            let high = low + self.random.below(4);
            let (low, high) = (Expr::number(low, ty.clone()), Expr::number(high, ty.clone()));
            Expr::new(ExprKind::Set("..", Box::new(low), Box::new(high)), ty.clone())
        } else {
            let parts = (0..self.random.between(1, 3)).map(|_| self.expr(&ty, 1)).collect();
            Expr::new(ExprKind::List(parts), Type::Generic("list".into(), vec![ty.clone()]))
        };
        let body = self.loop_body(Expr::name(name.clone(), ty.clone()), depth);
        out.push(Stmt::ForIn(ty, name, set, body));
    }

    /// `return` or `exit`, under a condition.
    fn leave(&mut self, out: &mut Block) {
        let leave = match &self.scope.result.clone() {
            Some(ty) => Stmt::Return(Some(self.expr(ty, 1))),
            None if self.random.chance(50) => Stmt::Return(None),
            None => Stmt::Word("exit"),
        };
        let condition = self.condition(2);
        let is_function = self.scope.body == Body::Function;
        if is_function && !matches!(leave, Stmt::Return(Some(_))) {
            return;
        }
        out.push(Stmt::If(condition, vec![leave], None));
    }

    /// Arguments for parameters that all have directions.
    pub(super) fn arguments(&mut self, params: &[Param], out: &mut Block) -> Vec<Expr> {
        params
            .iter()
            .map(|p| match p.direction {
                "out" | "inout" => self.out_argument(&p.ty, out),
                _ => self.expr(&p.ty, 2),
            })
            .collect()
    }

    /// Something that can be written; at times a slice.
    fn out_argument(&mut self, ty: &Type, out: &mut Block) -> Expr {
        if let Type::Bit(width) = *ty.plain()
            && self.random.chance(20)
        {
            let wider = self.variable(|v| {
                v.writable && matches!(v.expr.ty.plain(), Type::Bit(w) if *w > width)
            });
            if let Some(wider) = wider {
                let spare = wider.ty.width().unwrap_or(width) - width;
                let low = self.random.below(spare as usize + 1) as u32;
                return wider.slice(low + width - 1, low);
            }
        }
        self.target(ty, out)
    }

    /// A call of a function or action, or the application of a sub-control.
    fn call_statement(&mut self, out: &mut Block) {
        let blocks = if self.scope.body == Body::Apply { &self.scope.blocks[..] } else { &[] };
        let count = self.scope.functions.len() + blocks.len();
        if count == 0 {
            return self.assignment(out);
        }
        let at = self.random.below(count);
        let Some(head) = self.scope.functions.get(at).cloned() else {
            let head = self.scope.blocks[at - self.scope.functions.len()].clone();
            let arguments = self.block_arguments(&head, out);
            out.push(Stmt::Call(Expr::symbol(head.name).method("apply", arguments, Type::Void)));
            return;
        };
        let arguments = self.arguments(&head.params, out);
        let call = Expr::symbol(head.name).call(arguments, head.result.clone());
        if head.result == Type::Void || self.random.chance(15) {
            out.push(Stmt::Call(call));
            return;
        }
        let target = self.target(&head.result, out);
        // The call may change what stands beside it: operands go from left to right.
        let value = if matches!(head.result, Type::Bit(_) | Type::Int(_)) && self.random.chance(40)
        {
            let beside = self.leaf(&head.result);
            Expr::binary("+", beside, call, head.result)
        } else {
            call
        };
        out.push(Stmt::Assign(target, "=", value));
    }

    /// Arguments of a sub-control or sub-parser: its first parameters are the caller's own.
    fn block_arguments(&mut self, head: &FunctionHead, out: &mut Block) -> Vec<Expr> {
        let mut arguments = Vec::new();
        for p in &head.params {
            match p.name.as_str() {
                "hdr" | "meta" | "sm" | "pkt" => {
                    arguments.push(Expr::name(p.name.clone(), p.ty.clone()));
                }
                _ => arguments.extend(self.arguments(std::slice::from_ref(p), out)),
            }
        }
        arguments
    }
}
