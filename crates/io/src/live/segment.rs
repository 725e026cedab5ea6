//! Cutting up the large frames that Linux leaves to the network card ("generic
//! segmentation offload") into those it would have put on the wire.

use super::vnet::Unusable;
use ww_packet::checksum::{Sum, pseudo_header_v4, pseudo_header_v6};
use ww_packet::protocol::{ethertype, ip};
use ww_packet::tcp::flags::{CWR, FIN, PSH};
use ww_packet::{ethernet, ipv4, ipv6, tcp, udp};

/// The transport whose payload is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gso {
    /// One stretch of a TCP stream.
    Tcp,
    /// Several datagrams of one UDP flow with one header.
    Udp,
}

/// The network header of a large frame and where the transport header begins.
enum Network {
    V4 { at: usize, transport: usize },
    V6 { at: usize, transport: usize },
}

impl Network {
    /// Finds the headers; fails unless they carry `protocol`, whole.
    fn find(frame: &[u8], protocol: u8) -> Result<Self, Unusable> {
        let ethernet = ethernet::Frame::new(frame).map_err(|_| Unusable)?;
        let (kind, at) = ethernet.network_layer().map_err(|_| Unusable)?;
        let bytes = frame.get(at..).ok_or(Unusable)?;
        match kind {
            ethertype::IPV4 => {
                let packet = ipv4::Packet::new(bytes).map_err(|_| Unusable)?;
                let whole = packet.fragment_offset() == 0 && !packet.more_fragments();
                (packet.protocol() == protocol && whole)
                    .then(|| Self::V4 { at, transport: at + packet.header_length() })
                    .ok_or(Unusable)
            }
            ethertype::IPV6 => {
                let packet = ipv6::Packet::new(bytes).map_err(|_| Unusable)?;
                // A large frame's payload length may not say how much there is.
                let rest = bytes.get(ipv6::HEADER_LENGTH..).ok_or(Unusable)?;
                let upper =
                    ipv6::walk_extensions(packet.next_header(), rest).map_err(|_| Unusable)?;
                let whole = upper.fragment_offset.is_none();
                (upper.protocol == protocol && whole)
                    .then_some(Self::V6 { at, transport: at + ipv6::HEADER_LENGTH + upper.offset })
                    .ok_or(Unusable)
            }
            _ => Err(Unusable),
        }
    }

    fn transport(&self) -> usize {
        match *self {
            Self::V4 { transport, .. } | Self::V6 { transport, .. } => transport,
        }
    }

    /// Makes segment number `index` right in its network header, and returns the
    /// pseudo-header sum for its transport header.
    fn finish(&self, frame: &mut [u8], index: usize, protocol: u8) -> Result<Sum, Unusable> {
        let length = |from: usize| u16::try_from(frame.len() - from).map_err(|_| Unusable);
        match *self {
            Self::V4 { at, transport } => {
                let (total, upper) = (length(at)?, length(transport)?);
                let mut packet = ipv4::Packet::new(&mut frame[at..]).map_err(|_| Unusable)?;
                packet.set_total_length(total);
                let first = packet.identification();
                packet.set_identification(first.wrapping_add(index as u16));
                packet.fill_checksum();
                Ok(pseudo_header_v4(packet.source(), packet.destination(), protocol, upper))
            }
            Self::V6 { at, transport } => {
                let (payload, upper) = (length(at + ipv6::HEADER_LENGTH)?, length(transport)?);
                let mut packet = ipv6::Packet::new(&mut frame[at..]).map_err(|_| Unusable)?;
                packet.set_payload_length(payload);
                let (source, destination) = (packet.source(), packet.destination());
                Ok(pseudo_header_v6(source, destination, protocol, u32::from(upper)))
            }
        }
    }
}

