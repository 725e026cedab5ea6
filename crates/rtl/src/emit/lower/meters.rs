//! Meters: one execution a packet for each array.

use super::super::dataflow::{UnitKind, ValueId, ValueKind};
use super::super::refusal::Reason;
use super::Lowering;
use super::state::Owner;
use ww_p4::pipeline::{ExternInstance, ExternInstanceId, PropertyValue};

/// A meter array.
#[derive(Clone, Debug)]
pub struct Meter {
    /// The object.
    pub object: ExternInstanceId,
    /// What it belongs to.
    pub owner: Owner,
    /// Whether it counts bytes rather than packets.
    pub bytes: bool,
    /// Executions, which exclude each other: condition and index.
    pub entries: Vec<(ValueId, ValueId)>,
    /// The colour, 2 bits.
    pub colour: ValueId,
}

/// Whether a meter is made to count bytes.
fn counts_bytes(instance: &ExternInstance) -> bool {
    let is_bytes =
        |value: &PropertyValue| matches!(value, PropertyValue::Member(m) if &**m == "bytes");
    instance.arguments.iter().any(|argument| is_bytes(&argument.value))
}

impl Lowering<'_> {
    /// Executes a meter: the colour, 2 bits; green where it does not happen.
    pub fn execute_meter(
        &mut self,
        object: ExternInstanceId,
        owner: Owner,
        enable: ValueId,
        index: ValueId,
    ) -> ValueId {
        let mut enable = enable;
        if let Owner::Own(size) = owner {
            let inside = self.below(index, size);
            enable = self.graph.and(enable, inside);
        }
        let index = self.graph.resize(index, 32);
        let green = self.graph.zero(2);
        let Some(n) = self.meters.iter().position(|meter| meter.object == object) else {
            let bytes = counts_bytes(&self.pipeline[object]);
            let units = if bytes {
                self.graph.input("packet_length", 16)
            } else {
                self.graph.constant(16, 1u32)
            };
            let time = self.graph.input("arrival_time", 48);
            let kind = UnitKind::Meter(self.meters.len() as u32);
            let inputs = vec![enable, index, units, time];
            let colour = self.graph.unit(kind, inputs, vec![2])[0];
            let name = format!("{}_colour", self.pipeline[object].name);
            self.graph.name(colour, &name);
            let entries = vec![(enable, index)];
            self.meters.push(Meter { object, owner, bytes, entries, colour });
            return self.graph.mux(enable, colour, green);
        };
        let Meter { entries, colour, .. } = self.meters[n].clone();
        let ValueKind::Output(unit, _) = *self.graph.kind(colour) else { return green };
        let apart =
            entries.iter().all(|(other, _)| self.conditions.exclude(&self.graph, *other, enable));
        if !apart || self.depends(index, unit) || self.depends(enable, unit) {
            let instance = &self.pipeline[object];
            let (name, span) = (instance.name.to_string(), instance.span);
            self.refuse(Reason::MeterPorts, &name, Some(span));
            return green;
        }
        self.meters[n].entries.push((enable, index));
        let [old_enable, old_index, units, time] = self.graph.units[unit.index()].inputs[..] else {
            return green;
        };
        let either = self.graph.or(old_enable, enable);
        let index = self.graph.mux(enable, index, old_index);
        self.graph.units[unit.index()].inputs = vec![either, index, units, time];
        self.graph.mux(enable, colour, green)
    }
}
