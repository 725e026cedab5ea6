//! Ports of the host in hardware that are driven or looked at in each clock.

use crate::bench::Bench;
use crate::runner::Error;
use crate::runner::model::Signal;
use ww_phy::lbus::Beat;

/// Ports that are looked at in each clock.
#[derive(Clone, Copy)]
pub(super) struct Ports {
    pub(super) call_valid: Signal,
    pub(super) call_ready: Signal,
    pub(super) result_valid: Signal,
    pub(super) news_waits: Signal,
    pub(super) tx_ready: Signal,
    pub(super) quiet: Signal,
    pub(super) accepted: Signal,
    pub(super) kind: Signal,
    pub(super) dropped: Signal,
    pub(super) reason: Signal,
    /// Packets without a way, connections that open and close, cookies, segments sent again.
    pub(super) others: [Signal; 5],
}

impl Ports {
    pub(super) fn of(bench: &Bench) -> Result<Self, Error> {
        let [call_valid, call_ready, result_valid, news_waits, tx_ready, quiet] = bench.ports([
            "call_valid",
            "call_ready",
            "result_valid",
            "news_waits",
            "tx_axis_tready",
            "quiet",
        ])?;
        let [accepted, kind, dropped, reason] =
            bench.ports(["event_accepted", "event_kind", "event_dropped", "event_reason"])?;
        let others = bench.ports([
            "event_unresolved",
            "event_opened",
            "event_closed",
            "event_cookie",
            "event_resent",
        ])?;
        Ok(Self {
            call_valid,
            call_ready,
            result_valid,
            news_waits,
            tx_ready,
            quiet,
            accepted,
            kind,
            dropped,
            reason,
            others,
        })
    }
}

/// A stream's ports.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    data: Signal,
    pub(super) valid: Signal,
    pub(super) ready: Option<Signal>,
    keep: Option<Signal>,
    last: Option<Signal>,
}

impl Stream {
    pub(super) fn of(bench: &Bench, name: &str) -> Result<Self, Error> {
        let port = |what: &str| bench.port(&format!("{name}_axis_t{what}"));
        Ok(Self {
            data: port("data")?,
            valid: port("valid")?,
            ready: port("ready").ok(),
            keep: port("keep").ok(),
            last: port("last").ok(),
        })
    }

    /// The beat that is offered.
    pub(super) fn beat(&self, bench: &Bench) -> Option<Beat> {
        bench.is(self.valid).then(|| {
            let bytes = self.keep.map_or(64, |keep| bench.get(keep).trailing_ones());
            let mut data = [0; 64];
            data.copy_from_slice(&bench.bytes(self.data)[..64]);
            Beat {
                data,
                bytes: bytes as u8,
                last: self.last.is_some_and(|last| bench.is(last)),
                bad: false,
            }
        })
    }

    /// Offers a beat.
    pub(super) fn offer(&self, bench: &mut Bench, bytes: &[u8], last: bool) {
        let lanes = if bytes.len() == 64 { u64::MAX } else { (1 << bytes.len()) - 1 };
        bench.set_bytes(self.data, 0, bytes);
        if let Some(keep) = self.keep {
            bench.set(keep, lanes);
        }
        if let Some(port) = self.last {
            bench.set(port, u64::from(last));
        }
        bench.set(self.valid, 1);
    }
}

/// A packet whose beats are passing: when it began, and its bytes.
#[derive(Default)]
pub(super) struct Packet {
    began: u64,
    bytes: Vec<u8>,
}

impl Packet {
    /// Takes a beat; with the last one, when the packet began, and all of it.
    pub(super) fn add(&mut self, beat: &Beat, now: u64) -> Option<(u64, Vec<u8>)> {
        if self.bytes.is_empty() {
            self.began = now;
        }
        self.bytes.extend_from_slice(&beat.data[..usize::from(beat.bytes)]);
        beat.last.then(|| (self.began, std::mem::take(&mut self.bytes)))
    }
}
