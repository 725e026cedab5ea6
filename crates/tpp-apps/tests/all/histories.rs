//! The store and lines of records: what is written is read again, and damage is an error.

use bytes::Bytes;
use std::io::Cursor;
use ww_host::record::Record;
use ww_tpp_apps::histories::history::History;
use ww_tpp_apps::histories::lines::Lines;
use ww_tpp_apps::histories::netshark::{Store, Writer};
use ww_tpp_apps::histories::values::Values;

fn record(number: u32) -> Record {
    // None to three hops.
    let hops = (number % 4) as u8;
    Record {
        at: u64::from(number) * 1000,
        app: 3,
        hops,
        stack_pointer: hops * 6,
        source: u32::from_be_bytes([10, 0, 0, 1]),
        destination: u32::from_be_bytes([10, 0, 1, (number % 5) as u8]),
        protocol: 17,
        ports: [1000, 5000],
        length: 100,
        words: (0..30).map(|word| number % 7 + word).collect(),
    }
}

fn store(count: u32) -> (Vec<u8>, Vec<History>) {
    let all: Vec<History> =
        (0..count).map(|n| History::of(&record(n), &Values::default())).collect();
    let mut writer = Writer::new(Vec::new()).expect("a file");
    all.iter().for_each(|history| writer.write(history).expect("written"));
    let (bytes, found) = writer.finish().expect("whole");
    assert_eq!(found, u64::from(count));
    (bytes, all)
}

/// More rows than a group has, so that histories lie over its end.
#[test]
fn histories_are_read_again() {
    let (bytes, all) = store(60_000);
    let mut store = Store::new(Bytes::from(bytes)).expect("a store");
    for expected in &all {
        assert_eq!(store.history().expect("good").as_ref(), Some(expected));
    }
    assert_eq!(store.history().expect("good"), None);
}

#[test]
fn damaged_stores() {
    let (good, _) = store(300);
    let mut draws = fastrand::Rng::with_seed(2);
    let mut refused = 0;
    for _ in 0..1000 {
        let mut bytes = good.clone();
        for _ in 0..draws.usize(1..5) {
            let at = draws.usize(..bytes.len());
            bytes[at] = draws.u8(..);
        }
        let whole = Store::new(Bytes::from(bytes)).and_then(|mut store| {
            while store.history()?.is_some() {}
            Ok(())
        });
        refused += u32::from(whole.is_err());
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn lines_of_records() {
    let text: String =
        (0..10).map(|n| serde_json::to_string(&record(n)).expect("JSON") + "\n\n").collect();
    assert!(text.contains("\"source\":\"10.0.0.1\""));
    let mut lines = Lines::new(Cursor::new(&text));
    for number in 0..10 {
        assert_eq!(lines.record().expect("good"), Some(record(number)));
    }
    assert_eq!(lines.record().expect("good"), None);
    let mut draws = fastrand::Rng::with_seed(3);
    let mut refused = 0;
    for _ in 0..2000 {
        let mut bytes = text.as_bytes().to_vec();
        let at = draws.usize(..bytes.len());
        bytes[at] = draws.u8(..);
        let mut lines = Lines::new(Cursor::new(bytes));
        while let Ok(Some(record)) = lines.record() {
            History::of(&record, &Values::default());
        }
        refused += u32::from(lines.record().is_err());
    }
    let long = format!("{}\n{{", " ".repeat(1 << 15));
    let error = Lines::new(Cursor::new(long)).record().expect_err("too long");
    assert_eq!(error.to_string(), "line 1: more than 16384 bytes");
    assert!(refused > 0, "{refused}");
}
