//! Control messages: no bytes make the reader or the tables panic, and a transaction that is
//! refused leaves no trace.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use ww_control::live::{Ledger, carry_out};
use ww_engine::interp::{Interp, Options};
use ww_dataplane::control::{Control, EntryView, ProfileIndex, TableIndex, Target};
use ww_p4::frontend::compile_text;

const PROGRAM: &str = include_str!("../switch.p4");

fn load() -> Ledger<Interp> {
    let compilation = compile_text(Path::new("switch.p4"), PROGRAM.into(), &Default::default());
    assert!(!compilation.diagnostics.has_errors());
    let program = Arc::new(compilation.program);
    let engine = Interp::new(program, Options::default()).expect("supported");
    Ledger::new(engine).expect("it tells its entries")
}

thread_local! {
    static LEDGER: RefCell<Ledger<Interp>> = RefCell::new(load());
}

type Seen = (Vec<(Vec<EntryView>, Target)>, Vec<String>);

fn everything(ledger: &mut Ledger<Interp>) -> Seen {
    let schema = ledger.schema();
    let table = |n: usize| {
        let table = TableIndex(n as u32);
        let entries = ledger.table_entries(table).expect("a table");
        (entries, ledger.table_default(table).expect("a table"))
    };
    let tables = (0..schema.tables.len()).map(table).collect();
    let multicast = ledger.multicast().expect("the engine has it");
    let mut rest = vec![
        format!("{:?} {:?}", multicast.groups, multicast.nodes),
        format!("{:?}", ledger.mirrors().collect::<Vec<_>>()),
    ];
    for n in 0..schema.profiles.len() {
        let book = ledger.profile(ProfileIndex(n as u32)).expect("a profile");
        rest.push(format!("{:?} {:?}", book.members, book.groups));
    }
    (tables, rest)
}

fuzz_target!(|data: &[u8]| {
    LEDGER.with_borrow_mut(|ledger| {
        ledger.reset_state().expect("it can");
        for line in data.split(|byte| *byte == b'\n').take(64) {
            let before = everything(ledger);
            if carry_out(ledger, line).is_err() {
                assert_eq!(everything(ledger), before);
            }
        }
    });
});
