//! The fast list makes the decisions of the reference: random operations at all occupancies, and the
//! cases that a structure like ours could get wrong. A second oracle for long lists is a scan of a
//! `BTreeMap`, for the reference takes too long there.

use proptest::prelude::*;
use std::collections::BTreeMap;
use ww_sched::list::fast::FastList;
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Element, Limits, OrderedList};

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ (b >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// How operations are drawn.
#[derive(Clone, Copy, Debug)]
struct Mix {
    /// Ranks and times are below this, and sometimes all-ones.
    ranks: u64,
    times: u64,
    /// Enqueues of 16 operations while the list fills, and while it drains.
    filling: u64,
    draining: u64,
    ranges: bool,
}

fn limits(capacity: u32, bits: u32) -> Limits {
    Limits::new(capacity, bits, bits).expect("legal")
}

/// `count` operations on both lists; every answer must be equal.
fn compare(fast: &mut FastList, list: &mut dyn OrderedList, mix: Mix, count: u64, seed: u64) {
    let limits = list.limits();
    let capacity = u64::from(limits.capacity);
    let mut random = Random(seed);
    let mut filling = true;
    let pick = |random: &mut Random, below: u64, max: u64| match random.below(16) {
        0 => max,
        1 => 0,
        _ => random.below(below),
    };
    for step in 0..count {
        if list.len() as u64 == capacity || list.is_empty() {
            filling = list.is_empty();
        }
        let share = if filling { mix.filling } else { mix.draining };
        let now = pick(&mut random, mix.times, limits.max_time());
        let id = random.below(capacity) as u32;
        let context = || format!("step {step}, seed {seed}, {mix:?}");
        if random.below(16) < share {
            let rank = pick(&mut random, mix.ranks, limits.max_rank());
            let eligible = pick(&mut random, mix.times, limits.max_time());
            let element = Element { id, rank, eligible };
            assert_eq!(fast.enqueue(element), list.enqueue(element), "{}", context());
        } else {
            match random.below(if mix.ranges { 4 } else { 3 }) {
                0 => assert_eq!(fast.dequeue_id(id), list.dequeue_id(id), "{}", context()),
                3 => {
                    let other = random.below(capacity) as u32;
                    let (lo, hi) = (id.min(other), id.max(other));
                    let least = list.least_eligible_in(lo..=hi);
                    assert_eq!(fast.least_eligible_in(lo..=hi), least, "{}", context());
                    let expected = list.dequeue_range(now, lo..=hi);
                    assert_eq!(fast.dequeue_range(now, lo..=hi), expected, "{}", context());
                }
                _ => assert_eq!(fast.dequeue(now), list.dequeue(now), "{}", context()),
            }
        }
        assert_eq!(fast.len(), list.len());
        assert_eq!(fast.least_eligible(), list.least_eligible(), "{}", context());
    }
}

/// More than a million operations in all, over lists that fill and drain several times.
#[test]
fn random_operations_at_every_occupancy() {
    let mut seed = 1;
    for bits in [16, 40] {
        for (capacity, count) in
            [(1, 2_000), (4, 20_000), (64, 250_000), (300, 200_000), (1500, 60_000)]
        {
            for (ranks, times) in [(1, 1 << 16), (4, 8), (1 << 16, 1 << 16), (1 << 16, 1)] {
                let mix = Mix { ranks, times, filling: 13, draining: 3, ranges: seed % 3 == 0 };
                let mut fast = FastList::new(limits(capacity, bits));
                let mut list = ReferenceList::new(limits(capacity, bits));
                compare(&mut fast, &mut list, mix, count / 4, seed);
                seed += 1;
            }
        }
    }
}

/// Narrow ranks and times: the tree over ranks has one or two levels.
#[test]
fn all_widths() {
    for (rank_bits, time_bits) in [(1, 1), (6, 3), (7, 16), (12, 5), (13, 17), (17, 1), (64, 64)] {
        let limits = Limits::new(200, rank_bits, time_bits).expect("legal");
        let mix = Mix {
            ranks: limits.max_rank(),
            times: limits.max_time(),
            filling: 12,
            draining: 4,
            ranges: true,
        };
        let mut fast = FastList::new(limits);
        compare(&mut fast, &mut ReferenceList::new(limits), mix, 20_000, u64::from(rank_bits));
    }
}

/// A list of any length by its definition: scans stop at the first that fits.
struct Scan {
    limits: Limits,
    order: BTreeMap<(u64, u64), Element>,
    places: Vec<Option<(u64, u64)>>,
    times: BTreeMap<u64, u32>,
    arrivals: u64,
}

impl Scan {
    fn new(limits: Limits) -> Self {
        let places = vec![None; limits.ids as usize];
        Self { limits, order: BTreeMap::new(), places, times: BTreeMap::new(), arrivals: 0 }
    }

    fn take(&mut self, wanted: impl Fn(&Element) -> bool) -> Option<Element> {
        let place = *self.order.iter().find(|(_, e)| wanted(e))?.0;
        let element = self.order.remove(&place)?;
        self.places[element.id as usize] = None;
        let count = self.times.get_mut(&element.eligible).expect("counted");
        *count -= 1;
        if *count == 0 {
            self.times.remove(&element.eligible);
        }
        Some(element)
    }
}

impl OrderedList for Scan {
    fn limits(&self) -> Limits {
        self.limits
    }
    fn len(&self) -> usize {
        self.order.len()
    }
    fn contains(&self, id: u32) -> bool {
        self.places[id as usize].is_some()
    }
    fn enqueue(&mut self, element: Element) -> Result<(), ww_sched::list::Refusal> {
        self.limits.admit(&element, self.contains(element.id), self.len())?;
        self.arrivals += 1;
        let place = (element.rank, self.arrivals);
        self.places[element.id as usize] = Some(place);
        self.order.insert(place, element);
        *self.times.entry(element.eligible).or_default() += 1;
        Ok(())
    }
    fn dequeue(&mut self, now: u64) -> Option<Element> {
        self.take(|e| e.eligible <= now)
    }
    fn dequeue_id(&mut self, id: u32) -> Option<Element> {
        let place = self.places[id as usize]?;
        let element = *self.order.get(&place)?;
        // The scan begins at the element itself.
        self.order.remove(&place)?;
        self.places[id as usize] = None;
        let count = self.times.get_mut(&element.eligible).expect("counted");
        *count -= 1;
        if *count == 0 {
            self.times.remove(&element.eligible);
        }
        Some(element)
    }
    fn dequeue_range(&mut self, now: u64, ids: std::ops::RangeInclusive<u32>) -> Option<Element> {
        self.take(|e| e.eligible <= now && ids.contains(&e.id))
    }
    fn least_eligible(&self) -> Option<u64> {
        self.times.first_key_value().map(|(&time, _)| time)
    }
    fn least_eligible_in(&mut self, ids: std::ops::RangeInclusive<u32>) -> Option<u64> {
        self.order.values().filter(|e| ids.contains(&e.id)).map(|e| e.eligible).min()
    }
}

/// Long lists: filled, mixed for a while, drained; ranks of all kinds.
#[test]
fn long_lists() {
    for (seed, (ranks, bits)) in [(1 << 16, 16), (3000, 16), (1 << 40, 48)].into_iter().enumerate()
    {
        let limits = limits(32 * 1024, bits);
        let (mut fast, mut list) = (FastList::new(limits), Scan::new(limits));
        let mix = Mix { ranks, times: 1 << 16, filling: 15, draining: 7, ranges: false };
        compare(&mut fast, &mut list, mix, 150_000, seed as u64);
        let now = limits.max_time();
        while let Some(element) = list.dequeue(now) {
            assert_eq!(fast.dequeue(now), Some(element));
        }
        assert_eq!((fast.dequeue(now), fast.len()), (None, 0));
    }
}

/// 64 Ki elements of one rank, eligible at mixed times: the bound must not hang on different ranks.
#[test]
fn one_rank_for_all() {
    for bits in [16, 32] {
        let limits = limits(1 << 16, bits);
        let mut fast = FastList::new(limits);
        let mut random = Random(7);
        let times: Vec<u64> = (0..1 << 16).map(|_| random.below(1 << 16)).collect();
        for (id, &eligible) in times.iter().enumerate() {
            fast.enqueue(Element { id: id as u32, rank: 9, eligible }).expect("room");
        }
        // As now grows, each step takes out everybody of that time in order of arrival.
        let mut expected: Vec<(u64, usize)> = times.iter().copied().zip(0..).collect();
        expected.sort_unstable();
        for (eligible, id) in expected {
            let element = Element { id: id as u32, rank: 9, eligible };
            assert_eq!(fast.least_eligible(), Some(eligible));
            assert_eq!(fast.dequeue(eligible), Some(element));
        }
        assert!(fast.is_empty());
    }
}

/// Ranges that were declared: the same answers as the reference, also for other ranges.
#[test]
fn parents() {
    for bits in [16, 33] {
        let limits = limits(100, bits);
        let parents: Vec<_> = (0..10).map(|p| p * 10..=p * 10 + 9).collect();
        let mut fast = FastList::with_parents(limits, parents.clone()).expect("disjoint");
        let mut list = ReferenceList::new(limits);
        let mut random = Random(5);
        for _ in 0..50_000 {
            let range = parents[random.below(10) as usize].clone();
            let now = random.below(64);
            match random.below(6) {
                0 => assert_eq!(
                    fast.dequeue_range(now, range.clone()),
                    list.dequeue_range(now, range)
                ),
                1 => {
                    assert_eq!(fast.least_eligible_in(range.clone()), list.least_eligible_in(range))
                }
                2 => assert_eq!(fast.dequeue(now), list.dequeue(now)),
                _ => {
                    let id = random.below(100) as u32;
                    let (rank, eligible) = (random.below(8), random.below(64));
                    let element = Element { id, rank, eligible };
                    assert_eq!(fast.enqueue(element), list.enqueue(element));
                }
            }
        }
        assert_eq!(fast.dequeue_range(63, 5..=14), list.dequeue_range(63, 5..=14));
    }
    let overlap = FastList::with_parents(limits(10, 8), vec![0..=4, 4..=9]);
    assert!(overlap.expect_err("overlap").contains("0 to 4 and 4 to 9"));
}

proptest! {
    /// Short sequences that shrink.
    #[test]
    fn short_sequences(
        wide in any::<bool>(),
        steps in prop::collection::vec((0..5u8, 0..40u32, 0..6u64, 0..6u64), 0..200),
    ) {
        let limits = limits(40, if wide { 20 } else { 16 });
        let (mut fast, mut list) = (FastList::new(limits), ReferenceList::new(limits));
        for (kind, id, rank, time) in steps {
            match kind {
                0 => prop_assert_eq!(fast.dequeue(time), list.dequeue(time)),
                1 => prop_assert_eq!(fast.dequeue_id(id), list.dequeue_id(id)),
                2 => {
                    let range = id..=id.saturating_add(rank as u32 * 5);
                    prop_assert_eq!(
                        fast.dequeue_range(time, range.clone()),
                        list.dequeue_range(time, range)
                    );
                }
                _ => {
                    let element = Element { id, rank, eligible: time };
                    prop_assert_eq!(fast.enqueue(element), list.enqueue(element));
                }
            }
            prop_assert_eq!(fast.least_eligible(), list.least_eligible());
        }
    }
}
