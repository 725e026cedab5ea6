//! Expressions, constants and calls.

use super::Printer;
use crate::ir::{
    ActionId, Call, CallArgument, Callee, Const, Expr, ExprKind, InstanceDeclaration, KeySet,
    TableId, Type, UnaryOp, VarId,
};
use crate::lexer::encode_string;
use num_bigint::{BigInt, Sign};

impl Printer<'_> {
    pub(super) fn var(&self, var: VarId) -> &str {
        self.labels.variables.get(var.index()).map_or("?", String::as_str)
    }

    pub(super) fn action_name(&self, id: ActionId) -> &str {
        self.program.actions.get(id.index()).map_or("?", |a| &a.name)
    }

    fn table_name(&self, id: TableId) -> &str {
        self.program.tables.get(id.index()).map_or("?", |t| &t.name)
    }

    pub(super) fn exprs(&self, list: &[Expr]) -> String {
        list.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    /// An expression that something follows or precedes without space.
    fn operand(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        match expr.kind {
            ExprKind::Binary(..) | ExprKind::Conditional(..) | ExprKind::Cast(_) => {
                format!("({text})")
            }
            _ => text,
        }
    }

    fn field_name(&self, ty: &Type, index: u32) -> String {
        let def = self.program.types.as_struct(self.program.types.storage(ty));
        let field = def.and_then(|def| def.fields.get(index as usize));
        field.map_or_else(|| index.to_string(), |field| field.name.to_string())
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Const(value) => self.constant(value, &expr.ty),
            ExprKind::Var(var) => self.var(*var).to_owned(),
            ExprKind::Field(base, index) => {
                format!("{}.{}", self.operand(base), self.field_name(&base.ty, *index))
            }
            ExprKind::TupleField(base, index) => format!("{}[{index}]", self.operand(base)),
            ExprKind::Element(base, index) => {
                format!("{}[{}]", self.operand(base), self.expr(index))
            }
            ExprKind::Next(base) => format!("{}.next", self.operand(base)),
            ExprKind::Last(base) => format!("{}.last", self.operand(base)),
            ExprKind::LastIndex(base) => format!("{}.lastIndex", self.operand(base)),
            ExprKind::Slice { base, hi, lo } => format!("{}[{hi}:{lo}]", self.operand(base)),
            ExprKind::Unary(op, operand) => {
                let symbol = match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::Not => "!",
                    UnaryOp::Complement => "~",
                };
                format!("{symbol}{}", self.operand(operand))
            }
            ExprKind::Binary(op, left, right) => {
                format!("{} {} {}", self.operand(left), op.symbol(), self.operand(right))
            }
            ExprKind::Conditional(condition, yes, no) => format!(
                "{} ? {} : {}",
                self.operand(condition),
                self.operand(yes),
                self.operand(no)
            ),
            ExprKind::Cast(operand) => format!("({}) {}", self.ty(&expr.ty), self.operand(operand)),
            ExprKind::Struct(fields) => self.record(&expr.ty, fields, 0..fields.len()),
            ExprKind::StructInOrder(fields, order) => {
                self.record(&expr.ty, fields, order.iter().map(|n| *n as usize))
            }
            ExprKind::Tuple(elements) => format!("{{ {} }}", self.exprs(elements)),
            ExprKind::Invalid => "{#}".to_owned(),
            ExprKind::Default => format!("default({})", self.ty(&expr.ty)),
            ExprKind::Call(call) => self.call(call),
            ExprKind::TableHit(table) => format!("{}.apply().hit", self.table_name(*table)),
            ExprKind::TableMiss(table) => format!("{}.apply().miss", self.table_name(*table)),
            ExprKind::TableActionRun(table) => {
                format!("{}.apply().action_run", self.table_name(*table))
            }
            ExprKind::Construct(declaration) => self.construction(declaration),
        }
    }

    fn record(&self, ty: &Type, fields: &[Expr], order: impl IntoIterator<Item = usize>) -> String {
        let one = |n: usize| {
            let value = fields.get(n).map(|value| self.expr(value)).unwrap_or_default();
            format!("{} = {value}", self.field_name(ty, n as u32))
        };
        let fields: Vec<_> = order.into_iter().map(one).collect();
        format!("({}) {{ {} }}", self.ty(ty), fields.join(", "))
    }

    pub(super) fn construction(&self, declaration: &InstanceDeclaration) -> String {
        let argument = |a: &Option<Expr>| a.as_ref().map_or("_".to_owned(), |e| self.expr(e));
        let arguments: Vec<_> = declaration.arguments.iter().map(argument).collect();
        format!("{}({})", self.ty(&declaration.ty), arguments.join(", "))
    }

    pub(super) fn constant(&self, value: &Const, ty: &Type) -> String {
        let types = &self.program.types;
        match (value, types.storage(ty)) {
            (Const::Bool(value), _) => value.to_string(),
            (Const::Int(value), storage) => {
                if let (Type::Enum(id), Some(def)) = (ty, self.enum_member(ty, value)) {
                    return format!("{}.{def}", types[*id].name);
                }
                match storage {
                    Type::Bit(width) => format!("{width}w{}", number(value)),
                    Type::Signed(width) => format!("{width}s{}", number(value)),
                    _ => number(value),
                }
            }
            (Const::String(text), _) => encode_string(text),
            (Const::Error(index), _) => {
                let name = self.program.errors.get(*index as usize).map_or("?", |name| name);
                format!("error.{name}")
            }
            (Const::Member(index), Type::Enum(id)) => {
                let def = &types[*id];
                let member = def.members.get(*index as usize).map_or("?", |m| &m.name);
                format!("{}.{member}", def.name)
            }
            (Const::Member(index), Type::ActionRun(id)) => {
                let table = self.program.tables.get(id.index());
                let listed = table.and_then(|t| t.actions.get(*index as usize));
                listed.map_or("?", |listed| self.action_name(listed.action)).to_owned()
            }
            (Const::Member(index), _) => format!("member {index}"),
            (Const::MatchKind(name), _) => name.to_string(),
            (Const::Aggregate(values), storage) => {
                let element = |n: usize| match storage {
                    Type::Struct(id) => types[*id].fields.get(n).map(|f| f.ty.clone()),
                    Type::Tuple(elements) => elements.get(n).cloned(),
                    Type::Stack(element, _) | Type::List(element) => Some((**element).clone()),
                    _ => None,
                };
                let one = |(n, value): (usize, &Const)| {
                    let ty = element(n).unwrap_or(Type::Unknown);
                    let text = self.constant(value, &ty);
                    match storage {
                        Type::Struct(_) => {
                            format!("{} = {text}", self.field_name(storage, n as u32))
                        }
                        _ => text,
                    }
                };
                let parts: Vec<_> = values.iter().enumerate().map(one).collect();
                match storage {
                    Type::Struct(_) => format!("({}) {{ {} }}", self.ty(ty), parts.join(", ")),
                    _ => format!("{{ {} }}", parts.join(", ")),
                }
            }
            (Const::Invalid, _) => "{#}".to_owned(),
        }
    }

    /// The first member of a serializable enum with a value.
    fn enum_member(&self, ty: &Type, value: &BigInt) -> Option<&str> {
        let Type::Enum(id) = ty else { return None };
        let members = &self.program.types[*id].members;
        members.iter().find(|m| m.value.as_ref() == Some(value)).map(|m| &*m.name)
    }

    pub(super) fn call(&self, call: &Call) -> String {
        let program = self.program;
        let callee = match &call.callee {
            Callee::Function(id) => {
                self.labels.functions.get(id.index()).cloned().unwrap_or_default()
            }
            Callee::Action(id) => self.action_name(*id).to_owned(),
            Callee::ExternFunction(id) => {
                let function = program.extern_functions.get(id.index());
                function.map_or("?", |f| &f.signature.name).to_owned()
            }
            Callee::Method { object, extern_id, method } => {
                let object = object.as_ref().map_or("this".to_owned(), |o| self.operand(o));
                let def = program.types.externs.get(extern_id.index());
                let method = def.and_then(|def| def.methods.get(*method as usize));
                format!("{object}.{}", method.map_or("?", |m| &m.signature.name))
            }
            Callee::Apply(object) => format!("{}.apply", self.operand(object)),
            Callee::Table(id) => format!("{}.apply", self.table_name(*id)),
            Callee::IsValid(header) => format!("{}.isValid", self.operand(header)),
            Callee::SetValid(header) => format!("{}.setValid", self.operand(header)),
            Callee::SetInvalid(header) => format!("{}.setInvalid", self.operand(header)),
            Callee::PushFront(stack, n) => {
                return format!("{}.push_front({n})", self.operand(stack));
            }
            Callee::PopFront(stack, n) => return format!("{}.pop_front({n})", self.operand(stack)),
        };
        let types: Vec<_> = call.type_arguments.iter().map(|ty| self.ty(ty)).collect();
        let types =
            if types.is_empty() { String::new() } else { format!("<{}>", types.join(", ")) };
        format!("{callee}{types}({})", self.arguments(&call.arguments))
    }

    pub(super) fn arguments(&self, arguments: &[CallArgument]) -> String {
        let one = |a: &CallArgument| {
            let value = a.value.as_ref().map_or("_".to_owned(), |value| self.expr(value));
            format!("{}{value}", super::declarations::direction(a.direction))
        };
        arguments.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn key_set(&self, set: &KeySet) -> String {
        match set {
            KeySet::Any => "_".to_owned(),
            KeySet::Value(value) => self.expr(value),
            KeySet::Mask(value, mask) => format!("{} &&& {}", self.expr(value), self.expr(mask)),
            KeySet::Range(low, high) => format!("{} .. {}", self.expr(low), self.expr(high)),
            KeySet::ValueSet(set) => self.expr(set),
        }
    }

    pub(super) fn key_sets(&self, sets: &[KeySet]) -> String {
        let list: Vec<_> = sets.iter().map(|set| self.key_set(set)).collect();
        match list.as_slice() {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        }
    }
}

/// Small numbers in decimal, others in hexadecimal.
fn number(value: &BigInt) -> String {
    let digits = match value.magnitude().to_string() {
        digit if digit.len() == 1 => digit,
        _ => format!("{:#x}", value.magnitude()),
    };
    if value.sign() == Sign::Minus { format!("-{digits}") } else { digits }
}
