//! `ww phy pace`: frames at their times on a real interface, and how exact that was.

use super::generate::numbered;
use crate::Failure;
use crate::output::print;
use crate::phy_args::PaceArguments;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use ww_io::live::stamped::{Listener, Nanoseconds, Sender};
use ww_packet::udp_frame;
use ww_phy::fcs::FCS_LENGTH;

/// UDP port that numbered frames go to.
const PORT: u16 = 9;
/// How long is waited for frames after the last one was sent.
const PATIENCE: Duration = Duration::from_millis(200);
const QUANTILES: [(&str, f64); 5] =
    [("p1", 0.01), ("p50", 0.5), ("p99", 0.99), ("p99_9", 0.999), ("largest", 1.0)];

/// Sends frames and prints how late they were, and how far apart they came where somebody listens.
pub fn pace(arguments: &PaceArguments) -> Result<(), Failure> {
    let rejected = |name: &str| {
        let name = name.to_owned();
        move |error: std::io::Error| Failure::Rejected(format!("interface '{name}': {error}"))
    };
    let sender = Sender::open(&arguments.interface).map_err(rejected(&arguments.interface))?;
    let listener = match &arguments.listen {
        Some(name) => Some((Listener::open(name).map_err(rejected(name))?, name)),
        None => None,
    };
    let length = arguments.len as usize;
    let period = (8 + u64::from(arguments.len) + arguments.ipg) as f64 * 0.8;
    let over = AtomicBool::new(false);
    let (sent, heard) = std::thread::scope(|scope| {
        let hearing = listener.as_ref().map(|(listener, name)| {
            (scope.spawn(|| hear(listener, arguments.count, &over)), rejected(name))
        });
        let sent = send(&sender, arguments.count, length, period);
        over.store(true, Ordering::Release);
        let heard = hearing.map(|(thread, rejected)| match thread.join() {
            Ok(heard) => heard.map_err(rejected),
            Err(panic) => std::panic::resume_unwind(panic),
        });
        (sent, heard)
    });
    let late = sent.map_err(rejected(&arguments.interface))?;
    let heard = heard.transpose()?;
    let late = Spread::of(late.iter().map(|late| late.as_nanos() as f64).collect());
    let intervals = |stamp: fn(&Heard) -> Nanoseconds| {
        let pairs = heard.as_deref()?.windows(2);
        let pairs = pairs.filter(|pair| pair[1].number == pair[0].number + 1);
        Some(Spread::of(pairs.map(|pair| (stamp(&pair[1]) - stamp(&pair[0])) as f64).collect()))
    };
    let (kernel, user) = (intervals(|heard| heard.kernel), intervals(|heard| heard.user));
    if arguments.json {
        let mut figures = json!({
            "len": arguments.len,
            "ipg": arguments.ipg,
            "ipd_ns": period,
            "sent": arguments.count,
            "late_ns": late.json(),
        });
        if let (Some(heard), Some(kernel), Some(user)) = (&heard, &kernel, &user) {
            figures["heard"] = json!(heard.len());
            figures["kernel_ipd_ns"] = kernel.json();
            figures["user_ipd_ns"] = user.json();
        }
        return print(&format!("{figures:#}\n"));
    }
    let mut text = format!(
        "{} frames of {} bytes, one each {period:.1} ns\ngiven to the kernel late by, ns: {}\n",
        arguments.count,
        arguments.len,
        late.text()
    );
    if let (Some(heard), Some(kernel), Some(user)) = (&heard, &kernel, &user) {
        text += &format!(
            "heard {}; from one to the next, ns\n  by the kernel: {}\n  by this process: {}\n",
            heard.len(),
            kernel.text(),
            user.text()
        );
    }
    print(&text)
}

/// Sends all; gives how late each was.
fn send(sender: &Sender, count: u64, length: usize, period: f64) -> std::io::Result<Vec<Duration>> {
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
fn hear(listener: &Listener, count: u64, over: &AtomicBool) -> std::io::Result<Vec<Heard>> {
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

/// Values and how they are spread.
struct Spread(Vec<f64>);

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    fn moments(&self) -> Option<(f64, f64)> {
        let count = self.0.len() as f64;
        let mean = self.0.iter().sum::<f64>() / count;
        let squares = self.0.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (count > 0.0).then(|| (mean, (squares / count).sqrt()))
    }

    /// In the order of names: mean, deviation, quantiles.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        let Some((mean, sigma)) = self.moments() else { return Vec::new() };
        let quantile = |share: f64| self.0[(share * (self.0.len() - 1) as f64).round() as usize];
        let quantiles = QUANTILES.map(|(name, share)| (name, quantile(share)));
        [("mean", mean), ("sigma", sigma)].into_iter().chain(quantiles).collect()
    }

    fn json(&self) -> Value {
        self.figures().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
    }

    fn text(&self) -> String {
        let figures = self.figures();
        let texts: Vec<String> =
            figures.iter().map(|(name, value)| format!("{name} {value:.0}")).collect();
        texts.join(", ")
    }
}