/// Cuts `frame` into segments of at most `size` bytes of payload, each built in
/// `work` and given to `deliver`: headers repeated, lengths, identifications,
/// sequence numbers, flags and checksums right.
pub(super) fn segment(
    frame: &[u8],
    gso: Gso,
    size: usize,
    work: &mut Vec<u8>,
    deliver: &mut dyn FnMut(&[u8]),
) -> Result<(), Unusable> {
    if size == 0 {
        return Err(Unusable);
    }
    let protocol = match gso {
        Gso::Tcp => ip::TCP,
        Gso::Udp => ip::UDP,
    };
    let network = Network::find(frame, protocol)?;
    let transport = network.transport();
    let bytes = frame.get(transport..).ok_or(Unusable)?;
    let header_length = match gso {
        Gso::Tcp => tcp::Segment::new(bytes).map_err(|_| Unusable)?.header_length(),
        Gso::Udp => udp::Datagram::new(bytes).map(|_| udp::HEADER_LENGTH).map_err(|_| Unusable)?,
    };
    let (headers, payload) = frame.split_at(transport + header_length);
    let count = payload.len().div_ceil(size).max(1);
    for index in 0..count {
        let part = &payload[index * size..payload.len().min((index + 1) * size)];
        work.clear();
        work.extend_from_slice(headers);
        work.extend_from_slice(part);
        let pseudo_header = network.finish(work, index, protocol)?;
        match gso {
            Gso::Tcp => {
                let mut segment =
                    tcp::Segment::new(&mut work[transport..]).map_err(|_| Unusable)?;
                let sequence = segment.sequence().wrapping_add((index * size) as u32);
                segment.set_sequence(sequence);
                let mut flags = segment.flags();
                if index > 0 {
                    flags &= !CWR; // RFC 3168 section 6.1.2: once per reduction
                }
                if index + 1 < count {
                    flags &= !(FIN | PSH);
                }
                segment.set_flags(flags);
                segment.fill_checksum(pseudo_header);
            }
            Gso::Udp => {
                let length = (work.len() - transport) as u16; // the IP length was checked
                let mut datagram =
                    udp::Datagram::new(&mut work[transport..]).map_err(|_| Unusable)?;
                datagram.set_length(length);
                datagram.fill_checksum(pseudo_header);
            }
        }
        deliver(work);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_packet::ethernet::MacAddress;

    fn link(kind: u16) -> Vec<u8> {
        let (destination, source) =
            (MacAddress([2, 0, 0, 0, 0, 1]), MacAddress([2, 0, 0, 0, 0, 2]));
        ethernet::Repr { destination, source, ethertype: kind }.emit().to_vec()
    }

    fn v4(protocol: u8, length: usize) -> Vec<u8> {
        let repr = ipv4::Repr {
            source: [10, 0, 0, 1].into(),
            destination: [10, 0, 0, 2].into(),
            protocol,
            ttl: 64,
            dscp: 0,
            ecn: 2,
            identification: 0xfffe,
            dont_fragment: true,
            payload_length: length as u16,
        };
        repr.emit().to_vec()
    }

    fn tcp_header(flags: u8) -> Vec<u8> {
        let repr = tcp::Repr {
            source_port: 5000,
            destination_port: 80,
            sequence: 0xffff_ff00,
            acknowledgement: 9,
            flags,
            window: 512,
            urgent_pointer: 0,
        };
        let mut bytes = repr.emit().to_vec();
        bytes[12] = 0x80; // 8 words: 12 bytes of options
        bytes.extend([1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2]);
        bytes
    }

    fn cut(frame: &[u8], gso: Gso, size: usize) -> Result<Vec<Vec<u8>>, Unusable> {
        let mut out = Vec::new();
        segment(frame, gso, size, &mut Vec::new(), &mut |part| out.push(part.to_vec()))?;
        Ok(out)
    }

    #[test]
    fn tcp_over_ipv4() {
        let payload: Vec<u8> = (0..2500u32).map(|i| i as u8).collect();
        let all = CWR | tcp::flags::ACK | FIN | PSH;
        let mut frame = link(ethertype::IPV4);
        frame.extend(v4(ip::TCP, 32 + payload.len()));
        frame.extend(tcp_header(all));
        frame.extend(&payload);
        let parts = cut(&frame, Gso::Tcp, 1000).unwrap();
        assert_eq!(parts.len(), 3);
        let mut joined = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let packet = ipv4::Packet::new(&part[14..]).unwrap();
            assert!(packet.checksum_valid() && packet.dont_fragment());
            assert_eq!(usize::from(packet.total_length()), part.len() - 14);
            assert_eq!(packet.identification(), [0xfffe, 0xffff, 0x0000][index]);
            let data = packet.payload();
            let pseudo =
                pseudo_header_v4(packet.source(), packet.destination(), 6, data.len() as u16);
            let segment = tcp::Segment::new(data).unwrap();
            assert!(segment.checksum_valid(pseudo));
            assert_eq!(segment.sequence(), [0xffff_ff00, 0x2e8, 0x6d0][index]);
            let ack = tcp::flags::ACK;
            assert_eq!(segment.flags(), [CWR | ack, ack, ack | FIN | PSH][index]);
            assert_eq!(segment.options(), [1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2]);
            joined.extend_from_slice(segment.payload());
        }
        assert_eq!(joined, payload);
    }

    #[test]
    fn tcp_over_ipv6_with_tag_and_extension() {
        let mut frame = link(ethertype::VLAN);
        frame.extend([0, 5, 0x86, 0xdd]);
        let repr = ipv6::Repr {
            source: "fd00::1".parse().unwrap(),
            destination: "fd00::2".parse().unwrap(),
            next_header: ip::DESTINATION_OPTIONS,
            hop_limit: 64,
            traffic_class: 0,
            flow_label: 0,
            payload_length: 0,
        };
        frame.extend(repr.emit());
        frame.extend([ip::TCP, 0, 1, 4, 0, 0, 0, 0]);
        frame.extend(tcp_header(tcp::flags::ACK));
        frame.extend([0x5a; 1500]);
        let parts = cut(&frame, Gso::Tcp, 1400).unwrap();
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [18 + 80 + 1400, 18 + 80 + 100]);
        for part in &parts {
            let packet = ipv6::Packet::new(&part[18..]).unwrap();
            assert_eq!(usize::from(packet.payload_length()), part.len() - 18 - 40);
            let data = &packet.payload()[8..];
            let (source, destination) = (packet.source(), packet.destination());
            let pseudo = pseudo_header_v6(source, destination, 6, data.len() as u32);
            assert!(tcp::Segment::new(data).unwrap().checksum_valid(pseudo));
        }
    }

    #[test]
    fn udp_datagrams() {
        let mut frame = link(ethertype::IPV4);
        frame.extend(v4(ip::UDP, 8 + 25));
        frame.extend(udp::Repr { source_port: 7, destination_port: 9, length: 33 }.emit());
        frame.extend([3; 25]);
        let parts = cut(&frame, Gso::Udp, 10).unwrap();
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [52, 52, 47]);
        for part in &parts {
            let packet = ipv4::Packet::new(&part[14..]).unwrap();
            let data = packet.payload();
            let pseudo =
                pseudo_header_v4(packet.source(), packet.destination(), 17, data.len() as u16);
            let datagram = udp::Datagram::new(data).unwrap();
            assert_eq!(usize::from(datagram.length()), data.len());
            assert_ne!(datagram.checksum(), 0);
            assert!(datagram.checksum_valid(pseudo));
        }
    }

    #[test]
    fn refused() {
        let mut frame = link(ethertype::IPV4);
        frame.extend(v4(ip::UDP, 8 + 25));
        frame.extend([0; 33]);
        assert_eq!(cut(&frame, Gso::Tcp, 10), Err(Unusable), "not TCP");
        assert_eq!(cut(&frame, Gso::Udp, 0), Err(Unusable), "no size");
        assert_eq!(cut(&frame[..40], Gso::Udp, 10), Err(Unusable), "cut short");
        frame[20] = 0x20; // more fragments
        assert_eq!(cut(&frame, Gso::Udp, 10), Err(Unusable), "a fragment");
        assert_eq!(cut(&link(ethertype::ARP), Gso::Tcp, 10), Err(Unusable), "not IP");
        assert_eq!(cut(&[], Gso::Tcp, 10), Err(Unusable), "nothing");
        // One segment above 64 KiB cannot be expressed in an IPv4 header.
        let mut frame = link(ethertype::IPV4);
        frame.extend(v4(ip::UDP, 8));
        frame.resize(14 + 20 + 8 + 66_000, 0);
        assert_eq!(cut(&frame, Gso::Udp, 66_000), Err(Unusable), "too long");
    }
}
