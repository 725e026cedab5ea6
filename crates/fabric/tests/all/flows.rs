//! The reader of FLOWS: what it takes, and each way in which a text can be wrong.

use ww_fabric::flows::{Flow, Flows, MAX_CELLS, MAX_START, read, write};

#[test]
fn flows_are_read_as_written() {
    let text = "7,0,3,1,0\n2,3,0,100000000,0\r\n18446744073709551615,1,2,007,12";
    let flow = |id, src, dst, cells, start| Flow { id, src, dst, cells, start };
    let expected =
        [flow(7, 0, 3, 1, 0), flow(2, 3, 0, 100_000_000, 0), flow(u64::MAX, 1, 2, 7, 12)];
    let plain = |flows: &[Flow]| Ok(Flows { flows: flows.to_vec(), classes: None });
    assert_eq!(read(text.as_bytes(), 4), plain(&expected));
    assert_eq!(read(write(&expected).as_bytes(), 4), plain(&expected));
    let largest = format!("0,0,1,{MAX_CELLS},{MAX_START}\n");
    assert_eq!(read(largest.as_bytes(), 2), plain(&[flow(0, 0, 1, MAX_CELLS, MAX_START)]));
}

#[test]
fn classes_are_read_as_written() {
    let flow = |id, src, dst, cells, start| Flow { id, src, dst, cells, start };
    let expected = Flows {
        flows: vec![flow(7, 0, 3, 1, 0), flow(2, 3, 0, 9, 0), flow(3, 1, 2, 7, 12)],
        classes: Some(vec![0, 7, 3]),
    };
    let flows = read(b"7,0,3,1,0,0\n2,3,0,9,0,7\r\n3,1,2,7,12,03", 4).unwrap();
    assert_eq!(flows, expected);
    assert_eq!(read(flows.text().as_bytes(), 4), Ok(flows));
}

/// Whoever knows no classes says so, in the words of a mistake.
#[test]
fn classes_can_be_refused() {
    let flows = read(b"7,0,3,1,0\n", 4).unwrap();
    assert_eq!(flows.clone().without_classes("the rules published"), Ok(flows.flows));
    let flows = read(b"7,0,3,1,0,0\n", 4).unwrap();
    let message = flows.without_classes("the rules published").unwrap_err().to_string();
    for word in ["line 1", "expected 5 fields", "the rules published", "found 6", "--rules shoal"] {
        assert!(message.contains(word), "{message}: no {word:?}");
    }
}

/// Each mistake: the text, and what the message must have in it. All have 4 hosts.
#[test]
fn each_mistake_has_its_line_and_cause() {
    let mistakes: &[(&str, &[&str])] = &[
        ("", &["line 1", "expected a flow", "found nothing"]),
        ("\n", &["line 1", "expected a flow"]),
        ("0,0,1,5,0\n\n1,0,1,5,0\n", &["line 2", "5 fields", "found 1"]),
        ("0,0,1,5\n", &["line 1", "5 fields", "found 4", "'0,0,1,5'"]),
        ("0,0,1,5,0,1,2\n", &["line 1", "5 fields", "a sixth, class", "found 7"]),
        ("0,0,1,5,0,8\n", &["line 1", "class", "0 to 7", "found 8"]),
        ("0,0,1,5,0,256\n", &["line 1", "class", "0 to 7", "found 256"]),
        ("0,0,1,5,0,-1\n", &["line 1", "class", "integer", "'-1'"]),
        ("0,0,1,5,0,\n", &["line 1", "class", "integer", "''"]),
        ("0,0,1,5,0,low\n", &["line 1", "class", "integer", "'low'"]),
        ("0,0,1,5,0\n1,0,1,5,0,1\n", &["line 2", "expected 5 fields", "found 6", "or none"]),
        ("0,0,1,5,0,1\n1,0,1,5,0\n", &["line 2", "expected 6 fields", "found 5", "or none"]),
        ("0,0,1,5,0,1\n1,0,1,5,0,0\n2,0,1,5,0\n", &["line 3", "expected 6 fields", "found 5"]),
        ("0,0,1,5,0\n1,0,1,five,0\n", &["line 2", "cells", "integer", "'five'"]),
        ("0,0,1,5,0\n1,0,1,,0\n", &["line 2", "cells", "integer", "''"]),
        ("0,0,1,5,-1\n", &["line 1", "start_slot", "'-1'"]),
        ("+0,0,1,5,1\n", &["line 1", "id", "'+0'"]),
        ("0, 0,1,5,1\n", &["line 1", "src", "' 0'"]),
        ("0,0,1,5.0,1\n", &["line 1", "cells", "'5.0'"]),
        ("18446744073709551616,0,1,5,1\n", &["line 1", "id", "64 bits"]),
        ("0,4,1,5,0\n", &["line 1", "src", "0 to 3", "found 4"]),
        ("0,0,1,5,0\n1,0,4,5,0\n", &["line 2", "dst", "0 to 3", "found 4"]),
        ("0,4294967296,1,5,0\n", &["line 1", "src", "0 to 3", "found 4294967296"]),
        ("0,2,2,5,0\n", &["line 1", "differ", "found 2 twice"]),
        ("0,0,1,0,0\n", &["line 1", "cells", "found 0"]),
        ("0,0,1,281474976710657,0\n", &["line 1", "cells", "281474976710656"]),
        ("0,0,1,1,281474976710657\n", &["line 1", "start_slot", "281474976710656"]),
        ("5,0,1,5,0\n6,1,2,5,0\n5,2,3,5,0\n", &["line 3", "found 5", "the id of line 1"]),
        ("0,0,1,5,9\n1,1,2,5,8\n", &["line 2", "at least 9", "found 8"]),
    ];
    for (text, words) in mistakes {
        let message = read(text.as_bytes(), 4).expect_err(text).to_string();
        for word in *words {
            assert!(message.contains(word), "{text:?}: {message}: no {word:?}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_a_mistake() {
    let message = read(b"0,0,1,5,0\n1,\xff\x00,1,5,0\n", 4).unwrap_err().to_string();
    assert_eq!(message, r"line 2: src: expected an integer of 64 bits, found '\xff\x00'");
    let long = [b'x'; 100_000];
    let message = read(&long, 4).unwrap_err().to_string();
    assert!(message.len() < 200, "{message}");
}
