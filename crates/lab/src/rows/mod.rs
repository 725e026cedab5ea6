//! Flows, packets and samples of queues, a row each, and captures: files that grow while a lab runs.

use crate::plan::Plan;
use crate::results::tpp::Reports;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use ww_columns::table::{Column, Table};
use ww_io::capture::{CaptureWriter, PendingFile};
use ww_io::time::UtcTime;
use ww_sim::measure::{Delivery, FlowRecord, Sample};
use ww_sim::network::NodeId;
use ww_tpp_apps::histories::history::History;
use ww_tpp_apps::histories::netshark;

const FLOWS: &str = "flows.parquet";
const PACKETS: &str = "packets.parquet";
const QUEUES: &str = "queues.parquet";
const TPPS: &str = "tpps.parquet";
const HISTORIES: &str = "histories.parquet";
/// Values of a hop that have columns: a TPP has so many instructions.
const VALUES: [&str; 5] = ["value0", "value1", "value2", "value3", "value4"];
/// Captured frames of a run, in its folder.
pub const CAPTURE: &str = "capture.pcapng";
/// All of them.
pub const NAMES: [&str; 6] = [FLOWS, PACKETS, QUEUES, TPPS, HISTORIES, CAPTURE];

/// Removes the files of earlier runs from a folder: its own, and those of variants and seeds. Folders that are empty then are
/// removed, too; links to folders are not followed.
///
/// # Errors
/// A sentence.
pub fn remove(folder: &Path) -> Result<(), String> {
    // Variants, and in them seeds.
    remove_to(folder, 2)
        .map_err(|(path, error)| format!("cannot remove '{}': {error}", path.display()))
}

fn remove_to(folder: &Path, depth: u32) -> Result<(), (PathBuf, io::Error)> {
    let wrong = |path: &Path| {
        let path = path.to_owned();
        move |error| (path, error)
    };
    for name in NAMES {
        let path = folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err((path, error)),
            _ => {}
        }
    }
    if depth == 0 {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(wrong(folder))? {
        let entry = entry.map_err(wrong(folder))?;
        let path = entry.path();
        if entry.file_type().map_err(wrong(&path))?.is_dir() {
            remove_to(&path, depth - 1)?;
            // Somebody else's files keep it.
            let _ = fs::remove_dir(&path);
        }
    }
    Ok(())
}

type File = Table<BufWriter<PendingFile>>;

/// The files of a run.
#[derive(Default)]
pub struct Writers {
    flows: Option<(PathBuf, File)>,
    packets: Option<(PathBuf, File)>,
    queues: Option<(PathBuf, File)>,
    tpps: Option<(PathBuf, File)>,
    histories: Option<(PathBuf, netshark::Writer<BufWriter<PendingFile>>)>,
    capture: Option<(PathBuf, CaptureWriter)>,
    /// Of each captured direction, the number of its interface.
    interfaces: BTreeMap<u32, usize>,
    error: Option<String>,
}

fn open(folder: &Path, name: &str, columns: Vec<Column>) -> Result<(PathBuf, File), String> {
    let path = folder.join(name);
    let file = PendingFile::create(&path)
        .and_then(|file| Table::new(BufWriter::with_capacity(1 << 16, file), columns));
    match file {
        Ok(file) => Ok((path, file)),
        Err(error) => Err(describe(&path, &error)),
    }
}

fn describe(path: &Path, error: &io::Error) -> String {
    format!("cannot write '{}': {error}", path.display())
}

