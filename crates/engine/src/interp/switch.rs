//! The packet path of v1model, as BMv2's `simple_switch` defines it.
//!
//! Order of what happens to one frame: packets that start over (resubmitted, recirculated) are
//! taken before queued ones, queued ones as the traffic manager gives them out. At the end of
//! ingress a clone joins its queue first, then the packet itself is resubmitted, replicated,
//! dropped or queued. At the end of egress a clone joins its queue first, then the packet is
//! dropped, or deparsed and recirculated or sent.

use super::Interp;
use super::machine::{Interrupt, Machine, PacketContext, Run};
use super::preserve::{Kept, keep, restore};
use super::requests::{Preserve, Requests};
use super::values::Value;
use crate::bits::Bits;
use crate::tcpu::{self, Passage};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use ww_dataplane::DropReason;
use ww_dataplane::control::TableIndex;
use ww_dataplane::trace::{PacketTag, TraceEvent};
use ww_dataplane::traffic::{Arrival, Departure, QueueFull};
use ww_dataplane::{Picoseconds, PortId, Transmit};
use ww_p4::architecture::v1model::{
    COMPUTE, DEPARSER, DROP_PORT, EGRESS, INGRESS, InstanceType, PARSER, VERIFY,
};
use ww_p4::ir::Span;
use ww_tpp::switch::Carried;

const PICOSECONDS_PER_MICROSECOND: u64 = 1_000_000;

/// Why a packet is gone, and where the program decided that.
pub type Lost = (DropReason, Option<Span>);

/// Counts over all packets that came from one received frame.
#[derive(Debug, Default)]
pub struct Family {
    pub(super) copies: AtomicU32,
    pub(super) passes: AtomicU32,
}

/// A packet in front of the parser.
#[derive(Debug)]
pub struct IngressPacket {
    pub(super) tag: PacketTag,
    pub(super) family: Arc<Family>,
    pub(super) at: Picoseconds,
    pub(super) port: PortId,
    pub(super) instance_type: InstanceType,
    pub(super) bytes: Arc<[u8]>,
    pub(super) kept: Kept,
    pub(super) tpp: Option<Carried>,
}

/// A packet between ingress and egress.
#[derive(Clone, Debug)]
pub struct EgressPacket {
    pub(super) tag: PacketTag,
    pub(super) family: Arc<Family>,
    pub(super) headers: Value,
    pub(super) metadata: Value,
    pub(super) intrinsic: Value,
    /// The received bytes and how many bits of them the parser consumed: the rest is payload.
    pub(super) bytes: Arc<[u8]>,
    pub(super) cursor: u64,
    pub(super) truncate: Option<u32>,
    /// Asked for in ingress already.
    pub(super) recirculate: Option<Preserve>,
    pub(super) passage: Passage,
    /// Entries that it has matched in ingress.
    pub(super) matched: Vec<(TableIndex, u64)>,
}

/// A packet after the parser.
pub struct Parsed {
    pub(super) headers: Value,
    pub(super) metadata: Value,
    pub(super) intrinsic: Value,
    pub(super) context: PacketContext,
}

impl Interp {
    /// Puts a received frame in front of the parser.
    pub(super) fn accept(&mut self, port: PortId, now: Picoseconds, frame: &[u8]) {
        self.counters.received += 1;
        let tag = PacketTag { packet: self.counters.received, copy: 0 };
        self.trace(tag, || TraceEvent::Receive { port, length: frame.len() });
        let arrival = tcpu::arrive(self.tcpu.as_deref_mut(), (port, now), frame);
        let Some((seen, tpp)) = arrival else {
            return self.drop(tag, DropReason::Outside, None);
        };
        self.input.push_back(IngressPacket {
            tag,
            family: Arc::default(),
            at: now,
            port,
            instance_type: InstanceType::Normal,
            bytes: seen.into(),
            kept: Kept::new(),
            tpp,
        });
    }

    /// Works until nothing is left that can happen by `now`.
    pub(super) fn work(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        loop {
            if let Some(packet) = self.input.pop_front() {
                let tag = packet.tag;
                if let Err((reason, at)) = self.ingress(packet) {
                    self.drop(tag, reason, at);
                }
            } else if let Some(departure) = self.traffic.dequeue(now) {
                let Some(packet) = self.queued.remove(&departure.packet) else { continue };
                let tag = packet.tag;
                if let Some(tcpu) = &mut self.tcpu {
                    let Passage { queue, joined, .. } = packet.passage;
                    tcpu.ports().left(departure.port, queue, joined);
                }
                let bytes = self.egress(packet, departure, out).unwrap_or_else(|(reason, at)| {
                    self.drop(tag, reason, at);
                    0
                });
                self.traffic.sent(&departure, bytes);
            } else {
                return;
            }
        }
    }

