//! `[fabric]`: hosts on circuit switches, and what they send; `fabric` of a star: circuits in the place of its switch.

use ww_config::quantity::{Bytes, Probability, Span};
use ww_config::reader::Reader;
use ww_fabric::configuration::{Configuration, LONGEST_PS, Options, Profile, Rules};
use ww_fabric::node::{Source, cells_of};
use ww_fabric::outcome::CELL_BYTES;
use ww_fabric::relay;
use ww_fabric::relay::failures::HostAt;
use ww_fabric::rotors::RotorOptions;
use ww_fabric::schedule::{BadFabric, Order};
use ww_fabric::workload::{self, APPLICATIONS, Arrivals, Pattern};

/// Flows of a run.
const MAX_FLOWS: u64 = 1_000_000;
/// Hosts and channels that a file may name; the fabric itself has bounds of its own, which are lower.
const MAX_COUNT: u64 = 1 << 20;
/// Hosts that may die or come back in a run: entries of `kill` and of `revive`.
const MAX_EVENTS: usize = 4096;

/// A fabric that can be simulated, and its traffic.
#[derive(Clone, Debug)]
pub struct Fabric {
    /// Rules, hosts, schedule, slots.
    pub configuration: Configuration,
    /// What hosts send; each seed draws other flows.
    pub pattern: Pattern,
    /// Whether pairs are compared with their fair rates.
    pub fair_shares: bool,
}

/// A fabric in the place of a switch.
#[derive(Clone, Debug)]
pub struct Circuits {
    /// Rules, hosts, schedule, slots.
    pub configuration: Configuration,
    /// The memory of each host for what it has to send.
    pub source: Source,
}

/// Memory of a host for what it has to send, in bytes, if nothing is said of it.
const DEFAULT_BUFFER: Bytes = Bytes(1 << 20);

/// Bytes of the largest Ethernet frame of the standard, without FCS: 14 and 1,500. A host has room for one at least.
const FRAME: u32 = 1514;

/// `fabric` of a topology with so many hosts at one switch. `None` has been told.
pub(super) fn circuits(reader: Reader<'_>, hosts: u32) -> Option<Circuits> {
    let told = reader.mistakes().count();
    let rules = relay::Rules::ALL.map(|rules| (rules.name(), Rules::Relay(rules)));
    let options = Options { hosts: Some(hosts as usize), ..common(&reader, &rules) };
    let Bytes(buffer) = reader.get_or("buffer", DEFAULT_BUFFER);
    let least = cells_of(FRAME) * u64::from(CELL_BYTES);
    if buffer < least {
        let message = format!(
            "'buffer': expected room for the cells of a frame, {least} bytes, at least, found {buffer}"
        );
        reader.wrong("buffer", message);
    }
    let mark = reader.get::<Bytes>("mark").map(|Bytes(bytes)| bytes / u64::from(CELL_BYTES));
    let configuration = configured(&reader, &options, told);
    reader.finish();
    let source = Source { cells: buffer / u64::from(CELL_BYTES), mark };
    Some(Circuits { configuration: configuration?, source })
}

/// Keys of all fabrics, with the rules that are possible.
fn common(reader: &Reader<'_>, rules: &[(&'static str, Rules)]) -> Options {
    let count = |key| reader.within(key, 1..=MAX_COUNT).map(|count| count as usize);
    Options {
        rules: reader.choice("rules", rules),
        profile: reader
            .choice("profile", &[("paper", Profile::Paper), ("prototype", Profile::Prototype)]),
        order: reader.choice("order", &[Order::Plain, Order::Reordered].map(word_of_order)),
        channels: count("channels"),
        leaves: count("leaves"),
        slot_ps: time(reader, "slot"),
        delay_ps: time(reader, "delay"),
        gate: reader.get("gate"),
        ..Options::default()
    }
}

/// A time of at most a second, in picoseconds.
fn time(reader: &Reader<'_>, key: &'static str) -> Option<u64> {
    let Span(picoseconds) = reader.get(key)?;
    if picoseconds > LONGEST_PS {
        reader.wrong(key, format!("'{key}': expected a second at most"));
        return None;
    }
    Some(picoseconds)
}

/// What these options come to; what is wrong with them is told, unless mistakes were told since there were `told`.
fn configured(reader: &Reader<'_>, options: &Options, told: usize) -> Option<Configuration> {
    let good = reader.mistakes().count() == told;
    match options.configuration() {
        Ok(configuration) => Some(configuration),
        Err(error) if good => {
            reader.mistakes().add(reader.place(), in_words_of_labs(&error));
            None
        }
        Err(_) => None,
    }
}