impl Writers {
    /// Opens what the plan wants in a folder that is there: `flows.parquet`, `packets.parquet`, `queues.parquet`,
    /// `capture.pcapng`.
    ///
    /// # Errors
    /// A sentence.
    pub fn create(folder: &Path, plan: &Plan) -> Result<Self, String> {
        let network = &plan.network;
        let traffic = || network.traffic.iter().map(|traffic| &traffic.name);
        let hosts = || network.hosts().map(|(id, _)| &network.nodes[id as usize].name);
        let mut writers = Self::default();
        if plan.measure.flows {
            let columns = vec![
                Column::integer("flow"),
                Column::word("traffic", traffic()),
                Column::word("source", hosts()),
                Column::word("destination", hosts()),
                Column::integer("bytes"),
                Column::integer("received_bytes"),
                Column::integer("start_ps"),
                Column::optional("end_ps"),
                Column::integer("ideal_ps"),
                Column::integer("retransmitted"),
                Column::integer("timeouts"),
            ];
            writers.flows = Some(open(folder, FLOWS, columns)?);
        }
        if plan.measure.packets {
            let columns = vec![
                Column::integer("flow"),
                Column::word("traffic", traffic()),
                Column::integer("bytes"),
                Column::integer("sent_ps"),
                Column::integer("arrived_ps"),
                Column::integer("marked"),
            ];
            writers.packets = Some(open(folder, PACKETS, columns)?);
        }
        if plan.measure.every.is_some() {
            let columns = vec![
                Column::integer("at_ps"),
                Column::word("link", plan.directions.iter()),
                Column::integer("queued_bytes"),
                Column::integer("sent_bytes"),
                Column::integer("dropped"),
                Column::integer("marked"),
            ];
            writers.queues = Some(open(folder, QUEUES, columns)?);
        }
        if let Some(tpps) = plan.tpps.as_ref().filter(|tpps| !tpps.applications.is_empty()) {
            let names = tpps.applications.iter().map(|application| &application.name);
            let mut columns = vec![
                Column::integer("tpp"),
                Column::word("application", names),
                Column::integer("arrived_ps"),
                Column::word("receiver", hosts()),
                Column::integer("source"),
                Column::integer("destination"),
                Column::integer("protocol"),
                Column::integer("source_port"),
                Column::integer("destination_port"),
                Column::integer("bytes"),
                Column::integer("hop"),
            ];
            columns.extend(VALUES.map(Column::optional));
            writers.tpps = Some(open(folder, TPPS, columns)?);
            if tpps.applications.iter().any(|one| one.application.histories().is_some()) {
                let path = folder.join(HISTORIES);
                let store = PendingFile::create(&path).and_then(|file| {
                    netshark::Writer::new(BufWriter::with_capacity(1 << 16, file))
                });
                let store = store.map_err(|error| describe(&path, &error))?;
                writers.histories = Some((path, store));
            }
        }
        if !plan.measure.captures.is_empty() {
            let path = folder.join(CAPTURE);
            let captured = plan.measure.captures.iter();
            let names: Vec<&str> =
                captured.map(|direction| plan.directions[*direction as usize].as_str()).collect();
            let writer = CaptureWriter::create(&path, &names).map_err(|error| error.to_string())?;
            writers.interfaces = plan.measure.captures.iter().copied().zip(0..).collect();
            writers.capture = Some((path, writer));
        }
        Ok(writers)
    }

