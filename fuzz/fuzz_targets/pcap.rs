//! Capture readers: no input may panic, or make them hold more than they are given
//! reason to. Seeds with each format's magic number are in `seeds/pcap`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use ww_io::capture::{CaptureReader, MAX_FRAME, OrderedReader};

fuzz_target!(|data: &[u8]| {
    let open = || CaptureReader::from_reader("fuzz", Cursor::new(data.to_vec()));
    let Ok(mut reader) = open() else { return };
    let mut frame = Vec::new();
    let mut count = 0;
    // Compressed input stands for much more than it is long; its start will do.
    while count < 10_000
        && let Ok(Some(info)) = reader.next_frame(&mut frame)
    {
        count += 1;
        assert_eq!(info.number, count);
        assert!(frame.len() <= MAX_FRAME);
        assert!(frame.capacity() <= 4 * MAX_FRAME);
        assert!(frame.len() <= info.original_length as usize);
    }
    if let Ok(reader) = open() {
        let mut reader = OrderedReader::new(reader);
        let mut last = None;
        for _ in 0..10_000 {
            let Ok(Some(frame)) = reader.next_frame() else { break };
            assert!(last.is_none_or(|last| last <= frame.timestamp));
            last = Some(frame.timestamp);
            reader.recycle(frame);
        }
    }
});