    fn ingress(&mut self, packet: IngressPacket) -> Result<(), Lost> {
        let no_place = |reason| (reason, None);
        let parsed = self.parse(&packet, packet.kept.clone(), true).map_err(no_place)?;
        let Parsed { headers, metadata, mut intrinsic, mut context } = parsed;

        let [headers, metadata, ..] =
            self.run(VERIFY, &mut context, [headers, metadata]).map_err(no_place)?;
        if context.checksum_error {
            set_number(&mut intrinsic, self.loaded.fields.checksum_error, 1);
        }
        let [headers, metadata, intrinsic] =
            self.run(INGRESS, &mut context, [headers, metadata, intrinsic]).map_err(no_place)?;
        let requests = std::mem::take(&mut context.requests);
        let marked_at = requests.marked_at;

        if let Some(request) = &requests.clone {
            self.ingress_clone(&packet, &context, request, &metadata, &intrinsic);
        }
        if let Some(preserve) = &requests.resubmit {
            let kept = keep(&self.loaded, preserve, &metadata, &intrinsic);
            self.trace(packet.tag, || TraceEvent::Resubmit);
            return self.start_over(packet, InstanceType::Resubmitted, kept);
        }

        let fields = &self.loaded.fields;
        let group = number(&intrinsic, fields.mcast_grp);
        let port = number(&intrinsic, fields.egress_spec);
        let mut next = EgressPacket {
            tag: packet.tag,
            family: packet.family,
            headers,
            metadata,
            intrinsic,
            bytes: context.bytes,
            cursor: context.cursor,
            truncate: requests.truncate,
            recirculate: requests.recirculate,
            passage: Passage::new(packet.port, packet.tpp),
            matched: context.matched,
        };
        if group != 0 {
            let instance_type = InstanceType::Replication;
            set_number(&mut next.intrinsic, fields.instance_type, instance_type as u64);
            // Replicas are packets of their own: what ingress asked of the packet is over.
            next.recirculate = None;
            return self.replicate(next, group as u16, context.now);
        }
        if port == DROP_PORT {
            return Err((DropReason::Ingress, marked_at));
        }
        set_number(&mut next.intrinsic, fields.instance_type, InstanceType::Normal as u64);
        self.enqueue(next, port as PortId, context.now).map_err(no_place)
    }

    /// Sets up the metadata and runs the parser.
    pub(super) fn parse(
        &mut self,
        packet: &IngressPacket,
        kept: Kept,
        traced: bool,
    ) -> Result<Parsed, DropReason> {
        let mut context = PacketContext::new(packet.tag, packet.at, packet.bytes.clone());
        let headers = Value::default_of(&self.program, &self.loaded.headers);
        let mut metadata = Value::default_of(&self.program, &self.loaded.metadata);
        let mut intrinsic = Value::default_of(&self.program, &self.loaded.intrinsic);
        let fields = &self.loaded.fields;
        let microseconds = packet.at / PICOSECONDS_PER_MICROSECOND;
        set_number(&mut intrinsic, fields.ingress_port, u64::from(packet.port));
        restore(kept, &mut metadata, &mut intrinsic);
        set_number(&mut intrinsic, fields.instance_type, packet.instance_type as u64);
        set_number(&mut intrinsic, fields.packet_length, u64::from(context.length));
        set_number(&mut intrinsic, fields.ingress_global_timestamp, microseconds);

        let observer = if traced { None } else { self.observer.take() };
        let arguments = [Value::PacketIn, headers, metadata, intrinsic];
        let (result, arguments) = self.run_block(PARSER, &mut context, arguments);
        if observer.is_some() {
            self.observer = observer;
        }
        let [_, headers, metadata, mut intrinsic] = arguments;
        match result {
            Ok(()) | Err(Interrupt::Exit) => {}
            Err(Interrupt::Drop(reason)) => return Err(reason),
            Err(Interrupt::Reject(code)) => {
                if traced {
                    self.counters.parser_rejects += 1;
                    let program = self.program.clone();
                    self.trace(packet.tag, || TraceEvent::ParserError {
                        error: match code.and_then(|c| program.errors.get(c as usize)) {
                            Some(name) => format!("error.{name}"),
                            None => "none (explicit reject)".to_owned(),
                        },
                    });
                }
                let error = self.loaded.fields.parser_error;
                if let (Some(code), Some(field)) = (code, part_mut(&mut intrinsic, error)) {
                    *field = Value::Error(code);
                }
            }
        }
        Ok(Parsed { headers, metadata, intrinsic, context })
    }

