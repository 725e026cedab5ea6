//! Variations of a test's packets: cut, lengthened, with other bits, on other ports.

use ww_control::stf::syntax::{StatementKind, Test};

/// A packet that arrives.
pub struct Arrival {
    pub port: u32,
    pub bytes: Vec<u8>,
}

/// Packets made from those of each test.
const VARIATIONS: usize = 96;

/// The variations; the seed is fixed, so that every run is the same.
pub fn of(test: &Test) -> Vec<Arrival> {
    let packets: Vec<(u32, &[u8])> = test
        .statements
        .iter()
        .filter_map(|s| match &s.kind {
            StatementKind::Packet { port, bytes } => Some((*port, &bytes[..])),
            _ => None,
        })
        .collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % below.max(1)
    };
    let mut out = Vec::new();
    for round in 0..VARIATIONS {
        let Some((port, bytes)) = packets.get(random(packets.len())) else { break };
        let mut bytes = bytes.to_vec();
        match round % 5 {
            0 => bytes.truncate(random(bytes.len() + 1)),
            1 => bytes.extend((0..random(9)).map(|n| n as u8)),
            _ => {}
        }
        for _ in 0..random(4) {
            let at = random(bytes.len().min(40));
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= [0xff, 1, 2, 0x10, 0x80][random(5)];
            }
        }
        let port = if random(4) == 0 { random(8) as u32 } else { *port };
        out.push(Arrival { port, bytes });
    }
    out
}
