//! TPPs in Ethernet frames: finding, executing, inserting, stripping, sending back.
//!
//! A TPP travels in one of two ways. *Transparent*: behind EtherType 0x6666, in front of the frame's own
//! payload, whose EtherType the TPP keeps. *Standalone*: at the start of the data of a UDP datagram over
//! IPv4 to port 0x6666. VLAN tags may precede both. Frames are without FCS.

use crate::execute::{Report, Settings, execute};
use crate::header::{self, HEADER_LENGTH, TPP_NUMBER, flag};
use crate::packet::{Malformed, Tpp};
use crate::switch_memory::SwitchMemory;
use std::fmt;
use std::ops::Range;
use ww_packet::checksum::update_u16;
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{ethernet, ipv4, udp};

/// How a TPP travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carriage {
    /// In front of the frame's payload.
    Transparent,
    /// In a UDP datagram to port 0x6666.
    Standalone,
    /// In a UDP datagram from port 0x6666 to another port: on its way back, for hosts alone.
    Echo,
}

/// Where a TPP is in a frame; its bytes have not been judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// How it travels.
    pub carriage: Carriage,
    /// From its first byte to the last that it may use.
    pub bytes: Range<usize>,
    /// Where the IPv4 header begins, if it is in a datagram.
    ip: usize,
}

/// Looks for a TPP. `None`: the frame has none. Fragments of datagrams have none.
pub fn find(frame: &[u8]) -> Option<Place> {
    let (kind, at) = ethernet::Frame::new(frame).ok()?.network_layer().ok()?;
    if kind == TPP_NUMBER {
        return Some(Place { carriage: Carriage::Transparent, bytes: at..frame.len(), ip: at });
    }
    if kind != ethertype::IPV4 {
        return None;
    }
    let packet = ipv4::Packet::new(&frame[at..]).ok()?;
    let whole = !packet.more_fragments() && packet.fragment_offset() == 0;
    if packet.protocol() != ip::UDP || !whole {
        return None;
    }
    let datagram = udp::Datagram::new(packet.payload()).ok()?;
    let carriage = match (datagram.source_port(), datagram.destination_port()) {
        (_, TPP_NUMBER) => Carriage::Standalone,
        (TPP_NUMBER, _) => Carriage::Echo,
        _ => return None,
    };
    let start = at + packet.header_length() + udp::HEADER_LENGTH;
    Some(Place { carriage, bytes: start..start + datagram.payload().len(), ip: at })
}

/// EtherType and place of what is behind VLAN tags and a transparent TPP.
pub fn network_layer(frame: &[u8]) -> Option<(u16, usize)> {
    let (kind, at) = ethernet::Frame::new(frame).ok()?.network_layer().ok()?;
    if kind != TPP_NUMBER {
        return Some((kind, at));
    }
    let header = frame.get(at..at + HEADER_LENGTH)?;
    let behind = at + usize::from(header::TOTAL_LENGTH.get(header));
    (behind <= frame.len()).then(|| (header::PROTOCOL.get(header), behind))
}

/// Whether [`find`] may find something: a quick look that is never wrong about what it denies.
#[inline]
pub fn may_carry(frame: &[u8]) -> bool {
    let Some(kind) = frame.get(12..14) else { return false };
    match u16::from_be_bytes([kind[0], kind[1]]) {
        ethertype::IPV4 => frame.get(23) == Some(&ip::UDP),
        TPP_NUMBER | ethertype::VLAN | ethertype::SERVICE_VLAN => true,
        _ => false,
    }
}

/// Takes the transparent TPP that [`find`] has found out of a frame, malformed or not, and puts it into `tpp`. Gives where in its place the
/// rest of the frame begins then. `None`, and the frame as it was, if it is not known where the TPP ends, or if
/// [`attach`] would not put it there again: behind it are tags, or another TPP.
pub fn detach(frame: &mut [u8], place: &Place, tpp: &mut Vec<u8>) -> Option<usize> {
    let at = place.bytes.start;
    let header = frame[at..].first_chunk::<HEADER_LENGTH>()?;
    let (length, protocol) =
        (usize::from(header::TOTAL_LENGTH.get(header)), header::PROTOCOL.get(header));
    if matches!(protocol, TPP_NUMBER | ethertype::VLAN | ethertype::SERVICE_VLAN) {
        return None;
    }
    let bytes = frame.get(at..at + length).filter(|bytes| bytes.len() >= HEADER_LENGTH)?;
    tpp.clear();
    tpp.extend_from_slice(bytes);
    frame[at - 2..at].copy_from_slice(&protocol.to_be_bytes());
    frame.copy_within(..at, length);
    Some(length)
}

