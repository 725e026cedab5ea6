//! The native engine's TCPU.
//!
//! A frame with a TPP takes the fast path, too, if no queue holds it back: its TPP is executed where the native code
//! stops at the end of ingress. Copies, and packets that their TPPs send elsewhere, take the long one.

use super::abi::{Context, CounterCell, RecordHead};
use super::control::Generation;
use super::memory::{Fields, OwnedPacket};
use super::packet::{PacketHead, request, status};
use super::program::Program;
use super::switch::{Arriving, Family, Kept, Leaving};
use super::worker::{Batch, Switch};
use crate::tcpu::{self, Passage};
use std::sync::Arc;
use ww_dataplane::DropReason;
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::traffic::Departure;
use ww_dataplane::{Frame, Picoseconds, PortId, Sink};
use ww_p4::architecture::PathAction;
use ww_tpp::switch::tables::{Count, Entry, Table, Tables};
use ww_tpp::switch::{Arrival, Carried, Packet, Tcpu, Verdict};

/// Tables as a packet has met them. Stages are tables in the order of the schema, from 1.
struct Seen<'s> {
    generation: &'s Generation,
    counts: &'s [[CounterCell; 2]],
    /// Addresses of [`RecordHead`]s, or 0.
    matched: &'s [u64],
}

fn count(cell: CounterCell) -> Count {
    Count { packets: cell.packets, bytes: cell.bytes }
}

fn index(stage: u16) -> Option<usize> {
    Some(usize::from(stage.checked_sub(1)?))
}

impl Tables for Seen<'_> {
    fn generation(&self) -> u32 {
        self.generation.told.iter().fold(0, |sum, told| sum.wrapping_add(told.version))
    }

    fn count(&self) -> u16 {
        self.counts.len() as u16
    }

    fn table(&self, stage: u16) -> Option<Table> {
        let index = index(stage)?;
        let (told, counts) = (self.generation.told.get(index)?, self.counts.get(index)?);
        let [lookups, matches] = counts.map(count);
        Some(Table { version: told.version, entries: told.entries, lookups, matches })
    }

    fn matched(&self, stage: u16) -> Option<Entry> {
        let address = *self.matched.get(index(stage)?)?;
        // SAFETY: native code wrote the address of a record of the generation that is pinned, or 0; its counter
        // lives as long, and this is the only worker.
        unsafe {
            let record = (address as *const RecordHead).as_ref()?;
            let matches = record.counter.as_ref().map_or_else(Count::default, |cell| count(*cell));
            Some(Entry { id: record.entry, matches })
        }
    }
}

/// How the TPP of a packet was executed, and where that goes on to.
struct Executed {
    verdict: Verdict,
    /// The one port, if it is one.
    port: Option<PortId>,
    ports: u64,
    queue: u32,
}

impl Switch {
    /// A request for the address space of TPPs.
    pub fn tpp_memory(&mut self, tables: &Generation, request: Request) -> Result<Answer, Error> {
        let tables = Seen { generation: tables, counts: &self.seen, matched: &[] };
        tcpu::handle(self.tcpu.as_deref_mut(), &tables, request)
    }

