//! TPPs in P4 switches: a program that knows nothing of them, on both engines.

mod control;
mod cost;
mod engines_agree;
mod on_the_way;
mod statistics;

use num_bigint::BigUint;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::control::{ActionData, Control, EntryHandle, KeyMatch, NewEntry, Target};
use ww_dataplane::{Dataplane, PortId, Transmit};
use ww_engine::engine::{AnyEngine, Engine};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::frontend;
use ww_tpp::assemble::{self, assemble};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::switch::Config;

/// A bridge with a second table, which chooses the queue by the type of the frame.
const BRIDGE: &str = "
#include <core.p4>
#include <v1model.p4>
header ethernet_t { bit<48> to; bit<48> from; bit<16> kind; }
struct headers { ethernet_t ethernet; }
struct metadata { }
parser P(packet_in p, out headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    state start { p.extract(hdr.ethernet); transition accept; }
}
control V(inout headers hdr, inout metadata meta) { apply { } }
control I(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {
    action forward(bit<9> port) { sm.egress_spec = port; }
    action flood(bit<16> group) { sm.mcast_grp = group; }
    action drop() { mark_to_drop(sm); }
    action use_queue(bit<3> queue) { sm.priority = queue; }
    table bridge { key = { hdr.ethernet.to: exact; } actions = { forward; flood; drop; } default_action = drop(); }
    table queues { key = { hdr.ethernet.kind: ternary; } actions = { use_queue; NoAction; } default_action = NoAction(); }
    apply { bridge.apply(); queues.apply(); }
}
control E(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers hdr, inout metadata meta) { apply { } }
control D(packet_out p, in headers hdr) { apply { p.emit(hdr.ethernet); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

/// The engines that a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Interp,
    Jit,
}

const KINDS: [Kind; 2] = [Kind::Interp, Kind::Jit];

/// An engine with a program and a TCPU.
fn load(text: &str, kind: Kind, config: Config) -> AnyEngine {
    let compiled =
        frontend::compile_text(Path::new("test.p4"), text.to_owned(), &Default::default());
    let errors = compiled.diagnostics.render(&compiled.sources, false);
    assert!(!compiled.diagnostics.has_errors(), "{errors}");
    let (program, options) =
        (Arc::new(compiled.program), Options { tcpu: true, ..Options::default() });
    let mut engine = match kind {
        Kind::Interp => AnyEngine::new(Interp::new(program, options).expect("supported")),
        Kind::Jit => AnyEngine::new(Jit::new(program, options).expect("supported")),
    };
    engine.set_tcpu(config).expect("a TCPU");
    engine
}

/// The bridge, with MAC address 02:00:00:00:00:N behind port N for N from 0 to 9.
fn bridge(kind: Kind, config: Config) -> AnyEngine {
    let mut engine = load(BRIDGE, kind, config);
    for port in 0..10u8 {
        add(&mut engine, "I.bridge", KeyMatch::Exact(mac(port).into()), (0, u64::from(port)));
    }
    engine
}

/// Adds an entry with one key, and an action with one argument.
fn add(
    engine: &mut AnyEngine,
    table: &str,
    key: KeyMatch,
    (action, argument): (usize, u64),
) -> EntryHandle {
    let table = engine.schema().table(table).expect("it is there");
    let data = ActionData { action, arguments: vec![BigUint::from(argument)] };
    let entry = NewEntry { keys: vec![key], priority: 1, target: Target::Action(data) };
    engine.table_insert(table, entry).expect("a good entry")
}

fn mac(port: u8) -> u64 {
    0x0200_0000_0000 + u64::from(port)
}

/// An Ethernet frame from one port's address to another's, with a payload.
fn frame(from: u8, to: u8, kind: u16, payload: &[u8]) -> Vec<u8> {
    let mut frame = mac(to).to_be_bytes()[2..].to_vec();
    frame.extend(&mac(from).to_be_bytes()[2..]);
    frame.extend(kind.to_be_bytes());
    frame.extend(payload);
    frame
}

/// The TPP of a program, for one hop if it does not say.
fn tpp(program: &str) -> Vec<u8> {
    let hops = (!program.contains(".hops")).then_some(1);
    assemble(program, &assemble::Options { hops, ..assemble::Options::default() })
        .expect("a good program")
        .emit()
}

/// A frame with a TPP in front of its payload.
fn with_tpp(mut frame: Vec<u8>, tpp: &[u8]) -> Vec<u8> {
    ww_tpp::frame::insert(&mut frame, tpp).expect("it fits");
    frame
}

/// Receives a frame and gives what leaves.
fn send(engine: &mut AnyEngine, port: PortId, now: u64, frame: &[u8]) -> Vec<Transmit> {
    let mut out = Vec::new();
    engine.receive(port, now, frame, &mut out);
    out
}

/// The TPP of a frame, and the frame without it.
fn taken(mut frame: Vec<u8>) -> (Repr, Vec<u8>) {
    let bytes = ww_tpp::frame::strip(&mut frame).expect("a TPP");
    (Repr::parse(&Tpp::new(bytes).expect("a good TPP")), frame)
}

/// Sends one TPP through a switch and gives the words of its memory.
fn ask(engine: &mut AnyEngine, now: u64, program: &str) -> Vec<u32> {
    let sent = with_tpp(frame(1, 2, 0x88b5, &[0; 46]), &tpp(program));
    let out = send(engine, 1, now, &sent);
    assert_eq!(out.len(), 1, "{program}");
    taken(out[0].frame.clone()).0.words().collect()
}
