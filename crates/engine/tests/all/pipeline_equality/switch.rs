//! The packet path of v1model.

use super::executor::Executor;
use super::expressions::Fields;
use super::packet::{Arriving, Context, Family, Kept, Leaving};
use super::run::Stop;
use std::rc::Rc;
use ww_dataplane::DropReason;
use ww_dataplane::control::{Control, MirrorSession};
use ww_dataplane::trace::PacketTag;
use ww_dataplane::traffic::{Arrival, Departure, TrafficManager};
use ww_dataplane::{Picoseconds, PortId, Transmit};
use ww_engine::bits::Bits;
use ww_p4::architecture::v1model::DROP_PORT;
use ww_p4::pipeline::{Body, FieldId, FieldRole, Pipeline, Scope};

const MICROSECOND: u64 = 1_000_000;

type Outcome = Result<(), DropReason>;

impl Executor {
    pub fn accept(&mut self, port: PortId, now: Picoseconds, frame: &[u8]) {
        self.received += 1;
        self.input.push_back(Arriving {
            tag: PacketTag { packet: self.received, copy: 0 },
            family: Rc::default(),
            at: now,
            port,
            instance_type: 0,
            bytes: frame.into(),
            kept: Kept::new(),
        });
    }

    pub fn work(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let pipeline = self.pipeline.clone();
        loop {
            if let Some(packet) = self.input.pop_front() {
                let _ = self.ingress(&pipeline, packet);
            } else if let Some(departure) = self.traffic.dequeue(now) {
                if let Some(packet) = self.queued.remove(&departure.packet) {
                    let _ = self.egress(&pipeline, packet, departure, out);
                }
            } else {
                return;
            }
        }
    }

