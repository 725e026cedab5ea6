//! From the text of an STF file to its statements.

use super::cursor::{Cursor, Result};
use super::syntax::*;
use crate::number;
use crate::word::{Word, shorten};
use num_bigint::BigUint;
use ww_p4::diagnostic::{Diagnostic, Diagnostics};
use ww_p4::source::{FileId, SourceMap, Span};
use ww_spelling::suggestion;

/// Longest packet of a test, in bytes.
const LONGEST_PACKET: usize = 65_536;

/// All first words of a line.
const VERBS: [&str; 24] = [
    "packet",
    "expect",
    "no_packet",
    "wait",
    "add",
    "setdefault",
    "remove",
    "mirroring_add",
    "mirroring_add_mc",
    "mirroring_delete",
    "mirroring_get",
    "mc_mgrp_create",
    "mc_node_create",
    "mc_node_associate",
    "register_write",
    "register_read",
    "register_reset",
    "counter_read",
    "counter_write",
    "counter_reset",
    "check_counter",
    "meter_set_rates",
    "meter_array_set_rates",
    "meter_get_rates",
];

/// Reads a test that was added to `sources`. All errors go to `diagnostics`; the lines without
/// error are in the result.
pub fn parse(file: FileId, sources: &SourceMap, diagnostics: &mut Diagnostics) -> Test {
    let mut test = Test::default();
    let text = sources.file(file).map_or("", |f| f.text.as_str());
    let mut base = 0;
    for full in text.split_inclusive('\n') {
        let line = full.split('#').next().unwrap_or("").trim_end();
        let mut cursor = Cursor::new(file, base, line);
        base += full.len();
        if cursor.at_end() {
            continue;
        }
        let start = cursor.start();
        match statement(&mut cursor) {
            Ok(kind) => test.statements.push(Statement { kind, span: cursor.span_from(start) }),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    test
}

fn statement(line: &mut Cursor) -> Result<StatementKind> {
    use StatementKind::*;
    let verb = line.word("a command")?;
    let kind = match verb.text.to_ascii_lowercase().as_str() {
        "packet" => Packet { port: port(line)?, bytes: packet_bytes(line)? },
        "expect" => Expect { port: port(line)?, pattern: packet_pattern(line)? },
        "no_packet" => NoPacket,
        "wait" => Wait,
        "add" => add(line)?,
        "setdefault" => SetDefault { table: line.name("a table")?, action: action(line)? },
        "remove" => remove(line)?,
        "mirroring_add" => MirroringAdd { session: line.small("a session")?, port: port(line)? },
        "mirroring_add_mc" => {
            MirroringAddGroup { session: line.small("a session")?, group: group(line)? }
        }
        "mirroring_delete" => MirroringDelete(line.small("a session")?),
        "mirroring_get" => MirroringGet(line.small("a session")?),
        "mc_mgrp_create" => GroupCreate(group(line)?),
        "mc_node_create" => {
            let replication_id = line.small("a replication id (0 to 65535)")?;
            let mut ports = Vec::new();
            while !line.at_end() {
                ports.push(port(line)?);
            }
            NodeCreate { replication_id, ports }
        }
        "mc_node_associate" => {
            NodeAssociate { group: group(line)?, node: line.small("the number of a node")? }
        }
        "register_write" => RegisterWrite {
            register: line.name("a register")?,
            index: index(line)?,
            value: line.integer("a value")?,
        },
        "register_read" => {
            let register = line.name("a register")?;
            let index = if line.at_end() { None } else { Some(index(line)?) };
            let expected = if line.at_end() { None } else { Some(line.integer("a value")?) };
            RegisterRead { register, index, expected }
        }
        "register_reset" => RegisterReset(line.name("a register")?),
        "counter_read" => CounterRead { counter: line.name("a counter")?, index: index(line)? },
        "counter_write" => CounterWrite {
            counter: line.name("a counter")?,
            index: index(line)?,
            packets: line.small("a number of packets")?,
            bytes: line.small("a number of bytes")?,
        },
        "counter_reset" => CounterReset(line.name("a counter")?),
        "check_counter" => check_counter(line)?,
        "meter_set_rates" => MeterSetRates {
            meter: line.name("a meter")?,
            index: Some(index(line)?),
            rates: [rate(line)?, rate(line)?],
        },
        "meter_array_set_rates" => MeterSetRates {
            meter: line.name("a meter")?,
            index: None,
            rates: [rate(line)?, rate(line)?],
        },
        "meter_get_rates" => MeterGetRates { meter: line.name("a meter")?, index: index(line)? },
        other => {
            let message = format!("there is no STF command `{}`", shorten(other));
            let mut diagnostic = Diagnostic::error(verb.span, message);
            if let Some(near) = suggestion(other, VERBS) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            return Err(Box::new(diagnostic));
        }
    };
    line.end()?;
    Ok(kind)
}

fn port(line: &mut Cursor) -> Result<u32> {
    line.small("a port number")
}

fn group(line: &mut Cursor) -> Result<u16> {
    line.small("a multicast group (1 to 65535)")
}

fn index(line: &mut Cursor) -> Result<u64> {
    line.small("an index")
}

/// The remaining characters of a packet: half-bytes or `*`, and whether a `$` ended them.
fn nibbles(line: &mut Cursor, wildcards: bool) -> Result<(Vec<Option<u8>>, bool)> {
    let start = line.start();
    let mut result = Vec::new();
    let mut exact = false;
    while !line.at_end() {
        let here = line.here();
        let word = line.word("bytes in hexadecimal")?;
        for (at, c) in word.text.char_indices() {
            let lo = here.lo + at as u32;
            let span = Span { lo, hi: lo + c.len_utf8() as u32, ..here };
            let problem = match c {
                _ if exact => "`$` must be the last character".to_owned(),
                '$' if wildcards => {
                    exact = true;
                    continue;
                }
                '*' if wildcards => {
                    result.push(None);
                    continue;
                }
                _ => match c.to_digit(16) {
                    Some(digit) => {
                        result.push(Some(digit as u8));
                        continue;
                    }
                    None if wildcards => {
                        format!("expected hexadecimal digits, `*` or a final `$`, found `{c}`")
                    }
                    None => format!("expected hexadecimal digits, found `{c}`"),
                },
            };
            return Err(Box::new(Diagnostic::error(span, problem)));
        }
    }
    let span = line.span_from(start);
    if result.len() % 2 != 0 && wildcards && !exact {
        // The beginning of a packet may end within a byte.
        result.push(None);
    }
    if result.len() % 2 != 0 {
        let message = format!("{} hexadecimal digits do not make whole bytes", result.len());
        return Err(Box::new(Diagnostic::error(span, message)));
    }
    if result.len() / 2 > LONGEST_PACKET {
        let message = format!("the packet is longer than {LONGEST_PACKET} bytes");
        return Err(Box::new(Diagnostic::error(span, message)));
    }
    Ok((result, exact))
}

fn packet_bytes(line: &mut Cursor) -> Result<Vec<u8>> {
    let (digits, _) = nibbles(line, false)?;
    let byte = |pair: &[Option<u8>]| match pair {
        [Some(high), Some(low)] => high << 4 | low,
        _ => 0,
    };
    Ok(digits.chunks(2).map(byte).collect())
}

fn packet_pattern(line: &mut Cursor) -> Result<Option<PacketPattern>> {
    if line.at_end() {
        return Ok(None);
    }
    let (nibbles, exact) = nibbles(line, true)?;
    Ok(Some(PacketPattern { nibbles, exact }))
}

fn add(line: &mut Cursor) -> Result<StatementKind> {
    let table = line.name("a table")?;
    let priority = priority(line)?;
    let keys = keys(line)?;
    let action = action(line)?;
    let name = if line.eat("=") { Some(entry_name(line, "a name for the entry")?) } else { None };
    Ok(StatementKind::Add { table, priority, keys, action, name })
}

fn remove(line: &mut Cursor) -> Result<StatementKind> {
    let table = line.name("`all` or a table")?;
    if line.at_end() && table.text == "all" {
        return Ok(StatementKind::RemoveAll);
    }
    let priority = priority(line)?;
    let keys = keys(line)?;
    Ok(StatementKind::Remove { table, priority, keys })
}

/// A number that is not the name of a key.
fn priority(line: &mut Cursor) -> Result<Option<i64>> {
    let rest = line.rest();
    let word = rest.split(|c: char| c.is_whitespace()).next().unwrap_or("");
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric()) {
        if let Some(priority) = number::small(word) {
            line.word("a priority")?;
            return Ok(Some(priority));
        }
        if word.bytes().all(|b| b.is_ascii_digit()) {
            return Err(line.expected("a priority below 2^63"));
        }
    }
    Ok(None)
}

/// As many `KEY:VALUE` as there are.
fn keys(line: &mut Cursor) -> Result<Vec<KeyValue>> {
    let mut keys = Vec::new();
    while next_is_key(line.rest()) {
        let name = line.key_name()?;
        line.expect(":", "`:` behind the name of the key")?;
        let start = line.start();
        let value = match_value(line)?;
        keys.push(KeyValue { name, value, span: line.span_from(start) });
    }
    Ok(keys)
}

/// Whether a key comes next: its `:` is before any parenthesis with contents, which an action's
/// name would have behind it.
fn next_is_key(rest: &str) -> bool {
    let mut depth = 0usize;
    let mut characters = rest.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            ':' if depth == 0 => return true,
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '(' => {
                if !rest[at..].starts_with("()") || !rest[at + 2..].trim_start().starts_with(':') {
                    return false;
                }
                characters.next();
            }
            c if c.is_whitespace() && depth == 0 => {
                return rest[at..].trim_start().starts_with(':');
            }
            _ => {}
        }
    }
    false
}

