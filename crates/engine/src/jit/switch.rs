//! The packets that do not take the fast path: clones, replicas, packets that start over, and
//! all packets when output queues hold them back. Paths are those of the architecture's
//! description, in its order.

use super::layout::Slot;
use super::memory::{Fields, OwnedPacket, PacketMemory};
use super::packet::{PacketHead, request};
use super::program::asked;
use super::worker::{Batch, Switch};
use crate::arch::When;
use crate::tcpu::Passage;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use ww_dataplane::DropReason;
use ww_dataplane::control::MirrorSession;
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::traffic::{Arrival, Departure, Fifo, QueueFull, TrafficManager};
use ww_dataplane::{Frame, Picoseconds, PortId, Sink};
use ww_p4::architecture::PathAction;
use ww_tpp::switch::Carried;

const PICOSECONDS_PER_MICROSECOND: u64 = 1_000_000;

/// Counts over all packets that came from one received frame.
#[derive(Debug, Default)]
pub(super) struct Family {
    copies: AtomicU32,
    passes: AtomicU32,
}

/// Values on their way from a packet to its copy.
pub(super) type Kept = Vec<(Slot, Vec<u8>)>;

/// A packet in front of the parser.
#[derive(Debug)]
pub(super) struct Arriving {
    pub(super) number: u64,
    pub(super) copy: u32,
    pub(super) family: Arc<Family>,
    pub(super) at: Picoseconds,
    pub(super) port: PortId,
    pub(super) instance_type: u32,
    pub(super) bytes: Vec<u8>,
    pub(super) kept: Kept,
    pub(super) tpp: Option<Carried>,
}

/// A packet between ingress and egress.
pub(super) struct Leaving {
    pub(super) packet: OwnedPacket,
    pub(super) family: Arc<Family>,
    pub(super) passage: Passage,
}

/// Packets that wait for something.
pub(super) struct Waiting {
    pub(super) input: VecDeque<Arriving>,
    queued: HashMap<u64, Leaving>,
    next: u64,
    traffic: Box<dyn TrafficManager>,
    /// Whether the queues are the default ones: unlimited, and infinitely fast.
    default: bool,
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            input: VecDeque::new(),
            queued: HashMap::new(),
            next: 0,
            traffic: Box::new(Fifo::default()),
            default: true,
        }
    }
}

impl Waiting {
    pub fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        self.traffic = traffic;
        self.default = false;
    }

    /// A request for the traffic manager.
    pub fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        self.traffic.handle(request)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.input.is_empty() && self.queued.is_empty()
    }

    /// Whether packets pass their queues at once.
    pub fn is_default(&self) -> bool {
        self.default
    }

    pub fn next_event(&self) -> Option<Picoseconds> {
        self.traffic.next_event()
    }
}

impl Switch {
    /// Works until nothing is left that can happen by `now`.
    pub fn work(&mut self, batch: &Batch<'_>, now: Picoseconds, sink: &mut dyn Sink) {
        loop {
            if let Some(packet) = self.waiting.input.pop_front() {
                if let Err(reason) = self.ingress(batch, packet) {
                    self.drop(reason);
                }
            } else if let Some(departure) = self.waiting.traffic.dequeue(now) {
                let Some(leaving) = self.waiting.queued.remove(&departure.packet) else {
                    continue;
                };
                if let Some(tcpu) = &mut self.tcpu {
                    let Passage { queue, joined, .. } = leaving.passage;
                    tcpu.ports().left(departure.port, queue, joined);
                }
                let bytes = self.egress(batch, leaving, departure, sink).unwrap_or_else(|reason| {
                    self.drop(reason);
                    0
                });
                self.waiting.traffic.sent(&departure, bytes);
            } else {
                return;
            }
        }
    }

