//! Path discovery: what each switch of a path is, and how it is doing, hop by hop.
//!
//! Two TPPs a round, as there is more to know than five instructions read, and more hops than one TPP has room for.

use crate::patterns::Unfinished;
use crate::udp_executor::Executor;
use std::net::Ipv4Addr;
use std::time::Duration;
use ww_tpp::header::WordSize;
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// What the first TPP reads: which way.
const WAY: [&str; 4] = [
    "Switch:SwitchID",
    "PacketMetadata:InputPort",
    "PacketMetadata:OutputPort",
    "Queue:QueueOccupancy",
];

/// What the second one reads: of which link.
const LINK: [&str; 4] = ["Switch:SwitchID", "Link:TX-Utilization", "Link:Capacity", "Switch:Clock"];

/// A switch that a TPP has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Which switch.
    pub switch: u32,
    /// Where it came in.
    pub input: u32,
    /// Where it went out.
    pub output: u32,
    /// Bytes that waited in front of it.
    pub queue: u32,
    /// Of the link behind it, if the second TPP has gone the same way.
    pub link: Option<Link>,
}

/// A link that a TPP has left by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Sent load: 0x8000 is the capacity.
    pub utilisation: u32,
    /// kb/s.
    pub capacity: u32,
    /// The switch's clock: low 32 bits, cycles.
    pub clock: u32,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// In the order of the path.
    pub hops: Vec<Hop>,
    /// There and back, of the first TPP.
    pub round_trip: Duration,
}

/// The least, the mean and the greatest of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The greatest.
    pub max: f64,
}

impl Span {
    /// `None` of none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (mut count, mut sum, mut min, mut max) = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            count += 1.0;
            sum += value;
            min = f64::min(min, value);
            max = f64::max(max, value);
        }
        (count > 0.0).then(|| Self { min, mean: sum / count, max })
    }
}

/// A hop over all rounds: rounds that came another way have lines of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// From 1.
    pub hop: usize,
    /// Which switch.
    pub switch: u32,
    /// Where TPPs came in.
    pub input: u32,
    /// Where they went out.
    pub output: u32,
    /// Rounds that passed here.
    pub rounds: usize,
    /// Bytes.
    pub queue: Span,
    /// Shares of the capacity.
    pub utilisation: Option<Span>,
    /// kb/s.
    pub capacity: Option<u32>,
    /// The switch's clock in the last round: low 32 bits, cycles.
    pub clock: Option<u32>,
}

/// A program that pushes these addresses.
fn program(names: &[&str], app_tag: u8) -> Repr {
    let push = |name: &&str| {
        let address = map::lookup(name).unwrap_or_else(|_| unreachable!("{name} is in the map"));
        Instruction::new(Opcode::Push, address, 0, 0)
    };
    let instructions = names.iter().map(push).collect();
    Repr { word: WordSize::Four, app_tag, instructions, ..Repr::default() }
}

/// Sends a round of TPPs along the path to a host.
///
/// # Errors
/// One did not come back.
pub fn round(executor: &mut Executor, to: Ipv4Addr, app_tag: u8) -> Result<Round, Unfinished> {
    let (way, link) = (program(&WAY, app_tag), program(&LINK, app_tag));
    // Eight hops fit into one TPP with a guard, which most paths do not exceed.
    let begin = executor.large(&way, to, None)?;
    let hops = begin.reading.rows.len() as u8;
    let links = executor.large(&link, to, Some(hops))?;
    let mut second = links.reading.rows.iter();
    let hops = begin.reading.rows.iter().filter_map(|row| {
        let [switch, input, output, queue] = row[..] else { return None };
        let link = second.next().and_then(|row| match row[..] {
            [same, utilisation, capacity, clock] if same == switch => {
                Some(Link { utilisation, capacity, clock })
            }
            _ => None,
        });
        Some(Hop { switch, input, output, queue, link })
    });
    Ok(Round { hops: hops.collect(), round_trip: begin.round_trip })
}

/// All rounds together, in the order of hops.
pub fn lines(rounds: &[Round]) -> Vec<Line> {
    let mut ways: Vec<(usize, [u32; 3], Vec<Hop>)> = Vec::new();
    for round in rounds {
        for (at, hop) in round.hops.iter().enumerate() {
            let key = (at, [hop.switch, hop.input, hop.output]);
            match ways.iter_mut().find(|(at, way, _)| (*at, *way) == key) {
                Some((_, _, hops)) => hops.push(*hop),
                None => ways.push((key.0, key.1, vec![*hop])),
            }
        }
    }
    ways.sort_by_key(|(at, _, _)| *at);
    let line = |(at, [switch, input, output], hops): (usize, [u32; 3], Vec<Hop>)| {
        let links = || hops.iter().filter_map(|hop| hop.link);
        let share = |link: Link| f64::from(link.utilisation) / f64::from(0x8000);
        Some(Line {
            hop: at + 1,
            switch,
            input,
            output,
            rounds: hops.len(),
            queue: Span::of(hops.iter().map(|hop| f64::from(hop.queue)))?,
            utilisation: Span::of(links().map(share)),
            capacity: links().next_back().map(|link| link.capacity),
            clock: links().next_back().map(|link| link.clock),
        })
    };
    ways.into_iter().filter_map(line).collect()
}
