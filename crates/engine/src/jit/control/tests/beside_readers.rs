//! Requests while packets flow; many entries.

use super::load;
use crate::interp::Options;
use crate::jit::Jit;
use crate::jit::abi::{CounterCell, RECORD_ARGUMENTS, cells_apart};
use crate::jit::control::{Objects, Reader};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use ww_dataplane::control::*;
use ww_p4::pipeline::TableId;

fn set_a(argument: u32) -> Target {
    Target::Action(ActionData { action: 0, arguments: vec![argument.into()] })
}

fn route(address: u32, prefix_len: u32, argument: u32) -> NewEntry {
    let keys = vec![KeyMatch::Lpm { value: address.into(), prefix_len }];
    NewEntry { keys, priority: 0, target: set_a(argument) }
}

/// First argument of what a lookup finds in a table.
///
/// # Safety
/// The key has the words of the table's layout, and the record an argument.
unsafe fn argument(generation: &super::super::Generation, table: TableId, key: u64) -> (u32, u64) {
    let view = generation.views[table.index()];
    // SAFETY: the caller's promise; the generation is pinned.
    unsafe {
        let number = (view.lookup)(view.index, &raw const key);
        let record = *view.records.add(number as usize);
        (number, *record.byte_add(RECORD_ARGUMENTS).cast::<u64>())
    }
}

/// Looks two tables up until `done`: they must agree. Returns how many different states it saw.
fn read(mut reader: Reader, tables: [TableId; 2], done: &AtomicBool) -> u64 {
    let (mut last, mut states, mut rounds) = ((0, 0), 0, 0u64);
    while !done.load(Relaxed) {
        rounds += 1;
        let pinned = reader.pin();
        // SAFETY: both tables have one key of up to 64 bits, and all actions an argument.
        let [a, b] = tables.map(|table| unsafe { argument(&pinned, table, 4) });
        assert_eq!(a.1, b.1, "one state in both tables, generation {}", pinned.number);
        assert!(pinned.number >= last.0);
        states += u64::from((pinned.number, a.1) != last);
        last = (pinned.number, a.1);
        drop(pinned);
        if rounds % 512 == 0 {
            std::thread::yield_now();
        }
    }
    states
}

#[test]
fn packets_see_both_tables_change_at_once() {
    const UPDATES: u32 = 100_000;
    let mut loaded = load(2);
    let names = ["counted", "routes"];
    let indices = names.map(|name| loaded.control.schema().table(name).expect("it is there"));
    let id = |name: &str| {
        let found =
            loaded.pipeline.tables.iter().position(|t| t.name.ends_with(&format!(".{name}")));
        TableId(found.expect("it is there") as u32)
    };
    let ids = names.map(id);
    let control = &mut loaded.control;
    control.hold().expect("taken");
    // Action 0 is `set_a` in both; the defaults must have an argument, too.
    indices.iter().for_each(|t| control.table_set_default(*t, set_a(0)).expect("allowed"));
    control.release().expect("taken");
    let done = AtomicBool::new(false);
    let readers = std::mem::take(&mut loaded.readers);
    let states: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            readers.into_iter().map(|reader| scope.spawn(|| read(reader, ids, &done))).collect();
        let mut handles = [None; 2];
        for n in 0..UPDATES {
            let value = n % 251;
            control.hold().expect("taken");
            for (table, handle) in indices.iter().zip(&mut handles) {
                match (n % 3, *handle) {
                    (0, None) => {
                        let entry = route(4, 32, value);
                        *handle = Some(control.table_insert(*table, entry).expect("room"));
                    }
                    (2, Some(entry)) => {
                        control.table_delete(*table, entry).expect("it is there");
                        control.table_set_default(*table, set_a(value)).expect("allowed");
                        *handle = None;
                    }
                    (_, Some(entry)) => {
                        control.table_modify(*table, entry, set_a(value)).expect("it is there");
                    }
                    (_, None) => unreachable!("inserted in the update before"),
                }
            }
            control.release().expect("taken");
        }
        done.store(true, Relaxed);
        threads.into_iter().map(|t| t.join().expect("no reader saw a mixture")).collect()
    });
    assert!(states.iter().all(|n| *n > 20), "the readers ran beside the updates: {states:?}");
    control.settle();
    // Two defaults, two initial ones, and at most one entry each.
    let (live, all) = (control.live_records(), 2 * control.schema().tables.len() + 20);
    assert!(live <= all, "{live} records are left");
}

