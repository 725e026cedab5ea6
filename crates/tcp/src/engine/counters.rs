//! What a host counts. Every frame that comes in is counted once: as accepted, or by the first reason to drop it.

/// Why a frame is dropped, in the order in which the reasons are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drop {
    /// Too short for an Ethernet header, longer than 9,014 bytes, or a bad FCS.
    Frame,
    /// No room to keep it.
    NoRoom,
    /// For another Ethernet or IPv4 address.
    NotOurs,
    /// Neither ARP nor IPv4.
    Ethertype,
    /// ARP that is none for IPv4 over Ethernet, or is cut short.
    Arp,
    /// Version, header length or total length make no sense.
    IpHeader,
    /// The IPv4 header's checksum is wrong.
    IpChecksum,
    /// A part of a packet.
    Fragment,
    /// Neither ICMP nor UDP nor TCP.
    Protocol,
    /// ICMP that is too short, has a wrong checksum, or is no echo request.
    Icmp,
    /// UDP with a length below 8 or beyond the packet.
    UdpLength,
    /// The UDP checksum is wrong.
    UdpChecksum,
    /// The TCP header is shorter than 20 bytes or longer than the segment.
    TcpHeader,
    /// The TCP checksum is wrong.
    TcpChecksum,
}

impl Drop {
    /// All, in order.
    pub const ALL: [Self; 14] = [
        Self::Frame,
        Self::NoRoom,
        Self::NotOurs,
        Self::Ethertype,
        Self::Arp,
        Self::IpHeader,
        Self::IpChecksum,
        Self::Fragment,
        Self::Protocol,
        Self::Icmp,
        Self::UdpLength,
        Self::UdpChecksum,
        Self::TcpHeader,
        Self::TcpChecksum,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::NoRoom => "no_room",
            Self::NotOurs => "not_ours",
            Self::Ethertype => "ethertype",
            Self::Arp => "arp",
            Self::IpHeader => "ip_header",
            Self::IpChecksum => "ip_checksum",
            Self::Fragment => "fragment",
            Self::Protocol => "protocol",
            Self::Icmp => "icmp",
            Self::UdpLength => "udp_length",
            Self::UdpChecksum => "udp_checksum",
            Self::TcpHeader => "tcp_header",
            Self::TcpChecksum => "tcp_checksum",
        }
    }
}

/// What a host has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Frames that came.
    pub frames_in: u64,
    /// Frames that left.
    pub frames_out: u64,
    /// Good frames: ARP, ICMP, UDP, TCP.
    pub accepted: [u64; 4],
    /// Dropped frames by reason, in the order of [`Drop::ALL`].
    pub dropped: [u64; 14],
    /// Packets that were not sent as nobody knew the way; each has asked for it.
    pub unresolved: u64,
    /// Answers that were not sent as too many waited.
    pub unanswered: u64,
    /// Connections that were opened, by either side.
    pub opened: u64,
    /// Connections that have ended after they were open.
    pub closed: u64,
    /// SYNs that were answered with a cookie.
    pub cookies: u64,
    /// Segments that were sent again.
    pub resent: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
}

impl Counters {
    /// Names of [`Self::accepted`].
    pub const ACCEPTED: [&'static str; 4] = ["arp", "icmp", "udp", "tcp"];

    pub(super) fn drop(&mut self, reason: Drop) {
        self.dropped[reason as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Drop;

    #[test]
    fn numbers_follow_the_order() {
        for (number, reason) in Drop::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, number);
        }
    }
}
