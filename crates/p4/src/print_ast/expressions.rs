//! Types and expressions, with no more parentheses than the grammar needs.

use super::Printer;
use crate::ast::{
    Argument, BinaryOp, Expression, ExpressionKind, Path, TypeExpr, TypeExprKind, UnaryOp,
};
use crate::lexer::encode_string;

/// How tightly an expression binds; larger is tighter.
const CONDITIONAL: u8 = 0;
const FIRST_BINARY: u8 = 1;
const PREFIX: u8 = 20;
const POSTFIX: u8 = 30;

fn binary_precedence(op: BinaryOp) -> u8 {
    FIRST_BINARY
        + match op {
            BinaryOp::LogicalOr => 0,
            BinaryOp::LogicalAnd => 1,
            BinaryOp::Eq | BinaryOp::Ne => 2,
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => 3,
            BinaryOp::Or => 4,
            BinaryOp::Xor => 5,
            BinaryOp::And => 6,
            BinaryOp::Shl | BinaryOp::Shr => 7,
            BinaryOp::Concat
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::SatAdd
            | BinaryOp::SatSub => 8,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => 9,
        }
}

fn precedence(expression: &Expression) -> u8 {
    match &expression.kind {
        ExpressionKind::Conditional(..) => CONDITIONAL,
        ExpressionKind::Binary(op, ..) => binary_precedence(*op),
        ExpressionKind::Unary(..) | ExpressionKind::Cast(..) => PREFIX,
        _ => POSTFIX,
    }
}

impl Printer {
    pub(super) fn path(&mut self, path: &Path) {
        if path.absolute {
            self.text(".");
        }
        self.text(&path.name.name);
    }

