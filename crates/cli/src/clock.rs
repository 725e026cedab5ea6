//! `ww clock`: this host's clock beside others.

use crate::Failure;
use crate::clock_args::{ClockArguments, ClockCommand, PtpArguments};
use crate::output::print;
use serde_json::json;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use ww_clocks::keeper::{Incoming, Keeper, Outgoing};
use ww_clocks::ptp::slave::{Settings, Slave};
use ww_clocks::ptp::{EVENT_PORT, GENERAL_PORT};
use ww_clocks::servo::Stamps;
use ww_clocks::time::Time;
use ww_io::live::stamped::StampedUdp;
use ww_io::stop::Stop;

/// All PTP clocks of a network (IEEE 1588-2008 annex D.3).
const ALL: Ipv4Addr = Ipv4Addr::new(224, 0, 1, 129);
/// How long is waited at most before it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Does what the arguments say.
pub fn clock(arguments: &ClockArguments) -> Result<(), Failure> {
    match &arguments.command {
        ClockCommand::Ptp(arguments) => ptp(arguments),
    }
}

/// Prints by how much this host's clock is ahead of the master's, and how long the way is.
fn ptp(arguments: &PtpArguments) -> Result<(), Failure> {
    if !(arguments.delay.is_finite() && arguments.delay >= 0.001) {
        let message = format!("--delay: expected 0.001 seconds or more, found {}", arguments.delay);
        return Err(Failure::Rejected(message));
    }
    let open = |port| {
        StampedUdp::open(arguments.own, port, &[ALL]).map_err(|error| {
            let what = "a PTP daemon may have it, an address may be none of this host's, and ports below 1024 need root";
            Failure::Rejected(format!("UDP port {port} at {}: {error}; {what}", arguments.own))
        })
    };
    let sockets = [(EVENT_PORT, open(EVENT_PORT)?), (GENERAL_PORT, open(GENERAL_PORT)?)];
    let [a, b, c, d] = arguments.own.octets();
    let mut slave = Slave::new(Settings {
        clock: [2, 0, a, 0xff, 0xfe, b, c, d],
        domain: arguments.domain,
        master: ALL,
        sync_interval: 1.0,
        delay_interval: arguments.delay,
        stamps: Stamps::Software,
        free_running: true,
    });
    let stop = Stop::new().map_err(|error| Failure::Rejected(error.to_string()))?;
    let _guard = stop.on_signals().map_err(|error| Failure::Rejected(error.to_string()))?;
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let mut offsets = Vec::new();
    while Instant::now() < end && !stop.is_raised() {
        let before = slave.counts().samples;
        turn(&mut slave, &sockets).map_err(|error| Failure::Rejected(format!("PTP: {error}")))?;
        if slave.counts().samples > before {
            offsets.extend(slave.offset().map(Time::nanoseconds));
        }
    }
    let (Some(delay), false) = (slave.delay(), offsets.is_empty()) else {
        let what = "expected Syncs and answers to Delay_Reqs (end to end, UDP over IPv4)";
        let found = if slave.counts().sent == 0 { "no Sync came" } else { "no answer came" };
        return Err(Failure::Rejected(format!("{what}; {found} in {} s", arguments.seconds)));
    };
    offsets.sort_by(f64::total_cmp);
    let quantile = |share: f64| offsets[(share * (offsets.len() - 1) as f64).round() as usize];
    let (least, median, largest) = (quantile(0.0), quantile(0.5), quantile(1.0));
    if arguments.json {
        return print(&format!(
            "{:#}\n",
            json!({
                "samples": offsets.len(),
                "offset_ns": { "least": least, "p50": median, "largest": largest },
                "delay_ns": delay.nanoseconds(),
            })
        ));
    }
    print(&format!(
        "{} samples\nahead of the master by, ns: median {median:.0}, {least:.0} to {largest:.0}\nthe way takes {:.0} ns\n",
        offsets.len(),
        delay.nanoseconds()
    ))
}

/// Sends what is to be sent and takes what has come, once.
fn turn(keeper: &mut dyn Keeper, sockets: &[(u16, StampedUdp)]) -> io::Result<()> {
    let mut out = Vec::new();
    keeper.poll(now(), &mut out);
    for Outgoing { to, port, payload, tag } in out {
        let Some((_, socket)) = sockets.iter().find(|(own, _)| *own == port) else { continue };
        let stamp = socket.send(SocketAddrV4::new(to, port), &payload)?;
        if let (Some(tag), Some(stamp)) = (tag, stamp) {
            keeper.departed(tag, Time::of_nanoseconds(stamp.into()));
        }
    }
    let all: Vec<&StampedUdp> = sockets.iter().map(|(_, socket)| socket).collect();
    StampedUdp::wait(&all, LOOK)?;
    let mut buffer = [0; 1500];
    for (port, socket) in sockets {
        while let Some(came) = socket.receive(&mut buffer)? {
            let stamp = Time::of_nanoseconds(came.stamp.into());
            let (from, payload) = (*came.from.ip(), &buffer[..came.length]);
            keeper.receive(Incoming { from, port: *port, payload, stamp });
        }
    }
    Ok(())
}

/// The host's clock.
fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::of_nanoseconds(since.as_nanos() as i128)
}
