//! Packets with given start and finish times through queues that know only a rank: how many places they
//! are from where WF2Q+ has them.

use crate::policies::wf2q_emulation::{
    Schedule, Tagged, ideal, pifo_by_finish, pifo_by_start, two_pifos,
};
use crate::report::statistics::Random;

/// An emulation of WF2Q+.
pub type Emulation = (&'static str, fn(&[Tagged]) -> Schedule);

/// All of them.
pub const EMULATIONS: [Emulation; 3] = [
    ("one PIFO by finish", pifo_by_finish),
    ("one PIFO by start", pifo_by_start),
    ("two PIFOs", two_pifos),
];

/// Packets of flows that share the link about equally, with starts anywhere while they are sent. In
/// `bunches` starts fall together in about as many moments as the root of their number: then many become
/// eligible at once.
pub fn random(count: usize, bunches: bool, random: &mut Random) -> Vec<Tagged> {
    let lengths: Vec<u64> = (0..count).map(|_| random.between(1, 20)).collect();
    let all: u64 = lengths.iter().sum();
    let moments: Vec<u64> =
        (0..(count as f64).sqrt() as usize).map(|_| random.between(0, all)).collect();
    let count = count as u64;
    let packet = |length: u64| {
        let start = match bunches {
            true => moments[random.between(0, moments.len() as u64 - 1) as usize],
            false => random.between(0, all),
        };
        Tagged { length, start, finish: start + length * random.between(count / 2, 3 * count / 2) }
    };
    lengths.into_iter().map(packet).collect()
}

/// Packets for which an emulation is as wrong as can be, by its name. Worked out by hand:
/// - by finish: all are there but one that starts last and would finish first; it goes first instead of last.
/// - by start: all are there, in the wrong order: that of their starts is the reverse of that of their finishes.
///   (The first start of all is served before the others are there.)
/// - two: while one packet is sent all the others start at one moment, and the first to move over is the one
///   that finishes last.
pub fn worst(name: &str, count: usize) -> Vec<Tagged> {
    let n = count as u64;
    let packet = |length, start, finish| Tagged { length, start, finish };
    (0..n)
        .map(|k| match name {
            "one PIFO by finish" if k == 0 => packet(1, n - 1, n),
            "one PIFO by finish" => packet(1, 0, n + k),
            "one PIFO by start" => match k {
                0 => packet(n, 0, n),
                _ => packet(1, k, 3 * n - k),
            },
            _ => match k {
                0 => packet(1, 0, 1),
                _ => packet(1, 1, 3 * n - k),
            },
        })
        .collect()
}

/// How many places packets are from where WF2Q+ has them: the most, and the mean.
pub fn displaced(packets: &[Tagged], emulation: fn(&[Tagged]) -> Schedule) -> (f64, f64) {
    let mut places = vec![0; packets.len()];
    for (place, (packet, _)) in ideal(packets).into_iter().enumerate() {
        places[packet] = place;
    }
    let order = emulation(packets);
    let distance =
        |(place, (packet, _)): (usize, &(usize, u64))| places[*packet].abs_diff(place) as f64;
    let (most, sum) =
        order.iter().enumerate().map(distance).fold((0.0, 0.0), |(m, s), d| (d.max(m), s + d));
    (most, sum / packets.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases that were worked out by hand do what is said of them.
    #[test]
    fn emulations_reach_their_worst_case() {
        for count in [4, 9, 40] {
            let far = |(name, emulation): Emulation| displaced(&worst(name, count), emulation).0;
            let found = EMULATIONS.map(far);
            let n = count as f64;
            assert_eq!(found, [n - 1.0, n - 2.0, n - 2.0], "{count} packets");
        }
    }

    /// The six packets of figure 2.2: A B C D E F, A D C E F B, A D C B E F instead of A C D B E F.
    #[test]
    fn places_by_hand() {
        let packets =
            [(5, 0, 10), (20, 20, 50), (10, 2, 80), (5, 1, 100), (5, 3, 125), (10, 5, 150)]
                .map(|(length, start, finish)| Tagged { length, start, finish });
        let found = EMULATIONS.map(|(_, emulation)| displaced(&packets, emulation));
        // By finish: B two places early, C and D one late. By start: D early, C late, B two late, E and F
        // one early. Two: C and D change places.
        assert_eq!(found, [(2.0, 4.0 / 6.0), (2.0, 6.0 / 6.0), (1.0, 2.0 / 6.0)]);
    }
}
