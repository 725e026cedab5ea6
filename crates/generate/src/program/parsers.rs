//! Parsers: states in the order of the struct of headers, each leading to later ones (and stacks
//! to themselves).

use super::Generator;
use super::scope::{Body, FunctionHead, Stage, param};
use super::types::{Member, MemberKind};
use crate::profile::Feature;
use crate::tree::*;

impl Generator<'_> {
    pub(super) fn parser(&mut self) {
        let sub = self.random.chance(20).then(|| self.sub_parser());
        let params = vec![
            param("", Type::Named("packet_in".into()), "pkt"),
            param("out", Type::Named("headers_t".into()), "hdr"),
            param("inout", Type::Named("meta_t".into()), "meta"),
            param("inout", Type::Named("standard_metadata_t".into()), "sm"),
        ];
        self.open(Stage::Parser, Body::State, &params[1..]);
        let mut locals = Vec::new();
        if let Some((of, head, argument)) = &sub {
            let name = self.fresh("sub_");
            let ty = Type::Named(of.clone());
            locals.push(Decl::Instance(ty, vec![argument.clone()], name.clone()));
            self.scope.blocks.push(FunctionHead { name, ..head.clone() });
        }
        let mut sets = Vec::new();
        if self.may(Feature::ValueSets) && self.random.chance(15) {
            let name = self.fresh("set_");
            let ty = Type::Bit(if self.random.chance(70) { 8 } else { 16 });
            locals.push(Decl::ValueSet(ty.clone(), 4, name.clone()));
            sets.push(Expr::name(name, ty));
        }
        let states = self.states(&sets);
        let constructor = Vec::new();
        let parser = Parser { name: "Parse".into(), params, constructor, locals, states };
        self.declarations.push(Decl::Parser(parser));
    }

    /// Which members the states extract: each at most once, the first ones first.
    fn plan(&mut self) -> Vec<Member> {
        let count = self.random.between(self.profile.states.0, self.profile.states.1);
        let mut members = self.members.clone();
        while members.len() > count.max(1) {
            // Stacks, unions and headers with varbit are rare enough.
            let at = self.random.between(1, members.len() - 1);
            let is_plain = matches!(members[at].kind, MemberKind::Header(h) if self.header_types[h].varbit().is_none());
            if is_plain || self.random.chance(25) {
                members.remove(at);
            }
        }
        members
    }

    fn states(&mut self, sets: &[Expr]) -> Vec<State> {
        let plan = self.plan();
        let names: Vec<String> = (0..plan.len())
            .map(|n| if n == 0 { "start".to_owned() } else { format!("state_{n}") })
            .collect();
        let mut states = Vec::new();
        for (n, member) in plan.iter().enumerate() {
            let later: Vec<String> = names[n + 1..].to_vec();
            self.nested(|g| g.state(&names[n], member, &later, sets, &mut states));
        }
        states
    }

    fn state(
        &mut self,
        name: &str,
        member: &Member,
        later: &[String],
        sets: &[Expr],
        states: &mut Vec<State>,
    ) {
        let ty = self.member_type(member.kind);
        let whole =
            Expr::name("hdr", Type::Named("headers_t".into())).member(member.name.clone(), ty);
        let mut body = Vec::new();
        if self.random.chance(10) {
            self.statement_of_state(&mut body);
        }
        let transition = match member.kind {
            MemberKind::Header(h) => {
                self.extraction(whole.clone(), h, &mut body);
                self.more(&mut body);
                self.transition(&whole, h, later, None, sets)
            }
            MemberKind::Stack(h, _) => {
                let element = whole.clone().member("next", self.header_types[h].ty());
                self.extraction(element, h, &mut body);
                let last = whole.member("last", self.header_types[h].ty());
                let again = self.may(Feature::ParserLoops).then(|| name.to_owned());
                self.transition(&last, h, later, again, sets)
            }
            MemberKind::Union(u) => {
                let mut targets = Vec::new();
                for (n, (variant, h)) in self.union_types[u].members.clone().into_iter().enumerate()
                {
                    let state = format!("{name}_{n}");
                    let header = whole.clone().member(variant, self.header_types[h].ty());
                    let mut inner = Vec::new();
                    self.extraction(header.clone(), h, &mut inner);
                    let transition = self.transition(&header, h, later, None, sets);
                    states.push(State { name: state.clone(), body: inner, transition });
                    targets.push(state);
                }
                self.choice(&targets)
            }
        };
        states.push(State { name: name.to_owned(), body, transition });
    }

    fn extraction(&mut self, header: Expr, h: usize, body: &mut Block) {
        let packet = Expr::symbol("pkt");
        let mut arguments = vec![header.clone()];
        if let Some(width) = self.header_types[h].varbit() {
            // The length in bytes is in the first bits of the header, which is still to come.
            let call = packet.clone().member("lookahead", Type::Void);
            let call = ExprKind::Call(Box::new(call), vec![Type::Bit(8)], Vec::new());
            let length = Expr::new(call, Type::Bit(8)).slice(7, 5);
            let bits = Expr::binary("++", length, Expr::bits(3, 0), Type::Bit(6));
            let bits = if width < 56 && self.random.chance(50) {
                let wide = Expr::bits(6, u64::from(width));
                let fits = Expr::binary("<", bits.clone(), wide.clone(), Type::Bool);
                let kind = ExprKind::Ternary(Box::new(fits), Box::new(bits), Box::new(wide));
                Expr::new(kind, Type::Bit(6))
            } else {
                bits
            };
            arguments.push(bits.cast(Type::Bit(32)));
        }
        body.push(Stmt::Call(packet.method("extract", arguments, Type::Void)));
        if self.random.chance(8) {
            let Some(field) = self
                .variable(|v| !v.constant && matches!(v.expr.ty.plain(), Type::Bit(w) if *w >= 2))
            else {
                return;
            };
            let other = self.literal(&field.ty.clone());
            let check = Expr::binary("!=", field, other, Type::Bool);
            let error = self.literal(&Type::Error);
            body.push(Stmt::Call(Expr::symbol("verify").call(vec![check, error], Type::Void)));
        }
    }

    /// What a state does besides: sub-parsers, `advance`, assignments.
    fn more(&mut self, body: &mut Block) {
        if !self.scope.blocks.is_empty() && self.random.chance(50) {
            // Each at most once: it extracts into one header.
            let head = self.scope.blocks.remove(0);
            let arguments = self.sub_arguments(&head, body);
            body.push(Stmt::Call(Expr::symbol(head.name).method("apply", arguments, Type::Void)));
        }
        if self.may(Feature::Lookahead) && self.random.chance(8) {
            let amount = Expr::bits(32, 8 * self.random.between(0, 3) as u64);
            body.push(Stmt::Call(Expr::symbol("pkt").method("advance", vec![amount], Type::Void)));
        }
        if self.random.chance(25) {
            self.statement_of_state(body);
        }
    }

    fn statement_of_state(&mut self, body: &mut Block) {
        let more = self.statements((1, 1), 1);
        body.extend(more);
    }

    fn transition(
        &mut self,
        header: &Expr,
        h: usize,
        later: &[String],
        again: Option<String>,
        sets: &[Expr],
    ) -> Transition {
        if later.is_empty() && again.is_none() {
            return Transition::Direct("accept".into());
        }
        if again.is_none() && self.random.chance(20) {
            return Transition::Direct(later[self.random.below(later.len())].clone());
        }
        let mut keys = vec![self.select_key(header, h)];
        if self.random.chance(15) {
            keys.push(self.select_key(header, h));
        }
        let mut targets: Vec<String> = Vec::new();
        targets.extend(again);
        targets.extend(later.first().cloned());
        for _ in 0..self.random.below(3) {
            targets.push(match self.random.below(8) {
                0 => "reject".to_owned(),
                1 => "accept".to_owned(),
                _ => self.random.pick(later).cloned().unwrap_or_else(|| "accept".to_owned()),
            });
        }
        let mut cases: Vec<(Expr, String)> = Vec::new();
        for target in targets {
            let mut parts: Vec<Expr> = keys.iter().map(|k| self.select_set(&k.ty, sets)).collect();
            let case = if parts.len() == 1 {
                parts.remove(0)
            } else {
                Expr::new(ExprKind::Sets(parts), Type::Void)
            };
            cases.push((case, target));
        }
        if self.random.chance(85) {
            let target = if self.random.chance(60) { later.first() } else { None };
            let target = target.cloned().unwrap_or_else(|| "accept".to_owned());
            let word = if keys.len() == 1 && self.random.chance(30) { "_" } else { "default" };
            cases.push((Expr::new(ExprKind::Any(word), Type::Void), target));
        }
        Transition::Select(keys, cases)
    }

    fn select_key(&mut self, header: &Expr, h: usize) -> Expr {
        let fields = self.header_types[h].fields.clone();
        let fitting: Vec<_> = fields
            .iter()
            .filter(|(_, ty)| matches!(ty.plain(), Type::Bit(_) | Type::Int(_) | Type::Enum(..)))
            .collect();
        if self.may(Feature::Lookahead) && self.random.chance(15) {
            let call = Box::new(Expr::symbol("pkt").member("lookahead", Type::Void));
            let kind = ExprKind::Call(call, vec![Type::Bit(8)], Vec::new());
            return Expr::new(kind, Type::Bit(8));
        }
        if let ExprKind::Member(stack, last) = &header.kind
            && last == "last"
            && self.random.chance(20)
        {
            return (**stack).clone().member("lastIndex", Type::Bit(32));
        }
        match self.random.pick(&fitting) {
            Some((name, ty)) if self.random.chance(90) => {
                header.clone().member(name.clone(), ty.clone())
            }
            _ => self.expr(&Type::Bit(8), 2),
        }
    }

    fn select_set(&mut self, ty: &Type, sets: &[Expr]) -> Expr {
        let fitting: Vec<&Expr> = sets.iter().filter(|s| s.ty == *ty).collect();
        if let Some(set) = self.random.pick(&fitting)
            && self.random.chance(40)
        {
            return (*set).clone();
        }
        let set = |op, a, b| Expr::new(ExprKind::Set(op, Box::new(a), Box::new(b)), ty.clone());
        match (self.random.below(10), ty.plain()) {
            (0 | 1, Type::Bit(_)) => {
                let (value, mask) = (self.literal(ty), self.literal(ty));
                set("&&&", value, mask)
            }
            (2, Type::Bit(width)) => {
                let (a, b) = (self.value(*width), self.value(*width));
                let (low, high) = if a <= b { (a, b) } else { (b, a) };
                set("..", Expr::number(low, ty.clone()), Expr::number(high, ty.clone()))
            }
            _ => self.literal(ty),
        }
    }

    /// One of several states, by the next byte or by a field that is known.
    fn choice(&mut self, targets: &[String]) -> Transition {
        let key = if self.may(Feature::Lookahead) {
            let call = Box::new(Expr::symbol("pkt").member("lookahead", Type::Void));
            Expr::new(ExprKind::Call(call, vec![Type::Bit(8)], Vec::new()), Type::Bit(8))
        } else {
            self.expr(&Type::Bit(8), 1)
        };
        let mut cases: Vec<(Expr, String)> = Vec::new();
        for target in targets {
            cases.push((self.literal(&Type::Bit(8)), target.clone()));
        }
        if let Some(first) = targets.first() {
            cases.push((Expr::new(ExprKind::Any("default"), Type::Void), first.clone()));
        }
        Transition::Select(vec![key], cases)
    }

    /// A parser of the top level that extracts one header; it has a constructor parameter.
    fn sub_parser(&mut self) -> (String, FunctionHead, Expr) {
        let plain: Vec<usize> = (0..self.header_types.len())
            .filter(|&h| self.header_types[h].varbit().is_none())
            .collect();
        let h = plain[self.random.below(plain.len())];
        let direction = ["out", "inout"][self.random.below(2)];
        let params = vec![
            param("", Type::Named("packet_in".into()), "pkt"),
            param(direction, self.header_types[h].ty(), self.fresh("p")),
            param("inout", Type::Bit(8), self.fresh("p")),
        ];
        let constructor = vec![param("", Type::Bit(8), self.fresh("k"))];
        self.open(Stage::Parser, Body::State, &params[1..]);
        let header = Expr::name(params[1].name.clone(), params[1].ty.clone());
        let mut body = Vec::new();
        self.extraction(header.clone(), h, &mut body);
        let result = Expr::name(params[2].name.clone(), Type::Bit(8));
        let own = Expr::name(constructor[0].name.clone(), Type::Bit(8));
        let sum = Expr::binary("+", result.clone(), own.clone(), Type::Bit(8));
        let other = vec![Stmt::Assign(result.clone(), "=", sum)];
        let transition = self.transition(&header, h, &["other".to_owned()], None, &[]);
        let next = if self.random.chance(10) { "reject" } else { "accept" };
        let states = vec![
            State { name: "start".into(), body, transition },
            State {
                name: "other".into(),
                body: other,
                transition: Transition::Select(
                    vec![result],
                    vec![
                        (own, next.to_owned()),
                        (Expr::new(ExprKind::Any("default"), Type::Void), "accept".into()),
                    ],
                ),
            },
        ];
        let name = self.fresh("SubParser");
        let parser = Parser {
            name: name.clone(),
            params: params.clone(),
            constructor,
            locals: Vec::new(),
            states,
        };
        self.declarations.push(Decl::Parser(parser));
        let argument = self.literal(&Type::Bit(8));
        (name.clone(), FunctionHead { name, params, result: Type::Void }, argument)
    }

    fn sub_arguments(&mut self, head: &FunctionHead, body: &mut Block) -> Vec<Expr> {
        let header = self
            .scope
            .places
            .iter()
            .find(|p| p.size.is_none() && p.writable && p.expr.ty == head.params[1].ty)
            .map(|p| p.expr.clone());
        let number = self.target(&Type::Bit(8), body);
        let header = header.unwrap_or_else(|| Expr::symbol("hdr"));
        vec![Expr::symbol("pkt"), header, number]
    }
}