    /// The end of ingress of a packet that came in as a frame.
    pub fn ingress_end(
        &mut self,
        batch: &Batch<'_>,
        memory: PacketMemory,
        frame: &Frame<'_>,
        tpp: Option<Carried>,
    ) {
        let mut packet = OwnedPacket::new(memory, frame.bytes.to_vec());
        let arrived = Arriving {
            number: packet.head().packet,
            copy: 0,
            family: Arc::default(),
            at: packet.head().now,
            port: frame.port,
            instance_type: 0,
            bytes: Vec::new(),
            kept: Kept::new(),
            tpp,
        };
        if let Err(reason) = self.leave_ingress(batch, arrived, packet) {
            self.drop(reason);
        }
    }

    /// The end of egress of a packet that took the fast path until then.
    pub fn egress_end(
        &mut self,
        batch: &Batch<'_>,
        memory: PacketMemory,
        frame: &Frame<'_>,
        port: PortId,
        sink: &mut dyn Sink,
    ) {
        let mut packet = OwnedPacket::new(memory, frame.bytes.to_vec());
        let mut passage = Passage::new(frame.port, None);
        passage.queue = self.passed(packet.memory(), port);
        let leaving = Leaving { packet, family: Arc::default(), passage };
        if let Err(reason) = self.leave_egress(batch, leaving, port, false, sink) {
            self.drop(reason);
        }
    }

    /// Sets up a packet's memory for the parser.
    fn set_up(&mut self, packet: &Arriving) -> OwnedPacket {
        let memory = PacketMemory::new(&self.program.code.layout, 1);
        let mut owned = OwnedPacket::new(memory, packet.bytes.clone());
        let (bytes, length) = (owned.head().bytes, owned.bytes().len());
        // SAFETY: the packet owns its bytes.
        unsafe {
            let memory = owned.memory();
            self.arrive(memory, (bytes, length), packet.port, packet.at, packet.number);
        }
        owned.head().copy = packet.copy;
        for (slot, value) in &packet.kept {
            owned.field(*slot).copy_from_slice(value);
        }
        let fields = self.program.intrinsic;
        owned.set(fields.instance_type, u64::from(packet.instance_type));
        owned.set(fields.packet_length, length as u64);
        owned.set(fields.ingress_global_timestamp, packet.at / PICOSECONDS_PER_MICROSECOND);
        owned
    }

    fn ingress(&mut self, batch: &Batch<'_>, packet: Arriving) -> Result<(), DropReason> {
        let mut owned = self.set_up(&packet);
        self.runtime().draws.clear();
        // SAFETY: memory and context are those that the code was made for.
        let status = unsafe { (self.program.code.front)(owned.memory(), batch.context) };
        self.parser_rejects += u64::from(owned.head().rejected);
        Self::loss(status).map_or(Ok(()), Err)?;
        self.leave_ingress(batch, packet, owned)
    }

    fn leave_ingress(
        &mut self,
        batch: &Batch<'_>,
        arrived: Arriving,
        mut packet: OwnedPacket,
    ) -> Result<(), DropReason> {
        let now = packet.head().now;
        let requests = packet.head().requests;
        for n in 0..self.program.ends.front.len() {
            let end = self.program.ends.front[n];
            if !end.takes(|what| requests & asked(what) != 0, |slot| packet.get(slot)) {
                continue;
            }
            match (end.action, end.when) {
                (PathAction::Clone, _) => {
                    self.ingress_clone(batch, &arrived, &mut packet, end.instance_type);
                    continue;
                }
                (PathAction::Restart, When::Asked(what)) => {
                    let kept = self.keep(packet.head().kept_by(what), &mut packet);
                    let bytes = packet.bytes().to_vec();
                    let instance_type = end.instance_type.unwrap_or(0);
                    return self.start_over(Arriving { instance_type, kept, bytes, ..arrived });
                }
                (PathAction::Drop, _) => return Err(DropReason::Ingress),
                _ => {}
            }
            let group = end.value(|slot| packet.get(slot));
            let fields = self.program.intrinsic;
            let port = packet.get(fields.egress_spec);
            packet.head().requests &= request::TRUNCATE | request::RECIRCULATE;
            if let Some(instance_type) = end.instance_type {
                packet.set(fields.instance_type, u64::from(instance_type));
            }
            let passage = Passage::new(arrived.port, arrived.tpp);
            let mut leaving = Leaving { packet, family: arrived.family, passage };
            if end.action == PathAction::Replicate {
                // Replicas are packets of their own: what ingress asked of the packet is over.
                leaving.packet.head().requests &= request::TRUNCATE;
                return self.replicate(batch, &leaving, group as u16, now);
            }
            return self.enqueue(batch, leaving, port as PortId, now);
        }
        Ok(())
    }

