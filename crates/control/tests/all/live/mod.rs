//! Live control: what requests do, what is refused, transactions, programs that take over, and
//! clients that behave badly.

mod lab;

use lab::{Lab, PROGRAM, ask, engine, everything, refused};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use ww_control::live::{Ledger, Plane, Server, share};
use ww_dataplane::Dataplane;

fn add(table: &str, keys: Value, action: &str, arguments: Value) -> Value {
    json!({"request": "table_add", "table": table, "keys": keys, "action": action, "arguments": arguments})
}

/// Something of everything.
fn fill(client: &mut ww_control::live::Client) {
    for request in [
        add("exact_t", json!(["10.0.0.1"]), "forward", json!([1])),
        add("exact_t", json!(["10.0.0.2"]), "forward", json!([2])),
        add("exact_t", json!(["10.0.0.3"]), "drop", json!([])),
        add("lpm_t", json!(["10.0.0.0/8"]), "forward", json!([3])),
        add(
            "lpm_t",
            json!({"a": {"value": "10.1.0.0", "prefix": 16}}),
            "forward",
            json!({"port": 4}),
        ),
        json!({"request": "member_add", "profile": "choice", "action": "forward", "arguments": [5]}),
        json!({"request": "member_add", "profile": "choice", "action": "forward", "arguments": [6]}),
        json!({"request": "member_add", "profile": "choice", "action": "NoAction"}),
        json!({"request": "group_create", "profile": "choice", "members": [0, 1]}),
        json!({"request": "table_add", "table": "spread", "keys": [7], "group": 0}),
        json!({"request": "table_add", "table": "spread", "keys": [8], "member": 1}),
        json!({"request": "mirror_set", "session": 9, "port": 3}),
        json!({"request": "multicast_group_create", "group": 1}),
        json!({"request": "multicast_node_create", "group": 1, "ports": [1, 2]}),
        json!({"request": "multicast_node_create", "group": 1, "replication_id": 4, "ports": [3]}),
        json!({"request": "value_set_add", "value_set": "known", "member": [5]}),
        json!({"request": "register_write", "register": "last", "index": 3, "value": "0xffffffffffff"}),
        json!({"request": "counter_write", "counter": "seen", "index": 2, "packets": 3, "bytes": 4}),
        json!({"request": "counter_write", "counter": "hits", "index": 1, "packets": 9, "bytes": 0}),
        json!({"request": "meter_set", "meter": "rate", "index": 1,
               "committed": {"rate": 0.5, "burst": 10}, "peak": {"rate": 1.0, "burst": 20}}),
        json!({"request": "table_set_default", "table": "lpm_t", "action": "drop"}),
    ] {
        ask(client, request);
    }
    // Equal keys and priorities: the first wins.
    for value in 1..=3 {
        let mut request = add("ternary_t", json!({}), "mark", json!([value, 0]));
        request["priority"] = 5.into();
        ask(client, request);
    }
}

/// What a packet with these fields leaves with: port and `out`.
fn outcome(lab: &mut Lab, a: u32, b: u32) -> Vec<(u32, u16)> {
    let mut frame = [a.to_be_bytes(), b.to_be_bytes()].concat();
    frame.extend([0, 0]);
    let mut out = Vec::new();
    lab.dataplane.receive(7, 0, &frame, &mut out);
    out.iter().map(|t| (t.port, u16::from_be_bytes([t.frame[8], t.frame[9]]))).collect()
}