    /// Notes the first error; the run goes on for its results.
    fn note(&mut self, result: Result<(), String>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    /// A flow has ended, or the run has.
    pub fn flow(&mut self, record: &FlowRecord) {
        let Some((path, table)) = &mut self.flows else { return };
        let end = record.end.map(|end| end as i64);
        let row = [
            Some(record.serial as i64),
            Some(record.traffic.into()),
            Some(record.from.into()),
            Some(record.to.into()),
            Some(record.bytes as i64),
            Some(record.received as i64),
            Some(record.start as i64),
            end,
            Some(record.ideal as i64),
            Some(record.retransmitted as i64),
            Some(record.timeouts as i64),
        ];
        let result = table.row(&row).map_err(|error| describe(path, &error));
        self.note(result);
    }

    /// A packet has arrived.
    pub fn packet(&mut self, delivery: &Delivery) {
        let Some((path, table)) = &mut self.packets else { return };
        let row = [
            Some(delivery.flow as i64),
            Some(delivery.traffic.into()),
            Some(delivery.bytes.into()),
            Some(delivery.sent as i64),
            Some(delivery.at as i64),
            Some(delivery.marked.into()),
        ];
        let result = table.row(&row).map_err(|error| describe(path, &error));
        self.note(result);
    }

    /// A direction was looked at.
    pub fn sample(&mut self, sample: &Sample) {
        let Some((path, table)) = &mut self.queues else { return };
        let row = [
            Some(sample.at as i64),
            Some(sample.direction.into()),
            Some(sample.queued as i64),
            Some(sample.sent as i64),
            Some(sample.dropped as i64),
            Some(sample.marked as i64),
        ];
        let result = table.row(&row).map_err(|error| describe(path, &error));
        self.note(result);
    }

    /// What hosts have kept of TPPs: a row for each hop.
    pub fn tpps(&mut self, plan: &Plan, reports: &Reports) {
        let Some((path, table)) = &mut self.tpps else { return };
        let hosts: Vec<NodeId> = plan.network.hosts().map(|(id, _)| id).collect();
        let applications = plan.tpps.iter().flat_map(|tpps| &tpps.applications);
        let mut number = 0;
        let write = || -> io::Result<()> {
            for (place, application) in applications.enumerate() {
                let own = reports.iter().filter(|(node, _)| application.hosts.contains(node));
                for (node, record) in
                    own.flat_map(|(node, report)| report.records.iter().map(move |r| (node, r)))
                {
                    let Some(rows) = application.application.rows(record) else { break };
                    let receiver = hosts.iter().position(|host| host == node).map(|at| at as i64);
                    for (hop, values) in rows.into_iter().enumerate() {
                        let of_record = [
                            record.source.into(),
                            record.destination.into(),
                            record.protocol.into(),
                            record.ports[0].into(),
                            record.ports[1].into(),
                            record.length.into(),
                            hop as i64,
                        ];
                        let mut row =
                            vec![Some(number), Some(place as i64), Some(record.at as i64)];
                        // A report of no host has no word for it, which is an error of the table.
                        row.push(receiver);
                        row.extend(of_record.map(Some));
                        row.extend(
                            (0..VALUES.len()).map(|at| values.get(at).map(|v| i64::from(*v))),
                        );
                        table.row(&row)?;
                    }
                    number += 1;
                }
            }
            Ok(())
        };
        let result = write().map_err(|error| describe(path, &error));
        self.note(result);
        self.histories(plan, reports);
    }

    /// What these TPPs say of the ways of packets.
    fn histories(&mut self, plan: &Plan, reports: &Reports) {
        let Some((path, store)) = &mut self.histories else { return };
        let mut result = Ok(());
        for application in plan.tpps.iter().flat_map(|tpps| &tpps.applications) {
            let Some(values) = application.application.histories() else { continue };
            let own = reports.iter().filter(|(node, _)| application.hosts.contains(node));
            let mut records: Vec<_> = own.flat_map(|(_, report)| &report.records).collect();
            records.sort_by_key(|record| record.at);
            let mut histories = records.into_iter().map(|record| History::of(record, &values));
            result = result.and_then(|()| histories.try_for_each(|one| store.write(&one)));
        }
        let result = result.map_err(|error| describe(path, &error));
        self.note(result);
    }

    /// A frame begins to leave through a captured direction. Captures begin at 1970.
    pub fn frame(&mut self, direction: u32, at: u64, frame: &[u8]) {
        let Some((_, writer)) = &mut self.capture else { return };
        let Some(interface) = self.interfaces.get(&direction) else { return };
        let result =
            writer.write(*interface, UtcTime(at.into()), frame).map_err(|error| error.to_string());
        self.note(result);
    }

    /// Gives the files their names.
    ///
    /// # Errors
    /// The first error that there was.
    pub fn finish(self) -> Result<(), String> {
        for (path, table) in
            [self.flows, self.packets, self.queues, self.tpps].into_iter().flatten()
        {
            let wrong = |error: io::Error| describe(&path, &error);
            let out = table.finish().map_err(wrong)?;
            let file = out.into_inner().map_err(|error| wrong(error.into_error()))?;
            file.commit().map_err(wrong)?;
        }
        if let Some((path, store)) = self.histories {
            let wrong = |error: io::Error| describe(&path, &error);
            let (out, _) = store.finish().map_err(wrong)?;
            let file = out.into_inner().map_err(|error| wrong(error.into_error()))?;
            file.commit().map_err(wrong)?;
        }
        if let Some((_, writer)) = self.capture {
            writer.finish().map_err(|error| error.to_string())?;
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
