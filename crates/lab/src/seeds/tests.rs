//! Tries of a small lab, whose arrivals depend on the seed.

use super::known::{Known, parse};
use super::{Row, Status, Tries};
use crate::expect;
use crate::lab::Lab;
use crate::plan::World;
use crate::world::sim;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;

const LAB: &str = r#"
title = "Poisson arrivals"
[run]
duration = "1 ms"
seeds = 2
[quick]
run.seeds = 1
[topology]
kind = "star"
hosts = 2
edge = { rate = "1 Gb/s", delay = "1 us" }
[[traffic]]
name = "arrivals"
kind = "stream"
from = "h0"
to = "h1"
bytes = "1000 B"
pattern = "poisson"
load = 0.5
"#;

/// 62 frames are expected to arrive on average.
const EXPECTED: &str = r#"
[[expect]]
name = "always"
measure = "traffic.arrivals.packets.sent"
published = 0
source = "a count"
tolerance = "least"
[[expect]]
name = "sometimes"
measure = "traffic.arrivals.packets.sent"
published = 62
source = "the mean"
tolerance = "least"
quick_tolerance = false
"#;

fn tries(lab: &Lab, tries: &Tries, known: &[Known]) -> Result<Option<Vec<Row>>, String> {
    let expectations = expect::parse(EXPECTED, "expected.toml").expect("good");
    tries.run(lab, &expectations, known, 2, &|_, planned| sim::run_all(planned, &(), None, 1, &()))
}

const MANY: Tries = Tries { first: 5, count: 12, quick: false, world: World::Sim };

fn known(quick: bool, seeds: u32) -> Vec<Known> {
    let text = format!(
        "[[known]]\nlab = 't'\nexpectation = 'sometimes'\nquick = {quick}\nholds = 1\nseeds = {seeds}\nwhy = 'noise'\n"
    );
    parse(&text, Path::new("known.toml")).expect("good")
}

#[test]
fn rows_count_and_measure_the_distance_to_failure() {
    let lab = Lab::of_text("t", LAB);
    let rows = tries(&lab, &MANY, &[]).expect("it runs").expect("to the end");
    let [always, sometimes] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((always.holds, always.seeds, always.status()), (12, 12, Status::Holds));
    assert!(always.is_good());
    // `least` 0: the margin is the smallest value.
    assert_eq!(always.margin, always.min);
    assert!(always.min < always.median && always.median < always.max, "{always:?}");
    assert!(0 < sometimes.holds && sometimes.holds < 12, "{sometimes:?}");
    assert_eq!(sometimes.margin, sometimes.min.map(|min| min - 62.0));
    assert!(sometimes.status() == Status::Fails && !sometimes.is_good());
}

#[test]
fn each_try_has_the_seeds_behind_those_of_the_try_before() {
    let lab = Lab::of_text("t", LAB);
    for (quick, expected) in [(false, 5..5 + 24), (true, 5..5 + 12)] {
        let seen = Mutex::new(Vec::new());
        let runner = |number: usize, planned: &crate::lab::Planned| {
            let run = &planned.variants[0].plan.run;
            let seeds = run.seed..run.seed + u64::from(run.seeds);
            seen.lock().expect("no panic").push((number, seeds));
            sim::run_all(planned, &(), None, 1, &())
        };
        Tries { quick, ..MANY }.run(&lab, &[], &[], 3, &runner).expect("it runs");
        let mut seen = seen.into_inner().expect("no panic");
        seen.sort_by_key(|(number, _)| *number);
        let seeds: Vec<u64> = seen.into_iter().flat_map(|(_, seeds)| seeds).collect();
        assert_eq!(seeds, expected.collect::<Vec<_>>());
        assert_eq!(seeds.iter().collect::<HashSet<_>>().len(), seeds.len());
    }
}

#[test]
fn a_known_failure_does_not_count_until_it_holds_again() {
    let lab = Lab::of_text("t", LAB);
    let row = |tries_: &Tries, known: &[Known]| {
        let rows = tries(&lab, tries_, known).expect("it runs").expect("to the end");
        rows.into_iter().find(|row| row.expectation == "sometimes")
    };
    let failing = row(&MANY, &known(false, 8)).expect("a row");
    assert_eq!(
        (failing.status(), failing.is_good(), failing.known),
        (Status::FailsAsKnown, true, true)
    );
    // A quick run does not judge it; a list of quick runs says nothing about whole ones.
    assert_eq!(row(&Tries { quick: true, ..MANY }, &known(false, 8)), None);
    assert_eq!(row(&MANY, &known(true, 8)).map(|row| row.status()), Some(Status::Fails));
    // One try on which it holds is not enough to be sure that it holds again; as many as it was listed with are.
    let mut single = (0..).map(|first| Tries { first, count: 1, ..MANY });
    let good = single.find(|one| row(one, &[]).is_some_and(|row| row.is_good()));
    let good = good.expect("it holds on half of the tries");
    assert_eq!(row(&good, &known(false, 8)).map(|row| row.status()), Some(Status::Holds));
    let again = Row { listed_seeds: 1, ..row(&good, &known(false, 8)).expect("a row") };
    assert_eq!((again.status(), again.is_good()), (Status::HoldsAgain, false));
}

#[test]
fn two_expectations_of_one_name_are_told_apart() {
    let list =
        expect::parse(&EXPECTED.replace("sometimes", "always"), "expected.toml").expect("good");
    assert_eq!(super::names(&list), ["always", "always (2)"]);
}

#[test]
fn an_entry_for_no_expectation_is_an_error() {
    let text = "[[known]]\nlab = 't'\nexpectation = 'gone'\nquick = true\nholds = 0\nseeds = 2\nwhy = ''\n";
    let known = parse(text, Path::new("known.toml")).expect("good");
    let error = tries(&Lab::of_text("t", LAB), &MANY, &known).expect_err("stale");
    assert!(error.contains("lab 't' has no expectation 'gone'"), "{error}");
}

#[test]
fn all_mistakes_of_a_list() {
    let text =
        "[[known]]\nlab = 3\nexpectation = 'e'\nquik = true\nholds = 2\nseeds = 2\nwhy = ''\n";
    let error = parse(text, Path::new("known.toml")).expect_err("wrong");
    for words in
        ["known.toml:2:7: 'lab'", "unknown key 'quik'", "fewer than the 2 of 'seeds', found 2"]
    {
        assert!(error.contains(words), "{words}\n{error}");
    }
}

#[test]
fn the_list_of_our_labs_is_good() {
    let list = parse(crate::starter::KNOWN_SEED_FAILURES, Path::new("known.toml")).expect("good");
    for known in list {
        assert!(crate::starter::names().contains(&known.lab.as_str()), "{}", known.lab);
    }
}

#[test]
fn seeds_end_where_numbers_end() {
    let error = tries(&Lab::of_text("t", LAB), &Tries { first: u64::MAX, ..MANY }, &[]);
    assert!(error.is_err(), "{error:?}");
}
