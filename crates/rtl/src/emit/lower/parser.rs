//! Parsers: every state at every place of the packet where it can begin is a step of its own,
//! so that what it takes out of the packet are wires.
//!
//! The steps of a parser form a graph without loops: a step is a state (or what is left of it
//! behind an operation that moves over a number of bits known only to the packet), an offset,
//! and the fill of all stacks. They are found first, by walking the states with unknown fields,
//! then put in order, then walked for good.

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::environment::{Environment, Slot};
use super::joins::Way;
use super::{Lowering, MAX_VALUES};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::{BTreeMap, HashMap};
use ww_p4::pipeline::{
    BinaryOp, Extract, FieldId, Match, Op, OpKind, ParseGraph, RowKind, StateId, Target, Transition,
};
use ww_p4::source::Span;

/// Bits of the packet that a parser may reach.
pub const MAX_HEAD_BITS: u64 = 2048 * 8;
/// Most steps of a parser.
const MAX_STEPS: usize = 4096;

/// A place in a parser and in the packet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Bits in front.
    pub offset: u64,
    /// The state; `None` at the end of the parser.
    pub state: Option<StateId>,
    /// Operations of it that are done.
    pub done: usize,
    /// `nextIndex` of all stacks.
    fills: Vec<u64>,
}

/// What a parser comes to.
pub struct Parsed {
    /// What is known behind it.
    pub env: Environment,
    /// Where the payload begins, in bits: with the condition of each.
    pub cursors: Vec<(ValueId, u64)>,
    /// Edges between steps and what each takes, for those who look at ways.
    pub ways: Vec<(Step, Step, Vec<Taken>)>,
}

/// A header that was taken out of the packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Which.
    pub header: ww_p4::pipeline::HeaderId,
    /// Its first bit.
    pub from: u64,
    /// The bit behind it.
    pub to: u64,
}

/// A way out of a step.
struct Exit {
    condition: ValueId,
    env: Environment,
    to: Step,
    taken: Vec<Taken>,
}

/// A step while it is walked.
struct Walk<'g> {
    graph: &'g ParseGraph,
    step: Step,
    /// Whether a packet at the step's begin is still on its way.
    condition: ValueId,
    env: Environment,
    taken: Vec<Taken>,
    exits: Vec<Exit>,
}

