//! What a run chooses from its seed: how both hosts behave, and how bad the way between them is.

use super::super::Shape;
use ww_tcp::random::Random;
use ww_tcp::settings::{Behaviour, Ecn, KeepAlive, MICROSECOND, MILLISECOND, Nanoseconds, SECOND};

/// A behaviour that a processor of this shape can have. Times are short, so that much happens in a short run.
pub fn behaviour(random: &mut Random, shape: Shape) -> Behaviour {
    let published = random.once_in(6);
    let plain = Behaviour {
        mss: random.pick(&[74, 100, 536, 1_000, 1_460]),
        window_scale: random.pick(&[None, Some(0), Some(0), Some(1), Some(3)]),
        timestamps: random.once_in(3),
        sack: !random.once_in(5),
        ecn: random.pick(&[Ecn::Off, Ecn::Accept, Ecn::Request]),
        tail_loss_probe: !random.once_in(5),
        forward_rto: !random.once_in(5),
        keep_alive: random.once_in(4).then_some(KeepAlive {
            idle: 700 * MILLISECOND,
            interval: 100 * MILLISECOND,
            probes: 3,
        }),
        nagle: !random.once_in(3),
        rto_min: random.pick(&[MILLISECOND, 20 * MILLISECOND, 200 * MILLISECOND]),
        delayed_ack: random.pick(&[100 * MICROSECOND, 40 * MILLISECOND]),
        initial_window: random.pick(&[2, 10]),
        slow_start_after_idle: !random.once_in(4),
        time_wait: random.pick(&[10 * MILLISECOND, SECOND]),
        syn_retries: 3,
        syn_linear: random.below(3) as u8,
        retries: random.pick(&[3, 6, 15]),
        most_records: random.pick(&[5, 20, shape.records]),
        most_ranges: random.pick(&[2, 5, shape.ranges as u8]),
        published: false,
    };
    if published { plain.published() } else { plain }
}

/// How bad a way is: once in so many frames.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// Time that a frame takes.
    pub delay: Nanoseconds,
    /// It does not come.
    pub loss: u64,
    /// It is late.
    pub reorder: u64,
    /// It comes twice.
    pub duplicate: u64,
    /// A router marks it.
    pub mark: u64,
}

impl Quality {
    /// From good to hardly usable.
    pub fn choose(random: &mut Random) -> Self {
        Self {
            delay: random.pick(&[5 * MICROSECOND, 200 * MICROSECOND, 30 * MILLISECOND]),
            loss: random.pick(&[2, 5, 20, 100, 100_000]),
            reorder: random.pick(&[4, 20, 100_000]),
            duplicate: random.pick(&[10, 100, 100_000]),
            mark: random.pick(&[10, 100_000]),
        }
    }
}
