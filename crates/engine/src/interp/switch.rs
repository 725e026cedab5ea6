//! The packet path: the sections and paths of the architecture's description.
//!
//! Order of what happens to one frame: packets that start over (resubmitted, recirculated) are
//! taken before queued ones, queued ones as the traffic manager gives them out. At the end of a
//! section the paths are tried in the order of the description.

use super::Interp;
use super::machine::{Interrupt, Machine, PacketContext, Run};
use super::preserve::{Kept, keep, restore};
use super::requests::{Preserve, Requests};
use super::values::Value;
use crate::arch::When;
use crate::bits::Bits;
use crate::tcpu::{self, Passage};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use ww_dataplane::DropReason;
use ww_dataplane::control::TableIndex;
use ww_dataplane::trace::{PacketTag, TraceEvent};
use ww_dataplane::traffic::{Arrival, Departure, QueueFull};
use ww_dataplane::{Picoseconds, PortId, Transmit};
use ww_p4::architecture::{BlockKind, PathAction, Role};
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
    pub(super) instance_type: u32,
    pub(super) bytes: Arc<[u8]>,
    pub(super) kept: Kept,
    pub(super) tpp: Option<Carried>,
}

/// A packet between ingress and egress.
#[derive(Clone, Debug)]
pub struct EgressPacket {
    pub(super) tag: PacketTag,
    pub(super) family: Arc<Family>,
    pub(super) parts: Parts,
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

/// What the blocks hand on to each other.
#[derive(Clone, Debug)]
pub struct Parts {
    pub(super) headers: Value,
    pub(super) metadata: Value,
    pub(super) intrinsic: Value,
}

impl Parts {
    fn of(&mut self, role: Role) -> Option<&mut Value> {
        match role {
            Role::Headers => Some(&mut self.headers),
            Role::Metadata => Some(&mut self.metadata),
            Role::Intrinsic => Some(&mut self.intrinsic),
            Role::Packet => None,
        }
    }
}

/// A packet after the parser.
pub struct Parsed {
    pub(super) parts: Parts,
    pub(super) context: PacketContext,
}

impl Interp {
    /// Puts a received frame in front of the parser.
    pub(super) fn accept(&mut self, port: PortId, now: Picoseconds, frame: &[u8]) {
        self.statistics.received += 1;
        let tag = PacketTag { packet: self.statistics.received, copy: 0 };
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
            instance_type: 0,
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
        let Parsed { mut parts, mut context } = parsed;
        let controls = self.loaded.architecture.sections.front.start + 1
            ..self.loaded.architecture.sections.front.end;
        self.run(controls, &mut context, &mut parts).map_err(no_place)?;
        let requests = std::mem::take(&mut context.requests);

        let ends = self.loaded.ends.clone();
        for end in &ends.front {
            let intrinsic = &parts.intrinsic;
            if !end.takes(|request| requests.has(request), |field| number(intrinsic, field)) {
                continue;
            }
            match (end.action, end.when) {
                (PathAction::Clone, _) => {
                    let Some(request) = &requests.clone else { continue };
                    let values = (&parts.metadata, &parts.intrinsic);
                    self.ingress_clone(&packet, &context, request, values, end.instance_type);
                    continue;
                }
                (PathAction::Restart, When::Asked(request)) => {
                    let kept = keep(
                        &self.loaded,
                        requests.kept_by(request),
                        &parts.metadata,
                        &parts.intrinsic,
                    );
                    self.trace(packet.tag, || TraceEvent::Resubmit);
                    return self.start_over(packet, end.instance_type.unwrap_or(0), kept);
                }
                (PathAction::Drop, _) => return Err((DropReason::Ingress, requests.marked_at)),
                _ => {}
            }
            let group = end.value(|field| number(intrinsic, field));
            let port = number(intrinsic, self.loaded.fields.egress_spec);
            let now = context.now;
            let mut next = EgressPacket {
                tag: packet.tag,
                family: packet.family,
                parts,
                bytes: context.bytes,
                cursor: context.cursor,
                truncate: requests.truncate,
                recirculate: requests.recirculate,
                passage: Passage::new(packet.port, packet.tpp),
                matched: context.matched,
            };
            self.set_instance_type(&mut next.parts.intrinsic, end.instance_type);
            if end.action == PathAction::Replicate {
                // Replicas are packets of their own: what ingress asked of the packet is over.
                next.recirculate = None;
                return self.replicate(next, group as u16, now);
            }
            return self.enqueue(next, port as PortId, now).map_err(no_place);
        }
        Ok(())
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
        set_number(&mut intrinsic, fields.instance_type, u64::from(packet.instance_type));
        set_number(&mut intrinsic, fields.packet_length, u64::from(context.length));
        set_number(&mut intrinsic, fields.ingress_global_timestamp, microseconds);

        let observer = if traced { None } else { self.observer.take() };
        let mut parts = Parts { headers, metadata, intrinsic };
        let result = self.run_block(0, &mut context, &mut parts);
        if observer.is_some() {
            self.observer = observer;
        }
        match result {
            Ok(()) | Err(Interrupt::Exit) => {}
            Err(Interrupt::Drop(reason)) => return Err(reason),
            Err(Interrupt::Reject(code)) => {
                if traced {
                    self.statistics.parser_rejects += 1;
                    let program = self.program.clone();
                    self.trace(packet.tag, || TraceEvent::ParserError {
                        error: match code.and_then(|c| program.errors.get(c as usize)) {
                            Some(name) => format!("error.{name}"),
                            None => "none (explicit reject)".to_owned(),
                        },
                    });
                }
                let error = self.loaded.fields.parser_error;
                if let (Some(code), Some(field)) = (code, part_mut(&mut parts.intrinsic, error)) {
                    *field = Value::Error(code);
                }
            }
        }
        Ok(Parsed { parts, context })
    }

