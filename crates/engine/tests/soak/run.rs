//! One run: the threads, and what is compared when they are done.

use crate::random::Random;
use crate::reference::Reference;
use crate::requests::Source;
use crate::traffic::{self, Sent};
use crate::updates::{self, Fault, Updates};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use ww_dataplane::control::{Control, TableIndex};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;

/// What went wrong, the first few things.
#[derive(Default)]
pub struct Problems {
    any: AtomicBool,
    texts: Mutex<Vec<String>>,
}

impl Problems {
    pub fn add(&self, text: String) {
        self.any.store(true, Relaxed);
        let mut texts = self.texts.lock().expect("no thread panics with it");
        if texts.len() < 5 {
            texts.push(text);
        }
    }

    pub fn is_empty(&self) -> bool {
        !self.any.load(Relaxed)
    }

    pub fn into_texts(self) -> Vec<String> {
        self.texts.into_inner().expect("no thread panics with it")
    }
}

/// Requests and samples on their way to the reference engine. Whoever finds the way full waits,
/// so that one packet in [`traffic::SAMPLED`] is checked, not fewer, and memory stays bounded.
const LOG: usize = 4096;
const SAMPLES: usize = 1024;

/// Shared by all threads of a run.
#[derive(Default)]
struct Shared {
    stop_updates: AtomicBool,
    stop_packets: AtomicBool,
    problems: Problems,
    packets: traffic::Progress,
    updates: updates::Progress,
}

/// What a run came to.
#[derive(Debug)]
pub struct Report {
    pub problems: Vec<String>,
    pub time: Duration,
    pub packets: u64,
    /// Accepted and refused requests, without those before the first packet.
    pub updates: u64,
    pub refused: u64,
    pub generations: u64,
    /// Changes of the generation that the worker saw from one batch to the next.
    pub changes_seen: u64,
    /// Packets executed again, and those of them that left.
    pub checked: u64,
    pub left: u64,
    /// How long the worker waited for the reference engine.
    pub waited: Duration,
    /// Resident memory after the first tenth (at least half a second) and at the end, in bytes.
    pub memory: Option<[u64; 2]>,
}

impl Report {
    pub fn print(&self) {
        let seconds = self.time.as_secs_f64();
        let mebi = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        println!(
            "{seconds:.1} s: {} packets ({:.0}/s), {} updates ({:.0}/s) and {} refused ones, {} \
             generations of which the worker saw {}, {} packets executed again ({} left), the \
             worker waited {:.1} s for that",
            self.packets,
            self.packets as f64 / seconds,
            self.updates,
            self.updates as f64 / seconds,
            self.refused,
            self.generations,
            self.changes_seen,
            self.checked,
            self.left,
            self.waited.as_secs_f64(),
        );
        if let Some([begin, end]) = self.memory {
            println!("resident memory: {:.1} MiB, then {:.1} MiB", mebi(begin), mebi(end));
        }
    }
}

/// Bytes of memory that the process has resident; `None` where the system does not say.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn program() -> Arc<Program> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soak/soak.p4");
    let compilation = compile_file(&path, &Default::default());
    assert!(!compilation.diagnostics.has_errors(), "{}", path.display());
    Arc::new(compilation.program)
}

/// Waits for the end of the run; gives the resident memory after its beginning.
fn watch(shared: &Shared, time: Duration) -> Option<u64> {
    const MINUTE: Duration = Duration::from_secs(60);
    let begin = Instant::now();
    let settled = (time / 10).clamp(Duration::from_millis(500), MINUTE);
    let (mut memory, mut next_line) = (None, MINUTE);
    while begin.elapsed() < time && shared.problems.is_empty() {
        std::thread::sleep(Duration::from_millis(20).min(time));
        if memory.is_none() && begin.elapsed() >= settled {
            memory = resident();
        }
        if begin.elapsed() >= next_line {
            println!(
                "{} s: {} packets, {} updates, {} packets to execute again, {} kB resident",
                next_line.as_secs(),
                shared.packets.packets.load(Relaxed),
                shared.updates.accepted.load(Relaxed),
                shared.packets.sampled.load(Relaxed),
                resident().unwrap_or(0) / 1024,
            );
            next_line += MINUTE;
        }
    }
    memory
}

