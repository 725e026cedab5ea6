//! Aggregators and collectors over TCP.

use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;
use std::{fs, io, sync::Arc};
use ww_host::aggregator::{Aggregator, Counters, Settings};
use ww_host::collector::{self, Collector};
use ww_host::record::Record;

fn record(app: u8, number: u32, words: &[u32]) -> Record {
    Record {
        at: u64::from(number) * 1_000_000,
        app,
        hops: words.len() as u8,
        stack_pointer: 0,
        source: 0x0a00_0001,
        destination: 0x0a00_0002,
        protocol: 17,
        ports: [1000, 5000],
        length: 1000 + number,
        words: words.to_vec(),
    }
}

/// A shim's file.
fn collected(path: &Path, records: &[Record]) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).expect("a file");
    for record in records {
        writeln!(file, "{}", serde_json::to_string(record).expect("JSON")).expect("room");
    }
}

struct Running {
    stop: Arc<AtomicBool>,
    address: SocketAddr,
    thread: JoinHandle<io::Result<collector::Counters>>,
}

fn collector(at: &str, out: &Path) -> Running {
    let collector = Collector::new(at.parse().expect("an address"), out).expect("it listens");
    let address = collector.address().expect("an address");
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    let thread = spawn(move || collector.run(|| raised.load(Ordering::Relaxed)));
    Running { stop, address, thread }
}

impl Running {
    fn end(self) -> collector::Counters {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("no panic").expect("no error")
    }
}

fn settings(file: PathBuf, host: &str, to: SocketAddr) -> Settings {
    let (host, to) = (host.to_owned(), to.to_string());
    Settings { file, host, to, apps: Vec::new(), changes: false, state: None, once: true }
}

fn aggregate(settings: Settings) -> Counters {
    Aggregator::new(settings).expect("a file").run(|| false, |_| {}).expect("no error")
}

/// Host, and the length by which a test's records are told.
fn lines(path: &Path) -> Vec<(String, u64)> {
    let text = fs::read_to_string(path).expect("a file");
    let line = |line: &str| {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let read: Record = serde_json::from_str(line).expect("a record, too");
        (value["host"].as_str().expect("a host").to_owned(), u64::from(read.length))
    };
    text.lines().map(line).collect()
}

#[test]
fn records_of_two_hosts_come_to_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two, out) =
        (folder.path().join("1"), folder.path().join("2"), folder.path().join("out"));
    let own = |n| record(1, n, &[n]);
    collected(&one, &(0..500).map(own).collect::<Vec<_>>());
    // A shim was killed in the middle of a line.
    fs::OpenOptions::new()
        .append(true)
        .open(&one)
        .and_then(|mut f| f.write_all(b"{\"at\": 12\n\n"))
        .expect("room");
    collected(&one, &[own(500), record(2, 999, &[])]);
    // The last line is not whole yet.
    fs::OpenOptions::new()
        .append(true)
        .open(&one)
        .and_then(|mut f| f.write_all(b"{\"at\""))
        .expect("room");
    collected(&two, &[own(7)]);
    let running = collector("127.0.0.1:0", &out);
    let only = Settings { apps: vec![1], ..settings(one, "h1", running.address) };
    assert_eq!(aggregate(only), Counters { sent: 501, left_out: 1, malformed: 1 });
    assert_eq!(aggregate(settings(two, "h2", running.address)).sent, 1);
    assert_eq!(running.end(), collector::Counters { records: 502, refused: 0 });
    let mut expected: Vec<(String, u64)> = (0..=500).map(|n| ("h1".to_owned(), 1000 + n)).collect();
    expected.push(("h2".to_owned(), 1007));
    assert_eq!(lines(&out), expected);
}

