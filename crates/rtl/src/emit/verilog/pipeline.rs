//! The module in which packets become what they will be: stages of logic with registers between.

use super::super::dataflow::schedule::{Schedule, used_operands};
use super::super::dataflow::{Graph, Operation, UnitKind, ValueId, ValueKind};
use super::super::lower::Lowering;
use super::expression::{Text, constant, operation, saturating, select};
use super::names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use ww_p4::pipeline::BinaryOp;
use ww_p4::source::Span;

/// Longest expression within another one.
const MAX_INLINE: usize = 90;

/// Names of a section's module that are not the program's.
const RESERVED: &[&str] = &[
    "clk",
    "rst",
    "head",
    "valid",
    "held",
    "token_valid",
    "unused_bits",
    "unused_inputs",
    "ready",
    "rdata",
    "end_valid",
    "end_bytes",
    "digest_lost",
    "out_valid",
    "cfg_valid",
    "cfg_write",
    "cfg_object",
    "cfg_address",
    "cfg_wdata",
    "cfg_ready",
    "cfg_rdata",
];

/// Where in the program something stands, as `file:line`.
pub type Places<'a> = &'a dyn Fn(Span) -> Option<String>;

/// Writes the stages.
pub struct Stages<'a> {
    lowering: &'a Lowering<'a>,
    schedule: &'a Schedule,
    places: Places<'a>,
    names: Names,
    /// Ports of the graph's inputs.
    inputs: Vec<String>,
    /// By value: its name, the last clock that needs it, how many uses it has in its own clock
    /// and in all, and whether a use needs a name.
    base: Vec<Option<String>>,
    last_use: Vec<Option<u32>>,
    uses: Vec<(u32, u32)>,
    needs_name: Vec<bool>,
    /// Expressions that stand within others.
    inline: BTreeMap<ValueId, Text>,
    functions: BTreeSet<String>,
}

impl<'a> Stages<'a> {
    /// Ready to write.
    pub fn new(
        lowering: &'a Lowering<'a>,
        schedule: &'a Schedule,
        places: Places<'a>,
        roots: &[ValueId],
    ) -> Self {
        let count = lowering.graph.values.len();
        let mut stages = Self {
            lowering,
            schedule,
            places,
            names: Names::default(),
            inputs: Vec::new(),
            base: vec![None; count],
            last_use: vec![None; count],
            uses: vec![(0, 0); count],
            needs_name: vec![false; count],
            inline: BTreeMap::new(),
            functions: BTreeSet::new(),
        };
        for name in RESERVED {
            stages.names.reserve(name);
        }
        for (name, _) in &lowering.graph.inputs {
            let name = stages.names.fresh(name);
            stages.inputs.push(name);
        }
        stages.find_uses(roots);
        stages
    }

