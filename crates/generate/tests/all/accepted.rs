//! Every generated program is accepted by the front end, and its pipeline form holds together.

use std::path::Path;
use ww_generate::profile::Profile;
use ww_generate::program::generate;
use ww_p4::frontend::compile_text;
use ww_p4::pipeline;

/// What is wrong with the program of a seed.
fn fault(seed: u64, profile: &Profile) -> Option<String> {
    let text = generate(seed, profile).text();
    let compilation = compile_text(Path::new("generated.p4"), text, &Default::default());
    if compilation.diagnostics.has_errors() {
        return Some(compilation.diagnostics.render(&compilation.sources, false));
    }
    match pipeline::lower(&compilation.program) {
        Ok(lowered) => pipeline::verify(&lowered).err().map(|errors| errors.join("\n")),
        Err(diagnostics) => Some(diagnostics.render(&compilation.sources, false)),
    }
}

fn expect_none(seeds: std::ops::Range<u64>, profile: impl Fn(u64) -> Profile) {
    let faults: Vec<String> = seeds
        .clone()
        .filter_map(|seed| Some(format!("seed {seed}: {}", fault(seed, &profile(seed))?)))
        .collect();
    let shown: Vec<&str> = faults.iter().take(6).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {seeds:?}:\n{}", faults.len(), shown.join("\n"));
}

#[test]
fn all_programs_are_accepted() {
    expect_none(0..500, Profile::for_seed);
}

#[test]
fn programs_for_hardware_are_accepted() {
    expect_none(1000..1100, |_| Profile::hardware());
}
