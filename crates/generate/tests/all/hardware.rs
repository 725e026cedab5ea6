//! Generated programs on hardware, against the reference engine and the native one.
//!
//! Programs that hardware refuses do not count: seeds are tried until [`PROGRAMS`] programs ran,
//! or `WW_PROGRAMS` of them. `refused.rs` lists those of the
//! first seeds, with the reasons. `WW_SEEDS=FIRST..LAST` runs these seeds instead. A program on which
//! engines differ is printed with its steps, made small.
//!
//! Each program runs twice: packet by packet, and with all packets between two requests one
//! directly behind the other, with random gaps and random back-pressure.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use ww_control::Switch;
use ww_dataplane::control::{Answer, Control, Error, Schema};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_generate::case::{Case, Source, Step, compile};
use ww_generate::compare::{Difference, compare, compare_together};
use ww_generate::profile::Profile;
use ww_generate::request::Request;
use ww_generate::shrink::shrink;
use ww_rtl::manifest::ObjectKind;
use ww_rtl::runner::engine::Settings;
use ww_rtl::runner::load::{Failure, Wanted, design, load};
use ww_rtl::runner::pace::Pace;

/// Programs of each run, at least.
const PROGRAMS: u64 = 60;

/// Most seeds that are tried for each program that runs.
const TRIES: u64 = 8;

/// More cases with differences than these are not looked for.
const ENOUGH: usize = 3;

/// Most programs that are tried to make one small: each is a model of its own.
const QUESTIONS: usize = 60;

fn interp(source: &Source) -> Result<Box<dyn Switch>, String> {
    let engine = Interp::new(source.program.clone(), Options::default());
    Ok(Box::new(Frames(Box::new(engine.map_err(|e| e.to_string())?))))
}

fn jit(source: &Source) -> Result<Box<dyn Switch>, String> {
    let engine = Jit::new(source.program.clone(), Options::default());
    Ok(Box::new(Frames(Box::new(engine.map_err(|e| e.to_string())?))))
}

fn rtl(source: &Source) -> Result<Box<dyn Switch>, String> {
    rtl_at(source, Pace::Serial)
}

fn rtl_at(source: &Source, pace: Pace) -> Result<Box<dyn Switch>, String> {
    let settings = Settings { pace, ..Settings::default() };
    let wanted = Wanted { settings, ..Wanted::quick("generated") };
    let engine = load(source.program.clone(), &wanted);
    Ok(Box::new(Frames(Box::new(engine.map_err(|e| e.to_string())?))))
}

/// A case without what hardware cannot do: hash functions are fixed, and a stream has no frames
/// without bytes.
fn for_hardware(mut case: Case) -> Case {
    case.steps.retain(|step| match step {
        Step::Request(request) => !matches!(request, Request::Crc(..)),
        Step::Packet { bytes, .. } => !bytes.is_empty(),
    });
    case
}

/// An engine whose frames without bytes are not looked at.
struct Frames(Box<dyn Switch>);

impl Control for Frames {
    fn schema(&self) -> Arc<Schema> {
        self.0.schema()
    }

    fn handle(&mut self, request: ww_dataplane::control::Request) -> Result<Answer, Error> {
        Control::handle(&mut *self.0, request)
    }
}

impl Dataplane for Frames {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.0.receive(port, now, frame, out);
        out.retain(|sent| !sent.frame.is_empty());
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        let mut out: Vec<Transmit> = Vec::new();
        self.0.receive_batch(now, frames, &mut out);
        for Transmit { port, at, frame } in out.iter().filter(|sent| !sent.frame.is_empty()) {
            sink.transmit(*port, *at, frame);
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.0.advance(now, out);
        out.retain(|sent| !sent.frame.is_empty());
    }

    fn status(&self) -> Status {
        self.0.status()
    }
}

/// How packets that go in together compare.
#[derive(Clone, Copy, PartialEq)]
enum Together {
    /// In their order.
    InOrder,
    /// In any order of the frames of a port.
    AnyOrder,
    /// Not at all: what leaves depends on which packet overtakes which.
    Skipped,
}