    pub(super) fn enqueue(
        &mut self,
        packet: EgressPacket,
        port: PortId,
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let queue = number(&packet.intrinsic, self.loaded.fields.priority) as u32;
        match packet.passage.tpp.is_some() {
            true => self.execute(packet, (port, queue), now),
            false => self.join(packet, (port, queue), now),
        }
    }

    /// Puts a packet into a queue of a port.
    pub(super) fn join(
        &mut self,
        mut packet: EgressPacket,
        (port, queue): (PortId, u32),
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let name = self.next_queued;
        self.next_queued = self.next_queued.wrapping_add(1);
        self.trace(packet.tag, || TraceEvent::Enqueue { port });
        let extra = packet.passage.extra();
        let arrival = Arrival { packet: name, port, queue, frame: &packet.bytes, extra };
        let joined = self.traffic.enqueue(now, arrival);
        if let Some(tcpu) = &mut self.tcpu {
            let bytes = (packet.bytes.len() as u32).saturating_add(extra);
            (packet.passage.queue, packet.passage.joined) = (queue, bytes);
            match joined {
                Ok(()) => tcpu.ports().joined(port, queue, now, bytes),
                Err(QueueFull) => tcpu.ports().refused(port, queue, now, bytes),
            }
        }
        joined.map_err(|QueueFull| DropReason::QueueFull)?;
        self.queued.insert(name, packet);
        Ok(())
    }

    /// The bytes that leave the port.
    fn egress(
        &mut self,
        packet: EgressPacket,
        departure: Departure,
        out: &mut Vec<Transmit>,
    ) -> Result<u32, Lost> {
        let no_place = |reason| (reason, None);
        let EgressPacket { tag, family, headers, metadata, mut intrinsic, passage, .. } = packet;
        let mut context = PacketContext::new(tag, departure.dequeued_at, packet.bytes);
        context.cursor = packet.cursor;
        context.behind_ingress = true;
        context.requests.truncate = packet.truncate;
        context.requests.recirculate = packet.recirculate;
        self.set_egress_fields(&mut intrinsic, &departure, context.length);

        let [headers, metadata, intrinsic] =
            self.run(EGRESS, &mut context, [headers, metadata, intrinsic]).map_err(no_place)?;
        let requests = std::mem::take(&mut context.requests);

        if let Some(request) = &requests.clone
            && let Some(session) = self.clone_session(tag, "E2E", request)
            && let Some(copy_tag) = self.copy_tag(tag, &family, true)
        {
            let kept = keep(&self.loaded, &request.preserve, &metadata, &intrinsic);
            let (metadata, intrinsic) = self.fresh_metadata(kept, InstanceType::EgressClone);
            let copy = EgressPacket {
                tag: copy_tag,
                family: family.clone(),
                headers: headers.clone(),
                metadata,
                intrinsic,
                bytes: context.bytes.clone(),
                cursor: context.cursor,
                truncate: session.truncate,
                recirculate: None,
                passage: passage.clone(),
                matched: Vec::new(),
            };
            self.mirror(copy, session, context.now);
        }
        let spec = number(&intrinsic, self.loaded.fields.egress_spec);
        if spec == DROP_PORT {
            return Err((DropReason::Egress, requests.marked_at));
        }

        let [headers, metadata] =
            self.run(COMPUTE, &mut context, [headers, metadata]).map_err(no_place)?;
        self.run(DEPARSER, &mut context, [Value::PacketOut, headers]).map_err(no_place)?;
        let mut writer = std::mem::take(&mut context.emitted);
        writer.write_from(&context.bytes, context.cursor);
        let frame = writer.into_bytes();

        let Requests { recirculate, truncate, .. } = requests;
        if let Some(preserve) = recirculate {
            let kept = keep(&self.loaded, &preserve, &metadata, &intrinsic);
            self.trace(tag, || TraceEvent::Recirculate { length: frame.len() });
            let packet = IngressPacket {
                tag,
                family,
                at: context.now,
                // It comes in through no port; a program that needs the first one keeps it.
                port: 0,
                instance_type: InstanceType::Recirculated,
                bytes: frame.into(),
                kept: Kept::new(),
                tpp: passage.tpp,
            };
            return self.start_over(packet, InstanceType::Recirculated, kept).map(|()| 0);
        }
        Ok(self.transmit(tag, departure, (frame, truncate, &passage), out))
    }

