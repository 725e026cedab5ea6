//! `ww tpp netshark | ndb | netwatch | profile`: what packets say of their ways.

use crate::Failure;
use crate::output::{counted, print};
use crate::tpp_args::{
    HistoryArguments, NdbArguments, NetsharkArguments, NetwatchArguments, ProfileArguments,
};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek};
use std::path::Path;
use ww_io::capture::PendingFile;
use ww_io::overwrite::Files;
use ww_tpp_apps::histories::history::{History, Hop};
use ww_tpp_apps::histories::lines::Lines;
use ww_tpp_apps::histories::ndb::Query;
use ww_tpp_apps::histories::netshark::{Store, Writer};
use ww_tpp_apps::histories::netwatch::{Violation, Watch};
use ww_tpp_apps::histories::profile::{Load, Profile};
use ww_tpp_apps::histories::values::Value;

/// What a Parquet file begins with.
const PARQUET: &[u8; 4] = b"PAR1";

/// Gives all histories of some files, one after the other: stores, or what shims have collected.
fn each(
    arguments: &HistoryArguments,
    mut take: impl FnMut(History) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for path in &arguments.files {
        let wrong = |error: io::Error| {
            Failure::Rejected(format!("cannot read '{}': {error}", path.display()))
        };
        let mut file = File::open(path).map_err(wrong)?;
        let mut begin = Vec::new();
        (&mut file).take(PARQUET.len() as u64).read_to_end(&mut begin).map_err(wrong)?;
        file.rewind().map_err(wrong)?;
        if begin == PARQUET {
            let mut store = Store::new(file).map_err(wrong)?;
            while let Some(history) = store.history().map_err(wrong)? {
                take(history)?;
            }
        } else {
            let mut lines = Lines::new(BufReader::new(file));
            while let Some(record) = lines.record().map_err(wrong)? {
                take(History::of(&record, &arguments.values))?;
            }
        }
    }
    Ok(())
}

/// Writes a store.
pub fn netshark(arguments: &NetsharkArguments) -> Result<(), Failure> {
    let out: &Path = &arguments.out;
    let wrong =
        |error: io::Error| Failure::Rejected(format!("cannot write '{}': {error}", out.display()));
    let mut inputs = Files::default();
    arguments.histories.files.iter().for_each(|path| _ = inputs.reads("an input", path));
    inputs.writes("--out", out)?;
    let file = PendingFile::create(out).map_err(wrong)?;
    let mut store = Writer::new(BufWriter::new(file)).map_err(wrong)?;
    each(&arguments.histories, |history| store.write(&history).map_err(wrong))?;
    let (file, count) = store.finish().map_err(wrong)?;
    let file = file.into_inner().map_err(|error| wrong(error.into_error()))?;
    file.commit().map_err(wrong)?;
    print(&match arguments.histories.json {
        true => format!("{}\n", json!({ "histories": count })),
        false if count == 1 => "1 history\n".to_owned(),
        false => format!("{count} histories\n"),
    })
}

/// Prints the histories that a query finds.
pub fn ndb(arguments: &NdbArguments) -> Result<(), Failure> {
    let query = Query::new(&arguments.query)
        .map_err(|error| Failure::Usage(format!("{error}\n  {}", arguments.query)))?;
    let (mut found, mut all) = (0u64, 0u64);
    let is_json = arguments.histories.json;
    each(&arguments.histories, |history| {
        all += 1;
        if !query.fits(&history) {
            return Ok(());
        }
        found += 1;
        print(&match is_json {
            true => format!("{}\n", described(&history)),
            false => format!("{}\n", line(&history)),
        })
    })?;
    match is_json {
        true => Ok(()),
        false => print(&format!("{found} of {all} histories\n")),
    }
}

/// Prints what is wrong with histories.
pub fn netwatch(arguments: &NetwatchArguments) -> Result<(), Failure> {
    let path = &arguments.rules;
    let text = super::read_text(path)?;
    let watch = Watch::parse(&path.display().to_string(), &text)
        .map_err(|report| Failure::Rejected(report.to_string()))?;
    let (mut broken, mut all) = (0u64, 0u64);
    let is_json = arguments.histories.json;
    each(&arguments.histories, |history| {
        all += 1;
        let violations = watch.judge(&history);
        broken += violations.len() as u64;
        print(&told(&history, &violations, is_json))
    })?;
    match broken {
        0 if is_json => Ok(()),
        0 => print(&format!("{all} histories keep {}\n", counted(watch.rules() as u64, "rule"))),
        _ => Err(Failure::Rejected(format!("{} in {all} histories", counted(broken, "violation")))),
    }
}

