//! Programs that are large in one way each: the native engine compiles them in a time that grows
//! with their size alone and does as the reference engine, or it refuses them at once.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ww_dataplane::Dataplane;
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::{Jit, LoadError};
use ww_p4::frontend::compile_text;
use ww_p4::ir::Program;

/// For a machine that does other work; all that is compiled here took longer when the time grew
/// with the square of the size.
const LIMIT: Duration = Duration::from_secs(8);

fn program(declarations: &str, states: &str, ingress: &str) -> Arc<Program> {
    let text = format!(
        "#include <core.p4>
#include <v1model.p4>
struct M {{}}
{declarations}
parser P(packet_in p, out H h, inout M m, inout standard_metadata_t s) {{ {states} }}
control V(inout H h, inout M m) {{ apply {{}} }}
control I(inout H h, inout M m, inout standard_metadata_t s) {{ {ingress} }}
control E(inout H h, inout M m, inout standard_metadata_t s) {{ apply {{}} }}
control C(inout H h, inout M m) {{ apply {{}} }}
control D(packet_out p, in H h) {{ apply {{ p.emit(h); }} }}
V1Switch(P(), V(), I(), E(), C(), D()) main;
"
    );
    let compiled = compile_text(Path::new("large.p4"), text, &Default::default());
    let errors = compiled.diagnostics.render(&compiled.sources, false);
    assert!(!compiled.diagnostics.has_errors(), "{errors}");
    Arc::new(compiled.program)
}

fn compiled(program: &Arc<Program>) -> Result<Jit, LoadError> {
    let clock = Instant::now();
    let result = Jit::new(Arc::clone(program), Options::default());
    let taken = clock.elapsed();
    assert!(taken < LIMIT, "{taken:?}");
    result
}

/// Both engines send the same for packets of these bytes.
fn agree(program: &Arc<Program>, packets: &[Vec<u8>]) {
    let mut jit = compiled(program).expect("it is not too large");
    let mut interp = Interp::new(Arc::clone(program), Options::default()).expect("it is supported");
    let send = |engine: &mut dyn Dataplane| {
        let mut out = Vec::new();
        for packet in packets {
            engine.receive(0, 0, packet, &mut out);
        }
        out.into_iter().map(|sent| (sent.port, sent.frame)).collect::<Vec<_>>()
    };
    let (expected, found) = (send(&mut interp), send(&mut jit));
    assert_eq!(expected.len(), packets.len());
    assert!(expected == found, "interp {expected:x?}\njit {found:x?}");
}

/// Bytes that differ from packet to packet.
fn bytes(count: usize, seed: usize) -> Vec<u8> {
    (0..count).map(|n| ((n + seed) * 37 % 251) as u8).collect()
}

#[test]
fn a_thousand_ternary_keys() {
    let list = |text: &dyn Fn(usize) -> String| (0..1000).map(text).collect::<String>();
    let program = program(
        &format!("header N {{ {} }} struct H {{ N n; }}", list(&|n| format!("bit<16> f{n};"))),
        "state start { p.extract(h.n); transition accept; }",
        &format!(
            "action a(bit<9> x) {{ s.egress_spec = x; }}
             table t {{ key = {{ {} }} actions = {{ a; }} default_action = a(3);
               const entries = {{ ({}): a(1); ({}): a(2); }} }}
             apply {{ t.apply(); }}",
            list(&|n| format!("h.n.f{n}: ternary;")),
            vec!["_"; 999].join(",") + ", 0x1234",
            "0x1234 &&& 0xfff0, ".to_owned() + &vec!["_"; 999].join(","),
        ),
    );
    let mut packets = vec![bytes(2000, 0), bytes(2000, 5), bytes(2100, 9)];
    packets[1][..2].copy_from_slice(&[0x12, 0x3e]);
    packets[2][1998..2000].copy_from_slice(&[0x12, 0x34]);
    agree(&program, &packets);
}

#[test]
fn two_thousand_headers_and_a_thousand_unions() {
    let (headers, unions) = (1500, 700);
    let members: String = (0..headers).map(|n| format!("A a{n};")).collect();
    let more: String = (0..unions).map(|n| format!("U u{n};")).collect();
    let mut states = "state start { transition a0; }".to_owned();
    for n in 0..headers {
        let next = if n + 1 < headers { format!("a{}", n + 1) } else { "u0".to_owned() };
        states += &format!(
            "state a{n} {{ p.extract(h.a{n}); transition select(h.a{n}.v) {{ 0: accept; default: {next}; }} }}"
        );
    }
    for n in 0..unions {
        let next = if n + 1 < unions { format!("u{}", n + 1) } else { "accept".to_owned() };
        states += &format!(
            "state u{n} {{ p.extract(h.u{n}.x); transition select(h.u{n}.x.v) {{ 0: accept; default: {next}; }} }}"
        );
    }
    let program = program(
        &format!(
            "header A {{ bit<8> v; }} header B {{ bit<16> v; }} header_union U {{ A x; B y; }}
             struct H {{ {members} {more} }}"
        ),
        &states,
        "apply { s.egress_spec = 1; h.a7.v = h.a3.v; }",
    );
    agree(&program, &[vec![1; 2300], bytes(2300, 1), vec![2; 1600], vec![3; 20]]);
}

#[test]
fn what_doubles_is_refused_by_its_size() {
    let mut parsers = "header A { bit<8> v; } struct H { A a; }
        parser S0(packet_in p, out A a) { state start { p.extract(a); transition accept; } }"
        .to_owned();
    for n in 1..=15 {
        parsers += &format!(
            "parser S{n}(packet_in p, out A a) {{ S{}() q;
               state start {{ q.apply(p, a); transition select(a.v) {{ 0: accept; default: more; }} }}
               state more {{ q.apply(p, a); transition accept; }} }}",
            n - 1
        );
    }
    let program = program(
        &parsers,
        "S15() q; state start { q.apply(p, h.a); transition accept; }",
        "apply {}",
    );
    let error = compiled(&program).err().expect("it is too large");
    assert!(error.span().is_some());
    let message = error.to_string();
    assert!(
        message.contains("in parser `P`") && message.contains("more than 32768 nodes"),
        "{message}"
    );
}
