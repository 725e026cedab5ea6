//! What travels between the two ends.

use crate::pending::Time;

/// Bytes that the receiver has beyond its acknowledgement (RFC 2018).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// From the acknowledgement to the first byte of the block.
    pub offset: u32,
    /// Bytes; 0 if there is no block.
    pub length: u32,
}

/// A segment, either of data or an acknowledgement; 64 bytes, a cache line. Windows stay below 2^32
/// bytes ([`super::Settings::maximum_window`]), therefore the short blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Position of its first byte in the stream.
    pub sequence: u64,
    /// If `ack`: everything before this position has arrived.
    pub acknowledgement: u64,
    /// When it was sent (RFC 7323 TSval).
    pub timestamp: Time,
    /// If `ack`: the time stamp of the segment that this one answers (RFC 7323 TSecr).
    pub echo: Time,
    /// What has arrived beyond `acknowledgement`, the most recent first; those of length 0 come last.
    pub sack: [Block; 3],
    /// Bytes of the stream that it carries, at most the maximum segment size.
    pub length: u16,
    /// Opens the connection.
    pub syn: bool,
    /// The stream ends behind the last byte of this segment.
    pub fin: bool,
    /// `acknowledgement` means something.
    pub ack: bool,
    /// ECN-Echo (RFC 3168 section 6.1).
    pub ece: bool,
    /// Congestion window reduced (RFC 3168 section 6.1).
    pub cwr: bool,
    /// The packet is ECN-capable: a queue marks it instead of dropping it. New data is; what is
    /// sent again, a SYN, and what carries no data is not (RFC 3168 sections 6.1.1, 6.1.4 and 6.1.5).
    pub ecn_capable: bool,
}

impl Segment {
    /// The position behind it. A FIN takes one place.
    #[inline]
    pub fn end(&self) -> u64 {
        self.sequence + u64::from(self.length) + u64::from(self.fin)
    }

    /// The SACK blocks as positions, first byte and the one behind the last.
    #[inline]
    pub fn blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        let base = self.acknowledgement;
        self.sack.into_iter().take_while(|block| block.length > 0).map(move |block| {
            let start = base + u64::from(block.offset);
            (start, start + u64::from(block.length))
        })
    }

    /// Bytes of the IPv4 packet: 20 of IP, 20 of TCP, 12 of the time stamp option with its padding
    /// (RFC 7323 appendix A), 4 and 8 a block of the SACK option with its padding, and the data.
    /// Options of a SYN other than the time stamp are not counted.
    #[inline]
    pub fn packet_bytes(&self) -> u32 {
        let blocks = self.sack.iter().filter(|block| block.length > 0).count() as u32;
        let sack = if blocks == 0 { 0 } else { 4 + 8 * blocks };
        52 + sack + u32::from(self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_a_cache_line() {
        assert_eq!(size_of::<Segment>(), 64);
        assert_eq!(size_of::<Option<Segment>>(), 64);
    }

    /// Full-sized: 1,448 bytes of data and 52 of headers are the 1,500 of Ethernet. Three blocks
    /// with time stamps fill the 40 bytes that TCP has for options: 20 + 20 + 40.
    #[test]
    fn sizes_of_packets() {
        let mut segment = Segment { length: 1448, ..Segment::default() };
        assert_eq!(segment.packet_bytes(), 1500);
        segment.length = 0;
        segment.sack = [Block { offset: 1, length: 1 }; 3];
        assert_eq!(segment.packet_bytes(), 80);
    }
}