    pub(super) fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeExprKind::Bool => self.text("bool"),
            TypeExprKind::Error => self.text("error"),
            TypeExprKind::MatchKind => self.text("match_kind"),
            TypeExprKind::String => self.text("string"),
            TypeExprKind::Void => self.text("void"),
            TypeExprKind::Int => self.text("int"),
            TypeExprKind::DontCare => self.text("_"),
            TypeExprKind::Bit(None) => self.text("bit"),
            TypeExprKind::Bit(Some(width)) => self.sized("bit", width),
            TypeExprKind::Signed(width) => self.sized("int", width),
            TypeExprKind::Varbit(width) => self.sized("varbit", width),
            TypeExprKind::Named { path, arguments } => {
                self.path(path);
                if !arguments.is_empty() {
                    self.type_arguments(arguments);
                }
            }
            TypeExprKind::Stack { element, size } => {
                self.ty(element);
                self.text("[");
                self.expression(size);
                self.text("]");
            }
            TypeExprKind::Tuple(elements) => {
                self.text("tuple");
                self.type_arguments(elements);
            }
            TypeExprKind::List(element) => {
                self.text("list<");
                self.ty(element);
                self.text(">");
            }
        }
    }

    fn sized(&mut self, name: &str, width: &Expression) {
        self.text(name);
        self.text("<");
        self.number_or_parenthesized(width);
        self.text(">");
    }

    /// A number as it is, anything else in parentheses: widths and priorities.
    pub(super) fn number_or_parenthesized(&mut self, value: &Expression) {
        let is_number = matches!(value.kind, ExpressionKind::Number { .. });
        self.at_least(value, if is_number { CONDITIONAL } else { u8::MAX });
    }

    pub(super) fn type_arguments(&mut self, arguments: &[TypeExpr]) {
        self.text("<");
        self.commas(arguments, |p, ty| p.ty(ty));
        self.text(">");
    }

    pub(super) fn arguments(&mut self, arguments: &[Argument]) {
        self.text("(");
        self.commas(arguments, |p, argument| {
            if let Some(name) = &argument.name {
                p.text(&name.name);
                p.text(" = ");
            }
            p.expression(&argument.value);
        });
        self.text(")");
    }

    /// An expression, in parentheses if it binds less tightly than `lowest`.
    fn at_least(&mut self, expression: &Expression, lowest: u8) {
        if precedence(expression) < lowest {
            self.text("(");
            self.expression(expression);
            self.text(")");
        } else {
            self.expression(expression);
        }
    }

    pub(super) fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Bool(value) => self.text(if *value { "true" } else { "false" }),
            ExpressionKind::Number { value, width } => {
                if let Some(width) = width {
                    let sign = if width.signed { 's' } else { 'w' };
                    self.text(&format!("{}{sign}", width.bits));
                }
                self.text(&value.to_string());
            }
            ExpressionKind::String(text) => self.text(&encode_string(text)),
            ExpressionKind::Name(path) => self.path(path),
            ExpressionKind::This => self.text("this"),
            ExpressionKind::Type(ty) => self.ty(ty),
            ExpressionKind::Member(base, member) => {
                self.at_least(base, POSTFIX);
                self.text(".");
                self.text(&member.name);
            }
            ExpressionKind::Index(base, index) => {
                self.at_least(base, POSTFIX);
                self.text("[");
                self.expression(index);
                self.text("]");
            }
            ExpressionKind::Slice(base, high, low) => {
                self.at_least(base, POSTFIX);
                self.text("[");
                self.expression(high);
                self.text(":");
                self.expression(low);
                self.text("]");
            }
            ExpressionKind::Call { callee, type_arguments, arguments } => {
                self.at_least(callee, POSTFIX);
                if !type_arguments.is_empty() {
                    self.type_arguments(type_arguments);
                }
                self.arguments(arguments);
            }
            ExpressionKind::Unary(op, operand) => {
                self.text(op.symbol());
                // `++` would be a token of its own.
                if matches!(operand.kind, ExpressionKind::Unary(UnaryOp::Plus, _)) {
                    self.text(" ");
                }
                self.at_least(operand, PREFIX);
            }
            ExpressionKind::Binary(op, left, right) => {
                let precedence = binary_precedence(*op);
                self.at_least(left, precedence);
                self.text(" ");
                self.text(op.symbol());
                self.text(" ");
                self.at_least(right, precedence + 1);
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                self.at_least(condition, FIRST_BINARY);
                self.text(" ? ");
                self.expression(then);
                self.text(" : ");
                self.expression(otherwise);
            }
            ExpressionKind::Cast(ty, operand) => {
                self.text("(");
                self.ty(ty);
                self.text(")");
                self.at_least(operand, PREFIX);
            }
            ExpressionKind::List { elements, defaults } => {
                self.text("{ ");
                self.commas(elements, |p, e| p.expression(e));
                self.ending(elements.is_empty(), *defaults);
            }
            ExpressionKind::Record { fields, defaults } => {
                self.text("{ ");
                self.commas(fields, |p, (name, value)| {
                    p.text(&name.name);
                    p.text(" = ");
                    p.expression(value);
                });
                self.ending(fields.is_empty(), *defaults);
            }
            ExpressionKind::Invalid => self.text("{#}"),
            ExpressionKind::Defaults => self.text("..."),
            ExpressionKind::Mask(value, mask) => {
                self.expression(value);
                self.text(" &&& ");
                self.expression(mask);
            }
            ExpressionKind::Range(first, last) => {
                self.expression(first);
                self.text(" .. ");
                self.expression(last);
            }
            ExpressionKind::DontCare => self.text("_"),
            ExpressionKind::Default => self.text("default"),
            ExpressionKind::Error => self.text("/* unreadable */"),
        }
    }

    /// The end of a brace expression, perhaps with `...`.
    fn ending(&mut self, empty: bool, defaults: bool) {
        match (empty, defaults) {
            (false, true) => self.text(", ... }"),
            (true, true) => self.text("... }"),
            (false, false) => self.text(" }"),
            (true, false) => self.text("}"),
        }
    }

    /// A keyset: one element, or a tuple in parentheses.
    pub(super) fn keyset(&mut self, elements: &[Expression]) {
        match elements {
            [one] => self.expression(one),
            many => {
                self.text("(");
                self.commas(many, |p, e| p.expression(e));
                self.text(")");
            }
        }
    }
}
