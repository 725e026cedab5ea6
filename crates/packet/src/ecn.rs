//! Explicit congestion notification in IPv4 and IPv6 (RFC 3168).

use crate::checksum::update_u16;
use crate::ethernet::Frame;
use crate::protocol::ethertype;

/// What the two bits of the field say (RFC 3168, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codepoint {
    /// The transport does not understand ECN.
    NotEct,
    /// It does.
    Ect1,
    /// It does.
    Ect0,
    /// It does, and congestion was experienced.
    Ce,
}

impl Codepoint {
    fn of_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::NotEct,
            1 => Self::Ect1,
            2 => Self::Ect0,
            _ => Self::Ce,
        }
    }
}

/// Where the IP header of a frame begins, and its version; `None` if there is none, or too little.
fn header(frame: &[u8]) -> Option<(usize, u8)> {
    header_at(frame, Frame::new(frame).ok()?.network_layer().ok()?)
}

fn header_at(frame: &[u8], (kind, at): (u16, usize)) -> Option<(usize, u8)> {
    let (version, length) = match kind {
        ethertype::IPV4 => (4, crate::ipv4::MINIMUM_LENGTH),
        ethertype::IPV6 => (6, crate::ipv6::HEADER_LENGTH),
        _ => return None,
    };
    let bytes = frame.get(at..at + length)?;
    (bytes[0] >> 4 == version).then_some((at, version))
}

/// The codepoint of an Ethernet frame, also behind VLAN tags; `None` if it is not IP.
pub fn codepoint(frame: &[u8]) -> Option<Codepoint> {
    header(frame).map(|header| codepoint_at(frame, header))
}

fn codepoint_at(frame: &[u8], (at, version): (usize, u8)) -> Codepoint {
    Codepoint::of_bits(if version == 4 { frame[at + 1] } else { frame[at + 1] >> 4 })
}

/// Marks an Ethernet frame with CE, and updates the checksum of IPv4. Whether it says CE now; a frame
/// whose transport does not understand ECN stays as it is.
pub fn mark(frame: &mut [u8]) -> bool {
    header(frame).is_some_and(|header| mark_header(frame, header))
}

/// The same for a frame whose packet is known to be of this EtherType and to begin there.
pub fn mark_at(frame: &mut [u8], packet: (u16, usize)) -> bool {
    header_at(frame, packet).is_some_and(|header| mark_header(frame, header))
}

fn mark_header(frame: &mut [u8], (at, version): (usize, u8)) -> bool {
    match codepoint_at(frame, (at, version)) {
        Codepoint::NotEct => return false,
        Codepoint::Ce => return true,
        Codepoint::Ect0 | Codepoint::Ect1 => {}
    }
    if version == 6 {
        frame[at + 1] |= 0x30;
        return true;
    }
    let old = u16::from_be_bytes([frame[at], frame[at + 1]]);
    frame[at + 1] |= 3;
    let checksum = u16::from_be_bytes([frame[at + 10], frame[at + 11]]);
    let checksum = update_u16(checksum, old, old | 3);
    frame[at + 10..at + 12].copy_from_slice(&checksum.to_be_bytes());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An IPv4 header of 20 bytes with this field; the sum is filled in by the other module.
    fn ipv4(tags: &[u8], field: u8) -> Vec<u8> {
        let mut header =
            vec![0x45, field, 0, 20, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        crate::ipv4::Packet::new(&mut header).expect("whole").fill_checksum();
        [&[2; 12], tags, &[8, 0], &header].concat()
    }

    #[test]
    fn ipv4_with_and_without_tags() {
        for tags in [&[][..], &[0x81, 0, 0, 5], &[0x88, 0xa8, 0, 5, 0x81, 0, 0, 6]] {
            for (bits, name) in [(1, Codepoint::Ect1), (2, Codepoint::Ect0)] {
                let mut frame = ipv4(tags, 0xb8 | bits);
                assert_eq!(codepoint(&frame), Some(name));
                assert!(mark(&mut frame));
                assert_eq!(frame, ipv4(tags, 0xbb), "with the checksum of the marked header");
                assert!(mark(&mut frame), "it is marked already");
            }
            let mut plain = ipv4(tags, 0xb8);
            assert!(!mark(&mut plain));
            assert_eq!(plain, ipv4(tags, 0xb8));
        }
    }

    #[test]
    fn ipv6_and_others() {
        let mut frame = [&[2; 12][..], &[0x86, 0xdd, 0x6f, 0x92, 0x34, 0x56], &[0; 36]].concat();
        assert_eq!(codepoint(&frame), Some(Codepoint::Ect1));
        assert!(mark(&mut frame));
        assert_eq!(frame[14..18], [0x6f, 0xb2, 0x34, 0x56][..]);
        for length in 0..frame.len() {
            let mut cut = frame[..length].to_vec();
            assert_eq!((codepoint(&cut), mark(&mut cut)), (None, false));
        }
        frame[12] = 9;
        assert_eq!(codepoint(&frame), None);
    }
}
