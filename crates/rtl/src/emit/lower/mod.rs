//! From the pipeline IR to a dataflow graph.
//!
//! Control flow disappears: each block is walked in the order of its graph with an
//! [`Environment`] that holds the value of every field; where ways join, a choice between their
//! values takes the place of the branch. What has an effect (a counter, a register, a digest)
//! happens under the condition that the packet comes by.

mod checksums;
mod constant_tables;
mod control;
mod deparser;
mod environment;
mod externs;
mod joins;
mod loops;
mod meters;
mod modules;
mod operations;
mod parser;
mod random;
mod serial;
mod state;
mod sums;
mod tables;
mod value_sets;

pub use deparser::{Deparsed, Emission};
pub use environment::{Environment, Request, Slot};
pub use meters::Meter;
pub use modules::ModuleUse;
pub use parser::Parsed;
pub use random::PACKET_NUMBER;
pub use state::{Array, Counter, Owner, size_of};
pub use sums::{PACKET_SUM, PAYLOAD_SUM};
pub use tables::{TableUse, call_data, object_of};

use super::dataflow::exclusive::Conditions;
use super::dataflow::{Graph, ValueId};
use super::options::{EmitOptions, Optimiser};
use super::refusal::{Reason, Refusal};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use ww_p4::architecture::Meaning;
use ww_p4::pipeline::{
    Expr, ExprKind, FieldId, FieldRole, HeaderId, Pipeline, Scope, UnaryOp, ValueSetId,
};
use ww_p4::source::Span;

/// Most values of a graph.
pub const MAX_VALUES: usize = 400_000;

/// [`Slot::Kept`] before the first header that stays where it is.
pub const NOT_KEPT: u32 = 0xffff;

/// The state of a lowering.
#[derive(Debug)]
pub struct Lowering<'p> {
    /// The program.
    pub pipeline: &'p Pipeline,
    /// What the design is to look like.
    pub options: &'p EmitOptions,
    /// What it computes.
    pub graph: Graph,
    /// Tables by position in the pipeline: what of them is used.
    pub tables: Vec<TableUse>,
    /// Register arrays in use.
    pub arrays: Vec<Array>,
    /// Counter arrays in use.
    pub counters: Vec<Counter>,
    /// Meter arrays in use.
    pub meters: Vec<Meter>,
    /// Modules of the user in use.
    pub modules: Vec<ModuleUse>,
    /// Digests in use.
    pub digests: Vec<state::Message>,
    /// Sets of fields that copies keep.
    pub keeps: Vec<Vec<FieldId>>,
    /// What cannot be held.
    pub refusals: Vec<Refusal>,
    /// Which conditions exclude each other.
    pub conditions: Conditions,
    /// Bytes of the packet's head that the parser reaches.
    pub head_bytes: u64,
    /// Whether the length of the whole packet is read.
    pub reads_length: bool,
    /// Headers that stay in the packet where they are: the deparser leaves them out.
    pub kept: Vec<HeaderId>,
    /// What the deparser emits, in order.
    pub emissions: Vec<Emission>,
    /// Whether checksum errors count: only in the block that verifies.
    pub verifying: bool,
    /// Fields come from another graph, but for those known to be the same for every packet.
    pub crossing: Option<BTreeMap<Slot, BigUint>>,
    /// What comes from the other graph: names of inputs, and what they are.
    pub crossed: Vec<(String, Slot)>,
    /// Requests that ingress may have made.
    pub asked: Vec<Slot>,
    /// What is known behind egress, where its clones are made.
    pub clone_env: Environment,
    /// Whether packets come back to the parser.
    pub reenters: bool,
    /// Values that go along to the end though nothing reads them.
    pub alive: Vec<ValueId>,
    /// The statement before, where statements wait for each other.
    statement: Option<ValueId>,
    /// Whether this is egress or behind it.
    pub behind_ingress: bool,
    /// By place: how many random numbers packets may draw there.
    draws: BTreeMap<u64, u32>,
    /// Keys that value sets are asked for, and the answers.
    members: Vec<(ValueSetId, ValueId, ValueId)>,
    /// Where the payload begins, in bits, with the condition of each.
    payload_at: Vec<(ValueId, u64)>,
    /// Parsers are walked once to find their states: fields have unknown values then.
    exploring: bool,
}

