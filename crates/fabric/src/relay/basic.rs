//! The rules `basic`: a host reports the length of the queue, (3.1), and a cell joins its queue as soon as (3.2) holds.
//! Several local cells may be in a queue, so only (3.3) bounds it.

use super::rule::{Answer, Intermediate, Release, Rule, length_release};

/// See the module.
pub struct Basic;

impl Rule for Basic {
    const NAME: &'static str = "basic";
    const RELEASE: Release = Release::AtOnce;

    fn report(queue: &Intermediate) -> u32 {
        queue.length
    }

    fn release_slot(answer: &Answer) -> u64 {
        length_release(answer)
    }
}
