//! Graphs and operations.

use super::executor::Executor;
use super::expressions::{Fields, eval, field, is_set, position};
use super::packet::Context;
use ww_dataplane::DropReason;
use ww_engine::bits::{BitReader, Bits};
use ww_p4::pipeline::{
    ControlGraph, Extract, FieldId, HeaderId, Match, NodeKind, Op, OpKind, ParseGraph, Pipeline,
    RowKind, Target, Transition,
};

/// What ends a block before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An error of the parser.
    Error(u32),
    /// The packet is lost.
    Drop(DropReason),
}

/// How a graph ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At its end.
    End,
    /// By `exit`.
    Exit,
}

type Run<T> = Result<T, Stop>;

impl Executor {
    /// Runs a control, deparser or action.
    pub fn control(
        &mut self,
        pipeline: &Pipeline,
        graph: &ControlGraph,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Run<Ending> {
        let mut at = ControlGraph::ENTRY;
        loop {
            let node = &graph.nodes[at.index()];
            at = match &node.kind {
                NodeKind::Block { ops, next } => {
                    for op in ops {
                        self.op(pipeline, op, fields, context)?;
                    }
                    *next
                }
                NodeKind::Branch { condition, then, otherwise } => {
                    if eval(condition, fields).is_zero() { *otherwise } else { *then }
                }
                NodeKind::Switch { value, cases, default } => {
                    let value = eval(value, fields).to_biguint();
                    let case = cases.iter().find(|c| c.values.contains(&value));
                    case.map_or(*default, |c| c.target)
                }
                NodeKind::Apply { table, hit, action_run, next, exit, .. } => {
                    let applied = self.apply(pipeline, *table, fields, context)?;
                    if let Some(hit) = hit {
                        fields[hit.index()] = Bits::from_bool(applied.hit);
                    }
                    if let Some(run) = action_run {
                        fields[run.index()] = Bits::new(32, u128::from(applied.action));
                    }
                    match (applied.ending, exit) {
                        (Ending::Exit, Some(exit)) => *exit,
                        (Ending::Exit, None) => panic!("an exit without an edge for it"),
                        (Ending::End, _) => *next,
                    }
                }
                NodeKind::Loop { body, .. } => {
                    context.steps += 1;
                    if context.steps > self.options.max_steps {
                        return Err(Stop::Drop(DropReason::TooManySteps));
                    }
                    *body
                }
                NodeKind::Continue { head } => *head,
                NodeKind::End => return Ok(Ending::End),
                NodeKind::Exit => return Ok(Ending::Exit),
            };
        }
    }

    /// Runs a parser; `false` if it rejects.
    pub fn parser(
        &mut self,
        pipeline: &Pipeline,
        graph: &ParseGraph,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Run<bool> {
        let mut at = ParseGraph::START;
        let limit = 4096 + context.bytes.len() as u64 * 8;
        let code =
            |name: &str| pipeline.errors.iter().position(|e| &**e == name).unwrap_or(0) as u32;
        loop {
            let state = &graph.states[at.index()];
            let mut next = || -> Run<Target> {
                if state.is_entry {
                    context.states += 1;
                    if context.states > limit {
                        return Err(Stop::Error(code("ParserTimeout")));
                    }
                }
                for op in &state.ops {
                    self.op(pipeline, op, fields, context)?;
                }
                match &state.transition {
                    Transition::Goto(target) => Ok(*target),
                    Transition::Select { values, rows } => {
                        let values: Vec<Bits> = values.iter().map(|v| eval(v, fields)).collect();
                        let fits = |kind: &RowKind| match kind {
                            RowKind::Any => true,
                            RowKind::ValueSet(set) => self.in_set(pipeline, *set, &values),
                            RowKind::Values(matches) => matches
                                .iter()
                                .zip(&values)
                                .all(|(m, v)| self.matches(pipeline, m, v)),
                        };
                        let row = rows.iter().find(|row| fits(&row.kind));
                        row.map(|row| row.target).ok_or(Stop::Error(code("NoMatch")))
                    }
                }
            };
            let target = match next() {
                Ok(target) => target,
                Err(Stop::Error(code)) => {
                    let error = Bits::new(32, u128::from(code));
                    fields[pipeline.parser_error.index()] = error;
                    context.error = Some(code);
                    state.on_error
                }
                Err(stop) => return Err(stop),
            };
            match target {
                Target::State(state) => at = state,
                Target::Accept => return Ok(true),
                Target::Reject => return Ok(false),
            }
        }
    }

    fn matches(&self, pipeline: &Pipeline, m: &Match, value: &Bits) -> bool {
        let width = value.width();
        let bits = |n| Bits::from_biguint(width, n);
        match m {
            Match::Any => true,
            Match::Value(wanted) => bits(wanted) == *value,
            Match::Mask { value: wanted, mask } => value.and(&bits(mask)) == bits(wanted),
            Match::Range { low, high, signed: false } => {
                bits(low).compare(value).is_le() && value.compare(&bits(high)).is_le()
            }
            Match::Range { low, high, signed: true } => {
                bits(low).compare_signed(value).is_le() && value.compare_signed(&bits(high)).is_le()
            }
            Match::ValueSet(set) => self.in_set(pipeline, *set, std::slice::from_ref(value)),
        }
    }

    fn op(
        &mut self,
        pipeline: &Pipeline,
        op: &Op,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Run<()> {
        self.effect(pipeline, op, fields, context)?;
        op.kind.for_each_write(&pipeline.headers, &mut |field| {
            if !self.live[field.index()] {
                fields[field.index()] = Bits::ones(pipeline[field].width);
            }
        });
        Ok(())
    }

    fn effect(
        &mut self,
        pipeline: &Pipeline,
        op: &Op,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Run<()> {
        let allows =
            |guard: Option<FieldId>, fields: &Fields| guard.is_none_or(|g| is_set(fields, g));
        let code = |name: &str| {
            let position = pipeline.errors.iter().position(|e| &**e == name);
            Stop::Error(position.unwrap_or(0) as u32)
        };
        match &op.kind {
            OpKind::Assign { to, value, guard } => {
                if allows(*guard, fields) {
                    fields[to.index()] = eval(value, fields);
                }
            }
            OpKind::AssignElement { index, to, guards, value } => {
                if let Some(n) = position(index, fields, to.len())
                    && allows(guards.get(n).copied(), fields)
                {
                    fields[to[n].index()] = eval(value, fields);
                }
            }
            OpKind::Invalidate { header } => invalidate(pipeline, *header, fields),
            OpKind::InvalidateElement { index, headers } => {
                if let Some(n) = position(index, fields, headers.len()) {
                    invalidate(pipeline, headers[n], fields);
                }
            }
            OpKind::Extern(call) => self.call(pipeline, call, op.span, fields, context)?,
            OpKind::Extract(extract) => self.extract(pipeline, extract, fields, context, &code)?,
            OpKind::Lookahead { to, bits, .. } => {
                let reader = BitReader::new(&context.bytes);
                if context.cursor + u64::from(*bits) > reader.length() {
                    return Err(code("PacketTooShort"));
                }
                for (field, offset) in to {
                    let at = context.cursor + u64::from(*offset);
                    let width = pipeline[*field].width;
                    fields[field.index()] = reader.read(at, width).expect("inside the packet");
                }
            }
            OpKind::Advance { bits, .. } => {
                let bits = eval(bits, fields).low_u64();
                if !bits.is_multiple_of(8) {
                    return Err(code("ParserInvalidArgument"));
                }
                if context.cursor + bits > context.bytes.len() as u64 * 8 {
                    return Err(code("PacketTooShort"));
                }
                context.cursor += bits;
            }
            OpKind::PacketLength { to } => {
                fields[to.index()] = Bits::new(32, context.bytes.len() as u128);
            }
            OpKind::Verify { condition, error } => {
                if eval(condition, fields).is_zero() {
                    return Err(Stop::Error(eval(error, fields).low_u64() as u32));
                }
            }
            OpKind::Emit { header } => {
                let header = &pipeline[*header];
                if is_set(fields, header.valid) {
                    for item in &header.layout {
                        let value = field(fields, item.field);
                        let length = item.length.map(|l| field(fields, l).low_u64() as u32);
                        context.emitted.write(&on_wire(value, length));
                    }
                }
            }
        }
        Ok(())
    }

    fn extract(
        &mut self,
        pipeline: &Pipeline,
        extract: &Extract,
        fields: &mut Fields,
        context: &mut Context,
        code: &dyn Fn(&str) -> Stop,
    ) -> Run<()> {
        let variable = extract.varbit.as_ref().map_or(0, |e| eval(e, fields).low_u64());
        if !variable.is_multiple_of(8) {
            return Err(code("ParserInvalidArgument"));
        }
        let needed = u64::from(extract.fixed_bits) + variable;
        if context.cursor + needed > context.bytes.len() as u64 * 8 {
            return Err(code("PacketTooShort"));
        }
        let most = pipeline[extract.headers[0]].max_bits(&pipeline.fields);
        if needed > most {
            return Err(code("HeaderTooShort"));
        }
        let chosen = match &extract.index {
            None => Some(0),
            Some(index) => position(index, fields, extract.headers.len()),
        };
        if let Some(n) = chosen {
            let header = &pipeline[extract.headers[n]];
            let reader = BitReader::new(&context.bytes);
            let mut at = context.cursor;
            for item in &header.layout {
                let width = pipeline[item.field].width;
                let taken = if item.length.is_some() { variable as u32 } else { width };
                let value = reader.read(at, taken).expect("inside the packet");
                at += u64::from(taken);
                if let Some(length) = item.length {
                    fields[length.index()] = Bits::new(32, u128::from(taken));
                    // The first bit on the wire is the most significant one.
                    fields[item.field.index()] = value.resize(width).shl(u64::from(width - taken));
                } else {
                    fields[item.field.index()] = value;
                }
            }
            fields[header.valid.index()] = Bits::from_bool(true);
        }
        context.cursor += needed;
        Ok(())
    }
}

fn invalidate(pipeline: &Pipeline, header: HeaderId, fields: &mut Fields) {
    let header = &pipeline[header];
    let all = header.layout.iter().flat_map(|i| [Some(i.field), i.length]);
    for id in all.flatten().chain([header.valid]) {
        fields[id.index()] = Bits::zero(pipeline[id].width);
    }
}

/// The bits of a field that are on the wire.
pub fn on_wire(value: &Bits, length: Option<u32>) -> Bits {
    match length {
        None => value.clone(),
        Some(0) => Bits::zero(0),
        Some(length) => value.slice(value.width() - 1, value.width() - length),
    }
}
