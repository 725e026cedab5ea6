//! The memory map of [`crate::map`], filled with what a switch has.

use super::meter::{Meter, Picoseconds};
use super::ports::{Ports, QUEUES, Queue, REGISTERS};
use super::stages::Stage;
use super::tables::{Count, Tables};
use super::{Identity, Packet, fields};
use crate::switch_memory::{Refusal, Swap, SwitchMemory, Value};
use std::collections::BTreeMap;

/// The memory of a switch while it executes the TPP of a packet.
pub(super) struct Memory<'a, 'p, T> {
    pub identity: &'a Identity,
    pub platform: &'a BTreeMap<u16, u16>,
    pub ports: &'a mut Ports,
    pub stages: &'a mut [Stage],
    pub packet: &'a mut Packet<'p>,
    pub tables: &'a T,
}

/// What an address leads to.
enum Place<'m> {
    /// Something to read.
    Value(Value),
    /// Something to read and write.
    Register(&'m mut u32),
    /// Something of the packet's way, which can be changed.
    Way(Way),
}

/// Parts of a packet's way: `PacketMetadata` at 0xc040.
#[derive(Clone, Copy)]
enum Way {
    Port,
    Bitmap,
    BitmapHigh,
    Queue,
}

fn low(wide: u64) -> Option<Value> {
    Some(Value { word: wide as u32, high: Some((wide >> 32) as u32) })
}

fn high(wide: u64) -> Option<Value> {
    Some(((wide >> 32) as u32).into())
}

/// The words of a stats block that do not depend on time.
fn totals(count: Count, offset: u16) -> Option<Value> {
    match offset {
        0 => low(count.packets),
        1 => high(count.packets),
        2 => low(count.bytes),
        3 => high(count.bytes),
        _ => None,
    }
}

/// The words of a stats block.
fn block(
    meter: &mut Meter,
    (now, window): (Picoseconds, Picoseconds),
    offset: u16,
) -> Option<Value> {
    // A window may be any time: a rate is what it would be in a second.
    let a_second = |number: u64| {
        let number = u128::from(number) * 1_000_000_000_000 / u128::from(window);
        saturated(number.min(u64::MAX.into()) as u64)
    };
    match offset {
        4 => a_second(meter.last(now, window).0),
        5 => a_second(meter.last(now, window).1),
        _ => totals(Count { packets: meter.packets, bytes: meter.bytes }, offset),
    }
}

/// A number that does not fit is the largest that does.
fn saturated(number: u64) -> Option<Value> {
    Some(u32::try_from(number).unwrap_or(u32::MAX).into())
}

/// Whether an address leads to something that only a packet has: the entry that it matched, its
/// links and queue, its metadata, the registers of its link.
pub(super) fn depends_on_packet(address: u16) -> bool {
    matches!(address >> 12, 0x4 | 0x5 | 0x8 | 0xb | 0xc | 0xd)
}

