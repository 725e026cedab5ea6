//! Check 8: random TPPs without hazards leave packet memory and switch memory as the golden model does.

use crate::tpp::bench::{Bench, Pace};
use crate::tpp::programs::{Random, carried, hazard_free, plain, word};
use ww_rtl::tpp_block::{Shape, Switches};
use ww_tpp::protection::{Operation, Rule};

/// Random programs among frames without any, in batches with settings of their own.
fn programs(shape: Shape, count: u64, seed: u64) -> Bench {
    let mut random = Random(seed);
    let mut bench = Bench::new(shape);
    let mut done = 0;
    let mut batch = 0u64;
    while done < count {
        if batch.is_multiple_of(16) {
            bench.compare();
            bench.scramble(&mut random);
            let mut rules = Vec::new();
            for _ in 0..16 {
                let first = random.pick(&[0, 0x1000, 0x1140, 0xc000, 0xe000, 0xe040]);
                rules.push(Rule {
                    app_tag: random.below(4) as u8,
                    operation: random.pick(&[Operation::Read, Operation::Write]),
                    first,
                    last: first.saturating_add(random.pick(&[0, 2, 0x200, 0x1fff])),
                });
            }
            bench.protect(&rules);
        }
        bench.set(Switches {
            writes_enabled: !random.one_in(8),
            protection_enabled: random.one_in(4),
            absent_guard_skipped: random.one_in(4),
        });
        for _ in 0..200 {
            for port in 0..shape.ports {
                let metadata = std::array::from_fn(|_| word(&mut random));
                let frame = match random.below(12) {
                    0 => {
                        let (tags, length) = (random.below(4), random.below(400) as usize);
                        plain(&mut random, tags, None, length)
                    }
                    _ => {
                        done += 1;
                        let tpp = hazard_free(&mut random);
                        carried(&mut random, &tpp)
                    }
                };
                bench.send(port, frame, metadata);
            }
        }
        bench.run([Pace::Full, Pace::Random, Pace::Blocked][batch as usize % 3]);
        batch += 1;
    }
    bench.compare();
    bench
}

#[test]
fn published_timing() {
    let bench = programs(Shape::published(1), 4000, 1);
    assert!(
        bench.expected.executed > 3000 && bench.expected.skipped.iter().all(|count| *count > 0)
    );
}

#[test]
fn a_clock_a_stage() {
    programs(Shape::wide(), 8000, 2);
}

#[test]
fn four_ports() {
    programs(Shape::published(4), 4000, 3);
}

#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn a_hundred_thousand_of_each() {
    for (shape, seed) in [(Shape::published(1), 11), (Shape::wide(), 12), (Shape::published(4), 13)]
    {
        let bench = programs(shape, 100_000, seed);
        println!("{shape:?}: {} frames, {:?}", bench.compared, bench.expected);
    }
}
