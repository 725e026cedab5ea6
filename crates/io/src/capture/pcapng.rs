//! The block format (draft-ietf-opsawg-pcapng).

use super::source::Source;
use super::{CaptureError, FrameInfo, MAX_BLOCK, MAX_FRAME, strip_fcs};
use crate::time::{SECOND, UtcTime};

const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION: u32 = 1;
const OBSOLETE_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

/// Bytes of type and length before a block's body, and of the length behind it.
const BLOCK_HEADER: usize = 8;
const BLOCK_TRAILER: usize = 4;

/// Interfaces a section may describe, so that memory stays bounded.
const MAX_INTERFACES: usize = 65_536;

/// The state of the section being read.
pub(super) struct Pcapng {
    big_endian: bool,
    interfaces: Vec<Interface>,
    /// The body of the current block, with its trailing length.
    block: Vec<u8>,
    /// Time of the packet before: simple packet blocks have none of their own.
    last_time: UtcTime,
}

/// What an interface description block says.
struct Interface {
    link_type: u16,
    /// Snapshot length in bytes; 0 is unlimited.
    snap_length: u32,
    resolution: Resolution,
    /// What to add to timestamps, in seconds.
    offset: i64,
    /// Bytes of frame check sequence at the end of each frame.
    fcs: usize,
}

/// The unit of an interface's timestamps (option `if_tsresol`).
#[derive(Clone, Copy)]
enum Resolution {
    /// 10 to the power of minus this, in seconds.
    Decimal(u8),
    /// 2 to the power of minus this, in seconds.
    Binary(u8),
}

impl Resolution {
    /// Picoseconds in `ticks`, rounded down.
    fn picoseconds(self, ticks: u64) -> i128 {
        // A u64 times 10^12 takes at most 104 bits.
        let ticks = i128::from(ticks);
        match self {
            Self::Decimal(digits @ 0..=12) => ticks * 10i128.pow(12 - u32::from(digits)),
            Self::Decimal(digits) => {
                10i128.checked_pow(u32::from(digits) - 12).map_or(0, |unit| ticks / unit)
            }
            Self::Binary(bits) => (ticks * SECOND).checked_shr(u32::from(bits)).unwrap_or(0),
        }
    }
}

/// Where the packet being read stands, for messages.
#[derive(Clone, Copy)]
struct Place {
    number: u64,
    start: u64,
}

impl Pcapng {
    /// Reads the first section header behind its block type.
    pub fn start(source: &mut Source) -> Result<Self, CaptureError> {
        let mut pcapng = Self {
            big_endian: false,
            interfaces: Vec::new(),
            block: Vec::new(),
            last_time: UtcTime(0),
        };
        let mut length = [0; 4];
        let found = source.fill(&mut length, None, 0)?;
        if found < length.len() {
            return Err(source.cut_short(None, 0, "a block header", BLOCK_HEADER, found + 4));
        }
        pcapng.section_header(source, length, 0)?;
        Ok(pcapng)
    }

    fn u16_at(&self, bytes: &[u8], at: usize) -> u16 {
        let word = [bytes[at], bytes[at + 1]];
        if self.big_endian { u16::from_be_bytes(word) } else { u16::from_le_bytes(word) }
    }

    fn u32_at(&self, bytes: &[u8], at: usize) -> u32 {
        let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
    }

    fn u64_at(&self, bytes: &[u8], at: usize) -> u64 {
        let (first, second) = (self.u32_at(bytes, at), self.u32_at(bytes, at + 4));
        let (high, low) = if self.big_endian { (first, second) } else { (second, first) };
        u64::from(high) << 32 | u64::from(low)
    }

    /// Reads a section header from its byte-order magic on; `length` are the raw
    /// bytes of the block's length, whose byte order only the magic tells.
    fn section_header(
        &mut self,
        source: &mut Source,
        length: [u8; 4],
        start: u64,
    ) -> Result<(), CaptureError> {
        let mut magic = [0; 4];
        let found = source.fill(&mut magic, None, start)?;
        if found < magic.len() {
            return Err(source.cut_short(None, start, "a section header", 28, found + 8));
        }
        self.big_endian = match magic {
            [0x1a, 0x2b, 0x3c, 0x4d] => true,
            [0x4d, 0x3c, 0x2b, 0x1a] => false,
            _ => {
                let problem = "the section header has no byte-order magic 1a2b3c4d";
                return Err(source.error(None, Some(start), problem));
            }
        };
        let length = self.u32_at(&length, 0);
        self.body(source, length, 16, 4, None, start)?;
        let major = self.u16_at(&self.block, 0);
        if major != 1 {
            let problem = format!("the section has pcapng version {major}, expected 1");
            return Err(source.error(None, Some(start), problem));
        }
        self.interfaces.clear();
        Ok(())
    }

