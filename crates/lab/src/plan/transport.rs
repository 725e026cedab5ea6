//! `[transport.NAME]`, and what carries flows.

use crate::file::names::Name;
use std::collections::BTreeMap;
use ww_config::mistakes::{Mistakes, did_you_mean};
use ww_config::quantity::{Bytes, Quantity, Rate, Share, Span};
use ww_config::reader::Reader;
use ww_config::tree::{Kind, Value};
use ww_sim::network::traffic::Transport;
use ww_sim::stack::{self, Congestion as StackCongestion};
use ww_sim::transport::tcp::{Control, Pacing, Settings};
use ww_sim::transport::{dcqcn, ndp, r2c2};

/// Transports that have a name.
pub(super) struct Transports {
    named: BTreeMap<String, Transport>,
    /// Those that could not be read: it is not told that they are not there.
    broken: Vec<String>,
}

#[derive(Clone, Copy)]
enum Congestion {
    NewReno,
    Cubic,
    Dctcp,
}

const CONGESTION: [(&str, Congestion); 3] =
    [("newreno", Congestion::NewReno), ("cubic", Congestion::Cubic), ("dctcp", Congestion::Dctcp)];

#[derive(Clone, Copy)]
enum Kinds {
    Tcp,
    Udp,
    Smoltcp,
    R2c2,
    Ndp,
    Dcqcn,
}

const KINDS: [(&str, Kinds); 6] = [
    ("tcp", Kinds::Tcp),
    ("udp", Kinds::Udp),
    ("smoltcp", Kinds::Smoltcp),
    ("r2c2", Kinds::R2c2),
    ("ndp", Kinds::Ndp),
    ("dcqcn", Kinds::Dcqcn),
];

/// Longest and shortest frames, without FCS.
pub(super) const FRAMES: std::ops::RangeInclusive<u64> = 60..=9014;

fn tcp(congestion: Congestion) -> Settings {
    let settings = Settings::default();
    match congestion {
        Congestion::NewReno => settings,
        Congestion::Cubic => {
            Settings { control: Control::Cubic { fast_convergence: true }, ..settings }
        }
        Congestion::Dctcp => {
            Settings { control: Control::Dctcp { gain: 1.0 / 16.0 }, ecn: true, ..settings }
        }
    }
}

impl Transports {
    /// Reads `[transport]`. `newreno`, `cubic`, `dctcp` and `smoltcp` are there without being written.
    pub fn read(table: Option<Reader<'_>>) -> Self {
        let named =
            CONGESTION.iter().map(|(word, kind)| ((*word).to_owned(), Transport::Tcp(tcp(*kind))));
        let stack = ("smoltcp".to_owned(), Transport::Stack(stack::Settings::default()));
        let named = named.chain([stack]).collect();
        let mut all = Self { named, broken: Vec::new() };
        let Some(table) = table else { return all };
        for entry in table.entries() {
            let name = Value { place: entry.place.clone(), kind: Kind::Text(entry.key.clone()) };
            if let Err(message) = Name::read(&name) {
                table.mistakes().add(&entry.place, message);
            }
            let Some(reader) = table.as_table(&entry.value, format!("[transport.{}]", entry.key))
            else {
                all.broken.push(entry.key.clone());
                continue;
            };
            match transport(reader) {
                Some(transport) => {
                    all.named.insert(entry.key.clone(), transport);
                }
                None => all.broken.push(entry.key.clone()),
            }
        }
        all
    }

    /// What the key `transport` of a piece of traffic says: a name, or a table like `[transport.NAME]`.
    pub fn chosen(&self, reader: &Reader<'_>) -> Option<Transport> {
        let value = reader.needed_value("transport", "\"cubic\"")?;
        let Kind::Text(name) = &value.kind else {
            return transport(reader.as_table(value, "'transport'".into())?);
        };
        let found = self.named.get(name).cloned();
        if found.is_none() && !self.broken.contains(name) {
            unknown(
                name,
                value,
                self.named.keys().map(String::as_str).collect(),
                reader.mistakes(),
            );
        }
        found
    }