/// A line for each violation.
fn told(history: &History, violations: &[Violation], is_json: bool) -> String {
    let line = |violation: &Violation| match is_json {
        true => format!("{}\n", json!({ "violation": violation, "history": described(history) })),
        false => format!("{violation}\n  {}\n", self::line(history)),
    };
    violations.iter().map(line).collect()
}

/// Prints where packets have gone, by bytes.
pub fn profile(arguments: &ProfileArguments) -> Result<(), Failure> {
    let mut profile = Profile::default();
    each(&arguments.histories, |history| {
        profile.add(&history);
        Ok(())
    })?;
    let most = arguments.most;
    let all = profile.all();
    if arguments.histories.json {
        let places = |rows: Vec<((u32, u32), Load)>, what: &str| -> Vec<Json> {
            let row = |((switch, number), load): &((u32, u32), Load)| json!({ "switch": switch, what: number, "packets": load.packets, "bytes": load.bytes });
            rows.iter().map(row).collect()
        };
        let flows: Vec<Json> = profile
            .flows(most)
            .iter()
            .map(|(flow, load)| json!({ "flow": flow, "packets": load.packets, "bytes": load.bytes }))
            .collect();
        let report = json!({
            "all": all,
            "outputs": places(profile.outputs(most), "out_port"),
            "entries": places(profile.entries(most), "entry"),
            "flows": flows,
            "beyond": profile.beyond(),
        });
        return print(&format!("{report:#}\n"));
    }
    let mut text = format!("{} packets, {} bytes\n", all.packets, all.bytes);
    let share = |load: &Load| load.bytes as f64 * 100.0 / all.bytes.max(1) as f64;
    let mut row = |name: String, load: &Load| {
        let Load { packets, bytes } = load;
        let _ = writeln!(
            text,
            "{:6.2} %  {bytes:>12} bytes  {packets:>9} packets  {name}",
            share(load)
        );
    };
    for ((switch, port), load) in &profile.outputs(most) {
        row(format!("switch {switch}, output {port}"), load);
    }
    for ((switch, entry), load) in &profile.entries(most) {
        row(format!("switch {switch}, entry {entry}"), load);
    }
    for (flow, load) in &profile.flows(most) {
        let [from, to] = flow.ports;
        row(
            format!(
                "{}:{from} to {}:{to}, protocol {}",
                flow.source, flow.destination, flow.protocol
            ),
            load,
        );
    }
    if profile.beyond() != Load::default() {
        row("more than could be told apart".to_owned(), &profile.beyond());
    }
    print(&text)
}

/// A history for people: when, from whom to whom, and the hops, each as switch with what else it says.
fn line(history: &History) -> String {
    let [from, to] = history.ports;
    let hop = |hop: &Hop| {
        let switch = hop.get(Value::Switch).map_or("?".to_owned(), |switch| switch.to_string());
        let rest = Value::ALL
            .into_iter()
            .skip(1)
            .filter_map(|value| hop.get(value).map(|number| format!("{}={number}", value.word())));
        let rest: Vec<String> = rest.collect();
        match rest.is_empty() {
            true => switch,
            false => format!("{switch} {{{}}}", rest.join(", ")),
        }
    };
    let hops: Vec<String> = history.hops.iter().map(hop).collect();
    format!(
        "{} us {}:{from} to {}:{to}, {} bytes: {}{}",
        history.at / 1_000_000,
        history.source,
        history.destination,
        history.length,
        hops.join(" "),
        if history.is_cut() { " ..." } else { "" }
    )
}

/// A history for programs.
fn described(history: &History) -> Json {
    let hop = |hop: &Hop| -> Json {
        let said = Value::ALL.into_iter().filter_map(|value| Some((value, hop.get(value)?)));
        said.map(|(value, number)| (value.word().replace('-', "_"), json!(number))).collect()
    };
    json!({
        "time_ps": history.at,
        "app": history.app,
        "source": history.source,
        "destination": history.destination,
        "protocol": history.protocol,
        "ports": history.ports,
        "length": history.length,
        "executed": history.executed,
        "hops": history.hops.iter().map(hop).collect::<Vec<_>>(),
    })
}
