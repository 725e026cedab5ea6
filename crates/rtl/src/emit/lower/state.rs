//! What lives longer than a packet: register arrays, counters, messages.

use super::super::dataflow::{UnitKind, ValueId, ValueKind};
use super::super::refusal::Reason;
use super::Lowering;
use super::environment::Environment;
use num_traits::ToPrimitive;
use std::sync::Arc;
use ww_p4::pipeline::{BinaryOp, ExternInstance, ExternInstanceId, Operand, PropertyValue, Table};
use ww_p4::source::Span;

/// Most bits of a register array in flip-flops.
const MAX_FLIP_FLOPS: u64 = 16_384;

/// A register array.
#[derive(Clone, Debug)]
pub struct Array {
    /// The object.
    pub object: ExternInstanceId,
    /// Bits of a value.
    pub width: u32,
    /// Number of values.
    pub size: u64,
    /// Places where a packet accesses it.
    pub ports: Vec<Port>,
    /// Writes in order.
    pub writes: Vec<Store>,
}

/// One access a packet: at indices that exclude each other.
#[derive(Clone, Debug)]
pub struct Port {
    /// Indices with the conditions under which they count.
    pub entries: Vec<(ValueId, ValueId)>,
    /// What is there before the packet.
    pub value: ValueId,
}

/// A write to a register array.
#[derive(Clone, Debug)]
pub struct Store {
    /// Whether it happens.
    pub enable: ValueId,
    /// Where.
    pub index: ValueId,
    /// What.
    pub value: ValueId,
    /// At which access.
    pub port: usize,
}

/// What a counter array belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Itself, with so many cells.
    Own(u64),
    /// The table with this name.
    Table(Arc<str>),
}

/// A counter array.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The object.
    pub object: ExternInstanceId,
    /// What it belongs to.
    pub owner: Owner,
    /// Memories of which each counts once a packet; a cell is the sum over all.
    pub lanes: Vec<(ValueId, ValueId)>,
}

/// A kind of message to the control plane.
#[derive(Clone, Debug)]
pub struct Message {
    /// Type in the program.
    pub name: String,
    /// Fields with their bits.
    pub fields: Vec<(String, u32)>,
    /// Whether it is sent.
    pub enable: ValueId,
    /// The receiver, 32 bits.
    pub receiver: ValueId,
    /// The fields, the first in the lowest bits.
    pub data: ValueId,
    /// Where.
    pub span: Option<Span>,
}

impl Counter {
    /// The direct counter of a table.
    pub fn direct(object: ExternInstanceId, table: &Table) -> Self {
        let owner = Owner::Table(table.name.to_string().into());
        Self { object, owner, lanes: Vec::new() }
    }

    /// A counter array with indices.
    pub fn indexed(object: ExternInstanceId, instance: &ExternInstance) -> Self {
        Self { object, owner: Owner::Own(size_of(instance)), lanes: Vec::new() }
    }
}

/// The number of cells that an object is made with.
pub fn size_of(instance: &ExternInstance) -> u64 {
    let number = |value: &PropertyValue| match value {
        PropertyValue::Number(n) => n.to_u64(),
        _ => None,
    };
    instance.arguments.iter().find_map(|a| number(&a.value)).unwrap_or(0)
}

