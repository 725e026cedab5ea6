//! The rules `literal`: ready queues, and the report of (3.6) as it is printed, len(Q) + len(R) - 1, or 0 if that is less.
//! It says one too few while R is empty, and some queues exceed (3.5) by a cell.

use super::rule::{Answer, Intermediate, Release, Rule, length_release};

/// See the module.
pub struct Literal;

impl Rule for Literal {
    const NAME: &'static str = "literal";
    const RELEASE: Release = Release::ReadyQueue;

    fn report(queue: &Intermediate) -> u32 {
        (queue.length + queue.ready).saturating_sub(1)
    }

    fn release_slot(answer: &Answer) -> u64 {
        length_release(answer)
    }
}