#[test]
fn requests_change_what_packets_meet() {
    let mut lab = Lab::new();
    let mut client = lab.client();
    assert_eq!(outcome(&mut lab, 0x0a00_0001, 0), [(1, 0)]);
    fill(&mut client);
    assert_eq!(outcome(&mut lab, 0x0a01_0001, 0), [(4, 1)], "the longer prefix, the first mark");
    assert_eq!(outcome(&mut lab, 0x0b00_0001, 0), [], "the default action of lpm_t");
    assert_eq!(outcome(&mut lab, 0x0a01_0001, 8), [(6, 1)], "member 1");
    let all = everything(&mut client);
    assert_eq!(all["exact_t"]["count"], 3);
    assert_eq!(all["exact_t"]["entries"][1]["packets"], 9);
    assert_eq!(all["lpm_t"]["entries"][1]["keys"], json!({"hdr.h.a": "0xa010000/16"}));
    assert_eq!(all["lpm_t"]["default"], json!({"action": "I.drop", "arguments": {}}));
    assert_eq!(all["groups"]["groups"], json!([{"handle": 0, "members": [0, 1]}]));
    assert_eq!(all["last"]["cells"][3]["value"], "0xffffffffffff");
    assert_eq!(all["last"]["cells"][0]["value"], "0x4", "packets so far");
    assert_eq!(all["multicast"]["groups"], json!([{"group": 1, "nodes": [0, 1]}]));
    ask(
        &mut client,
        json!({"request": "table_modify", "table": "lpm_t", "keys": ["10.1.0.0/16"],
                            "action": "forward", "arguments": ["0x9"]}),
    );
    assert_eq!(outcome(&mut lab, 0x0a01_0001, 0), [(9, 1)]);
    ask(&mut client, json!({"request": "table_delete", "table": "lpm_t", "handle": 1}));
    assert_eq!(outcome(&mut lab, 0x0a01_0001, 0), [(3, 1)]);
    ask(&mut client, json!({"request": "table_clear", "table": "ternary_t"}));
    ask(&mut client, json!({"request": "table_reset_default", "table": "lpm_t"}));
    assert_eq!(outcome(&mut lab, 0x0b00_0001, 0), [(1, 0)]);
}

#[test]
fn refusals_name_the_trouble() {
    let lab = Lab::new();
    let mut client = lab.client();
    fill(&mut client);
    let before = everything(&mut client);
    for (request, expected) in [
        (
            add("exat_t", json!([1]), "drop", json!([])),
            "no table named `exat_t`; did you mean `I.exact_t`?",
        ),
        (add("exact_t", json!([1]), "dorp", json!([])), "did you mean `I.drop`?"),
        (
            add("exact_t", json!([1, 2]), "drop", json!([])),
            "has 1 key(s), hdr.h.a (exact); found 2",
        ),
        (
            add("exact_t", json!(["10.0.0.1"]), "drop", json!([])),
            "an entry with the same key already",
        ),
        (
            add("exact_t", json!(["4294967296"]), "drop", json!([])),
            "which `4294967296` does not fit",
        ),
        (
            add("exact_t", json!([9]), "forward", json!([512])),
            "parameter `port` of action `I.forward` has 9 bit(s)",
        ),
        (add("exact_t", json!([9]), "forward", json!({"prot": 1})), "did you mean `port`?"),
        (
            add("ternary_t", json!([1, "1->2"]), "mark", json!([1, 2])),
            "expected `priority` (the higher number wins)",
        ),
        (add("spread", json!([1]), "forward", json!([1])), "refer to members or groups"),
        (
            json!({"request": "table_delete", "table": "exact_t", "handle": 77}),
            "there is no entry 77 of table `I.exact_t`",
        ),
        (
            json!({"request": "table_delete", "table": "lpm_t", "keys": ["1.0.0.0/8"]}),
            "no entry with the keys 0x1000000/8",
        ),
        (
            json!({"request": "table_delete", "table": "lpm_t"}),
            "expected either `handle` or `keys`",
        ),
        (
            json!({"request": "register_write", "register": "last", "index": 8, "value": 0}),
            "cell 8 of register",
        ),
        (
            json!({"request": "member_delete", "profile": "choice", "member": 0}),
            "still used by a group",
        ),
        (
            json!({"request": "group_create", "profile": "choice", "members": [2, 55]}),
            "there is no member 55",
        ),
        (
            json!({"request": "multicast_node_create", "group": 6, "ports": [1]}),
            "there is no multicast group 6",
        ),
        (json!({"request": "commit"}), "there is no open transaction"),
        (json!({"request": "hello", "version": 99}), "version 1 of the protocol, not 99"),
        (json!({"request": "ports"}), "no counters to read"),
    ] {
        refused(&mut client, request, expected);
    }
    assert_eq!(everything(&mut client), before, "what is refused changes nothing");
}

