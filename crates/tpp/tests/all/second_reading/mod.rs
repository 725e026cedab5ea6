//! The golden model against an independent reading of the specification, on random TPPs.
//!
//! `reader` is written in another style on purpose: it takes the TPP apart as a string of binary digits,
//! knows nothing of the crate's types, and computes the checksum anew from all words.

mod reader;

use reader::{Cell, Switch};
use std::collections::HashMap;
use ww_tpp::execute::{AbsentGuard, Settings, execute};
use ww_tpp::header::{Mode, WordSize};
use ww_tpp::instruction::Instruction;
use ww_tpp::packet::{Malformed, Repr, Tpp};
use ww_tpp::protection::{Operation, Protection, Rule};
use ww_tpp::switch_memory::PlainMemory;

/// xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Addresses that the random switches may have: read-only, writable, wide, a TPP's own field, absent.
const ADDRESSES: [u16; 10] =
    [0x0000, 0x0004, 0x0005, 0x1141, 0x800a, 0x800b, 0xb000, 0xc243, 0xd000, 0xd001];

fn random_value(random: &mut Random) -> u32 {
    // Small values, so that comparisons hold now and then; high halves, too.
    let low = random.below(4) as u32;
    match random.below(4) {
        0 => low | (random.below(3) as u32) << 16,
        1 => u32::MAX - low,
        _ => low,
    }
}

fn random_tpp(random: &mut Random) -> Repr {
    let word = if random.one_in(2) { WordSize::Two } else { WordSize::Four };
    let mode = if random.one_in(2) { Mode::Hop } else { Mode::Stack };
    let size = word.bytes();
    let most = if random.one_in(10) { 60 } else { 10 };
    let words = random.below(most) as usize;
    let instruction = |random: &mut Random| {
        let address = ADDRESSES[random.below(10) as usize];
        let mut operand = || match random.below(12) {
            0 => 63,
            1 => random.below(64) as u32,
            _ => random.below(6) as u32,
        };
        let operands = operand() << 6 | operand();
        let opcode = if random.one_in(20) { random.below(16) } else { random.below(8) } as u32;
        Instruction(opcode << 28 | u32::from(address) << 12 | operands)
    };
    let memory = (0..words).flat_map(|_| {
        // Addresses, for LOADI.
        let value = match random.one_in(4) {
            true => ADDRESSES[random.below(10) as usize].into(),
            false => random_value(random),
        };
        value.to_be_bytes()[4 - size..].to_vec()
    });
    let memory: Vec<u8> = memory.collect();
    Repr {
        mode,
        word,
        marks: (random.below(2) as u8) << 3 | if random.one_in(30) { 0x10 } else { 0 },
        hop: if random.one_in(10) { 255 } else { random.below(4) as u8 },
        stack_pointer: (random.below(words as u64 + 1) as usize * size) as u8,
        hop_length: (random.below(5) as usize * size) as u8,
        app_tag: random.below(2) as u8,
        protocol: random.below(0x10000) as u16,
        instructions: (0..random.below(6)).map(|_| instruction(random)).collect(),
        memory,
    }
}

#[test]
fn check_8_a_hundred_thousand_random_tpps() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for round in 0..100_000 {
        let tpp = random_tpp(&mut random);
        let mut memory = PlainMemory::new();
        let mut switch = Switch::default();
        for address in ADDRESSES {
            if address == 0xc243 || random.one_in(4) {
                continue;
            }
            let (value, writable) = (random_value(&mut random), random.one_in(2));
            memory.set(address, value, writable);
            switch.cells.insert(address, Cell { value, writable });
        }
        switch.writes_enabled = !random.one_in(5);
        switch.absent_guard_fails = random.one_in(2);
        let mut rules = Vec::new();
        for _ in 0..random.below(12) {
            let first = ADDRESSES[random.below(10) as usize];
            let last = first.saturating_add(random.below(0x4000) as u16);
            let write = random.one_in(2);
            let app_tag = random.below(2) as u8;
            let operation = if write { Operation::Write } else { Operation::Read };
            rules.push(Rule { app_tag, operation, first, last });
        }
        let guarded = random.one_in(3);
        let table = Protection::new(&rules);
        if guarded {
            let rule = |r: &Rule| (r.app_tag, r.operation == Operation::Write, r.first..=r.last);
            switch.rules = Some(rules.iter().map(rule).collect());
        }
        let settings = Settings {
            writes_enabled: switch.writes_enabled,
            absent_guard: match switch.absent_guard_fails {
                true => AbsentGuard::Fails,
                false => AbsentGuard::Skipped,
            },
            protection: guarded.then_some(&table),
        };
        let before = tpp.emit();
        let mut ours = before.clone();
        let mut theirs = before.clone();
        // Three hops at the same switch, so that what one leaves meets the next.
        for hop in 0..3 {
            let mut view = Tpp::new(ours.as_mut_slice()).expect("a TPP");
            let report = execute(&mut view, &mut memory, &settings);
            let skipped = reader::execute(&mut theirs, &mut switch);
            assert_eq!(ours, theirs, "round {round}, hop {hop}: {tpp:x?}");
            for (address, cell) in &switch.cells {
                assert_eq!(memory.get(*address), Some(cell.value), "round {round}: {address:04x}");
            }
            let counts = [
                ("absent", report.absent),
                ("denied", report.denied),
                ("read only", report.read_only),
                ("disabled", report.disabled),
                ("out of memory", report.out_of_memory),
                ("reserved", report.reserved),
                ("guard failed", report.guard_failed.into()),
            ];
            for (name, count) in counts {
                *seen.entry(name).or_default() += u32::from(count);
                let expected = skipped.iter().filter(|reason| **reason == name).count();
                assert_eq!(usize::from(count), expected, "round {round}, {name}: {tpp:x?}");
            }
        }
        if memory != PlainMemory::new() && ours != before {
            *seen.entry("changed").or_default() += 1;
        }
    }
    // Nothing of that is rare.
    assert_eq!(seen.len(), 8);
    assert!(seen.values().all(|count| *count > 1000), "{seen:?}");
}

#[test]
fn random_bytes_are_judged_alike() {
    let mut random = Random(7);
    let mut found: HashMap<Option<Malformed>, u32> = HashMap::new();
    for _ in 0..20_000 {
        let mut bytes = random_tpp(&mut random).emit();
        // Change some header bytes; mostly the checksum is put right again.
        for _ in 0..random.below(3) {
            let at = random.below(8) as usize;
            bytes[at] = match random.one_in(2) {
                true => bytes[at] ^ 1 << random.below(8),
                false => random.below(256) as u8,
            };
        }
        if random.one_in(10) {
            bytes.truncate(random.below(bytes.len() as u64) as usize);
        }
        if !random.one_in(8) {
            reader::fix_checksum(&mut bytes);
        }
        let ours = Tpp::new(bytes.as_slice()).err();
        assert_eq!(ours.map(Malformed::word), reader::fault(&bytes), "{bytes:02x?}");
        *found.entry(ours).or_default() += 1;
    }
    assert_eq!(found.len(), Malformed::ALL.len() + 1, "{found:?}");
}