/// Appends a frame to `out`, with what [`detach`] took out behind the VLAN tags that it has now. If its EtherType has
/// changed, a TPP that is not malformed gets it. A frame without EtherType has no place for it.
pub fn attach(frame: &[u8], tpp: &[u8], out: &mut Vec<u8>) {
    let layer = ethernet::Frame::new(frame).and_then(|f| f.network_layer());
    let Ok((kind, at)) = layer else { return out.extend_from_slice(frame) };
    out.extend_from_slice(&frame[..at - 2]);
    out.extend_from_slice(&TPP_NUMBER.to_be_bytes());
    let begin = out.len();
    out.extend_from_slice(tpp);
    if header::PROTOCOL.get(tpp) != kind
        && let Ok(mut tpp) = Tpp::new(&mut out[begin..])
    {
        tpp.set_protocol(kind);
    }
    out.extend_from_slice(&frame[at..]);
}

/// What a switch did with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No TPP that switches execute.
    NoTpp,
    /// Not executed, to be counted.
    Malformed(Malformed),
    /// Executed, or not if it is marked done.
    Done(Report),
}

/// Executes the TPP of a frame, if it has one. The frame's length stays, and all bytes but those of the
/// TPP; a UDP checksum stays right, for the TPP's own makes its bytes sum up to the same.
pub fn execute_frame<M: SwitchMemory>(
    frame: &mut [u8],
    memory: &mut M,
    settings: &Settings<'_>,
) -> Outcome {
    let Some(place) = find(frame).filter(|place| place.carriage != Carriage::Echo) else {
        return Outcome::NoTpp;
    };
    match Tpp::new(&mut frame[place.bytes]) {
        Ok(mut tpp) => Outcome::Done(execute(&mut tpp, memory, settings)),
        Err(fault) => Outcome::Malformed(fault),
    }
}

/// Why a TPP cannot be put into a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotInsert {
    /// What was given is no TPP.
    Malformed(Malformed),
    /// The frame has one already.
    Already,
    /// The frame has no EtherType: it is too short or of another kind.
    NotEthernet,
    /// The frame has no UDP datagram to port 0x6666.
    NotDatagram,
    /// The datagram would be longer than 65,535 bytes.
    TooLong,
}

impl fmt::Display for CannotInsert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(fault) => write!(f, "this is no TPP: {fault}"),
            Self::Already => f.write_str("the frame has a TPP already"),
            Self::NotEthernet => f.write_str("the frame has no EtherType"),
            Self::NotDatagram => f.write_str("the frame has no UDP datagram to port 0x6666"),
            Self::TooLong => f.write_str("the datagram would be longer than 65535 bytes"),
        }
    }
}

impl std::error::Error for CannotInsert {}

/// Puts a TPP in front of a frame's payload, behind VLAN tags. The TPP keeps the payload's EtherType.
///
/// # Errors
/// The frame is as it was.
pub fn insert(frame: &mut Vec<u8>, tpp: &[u8]) -> Result<(), CannotInsert> {
    let mut tpp = Tpp::new(tpp.to_vec()).map_err(CannotInsert::Malformed)?;
    // A TPP in a datagram is one, too: a packet never has two.
    if find(frame).is_some() {
        return Err(CannotInsert::Already);
    }
    let layer = ethernet::Frame::new(frame.as_slice()).and_then(|f| f.network_layer());
    let (kind, at) = layer.map_err(|_| CannotInsert::NotEthernet)?;
    // IEEE 802.3 clause 3.2.6: below 0x600 it is a length.
    if kind < 0x600 {
        return Err(CannotInsert::NotEthernet);
    }
    tpp.set_protocol(kind);
    frame.splice(at..at, tpp.as_bytes().iter().copied());
    frame[at - 2..at].copy_from_slice(&TPP_NUMBER.to_be_bytes());
    Ok(())
}

/// Puts a TPP in front of the data of a UDP datagram over IPv4 that goes to port 0x6666 and has no TPP
/// yet, and puts lengths and checksums right. The TPP keeps 0 for its payload's EtherType.
///
/// # Errors
/// The frame is as it was.
pub fn insert_standalone(frame: &mut Vec<u8>, tpp: &[u8]) -> Result<(), CannotInsert> {
    let mut tpp = Tpp::new(tpp.to_vec()).map_err(CannotInsert::Malformed)?;
    tpp.set_protocol(0);
    let flags = tpp.flags() | flag::STANDALONE;
    tpp.set_flags(flags);
    let place = find(frame).filter(|place| place.carriage == Carriage::Standalone);
    let place = place.ok_or(CannotInsert::NotDatagram)?;
    if Tpp::new(&frame[place.bytes.clone()]).is_ok() {
        return Err(CannotInsert::Already);
    }
    let total = word_at(frame, place.ip + 2);
    if usize::from(total) + tpp.length() > usize::from(u16::MAX) {
        return Err(CannotInsert::TooLong);
    }
    let at = place.bytes.start;
    frame.splice(at..at, tpp.as_bytes().iter().copied());
    lengthen(frame, &place, tpp.length() as u16);
    Ok(())
}