fn match_value(line: &mut Cursor) -> Result<MatchValue> {
    let word = line.number_text("a value")?;
    let complain = |what: &str| {
        let message = format!("expected {what}, found `{}`", shorten(&word.text));
        Box::new(Diagnostic::error(word.span, message))
    };
    if word.text == "*" || word.text == "_" {
        return Ok(MatchValue::Any);
    }
    if word.text.contains('*') {
        let pattern = number::pattern(&word.text);
        return pattern
            .map(MatchValue::Pattern)
            .ok_or_else(|| complain("a 0x or 0b number with `*` digits"));
    }
    let integer = super::cursor::integer(&word.text);
    let unsigned = || {
        let value = integer.as_ref().and_then(num_bigint::BigInt::to_biguint);
        value.ok_or_else(|| complain("a number"))
    };
    if line.eat("/") {
        return Ok(MatchValue::Prefix(unsigned()?, line.small("the length of the prefix")?));
    }
    if line.eat("&&&") {
        let mask = line.number_text("a mask")?;
        let mask_value: Option<BigUint> = number::unsigned(&mask.text);
        let bad = || {
            Box::new(Diagnostic::error(
                mask.span,
                format!("`{}` is not a mask", shorten(&mask.text)),
            ))
        };
        return Ok(MatchValue::Mask(unsigned()?, mask_value.ok_or_else(bad)?));
    }
    let value = integer
        .ok_or_else(|| complain("a number (decimal, 0x or 0b), `V/LEN`, `V&&&MASK` or `LO->HI`"))?;
    if line.eat("->") || line.eat("..") {
        return Ok(MatchValue::Range(value, line.integer("the end of the range")?));
    }
    Ok(MatchValue::Exact(value))
}