    /// The same, where it must send again what is lost.
    pub fn chosen_reliable(&self, reader: &Reader<'_>) -> Option<Transport> {
        match self.chosen(reader)? {
            transport @ (Transport::Tcp(_)
            | Transport::Stack(_)
            | Transport::Ndp(_)
            | Transport::Dcqcn(_)) => Some(transport),
            Transport::Udp { .. } | Transport::R2c2(_) => {
                if let Some(value) = reader.value("transport") {
                    let message = format!(
                        "'transport': {} needs one that sends lost packets again, such as TCP",
                        reader.what()
                    );
                    reader.mistakes().add(&value.place, message);
                }
                None
            }
        }
    }
}

fn unknown(name: &str, value: &Value, known: Vec<&str>, mistakes: &Mistakes) {
    let advice = did_you_mean(name, known.iter().copied()).or_else(|| {
        Some(format!("there are {}; others are made by [transport.{name}]", known.join(", ")))
    });
    mistakes.advise(&value.place, format!("there is no transport '{name}'"), advice);
}

fn transport(reader: Reader<'_>) -> Option<Transport> {
    let before = reader.mistakes().told();
    let kind = reader.needed_choice("kind", &KINDS);
    // What is said tells which it is meant to be.
    let guess = || match reader.value("rate").is_some() {
        true => Kinds::Udp,
        false if reader.value("send_buffer").or(reader.value("nagle")).is_some() => Kinds::Smoltcp,
        false if reader.value("headroom").is_some() => Kinds::R2c2,
        false => Kinds::Tcp,
    };
    let transport = match kind.unwrap_or_else(guess) {
        Kinds::Tcp => read_tcp(&reader).map(Transport::Tcp),
        Kinds::Smoltcp => read_stack(&reader).map(Transport::Stack),
        Kinds::R2c2 => read_r2c2(&reader).map(Transport::R2c2),
        Kinds::Ndp => read_ndp(&reader).map(Transport::Ndp),
        Kinds::Dcqcn => read_dcqcn(&reader).map(Transport::Dcqcn),
        Kinds::Udp => {
            let rate = reader.need::<Rate>("rate", "\"1 Gb/s\"");
            let bytes = frame_bytes(&reader, "bytes");
            rate.zip(bytes).map(|(rate, bytes)| Transport::Udp { rate: rate.0, bytes })
        }
    };
    let mistakes = reader.mistakes();
    if kind.is_some() {
        reader.finish();
    }
    transport.filter(|_| mistakes.told() == before)
}

/// TCP of hosts with a stack.
fn read_stack(reader: &Reader<'_>) -> Option<stack::Settings> {
    let words = [
        ("newreno", StackCongestion::Reno),
        ("cubic", StackCongestion::Cubic),
        ("none", StackCongestion::None),
    ];
    let usual = stack::Settings::default();
    let buffer = |key, usual: u32| {
        let Some(Bytes(bytes)) = reader.get(key) else { return usual };
        let range = stack::Settings::BUFFERS;
        if !range.contains(&bytes)
            && let Some(value) = reader.value(key)
        {
            let (from, to) = range.into_inner();
            let message = format!("'{key}': expected {from} to {to} bytes, found {bytes}");
            reader.mistakes().add(&value.place, message);
        }
        u32::try_from(bytes).unwrap_or(u32::MAX)
    };
    let within = reader.get::<Span>("ack_within").map(|span| span.0);
    Some(stack::Settings {
        congestion: reader.choice("congestion", &words).unwrap_or(usual.congestion),
        send_buffer: buffer("send_buffer", usual.send_buffer),
        receive_buffer: buffer("receive_buffer", usual.receive_buffer),
        acknowledge_within: match within {
            None => usual.acknowledge_within,
            Some(0) => None,
            within => within,
        },
        nagle: reader.get_or("nagle", usual.nagle),
    })
}

