//! What makes the difference between the rules: what a host reports of a cell, and from when on that lets the next cell
//! of its subflow go.

/// What a host knows of the queue that a cell went to, when it reports to the cell's source.
#[derive(Clone, Copy, Debug)]
pub struct Intermediate {
    /// Cells in the queue.
    pub length: u32,
    /// Destinations in the ready queue, that of the local cell in the queue included.
    pub ready: u32,
    /// Cells ahead of the one that is reported; negative if it has left.
    pub place: i32,
}

/// An answer, at the source of the cell that it is about.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// What the intermediate host reported.
    pub value: u32,
    /// The first slot in which the answer may be used.
    pub now: u64,
    /// The first slot after that of the report in which the intermediate host sends to the cell's destination.
    pub departure: u64,
    /// Slots of an epoch, P.
    pub epoch_slots: u64,
    /// Slots from a cell's departure to the first in which it may leave the next host, k.
    pub delay: u64,
}

/// When a local cell joins its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// In the first slot in which its subflow may send, however many are there already.
    AtOnce,
    /// In that slot its subflow joins a ready queue, whose first sends as soon as no local cell is in the queue.
    ReadyQueue,
    /// In the slot of its link, if no local cell is in the queue.
    Meeting,
}

/// One of the rules. A subflow has a **release slot** r; it may send in slot t if r <= t + P * (cells in its queue).
pub trait Rule {
    /// What they are called.
    const NAME: &'static str;

    /// When a local cell joins its queue.
    const RELEASE: Release;

    /// What a host reports of a cell.
    fn report(queue: &Intermediate) -> u32;

    /// The release slot of the subflow's next cell.
    fn release_slot(answer: &Answer) -> u64;
}

/// (3.2): the next cell goes at the first t with len(Q_ij(t)) + (t - T) >= value, in epochs since the answer came at T.
pub fn length_release(answer: &Answer) -> u64 {
    answer.now + u64::from(answer.value) * answer.epoch_slots
}
