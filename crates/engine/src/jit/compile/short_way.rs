//! The short way through the switch: a packet that is neither copied, nor held back, nor sent
//! back goes from ingress to egress and out within one function. All others leave it at the end
//! of ingress or egress, for [`crate::jit::switch`].

use super::emitter::{Emitter, Memory};
use crate::jit::abi::Context;
use crate::jit::packet::{PacketHead, request, status};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;
use ww_dataplane::DropReason;
use ww_p4::architecture::v1model::DROP_PORT;

impl Emitter<'_, '_> {
    /// From the end of ingress to the start of egress.
    pub fn ingress_to_egress(&mut self, max_steps: u64) {
        let asked = self.requested(request::CLONE | request::RESUBMIT);
        let group = self.intrinsic("mcast_grp");
        let queues = self.load(Memory::Tables, self.context, offset_of!(Context, queues));
        let special = self.any(&[asked, group, queues]);
        self.leave_if(special, status::INGRESS_ENDED);
        let port = self.intrinsic("egress_spec");
        self.drop_if_marked(port, DropReason::Ingress);

        let now = self.head(offset_of!(PacketHead, microseconds));
        let zero = self.word(0);
        self.set_head(offset_of!(PacketHead, port), 4, port);
        for (name, value) in [
            ("instance_type", zero),
            ("egress_port", port),
            // Egress starts with a port that is not the drop port.
            ("egress_spec", zero),
            ("enq_timestamp", now),
            ("enq_qdepth", zero),
            ("deq_timedelta", zero),
            ("deq_qdepth", zero),
            ("egress_global_timestamp", now),
            ("packet_length", self.length),
        ] {
            if let Some(field) = self.pipeline.intrinsic_field(name) {
                let value = self.mask(value, self.pipeline[field].width);
                self.set_field(field, &[value]);
            }
        }
        let steps = self.word(max_steps);
        self.set_head(offset_of!(PacketHead, steps), 8, steps);
    }

    /// From the end of egress to the checksum update.
    pub fn egress_to_output(&mut self) {
        let asked = self.requested(request::CLONE | request::RECIRCULATE);
        self.leave_if(asked, status::EGRESS_ENDED);
        let port = self.intrinsic("egress_spec");
        self.drop_if_marked(port, DropReason::Egress);
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

    fn drop_if_marked(&mut self, port: Value, reason: DropReason) {
        let drop_port = self.word(DROP_PORT);
        let marked = self.b.ins().icmp(IntCC::Equal, port, drop_port);
        let (go, lost) = (self.b.create_block(), self.lost(reason));
        self.b.ins().brif(marked, lost, &[], go, &[]);
        self.b.switch_to_block(go);
    }
}
