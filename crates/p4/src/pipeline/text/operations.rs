//! Operations and expressions as text.

use super::Printer;
use crate::pipeline::expression::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::pipeline::fields::FieldId;
use crate::pipeline::operations::{ArgumentValue, ExternCall, Extract, OpKind, Operand, OutLeaf};

impl Printer<'_> {
    fn name(&self, field: FieldId) -> &str {
        &self.pipeline[field].name
    }

    fn names(&self, fields: &[FieldId]) -> String {
        fields.iter().map(|f| self.name(*f)).collect::<Vec<_>>().join(", ")
    }

    /// An operation.
    pub(super) fn op(&self, op: &OpKind) -> String {
        let guard = |guard: &Option<FieldId>| match guard {
            Some(guard) => format!(" if {}", self.name(*guard)),
            None => String::new(),
        };
        let at = |offset: &Option<u64>| match offset {
            Some(offset) => format!(" @ {offset}"),
            None => String::new(),
        };
        match op {
            OpKind::Assign { to, value, guard: g } => {
                format!("{} = {}{}", self.name(*to), self.expr(value), guard(g))
            }
            OpKind::AssignElement { index, to, guards, value } => {
                let only = match guards.as_slice() {
                    [] => String::new(),
                    guards => format!(" if [{}]", self.names(guards)),
                };
                let (index, value) = (self.expr(index), self.expr(value));
                format!("[{}][{index}] = {value}{only}", self.names(to))
            }
            OpKind::Invalidate { header } => format!("invalidate {}", self.pipeline[*header].name),
            OpKind::InvalidateElement { index, headers } => {
                let names: Vec<_> =
                    headers.iter().map(|h| self.pipeline[*h].name.to_string()).collect();
                format!("invalidate [{}][{}]", names.join(", "), self.expr(index))
            }
            OpKind::Extern(call) => self.extern_call(call),
            OpKind::Extract(extract) => self.extract(extract) + &at(&extract.offset),
            OpKind::Lookahead { to, bits, offset } => {
                let fields: Vec<_> =
                    to.iter().map(|(f, o)| format!("{} @ {o}", self.name(*f))).collect();
                format!("lookahead {bits} bits: {}{}", fields.join(", "), at(offset))
            }
            OpKind::Advance { bits, offset } => {
                format!("advance {}{}", self.expr(bits), at(offset))
            }
            OpKind::PacketLength { to } => format!("{} = packet length", self.name(*to)),
            OpKind::Verify { condition, error } => {
                format!("verify {}, {}", self.expr(condition), self.error(error))
            }
            OpKind::Emit { header } => format!("emit {}", self.pipeline[*header].name),
        }
    }

    fn error(&self, error: &Expr) -> String {
        let code = error.as_const().and_then(|n| usize::try_from(n).ok());
        match code.and_then(|n| self.pipeline.errors.get(n)) {
            Some(name) => format!("error.{name}"),
            None => self.expr(error),
        }
    }

    fn extract(&self, extract: &Extract) -> String {
        let names: Vec<_> =
            extract.headers.iter().map(|h| self.pipeline[*h].name.to_string()).collect();
        let target = match &extract.index {
            None => names.join(", "),
            Some(index) => format!("[{}][{}]", names.join(", "), self.expr(index)),
        };
        let varbit = match &extract.varbit {
            Some(bits) => format!(" with {} variable bits", self.expr(bits)),
            None => String::new(),
        };
        format!("extract {target}{varbit}")
    }

    fn extern_call(&self, call: &ExternCall) -> String {
        let object = match call.object {
            Some(id) => format!("{}.", self.pipeline[id].name),
            None => String::new(),
        };
        let arguments: Vec<_> = call
            .arguments
            .iter()
            .map(|a| match &a.value {
                ArgumentValue::In(operand) => format!("{} = {}", a.name, self.operand(operand)),
                ArgumentValue::Out(out) => format!("{} -> {}", a.name, self.leaves(out)),
                ArgumentValue::InOut(operand, out) => {
                    format!("{} = {} -> {}", a.name, self.operand(operand), self.leaves(out))
                }
                ArgumentValue::Text(text) => format!("{} = {text:?}", a.name),
                ArgumentValue::Member(name, _) => format!("{} = {name}", a.name),
                ArgumentValue::Object(id) => format!("{} = {}", a.name, self.pipeline[*id].name),
                ArgumentValue::Absent => format!("{} absent", a.name),
            })
            .collect();
        let result = match call.result.as_slice() {
            [] => String::new(),
            result => format!("{} = ", self.leaves(result)),
        };
        let types = match call.type_arguments.as_slice() {
            [] => String::new(),
            types => format!("<{}>", types.join(", ")),
        };
        format!("{result}call {object}{}{types}({})", call.name, arguments.join(", "))
    }

    fn operand(&self, operand: &Operand) -> String {
        let leaf = |l: &crate::pipeline::operations::InLeaf| {
            let length = match &l.length {
                Some(length) => format!(" length {}", self.expr(length)),
                None => String::new(),
            };
            let valid = match &l.valid {
                Some(valid) => format!(" if {}", self.expr(valid)),
                None => String::new(),
            };
            format!("{}{length}{valid}", self.expr(&l.value))
        };
        match operand.leaves.as_slice() {
            [only] if only.name.is_empty() => leaf(only),
            leaves => {
                let leaves: Vec<_> =
                    leaves.iter().map(|l| format!("{}: {}", l.name, leaf(l))).collect();
                format!("{{{}}}", leaves.join(", "))
            }
        }
    }

    fn leaves(&self, leaves: &[OutLeaf]) -> String {
        match leaves {
            [only] => self.name(only.field).to_owned(),
            _ => {
                let names: Vec<_> = leaves.iter().map(|l| self.name(l.field).to_owned()).collect();
                format!("{{{}}}", names.join(", "))
            }
        }
    }

    /// An expression; constants with their width.
    pub(super) fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Const(value) => format!("{}w{value:#x}", e.width),
            ExprKind::Field(id) => self.name(*id).to_owned(),
            ExprKind::Unary(UnaryOp::Not, a) => format!("~{}", self.operand_text(a)),
            ExprKind::Unary(UnaryOp::Negate, a) => format!("-{}", self.operand_text(a)),
            ExprKind::Binary(op, a, b) => {
                format!("{} {} {}", self.operand_text(a), symbol(*op), self.operand_text(b))
            }
            ExprKind::Select(c, a, b) => {
                let (a, b) = (self.operand_text(a), self.operand_text(b));
                format!("{} ? {a} : {b}", self.operand_text(c))
            }
            ExprKind::Slice(a, low) => {
                let high = low + e.width.saturating_sub(1);
                format!("{}[{high}:{low}]", self.operand_text(a))
            }
            ExprKind::ZeroExtend(a) => format!("zext<{}>({})", e.width, self.expr(a)),
            ExprKind::SignExtend(a) => format!("sext<{}>({})", e.width, self.expr(a)),
            ExprKind::Index(index, elements) => {
                let elements: Vec<_> = elements.iter().map(|e| self.expr(e)).collect();
                format!("[{}][{}]", elements.join(", "), self.expr(index))
            }
        }
    }

    fn operand_text(&self, e: &Expr) -> String {
        match e.kind {
            ExprKind::Binary(..) | ExprKind::Select(..) => format!("({})", self.expr(e)),
            _ => self.expr(e),
        }
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::SatAdd => "|+|",
        BinaryOp::SatSub => "|-|",
        BinaryOp::SatAddSigned => "|+|s",
        BinaryOp::SatSubSigned => "|-|s",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::ShrSigned => ">>s",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::LtSigned => "<s",
        BinaryOp::LeSigned => "<=s",
        BinaryOp::Concat => "++",
    }
}
