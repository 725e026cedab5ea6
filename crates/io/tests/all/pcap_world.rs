//! The world of files: order, time, outputs and counters.

use std::path::{Path, PathBuf};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_io::capture::{CaptureReader, CaptureWriter};
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::time::UtcTime;
use ww_io::world::{RunError, RunReport, run};

/// A folder of one test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes frames of one byte at nanoseconds after a start in 2023.
    fn capture(&self, name: &str, frames: &[(u32, u8)]) {
        let mut writer = CaptureWriter::create(&self.0.join(name), &[]).unwrap();
        for &(nanoseconds, tag) in frames {
            let time = UtcTime::from_seconds(1_700_000_000, nanoseconds);
            writer.write(0, time, &[tag]).unwrap();
        }
        writer.finish().unwrap();
    }

    fn frames(&self, name: &str) -> Vec<(i128, u8)> {
        read(&self.0.join(name))
    }

    fn run(
        &self,
        ports: &[&str],
        dataplane: &mut dyn Dataplane,
        stop: &Stop,
    ) -> Result<RunReport, RunError> {
        let folder = format!("{}/", self.0.display());
        let ports = ports.iter().map(|port| port.replace('@', &folder));
        run(&parse_ports(ports).unwrap(), dataplane, stop)
    }

    fn list(&self) -> usize {
        std::fs::read_dir(&self.0).unwrap().count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(path: &Path) -> Vec<(i128, u8)> {
    let mut reader = CaptureReader::open(path).unwrap();
    let (mut frame, mut frames) = (Vec::new(), Vec::new());
    while let Some(info) = reader.next_frame(&mut frame).unwrap() {
        frames.push((info.timestamp.nanoseconds() - 1_700_000_000_000_000_000, frame[0]));
    }
    frames
}

/// Sends each frame to one port after a delay told by the frame, keeping those
/// with a delay itself until their event when `queues`.
#[derive(Default)]
struct Relay {
    to: PortId,
    queues: bool,
    seen: Vec<(Picoseconds, PortId, u8)>,
    pending: Vec<(Picoseconds, Vec<u8>)>,
}

impl Dataplane for Relay {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        assert!(self.next_event().is_none_or(|event| event > now), "due events come first");
        self.seen.push((now, port, frame[0]));
        let at = now + u64::from(frame[0]) * 1000;
        if self.queues && at > now {
            self.pending.push((at, frame.to_vec()));
        } else {
            out.push(Transmit { port: self.to, at, frame: frame.to_vec() });
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let to = self.to;
        self.pending.sort_by_key(|(at, _)| *at);
        self.pending.retain(|(at, frame)| {
            if *at <= now {
                out.push(Transmit { port: to, at: *at, frame: frame.clone() });
            }
            *at > now
        });
    }

    fn status(&self) -> Status {
        Status { next_event: self.pending.iter().map(|(at, _)| *at).min(), refused: 0 }
    }
}

#[test]
fn by_time_then_by_port_with_exact_stamps() {
    let folder = Folder::new("by_time_then_by_port");
    folder.capture("a.pcap", &[(10, 0), (30, 0), (30, 0)]);
    folder.capture("b.pcapng.gz", &[(10, 0), (20, 0), (30, 0)]);
    let mut relay = Relay { to: 7, ..Relay::default() };
    let ports = ["5=@a.pcap:", "2=@b.pcapng.gz:@unused.pcap", "7=:@out.pcap"];
    let report = folder.run(&ports, &mut relay, &Stop::new().unwrap()).unwrap();
    let order: Vec<_> = relay.seen.iter().map(|(now, port, _)| (*now, *port)).collect();
    assert_eq!(
        order,
        [(0, 2), (0, 5), (10_000, 2), (20_000, 2), (20_000, 5), (20_000, 5)],
        "picoseconds since the first frame"
    );
    assert_eq!(
        folder.frames("out.pcap").iter().map(|(t, _)| *t).collect::<Vec<_>>(),
        [10, 10, 20, 30, 30, 30]
    );
    assert_eq!(folder.frames("unused.pcap"), []);
    assert_eq!(report.end, 20_000);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["ports"][0]["port"], 2, "by number");
    assert_eq!(json["ports"][1]["rx"]["packets"], 3);
    assert_eq!(json["ports"][2]["tx"]["bytes"], 6);
    assert_eq!(json["unattached"]["packets"], 0);
}

