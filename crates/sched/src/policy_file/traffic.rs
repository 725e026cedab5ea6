//! The table `traffic` of a policy file: ports, classes, limits.

use super::Plan;
use super::build;
use crate::framework::fixed::Pace;
use crate::traffic::admission::{Buffer, Detection, Limits};
use crate::traffic::classify::{Classifier, Pattern, Prefix, Target};
use crate::traffic::red::Red;
use crate::traffic::{DEFAULT_BUFFER, ETHERNET_OVERHEAD, Manager, Settings};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use ww_config::quantity::{Quantity, Rate};
use ww_config::tree::Entry;
use ww_config::{Mistakes, Reader, Value, did_you_mean};
use ww_dataplane::PortId;

/// Rules that a file may have.
const MAX_CLASSES: usize = 4096;
/// Flows that an unknown name is compared to.
const MAX_COMPARED: usize = 1000;

/// After all checks.
#[derive(Clone, Debug)]
pub(super) struct TrafficPlan {
    overhead: u32,
    seed: u64,
    rates: BTreeMap<PortId, u64>,
    classifier: Classifier,
    limits: Limits,
    port_limits: BTreeMap<PortId, Limits>,
    buffer: Buffer,
}

/// Checks the table `traffic` of a file. The flows are `None` if something is wrong with the hierarchy.
pub(super) fn plan(file: &Reader<'_>, flows: Option<&[String]>) -> Option<TrafficPlan> {
    let mut plan = TrafficPlan {
        overhead: ETHERNET_OVERHEAD,
        seed: 1,
        rates: BTreeMap::new(),
        classifier: Classifier { rules: Vec::new(), otherwise: Target { first: 0, count: 1 } },
        limits: Limits::default(),
        port_limits: BTreeMap::new(),
        buffer: Buffer { bytes: DEFAULT_BUFFER, alpha: None },
    };
    let Some(value) = file.value("traffic") else { return Some(plan) };
    let reader = file.as_table(value, "[traffic]".to_owned())?;
    let mistakes = reader.mistakes();
    let before = mistakes.told();
    plan.overhead = reader.within("overhead", 0..=1000).unwrap_or(plan.overhead);
    plan.seed = reader.get_or("seed", plan.seed);
    for entry in reader.inner("ports").iter().flat_map(Reader::entries) {
        let rate = reader.read(&entry.key, &entry.value);
        if let (Some(port), Some(Rate(rate))) = (port_number(entry, mistakes), rate) {
            plan.rates.insert(port, rate);
        }
    }
    let classes = reader.tables("classes");
    if let Some(class) = classes.get(MAX_CLASSES) {
        mistakes.add(class.place(), format!("more than {MAX_CLASSES} classes"));
    }
    for class in classes.into_iter().take(MAX_CLASSES) {
        let to = class.needed_value("flow", "\"web\"");
        let target = to.and_then(|to| target(&class, "flow", to, flows));
        let pattern = pattern(&class);
        class.finish();
        plan.classifier.rules.extend(target.map(|target| (pattern, target)));
    }
    if let Some(to) = reader.value("default")
        && let Some(target) = target(&reader, "default", to, flows)
    {
        plan.classifier.otherwise = target;
    }
    for entry in reader.inner("port_queue").iter().flat_map(Reader::entries) {
        let queue = reader.as_table(&entry.value, format!("[traffic.port_queue.{}]", entry.key));
        let limits = queue.map(limits);
        if let (Some(port), Some(limits)) = (port_number(entry, mistakes), limits) {
            plan.port_limits.insert(port, limits);
        }
    }
    plan.limits = reader.inner("queue").map_or(plan.limits, limits);
    if let Some(memory) = reader.inner("buffer") {
        plan.buffer.bytes = memory.need("bytes", "1_000_000").unwrap_or(plan.buffer.bytes);
        plan.buffer.alpha = memory.get("alpha").and_then(|alpha: f64| {
            if (1.0 / 256.0..=256.0).contains(&alpha) {
                return Some((alpha * 256.0).round() as u64);
            }
            memory.wrong("alpha", format!("'alpha' must be 1/256 to 256, not {alpha}"));
            None
        });
        memory.finish();
    }
    reader.finish();
    (mistakes.told() == before).then_some(plan)
}

/// A port as the key of a table.
fn port_number(entry: &Entry, mistakes: &Mistakes) -> Option<PortId> {
    let port = entry.key.parse().ok();
    if port.is_none() {
        let message = format!("expected the number of a port, found {:?}", entry.key);
        mistakes.add(&entry.place, message);
    }
    port
}