    /// The clone of an ingress pass: the packet as it came in, with the headers as the parser
    /// found them, and fresh metadata.
    fn ingress_clone(
        &mut self,
        batch: &Batch<'_>,
        arrived: &Arriving,
        packet: &mut OwnedPacket,
        instance_type: Option<u32>,
    ) {
        let session = batch.generation.replication.session(packet.head().clone_session);
        let Some(session) = session else { return };
        let kept = self.keep(packet.head().clone_keep, packet);
        let now = packet.head().now;
        let Some(copy) = self.copy_number(&arrived.family, true) else { return };
        let again = Arriving {
            number: arrived.number,
            copy: arrived.copy,
            family: arrived.family.clone(),
            at: arrived.at,
            port: arrived.port,
            instance_type: arrived.instance_type,
            bytes: packet.bytes().to_vec(),
            kept: arrived.kept.clone(),
            tpp: arrived.tpp.clone(),
        };
        let mut clone = self.set_up(&again);
        self.runtime().draws.clear();
        // SAFETY: memory and context are those that the code was made for.
        let status = unsafe { (self.program.code.parse)(clone.memory(), batch.context) };
        if Self::loss(status).is_some() {
            return;
        }
        self.fresh_metadata(&mut clone, &kept, instance_type);
        clone.set(self.program.intrinsic.ingress_port, u64::from(arrived.port));
        clone.head().copy = copy;
        let passage = Passage::new(arrived.port, again.tpp);
        self.mirror(batch, (clone, passage), arrived.family.clone(), session, now);
    }

    /// Headers stay; both metadata start from the beginning but for what is kept.
    fn fresh_metadata(&self, packet: &mut OwnedPacket, kept: &Kept, instance_type: Option<u32>) {
        packet.clear(self.program.code.layout.metadata.clone());
        for (slot, value) in &self.program.initial_metadata {
            packet.set(Some(*slot), *value);
        }
        for (slot, value) in kept {
            packet.field(*slot).copy_from_slice(value);
        }
        if let Some(instance_type) = instance_type {
            packet.set(self.program.intrinsic.instance_type, u64::from(instance_type));
        }
    }

    fn keep(&self, keep: u64, packet: &mut OwnedPacket) -> Kept {
        let slots = self.program.kept(keep);
        slots.iter().map(|slot| (*slot, packet.field(*slot).to_vec())).collect()
    }

    /// Sends a clone where its session says.
    fn mirror(
        &mut self,
        batch: &Batch<'_>,
        (mut packet, passage): (OwnedPacket, Passage),
        family: Arc<Family>,
        session: MirrorSession,
        now: Picoseconds,
    ) {
        let head = packet.head();
        head.requests = 0;
        if let Some(length) = session.truncate {
            head.requests = request::TRUNCATE;
            head.truncate = length;
        }
        let leaving = Leaving { packet, family, passage };
        if let Some(group) = session.group
            && let Err(reason) = self.replicate(batch, &leaving, group, now)
        {
            self.drop(reason);
        }
        if let Some(port) = session.port
            && let Err(reason) = self.enqueue(batch, leaving, port, now)
        {
            self.drop(reason);
        }
    }

    /// One copy for each replica of a group; the packet itself goes no further.
    fn replicate(
        &mut self,
        batch: &Batch<'_>,
        leaving: &Leaving,
        group: u16,
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let replicas = batch.generation.replication.replicas(group);
        if replicas.is_empty() {
            return Err(DropReason::EmptyGroup);
        }
        for replica in replicas {
            let Some(number) = self.copy_number(&leaving.family, false) else { continue };
            let mut packet = leaving.packet.duplicate();
            packet.head().copy = number;
            packet.set(self.program.intrinsic.egress_rid, u64::from(replica.replication_id));
            let (family, passage) = (leaving.family.clone(), leaving.passage.clone());
            let copy = Leaving { packet, family, passage };
            if let Err(reason) = self.enqueue(batch, copy, replica.port, now) {
                self.drop(reason);
            }
        }
        Ok(())
    }