/// A path that flips is told when it flips, and flows are told apart.
#[test]
fn changes_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("1"), folder.path().join("out"));
    let other = Record { ports: [1001, 5000], ..record(1, 5, &[1, 2]) };
    let path = |n, words: &[u32]| record(1, n, words);
    let all = [
        path(0, &[1, 2]),
        path(1, &[1, 2]),
        path(2, &[1, 3]),
        other,
        path(3, &[1, 3]),
        path(4, &[1, 2]),
    ];
    collected(&file, &all);
    let running = collector("127.0.0.1:0", &out);
    let changes = Settings { changes: true, ..settings(file, "h", running.address) };
    assert_eq!(aggregate(changes), Counters { sent: 4, left_out: 2, malformed: 0 });
    running.end();
    let lengths: Vec<u64> = lines(&out).into_iter().map(|(_, length)| length).collect();
    assert_eq!(lengths, [1000, 1002, 1005, 1004]);
}

/// The collector goes, and another one comes at its address; the aggregator goes, and begins where it was.
#[test]
fn nothing_is_lost_when_processes_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    collected(&at("1"), &[record(1, 0, &[])]);
    let first = collector("127.0.0.1:0", &at("out"));
    let address = first.address;
    let long =
        Settings { state: Some(at("state")), once: false, ..settings(at("1"), "h", address) };
    let stop = Arc::new(AtomicBool::new(false));
    let (raised, own) = (Arc::clone(&stop), long.clone());
    let running = spawn(move || {
        let mut aggregator = Aggregator::new(own).expect("a file");
        aggregator.run(|| raised.load(Ordering::Relaxed), |_| {})
    });
    let wait = |count: usize| {
        for _ in 0..600 {
            if lines(&at("out")).len() >= count {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{count} records have not come");
    };
    wait(1);
    first.end();
    collected(&at("1"), &[record(1, 1, &[]), record(1, 2, &[])]);
    std::thread::sleep(Duration::from_millis(300));
    let second = collector(&address.to_string(), &at("out"));
    wait(3);
    stop.store(true, Ordering::Relaxed);
    running.join().expect("no panic").expect("no error");
    collected(&at("1"), &[record(1, 3, &[])]);
    assert_eq!(aggregate(Settings { once: true, ..long }).sent, 1);
    second.end();
    let got: BTreeSet<(String, u64)> = lines(&at("out")).into_iter().collect();
    assert_eq!(got, (1000..1004).map(|n| ("h".to_owned(), n)).collect());
}

/// Two collectors at one address: the kernel gives each some of 40 hosts.
#[test]
fn collectors_behind_one_address_share_hosts() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: String| folder.path().join(name);
    let first = collector("127.0.0.1:0", &at("a".to_owned()));
    let second = collector(&first.address.to_string(), &at("b".to_owned()));
    for host in 0..40 {
        let file = at(format!("h{host}"));
        collected(&file, &[record(1, host, &[])]);
        assert_eq!(aggregate(settings(file, "h", first.address)).sent, 1);
    }
    let (one, two) = (first.end().records, second.end().records);
    assert!(one > 0 && two > 0 && one + two == 40, "{one} and {two}");
}

/// What is no aggregator is told so and sent away; others go on.
#[test]
fn hostile_connections() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("1"), folder.path().join("out"));
    let running = collector("127.0.0.1:0", &out);
    let hello = "{\"host\":\"x\"}\n";
    let long = format!("{hello}{}", "x".repeat(1 << 17));
    let record = format!("{hello}{{\"offset\": -1, \"record\": {{}}}}\n");
    for (sent, says) in
        [("GET / HTTP/1.1\r\n\r\n", "host"), (long.as_str(), "bytes"), (record.as_str(), "offset")]
    {
        let mut stream = TcpStream::connect(running.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a socket");
        // The collector may have ended the connection before all is sent.
        let _ = stream.write_all(sent.as_bytes());
        let mut answer = String::new();
        match BufReader::new(stream).read_line(&mut answer) {
            Ok(_) => assert!(answer.contains(says), "{answer}"),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset),
        }
    }
    collected(&file, &[self::record(1, 0, &[])]);
    assert_eq!(aggregate(settings(file, "h", running.address)).sent, 1);
    assert_eq!(running.end(), collector::Counters { records: 1, refused: 3 });
}
