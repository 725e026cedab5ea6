//! Packets of scripts as frames and back.

use super::script::{EcnField, OptionWord, TcpPacket};
use crate::engine::inbound::LONGEST_FRAME;
use crate::options::Block;
use crate::sequence::Sequence;
use std::fmt::Write;
use std::net::Ipv4Addr;
use ww_packet::checksum::pseudo_header_v4;
use ww_packet::ethernet::{self, Frame, HEADER_LENGTH, MacAddress};
use ww_packet::protocol::{ethertype, ip};
use ww_packet::tcp::flags;
use ww_packet::{ipv4, tcp, udp};

/// The two ends, as scripts have them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub local: Ipv4Addr,
    pub remote: Ipv4Addr,
    pub local_mac: MacAddress,
    pub remote_mac: MacAddress,
}

/// Ports of a connection, and what its numbers in the script are relative to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    pub local_port: u16,
    pub remote_port: u16,
    /// Added to our numbers of the script.
    pub local: Option<u32>,
    /// Added to our timestamps of the script.
    pub stamp: Option<u32>,
}

fn frame(ends: &Ends, protocol: u8, ecn: u8, payload: &[u8]) -> Vec<u8> {
    let link = ethernet::Repr {
        destination: ends.local_mac,
        source: ends.remote_mac,
        ethertype: ethertype::IPV4,
    };
    let network = ipv4::Repr {
        source: ends.remote,
        destination: ends.local,
        protocol,
        ttl: 64,
        dscp: 0,
        ecn,
        identification: 0,
        dont_fragment: true,
        payload_length: payload.len() as u16,
    };
    let mut bytes = link.emit().to_vec();
    bytes.extend_from_slice(&network.emit());
    bytes.extend_from_slice(payload);
    bytes
}

/// A segment of a script that comes in, as a frame. `None`: it is longer than a frame.
pub(super) fn inbound(packet: &TcpPacket, ends: &Ends, numbers: &Numbers) -> Option<Vec<u8>> {
    let mut options = Vec::new();
    for option in packet.options.iter().flatten() {
        emit_option(option, numbers, &mut options);
    }
    while !options.len().is_multiple_of(4) {
        options.push(0);
    }
    if options.len() > 40 {
        return None;
    }
    let repr = tcp::Repr {
        source_port: numbers.remote_port,
        destination_port: numbers.local_port,
        sequence: packet.start,
        acknowledgement: packet.ack.map_or(0, |ack| ack.wrapping_add(numbers.local.unwrap_or(0))),
        flags: packet.flags,
        window: packet.window.unwrap_or(0),
        urgent_pointer: packet.urgent.unwrap_or(0),
    };
    let mut segment = repr.emit().to_vec();
    segment[12] = ((5 + options.len() / 4) as u8) << 4;
    segment.extend_from_slice(&options);
    segment.resize(segment.len() + packet.length as usize, 0);
    if HEADER_LENGTH + 20 + segment.len() > LONGEST_FRAME {
        return None;
    }
    let sum = pseudo_header_v4(ends.remote, ends.local, ip::TCP, segment.len() as u16);
    tcp::Segment::new(&mut segment[..]).ok()?.fill_checksum(sum);
    let ecn = match packet.ecn {
        EcnField::Unspecified => 0,
        EcnField::Is(codepoint) => codepoint,
        EcnField::Ect01 => 2,
    };
    Some(frame(ends, ip::TCP, ecn, &segment))
}

fn emit_option(option: &OptionWord, numbers: &Numbers, out: &mut Vec<u8>) {
    match option {
        OptionWord::End => out.push(0),
        OptionWord::Nop => out.push(1),
        OptionWord::Mss(mss) => {
            out.extend_from_slice(&[2, 4]);
            out.extend_from_slice(&mss.to_be_bytes());
        }
        OptionWord::WindowScale(shift) => out.extend_from_slice(&[3, 3, *shift]),
        OptionWord::SackPermitted => out.extend_from_slice(&[4, 2]),
        OptionWord::Sack(blocks) => {
            let local = numbers.local.unwrap_or(0);
            out.extend_from_slice(&[5, 2 + 8 * blocks.len().min(31) as u8]);
            for block in blocks {
                out.extend_from_slice(&block.start.0.wrapping_add(local).to_be_bytes());
                out.extend_from_slice(&block.end.0.wrapping_add(local).to_be_bytes());
            }
        }
        OptionWord::Timestamps(value, echo) => {
            out.extend_from_slice(&[8, 10]);
            out.extend_from_slice(&value.to_be_bytes());
            // An echo of nothing stays nothing.
            let stamp = if *echo == 0 { 0 } else { numbers.stamp.unwrap_or(0) };
            out.extend_from_slice(&echo.wrapping_add(stamp).to_be_bytes());
        }
    }
}

/// A datagram that comes in.
pub(super) fn inbound_datagram(length: usize, ends: &Ends, numbers: &Numbers) -> Vec<u8> {
    let repr = udp::Repr {
        source_port: numbers.remote_port,
        destination_port: numbers.local_port,
        length: (udp::HEADER_LENGTH + length) as u16,
    };
    let mut datagram = repr.emit().to_vec();
    datagram.resize(udp::HEADER_LENGTH + length, 0);
    let sum = pseudo_header_v4(ends.remote, ends.local, ip::UDP, datagram.len() as u16);
    if let Ok(mut view) = udp::Datagram::new(&mut datagram[..]) {
        view.fill_checksum(sum);
    }
    frame(ends, ip::UDP, 0, &datagram)
}

