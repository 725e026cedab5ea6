//! What the element achieves on this machine now: measured on a pair of interfaces of its own before each run.

use serde::{Deserialize, Serialize};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_io::spec::{Access, PortAssignment, PortSpec};
use ww_io::stop::Stop;
use ww_io::world::live::{Options, World};
use ww_sim::forwarder::Start;

/// The two ends of the pair.
pub const ENDS: [&str; 2] = ["cal0", "cal1"];

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// From when a frame was due to when the kernel had it at the other end, ps: the median.
    pub median: u64,
    /// The p99 of the same, ps.
    pub p99: u64,
    /// Full frames a second that were taken in, held and sent.
    pub rate: u64,
    /// The element runs before other processes (SCHED_FIFO).
    pub realtime: bool,
}

/// Frames whose lateness is measured, and how far apart they are.
const TIMED: usize = 1_000;
const APART: Picoseconds = 500_000_000;
/// How long a frame is held.
const HELD: Picoseconds = 2_000_000_000;
/// Frames under way while the rate is measured, how long that is, and their length without FCS.
const UNDER_WAY: u64 = 128;
const BURST: Picoseconds = 300_000_000_000;
const LENGTH: usize = 1_514;
/// Frames that have not come so long after the last one was due are lost.
const STRAGGLERS: Picoseconds = 500_000_000_000;
/// All of it ends after this at the latest.
const PATIENCE: Picoseconds = 10_000_000_000_000;

/// Measures.
///
/// # Errors
/// The interfaces cannot be opened.
pub fn calibrate() -> Result<Calibration, String> {
    let stop = Stop::new().map_err(|error| error.to_string())?;
    let port = |(port, name): (PortId, &str)| PortAssignment {
        port,
        spec: PortSpec::Interface(name.to_owned(), Access::Packet),
    };
    let ports: Vec<_> = (0..).zip(ENDS).map(port).collect();
    let world =
        World::open(&ports, &Options::default(), &stop).map_err(|error| error.to_string())?;
    let mut probe = Probe::new(stop.clone());
    world.run_lent(&mut probe).map_err(|error| error.to_string())?;
    let mut late = probe.late;
    // What did not come is later than all else: where the element does not get to run, the kernel drops frames.
    late.resize(TIMED, PATIENCE);
    late.sort_unstable();
    let at = |share: f64| late[((TIMED as f64 * share) as usize).min(TIMED - 1)];
    let lasted = probe.last.saturating_sub(probe.burst_began.unwrap_or(probe.last)).max(1);
    let rate = (u128::from(probe.carried) * 1_000_000_000_000 / u128::from(lasted)) as u64;
    // SAFETY: the call has no pointers.
    let realtime =
        unsafe { libc::sched_getscheduler(0) } & !libc::SCHED_RESET_ON_FORK == libc::SCHED_FIFO;
    Ok(Calibration { median: at(0.5), p99: at(0.99), rate, realtime })
}

/// Sends frames that carry the time at which they are due, then as many as it can.
struct Probe {
    stop: Stop,
    begin: Start,
    sent: usize,
    late: Vec<Picoseconds>,
    burst_began: Option<Picoseconds>,
    carried: u64,
    last: Picoseconds,
}

impl Probe {
    fn new(stop: Stop) -> Self {
        let begin = Start::unknown();
        Self { stop, begin, sent: 0, late: Vec::new(), burst_began: None, carried: 0, last: 0 }
    }

    fn frame(due: Picoseconds, length: usize) -> Vec<u8> {
        // To nobody, with an EtherType for experiments (IEEE 802, clause 9.2.4).
        let mut frame = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5];
        frame.extend_from_slice(&due.to_be_bytes());
        frame.resize(length, 0);
        frame
    }

    fn due(&self) -> Picoseconds {
        match self.begin.get() {
            None => 0,
            Some(begin) => begin.saturating_add(self.sent as u64 * APART),
        }
    }

    fn came(&mut self, port: PortId, now: Picoseconds, frame: &[u8]) -> bool {
        if port != 1 || frame.get(12..14) != Some(&[0x88, 0xb5]) {
            return false;
        }
        let Some(due) =
            frame.get(14..22).and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes)
        else {
            return false;
        };
        match self.burst_began {
            None if self.late.len() < TIMED => {
                self.late.push(now.saturating_sub(due));
                false
            }
            Some(began) if frame.len() == LENGTH => {
                self.carried += 1;
                self.last = now;
                let over = now.saturating_sub(began) >= BURST;
                if over {
                    self.stop.raise();
                }
                !over
            }
            _ => false,
        }
    }

    /// When the rate is measured: as soon as all frames have come, or after a while without the rest.
    fn rate_from(&self) -> Picoseconds {
        let all = self.begin.get().unwrap_or(0) + TIMED as u64 * APART;
        if self.late.len() == TIMED { all } else { all + STRAGGLERS }
    }
}

impl Dataplane for Probe {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        if self.came(port, now, frame) {
            // Through the frames that are held, as those of links are.
            out.push(Transmit { port: 0, at: now + 1, frame: frame.to_vec() });
        }
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        for frame in frames {
            if self.came(frame.port, now, frame.bytes) {
                sink.transmit(0, now + 1, frame.bytes);
            }
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        if self.begin.get().is_none() {
            self.begin.set(now);
        }
        if now > PATIENCE {
            self.stop.raise();
            return;
        }
        while self.sent < TIMED && self.due() <= now {
            let due = now + HELD;
            out.push(Transmit { port: 0, at: due, frame: Self::frame(due, 64) });
            self.sent += 1;
        }
        if self.sent == TIMED && self.burst_began.is_none() && now >= self.rate_from() {
            self.burst_began = Some(now);
            out.extend((0..UNDER_WAY).map(|_| Transmit {
                port: 0,
                at: now,
                frame: Self::frame(now, LENGTH),
            }));
        }
    }

    fn status(&self) -> Status {
        let next = match () {
            () if self.sent < TIMED => self.due(),
            () if self.burst_began.is_none() => self.rate_from(),
            () => PATIENCE + 1,
        };
        Status { next_event: Some(next), refused: 0 }
    }
}
