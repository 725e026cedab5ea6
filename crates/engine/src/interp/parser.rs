//! Parsers: states, `select`, and the errors that end them (§13).

use super::machine::{Flow, Interrupt, Machine, Run};
use super::values::Value;
use crate::bits::Bits;
use ww_dataplane::trace::TraceEvent;
use ww_p4::ir::{Expr, KeySet, ParserId, SelectCase, Target, Transition};

/// A parser may enter so many states more than its packet has bits: a parser that loops without
/// consuming bits ends with `error.ParserTimeout`.
const EXTRA_STEPS: u64 = 4096;

impl<'a> Machine<'a> {
    /// The interrupt of an error of the core library.
    pub fn parser_error(&self, name: &str) -> Interrupt {
        Interrupt::Reject(Some(self.program.error_code(name).unwrap_or(0)))
    }

    /// Runs a parser whose parameters are in their variables; `reject` is an interrupt.
    pub fn run_parser(&mut self, id: ParserId) -> Run<()> {
        let parser = &self.program[id];
        self.locals(&parser.locals)?;
        let mut position = parser.start;
        loop {
            let state = &parser.states[position as usize];
            self.packet.states += 1;
            if self.packet.states > EXTRA_STEPS + self.packet.bytes.len() as u64 * 8 {
                return Err(self.parser_error("ParserTimeout"));
            }
            let instance = self.instance;
            self.trace(|program| TraceEvent::State {
                parser: program[instance].name.clone(),
                state: state.name.to_string(),
                at: state.span.into(),
            });
            match self.statements(&state.body)? {
                Flow::Return(_) => return Ok(()),
                Flow::Next | Flow::Break | Flow::Continue => {}
            }
            let target = match &state.transition {
                Transition::Direct(target) => *target,
                Transition::Select { values, cases } => self.select(id, values, cases)?,
            };
            match target {
                Target::State(next) => position = next,
                Target::Accept => return Ok(()),
                Target::Reject => return Err(Interrupt::Reject(None)),
            }
        }
    }

    fn select(
        &mut self,
        parser: ParserId,
        exprs: &'a [Expr],
        cases: &'a [SelectCase],
    ) -> Run<Target> {
        let values = exprs.iter().map(|e| self.eval(e)).collect::<Run<Vec<_>>>()?;
        let mut chosen = None;
        for case in cases {
            if self.case_fits(exprs, &values, case)? {
                chosen = Some(case);
                break;
            }
        }
        self.trace(|program| TraceEvent::Select {
            values: values.iter().zip(exprs).map(|(v, e)| v.text(program, &e.ty)).collect(),
            target: match chosen.map(|c| c.target) {
                Some(Target::State(n)) => {
                    let state = program[parser].states.get(n as usize);
                    state.map_or_else(String::new, |s| s.name.to_string())
                }
                Some(Target::Accept) => "accept".to_owned(),
                Some(Target::Reject) | None => "reject".to_owned(),
            },
            at: chosen.map(|c| c.span.into()),
        });
        chosen.map(|case| case.target).ok_or_else(|| self.parser_error("NoMatch"))
    }

    fn case_fits(
        &mut self,
        exprs: &'a [Expr],
        values: &[Value],
        case: &'a SelectCase,
    ) -> Run<bool> {
        if let [only] = case.sets.as_slice()
            && values.len() != 1
        {
            return match only {
                KeySet::ValueSet(set) => self.in_value_set(set, values),
                _ => Ok(matches!(only, KeySet::Any)),
            };
        }
        for ((set, value), expr) in case.sets.iter().zip(values).zip(exprs) {
            if !self.set_contains(set, value, expr)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn set_contains(&mut self, set: &'a KeySet, value: &Value, expr: &'a Expr) -> Run<bool> {
        Ok(match set {
            KeySet::Any => true,
            KeySet::Value(wanted) => self.eval_like(wanted, value)? == *value,
            KeySet::Mask(wanted, mask) => {
                let wanted = self.eval_like(wanted, value)?.to_bits();
                let mask = self.eval_like(mask, value)?.to_bits();
                value.to_bits().and(&mask) == wanted.and(&mask)
            }
            KeySet::Range(low, high) => {
                let low = self.eval_like(low, value)?.to_bits();
                let high = self.eval_like(high, value)?.to_bits();
                let value = value.to_bits();
                if self.is_signed(&expr.ty) {
                    low.compare_signed(&value).is_le() && value.compare_signed(&high).is_le()
                } else {
                    low.compare(&value).is_le() && value.compare(&high).is_le()
                }
            }
            KeySet::ValueSet(set) => self.in_value_set(set, std::slice::from_ref(value))?,
        })
    }

    /// A member of a set; an `int` takes the width of what it is compared with.
    fn eval_like(&mut self, expr: &'a Expr, like: &Value) -> Run<Value> {
        Ok(match (self.eval(expr)?, like) {
            (Value::Int(value), Value::Bits(bits)) => {
                Value::Bits(Bits::from_bigint(bits.width(), &value))
            }
            (value, _) => value,
        })
    }

    fn in_value_set(&mut self, set: &'a Expr, values: &[Value]) -> Run<bool> {
        let Value::ValueSet(index) = self.eval(set)? else { return Ok(false) };
        let mut keys = Vec::new();
        for value in values {
            leaves(value, &mut keys);
        }
        let found = self.state.value_sets.get(index as usize);
        Ok(found.into_iter().flat_map(|set| set.members()).any(|member| {
            member.len() == keys.len()
                && member.iter().zip(&keys).all(|(field, key)| field.matches(key))
        }))
    }
}

/// The numbers that a value is made of, in order.
fn leaves(value: &Value, out: &mut Vec<Bits>) {
    match value.parts() {
        Some(parts) => parts.iter().for_each(|part| leaves(part, out)),
        None => out.push(value.to_bits()),
    }
}
