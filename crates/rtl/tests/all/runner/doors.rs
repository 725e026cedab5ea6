//! AXI4-Lite and the plain control bus: the same words have the same effect.

use super::{echo, model};
use ww_rtl::manifest::ObjectKind;
use ww_rtl::runner::bus::Door;
use ww_rtl::runner::driver::{Bus, Inserted, Match, RowPlace, Table};
use ww_rtl::runner::model::Model;
use ww_rtl::runner::testbench::Testbench;

const ENTRIES: u32 = 1000;

/// The key of entry `n`.
fn key(n: u32) -> u32 {
    n.wrapping_mul(0x9e37_79b1) ^ 0x55
}

fn entry(key: u32) -> Match {
    let (key, mask) = (key.to_le_bytes().to_vec(), vec![0xff; 4]);
    Match { key, mask, prefix_length: 32, priority: 0 }
}

/// Port and change of entry `n`, as the table has them.
fn data(n: u32) -> [u8; 3] {
    let word = 1 | (n % 500) << 1 | (n % 251) << 10;
    let [a, b, c, _] = word.to_le_bytes();
    [a, b, c]
}

/// A test bench with all entries, the number of clocks that they took, and the table.
fn loaded(door: Door) -> (Testbench, Table, u64) {
    let model = Model::load(&model(), 7).expect("it was built");
    let manifest = echo::design().manifest;
    let mut bench = Testbench::new(model, &manifest).expect("it resets");
    let ObjectKind::Table(object) = &manifest.objects[1].kind else { panic!("a table") };
    let mut table = Table::open("t", 1, object, door).expect("the driver takes it");
    let begin = bench.clocks();
    for n in 0..ENTRIES {
        let inserted = table.insert(&mut bench, &entry(key(n)), &data(n)).expect("there is room");
        assert!(matches!(inserted, Inserted::Number(_)), "{n}");
    }
    let clocks = bench.clocks() - begin;
    (bench, table, clocks)
}

/// All rows of the table, read through the plain bus.
fn rows(bench: &mut Testbench) -> Vec<Vec<u8>> {
    let mut bus = Bus::new(Door::Back);
    let mut all = Vec::new();
    for (memory, count) in [(0, 512), (1, 512), (2, 512), (3, 512), (4, 4)] {
        for index in 0..count {
            let place = RowPlace { window: 1, memory, index };
            all.push(bus.read_row(bench, place, 51).expect("it is there"));
        }
    }
    all
}

/// Ports and changed bytes of frames with these keys.
fn lookups(bench: &mut Testbench, keys: impl Iterator<Item = u32>) -> Vec<(u32, u8)> {
    for key in keys {
        let mut frame = key.to_be_bytes().to_vec();
        frame.extend([0; 60]);
        bench.push(0, 3, 0, &frame);
    }
    bench.run().expect("it ends");
    std::iter::from_fn(|| bench.pop()).map(|frame| (frame.port, frame.bytes[4])).collect()
}

#[test]
fn both_doors_lead_to_the_same_tables() {
    let (mut back, table, back_clocks) = loaded(Door::Back);
    let (mut axi, _, axi_clocks) = loaded(Door::Axi);
    assert_eq!(table.count(), ENTRIES);
    // The back door is there because it is faster.
    assert!(back_clocks < axi_clocks, "{back_clocks} {axi_clocks}");
    let all = rows(&mut back);
    assert_eq!(all, rows(&mut axi));
    let used = all.iter().filter(|row| row[6] >> 2 & 1 == 1).count();
    assert_eq!(used as u32, ENTRIES);

    let keys = || (0..ENTRIES).map(key).chain([1, 2, 3]);
    let found = lookups(&mut back, keys());
    let expected: Vec<_> = (0..ENTRIES).map(|n| (n % 500, (n % 251) as u8)).collect();
    assert_eq!(found, expected, "and what is not in the table is dropped");
    assert_eq!(found, lookups(&mut axi, keys()));
}

#[test]
fn changes_arrive() {
    for door in [Door::Back, Door::Axi] {
        let (mut bench, mut table, _) = loaded(door);
        let again = table.insert(&mut bench, &entry(key(5)), &data(9)).expect("an answer");
        assert_eq!(again, Inserted::Exists);
        table.modify(&mut bench, &entry(key(5)), &data(9)).expect("it is there");
        table.delete(&mut bench, &entry(key(6))).expect("it is there");
        assert!(table.delete(&mut bench, &entry(key(6))).is_err());
        table.set_default(&mut bench, &data(77)).expect("it has one");
        let found = lookups(&mut bench, [key(5), key(6), key(7)].into_iter());
        assert_eq!(found, [(9, 9), (77, 77), (7, 7)]);
        assert!(table.find(&entry(key(6))).is_none() && table.find(&entry(key(7))).is_some());
        table.clear(&mut bench).expect("it answers");
        assert_eq!((table.count(), lookups(&mut bench, [key(7)].into_iter())), (0, vec![(77, 77)]));
    }
}

#[test]
fn a_window_that_is_not_there() {
    let (mut bench, ..) = loaded(Door::Axi);
    let place = RowPlace { window: 3, memory: 0, index: 0 };
    let refused = Bus::new(Door::Axi).read_row(&mut bench, place, 32).expect_err("no such object");
    assert!(refused.to_string().contains("refuses a"), "{refused}");
}