/// What has gone out, with its numbers as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// A segment; its ports, our one first.
    Tcp(u16, u16, TcpPacket),
    /// A datagram: our port, and the bytes of its data.
    Udp(u16, usize),
}

/// Reads a frame that has gone out; `None`: neither TCP nor UDP.
pub(super) fn outbound(bytes: &[u8]) -> Option<Sent> {
    let link = Frame::new(bytes).ok()?;
    if link.ethertype() != ethertype::IPV4 {
        return None;
    }
    let packet = ipv4::Packet::new(link.payload()).ok()?;
    let payload = packet.payload();
    match packet.protocol() {
        ip::UDP => {
            let datagram = udp::Datagram::new(payload).ok()?;
            Some(Sent::Udp(datagram.source_port(), datagram.payload().len()))
        }
        ip::TCP => {
            let segment = tcp::Segment::new(payload).ok()?;
            let has_ack = segment.flags() & flags::ACK != 0;
            Some(Sent::Tcp(
                segment.source_port(),
                segment.destination_port(),
                TcpPacket {
                    ecn: EcnField::Is(packet.ecn()),
                    flags: segment.flags(),
                    start: segment.sequence(),
                    length: segment.payload().len() as u32,
                    ack: has_ack.then(|| segment.acknowledgement()),
                    window: Some(segment.window()),
                    urgent: None,
                    options: Some(read_options(segment.options())),
                },
            ))
        }
        _ => None,
    }
}

fn read_options(mut bytes: &[u8]) -> Vec<OptionWord> {
    let mut options = Vec::new();
    let word = |bytes: &[u8], at: usize| {
        u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    };
    while let Some((&kind, rest)) = bytes.split_first() {
        match kind {
            0 => {
                options.push(OptionWord::End);
                break;
            }
            1 => {
                options.push(OptionWord::Nop);
                bytes = rest;
                continue;
            }
            _ => {}
        }
        let length = usize::from(rest.first().copied().unwrap_or(0));
        let Some(value) = bytes.get(2..length) else { break };
        match kind {
            2 if value.len() == 2 => {
                options.push(OptionWord::Mss(u16::from_be_bytes([value[0], value[1]])));
            }
            3 if value.len() == 1 => options.push(OptionWord::WindowScale(value[0])),
            4 => options.push(OptionWord::SackPermitted),
            5 => {
                let blocks = value
                    .chunks_exact(8)
                    .map(|b| Block { start: Sequence(word(b, 0)), end: Sequence(word(b, 4)) })
                    .collect();
                options.push(OptionWord::Sack(blocks));
            }
            8 if value.len() == 8 => {
                options.push(OptionWord::Timestamps(word(value, 0), word(value, 4)));
            }
            _ => {}
        }
        bytes = &bytes[length..];
    }
    options
}

/// A segment in the script's words.
pub(super) fn show(packet: &TcpPacket) -> String {
    const NAMES: [(u8, char); 8] = [
        (flags::FIN, 'F'),
        (flags::SYN, 'S'),
        (flags::RST, 'R'),
        (flags::PSH, 'P'),
        (flags::URG, 'U'),
        (flags::ECE, 'E'),
        (flags::CWR, 'W'),
        (flags::ACK, '.'),
    ];
    let mut text = match packet.ecn {
        EcnField::Unspecified => String::new(),
        EcnField::Is(0) => "[noecn] ".into(),
        EcnField::Is(1) => "[ect1] ".into(),
        EcnField::Is(2) => "[ect0] ".into(),
        EcnField::Is(_) => "[ce] ".into(),
        EcnField::Ect01 => "[ect01] ".into(),
    };
    text.extend(NAMES.iter().filter(|(bit, _)| packet.flags & bit != 0).map(|(_, name)| name));
    if packet.flags == 0 {
        text.push('-');
    }
    let end = packet.start.wrapping_add(packet.length);
    let _ = write!(text, " {}:{end}({})", packet.start, packet.length);
    if let Some(ack) = packet.ack {
        let _ = write!(text, " ack {ack}");
    }
    if let Some(window) = packet.window {
        let _ = write!(text, " win {window}");
    }
    match &packet.options {
        None => text.push_str(" <...>"),
        Some(options) if options.is_empty() => {}
        Some(options) => {
            let words: Vec<String> = options.iter().map(show_option).collect();
            let _ = write!(text, " <{}>", words.join(","));
        }
    }
    text
}

fn show_option(option: &OptionWord) -> String {
    match option {
        OptionWord::End => "eol".into(),
        OptionWord::Nop => "nop".into(),
        OptionWord::Mss(mss) => format!("mss {mss}"),
        OptionWord::WindowScale(shift) => format!("wscale {shift}"),
        OptionWord::SackPermitted => "sackOK".into(),
        OptionWord::Sack(blocks) => {
            let blocks: Vec<String> =
                blocks.iter().map(|block| format!("{}:{}", block.start, block.end)).collect();
            format!("sack {}", blocks.join(" "))
        }
        OptionWord::Timestamps(value, echo) => format!("TS val {value} ecr {echo}"),
    }
}