#[test]
fn a_transaction_that_fails_leaves_no_trace() {
    let mut lab = Lab::new();
    let mut client = lab.client();
    fill(&mut client);
    let before = everything(&mut client);
    let changes = json!([
        {"request": "table_delete", "table": "exact_t", "handle": 1},
        {"request": "table_add", "table": "exact_t", "keys": ["10.0.0.2"], "action": "drop"},
        {"request": "table_modify", "table": "exact_t", "handle": 0, "action": "drop"},
        {"request": "table_clear", "table": "lpm_t"},
        {"request": "table_delete", "table": "ternary_t", "handle": 0},
        {"request": "table_reset_default", "table": "lpm_t"},
        {"request": "table_set_default", "table": "exact_t", "action": "drop"},
        {"request": "member_add", "profile": "choice", "action": "forward", "arguments": [8]},
        {"request": "group_add_member", "profile": "choice", "group": 0, "member": {"of": 7}},
        {"request": "member_modify", "profile": "choice", "member": 1, "action": "NoAction"},
        {"request": "member_delete", "profile": "choice", "member": 2},
        {"request": "table_delete", "table": "spread", "keys": [7]},
        {"request": "group_remove_member", "profile": "choice", "group": 0, "member": 0},
        {"request": "group_delete", "profile": "choice", "group": 0},
        {"request": "mirror_delete", "session": 9},
        {"request": "mirror_set", "session": 10, "port": 1},
        {"request": "multicast_node_delete", "node": 0},
        {"request": "multicast_group_delete", "group": 1},
        {"request": "value_set_clear", "value_set": "known"},
        {"request": "value_set_add", "value_set": "known", "member": [6]},
        {"request": "register_reset", "register": "last"},
        {"request": "counter_reset", "counter": "seen"},
        {"request": "counter_write", "counter": "hits", "packets": 1, "bytes": 1},
        {"request": "counter_write", "counter": "seen", "packets": 5, "bytes": 5},
        {"request": "meter_reset", "meter": "rate"},
        {"request": "table_delete", "table": "exact_t", "handle": 4711},
    ]);
    refused(
        &mut client,
        json!({"request": "transaction", "changes": changes}),
        "change 25: there is no entry 4711",
    );
    assert_eq!(everything(&mut client), before);
    assert_eq!(
        outcome(&mut lab, 0x0a00_0001, 0),
        [(3, 1)],
        "the first of equal entries still wins"
    );
    // Handles still mean the same, also those of things that were put back.
    for request in [
        json!({"request": "table_modify", "table": "exact_t", "handle": 1, "action": "forward", "arguments": [9]}),
        json!({"request": "table_delete", "table": "lpm_t", "handle": 0}),
        json!({"request": "group_add_member", "profile": "choice", "group": 0, "member": 2}),
        json!({"request": "multicast_node_modify", "node": 0, "ports": [8]}),
    ] {
        ask(&mut client, request);
    }
    // Without the change that failed, all of it is done.
    let mut changes = changes;
    changes.as_array_mut().expect("a list").truncate(9);
    changes[3] = json!({"request": "table_clear", "table": "ternary_t"});
    changes[4] = json!({"request": "generation"});
    let request = json!({"request": "transaction", "changes": changes});
    refused(&mut client, request, "change 4: a transaction consists of changes only");
    changes[4] = json!({"request": "mirror_delete", "session": 9});
    let answer = ask(&mut client, json!({"request": "transaction", "changes": changes}));
    assert_eq!(answer["handles"].as_array().map(Vec::len), Some(9));
    let after = everything(&mut client);
    assert_eq!(after["groups"]["groups"][0]["members"].as_array().map(Vec::len), Some(4));
    assert_eq!(after["ternary_t"]["count"], 0);
}

