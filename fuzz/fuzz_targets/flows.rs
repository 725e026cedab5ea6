//! FLOWS: no text makes the reader panic; what it reads is what it promises, and is read again as it is written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_fabric::flows::{MAX_CELLS, MAX_START, read, write};

fuzz_target!(|data: &[u8]| {
    let (hosts, text) = match data {
        [hosts, text @ ..] => (usize::from(*hosts), text),
        [] => (0, data),
    };
    let flows = match read(text, hosts) {
        Ok(flows) => flows,
        Err(mistake) => {
            assert!((1..=text.len() + 1).contains(&mistake.line));
            assert!(mistake.to_string().len() < 500);
            return;
        }
    };
    assert!(!flows.is_empty());
    assert!(flows.is_sorted_by_key(|flow| flow.start));
    for flow in &flows {
        assert!((flow.src as usize) < hosts && (flow.dst as usize) < hosts && flow.src != flow.dst);
        assert!((1..=MAX_CELLS).contains(&flow.cells) && flow.start <= MAX_START);
    }
    assert_eq!(read(write(&flows).as_bytes(), hosts).as_ref(), Ok(&flows));
});
