//! Token bucket: no child sends more than its rate and burst allow (dissertation, section 2.3, S6).

use super::slot;
use crate::framework::fixed::{Pace, TAG_FRACTION};
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// Rank and eligible time are the time at which there are tokens enough; they are taken at once, and may
/// become a debt.
#[derive(Debug, Default)]
pub struct TokenBucket {
    buckets: Vec<Bucket>,
}

impl Policy for TokenBucket {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        slot(&mut self.buckets, child).configure(parameters);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, now: u64) -> Stamp {
        let send = self.buckets[child].take(head.packet.bytes, now);
        Stamp { rank: send, eligible: send }
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, _now: u64) {
        self.buckets[child].correct(sent);
    }

    fn withdraw(&mut self, child: usize, bytes: u32) {
        self.buckets[child].correct(&Sent { bytes: 0, stamped: bytes });
    }
}

/// A bucket. Tokens are kept as the time in which they come, in 2^-8 picoseconds, so that the rate is
/// never divided by.
#[derive(Clone, Debug, Default)]
pub struct Bucket {
    /// Nothing: without a limit.
    limit: Option<Limit>,
    /// Nothing: full, since nothing has been taken yet.
    tokens: Option<i128>,
    last: u64,
}

#[derive(Clone, Debug)]
struct Limit {
    pace: Pace,
    burst: i128,
}

impl Bucket {
    /// Sets rate and burst. A new bucket is full; of one in use, the next packet finds what it has, up to
    /// its new size.
    pub fn configure(&mut self, parameters: &Parameters) {
        let burst = i128::from(parameters.pace.tag(parameters.burst));
        self.limit = Some(Limit { pace: parameters.pace, burst });
    }

    /// Takes tokens for a packet; from when on it may leave.
    pub fn take(&mut self, bytes: u32, now: u64) -> u64 {
        let Some(Limit { pace, burst }) = &self.limit else { return now };
        let passed = i128::from(now.saturating_sub(self.last)) << TAG_FRACTION;
        let tokens = self.tokens.map_or(*burst, |tokens| (tokens + passed).min(*burst));
        self.last = now;
        let left = tokens - i128::from(pace.tag(u64::from(bytes)));
        self.tokens = Some(left);
        // Rounded up: never too early.
        let debt = (-left).max(0) as u128;
        let wait = debt.div_ceil(1 << TAG_FRACTION);
        now.saturating_add(u64::try_from(wait).unwrap_or(u64::MAX))
    }

    /// The packet was longer or shorter than was said.
    pub fn correct(&mut self, sent: &Sent) {
        let (Some(Limit { pace, .. }), Some(tokens)) = (&self.limit, &mut self.tokens) else {
            return;
        };
        let more = i128::from(pace.tag(u64::from(sent.bytes)));
        *tokens -= more - i128::from(pace.tag(u64::from(sent.stamped)));
    }
}
