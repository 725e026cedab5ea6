//! IPv6 headers and the walk over extension headers (RFC 8200).

use crate::HeaderError;
use crate::field::{array, need, put, u16_at, u32_at};
use crate::protocol::ip;
use std::net::Ipv6Addr;

/// Bytes in the fixed header.
pub const HEADER_LENGTH: usize = 40;

/// A view over an IPv6 packet.
#[derive(Debug, Clone, Copy)]
pub struct Packet<T>(T);

impl<T: AsRef<[u8]>> Packet<T> {
    /// Takes `bytes` for a packet. Fails when the version is not 6 or the fixed
    /// header is cut short.
    pub fn new(bytes: T) -> Result<Self, HeaderError> {
        let b = bytes.as_ref();
        need(b, HEADER_LENGTH)?;
        if b[0] >> 4 != 6 {
            return Err(HeaderError::Malformed("IP version is not 6"));
        }
        Ok(Self(bytes))
    }

    /// Traffic class: DSCP and ECN.
    pub fn traffic_class(&self) -> u8 {
        (u16_at(self.0.as_ref(), 0) >> 4) as u8
    }

    /// Flow label, 20 bits.
    pub fn flow_label(&self) -> u32 {
        u32_at(self.0.as_ref(), 0) & 0xf_ffff
    }

    /// Length of what follows the fixed header in bytes, as the field says.
    pub fn payload_length(&self) -> u16 {
        u16_at(self.0.as_ref(), 4)
    }

    /// Type of the header that follows, see [`crate::protocol::ip`].
    pub fn next_header(&self) -> u8 {
        self.0.as_ref()[6]
    }

    /// Hop limit.
    pub fn hop_limit(&self) -> u8 {
        self.0.as_ref()[7]
    }

    /// Source address.
    pub fn source(&self) -> Ipv6Addr {
        array::<16>(self.0.as_ref(), 8).into()
    }

    /// Destination address.
    pub fn destination(&self) -> Ipv6Addr {
        array::<16>(self.0.as_ref(), 24).into()
    }

    /// What follows the fixed header, without link-layer padding: up to the
    /// payload length or the end of the buffer, whichever comes first.
    pub fn payload(&self) -> &[u8] {
        let bytes = self.0.as_ref();
        let end = (HEADER_LENGTH + usize::from(self.payload_length())).min(bytes.len());
        &bytes[HEADER_LENGTH..end]
    }

    /// Walks the extension headers to the upper-layer protocol.
    /// Fails when an extension header is cut short.
    pub fn upper_layer(&self) -> Result<UpperLayer, HeaderError> {
        walk_extensions(self.next_header(), self.payload()).map(|mut upper| {
            upper.offset += HEADER_LENGTH;
            upper
        })
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Packet<T> {
    /// Sets the payload length in bytes.
    pub fn set_payload_length(&mut self, length: u16) {
        put(self.0.as_mut(), 4, length.to_be_bytes());
    }
}

/// Where the extension headers end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpperLayer {
    /// The protocol after the last extension header, or the first header type
    /// that is not an extension header we know.
    pub protocol: u8,
    /// Where it begins, in bytes from the start of the fixed header.
    pub offset: usize,
    /// Offset of this fragment in bytes; `None` without a fragment header.
    /// When it is not zero, the bytes at `offset` are not a transport header.
    pub fragment_offset: Option<usize>,
}

/// Walks hop-by-hop, routing, fragment, authentication and destination headers
/// (RFC 8200 section 4, RFC 4302). The result's offset counts from the start of `bytes`.
pub fn walk_extensions(first: u8, bytes: &[u8]) -> Result<UpperLayer, HeaderError> {
    let mut upper = UpperLayer { protocol: first, offset: 0, fragment_offset: None };
    loop {
        let rest = bytes.get(upper.offset..).unwrap_or_default();
        let length = match upper.protocol {
            ip::HOP_BY_HOP | ip::ROUTING | ip::DESTINATION_OPTIONS => {
                need(rest, 8)?;
                (usize::from(rest[1]) + 1) * 8
            }
            ip::FRAGMENT => {
                need(rest, 8)?;
                let offset = usize::from(u16_at(rest, 2) & 0xfff8);
                upper.fragment_offset = Some(offset);
                8
            }
            // RFC 4302 section 2.2: length in 32-bit words minus 2.
            ip::AUTHENTICATION => {
                need(rest, 8)?;
                (usize::from(rest[1]) + 2) * 4
            }
            _ => return Ok(upper),
        };
        need(rest, length)?;
        upper.protocol = rest[0];
        upper.offset += length;
        if upper.fragment_offset.is_some_and(|offset| offset != 0) {
            // Only the first fragment has the headers that the protocol names.
            return Ok(upper);
        }
    }
}

/// The values of an IPv6 fixed header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repr {
    /// Source address.
    pub source: Ipv6Addr,
    /// Destination address.
    pub destination: Ipv6Addr,
    /// Type of the header that follows.
    pub next_header: u8,
    /// Hop limit.
    pub hop_limit: u8,
    /// Traffic class: DSCP and ECN.
    pub traffic_class: u8,
    /// Flow label, 20 bits.
    pub flow_label: u32,
    /// Length of what follows, in bytes.
    pub payload_length: u16,
}

