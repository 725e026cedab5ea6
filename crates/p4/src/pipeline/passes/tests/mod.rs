//! Small programs, with the text of what the passes make of them worked out by hand.

mod branches;
mod dead_code;
mod kills;
mod limits;
mod parsers;
mod propagation;
mod reads;
mod tables;

use super::{Passes, Report, optimise};
use crate::frontend::compile_text;
use crate::pipeline::{self, Body, ControlGraph, ParseGraph, Pipeline};
use std::path::Path;

const STATES: &str = "
    state start { pkt.extract(hdr.h); transition select(hdr.h.x) { 1: more; default: accept; } }
    state more { pkt.extract(hdr.g); transition accept; }";

/// A program with headers of two bytes each.
struct Sample<'s> {
    states: &'s str,
    declarations: &'s str,
    apply: &'s str,
    egress: &'s str,
    compute: &'s str,
}

impl Default for Sample<'_> {
    fn default() -> Self {
        Self { states: STATES, declarations: "", apply: "", egress: "", compute: "" }
    }
}

fn ingress(apply: &str) -> Sample<'_> {
    Sample { apply, ..Sample::default() }
}

impl Sample<'_> {
    fn lowered(&self) -> Pipeline {
        let Sample { states, declarations, apply, egress, compute } = self;
        let text = format!(
            "#include <core.p4>\n#include <v1model.p4>
header h_t {{ bit<8> x; bit<8> y; }}
struct headers_t {{ h_t h; h_t g; h_t[2] s; }}
struct meta_t {{ bit<8> a; bit<8> b; bit<8> c; @field_list(1) bit<8> kept; }}
parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{
    {states}
}}
control V(inout headers_t hdr, inout meta_t meta) {{ apply {{ }} }}
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{
    {declarations}
    apply {{ {apply} }}
}}
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {{
    apply {{ {egress} }}
}}
control C(inout headers_t hdr, inout meta_t meta) {{ apply {{ {compute} }} }}
control D(packet_out pkt, in headers_t hdr) {{ apply {{ pkt.emit(hdr.h); }} }}
V1Switch(P(), V(), I(), E(), C(), D()) main;
"
        );
        let compilation = compile_text(Path::new("t.p4"), text, &Default::default());
        let problems = compilation.diagnostics.render(&compilation.sources, false);
        assert!(!compilation.diagnostics.has_errors(), "{problems}");
        pipeline::lower(&compilation.program).expect("can be lowered")
    }

    fn optimised(&self, passes: Passes) -> (Pipeline, Report) {
        let mut pipeline = self.lowered();
        let report = optimise(&mut pipeline, passes);
        assert_eq!(pipeline::verify(&pipeline), Ok(()));
        (pipeline, report)
    }

    /// Optimises by some passes and expects parts of the text.
    fn expect(&self, names: &[&str], parts: &[&str]) -> Report {
        let (pipeline, report) = self.optimised(only(names));
        let text = pipeline.text();
        for part in parts {
            assert!(text.contains(part), "expected\n{part}\nin\n{text}");
        }
        report
    }
}

fn only(names: &[&str]) -> Passes {
    let switch_on = |passes: Passes, name: &&str| passes.with(name, true).expect("a pass");
    names.iter().fold(Passes::none(), switch_on)
}

fn control<'p>(pipeline: &'p Pipeline, block: &str) -> &'p ControlGraph {
    match pipeline.block(block).map(|b| &b.body) {
        Some(Body::Control(graph)) => graph,
        other => panic!("{block} is no control: {other:?}"),
    }
}

fn parser(pipeline: &Pipeline) -> &ParseGraph {
    match pipeline.block("p").map(|b| &b.body) {
        Some(Body::Parser(graph)) => graph,
        other => panic!("no parser: {other:?}"),
    }
}

#[test]
fn passes_have_names() {
    let mut all = Passes::none();
    for (name, description) in Passes::NAMES {
        assert!(!description.is_empty());
        all = all.with(name, true).expect("a pass");
        assert_eq!(
            Passes::all().with(name, false).and_then(|p| p.with(name, true)),
            Some(all_on())
        );
    }
    assert_eq!(all, Passes::all());
    assert_eq!(Passes::none().with("unroll", true), None);
}

fn all_on() -> Passes {
    Passes::default()
}
