//! The rules `consistent`: ready queues, and the report of (3.6) with the local cell of the queue counted once,
//! len(Q) + max(len(R) - 1, 0).

use super::rule::{Answer, Intermediate, Release, Rule, length_release};

/// See the module.
pub struct Consistent;

impl Rule for Consistent {
    const NAME: &'static str = "consistent";
    const RELEASE: Release = Release::ReadyQueue;

    fn report(queue: &Intermediate) -> u32 {
        queue.length + queue.ready.saturating_sub(1)
    }

    fn release_slot(answer: &Answer) -> u64 {
        length_release(answer)
    }
}
