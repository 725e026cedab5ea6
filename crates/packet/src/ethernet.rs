//! Ethernet II frames without preamble and FCS (IEEE 802.3 clause 3).

use crate::field::{array, need, put, u16_at};
use crate::{HeaderError, protocol::ethertype, vlan};
use std::fmt;

/// Bytes in the header: destination, source, type.
pub const HEADER_LENGTH: usize = 14;

/// A 48-bit MAC address in transmission order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct MacAddress(pub [u8; 6]);

impl MacAddress {
    /// All stations.
    pub const BROADCAST: Self = Self([0xff; 6]);
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

impl fmt::Debug for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A view over an Ethernet frame.
#[derive(Debug, Clone, Copy)]
pub struct Frame<T>(T);

impl<T: AsRef<[u8]>> Frame<T> {
    /// Takes `bytes` for a frame. Fails below 14 bytes.
    pub fn new(bytes: T) -> Result<Self, HeaderError> {
        need(bytes.as_ref(), HEADER_LENGTH)?;
        Ok(Self(bytes))
    }

    /// The destination address.
    pub fn destination(&self) -> MacAddress {
        MacAddress(array(self.0.as_ref(), 0))
    }

    /// The source address.
    pub fn source(&self) -> MacAddress {
        MacAddress(array(self.0.as_ref(), 6))
    }

    /// The type field as it stands: a tag protocol identifier when the frame is
    /// tagged, a length when it is at most 1500.
    pub fn ethertype(&self) -> u16 {
        u16_at(self.0.as_ref(), 12)
    }

    /// What follows the 14-byte header.
    pub fn payload(&self) -> &[u8] {
        &self.0.as_ref()[HEADER_LENGTH..]
    }

    /// The type behind any VLAN tags and the offset at which its header begins.
    /// Fails when a tag is cut short.
    pub fn network_layer(&self) -> Result<(u16, usize), HeaderError> {
        let bytes = self.0.as_ref();
        let mut kind = self.ethertype();
        let mut at = HEADER_LENGTH;
        while matches!(kind, ethertype::VLAN | ethertype::SERVICE_VLAN) {
            let tag = vlan::Tag::new(bytes.get(at..).unwrap_or_default())?;
            kind = tag.ethertype();
            at += vlan::TAG_LENGTH;
        }
        Ok((kind, at))
    }
}

/// The values of an Ethernet header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repr {
    /// Destination address.
    pub destination: MacAddress,
    /// Source address.
    pub source: MacAddress,
    /// Type field.
    pub ethertype: u16,
}

impl Repr {
    /// The values of a frame's header.
    pub fn parse<T: AsRef<[u8]>>(frame: &Frame<T>) -> Self {
        Self {
            destination: frame.destination(),
            source: frame.source(),
            ethertype: frame.ethertype(),
        }
    }

    /// The header as bytes.
    pub fn emit(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        put(&mut bytes, 0, self.destination.0);
        put(&mut bytes, 6, self.source.0);
        put(&mut bytes, 12, self.ethertype.to_be_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: [u8; 18] =
        [0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x81, 0x00, 0x20, 0x64, 0x08, 0x00];

    #[test]
    fn fields() {
        let frame = Frame::new(FRAME).unwrap();
        assert_eq!(frame.destination().to_string(), "02:00:00:00:00:01");
        assert_eq!(frame.source(), MacAddress([2, 0, 0, 0, 0, 2]));
        assert_eq!(frame.ethertype(), 0x8100);
        assert_eq!(frame.network_layer(), Ok((0x0800, 18)));
        assert_eq!(Repr::parse(&frame).emit(), FRAME[..14]);
    }

    #[test]
    fn short_input() {
        assert_eq!(
            Frame::new(&FRAME[..13]).unwrap_err(),
            HeaderError::Truncated { needed: 14, found: 13 }
        );
        assert!(Frame::new(&FRAME[..16]).unwrap().network_layer().is_err());
    }
}
