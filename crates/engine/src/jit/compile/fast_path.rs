//! The fast path through the switch: a packet that is neither copied, nor held back, nor sent
//! back goes from ingress to egress and out within one function. All others leave it at the end
//! of ingress or egress, for [`crate::jit::switch`].

use super::emitter::{Emitter, Memory};
use crate::jit::abi::Context;
use crate::jit::packet::{PacketHead, status};
use crate::jit::program::asked;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;
use ww_dataplane::DropReason;
use ww_p4::architecture::{Meaning, PacketPath, PathAction, Trigger};

impl Emitter<'_, '_> {
    /// From the end of the first section to behind the queue.
    pub fn ingress_to_egress(&mut self, max_steps: u64) {
        let architecture = self.pipeline.architecture;
        let ends: Vec<_> = architecture.paths_from(architecture.sections.front.end - 1).collect();
        let mut special = vec![self.requested(asks(&ends))];
        for end in &ends {
            if let (PathAction::Replicate, Trigger::NotZero(field)) = (end.action, end.when) {
                special.push(self.intrinsic(field));
            }
        }
        special.push(self.load(Memory::Tables, self.context, offset_of!(Context, queues)));
        let special = self.any(&special);
        self.leave_if(special, status::INGRESS_ENDED);
        self.drop_if_marked(&ends, DropReason::Ingress);
        let port = match self.pipeline.meaning(Meaning::OutputPort) {
            Some(field) => self.number(field),
            None => self.word(0),
        };

        let now = self.head(offset_of!(PacketHead, microseconds));
        let zero = self.word(0);
        self.set_head(offset_of!(PacketHead, port), 4, port);
        let queued = ends.iter().find(|end| end.action == PathAction::Enqueue);
        let mut values = vec![
            (Meaning::EgressPort, port),
            // What is behind the queue starts with a port that is not the drop port.
            (Meaning::OutputPort, zero),
            (Meaning::EnqueueTime, now),
            (Meaning::EnqueueDepth, zero),
            (Meaning::QueueTime, zero),
            (Meaning::DequeueDepth, zero),
            (Meaning::EgressTime, now),
            (Meaning::PacketLength, self.length),
        ];
        if let Some(instance_type) = queued.and_then(|end| end.instance_type) {
            values.push((Meaning::InstanceType, self.word(u64::from(instance_type))));
        }
        for (meaning, value) in values {
            if let Some(field) = self.pipeline.meaning(meaning) {
                let value = self.mask(value, self.pipeline[field].width);
                self.set_field(field, &[value]);
            }
        }
        let steps = self.word(max_steps);
        self.set_head(offset_of!(PacketHead, steps), 8, steps);
    }

    /// From the end of the section behind the queue, if there is one, to the last one.
    pub fn egress_to_output(&mut self) {
        let architecture = self.pipeline.architecture;
        let sections = &architecture.sections;
        let mut ends: Vec<_> = match sections.egress.is_empty() {
            true => Vec::new(),
            false => architecture.paths_from(sections.egress.end - 1).collect(),
        };
        let drops = ends.clone();
        ends.extend(architecture.paths_from(sections.finish.end - 1));
        // Without a section of its own in between, the last one may still ask.
        if !sections.egress.is_empty() || asks(&ends) == 0 {
            let asked = self.requested(asks(&ends));
            self.leave_if(asked, status::EGRESS_ENDED);
        } else {
            let always = self.word(1);
            self.leave_if(always, status::EGRESS_ENDED);
        }
        self.drop_if_marked(&drops, DropReason::Egress);
    }

    fn requested(&mut self, which: u32) -> Value {
        let offset = offset_of!(PacketHead, requests);
        let requests = self.load_sized(Memory::Packet, self.memory, offset, 4);
        self.b.ins().band_imm_u(requests, i64::from(which))
    }

    fn intrinsic(&mut self, name: &str) -> Value {
        match self.pipeline.intrinsic_field(name) {
            Some(field) => self.number(field),
            None => self.word(0),
        }
    }

    fn leave_if(&mut self, condition: Value, status: u32) {
        let (leave, go) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(condition, leave, &[], go, &[]);
        self.b.set_cold_block(leave);
        self.b.switch_to_block(leave);
        self.give(status);
        self.b.switch_to_block(go);
    }

    /// Loses the packet where a path drops it.
    fn drop_if_marked(&mut self, ends: &[&PacketPath], reason: DropReason) {
        for end in ends.iter().filter(|end| end.action == PathAction::Drop) {
            let marked = match end.when {
                Trigger::Equals(field, value) => {
                    let (field, value) = (self.intrinsic(field), self.word(value));
                    self.b.ins().icmp(IntCC::Equal, field, value)
                }
                Trigger::NotZero(field) => self.intrinsic(field),
                Trigger::Asked(_) | Trigger::Otherwise => continue,
            };
            let (go, lost) = (self.b.create_block(), self.lost(reason));
            self.b.ins().brif(marked, lost, &[], go, &[]);
            self.b.switch_to_block(go);
        }
    }
}

/// The requests that send a packet on one of the paths.
fn asks(ends: &[&PacketPath]) -> u32 {
    ends.iter().fold(0, |mask, end| match end.when {
        Trigger::Asked(request) => mask | asked(request),
        _ => mask,
    })
}
