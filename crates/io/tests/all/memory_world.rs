//! Memory ports, workers, and the exchange of dataplanes in a running world.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Statistics, Status, Transmit};
use ww_io::capture::CaptureWriter;
use ww_io::fingerprint::Fingerprint;
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::time::UtcTime;
use ww_io::world::live::{Options, Pinning, World};
use ww_io::world::{OwnedDataplane, ReplaceError, RunReport};

/// Frames in the test's capture.
const FRAMES: u32 = 1000;

/// A UDP frame of flow `flow` that carries `number`.
fn frame(flow: u8, number: u32) -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0];
    frame.extend([0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, flow, 10, 0, 1, 1]);
    frame.extend([4, flow, 0, 53, 0, 26, 0, 0]);
    frame.extend(number.to_be_bytes());
    frame.resize(60 + usize::from(flow % 7), flow);
    frame
}

fn number(frame: &[u8]) -> u32 {
    u32::from_be_bytes(frame[42..46].try_into().unwrap())
}

fn frames() -> impl Iterator<Item = Vec<u8>> {
    (0..FRAMES).map(|n| frame((n * 37 % 50) as u8, n))
}

/// A capture with the test's frames.
fn capture(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut writer = CaptureWriter::create(&path, &[]).unwrap();
    for frame in frames() {
        // All at one time: memory ports go by the order in the file.
        writer.write(0, UtcTime::from_seconds(1, 0), &frame).unwrap();
    }
    writer.finish().unwrap();
    path
}

type Frames = Vec<(PortId, Vec<u8>)>;
type Seen = Arc<Mutex<Frames>>;

/// Sends what comes in on port P out on port P + 1, with its first byte changed in the
/// memory that the world lent; notes what came in.
struct Next {
    seen: Seen,
    delay: Picoseconds,
    held: Vec<(Picoseconds, Transmit)>,
}

impl Next {
    fn new(seen: &Seen) -> Self {
        Self { seen: Arc::clone(seen), delay: 0, held: Vec::new() }
    }
}

impl Dataplane for Next {
    fn receive(&mut self, _: PortId, _: Picoseconds, _: &[u8], _: &mut Vec<Transmit>) {
        panic!("the world gives batches");
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        assert!((1..=64).contains(&frames.len()));
        for Frame { port, bytes } in frames {
            self.seen.lock().unwrap().push((*port, bytes.to_vec()));
            bytes[0] ^= 0xff;
            if self.delay == 0 {
                sink.transmit(*port + 1, now, bytes);
            } else {
                let transmit =
                    Transmit { port: *port + 1, at: now + self.delay, frame: bytes.to_vec() };
                self.held.push((now + self.delay, transmit));
            }
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let due = self.held.extract_if(.., |(at, _)| *at <= now);
        out.extend(due.map(|(_, transmit)| transmit));
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        let received = self.seen.lock().unwrap().len() as u64;
        match request {
            Request::Statistics {} => Ok(Statistics { received, ..Statistics::default() }.into()),
            other => Err(other.refused_by("next")),
        }
    }

    fn status(&self) -> Status {
        Status { next_event: self.held.iter().map(|(at, _)| *at).min(), refused: 0 }
    }
}

fn options(workers: usize) -> Options {
    Options { workers: NonZeroUsize::new(workers).unwrap(), ..Options::default() }
}

fn run(ports: &[&str], workers: usize) -> (RunReport, Vec<Frames>) {
    let ports = parse_ports(ports).unwrap();
    let world = World::open(&ports, &options(workers), &Stop::new().unwrap()).unwrap();
    let seen: Vec<Seen> = (0..workers).map(|_| Seen::default()).collect();
    let dataplanes = seen.iter().map(|seen| Box::new(Next::new(seen)) as OwnedDataplane);
    let (report, dataplanes) = world.run(dataplanes.collect()).unwrap();
    assert_eq!(dataplanes.len(), workers);
    (report, seen.iter().map(|seen| std::mem::take(&mut *seen.lock().unwrap())).collect())
}

/// What the dataplane makes of the capture's frames, as a fingerprint.
fn expected(passes: u32) -> Fingerprint {
    let mut fingerprint = Fingerprint::default();
    for _ in 0..passes {
        for mut frame in frames() {
            frame[0] ^= 0xff;
            fingerprint.add(&frame);
        }
    }
    fingerprint
}

#[test]
fn every_pass_has_fresh_frames_in_order() {
    let path = capture("passes.pcap");
    let (report, seen) = run(&[&format!("4=mem:{},loop=3", path.display()), "5=mem:"], 1);
    let all: Vec<_> = (0..3).flat_map(|_| frames()).map(|frame| (4, frame)).collect();
    assert!(seen[0] == all, "what came in");
    let [input, output] = &report.ports[..] else { panic!("{report:?}") };
    assert_eq!((input.rx.packets, output.tx), (3 * u64::from(FRAMES), input.rx));
    assert_eq!(input.rx.bytes, all.iter().map(|(_, frame)| frame.len() as u64).sum::<u64>());
    let fingerprint = expected(3);
    let found = output.output.expect("a fingerprint");
    assert_eq!((found.hash, found.sum), (fingerprint.hash(), fingerprint.sum()));
    assert_eq!(report.workers[0].rx, input.rx);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["ports"][1]["output"]["sum"], format!("{:016x}", found.sum));
}

