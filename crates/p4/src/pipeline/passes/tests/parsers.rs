//! Parse graphs.

use super::{Sample, only, parser};
use crate::pipeline::passes::{optimise, start_offsets};
use crate::pipeline::{self, Body, Target};

const PASS: &[&str] = &["parse-graph"];

#[test]
fn states_in_a_row_become_one() {
    let states = "
        state start { pkt.extract(hdr.h); transition second; }
        state second { pkt.extract(hdr.g); transition select(hdr.g.x) { 1: third; 2: last; } }
        state third { pkt.advance(8); transition last; }
        state last { transition accept; }";
    let report = Sample { states, ..Sample::default() }.expect(
        PASS,
        &["parser p = P {
  start:
    extract hdr.h @ 0
    extract hdr.g @ 16
    select hdr.g.x
      0x1 -> third
      0x2 -> last
  third:
    advance 32w0x8 @ 0
    goto last
  last:
    goto accept
}
"],
    );
    assert_eq!(report.states, 1);
}

#[test]
fn states_that_count_towards_the_limit_stay() {
    // Nothing is taken from the packet: only the limit of states ends this.
    let states = "
        state start { pkt.extract(hdr.h); transition spin; }
        state spin { transition again; }
        state again { transition select(hdr.h.x) { 1: spin; default: accept; } }";
    let report = Sample { states, ..Sample::default() }
        .expect(PASS, &["  spin:\n    goto again\n  again:\n    select hdr.h.x\n"]);
    assert_eq!(report.states, 0);
    // Two bytes for two states.
    let states = "
        state start { transition spin; }
        state spin { pkt.extract(hdr.h); transition again; }
        state again { transition select(hdr.h.x) { 1: spin; default: accept; } }";
    let report = Sample { states, ..Sample::default() }.expect(
        PASS,
        &["  spin:\n    extract hdr.h @ 0\n    select hdr.h.x\n      0x1 -> spin\n      _ -> accept\n"],
    );
    assert_eq!(report.states, 1);
}

#[test]
fn offsets_that_do_not_depend_on_the_way() {
    let states = "
        state start { pkt.extract(hdr.h); transition select(hdr.h.x) { 1: a; 2: b; 3: c; default: accept; } }
        state a { pkt.advance(16); transition d; }
        state b { pkt.extract(hdr.g); transition d; }
        state c { transition d; }
        state d { pkt.advance(8); transition select(hdr.h.y) { 1: accept; 2: e; } }
        state e { transition accept; }";
    let found = |states: &str| {
        let pipeline = Sample { states, ..Sample::default() }.lowered();
        let graph = parser(&pipeline);
        let offsets = start_offsets(graph);
        let named = graph.states.iter().zip(offsets).map(|(s, o)| (s.name.clone(), o));
        named.collect::<std::collections::BTreeMap<_, _>>()
    };
    let offsets = found(states);
    assert_eq!(offsets["start"], Some(0));
    for name in ["a", "b", "c"] {
        assert_eq!(offsets[name], Some(16), "{name}");
    }
    // `c` takes nothing.
    assert_eq!((offsets["d"], offsets["e"]), (None, None));
    let offsets =
        found(&states.replace("state c { transition d; }", "state c { transition reject; }"));
    assert_eq!((offsets["d"], offsets["e"]), (Some(32), Some(40)));
}

#[test]
fn errors_lead_where_they_led() {
    for (first, states, on_error) in [
        // Both may fail, and not to the same place.
        ("pkt.extract(hdr.h);", 2, Target::Reject),
        ("", 1, Target::Accept),
    ] {
        let states_text = format!(
            "state start {{ {first} transition second; }}
             state second {{ pkt.extract(hdr.g); transition accept; }}"
        );
        let mut pipeline = Sample { states: &states_text, ..Sample::default() }.lowered();
        for block in &mut pipeline.blocks {
            if let Body::Parser(graph) = &mut block.body {
                graph.states[1].on_error = Target::Accept;
            }
        }
        optimise(&mut pipeline, only(PASS));
        assert_eq!(pipeline::verify(&pipeline), Ok(()));
        let graph = parser(&pipeline);
        assert_eq!((graph.states.len(), graph.states[0].on_error), (states, on_error), "{first}");
    }
}
