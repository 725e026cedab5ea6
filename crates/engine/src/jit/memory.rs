//! Memory of packets.

use super::layout::{Layout, Slot};
use super::packet::PacketHead;

/// A cache line.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
struct Line([u8; 64]);

/// Memory for several packets of one layout.
#[derive(Debug)]
pub struct PacketMemory {
    lines: Box<[Line]>,
    lines_each: usize,
}

impl PacketMemory {
    /// Memory for `count` packets.
    pub fn new(layout: &Layout, count: usize) -> Self {
        let lines_each = layout.size.div_ceil(size_of::<Line>()).max(1);
        Self { lines: vec![Line([0; 64]); lines_each * count].into(), lines_each }
    }

    /// The memory of a packet.
    ///
    /// # Panics
    /// If there are not so many packets.
    pub fn packet(&mut self, n: usize) -> *mut PacketHead {
        let lines = &mut self.lines[n * self.lines_each..(n + 1) * self.lines_each];
        lines.as_mut_ptr().cast()
    }

    /// A copy of one packet's memory, for that packet alone.
    pub fn copy(&self, n: usize) -> Self {
        let lines = &self.lines[n * self.lines_each..(n + 1) * self.lines_each];
        Self { lines: lines.into(), lines_each: self.lines_each }
    }
}

/// A packet that is not where it came in: its memory, and its bytes.
#[derive(Debug)]
pub struct OwnedPacket {
    memory: PacketMemory,
    bytes: Vec<u8>,
}

// SAFETY: the head's pointers lead into what the packet owns, or are set anew before use.
unsafe impl Send for OwnedPacket {}

impl OwnedPacket {
    /// Takes memory and bytes together.
    pub fn new(memory: PacketMemory, bytes: Vec<u8>) -> Self {
        let mut packet = Self { memory, bytes };
        let head = packet.memory.packet(0);
        // SAFETY: the memory begins with a head.
        unsafe {
            (*head).bytes = packet.bytes.as_mut_ptr();
            (*head).length = packet.bytes.len() as u64;
        }
        packet
    }

    /// The packet's memory.
    pub fn memory(&mut self) -> *mut PacketHead {
        self.memory.packet(0)
    }

    /// The bytes that came in.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The head.
    pub fn head(&mut self) -> &mut PacketHead {
        // SAFETY: the memory begins with a head, and is borrowed as a whole.
        unsafe { &mut *self.memory.packet(0) }
    }

    /// Its fields.
    pub fn fields(&mut self) -> Fields {
        Fields(self.memory())
    }

    /// Reads a number; 0 if there is no such field.
    pub fn get(&mut self, slot: Option<Slot>) -> u64 {
        self.fields().get(slot)
    }

    /// Writes a number, if there is such a field.
    pub fn set(&mut self, slot: Option<Slot>, value: u64) {
        self.fields().set(slot, value);
    }

    /// The bytes of a field.
    pub fn field(&mut self, slot: Slot) -> &mut [u8] {
        // SAFETY: the slot is of the memory's layout.
        unsafe {
            let at = self.memory().cast::<u8>().add(slot.offset as usize);
            std::slice::from_raw_parts_mut(at, slot.bytes as usize)
        }
    }

    /// Sets bytes of the memory to zero.
    pub fn clear(&mut self, range: std::ops::Range<usize>) {
        // SAFETY: the range is of the memory's layout.
        unsafe {
            let memory = self.memory().cast::<u8>();
            memory.add(range.start).write_bytes(0, range.len());
        }
    }

    /// The same packet once more.
    pub fn duplicate(&self) -> Self {
        Self::new(self.memory.copy(0), self.bytes.clone())
    }
}

/// The fields of a packet, wherever its memory is.
#[derive(Clone, Copy, Debug)]
pub struct Fields(*mut PacketHead);

impl Fields {
    /// Of a packet's memory.
    ///
    /// # Safety
    /// It is a packet's, of the layout that all slots are from, and lives and belongs to nobody else as long as this
    /// value is used.
    pub unsafe fn new(packet: *mut PacketHead) -> Self {
        Self(packet)
    }

    /// Reads a number; 0 if there is no such field.
    pub fn get(self, slot: Option<Slot>) -> u64 {
        // SAFETY: see `new`.
        slot.map_or(0, |slot| unsafe { slot.read(self.0.cast()) })
    }

    /// Writes a number, if there is such a field.
    pub fn set(self, slot: Option<Slot>, value: u64) {
        if let Some(slot) = slot {
            // SAFETY: see `new`.
            unsafe { slot.write(self.0.cast(), value) }
        }
    }
}
