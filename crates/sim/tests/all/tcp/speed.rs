//! What a segment costs.

use ww_sim::transport::tcp::{Control, Counters, Pacing, Receiver, Segment, Sender, Settings};

/// A sender and a receiver with nothing between them but a loss of each so-manieth segment.
struct Pair {
    sender: Sender,
    receiver: Receiver,
    answers: Vec<Segment>,
    now: u64,
    loss: u64,
    number: u64,
}

impl Pair {
    fn new(settings: &Settings, loss: u64) -> Self {
        let (mut sender, receiver) = (Sender::new(settings), Receiver::new(settings));
        sender.write(u64::MAX);
        Self { sender, receiver, answers: Vec::with_capacity(1000), now: 0, loss, number: 0 }
    }

    /// Until so many segments more were handed out.
    fn run(&mut self, segments: u64) {
        let until = self.number + segments;
        while self.number < until {
            // A round trip of 100 us, or if nothing is under way what the timers say.
            match self.answers.is_empty() {
                false => self.now += 100_000_000,
                true => {
                    let late = self.receiver.timer().and_then(|time| self.receiver.expire(time));
                    self.answers.extend(late);
                    self.now = self.now.max(self.sender.timer().unwrap_or(0));
                    self.sender.expire(self.now);
                }
            }
            for answer in self.answers.drain(..) {
                self.now += 1000;
                self.sender.receive(self.now, &answer);
            }
            while let Some(segment) = self.sender.poll(self.now) {
                self.number += 1;
                if !self.number.is_multiple_of(self.loss) {
                    self.answers.extend(self.receiver.receive(self.now, &segment, false));
                }
            }
        }
    }
}

/// Nanoseconds for which this thread has had a processor, since others use the machine too (proc(5)).
fn processor_time() -> u64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    times.split_whitespace().next().and_then(|first| first.parse().ok()).expect("a number")
}

/// Nanoseconds a segment for the sender and the receiver together: `poll`, `receive` at the receiver, and
/// `receive` of its acknowledgements. The least of 12 times a million segments.
/// Run with
/// `cargo test --release -p wirewright-sim --test all tcp::speed -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn nanoseconds_a_segment() {
    let cubic = Control::Cubic { fast_convergence: true };
    let dctcp = Control::Dctcp { gain: 0.0625 };
    let rows = [
        ("NewReno", Control::NewReno, None, 2, u64::MAX),
        ("CUBIC", cubic, None, 2, u64::MAX),
        ("DCTCP", dctcp, None, 2, u64::MAX),
        ("DCTCP, each segment acknowledged", dctcp, None, 1, u64::MAX),
        ("DCTCP, paced", dctcp, Some(Pacing::default()), 2, u64::MAX),
        ("NewReno, 1 of 1,000 lost", Control::NewReno, None, 2, 1000),
        ("NewReno, 1 of 100 lost", Control::NewReno, None, 2, 100),
    ];
    for ((name, control, pacing, every, loss), rack) in
        rows.into_iter().flat_map(|row| [(row, false), (row, true)])
    {
        let settings = Settings {
            control,
            rack,
            prr: rack,
            pacing,
            ecn: matches!(control, Control::Dctcp { .. }),
            handshake: false,
            minimum_timeout: 10_000_000_000,
            maximum_window: 200_000,
            acknowledge_every: every,
            ..Settings::default()
        };
        let mut pair = Pair::new(&settings, loss);
        let time = |_| {
            let start = processor_time();
            pair.run(1_000_000);
            (processor_time() - start) as f64 / 1e6
        };
        let least = (0..12).map(time).fold(f64::INFINITY, f64::min);
        let Counters { fast_recoveries, timeouts, .. } = pair.sender.counters();
        let with = if rack { "RACK-TLP and PRR" } else { "RFC 6675" };
        println!(
            "{name}, {with}: {least:.1} ns, {fast_recoveries} recoveries, {timeouts} timeouts"
        );
    }
    println!("sender {} bytes, receiver {} bytes", size_of::<Sender>(), size_of::<Receiver>());
}
