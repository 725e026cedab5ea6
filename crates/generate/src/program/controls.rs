//! The controls of the package, sub-controls and actions.

use super::Generator;
use super::scope::{Body, FunctionHead, Scope, Stage, param};
use crate::profile::Feature;
use crate::tree::*;

impl Generator<'_> {
    /// Parameters of the controls of the package.
    fn control_params(&self, intrinsic: bool) -> Vec<Param> {
        let mut params = vec![
            param("inout", Type::Named("headers_t".into()), "hdr"),
            param("inout", Type::Named("meta_t".into()), "meta"),
        ];
        if intrinsic {
            params.push(param("inout", Type::Named("standard_metadata_t".into()), "sm"));
        }
        params
    }

    fn push_control(&mut self, name: &str, params: Vec<Param>, locals: Vec<Decl>, body: Block) {
        let constructor = Vec::new();
        let control = Control { name: name.into(), params, constructor, locals, body };
        self.declarations.push(Decl::Control(control));
    }

    pub(super) fn ingress(&mut self) {
        let sub = self.random.chance(30).then(|| self.sub_control(Stage::Ingress));
        let params = self.control_params(true);
        self.open(Stage::Ingress, Body::Apply, &params);
        let mut locals = Vec::new();
        if let Some((name, head)) = sub {
            for _ in 0..self.random.between(1, 2) {
                self.sub_instance(&name, &head, &mut locals);
            }
        }
        self.control_locals(&mut locals, self.profile.tables);
        let mut body = Vec::new();
        self.port_statement(&mut body);
        let count = self.profile.statements;
        body.extend(self.statements(count, 0));
        if self.random.chance(45) {
            self.transfer_statement(&mut body);
        }
        self.apply_all_tables(&mut body);
        self.push_control("IngressPipe", params, locals, body);
    }

    pub(super) fn egress(&mut self) {
        let params = self.control_params(true);
        let sub = self.random.chance(10).then(|| self.sub_control(Stage::Egress));
        self.open(Stage::Egress, Body::Apply, &params);
        let mut locals = Vec::new();
        if let Some((name, head)) = sub {
            self.sub_instance(&name, &head, &mut locals);
        }
        let tables = usize::from(self.random.chance(30));
        self.control_locals(&mut locals, (tables, tables));
        let body = if self.random.chance(20) {
            Vec::new()
        } else {
            let mut body = self.statements((1, 3), 0);
            if self.random.chance(20) {
                self.transfer_statement(&mut body);
            }
            self.apply_all_tables(&mut body);
            body
        };
        self.push_control("EgressPipe", params, locals, body);
    }

    /// Variables, objects, actions and tables.
    fn control_locals(&mut self, locals: &mut Vec<Decl>, tables: (usize, usize)) {
        for _ in 0..self.random.below(2 + self.profile.object_weight / 3) {
            self.object(locals);
        }
        for _ in 0..self.random.below(3) {
            let ty = self.scalar_type();
            let value = self.expr(&ty, 1);
            let name = self.fresh("v");
            locals.push(Decl::Variable(ty.clone(), name.clone(), Some(value)));
            self.name_value(Expr::name(name, ty), true);
        }
        for _ in 0..self.random.between(tables.0, tables.1) {
            self.table(locals);
        }
        if self.random.chance(20) {
            let (name, params) = self.action(locals, false, &[]);
            self.scope.functions.push(FunctionHead { name, params, result: Type::Void });
        }
    }

    /// Adds an action and gives its name and parameters; `data` is for parameters that entries
    /// supply.
    pub(super) fn action(
        &mut self,
        locals: &mut Vec<Decl>,
        data: bool,
        direct: &[(&'static str, Expr)],
    ) -> (String, Vec<Param>) {
        let mut params = Vec::new();
        if self.random.chance(if data { 25 } else { 80 }) {
            let direction = ["in", "inout", "out"][self.random.below(3)];
            let ty = self.number_type();
            params.push(param(direction, ty, self.fresh("a")));
        }
        if data {
            for _ in 0..self.random.below(4) {
                let ty = self.wire_type();
                params.push(param("", ty, self.fresh("d")));
            }
        }
        let outer = self.scope.body;
        self.scope.body = Body::Action;
        let body = self.nested(|g| {
            g.name_params(&params);
            let mut body = Vec::new();
            g.direct_statements(direct, &mut body);
            // What an entry brings should be seen.
            for p in params.iter().filter(|p| p.direction.is_empty()) {
                if let Some(target) = g.writable(&p.ty) {
                    body.push(Stmt::Assign(target, "=", Expr::name(p.name.clone(), p.ty.clone())));
                }
            }
            if g.scope.stage == Stage::Ingress && g.scope.intrinsic && g.random.chance(30) {
                g.port_statement(&mut body);
            }
            body.extend(g.statements((0, 3), 1));
            body
        });
        self.scope.body = outer;
        let name = self.fresh("action_");
        locals.push(Decl::Action(name.clone(), params.clone(), body));
        (name, params)
    }

    /// A control of the top level with constructor parameters.
    fn sub_control(&mut self, stage: Stage) -> (String, FunctionHead) {
        let mut params = self.control_params(false);
        for _ in 0..self.random.between(1, 2) {
            let direction = ["in", "inout", "out"][self.random.below(3)];
            let ty = self.number_type();
            params.push(param(direction, ty, self.fresh("p")));
        }
        let constructor = vec![param("", Type::Bit(8), self.fresh("k"))];
        self.open(stage, Body::Apply, &params);
        self.name_params(&constructor);
        // The value is fixed when the program is loaded.
        if let Some(last) = self.scope.vars.last_mut() {
            last.constant = true;
        }
        let mut locals = Vec::new();
        self.control_locals(&mut locals, (0, 1));
        let mut body = self.statements((1, 3), 0);
        self.apply_all_tables(&mut body);
        let name = self.fresh("Sub");
        let control =
            Control { name: name.clone(), params: params.clone(), constructor, locals, body };
        self.declarations.push(Decl::Control(control));
        (name.clone(), FunctionHead { name, params, result: Type::Void })
    }

    fn sub_instance(&mut self, of: &str, head: &FunctionHead, locals: &mut Vec<Decl>) {
        let name = self.fresh("sub_");
        let argument = self.literal(&Type::Bit(8));
        locals.push(Decl::Instance(Type::Named(of.into()), vec![argument], name.clone()));
        self.scope.blocks.push(FunctionHead { name, ..head.clone() });
    }

    pub(super) fn verify_control(&mut self) {
        let params = self.control_params(false);
        self.open(Stage::Checksum, Body::Apply, &params);
        let mut body = Vec::new();
        if self.random.chance(30) {
            let payload = self.may(Feature::PayloadChecksum) && self.random.chance(25);
            self.checksum(
                ["verify_checksum", "verify_checksum_with_payload"][payload as usize],
                &mut body,
            );
        }
        self.push_control("Verify", params, Vec::new(), body);
    }

    pub(super) fn compute_control(&mut self) {
        let params = self.control_params(false);
        self.open(Stage::Checksum, Body::Apply, &params);
        let mut body = Vec::new();
        if self.random.chance(20) {
            body.extend(self.statements((1, 2), 1));
        }
        if self.random.chance(50) {
            let payload = self.may(Feature::PayloadChecksum) && self.random.chance(25);
            self.checksum(
                ["update_checksum", "update_checksum_with_payload"][payload as usize],
                &mut body,
            );
        }
        self.push_control("Compute", params, Vec::new(), body);
    }

    fn checksum(&mut self, function: &str, out: &mut Block) {
        let found = self.variable(|v| {
            v.writable && matches!(v.expr.ty.plain(), Type::Bit(w) if *w >= 4 && *w <= 64)
        });
        let Some(field) = found else { return };
        let condition = if self.random.chance(60) { self.validity() } else { self.condition(2) };
        let data = self.checksum_data();
        let algorithm = self.algorithm();
        let arguments = vec![condition, data, field, algorithm];
        out.push(Stmt::Call(Expr::symbol(function).call(arguments, Type::Void)));
    }

    pub(super) fn deparser(&mut self) {
        let params = vec![
            param("", Type::Named("packet_out".into()), "pkt"),
            param("in", Type::Named("headers_t".into()), "hdr"),
        ];
        self.scope = Scope::default();
        self.open(Stage::Deparser, Body::Apply, &params[1..]);
        let hdr = Expr::name("hdr", params[1].ty.clone());
        let emit = |what| Stmt::Call(Expr::symbol("pkt").method("emit", vec![what], Type::Void));
        let mut body = Vec::new();
        if self.random.chance(40) {
            body.push(emit(hdr));
        } else {
            for member in self.members.clone() {
                let whole = hdr.clone().member(member.name, self.member_type(member.kind));
                if self.random.chance(10) {
                    let condition = self.condition(2);
                    body.push(Stmt::If(condition, vec![emit(whole)], None));
                } else {
                    body.push(emit(whole));
                }
            }
        }
        self.push_control("Deparse", params, Vec::new(), body);
    }
}
