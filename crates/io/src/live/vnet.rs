//! From the kernel's idea of a frame to the frame on the wire: the virtio-net
//! header (VIRTIO 1.2 section 5.1.6) says what the sender left undone.

use super::segment::{Gso, segment};
use ww_packet::checksum::Sum;
use ww_packet::vlan;

/// Bytes in the header that precedes each frame.
pub(super) const HEADER_LENGTH: usize = 10;

const FLAG_NEEDS_CHECKSUM: u8 = 1;
const GSO_NONE: u8 = 0;
const GSO_TCP_V4: u8 = 1;
const GSO_TCP_V6: u8 = 4;
const GSO_UDP: u8 = 5;
/// Bit that goes with a TCP type when CWR is set; our segmentation looks itself.
const GSO_ECN: u8 = 0x80;

/// Bytes in the two MAC addresses in front of a tag, and in a tag.
const ADDRESSES_LENGTH: usize = 12;
const TAG_LENGTH: usize = 4;

/// What is left to do to a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Offload {
    /// Where a checksum is missing: what it covers begins at the first number,
    /// and it stands the second number further on.
    checksum: Option<(usize, usize)>,
    gso: u8,
    gso_size: usize,
    /// A tag kept beside the frame: protocol identifier and control information.
    pub vlan: Option<(u16, u16)>,
}

/// A frame whose missing parts cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unusable;

impl Offload {
    /// Reads a header, whose fields are in the machine's byte order.
    pub fn parse(bytes: &[u8; HEADER_LENGTH]) -> Self {
        let word = |at: usize| usize::from(u16::from_ne_bytes([bytes[at], bytes[at + 1]]));
        let partial = bytes[0] & FLAG_NEEDS_CHECKSUM != 0;
        Self {
            checksum: partial.then(|| (word(6), word(8))),
            gso: bytes[1] & !GSO_ECN,
            gso_size: word(4),
            vlan: None,
        }
    }
}

impl Offload {
    /// Whether the frame is to be cut up.
    pub fn is_large(&self) -> bool {
        self.gso != GSO_NONE
    }

    /// Does what is left to do to a frame that is not to be cut up, where it is: in
    /// `memory` from `start` on. A tag takes four bytes of those in front of it. Returns
    /// where the frame begins then.
    pub fn complete(&self, memory: &mut [u8], start: usize) -> Result<usize, Unusable> {
        if let Some((from, offset)) = self.checksum {
            complete_checksum(memory.get_mut(start..).ok_or(Unusable)?, from, offset)?;
        }
        let Some((protocol, control)) = self.vlan else { return Ok(start) };
        let new = start.checked_sub(TAG_LENGTH).ok_or(Unusable)?;
        let addresses = start..start + ADDRESSES_LENGTH;
        if memory.len() < addresses.end {
            return Err(Unusable);
        }
        memory.copy_within(addresses, new);
        let tag = &mut memory[new + ADDRESSES_LENGTH..][..TAG_LENGTH];
        tag[..2].copy_from_slice(&protocol.to_be_bytes());
        tag[2..].copy_from_slice(&control.to_be_bytes());
        Ok(new)
    }
}

/// Turns what the kernel handed over into frames on the wire. Keeps its buffers.
#[derive(Default)]
pub(super) struct Restorer {
    work: Vec<u8>,
    tagged: Vec<u8>,
}