/// `[fabric]` and `[fabric.flows]`; flows are drawn with `seed` to see that they can be. `None` has been told.
pub(super) fn fabric(reader: &Reader<'_>, seed: u64) -> Option<Fabric> {
    let told = reader.mistakes().count();
    let options = Options {
        hosts: reader.within("hosts", 1..=MAX_COUNT).map(|count| count as usize),
        epochs: reader.get("epochs"),
        warmup: reader.get("warmup"),
        finish: reader.get("finish"),
        fail: reader.get("fail"),
        rotors: RotorOptions {
            matching_ps: time(reader, "matching"),
            reconfiguration_ps: time(reader, "reconfiguration"),
            hops: reader.get("hops"),
            bulk_bytes: reader.get("bulk_bytes"),
            factor: reader.get("factor"),
        },
        flip: reader.get::<Probability>("flip").map(|flip| flip.0),
        kills: hosts_at(reader, "kill"),
        revivals: hosts_at(reader, "revive"),
        repair: reader.get_or("repair", false),
        ..common(reader, &Rules::ALL.map(|rules| (rules.name(), rules)))
    };
    let flows = match reader.inner("flows") {
        Some(flows) => Some(flows),
        None => {
            reader.missing("flows", "{ pattern = \"permutation\", pairs = 8, cells = 100 }");
            None
        }
    };
    let configuration = configured(reader, &options, told);
    let channels = configuration.as_ref().map_or(1, |found| found.schedule().channels());
    let pattern = flows.as_ref().and_then(|flows| {
        let pattern = pattern(flows, channels)?;
        let hosts = configuration.as_ref()?.schedule().hosts();
        match workload::generate(&pattern, hosts, seed) {
            Ok(_) => Some(pattern),
            Err(BadFabric(error)) => {
                flows.mistakes().add(flows.place(), error);
                None
            }
        }
    });
    for table in flows.into_iter() {
        table.finish();
    }
    let fair_shares = reader.get_or("fair_shares", false);
    Some(Fabric { configuration: configuration?, pattern: pattern?, fair_shares })
}

/// The texts `HOST@SLOT` of a list; those that are none have been told.
fn hosts_at(reader: &Reader<'_>, key: &'static str) -> Vec<HostAt> {
    let texts = reader.list::<String>(key);
    if texts.len() > MAX_EVENTS {
        reader.wrong(key, format!("expected at most {MAX_EVENTS} hosts, found {}", texts.len()));
        return Vec::new();
    }
    let mut events = Vec::with_capacity(texts.len());
    for (text, place) in texts {
        match text.parse() {
            Ok(event) => events.push(event),
            Err(error) => reader.mistakes().add(place, format!("'{key}': {error}")),
        }
    }
    events
}

fn word_of_order(order: Order) -> (&'static str, Order) {
    (if order == Order::Plain { "plain" } else { "reordered" }, order)
}

/// A message of the fabric, which names options of the command line, with the keys of a lab instead.
pub(crate) fn in_words_of_labs(BadFabric(message): &BadFabric) -> String {
    let mut message = message.clone();
    for time in ["slot", "delay", "matching", "reconfiguration"] {
        message = message.replace(&format!("--{time}-ns"), &format!("'{time}'"));
    }
    message.replace("--bulk-bytes", "'bulk_bytes'").replace("--", "")
}

/// `[fabric.flows]`
fn pattern(flows: &Reader<'_>, channels: usize) -> Option<Pattern> {
    #[derive(Clone, Copy)]
    enum Kind {
        Permutation,
        Incast,
        Random,
        Pareto,
        Application,
    }
    let kind = flows.needed_choice(
        "pattern",
        &[
            ("permutation", Kind::Permutation),
            ("incast", Kind::Incast),
            ("random", Kind::Random),
            ("pareto", Kind::Pareto),
            ("application", Kind::Application),
        ],
    );
    let Some(kind) = kind else {
        flows.skip_rest();
        return None;
    };
    let count = |key: &'static str, most| {
        flows.needed_within(key, 1..=most, "100").map(|count| count as usize)
    };
    let cells = || flows.need::<u64>("cells", "100");
    let arrivals = || match flows.get::<f64>("slots_between") {
        Some(slots) => Some(Arrivals::EverySlots(slots)),
        None => flows.need::<f64>("load", "0.5").map(|load| Arrivals::Load { load, channels }),
    };
    match kind {
        Kind::Permutation => {
            let (pairs, cells) = (count("pairs", MAX_COUNT), cells());
            Some(Pattern::Permutation { pairs: pairs?, cells: cells? })
        }
        Kind::Incast => {
            let (senders, cells) = (count("senders", MAX_COUNT), cells());
            Some(Pattern::Incast { senders: senders?, cells: cells? })
        }
        Kind::Random => {
            let (flows, cells) = (count("count", MAX_FLOWS), cells());
            Some(Pattern::Random { flows: flows?, cells: cells? })
        }
        Kind::Pareto => {
            let (count, arrivals) = (count("count", MAX_FLOWS), arrivals());
            let shape = flows.need("shape", "1.05");
            let mean_bytes = flows.need("mean_bytes", "100000.0");
            let largest_bytes = flows.need("largest_bytes", "1e9");
            Some(Pattern::Pareto {
                flows: count?,
                shape: shape?,
                mean_bytes: mean_bytes?,
                largest_bytes: largest_bytes?,
                arrivals: arrivals?,
            })
        }
        Kind::Application => {
            let (count, arrivals) = (count("count", MAX_FLOWS), arrivals());
            let words: Vec<_> = APPLICATIONS.iter().map(|one| (one.name, one)).collect();
            let application = flows.needed_choice("application", &words);
            Some(Pattern::Application {
                flows: count?,
                application: application?,
                arrivals: arrivals?,
            })
        }
    }
}
