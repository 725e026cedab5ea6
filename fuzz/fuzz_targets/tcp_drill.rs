//! Arbitrary text as a script: it is read or refused with a line, and what is read is carried out to an end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_tcp::drill::{Options, Problem, run};

fuzz_target!(|text: &str| {
    // Reading is what is tested here; long scripts only take long.
    if text.len() > 4_000 {
        return;
    }
    if let Err(problem) = run(text, &Options::default()) {
        let (Problem::Failed { line, .. }
        | Problem::Unsupported { line, .. }
        | Problem::Broken { line, .. }) = problem
        else {
            panic!("the model is always there: {problem}");
        };
        assert!((1..=text.lines().count() + 1).contains(&line), "line {line}");
    }
});
