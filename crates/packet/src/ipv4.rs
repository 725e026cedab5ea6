//! IPv4 headers (RFC 791).

use crate::HeaderError;
use crate::checksum::internet_checksum;
use crate::field::{array, need, put, u16_at};
use std::net::Ipv4Addr;

/// Bytes in a header without options.
pub const MINIMUM_LENGTH: usize = 20;

/// A view over an IPv4 packet.
#[derive(Debug, Clone, Copy)]
pub struct Packet<T>(T);

impl<T: AsRef<[u8]>> Packet<T> {
    /// Takes `bytes` for a packet. Fails when the version is not 4, or the header
    /// with its options is cut short. The total length is not judged here, as
    /// captures may cut packets: see [`payload`](Self::payload).
    pub fn new(bytes: T) -> Result<Self, HeaderError> {
        let b = bytes.as_ref();
        need(b, MINIMUM_LENGTH)?;
        if b[0] >> 4 != 4 {
            return Err(HeaderError::Malformed("IP version is not 4"));
        }
        let length = usize::from(b[0] & 0xf) * 4;
        if length < MINIMUM_LENGTH {
            return Err(HeaderError::Malformed("IPv4 header length is below 5 words"));
        }
        need(b, length)?;
        Ok(Self(bytes))
    }

    /// Header length with options in bytes, 20 to 60.
    pub fn header_length(&self) -> usize {
        usize::from(self.0.as_ref()[0] & 0xf) * 4
    }

    /// Differentiated services code point (RFC 2474), 0 to 63.
    pub fn dscp(&self) -> u8 {
        self.0.as_ref()[1] >> 2
    }

    /// Explicit congestion notification (RFC 3168), 0 to 3.
    pub fn ecn(&self) -> u8 {
        self.0.as_ref()[1] & 3
    }

    /// Length of header and payload in bytes, as the field says.
    pub fn total_length(&self) -> u16 {
        u16_at(self.0.as_ref(), 2)
    }

    /// Identification.
    pub fn identification(&self) -> u16 {
        u16_at(self.0.as_ref(), 4)
    }

    /// Whether routers must not fragment.
    pub fn dont_fragment(&self) -> bool {
        self.0.as_ref()[6] & 0x40 != 0
    }

    /// Whether further fragments follow.
    pub fn more_fragments(&self) -> bool {
        self.0.as_ref()[6] & 0x20 != 0
    }

    /// Offset of this fragment in bytes.
    pub fn fragment_offset(&self) -> usize {
        usize::from(u16_at(self.0.as_ref(), 6) & 0x1fff) * 8
    }

    /// Time to live.
    pub fn ttl(&self) -> u8 {
        self.0.as_ref()[8]
    }

    /// Protocol of the payload, see [`crate::protocol::ip`].
    pub fn protocol(&self) -> u8 {
        self.0.as_ref()[9]
    }

    /// Header checksum as it stands.
    pub fn checksum(&self) -> u16 {
        u16_at(self.0.as_ref(), 10)
    }

    /// Source address.
    pub fn source(&self) -> Ipv4Addr {
        array::<4>(self.0.as_ref(), 12).into()
    }

    /// Destination address.
    pub fn destination(&self) -> Ipv4Addr {
        array::<4>(self.0.as_ref(), 16).into()
    }

    /// The option bytes, padding included.
    pub fn options(&self) -> &[u8] {
        &self.0.as_ref()[MINIMUM_LENGTH..self.header_length()]
    }

    /// Whether the header checksum is right.
    pub fn checksum_valid(&self) -> bool {
        internet_checksum(&self.0.as_ref()[..self.header_length()]) == 0
    }

