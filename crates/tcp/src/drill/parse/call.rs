//! System calls in a script.

use super::{Parser, Problem};
use crate::drill::script::{Call, Expected, Value};
use crate::drill::symbols;

/// Arguments may be nested so deep.
const DEEPEST: usize = 16;

impl Parser<'_> {
    pub(super) fn call(&mut self) -> Result<Call, Problem> {
        let name = self.word();
        self.expect("(")?;
        let mut arguments = Vec::new();
        if !self.eat(")") {
            loop {
                arguments.push(self.value(0)?);
                if self.eat(")") {
                    break;
                }
                self.expect(",")?;
            }
        }
        let mut result = Expected::Anything;
        if self.eat("=") {
            result = self.result()?;
        }
        Ok(Call { name, arguments, result })
    }

    fn result(&mut self) -> Result<Expected, Problem> {
        if self.eat("?") {
            return Ok(Expected::Anything);
        }
        let Some(number) = self.value(0)?.number() else {
            return self.broken("a number that the call returns, in front of this");
        };
        // The error stands on the same line.
        while self.peek().is_some_and(|next| next == b' ' || next == b'\t') {
            self.bump();
        }
        if number != -1 || self.peek() != Some(b'E') {
            return Ok(Expected::Value(number));
        }
        let name = self.word();
        if symbols::error(&name).is_none() {
            return self.unsupported(format!("error `{name}`"));
        }
        while self.peek().is_some_and(|next| next == b' ' || next == b'\t') {
            self.bump();
        }
        if self.peek() == Some(b'(') {
            while self.peek().is_some_and(|next| next != b')' && next != b'\n') {
                self.bump();
            }
            self.expect(")")?;
        }
        Ok(Expected::Error(if name == "EWOULDBLOCK" { "EAGAIN".into() } else { name }))
    }

    fn value(&mut self, depth: usize) -> Result<Value, Problem> {
        if depth > DEEPEST {
            return self.broken("arguments that are nested less deeply");
        }
        let first = self.operand(depth)?;
        let Value::Number(mut number) = first else { return Ok(first) };
        while self.eat("|") {
            match self.operand(depth)? {
                Value::Number(more) => number |= more,
                _ => return self.broken("a number or a name of one in front of this"),
            }
        }
        Ok(Value::Number(number))
    }

    fn operand(&mut self, depth: usize) -> Result<Value, Problem> {
        self.skip();
        if self.eat("...") {
            return Ok(Value::Ellipsis);
        }
        match self.peek() {
            Some(b'"') => {
                self.bump();
                let begin = self.at;
                while self.peek().is_some_and(|next| next != b'"' && next != b'\n') {
                    self.bump();
                }
                let text = self.text[begin..self.at].to_owned();
                if self.peek() != Some(b'"') {
                    return self.broken("the end of the string");
                }
                self.bump();
                Ok(Value::Text(text))
            }
            Some(b'[') => {
                self.bump();
                let mut list = Vec::new();
                if self.eat("]") {
                    return Ok(Value::List(list));
                }
                loop {
                    list.push(self.value(depth + 1)?);
                    if self.eat("]") {
                        return Ok(Value::List(list));
                    }
                    self.expect(",")?;
                }
            }
            Some(b'{') => self.structure(depth),
            Some(b'-') => {
                self.bump();
                let number = self.integer()?;
                Ok(Value::Number(-number))
            }
            Some(next) if next.is_ascii_digit() => Ok(Value::Number(self.integer()?)),
            Some(next) if next.is_ascii_alphabetic() || next == b'_' => {
                let name = self.word();
                if self.peek() == Some(b'(') {
                    self.bump();
                    let inner = self.value(depth + 1)?;
                    self.expect(")")?;
                    return Ok(match (name.as_str(), inner) {
                        ("htons" | "htonl", Value::Number(number)) => Value::Number(number),
                        (_, inner) => inner,
                    });
                }
                Ok(symbols::value(&name).map_or(Value::Name(name), Value::Number))
            }
            _ => self.broken("an argument"),
        }
    }

    fn integer(&mut self) -> Result<i64, Problem> {
        let begin = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_alphanumeric()) {
            self.bump();
        }
        let text = &self.text[begin..self.at];
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        parsed.or_else(|_| self.broken("a number below 2^63 in front of this"))
    }

    fn structure(&mut self, depth: usize) -> Result<Value, Problem> {
        self.expect("{")?;
        let mut fields = Vec::new();
        if self.eat("}") {
            return Ok(Value::Structure(fields));
        }
        loop {
            self.skip();
            let (at, line) = (self.at, self.line);
            let name = self.word();
            // `msg_iov(2)=`: the count says nothing new.
            if self.peek() == Some(b'(')
                && !matches!(name.as_str(), "htons" | "htonl" | "inet_addr")
            {
                while self.peek().is_some_and(|next| next != b')' && next != b'\n') {
                    self.bump();
                }
                self.expect(")")?;
            }
            if !name.is_empty() && self.eat("=") {
                let value = self.value(depth + 1)?;
                fields.push((Some(name), value));
            } else {
                (self.at, self.line) = (at, line);
                fields.push((None, self.value(depth + 1)?));
            }
            if self.eat("}") {
                return Ok(Value::Structure(fields));
            }
            self.expect(",")?;
        }
    }
}