fn count(objects: &Objects, worker: usize, counter: CounterIndex, cell: usize, bytes: u64) {
    add(objects.counter_cells(worker)[counter.index()], cell, bytes);
}

fn add(cells: *mut CounterCell, cell: usize, bytes: u64) {
    // SAFETY: the cell is inside, and this thread stands for the worker.
    unsafe {
        let cell = cells.add(cell);
        (*cell).packets += 1;
        (*cell).bytes += bytes;
    }
}

#[test]
fn workers_counters_add_up() {
    let mut loaded = load(2);
    let counter = loaded.control.schema().counter("I.cells").expect("it is there");
    count(&loaded.objects, 0, counter, 3, 100);
    count(&loaded.objects, 1, counter, 3, 50);
    let read = |c: &mut dyn Control, n| {
        let CounterValue { packets, bytes } = c.counter_read(counter, n).expect("inside");
        (packets, bytes)
    };
    assert_eq!(read(&mut loaded.control, 3), (2, 150));
    let value = CounterValue { packets: 7, bytes: 0 };
    loaded.control.counter_write(counter, Some(3), value).expect("inside");
    count(&loaded.objects, 1, counter, 3, 9);
    assert_eq!(read(&mut loaded.control, 3), (8, 9));
    loaded.control.reset_state().expect("taken");
    assert_eq!(read(&mut loaded.control, 3), (0, 0));
}

#[test]
fn an_entrys_counter_and_meter_outlive_changes_of_its_target() {
    let mut loaded = load(2);
    let table = loaded.control.schema().table("counted").expect("it is there");
    let schema = loaded.control.schema();
    let info = &schema[table];
    let (counter, meter) = (info.counter.expect("direct"), info.meter.expect("direct"));
    let entry = loaded.control.table_insert(table, route(4, 32, 1)).expect("room");
    let rate = MeterRate { units_per_microsecond: 1.0, burst: 1 };
    let rates = MeterRates { committed: rate, peak: MeterRate { burst: 2, ..rate } };
    loaded.control.meter_set_rates(meter, Some(entry.0), Some(rates)).expect("it is there");
    let id = loaded.pipeline.tables.iter().position(|t| t.name.ends_with(".counted"));
    let id = TableId(id.expect("it is there") as u32);
    let packet = |reader: &mut Reader, worker: usize| {
        let pinned = reader.pin();
        let view = pinned.views[id.index()];
        let key = 4u64;
        // SAFETY: the generation is pinned, the key has one word.
        unsafe {
            let number = (view.lookup)(view.index, &raw const key);
            let record = *view.records.add(number as usize);
            add((*record).counter, worker * cells_apart(2), 10);
            let mut objects = loaded.objects.ordered();
            objects.direct_meter_execute(meter, (*record).meter, 0, 10);
            objects.colour(meter)
        }
    };
    assert_eq!(packet(&mut loaded.readers[0], 0), 0);
    loaded.control.table_modify(table, entry, set_a(2)).expect("it is there");
    assert_eq!(packet(&mut loaded.readers[1], 1), 1);
    loaded.control.table_modify(table, entry, set_a(3)).expect("it is there");
    assert_eq!(packet(&mut loaded.readers[1], 1), 2);
    let value = loaded.control.counter_read(counter, entry.0).expect("it is there");
    assert_eq!(value, CounterValue { packets: 3, bytes: 30 });
    assert_eq!(loaded.control.meter_rates(meter, entry.0), Ok(Some(rates)));
}

