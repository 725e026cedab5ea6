//! Copies and returns of packets: clones, replicas, and packets that start over.

use super::Interp;
use super::machine::PacketContext;
use super::preserve::{Kept, keep, restore};
use super::requests::CloneRequest;
use super::switch::{EgressPacket, Family, IngressPacket, Lost, Parts, set_number};
use super::values::Value;
use crate::tcpu::Passage;
use std::sync::atomic::Ordering::Relaxed;
use ww_dataplane::DropReason;
use ww_dataplane::Picoseconds;
use ww_dataplane::control::MirrorSession;
use ww_dataplane::trace::{PacketTag, TraceEvent};

impl Interp {
    /// The clone of an ingress pass: the packet as it came in, with the headers as the parser
    /// found them, and fresh metadata.
    pub(super) fn ingress_clone(
        &mut self,
        packet: &IngressPacket,
        context: &PacketContext,
        request: &CloneRequest,
        (metadata, intrinsic): (&Value, &Value),
        instance_type: Option<u32>,
    ) {
        let Some(session) = self.clone_session(packet.tag, "I2E", request) else { return };
        let kept = keep(&self.loaded, &request.preserve, metadata, intrinsic);
        let Some(tag) = self.copy_tag(packet.tag, &packet.family, true) else { return };
        // The parser has seen this packet already: the same result, and nothing to report.
        let Ok(parsed) = self.parse(packet, packet.kept.clone(), false) else { return };
        let (metadata, mut intrinsic) = self.fresh_metadata(kept, instance_type);
        set_number(&mut intrinsic, self.loaded.fields.ingress_port, u64::from(packet.port));
        let copy = EgressPacket {
            tag,
            family: packet.family.clone(),
            parts: Parts { headers: parsed.parts.headers, metadata, intrinsic },
            bytes: parsed.context.bytes,
            cursor: parsed.context.cursor,
            truncate: session.truncate,
            recirculate: None,
            passage: Passage::new(packet.port, packet.tpp.clone()),
            matched: Vec::new(),
        };
        self.mirror(copy, session, context.now);
    }

    /// The session of a clone request, if it exists.
    pub(super) fn clone_session(
        &mut self,
        tag: PacketTag,
        kind: &str,
        request: &CloneRequest,
    ) -> Option<MirrorSession> {
        let session = self.state.replication.session(request.session);
        self.trace(tag, || TraceEvent::Clone {
            kind: kind.to_owned(),
            session: request.session,
            configured: session.is_some(),
        });
        session
    }

    pub(super) fn fresh_metadata(&self, kept: Kept, instance_type: Option<u32>) -> (Value, Value) {
        let mut metadata = Value::default_of(&self.program, &self.loaded.metadata);
        let mut intrinsic = Value::default_of(&self.program, &self.loaded.intrinsic);
        restore(kept, &mut metadata, &mut intrinsic);
        self.set_instance_type(&mut intrinsic, instance_type);
        (metadata, intrinsic)
    }

    /// Sets the kind of packet, if a path sets it anew.
    pub(super) fn set_instance_type(&self, intrinsic: &mut Value, instance_type: Option<u32>) {
        if let Some(instance_type) = instance_type {
            let field = self.loaded.fields.instance_type;
            set_number(intrinsic, field, u64::from(instance_type));
        }
    }

    /// Sends a clone where its session says.
    pub(super) fn mirror(&mut self, copy: EgressPacket, session: MirrorSession, now: Picoseconds) {
        if let Some(group) = session.group {
            let tag = copy.tag;
            if let Err((reason, at)) = self.replicate(copy.clone(), group, now) {
                self.drop(tag, reason, at);
            }
        }
        if let Some(port) = session.port {
            let tag = copy.tag;
            if let Err(reason) = self.enqueue(copy, port, now) {
                self.drop(tag, reason, None);
            }
        }
    }

    /// One copy for each replica of a group; the packet itself goes no further.
    pub(super) fn replicate(
        &mut self,
        packet: EgressPacket,
        group: u16,
        now: Picoseconds,
    ) -> Result<(), Lost> {
        let replicas = self.state.replication.replicas(group);
        self.trace(packet.tag, || TraceEvent::Multicast {
            group: u32::from(group),
            replicas: replicas.iter().map(|r| (u32::from(r.replication_id), r.port)).collect(),
        });
        if replicas.is_empty() {
            return Err((DropReason::EmptyGroup, None));
        }
        for replica in replicas {
            let Some(tag) = self.copy_tag(packet.tag, &packet.family, false) else { continue };
            let mut copy = EgressPacket { tag, ..packet.clone() };
            let field = self.loaded.fields.egress_rid;
            set_number(&mut copy.parts.intrinsic, field, u64::from(replica.replication_id));
            if let Err(reason) = self.enqueue(copy, replica.port, now) {
                self.drop(tag, reason, None);
            }
        }
        Ok(())
    }

    /// Puts a packet in front of the parser again, before all others.
    pub(super) fn start_over(
        &mut self,
        packet: IngressPacket,
        instance_type: u32,
        kept: Kept,
    ) -> Result<(), Lost> {
        if packet.family.passes.fetch_add(1, Relaxed) >= self.loaded.options.max_passes {
            return Err((DropReason::TooManyPasses, None));
        }
        let copy = packet.family.copies.fetch_add(1, Relaxed).wrapping_add(1);
        let tag = PacketTag { copy, ..packet.tag };
        self.input.push_front(IngressPacket { tag, instance_type, kept, ..packet });
        Ok(())
    }

    /// A name for a copy; `None` (and a drop) if a clone is one too many.
    pub(super) fn copy_tag(
        &mut self,
        of: PacketTag,
        family: &Family,
        is_clone: bool,
    ) -> Option<PacketTag> {
        if is_clone && family.passes.fetch_add(1, Relaxed) >= self.loaded.options.max_passes {
            self.drop(of, DropReason::TooManyPasses, None);
            return None;
        }
        let copy = family.copies.fetch_add(1, Relaxed).wrapping_add(1);
        Some(PacketTag { copy, ..of })
    }
}
