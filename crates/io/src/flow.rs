//! Which flow a frame belongs to, so that one worker sees all of it.
//!
//! The hash is over the addresses and, if they are there, the ports; both
//! directions of a connection have the same one. Fragments have no ports and go by
//! their addresses, all of them: so does the first one, which has.

use crate::fingerprint::chain;
use ww_packet::protocol::{ethertype, ip};

/// Hashes the flow that a frame belongs to. Frames that are neither IPv4 nor IPv6
/// go by their two MAC addresses.
pub fn hash(frame: &[u8]) -> u32 {
    let flow = network(frame).unwrap_or_else(|| {
        let part = |from: usize| word(frame.get(from..from + 6).unwrap_or_default());
        pair(part(0), part(6))
    });
    // The high bits depend on all of the input.
    (chain(flow, flow >> 32) >> 32) as u32
}

/// Which of `workers` (at least one) a frame goes to.
pub fn worker(frame: &[u8], workers: usize) -> usize {
    // Multiplication in place of a division, with the same fairness.
    ((u64::from(hash(frame)) * workers as u64) >> 32) as usize
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The same for (a, b) and (b, a).
fn pair(a: u64, b: u64) -> u64 {
    chain(chain(0, a.min(b)), a.max(b))
}

fn network(frame: &[u8]) -> Option<u64> {
    let mut at = 12;
    let mut kind = word(frame.get(at..at + 2)?) as u16;
    // Two tags at most, as everywhere here.
    for _ in 0..2 {
        if matches!(kind, ethertype::VLAN | ethertype::SERVICE_VLAN) {
            at += 4;
            kind = word(frame.get(at..at + 2)?) as u16;
        }
    }
    let packet = frame.get(at + 2..)?;
    let (source, destination, protocol, transport) = match kind {
        ethertype::IPV4 => {
            let header = packet.get(..20)?;
            let fragment = word(&header[6..8]) & 0x3fff != 0;
            let length = usize::from(header[0] & 15) * 4;
            let transport = if fragment { None } else { packet.get(length..) };
            (word(&header[12..16]), word(&header[16..20]), header[9], transport)
        }
        ethertype::IPV6 => {
            let header = packet.get(..40)?;
            let address = |from: usize| {
                chain(word(&header[from..from + 8]), word(&header[from + 8..from + 16]))
            };
            (address(8), address(24), header[6], packet.get(40..))
        }
        _ => return None,
    };
    let addresses = pair(source, destination);
    let ports = match protocol {
        ip::TCP | ip::UDP => transport.and_then(|bytes| bytes.get(..4)),
        _ => None,
    };
    Some(match ports {
        // Each port goes with its address; two equal addresses need an order too.
        Some(ports) => {
            let (a, b) = (word(&ports[..2]), word(&ports[2..]));
            pair(chain(source, a), chain(destination, b))
        }
        None => addresses,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn udp(a: ([u8; 4], u16), b: ([u8; 4], u16)) -> Vec<u8> {
        let mut frame = vec![0; 12];
        frame.extend([8, 0, 0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0]);
        frame.extend(a.0);
        frame.extend(b.0);
        frame.extend(a.1.to_be_bytes());
        frame.extend(b.1.to_be_bytes());
        frame.extend([0, 8, 0, 0]);
        frame
    }

    #[test]
    fn both_directions_are_one_flow() {
        let (a, b) = (([10, 0, 0, 1], 4000), ([10, 0, 0, 2], 53));
        assert_eq!(hash(&udp(a, b)), hash(&udp(b, a)));
        let swapped = udp((a.0, b.1), (b.0, a.1));
        assert_ne!(hash(&udp(a, b)), hash(&swapped), "ports at the other ends");
        assert_ne!(hash(&udp(a, b)), hash(&udp((a.0, 4001), b)));
        // A tag, the TTL and the payload do not matter.
        let mut tagged = udp(a, b);
        tagged.splice(12..12, [0x81, 0, 0, 5]);
        tagged[26] = 9;
        assert_eq!(hash(&udp(a, b)), hash(&tagged));
    }

    #[test]
    fn fragments_of_a_packet_go_together() {
        let (mut first, mut last) = (udp(([1; 4], 1), ([2; 4], 2)), udp(([1; 4], 3), ([2; 4], 4)));
        first[20] = 0x20;
        last[21] = 9;
        assert_eq!(hash(&first), hash(&last));
    }

    #[test]
    fn flows_are_spread_evenly() {
        for workers in [2, 3, 8] {
            let mut share = vec![0u32; workers];
            for host in 0..100u8 {
                for port in 0..100u16 {
                    let frame = udp(([10, 0, 0, host], 1024 + port), ([10, 0, 1, 1], 80));
                    share[worker(&frame, workers)] += 1;
                }
            }
            let fair = 10_000 / workers as u32;
            for n in &share {
                assert!(n.abs_diff(fair) < fair / 10, "{share:?}");
            }
        }
    }

    #[test]
    fn short_frames_have_a_hash_too() {
        let whole = udp(([1; 4], 1), ([2; 4], 2));
        for length in 0..whole.len() {
            assert!(worker(&whole[..length], 3) < 3);
        }
        let mut v6 = vec![0; 12];
        v6.extend([0x86, 0xdd]);
        v6.resize(54, 1);
        assert_ne!(hash(&v6), hash(&whole));
    }
}