#[test]
fn objects_that_packets_change() {
    let mut loaded = load(1);
    let schema = loaded.control.schema();
    let large = schema.register("I.large").expect("it is there");
    let errors = schema.register("errors").expect("it is there");
    let meter = schema.meter("I.meters").expect("it is there");
    let mut objects = loaded.objects.ordered();
    objects.register_write(large, 4, &[5, 6]);
    objects.register_write(large, 5, &[7, 7]);
    let mut words = [1, 1];
    objects.register_read(large, 5, &mut words);
    assert_eq!(words, [1, 1]);
    objects.register_read(large, 4, &mut words);
    assert_eq!(words, [5, 6]);
    assert_eq!(objects.meter_execute(meter, 2, 0, 1 << 40), 0);
    let digest = |n| Digest { receiver: n, name: "d".into(), fields: Vec::new(), at: 0 };
    (0..crate::interp::DIGEST_LIMIT as u32 + 3).for_each(|n| objects.push_digest(digest(n)));
    assert_eq!(objects.digests_lost(), 3);
    drop(objects);
    let written = (num_bigint::BigUint::from(6u32) << 64) + 5u32;
    assert_eq!(loaded.control.register_read(large, 4), Ok(written));
    let initial = loaded.reference.register_read(errors, 0);
    assert_eq!(loaded.control.register_read(errors, 0), initial);
    let digests = loaded.control.take_digests().expect("digests");
    assert_eq!((digests[0].receiver, digests.len()), (3, crate::interp::DIGEST_LIMIT));
    assert!(loaded.control.take_digests().expect("digests").is_empty());
}

#[test]
fn lost_digests_are_counted_once() {
    let program = super::program(include_str!("all_kinds.p4"));
    let jit = Jit::with_workers(Arc::new(program), Options::default(), 3).expect("supported");
    let (control, workers) = jit.split();
    let digest = |n| Digest { receiver: n, name: "d".into(), fields: Vec::new(), at: 0 };
    let mut objects = control.objects().ordered();
    (0..crate::interp::DIGEST_LIMIT as u32 + 5).for_each(|n| objects.push_digest(digest(n)));
    drop(objects);
    let mut sum = ww_dataplane::Statistics::default();
    workers.iter().for_each(|worker| sum.add(worker.statistics()));
    assert_eq!(sum.digests_lost, 5);
}

/// How long it takes is printed: `cargo test --release -p wirewright-engine --lib a_million_routes
/// -- --nocapture`.
#[test]
fn a_million_routes_fit_into_64_mebibytes() {
    const ROUTES: u32 = 1_000_000;
    let mut loaded =
        super::load_text(&include_str!("all_kinds.p4").replace("size = 40;", "size = 2000000;"), 1);
    let table = loaded.control.schema().table("routes").expect("it is there");
    let begin = Instant::now();
    loaded.control.hold().expect("taken");
    let mut address = 1u32;
    for n in 0..ROUTES {
        address = address.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let length = [24, 24, 24, 24, 23, 22, 21, 20, 19, 16][n as usize % 10];
        let entry = route(address & (u32::MAX << (32 - length)), length, n % 200);
        // Some prefixes come twice.
        let _ = loaded.control.table_insert(table, entry);
    }
    let inserted = begin.elapsed();
    loaded.control.release().expect("taken");
    let published = begin.elapsed();
    loaded.control.settle();
    let all = begin.elapsed();
    let entries = loaded.control.table_entries(table).expect("the table exists").len();
    let bytes = loaded.control.table_memory();
    println!("{entries} routes: inserts {inserted:?}, seen after {published:?}, settled {all:?}");
    println!("{} MB of entries and indices", bytes / 1_000_000);
    assert!(entries > 700_000, "only {entries} different routes");
    assert!(bytes <= 64 << 20, "{bytes} bytes");
}
