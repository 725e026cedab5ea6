//! Frames at their times on a real interface, and how exact that was.

use crate::error::Error;
use std::io;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use ww_io::live::stamped::{Listener, Nanoseconds, Sender};
use ww_packet::udp_frame::{self, End, HEADERS};
use ww_phy::fcs::{FCS_LENGTH, fcs};

/// UDP port that numbered frames go to.
const PORT: u16 = 9;
/// How long is waited for frames after the last one was sent.
const PATIENCE: Duration = Duration::from_millis(200);

/// Of the addresses for documentation and benchmarks (RFC 2544, RFC 7042).
const FROM: End =
    End { mac: [0x02, 0, 0x5e, 0, 0x53, 1], ip: Ipv4Addr::new(198, 18, 0, 1), port: 1024 };
const TO: End =
    End { mac: [0x02, 0, 0x5e, 0, 0x53, 2], ip: Ipv4Addr::new(198, 18, 0, 2), port: PORT };

/// A frame of so many bytes, FCS included, with a number.
pub fn numbered(number: u64, length: usize, frame: &mut Vec<u8>) {
    frame.clear();
    udp_frame::emit(&FROM, &TO, &number.to_be_bytes(), length - FCS_LENGTH - HEADERS, frame);
    frame.extend(fcs(frame).to_le_bytes());
}

/// What is sent, and who listens.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'s> {
    /// The interface that sends.
    pub interface: &'s str,
    /// The interface that listens.
    pub listen: Option<&'s str>,
    /// Frames.
    pub count: u64,
    /// Bytes of each, with FCS.
    pub length: usize,
    /// Nanoseconds from the start of a frame to that of the next.
    pub period: f64,
}

/// How exact it was. Nanoseconds, in no order.
#[derive(Clone, Debug)]
pub struct Exactness {
    /// How late frames were given to the kernel.
    pub late: Vec<f64>,
    /// What was heard, if somebody listened.
    pub heard: Option<Intervals>,
}

/// From one frame to the next, where both came.
#[derive(Clone, Debug)]
pub struct Intervals {
    /// Frames that came.
    pub frames: usize,
    /// By the kernel's stamps.
    pub kernel: Vec<f64>,
    /// By the time at which this process had them.
    pub user: Vec<f64>,
}

/// Sends frames at their times, and measures how late they were, and how far apart they came where somebody listens.
///
/// # Errors
/// An interface cannot be used: its name and the reason.
pub fn measure(settings: &Settings<'_>) -> Result<Exactness, Error> {
    let failed = |name: &str| {
        let name = name.to_owned();
        move |error: io::Error| Error::Failed(format!("interface '{name}': {error}"))
    };
    let Settings { interface, listen, count, length, period } = *settings;
    let sender = Sender::open(interface).map_err(failed(interface))?;
    let listener = match listen {
        Some(name) => Some((Listener::open(name).map_err(failed(name))?, name)),
        None => None,
    };
    let over = AtomicBool::new(false);
    let (sent, heard) = std::thread::scope(|scope| {
        let hearing = listener
            .as_ref()
            .map(|(listener, name)| (scope.spawn(|| hear(listener, count, &over)), failed(name)));
        let sent = send(&sender, count, length, period);
        over.store(true, Ordering::Release);
        let heard = hearing.map(|(thread, failed)| match thread.join() {
            Ok(heard) => heard.map_err(failed),
            Err(panic) => std::panic::resume_unwind(panic),
        });
        (sent, heard)
    });
    let late = sent.map_err(failed(interface))?;
    let late = late.iter().map(|late| late.as_nanos() as f64).collect();
    let heard = heard.transpose()?.map(|heard| Intervals {
        frames: heard.len(),
        kernel: intervals(&heard, |heard| heard.kernel),
        user: intervals(&heard, |heard| heard.user),
    });
    Ok(Exactness { late, heard })
}

fn intervals(heard: &[Heard], stamp: fn(&Heard) -> Nanoseconds) -> Vec<f64> {
    let pairs = heard.windows(2).filter(|pair| pair[1].number == pair[0].number + 1);
    pairs.map(|pair| (stamp(&pair[1]) - stamp(&pair[0])) as f64).collect()
}

/// Sends all; gives how late each was.
fn send(sender: &Sender, count: u64, length: usize, period: f64) -> io::Result<Vec<Duration>> {
    let mut late = Vec::new();
    let mut frame = Vec::new();
    let begin = Instant::now() + Duration::from_millis(10);
    for number in 0..count {
        numbered(number, length, &mut frame);
        let at = begin + Duration::from_nanos((number as f64 * period).round() as u64);
        // The card adds the check sequence.
        late.push(sender.send_at(at, &frame[..length - FCS_LENGTH])?);
    }
    Ok(late)
}

/// A frame that came.
struct Heard {
    number: u64,
    /// When the kernel saw it.
    kernel: Nanoseconds,
    /// When this process had it.
    user: Nanoseconds,
}

/// The frames that come, until all have come, or none does after the last was sent.
fn hear(listener: &Listener, count: u64, over: &AtomicBool) -> io::Result<Vec<Heard>> {
    let mut heard = Vec::new();
    let mut buffer = vec![0; 9216];
    while (heard.len() as u64) < count {
        let was_over = over.load(Ordering::Acquire);
        let Some((stamp, length)) = listener.next(&mut buffer, PATIENCE)? else {
            if was_over {
                break;
            }
            continue;
        };
        let user = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let frame = &buffer[..length.min(buffer.len())];
        let number = udp_frame::data(frame, PORT).and_then(|data| data.first_chunk::<8>());
        heard.extend(number.map(|number| Heard {
            number: u64::from_be_bytes(*number),
            kernel: stamp,
            user: user.as_nanos() as Nanoseconds,
        }));
    }
    Ok(heard)
}
