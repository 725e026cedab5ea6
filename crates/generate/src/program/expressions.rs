//! Expressions, from the type that is wanted downwards.

use super::Generator;
use super::scope::{Body, Stage};
use crate::profile::Feature;
use crate::tree::*;

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Generator<'_> {
    /// A constant of a scalar type.
    pub(super) fn literal(&mut self, ty: &Type) -> Expr {
        match ty.plain().clone() {
            Type::Bool => Expr::bool(self.random.chance(50)),
            Type::Error => {
                let name = self.errors[self.random.below(self.errors.len())].clone();
                Expr::symbol("error").member(name, Type::Error)
            }
            Type::Enum(name, underlying) => {
                let found = self.enums.iter().find(|e| e.ty == *ty.plain());
                let members = found.map(|e| e.members.clone()).unwrap_or_default();
                match (self.random.pick(&members).cloned(), underlying) {
                    // A number that is no member.
                    (_, Some(underlying)) if self.random.chance(10) => {
                        self.literal(&underlying).cast(ty.clone())
                    }
                    (member, _) => {
                        Expr::symbol(name).member(member.unwrap_or_default(), ty.clone())
                    }
                }
            }
            Type::Tuple(types) => {
                let parts = types.iter().map(|t| self.literal(t)).collect();
                Expr::new(ExprKind::List(parts), ty.clone())
            }
            _ => {
                let value = self.value(ty.width().unwrap_or(1));
                Expr::number(value, ty.clone())
            }
        }
    }

    /// Something without operators.
    pub(super) fn leaf(&mut self, ty: &Type) -> Expr {
        if self.random.chance(75)
            && let Some(found) = self.variable(|v| v.expr.ty.plain() == ty.plain())
        {
            return found;
        }
        self.literal(ty)
    }

    /// Something without operators whose value is unknown at compile time; `None` if there is
    /// nothing of that type.
    pub(super) fn runtime_leaf(&mut self, ty: &Type) -> Option<Expr> {
        self.variable(|v| !v.constant && v.expr.ty.plain() == ty.plain())
    }

    /// An expression of a scalar or tuple type.
    pub(super) fn expr(&mut self, ty: &Type, depth: usize) -> Expr {
        if depth == 0 || self.random.chance(15) {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match ty.plain().clone() {
            Type::Bool => self.condition(depth),
            Type::Bit(_) | Type::Int(_) => self.number_expr(&ty.plain().clone(), depth),
            Type::Tuple(types) => {
                let parts = types.iter().map(|t| self.expr(t, depth)).collect();
                Expr::new(ExprKind::List(parts), ty.clone())
            }
            Type::New(_, of) | Type::Enum(_, Some(of)) if self.random.chance(30) => {
                self.expr(&of, depth).cast(ty.clone())
            }
            _ if self.random.chance(20) => self.ternary(ty, depth),
            _ => self.leaf(ty),
        }
    }

    fn ternary(&mut self, ty: &Type, depth: usize) -> Expr {
        let condition = self.condition(depth);
        let (yes, no) = (self.expr(ty, depth), self.expr(ty, depth));
        let parts = ExprKind::Ternary(Box::new(condition), Box::new(yes), Box::new(no));
        Expr::new(parts, ty.clone())
    }

    /// A Boolean expression.
    pub(super) fn condition(&mut self, depth: usize) -> Expr {
        let depth = depth.saturating_sub(1);
        match self.random.below(20) {
            0 | 1 => self.leaf(&Type::Bool),
            2 => {
                Expr::new(ExprKind::Unary("!", Box::new(self.expr(&Type::Bool, depth))), Type::Bool)
            }
            3 | 4 => {
                let op = ["&&", "||"][self.random.below(2)];
                self.logic(op, depth)
            }
            5 => {
                let op = ["==", "!="][self.random.below(2)];
                self.logic(op, depth)
            }
            6 | 7 => self.validity(),
            8 => self.header_comparison(),
            9 => {
                let ty = self.scalar_type();
                let op = ["==", "!="][self.random.below(2)];
                let (a, b) = (self.expr(&ty, depth), self.leaf(&ty));
                Expr::binary(op, a, b, Type::Bool)
            }
            10 => self.expr(&Type::Bit(1), depth).cast(Type::Bool),
            11 => self.ternary(&Type::Bool, depth),
            12 => self.call_of_type(&Type::Bool, depth),
            _ => {
                // A type of which there is something, so that not all is constant.
                let found = self.variable(|v| {
                    !v.constant && matches!(v.expr.ty.plain(), Type::Bit(_) | Type::Int(_))
                });
                let Some(left) = found else { return self.leaf(&Type::Bool) };
                let right = self.expr(&left.ty.clone(), depth);
                let op = COMPARISONS[self.random.below(6)];
                Expr::binary(op, left, right, Type::Bool)
            }
        }
    }

    fn logic(&mut self, op: &'static str, depth: usize) -> Expr {
        let (a, b) = (self.expr(&Type::Bool, depth), self.expr(&Type::Bool, depth));
        Expr::binary(op, a, b, Type::Bool)
    }

    /// `h.isValid()`
    pub(super) fn validity(&mut self) -> Expr {
        let headers: Vec<_> = self.scope.places.iter().filter(|p| p.size.is_none()).collect();
        match self.random.pick(&headers) {
            Some(place) => place.expr.clone().method("isValid", Vec::new(), Type::Bool),
            None => self.leaf(&Type::Bool),
        }
    }

    /// Two headers, stacks or structs of the same type.
    fn header_comparison(&mut self) -> Expr {
        let op = ["==", "!="][self.random.below(2)];
        let wholes: Vec<Expr> = self
            .scope
            .places
            .iter()
            .map(|p| p.expr.clone())
            .chain(self.scope.structs.iter().map(|s| s.expr.clone()))
            .collect();
        let Some(left) = self.random.pick(&wholes).cloned() else { return self.leaf(&Type::Bool) };
        let same: Vec<&Expr> = wholes.iter().filter(|e| e.ty == left.ty).collect();
        let right = self.random.pick(&same).map_or_else(|| left.clone(), |e| (*e).clone());
        Expr::binary(op, left, right, Type::Bool)
    }

    /// A call of a function without effects, if there is one with such a result.
    fn call_of_type(&mut self, ty: &Type, depth: usize) -> Expr {
        let fitting: Vec<_> = self
            .scope
            .functions
            .iter()
            .filter(|f| f.result == *ty && f.params.iter().all(|p| p.direction == "in"))
            .cloned()
            .collect();
        let Some(function) = self.random.pick(&fitting).cloned() else { return self.leaf(ty) };
        let arguments = function.params.iter().map(|p| self.expr(&p.ty, depth.min(1))).collect();
        Expr::symbol(function.name).call(arguments, ty.clone())
    }

    fn number_expr(&mut self, ty: &Type, depth: usize) -> Expr {
        let signed = matches!(ty, Type::Int(_));
        let width = ty.width().unwrap_or(1);
        match self.random.below(30) {
            0..=9 => {
                const OPS: [&str; 8] = ["+", "-", "*", "&", "|", "^", "|+|", "|-|"];
                let op = OPS[self.random.below(OPS.len())];
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                Expr::binary(op, a, b, ty.clone())
            }
            10 | 11 => self.shift(ty, depth),
            12 | 13 => {
                let op = ["~", "-"][self.random.below(2)];
                Expr::new(ExprKind::Unary(op, Box::new(self.expr(ty, depth))), ty.clone())
            }
            14 | 15 => self.ternary(ty, depth),
            16 => self.call_of_type(ty, depth),
            17 if !signed => self.division(width, depth),
            18 | 19 if !signed && width > 1 => {
                let low = self.random.between(1, width as usize - 1) as u32;
                let left = self.expr(&Type::Bit(width - low), depth);
                let right = self.expr(&Type::Bit(low), depth);
                Expr::binary("++", left, right, ty.clone())
            }
            20 if signed => self.expr(&Type::Bit(width), depth).cast(ty.clone()),
            20 => self.expr(&Type::Int(width), depth).cast(ty.clone()),
            21 if width == 1 && !signed => self.condition(depth).cast(ty.clone()),
            22 if !signed => self.stack_number(ty),
            23 => self.runtime_element(ty),
            24 if !signed => self.parser_number(ty, width),
            _ => self.adapted(ty, depth),
        }
    }

    fn shift(&mut self, ty: &Type, depth: usize) -> Expr {
        let op = ["<<", ">>"][self.random.below(2)];
        let value = self.expr(ty, depth);
        let amount = if self.may(Feature::VariableShift) && self.random.chance(50) {
            let narrow = self.variable(|v| matches!(v.expr.ty.plain(), Type::Bit(w) if *w <= 16));
            narrow.filter(|e| !self.constants.contains(e))
        } else {
            None
        };
        let width = ty.width().unwrap_or(1) as usize;
        let amount = amount.unwrap_or_else(|| Expr::bits(16, self.random.below(width + 3) as u64));
        Expr::binary(op, value, amount, ty.clone())
    }

    /// The divisor is no constant zero.
    fn division(&mut self, width: u32, depth: usize) -> Expr {
        let ty = Type::Bit(width);
        let op = ["/", "%"][self.random.below(2)];
        if !self.may(Feature::Division) {
            return self.leaf(&ty);
        }
        let divisor = match self.runtime_leaf(&ty) {
            Some(found) if self.random.chance(70) => found,
            _ => Expr::number(self.value(width) | num_bigint::BigUint::from(1u32), ty.clone()),
        };
        Expr::binary(op, self.expr(&ty, depth), divisor, ty)
    }

    /// `lastIndex` and `size` of a stack, sizes of headers.
    fn stack_number(&mut self, ty: &Type) -> Expr {
        let of = Type::Bit(32);
        let choose = self.random.below(3);
        let stacks: Vec<_> = self
            .scope
            .places
            .iter()
            .filter(|p| p.size.is_some() == (choose > 0))
            .map(|p| p.expr.clone())
            .collect();
        let number = match (self.random.pick(&stacks).cloned(), choose) {
            (Some(header), 0) => {
                let size = header.method("minSizeInBits", Vec::new(), of.clone());
                return size.cast(ty.clone());
            }
            (Some(stack), 1) if self.scope.stage == Stage::Parser => stack.member("lastIndex", of),
            (Some(stack), _) => stack.member("size", of),
            _ => return self.leaf(ty),
        };
        if number.ty == *ty { number } else { number.cast(ty.clone()) }
    }

    /// A field of a stack element chosen at run time.
    fn runtime_element(&mut self, ty: &Type) -> Expr {
        match self.element_field(false, |t| t.plain() == ty) {
            Some(found) => found,
            None => self.leaf(ty),
        }
    }

    /// A field, with an accepted type, of a stack element chosen at run time.
    pub(super) fn element_field(
        &mut self,
        write: bool,
        accept: impl Fn(&Type) -> bool,
    ) -> Option<Expr> {
        if !self.may(Feature::RuntimeIndex) || self.scope.stage == Stage::Deparser {
            return None;
        }
        let stacks: Vec<_> = self
            .scope
            .places
            .iter()
            .filter(|p| p.size.is_some() && (p.writable || !write))
            .cloned()
            .collect();
        let stack = self.random.pick(&stacks)?.clone();
        let header = &self.header_types[stack.header];
        let fields: Vec<_> = header.fields.iter().filter(|(_, ty)| accept(ty)).cloned().collect();
        let ty = header.ty();
        let (name, field) = self.random.pick(&fields)?.clone();
        let small = self
            .variable(|v| !v.constant && matches!(v.expr.ty.plain(), Type::Bit(w) if *w <= 32))?;
        let index = if self.random.chance(60) {
            let index_type = small.ty.clone();
            Expr::binary("&", small, Expr::number(1u32, index_type.clone()), index_type)
        } else {
            small
        };
        Some(stack.expr.index(index, ty).member(name, field))
    }

    /// What only a parser can read.
    fn parser_number(&mut self, ty: &Type, width: u32) -> Expr {
        let in_parser = self.scope.stage == Stage::Parser && self.scope.body == Body::State;
        let packet = Expr::symbol("pkt");
        if in_parser && self.random.chance(40) {
            let length = packet.method("length", Vec::new(), Type::Bit(32));
            return if width == 32 { length } else { length.cast(ty.clone()) };
        }
        if in_parser && self.may(Feature::Lookahead) && width <= 64 {
            let call = Box::new(packet.member("lookahead", Type::Void));
            return Expr::new(ExprKind::Call(call, vec![ty.clone()], Vec::new()), ty.clone());
        }
        self.leaf(ty)
    }

    /// Something of another width, type or sign, brought to this type.
    fn adapted(&mut self, ty: &Type, depth: usize) -> Expr {
        let signed = matches!(ty, Type::Int(_));
        let width = ty.width().unwrap_or(1);
        let found = self.variable(|v| {
            matches!(v.expr.ty.storage(), Type::Bit(_) | Type::Int(_))
                && v.expr.ty.plain() != ty.plain()
        });
        let Some(other) = found else { return self.leaf(ty) };
        let wide = other.ty.width().unwrap_or(1);
        let is_number = matches!(other.ty.plain(), Type::Bit(_) | Type::Int(_));
        if is_number && !signed && wide >= width && self.random.chance(50) {
            let low = self.random.below((wide - width) as usize + 1) as u32;
            return other.slice(low + width - 1, low);
        }
        // Through the plain number of its own width, then through the wanted width.
        let storage = other.ty.storage().clone();
        let mut value = if is_number { other } else { other.cast(storage.clone()) };
        if is_number && depth > 0 && self.random.chance(50) {
            value = self.expr(&storage, depth - 1);
        }
        let bridge =
            if matches!(storage, Type::Int(_)) { Type::Int(width) } else { Type::Bit(width) };
        if wide != width {
            value = value.cast(bridge.clone());
        }
        if bridge == *ty { value } else { value.cast(ty.clone()) }
    }
}
