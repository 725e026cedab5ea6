//! The reference engine's TCPU: TPPs of packets between ingress and queue.

use super::Interp;
use super::preserve::Kept;
use super::state::State;
use super::switch::{EgressPacket, IngressPacket};
use crate::tcpu;
use std::sync::Arc;
use ww_dataplane::DropReason;
use ww_dataplane::control::{Answer, CounterValue, Error, Request, TableIndex};
use ww_dataplane::{Picoseconds, PortId};
use ww_tpp::switch::tables::{Count, Entry, Table, Tables};
use ww_tpp::switch::{Packet, Verdict};

/// Tables as a packet has met them. Stages are tables in the order of the schema, from 1.
struct Seen<'s> {
    state: &'s State,
    versions: &'s [u32],
    matched: &'s [(TableIndex, u64)],
}

fn count(value: CounterValue) -> Count {
    Count { packets: value.packets, bytes: value.bytes }
}

fn index(stage: u16) -> Option<TableIndex> {
    Some(TableIndex(u32::from(stage.checked_sub(1)?)))
}

impl Tables for Seen<'_> {
    fn generation(&self) -> u32 {
        self.versions.iter().fold(0, |sum, version| sum.wrapping_add(*version))
    }

    fn count(&self) -> u16 {
        self.versions.len() as u16
    }

    fn table(&self, stage: u16) -> Option<Table> {
        let index = index(stage)?.index();
        let (table, version) = (self.state.tables.get(index)?, *self.versions.get(index)?);
        let [lookups, matches] = table.seen.map(count);
        Some(Table { version, entries: table.entries.len() as u32, lookups, matches })
    }

    fn matched(&self, stage: u16) -> Option<Entry> {
        let index = index(stage)?;
        let (_, handle) = *self.matched.iter().find(|(table, _)| *table == index)?;
        let entry = self.state.tables.get(index.index())?.entries.get(handle)?;
        Some(Entry { id: handle as u32, matches: count(entry.payload.counter) })
    }
}

impl Interp {
    /// A request has changed a table.
    pub(super) fn table_changed(&mut self, table: TableIndex) {
        if let Some(version) = self.versions.get_mut(table.index()) {
            *version = version.wrapping_add(1);
        }
    }

    /// A request for the address space of TPPs.
    pub(super) fn tpp_memory(&mut self, request: Request) -> Result<Answer, Error> {
        let tables = Seen { state: &self.state, versions: &self.versions, matched: &[] };
        tcpu::handle(self.tcpu.as_deref_mut(), &tables, request)
    }

    /// Executes the TPP of a packet that is about to join a queue, and sends the packet where it goes then.
    pub(super) fn execute(
        &mut self,
        mut packet: EgressPacket,
        to: (PortId, u32),
        now: Picoseconds,
    ) -> Result<(), DropReason> {
        let (Some(tcpu), Some(mut tpp)) = (&mut self.tcpu, packet.passage.tpp.take()) else {
            return self.join(packet, to, now);
        };
        let frame = packet.bytes.clone();
        let length = (frame.len() as u32).saturating_add(tpp.extra());
        let mut way = Packet::new(now, (packet.passage.input_port, &frame, length), to);
        let tables =
            Seen { state: &self.state, versions: &self.versions, matched: &packet.matched };
        if tcpu.execute(&mut tpp, &mut way, &tables) == Verdict::Reflect {
            let (seen, tpp) = tcpu.reflect(&frame, &tpp);
            let back = IngressPacket {
                tag: packet.tag,
                family: packet.family,
                at: now,
                port: packet.passage.input_port,
                instance_type: 0,
                bytes: seen.into(),
                kept: Kept::new(),
                tpp,
            };
            let again = self.start_over(back, 0, Kept::new());
            return again.map_err(|(reason, _)| reason);
        }
        let mut bytes = frame.to_vec();
        tpp.write_into(&mut bytes);
        packet.bytes = Arc::from(bytes);
        packet.passage.tpp = Some(tpp);
        let queue = way.queue;
        if let Some(port) = way.output() {
            return self.join(packet, (port, queue), now);
        }
        let ports = way.ports();
        let ports: Vec<PortId> = (0..u64::BITS).filter(|port| ports >> port & 1 == 1).collect();
        let Some((last, others)) = ports.split_last() else { return Err(DropReason::Ingress) };
        for port in others {
            let Some(tag) = self.copy_tag(packet.tag, &packet.family.clone(), false) else {
                continue;
            };
            let copy = EgressPacket { tag, ..packet.clone() };
            if let Err(reason) = self.join(copy, (*port, queue), now) {
                self.drop(tag, reason, None);
            }
        }
        self.join(packet, (*last, queue), now)
    }
}