impl<'p> Lowering<'p> {
    /// Nothing lowered yet.
    pub fn new(pipeline: &'p Pipeline, options: &'p EmitOptions) -> Self {
        Self {
            pipeline,
            options,
            graph: Graph::default(),
            tables: pipeline.tables.iter().map(|_| TableUse::default()).collect(),
            arrays: Vec::new(),
            counters: Vec::new(),
            meters: Vec::new(),
            modules: Vec::new(),
            digests: Vec::new(),
            keeps: Vec::new(),
            refusals: Vec::new(),
            conditions: Conditions::default(),
            head_bytes: 0,
            reads_length: false,
            kept: Vec::new(),
            emissions: Vec::new(),
            verifying: false,
            crossing: None,
            crossed: Vec::new(),
            asked: Vec::new(),
            clone_env: Environment::default(),
            reenters: false,
            alive: Vec::new(),
            statement: None,
            behind_ingress: false,
            draws: BTreeMap::new(),
            members: Vec::new(),
            payload_at: Vec::new(),
            exploring: false,
        }
    }

    /// Notes that hardware cannot hold something.
    pub fn refuse(&mut self, reason: Reason, what: &str, span: Option<Span>) {
        let refusal = Refusal { reason, what: what.to_owned(), span };
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    /// Notes that the design would have more than `limit` of something.
    pub fn too_large(&mut self, limit: usize, of: &str, span: Option<Span>) {
        self.refuse(Reason::Size, &format!("more than {limit} {of}"), span);
    }

    /// The value that a slot has when a packet enters.
    fn initial(&mut self, slot: Slot) -> ValueId {
        if let Some(value) = self.crossing_value(slot) {
            return value;
        }
        match slot {
            Slot::Field(id) => {
                let field = &self.pipeline[id];
                let (width, value) = (field.width.max(1), self.pipeline.initial(field));
                if self.exploring && !matches!(field.role, FieldRole::NextIndex(_)) {
                    let name = format!("unknown_{}", id.0);
                    return self.graph.input(&name, width);
                }
                self.graph.constant(width, value)
            }
            Slot::Lost => self.graph.bit(false),
            Slot::Kept => self.graph.constant(16, NOT_KEPT),
            Slot::Request(request) => self.graph.zero(request.width()),
            Slot::Colour(_) => self.graph.zero(2),
            Slot::Draws(_) => self.graph.zero(random::COUNT_BITS),
        }
    }

    /// The value that a slot has at the end of another graph.
    fn crossing_value(&mut self, slot: Slot) -> Option<ValueId> {
        let known = self.crossing.as_ref()?;
        let (name, width) = match slot {
            Slot::Field(id) if self.pipeline[id].scope == Scope::Local => return None,
            Slot::Field(id) => (self.pipeline[id].name.to_string(), self.pipeline[id].width.max(1)),
            Slot::Request(request) => (format!("{request:?}").to_lowercase(), request.width()),
            Slot::Lost | Slot::Kept | Slot::Colour(_) | Slot::Draws(_) => return None,
        };
        if let Some(number) = known.get(&slot) {
            let number = number.clone();
            return Some(self.graph.constant(width, number));
        }
        if matches!(slot, Slot::Request(Request::Clone | Request::Resubmit)) {
            // These were granted behind ingress.
            return None;
        }
        if matches!(slot, Slot::Request(_)) && !known.contains_key(&slot) && !self.asks(slot) {
            return None;
        }
        if !self.crossed.iter().any(|(n, _)| *n == name) {
            self.crossed.push((name.clone(), slot));
        }
        Some(self.graph.input(&name, width))
    }

    /// Whether ingress can have asked for something.
    fn asks(&self, slot: Slot) -> bool {
        self.asked.contains(&slot)
    }

    /// Whether an optimiser is at work.
    pub fn optimises(&self, optimiser: Optimiser) -> bool {
        self.options.optimisers.has(optimiser)
    }

    /// The value of a slot.
    pub fn get(&mut self, env: &Environment, slot: Slot) -> ValueId {
        env.get(slot).unwrap_or_else(|| self.initial(slot))
    }

    /// The value of a field.
    pub fn field(&mut self, env: &Environment, field: FieldId) -> ValueId {
        self.get(env, Slot::Field(field))
    }

    /// Sets a field; one without bits is left.
    pub fn set(&mut self, env: &mut Environment, field: FieldId, value: ValueId) {
        let declared = &self.pipeline[field];
        if declared.width == 0 {
            return;
        }
        debug_assert_eq!(self.graph.width(value), declared.width, "{}", declared.name);
        let name = declared.name.clone();
        self.graph.name(value, &name);
        env.set(Slot::Field(field), value);
    }

    /// The value of an expression.
    pub fn eval(&mut self, env: &Environment, expr: &Expr) -> ValueId {
        let width = expr.width.max(1);
        match &expr.kind {
            ExprKind::Const(value) => self.graph.constant(width, value.clone()),
            ExprKind::Field(id) => self.field(env, *id),
            ExprKind::Unary(op, a) => {
                let a = self.eval(env, a);
                self.graph.unary(*op, a)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(env, a), self.eval(env, b));
                self.graph.binary(*op, a, b)
            }
            ExprKind::Select(c, a, b) => {
                let c = self.eval(env, c);
                let (a, b) = (self.eval(env, a), self.eval(env, b));
                self.graph.mux(c, a, b)
            }
            ExprKind::Slice(a, low) => {
                let a = self.eval(env, a);
                self.graph.slice(a, *low, width)
            }
            ExprKind::ZeroExtend(a) => {
                let a = self.eval(env, a);
                self.graph.zero_extend(a, width)
            }
            ExprKind::SignExtend(a) => {
                let a = self.eval(env, a);
                self.graph.sign_extend(a, width)
            }
            ExprKind::Index(index, elements) => {
                let index = self.eval(env, index);
                let mut choices = Vec::new();
                for n in self.candidates(index, elements.len()) {
                    let here = self.is_index(index, n as u64);
                    if self.graph.as_bit(here) != Some(false) {
                        choices.push((here, self.eval(env, &elements[n])));
                    }
                }
                self.graph.one_hot(width, choices)
            }
        }
    }