#[test]
fn transactions_over_several_messages() {
    let lab = Lab::new();
    let (mut client, mut other) = (lab.client(), lab.client());
    ask(&mut client, json!({"request": "begin"}));
    refused(&mut client, json!({"request": "begin"}), "open already");
    for n in 0..300 {
        let answer = ask(&mut client, add("exact_t", json!([n]), "forward", json!([1])));
        assert_eq!(answer["queued"], n + 1);
    }
    let count = |client: &mut _| {
        ask(client, json!({"request": "table_entries", "table": "exact_t"}))["count"].clone()
    };
    assert_eq!(count(&mut other), 0, "nobody sees it before the end");
    assert_eq!(ask(&mut client, json!({"request": "commit"}))["changes"], 300);
    assert_eq!(count(&mut other), 300);
    let generation = ask(&mut other, json!({"request": "generation"}));
    assert_eq!(generation["changes"], 1, "a transaction is one change");
    ask(&mut client, json!({"request": "begin"}));
    ask(&mut client, json!({"request": "table_clear", "table": "exact_t"}));
    assert_eq!(ask(&mut client, json!({"request": "abort"}))["dropped"], 1);
    assert_eq!(count(&mut other), 300);
}

#[test]
fn command_files_all_or_nothing() {
    let lab = Lab::new();
    let mut client = lab.client();
    fill(&mut client);
    let before = everything(&mut client);
    for text in [
        "table_add exact_t drop 1 =>\ntable_add exact_t drop 10.0.0.1 =>\n",
        "table_add exact_t drop 1 =>\nnonsense\n",
    ] {
        let answer = ask(&mut client, json!({"request": "script", "text": text, "atomic": true}));
        assert_eq!(answer["errors"], 1, "{answer}");
        assert_eq!(everything(&mut client), before);
    }
    let text = "table_add exact_t drop 1 =>\nreset_state\n";
    let answer = ask(&mut client, json!({"request": "script", "text": text, "atomic": true}));
    assert_eq!(answer["errors"], 1, "{answer}");
    let message = answer["diagnostics"][0]["message"].as_str().expect("a message");
    assert_eq!(message, "a reset of all state cannot be part of a transaction");
    assert_eq!(everything(&mut client), before);
    let text = "table_add exact_t drop 1 =>\ntable_add exact_t drop 10.0.0.1 =>\ntable_num_entries exact_t\n";
    let answer = ask(&mut client, json!({"request": "script", "text": text}));
    assert_eq!(answer["errors"], 1);
    assert_eq!(answer["output"], json!(["table I.exact_t: 4 entries"]));
    ask(&mut client, json!({"request": "script", "text": "reset_state"}));
    assert_eq!(
        ask(&mut client, json!({"request": "members", "profile": "choice"}))["members"],
        json!([])
    );
}

#[test]
fn another_program_keeps_what_fits() {
    let mut lab = Lab::new();
    let mut client = lab.client();
    fill(&mut client);
    ask(&mut client, json!({"request": "table_delete", "table": "exact_t", "handle": 0}));
    outcome(&mut lab, 0x0a01_0001, 0);
    let before = everything(&mut client);
    // Another action, in front of the others, and a table without keys.
    let text = PROGRAM
        .replace(
            "actions = { forward; drop; NoAction; }",
            "actions = { flood; forward; drop; NoAction; }",
        )
        .replace("action drop()", "action flood() { std.mcast_grp = 1; }\n    action drop()");
    let path = lab.program("more", &text);
    let answer = ask(&mut client, json!({"request": "load", "path": path}));
    assert_eq!(
        answer["tables"],
        json!({"I.exact_t": 2, "I.lpm_t": 2, "I.ternary_t": 3, "I.spread": 2})
    );
    let mut after = everything(&mut client);
    assert_eq!(after["generation"]["loads"], 1);
    after["generation"] = before["generation"].clone();
    assert_eq!(after, before, "handles, counters and registers too");
    assert_eq!(outcome(&mut lab, 0x0a01_0001, 0), [(4, 1)]);
    ask(&mut client, add("exact_t", json!([1]), "flood", json!([])));
    // Handles go on where they were.
    ask(
        &mut client,
        json!({"request": "table_modify", "table": "exact_t", "handle": 2, "action": "NoAction"}),
    );
    refused(
        &mut client,
        json!({"request": "table_entry", "table": "exact_t", "handle": 0}),
        "there is no entry 0",
    );
    let _ = std::fs::remove_file(path);
}

