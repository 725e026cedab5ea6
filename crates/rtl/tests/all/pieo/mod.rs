//! Random mixes of operations on the ordered lists of `rtl/pieo` and `rtl/pifo`, with assertions on the clocks of each
//! and, in the modules `ww_..._checked`, on their insides.
//!
//! `WW_PIEO_OPERATIONS` sets how many operations each run has, 200,000 by default; `WW_PIEO_LARGE=1` adds lists of 4,096
//! elements to those that `make test-all` runs, and 2 those of 30,000 to 65,536, which take an hour; `WW_SEED` sets the
//! seed.
//!
//! spec: 004-pieo-shoal 8, checks 3, 4, 5, 6, 7, 8

mod run;
mod source;

use run::{Module, Seen, run};
use source::Mix;

/// The modules with assertions on their insides.
const CHECKED: [(&str, &str); 3] = [
    ("ww_pieo_checked", include_str!("../../../../../rtl/pieo/tests/ww_pieo_checked.sv")),
    ("ww_pieo_fast_checked", include_str!("../../../../../rtl/pieo/tests/ww_pieo_fast_checked.sv")),
    (
        "ww_pieo_pipelined_checked",
        include_str!("../../../../../rtl/pieo/tests/ww_pieo_pipelined_checked.sv"),
    ),
];

fn number(variable: &str, default: u64) -> u64 {
    let value = std::env::var(variable).ok().filter(|value| !value.is_empty());
    value.map_or(default, |value| {
        value.parse().unwrap_or_else(|_| panic!("{variable} is no number: {value}"))
    })
}

fn operations() -> u64 {
    number("WW_PIEO_OPERATIONS", 200_000)
}

fn seed() -> u64 {
    number("WW_SEED", 1)
}

fn module(name: &'static str, n: u64, parameters: &[(&'static str, u64)]) -> Module {
    let mut module = Module::new(name, n, parameters);
    let own = CHECKED.iter().filter(|(other, _)| *other == name);
    module.files = own.map(|(name, text)| (format!("{name}.sv"), (*text).to_owned())).collect();
    module
}

/// There must not be a difference, and the mix must have reached everything.
fn clean(module: &Module, mix: Mix) -> Seen {
    let seen = run(module, operations(), seed(), mix).unwrap_or_else(|told| panic!("{told}"));
    assert!(seen.duplicates > 0 && seen.found > 0, "{seen:?}");
    if module.n <= 100 {
        assert_eq!((seen.occupancy.least, seen.occupancy.most), (0, module.n));
    }
    seen
}

/// With gaps, and ranges for half of the dequeues.
const RANGES: Mix = Mix { gaps: 40, ranges: 50, parent: 0, orderly: 0, everything_eligible: false };

/// Of sublists of B = ceil(sqrt n), of which no two neighbours are partly full: 2 sqrt(n) - 1 for a square.
fn sublists_bound(n: u64) -> u64 {
    let root = n.isqrt();
    let b = if root * root == n { root } else { root + 1 };
    (2 * n + b - 1) / (b + 1)
}

type Size = (u64, &'static [(&'static str, u64)]);
const SMALL: Size = (16, &[]);

/// All other sizes.
fn sizes() -> Vec<Size> {
    let mut sizes: Vec<Size> = vec![(4, &[]), (30, &[("RANK_BITS", 7), ("TIME_BITS", 24)])];
    if number("WW_PIEO_LARGE", 0) != 0 {
        sizes.extend([100, 1024, 4096].map(|n| (n, &[][..])));
    }
    sizes
}

fn published((n, parameters): Size) {
    let module = module("ww_pieo_checked", n, parameters);
    let (count, bound) = (operations(), sublists_bound(n));
    let seen = clean(&module, Mix::default());
    // Every operation has taken exactly 4 clocks, and the next one began right behind it.
    assert!(seen.latency.is(4), "{seen:?}");
    assert_eq!(seen.clocks, 4 * count);
    assert!(seen.sublists <= bound, "{seen:?}");
    let seen = clean(&module, RANGES);
    assert!(seen.latency.is(4), "{seen:?}");
    assert_eq!(seen.range_latency.least, 4);
    assert!(seen.range_latency.most <= 4 * bound, "{seen:?}");
}

