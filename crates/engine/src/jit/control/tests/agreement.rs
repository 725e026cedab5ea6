//! Both control planes answer the same to the same requests, and packets see the same tables.

use super::driver::{dump, perform, request};
use super::packets::Model;
use super::{Random, load};
use ww_dataplane::control::{Control, Request};

/// A run of requests. Every so often all that can be read is compared, and what packets see.
fn compare(seed: u64, requests: usize) {
    let mut loaded = load(2);
    let mut random = Random(seed);
    let mut model = Model::new(&loaded.reference.schema());
    assert_eq!(dump(&mut loaded.control), dump(&mut loaded.reference), "after loading");
    let (mut done, mut refused, mut is_held) = (0, 0, false);
    let mut lookups = (0, 0);
    for n in 0..requests {
        let request = request(&mut random, &loaded.reference.schema());
        let before = loaded.control.generation().expect("a number");
        let expected = perform(&mut loaded.reference, &request);
        let found = perform(&mut loaded.control, &request);
        assert_eq!(found, expected, "seed {seed}, request {n}: {request:?}");
        if let (Err(a), Err(b)) = (&found, &expected) {
            assert_eq!(a.to_string(), b.to_string());
        }
        match expected.is_ok() {
            true => done += 1,
            false => {
                refused += 1;
                assert_eq!(loaded.control.generation().expect("a number"), before, "{request:?}");
            }
        }
        match request {
            Request::Hold {} => is_held = true,
            Request::Release {} => is_held = false,
            _ => {}
        }
        if expected.is_ok() {
            model.note(&request, &loaded.reference);
        }
        if n % 40 == 0 {
            if is_held {
                perform(&mut loaded.control, &Request::Release {}).expect("cannot fail");
                is_held = false;
            }
            assert_eq!(dump(&mut loaded.control), dump(&mut loaded.reference), "seed {seed}, {n}");
            let (hits, misses) = model.compare(&mut loaded, &mut random);
            lookups = (lookups.0 + hits, lookups.1 + misses);
        }
    }
    assert!(done > requests / 3 && refused > requests / 8, "{done} done, {refused} refused");
    assert!(lookups.0 > 100 && lookups.1 > 100, "{lookups:?} lookups");
}

#[test]
fn results_and_tables_agree() {
    for seed in 1..=4 {
        compare(seed, 4000);
    }
}

#[test]
fn held_changes_are_seen_at_once_or_not_at_all() {
    let mut loaded = load(1);
    let mut random = Random(7);
    let (mut changes, mut seen) = (0, 0);
    for _ in 0..40 {
        loaded.control.hold().expect("taken");
        let before = loaded.control.generation().expect("a number");
        for _ in 0..50 {
            let request = request(&mut random, &loaded.reference.schema());
            if !matches!(request, Request::Hold {} | Request::Release {}) {
                changes += usize::from(perform(&mut loaded.control, &request).is_ok());
            }
            assert_eq!(loaded.readers[0].pin().number, before);
        }
        loaded.control.release().expect("taken");
        assert_eq!(loaded.control.generation().expect("a number"), before + 1);
        assert_eq!(loaded.readers[0].pin().number, before + 1);
        seen += 1;
    }
    assert!(changes > 5 * seen);
}

#[test]
fn memory_returns() {
    let mut loaded = load(1);
    let at_first = loaded.control.live_records();
    for seed in 1..=3 {
        let mut random = Random(seed);
        for _ in 0..3000 {
            let request = request(&mut random, &loaded.reference.schema());
            let _ = perform(&mut loaded.control, &request);
        }
        let before = loaded.control.live_records();
        loaded.control.reset_state().expect("taken");
        loaded.control.release().expect("taken");
        loaded.control.settle();
        assert!(before > at_first, "{before} records in use");
        assert_eq!(loaded.control.live_records(), at_first, "of {before}");
    }
}

#[test]
fn requests_that_fail_keep_no_memory() {
    use ww_dataplane::control::{ActionData, KeyMatch, NewEntry, Target};
    let mut loaded = load(1);
    let table = loaded.control.schema().table("routes").expect("it is there");
    let entry = |argument: u32| NewEntry {
        keys: vec![KeyMatch::Lpm { value: 1u32.into(), prefix_len: 32 }],
        priority: 0,
        target: Target::Action(ActionData { action: 0, arguments: vec![argument.into()] }),
    };
    loaded.control.table_insert(table, entry(0)).expect("room");
    loaded.control.settle();
    let before = loaded.control.live_records();
    for n in 0..200 {
        loaded.control.table_insert(table, entry(n)).expect_err("a duplicate");
    }
    assert_eq!(loaded.control.live_records(), before);
}

#[test]
fn readers_outlive_the_control_plane() {
    let mut loaded = load(1);
    let views = loaded.readers[0].pin().views.len();
    drop(loaded.control);
    let pinned = loaded.readers[0].pin();
    assert_eq!(pinned.views.len(), views);
    for view in &pinned.views {
        // SAFETY: number 0 is always there, and the generation is pinned.
        let head = unsafe { **view.records };
        assert_eq!(head.flags, 0);
    }
}
