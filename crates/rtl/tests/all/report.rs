//! Reports: what they measure is there, and faults that were put in are seen.

use std::path::Path;
use std::sync::Arc;
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;
use ww_rtl::design::{Design, SourceFile};
use ww_rtl::manifest::Manifest;
use ww_rtl::report::cycles::{Meter, Size};
use ww_rtl::report::frames::plain;
use ww_rtl::report::probe::probed;
use ww_rtl::report::synthesis::area;
use ww_rtl::runner::cache::Cache;
use ww_rtl::runner::compile::{Effort, Options, build};
use ww_rtl::runner::engine::{Rtl, Settings};
use ww_rtl::runner::load::{Wanted, design};
use ww_rtl::runner::tools::Tools;

fn program() -> (Arc<Program>, Design) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../../p4/programs/udp_count/udp_count.p4");
    let compilation = compile_file(&path, &ww_p4::preprocess::Options::default());
    let program = Arc::new(compilation.program);
    let design = design(&program, &Wanted::quick("udp_count")).expect("hardware holds it");
    (program, design)
}

/// A packet of 64 bytes, as measured on this design.
fn measure(program: Arc<Program>, design: &Design) -> Result<Size, String> {
    let design = probed(design);
    let tools = Tools::find().expect("scripts/setup.sh installs it");
    let cache = Cache::open().expect("writable");
    let options = Options { effort: Effort::Quick, waveform: None };
    let model = build(&design, options, &tools, &cache).expect("the design is well formed");
    let settings = Settings::default();
    let engine = Rtl::new(program, &design.manifest, &model, None, settings);
    let mut engine = engine.expect("the model starts");
    let meter = Meter::new(&mut engine, &design.manifest, vec![plain()], None);
    let size = meter.and_then(|mut meter| meter.size(64)).map_err(|error| error.to_string())?;
    Ok(size.expect("the frame fits"))
}

/// The design with another line in its top module.
fn changed(design: &Design, from: &str, to: &str) -> Design {
    let mut design = design.clone();
    let name = format!("{}.sv", design.top);
    let top = design.files.iter_mut().find(|file| file.name == name).expect("it has a top");
    assert_eq!(top.text.matches(from).count(), 1, "{from}");
    top.text = top.text.replace(from, to);
    design
}

#[test]
fn bubbles_are_seen() {
    let (program, good) = program();
    let size = measure(Arc::clone(&program), &good).expect("it is measured");
    assert!(size.stream.is_line_rate(), "{size:?}");
    assert_eq!((size.beats, size.stream.clocks_per_packet), (8, 8.0));

    // One packet at a time: the next one waits until the deparser has the headers.
    let from = "token_ready = in_flight != ($clog2(DEPTH+1))'(DEPTH)";
    let slow = changed(&good, from, "token_ready = in_flight == '0");
    let slow = measure(Arc::clone(&program), &slow).expect("it is measured");
    assert_eq!(slow.alone, size.alone, "a packet alone does not wait");
    let stages = slow.alone.stages.expect("it came out");
    let inside = stages.parser + stages.match_action + stages.memory;
    assert!(
        !slow.stream.is_line_rate() && slow.stream.clocks_per_packet <= inside as f64,
        "{slow:?}"
    );
}

#[test]
fn a_packet_is_where_the_schedule_has_it() {
    let (program, good) = program();
    // Another latency than that of the design: the report says so rather than print it.
    let mut manifest: Manifest = good.manifest.clone();
    manifest.timing.sections[0].latency += 1;
    let wrong = Design { manifest, ..good };
    let error = measure(program, &wrong).expect_err("it is noticed");
    assert!(error.contains("not where the schedule has it"), "{error}");
}

#[test]
fn area_of_known_circuits() {
    // Eight registers; between them and the next eight, a function of nine inputs for each bit,
    // which takes two look-up tables one behind the other at least; and a RAM of 1024 * 36 bits.
    let text = "module known_leaf (input logic clk, input logic [7:0] d, output logic [7:0] q);
            always_ff @(posedge clk) q <= d;
        endmodule
        module known (
            input logic clk, input logic [7:0] d, input logic [7:0] e, output logic [7:0] q,
            input logic write, input logic [9:0] at, input logic [35:0] word,
            output logic [35:0] read
        );
            logic [7:0] a, f;
            logic [35:0] memory [1024];
            known_leaf first_i (.clk, .d, .q(a));
            always_comb for (int n = 0; n < 8; n++) f[n] = ^a ^ e[n];
            always_ff @(posedge clk) begin
                q <= f;
                read <= memory[at];
                if (write) memory[at] <= word;
            end
        endmodule";
    let design = Design {
        top: "known".to_owned(),
        files: vec![SourceFile { name: "known.sv".to_owned(), text: text.to_owned() }],
        manifest: Manifest::default(),
    };
    let area = area(&design).expect("scripts/setup.sh installs Yosys");
    assert_eq!((area.total.ff, area.total.ramb36, area.total.ramb18), (16, 1, 0), "{area:?}");
    assert_eq!((area.depth.luts, area.depth.carries), (2, 0), "{area:?}");
    // Eight bits and one: with LUT6 at least 8 for the last level and 1 for the first.
    assert!((9..=16).contains(&area.total.lut), "{area:?}");
    let leaf = area.parts.iter().find(|part| part.name == "first").expect("it is a part");
    assert_eq!((leaf.cells.ff, leaf.cells.lut), (8, 0), "{area:?}");
}
