//! TCP headers (RFC 9293).

use crate::HeaderError;
use crate::checksum::Sum;
use crate::field::{need, put, u16_at, u32_at};

/// Bytes in a header without options.
pub const MINIMUM_LENGTH: usize = 20;

/// Where the checksum field stands, in bytes from the start of the header.
pub const CHECKSUM_OFFSET: usize = 16;

/// Control bits, as in the low byte of the flags field.
pub mod flags {
    /// No more data from the sender.
    pub const FIN: u8 = 0x01;
    /// Synchronise sequence numbers.
    pub const SYN: u8 = 0x02;
    /// Reset the connection.
    pub const RST: u8 = 0x04;
    /// Push.
    pub const PSH: u8 = 0x08;
    /// The acknowledgement number counts.
    pub const ACK: u8 = 0x10;
    /// The urgent pointer counts.
    pub const URG: u8 = 0x20;
    /// Congestion experienced, echoed (RFC 3168).
    pub const ECE: u8 = 0x40;
    /// Congestion window reduced (RFC 3168).
    pub const CWR: u8 = 0x80;
}

/// A view over a TCP segment: header, options, data.
#[derive(Debug, Clone, Copy)]
pub struct Segment<T>(T);

impl<T: AsRef<[u8]>> Segment<T> {
    /// Takes `bytes` for a segment. Fails when the header with its options is cut
    /// short or its length field is below 5 words.
    pub fn new(bytes: T) -> Result<Self, HeaderError> {
        let b = bytes.as_ref();
        need(b, MINIMUM_LENGTH)?;
        let length = usize::from(b[12] >> 4) * 4;
        if length < MINIMUM_LENGTH {
            return Err(HeaderError::Malformed("TCP data offset is below 5 words"));
        }
        need(b, length)?;
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

    /// Sequence number of the first data byte (of the SYN, if set).
    pub fn sequence(&self) -> u32 {
        u32_at(self.0.as_ref(), 4)
    }

    /// Acknowledgement number.
    pub fn acknowledgement(&self) -> u32 {
        u32_at(self.0.as_ref(), 8)
    }

    /// Header length with options in bytes, 20 to 60.
    pub fn header_length(&self) -> usize {
        usize::from(self.0.as_ref()[12] >> 4) * 4
    }

    /// Control bits, see [`flags`].
    pub fn flags(&self) -> u8 {
        self.0.as_ref()[13]
    }

    /// Receive window, unscaled.
    pub fn window(&self) -> u16 {
        u16_at(self.0.as_ref(), 14)
    }

    /// Checksum as it stands.
    pub fn checksum(&self) -> u16 {
        u16_at(self.0.as_ref(), CHECKSUM_OFFSET)
    }

    /// Urgent pointer.
    pub fn urgent_pointer(&self) -> u16 {
        u16_at(self.0.as_ref(), 18)
    }

    /// The option bytes, padding included.
    pub fn options(&self) -> &[u8] {
        &self.0.as_ref()[MINIMUM_LENGTH..self.header_length()]
    }

    /// The data.
    pub fn payload(&self) -> &[u8] {
        &self.0.as_ref()[self.header_length()..]
    }

    /// Whether the checksum is right under the given pseudo-header sum.
    pub fn checksum_valid(&self, mut pseudo_header: Sum) -> bool {
        pseudo_header.add(self.0.as_ref()).checksum() == 0
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Segment<T> {
    /// Sets the sequence number.
    pub fn set_sequence(&mut self, sequence: u32) {
        put(self.0.as_mut(), 4, sequence.to_be_bytes());
    }

    /// Sets the control bits.
    pub fn set_flags(&mut self, flags: u8) {
        self.0.as_mut()[13] = flags;
    }

    /// Computes the checksum under the given pseudo-header sum and puts it in.
    pub fn fill_checksum(&mut self, mut pseudo_header: Sum) {
        let bytes = self.0.as_mut();
        put(bytes, CHECKSUM_OFFSET, [0, 0]);
        let checksum = pseudo_header.add(bytes).checksum();
        put(bytes, CHECKSUM_OFFSET, checksum.to_be_bytes());
    }
}

/// The values of a TCP header without options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repr {
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
    /// Sequence number.
    pub sequence: u32,
    /// Acknowledgement number.
    pub acknowledgement: u32,
    /// Control bits, see [`flags`].
    pub flags: u8,
    /// Receive window, unscaled.
    pub window: u16,
    /// Urgent pointer.
    pub urgent_pointer: u16,
}

impl Repr {
    /// The values of a segment's header. Options are passed over.
    pub fn parse<T: AsRef<[u8]>>(segment: &Segment<T>) -> Self {
        Self {
            source_port: segment.source_port(),
            destination_port: segment.destination_port(),
            sequence: segment.sequence(),
            acknowledgement: segment.acknowledgement(),
            flags: segment.flags(),
            window: segment.window(),
            urgent_pointer: segment.urgent_pointer(),
        }
    }

    /// The header as bytes, with a zero checksum.
    pub fn emit(&self) -> [u8; MINIMUM_LENGTH] {
        let mut b = [0; MINIMUM_LENGTH];
        put(&mut b, 0, self.source_port.to_be_bytes());
        put(&mut b, 2, self.destination_port.to_be_bytes());
        put(&mut b, 4, self.sequence.to_be_bytes());
        put(&mut b, 8, self.acknowledgement.to_be_bytes());
        b[12] = 0x50;
        b[13] = self.flags;
        put(&mut b, 14, self.window.to_be_bytes());
        put(&mut b, 18, self.urgent_pointer.to_be_bytes());
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::pseudo_header_v4;

    const BYTES: [u8; 26] = [
        0x00, 0x14, 0xc0, 0x01, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x60, 0x18, 0x20,
        0x00, 0, 0, 0, 9, 1, 1, 1, 0, 0xab, 0xcd,
    ];

    #[test]
    fn fields() {
        let segment = Segment::new(BYTES).unwrap();
        assert_eq!((segment.source_port(), segment.destination_port()), (20, 49153));
        assert_eq!((segment.sequence(), segment.acknowledgement()), (0x0102_0304, 0x0506_0708));
        assert_eq!((segment.header_length(), segment.flags()), (24, flags::ACK | flags::PSH));
        assert_eq!((segment.window(), segment.urgent_pointer()), (8192, 9));
        assert_eq!(segment.options(), [1, 1, 1, 0]);
        assert_eq!(segment.payload(), [0xab, 0xcd]);
    }

    #[test]
    fn checksum() {
        // 10.0.0.1 -> 10.0.0.2, TCP, 20 bytes, port 1 -> 2, data offset 5, all else 0:
        // 0a00+0001+0a00+0002+0006+0014+0001+0002+5000 = 6420 -> 9bdf.
        let pseudo = pseudo_header_v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 6, 20);
        let mut bytes = [0u8; 20];
        bytes[1] = 1;
        bytes[3] = 2;
        bytes[12] = 0x50;
        let mut segment = Segment::new(&mut bytes).unwrap();
        segment.fill_checksum(pseudo);
        assert_eq!(segment.checksum(), 0x9bdf);
        assert!(segment.checksum_valid(pseudo));
        segment.set_sequence(1);
        assert!(!segment.checksum_valid(pseudo));
    }

    #[test]
    fn parse_and_emit() {
        let repr = Repr::parse(&Segment::new(BYTES).unwrap());
        let mut expected = BYTES;
        expected[12] = 0x50;
        assert_eq!(repr.emit(), expected[..20]);
    }

    #[test]
    fn rejected() {
        assert!(Segment::new(&BYTES[..19]).is_err());
        assert!(Segment::new(&BYTES[..23]).is_err());
        let mut bad = BYTES;
        bad[12] = 0x40;
        assert!(Segment::new(bad).is_err());
    }
}