impl Repr {
    /// The values of a packet's fixed header.
    pub fn parse<T: AsRef<[u8]>>(packet: &Packet<T>) -> Self {
        Self {
            source: packet.source(),
            destination: packet.destination(),
            next_header: packet.next_header(),
            hop_limit: packet.hop_limit(),
            traffic_class: packet.traffic_class(),
            flow_label: packet.flow_label(),
            payload_length: packet.payload_length(),
        }
    }

    /// The header as bytes.
    pub fn emit(&self) -> [u8; HEADER_LENGTH] {
        let mut b = [0; HEADER_LENGTH];
        let first = 6 << 28 | u32::from(self.traffic_class) << 20 | self.flow_label & 0xf_ffff;
        put(&mut b, 0, first.to_be_bytes());
        put(&mut b, 4, self.payload_length.to_be_bytes());
        b[6] = self.next_header;
        b[7] = self.hop_limit;
        put(&mut b, 8, self.source.octets());
        put(&mut b, 24, self.destination.octets());
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(next_header: u8, payload: &[u8]) -> Vec<u8> {
        let repr = Repr {
            source: "2001:db8::1".parse().unwrap(),
            destination: "2001:db8::2".parse().unwrap(),
            next_header,
            hop_limit: 64,
            traffic_class: 0xb8,
            flow_label: 0x12345,
            payload_length: payload.len() as u16,
        };
        let mut bytes = repr.emit().to_vec();
        bytes.extend_from_slice(payload);
        bytes
    }

    #[test]
    fn fields() {
        let bytes = header(17, &[1, 2, 3]);
        assert_eq!(bytes[..8], [0x6b, 0x81, 0x23, 0x45, 0x00, 0x03, 17, 64]);
        let packet = Packet::new(&bytes).unwrap();
        assert_eq!((packet.traffic_class(), packet.flow_label()), (0xb8, 0x12345));
        assert_eq!(packet.source(), "2001:db8::1".parse::<Ipv6Addr>().unwrap());
        assert_eq!(packet.payload(), [1, 2, 3]);
        assert_eq!(Repr::parse(&packet).emit(), bytes[..40]);
        assert!(Packet::new(&bytes[..39]).is_err());
    }

    #[test]
    fn extension_headers() {
        let mut payload = vec![43, 0, 0, 0, 0, 0, 0, 0]; // hop-by-hop, 8 bytes
        payload.extend([60, 1]); // routing, 16 bytes
        payload.extend([0; 14]);
        payload.extend([51, 0, 0, 0, 0, 0, 0, 0]); // destination options
        payload.extend([6, 1, 0, 0]); // authentication: (1+2)*4 = 12 bytes
        payload.extend([0; 8]);
        payload.extend([0xaa; 20]); // TCP
        let bytes = header(ip::HOP_BY_HOP, &payload);
        let upper = Packet::new(&bytes).unwrap().upper_layer().unwrap();
        assert_eq!(
            upper,
            UpperLayer { protocol: 6, offset: 40 + 8 + 16 + 8 + 12, fragment_offset: None }
        );
    }

    #[test]
    fn later_fragment_ends_the_walk() {
        // Fragment header: next destination options, offset 185*8 = 1480, M set.
        let bytes = header(ip::FRAGMENT, &[60, 0, 0x05, 0xc9, 0, 0, 0, 1, 0xff, 0xff]);
        let upper = Packet::new(&bytes).unwrap().upper_layer().unwrap();
        assert_eq!(upper, UpperLayer { protocol: 60, offset: 48, fragment_offset: Some(1480) });
    }

    #[test]
    fn cut_short() {
        let bytes = header(ip::HOP_BY_HOP, &[6, 1, 0, 0, 0, 0, 0, 0]);
        assert!(Packet::new(&bytes).unwrap().upper_layer().is_err());
        let bytes = header(ip::FRAGMENT, &[6, 0, 0]);
        assert!(Packet::new(&bytes).unwrap().upper_layer().is_err());
    }
}
