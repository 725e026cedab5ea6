//! Runtime commands, and P4Runtime entries as JSON: no text makes the reader or the tables panic, and a file with an error
//! leaves nothing behind.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use ww_control::entries;
use ww_dataplane::Dataplane;
use ww_engine::interp::{Interp, Options};
use ww_dataplane::control::{Control, TableIndex};
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

fn entry_counts(switch: &mut Interp) -> Vec<usize> {
    let tables = 0..switch.schema().tables.len() as u32;
    tables.map(|n| switch.table_entries(TableIndex(n)).expect("a table").len()).collect()
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("fuzz.txt", text, false);
    let script = entries::parse(file, &sources, &mut diagnostics);
    SWITCH.with_borrow_mut(|switch| {
        switch.reset_state().expect("it can");
        let before = entry_counts(switch);
        script.load(switch, &mut diagnostics);
        if diagnostics.has_errors() {
            let _ = diagnostics.render(&sources, false);
            assert_eq!(entry_counts(switch), before);
        }
        let mut out = Vec::new();
        switch.receive(1, 0, data, &mut out);
    });
});
