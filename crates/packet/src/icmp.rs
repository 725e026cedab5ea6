//! ICMP messages (RFC 792).

use crate::HeaderError;
use crate::checksum::internet_checksum;
use crate::field::{need, put, u16_at, u32_at};

/// Bytes in the header that all messages share.
pub const HEADER_LENGTH: usize = 8;

/// Message types.
pub mod kind {
    /// Echo reply.
    pub const ECHO_REPLY: u8 = 0;
    /// Destination unreachable.
    pub const DESTINATION_UNREACHABLE: u8 = 3;
    /// Echo request.
    pub const ECHO_REQUEST: u8 = 8;
    /// Time exceeded.
    pub const TIME_EXCEEDED: u8 = 11;
}

/// A view over an ICMP message.
#[derive(Debug, Clone, Copy)]
pub struct Message<T>(T);

impl<T: AsRef<[u8]>> Message<T> {
    /// Takes `bytes` for a message. Fails below 8 bytes.
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

    /// The four bytes whose meaning depends on the type: for echo messages
    /// identifier and sequence number.
    pub fn rest_of_header(&self) -> u32 {
        u32_at(self.0.as_ref(), 4)
    }

    /// What follows the header.
    pub fn payload(&self) -> &[u8] {
        &self.0.as_ref()[HEADER_LENGTH..]
    }

    /// Whether the checksum is right.
    pub fn checksum_valid(&self) -> bool {
        internet_checksum(self.0.as_ref()) == 0
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Message<T> {
    /// Computes the checksum and puts it in.
    pub fn fill_checksum(&mut self) {
        let bytes = self.0.as_mut();
        put(bytes, 2, [0, 0]);
        let checksum = internet_checksum(bytes);
        put(bytes, 2, checksum.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn echo_request() {
        // 0800 + 1234 + 0001 + 6162 = 7b97 -> 8468
        let mut bytes = [8, 0, 0, 0, 0x12, 0x34, 0, 1, b'a', b'b'];
        let mut message = Message::new(&mut bytes).unwrap();
        message.fill_checksum();
        assert_eq!(message.checksum(), 0x8468);
        assert!(message.checksum_valid());
        assert_eq!((message.kind(), message.code()), (kind::ECHO_REQUEST, 0));
        assert_eq!(message.rest_of_header(), 0x1234_0001);
        assert_eq!(message.payload(), b"ab");
        assert!(Message::new([0; 7]).is_err());
    }
}