    /// Which of `count` elements an index can choose: one or none if it is known, as in most states of a parser.
    fn candidates(&self, index: ValueId, count: usize) -> std::ops::Range<usize> {
        match self.graph.as_number(index) {
            Some(known) if known < count as u64 => known as usize..known as usize + 1,
            Some(_) => 0..0,
            None => 0..count,
        }
    }

    /// Whether an index is `n`; one too narrow for that never is.
    fn is_index(&mut self, index: ValueId, n: u64) -> ValueId {
        let width = self.graph.width(index);
        if width < 64 && n >> width != 0 {
            return self.graph.bit(false);
        }
        self.graph.is(index, n)
    }

    /// The opposite of a condition.
    pub fn not(&mut self, a: ValueId) -> ValueId {
        self.graph.unary(UnaryOp::Not, a)
    }

    /// Whether a number is below a constant.
    pub fn below(&mut self, value: ValueId, limit: u64) -> ValueId {
        let width = self.graph.width(value);
        if width < 64 && limit >> width != 0 {
            return self.graph.bit(true);
        }
        let limit = self.graph.constant(width, limit);
        self.graph.binary(ww_p4::pipeline::BinaryOp::Lt, value, limit)
    }

    /// The condition under which an effect happens: the packet comes by and is not lost.
    pub fn enabled(&mut self, env: &Environment, active: ValueId) -> ValueId {
        let lost = self.get(env, Slot::Lost);
        let alive = self.not(lost);
        self.graph.and(active, alive)
    }

    /// The field of the intrinsic metadata with this meaning.
    pub fn intrinsic(&mut self, env: &Environment, meaning: Meaning) -> Option<ValueId> {
        let field = self.pipeline.meaning(meaning)?;
        Some(self.field(env, field))
    }

    /// Sets a field of the intrinsic metadata, if the program declares it: resized to fit.
    pub fn set_intrinsic(&mut self, env: &mut Environment, meaning: Meaning, value: ValueId) {
        if let Some(field) = self.pipeline.meaning(meaning) {
            let width = self.pipeline[field].width;
            if width > 0 {
                let value = self.graph.resize(value, width);
                self.set(env, field, value);
            }
        }
    }
}
