//! Packets for a program: most follow its parser, state by state, with the values that its
//! selects ask for.

use crate::case::Step;
use crate::pool::{Pool, ones, random_bits};
use crate::print::expr_text;
use crate::profile::Profile;
use crate::random::Random;
use crate::tree::*;
use num_bigint::BigUint;
use std::collections::HashMap;

/// States that one packet goes through at most.
const STATES: usize = 24;

/// Packets for a program, in the order of their times.
pub fn packets(
    program: &Program,
    pool: &Pool,
    profile: &Profile,
    random: &mut Random,
) -> Vec<Step> {
    let mut at = 0;
    let count = random.between(profile.packets.0, profile.packets.1);
    (0..count)
        .map(|_| {
            at += match random.below(8) {
                0..=2 => 0,
                3 => random.below(1_000_000_000) as u64,
                _ => random.below(4_000_000) as u64,
            };
            let port = match random.below(10) {
                0 => 510,
                1 => random.below(511) as u32,
                _ => random.below(9) as u32,
            };
            let bytes = frame(program, pool, random);
            Step::Packet { port, at, bytes }
        })
        .collect()
}

fn frame(program: &Program, pool: &Pool, random: &mut Random) -> Vec<u8> {
    let kind = random.below(100);
    if kind < 3 {
        return Vec::new();
    }
    let mut bytes = if kind < 10 {
        Vec::new()
    } else {
        let mut walk = Walk::new(program, pool, random);
        walk.parser("Parse", 0);
        walk.into_bytes()
    };
    let more = match random.below(20) {
        0 => random.between(64, 300),
        1 if random.chance(10) => 1500,
        2..=5 => 0,
        _ => random.below(24),
    };
    bytes.extend((0..more).map(|_| random.next() as u8));
    if kind > 90 {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// A way through the parse graph that writes the packet as it goes.
struct Walk<'a> {
    program: &'a Program,
    pool: &'a Pool,
    random: &'a mut Random,
    bits: Vec<bool>,
    cursor: usize,
    /// Where the fields of extracted headers are, by their names in the program.
    fields: HashMap<String, (usize, u32)>,
    /// Parameters of sub-parsers, and what stands for them.
    names: HashMap<String, String>,
}

impl<'a> Walk<'a> {
    fn new(program: &'a Program, pool: &'a Pool, random: &'a mut Random) -> Self {
        let (fields, names) = (HashMap::new(), HashMap::new());
        Self { program, pool, random, bits: Vec::new(), cursor: 0, fields, names }
    }

    fn into_bytes(mut self) -> Vec<u8> {
        // A sub-parser or header that ends within a byte leaves the rest of it to chance.
        self.fill(self.bits.len().next_multiple_of(8));
        self.bits
            .chunks(8)
            .map(|byte| byte.iter().fold(0, |sum, &bit| sum << 1 | u8::from(bit)))
            .collect()
    }

    /// Makes the packet at least so long.
    fn fill(&mut self, bits: usize) {
        while self.bits.len() < bits {
            let bit = self.random.chance(50);
            self.bits.push(bit);
        }
    }

    fn write(&mut self, at: usize, width: u32, value: &BigUint) {
        self.fill(at + width as usize);
        for n in 0..width {
            self.bits[at + n as usize] = value.bit(u64::from(width - 1 - n));
        }
    }

    fn find_parser(&self, name: &str) -> Option<&'a Parser> {
        self.program.declarations.iter().find_map(|d| match d {
            Decl::Parser(parser) if parser.name == name => Some(parser),
            _ => None,
        })
    }

    /// Goes through a parser from its start.
    fn parser(&mut self, name: &str, depth: usize) {
        let Some(parser) = self.find_parser(name) else { return };
        let mut state = "start".to_owned();
        for _ in 0..STATES {
            let Some(found) = parser.states.iter().find(|s| s.name == state) else { return };
            for statement in &found.body {
                self.statement(statement, parser, depth);
            }
            state = match &found.transition {
                Transition::Direct(target) => target.clone(),
                Transition::Select(keys, cases) => self.select(keys, cases),
            };
        }
    }

    fn statement(&mut self, statement: &Stmt, parser: &Parser, depth: usize) {
        let Stmt::Call(Expr { kind: ExprKind::Call(callee, _, arguments), .. }) = statement else {
            return;
        };
        let ExprKind::Member(of, method) = &callee.kind else { return };
        match (method.as_str(), &arguments[..]) {
            ("extract", [header, rest @ ..]) => self.extract(header, !rest.is_empty()),
            ("advance", [Expr { kind: ExprKind::Number(bits), .. }]) => {
                self.cursor += bits.iter_u64_digits().next().unwrap_or(0) as usize;
                self.fill(self.cursor);
            }
            ("apply", [_, header, ..]) if depth == 0 => {
                let instance = expr_text(of);
                let of = parser.locals.iter().find_map(|d| match d {
                    Decl::Instance(Type::Named(of), _, name) if *name == instance => Some(of),
                    _ => None,
                });
                let Some(inner) = of.and_then(|of| self.find_parser(of)) else { return };
                if let Some(p) = inner.params.get(1) {
                    self.names.insert(p.name.clone(), expr_text(header));
                }
                self.parser(&inner.name, depth + 1);
            }
            _ => {}
        }
    }

    /// The name of a header, of the last element for `next`, with parameters replaced.
    fn place(&self, header: &Expr) -> String {
        let text = expr_text(header).replace(".next", ".last");
        self.names.get(&text).cloned().unwrap_or(text)
    }

    fn extract(&mut self, header: &Expr, variable: bool) {
        let place = self.place(header);
        let Type::Named(name) = &header.ty else { return };
        let fields = self.program.declarations.iter().find_map(|d| match d {
            Decl::Struct("header", found, fields) if found == name => Some(fields),
            _ => None,
        });
        let mut length = 0;
        for field in fields.into_iter().flatten() {
            let name = format!("{place}.{}", field.name);
            let Some(width) = field.ty.width() else {
                // The length in bytes stands in the first bits of the header.
                self.cursor += 8 * length;
                self.fill(self.cursor);
                continue;
            };
            // Bits that a lookahead chose stay.
            if self.bits.len() <= self.cursor {
                let value = if self.random.chance(75) {
                    self.pool.value(self.random, width)
                } else {
                    random_bits(self.random, width)
                };
                self.write(self.cursor, width, &value);
            }
            self.fill(self.cursor + width as usize);
            if variable && length == 0 && width == 3 {
                let bits = &self.bits[self.cursor..self.cursor + 3];
                length = bits.iter().fold(0, |sum, &bit| sum << 1 | usize::from(bit));
            }
            self.fields.insert(name, (self.cursor, width));
            self.cursor += width as usize;
        }
    }

    /// Chooses a case and makes the packet fit it where it can.
    fn select(&mut self, keys: &[Expr], cases: &[(Expr, String)]) -> String {
        let onward: Vec<&(Expr, String)> = cases
            .iter()
            .filter(|(_, target)| !matches!(target.as_str(), "accept" | "reject"))
            .collect();
        let chosen = if self.random.chance(75) {
            self.random.pick(&onward).copied()
        } else {
            self.random.pick(cases)
        };
        let Some((set, target)) = chosen else { return "accept".into() };
        match &set.kind {
            ExprKind::Sets(parts) => {
                for (key, part) in keys.iter().zip(parts) {
                    self.meet(key, part);
                }
            }
            _ => {
                if let Some(key) = keys.first() {
                    self.meet(key, set);
                }
            }
        }
        target.clone()
    }

    /// Gives a key a value out of a set.
    fn meet(&mut self, key: &Expr, set: &Expr) {
        let place = match &key.kind {
            ExprKind::Call(callee, types, _) if expr_text(callee) == "pkt.lookahead" => {
                types.first().and_then(Type::width).map(|width| (self.cursor, width))
            }
            ExprKind::Member(of, field) => {
                self.fields.get(&format!("{}.{field}", self.place(of))).copied()
            }
            _ => None,
        };
        let Some((at, width)) = place else { return };
        let value = match &set.kind {
            ExprKind::Set("&&&", value, mask) => match (self.number(value), self.number(mask)) {
                (Some(value), Some(mask)) => {
                    let free = &ones(width) ^ &mask;
                    Some((value & mask) | (random_bits(self.random, width) & free))
                }
                _ => None,
            },
            ExprKind::Set(_, low, high) => {
                if self.random.chance(50) {
                    self.number(low)
                } else {
                    self.number(high)
                }
            }
            // A value set: its members come from the pool.
            ExprKind::Name(_) => Some(self.pool.value(self.random, width)),
            ExprKind::Any(_) => None,
            _ => self.number(set),
        };
        if let Some(value) = value {
            self.write(at, width, &value);
        }
    }

    /// The value of a constant.
    fn number(&self, e: &Expr) -> Option<BigUint> {
        match &e.kind {
            ExprKind::Number(value) => Some(value.clone()),
            ExprKind::Cast(of) => self.number(of),
            ExprKind::Member(of, member) => self.enum_value(&expr_text(of), member),
            _ => None,
        }
    }

    fn enum_value(&self, name: &str, member: &str) -> Option<BigUint> {
        self.program.declarations.iter().find_map(|d| match d {
            Decl::Enum(found, _, members) if found == name => {
                members.iter().find(|(n, _)| n == member)?.1.map(BigUint::from)
            }
            _ => None,
        })
    }
}
