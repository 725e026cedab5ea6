//! The native engine's TCPU: frames with TPPs take the long way, all others the short one.

use super::abi::{CounterCell, RecordHead};
use super::control::Generation;
use super::memory::OwnedPacket;
use super::packet::{PacketHead, status};
use super::switch::{Arriving, Kept, Leaving};
use super::worker::{Batch, Switch};
use crate::dataplane::{Frame, Picoseconds, PortId, Sink};
use crate::tcpu::split;
use crate::trace::DropReason;
use std::sync::Arc;
use ww_p4::architecture::v1model::InstanceType;
use ww_tpp::switch::tables::{Count, Entry, Table, Tables};
use ww_tpp::switch::{Carried, Packet, Verdict};

/// Tables as a packet has met them. Stages are tables in the order of the schema, from 1.
struct Seen<'s> {
    generation: &'s Generation,
    counts: &'s [[CounterCell; 2]],
    /// Addresses of [`RecordHead`]s, or 0.
    matched: Vec<u64>,
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

impl Switch {
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
            let port = frame.port;
            let Some(tcpu) = &mut self.tcpu else { return };
            let Some((seen, tpp)) = split(tcpu.arrive(port, now, frame.bytes)) else {
                self.drop(DropReason::Outside);
                continue;
            };
            match tpp {
                None => self.short_way(batch, now, frame, sink),
                Some(tpp) => {
                    let bytes = seen.unwrap_or_else(|| frame.bytes.to_vec());
                    self.waiting.input.push_back(arriving(self.received, now, port, bytes, tpp));
                }
            }
            if !self.waiting.is_empty() {
                self.work(batch, now, sink);
            }
        }
    }

    fn short_way(
        &mut self,
        batch: &Batch<'_>,
        now: Picoseconds,
        frame: &mut Frame<'_>,
        sink: &mut dyn Sink,
    ) {
        let mut status = self.start(batch, 0, frame, now, self.received);
        while status == u64::from(status::WAIT) {
            status = self.go_on(batch, 0);
        }
        self.complete(batch, 0, status, frame, sink);
    }

    /// Tells the TCPU of a packet that has passed its queue at once, by the short way. Gives the queue.
    pub fn passed(&mut self, packet: *const PacketHead, port: PortId) -> u32 {
        let Some(tcpu) = &mut self.tcpu else { return 0 };
        let priority = self.program.intrinsic.priority;
        // SAFETY: the memory is of the program's layout, and native code is not running.
        let (queue, bytes, now) = unsafe {
            let queue = priority.map_or(0, |slot| slot.read(packet.cast()));
            (queue as u32, (*packet).length as u32, (*packet).now)
        };
        tcpu.ports().joined(port, queue, now, bytes);
        tcpu.ports().left(port, queue, bytes);
        queue
    }

    /// Executes the TPP of a packet that is about to join a queue, and sends the packet where it goes then.
    pub fn execute(
        &mut self,
        batch: &Batch<'_>,
        mut leaving: Leaving,
        to: (PortId, u32),
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let (Some(tcpu), Some(mut tpp)) = (&mut self.tcpu, leaving.passage.tpp.take()) else {
            return self.join(leaving, to, now);
        };
        let matched = self.program.code.layout.matched.clone();
        let tables = Seen {
            generation: batch.generation,
            counts: &self.seen,
            matched: leaving.packet.addresses(matched),
        };
        let frame = leaving.packet.bytes();
        let length = (frame.len() as u32).saturating_add(tpp.extra());
        let mut way = Packet::new(now, (leaving.passage.input_port, frame, length), to);
        if tcpu.execute(&mut tpp, &mut way, &tables) == Verdict::Reflect {
            let (frame, arrival) = tcpu.reflect(frame, &tpp);
            let Some((seen, tpp)) = split(arrival) else { return Ok(()) };
            let head = leaving.packet.head();
            let back = Arriving {
                number: head.packet,
                copy: head.copy,
                family: leaving.family,
                at: now,
                port: leaving.passage.input_port,
                instance_type: InstanceType::Normal,
                bytes: seen.unwrap_or(frame),
                kept: Kept::new(),
                tpp,
            };
            return self.start_over(back);
        }
        let queue = way.queue;
        let outputs: Vec<PortId> = way.outputs().collect();
        tpp.write_into(leaving.packet.bytes_mut());
        leaving.passage.tpp = Some(tpp);
        let Some((last, others)) = outputs.split_last() else { return Err(DropReason::Ingress) };
        for port in others {
            let Some(number) = self.copy_number(&leaving.family, false) else { continue };
            let mut packet: OwnedPacket = leaving.packet.duplicate();
            packet.head().copy = number;
            let (family, passage) = (leaving.family.clone(), leaving.passage.clone());
            if let Err(reason) = self.join(Leaving { packet, family, passage }, (*port, queue), now)
            {
                self.drop(reason);
            }
        }
        self.join(leaving, (*last, queue), now)
    }
}

fn arriving(number: u64, at: Picoseconds, port: PortId, bytes: Vec<u8>, tpp: Carried) -> Arriving {
    Arriving {
        number,
        copy: 0,
        family: Arc::default(),
        at,
        port,
        instance_type: InstanceType::Normal,
        bytes,
        kept: Kept::new(),
        tpp: Some(tpp),
    }
}
