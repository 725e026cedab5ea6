//! The reference engine from outside: what a test by packets alone cannot see.

use num_bigint::BigUint;
use std::path::Path;
use std::sync::{Arc, Mutex};
use ww_dataplane::DropReason;
use ww_dataplane::control::{
    ActionData, Control, EntryHandle, Error, KeyMatch, MeterRate, MeterRates, NewEntry, Target,
};
use ww_dataplane::trace::{PacketTag, TraceEvent};
use ww_dataplane::{Dataplane, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_p4::frontend;

/// A program around the locals and body of an ingress control; the header has two bytes.
fn program(locals: &str, body: &str) -> String {
    format!(
        "#include <core.p4>
#include <v1model.p4>
header h_t {{ bit<8> a; bit<8> b; }}
struct headers {{ h_t h; }}
struct metadata {{ @field_list(1) bit<8> m; }}
parser P(packet_in p, out headers hdr, inout metadata meta, inout standard_metadata_t sm) {{
    state start {{ p.extract(hdr.h); transition select(hdr.h.a) {{ 0xff: reject; _: accept; }} }}
}}
control V(inout headers hdr, inout metadata meta) {{ apply {{ }} }}
control I(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {{
    {locals}
    apply {{ {body} }}
}}
control E(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {{ apply {{ }} }}
control C(inout headers hdr, inout metadata meta) {{ apply {{ }} }}
control D(packet_out p, in headers hdr) {{ apply {{ p.emit(hdr); }} }}
V1Switch(P(), V(), I(), E(), C(), D()) main;
"
    )
}

fn load_with(locals: &str, body: &str, options: Options) -> Interp {
    let text = program(locals, body);
    let compiled = frontend::compile_text(Path::new("test.p4"), text, &Default::default());
    let errors = compiled.diagnostics.render(&compiled.sources, false);
    assert!(!compiled.diagnostics.has_errors(), "{errors}");
    Interp::new(Arc::new(compiled.program), options).expect("supported")
}

fn load(locals: &str, body: &str) -> Interp {
    load_with(locals, body, Options::default())
}

fn send_at(switch: &mut Interp, now: u64, frame: &[u8]) -> Vec<Transmit> {
    let mut out = Vec::new();
    switch.receive(3, now, frame, &mut out);
    out
}

fn send(switch: &mut Interp, frame: &[u8]) -> Vec<Transmit> {
    send_at(switch, 0, frame)
}

fn dropped(switch: &mut Interp, reason: DropReason) -> u64 {
    switch.statistics().expect("statistics").drops(reason)
}

fn n(value: u64) -> BigUint {
    BigUint::from(value)
}

#[test]
fn endless_resubmission_ends_in_a_counted_drop() {
    let mut switch = load("", "resubmit_preserving_field_list(1);");
    assert!(send(&mut switch, &[1, 2]).is_empty());
    assert_eq!(dropped(&mut switch, DropReason::TooManyPasses), 1);
}

#[test]
fn clones_of_clones_are_bounded_per_frame() {
    // Each egress pass would make two packets of one: 2^1024 without a bound on the frame.
    let options = Options { max_passes: 10, ..Options::default() };
    let text = program("", "sm.egress_spec = 1;").replace(
        "control E(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply { } }",
        "control E(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
             apply { clone(CloneType.E2E, 7); recirculate_preserving_field_list(1); } }",
    );
    let compiled = frontend::compile_text(Path::new("t.p4"), text, &Default::default());
    assert!(!compiled.diagnostics.has_errors());
    let mut switch = Interp::new(Arc::new(compiled.program), options).expect("supported");
    let session = ww_dataplane::control::MirrorSession { port: Some(5), ..Default::default() };
    switch.mirror_set(7, session).expect("set");
    assert!(send(&mut switch, &[1, 2]).is_empty());
    // 10 passes were allowed. Every pass beyond is a drop; nothing else ends.
    let drops = dropped(&mut switch, DropReason::TooManyPasses);
    assert!(drops > 0, "{drops}");
}

#[test]
fn endless_loops_end_in_a_counted_drop() {
    let mut switch = load("", "for (bit<8> i = 0; i < 10; i = i) { hdr.h.a = hdr.h.a + 1; }");
    assert!(send(&mut switch, &[1, 2]).is_empty());
    assert_eq!(dropped(&mut switch, DropReason::TooManySteps), 1);
}

#[test]
fn failed_assertions_drop_and_count() {
    let mut switch = load("", "sm.egress_spec = 1; assert(hdr.h.a != 1); assume(hdr.h.a != 2);");
    for a in 1..=3 {
        send(&mut switch, &[a, 0]);
    }
    assert_eq!(dropped(&mut switch, DropReason::Assert), 1);
    assert_eq!(dropped(&mut switch, DropReason::Assume), 1);
    assert_eq!(switch.statistics().expect("statistics").transmitted, 1);
}

#[test]
fn a_rejected_packet_goes_on_and_is_counted() {
    let mut switch = load("", "sm.egress_spec = 1;");
    // 0xff goes to reject; a single byte is too short.
    for frame in [&[0xff, 1][..], &[1]] {
        assert_eq!(send(&mut switch, frame)[0].frame, frame);
    }
    assert_eq!(switch.statistics().expect("statistics").parser_rejects, 2);
}

#[test]
fn random_numbers_depend_on_seed_packet_and_site_alone() {
    let body = "sm.egress_spec = 1; random(hdr.h.a, 0, 255); random(hdr.h.b, 0, 255);";
    let run = |seed| {
        let mut switch = load_with("", body, Options { seed, ..Options::default() });
        (0..8).flat_map(|_| send(&mut switch, &[0, 0])[0].frame.clone()).collect::<Vec<u8>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    let drawn = run(1);
    assert!(drawn.iter().any(|byte| *byte != drawn[0]), "{drawn:?}");
}

#[test]
fn timestamps_count_microseconds() {
    let mut switch =
        load("", "sm.egress_spec = 1; hdr.h.a = (bit<8>) sm.ingress_global_timestamp;");
    assert_eq!(send_at(&mut switch, 41_999_999, &[0, 0])[0].frame, [41, 0]);
}

#[test]
fn meters_use_the_time_of_the_caller() {
    let locals = "meter(1, MeterType.packets) m;";
    let mut switch = load(locals, "sm.egress_spec = 1; m.execute_meter(0, hdr.h.a);");
    let meter = switch.schema().meter("m").expect("known");
    let rate = |burst| MeterRate { units_per_microsecond: 0.5, burst };
    let rates = MeterRates { committed: rate(1), peak: rate(2) };
    switch.meter_set_rates(meter, Some(0), Some(rates)).expect("set");
    // Two microseconds a packet; bursts of one and two.
    let microsecond = 1_000_000;
    let colours: Vec<u8> = [0, 0, 0, 2, 3, 4]
        .map(|t| send_at(&mut switch, t * microsecond, &[0, 0])[0].frame[0])
        .to_vec();
    assert_eq!(colours, [0, 1, 2, 0, 2, 0]);
}

const TABLE: &str = "
    action set(bit<8> v) { hdr.h.b = v; }
    @defaultonly action other() { hdr.h.b = 9; }
    table t {
        key = { hdr.h.a: exact; }
        actions = { set; @defaultonly other; @tableonly NoAction; }
        default_action = other;
        size = 2;
    }
    table c {
        key = { hdr.h.a: exact; }
        actions = { set; }
        const default_action = set(1);
        const entries = { 1: set(2); }
    }";

fn set_entry(key: u64, value: u64) -> NewEntry {
    let data = ActionData { action: 0, arguments: vec![n(value)] };
    NewEntry { keys: vec![KeyMatch::Exact(n(key))], priority: 0, target: Target::Action(data) }
}

#[test]
fn entries_come_and_go() {
    let mut switch = load(TABLE, "sm.egress_spec = 1; t.apply();");
    let table = switch.schema().table("I.t").expect("known");
    let first = switch.table_insert(table, set_entry(5, 50)).expect("room");
    assert_eq!(send(&mut switch, &[5, 0])[0].frame, [5, 50]);
    assert_eq!(send(&mut switch, &[6, 0])[0].frame, [6, 9]);
    let view = switch.table_entries(table).expect("known");
    assert_eq!(view[0].entry, set_entry(5, 50));
    assert_eq!(switch.table_find(table, view[0].entry.keys.clone(), 0), Ok(Some(first)));
    switch.table_modify(table, first, set_entry(5, 51).target).expect("there");
    assert_eq!(send(&mut switch, &[5, 0])[0].frame, [5, 51]);
    switch.table_set_default(table, set_entry(0, 77).target).expect("allowed");
    switch.table_delete(table, first).expect("there");
    assert_eq!(send(&mut switch, &[5, 0])[0].frame, [5, 77]);
    switch.reset_state().expect("taken");
    assert_eq!(send(&mut switch, &[5, 0])[0].frame, [5, 9]);
}

#[test]
fn refused_requests_say_why() {
    let mut switch = load(TABLE, "sm.egress_spec = 1; t.apply(); c.apply();");
    let t = switch.schema().table("t").expect("known");
    let c = switch.schema().table("c").expect("known");
    let refuse = |result: Result<_, Error>| result.err().map(|e| e.to_string());
    switch.table_insert(t, set_entry(1, 1)).expect("room");
    assert_eq!(
        refuse(switch.table_insert(t, set_entry(1, 2))).as_deref(),
        Some("table `I.t` has an entry with the same key already")
    );
    assert_eq!(
        refuse(switch.table_insert(t, set_entry(256, 1))).as_deref(),
        Some("0x100 does not fit into the 8 bit(s) of key `hdr.h.a` of `I.t`")
    );
    assert_eq!(
        refuse(switch.table_insert(t, set_entry(2, 300))).as_deref(),
        Some("0x12c does not fit into the 8 bit(s) of parameter `v` of action `I.set`")
    );
    switch.table_insert(t, set_entry(2, 1)).expect("room");
    assert_eq!(
        refuse(switch.table_insert(t, set_entry(3, 1))).as_deref(),
        Some("table `I.t` is full: its size is 2")
    );
    let action = |action| Target::Action(ActionData { action, arguments: vec![] });
    let entry = NewEntry { target: action(1), ..set_entry(9, 0) };
    assert_eq!(
        refuse(switch.table_insert(t, entry)).as_deref(),
        Some("action `I.other` may not be used in an entry")
    );
    assert_eq!(
        refuse(switch.table_set_default(t, action(2)).map(|()| EntryHandle(0))).as_deref(),
        Some("action `NoAction` may not be used in the default action")
    );
    assert_eq!(
        refuse(switch.table_insert(c, set_entry(3, 1))).as_deref(),
        Some("entries of table `I.c`: constant in the program, cannot be changed")
    );
    let constant = switch.table_entries(c).expect("known")[0].handle;
    assert!(switch.table_delete(c, constant).is_err());
    assert!(switch.table_set_default(c, set_entry(0, 1).target).is_err());
}

#[test]
fn registers_and_counters_are_read_and_written() {
    let locals = "register<bit<20>>(4) r; counter(2, CounterType.packets_and_bytes) c;";
    let body = "sm.egress_spec = 1; bit<20> v; r.read(v, 2); r.write(2, v + 1); c.count(1);";
    let mut switch = load(locals, body);
    let register = switch.schema().register("I.r").expect("known");
    let counter = switch.schema().counter("c").expect("known");
    switch.register_write(register, Some(2), n(0xf_ffff)).expect("fits");
    send(&mut switch, &[0, 0, 0]);
    send(&mut switch, &[0, 0]);
    // 0xfffff + 2 wraps in 20 bits.
    assert_eq!(switch.register_read_all(register), Ok(vec![n(0), n(0), n(1), n(0)]));
    let value = switch.counter_read(counter, 1).expect("inside");
    assert_eq!((value.packets, value.bytes), (2, 5));
    assert!(switch.register_read(register, 4).is_err());
    assert!(switch.register_write(register, Some(0), n(1 << 20)).is_err());
}

#[test]
fn digests_reach_the_control_plane() {
    let locals = "";
    let body = "sm.egress_spec = 1; digest<h_t>(5, hdr.h);";
    let mut switch = load(locals, body);
    send_at(&mut switch, 7, &[0xab, 0xcd]);
    let digests = switch.take_digests().expect("digests");
    assert_eq!(digests.len(), 1);
    let fields: Vec<_> =
        digests[0].fields.iter().map(|f| (f.name.as_str(), f.width, f.value.clone())).collect();
    assert_eq!(fields, [("a", 8, n(0xab)), ("b", 8, n(0xcd))]);
    assert_eq!((digests[0].receiver, digests[0].name.as_str(), digests[0].at), (5, "h_t", 7));
    assert!(switch.take_digests().expect("digests").is_empty());
}

#[test]
fn a_trace_tells_the_whole_way() {
    let mut switch = load(TABLE, "t.apply(); mark_to_drop(sm);");
    let events: Arc<Mutex<Vec<TraceEvent>>> = Arc::default();
    let sink = events.clone();
    switch.set_observer(Some(Box::new(move |tag: PacketTag, event: TraceEvent| {
        assert_eq!((tag.packet, tag.copy), (1, 0));
        sink.lock().expect("not poisoned").push(event);
    })));
    send(&mut switch, &[5, 0]);
    let events = events.lock().expect("not poisoned");
    let brief: Vec<String> = events
        .iter()
        .filter_map(|event| match event {
            TraceEvent::Receive { port, length } => Some(format!("receive {port} {length}")),
            TraceEvent::State { state, .. } => Some(format!("state {state}")),
            TraceEvent::Extract { header, fields, .. } => {
                Some(format!("extract {header} {}={}", fields[0].name, fields[0].value))
            }
            TraceEvent::Select { values, target, .. } => Some(format!("{values:?} {target}")),
            TraceEvent::Table { table, hit, action, .. } => {
                Some(format!("table {table} {hit} {action}"))
            }
            TraceEvent::Assign { name, old, new, .. } => Some(format!("{name} {old} {new}")),
            TraceEvent::Drop { reason, at } => Some(format!("{reason:?} {}", at.is_some())),
            _ => None,
        })
        .collect();
    assert_eq!(
        brief,
        [
            "receive 3 2",
            "state start",
            "extract hdr.h a=0x05",
            "[\"0x05\"] accept",
            "table I.t false I.other",
            "hdr.h.b 0x00 0x09",
            "sm.egress_spec 0x000 0x1ff",
            "Ingress true",
        ]
    );
}

#[test]
fn other_architectures_are_refused_in_a_sentence() {
    let refuse = |text: &str| {
        let compiled =
            frontend::compile_text(Path::new("t.p4"), text.to_owned(), &Default::default());
        assert!(!compiled.diagnostics.has_errors(), "{text}");
        let error = Interp::new(Arc::new(compiled.program), Options::default()).err();
        error.expect("not supported").to_string()
    };
    assert_eq!(
        refuse("control C(); package S(C c); control D() { apply { } } S(D()) main;"),
        "not supported: package `S` belongs to no known architecture (packages that can be executed: V1Switch; option --arch reads the description of another)"
    );
    assert!(refuse("const bit<8> x = 1;").contains("no `main`"));
}