#[test]
fn published_architecture() {
    published(SMALL);
}

#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn published_architecture_of_other_sizes() {
    sizes().into_iter().for_each(published);
}

/// 4 parents of 8 flows, the last one with 6: such a range takes 4 clocks as all else.
#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn ranges_of_parents() {
    let module = module("ww_pieo_checked", 30, &[("PARENT_SIZE", 8)]);
    let seen = clean(&module, Mix { ranges: 80, parent: 8, ..Mix::default() });
    assert!(seen.latency.is(4) && seen.parent_latency.is(4), "{seen:?}");
    let most = seen.range_latency.most;
    assert!(4 < most && most <= 4 * sublists_bound(30), "{seen:?}");
}

fn fast((n, parameters): Size) {
    let module = module("ww_pieo_fast_checked", n, parameters);
    let (count, bound) = (operations(), sublists_bound(n));
    let seen = clean(&module, Mix::default());
    // A result 4 clocks after each operation, and an operation in every second clock, whatever it is.
    assert!(seen.latency.is(4), "{seen:?}");
    assert!((2 * count..=2 * count + 4).contains(&seen.clocks), "{seen:?}");
    assert!(seen.sublists <= bound, "{seen:?}");
    let seen = clean(&module, RANGES);
    assert!(seen.latency.is(4), "{seen:?}");
    // The operation in front leaves first; one pass for each sublist, and one that takes the element out.
    assert!(seen.range_latency.most <= 2 + 4 * bound + 4, "{seen:?}");
}

#[test]
fn two_clocks_an_operation() {
    fast(SMALL);
}

#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn two_clocks_an_operation_of_other_sizes() {
    sizes().into_iter().for_each(fast);
}

fn pipelined((n, parameters): Size) {
    let module = module("ww_pieo_pipelined_checked", n, parameters);
    let count = operations();
    let seen = clean(&module, Mix::default());
    assert_eq!(seen.latency.least, 4);
    // The mixes are made to get in the way of each other, and rows of 4 elements to be split all the time.
    assert!(seen.clocks < 2 * count, "{seen:?}");
    let seen = clean(&module, RANGES);
    let wide = n.min(32.max(2 * (n - 1).isqrt() + 2));
    let row = module.parameter("ROW").unwrap_or(wide);
    let sublists = 2 * (4 * n).div_ceil(3 * row);
    // Waiting for those in front, a second look at each sublist, and what a split and a join take.
    let most = 4 * (2 * sublists + 10) + row + sublists + 10;
    assert!(seen.range_latency.most <= most, "{most}: {seen:?}");
}

#[test]
fn an_operation_a_clock() {
    pipelined(SMALL);
}

/// Rows of 4 elements, which are split and joined all the time.
#[test]
fn short_rows() {
    pipelined((30, &[("ROW", 4)]));
}

#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn an_operation_a_clock_of_other_sizes() {
    sizes().into_iter().for_each(pipelined);
}

/// What a scheduler does, dequeue and enqueue in turn: as many clocks as operations, or a little more with splits.
#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn dequeue_and_enqueue_in_turn_every_clock() {
    for (n, percent) in [(30, 101), (256, 120)] {
        let count = operations();
        let mix = Mix { orderly: n * 3 / 4, ..Mix::default() };
        let module = module("ww_pieo_pipelined", n, &[]);
        let seen = run(&module, count, seed(), mix).unwrap_or_else(|told| panic!("{told}"));
        assert!(seen.found > count * 2 / 5, "{seen:?}");
        assert!((count..=count * percent / 100).contains(&seen.clocks), "{n}: {seen:?}");
    }
}

