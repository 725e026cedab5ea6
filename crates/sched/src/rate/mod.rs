//! How many pairs of dequeue and enqueue a second a list does on this machine, beside what others
//! would use: for `ww sched bench`.
//!
//! A round begins with N flows with random ranks (and eligible times), which is not measured, and has N
//! steps: take out the first element that is eligible, put the flow back with a new rank and time. With
//! 16-bit ranks the new rank is random; with 64-bit ranks it is the old one plus a random amount, as
//! finish times are. Rounds start anew because with ranks of limited size a list that goes on forever
//! ends with all flows at the largest rank.

mod peers;

use crate::list::fast::FastList;
use crate::list::{Element, Limits, OrderedList};
use peers::{Bitmap, Heap, Maps};
use std::time::Duration;

/// When flows are eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eligibility {
    /// Always.
    All,
    /// From a random 16-bit time on; the clock rises from 0 to 65,535 in a round.
    Rising,
    /// From a random 16-bit time on; the clock is a random 16-bit number at every step.
    Random,
}

impl Eligibility {
    /// As `ww sched bench` names it.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Rising => "rising",
            Self::Random => "random",
        }
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Flows, all of them in the list.
    pub flows: u32,
    /// Bits of a rank: 16, or 64.
    pub rank_bits: u32,
    /// When flows are eligible.
    pub eligibility: Eligibility,
}

/// A measured rate.
#[derive(Clone, Debug)]
pub struct Rate {
    /// Who.
    pub name: &'static str,
    /// On what.
    pub load: Load,
    /// Dequeues that found an element, each followed by an enqueue, a second.
    pub pairs_per_second: f64,
    /// Share of the dequeues that found no eligible element, 0 to 1.
    pub empty: f64,
}

/// What can be measured.
trait Queue {
    fn push(&mut self, id: u32, rank: u64, eligible: u64);
    /// Id and rank.
    fn pop(&mut self, now: u64) -> Option<(u32, u64)>;
}

impl Queue for FastList {
    #[inline]
    fn push(&mut self, id: u32, rank: u64, eligible: u64) {
        let admitted = self.enqueue(Element { id, rank, eligible });
        debug_assert_eq!(admitted, Ok(()));
    }
    #[inline]
    fn pop(&mut self, now: u64) -> Option<(u32, u64)> {
        self.dequeue(now).map(|e| (e.id, e.rank))
    }
}

/// Measures our list and those peers that can do the load, each for `time` of `clock`.
pub fn measure(load: Load, time: Duration, clock: &dyn Fn() -> Duration) -> Vec<Rate> {
    let Load { flows, rank_bits, eligibility } = load;
    let time_bits = if rank_bits > 16 { 64 } else { 16 };
    let limits = Limits { capacity: flows, ids: flows, rank_bits, time_bits };
    let mut rates = vec![run("fast", load, time, clock, || FastList::new(limits))];
    // A map of those that wait and a map of those that are ready need a clock that does not go back.
    if eligibility != Eligibility::Random {
        rates.push(run("btreemaps", load, time, clock, Maps::default));
    }
    if eligibility == Eligibility::All {
        rates.push(run("heap", load, time, clock, Heap::default));
        if rank_bits <= 16 {
            rates.push(run("bitmap", load, time, clock, || Bitmap::new(flows)));
        }
    }
    rates
}

fn run<Q: Queue>(
    name: &'static str,
    load: Load,
    time: Duration,
    clock: &dyn Fn() -> Duration,
    new: impl Fn() -> Q,
) -> Rate {
    let mut random = Random(1);
    let (mut spent, mut pairs, mut steps) = (Duration::ZERO, 0u64, 0u64);
    // The first round warms up.
    for round in 0.. {
        let mut queue = new();
        for id in 0..load.flows {
            let (rank, eligible, _) = random.draw(&load, 0);
            queue.push(id, rank, eligible);
        }
        let start = clock();
        let found = steps_of_a_round(&mut queue, &load, &mut random);
        let took = clock().saturating_sub(start);
        if round > 0 {
            spent += took;
            pairs += found;
            steps += u64::from(load.flows);
        }
        if spent >= time {
            break;
        }
    }
    Rate {
        name,
        load,
        pairs_per_second: pairs as f64 / spent.as_secs_f64(),
        empty: 1.0 - pairs as f64 / steps as f64,
    }
}

#[inline(never)]
fn steps_of_a_round<Q: Queue>(queue: &mut Q, load: &Load, random: &mut Random) -> u64 {
    let mut found = 0;
    let step = u64::from(u16::MAX) * (1 << 32) / u64::from(load.flows);
    for n in 0..u64::from(load.flows) {
        let drawn = random.next();
        let now = match load.eligibility {
            Eligibility::All => 0,
            Eligibility::Rising => (n * step) >> 32,
            Eligibility::Random => drawn >> 48,
        };
        if let Some((id, rank)) = queue.pop(now) {
            found += 1;
            let (rank, eligible, _) = Random::shape(load, drawn, rank);
            queue.push(id, rank, eligible);
        }
    }
    found
}

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ (b >> 31)
    }

    fn draw(&mut self, load: &Load, rank: u64) -> (u64, u64, u64) {
        let drawn = self.next();
        Self::shape(load, drawn, rank)
    }

    /// A rank and an eligible time from a random number, and the number.
    #[inline]
    fn shape(load: &Load, drawn: u64, rank: u64) -> (u64, u64, u64) {
        let eligible = match load.eligibility {
            Eligibility::All => 0,
            _ => drawn >> 32 & 0xffff,
        };
        let rank = match load.rank_bits > 16 {
            true => rank + (drawn & 0xffff_ffff),
            false => drawn & 0xffff,
        };
        (rank, eligible, drawn)
    }
}
