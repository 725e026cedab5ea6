//! Tables and their applications.

use super::Generator;
use super::scope::TableHead;
use crate::profile::Feature;
use crate::tree::*;

impl Generator<'_> {
    /// Adds a table with its actions.
    pub(super) fn table(&mut self, locals: &mut Vec<Decl>) {
        let mut properties = Vec::new();
        let mut keys = self.keys();
        let profile = !keys.is_empty() && self.may(Feature::Profiles) && self.random.chance(18);
        if profile {
            properties.push(("implementation", self.implementation(&mut keys, locals)));
        }
        let direct = if keys.is_empty() { Vec::new() } else { self.direct_objects(locals) };
        properties.extend(direct.clone());

        let mut actions = Vec::new();
        let mut heads: Vec<(String, Vec<Param>)> = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let (name, params) = self.action(locals, true, &direct);
            let bound = params.iter().filter(|p| !p.direction.is_empty());
            let mut unused = Vec::new();
            let bound: Vec<Param> = bound.cloned().collect();
            let arguments = self.nested(|g| g.arguments(&bound, &mut unused));
            if !unused.is_empty() {
                // It needs a variable that is not there; what it was made for can still be called
                // from nowhere, and is left out.
                locals.pop();
                continue;
            }
            let annotation = match self.random.below(20) {
                0 => "@tableonly",
                1 => "@defaultonly",
                _ => "",
            };
            heads.push((name.clone(), params));
            actions.push(ActionRef { annotation, name, arguments });
        }
        if actions.is_empty() || self.random.chance(30) {
            heads.push(("NoAction".into(), Vec::new()));
            let name = "NoAction".to_owned();
            actions.push(ActionRef { annotation: "", name, arguments: Vec::new() });
        }
        let default = self.default_action(&actions, &heads);
        let entries =
            if profile || keys.is_empty() { None } else { self.entries(&keys, &actions, &heads) };
        if self.random.chance(25) && !keys.is_empty() {
            properties.push(("size", Expr::number(self.random.between(2, 16), Type::Void)));
        }
        let name = self.fresh("table_");
        let named = actions.iter().map(|a| a.name.clone()).collect();
        self.scope.tables.push(TableHead { name: name.clone(), actions: named });
        locals.push(Decl::Table(Table { name, keys, actions, default, entries, properties }));
    }

    fn keys(&mut self) -> Vec<(Expr, &'static str)> {
        let mut keys: Vec<(Expr, &'static str)> = Vec::new();
        if self.random.chance(10) {
            return keys;
        }
        let kinds = [(6, "exact"), (3, "lpm"), (3, "ternary"), (2, "range"), (2, "optional")];
        for _ in 0..self.random.weighted(&[(5, 1), (4, 2), (1, 3)]) {
            let mut kind = self.random.weighted(&kinds);
            if kind == "range" && !self.may(Feature::RangeKeys) {
                kind = "ternary";
            }
            // Two prefix lengths in one entry are refused.
            if kind == "lpm" && keys.iter().any(|(_, other)| *other == "lpm") {
                kind = "ternary";
            }
            let key = self.key(kind);
            keys.push((key, kind));
        }
        keys
    }

    /// Mostly a field, at times an expression.
    fn key(&mut self, kind: &str) -> Expr {
        let exact = matches!(kind, "exact" | "optional");
        let narrow = self.random.chance(60);
        let found = self.variable(|v| {
            !v.constant
                && match v.expr.ty.plain() {
                    Type::Bit(width) => !narrow || *width <= 16,
                    Type::Int(_) => exact || kind == "range",
                    Type::Bool | Type::New(..) | Type::Enum(..) => exact,
                    _ => false,
                }
        });
        match found {
            Some(found) if self.random.chance(80) => found,
            _ if exact && self.random.chance(40) => self.validity(),
            _ => self.expr(&Type::Bit(8), 2),
        }
    }

    /// An action profile or, with keys of kind `selector`, an action selector.
    fn implementation(
        &mut self,
        keys: &mut Vec<(Expr, &'static str)>,
        locals: &mut Vec<Decl>,
    ) -> Expr {
        let size = Expr::bits(32, self.random.between(2, 8) as u64);
        let name = self.fresh("profile_");
        let (ty, arguments) = if self.random.chance(60) {
            for _ in 0..self.random.between(1, 2) {
                if let Some(found) =
                    self.variable(|v| !v.constant && matches!(v.expr.ty.plain(), Type::Bit(_)))
                {
                    keys.push((found, "selector"));
                }
            }
            let algorithm = self.algorithm();
            let width = Expr::bits(32, self.random.between(1, 16) as u64);
            ("action_selector", vec![algorithm, size, width])
        } else {
            ("action_profile", vec![size])
        };
        locals.push(Decl::Instance(Type::Named(ty.into()), arguments, name.clone()));
        Expr::symbol(name)
    }

    fn default_action(
        &mut self,
        actions: &[ActionRef],
        heads: &[(String, Vec<Param>)],
    ) -> Option<(bool, ActionRef)> {
        let allowed: Vec<usize> =
            (0..actions.len()).filter(|&n| actions[n].annotation != "@tableonly").collect();
        let chosen = *self.random.pick(&allowed)?;
        if self.random.chance(20) {
            return None;
        }
        let action = self.action_call(&actions[chosen], &heads[chosen].1);
        Some((self.random.chance(20), action))
    }

    /// A reference to an action with constants for the data that entries supply.
    fn action_call(&mut self, action: &ActionRef, params: &[Param]) -> ActionRef {
        let data: Vec<Type> =
            params.iter().filter(|p| p.direction.is_empty()).map(|p| p.ty.clone()).collect();
        let mut arguments = action.arguments.clone();
        arguments.extend(data.iter().map(|ty| self.literal(ty)));
        ActionRef { annotation: "", name: action.name.clone(), arguments }
    }

    fn entries(
        &mut self,
        keys: &[(Expr, &'static str)],
        actions: &[ActionRef],
        heads: &[(String, Vec<Param>)],
    ) -> Option<(bool, Vec<EntryRow>)> {
        let allowed: Vec<usize> =
            (0..actions.len()).filter(|&n| actions[n].annotation != "@defaultonly").collect();
        if allowed.is_empty() || !self.random.chance(30) {
            return None;
        }
        let is_const = self.random.chance(60);
        let ranked = keys.iter().any(|(_, kind)| matches!(*kind, "ternary" | "range" | "optional"));
        let prioritized = ranked && self.random.chance(40);
        let mut rows: Vec<EntryRow> = Vec::new();
        for n in 0..self.random.between(1, 4) {
            let sets: Vec<Expr> =
                keys.iter().map(|(key, kind)| self.key_set(&key.ty, kind)).collect();
            if rows.iter().any(|r| r.keys == sets) {
                continue;
            }
            let chosen = allowed[self.random.below(allowed.len())];
            let action = self.action_call(&actions[chosen], &heads[chosen].1);
            // Different ones, in any order.
            let priority = prioritized.then(|| (self.random.below(4) * 8 + n + 1) as u64);
            rows.push(EntryRow { priority, keys: sets, action });
        }
        Some((is_const, rows))
    }

    /// A set of values for a key of a match kind.
    fn key_set(&mut self, ty: &Type, kind: &str) -> Expr {
        let set = |op, a, b| Expr::new(ExprKind::Set(op, Box::new(a), Box::new(b)), ty.clone());
        let any = Expr::new(ExprKind::Any("_"), ty.clone());
        match kind {
            "lpm" if self.random.chance(60) => {
                let width = ty.width().unwrap_or(1);
                let length = self.random.below(width as usize + 1) as u32;
                let ones = crate::pool::ones(width);
                let mask = &ones ^ crate::pool::ones(width - length);
                let value = self.value(width) & &mask;
                set("&&&", Expr::number(value, ty.clone()), Expr::number(mask, ty.clone()))
            }
            "ternary" if self.random.chance(60) => {
                let (value, mask) = (self.literal(ty), self.literal(ty));
                set("&&&", value, mask)
            }
            "range" if self.random.chance(70) => match ty.plain() {
                Type::Bit(width) => {
                    let (a, b) = (self.value(*width), self.value(*width));
                    let (low, high) = if a <= b { (a, b) } else { (b, a) };
                    set("..", Expr::number(low, ty.clone()), Expr::number(high, ty.clone()))
                }
                _ => self.literal(ty),
            },
            "ternary" | "range" | "optional" | "lpm" if self.random.chance(20) => any,
            _ => self.literal(ty),
        }
    }

    /// An application as a statement, in a condition or in a `switch`.
    pub(super) fn application(&mut self, out: &mut Block, depth: usize) {
        let Some(table) = self.random.pick(&self.scope.tables).cloned() else {
            return self.assignment(out);
        };
        let apply = Expr::symbol(table.name).method("apply", Vec::new(), Type::Void);
        match self.random.below(5) {
            0 => out.push(Stmt::Call(apply)),
            1 | 2 => {
                let word = ["hit", "miss"][self.random.below(2)];
                let mut condition = apply.member(word, Type::Bool);
                match self.random.below(4) {
                    0 => {
                        condition = Expr::new(ExprKind::Unary("!", Box::new(condition)), Type::Bool)
                    }
                    1 => {
                        let other = self.condition(1);
                        condition = Expr::binary("||", other, condition, Type::Bool);
                    }
                    _ => {}
                }
                let then = self.block(depth);
                let otherwise = self.random.chance(40).then(|| self.block(depth));
                out.push(Stmt::If(condition, then, otherwise));
            }
            3 => {
                let target = self.target(&Type::Bool, out);
                out.push(Stmt::Assign(target, "=", apply.member("hit", Type::Bool)));
            }
            _ => {
                let value = apply.member("action_run", Type::Void);
                let mut cases = Vec::new();
                for action in &table.actions {
                    if self.random.chance(60) {
                        let body = self.random.chance(80).then(|| self.block(depth));
                        cases.push(Case { label: Expr::symbol(action.clone()), body });
                    }
                }
                let body = Some(self.block(depth));
                let label = Expr::new(ExprKind::Any("default"), Type::Void);
                cases.push(Case { label, body });
                out.push(Stmt::Switch(value, cases));
            }
        }
    }

    /// Applies the tables that nothing applied yet.
    pub(super) fn apply_all_tables(&mut self, body: &mut Block) {
        let text = format!("{body:?}");
        for table in self.scope.tables.clone() {
            if !text.contains(&format!("\"{}\"", table.name)) {
                let apply = Expr::symbol(table.name).method("apply", Vec::new(), Type::Void);
                let at = self.random.between(1.min(body.len()), body.len());
                body.insert(at, Stmt::Call(apply));
            }
        }
    }
}
