//! Generated programs on hardware, against the reference engine and the native one.
//!
//! Programs that hardware refuses do not count: seeds are tried until [`PROGRAMS`] programs ran,
//! or `WW_PROGRAMS` of them. `WW_SEEDS=FIRST..LAST` runs these seeds instead. A program on which
//! engines differ is printed with its steps, made small.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use ww_control::Switch;
use ww_engine::dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_generate::case::{Case, Source, Step, compile};
use ww_generate::compare::compare;
use ww_generate::profile::Profile;
use ww_generate::request::Request;
use ww_generate::shrink::shrink;
use ww_rtl::runner::load::{Failure, Wanted, design, load};

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
    let engine = load(source.program.clone(), &Wanted::quick("generated"));
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

ww_engine::forward_control!(Frames, 0);

impl Dataplane for Frames {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.0.receive(port, now, frame, out);
        out.retain(|sent| !sent.frame.is_empty());
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.0.advance(now, out);
        out.retain(|sent| !sent.frame.is_empty());
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.0.next_event()
    }
}

/// Whether hardware holds a program.
fn fits(source: &Source) -> bool {
    let wanted = Wanted::quick("generated");
    !matches!(design(&source.program, &wanted), Err(Failure::Refused(_) | Failure::Lowering(_)))
}

/// What the engines make of a program differently; `None` if hardware refuses it.
fn check(seed: u64) -> Option<Result<(), String>> {
    let (case, source) = match Case::generate(seed, &Profile::hardware()) {
        Ok((case, source)) => (for_hardware(case), source),
        Err(error) => return Some(Err(format!("seed {seed}: {error}"))),
    };
    if !fits(&source) {
        return None;
    }
    if let Some(difference) = compare(&case, &source, &interp, &jit) {
        return Some(Err(format!("seed {seed}: interp and jit: {difference}")));
    }
    let Some(difference) = compare(&case, &source, &interp, &rtl) else { return Some(Ok(())) };
    let mut small = case;
    if std::env::var_os("WW_WHOLE").is_none() {
        let mut fails = |case: &Case| {
            compile(case.program.text()).is_ok_and(|source| {
                fits(&source) && compare(case, &source, &interp, &rtl).is_some()
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
                Some(Ok(())) => {
                    ran.fetch_add(1, Ordering::Relaxed);
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
    println!("hardware: {ran} generated programs ran on three engines, {refused} were refused");
    let found: Vec<String> = found.into_inner().expect("a list");
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    assert!(ran >= wanted || wanted == u64::MAX, "only {ran} programs ran");
}
