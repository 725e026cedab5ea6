//! This host's clock beside a PTP master's, by the kernel's stamps; nothing is set.

use crate::error::Error;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use ww_clocks::keeper::{Incoming, Keeper, Outgoing};
use ww_clocks::ptp::slave::{Settings as SlaveSettings, Slave};
use ww_clocks::ptp::{EVENT_PORT, GENERAL_PORT};
use ww_clocks::servo::Stamps;
use ww_clocks::time::Time;
use ww_io::live::stamped::StampedUdp;
use ww_io::stop::Stop;

/// All PTP clocks of a network (IEEE 1588-2008 annex D.3).
const ALL: Ipv4Addr = Ipv4Addr::new(224, 0, 1, 129);
/// How long is waited at most before it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// With whom this host's clock is compared, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// This host's address on the network of the master.
    pub own: Ipv4Addr,
    /// PTP domain.
    pub domain: u8,
    /// How long, in seconds.
    pub seconds: u64,
    /// Seconds from Delay_Req to Delay_Req, in the mean; 0.001 at least.
    pub delay: f64,
}

/// What came of it, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Offsets {
    /// By how much the clock is ahead of the master's, in order; at least one sample.
    pub offsets: Vec<f64>,
    /// How long the way takes.
    pub delay: f64,
}

/// Measures until `stop` is raised or the time is over.
///
/// # Errors
/// The ports cannot be had, or the master does not answer.
pub fn compare(settings: &Settings, stop: &Stop) -> Result<Offsets, Error> {
    let Settings { own, domain, seconds, delay } = *settings;
    let open = |port| {
        StampedUdp::open(own, port, &[ALL]).map_err(|error| {
            let what = "a PTP daemon may have it, an address may be none of this host's, and ports below 1024 need root";
            Error::Failed(format!("UDP port {port} at {own}: {error}; {what}"))
        })
    };
    let sockets = [(EVENT_PORT, open(EVENT_PORT)?), (GENERAL_PORT, open(GENERAL_PORT)?)];
    let [a, b, c, d] = own.octets();
    let mut slave = Slave::new(SlaveSettings {
        clock: [2, 0, a, 0xff, 0xfe, b, c, d],
        domain,
        master: ALL,
        sync_interval: 1.0,
        delay_interval: delay,
        stamps: Stamps::Software,
        free_running: true,
    });
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut offsets = Vec::new();
    while Instant::now() < end && !stop.is_raised() {
        let before = slave.counts().samples;
        turn(&mut slave, &sockets).map_err(|error| Error::Failed(format!("PTP: {error}")))?;
        if slave.counts().samples > before {
            offsets.extend(slave.offset().map(Time::nanoseconds));
        }
    }
    let (Some(delay), false) = (slave.delay(), offsets.is_empty()) else {
        let what = "expected Syncs and answers to Delay_Reqs (end to end, UDP over IPv4)";
        let found = if slave.counts().sent == 0 { "no Sync came" } else { "no answer came" };
        return Err(Error::Failed(format!("{what}; {found} in {seconds} s")));
    };
    offsets.sort_by(f64::total_cmp);
    Ok(Offsets { offsets, delay: delay.nanoseconds() })
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
