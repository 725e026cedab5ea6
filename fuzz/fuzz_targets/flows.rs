//! FLOWS: no text makes the reader panic; what it reads is what it promises, and is read again as it is written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_fabric::flows::{CLASSES, MAX_CELLS, MAX_START, read};

fuzz_target!(|data: &[u8]| {
    let (hosts, text) = match data {
        [hosts, text @ ..] => (usize::from(*hosts), text),
        [] => (0, data),
    };
    let read_flows = match read(text, hosts) {
        Ok(flows) => flows,
        Err(mistake) => {
            assert!((1..=text.len() + 1).contains(&mistake.line));
            assert!(mistake.to_string().len() < 500);
            return;
        }
    };
    let flows = &read_flows.flows;
    assert!(!flows.is_empty());
    assert!(flows.is_sorted_by_key(|flow| flow.start));
    for flow in flows {
        assert!((flow.src as usize) < hosts && (flow.dst as usize) < hosts && flow.src != flow.dst);
        assert!((1..=MAX_CELLS).contains(&flow.cells) && flow.start <= MAX_START);
    }
    if let Some(classes) = &read_flows.classes {
        assert!(classes.len() == flows.len() && classes.iter().all(|&class| class < CLASSES));
    }
    assert_eq!(read(read_flows.text().as_bytes(), hosts).as_ref(), Ok(&read_flows));
});