/// Without the assertions on internal state, which look at every element in every clock.
#[test]
#[ignore = "takes an hour with WW_PIEO_LARGE=2; make test-all runs it with WW_PIEO_LARGE=1"]
fn many_elements() {
    let mut all = Vec::new();
    if number("WW_PIEO_LARGE", 0) >= 1 {
        all.extend([("ww_pieo_fast", 4096), ("ww_pieo_pipelined", 4096)]);
    }
    if number("WW_PIEO_LARGE", 0) >= 2 {
        all.extend([("ww_pieo", 30_000), ("ww_pieo_fast", 32_768), ("ww_pieo_pipelined", 65_536)]);
    }
    assert!(!all.is_empty(), "set WW_PIEO_LARGE to 1 or 2");
    let count = operations();
    for (name, n) in all {
        let module = module(name, n, &[]);
        let run = |mix| run(&module, count, seed(), mix).unwrap_or_else(|told| panic!("{told}"));
        let seen = run(Mix::default());
        assert_eq!(seen.latency.least, 4);
        if count >= 1_000_000 {
            assert_eq!((seen.occupancy.least, seen.occupancy.most), (0, n));
        }
        let every = match name {
            "ww_pieo_pipelined" => {
                assert!((count..=count * 150 / 100).contains(&seen.clocks), "{seen:?}");
                // As a scheduler does it; splits are rare in long rows.
                let seen = run(Mix { orderly: n * 3 / 4, ..Mix::default() });
                assert!((count..=count * 110 / 100).contains(&seen.clocks), "{seen:?}");
                continue;
            }
            "ww_pieo" => 4,
            _ => 2,
        };
        assert!(seen.latency.is(4), "{seen:?}");
        let clocks = every * count..=every * count + 4;
        assert!(clocks.contains(&seen.clocks), "{seen:?}");
    }
}

/// Flip-flops alone: a result in the next clock.
fn pifo(predicate: u64) {
    let module = module("ww_pifo", 30, &[("PREDICATE", predicate)]);
    let mix = Mix { ranges: 20, everything_eligible: predicate == 0, ..Mix::default() };
    let seen = clean(&module, mix);
    assert!(seen.latency.is(1), "{seen:?}");
    assert_eq!(seen.clocks, operations());
}

#[test]
fn flip_flops() {
    pifo(0);
    pifo(1);
}

/// Faults that the operations must notice: module, file, what is there once, what stands there instead. More of them
/// are in tests/mutants_sched.toml.
const FAULTS: [(&str, &str, &str, &str); 8] = [
    // A dequeue does not see what the operation in front does to its row.
    (
        "ww_pieo_pipelined",
        "ww_pieo_pipelined",
        "assign same_as_fourth = fourth_valid",
        "assign same_as_fourth = 1'b0",
    ),
    // An operation behind a dequeue that looks again goes on.
    (
        "ww_pieo_pipelined",
        "ww_pieo_pipelined",
        "third_valid <= goes && !retry",
        "third_valid <= goes",
    ),
    // A bound is learned although an element has come since.
    ("ww_pieo_pipelined", "ww_pieo_bounds", "t > 0 && adds && index", "1'b0 && index"),
    // A dequeue does not know of the element that comes in front of it.
    ("ww_pieo_pipelined", "ww_pieo_directory", "(added_timely && add_place[i])", "1'b0"),
    // The new element never moves on itself.
    ("ww_pieo", "ww_pieo", " && !rank_above[B-1];", " && 1'b0;"),
    // A dequeue borrows from a neighbour that is empty.
    ("ww_pieo", "ww_pieo", "else if (left.num != '0 && left.num", "else if (left.num"),
    // Rows of the operation before are read from the RAM.
    (
        "ww_pieo_fast",
        "ww_pieo_fast",
        "if (kept[0] && main_sublist == main_kept_sublist)",
        "if (1'b0)",
    ),
    // The element that leaves counts as one that the next dequeue may take.
    (
        "ww_pieo_fast",
        "ww_pieo_fast",
        "main_fits  = (main_want & ~main_loses) != '0;",
        "main_fits  = main_want != '0;",
    ),
];

#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn faults_are_noticed() {
    for (name, file, find, replacement) in FAULTS {
        let text = ww_blocks::source(file).expect("it exists").text;
        assert_eq!(text.matches(find).count(), 1, "{find:?} is not in {file} once");
        // A fault may leave signals without a use.
        let lax = "// verilator lint_off UNUSEDSIGNAL\n// verilator lint_off UNUSEDPARAM\n";
        let edited = format!("{lax}{}", text.replace(find, replacement));
        let mut module = module(name, 16, &[]);
        module.files.push((format!("{file}.sv"), edited));
        let told = run(&module, operations(), seed(), Mix::default()).expect_err(find);
        assert!(told.contains("expected") || told.contains("no result"), "{find}: {told}");
    }
}
