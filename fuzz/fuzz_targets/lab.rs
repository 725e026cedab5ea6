//! Labs, expectations and settings: no text makes their readers panic, and what is wrong has a place.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_lab::expect;
use ww_config::mistakes::Sources;
use ww_lab::file::overrides::Override;
use ww_lab::lab::{Lab, Request};
use ww_lab::sweep::Over;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let lab = Lab::of_text("fuzz", &text);
    match lab.check() {
        Ok(planned) => {
            for variant in &planned.variants {
                let links = variant.plan.network.links.len();
                assert_eq!(variant.plan.directions.len(), 2 * links);
                assert_eq!(variant.plan.offered.len(), variant.plan.network.traffic.len());
            }
        }
        Err(report) => assert!(!report.mistakes.is_empty()),
    }
    let _ = expect::parse(&text, "expected.toml");
    let line = text.lines().next().unwrap_or_default();
    let _ = Over::parse(line);
    if Override::parse(line, "", &mut Sources::default()).is_ok() {
        let set = vec![line.to_owned()];
        let _ = lab.plan(&Request { set, ..Request::default() });
    }
});