impl Lowering<'_> {
    /// Walks a parser. `length` is the number of bytes of the packet, at least as far as the
    /// parser can reach.
    pub fn parser(&mut self, graph: &ParseGraph, env: Environment, length: ValueId) -> Parsed {
        let start =
            Step { offset: 0, state: Some(ParseGraph::START), done: 0, fills: self.fills(&env) };
        let order = self.explore(graph, &start);
        let mut incoming: HashMap<Step, Vec<Way>> = HashMap::new();
        let always = self.graph.bit(true);
        incoming.insert(start, vec![Way { condition: always, env }]);
        let mut parsed =
            Parsed { env: Environment::default(), cursors: Vec::new(), ways: Vec::new() };
        let mut ends = Vec::new();
        for step in order {
            let Some(ways) = incoming.remove(&step) else { continue };
            let mut condition = self.graph.bit(false);
            for way in &ways {
                condition = self.graph.or(condition, way.condition);
            }
            let env = self.join(&ways);
            let Some(state) = step.state else {
                parsed.cursors.push((condition, step.offset));
                ends.push(Way { condition, env });
                continue;
            };
            self.graph.at = Some(graph.states[state.index()].span);
            let name = format!("at_{}_{}", graph.states[state.index()].name, step.offset / 8);
            self.graph.name(condition, &name);
            let from = step.clone();
            for exit in self.step(graph, step, condition, env, length) {
                parsed.ways.push((from.clone(), exit.to.clone(), exit.taken));
                let way = Way { condition: exit.condition, env: exit.env };
                incoming.entry(exit.to).or_default().push(way);
            }
        }
        parsed.env = self.join(&ends);
        parsed
    }

    fn fills(&mut self, env: &Environment) -> Vec<u64> {
        let stacks: Vec<FieldId> = self.pipeline.stacks.iter().map(|stack| stack.next).collect();
        let mut fills = Vec::new();
        for next in stacks {
            let value = if self.pipeline[next].width == 0 {
                0
            } else {
                let value = self.field(env, next);
                self.graph.as_number(value).unwrap_or(u64::MAX)
            };
            fills.push(value);
        }
        fills
    }

    /// All steps, each behind those that lead to it.
    fn explore(&mut self, graph: &ParseGraph, start: &Step) -> Vec<Step> {
        let mut scratch = Lowering::new(self.pipeline, self.options);
        scratch.exploring = true;
        let length = scratch.graph.input("length", 16);
        let active = scratch.graph.input("active", 1);
        let mut edges: HashMap<Step, Vec<Step>> = HashMap::new();
        let mut stack = vec![start.clone()];
        while let Some(step) = stack.pop() {
            if edges.contains_key(&step) {
                continue;
            }
            let span = step.state.map(|s| graph.states[s.index()].span);
            if edges.len() >= MAX_STEPS {
                self.too_large(MAX_STEPS, "steps of the parser", span);
                return Vec::new();
            }
            if scratch.graph.values.len() > MAX_VALUES {
                self.too_large(MAX_VALUES, "values", span);
                return Vec::new();
            }
            let Some(_) = step.state else {
                edges.insert(step, Vec::new());
                continue;
            };
            let mut env = Environment::default();
            for (stack, fill) in self.pipeline.stacks.iter().zip(&step.fills) {
                let width = self.pipeline[stack.next].width;
                if width > 0 && *fill != u64::MAX {
                    let fill = scratch.graph.constant(width, *fill);
                    env.set(Slot::Field(stack.next), fill);
                }
            }
            let exits = scratch.step(graph, step.clone(), active, env, length);
            let targets: Vec<Step> = exits.into_iter().map(|exit| exit.to).collect();
            stack.extend(targets.iter().cloned());
            edges.insert(step, targets);
        }
        for refusal in std::mem::take(&mut scratch.refusals) {
            self.refuse(refusal.reason, &refusal.what, refusal.span);
        }
        self.head_bytes = self.head_bytes.max(scratch.head_bytes);
        self.in_order(graph, start, &edges)
    }

    /// Steps in an order in which each comes behind those that lead to it.
    fn in_order(
        &mut self,
        graph: &ParseGraph,
        start: &Step,
        edges: &HashMap<Step, Vec<Step>>,
    ) -> Vec<Step> {
        // Depth first; a step is done when all that it leads to are.
        let (mut open, mut done) = (BTreeMap::new(), Vec::new());
        let mut stack = vec![(start.clone(), 0)];
        open.insert(start.clone(), true);
        while let Some((step, next)) = stack.pop() {
            match edges.get(&step).and_then(|targets| targets.get(next)) {
                Some(target) => {
                    stack.push((step, next + 1));
                    match open.get(target) {
                        Some(true) => {
                            let span = target.state.map(|s| graph.states[s.index()].span);
                            self.refuse(Reason::ParserLoop, "", span);
                            return Vec::new();
                        }
                        Some(false) => {}
                        None => {
                            open.insert(target.clone(), true);
                            stack.push((target.clone(), 0));
                        }
                    }
                }
                None => {
                    open.insert(step.clone(), false);
                    done.push(step);
                }
            }
        }
        done.reverse();
        done
    }

    /// Walks a step to its exits.
    fn step(
        &mut self,
        graph: &ParseGraph,
        step: Step,
        condition: ValueId,
        env: Environment,
        length: ValueId,
    ) -> Vec<Exit> {
        let Some(id) = step.state else { return Vec::new() };
        let state = &graph.states[id.index()];
        let done = step.done;
        let mut walk = Walk { graph, step, condition, env, taken: Vec::new(), exits: Vec::new() };
        for (n, op) in state.ops.iter().enumerate().skip(done) {
            self.graph.at = Some(op.span);
            if !self.parse_operation(&mut walk, op, n, length) {
                return walk.exits;
            }
        }
        self.transition(&mut walk, &state.transition);
        walk.exits
    }

    /// Carries out an operation; false if the step ends with it.
    fn parse_operation(&mut self, walk: &mut Walk<'_>, op: &Op, n: usize, length: ValueId) -> bool {
        match &op.kind {
            OpKind::Extract(extract) => return self.extract(walk, extract, n, length, op.span),
            OpKind::Lookahead { to, bits, .. } => {
                let offset = walk.step.offset;
                self.require(walk, offset + u64::from(*bits), length, op.span);
                for (field, before) in to {
                    let width = self.pipeline[*field].width;
                    if width > 0 {
                        let value = self.graph.head(offset + u64::from(*before), width);
                        self.set(&mut walk.env, *field, value);
                    }
                }
            }
            OpKind::Advance { bits, .. } => {
                let bits = self.eval(&walk.env, bits);
                return self.advance(walk, bits, n, length, op.span);
            }
            OpKind::PacketLength { to } => {
                self.reads_length = true;
                let value = self.graph.zero_extend(length, 32);
                self.set(&mut walk.env, *to, value);
            }
            OpKind::Verify { condition, error } => {
                let holds = self.eval(&walk.env, condition);
                let error = self.eval(&walk.env, error);
                self.fail_unless(walk, holds, Some(error));
            }
            _ => self.operation(&mut walk.env, op, walk.condition),
        }
        true
    }

    /// The packet goes on only if the condition holds; otherwise the parser fails.
    fn fail_unless(&mut self, walk: &mut Walk<'_>, holds: ValueId, error: Option<ValueId>) {
        if self.graph.as_bit(holds) == Some(true) {
            return;
        }
        let fails = self.not(holds);
        let condition = self.graph.and(walk.condition, fails);
        walk.condition = self.graph.and(walk.condition, holds);
        if self.graph.as_bit(condition) == Some(false) {
            return;
        }
        let mut env = walk.env.clone();
        if let Some(error) = error {
            let field = self.pipeline.parser_error;
            self.set(&mut env, field, error);
        }
        let state = walk.step.state.map(|id| &walk.graph.states[id.index()]);
        let target = state.map_or(Target::Reject, |state| state.on_error);
        self.leave(walk, condition, env, target);
    }

    fn fail_with(&mut self, walk: &mut Walk<'_>, holds: ValueId, error: &str) {
        let error = self.error(error);
        self.fail_unless(walk, holds, Some(error));
    }

    /// The number of an error of the core library.
    fn error(&mut self, name: &str) -> ValueId {
        let code = self.pipeline.errors.iter().position(|e| &**e == name).unwrap_or(0);
        let width = self.pipeline[self.pipeline.parser_error].width;
        self.graph.constant(width, code)
    }

    /// Adds the exit to a target.
    fn leave(&mut self, walk: &mut Walk<'_>, condition: ValueId, env: Environment, target: Target) {
        let state = match target {
            Target::State(id) => Some(id),
            Target::Accept | Target::Reject => None,
        };
        let fills = if state.is_some() { self.fills(&env) } else { Vec::new() };
        let to = Step { offset: walk.step.offset, state, done: 0, fills };
        walk.exits.push(Exit { condition, env, to, taken: walk.taken.clone() });
    }

    /// Fails with `PacketTooShort` unless the packet has that many bits.
    fn require(&mut self, walk: &mut Walk<'_>, bits: u64, length: ValueId, span: Span) {
        if bits > MAX_HEAD_BITS {
            self.refuse(Reason::LongHead, "", Some(span));
            // What lies beyond is not looked at.
            walk.condition = self.graph.bit(false);
            return;
        }
        let bytes = bits.div_ceil(8);
        self.head_bytes = self.head_bytes.max(bytes);
        let short = self.below(length, bytes);
        let holds = self.not(short);
        self.fail_with(walk, holds, "PacketTooShort");
    }

    fn extract(
        &mut self,
        walk: &mut Walk<'_>,
        extract: &Extract,
        n: usize,
        length: ValueId,
        span: Span,
    ) -> bool {
        if let Some(varbit) = &extract.varbit {
            let bits = self.eval(&walk.env, varbit);
            return self.extract_variable(walk, extract, bits, n, length, span);
        }
        let (from, bits) = (walk.step.offset, u64::from(extract.fixed_bits));
        self.require(walk, from + bits, length, span);
        if self.graph.as_bit(walk.condition) == Some(false) {
            return false;
        }
        self.fill(walk, extract, None);
        walk.step.offset = from + bits;
        true
    }

    /// Sets a header's fields from the packet; `varbit` is the length of its variable field.
    fn fill(&mut self, walk: &mut Walk<'_>, extract: &Extract, varbit: Option<u64>) {
        let from = walk.step.offset;
        let index = extract.index.as_ref().map(|index| self.eval(&walk.env, index));
        let candidates = match index {
            Some(index) => self.candidates(index, extract.headers.len()),
            None => 0..extract.headers.len().min(1),
        };
        for k in candidates {
            let header = &extract.headers[k];
            let here = match index {
                Some(index) => self.is_index(index, k as u64),
                None => self.graph.bit(true),
            };
            if self.graph.as_bit(here) == Some(false) {
                continue;
            }
            let bits = u64::from(extract.fixed_bits) + varbit.unwrap_or(0);
            walk.taken.push(Taken { header: *header, from, to: from + bits });
            if self.kept.contains(header) {
                let begun = self.get(&walk.env, Slot::Kept);
                let not = self.graph.is(begun, super::NOT_KEPT);
                let begin = self.graph.constant(16, from / 8);
                let begun = self.graph.mux(not, begin, begun);
                walk.env.set(Slot::Kept, begun);
            }
            let declared = self.pipeline[*header].clone();
            let mut values = vec![(declared.valid, self.graph.bit(true))];
            let mut moved = 0;
            for item in &declared.layout {
                let width = self.pipeline[item.field].width;
                let at = from + u64::from(item.offset) + moved;
                match (item.length, varbit) {
                    (Some(field), Some(bits)) => {
                        let length_width = self.pipeline[field].width;
                        let length = self.graph.constant(length_width, bits);
                        values.push((field, length));
                        if width > 0 {
                            let value = self.variable(at, bits, width);
                            values.push((item.field, value));
                        }
                        moved += bits;
                    }
                    _ if width > 0 => values.push((item.field, self.graph.head(at, width))),
                    _ => {}
                }
            }
            for (field, value) in values {
                let old = self.field(&walk.env, field);
                let value = self.graph.mux(here, value, old);
                self.set(&mut walk.env, field, value);
            }
        }
    }

    /// A `varbit`: its bits come first, zeros behind.
    fn variable(&mut self, at: u64, bits: u64, width: u32) -> ValueId {
        let bits = bits as u32;
        if bits == 0 {
            return self.graph.zero(width);
        }
        let value = self.graph.head(at, bits);
        if bits == width {
            return value;
        }
        let zeros = self.graph.zero(width - bits);
        self.graph.join(vec![value, zeros])
    }

    fn extract_variable(
        &mut self,
        walk: &mut Walk<'_>,
        extract: &Extract,
        bits: ValueId,
        n: usize,
        length: ValueId,
        span: Span,
    ) -> bool {
        let low = self.graph.slice(bits, 0, 3);
        let whole = self.graph.is(low, 0u32);
        self.fail_with(walk, whole, "ParserInvalidArgument");
        let (from, fixed) = (walk.step.offset, u64::from(extract.fixed_bits));
        // The variable field's own limit; what is longer fails, but only if the packet has it.
        let limit = self.varbit_limit(extract);
        let most = self.upper_bound(bits).to_u64().unwrap_or(u64::MAX);
        let mut remaining = walk.condition;
        for candidate in (0..=limit.min(most)).step_by(8) {
            let here = self.graph.is(bits, candidate);
            let condition = self.graph.and(walk.condition, here);
            if self.graph.as_bit(condition) == Some(false) {
                continue;
            }
            let not = self.not(here);
            remaining = self.graph.and(remaining, not);
            let mut fork = Walk {
                graph: walk.graph,
                step: walk.step.clone(),
                condition,
                env: walk.env.clone(),
                taken: walk.taken.clone(),
                exits: Vec::new(),
            };
            self.require(&mut fork, from + fixed + candidate, length, span);
            if self.graph.as_bit(fork.condition) != Some(false) {
                self.fill(&mut fork, extract, Some(candidate));
                self.resume(&mut fork, from + fixed + candidate, n);
            }
            walk.exits.append(&mut fork.exits);
        }
        if most > limit {
            // Whether the packet has that many bits decides which error it is: of all lengths
            // beyond the limit those that a packet of the head can have matter.
            walk.condition = remaining;
            let head = self.graph.zero_extend(length, 32);
            let first = self.graph.constant(32, (from + fixed).div_ceil(8));
            let bits_wide = self.graph.resize(bits, 35);
            let bytes = self.graph.slice(bits_wide, 3, 32);
            let needed = self.graph.binary(BinaryOp::SatAdd, bytes, first);
            let short = self.graph.binary(BinaryOp::Lt, head, needed);
            self.reads_length = true;
            let enough = self.not(short);
            self.fail_with(walk, enough, "PacketTooShort");
            let never = self.graph.bit(false);
            self.fail_with(walk, never, "HeaderTooShort");
        }
        false
    }

    fn varbit_limit(&self, extract: &Extract) -> u64 {
        let header = extract.headers.first().map(|id| &self.pipeline[*id]);
        let layout = header.map_or(&[][..], |header| &header.layout);
        let varbit = layout.iter().find(|item| item.length.is_some());
        varbit.map_or(0, |item| u64::from(self.pipeline[item.field].width))
    }

    /// Goes on behind operation `n`, at another offset.
    fn resume(&mut self, walk: &mut Walk<'_>, offset: u64, n: usize) {
        let fills = self.fills(&walk.env);
        let to = Step { offset, state: walk.step.state, done: n + 1, fills };
        let exit = Exit {
            condition: walk.condition,
            env: walk.env.clone(),
            to,
            taken: walk.taken.clone(),
        };
        walk.exits.push(exit);
    }

    fn advance(
        &mut self,
        walk: &mut Walk<'_>,
        bits: ValueId,
        n: usize,
        length: ValueId,
        span: Span,
    ) -> bool {
        let low = self.graph.slice(bits, 0, 3);
        let whole = self.graph.is(low, 0u32);
        self.fail_with(walk, whole, "ParserInvalidArgument");
        let from = walk.step.offset;
        if let Some(bits) = self.graph.as_number(bits) {
            self.require(walk, from + bits, length, span);
            walk.step.offset = from + bits;
            return self.graph.as_bit(walk.condition) != Some(false);
        }
        let most = self.upper_bound(bits).to_u64().unwrap_or(u64::MAX);
        if most > MAX_HEAD_BITS - from.min(MAX_HEAD_BITS) {
            self.refuse(Reason::LongHead, "", Some(span));
            return false;
        }
        for candidate in (0..=most).step_by(8) {
            let here = self.graph.is(bits, candidate);
            let condition = self.graph.and(walk.condition, here);
            if self.graph.as_bit(condition) == Some(false) {
                continue;
            }
            let mut fork = Walk {
                graph: walk.graph,
                step: walk.step.clone(),
                condition,
                env: walk.env.clone(),
                taken: walk.taken.clone(),
                exits: Vec::new(),
            };
            self.require(&mut fork, from + candidate, length, span);
            if self.graph.as_bit(fork.condition) != Some(false) {
                self.resume(&mut fork, from + candidate, n);
            }
            walk.exits.append(&mut fork.exits);
        }
        false
    }

    fn transition(&mut self, walk: &mut Walk<'_>, transition: &Transition) {
        match transition {
            Transition::Goto(target) => {
                let (condition, env) = (walk.condition, walk.env.clone());
                self.leave(walk, condition, env, *target);
            }
            Transition::Select { values, rows } => {
                let values: Vec<ValueId> =
                    values.iter().map(|value| self.eval(&walk.env, value)).collect();
                let mut remaining = walk.condition;
                let mut taken = self.graph.bit(false);
                // Rows of one target are one way.
                let mut ways: Vec<(Target, ValueId)> = Vec::new();
                for row in rows {
                    let fits = match &row.kind {
                        RowKind::Any => self.graph.bit(true),
                        RowKind::Values(matches) => self.fits(&values, matches, row.span),
                        RowKind::ValueSet(set) => self.is_member(*set, &values, row.span),
                    };
                    let open = self.not(taken);
                    let first = self.graph.and(open, fits);
                    taken = self.graph.or(taken, fits);
                    match ways.iter_mut().find(|(target, _)| *target == row.target) {
                        Some((_, condition)) => {
                            *condition = self.graph.or(*condition, first);
                        }
                        None => ways.push((row.target, first)),
                    }
                }
                for (target, way) in ways {
                    let condition = self.graph.and(walk.condition, way);
                    if self.graph.as_bit(condition) != Some(false) {
                        let env = walk.env.clone();
                        self.leave(walk, condition, env, target);
                    }
                }
                let none = self.not(taken);
                remaining = self.graph.and(remaining, none);
                walk.condition = remaining;
                let never = self.graph.bit(false);
                self.fail_with(walk, never, "NoMatch");
            }
        }
    }

    fn fits(&mut self, values: &[ValueId], matches: &[Match], span: Span) -> ValueId {
        let mut all = self.graph.bit(true);
        for (value, wanted) in values.iter().zip(matches) {
            let one = self.matches(*value, wanted, span);
            all = self.graph.and(all, one);
        }
        all
    }

    /// Whether a value is in a set.
    pub fn matches(&mut self, value: ValueId, set: &Match, span: Span) -> ValueId {
        let width = self.graph.width(value);
        match set {
            Match::Any => self.graph.bit(true),
            Match::Value(wanted) => self.graph.is(value, wanted.clone()),
            Match::Mask { value: wanted, mask } => {
                let mask = self.graph.constant(width, mask.clone());
                let masked = self.graph.binary(BinaryOp::And, value, mask);
                self.graph.is(masked, wanted.clone())
            }
            Match::Range { low, high, signed } => {
                let less = if *signed { BinaryOp::LeSigned } else { BinaryOp::Le };
                let (low, high) = (
                    self.graph.constant(width, low.clone()),
                    self.graph.constant(width, high.clone()),
                );
                let above = self.graph.binary(less, low, value);
                let below = self.graph.binary(less, value, high);
                self.graph.and(above, below)
            }
            Match::ValueSet(set) => self.is_member(*set, &[value], span),
        }
    }

    /// The largest number that a value can be, as far as its making shows.
    fn upper_bound(&self, id: ValueId) -> BigUint {
        use super::super::dataflow::{Operation, ValueKind};
        let all = (BigUint::one() << self.graph.width(id)) - 1u32;
        match self.graph.kind(id) {
            ValueKind::Const(value) => value.clone(),
            ValueKind::Operation(Operation::ZeroExtend, o) => self.upper_bound(o[0]),
            ValueKind::Operation(Operation::Join, operands) => {
                let mut bound = BigUint::zero();
                for operand in operands {
                    bound = (bound << self.graph.width(*operand)) + self.upper_bound(*operand);
                }
                bound
            }
            ValueKind::Operation(Operation::Mux, o) => {
                self.upper_bound(o[1]).max(self.upper_bound(o[2]))
            }
            ValueKind::Operation(Operation::Binary(op), o) => {
                let (a, b) = (self.upper_bound(o[0]), self.upper_bound(o[1]));
                let bound = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::And => a.min(b),
                    BinaryOp::Shl => match b.to_u32() {
                        Some(b) if b < 4096 => a << b,
                        _ => all.clone(),
                    },
                    _ => all.clone(),
                };
                bound.min(all)
            }
            _ => all,
        }
    }
}
