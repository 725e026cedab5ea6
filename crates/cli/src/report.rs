//! `ww report`

use crate::Failure;
use crate::args::ReportArguments;
use crate::output::{print, tell};
use crate::terminal::{Terminal, waiting};
use std::sync::Arc;
use ww_io::frame_memory::{DEFAULT_MEMORY, FrameMemory};
use ww_rtl::design::Design;
use ww_rtl::emit::EmitOptions;
use ww_rtl::report::cycles::{Meter, Size};
use ww_rtl::report::frames::{Template, plain};
use ww_rtl::report::probe::probed;
use ww_rtl::report::{Report, SIZES, all_sizes, optimisers, plot, synthesis, text};
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::engine::Settings;
use ww_runtime::bench::capture;
use ww_runtime::bench::frames::Frames;
use ww_runtime::entries;
use ww_runtime::hardware::{self, simulation};
use ww_runtime::program::{Program, files};
use ww_runtime::signals::Ending;

/// Of these frames of captures it is found out whether the program forwards them.
const TEMPLATES: usize = 256;

/// Measures a program's design and prints what comes of it.
pub fn report(arguments: &ReportArguments) -> Result<(), Failure> {
    let path = &arguments.program.program;
    let _ending = Ending::new()?;
    let program = Program::open(path, &arguments.program.options())?;
    let options = arguments.design.emit().map_err(Failure::Usage)?;
    if let Some(plot) = &arguments.plot {
        let mut inputs = files(&program.sources);
        for text in &arguments.pcap {
            inputs.reads("a file of --pcap", capture(text, &program)?.1);
        }
        arguments.entries.iter().for_each(|path| _ = inputs.reads("the file of --entries", path));
        arguments.design.add_files(&mut inputs);
        inputs.writes("--plot", plot)?;
    }
    if arguments.optimisers {
        return compare(arguments, &options, &program);
    }
    let design = hardware::design(path, &program.ir, Some(&program.sources), &options)
        .map_err(Failure::Rejected)?;
    let wrong = |error: ww_rtl::runner::Error| {
        Failure::Rejected(format!("{}: report: {error}", path.display()))
    };
    let templates = templates(arguments, &program)?;
    let sizes = sizes(arguments, &program, &design, templates)?;
    let mut report = Report::new(&design.manifest, sizes);
    if arguments.area {
        let bar = waiting("area: Yosys maps the design");
        report.area = Some(synthesis::area(&design).map_err(wrong)?);
        bar.finish_and_clear();
    }
    if arguments.clock {
        let bar = waiting("clock: nextpnr places and routes the design");
        report.clock = Some(synthesis::clock(&design).map_err(wrong)?);
        bar.finish_and_clear();
    }
    if let Some(file) = &arguments.plot {
        plot::plot(&report, file).map_err(wrong)?;
    }
    print(&match arguments.json {
        true => match serde_json::to_string_pretty(&report) {
            Ok(json) => format!("{json}\n"),
            Err(error) => return Err(Failure::Rejected(error.to_string())),
        },
        false => text::text(&report),
    })
}

/// Shows what each optimiser gains.
fn compare(
    arguments: &ReportArguments,
    options: &EmitOptions,
    program: &Program,
) -> Result<(), Failure> {
    let path = &arguments.program.program;
    let design = |options: &EmitOptions| {
        hardware::design(path, &program.ir, Some(&program.sources), options)
    };
    let (costs, refused) = optimisers::compare(options, design).map_err(Failure::Rejected)?;
    let name = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    print(&match arguments.json {
        true => match serde_json::to_string_pretty(&costs) {
            Ok(json) => format!("{json}\n"),
            Err(error) => return Err(Failure::Rejected(error.to_string())),
        },
        false => optimisers::text(&name, &costs, &refused),
    })
}

/// The frames that others are made of.
fn templates(arguments: &ReportArguments, program: &Program) -> Result<Vec<Template>, Failure> {
    if arguments.pcap.is_empty() {
        return Ok(vec![plain()]);
    }
    let captures: Result<Vec<_>, _> =
        arguments.pcap.iter().map(|text| capture(text, program)).collect();
    let memory = FrameMemory::new(DEFAULT_MEMORY, 1);
    let frames = Frames::load(&captures?, TEMPLATES, memory)?;
    let first = frames.first(TEMPLATES);
    Ok(first.map(|(port, frame)| Template { port, bytes: frame.to_vec() }).collect())
}

/// Measures clocks.
fn sizes(
    arguments: &ReportArguments,
    program: &Program,
    design: &Design,
    templates: Vec<Template>,
) -> Result<Vec<Size>, Failure> {
    let path = &arguments.program.program;
    let wrong = |error: ww_rtl::runner::Error| {
        Failure::Rejected(format!("{}: report: {error}", path.display()))
    };
    let list = match arguments.sweep_all {
        true => all_sizes(),
        false if arguments.sizes.is_empty() => SIZES.to_vec(),
        false => arguments.sizes.clone(),
    };
    let bar = waiting("cycles: building the model");
    let design = probed(design);
    let effort = if arguments.sweep_all { Effort::Fast } else { Effort::Quick };
    let (ir, drive) = (Arc::clone(&program.ir), Settings::default());
    let mut model =
        simulation(path, ir, &design, effort, None, drive).map_err(Failure::Rejected)?;
    entries::load(arguments.entries.as_deref(), &mut model, &Terminal::new())?;
    let mut meter =
        Meter::new(&mut model, &design.manifest, templates, arguments.vary).map_err(wrong)?;
    let mut sizes = Vec::new();
    for bytes in list {
        bar.set_message(format!("cycles: {bytes} bytes"));
        match meter.size(bytes).map_err(wrong)? {
            Some(size) => sizes.push(size),
            None => {
                tell(format_args!("note: {bytes} bytes: all frames of the captures are longer"))
            }
        }
    }
    bar.finish_and_clear();
    Ok(sizes)
}