fn action(line: &mut Cursor) -> Result<ActionCall> {
    let name = line.name("an action, ACTION(ARGUMENT:VALUE, ...)")?;
    let mut arguments: Vec<Argument> = Vec::new();
    if line.eat("(") && !line.eat(")") {
        loop {
            let argument = argument(line)?;
            if let Some(first) = arguments.first()
                && first.is_named() != argument.is_named()
            {
                let message = "arguments go by name or by position, not both".to_owned();
                return Err(Box::new(Diagnostic::error(argument.span, message)));
            }
            arguments.push(argument);
            if line.eat(")") {
                break;
            }
            line.expect(",", "`,` or `)`")?;
        }
    }
    Ok(ActionCall { name, arguments })
}

/// `NAME:VALUE`, or a value alone.
fn argument(line: &mut Cursor) -> Result<Argument> {
    let start = line.start();
    if line.rest().starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        let value = line.integer("a number")?;
        return Ok(Argument { name: None, value, span: line.span_from(start) });
    }
    let name = line.name("the name of an argument")?;
    if !line.eat(":") && !line.eat("=") {
        let position = line.position();
        line.return_to(start);
        if let Ok(value) = line.integer("a number") {
            return Ok(Argument { name: None, value, span: line.span_from(start) });
        }
        line.return_to(position);
        return Err(line.expected("`:` and the argument's value"));
    }
    let start = line.start();
    let value = line.integer("a number")?;
    Ok(Argument { name: Some(name), value, span: line.span_from(start) })
}

/// The name of an entry, which may have a `$` in front.
fn entry_name(line: &mut Cursor, what: &str) -> Result<Word> {
    line.eat("$");
    line.name(what)
}

fn check_counter(line: &mut Cursor) -> Result<StatementKind> {
    let counter = line.name("a counter")?;
    let parenthesis = line.eat("(");
    let digit = line.rest().starts_with(|c: char| c.is_ascii_digit());
    let index = if digit {
        CounterCell::Index(index(line)?)
    } else if parenthesis || line.sees("$") {
        CounterCell::Entry(entry_name(line, "an index or the name of an entry")?)
    } else {
        return Err(line.expected("`(INDEX)`"));
    };
    if parenthesis {
        line.expect(")", "`)`")?;
    }
    let bytes = line.eat("bytes");
    if !bytes {
        line.eat("packets");
    }
    let found = Comparison::ALL.into_iter().find(|(text, _)| line.sees(text));
    let Some((text, comparison)) = found else {
        return Err(line.expected("`packets` or `bytes`, then ==, !=, <, <=, > or >="));
    };
    line.eat(text);
    let value = line.small("a number")?;
    Ok(StatementKind::CheckCounter { counter, index, bytes, comparison, value })
}

fn rate(line: &mut Cursor) -> Result<(f64, u64)> {
    let word = line.word("RATE:BURST")?;
    crate::rates::parse(&word.text)
        .map_err(|problem| Box::new(Diagnostic::error(word.span, problem)))
}

#[cfg(test)]
mod tests;
