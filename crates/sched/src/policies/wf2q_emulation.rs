//! Incorrect emulations of WF2Q+ with queues that know only rank (dissertation, section 2.1, figure 2.2).
//!
//! Everything here works on packets whose start and finish times are given, one of each flow, all
//! backlogged from the beginning; virtual time is in the packets' units.

use crate::list::pifo::PifoList;
use crate::list::reference::ReferenceList;
use crate::list::{Element, Limits, OrderedList};

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tagged {
    /// How long it takes the link, in virtual time.
    pub length: u64,
    /// Start time.
    pub start: u64,
    /// Finish time.
    pub finish: u64,
}

/// What leaves, in order: the packet's number, and virtual time at that moment.
pub type Schedule = Vec<(usize, u64)>;

fn limits(packets: &[Tagged]) -> Limits {
    let count = packets.len() as u32;
    Limits { capacity: count.max(1), ids: count.max(1), rank_bits: 64, time_bits: 64 }
}

fn element(id: usize, rank: u64, eligible: u64) -> Element {
    Element { id: id as u32, rank, eligible }
}

/// All packets in a list, by `rank`, eligible from their start on.
fn filled<L: OrderedList>(mut list: L, packets: &[Tagged], rank: impl Fn(&Tagged) -> u64) -> L {
    for (id, packet) in packets.iter().enumerate() {
        // There is a place for each.
        let _ = list.enqueue(element(id, rank(packet), packet.start));
    }
    list
}

/// Serves a list: virtual time never stays behind all starts, nor behind the start of what leaves.
fn serve(packets: &[Tagged], mut list: impl OrderedList) -> Schedule {
    let (mut now, mut schedule) = (0, Schedule::new());
    while let Some(least) = list.least_eligible() {
        now = least.max(now);
        let Some(element) = list.dequeue(now) else { break };
        now = element.eligible.max(now);
        schedule.push((element.id as usize, now));
        now += packets[element.id as usize].length;
    }
    schedule
}

/// WF2Q+ itself.
pub fn ideal(packets: &[Tagged]) -> Schedule {
    serve(packets, filled(ReferenceList::new(limits(packets)), packets, |packet| packet.finish))
}

/// One PIFO by finish time: eligibility is ignored, and virtual time jumps to the start of
/// the packet that leaves.
pub fn pifo_by_finish(packets: &[Tagged]) -> Schedule {
    serve(packets, filled(PifoList::new(limits(packets)), packets, |packet| packet.finish))
}

/// One PIFO by start time: everybody is eligible in time, in the wrong order.
pub fn pifo_by_start(packets: &[Tagged]) -> Schedule {
    serve(packets, filled(PifoList::new(limits(packets)), packets, |packet| packet.start))
}

/// A PIFO by start time in front of a PIFO by finish time. At a choice, one packet at most has moved
/// from the first to the second since virtual time last rose; while the packet is on the link all the
/// others that are eligible follow. When many become eligible at once, the choice does not know them.
pub fn two_pifos(packets: &[Tagged]) -> Schedule {
    let mut waiting = filled(PifoList::new(limits(packets)), packets, |packet| packet.start);
    let mut ready = PifoList::new(limits(packets));
    let (mut now, mut schedule) = (0, Schedule::new());
    // Moves the head of the first if it is eligible.
    let advance = |waiting: &mut PifoList, ready: &mut PifoList, now: u64| {
        let eligible = waiting.least_eligible().is_some_and(|start| start <= now);
        let Some(head) = eligible.then(|| waiting.dequeue(now)).flatten() else { return false };
        let finish = packets[head.id as usize].finish;
        let _ = ready.enqueue(Element { rank: finish, ..head });
        true
    };
    loop {
        let least = [&waiting, &ready].into_iter().filter_map(|list| list.least_eligible()).min();
        let Some(least) = least else { return schedule };
        now = least.max(now);
        advance(&mut waiting, &mut ready, now);
        let Some(element) = ready.dequeue(now) else { return schedule };
        schedule.push((element.id as usize, now));
        while advance(&mut waiting, &mut ready, now) {}
        now += packets[element.id as usize].length;
    }
}