#[test]
fn flows_are_divided_among_workers() {
    let path = capture("workers.pcap");
    let port = format!("0=mem:{},loop=2", path.display());
    let (report, seen) = run(&[&port, "1=mem:"], 3);
    // No flow is at two workers, and each worker has its frames in order.
    let mut worker_of = HashMap::new();
    for (worker, seen) in seen.iter().enumerate() {
        assert!(seen.len() > FRAMES as usize / 3, "worker {worker} has {} frames", seen.len());
        let pass = &seen[..seen.len() / 2];
        assert!(pass.is_sorted_by_key(|(_, frame)| number(frame)));
        for (_, frame) in seen {
            assert_eq!(*worker_of.entry(frame[29]).or_insert(worker), worker);
        }
        assert_eq!(report.workers[worker].rx.packets, seen.len() as u64);
    }
    let mut numbers: Vec<_> = seen.iter().flatten().map(|(_, frame)| number(frame)).collect();
    numbers.sort();
    assert!(numbers.iter().copied().eq((0..FRAMES).flat_map(|n| [n, n])), "each frame twice");
    let output = report.ports[1].output.unwrap();
    assert_eq!(output.sum, expected(2).sum(), "the sum does not depend on the workers");
}

#[test]
fn frames_come_until_the_time_is_up() {
    let path = capture("seconds.pcap");
    let began = Instant::now();
    let (report, _) = run(&[&format!("0=mem:{},seconds=0.2", path.display()), "1=mem:"], 1);
    assert!(began.elapsed() >= Duration::from_millis(200));
    assert!(report.ports[0].rx.packets > u64::from(FRAMES));
    assert_eq!(report.ports[0].rx, report.ports[1].tx);
}

#[test]
fn what_is_pending_leaves_before_the_end() {
    let path = capture("pending.pcap");
    let ports = parse_ports([format!("0=mem:{}", path.display()), "1=mem:".into()]).unwrap();
    let world = World::open(&ports, &options(1), &Stop::new().unwrap()).unwrap();
    let delay = 20_000_000_000; // 20 ms
    let dataplane = Next { delay, ..Next::new(&Seen::default()) };
    let (report, _) = world.run(vec![Box::new(dataplane)]).unwrap();
    assert_eq!(report.ports[1].tx.packets, u64::from(FRAMES));
    assert!(report.end >= delay);
}