    /// Puts a packet in front of the parser again, before all others.
    pub(super) fn start_over(&mut self, packet: Arriving) -> Result<(), DropReason> {
        if packet.family.passes.fetch_add(1, Relaxed) >= self.program.options.max_passes {
            return Err(DropReason::TooManyPasses);
        }
        let copy = packet.family.copies.fetch_add(1, Relaxed).wrapping_add(1);
        self.waiting.input.push_front(Arriving { copy, ..packet });
        Ok(())
    }

    /// A number for a copy; `None` (and a drop) if a clone is one too many.
    pub(super) fn copy_number(&mut self, family: &Family, is_clone: bool) -> Option<u32> {
        let limit = self.program.options.max_passes;
        if is_clone && family.passes.fetch_add(1, Relaxed) >= limit {
            self.drop(DropReason::TooManyPasses);
            return None;
        }
        Some(family.copies.fetch_add(1, Relaxed).wrapping_add(1))
    }

    fn enqueue(
        &mut self,
        batch: &Batch<'_>,
        mut leaving: Leaving,
        port: PortId,
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let queue = leaving.packet.get(self.program.intrinsic.priority) as u32;
        match leaving.passage.tpp.is_some() {
            true => self.execute(batch, leaving, (port, queue), now),
            false => self.join(leaving, (port, queue), now),
        }
    }

    /// Puts a packet into a queue of a port.
    pub(super) fn join(
        &mut self,
        mut leaving: Leaving,
        (port, queue): (PortId, u32),
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let name = self.waiting.next;
        self.waiting.next = self.waiting.next.wrapping_add(1);
        let (frame, extra) = (leaving.packet.bytes(), leaving.passage.extra());
        let joined =
            self.waiting.traffic.enqueue(now, Arrival { packet: name, port, queue, frame, extra });
        if let Some(tcpu) = &mut self.tcpu {
            let bytes = (frame.len() as u32).saturating_add(extra);
            (leaving.passage.queue, leaving.passage.joined) = (queue, bytes);
            match joined {
                Ok(()) => tcpu.ports().joined(port, queue, now, bytes),
                Err(QueueFull) => tcpu.ports().refused(port, queue, now, bytes),
            }
        }
        joined.map_err(|QueueFull| DropReason::QueueFull)?;
        self.waiting.queued.insert(name, leaving);
        Ok(())
    }

    fn egress(
        &mut self,
        batch: &Batch<'_>,
        mut leaving: Leaving,
        departure: Departure,
        sink: &mut dyn Sink,
    ) -> Result<u32, DropReason> {
        let length = leaving.packet.bytes().len() as u64;
        let (fields, memory) = (leaving.packet.fields(), leaving.packet.memory());
        self.enter_egress(batch, (memory, fields), &departure, length)?;
        self.leave_egress(batch, leaving, departure.port, departure.congestion, sink)
    }

    /// Runs egress.
    pub(super) fn enter_egress(
        &mut self,
        batch: &Batch<'_>,
        (memory, packet): (*mut PacketHead, Fields),
        departure: &Departure,
        length: u64,
    ) -> Result<(), DropReason> {
        let fields = self.program.intrinsic;
        let microseconds = |at: Picoseconds| at / PICOSECONDS_PER_MICROSECOND;
        let (joined, left) =
            (microseconds(departure.enqueued_at), microseconds(departure.dequeued_at));
        for (field, value) in [
            (fields.egress_port, u64::from(departure.port)),
            // Egress starts with a port that is not the drop port.
            (fields.egress_spec, 0),
            (fields.packet_length, length),
            (fields.enq_timestamp, joined),
            (fields.enq_qdepth, u64::from(departure.depth_at_enqueue)),
            (fields.deq_timedelta, left.saturating_sub(joined)),
            (fields.deq_qdepth, u64::from(departure.depth_at_dequeue)),
            (fields.egress_global_timestamp, left),
        ] {
            packet.set(field, value);
        }
        self.runtime().draws.clear();
        // SAFETY: memory and context are those that the code was made for; the memory begins with a head.
        let status = unsafe {
            let head = &mut *memory;
            head.now = departure.dequeued_at;
            head.microseconds = left;
            head.steps = self.program.options.max_steps;
            (self.program.code.egress)(memory, batch.context)
        };
        Self::loss(status).map_or(Ok(()), Err)
    }

