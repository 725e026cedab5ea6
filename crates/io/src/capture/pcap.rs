//! The classic format: one header, then records (draft-ietf-opsawg-pcap).

use super::source::Source;
use super::{CaptureError, FrameInfo, MAX_FRAME, strip_fcs};
use crate::time::{SECOND, UtcTime};

/// Bytes in the file header.
const FILE_HEADER: usize = 24;
/// Bytes in a record header.
const RECORD_HEADER: usize = 16;

/// What the file header says.
pub(super) struct Pcap {
    big_endian: bool,
    /// Picoseconds in the unit of the timestamps' second word.
    fraction: i128,
    link_type: u16,
    /// Bytes of frame check sequence at the end of each frame.
    fcs: usize,
}

impl Pcap {
    /// Reads the rest of the file header behind its magic number. `None` when the
    /// magic number is not one of pcap's.
    pub fn start(magic: [u8; 4], source: &mut Source) -> Result<Option<Self>, CaptureError> {
        let (big_endian, fraction) = match magic {
            [0xa1, 0xb2, 0xc3, 0xd4] => (true, 1_000_000),
            [0xd4, 0xc3, 0xb2, 0xa1] => (false, 1_000_000),
            [0xa1, 0xb2, 0x3c, 0x4d] => (true, 1_000),
            [0x4d, 0x3c, 0xb2, 0xa1] => (false, 1_000),
            [0xa1, 0xb2, 0xcd, 0x34] | [0x34, 0xcd, 0xb2, 0xa1] => {
                let problem = "is a \"modified\" pcap file (magic a1b2cd34), which is not read";
                return Err(source.error(None, None, problem));
            }
            _ => return Ok(None),
        };
        let mut rest = [0; FILE_HEADER - 4];
        let found = source.fill(&mut rest, None, 0)?;
        if found < rest.len() {
            return Err(source.cut_short(None, 0, "the file header", FILE_HEADER, found + 4));
        }
        let mut pcap = Self { big_endian, fraction, link_type: 0, fcs: 0 };
        let version = [rest[0], rest[1]];
        let major =
            if big_endian { u16::from_be_bytes(version) } else { u16::from_le_bytes(version) };
        if major != 2 {
            let problem = format!("has pcap version {major}, expected 2");
            return Err(source.error(None, None, problem));
        }
        // The link type takes the low half; bit 26 says that the top four bits
        // count 16-bit words of frame check sequence.
        let link = pcap.word(&rest, 16);
        pcap.link_type = link as u16;
        if link & 1 << 26 != 0 {
            pcap.fcs = (link >> 28) as usize * 2;
        }
        Ok(Some(pcap))
    }

    fn word(&self, bytes: &[u8], at: usize) -> u32 {
        let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
    }

    pub fn next_frame(
        &mut self,
        source: &mut Source,
        number: u64,
        frame: &mut Vec<u8>,
    ) -> Result<Option<FrameInfo>, CaptureError> {
        let start = source.offset();
        let mut header = [0; RECORD_HEADER];
        if !source.header(&mut header, number, "the record header")? {
            return Ok(None);
        }
        let captured = self.word(&header, 8) as usize;
        if captured > MAX_FRAME {
            let problem =
                format!("the record claims {captured} bytes; the limit is {MAX_FRAME} bytes");
            return Err(source.error(Some(number), Some(start), problem));
        }
        source.read_exactly(frame, captured, Some(number), start, "the packet")?;
        let seconds = i128::from(self.word(&header, 0));
        let fraction = i128::from(self.word(&header, 4));
        // Some writers leave the original length zero or below the captured one.
        let mut original_length = self.word(&header, 12).max(captured as u32);
        strip_fcs(frame, &mut original_length, self.fcs);
        Ok(Some(FrameInfo {
            number,
            timestamp: UtcTime(seconds * SECOND + fraction * self.fraction),
            original_length,
            link_type: self.link_type,
            interface: 0,
        }))
    }
}
