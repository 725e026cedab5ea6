//! The table `traffic` of a policy file: ports, classes, limits.

use super::Plan;
use super::build;
use super::read::{Complaint, read_rate};
use crate::framework::fixed::Pace;
use crate::traffic::admission::{Buffer, Detection, Limits};
use crate::traffic::classify::{Classifier, Pattern, Prefix, Target};
use crate::traffic::red::Red;
use crate::traffic::{DEFAULT_BUFFER, ETHERNET_OVERHEAD, Manager, Settings};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use toml::{Spanned, Value};
use ww_dataplane::PortId;

/// Rules that a file may have.
const MAX_CLASSES: usize = 4096;

/// As it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    overhead: Option<Spanned<u32>>,
    seed: Option<u64>,
    default: Option<Spanned<String>>,
    #[serde(default)]
    ports: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    classes: Vec<Class>,
    queue: Option<Queue>,
    #[serde(default)]
    port_queue: BTreeMap<Spanned<String>, Queue>,
    buffer: Option<Memory>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    flow: Spanned<String>,
    queue: Option<Spanned<Value>>,
    dscp: Option<Spanned<Value>>,
    pcp: Option<Spanned<Value>>,
    vlan: Option<Spanned<Value>>,
    ether_type: Option<Spanned<Value>>,
    protocol: Option<Spanned<Value>>,
    source: Option<Spanned<String>>,
    destination: Option<Spanned<String>>,
    source_port: Option<Spanned<Value>>,
    destination_port: Option<Spanned<Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Queue {
    packets: Option<u64>,
    bytes: Option<u64>,
    mark_above: Option<Spanned<u64>>,
    red: Option<Spanned<RedTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RedTable {
    minimum: u64,
    maximum: u64,
    probability: f64,
    #[serde(default = "weight")]
    weight: u32,
    #[serde(default)]
    ecn: bool,
}

/// 1/512, as in the paper.
fn weight() -> u32 {
    9
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    bytes: u64,
    alpha: Option<Spanned<f64>>,
}

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

/// Checks the table of a file with these flows.
pub(super) fn plan(table: Table, flows: &[String]) -> Result<TrafficPlan, Complaint> {
    let overhead = match table.overhead {
        None => ETHERNET_OVERHEAD,
        Some(value) if *value.as_ref() <= 1000 => value.into_inner(),
        Some(value) => return Err((value.span(), "'overhead' must be 0 to 1000 bytes".into())),
    };
    let mut rates = BTreeMap::new();
    for (port, rate) in &table.ports {
        rates.insert(port_number(port)?, read_rate(rate)?.0);
    }
    if let Some(class) = table.classes.get(MAX_CLASSES) {
        return Err((class.flow.span(), format!("more than {MAX_CLASSES} classes")));
    }
    let classes = table.classes.iter();
    let rules = classes.map(|class| Ok((pattern(class)?, target(&class.flow, flows)?)));
    let otherwise = match &table.default {
        Some(name) => target(name, flows)?,
        None => Target { first: 0, count: 1 },
    };
    let classifier = Classifier { rules: rules.collect::<Result<_, Complaint>>()?, otherwise };
    let mut port_limits = BTreeMap::new();
    for (port, queue) in table.port_queue {
        port_limits.insert(port_number(&port)?, limits(queue)?);
    }
    let limits = table.queue.map_or(Ok(Limits::default()), limits)?;
    let buffer = table.buffer.map_or(Ok(Buffer { bytes: DEFAULT_BUFFER, alpha: None }), buffer)?;
    let seed = table.seed.unwrap_or(1);
    Ok(TrafficPlan { overhead, seed, rates, classifier, limits, port_limits, buffer })
}

/// A port as the key of a table.
fn port_number(port: &Spanned<String>) -> Result<PortId, Complaint> {
    let message = || format!("expected the number of a port, found {:?}", port.as_ref());
    port.as_ref().parse().map_err(|_| (port.span(), message()))
}

/// A flow by its name, or all that a child with a count stands for by the name without the number.
fn target(name: &Spanned<String>, flows: &[String]) -> Result<Target, Complaint> {
    let wanted = name.as_ref();
    let is_one = |flow: &String| {
        flow == wanted
            || flow.strip_prefix(wanted.as_str()).is_some_and(|rest| {
                rest.strip_prefix('.').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
            })
    };
    let Some(first) = flows.iter().position(is_one) else {
        let mut known: Vec<&str> = flows.iter().take(8).map(String::as_str).collect();
        if flows.len() > known.len() {
            known.push("...");
        }
        let message = format!("there is no flow {wanted:?}; there are {}", known.join(", "));
        return Err((name.span(), message));
    };
    Ok(Target { first, count: flows[first..].iter().take_while(|flow| is_one(flow)).count() })
}

fn pattern(class: &Class) -> Result<Pattern, Complaint> {
    Ok(Pattern {
        queue: number(&class.queue, "queue", 7)?,
        dscp: number(&class.dscp, "dscp", 63)?,
        pcp: number(&class.pcp, "pcp", 7)?,
        vlan: number(&class.vlan, "vlan", 4095)?,
        ether_type: number(&class.ether_type, "ether_type", 0xffff)?,
        protocol: protocol(&class.protocol)?,
        source: class.source.as_ref().map(prefix).transpose()?,
        destination: class.destination.as_ref().map(prefix).transpose()?,
        source_port: ports(&class.source_port)?,
        destination_port: ports(&class.destination_port)?,
    })
}

fn number<N: TryFrom<i64>>(
    value: &Option<Spanned<Value>>,
    key: &str,
    most: i64,
) -> Result<Option<N>, Complaint> {
    let Some(value) = value else { return Ok(None) };
    let found = value.as_ref().as_integer().filter(|n| (0..=most).contains(n));
    match found.and_then(|n| N::try_from(n).ok()) {
        Some(number) => Ok(Some(number)),
        None => Err((
            value.span(),
            format!("'{key}' must be a number, 0 to {most}, not {}", value.as_ref()),
        )),
    }
}

fn protocol(value: &Option<Spanned<Value>>) -> Result<Option<u8>, Complaint> {
    use ww_packet::protocol::ip;
    let Some(text) = value.as_ref().and_then(|value| value.as_ref().as_str()) else {
        return number(value, "protocol", 255);
    };
    match text {
        "icmp" => Ok(Some(ip::ICMP)),
        "tcp" => Ok(Some(ip::TCP)),
        "udp" => Ok(Some(ip::UDP)),
        "icmpv6" => Ok(Some(ip::ICMPV6)),
        _ => {
            let span = value.as_ref().map_or(0..0, Spanned::span);
            let message =
                format!("'protocol' must be a number, or icmp, tcp, udp or icmpv6, not {text:?}");
            Err((span, message))
        }
    }
}

fn prefix(text: &Spanned<String>) -> Result<Prefix, Complaint> {
    let read = || {
        let (address, length) = match text.as_ref().split_once('/') {
            Some((address, length)) => (address, Some(length.parse().ok()?)),
            None => (text.as_ref().as_str(), None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = length.unwrap_or(most);
        (length <= most).then_some(Prefix { address, length })
    };
    read().ok_or_else(|| {
        let message = format!(
            "expected an address or a prefix such as \"10.0.0.0/8\", found {:?}",
            text.as_ref()
        );
        (text.span(), message)
    })
}

fn ports(value: &Option<Spanned<Value>>) -> Result<Option<RangeInclusive<u16>>, Complaint> {
    let Some(value) = value else { return Ok(None) };
    let range = match value.as_ref() {
        Value::Integer(port) => u16::try_from(*port).ok().map(|port| port..=port),
        Value::String(text) => text.split_once('-').and_then(|(first, last)| {
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some(first..=last)
        }),
        _ => None,
    };
    match range {
        Some(range) => Ok(Some(range)),
        None => {
            let message = format!(
                "expected a port or ports such as \"5000-5999\", found {value}",
                value = value.as_ref()
            );
            Err((value.span(), message))
        }
    }
}

fn limits(queue: Queue) -> Result<Limits, Complaint> {
    let detection = match (queue.mark_above, queue.red) {
        (None, None) => None,
        (Some(threshold), None) => Some(Detection::Step(threshold.into_inner())),
        (None, Some(table)) => {
            let span = table.span();
            let RedTable { minimum, maximum, probability, weight, ecn } = table.into_inner();
            if maximum <= minimum || maximum > 1 << 40 {
                return Err((span, "'maximum' must be more than 'minimum', at most 2^40".into()));
            }
            if !(probability > 0.0 && probability <= 1.0) {
                return Err((span, "'probability' must be more than 0 and at most 1".into()));
            }
            if weight > 16 {
                return Err((
                    span,
                    "'weight' must be 0 to 16: the average takes in 1/2^weight".into(),
                ));
            }
            // At most 2^32, exact enough.
            let probability = (probability * 4_294_967_296.0) as u64;
            Some(Detection::Red { red: Red { minimum, maximum, probability, weight }, ecn })
        }
        (Some(_), Some(table)) => {
            return Err((table.span(), "a queue has 'mark_above' or 'red', not both".into()));
        }
    };
    Ok(Limits { packets: queue.packets, bytes: queue.bytes, detection })
}

fn buffer(memory: Memory) -> Result<Buffer, Complaint> {
    let alpha = memory.alpha.map(|alpha| match *alpha.as_ref() {
        value if (1.0 / 256.0..=256.0).contains(&value) => Ok((value * 256.0).round() as u64),
        value => Err((alpha.span(), format!("'alpha' must be 1/256 to 256, not {value}"))),
    });
    Ok(Buffer { bytes: memory.bytes, alpha: alpha.transpose()? })
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