    fn graph(&self) -> &'a Graph {
        &self.lowering.graph
    }

    fn clock(&self, id: ValueId) -> Option<u32> {
        self.schedule.clocks[id.index()]
    }

    fn note_use(&mut self, id: ValueId, at: u32, named: bool) {
        let own = self.clock(id) == Some(at);
        let uses = &mut self.uses[id.index()];
        uses.1 += 1;
        uses.0 += u32::from(own);
        self.needs_name[id.index()] |= named;
        let last = &mut self.last_use[id.index()];
        *last = Some(last.map_or(at, |l| l.max(at)));
    }

    fn find_uses(&mut self, roots: &[ValueId]) {
        let graph = self.graph();
        for n in 0..graph.values.len() {
            let id = ValueId(n as u32);
            let Some(clock) = self.clock(id) else { continue };
            if let ValueKind::Operation(op, operands) = graph.kind(id) {
                let named = matches!(op, Operation::Slice(_));
                for operand in used_operands(*op, operands) {
                    self.note_use(*operand, clock, named);
                }
            }
        }
        for (n, unit) in graph.units.iter().enumerate() {
            if let Some(clock) = self.schedule.units[n] {
                for input in &unit.inputs {
                    self.note_use(*input, clock, true);
                }
            }
        }
        for root in roots {
            self.note_use(*root, self.schedule.last, true);
        }
    }

    /// How many registers there are between the stages: one for each value and clock that it has
    /// to wait. They are most of the text of a large pipeline.
    pub fn registers(&self) -> usize {
        let waits = |(n, last): (usize, &Option<u32>)| -> usize {
            let id = ValueId(n as u32);
            match (self.clock(id), last) {
                (Some(clock), Some(last)) if self.graph().as_const(id).is_none() => {
                    last.saturating_sub(clock) as usize
                }
                _ => 0,
            }
        };
        self.last_use.iter().enumerate().map(waits).sum()
    }

    /// A value in a clock not before its own.
    pub fn at(&mut self, id: ValueId, clock: u32) -> Text {
        let graph = self.graph();
        let value = &graph.values[id.index()];
        match &value.kind {
            ValueKind::Const(number) => return constant(value.width, number),
            ValueKind::Head(offset) if clock == 0 => {
                let bits = self.lowering.head_bytes * 8;
                let low = bits - offset - u64::from(value.width);
                return Text::selection(select("head", bits as u32, low as u32, value.width));
            }
            ValueKind::Input(n) if clock == 0 => return Text::name(&self.inputs[*n as usize]),
            _ => {}
        }
        if Some(clock) == self.clock(id)
            && let Some(text) = self.inline.get(&id)
        {
            return text.clone();
        }
        let base = self.base_name(id);
        if Some(clock) == self.clock(id) && !self.is_source(id) {
            Text::name(&base)
        } else {
            Text::name(&format!("{base}__s{clock}"))
        }
    }

    /// Whether a value has no signal of its own in its own clock.
    fn is_source(&self, id: ValueId) -> bool {
        matches!(
            self.graph().kind(id),
            ValueKind::Const(_) | ValueKind::Head(_) | ValueKind::Input(_)
        )
    }

    fn base_name(&mut self, id: ValueId) -> String {
        if let Some(name) = &self.base[id.index()] {
            return name.clone();
        }
        let graph = self.graph();
        let value = &graph.values[id.index()];
        let wanted = match (&value.name, &value.kind) {
            (_, ValueKind::Input(n)) => self.inputs[*n as usize].clone(),
            (Some(name), _) => name.clone(),
            (None, ValueKind::Head(offset)) => format!("packet_bit_{offset}"),
            (None, ValueKind::Output(unit, n)) => format!("unit_{}_{n}", unit.0),
            (None, _) if value.width == 1 => format!("is_{}", id.0),
            (None, _) => format!("value_{}", id.0),
        };
        let name = if matches!(value.kind, ValueKind::Input(_)) {
            wanted
        } else {
            self.names.fresh(&wanted)
        };
        self.base[id.index()] = Some(name.clone());
        name
    }

    /// Bits of a value that only slices of it leave unread make lint warnings; they are named
    /// here once.
    fn comment(&self, span: Option<Span>) -> String {
        span.and_then(|span| (self.places)(span)).map_or_else(String::new, |at| format!(" // {at}"))
    }

    /// All stages: declarations, logic, registers. The text goes into the module's body.
    pub fn write(&mut self) -> String {
        let graph = self.graph();
        let last = self.schedule.last;
        let mut by_clock: Vec<Vec<ValueId>> = vec![Vec::new(); last as usize + 1];
        for n in 0..graph.values.len() {
            let id = ValueId(n as u32);
            if let Some(clock) = self.clock(id) {
                by_clock[clock as usize].push(id);
            }
        }
        let mut body = String::new();
        let mut registers: Vec<Vec<(ValueId, u32)>> = vec![Vec::new(); last as usize + 1];
        for n in 0..graph.values.len() {
            let id = ValueId(n as u32);
            if let (Some(clock), Some(until)) = (self.clock(id), self.last_use[n])
                && graph.as_const(id).is_none()
            {
                for at in clock..until {
                    registers[at as usize].push((id, at));
                }
            }
        }
        let mut unread = Vec::new();
        for clock in 0..=last {
            let values = self.in_order(&by_clock[clock as usize]);
            let mut logic = String::new();
            for id in values {
                self.logic(id, clock, &mut logic, &mut unread);
            }
            let registers = &registers[clock as usize];
            if logic.is_empty() && registers.is_empty() {
                continue;
            }
            let _ = writeln!(body, "    // ---- Stage {clock}");
            body.push_str(&logic);
            if registers.is_empty() {
                continue;
            }
            let mut moves = String::new();
            for (id, at) in registers {
                let from = self.at(*id, *at).text;
                let base = self.base_name(*id);
                let to = format!("{base}__s{}", at + 1);
                declare(&mut body, graph.width(*id), &to);
                let _ = writeln!(moves, "        {to} <= {from};");
                unread.push(to);
            }
            let _ = writeln!(body, "    always_ff @(posedge clk) begin\n{moves}    end\n");
        }
        let mut text = String::new();
        for function in &self.functions {
            text.push_str(function);
            text.push('\n');
        }
        text.push_str(&body);
        if !unread.is_empty() {
            // Bits that nobody reads.
            let _ = writeln!(text, "    logic unused_bits;");
            let _ = writeln!(text, "    assign unused_bits = &{{");
            for line in unread.chunks(6) {
                let _ = writeln!(text, "        {},", line.join(", "));
            }
            let _ = writeln!(text, "        1'b0}};");
        }
        text
    }

    /// Operands in front of what is made of them.
    fn in_order(&self, values: &[ValueId]) -> Vec<ValueId> {
        let graph = self.graph();
        let inside: BTreeSet<ValueId> = values.iter().copied().collect();
        let (mut done, mut order) = (BTreeSet::new(), Vec::new());
        let mut stack: Vec<(ValueId, bool)> = values.iter().rev().map(|v| (*v, false)).collect();
        while let Some((id, entered)) = stack.pop() {
            if entered {
                order.push(id);
            } else if done.insert(id) {
                stack.push((id, true));
                if let ValueKind::Operation(_, operands) = graph.kind(id) {
                    stack.extend(
                        operands.iter().filter(|o| inside.contains(o)).map(|o| (*o, false)),
                    );
                }
            }
        }
        order
    }

    fn logic(&mut self, id: ValueId, clock: u32, text: &mut String, unread: &mut Vec<String>) {
        let graph = self.graph();
        let value = &graph.values[id.index()];
        match &value.kind {
            ValueKind::Operation(op, operands) => {
                if let Operation::Binary(op) = op {
                    self.saturation(*op, graph.width(operands[0]));
                }
                let operands: Vec<(Text, u32)> = used_operands(*op, operands)
                    .iter()
                    .map(|o| (self.at(*o, clock), graph.width(*o)))
                    .collect();
                let made = operation(*op, value.width, &operands);
                let (own, all) = self.uses[id.index()];
                let inlines = own == 1
                    && all == 1
                    && !self.needs_name[id.index()]
                    && value.name.is_none()
                    && made.text.len() <= MAX_INLINE
                    && !made.text.contains('\n');
                if inlines {
                    self.inline.insert(id, made);
                    return;
                }
                let name = self.base_name(id);
                declare(text, value.width, &name);
                let comment = self.comment(value.span);
                let _ = writeln!(text, "    assign {name} = {};{comment}", made.text);
                unread.push(name);
            }
            ValueKind::Output(..) => {
                let name = self.base_name(id);
                declare(text, value.width, &name);
                unread.push(name);
            }
            _ => {}
        }
    }

    fn saturation(&mut self, op: BinaryOp, width: u32) {
        if let Some(function) = saturating(op, width) {
            self.functions.insert(function);
        }
    }

    /// The name of a unit's output, if anything reads it.
    pub fn output(&mut self, unit: usize, n: u32) -> Option<String> {
        let graph = self.graph();
        let found = graph.values.iter().position(
            |v| matches!(v.kind, ValueKind::Output(u, k) if u.index() == unit && k == n),
        )?;
        let id = ValueId(found as u32);
        self.clock(id)?;
        Some(self.base_name(id))
    }

    /// A unit's input in its clock, and that clock.
    pub fn input(&mut self, unit: usize, n: usize) -> (String, u32) {
        let clock = self.schedule.units[unit].unwrap_or(0);
        let id = self.graph().units[unit].inputs[n];
        (self.at(id, clock).text, clock)
    }

    /// The port of a graph's input.
    pub fn input_name(&self, n: usize) -> String {
        self.inputs[n].clone()
    }

    /// Units of the schedule of a kind.
    pub fn units(&self, wanted: impl Fn(UnitKind) -> bool) -> Vec<usize> {
        let units = self.graph().units.iter().enumerate();
        units
            .filter(|(n, unit)| self.schedule.units[*n].is_some() && wanted(unit.kind))
            .map(|(n, _)| n)
            .collect()
    }
}

/// A declaration.
pub fn declare(text: &mut String, width: u32, name: &str) {
    let _ = if width == 1 {
        writeln!(text, "    logic {name};")
    } else {
        writeln!(text, "    logic [{}:0] {name};", width - 1)
    };
}