impl<T: Tables> Memory<'_, '_, T> {
    fn place(&mut self, address: u16) -> Option<Place<'_>> {
        let address = match address >> 12 {
            0xf => *self.platform.get(&address)?,
            _ => address,
        };
        let (page, offset) = (address >> 12, address & 0xfff);
        if let Some(way) = self.way(address) {
            return Some(Place::Way(way));
        }
        let value = match page {
            0x0 => self.switch(offset),
            0x1..=0x3 => return self.stage((address - 0x1000) >> 8, address & 0xff),
            0x4 | 0x5 => self.entry((address - 0x4000) >> 7, address & 0x7f),
            0x6 | 0x7 => {
                let port = u32::from((address - 0x6000) >> 6);
                return self.link(port, address & 0x3f);
            }
            // The registers of the packet's link are at 0xd000.
            0x8 if offset < 0x30 => return self.link(self.packet.output_port, offset),
            0x8 if (0x40..0x80).contains(&offset) => {
                return self.link(self.packet.input_port, offset - 0x40);
            }
            0x9 | 0xa => {
                let (port, rest) = ((address - 0x9000) >> 8, address & 0xff);
                self.queue(port.into(), (rest >> 5).into(), rest & 0x1f)
            }
            0xb if offset < 0x40 => self.queue(self.packet.output_port, self.packet.queue, offset),
            0xc => self.metadata(address),
            0xd if usize::from(offset) < REGISTERS => {
                let port = self.ports.get(self.packet.output_port)?;
                return port.registers.get_mut(usize::from(offset)).map(Place::Register);
            }
            0xe => {
                let stage = self.stage_memory(offset >> 6)?;
                return stage.word(offset & 0x3f).map(Place::Register);
            }
            _ => None,
        };
        value.map(Place::Value)
    }

    fn switch(&self, offset: u16) -> Option<Value> {
        let clock = self.packet.now / super::PICOSECONDS_PER_CYCLE;
        match offset {
            0 => Some(self.identity.switch_id.into()),
            1 => Some(self.identity.vendor_id.into()),
            2 => Some(self.tables.generation().into()),
            4 => low(clock),
            5 => high(clock),
            6 => Some(super::CLOCK_FREQUENCY.into()),
            _ => None,
        }
    }

    /// Stages count from 1.
    fn stage_memory(&mut self, number: u16) -> Option<&mut Stage> {
        self.stages.get_mut(usize::from(number).checked_sub(1)?)
    }

    fn stage(&mut self, number: u16, offset: u16) -> Option<Place<'_>> {
        if offset == 2 {
            return Some(Place::Register(&mut self.stage_memory(number)?.base));
        }
        if offset >= 0x40 {
            return self.stage_memory(number)?.register(offset - 0x40).map(Place::Register);
        }
        let table = self.tables.table(number)?;
        let value = match offset {
            0 => Some(table.version.into()),
            1 => Some(table.entries.into()),
            8..=11 => totals(table.lookups, offset - 8),
            16..=19 => totals(table.matches, offset - 16),
            _ => None,
        };
        value.map(Place::Value)
    }

    fn entry(&self, stage: u16, offset: u16) -> Option<Value> {
        let entry = self.tables.matched(stage)?;
        match offset {
            2 => Some(entry.id.into()),
            8..=11 => totals(entry.matches, offset - 8),
            _ => None,
        }
    }

    fn link(&mut self, number: u32, offset: u16) -> Option<Place<'_>> {
        let (now, window, overhead) = (self.packet.now, self.ports.window, self.ports.overhead);
        let port = self.ports.get(number)?;
        let value = match offset {
            0 => Some(port.config.link_id.into()),
            1 => Some(1.into()),
            2 => saturated(port.all.queued_bytes),
            3 => saturated(port.all.queued_packets),
            4 => {
                let last = port.all.sent.last(now, window);
                Some(port.utilisation(last, overhead).into())
            }
            5 => {
                let last = port.all.offered.last(now, window);
                Some(port.utilisation(last, overhead).into())
            }
            6 => saturated(port.config.rate / 1000),
            8..=13 => block(&mut port.all.sent, (now, window), offset - 8),
            16..=21 => block(&mut port.received, (now, window), offset - 16),
            24..=29 => block(&mut port.all.dropped, (now, window), offset - 24),
            0x30.. => {
                let register = port.registers.get_mut(usize::from(offset - 0x30));
                return register.map(Place::Register);
            }
            _ => None,
        };
        value.map(Place::Value)
    }

    fn queue(&mut self, port: u32, number: u32, offset: u16) -> Option<Value> {
        let (now, window) = (self.packet.now, self.ports.window);
        let number = number.min(QUEUES as u32 - 1);
        let queue: &mut Queue = self.ports.get(port)?.queues.get_mut(number as usize)?;
        match offset {
            0 => saturated(queue.queued_bytes),
            1 => saturated(queue.queued_packets),
            7 => Some(number.into()),
            8..=13 => block(&mut queue.sent, (now, window), offset - 8),
            16..=21 => block(&mut queue.offered, (now, window), offset - 16),
            24..=29 => block(&mut queue.dropped, (now, window), offset - 24),
            _ => None,
        }
    }

    fn metadata(&self, address: u16) -> Option<Value> {
        let packet = &*self.packet;
        Some(match address {
            0xc000 => packet.input_port.into(),
            0xc001 => packet.length.into(),
            0xc044 => {
                let matched = (1..=self.tables.count()).rev().find_map(|s| self.tables.matched(s));
                matched?.id.into()
            }
            0xc100 => packet.queue.into(),
            0xc200..0xc240 => fields::field(packet.frame, address - 0xc200)?.into(),
            _ => return None,
        })
    }

    /// What of the packet's way is at an address.
    fn way(&self, address: u16) -> Option<Way> {
        Some(match address {
            0xc040 => Way::Port,
            0xc041 => Way::Bitmap,
            0xc042 => Way::BitmapHigh,
            0xc043 => Way::Queue,
            _ => return None,
        })
    }

    fn read_way(&self, way: Way) -> u32 {
        let packet = &*self.packet;
        let port = packet.output_port;
        match way {
            Way::Port => port,
            Way::Bitmap => (packet.ports() & 0xffff_ffff) as u32,
            Way::BitmapHigh => (packet.ports() >> 32) as u32,
            Way::Queue => packet.queue,
        }
    }

    fn write_way(&mut self, way: Way, value: u32) {
        let packet = &mut *self.packet;
        match way {
            Way::Port => packet.send_to(value),
            Way::Bitmap => packet.set_ports(packet.ports() & !0xffff_ffff | u64::from(value)),
            Way::BitmapHigh => {
                packet.set_ports(packet.ports() & 0xffff_ffff | u64::from(value) << 32);
            }
            Way::Queue => packet.queue = value,
        }
    }
}

impl<T: Tables> SwitchMemory for Memory<'_, '_, T> {
    fn read(&mut self, address: u16) -> Option<Value> {
        match self.place(address)? {
            Place::Value(value) => Some(value),
            Place::Register(register) => Some((*register).into()),
            Place::Way(way) => Some(self.read_way(way).into()),
        }
    }

    fn write(&mut self, address: u16, value: u32) -> Result<(), Refusal> {
        match self.place(address).ok_or(Refusal::Absent)? {
            Place::Value(_) => return Err(Refusal::ReadOnly),
            Place::Register(register) => *register = value,
            Place::Way(way) => self.write_way(way, value),
        }
        Ok(())
    }

    fn compare_and_store(&mut self, address: u16, swap: Swap) -> Result<u32, Refusal> {
        match self.place(address).ok_or(Refusal::Absent)? {
            Place::Value(_) => Err(Refusal::ReadOnly),
            Place::Register(register) => Ok(swap.apply(register)),
            Place::Way(way) => {
                let found = self.read_way(way);
                if swap.replaces(found) {
                    self.write_way(way, swap.new);
                }
                Ok(found)
            }
        }
    }
}