#[test]
fn what_is_pending_leaves_in_order_and_at_its_time() {
    for queues in [false, true] {
        let folder = Folder::new(if queues { "pending_queued" } else { "pending_held" });
        folder.capture("a.pcap", &[(0, 100), (10, 5), (15, 0), (50, 50)]);
        let mut relay = Relay { to: 1, queues, ..Relay::default() };
        let ports = ["0=@a.pcap:", "1=:@out.pcap"];
        folder.run(&ports, &mut relay, &Stop::new().unwrap()).unwrap();
        let out = folder.frames("out.pcap");
        assert_eq!(out, [(15, 5), (15, 0), (100, 100), (100, 50)]);
    }
}

#[test]
fn unattached_ports_are_counted() {
    let folder = Folder::new("unattached");
    folder.capture("a.pcap", &[(0, 0), (1, 0)]);
    let mut relay = Relay { to: 9, ..Relay::default() };
    let report = folder.run(&["0=@a.pcap:"], &mut relay, &Stop::new().unwrap()).unwrap();
    assert_eq!((report.unattached.packets, report.unattached.bytes), (2, 2));
}

#[test]
fn errors_leave_no_output() {
    let folder = Folder::new("errors_leave_no_output");
    folder.capture("a.pcap", &[(0, 0), (1, 0)]);
    let path = folder.0.join("a.pcap");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.push(0);
    std::fs::write(&path, bytes).unwrap();
    let mut relay = Relay { to: 1, ..Relay::default() };
    let stop = Stop::new().unwrap();
    let error = folder.run(&["0=@a.pcap:", "1=:@out.pcap"], &mut relay, &stop).unwrap_err();
    assert!(error.to_string().contains("packet 3 at byte offset 58: the file is cut short"));
    assert_eq!(folder.list(), 1, "only the input is left");
    let error = folder.run(&["0=@missing.pcap:@out.pcap"], &mut relay, &stop).unwrap_err();
    assert!(error.to_string().ends_with("missing.pcap: no such file"));
    assert_eq!(folder.list(), 1);
}

#[test]
fn interruption_leaves_no_output() {
    let folder = Folder::new("interruption");
    folder.capture("a.pcap", &vec![(0, 0); 1000]);
    let mut relay = Relay { to: 1, ..Relay::default() };
    let stop = Stop::new().unwrap();
    stop.raise();
    let error = folder.run(&["0=@a.pcap:", "1=:@out.pcap"], &mut relay, &stop).unwrap_err();
    assert!(matches!(error, RunError::Interrupted));
    assert_eq!(folder.list(), 1);
}

#[test]
fn a_run_spans_213_days_at_most() {
    let folder = Folder::new("a_run_spans_213_days");
    let mut writer = CaptureWriter::create(&folder.0.join("a.pcap"), &[]).unwrap();
    for second in [0, 1_700_000_000] {
        writer.write(0, UtcTime::from_seconds(second, 0), &[0]).unwrap();
    }
    writer.finish().unwrap();
    let stop = Stop::new().unwrap();
    let error = folder.run(&["0=@a.pcap:"], &mut Relay::default(), &stop).unwrap_err();
    assert!(
        error.to_string().ends_with("packet 2: is more than 213 days after the run's first packet")
    );
}

#[test]
fn no_frames_at_all() {
    let folder = Folder::new("no_frames_at_all");
    folder.capture("a.pcap", &[]);
    let stop = Stop::new().unwrap();
    let report = folder.run(&["0=@a.pcap:@out.pcap"], &mut Relay::default(), &stop).unwrap();
    assert_eq!((report.end, report.ports[0].rx.packets), (0, 0));
    assert_eq!(folder.frames("out.pcap"), []);
}
