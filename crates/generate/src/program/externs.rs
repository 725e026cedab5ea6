//! Objects of the architecture and their use: registers, counters, meters; `hash`, `random`,
//! `digest`, `log_msg`, `assert`.

use super::Generator;
use super::scope::{Body, Object, Stage};
use crate::profile::Feature;
use crate::tree::*;

/// All algorithms of v1model.
pub const ALGORITHMS: [&str; 8] =
    ["crc32", "crc32_custom", "crc16", "crc16_custom", "random", "identity", "csum16", "xor16"];

impl Generator<'_> {
    /// Registers that ingress and egress share.
    pub(super) fn global_registers(&mut self) {
        if self.may(Feature::Objects) && self.random.chance(20) {
            let (object, declaration) = self.register();
            self.declarations.push(declaration);
            self.global_objects.push(object);
        }
    }

    fn register(&mut self) -> (Object, Decl) {
        let ty = self.number_type();
        let name = self.fresh("register_");
        let size = self.random.between(1, 8) as u32;
        let types = self.with_index_type(vec![ty.clone()]);
        let size_argument = vec![Expr::bits(32, size.into())];
        let ty_text = Type::Generic("register".into(), types);
        let declaration = Decl::Instance(ty_text, size_argument, name.clone());
        (Object { kind: "register", name, ty, size }, declaration)
    }

    /// From one version of v1model on, objects have the type of their index as a type argument.
    fn with_index_type(&self, mut types: Vec<Type>) -> Vec<Type> {
        if self.version >= GENERIC_INDICES {
            types.push(Type::Bit(32));
        }
        types
    }

    /// A register, counter or meter of a control.
    pub(super) fn object(&mut self, locals: &mut Vec<Decl>) {
        if !self.may(Feature::Objects) {
            return;
        }
        let choice = self.random.below(4);
        if choice < 2 {
            let (object, declaration) = self.register();
            locals.push(declaration);
            self.scope.objects.push(object);
            return;
        }
        let kind = ["counter", "meter"][choice - 2];
        let (unit_type, units): (_, &[&str]) = match kind {
            "counter" => ("CounterType", &["packets", "bytes", "packets_and_bytes"]),
            _ => ("MeterType", &["packets", "bytes"]),
        };
        let unit = units[self.random.below(units.len())];
        let name = self.fresh(&format!("{kind}_"));
        let size = self.random.between(1, 8) as u32;
        let arguments =
            vec![Expr::bits(32, size.into()), Expr::symbol(unit_type).member(unit, Type::Void)];
        let types = self.with_index_type(Vec::new());
        let ty = if types.is_empty() {
            Type::Named(kind.into())
        } else {
            Type::Generic(kind.into(), types)
        };
        locals.push(Decl::Instance(ty, arguments, name.clone()));
        let ty = Type::Bit(self.random.between(2, 8) as u32);
        self.scope.objects.push(Object { kind, name, ty, size });
    }

    /// An index: mostly within the array.
    fn object_index(&mut self, size: u32) -> Expr {
        let ty = Type::Bit(32);
        let index = self.expr(&ty, 2);
        if self.random.chance(15) {
            return index;
        }
        let bound = Expr::bits(32, size.next_power_of_two() as u64 - 1);
        Expr::binary("&", index, bound, ty)
    }

    /// A use of one of the objects in scope.
    pub(super) fn object_statement(&mut self, out: &mut Block) {
        let Some(object) = self.random.pick(&self.scope.objects).cloned() else { return };
        let this = Expr::symbol(object.name.clone());
        match object.kind {
            "register" => {
                let index = self.object_index(object.size);
                if self.random.chance(35) {
                    let value = self.expr(&object.ty, 2);
                    out.push(Stmt::Call(this.method("write", vec![index, value], Type::Void)));
                    return;
                }
                let target = self.target(&object.ty, out);
                let read = vec![target.clone(), index.clone()];
                out.push(Stmt::Call(this.clone().method("read", read, Type::Void)));
                if self.random.chance(60) {
                    let more = self.expr(&object.ty, 1);
                    let sum = Expr::binary("+", target, more, object.ty);
                    out.push(Stmt::Call(this.method("write", vec![index, sum], Type::Void)));
                }
            }
            "counter" => {
                let index = self.object_index(object.size);
                out.push(Stmt::Call(this.method("count", vec![index], Type::Void)));
            }
            "meter" => {
                let index = self.object_index(object.size);
                let target = self.target(&object.ty, out);
                out.push(Stmt::Call(this.method("execute_meter", vec![index, target], Type::Void)));
            }
            _ => {}
        }
    }

    /// A call of a function of the architecture.
    pub(super) fn extern_statement(&mut self, out: &mut Block) {
        let stage = self.scope.stage;
        match self.random.below(12) {
            0..=3 => self.hash_statement(out),
            4 if self.may(Feature::Random) && stage != Stage::Parser => self.random_statement(out),
            5 if self.may(Feature::Digest) && stage != Stage::Parser => self.digest_statement(out),
            6 if self.may(Feature::Debugging) => self.debug_statement(out),
            7.. if matches!(stage, Stage::Ingress | Stage::Egress) && self.scope.intrinsic => {
                self.transfer_statement(out);
            }
            _ => self.assignment(out),
        }
    }

    pub(super) fn algorithm(&mut self) -> Expr {
        let mut name = ALGORITHMS[self.random.below(ALGORITHMS.len())];
        if name == "random" && !self.may(Feature::Random) {
            name = "crc32";
        }
        Expr::symbol("HashAlgorithm").member(name, Type::Void)
    }

    fn hash_statement(&mut self, out: &mut Block) {
        let (result, base, max) = (self.bit_type(), self.bit_type(), self.bit_type());
        let target = self.target(&result, out);
        let algorithm = self.algorithm();
        let base = self.expr(&base, 1);
        let data = self.data(4);
        let max = if self.random.chance(70) {
            Expr::number(self.random.between(1, 64), Type::Bit(16))
        } else {
            self.expr(&max, 1)
        };
        let arguments = vec![target, algorithm, base, data, max];
        out.push(Stmt::Call(Expr::symbol("hash").call(arguments, Type::Void)));
    }

    fn bit_type(&mut self) -> Type {
        Type::Bit(self.width())
    }

    fn random_statement(&mut self, out: &mut Block) {
        let ty = self.bit_type();
        let target = self.target(&ty, out);
        let (low, high) = (self.expr(&ty, 1), self.expr(&ty, 1));
        out.push(Stmt::Call(Expr::symbol("random").call(vec![target, low, high], Type::Void)));
    }

    fn digest_statement(&mut self, out: &mut Block) {
        let receiver = Expr::bits(32, self.random.below(3) as u64);
        let index = self.random.below(self.struct_types.len());
        let (name, fields) =
            (self.struct_types[index].name.clone(), self.struct_types[index].fields.clone());
        let ty = Type::Named(name);
        let (data, types) = if self.random.chance(70) {
            let parts = fields.iter().map(|(_, ty)| self.expr(ty, 2)).collect();
            (Expr::new(ExprKind::List(parts), ty.clone()), vec![ty])
        } else {
            (self.data(3), Vec::new())
        };
        let call = ExprKind::Call(Box::new(Expr::symbol("digest")), types, vec![receiver, data]);
        out.push(Stmt::Call(Expr::new(call, Type::Void)));
    }

    fn debug_statement(&mut self, out: &mut Block) {
        if self.random.chance(70) {
            let text = Expr::new(ExprKind::Text("value {} of {}".into()), Type::Void);
            let data = self.data(2);
            out.push(Stmt::Call(Expr::symbol("log_msg").call(vec![text, data], Type::Void)));
            return;
        }
        // It should hold for most packets: false drops.
        let Some(number) =
            self.variable(|v| !v.constant && matches!(v.expr.ty.plain(), Type::Bit(w) if *w >= 8))
        else {
            return;
        };
        let other = self.literal(&number.ty.clone());
        let condition = Expr::binary("!=", number, other, Type::Bool);
        let name = ["assert", "assume"][self.random.below(2)];
        out.push(Stmt::Call(Expr::symbol(name).call(vec![condition], Type::Void)));
    }

    /// The meter and counter of a table; gives its properties.
    pub(super) fn direct_objects(&mut self, locals: &mut Vec<Decl>) -> Vec<(&'static str, Expr)> {
        let mut properties = Vec::new();
        if !self.may(Feature::Objects) {
            return properties;
        }
        let unit = |of: &str, name: &str| vec![Expr::symbol(of).member(name, Type::Void)];
        if self.random.chance(25) {
            let name = self.fresh("direct_counter_");
            let arguments = unit("CounterType", "packets_and_bytes");
            locals.push(Decl::Instance(
                Type::Named("direct_counter".into()),
                arguments,
                name.clone(),
            ));
            properties.push(("counters", Expr::symbol(name.clone())));
            self.scope.objects.push(Object {
                kind: "direct_counter",
                name,
                ty: Type::Void,
                size: 0,
            });
        }
        if self.random.chance(20) {
            let name = self.fresh("direct_meter_");
            let word = ["packets", "bytes"][self.random.below(2)];
            let ty = Type::Bit(self.random.between(2, 8) as u32);
            let of = Type::Generic("direct_meter".into(), vec![ty.clone()]);
            locals.push(Decl::Instance(of, unit("MeterType", word), name.clone()));
            properties.push(("meters", Expr::symbol(name.clone())));
            self.scope.objects.push(Object { kind: "direct_meter", name, ty, size: 0 });
        }
        properties
    }

    /// Uses of a table's direct objects, for the actions of that table.
    pub(super) fn direct_statements(&mut self, properties: &[(&str, Expr)], out: &mut Block) {
        for (_, object) in properties {
            let found = self.scope.objects.iter().find(|o| *object == Expr::symbol(o.name.clone()));
            let Some(found) = found.cloned() else { continue };
            match found.kind {
                "direct_counter" => {
                    out.push(Stmt::Call(object.clone().method("count", Vec::new(), Type::Void)));
                }
                "direct_meter" if self.scope.body == Body::Action => {
                    let target = self.target(&found.ty, out);
                    out.push(Stmt::Call(object.clone().method("read", vec![target], Type::Void)));
                }
                _ => {}
            }
        }
    }
}