    /// Reads the rest of a block of `length` bytes into `self.block`, of which
    /// `taken` bytes of body are read already, and checks both lengths. At least
    /// `minimum` bytes of body must be there in all (the taken ones included).
    fn body(
        &mut self,
        source: &mut Source,
        length: u32,
        minimum: usize,
        taken: usize,
        packet: Option<u64>,
        start: u64,
    ) -> Result<(), CaptureError> {
        let total = length as usize;
        let frame = BLOCK_HEADER + BLOCK_TRAILER;
        let problem = if !total.is_multiple_of(4) {
            format!("the block claims {total} bytes, expected a multiple of 4")
        } else if total < frame + minimum {
            format!("the block claims {total} bytes, expected at least {}", frame + minimum)
        } else if total > MAX_BLOCK {
            format!("the block claims {total} bytes; the limit is {MAX_BLOCK} bytes")
        } else {
            let rest = total - BLOCK_HEADER - taken;
            source.read_exactly(&mut self.block, rest, packet, start, "the block")?;
            let at = rest - BLOCK_TRAILER;
            let trailer = self.u32_at(&self.block, at);
            self.block.truncate(at);
            if trailer == length {
                return Ok(());
            }
            format!("the block's two lengths differ: {total} before it, {trailer} behind it")
        };
        Err(source.error(packet, Some(start), problem))
    }

    pub fn next_frame(
        &mut self,
        source: &mut Source,
        number: u64,
        frame: &mut Vec<u8>,
    ) -> Result<Option<FrameInfo>, CaptureError> {
        loop {
            let start = source.offset();
            let place = Place { number, start };
            let mut header = [0; BLOCK_HEADER];
            if !source.header(&mut header, number, "a block header")? {
                return Ok(None);
            }
            // The section header's type reads the same in both byte orders.
            let kind = self.u32_at(&header, 0);
            if kind == SECTION_HEADER {
                let length = [header[4], header[5], header[6], header[7]];
                self.section_header(source, length, start)?;
                continue;
            }
            let (minimum, packet) = match kind {
                INTERFACE_DESCRIPTION => (8, None),
                ENHANCED_PACKET | OBSOLETE_PACKET => (20, Some(number)),
                SIMPLE_PACKET => (4, Some(number)),
                _ => (0, None),
            };
            let length = self.u32_at(&header, 4);
            self.body(source, length, minimum, 0, packet, start)?;
            match kind {
                INTERFACE_DESCRIPTION => self.interface(source, start)?,
                ENHANCED_PACKET | OBSOLETE_PACKET => {
                    return self.packet(source, kind, place, frame).map(Some);
                }
                SIMPLE_PACKET => return self.simple_packet(source, place, frame).map(Some),
                _ => {}
            }
        }
    }

    /// Takes in an interface description.
    fn interface(&mut self, source: &Source, start: u64) -> Result<(), CaptureError> {
        if self.interfaces.len() >= MAX_INTERFACES {
            let problem = format!("the section describes more than {MAX_INTERFACES} interfaces");
            return Err(source.error(None, Some(start), problem));
        }
        let mut interface = Interface {
            link_type: self.u16_at(&self.block, 0),
            snap_length: self.u32_at(&self.block, 4),
            resolution: Resolution::Decimal(6),
            offset: 0,
            fcs: 0,
        };
        let mut at = 8;
        while at + 4 <= self.block.len() {
            let code = self.u16_at(&self.block, at);
            let length = usize::from(self.u16_at(&self.block, at + 2));
            at += 4;
            let Some(value) = self.block.get(at..at + length) else {
                let problem = "an option of the interface description runs over its end";
                return Err(source.error(None, Some(start), problem));
            };
            match (code, value) {
                (0, _) => break,
                (9, &[resolution]) => {
                    let exponent = resolution & 0x7f;
                    interface.resolution = if resolution & 0x80 == 0 {
                        Resolution::Decimal(exponent)
                    } else {
                        Resolution::Binary(exponent)
                    };
                }
                (13, &[fcs]) => interface.fcs = usize::from(fcs),
                (14, value) if value.len() == 8 => {
                    interface.offset = self.u64_at(value, 0) as i64;
                }
                _ => {}
            }
            at += length.next_multiple_of(4);
        }
        self.interfaces.push(interface);
        Ok(())
    }