/// Both engines after the same requests, and the counters of the one that had all the packets.
fn compare(updates: &mut Updates<'_>, reference: &mut Interp, sent: &Sent, problems: &Problems) {
    let control = &mut updates.control;
    let schema = control.schema();
    for n in 0..schema.tables.len() as u32 {
        let table = TableIndex(n);
        let name = &schema[table].name;
        if control.table_entries(table) != reference.table_entries(table) {
            problems.add(format!("the entries of `{name}` differ in the end"));
        }
        if control.table_default(table) != reference.table_default(table) {
            problems.add(format!("the default actions of `{name}` differ in the end"));
        }
    }
    let counter = schema.counter("hits").expect("the program has it");
    for (entry, expected) in updates.source.counted().iter().zip(sent.counted) {
        let found = control.counter_read(counter, entry.0);
        if found != Ok(expected) {
            problems.add(format!("counter of {entry:?}: {expected:?} packets came, {found:?}"));
        }
    }
}

/// Packets and updates for so long, or until something is wrong.
pub fn run(time: Duration, fault: Option<Fault>) -> Report {
    let program = program();
    let interp = Interp::new(program.clone(), Options::default()).expect("it is supported");
    let jit = Jit::with_workers(program, Options::default(), 1).expect("it is supported");
    let (mut control, mut workers) = jit.split();
    let worker = workers.pop().expect("one was asked for");
    let shared = Shared::default();
    let problems = &shared.problems;
    let (log, logged) = sync_channel(LOG);
    let (samples, sampled) = sync_channel(SAMPLES);
    let generation = control.generation().expect("a number");
    let source = Source::new(&control.schema(), 1);
    let (progress, random) = (&shared.updates, Random::new(3));
    let mut updates = Updates { control, source, random, log, progress, fault: None };
    updates.fill();
    updates.fault = fault;
    let before = [&progress.accepted, &progress.refused].map(|n| n.load(Relaxed));
    let filled = updates.control.generation().expect("a number");
    let reference = Reference { interp, generation, log: logged, problems, checked: 0, left: 0 };
    let begin = Instant::now();
    let (mut updates, sent, mut reference, took, memory) = std::thread::scope(|scope| {
        let reference = scope.spawn(move || reference.check(&sampled));
        let packets = scope.spawn(|| {
            // Moved here, so that the channel ends with the thread.
            let samples = samples;
            let (progress, stop) = (&shared.packets, &shared.stop_packets);
            traffic::send(worker, &samples, progress, stop, problems)
        });
        let requests = scope.spawn(|| updates.run(&shared.stop_updates, problems));
        let settled = watch(&shared, time);
        // The worker goes on meanwhile: the requests may wait for the reference engine, and that
        // for samples.
        shared.stop_updates.store(true, Relaxed);
        let updates = requests.join().expect("the control plane does not panic");
        shared.stop_packets.store(true, Relaxed);
        let sent = packets.join().expect("the worker does not panic");
        let took = begin.elapsed();
        let memory = settled.zip(resident()).map(|(begin, end)| [begin, end]);
        // Ends the log.
        let Updates { control, source, random, log, progress, fault } = updates;
        drop(log);
        let (log, _) = sync_channel(1);
        let updates = Updates { control, source, random, log, progress, fault };
        let reference = reference.join().expect("the reference engine does not panic");
        (updates, sent, reference, took, memory)
    });
    if problems.is_empty() {
        compare(&mut updates, &mut reference.interp, &sent, problems);
    }
    let (checked, left) = (reference.checked, reference.left);
    let [accepted, refused] = [&progress.accepted, &progress.refused].map(|n| n.load(Relaxed));
    let generations = updates.control.generation().expect("a number") - filled;
    drop((updates, reference));
    Report {
        time: took,
        packets: shared.packets.packets.load(Relaxed),
        updates: accepted - before[0],
        refused: refused - before[1],
        generations,
        changes_seen: sent.changes,
        checked,
        left,
        waited: sent.waited,
        memory,
        problems: shared.problems.into_texts(),
    }
}