impl Lowering<'_> {
    /// Counts a packet.
    pub fn count(&mut self, counter: Counter, enable: ValueId, index: ValueId) {
        let mut enable = enable;
        if let Owner::Own(size) = counter.owner {
            let inside = self.below(index, size);
            enable = self.graph.and(enable, inside);
        }
        if self.graph.as_bit(enable) == Some(false) {
            return;
        }
        let n = self.counters.iter().position(|c| c.object == counter.object);
        let n = n.unwrap_or_else(|| {
            self.counters.push(counter);
            self.counters.len() - 1
        });
        let index = self.graph.resize(index, 32);
        for lane in 0..self.counters[n].lanes.len() {
            let (other, at) = self.counters[n].lanes[lane];
            if self.conditions.exclude(&self.graph, other, enable) {
                let either = self.graph.or(other, enable);
                let index = self.graph.mux(enable, index, at);
                self.counters[n].lanes[lane] = (either, index);
                return;
            }
        }
        self.counters[n].lanes.push((enable, index));
    }

    fn array(&mut self, object: ExternInstanceId) -> usize {
        if let Some(n) = self.arrays.iter().position(|a| a.object == object) {
            return n;
        }
        let instance = &self.pipeline[object];
        let bits = instance.type_arguments.first().and_then(|(_, bits)| *bits).unwrap_or(0);
        let array = Array {
            object,
            width: bits as u32,
            size: size_of(instance),
            ports: Vec::new(),
            writes: Vec::new(),
        };
        self.arrays.push(array);
        self.arrays.len() - 1
    }

    /// The access of an array at an index.
    fn port(&mut self, array: usize, index: ValueId, enable: ValueId) -> usize {
        for n in 0..self.arrays[array].ports.len() {
            let Port { entries, value } = self.arrays[array].ports[n].clone();
            let fits = entries.iter().all(|(at, condition)| {
                *at == index || self.conditions.exclude(&self.graph, *condition, enable)
            });
            let ValueKind::Output(unit, _) = *self.graph.kind(value) else { continue };
            let known = entries.iter().position(|(at, _)| *at == index);
            if !fits || (known.is_none() && self.depends(index, unit)) {
                continue;
            }
            match known {
                Some(k) => {
                    let either = self.graph.or(entries[k].1, enable);
                    self.arrays[array].ports[n].entries[k].1 = either;
                }
                None => self.arrays[array].ports[n].entries.push((index, enable)),
            }
            return n;
        }
        let n = self.arrays[array].ports.len();
        let width = self.arrays[array].width;
        let kind = UnitKind::Read(array as u32, n as u32);
        let value = self.graph.unit(kind, vec![index], vec![width])[0];
        let name = self.pipeline[self.arrays[array].object].name.clone();
        self.graph.name(value, &format!("{name}_read"));
        self.arrays[array].ports.push(Port { entries: vec![(index, enable)], value });
        n
    }

    /// Reads a register; zero beyond the last.
    pub fn read_register(
        &mut self,
        object: ExternInstanceId,
        index: ValueId,
        enable: ValueId,
    ) -> Option<ValueId> {
        let array = self.array(object);
        let Array { width, size, .. } = self.arrays[array];
        if width == 0 {
            return None;
        }
        let inside = self.below(index, size);
        let enable = self.graph.and(enable, inside);
        let port = self.port(array, index, enable);
        let mut value = self.arrays[array].ports[port].value;
        for store in self.arrays[array].writes.clone() {
            let same = if store.index == index {
                self.graph.bit(true)
            } else {
                self.graph.equal(store.index, index)
            };
            let newer = self.graph.and(store.enable, same);
            value = self.graph.mux(newer, store.value, value);
        }
        let zero = self.graph.zero(width);
        Some(self.graph.mux(inside, value, zero))
    }

    /// Writes a register; beyond the last nothing.
    pub fn write_register(
        &mut self,
        object: ExternInstanceId,
        index: ValueId,
        value: ValueId,
        enable: ValueId,
    ) {
        let array = self.array(object);
        let inside = self.below(index, self.arrays[array].size);
        let enable = self.graph.and(enable, inside);
        if self.arrays[array].width == 0 || self.graph.as_bit(enable) == Some(false) {
            return;
        }
        let port = self.port(array, index, enable);
        self.arrays[array].writes.push(Store { enable, index, value, port });
    }

    /// Makes units of what was collected: call this when a section is complete.
    pub fn finish_state(&mut self) {
        for n in 0..self.counters.len() {
            for (lane, (enable, index)) in self.counters[n].lanes.clone().into_iter().enumerate() {
                let kind = UnitKind::Count(n as u32, lane as u32);
                self.graph.unit(kind, vec![enable, index], Vec::new());
            }
        }
        for n in 0..self.arrays.len() {
            self.finish_array(n);
        }
        for n in 0..self.digests.len() {
            let Message { enable, receiver, data, .. } = self.digests[n].clone();
            self.graph.unit(UnitKind::Digest(n as u32), vec![enable, receiver, data], Vec::new());
        }
    }

    fn finish_array(&mut self, n: usize) {
        let array = self.arrays[n].clone();
        let mut indices = Vec::new();
        for port in &array.ports {
            let mut index = port.entries[0].0;
            for (at, condition) in &port.entries[1..] {
                index = self.graph.mux(*condition, *at, index);
            }
            indices.push(index);
            if let ValueKind::Output(unit, _) = *self.graph.kind(port.value) {
                self.graph.units[unit.index()].inputs = vec![index];
            }
        }
        if let [port] = &array.ports[..] {
            if array.writes.is_empty() {
                return;
            }
            let mut enable = self.graph.bit(false);
            let mut value = port.value;
            for store in &array.writes {
                enable = self.graph.or(enable, store.enable);
                value = self.graph.mux(store.enable, store.value, value);
            }
            let kind = UnitKind::Write(n as u32, 0);
            self.graph.unit(kind, vec![enable, indices[0], value], Vec::new());
            return;
        }
        let bits = array.size.saturating_mul(u64::from(array.width));
        if bits > MAX_FLIP_FLOPS {
            let instance = &self.pipeline[array.object];
            let (name, span) = (instance.name.to_string(), instance.span);
            self.refuse(Reason::RegisterPorts, &name, Some(span));
        }
        for (k, store) in array.writes.iter().enumerate() {
            let kind = UnitKind::Write(n as u32, k as u32);
            let inputs = vec![store.enable, store.index, store.value];
            self.graph.unit(kind, inputs, Vec::new());
        }
    }

    /// Sends a message to the control plane.
    pub fn digest(
        &mut self,
        env: &Environment,
        receiver: ValueId,
        operand: &Operand,
        enable: ValueId,
    ) {
        let mut fields = Vec::new();
        let mut parts = Vec::new();
        for leaf in operand.leaves.iter().filter(|leaf| leaf.value.width > 0) {
            let value = self.eval(env, &leaf.value);
            fields.push((leaf.name.clone(), leaf.value.width));
            parts.push(value);
        }
        parts.reverse();
        let data = if parts.is_empty() { self.graph.bit(false) } else { self.graph.join(parts) };
        let receiver = self.graph.resize(receiver, 32);
        let span = self.graph.at;
        let name = operand.type_name.clone();
        self.digests.push(Message { name, fields, enable, receiver, data, span });
    }

    /// A remainder or a quotient of unsigned numbers by restoring division, a bit a step; zero
    /// if the divisor is.
    pub fn divide(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        let width = self.graph.width(a);
        let mut rest = self.graph.zero(width + 1);
        let divisor = self.graph.zero_extend(b, width + 1);
        let mut quotient = Vec::new();
        for bit in (0..width).rev() {
            let next = self.graph.slice(a, bit, 1);
            let kept = self.graph.slice(rest, 0, width);
            let shifted = self.graph.join(vec![kept, next]);
            let less = self.graph.binary(BinaryOp::Lt, shifted, divisor);
            let reduced = self.graph.binary(BinaryOp::Sub, shifted, divisor);
            rest = self.graph.mux(less, shifted, reduced);
            quotient.push(self.not(less));
        }
        let result = if op == BinaryOp::Div {
            self.graph.join(quotient)
        } else {
            self.graph.slice(rest, 0, width)
        };
        let by_zero = self.graph.is(b, 0u32);
        let zero = self.graph.zero(width);
        self.graph.mux(by_zero, zero, result)
    }
}