/// Whether hardware holds a program, and how packets compare in it that go in together.
fn fits(source: &Source) -> Option<Together> {
    let wanted = Wanted::quick("generated");
    match design(&source.program, &wanted) {
        Ok(design) => {
            let ordered = design.manifest.objects.iter().any(|object| {
                matches!(object.kind, ObjectKind::Register { .. } | ObjectKind::Meter { .. })
            });
            Some(match (design.manifest.reenters, design.manifest.egress_clones) {
                (true, _) => Together::Skipped,
                (false, true) if ordered => Together::Skipped,
                (false, true) => Together::AnyOrder,
                (false, false) => Together::InOrder,
            })
        }
        Err(Failure::Refused(_) | Failure::Lowering(_)) => None,
        Err(Failure::Failed(_)) => Some(Together::InOrder),
    }
}

/// Where hardware differs from the reference engine: packet by packet, then all together.
fn differs(case: &Case, source: &Source, together: Together, seed: u64) -> Option<Difference> {
    compare(case, source, &interp, &rtl).or_else(|| {
        let pace = if seed.is_multiple_of(2) { Pace::BackToBack } else { Pace::Both { seed } };
        let rtl = |source: &Source| rtl_at(source, pace);
        let any_order = together == Together::AnyOrder;
        let compared = together != Together::Skipped;
        compared.then(|| compare_together(case, source, any_order, &interp, &rtl)).flatten()
    })
}

/// What the engines make of a program differently, or how its packets compared that went in
/// together; `None` if hardware refuses it.
fn check(seed: u64) -> Option<Result<Together, String>> {
    let (case, source) = match Case::generate(seed, &Profile::hardware()) {
        Ok((case, source)) => (for_hardware(case), source),
        Err(error) => return Some(Err(format!("seed {seed}: {error}"))),
    };
    let together = fits(&source)?;
    if let Some(difference) = compare(&case, &source, &interp, &jit) {
        return Some(Err(format!("seed {seed}: interp and jit: {difference}")));
    }
    let difference = differs(&case, &source, together, seed);
    let Some(difference) = difference else { return Some(Ok(together)) };
    let mut small = case;
    if std::env::var_os("WW_WHOLE").is_none() {
        let mut fails = |case: &Case| {
            compile(case.program.text()).is_ok_and(|source| {
                fits(&source)
                    .is_some_and(|together| differs(case, &source, together, seed).is_some())
            })
        };
        small = shrink(&small, QUESTIONS, &mut fails).case;
    }
    Some(Err(format!("seed {seed}: {difference}\n{}", small.listing())))
}

#[test]
fn hardware_agrees_on_generated_programs() {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let wanted = std::env::var("WW_PROGRAMS").map_or(PROGRAMS, |text| number(&text));
    let (first, last, wanted) = match std::env::var("WW_SEEDS") {
        Ok(text) => {
            let (first, last) = text.split_once("..").expect("WW_SEEDS is FIRST..LAST");
            (number(first), number(last), u64::MAX)
        }
        Err(_) => (0, wanted * TRIES, wanted),
    };
    let (next, ran, refused) = (AtomicU64::new(first), AtomicU64::new(0), AtomicU64::new(0));
    let alone = AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let enough = found.lock().is_ok_and(|found| Vec::len(&found) >= ENOUGH);
            if seed >= last || enough || ran.load(Ordering::Relaxed) >= wanted {
                return;
            }
            match check(seed) {
                None => {
                    refused.fetch_add(1, Ordering::Relaxed);
                }
                Some(Ok(together)) => {
                    ran.fetch_add(1, Ordering::Relaxed);
                    alone.fetch_add(u64::from(together == Together::Skipped), Ordering::Relaxed);
                }
                Some(Err(problem)) => found.lock().expect("nobody panics with it").push(problem),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let builder = std::thread::Builder::new().stack_size(256 << 20);
            builder.spawn_scoped(scope, work).expect("a thread");
        }
    });
    let (ran, refused) = (ran.into_inner(), refused.into_inner());
    let together = ran - alone.into_inner();
    println!("hardware: {ran} generated programs ran on three engines, {refused} were refused");
    println!("hardware: {together} of them ran with packets back to back, too");
    let found: Vec<String> = found.into_inner().expect("a list");
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    assert!(ran >= wanted || wanted == u64::MAX, "only {ran} programs ran");
}