impl Restorer {
    /// Calls `deliver` with each frame that `data` stands for.
    pub fn restore(
        &mut self,
        offload: &Offload,
        data: &[u8],
        deliver: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Unusable> {
        let Self { work, tagged } = self;
        let mut deliver_tagged = |frame: &[u8]| match offload.vlan {
            None => deliver(frame),
            Some((protocol, control)) => {
                tagged.clear();
                tagged.extend_from_slice(frame);
                vlan::insert(tagged, protocol, control);
                deliver(tagged);
            }
        };
        let gso = match offload.gso {
            GSO_NONE => {
                match offload.checksum {
                    None => deliver_tagged(data),
                    Some((start, offset)) => {
                        work.clear();
                        work.extend_from_slice(data);
                        complete_checksum(work, start, offset)?;
                        deliver_tagged(work);
                    }
                }
                return Ok(());
            }
            GSO_TCP_V4 | GSO_TCP_V6 => Gso::Tcp,
            GSO_UDP => Gso::Udp,
            _ => return Err(Unusable),
        };
        // Segmentation computes every checksum anew.
        segment(data, gso, offload.gso_size, work, &mut deliver_tagged)
    }
}

/// Completes a checksum whose field holds the sum over the pseudo-header.
fn complete_checksum(frame: &mut [u8], start: usize, offset: usize) -> Result<(), Unusable> {
    let at = start + offset;
    if at + 2 > frame.len() {
        return Err(Unusable);
    }
    let checksum = match Sum::new().add(&frame[start..]).checksum() {
        // Zero would mean "none" in UDP; elsewhere both mean the same.
        0 => 0xffff,
        other => other,
    };
    frame[at..at + 2].copy_from_slice(&checksum.to_be_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_packet::checksum::pseudo_header_v4;
    use ww_packet::udp;

    fn header(flags: u8, gso: u8, gso_size: u16, start: u16, offset: u16) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        bytes[0] = flags;
        bytes[1] = gso;
        bytes[4..6].copy_from_slice(&gso_size.to_ne_bytes());
        bytes[6..8].copy_from_slice(&start.to_ne_bytes());
        bytes[8..10].copy_from_slice(&offset.to_ne_bytes());
        bytes
    }

    fn restored(offload: &Offload, data: &[u8]) -> Result<Vec<Vec<u8>>, Unusable> {
        let mut out = Vec::new();
        Restorer::default().restore(offload, data, &mut |frame| out.push(frame.to_vec()))?;
        Ok(out)
    }

    #[test]
    fn nothing_to_do() {
        let data = [7; 60];
        assert_eq!(restored(&Offload::parse(&[0; 10]), &data).unwrap(), [data]);
    }

    #[test]
    fn checksum_and_tag() {
        // UDP "Hi" of the packet crate's tests: pseudo-header sum in the field,
        // 0x35c5 once complete.
        let pseudo = pseudo_header_v4([192, 168, 0, 31].into(), [192, 168, 0, 30].into(), 17, 10);
        let mut data = vec![0xee; 34];
        data.extend(udp::Repr { source_port: 20, destination_port: 10, length: 10 }.emit());
        data.extend(b"Hi");
        data[40..42].copy_from_slice(&pseudo.folded().to_be_bytes());
        let mut offload = Offload::parse(&header(1, 0, 0, 34, 6));
        offload.vlan = Some((0x88a8, 0x2007));
        let frames = restored(&offload, &data).unwrap();
        assert_eq!(frames.len(), 1);
        assert_eq!(frames[0][12..16], [0x88, 0xa8, 0x20, 0x07]);
        assert_eq!(frames[0][44..46], [0x35, 0xc5]);
        assert_eq!(frames[0].len(), data.len() + 4);
        // In place the same comes out.
        let mut memory = vec![0x99; HEADER_LENGTH];
        memory.extend(&data);
        assert_eq!(offload.complete(&mut memory, HEADER_LENGTH), Ok(HEADER_LENGTH - 4));
        assert_eq!(memory[..HEADER_LENGTH - 4], [0x99; HEADER_LENGTH - 4]);
        assert_eq!(memory[HEADER_LENGTH - 4..], frames[0]);
        assert_eq!(offload.complete(&mut memory.clone(), 3), Err(Unusable), "no room for a tag");
        assert_eq!(offload.complete(&mut memory[..40], HEADER_LENGTH), Err(Unusable), "short");
    }

    #[test]
    fn no_bytes_make_it_panic() {
        // Random headers over random frames that begin like real ones.
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 24) as u8
        };
        for round in 0..20_000 {
            let mut bytes = [0; HEADER_LENGTH];
            bytes.fill_with(&mut random);
            bytes[0] &= 3;
            bytes[1] = [0, 1, 4, 5, random()][round % 5];
            bytes[7] &= 1;
            bytes[9] = 0;
            let mut data = vec![0; usize::from(random()) + usize::from(random())];
            data.fill_with(&mut random);
            let kind = [[0x08, 0x00], [0x86, 0xdd], [0x81, 0x00]][round % 3];
            if data.len() > 60 {
                data[12..14].copy_from_slice(&kind);
                data[14] = if kind[0] == 0x08 { 0x45 } else { 0x60 };
                data[20] &= 0x40;
                data[21] = 0;
                data[23] = if round % 2 == 0 { 6 } else { 17 };
            }
            let mut offload = Offload::parse(&bytes);
            let _ = restored(&offload, &data);
            offload.vlan = (round % 4 == 0).then_some((0x8100, 1));
            let _ = offload.complete(&mut data, HEADER_LENGTH);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(restored(&Offload::parse(&header(1, 0, 0, 50, 16)), &[0; 60]), Err(Unusable));
        assert_eq!(
            restored(&Offload::parse(&header(1, 0, 0, u16::MAX, u16::MAX)), &[0; 60]),
            Err(Unusable)
        );
        for kind in [2, 3, 6, 0x7f] {
            assert_eq!(
                restored(&Offload::parse(&header(0, kind, 9, 0, 0)), &[0; 60]),
                Err(Unusable)
            );
        }
    }
}
