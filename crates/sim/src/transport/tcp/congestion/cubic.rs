//! CUBIC (RFC 9438), in segments and seconds as the RFC has it. Floating point is that of `libm`
//! and of the basic operations of IEEE 754, so that results are the same on all machines.

use crate::pending::Time;

/// C, segments/s^3 (section 5.1).
const C: f64 = 0.4;
/// Multiplicative decrease (section 4.6).
const BETA: f64 = 0.7;
/// Growth in segments a round trip with which a flow that decreases by BETA has Reno's mean window
/// (section 4.3).
const ALPHA: f64 = 3.0 * (1.0 - BETA) / (1.0 + BETA);
const SECONDS: f64 = 1e-12;

/// The state of section 4.1.2, of one stage of congestion avoidance.
#[derive(Clone, Debug)]
struct Epoch {
    began: Time,
    /// When an acknowledgement last came.
    last: Time,
    k: f64,
    /// W_est.
    reno: f64,
}

/// CUBIC's state.
#[derive(Clone, Debug)]
pub(super) struct Cubic {
    /// Bytes of a segment.
    segment: f64,
    fast_convergence: bool,
    /// W_max, 0 if it is to be the window at the start of congestion avoidance.
    top: f64,
    /// cwnd_prior.
    prior: f64,
    epoch: Option<Epoch>,
    /// What the window has grown less than a byte.
    fraction: f64,
}

impl Cubic {
    pub(super) fn new(segment: f64, fast_convergence: bool) -> Self {
        Self { segment, fast_convergence, top: 0.0, prior: 0.0, epoch: None, fraction: 0.0 }
    }

    /// The window, bytes, after an acknowledgement of `bytes` in congestion avoidance.
    pub(super) fn grow(&mut self, now: Time, window: u64, bytes: u64, round_trip: Time) -> u64 {
        let current = (window as f64 + self.fraction) / self.segment;
        if self.epoch.is_none() {
            self.begin(now, current);
        }
        let (top, prior) = (self.top, self.prior);
        let Some(epoch) = &mut self.epoch else { return window };
        epoch.last = now;
        let acknowledged = bytes as f64 / self.segment;
        // Section 4.3; the factor is 1 from where the flow would have been before its reduction.
        let factor = if epoch.reno < prior { ALPHA } else { 1.0 };
        epoch.reno += factor * acknowledged / current;
        let elapsed = (now - epoch.began) as f64 * SECONDS;
        let next = if curve(elapsed, epoch.k, top) < epoch.reno {
            epoch.reno.max(current)
        } else {
            // Section 4.2: the target is one round trip ahead, and at most 1.5 windows.
            let ahead = curve(elapsed + round_trip as f64 * SECONDS, epoch.k, top);
            let target = ahead.clamp(current, 1.5 * current);
            current + (target - current) / current * acknowledged
        };
        let bytes = next * self.segment;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        whole as u64
    }

    /// The flow does not use its window: this time does not count (section 5.8).
    #[inline]
    pub(super) fn rest(&mut self, now: Time) {
        if let Some(epoch) = &mut self.epoch {
            epoch.began += now - epoch.last;
            epoch.last = now;
        }
    }

    /// A congestion event with a window of so many bytes (sections 4.6 and 4.7).
    pub(super) fn reduce(&mut self, window: u64) {
        let window = window as f64 / self.segment;
        self.top = if self.fast_convergence && window < self.top {
            window * ((1.0 + BETA) / 2.0)
        } else {
            window
        };
        self.prior = window;
        self.epoch = None;
        self.fraction = 0.0;
    }

    /// A timeout (section 4.8): the next stage of congestion avoidance starts at its own window.
    pub(super) fn time_out(&mut self, window: u64) {
        self.prior = window as f64 / self.segment;
        self.top = 0.0;
        self.epoch = None;
        self.fraction = 0.0;
    }

    fn begin(&mut self, now: Time, current: f64) {
        let k = if self.top > current {
            libm::cbrt((self.top - current) / C)
        } else {
            self.top = current;
            0.0
        };
        if self.prior == 0.0 {
            // Slow start has ended without a loss (section 4.10).
            self.prior = current;
        }
        self.epoch = Some(Epoch { began: now, last: now, k, reno: current });
    }
}

/// W_cubic, equation 1.
#[inline]
fn curve(elapsed: f64, k: f64, top: f64) -> f64 {
    let distance = elapsed - k;
    C * distance * distance * distance + top
}

/// The window, or what is outstanding, times BETA, rounded down.
pub(super) fn decreased(bytes: u64) -> u64 {
    bytes * 7 / 10
}
