//! `[pair]`: two TCP/IP hosts and the line between them, as `ww tcp pair` has them.

use ww_config::quantity::{Bytes, Probability, Span};
use ww_config::reader::Reader;
use ww_tcp::pair::{Impairments, Memory, Peer, Plan, Scheme};
use ww_tcp::settings::{Behaviour, MILLISECOND, largest_scale};

/// Clocks that are measured if nothing is said of them, and at most.
const CYCLES: u64 = 20_000;
const MAX_CYCLES: u64 = 1_000_000_000;
/// Connections at the same time, at most: as many buffers as 4 GiB have.
const MAX_SESSIONS: u64 = 32_768;
const MEMORY: u64 = 4 << 30;
/// Longest round trip that is added, in picoseconds: 10 s.
const LONGEST_RTT: u64 = 10_000_000_000_000;

/// `[pair]`. `None` has been told.
pub(super) fn pair(reader: &Reader<'_>) -> Option<Plan> {
    let told = reader.mistakes().count();
    let segment = reader.within("segment", 1u64..=8_960).unwrap_or(1_460) as u16;
    let sessions = reader.within("sessions", 1..=MAX_SESSIONS).unwrap_or(1) as usize;
    let scheme = reader.choice("scheme", &[("wire", Scheme::Wire), ("stream", Scheme::Stream)]);
    let memory = reader.choice("memory", &[("ddr4", Memory::Ddr4), ("uram", Memory::Uram)]);
    let bytes = reader.get::<Bytes>("bytes").map(|bytes| bytes.0);
    let cycles = reader.within("cycles", 1..=MAX_CYCLES);
    if let (Some(_), Some(value)) = (bytes, reader.value("cycles")) {
        let message =
            "'cycles' are of connections without end, and 'bytes' ends them: leave out one of them";
        reader.mistakes().add(&value.place, message);
    }
    let Span(rtt) = reader.get_or("rtt", Span(0));
    if rtt > LONGEST_RTT {
        reader.wrong("rtt", "'rtt': expected 10 s at most");
    }
    let chance = |key| reader.get::<Probability>(key).map_or(0.0, |chance| chance.0);
    let impairments = Impairments {
        loss: chance("loss"),
        reorder: chance("reorder"),
        duplicate: chance("duplicate"),
        damage: chance("damage"),
    };
    let largest = largest_scale(MEMORY, sessions).unwrap_or(0);
    let scale = reader.within("window_scale", 0u64..=14).map(|scale| scale as u8);
    if scale.is_some_and(|scale| scale > largest) {
        let message = format!(
            "'window_scale': two buffers for each of {sessions} sessions fit into 4 GiB up to {largest}"
        );
        reader.wrong("window_scale", message);
    }
    let peer = reader.choice("peer", &[("model", Peer::Model), ("smoltcp", Peer::Smoltcp)]);
    let receive = reader.choice("direction", &[("send", false), ("receive", true)]);
    let rto_min = reader.get_or("rto_min", Span(200 * MILLISECOND * 1_000)).0 / 1_000;
    let tcp = Behaviour {
        window_scale: Some(scale.unwrap_or(largest.min(8))),
        rto_min,
        ..Behaviour::default()
    };
    let published = reader.get_or("published", false);
    let good = reader.mistakes().count() == told;
    good.then(|| Plan {
        peer: peer.unwrap_or(Peer::Model),
        scheme: scheme.unwrap_or(Scheme::Wire),
        memory: memory.unwrap_or(Memory::Ddr4),
        segment,
        sessions,
        bytes,
        cycles: cycles.unwrap_or(CYCLES),
        rtt: rtt / 1_000,
        impairments,
        // Each run has its own.
        seed: 1,
        receive: receive.unwrap_or(false),
        tcp: if published { tcp.published() } else { tcp },
    })
}
