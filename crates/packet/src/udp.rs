//! UDP headers (RFC 768).

use crate::HeaderError;
use crate::checksum::Sum;
use crate::field::{need, put, u16_at};

/// Bytes in the header.
pub const HEADER_LENGTH: usize = 8;

/// Where the checksum field stands, in bytes from the start of the header.
pub const CHECKSUM_OFFSET: usize = 6;

/// A view over a UDP datagram.
#[derive(Debug, Clone, Copy)]
pub struct Datagram<T>(T);

impl<T: AsRef<[u8]>> Datagram<T> {
    /// Takes `bytes` for a datagram. Fails below 8 bytes.
    pub fn new(bytes: T) -> Result<Self, HeaderError> {
        need(bytes.as_ref(), HEADER_LENGTH)?;
        Ok(Self(bytes))
    }

    /// Source port.
    pub fn source_port(&self) -> u16 {
        u16_at(self.0.as_ref(), 0)
    }

    /// Destination port.
    pub fn destination_port(&self) -> u16 {
        u16_at(self.0.as_ref(), 2)
    }

    /// Length of header and data in bytes, as the field says.
    pub fn length(&self) -> u16 {
        u16_at(self.0.as_ref(), 4)
    }

    /// Checksum as it stands; zero means none was computed.
    pub fn checksum(&self) -> u16 {
        u16_at(self.0.as_ref(), CHECKSUM_OFFSET)
    }

    /// The data, up to the length field or the end of the buffer, whichever comes first.
    pub fn payload(&self) -> &[u8] {
        let bytes = self.0.as_ref();
        let end = usize::from(self.length()).clamp(HEADER_LENGTH, bytes.len());
        &bytes[HEADER_LENGTH..end]
    }

    /// Whether the checksum is right under the given pseudo-header sum, or absent.
    pub fn checksum_valid(&self, mut pseudo_header: Sum) -> bool {
        self.checksum() == 0 || pseudo_header.add(self.0.as_ref()).checksum() == 0
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Datagram<T> {
    /// Sets the length in bytes.
    pub fn set_length(&mut self, length: u16) {
        put(self.0.as_mut(), 4, length.to_be_bytes());
    }

    /// Computes the checksum under the given pseudo-header sum and puts it in. A
    /// result of zero is sent as all ones (RFC 768), as zero means "none".
    pub fn fill_checksum(&mut self, mut pseudo_header: Sum) {
        let bytes = self.0.as_mut();
        put(bytes, CHECKSUM_OFFSET, [0, 0]);
        let checksum = match pseudo_header.add(bytes).checksum() {
            0 => 0xffff,
            other => other,
        };
        put(bytes, CHECKSUM_OFFSET, checksum.to_be_bytes());
    }
}

/// The values of a UDP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repr {
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
    /// Length of header and data in bytes.
    pub length: u16,
}

impl Repr {
    /// The values of a datagram's header.
    pub fn parse<T: AsRef<[u8]>>(datagram: &Datagram<T>) -> Self {
        Self {
            source_port: datagram.source_port(),
            destination_port: datagram.destination_port(),
            length: datagram.length(),
        }
    }

    /// The header as bytes, with a zero checksum.
    pub fn emit(&self) -> [u8; HEADER_LENGTH] {
        let mut b = [0; HEADER_LENGTH];
        put(&mut b, 0, self.source_port.to_be_bytes());
        put(&mut b, 2, self.destination_port.to_be_bytes());
        put(&mut b, 4, self.length.to_be_bytes());
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::pseudo_header_v4;

    #[test]
    fn fields_and_checksum() {
        // See the derivation in the tests of `checksum`.
        let pseudo = pseudo_header_v4([192, 168, 0, 31].into(), [192, 168, 0, 30].into(), 17, 10);
        let mut bytes = Repr { source_port: 20, destination_port: 10, length: 10 }.emit().to_vec();
        bytes.extend_from_slice(b"Hi");
        let mut datagram = Datagram::new(&mut bytes).unwrap();
        assert!(datagram.checksum_valid(pseudo), "zero: none computed");
        datagram.fill_checksum(pseudo);
        assert_eq!(datagram.checksum(), 0x35c5);
        assert!(datagram.checksum_valid(pseudo));
        assert_eq!(datagram.payload(), b"Hi");
        assert_eq!(Repr::parse(&datagram).length, 10);
    }

    #[test]
    fn zero_result_is_sent_as_ones() {
        // The data word makes the sum all ones: 0011+0000+000a+0000+0000+000a+X = ffff.
        let pseudo = pseudo_header_v4([0; 4].into(), [0; 4].into(), 17, 10);
        let mut bytes = vec![0, 0, 0, 0, 0, 10, 0, 0];
        bytes.extend_from_slice(&(0xffffu16 - 0x11 - 10 - 10).to_be_bytes());
        let mut datagram = Datagram::new(&mut bytes).unwrap();
        datagram.fill_checksum(pseudo);
        assert_eq!(datagram.checksum(), 0xffff);
        assert!(datagram.checksum_valid(pseudo));
    }

    #[test]
    fn short_and_odd_lengths() {
        assert!(Datagram::new([0; 7]).is_err());
        assert!(Datagram::new([0; 9]).unwrap().payload().is_empty());
        let long = Datagram::new([0, 0, 0, 0, 0xff, 0xff, 0, 0, 1]).unwrap();
        assert_eq!(long.payload(), [1]);
    }
}
