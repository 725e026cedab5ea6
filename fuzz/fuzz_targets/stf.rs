//! Tests of the Simple Test Framework: no text makes the reader or the runner panic, and a test
//! gives the same result twice.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use ww_control::stf;
use ww_engine::interp::{Interp, Options};
use ww_dataplane::control::Control;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_text;
use ww_p4::source::SourceMap;

const PROGRAM: &str = include_str!("../switch.p4");

fn load() -> Interp {
    let compilation = compile_text(Path::new("switch.p4"), PROGRAM.into(), &Default::default());
    assert!(!compilation.diagnostics.has_errors());
    Interp::new(Arc::new(compilation.program), Options::default()).expect("supported")
}

thread_local! {
    static SWITCH: RefCell<Interp> = RefCell::new(load());
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("fuzz.stf", text, false);
    let test = stf::parse(file, &sources, &mut diagnostics);
    let _ = diagnostics.render(&sources, false);
    SWITCH.with_borrow_mut(|switch| {
        let mut run = || {
            switch.reset_state().expect("it can");
            stf::run(&test, switch)
        };
        let first = run();
        assert_eq!(first, run());
    });
});