    fn described(
        &self,
        source: &Source,
        index: u32,
        place: Place,
    ) -> Result<&Interface, CaptureError> {
        self.interfaces.get(index as usize).ok_or_else(|| {
            let known = self.interfaces.len();
            let problem = format!("names interface {index}; the section describes {known}");
            source.error(Some(place.number), Some(place.start), problem)
        })
    }

    /// Copies the packet data at `at` out of the block.
    fn data(
        &self,
        source: &Source,
        at: usize,
        captured: usize,
        place: Place,
        frame: &mut Vec<u8>,
    ) -> Result<(), CaptureError> {
        let problem = if captured > MAX_FRAME {
            format!("the block claims a packet of {captured} bytes; the limit is {MAX_FRAME} bytes")
        } else if let Some(data) = self.block.get(at..at + captured) {
            frame.clear();
            frame.extend_from_slice(data);
            return Ok(());
        } else {
            let room = self.block.len().saturating_sub(at);
            format!("the block claims a packet of {captured} bytes but has room for {room}")
        };
        Err(source.error(Some(place.number), Some(place.start), problem))
    }

    /// An enhanced or an obsolete packet block: they differ in the first word.
    fn packet(
        &mut self,
        source: &Source,
        kind: u32,
        place: Place,
        frame: &mut Vec<u8>,
    ) -> Result<FrameInfo, CaptureError> {
        let index = if kind == ENHANCED_PACKET {
            self.u32_at(&self.block, 0)
        } else {
            u32::from(self.u16_at(&self.block, 0))
        };
        let interface = self.described(source, index, place)?;
        // The high word of the timestamp comes first in both byte orders.
        let ticks =
            u64::from(self.u32_at(&self.block, 4)) << 32 | u64::from(self.u32_at(&self.block, 8));
        let timestamp = UtcTime(
            interface.resolution.picoseconds(ticks) + i128::from(interface.offset) * SECOND,
        );
        let captured = self.u32_at(&self.block, 12) as usize;
        self.data(source, 20, captured, place, frame)?;
        let mut original_length = self.u32_at(&self.block, 16).max(captured as u32);
        strip_fcs(frame, &mut original_length, interface.fcs);
        let link_type = interface.link_type;
        self.last_time = timestamp;
        Ok(FrameInfo {
            number: place.number,
            timestamp,
            original_length,
            link_type,
            interface: index,
        })
    }

    /// A simple packet block: interface 0, no time, length told by the original
    /// length and the snapshot length.
    fn simple_packet(
        &mut self,
        source: &Source,
        place: Place,
        frame: &mut Vec<u8>,
    ) -> Result<FrameInfo, CaptureError> {
        let interface = self.described(source, 0, place)?;
        let mut original_length = self.u32_at(&self.block, 0);
        let captured = match interface.snap_length {
            0 => original_length,
            limit => original_length.min(limit),
        };
        self.data(source, 4, captured as usize, place, frame)?;
        strip_fcs(frame, &mut original_length, interface.fcs);
        Ok(FrameInfo {
            number: place.number,
            timestamp: self.last_time,
            original_length,
            link_type: interface.link_type,
            interface: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolutions() {
        assert_eq!(Resolution::Decimal(0).picoseconds(3), 3 * SECOND);
        assert_eq!(Resolution::Decimal(6).picoseconds(1_500_000), 3 * SECOND / 2);
        assert_eq!(Resolution::Decimal(9).picoseconds(7), 7_000);
        assert_eq!(Resolution::Decimal(12).picoseconds(u64::MAX), i128::from(u64::MAX));
        assert_eq!(Resolution::Decimal(15).picoseconds(1_999), 1);
        assert_eq!(Resolution::Decimal(127).picoseconds(u64::MAX), 0);
        assert_eq!(Resolution::Binary(0).picoseconds(2), 2 * SECOND);
        assert_eq!(Resolution::Binary(10).picoseconds(512), SECOND / 2);
        assert_eq!(Resolution::Binary(127).picoseconds(u64::MAX), 0);
        assert_eq!(Resolution::Decimal(0).picoseconds(u64::MAX), i128::from(u64::MAX) * SECOND);
    }
}