/// A flow by its name, or all that a child with a count stands for by the name without the number.
fn target(
    reader: &Reader<'_>,
    key: &str,
    value: &Value,
    flows: Option<&[String]>,
) -> Option<Target> {
    let (wanted, flows): (String, _) = (reader.read(key, value)?, flows?);
    let is_one = |flow: &String| {
        flow.strip_prefix(&wanted).is_some_and(|rest| {
            rest.is_empty()
                || rest.strip_prefix('.').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    let Some(first) = flows.iter().position(is_one) else {
        let message = format!("there is no flow {wanted:?}");
        let compared = flows.iter().take(MAX_COMPARED).map(String::as_str);
        let advice = did_you_mean(&wanted, compared).unwrap_or_else(|| {
            let mut known: Vec<&str> = flows.iter().take(8).map(String::as_str).collect();
            if flows.len() > known.len() {
                known.push("...");
            }
            format!("there are {}", known.join(", "))
        });
        reader.mistakes().advise(&value.place, message, Some(advice));
        return None;
    };
    Some(Target { first, count: flows[first..].iter().take_while(|flow| is_one(flow)).count() })
}

fn pattern(class: &Reader<'_>) -> Pattern {
    Pattern {
        queue: class.within("queue", 0..=7),
        dscp: class.within("dscp", 0..=63),
        pcp: class.within("pcp", 0..=7),
        vlan: class.within("vlan", 0..=4095),
        ether_type: class.get("ether_type"),
        protocol: class.get("protocol").map(|Protocol(number)| number),
        source: class.get("source"),
        destination: class.get("destination"),
        source_port: class.get("source_port").map(|Ports(range)| range),
        destination_port: class.get("destination_port").map(|Ports(range)| range),
    }
}

/// Protocol of IP: its number or its name.
struct Protocol(u8);

impl Quantity for Protocol {
    fn read(value: &Value) -> Result<Self, String> {
        use ww_packet::protocol::ip;
        let named = match value.text() {
            Some("icmp") => Some(ip::ICMP),
            Some("tcp") => Some(ip::TCP),
            Some("udp") => Some(ip::UDP),
            Some("icmpv6") => Some(ip::ICMPV6),
            _ => u8::read(value).ok(),
        };
        named.map(Self).ok_or_else(|| {
            let found = value.described();
            format!("expected 0 to 255, or icmp, tcp, udp or icmpv6, not {found}")
        })
    }
}

impl Quantity for Prefix {
    fn read(value: &Value) -> Result<Self, String> {
        let prefix = value.text().and_then(|text| {
            let (address, length) = match text.split_once('/') {
                Some((address, length)) => (address, Some(length.parse().ok()?)),
                None => (text, None),
            };
            let address: IpAddr = address.parse().ok()?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            let length = length.unwrap_or(most);
            (length <= most).then_some(Self { address, length })
        });
        prefix.ok_or_else(|| {
            let found = value.described();
            format!("expected an address or a prefix such as \"10.0.0.0/8\", found {found}")
        })
    }
}

/// A port of TCP or UDP, or a range of them.
struct Ports(RangeInclusive<u16>);

impl Quantity for Ports {
    fn read(value: &Value) -> Result<Self, String> {
        let range = match value.text() {
            Some(text) => text.split_once('-').and_then(|(first, last)| {
                let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
                (first <= last).then_some(first..=last)
            }),
            None => u16::read(value).ok().map(|port| port..=port),
        };
        range.map(Self).ok_or_else(|| {
            let found = value.described();
            format!("expected a port or ports such as \"5000-5999\", found {found}")
        })
    }
}

/// Limits of a queue; those that are wrong are as if nothing was said.
fn limits(queue: Reader<'_>) -> Limits {
    let step = queue.get("mark_above").map(Detection::Step);
    let red = queue.inner("red").and_then(|table| {
        let red = red(&table);
        table.finish();
        red
    });
    if queue.has("mark_above") && queue.has("red") {
        queue.wrong("red", "a queue has 'mark_above' or 'red', not both");
    }
    let limits = Limits {
        packets: queue.get("packets"),
        bytes: queue.get("bytes"),
        detection: step.or(red),
    };
    queue.finish();
    limits
}

/// Random early detection.
fn red(table: &Reader<'_>) -> Option<Detection> {
    let minimum: Option<u64> = table.need("minimum", "30_000");
    let maximum: Option<u64> = table.need("maximum", "90_000");
    let probability: Option<f64> = table.need("probability", "0.02");
    // 1/512, as in the paper: the average takes in 1/2^weight of each new value.
    let weight = table.within("weight", 0..=16).unwrap_or(9);
    let ecn = table.get_or("ecn", false);
    let (minimum, maximum) = (minimum?, maximum?);
    if maximum <= minimum || maximum > 1 << 40 {
        table.wrong("maximum", "'maximum' must be more than 'minimum', at most 2^40");
    }
    let probability = probability?;
    if !(probability > 0.0 && probability <= 1.0) {
        table.wrong("probability", "'probability' must be more than 0 and at most 1");
    }
    // At most 2^32, exact enough.
    let probability = (probability * 4_294_967_296.0) as u64;
    Some(Detection::Red { red: Red { minimum, maximum, probability, weight }, ecn })
}

impl Plan {
    /// A traffic manager with empty queues, with a scheduler of this plan at each port.
    pub fn traffic_manager(&self) -> Manager {
        self.traffic_manager_at(&BTreeMap::new())
    }

    /// The same, at ports that have these rates (bits a second, from 466 b/s to 1000 Tb/s) whatever the file says of them.
    pub fn traffic_manager_at(&self, rates: &BTreeMap<PortId, u64>) -> Manager {
        let (root, traffic) = (self.root.clone(), &self.traffic);
        let rates = traffic.rates.iter().chain(rates).map(|(port, rate)| (*port, *rate));
        let scheduler = move |rate| {
            // Rates have been checked.
            let pace = Pace::of_rate(rate).expect("a rate of the file");
            build::scheduler(&root, pace)
        };
        Manager::new(Settings {
            scheduler: Box::new(scheduler),
            flows: self.flows(),
            rate: self.rate,
            rates: rates.collect(),
            overhead: traffic.overhead,
            classifier: traffic.classifier.clone(),
            limits: traffic.limits,
            port_limits: traffic.port_limits.clone(),
            buffer: traffic.buffer,
            seed: traffic.seed,
        })
    }
}