/// Rates that sources compute.
fn read_r2c2(reader: &Reader<'_>) -> Option<r2c2::Settings> {
    let usual = r2c2::Settings::default();
    let wrong = |key: &'static str, expected: &str| {
        if let Some(value) = reader.value(key) {
            let message = format!("'{key}': expected {expected}, found {}", super::written(value));
            reader.mistakes().add(&value.place, message);
        }
    };
    let headroom = reader.get_or("headroom", Share(usual.headroom)).0;
    if headroom >= 1.0 {
        wrong("headroom", "0 % or more and less than 100 %");
    }
    let interval = reader.get_or("interval", Span(usual.interval)).0;
    if interval == 0 {
        wrong("interval", "more than 0");
    }
    Some(r2c2::Settings { headroom, interval, bytes: frame_bytes_or(reader, usual.bytes)? })
}

/// Packets that receivers ask for. What its numbers have to be, [`ndp::check`] says.
fn read_ndp(reader: &Reader<'_>) -> Option<ndp::Settings> {
    let usual = ndp::Settings::default();
    Some(ndp::Settings {
        initial_window: reader.get_or("initial_window", usual.initial_window),
        bytes: frame_bytes_or(reader, usual.bytes)?,
        timeout: reader.get_or("timeout", Span(usual.timeout)).0,
    })
}

/// Rates that marks cut. What its numbers have to be, [`dcqcn::check`] says.
fn read_dcqcn(reader: &Reader<'_>) -> Option<dcqcn::Settings> {
    let usual = dcqcn::Settings::default();
    let span = |key, usual| reader.get_or(key, Span(usual)).0;
    let rate = |key, usual| reader.get_or(key, Rate(usual)).0;
    Some(dcqcn::Settings {
        bytes: frame_bytes_or(reader, usual.bytes)?,
        window: reader.get_or("window", usual.window),
        gain: reader.get_or("gain", Share(usual.gain)).0,
        alpha_interval: span("alpha_interval", usual.alpha_interval),
        increase_interval: span("increase_interval", usual.increase_interval),
        increase_bytes: reader.get_or("increase_bytes", Bytes(usual.increase_bytes)).0,
        recovery_steps: reader.get_or("recovery_steps", usual.recovery_steps),
        additive: rate("additive", usual.additive),
        hyper: rate("hyper", usual.hyper),
        least: rate("least", usual.least),
        notify_interval: span("notify_interval", usual.notify_interval),
        timeout: span("timeout", usual.timeout),
    })
}

/// The key `bytes`, if it is there.
fn frame_bytes_or(reader: &Reader<'_>, usual: u32) -> Option<u32> {
    match reader.value("bytes") {
        Some(_) => frame_bytes(reader, "bytes"),
        None => Some(usual),
    }
}

/// Length of frames without FCS.
pub(super) fn frame_bytes(reader: &Reader<'_>, key: &'static str) -> Option<u32> {
    let bytes = reader.need::<Bytes>(key, "\"1514 B\"")?.0;
    if !FRAMES.contains(&bytes) {
        let message = format!(
            "'{key}': expected a frame of {} to {} bytes (without FCS), found {bytes}",
            FRAMES.start(),
            FRAMES.end()
        );
        reader.mistakes().add(&reader.value(key)?.place, message);
        return None;
    }
    Some(bytes as u32)
}