/// Exchanges dataplanes while frames come as fast as they can: each frame goes to one of
/// them, none is lost, and the old one comes back only when it has nothing pending.
#[test]
fn dataplanes_are_exchanged_between_batches() {
    let path = capture("exchange.pcap");
    let ports = parse_ports([format!("0=mem:{},seconds=600", path.display()), "1=mem:".into()]);
    let world = World::open(&ports.unwrap(), &options(1), &Stop::new().unwrap()).unwrap();
    let handle = world.handle();
    let patience = Duration::from_secs(30);
    let (first, second) = (Seen::default(), Seen::default());
    let old = Next { delay: 100_000_000_000, ..Next::new(&first) };
    let new = Next::new(&second);
    let thread = std::thread::spawn(move || world.run(vec![Box::new(old)]).unwrap());
    let wait = |done: &dyn Fn() -> bool| {
        let deadline = Instant::now() + patience;
        while !done() {
            assert!(Instant::now() < deadline, "waited in vain");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    wait(&|| first.lock().unwrap().len() > 10);
    handle.replace(0, Box::new(new)).unwrap();
    let third = Seen::default();
    match handle.replace(0, Box::new(Next::new(&third))) {
        Err(ReplaceError::Busy(_)) => {}
        other => panic!("two at a time: {other:?}"),
    }
    let mut old = handle.retired(0, patience).expect("the old one comes back");
    assert_eq!(old.next_event(), None, "with nothing pending");
    let taken = first.lock().unwrap().len();
    let statistics = old.handle(Request::Statistics {}).and_then(Statistics::try_from);
    assert_eq!(statistics.expect("it counts").received, taken as u64, "the first one");
    wait(&|| second.lock().unwrap().len() > 10);
    assert_eq!(first.lock().unwrap().len(), taken, "it sees no more frames");
    assert!(handle.port_counters()[1].tx.packets > 0, "readable while running");
    handle.stop();
    let (report, dataplanes) = thread.join().unwrap();
    assert_eq!(dataplanes.len(), 1);
    let seen: Vec<_> = [&first, &second].map(|seen| seen.lock().unwrap().clone()).concat();
    let numbers: Vec<_> = seen.iter().map(|(_, frame)| number(frame)).collect();
    assert!(numbers.iter().copied().eq((0..FRAMES).cycle().take(numbers.len())), "in order");
    assert_eq!(report.ports[0].rx.packets, seen.len() as u64);
    assert_eq!(report.ports[1].tx.packets, seen.len() as u64, "none was lost");
    match handle.replace(0, Box::new(Next::new(&third))) {
        Err(ReplaceError::Ended(_)) => {}
        other => panic!("it has ended: {other:?}"),
    }
}

#[test]
fn a_core_that_is_not_there_is_told_and_the_run_goes_on() {
    let path = capture("cores.pcap");
    let ports = parse_ports([format!("0=mem:{}", path.display())]).unwrap();
    let said = Arc::new(Mutex::new(String::new()));
    let hear = Arc::clone(&said);
    let options = Options {
        pinning: Pinning::Cores(vec![1_000_000]),
        notice: Arc::new(move |text| hear.lock().unwrap().push_str(text)),
        ..options(1)
    };
    let world = World::open(&ports, &options, &Stop::new().unwrap()).unwrap();
    let (report, _) = world.run(vec![Box::new(Next::new(&Seen::default()))]).unwrap();
    assert_eq!(report.unattached.packets, u64::from(FRAMES));
    assert_eq!(report.workers[0].core, None);
    let said = said.lock().unwrap();
    assert!(said.contains("core 1000000 is not available"), "{said}");
}

#[test]
fn captures_that_cannot_be_loaded_are_refused() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let error = |path: PathBuf| {
        let ports = parse_ports([format!("0=mem:{}", path.display())]).unwrap();
        let world = World::open(&ports, &options(1), &Stop::new().unwrap());
        world.err().expect("it is refused").to_string()
    };
    assert!(error(folder.join("nowhere.pcap")).contains("no such file"));
    let cut = folder.join("cut.pcap");
    let whole = std::fs::read(capture("whole.pcap")).unwrap();
    std::fs::write(&cut, &whole[..whole.len() - 5]).unwrap();
    assert!(error(cut).contains("packet 1000"), "the packet that is cut");
}