/// Takes a TPP out of a frame, whichever way it travels, and gives its bytes. The frame is then as it was
/// before [`insert`]. `None`, and the frame as it was, if there is none or it is malformed.
pub fn strip(frame: &mut Vec<u8>) -> Option<Vec<u8>> {
    let place = find(frame)?;
    let tpp = Tpp::new(&frame[place.bytes.clone()]).ok()?;
    let (length, protocol) = (tpp.length(), tpp.protocol());
    let at = place.bytes.start;
    let bytes = frame.drain(at..at + length).collect();
    match place.carriage {
        Carriage::Transparent => frame[at - 2..at].copy_from_slice(&protocol.to_be_bytes()),
        Carriage::Standalone | Carriage::Echo => {
            lengthen(frame, &place, (length as u16).wrapping_neg());
        }
    }
    Some(bytes)
}

fn word_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn put_word(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_be_bytes());
}

/// Adds to IPv4's total length and to UDP's length, and puts the checksums right. The TPP that came or
/// went sums up to zero, so that nothing but lengths counts; that of UDP counts twice, as the
/// pseudo-header has it, too.
fn lengthen(frame: &mut [u8], place: &Place, by: u16) {
    let udp = place.bytes.start - udp::HEADER_LENGTH;
    let change = |frame: &mut [u8], at: usize, checksum: usize, times: u32, none: bool| {
        let old = word_at(frame, at);
        let new = old.wrapping_add(by);
        put_word(frame, at, new);
        let before = word_at(frame, checksum);
        if none && before == 0 {
            return;
        }
        let after = (0..times).fold(before, |sum, _| update_u16(sum, old, new));
        // RFC 768: zero would mean that there is no checksum.
        put_word(frame, checksum, if none && after == 0 { 0xffff } else { after });
    };
    change(frame, place.ip + 2, place.ip + 10, 1, false);
    change(frame, udp + 4, udp + udp::CHECKSUM_OFFSET, 2, true);
}

/// Sends a frame with a TPP back where it came from: swaps MAC and IP addresses, and the UDP ports of a
/// standalone TPP, and marks the TPP done, so that no switch executes it again. What a switch does after
/// executing a TPP that is marked [`flag::REFLECT`], and what a host does as the echo of a standalone one.
///
/// `false`, and the frame as it was, if there is no TPP, or it is malformed or done already.
pub fn send_back(frame: &mut [u8]) -> bool {
    let Some(place) = find(frame).filter(|place| place.carriage != Carriage::Echo) else {
        return false;
    };
    let Ok(mut tpp) = Tpp::new(&mut frame[place.bytes.clone()]) else { return false };
    if tpp.is_done() {
        return false;
    }
    tpp.mark_done();
    let behind = (tpp.protocol(), place.bytes.start + tpp.length());
    swap(frame, 0, 6);
    // Sums of addresses and ports do not depend on their order, so checksums stay right.
    match (place.carriage, behind) {
        (Carriage::Transparent, (ethertype::IPV4, ip)) => {
            if ipv4::Packet::new(&frame[ip..]).is_ok() {
                swap(frame, ip + 12, 4);
            }
        }
        (Carriage::Transparent, (ethertype::IPV6, ip)) => {
            if ww_packet::ipv6::Packet::new(&frame[ip..]).is_ok() {
                swap(frame, ip + 8, 16);
            }
        }
        (Carriage::Transparent, _) => {}
        (Carriage::Standalone | Carriage::Echo, _) => {
            swap(frame, place.ip + 12, 4);
            swap(frame, place.bytes.start - udp::HEADER_LENGTH, 2);
        }
    }
    true
}

/// Whether a frame has a TPP that its first switch sends back.
pub fn is_reflective(frame: &[u8]) -> bool {
    find(frame)
        .filter(|place| place.carriage != Carriage::Echo)
        .and_then(|place| Tpp::new(&frame[place.bytes]).ok())
        .is_some_and(|tpp| tpp.flags() & (flag::REFLECT | flag::DONE) == flag::REFLECT)
}

/// Exchanges the `length` bytes from `at` on with those behind them.
fn swap(frame: &mut [u8], at: usize, length: usize) {
    let (first, second) = frame[at..at + 2 * length].split_at_mut(length);
    first.swap_with_slice(second);
}
