//! `ww_cuckoo` beside a map: lookups in each clock while keys come, go and are moved.

use std::collections::{HashMap, VecDeque};
use ww_rtl::bench::{Bench, Top};
use ww_tcp::random::Random;

/// Clocks from a lookup to its result.
const LATENCY: usize = 5;

/// What a lookup may answer.
#[derive(Debug)]
struct Expected {
    key: u64,
    /// With which value, or that there is none: one of these.
    allowed: Vec<Option<u64>>,
}

struct Table {
    bench: Bench,
    random: Random,
    map: HashMap<u64, u64>,
    /// The update on its way: key, value or deletion.
    update: Option<(u64, Option<u64>)>,
    flight: VecDeque<Option<Expected>>,
    /// Keys that may be looked up.
    keys: Vec<u64>,
    lookups: u64,
    hits: u64,
    /// Clocks without a lookup: one in so many; 0: none has one.
    gaps: u64,
}

impl Table {
    fn new(buckets: u64, seed: u64, gaps: u64) -> Self {
        let top = Top::of("ww_cuckoo").with("BUCKETS", buckets).with("STASH", 8u64);
        let mut bench = Bench::new(&top).expect("Verilator is there");
        bench.reset(2).unwrap();
        let (random, map, keys) = (Random(seed), HashMap::new(), Vec::new());
        let mut table = Self {
            bench,
            random,
            map,
            update: None,
            flight: VecDeque::new(),
            keys,
            lookups: 0,
            hits: 0,
            gaps,
        };
        let mut clocks = 0;
        while !table.bench.is("update_ready") {
            table.bench.cycle().unwrap();
            clocks += 1;
        }
        assert_eq!(clocks, 4 * buckets + 8, "a clock for each row and slot");
        table
    }

    /// One clock, with a lookup of a key that has been, is or will be there.
    fn clock(&mut self) {
        let looks_up = self.gaps > 0 && !self.random.once_in(self.gaps) && !self.keys.is_empty();
        self.bench.set("lookup_valid", u64::from(looks_up));
        let mut expected = None;
        if looks_up {
            let key = self.random.pick(&self.keys) ^ u64::from(self.random.once_in(10));
            self.bench.set("lookup_key", key);
            let mut allowed = vec![self.map.get(&key).copied()];
            if let Some((changing, value)) = self.update
                && changing == key
            {
                allowed.push(value);
            }
            expected = Some(Expected { key, allowed });
        }
        self.flight.push_back(expected);
        self.bench.settle().unwrap();
        self.bench.edge().unwrap();
        self.bench.settle().unwrap();
        // What has come of the update counts for lookups on their way, too.
        if self.flight.len() == LATENCY
            && let Some(Some(expected)) = self.flight.pop_front()
        {
            let hit = self.bench.is("result_hit");
            let got = hit.then(|| self.bench.get("result_data"));
            assert!(expected.allowed.contains(&got), "{got:?} for {expected:?}");
            self.lookups += 1;
            self.hits += u64::from(hit);
        }
    }

    /// Puts a key in or takes it out, and says how many clocks that took and whether it was done.
    fn update(&mut self, key: u64, value: Option<u64>) -> (u32, bool) {
        self.bench.set("update_valid", 1);
        self.bench.set("update_delete", u64::from(value.is_none()));
        self.bench.set("update_key", key);
        self.bench.set("update_data", value.unwrap_or(0));
        self.bench.settle().unwrap();
        while !self.bench.is("update_ready") {
            self.clock();
        }
        self.update = Some((key, value));
        self.flight
            .iter_mut()
            .flatten()
            .filter(|e| e.key == key)
            .for_each(|e| e.allowed.push(value));
        self.clock();
        self.bench.set("update_valid", 0);
        let mut clocks = 1;
        while !self.bench.is("update_done") {
            self.clock();
            clocks += 1;
            assert!(clocks < 100_000, "an update comes to an end");
        }
        let failed = self.bench.is("update_failed");
        self.update = None;
        if !failed {
            match value {
                Some(value) => self.map.insert(key, value),
                None => self.map.remove(&key),
            };
        }
        self.clock();
        assert_eq!(self.bench.get("entries"), self.map.len() as u64);
        (clocks, !failed)
    }

    /// A key as the TCP engine has it: peer's address and port, our port.
    fn key(&mut self) -> u64 {
        let (address, port) = (self.random.below(1 << 12), self.random.below(1 << 16));
        (0x0a01_0000 + address) << 32 | port << 16 | self.random.pick(&[80, 443, 5_001])
    }
}

#[test]
fn no_key_is_missed_while_others_move() {
    for (seed, gaps) in [(1, 2), (2, 5), (3, 50)] {
        let mut table = Table::new(64, seed, gaps);
        let mut failures = 0;
        for _ in 0..1_500 {
            let full = table.map.len() > 240;
            let what = table.random.below(if full { 4 } else { 10 });
            if what < 3 && !table.map.is_empty() {
                let keys: Vec<u64> = table.map.keys().copied().collect();
                let key = table.random.pick(&keys);
                let value = (what == 0).then(|| table.random.below(1 << 16));
                assert!(table.update(key, value).1, "a key that is there is changed or taken out");
            } else {
                let key = table.key();
                let value = table.random.below(1 << 16);
                table.keys.push(key);
                failures += u32::from(!table.update(key, Some(value)).1);
            }
            let gone = table.key();
            assert!(!table.update(gone, None).1 || table.map.contains_key(&gone));
            (0..table.random.below(6)).for_each(|_| table.clock());
        }
        assert!(
            table.hits > 2_000 && table.lookups > table.hits,
            "{} {}",
            table.hits,
            table.lookups
        );
        assert!(failures < 200, "{failures}");
    }
}

/// Nine tenths of the rows are filled, ten times, with keys as TCP has them; deletion frees them again.
#[test]
fn nine_tenths_of_the_rows_are_filled() {
    let mut table = Table::new(256, 7, 0);
    for _ in 0..10 {
        let mut slowest = 0;
        while table.map.len() < 922 {
            let key = table.key();
            let value = table.random.below(1 << 16);
            let (clocks, done) = table.update(key, Some(value));
            assert!(
                done,
                "{} entries, {} of them in the stash",
                table.map.len(),
                table.bench.get("stashed")
            );
            slowest = slowest.max(clocks);
        }
        assert!(slowest < 64 * 24, "{slowest} clocks");
        let keys: Vec<u64> = table.map.keys().copied().collect();
        keys.iter().for_each(|&key| assert!(table.update(key, None).1));
        assert_eq!(table.bench.get("stashed"), 0);
    }
}

/// Updates that need no move take so many clocks, without lookups: look (7), write to the stash, hash, a read of 3
/// clocks a way until one is free, write, clear, done.
#[test]
fn updates_take_so_many_clocks() {
    let mut table = Table::new(64, 9, 0);
    let clocks = table.update(5, Some(1)).0;
    assert_eq!(clocks, 7 + 1 + 1 + 1 + 3 + 1 + 1, "a new key");
    assert_eq!(table.update(5, Some(2)).0, 9, "another value");
    assert_eq!(table.update(5, None).0, 9, "a deletion");
    assert_eq!(table.update(5, None), (8, false), "no such key");
}
