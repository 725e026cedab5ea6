//! A host in hardware, a peer and the line between them (spec S53): `ww tcp pair --engine rtl`.
//!
//! Two hosts in hardware run clock by clock: a clock is one of 322.265625 MHz, and the hosts' time is that of their
//! clocks. What is measured is where frames leave and enter the hosts. If frames are impaired, or the peer is software,
//! frames are given and taken whole, in the simulated time of the model's pairs.

mod end;
mod link;

use super::endpoint::HardwareEndpoint;
use super::host::{HardwareHost, HostShape};
use super::ports::Packet;
use crate::ddr4::{AddressMap, Technology};
use crate::runner::Error;
use end::End;
use link::Link;
use serde_json::json;
use ww_packet::ethernet::MacAddress;
use ww_phy::lbus::Beat;
use ww_tcp::engine::endpoint::Endpoint;
use ww_tcp::pair::{
    IP, Impairments, MAC, Measure, Memory, Outcome, Peer, Plan, Tally, clocks, outcome,
    picoseconds, run_with, settings,
};
use ww_tcp::settings::Behaviour;

/// Clocks before the measured ones, beside ten times the round trip: slow start is over.
const WARM_UP: u64 = 12_000;

/// Clocks in which nothing is delivered, after which a run has failed: two minutes, and so many that were simulated.
const PATIENCE: u64 = 120 * 322_265_625;
const PATIENCE_SIMULATED: u64 = 1 << 24;

/// Clocks in which no beat moves, after which those up to the next event are passed over; and those that an event has to
/// show what comes of it.
const SILENCE: u64 = 4_096;
const EVENT: u64 = 512;

/// Runs a pair of which the first end is hardware that is built for so many sessions.
///
/// # Errors
/// The hardware cannot be simulated, or an assertion stops it.
pub fn run(plan: &Plan, sessions: u32) -> Result<Outcome, Error> {
    let technology = match plan.memory {
        Memory::Ddr4 => Technology::Ddr4(AddressMap::default()),
        Memory::Uram => Technology::Chip,
    };
    let shape = HostShape::of(sessions, technology);
    if plan.peer == Peer::Rtl && plan.impairments == Impairments::default() {
        return clock_by_clock(plan, shape);
    }
    let mut hardware = |settings| -> Result<Box<dyn Endpoint>, String> {
        let host = HardwareEndpoint::new(shape, settings).map_err(|error| error.to_string())?;
        Ok(Box::new(host))
    };
    run_with(plan, Peer::Rtl, &mut hardware).map_err(Error::Model)
}

fn clock_by_clock(plan: &Plan, shape: HostShape) -> Result<Outcome, Error> {
    let tcp = Behaviour { mss: plan.segment, ..plan.tcp };
    let plan = &Plan { tcp, ..plan.clone() };
    let sender = usize::from(plan.receive);
    let mut ends = Vec::new();
    for end in 0..2 {
        let mut host = HardwareHost::new(shape, settings(plan, end))?;
        // As known for longer than any run takes.
        host.learn(IP[1 - end], MacAddress(MAC[1 - end]), 1 << 47)?;
        ends.push(End::new(host, plan, end, end == sender));
    }
    let delay = clocks(plan.rtt.saturating_mul(500));
    let mut links = [0, 1].map(|_| Link::new(plan.scheme, delay));
    let mut measure = Measure::new(sender);
    let warm = WARM_UP + clocks(plan.rtt.saturating_mul(10_000));
    if plan.bytes.is_none() {
        measure.window = Some((picoseconds(warm), picoseconds(warm + plan.cycles)));
    }
    let mut frames: [[Packet; 2]; 2] = Default::default();
    let mut arriving: [Option<Beat>; 2] = [None, None];
    let (mut now, mut delivered_at) = (0, 0);
    // Clocks that were simulated; the last one with a beat, and with one that was delivered.
    let (mut simulated, mut moved_at, mut progress_at) = (0u64, 0, 0);
    loop {
        let time = picoseconds(now);
        let before = ends[0].delivered + ends[1].delivered;
        for end in 0..2 {
            let came = arriving[end].take();
            if let Some(beat) = &came
                && let Some((began, frame)) = frames[end][0].add(beat, time)
            {
                measure.arrives(end, &frame, began);
            }
            let ready = links[end].is_ready();
            let leaves = ends[end].clock(time / 1_000, came.as_ref(), ready)?;
            if came.is_some() || leaves.is_some() || ends[end].moved {
                moved_at = simulated;
            }
            if let Some(beat) = &leaves
                && let Some((began, frame)) = frames[end][1].add(beat, time)
            {
                measure.departs(end, &frame, began);
            }
            arriving[1 - end] = links[end].clock(now, leaves);
        }
        if ends[0].delivered + ends[1].delivered > before {
            (delivered_at, progress_at) = (now, simulated);
            measure.delivered_by = time;
        }
        now += 1;
        simulated += 1;
        if simulated > moved_at + SILENCE
            && let Some(next) = next_event(&mut ends, &links, now)
        {
            now = plan.bytes.map_or(next.min(warm + plan.cycles), |_| next);
            moved_at = simulated + EVENT - SILENCE;
        }
        let over = match plan.bytes {
            Some(_) => ends.iter().all(End::is_done),
            None => now >= warm + plan.cycles,
        };
        if over || now > delivered_at + PATIENCE || simulated > progress_at + PATIENCE_SIMULATED {
            break;
        }
    }
    let counters = [ends[0].host.counters(), ends[1].host.counters()];
    let tally = Tally {
        delivered: ends[0].delivered + ends[1].delivered,
        wrong: ends[0].wrong + ends[1].wrong,
        resent: counters[0].resent + counters[1].resent,
        timeouts: 0,
    };
    let mut outcome = outcome(plan, Peer::Rtl, &measure, &tally, picoseconds(now));
    let rows = |end: usize| {
        let counts = ends[end].host.rows();
        json!({"written": counts.written, "read": counts.read})
    };
    outcome.figures["memory_rows"] = json!({"sender": rows(sender), "receiver": rows(1 - sender)});
    Ok(outcome)
}

/// The clock of the next timer or of the next beat that is late, if it is after `now` and nothing goes on.
fn next_event(ends: &mut [End], links: &[Link], now: u64) -> Option<u64> {
    let mut next = links.iter().filter_map(Link::comes).min();
    for end in ends {
        if !end.host.is_quiet() {
            return None;
        }
        // A nanosecond is less than a clock.
        let wakes = end.host.wakes().map(|at| clocks(at.saturating_mul(1_000)) + 1);
        next = [next, wakes].into_iter().flatten().min();
    }
    next.filter(|next| *next > now)
}
