//! The verifier: whether a pipeline keeps the promises of this module. What it finds is a bug of
//! lowering or of a pass, not of a program.

mod expressions;
mod graphs;

use super::blocks::{Body, Match};
use super::fields::FieldId;
use super::tables::{ActionCall, Table};
use super::{Pipeline, SYMBOLIC_WIDTH};
use crate::architecture::BlockKind;
use num_bigint::BigUint;
use std::collections::HashSet;

/// Checks a pipeline; the errors are sentences that name the place.
pub fn verify(pipeline: &Pipeline) -> Result<(), Vec<String>> {
    let mut verifier =
        Verifier { pipeline, errors: Vec::new(), place: String::new(), applied: Vec::new() };
    verifier.items();
    for table in &pipeline.tables {
        verifier.table(table);
    }
    for block in &pipeline.blocks {
        verifier.place = format!("block {}", block.name);
        match (&block.body, block.description.kind) {
            (Body::Parser(graph), BlockKind::Parser) => verifier.parse_graph(graph),
            (Body::Control(graph), BlockKind::Control) => {
                verifier.control_graph(graph, Place::Control);
            }
            (Body::Control(graph), BlockKind::Deparser) => {
                verifier.control_graph(graph, Place::Deparser);
            }
            _ => verifier.error("its body is of another kind".to_owned()),
        }
    }
    verifier.applications();
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

/// Where operations stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Parser,
    Control,
    Deparser,
    Action,
}

struct Verifier<'p> {
    pipeline: &'p Pipeline,
    errors: Vec<String>,
    /// What is looked at.
    place: String,
    /// Table and number of each application.
    applied: Vec<(u32, u32)>,
}

impl Verifier<'_> {
    fn error(&mut self, message: String) {
        self.errors.push(format!("{}: {message}", self.place));
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.error(message());
        }
    }

    /// Bits of a field, if it exists.
    fn field_width(&mut self, field: FieldId) -> Option<u32> {
        let width = self.pipeline.fields.get(field.index()).map(|f| f.width);
        self.require(width.is_some(), || format!("there is no field {}", field.0));
        width
    }

    fn field_has_width(&mut self, field: FieldId, width: u32) {
        if let Some(found) = self.field_width(field) {
            let pipeline = self.pipeline;
            self.require(found == width, || {
                format!("field {} has {found} bits, not {width}", pipeline[field].name)
            });
        }
    }

    fn pattern(&mut self, value: &BigUint, width: u32) {
        self.require(value.bits() <= u64::from(width), || {
            format!("{value:#x} does not fit into {width} bits")
        });
    }

    fn items(&mut self) {
        let pipeline = self.pipeline;
        self.place = "fields".to_owned();
        let mut names = HashSet::new();
        for field in &pipeline.fields {
            self.require(names.insert(field.name.clone()), || {
                format!("two fields are named {}", field.name)
            });
        }
        for header in &pipeline.headers {
            self.place = format!("header {}", header.name);
            self.field_has_width(header.valid, 1);
            let mut offset = 0;
            for item in &header.layout {
                let width = self.field_width(item.field).unwrap_or(0);
                self.require(item.offset == offset, || {
                    format!("a field at {}, expected at {offset}", item.offset)
                });
                match item.length {
                    Some(length) => self.field_has_width(length, 32),
                    None => offset += width,
                }
            }
            self.require(offset == header.fixed_bits, || {
                format!("{} bits in all, but its fields have {offset}", header.fixed_bits)
            });
        }
        for stack in &pipeline.stacks {
            self.place = format!("stack {}", stack.name);
            self.field_has_width(stack.next, 32);
        }
        self.place = "parser error".to_owned();
        self.field_has_width(pipeline.parser_error, SYMBOLIC_WIDTH);
    }

    fn table(&mut self, table: &Table) {
        let pipeline = self.pipeline;
        self.place = format!("table {}", table.name);
        for key in &table.keys {
            self.field_has_width(key.field, key.width);
        }
        for listed in &table.actions {
            match pipeline.actions.get(listed.action.index()) {
                None => self.error(format!("there is no action {}", listed.action.0)),
                Some(action) => {
                    self.place = format!("table {}, action {}", table.name, action.name);
                    for parameter in &action.parameters {
                        let widths: Vec<_> =
                            parameter.fields.iter().map(|f| self.field_width(*f)).collect();
                        let sum: u32 = widths.into_iter().flatten().sum();
                        self.require(sum == parameter.width, || {
                            format!("parameter {} has {} bits", parameter.name, parameter.width)
                        });
                    }
                    self.control_graph(&action.body, Place::Action);
                    self.place = format!("table {}", table.name);
                }
            }
        }
        self.action_call(table, &table.default_action);
        for entry in &table.entries {
            self.require(entry.keys.len() == table.keys.len(), || {
                "an entry with another number of keys".to_owned()
            });
            for (m, key) in entry.keys.iter().zip(&table.keys) {
                self.match_fits(m, key.width);
            }
            self.action_call(table, &entry.action);
        }
    }

    fn match_fits(&mut self, m: &Match, width: u32) {
        match m {
            Match::Any => {}
            Match::Value(value) => self.pattern(value, width),
            Match::Mask { value, mask } => {
                self.pattern(mask, width);
                self.require(value & mask == *value, || "a value outside its mask".to_owned());
            }
            Match::Range { low, high, .. } => {
                self.pattern(low, width);
                self.pattern(high, width);
            }
            Match::ValueSet(set) => {
                let widths = self.pipeline.value_sets.get(set.index()).map(|s| s.widths.clone());
                self.require(widths == Some(vec![width]), || {
                    "a value set of other members".to_owned()
                });
            }
        }
    }

    fn action_call(&mut self, table: &Table, call: &ActionCall) {
        let pipeline = self.pipeline;
        let action = table
            .actions
            .get(call.action as usize)
            .and_then(|a| pipeline.actions.get(a.action.index()));
        let Some(action) = action else {
            return self.error(format!("there is no action at position {}", call.action));
        };
        self.require(call.arguments.len() == action.parameters.len(), || {
            format!("{} with {} arguments", action.name, call.arguments.len())
        });
        for (argument, parameter) in call.arguments.iter().zip(&action.parameters) {
            self.pattern(argument, parameter.width);
        }
    }

    /// Each application of a table must be there once.
    fn applications(&mut self) {
        self.place = "applications".to_owned();
        self.applied.sort_unstable();
        let expected: Vec<_> = self
            .pipeline
            .tables
            .iter()
            .enumerate()
            .flat_map(|(n, t)| (0..t.applications).map(move |a| (n as u32, a)))
            .collect();
        // Code that is never reached may have held some.
        let unknown = self.applied.iter().any(|a| !expected.contains(a));
        let twice = self.applied.windows(2).any(|w| w[0] == w[1]);
        self.require(!unknown && !twice, || "the numbers do not fit the tables".to_owned());
    }
}