fn read_tcp(reader: &Reader<'_>) -> Option<Settings> {
    let congestion = reader.choice("congestion", &CONGESTION).unwrap_or(Congestion::NewReno);
    let mut settings = tcp(congestion);
    let gain = reader.get::<Share>("gain");
    let fast = reader.get::<bool>("fast_convergence");
    match &mut settings.control {
        Control::Dctcp { gain: weight } => *weight = gain.map_or(*weight, |share| share.0),
        _ => foreign(reader, "gain", gain.is_some(), "dctcp"),
    }
    match &mut settings.control {
        Control::Cubic { fast_convergence } => {
            *fast_convergence = fast.unwrap_or(*fast_convergence)
        }
        _ => foreign(reader, "fast_convergence", fast.is_some(), "cubic"),
    }
    let words = [
        ("segment", "segment"),
        ("initial_window", "initial_window"),
        ("maximum_window", "maximum_window"),
        ("slow_start_limit", "slow_start_limit"),
        ("minimum_timeout", "min_rto"),
        ("initial_timeout", "initial_rto"),
        ("maximum_timeout", "max_rto"),
        ("acknowledge_every", "ack_every"),
        ("gain", "gain"),
        ("ecn", "ecn"),
        ("pacing", "pacing"),
    ];
    if let Some(Bytes(bytes)) = reader.get("segment") {
        // With the headers of TCP with time stamps it must fit in a frame.
        settings.segment = u16::try_from(bytes).ok().filter(|bytes| *bytes <= 8948).unwrap_or(0);
    }
    settings.initial_window = reader.get_or("initial_window", settings.initial_window);
    settings.maximum_window = reader.get_or("maximum_window", Bytes(settings.maximum_window)).0;
    settings.slow_start_limit = reader.get_or("slow_start_limit", settings.slow_start_limit);
    settings.sack = reader.get_or("sack", settings.sack);
    settings.rack = reader.get_or("rack", settings.rack);
    settings.prr = reader.get_or("prr", settings.prr);
    settings.ecn = reader.get_or("ecn", settings.ecn);
    settings.pacing = pacing(reader);
    settings.handshake = reader.get_or("handshake", settings.handshake);
    let minimum = reader.get::<Span>("min_rto").map(|span| span.0);
    settings.minimum_timeout = minimum.unwrap_or(settings.minimum_timeout);
    settings.maximum_timeout = reader.get_or("max_rto", Span(settings.maximum_timeout)).0;
    let initial = settings
        .initial_timeout
        .clamp(settings.minimum_timeout, settings.maximum_timeout.max(settings.minimum_timeout));
    settings.initial_timeout = reader.get_or("initial_rto", Span(initial)).0;
    settings.restart_after_idle = reader.get_or("restart_after_idle", settings.restart_after_idle);
    settings.acknowledge_every = reader.get_or("ack_every", settings.acknowledge_every);
    settings.acknowledge_within = reader.get_or("ack_within", Span(settings.acknowledge_within)).0;
    let wrong = settings.mistakes();
    for mistake in &wrong {
        let word = words.iter().find(|(field, _)| *field == mistake.setting);
        let key = word.map_or(mistake.setting, |(_, key)| *key);
        let expected = match key {
            "segment" => "1 to 8948 bytes",
            _ => mistake.expected,
        };
        // A default that does not fit what was said is not another mistake.
        if key == "initial_rto" && wrong.len() > 1 && reader.value(key).is_none() {
            continue;
        }
        let place = reader.value(key).map_or(reader.place(), |value| &value.place);
        let expected =
            words.iter().fold(expected.to_owned(), |text, (field, key)| text.replace(field, key));
        reader.mistakes().add(place, format!("'{key}': expected {expected}"));
    }
    wrong.is_empty().then_some(settings)
}

fn foreign(reader: &Reader<'_>, key: &'static str, given: bool, owner: &str) {
    if let Some(value) = reader.value(key).filter(|_| given) {
        let message = format!("'{key}' belongs to congestion = \"{owner}\"");
        reader.mistakes().add(&value.place, message);
    }
}

/// `pacing = true`, or with gains in per cent: `pacing = { slow_start = 200, avoidance = 120 }`.
fn pacing(reader: &Reader<'_>) -> Option<Pacing> {
    let value = reader.value("pacing")?;
    if matches!(value.kind, Kind::Truth(_)) {
        return reader.read::<bool>("pacing", value)?.then(Pacing::default);
    }
    let inner = reader.as_table(value, "'pacing'".into())?;
    let default = Pacing::default();
    let pacing = Pacing {
        slow_start: inner.get_or("slow_start", default.slow_start),
        avoidance: inner.get_or("avoidance", default.avoidance),
    };
    inner.finish();
    Some(pacing)
}