#[test]
fn a_program_that_does_not_fit_is_refused() {
    let mut lab = Lab::new();
    let mut client = lab.client();
    fill(&mut client);
    let before = everything(&mut client);
    let narrow = PROGRAM.replace("key = { hdr.h.a: lpm; }", "key = { hdr.h.tag: lpm; }");
    let gone = PROGRAM.replace("exact_t", "exact_u");
    let wide = PROGRAM.replace(
        "action forward(bit<9> port) { std.egress_spec = port; }",
        "action forward(bit<9> port, bit<8> x) { std.egress_spec = port; }",
    );
    let broken = PROGRAM.replace("exact_t.apply();", "exact_q.apply();");
    for (name, text, expected) in [
        (
            "narrow",
            &narrow,
            "table `I.lpm_t`: the new program's has the key `hdr.h.tag` as lpm of 16 bit(s) instead of lpm of 32",
        ),
        (
            "gone",
            &gone,
            "the new program has no table `I.exact_t` (it has `I.exact_u`), where 3 entries are",
        ),
        ("wide", &wide, "has the action `I.forward` with parameters of [9, 8] bits instead of [9]"),
        ("broken", &broken, "exact_q"),
    ] {
        let path = lab.program(name, text);
        refused(&mut client, json!({"request": "load", "path": path}), expected);
        assert_eq!(everything(&mut client), before, "{name}");
        let _ = std::fs::remove_file(path);
    }
    assert_eq!(outcome(&mut lab, 0x0a01_0001, 0), [(4, 1)]);
    let path = lab.program("narrow", &narrow);
    let answer = ask(&mut client, json!({"request": "load", "path": path, "drop_misfits": true}));
    assert_eq!(answer["dropped"].as_array().map(Vec::len), Some(1), "{answer}");
    let after = everything(&mut client);
    assert_eq!((&after["lpm_t"]["count"], &after["exact_t"]), (&json!(0), &before["exact_t"]));
    let _ = std::fs::remove_file(lab.path.with_extension("narrow"));
}

#[test]
fn loading_loses_no_packet() {
    let lab = Lab::new();
    let mut client = lab.client();
    fill(&mut client);
    let path = lab.program("again", PROGRAM);
    let done = AtomicBool::new(false);
    let Lab { dataplane, path: socket, ledger, server } = lab;
    let mut dataplane = dataplane;
    let (sent, left) = std::thread::scope(|scope| {
        let done = &done;
        let traffic = scope.spawn(move || {
            let frame =
                [[10, 1, 0, 1], [0; 4]].concat().into_iter().chain([0, 0]).collect::<Vec<u8>>();
            let (mut sent, mut left) = (0_u64, 0_u64);
            let mut out = Vec::new();
            while !done.load(Ordering::Relaxed) {
                dataplane.receive(1, sent, &frame, &mut out);
                sent += 1;
                left += out.drain(..).filter(|t| t.port == 4).count() as u64;
            }
            (sent, left)
        });
        for _ in 0..5 {
            ask(&mut client, json!({"request": "load", "path": path}));
        }
        done.store(true, Ordering::Relaxed);
        traffic.join().expect("no panic")
    });
    assert_eq!(sent, left);
    // The register counts packets; it went through five programs.
    let answer =
        ask(&mut client, json!({"request": "register_read", "register": "last", "index": 0}));
    assert_eq!(answer["cells"][0]["value"], format!("{sent:#x}"));
    drop((server, ledger));
    assert!(!socket.exists());
    let _ = std::fs::remove_file(path);
}

#[test]
fn all_subscribers_get_all_digests() {
    let mut lab = Lab::new();
    outcome(&mut lab, 99, 0); // before anybody listens: it waits
    let mut clients = [lab.client(), lab.client(), lab.client()];
    for client in &mut clients[..2] {
        ask(client, json!({"request": "digests", "subscribe": true}));
    }
    // The first may have got the one that waited before the second was there.
    std::thread::sleep(Duration::from_millis(100));
    for a in 0..1000 {
        outcome(&mut lab, a, 0);
    }
    for client in &mut clients[..2] {
        let mut next = 0;
        while next < 1000 {
            let event = client.event().expect("a digest");
            assert_eq!((&event["name"], &event["lost"]), (&json!("news_t"), &json!(0)));
            if event["fields"]["a"] == "0x63" && next != 99 {
                continue;
            }
            assert_eq!(event["fields"], json!({"a": format!("{next:#x}"), "port": "0x7"}));
            next += 1;
        }
    }
}

