//! Designs with faults: found, and told in words.

use super::echo;
use std::path::PathBuf;
use ww_rtl::design::Design;
use ww_rtl::runner::Error;
use ww_rtl::runner::cache::Cache;
use ww_rtl::runner::compile::{Effort, Options, build};
use ww_rtl::runner::model::Model;
use ww_rtl::runner::pace::Pace;
use ww_rtl::runner::shim::Waveform;
use ww_rtl::runner::testbench::Testbench;
use ww_rtl::runner::tools::Tools;

/// The design with one piece of text replaced.
fn changed(from: &str, to: &str) -> Design {
    let mut design = echo::design();
    let text = &mut design.files[0].text;
    assert_eq!(text.matches(from).count(), 1, "{from}");
    *text = text.replace(from, to);
    design
}

fn built(design: &Design, waveform: Option<Waveform>) -> Result<PathBuf, Error> {
    let tools = Tools::find().expect("scripts/setup.sh installs it");
    let cache = Cache::open().expect("writable");
    build(design, Options { effort: Effort::Quick, waveform }, &tools, &cache)
}

/// A test bench whose packets leave at any port.
fn bench(design: &Design) -> Testbench {
    let model = Model::load(&built(design, None).expect("well formed"), 3).expect("built");
    Testbench::new(model, &design.manifest).expect("it resets")
}

/// Sends frames with the default action `forward(0, 0)`, which the reset leaves here.
fn send(bench: &mut Testbench, count: usize) -> Result<usize, Error> {
    for _ in 0..count {
        bench.push(0, 1, 0, &[7; 100]);
    }
    bench.run()?;
    Ok(std::iter::from_fn(|| bench.pop()).count())
}

/// Passes all packets on.
const OPEN: (&str, &str) = ("if (rst) default_data <= '0;", "if (rst) default_data <= 18'd1;");

#[test]
fn without_a_fault() {
    let mut bench = bench(&changed(OPEN.0, OPEN.1));
    bench.set_pace(Pace::Pressure { seed: 1 });
    assert_eq!(send(&mut bench, 50).expect("no fault"), 50);
}

#[test]
fn nothing_moves() {
    let design = changed("s_axis_tready = level < 7'd40;", "s_axis_tready = level > 7'd100;");
    let error = send(&mut bench(&design), 3).expect_err("it cannot go in");
    assert!(matches!(error, Error::Stalled(_)), "{error}");
    let text = error.to_string();
    assert!(text.contains("3 frame(s) wait") && text.contains("s_axis_tready 0"), "{text}");
}

#[test]
fn beats_that_do_not_wait() {
    let mut design = changed(OPEN.0, OPEN.1);
    design.files[0].text =
        design.files[0].text.replace(".m_ready(m_axis_tready)", ".m_ready(1'b1)");
    let mut bench = bench(&design);
    assert_eq!(send(&mut bench, 10).expect("all is taken at once"), 10);
    bench.set_pace(Pace::Pressure { seed: 1 });
    let error = send(&mut bench, 50).expect_err("the rules of AXI4-Stream");
    assert!(
        error.to_string().contains("before the beat was taken")
            || error.to_string().contains("before it was taken"),
        "{error}"
    );
}

#[test]
fn holes_in_tkeep() {
    let mut design = changed(OPEN.0, OPEN.1);
    let (from, to) = ("user[16:1] = ", "keep[1] = !last; user[16:1] = ");
    assert_eq!(design.files[0].text.matches(from).count(), 1);
    design.files[0].text = design.files[0].text.replace(from, to);
    let error = send(&mut bench(&design), 1).expect_err("a hole");
    assert!(error.to_string().contains("tkeep"), "{error}");
}

#[test]
fn what_verilator_warns_of_is_refused() {
    let design = changed("    logic unused;", "    logic nobody_reads_this;\n    logic unused;");
    let error = built(&design, None).expect_err("an unused signal");
    assert!(matches!(error, Error::Refused { tool: "Verilator", .. }), "{error}");
    assert!(error.to_string().contains("nobody_reads_this"), "{error}");
}

#[test]
fn ports_that_are_missing() {
    let design = changed("output logic        idle", "output logic        idel");
    let text = design.files[0].text.replace("assign idle ", "assign idel ");
    let design = Design {
        files: vec![ww_rtl::design::SourceFile { name: "echo.sv".to_owned(), text }],
        ..design
    };
    let model = Model::load(&built(&design, None).expect("well formed"), 1).expect("built");
    let error = Testbench::new(model, &design.manifest).err().expect("a port is missing");
    assert!(error.to_string().contains("no port idle"), "{error}");
}

#[test]
fn waveforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("echo.vcd");
    let model = built(&echo::design(), Some(Waveform::Vcd)).expect("well formed");
    let mut model = Model::load(&model, 1).expect("built");
    model.waveform(&path).expect("writable");
    let mut bench = Testbench::new(model, &echo::design().manifest).expect("it resets");
    send(&mut bench, 2).expect("no fault");
    drop(bench);
    let text = std::fs::read_to_string(path).expect("it was written");
    assert!(text.contains("s_axis_tdata") && text.matches("\n#").count() > 30);
    // Models are built without, unless somebody asks.
    let plain = built(&echo::design(), None).expect("well formed");
    let mut plain = Model::load(&plain, 1).expect("built");
    assert!(plain.waveform(&folder.path().join("no.vcd")).is_err());
}

#[test]
fn several_models_at_a_time() {
    let design = changed(OPEN.0, OPEN.1);
    let mut all: Vec<_> = (0..4).map(|_| bench(&design)).collect();
    let threads = all.drain(..).enumerate().map(|(n, mut bench)| {
        std::thread::spawn(move || send(&mut bench, 10 * n).expect("no fault"))
    });
    let counts: Vec<usize> =
        threads.collect::<Vec<_>>().into_iter().map(|t| t.join().expect("no fault")).collect();
    assert_eq!(counts, [0, 10, 20, 30]);
}