    fn block(
        &mut self,
        pipeline: &Pipeline,
        parameter: &str,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Result<bool, DropReason> {
        let block = pipeline.block(parameter).expect("the package has all blocks");
        self.spoil(pipeline, fields);
        let result = match &block.body {
            Body::Parser(graph) => self.parser(pipeline, graph, fields, context),
            Body::Control(graph) => self.control(pipeline, graph, fields, context).map(|_| true),
        };
        result.map_err(|stop| match stop {
            Stop::Drop(reason) => reason,
            Stop::Error(_) => DropReason::Fault,
        })
    }

    /// Puts nonsense into fields that a block must not read before it writes them.
    fn spoil(&self, pipeline: &Pipeline, fields: &mut Fields) {
        for ((field, live), value) in pipeline.fields.iter().zip(&self.live).zip(fields) {
            if !live || field.scope == Scope::Local && field.role != FieldRole::ParserError {
                *value = Bits::ones(field.width);
            }
        }
    }

    fn zeros(pipeline: &Pipeline) -> Fields {
        let initial = |f| u128::from(pipeline.initial(f));
        pipeline.fields.iter().map(|f| Bits::new(f.width, initial(f))).collect()
    }

    fn parse(
        &mut self,
        pipeline: &Pipeline,
        packet: &Arriving,
    ) -> Result<(Fields, Context), DropReason> {
        let mut context = Context::new(packet.tag, packet.at, packet.bytes.clone());
        let mut fields = Self::zeros(pipeline);
        restore(&packet.kept, &mut fields);
        if packet.instance_type != 4 {
            set(pipeline, &mut fields, "ingress_port", u64::from(packet.port));
        }
        set(pipeline, &mut fields, "instance_type", u64::from(packet.instance_type));
        set(pipeline, &mut fields, "packet_length", packet.bytes.len() as u64);
        set(pipeline, &mut fields, "ingress_global_timestamp", packet.at / MICROSECOND);
        self.block(pipeline, "p", &mut fields, &mut context)?;
        if let Some(code) = context.error {
            set(pipeline, &mut fields, "parser_error", u64::from(code));
        }
        Ok((fields, context))
    }

    fn ingress(&mut self, pipeline: &Pipeline, packet: Arriving) -> Outcome {
        let (mut fields, mut context) = self.parse(pipeline, &packet)?;
        self.block(pipeline, "vr", &mut fields, &mut context)?;
        if context.checksum_error {
            set(pipeline, &mut fields, "checksum_error", 1);
        }
        self.block(pipeline, "ig", &mut fields, &mut context)?;
        let requests = std::mem::take(&mut context.requests);
        if let Some((session, keep)) = &requests.clone
            && let Ok(Some(session)) = self.inner.mirror(*session)
            && let Some(tag) = self.copy(packet.tag, &packet.family, true)
            && let Ok((parsed, parsed_context)) = self.parse(pipeline, &packet)
        {
            let kept = kept(keep, &fields);
            let mut copy = fresh_metadata(pipeline, parsed, &kept, 1);
            set(pipeline, &mut copy, "ingress_port", u64::from(packet.port));
            let leaving = Leaving {
                tag,
                family: packet.family.clone(),
                fields: copy,
                bytes: packet.bytes.clone(),
                cursor: parsed_context.cursor,
                truncate: session.truncate,
                recirculate: None,
            };
            self.mirrored(pipeline, leaving, session, context.now);
        }
        if let Some(keep) = &requests.resubmit {
            let kept = kept(keep, &fields);
            return self.start_over(Arriving { instance_type: 6, kept, ..packet });
        }
        let group = get(pipeline, &fields, "mcast_grp");
        let port = get(pipeline, &fields, "egress_spec");
        let mut leaving = Leaving {
            tag: packet.tag,
            family: packet.family,
            fields,
            bytes: context.bytes,
            cursor: context.cursor,
            truncate: requests.truncate,
            recirculate: requests.recirculate,
        };
        if group != 0 {
            set(pipeline, &mut leaving.fields, "instance_type", 5);
            leaving.recirculate = None;
            return self.replicate(pipeline, leaving, group as u16, context.now);
        }
        if port == DROP_PORT {
            return Err(DropReason::Ingress);
        }
        set(pipeline, &mut leaving.fields, "instance_type", 0);
        self.enqueue(pipeline, leaving, port as PortId, context.now)
    }

    fn enqueue(
        &mut self,
        pipeline: &Pipeline,
        packet: Leaving,
        port: PortId,
        now: Picoseconds,
    ) -> Outcome {
        let name = self.next_queued;
        self.next_queued += 1;
        let queue = get(pipeline, &packet.fields, "priority") as u32;
        let arrival = Arrival { packet: name, port, queue, frame: &packet.bytes, extra: 0 };
        self.traffic.enqueue(now, arrival).map_err(|_| DropReason::QueueFull)?;
        self.queued.insert(name, packet);
        Ok(())
    }

    fn egress(
        &mut self,
        pipeline: &Pipeline,
        packet: Leaving,
        departure: Departure,
        out: &mut Vec<Transmit>,
    ) -> Outcome {
        let Leaving { tag, family, mut fields, .. } = packet;
        let mut context = Context::new(tag, departure.dequeued_at, packet.bytes);
        context.cursor = packet.cursor;
        context.behind_ingress = true;
        context.requests.truncate = packet.truncate;
        context.requests.recirculate = packet.recirculate;
        let (joined, left) =
            (departure.enqueued_at / MICROSECOND, departure.dequeued_at / MICROSECOND);
        for (name, value) in [
            ("egress_port", u64::from(departure.port)),
            ("egress_spec", 0),
            ("packet_length", context.bytes.len() as u64),
            ("enq_timestamp", joined),
            ("enq_qdepth", u64::from(departure.depth_at_enqueue)),
            ("deq_timedelta", left - joined),
            ("deq_qdepth", u64::from(departure.depth_at_dequeue)),
            ("egress_global_timestamp", left),
        ] {
            set(pipeline, &mut fields, name, value);
        }
        self.block(pipeline, "eg", &mut fields, &mut context)?;
        let requests = std::mem::take(&mut context.requests);
        if let Some((session, keep)) = &requests.clone
            && let Ok(Some(session)) = self.inner.mirror(*session)
            && let Some(tag) = self.copy(tag, &family, true)
        {
            let kept = kept(keep, &fields);
            let leaving = Leaving {
                tag,
                family: family.clone(),
                fields: fresh_metadata(pipeline, fields.clone(), &kept, 2),
                bytes: context.bytes.clone(),
                cursor: context.cursor,
                truncate: session.truncate,
                recirculate: None,
            };
            self.mirrored(pipeline, leaving, session, context.now);
        }
        if get(pipeline, &fields, "egress_spec") == DROP_PORT {
            return Err(DropReason::Egress);
        }
        self.block(pipeline, "ck", &mut fields, &mut context)?;
        self.block(pipeline, "dep", &mut fields, &mut context)?;
        let mut writer = std::mem::take(&mut context.emitted);
        writer.write_from(&context.bytes, context.cursor);
        let mut frame = writer.into_bytes();
        if let Some(keep) = &requests.recirculate {
            let kept = kept(keep, &fields);
            let port = get(pipeline, &fields, "ingress_port") as PortId;
            return self.start_over(Arriving {
                tag,
                family,
                at: context.now,
                port,
                instance_type: 4,
                bytes: frame.into(),
                kept,
            });
        }
        if let Some(length) = requests.truncate {
            frame.truncate(length as usize);
        }
        out.push(Transmit { port: departure.port, at: departure.dequeued_at, frame });
        Ok(())
    }

    fn mirrored(
        &mut self,
        pipeline: &Pipeline,
        copy: Leaving,
        session: MirrorSession,
        now: Picoseconds,
    ) {
        if let Some(group) = session.group {
            let _ = self.replicate(pipeline, copy.clone(), group, now);
        }
        if let Some(port) = session.port {
            let _ = self.enqueue(pipeline, copy, port, now);
        }
    }

    fn replicate(
        &mut self,
        pipeline: &Pipeline,
        packet: Leaving,
        group: u16,
        now: Picoseconds,
    ) -> Outcome {
        for replica in self.replication.replicas(group) {
            let Some(tag) = self.copy(packet.tag, &packet.family, false) else { continue };
            let mut copy = Leaving { tag, ..packet.clone() };
            set(pipeline, &mut copy.fields, "egress_rid", u64::from(replica.replication_id));
            let _ = self.enqueue(pipeline, copy, replica.port, now);
        }
        Ok(())
    }

    fn start_over(&mut self, packet: Arriving) -> Outcome {
        if !self.may_pass(&packet.family) {
            return Err(DropReason::TooManyPasses);
        }
        let tag = next_copy(packet.tag, &packet.family);
        self.input.push_front(Arriving { tag, ..packet });
        Ok(())
    }

    fn may_pass(&self, family: &Family) -> bool {
        let passes = family.passes.get();
        family.passes.set(passes + 1);
        passes < self.options.max_passes
    }

    fn copy(&self, of: PacketTag, family: &Family, is_clone: bool) -> Option<PacketTag> {
        if is_clone && !self.may_pass(family) {
            return None;
        }
        Some(next_copy(of, family))
    }
}

fn next_copy(of: PacketTag, family: &Family) -> PacketTag {
    let copy = family.copies.get() + 1;
    family.copies.set(copy);
    PacketTag { copy, ..of }
}

/// Headers stay, both metadata start from zero but for what is kept.
fn fresh_metadata(
    pipeline: &Pipeline,
    mut fields: Fields,
    kept: &Kept,
    instance_type: u64,
) -> Fields {
    for (field, value) in pipeline.fields.iter().zip(&mut fields) {
        if matches!(field.scope, Scope::Metadata | Scope::Intrinsic) {
            *value = Bits::new(field.width, u128::from(pipeline.initial(field)));
        }
    }
    restore(kept, &mut fields);
    set(pipeline, &mut fields, "instance_type", instance_type);
    fields
}

fn kept(keep: &[FieldId], fields: &Fields) -> Kept {
    keep.iter().map(|f| (*f, fields[f.index()].clone())).collect()
}

fn restore(kept: &Kept, fields: &mut Fields) {
    for (field, value) in kept {
        fields[field.index()] = value.clone();
    }
}

fn set(pipeline: &Pipeline, fields: &mut Fields, name: &str, value: u64) {
    if let Some(field) = pipeline.intrinsic_field(name) {
        fields[field.index()] = Bits::new(pipeline[field].width, u128::from(value));
    }
}

fn get(pipeline: &Pipeline, fields: &Fields, name: &str) -> u64 {
    pipeline.intrinsic_field(name).map_or(0, |f| fields[f.index()].low_u64())
}