    /// What follows the header, without link-layer padding: up to the total
    /// length or the end of the buffer, whichever comes first.
    pub fn payload(&self) -> &[u8] {
        let bytes = self.0.as_ref();
        let start = self.header_length();
        let end = usize::from(self.total_length()).clamp(start, bytes.len());
        &bytes[start..end]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Packet<T> {
    /// Sets the total length in bytes.
    pub fn set_total_length(&mut self, length: u16) {
        put(self.0.as_mut(), 2, length.to_be_bytes());
    }

    /// Sets the identification.
    pub fn set_identification(&mut self, identification: u16) {
        put(self.0.as_mut(), 4, identification.to_be_bytes());
    }

    /// Sets the time to live.
    pub fn set_ttl(&mut self, ttl: u8) {
        self.0.as_mut()[8] = ttl;
    }

    /// Computes the header checksum and puts it in.
    pub fn fill_checksum(&mut self) {
        let length = self.header_length();
        let bytes = self.0.as_mut();
        put(bytes, 10, [0, 0]);
        let checksum = internet_checksum(&bytes[..length]);
        put(bytes, 10, checksum.to_be_bytes());
    }
}

/// The values of an IPv4 header without options and fragmentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repr {
    /// Source address.
    pub source: Ipv4Addr,
    /// Destination address.
    pub destination: Ipv4Addr,
    /// Protocol of the payload.
    pub protocol: u8,
    /// Time to live.
    pub ttl: u8,
    /// Differentiated services code point, 0 to 63.
    pub dscp: u8,
    /// Explicit congestion notification, 0 to 3.
    pub ecn: u8,
    /// Identification.
    pub identification: u16,
    /// Whether routers must not fragment.
    pub dont_fragment: bool,
    /// Payload length in bytes, at most 65515.
    pub payload_length: u16,
}

impl Repr {
    /// The values of a packet's header. Options are passed over.
    pub fn parse<T: AsRef<[u8]>>(packet: &Packet<T>) -> Self {
        Self {
            source: packet.source(),
            destination: packet.destination(),
            protocol: packet.protocol(),
            ttl: packet.ttl(),
            dscp: packet.dscp(),
            ecn: packet.ecn(),
            identification: packet.identification(),
            dont_fragment: packet.dont_fragment(),
            payload_length: packet.total_length().saturating_sub(packet.header_length() as u16),
        }
    }

    /// The header as bytes, checksum filled in. A payload length above 65515
    /// saturates the total length.
    pub fn emit(&self) -> [u8; MINIMUM_LENGTH] {
        let mut b = [0; MINIMUM_LENGTH];
        b[0] = 0x45;
        b[1] = self.dscp << 2 | self.ecn & 3;
        put(&mut b, 2, self.payload_length.saturating_add(MINIMUM_LENGTH as u16).to_be_bytes());
        put(&mut b, 4, self.identification.to_be_bytes());
        b[6] = if self.dont_fragment { 0x40 } else { 0 };
        b[8] = self.ttl;
        b[9] = self.protocol;
        put(&mut b, 12, self.source.octets());
        put(&mut b, 16, self.destination.octets());
        let checksum = internet_checksum(&b);
        put(&mut b, 10, checksum.to_be_bytes());
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header seen in many textbooks: 172.16.10.99 -> 172.16.10.12, checksum b1e6.
    const HEADER: [u8; 20] = [
        0x45, 0x00, 0x00, 0x3c, 0x1c, 0x46, 0x40, 0x00, 0x40, 0x06, 0xb1, 0xe6, 0xac, 0x10, 0x0a,
        0x63, 0xac, 0x10, 0x0a, 0x0c,
    ];

    #[test]
    fn fields() {
        let packet = Packet::new(HEADER).unwrap();
        assert_eq!(packet.header_length(), 20);
        assert_eq!(packet.total_length(), 60);
        assert_eq!(packet.identification(), 0x1c46);
        assert!(packet.dont_fragment() && !packet.more_fragments());
        assert_eq!(packet.fragment_offset(), 0);
        assert_eq!((packet.ttl(), packet.protocol()), (64, 6));
        assert_eq!(packet.source(), Ipv4Addr::new(172, 16, 10, 99));
        assert_eq!(packet.destination(), Ipv4Addr::new(172, 16, 10, 12));
        assert!(packet.checksum_valid());
        assert!(packet.payload().is_empty());
    }

    #[test]
    fn parse_and_emit() {
        let repr = Repr::parse(&Packet::new(HEADER).unwrap());
        assert_eq!(repr.payload_length, 40);
        assert_eq!(repr.emit(), HEADER);
    }

    #[test]
    fn payload_stops_at_total_length() {
        let mut bytes = HEADER.to_vec();
        bytes.resize(100, 7);
        assert_eq!(Packet::new(&bytes).unwrap().payload().len(), 40);
        // A total length below the header length leaves nothing.
        bytes[2..4].copy_from_slice(&[0, 5]);
        assert!(Packet::new(&bytes).unwrap().payload().is_empty());
    }

    #[test]
    fn checksum_after_a_change() {
        let mut packet = Packet::new(HEADER).unwrap();
        packet.set_ttl(63);
        assert!(!packet.checksum_valid());
        packet.fill_checksum();
        // One less in the high byte of a word: the checksum grows by 0x0100.
        assert_eq!(packet.checksum(), 0xb2e6);
        assert!(packet.checksum_valid());
    }

    #[test]
    fn rejected() {
        assert!(Packet::new(&HEADER[..19]).is_err());
        let mut bad = HEADER;
        bad[0] = 0x65;
        assert!(Packet::new(bad).is_err());
        bad[0] = 0x44;
        assert!(Packet::new(bad).is_err());
        bad[0] = 0x46;
        assert_eq!(Packet::new(bad).unwrap_err(), HeaderError::Truncated { needed: 24, found: 20 });
    }
}