#[test]
fn the_socket_is_private_and_does_not_stay() {
    let mut lab = Lab::new();
    let mode = std::fs::metadata(&lab.path).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let start = |path: &std::path::Path| {
        let (_, control) = share(engine(PROGRAM).expect("it loads"));
        let ledger =
            std::sync::Arc::new(parking_lot::Mutex::new(Ledger::new(control).expect("a ledger")));
        Server::start(path, Plane::new(ledger, "x")).map_err(|error| error.to_string())
    };
    assert!(start(&lab.path).err().expect("in use").contains("another process does already"));
    lab.server = None;
    assert!(!lab.path.exists());
    // A socket that a killed process left behind.
    drop(std::os::unix::net::UnixListener::bind(&lab.path).expect("it binds"));
    assert!(lab.path.exists());
    drop(start(&lab.path).expect("it is replaced"));
    assert!(!lab.path.exists());
    std::fs::write(&lab.path, "precious").expect("a file");
    assert!(start(&lab.path).err().expect("a file").contains("no socket"));
    assert_eq!(std::fs::read_to_string(&lab.path).expect("still there"), "precious");
    std::fs::remove_file(&lab.path).expect("it is there");
    let long = std::path::PathBuf::from(format!("/tmp/{}", "x".repeat(120)));
    assert!(start(&long).err().expect("too long").contains("107 bytes"));
}

/// A small generator of numbers.
fn noise(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn bad_clients_do_no_harm() {
    let mut lab = Lab::new();
    let mut client = lab.client();
    fill(&mut client);
    let mut state = 0x1234_5678_9abc_def1;
    let words = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "null",
        "-1",
        "1e99",
        "\"request\"",
        "\"table_add\"",
        "\"table\"",
        "\"exact_t\"",
        "\"keys\"",
        "\"of\"",
        "\"load\"",
        "\"path\"",
        "99999999999999999999",
        "\u{e9}",
        "\\u0000",
        " ",
        "{\"request\":\"begin\"}\n",
        "{\"request\":\"table_entries\",\"table\":\"lpm_t\"}\n",
        "\"changes\"",
    ];
    for round in 0..60 {
        let mut raw = lab.raw();
        let mut bytes = Vec::new();
        for _ in 0..noise(&mut state) % 200 {
            match round % 2 {
                0 => bytes.push(noise(&mut state) as u8),
                _ => bytes.extend(words[noise(&mut state) as usize % words.len()].as_bytes()),
            }
        }
        if round % 3 == 0 {
            bytes.push(b'\n');
        }
        raw.send(&bytes);
        // Some wait for an answer, some are gone at once.
        if round % 3 == 0 && bytes.iter().any(|b| !b.is_ascii_whitespace()) {
            assert!(raw.line().is_some());
        }
    }
    // Half a message, and one that is too long.
    let mut half = lab.raw();
    assert!(half.send(b"{\"request\": \"gener"));
    let mut long = lab.raw();
    while long.send(&[b'x'; 65536]) {}
    if let Some(answer) = long.line() {
        assert!(answer["error"]["message"].as_str().is_some_and(|m| m.contains("longer than")));
    }
    assert!(long.line().is_none());
    // One that asks and never reads.
    let mut deaf = lab.raw();
    for _ in 0..50 {
        deaf.send(b"{\"request\":\"schema\"}\n");
    }
    assert_eq!(outcome(&mut lab, 0x0a01_0001, 0), [(4, 1)]);
    assert!(half.send(b"ation\", \"id\": 7}\n"));
    assert_eq!(half.line().expect("an answer")["id"], 7);
    assert_eq!(ask(&mut client, json!({"request": "table_entries", "table": "lpm_t"}))["count"], 2);
}
