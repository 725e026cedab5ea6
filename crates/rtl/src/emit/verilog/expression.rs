//! Operations as SystemVerilog expressions.

use super::super::dataflow::Operation;
use num_bigint::BigUint;
use ww_p4::pipeline::{BinaryOp, UnaryOp};

/// How tightly an expression's outermost operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// Needs parentheses as an operand.
    Loose,
    /// A name, a constant, a concatenation, a selection.
    Tight,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Text {
    /// As written.
    pub text: String,
    /// How tightly it binds.
    pub binding: Binding,
}

impl Text {
    /// A name.
    pub fn name(text: &str) -> Self {
        Self { text: text.to_owned(), binding: Binding::Tight }
    }

    /// Bits of a name.
    pub fn selection(text: String) -> Self {
        Self::tight(text)
    }

    fn tight(text: String) -> Self {
        Self { text, binding: Binding::Tight }
    }

    fn loose(text: String) -> Self {
        Self { text, binding: Binding::Loose }
    }

    fn operand(&self) -> String {
        match self.binding {
            Binding::Tight => self.text.clone(),
            Binding::Loose => format!("({})", self.text),
        }
    }
}

/// A constant: decimal if it is small, otherwise hexadecimal.
pub fn constant(width: u32, value: &BigUint) -> Text {
    let text = if width == 1 || value.bits() <= 4 {
        format!("{width}'d{value}")
    } else {
        format!("{width}'h{value:x}")
    };
    Text::tight(text)
}

/// Bits of a named vector.
pub fn select(name: &str, of: u32, low: u32, width: u32) -> String {
    if of == 1 && width == 1 {
        name.to_owned()
    } else if width == 1 {
        format!("{name}[{low}]")
    } else {
        format!("{name}[{}:{low}]", low + width - 1)
    }
}

/// An operation. Operands are given with their widths; what is sliced must be a name.
pub fn operation(operation: Operation, width: u32, operands: &[(Text, u32)]) -> Text {
    let at = |n: usize| operands[n].0.operand();
    let width_of = |n: usize| operands[n].1;
    match operation {
        Operation::Unary(UnaryOp::Not) => Text::loose(format!("~{}", at(0))),
        Operation::Unary(UnaryOp::Negate) => Text::loose(format!("-{}", at(0))),
        Operation::Binary(op) => binary(op, width, operands),
        Operation::Mux => Text::loose(format!("{} ? {} : {}", at(0), at(1), at(2))),
        Operation::OneHot => {
            let choices: Vec<String> = operands
                .chunks(2)
                .map(|pair| {
                    format!("({{{width}{{{}}}}} & {})", pair[0].0.text, pair[1].0.operand())
                })
                .collect();
            Text::loose(choices.join("\n        | "))
        }
        Operation::Slice(low) => Text {
            text: select(&operands[0].0.text, width_of(0), low, width),
            binding: Binding::Tight,
        },
        Operation::ZeroExtend => {
            Text::tight(format!("{{{}'d0, {}}}", width - width_of(0), operands[0].0.text))
        }
        Operation::SignExtend => {
            let sign = &operands[1].0.text;
            let copies = width - width_of(0);
            Text::tight(format!("{{{{{copies}{{{sign}}}}}, {}}}", operands[0].0.text))
        }
        Operation::Join => {
            let parts: Vec<&str> = operands.iter().map(|(text, _)| text.text.as_str()).collect();
            Text::tight(format!("{{{}}}", parts.join(", ")))
        }
        Operation::After => operands[0].0.clone(),
        Operation::Parity => Text::loose(format!("^({} & {})", at(0), at(1))),
    }
}

fn binary(op: BinaryOp, width: u32, operands: &[(Text, u32)]) -> Text {
    let (a, b) = (operands[0].0.operand(), operands[1].0.operand());
    let symbol = |symbol: &str| Text::loose(format!("{a} {symbol} {b}"));
    let function = |name: &str| {
        let wide = operands[0].1;
        Text::tight(format!("{name}_{wide}({}, {})", operands[0].0.text, operands[1].0.text))
    };
    match op {
        BinaryOp::Add => symbol("+"),
        BinaryOp::Sub => symbol("-"),
        BinaryOp::Mul => symbol("*"),
        BinaryOp::Div => symbol("/"),
        BinaryOp::Rem => symbol("%"),
        BinaryOp::And => symbol("&"),
        BinaryOp::Or => symbol("|"),
        BinaryOp::Xor => symbol("^"),
        BinaryOp::Shl => symbol("<<"),
        BinaryOp::Shr => symbol(">>"),
        BinaryOp::ShrSigned => {
            Text::tight(format!("{width}'($signed({}) >>> {b})", operands[0].0.text))
        }
        BinaryOp::Eq => symbol("=="),
        BinaryOp::Ne => symbol("!="),
        BinaryOp::Lt => symbol("<"),
        BinaryOp::Le => symbol("<="),
        BinaryOp::LtSigned => Text::loose(format!(
            "$signed({}) < $signed({})",
            operands[0].0.text, operands[1].0.text
        )),
        BinaryOp::LeSigned => Text::loose(format!(
            "$signed({}) <= $signed({})",
            operands[0].0.text, operands[1].0.text
        )),
        BinaryOp::SatAdd => function("sat_add"),
        BinaryOp::SatSub => function("sat_sub"),
        BinaryOp::SatAddSigned => function("sat_add_signed"),
        BinaryOp::SatSubSigned => function("sat_sub_signed"),
        BinaryOp::Concat => {
            Text::tight(format!("{{{}, {}}}", operands[0].0.text, operands[1].0.text))
        }
    }
}

/// The function that a saturating operator of this width needs, if it is one.
pub fn saturating(op: BinaryOp, width: u32) -> Option<String> {
    let top = width - 1;
    let (name, signed, sign) = match op {
        BinaryOp::SatAdd => ("sat_add", false, '+'),
        BinaryOp::SatSub => ("sat_sub", false, '-'),
        BinaryOp::SatAddSigned => ("sat_add_signed", true, '+'),
        BinaryOp::SatSubSigned => ("sat_sub_signed", true, '-'),
        _ => return None,
    };
    let head = format!(
        "    function automatic logic [{top}:0] {name}_{width}(\n        input logic [{top}:0] a, \
         input logic [{top}:0] b\n    );\n        logic [{width}:0] sum;\n"
    );
    let body = if signed {
        // The carry into the sign and the one out of it differ when the result does not fit.
        let limit = if width == 1 {
            "sum[1]".to_owned()
        } else {
            format!("{{sum[{width}], {{{top}{{~sum[{width}]}}}}}}")
        };
        format!(
            "        sum = {{a[{top}], a}} {sign} {{b[{top}], b}};\n        {name}_{width} = \
             sum[{width}] == sum[{top}] ? sum[{top}:0] : {limit};\n"
        )
    } else {
        let limit =
            if sign == '+' { format!("{{{width}{{1'b1}}}}") } else { format!("{width}'d0") };
        format!(
            "        sum = {{1'b0, a}} {sign} {{1'b0, b}};\n        {name}_{width} = sum[{width}] \
             ? {limit} : sum[{top}:0];\n"
        )
    };
    Some(format!("{head}{body}    endfunction\n"))
}