    fn set_egress_fields(&self, intrinsic: &mut Value, departure: &Departure, length: u32) {
        let fields = &self.loaded.fields;
        let microseconds = |at: Picoseconds| at / PICOSECONDS_PER_MICROSECOND;
        let (joined, left) =
            (microseconds(departure.enqueued_at), microseconds(departure.dequeued_at));
        for (field, value) in [
            (fields.egress_port, u64::from(departure.port)),
            // Egress starts with a port that is not the drop port.
            (fields.egress_spec, 0),
            (fields.packet_length, u64::from(length)),
            (fields.enq_timestamp, joined),
            (fields.enq_qdepth, u64::from(departure.depth_at_enqueue)),
            (fields.deq_timedelta, left.saturating_sub(joined)),
            (fields.deq_qdepth, u64::from(departure.depth_at_dequeue)),
            (fields.egress_global_timestamp, left),
        ] {
            set_number(intrinsic, field, value);
        }
    }

    fn transmit(
        &mut self,
        tag: PacketTag,
        departure: Departure,
        (mut frame, truncate, passage): (Vec<u8>, Option<u32>, &Passage),
        out: &mut Vec<Transmit>,
    ) -> u32 {
        if let Some(length) = truncate {
            frame.truncate(length as usize);
        }
        if departure.congestion {
            ww_packet::ecn::mark(&mut frame);
        }
        if let Some(tpp) = &passage.tpp {
            let seen = std::mem::take(&mut frame);
            tpp.put_back(&seen, &mut frame);
        }
        let bytes = u32::try_from(frame.len()).unwrap_or(u32::MAX);
        let (port, at) = (departure.port, departure.dequeued_at);
        if let Some(tcpu) = &mut self.tcpu {
            tcpu.ports().sent(port, passage.queue, at, bytes);
        }
        self.counters.transmitted += 1;
        self.trace(tag, || TraceEvent::Transmit { port, length: frame.len() });
        out.push(Transmit { port, at, frame });
        bytes
    }

    pub(super) fn drop(&mut self, tag: PacketTag, reason: DropReason, at: Option<Span>) {
        *self.counters.dropped.entry(reason).or_insert(0) += 1;
        self.trace(tag, || TraceEvent::Drop { reason, at: at.map(Into::into) });
    }

    pub(super) fn trace(&mut self, tag: PacketTag, event: impl FnOnce() -> TraceEvent) {
        if let Some(observer) = &mut self.observer {
            observer.event(tag, event());
        }
    }

    /// Runs a control of the package; only the loss of the packet is an error.
    fn run<const N: usize>(
        &mut self,
        block: usize,
        context: &mut PacketContext,
        arguments: [Value; N],
    ) -> Result<[Value; N], DropReason> {
        match self.run_block(block, context, arguments) {
            (Err(Interrupt::Drop(reason)), _) => Err(reason),
            (_, arguments) => Ok(arguments),
        }
    }

    /// Runs a block of the package with these arguments and returns what became of them.
    fn run_block<const N: usize>(
        &mut self,
        block: usize,
        context: &mut PacketContext,
        arguments: [Value; N],
    ) -> (Run<()>, [Value; N]) {
        let instance = self.loaded.blocks[block];
        let parameters = super::loaded::block_parameters(&self.program, instance);
        for (parameter, argument) in parameters.iter().zip(arguments) {
            self.slots[parameter.var.index()] = argument;
        }
        let mut machine = Machine {
            program: &self.program,
            loaded: &self.loaded,
            state: &mut self.state,
            slots: &mut self.slots,
            packet: context,
            observer: self.observer.as_deref_mut(),
            instance,
            this: None,
        };
        machine.trace(|program| TraceEvent::Block {
            name: program[instance].name.clone(),
            at: program[instance].span.into(),
        });
        let result = machine.run_instance(instance);
        let mut results = [const { Value::Absent }; N];
        for (parameter, result) in parameters.iter().zip(&mut results) {
            *result = std::mem::take(&mut self.slots[parameter.var.index()]);
        }
        (result, results)
    }
}

fn part_mut(value: &mut Value, position: Option<usize>) -> Option<&mut Value> {
    match value {
        Value::Struct(parts) => parts.get_mut(position?),
        _ => None,
    }
}

/// Writes a number into a field of `standard_metadata`, if the program's declaration has it.
pub(super) fn set_number(value: &mut Value, position: Option<usize>, number: u64) {
    if let Some(Value::Bits(bits)) = part_mut(value, position) {
        *bits = Bits::new(bits.width(), u128::from(number));
    }
}

/// Reads a number from a field of `standard_metadata`; 0 if there is no such field.
fn number(value: &Value, position: Option<usize>) -> u64 {
    position.and_then(|n| value.parts()?.get(n)).map_or(0, Value::to_u64)
}
