//! The rules `shoal`: a host reports in which slot a cell will leave it, and the next cell of its subflow goes as soon as
//! it cannot arrive before that slot.
//!
//! The schedule is fixed and a queue is first in, first out, so the place of a cell in its queue tells the slot in which
//! it leaves. docs/fabric-bound.md proves from that the bound (3.5) on queues and the throughput of permutations;
//! docs/fabric-rules.md has the rules as hardware needs them.

use super::rule::{Answer, Intermediate, Release, Rule};

/// See the module.
pub struct Shoal;

impl Rule for Shoal {
    const NAME: &'static str = "shoal";
    const RELEASE: Release = Release::Meeting;

    /// n: the cell leaves in the n-th slot of its link from now on; 0: it has left.
    fn report(queue: &Intermediate) -> u32 {
        u32::try_from(queue.place).map_or(0, |ahead| ahead + 1)
    }

    /// A cell that leaves its source in slot s arrives at the end of slot s + k - 1. The one before it leaves earlier in
    /// that slot, at the latest.
    fn release_slot(answer: &Answer) -> u64 {
        let Some(meetings) = answer.value.checked_sub(1) else { return answer.now };
        let departure = answer.departure + u64::from(meetings) * answer.epoch_slots;
        answer.now.max((departure + 1).saturating_sub(answer.delay))
    }
}