    /// What [`Switch::batch`](super::worker) does, with a TCPU.
    pub fn batch_with_tpps(
        &mut self,
        batch: &Batch<'_>,
        now: Picoseconds,
        frames: &mut [Frame<'_>],
        sink: &mut dyn Sink,
    ) {
        for frame in frames {
            self.received += 1;
            let Some(tcpu) = &mut self.tcpu else { return };
            match tcpu.arrive(frame.port, now, frame.bytes, &mut self.carried) {
                Arrival::Plain => {
                    let status = self.run_whole(batch, now, frame);
                    self.complete(batch, 0, status, frame, sink);
                }
                Arrival::Outside => self.drop(DropReason::Outside),
                Arrival::Carries { begin } => {
                    let bytes = &mut frame.bytes[begin..];
                    let mut frame = Frame { port: frame.port, bytes };
                    let tpp = std::mem::take(&mut self.carried);
                    self.with_tpp(batch, now, (&mut frame, tpp), sink);
                }
            }
            if !self.waiting.is_empty() {
                self.work(batch, now, sink);
            }
        }
    }

    fn run_whole(&mut self, batch: &Batch<'_>, now: Picoseconds, frame: &mut Frame<'_>) -> u64 {
        let mut status = self.start(batch, 0, frame, now, self.received);
        while status == u64::from(status::WAIT) {
            status = self.go_on(batch, 0);
        }
        status
    }

    /// A frame with a TPP has come in.
    fn with_tpp(
        &mut self,
        batch: &Batch<'_>,
        now: Picoseconds,
        (frame, mut tpp): (&mut Frame<'_>, Carried),
        sink: &mut dyn Sink,
    ) {
        // As if there were queues, so that the code stops at the end of ingress.
        let held = Context { queues: 1, ..*batch.context };
        let input_port = frame.port;
        let status =
            self.run_whole(&Batch { generation: batch.generation, context: &held }, now, frame);
        let memory = self.memory.packet(0);
        // SAFETY: the packet is this one's, and native code is not running.
        let (fields, requests) = unsafe {
            self.parser_rejects += u64::from((*memory).rejected);
            (Fields::new(memory), (*memory).requests)
        };
        if let Some(reason) = Self::loss(status) {
            return self.drop(reason);
        }
        let intrinsic = self.program.intrinsic;
        let is_copied = self.program.is_special(requests, |slot| fields.get(slot));
        let port = fields.get(intrinsic.egress_spec);
        if is_copied || !self.waiting.is_default() {
            let packet = self.memory.copy(0);
            return self.ingress_end(batch, packet, frame, Some(tpp));
        }
        let front = &self.program.ends.front;
        if Program::drops(front, |slot| fields.get(slot)) {
            return self.drop(DropReason::Ingress);
        }
        let queued = front.iter().find(|end| end.action == PathAction::Enqueue);
        if let Some(instance_type) = queued.and_then(|end| end.instance_type) {
            fields.set(intrinsic.instance_type, u64::from(instance_type));
        }
        let to = (port as PortId, fields.get(intrinsic.priority) as u32);
        let done = self.run_tpp(batch, memory, (input_port, now), frame.bytes, &mut tpp, to);
        match done {
            Some(Executed { verdict: Verdict::Forward, port: Some(port), queue, .. }) => {
                tpp.write_into(frame.bytes);
                self.go_out(batch, (frame, tpp), (port, queue), now, sink);
            }
            Some(executed) => {
                let packet = OwnedPacket::new(self.memory.copy(0), frame.bytes.to_vec());
                let passage = Passage::new(input_port, Some(tpp));
                let leaving = Leaving { packet, family: Arc::<Family>::default(), passage };
                if let Err(reason) = self.follow(leaving, executed, now) {
                    self.drop(reason);
                }
            }
            None => {}
        }
    }

    /// The rest of the fast path: egress and out.
    fn go_out(
        &mut self,
        batch: &Batch<'_>,
        (frame, tpp): (&mut Frame<'_>, Carried),
        (port, queue): (PortId, u32),
        now: Picoseconds,
        sink: &mut dyn Sink,
    ) {
        let memory = self.memory.packet(0);
        let length = frame.bytes.len();
        let on_wire = (length as u32).saturating_add(tpp.extra());
        if let Some(tcpu) = &mut self.tcpu {
            tcpu.ports().passed(port, queue, now, on_wire);
        }
        let departure = Departure {
            packet: 0,
            port,
            enqueued_at: now,
            dequeued_at: now,
            depth_at_enqueue: 0,
            depth_at_dequeue: 0,
            congestion: false,
        };
        // SAFETY: the memory is the packet's, and native code is not running.
        let fields = unsafe { Fields::new(memory) };
        let through = self.enter_egress(batch, (memory, fields), &departure, length as u64);
        // SAFETY: as above.
        let requests = unsafe { (*memory).requests };
        let is_dropped = || Program::drops(&self.program.ends.egress, |slot| fields.get(slot));
        let done = match through {
            Err(reason) => Err(reason),
            Ok(()) if requests & (request::CLONE | request::RECIRCULATE) != 0 => {
                let packet = OwnedPacket::new(self.memory.copy(0), frame.bytes.to_vec());
                let passage = Passage { queue, ..Passage::new(frame.port, Some(tpp)) };
                let leaving = Leaving { packet, family: Arc::<Family>::default(), passage };
                self.leave_egress(batch, leaving, port, false, sink).map(|_| ())
            }
            Ok(()) if is_dropped() => Err(DropReason::Egress),
            Ok(()) => self.finish(batch, memory).map(|()| {
                let mut carrier = std::mem::take(&mut self.carrier);
                carrier.clear();
                // SAFETY: the packet is finished, and its bytes are the frame's.
                tpp.put_back(unsafe { self.assemble(memory) }, &mut carrier);
                self.transmitted += 1;
                sink.transmit(port, now, &carrier);
                let bytes = carrier.len() as u32;
                self.tcpu.iter_mut().for_each(|tcpu| tcpu.ports().sent(port, queue, now, bytes));
                (self.carrier, self.carried) = (carrier, tpp);
            }),
        };
        if let Err(reason) = done {
            self.drop(reason);
        }
    }

    /// Executes a TPP at the end of ingress.
    fn run_tpp(
        &mut self,
        batch: &Batch<'_>,
        memory: *const PacketHead,
        (input_port, now): (PortId, Picoseconds),
        frame: &[u8],
        tpp: &mut Carried,
        to: (PortId, u32),
    ) -> Option<Executed> {
        let layout = &self.program.code.layout;
        // SAFETY: the memory is of the program's layout, the part begins at a word, and nobody writes it meanwhile.
        let matched = unsafe {
            let begin = memory.cast::<u8>().add(layout.matched.start);
            std::slice::from_raw_parts(begin.cast::<u64>(), layout.matched.len() / 8)
        };
        let tables = Seen { generation: batch.generation, counts: &self.seen, matched };
        let length = (frame.len() as u32).saturating_add(tpp.extra());
        let mut way = Packet::new(now, (input_port, frame, length), to);
        let tcpu: &mut Tcpu = self.tcpu.as_mut()?;
        let verdict = tcpu.execute(tpp, &mut way, &tables);
        let (port, ports, queue) = (way.output(), way.ports(), way.queue);
        Some(Executed { verdict, port, ports, queue })
    }

    /// Executes the TPP of a packet that is about to join a queue, and sends the packet where it goes then.
    pub fn execute(
        &mut self,
        batch: &Batch<'_>,
        mut leaving: Leaving,
        to: (PortId, u32),
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let Some(mut tpp) = leaving.passage.tpp.take() else {
            return self.join(leaving, to, now);
        };
        let (memory, input_port) = (leaving.packet.memory(), leaving.passage.input_port);
        let frame = leaving.packet.bytes();
        let done = self.run_tpp(batch, memory, (input_port, now), frame, &mut tpp, to);
        leaving.passage.tpp = Some(tpp);
        match done {
            Some(executed) => self.follow(leaving, executed, now),
            None => self.join(leaving, to, now),
        }
    }

    /// Sends a packet where it goes when its TPP has been executed.
    fn follow(
        &mut self,
        mut leaving: Leaving,
        executed: Executed,
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let Executed { verdict, port, ports, queue } = executed;
        let (Some(tcpu), Some(tpp)) = (&mut self.tcpu, &leaving.passage.tpp) else { return Ok(()) };
        if verdict == Verdict::Reflect {
            let (bytes, tpp) = tcpu.reflect(leaving.packet.bytes(), tpp);
            let head = leaving.packet.head();
            let back = Arriving {
                number: head.packet,
                copy: head.copy,
                family: leaving.family,
                at: now,
                port: leaving.passage.input_port,
                instance_type: 0,
                bytes,
                kept: Kept::new(),
                tpp,
            };
            return self.start_over(back);
        }
        tpp.write_into(leaving.packet.bytes_mut());
        if let Some(port) = port {
            return self.join(leaving, (port, queue), now);
        }
        let mut ports = (0..u64::BITS).filter(|port| ports >> port & 1 == 1).peekable();
        while let Some(port) = ports.next() {
            if ports.peek().is_none() {
                return self.join(leaving, (port, queue), now);
            }
            let Some(number) = self.copy_number(&leaving.family, false) else { continue };
            let mut packet: OwnedPacket = leaving.packet.duplicate();
            packet.head().copy = number;
            let (family, passage) = (leaving.family.clone(), leaving.passage.clone());
            if let Err(reason) = self.join(Leaving { packet, family, passage }, (port, queue), now)
            {
                self.drop(reason);
            }
        }
        Err(DropReason::Ingress)
    }

    /// Tells the TCPU of a packet that has passed its queue at once, on the fast path. Gives the queue.
    pub fn passed(&mut self, packet: *const PacketHead, port: PortId) -> u32 {
        let Some(tcpu) = &mut self.tcpu else { return 0 };
        let priority = self.program.intrinsic.priority;
        // SAFETY: the memory is of the program's layout, and native code is not running.
        let (queue, bytes, now) = unsafe {
            let queue = priority.map_or(0, |slot| slot.read(packet.cast()));
            (queue as u32, (*packet).length as u32, (*packet).now)
        };
        tcpu.ports().passed(port, queue, now, bytes);
        queue
    }
}