    /// The bytes that leave the port. `congestion`: they are to say that they met it.
    pub(super) fn leave_egress(
        &mut self,
        batch: &Batch<'_>,
        mut leaving: Leaving,
        port: PortId,
        congestion: bool,
        sink: &mut dyn Sink,
    ) -> Result<u32, DropReason> {
        let packet = &mut leaving.packet;
        let (now, mut requests) = (packet.head().now, packet.head().requests);
        for n in 0..self.program.ends.egress.len() {
            let end = self.program.ends.egress[n];
            if !end.takes(|what| requests & asked(what) != 0, |slot| packet.get(slot)) {
                continue;
            }
            match end.action {
                PathAction::Drop => return Err(DropReason::Egress),
                PathAction::Clone => {}
                _ => break,
            }
            let session = batch.generation.replication.session(packet.head().clone_session);
            if let Some(session) = session
                && let Some(copy) = self.copy_number(&leaving.family, true)
            {
                let kept = self.keep(packet.head().clone_keep, packet);
                let mut clone = packet.duplicate();
                self.fresh_metadata(&mut clone, &kept, end.instance_type);
                clone.head().copy = copy;
                let passage = leaving.passage.clone();
                self.mirror(batch, (clone, passage), leaving.family.clone(), session, now);
            }
        }
        self.finish(batch, packet.memory())?;
        if self.program.asks_at_the_end {
            requests = packet.head().requests;
        }
        for n in 0..self.program.ends.finish.len() {
            let end = self.program.ends.finish[n];
            if !end.takes(|what| requests & asked(what) != 0, |slot| packet.get(slot)) {
                continue;
            }
            let (PathAction::Restart, When::Asked(what)) = (end.action, end.when) else { break };
            let kept = self.keep(packet.head().kept_by(what), packet);
            packet.head().requests &= !request::TRUNCATE;
            // SAFETY: the packet is finished and owns its bytes.
            let bytes = unsafe { self.assemble(packet.memory()) }.to_vec();
            let again = Arriving {
                number: packet.head().packet,
                copy: packet.head().copy,
                family: leaving.family,
                at: now,
                // It comes in through no port; a program that needs the first one keeps it.
                port: 0,
                instance_type: end.instance_type.unwrap_or(0),
                bytes,
                kept,
                tpp: leaving.passage.tpp,
            };
            return self.start_over(again).map(|()| 0);
        }
        // SAFETY: as above.
        let frame = unsafe { self.assemble(packet.memory()) };
        let mut bytes = u32::try_from(frame.len()).unwrap_or(u32::MAX);
        let tpp = leaving.passage.tpp.filter(|tpp| tpp.extra() > 0);
        if congestion || tpp.is_some() {
            let mut changed = frame.to_vec();
            if congestion {
                ww_packet::ecn::mark(&mut changed);
            }
            if let Some(tpp) = tpp {
                let seen = std::mem::take(&mut changed);
                tpp.put_back(&seen, &mut changed);
                bytes = u32::try_from(changed.len()).unwrap_or(u32::MAX);
            }
            sink.transmit(port, now, &changed);
        } else {
            sink.transmit(port, now, frame);
        }
        if let Some(tcpu) = &mut self.tcpu {
            tcpu.ports().sent(port, leaving.passage.queue, now, bytes);
        }
        self.transmitted += 1;
        Ok(bytes)
    }
}
