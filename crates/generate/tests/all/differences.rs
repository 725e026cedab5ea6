//! The comparison finds planted faults, finds nothing between equal engines, and what it finds
//! becomes small.

use ww_control::Switch;
use ww_engine::interp::{Interp, Options};
use ww_generate::case::{Case, Source, Step, compile};
use ww_generate::compare::{Make, compare};
use ww_generate::profile::Profile;
use ww_generate::shrink::{Shrunk, shrink};

use crate::faulty;

use faulty::{Fault, Faulty};

fn interp(source: &Source) -> Result<Box<dyn Switch>, String> {
    let engine = Interp::new(source.program.clone(), Options::default());
    Ok(Box::new(engine.map_err(|e| format!("{e:?}"))?))
}

fn case(seed: u64) -> (Case, Source) {
    Case::generate(seed, &Profile::for_seed(seed)).unwrap_or_else(|e| panic!("seed {seed}: {e}"))
}

#[test]
fn equal_engines_do_not_differ() {
    for seed in 0..300 {
        let (case, source) = case(seed);
        if let Some(difference) = compare(&case, &source, &interp, &interp) {
            panic!("seed {seed}: {difference}");
        }
    }
}

/// The first case in which an engine differs from the reference, made small.
fn find(other: &Make<'_>) -> Shrunk {
    let found = (0..400).find_map(|seed| {
        let (case, source) = case(seed);
        compare(&case, &source, &interp, other).map(|_| case)
    });
    let case = found.expect("the fault shows");
    let shrunk = shrink(&case, 6000, &mut |case| {
        compile(case.program.text())
            .is_ok_and(|source| compare(case, &source, &interp, other).is_some())
    });
    let (packets, requests) = count(&shrunk.case);
    println!(
        "{} lines, {packets} packets, {requests} requests after {} questions:\n{}",
        lines(&shrunk.case),
        shrunk.questions,
        shrunk.case.listing()
    );
    assert!(shrunk.finished, "{} questions were not enough", shrunk.questions);
    shrunk
}

fn lines(case: &Case) -> usize {
    case.program.text().lines().count()
}

fn count(case: &Case) -> (usize, usize) {
    let packets = case.steps.iter().filter(|s| matches!(s, Step::Packet { .. })).count();
    (packets, case.steps.len() - packets)
}

/// The smallest program has 3 structs, 6 blocks and 4 lines around them: 28 lines.
const EMPTY: usize = 32;

#[test]
fn a_flipped_bit_on_one_port_is_found() {
    let shrunk = find(&|source| Ok(Box::new(Faulty::new(interp(source)?, Fault::FlipOnPort(3)))));
    assert!(lines(&shrunk.case) <= EMPTY + 3, "{} lines", lines(&shrunk.case));
    assert_eq!(count(&shrunk.case), (1, 0));
    assert!(shrunk.case.program.text().contains("sm.egress_spec = 9w0x3;"));
}

/// An engine that adds where it should saturate, made by a change of the program's text.
#[test]
fn a_saturating_addition_that_wraps_is_found() {
    let shrunk = find(&|source| interp(&compile(source.text.replace("|+|", "+"))?));
    assert!(lines(&shrunk.case) <= EMPTY + 24, "{} lines", lines(&shrunk.case));
    assert_eq!(count(&shrunk.case).0, 1);
    assert_eq!(shrunk.case.program.text().matches("|+|").count(), 1);
}

#[test]
fn lost_digests_registers_and_answers_are_found() {
    for fault in [Fault::NoDigests, Fault::ForgetRegisters, Fault::ForgetPriority, Fault::NoCounts]
    {
        let shrunk = find(&|source| Ok(Box::new(Faulty::new(interp(source)?, fault))));
        assert!(lines(&shrunk.case) <= EMPTY + 24, "{fault:?}: {} lines", lines(&shrunk.case));
        let (packets, requests) = count(&shrunk.case);
        assert!(packets <= 2 && requests <= 4, "{fault:?}: {packets} packets, {requests} requests");
    }
}
