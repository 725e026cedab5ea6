//! ICMPv6 messages (RFC 4443).

use crate::HeaderError;
use crate::checksum::Sum;
use crate::field::{need, put, u16_at};

/// Bytes in the header that all messages share.
pub const HEADER_LENGTH: usize = 4;

/// Message types.
pub mod kind {
    /// Destination unreachable.
    pub const DESTINATION_UNREACHABLE: u8 = 1;
    /// Packet too big.
    pub const PACKET_TOO_BIG: u8 = 2;
    /// Time exceeded.
    pub const TIME_EXCEEDED: u8 = 3;
    /// Echo request.
    pub const ECHO_REQUEST: u8 = 128;
    /// Echo reply.
    pub const ECHO_REPLY: u8 = 129;
    /// Neighbour solicitation, RFC 4861.
    pub const NEIGHBOR_SOLICITATION: u8 = 135;
    /// Neighbour advertisement, RFC 4861.
    pub const NEIGHBOR_ADVERTISEMENT: u8 = 136;
}

/// A view over an ICMPv6 message.
#[derive(Debug, Clone, Copy)]
pub struct Message<T>(T);

impl<T: AsRef<[u8]>> Message<T> {
    /// Takes `bytes` for a message. Fails below 4 bytes.
    pub fn new(bytes: T) -> Result<Self, HeaderError> {
        need(bytes.as_ref(), HEADER_LENGTH)?;
        Ok(Self(bytes))
    }

    /// Message type, see [`kind`].
    pub fn kind(&self) -> u8 {
        self.0.as_ref()[0]
    }

    /// Code within the type.
    pub fn code(&self) -> u8 {
        self.0.as_ref()[1]
    }

    /// Checksum as it stands.
    pub fn checksum(&self) -> u16 {
        u16_at(self.0.as_ref(), 2)
    }

    /// What follows type, code and checksum.
    pub fn body(&self) -> &[u8] {
        &self.0.as_ref()[HEADER_LENGTH..]
    }

    /// Whether the checksum is right under the given pseudo-header sum
    /// (RFC 4443 section 2.3).
    pub fn checksum_valid(&self, mut pseudo_header: Sum) -> bool {
        pseudo_header.add(self.0.as_ref()).checksum() == 0
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Message<T> {
    /// Computes the checksum under the given pseudo-header sum and puts it in.
    pub fn fill_checksum(&mut self, mut pseudo_header: Sum) {
        let bytes = self.0.as_mut();
        put(bytes, 2, [0, 0]);
        let checksum = pseudo_header.add(bytes).checksum();
        put(bytes, 2, checksum.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::pseudo_header_v6;

    #[test]
    fn echo_request() {
        // ::1 -> ::2, length 8, next header 58: 1+2+8+3a; message 8000+0001+0002.
        // Sum 0001+0002+0008+003a+8000+0001+0002 = 8048 -> 7fb7.
        let pseudo = pseudo_header_v6("::1".parse().unwrap(), "::2".parse().unwrap(), 58, 8);
        let mut bytes = [128, 0, 0, 0, 0, 1, 0, 2];
        let mut message = Message::new(&mut bytes).unwrap();
        message.fill_checksum(pseudo);
        assert_eq!(message.checksum(), 0x7fb7);
        assert!(message.checksum_valid(pseudo));
        assert_eq!((message.kind(), message.code()), (kind::ECHO_REQUEST, 0));
        assert_eq!(message.body(), [0, 1, 0, 2]);
        assert!(Message::new([0; 3]).is_err());
    }
}
