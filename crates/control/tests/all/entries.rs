//! Runtime commands on a loaded program.

use std::path::Path;
use std::sync::Arc;
use ww_control::entries;
use ww_dataplane::Dataplane;
use ww_dataplane::control::{Control, TableIndex};
use ww_engine::interp::{Interp, Options};
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_text;
use ww_p4::source::SourceMap;

const PROGRAM: &str = "
#include <core.p4>
#include <v1model.p4>
header h_t { bit<8> k; bit<8> r; }
struct headers_t { h_t h; }
struct metadata_t { }
parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    value_set<bit<8>>(2) known;
    state start { pkt.extract(hdr.h); transition select(hdr.h.k) { known: reject; _: accept; } }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }
control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    register<bit<16>>(4) reg;
    action_selector(HashAlgorithm.identity, 4, 8) sel;
    action set(bit<8> r) { hdr.h.r = r; sm.egress_spec = 1; }
    action drop() { mark_to_drop(sm); }
    table acl { key = { hdr.h.k : ternary; } actions = { set; drop; } default_action = set(0xff); }
    table ecmp {
        key = { hdr.h.k : exact; hdr.h.r : selector; }
        actions = { set; drop; }
        implementation = sel;
    }
    apply { acl.apply(); ecmp.apply(); }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

pub(super) fn load() -> Interp {
    let compilation = compile_text(Path::new("t.p4"), PROGRAM.into(), &Default::default());
    let problems = compilation.diagnostics.render(&compilation.sources, false);
    assert!(!compilation.diagnostics.has_errors(), "{problems}");
    Interp::new(Arc::new(compilation.program), Options::default()).expect("supported")
}

/// What the commands print, or their errors with line numbers.
pub(super) fn apply(switch: &mut Interp, text: &str) -> Result<Vec<String>, Vec<String>> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("e.txt", text.to_owned(), false);
    let script = entries::parse(file, &sources, &mut diagnostics);
    let output = script.load(switch, &mut diagnostics);
    if diagnostics.has_errors() {
        let line = |d: &ww_p4::diagnostic::Diagnostic| {
            let line = sources.position(d.span).map_or(0, |at| at.line);
            format!("{line}: {}", d.message)
        };
        return Err(diagnostics.iter().map(line).collect());
    }
    Ok(output)
}

fn result_of(switch: &mut Interp, k: u8) -> Option<u8> {
    let mut out = Vec::new();
    switch.receive(0, 0, &[k, 0], &mut out);
    out.first().and_then(|transmit| transmit.frame.get(1).copied())
}

#[test]
fn the_lower_priority_wins_and_ties_go_to_the_first() {
    let mut switch = load();
    let commands = "
        table_add acl set 0x10&&&0xf0 => 1 20
        table_add acl set 0x11&&&0xff => 2 10
        table_add acl set 0x02&&&0x0f => 3 20
        table_add acl drop 0x33&&&0xff => 0
    ";
    assert_eq!(apply(&mut switch, commands), Ok(vec![]));
    assert_eq!(result_of(&mut switch, 0x11), Some(2));
    assert_eq!(result_of(&mut switch, 0x12), Some(1));
    assert_eq!(result_of(&mut switch, 0x22), Some(3));
    assert_eq!(result_of(&mut switch, 0x33), None);
    assert_eq!(result_of(&mut switch, 0x44), Some(0xff));
}

#[test]
fn handles_count_from_zero() {
    let mut switch = load();
    let commands = "
        table_add acl set 1&&&0xff => 1 1
        table_add acl set 2&&&0xff => 2 1
        table_modify acl set 1 22
        table_delete acl 0
        table_set_default acl set 7
        register_write reg 3 0xbeef
        register_read reg 3
        table_dump acl
        table_num_entries acl
    ";
    let output = apply(&mut switch, commands).expect("accepted");
    assert_eq!(output[0], "I.reg[3] = 0xbeef");
    assert_eq!(
        output[1],
        "table I.acl: 1 of 1024 entries\n  1: hdr.h.k=0x2&&&0xff => I.set 0x16 priority 1\n  \
         default: I.set 0x7"
    );
    assert_eq!(output[2], "table I.acl: 1 entries");
    assert_eq!(result_of(&mut switch, 1), Some(7));
    assert_eq!(result_of(&mut switch, 2), Some(22));
}

#[test]
fn members_and_groups() {
    let mut switch = load();
    let commands = "
        act_prof_create_member sel set 5
        act_prof_create_group sel
        act_prof_add_member_to_group sel 0 0
        table_indirect_add_with_group ecmp 9 => 0
        table_indirect_add ecmp 8 => 0
    ";
    assert_eq!(apply(&mut switch, commands), Ok(vec![]));
    assert_eq!(result_of(&mut switch, 9), Some(5));
    assert_eq!(result_of(&mut switch, 8), Some(5));
    let errors = apply(&mut switch, "table_add ecmp set 1 => 1\n").expect_err("indirect");
    assert!(errors[0].contains("refer to members or groups"), "{errors:?}");
}

#[test]
fn one_wrong_line_and_nothing_is_applied() {
    for wrong in ["table_ad acl", "table_add acl set 3&&&3 => 1", "register_write reg 4 0"] {
        let mut switch = load();
        let text = format!("table_add acl set 1&&&0xff => 1 1\n{wrong}\nregister_write reg 0 1\n");
        let errors = apply(&mut switch, &text).expect_err(wrong);
        assert!(errors.len() == 1 && errors[0].starts_with("2: "), "{errors:?}");
        assert_eq!(switch.table_entries(TableIndex(0)).map(|e| e.len()), Ok(0), "{wrong}");
        let register = switch.schema().register("reg").expect("a register");
        assert_eq!(switch.register_read(register, 0), Ok(0u8.into()), "{wrong}");
    }
}

#[test]
fn what_follows_from_a_refused_command_is_no_news() {
    let mut switch = load();
    let text = "act_prof_create_member sel sett 5\ntable_indirect_add ecmp 8 => 0\n";
    let errors = apply(&mut switch, text).expect_err("wrong");
    assert_eq!(errors.len(), 1, "{errors:?}");
    // Without such a command it is.
    let errors = apply(&mut switch, "table_indirect_add ecmp 8 => 0\n").expect_err("wrong");
    assert_eq!(errors.len(), 1);
}

#[test]
fn value_sets_and_refusals() {
    let mut switch = load();
    assert_eq!(apply(&mut switch, "pvs_add known 6\n"), Ok(vec![]));
    let errors = apply(
        &mut switch,
        "pvs_add known 256\nset_queue_rate 100\nmc_node_create 1 2 | 3\ntable_add acl set 1&&&2 => 1\n",
    )
    .expect_err("wrong");
    assert_eq!(errors.len(), 4, "{errors:?}");
    let all = errors.join("\n");
    for part in ["8 bit", "set_queue_rate", "link aggregation", "expected a priority"] {
        assert!(all.contains(part), "{part}: {all}");
    }
}