    pub(super) fn enqueue(
        &mut self,
        packet: EgressPacket,
        port: PortId,
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let queue = number(&packet.parts.intrinsic, self.loaded.fields.priority) as u32;
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
        let EgressPacket { tag, family, mut parts, passage, .. } = packet;
        let mut context = PacketContext::new(tag, departure.dequeued_at, packet.bytes);
        context.cursor = packet.cursor;
        context.behind_ingress = true;
        context.requests.truncate = packet.truncate;
        context.requests.recirculate = packet.recirculate;
        self.set_egress_fields(&mut parts.intrinsic, &departure, context.length);

        let sections = &self.loaded.architecture.sections;
        let ends = self.loaded.ends.clone();
        self.run(sections.egress.clone(), &mut context, &mut parts).map_err(no_place)?;
        // Without a section of its own behind the queue, what the last one asks for counts.
        let asks_at_the_end = sections.egress.is_empty();
        let mut requests = match asks_at_the_end {
            true => Requests::default(),
            false => std::mem::take(&mut context.requests),
        };

        for end in &ends.egress {
            let intrinsic = &parts.intrinsic;
            if !end.takes(|request| requests.has(request), |field| number(intrinsic, field)) {
                continue;
            }
            match end.action {
                PathAction::Drop => return Err((DropReason::Egress, requests.marked_at)),
                PathAction::Clone => {}
                _ => break,
            }
            if let Some(request) = &requests.clone
                && let Some(session) = self.clone_session(tag, "E2E", request)
                && let Some(copy_tag) = self.copy_tag(tag, &family, true)
            {
                let kept = keep(&self.loaded, &request.preserve, &parts.metadata, &parts.intrinsic);
                let (metadata, intrinsic) = self.fresh_metadata(kept, end.instance_type);
                let copy = EgressPacket {
                    tag: copy_tag,
                    family: family.clone(),
                    parts: Parts { headers: parts.headers.clone(), metadata, intrinsic },
                    bytes: context.bytes.clone(),
                    cursor: context.cursor,
                    truncate: session.truncate,
                    recirculate: None,
                    passage: passage.clone(),
                    matched: Vec::new(),
                };
                self.mirror(copy, session, context.now);
            }
        }

        self.run(sections.finish.clone(), &mut context, &mut parts).map_err(no_place)?;
        if asks_at_the_end {
            requests = std::mem::take(&mut context.requests);
        }
        let mut writer = std::mem::take(&mut context.emitted);
        writer.write_from(&context.bytes, context.cursor);
        let frame = writer.into_bytes();

        for end in &ends.finish {
            let intrinsic = &parts.intrinsic;
            if !end.takes(|request| requests.has(request), |field| number(intrinsic, field)) {
                continue;
            }
            let (PathAction::Restart, When::Asked(request)) = (end.action, end.when) else { break };
            let kept =
                keep(&self.loaded, requests.kept_by(request), &parts.metadata, &parts.intrinsic);
            self.trace(tag, || TraceEvent::Recirculate { length: frame.len() });
            let instance_type = end.instance_type.unwrap_or(0);
            let packet = IngressPacket {
                tag,
                family,
                at: context.now,
                // It comes in through no port; a program that needs the first one keeps it.
                port: 0,
                instance_type,
                bytes: frame.into(),
                kept: Kept::new(),
                tpp: passage.tpp,
            };
            return self.start_over(packet, instance_type, kept).map(|()| 0);
        }
        Ok(self.transmit(tag, departure, (frame, requests.truncate, &passage), out))
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
        self.statistics.transmitted += 1;
        self.trace(tag, || TraceEvent::Transmit { port, length: frame.len() });
        out.push(Transmit { port, at, frame });
        bytes
    }

