//! What a host is told before it starts.

use std::net::Ipv4Addr;
use ww_packet::ethernet::MacAddress;

/// Nanoseconds since the run's start: the unit of every timer of the engine. The hardware keeps 48 bits of it (78
/// hours); the model does not wrap.
pub type Nanoseconds = u64;

/// One microsecond.
pub const MICROSECOND: Nanoseconds = 1_000;
/// One millisecond.
pub const MILLISECOND: Nanoseconds = 1_000_000;
/// One second.
pub const SECOND: Nanoseconds = 1_000_000_000;

/// Whether a host marks packets for explicit congestion notification (RFC 3168).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ecn {
    /// Never.
    #[default]
    Off,
    /// If the peer asks for it.
    Accept,
    /// It asks, and accepts.
    Request,
}

/// Probes of connections that are idle (RFC 9293 section 3.8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepAlive {
    /// Idle time before the first probe.
    pub idle: Nanoseconds,
    /// Time between probes.
    pub interval: Nanoseconds,
    /// Probes without an answer after which the connection is given up.
    pub probes: u8,
}

impl Default for KeepAlive {
    /// Two hours, then each 75 s, 9 times.
    fn default() -> Self {
        Self { idle: 7200 * SECOND, interval: 75 * SECOND, probes: 9 }
    }
}

/// How a host's TCP behaves. In hardware each is a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// Longest segment that we take and send, in bytes of payload without options: 1 to 8,960.
    pub mss: u16,
    /// Shift of our windows, 0 to 14, which makes the buffers of a session 2^(16 + scale) bytes; `None`: the option is
    /// not used (64 KiB).
    pub window_scale: Option<u8>,
    /// Timestamps with PAWS (RFC 7323).
    pub timestamps: bool,
    /// Selective acknowledgements (RFC 2018, RFC 2883).
    pub sack: bool,
    /// Explicit congestion notification.
    pub ecn: Ecn,
    /// Probes of a lost tail (RFC 8985 section 7).
    pub tail_loss_probe: bool,
    /// Spurious timeouts are found by new data (RFC 5682).
    pub forward_rto: bool,
    /// Keep-alive probes of all connections.
    pub keep_alive: Option<KeepAlive>,
    /// Small segments wait for acknowledgements (RFC 896).
    pub nagle: bool,
    /// Least of the variance's part of the retransmission timeout.
    pub rto_min: Nanoseconds,
    /// An acknowledgement waits at most so long.
    pub delayed_ack: Nanoseconds,
    /// Segments that may go out before the first acknowledgement (RFC 6928).
    pub initial_window: u32,
    /// The window shrinks when nothing was sent for a timeout (RFC 2861).
    pub slow_start_after_idle: bool,
    /// How long a closed connection's numbers are remembered.
    pub time_wait: Nanoseconds,
    /// SYN-ACKs that are sent again before the connection is given up. A SYN of ours is given up after the time that so
    /// many would take if the first waited 1 s and each next one twice as long.
    pub syn_retries: u8,
    /// SYNs of ours that are sent again each after the same time, before the time doubles.
    pub syn_linear: u8,
    /// A connection is given up after the time that so many timeouts would take that begin with `rto_min` and double
    /// up to two minutes: 924.6 s for 15.
    pub retries: u8,
    /// Segments of a session that are on their way at the same time, at most, 4 to 65,536: hardware has a record of each.
    pub most_records: u32,
    /// Ranges of a session that wait for what is missing in front of them, at most, 2 to 64. A segment that would make
    /// one more is not kept: it is sent again.
    pub most_ranges: u8,
    /// The feature set of the published engine (spec 2.17): nothing out of order is kept, no SACK, no RACK, the scale
    /// is the lesser of both, and after three duplicate acknowledgements all is sent again from the first byte that is
    /// not acknowledged.
    pub published: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            mss: 1460,
            window_scale: Some(8),
            timestamps: false,
            sack: true,
            ecn: Ecn::Off,
            tail_loss_probe: true,
            forward_rto: true,
            keep_alive: None,
            nagle: true,
            rto_min: 200 * MILLISECOND,
            delayed_ack: 40 * MILLISECOND,
            initial_window: 10,
            slow_start_after_idle: true,
            time_wait: 60 * SECOND,
            syn_retries: 6,
            syn_linear: 4,
            retries: 15,
            most_records: 65_536,
            most_ranges: 64,
            published: false,
        }
    }
}

impl Behaviour {
    /// Bytes of each of a session's two buffers.
    pub fn buffer(&self) -> u32 {
        1 << (16 + u32::from(self.window_scale.unwrap_or(0)))
    }

    /// The feature set of the published engine.
    pub fn published(self) -> Self {
        Self { published: true, sack: false, tail_loss_probe: false, forward_rto: false, ..self }
    }
}

/// A host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Ethernet address.
    pub mac: MacAddress,
    /// IPv4 address.
    pub ip: Ipv4Addr,
    /// Length of the network part of the address, 0 to 32.
    pub prefix: u8,
    /// Where packets for other networks go.
    pub gateway: Option<Ipv4Addr>,
    /// Sessions at the same time, at least 1.
    pub sessions: usize,
    /// Connections that are half open on a port; what comes beyond gets a cookie.
    pub backlog: usize,
    /// All randomness follows from it: initial sequence numbers, cookies, ports.
    pub seed: u64,
    /// At the start, ask for every address of our network (of the /24 around us, if it is larger).
    pub scan: bool,
    /// TCP.
    pub tcp: Behaviour,
}

/// Bytes of memory that the buffers of all sessions share: a DIMM of DDR4 (spec S48, S49).
pub const MEMORY: u64 = 4 << 30;

/// Largest window scale with which `sessions` sessions with two buffers each fit into `memory` bytes (spec S48: the
/// number of connections is memory over buffer), 0 to 14; `None` if not even 64 KiB buffers do.
pub fn largest_scale(memory: u64, sessions: usize) -> Option<u8> {
    (0..=14).rev().find(|scale| {
        u64::try_from(sessions)
            .ok()
            .and_then(|sessions| sessions.checked_mul(2 << (16 + scale)))
            .is_some_and(|bytes| bytes <= memory)
    })
}

#[cfg(test)]
mod tests {
    use super::largest_scale;

    #[test]
    fn connections_of_four_gibibytes() {
        // Check 29, published for one buffer a session: 65,536, 512 and 4 connections at scales 0, 7 and 14; half as
        // many with two buffers.
        for (scale, connections) in [(0, 65_536), (4, 4_096), (7, 512), (10, 64), (14, 4)] {
            assert_eq!(largest_scale(4 << 30, connections / 2), Some(scale));
            let one_more = largest_scale(4 << 30, connections / 2 + 1);
            assert_eq!(one_more, scale.checked_sub(1));
        }
    }
}
