//! Where the fields of a program are in a packet's memory.

use super::packet::PacketHead;
use ww_p4::pipeline::{FieldId, Pipeline, Scope};

/// Bits of a word.
pub const WORD: u32 = 64;

/// How many words hold so many bits; at least one.
pub fn words(width: u64) -> usize {
    usize::try_from(width.div_ceil(u64::from(WORD)).max(1)).unwrap_or(usize::MAX)
}

/// The place of a field. Bits above its width are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Bytes in front of it in the packet's memory.
    pub offset: u32,
    /// 1, 2, 4 or 8 bytes, or as many words as its width needs, the lowest first.
    pub bytes: u32,
    /// Bits.
    pub width: u32,
}

impl Slot {
    /// Reads up to 64 bits.
    ///
    /// # Safety
    /// `memory` is a packet's memory of the layout that the slot is from.
    pub unsafe fn read(self, memory: *const u8) -> u64 {
        // SAFETY: the slot lies inside of the memory, aligned to its size.
        unsafe {
            let at = memory.add(self.offset as usize);
            match self.bytes {
                1 => u64::from(*at),
                2 => u64::from(*at.cast::<u16>()),
                4 => u64::from(*at.cast::<u32>()),
                _ => *at.cast::<u64>(),
            }
        }
    }

    /// Writes the low bits of a number.
    ///
    /// # Safety
    /// As for [`read`](Slot::read).
    pub unsafe fn write(self, memory: *mut u8, value: u64) {
        let value = if self.width < WORD { value & ((1 << self.width) - 1) } else { value };
        // SAFETY: as in `read`.
        unsafe {
            let at = memory.add(self.offset as usize);
            match self.bytes {
                1 => *at = value as u8,
                2 => *at.cast::<u16>() = value as u16,
                4 => *at.cast::<u32>() = value as u32,
                bytes => {
                    at.cast::<u64>().write(value);
                    at.add(8).write_bytes(0, bytes as usize - 8);
                }
            }
        }
    }
}

/// Memory of one packet.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By [`FieldId`]; fields that nothing uses have no bytes.
    slots: Vec<Slot>,
    /// Fields of headers.
    pub headers: std::ops::Range<usize>,
    /// Fields of the user's and of the intrinsic metadata, right behind the headers.
    pub metadata: std::ops::Range<usize>,
    /// By header: where in the packet its fields were taken from, in bits plus one, in 4 bytes; 0
    /// if they were not. Right behind the metadata.
    pub origins: std::ops::Range<usize>,
    /// With a TCPU, by [`ww_dataplane::control::TableIndex`]: the address of the record of the entry that the packet has
    /// matched, or 0. Right behind the origins.
    pub matched: std::ops::Range<usize>,
    /// Words for keys of tables, and for arguments and results of the runtime's functions.
    pub scratch: usize,
    /// Bytes in all, a multiple of 64.
    pub size: usize,
}

impl Layout {
    /// Lays out the fields that `live` marks, with place for so many matched records.
    pub fn new(pipeline: &Pipeline, live: &[bool], matched: usize) -> Self {
        let mut slots = vec![Slot::default(); pipeline.fields.len()];
        let mut size = size_of::<PacketHead>();
        let mut place = |wanted: &dyn Fn(Scope) -> bool, size: &mut usize| {
            let begin = size.next_multiple_of(8);
            *size = begin;
            // Larger ones first: every slot is aligned without gaps.
            for class in [u32::MAX, 8, 4, 2, 1] {
                for (n, field) in pipeline.fields.iter().enumerate() {
                    let bytes = slot_bytes(field.width);
                    let fits = if class == u32::MAX { bytes > 8 } else { bytes == class };
                    if fits && wanted(field.scope) && live.get(n).copied().unwrap_or(true) {
                        slots[n] = Slot { offset: *size as u32, bytes, width: field.width };
                        *size += bytes as usize;
                    }
                }
            }
            begin..*size
        };
        let headers = place(&|s| s == Scope::Headers, &mut size);
        let metadata = place(&|s| matches!(s, Scope::Metadata | Scope::Intrinsic), &mut size);
        let origins = size.next_multiple_of(4);
        let origins = origins..origins + pipeline.headers.len() * 4;
        let begin = origins.end.next_multiple_of(8);
        let matched = begin..begin + matched * 8;
        size = matched.end;
        place(&|s| s == Scope::Local, &mut size);
        let scratch = size.next_multiple_of(8);
        Self { slots, headers, metadata, origins, matched, scratch, size: scratch }
    }

    /// Makes place for so many words of scratch.
    pub fn set_scratch(&mut self, words: usize) {
        self.size = (self.scratch + words * 8).next_multiple_of(64);
    }

    /// The place of a field; `None` if nothing uses it.
    pub fn slot(&self, field: FieldId) -> Option<Slot> {
        self.slots.get(field.index()).copied().filter(|slot| slot.bytes > 0)
    }
}

fn slot_bytes(width: u32) -> u32 {
    match width {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => words(u64::from(width)) as u32 * 8,
    }
}
