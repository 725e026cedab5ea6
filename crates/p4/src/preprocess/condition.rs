//! The expression of an `#if`: all operators of C on 64-bit integers.

use super::Preprocessor;
use crate::lexer::{Punct, RawKind, RawToken};
use crate::source::Span;

/// Deepest nesting of parentheses, unary operators and conditionals.
const MAX_DEPTH: usize = 100;

/// A number as the C preprocessor has it: 64 bits, signed or not.
#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    fn of(bits: i64) -> Self {
        Self { bits, unsigned: false }
    }

    fn truth(condition: bool) -> Self {
        Self::of(i64::from(condition))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// A message and its place.
type Failure = (Span, String);

impl Preprocessor<'_> {
    /// Whether the expression holds; an error counts as false.
    pub(super) fn evaluate_condition(&mut self, directive: Span, line: Vec<RawToken>) -> bool {
        if line.is_empty() {
            self.diagnostics.error(directive, "expected an expression behind '#if'");
            return false;
        }
        let end = line.last().map_or(directive, |t| t.span);
        let resolved = self.resolve_defined(line);
        let expanded = self.expand_all(resolved);
        let expanded = self.resolve_defined(expanded);
        let mut reader = Reader { tokens: &expanded, at: 0, depth: 0, unused: 0, end };
        match reader.whole() {
            Ok(value) => value.is_true(),
            Err((span, message)) => {
                self.diagnostics.error(span, message);
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0, before `X` itself is expanded.
    fn resolve_defined(&mut self, line: Vec<RawToken>) -> Vec<RawToken> {
        let is_defined =
            |t: &RawToken| matches!(&t.kind, RawKind::Identifier(n) if &**n == "defined");
        if !line.iter().any(is_defined) {
            return line;
        }
        let mut out = Vec::with_capacity(line.len());
        let mut rest = line.as_slice();
        while let Some((token, behind)) = rest.split_first() {
            rest = behind;
            let name = match behind {
                _ if !is_defined(token) => None,
                [open, name, close, ..]
                    if open.is(Punct::ParenOpen) && close.is(Punct::ParenClose) =>
                {
                    Some((name, 3))
                }
                [name, ..] => Some((name, 1)),
                [] => None,
            };
            match name {
                Some((RawToken { kind: RawKind::Identifier(name), .. }, length)) => {
                    let digit = if self.is_defined(name) { "1" } else { "0" };
                    let kind = RawKind::Number(self.interner.intern(digit));
                    out.push(RawToken { kind, ..token.clone() });
                    rest = rest.get(length..).unwrap_or(&[]);
                }
                _ => out.push(token.clone()),
            }
        }
        out
    }
}

/// Reads one expression.
struct Reader<'t> {
    tokens: &'t [RawToken],
    at: usize,
    depth: usize,
    /// Above 0 in an operand whose value does not matter, where a division by zero is no error.
    unused: usize,
    end: Span,
}

impl Reader<'_> {
    fn whole(&mut self) -> Result<Value, Failure> {
        let value = self.comma()?;
        match self.tokens.get(self.at) {
            None => Ok(value),
            Some(token) => Err((token.span, format!("unexpected '{}' in '#if'", token.spelling()))),
        }
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |t| t.span)
    }

    fn punct(&self) -> Option<Punct> {
        match self.tokens.get(self.at)?.kind {
            RawKind::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.punct() == Some(punct);
        self.at += usize::from(found);
        found
    }

    fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if self.depth >= MAX_DEPTH {
            return Err((self.span(), "the expression of '#if' is nested too deeply".to_owned()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn comma(&mut self) -> Result<Value, Failure> {
        let mut value = self.conditional()?;
        while self.eat(Punct::Comma) {
            value = self.conditional()?;
        }
        Ok(value)
    }

    /// Reads an operand whose value matters only if `used`.
    fn operand(
        &mut self,
        used: bool,
        read: impl FnOnce(&mut Self) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        self.unused += usize::from(!used);
        let result = read(self);
        self.unused -= usize::from(!used);
        result
    }

    fn conditional(&mut self) -> Result<Value, Failure> {
        self.nested(|r| {
            let condition = r.binary(0)?;
            if !r.eat(Punct::Question) {
                return Ok(condition);
            }
            let chosen = condition.is_true();
            let then = r.operand(chosen, Self::comma)?;
            if !r.eat(Punct::Colon) {
                return Err((r.span(), "expected ':' in '#if'".to_owned()));
            }
            let otherwise = r.operand(!chosen, Self::conditional)?;
            let unsigned = then.unsigned || otherwise.unsigned;
            Ok(Value { unsigned, ..if chosen { then } else { otherwise } })
        })
    }

    fn binary(&mut self, lowest: u8) -> Result<Value, Failure> {
        let mut left = self.unary()?;
        while let Some(op) = self.punct() {
            let Some(precedence) = precedence(op).filter(|&p| p >= lowest) else { break };
            let place = self.span();
            self.at += 1;
            let used = match op {
                Punct::LogicalAnd => left.is_true(),
                Punct::LogicalOr => !left.is_true(),
                _ => true,
            };
            let right = self.operand(used, |r| r.binary(precedence + 1))?;
            left = self.apply(op, left, right, place)?;
        }
        Ok(left)
    }

    fn apply(&self, op: Punct, a: Value, b: Value, place: Span) -> Result<Value, Failure> {
        let unsigned = a.unsigned || b.unsigned;
        let (x, y) = (a.bits, b.bits);
        let less = |x: i64, y: i64| if unsigned { (x as u64) < y as u64 } else { x < y };
        let bits = match op {
            Punct::Star => x.wrapping_mul(y),
            Punct::Slash | Punct::Percent => {
                if y == 0 {
                    if self.unused > 0 {
                        return Ok(Value { bits: 0, unsigned });
                    }
                    return Err((place, "division by zero in '#if'".to_owned()));
                }
                match (op, unsigned) {
                    (Punct::Slash, true) => (x as u64 / y as u64) as i64,
                    (Punct::Slash, false) => x.wrapping_div(y),
                    (_, true) => (x as u64 % y as u64) as i64,
                    (_, false) => x.wrapping_rem(y),
                }
            }
            Punct::Plus => x.wrapping_add(y),
            Punct::Minus => x.wrapping_sub(y),
            Punct::Shl | Punct::Shr => {
                return Ok(Value { bits: shift(op, a, y), unsigned: a.unsigned });
            }
            Punct::And => x & y,
            Punct::Xor => x ^ y,
            Punct::Or => x | y,
            Punct::Lt => return Ok(Value::truth(less(x, y))),
            Punct::Gt => return Ok(Value::truth(less(y, x))),
            Punct::Le => return Ok(Value::truth(!less(y, x))),
            Punct::Ge => return Ok(Value::truth(!less(x, y))),
            Punct::Eq => return Ok(Value::truth(x == y)),
            Punct::Ne => return Ok(Value::truth(x != y)),
            Punct::LogicalAnd => return Ok(Value::truth(x != 0 && y != 0)),
            _ => return Ok(Value::truth(x != 0 || y != 0)),
        };
        Ok(Value { bits, unsigned })
    }

    fn unary(&mut self) -> Result<Value, Failure> {
        self.nested(|r| {
            let span = r.span();
            let Some(token) = r.tokens.get(r.at) else {
                return Err((span, "the expression of '#if' ends too early".to_owned()));
            };
            r.at += 1;
            match &token.kind {
                RawKind::Punct(Punct::Minus) => {
                    let value = r.unary()?;
                    Ok(Value { bits: value.bits.wrapping_neg(), ..value })
                }
                RawKind::Punct(Punct::Plus) => r.unary(),
                RawKind::Punct(Punct::Not) => Ok(Value::truth(!r.unary()?.is_true())),
                RawKind::Punct(Punct::Tilde) => {
                    let value = r.unary()?;
                    Ok(Value { bits: !value.bits, ..value })
                }
                RawKind::Punct(Punct::ParenOpen) => {
                    let value = r.comma()?;
                    if !r.eat(Punct::ParenClose) {
                        return Err((r.span(), "expected ')' in '#if'".to_owned()));
                    }
                    Ok(value)
                }
                RawKind::Punct(Punct::DontCare) => Ok(Value::of(0)),
                RawKind::Identifier(name) if &**name == "defined" => {
                    Err((span, "expected a name behind 'defined'".to_owned()))
                }
                RawKind::Identifier(name) => {
                    if r.punct() == Some(Punct::ParenOpen) {
                        let message = format!("'{name}' is not a macro with arguments");
                        return Err((span, message));
                    }
                    // What is no macro counts as 0.
                    Ok(Value::of(0))
                }
                RawKind::Number(text) => number(text)
                    .ok_or_else(|| (span, format!("'{text}' is not an integer '#if' can use"))),
                _ => Err((span, format!("unexpected '{}' in '#if'", token.spelling()))),
            }
        })
    }
}

/// `value << by` or `value >> by`; a negative amount shifts the other way.
fn shift(op: Punct, value: Value, by: i64) -> i64 {
    let left = (op == Punct::Shl) == (by >= 0);
    let amount = by.unsigned_abs();
    match (left, value.unsigned) {
        (true, _) if amount > 63 => 0,
        (true, _) => value.bits << amount,
        (false, true) if amount > 63 => 0,
        (false, true) => (value.bits as u64 >> amount) as i64,
        (false, false) => value.bits >> amount.min(63),
    }
}

fn precedence(op: Punct) -> Option<u8> {
    Some(match op {
        Punct::LogicalOr => 0,
        Punct::LogicalAnd => 1,
        Punct::Or => 2,
        Punct::Xor => 3,
        Punct::And => 4,
        Punct::Eq | Punct::Ne => 5,
        Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 6,
        Punct::Shl | Punct::Shr => 7,
        Punct::Plus | Punct::Minus => 8,
        Punct::Star | Punct::Slash | Punct::Percent => 9,
        _ => return None,
    })
}

/// A C integer with its suffix; a leading zero means octal.
fn number(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_str() {
        s if s.starts_with("0x") => (16, &s[2..]),
        s if s.starts_with("0b") => (2, &s[2..]),
        s if s.starts_with("0o") => (8, &s[2..]),
        s if s.starts_with('0') && s.len() > 1 => (8, &s[1..]),
        s => (10, s),
    };
    let length = digits.find(['u', 'l']).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(length);
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return None;
    }
    let digits = if digits.is_empty() && radix == 8 { "0" } else { digits };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let unsigned = suffix.contains('u') || i64::try_from(value).is_err();
    Some(Value { bits: value as i64, unsigned })
}