    pub(super) fn drop(&mut self, tag: PacketTag, reason: DropReason, at: Option<Span>) {
        *self.statistics.dropped.entry(reason).or_insert(0) += 1;
        self.trace(tag, || TraceEvent::Drop { reason, at: at.map(Into::into) });
    }

    pub(super) fn trace(&mut self, tag: PacketTag, event: impl FnOnce() -> TraceEvent) {
        if let Some(observer) = &mut self.observer {
            observer.event(tag, event());
        }
    }

    /// Runs controls and deparsers one after the other; only the loss of the packet is an error.
    fn run(
        &mut self,
        blocks: std::ops::Range<usize>,
        context: &mut PacketContext,
        parts: &mut Parts,
    ) -> Result<(), DropReason> {
        for block in blocks {
            if let Err(Interrupt::Drop(reason)) = self.run_block(block, context, parts) {
                return Err(reason);
            }
            if self.loaded.verifier == Some(block) && context.checksum_error {
                set_number(&mut parts.intrinsic, self.loaded.fields.checksum_error, 1);
            }
        }
        Ok(())
    }

    /// Runs a block of the package on the packet's parts.
    fn run_block(
        &mut self,
        block: usize,
        context: &mut PacketContext,
        parts: &mut Parts,
    ) -> Run<()> {
        let instance = self.loaded.blocks[block];
        let description = &self.loaded.architecture.blocks[block];
        let packet = match description.kind {
            BlockKind::Parser => Value::PacketIn,
            BlockKind::Control | BlockKind::Deparser => Value::PacketOut,
        };
        let parameters = super::loaded::block_parameters(&self.program, instance);
        for (parameter, role) in parameters.iter().zip(description.roles) {
            let slot = &mut self.slots[parameter.var.index()];
            *slot = match parts.of(*role) {
                Some(part) => std::mem::take(part),
                None => packet.clone(),
            };
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
        for (parameter, role) in parameters.iter().zip(description.roles) {
            let value = std::mem::take(&mut self.slots[parameter.var.index()]);
            if let Some(part) = parts.of(*role) {
                *part = value;
            }
        }
        result
    }
}

fn part_mut(value: &mut Value, position: Option<usize>) -> Option<&mut Value> {
    match value {
        Value::Struct(parts) => parts.get_mut(position?),
        _ => None,
    }
}

/// Writes a number into a field of the intrinsic metadata, if the program's declaration has it.
pub(super) fn set_number(value: &mut Value, position: Option<usize>, number: u64) {
    if let Some(Value::Bits(bits)) = part_mut(value, position) {
        *bits = Bits::new(bits.width(), u128::from(number));
    }
}

/// Reads a number from a field of the intrinsic metadata; 0 if there is no such field.
fn number(value: &Value, position: Option<usize>) -> u64 {
    position.and_then(|n| value.parts()?.get(n)).map_or(0, Value::to_u64)
}
