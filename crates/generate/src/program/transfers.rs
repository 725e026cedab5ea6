//! Where packets go: ports, drops, copies and returns.

use super::Generator;
use super::scope::Stage;
use super::types::ONCE;
use crate::profile::Feature;
use crate::tree::*;

impl Generator<'_> {
    fn intrinsic(name: &str, width: u32) -> Expr {
        Expr::symbol("sm").member(name, Type::Bit(width))
    }

    /// `sm.egress_spec = ..`: mostly a port of a few.
    pub(super) fn port_statement(&mut self, out: &mut Block) {
        let port = if self.random.chance(25)
            && let Some(found) = self.variable(|v| matches!(v.expr.ty.plain(), Type::Bit(8)))
        {
            let low = Expr::binary("&", found, Expr::bits(8, 7), Type::Bit(8));
            low.cast(Type::Bit(9))
        } else {
            Expr::bits(9, self.random.between(1, 8) as u64)
        };
        out.push(Stmt::Assign(Self::intrinsic("egress_spec", 9), "=", port));
    }

    /// Only for packets that are no copies and did not return: so all ends.
    fn once(&mut self, statement: Stmt, out: &mut Block) {
        let kind = Self::intrinsic("instance_type", 32);
        let mut condition = Expr::binary("==", kind, Expr::bits(32, 0), Type::Bool);
        if self.random.chance(60) {
            let more = self.condition(2);
            condition = Expr::binary("&&", condition, more, Type::Bool);
        }
        out.push(Stmt::If(condition, vec![statement], None));
    }

    /// In egress returned packets look like new ones: the metadata, which the field lists keep,
    /// knows better.
    fn recirculate(&mut self, call: Stmt, out: &mut Block) {
        let flag = Expr::symbol("meta").member(ONCE, Type::Bit(1));
        let kind = Self::intrinsic("instance_type", 32);
        let is_new = Expr::binary("==", kind, Expr::bits(32, 0), Type::Bool);
        let is_first = Expr::binary("==", flag.clone(), Expr::bits(1, 0), Type::Bool);
        let mut condition = Expr::binary("&&", is_new, is_first, Type::Bool);
        if self.random.chance(60) {
            let more = self.condition(2);
            condition = Expr::binary("&&", condition, more, Type::Bool);
        }
        let set = Stmt::Assign(flag, "=", Expr::bits(1, 1));
        out.push(Stmt::If(condition, vec![set, call], None));
    }

    pub(super) fn transfer_statement(&mut self, out: &mut Block) {
        let ingress = self.scope.stage == Stage::Ingress;
        let list = Expr::bits(8, self.random.between(1, 2) as u64);
        let call =
            |name: &str, arguments| Stmt::Call(Expr::symbol(name).call(arguments, Type::Void));
        match self.random.below(10) {
            0 | 1 if self.may(Feature::Clone) => {
                let kind = if ingress { "I2E" } else { "E2E" };
                let kind = Expr::symbol("CloneType").member(kind, Type::Void);
                let session = Expr::bits(32, self.random.between(1, 3) as u64);
                let mut arguments = vec![kind, session];
                let name = if self.random.chance(80) {
                    arguments.push(list);
                    "clone_preserving_field_list"
                } else {
                    "clone"
                };
                self.once(call(name, arguments), out);
            }
            2 if ingress && self.may(Feature::Resubmit) => {
                self.once(call("resubmit_preserving_field_list", vec![list]), out);
            }
            3 if self.may(Feature::Recirculate) => {
                let call = call("recirculate_preserving_field_list", vec![list]);
                self.recirculate(call, out);
            }
            4 if ingress && self.may(Feature::Multicast) => {
                let group = Expr::bits(16, self.random.between(1, 2) as u64);
                let set = Stmt::Assign(Self::intrinsic("mcast_grp", 16), "=", group);
                let condition = self.condition(2);
                out.push(Stmt::If(condition, vec![set], None));
            }
            5 if self.may(Feature::Truncate) => {
                let length = Expr::bits(32, self.random.between(0, 60) as u64);
                let condition = self.condition(2);
                out.push(Stmt::If(condition, vec![call("truncate", vec![length])], None));
            }
            6 => {
                let drop = call("mark_to_drop", vec![Expr::symbol("sm")]);
                let condition = self.condition(2);
                out.push(Stmt::If(condition, vec![drop], None));
            }
            7 | 8 if ingress => self.port_statement(out),
            _ => self.assignment(out),
        }
    }
}
