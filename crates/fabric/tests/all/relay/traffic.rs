//! Flows for tests, from a seed.

use ww_fabric::flows::Flow;

/// A small generator: a step of Marsaglia's xorshift, with a multiplication at the end.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 0 to `bound - 1`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20) % bound
    }
}

/// More cells than any run sends.
pub const ENDLESS: u64 = 1 << 40;

/// Sorted by start and numbered.
fn flows(mut all: Vec<(u32, u32, u64, u64)>) -> Vec<Flow> {
    all.retain(|&(src, dst, ..)| src != dst);
    all.sort_by_key(|&(_, _, _, start)| start);
    let flow = |(id, (src, dst, cells, start))| Flow { id, src, dst, cells, start };
    (0..).zip(all).map(flow).collect()
}

/// Each host sends to another, each receives from another, without end; they start within `spread` slots.
pub fn permutation(hosts: u32, seed: u64, spread: u64) -> Vec<Flow> {
    let mut random = Random::new(seed);
    let mut to: Vec<u32> = (0..hosts).collect();
    while to.iter().zip(0..).any(|(&to, from)| to == from) {
        for last in (1..to.len()).rev() {
            to.swap(last, random.below(last as u64 + 1) as usize);
        }
    }
    let starts: Vec<u64> = to.iter().map(|_| random.below(spread)).collect();
    flows(
        (0..hosts)
            .zip(to)
            .zip(starts)
            .map(|((src, dst), start)| (src, dst, ENDLESS, start))
            .collect(),
    )
}

/// Waves: some hosts send as much to one.
pub fn incast(hosts: u32, seed: u64, epoch_slots: u64, slots: u64) -> Vec<Flow> {
    let mut random = Random::new(seed);
    let host = u64::from(hosts);
    let (mut all, mut start) = (Vec::new(), 0);
    while start < slots {
        let dst = random.below(host) as u32;
        let degree = 1 + random.below(host - 1);
        let cells = 1 + random.below(4 * epoch_slots);
        for _ in 0..degree {
            all.push((random.below(host) as u32, dst, cells, start + random.below(4)));
        }
        start += random.below(cells * degree / 2 + 4);
    }
    flows(all)
}

/// Waves: all hosts send as much to all others.
pub fn all_to_all(hosts: u32, seed: u64, epoch_slots: u64, slots: u64) -> Vec<Flow> {
    let mut random = Random::new(seed);
    let (mut all, mut start) = (Vec::new(), 0);
    while start < slots {
        let cells = 1 + random.below(20);
        for src in 0..hosts {
            for dst in 0..hosts {
                all.push((src, dst, cells, start + random.below(3)));
            }
        }
        start += cells * epoch_slots * (1 + random.below(4));
    }
    flows(all)
}

/// Flows of all lengths between any hosts, in a load that drifts between none and too much.
pub fn on_and_off(hosts: u32, seed: u64, epoch_slots: u64, slots: u64) -> Vec<Flow> {
    let mut random = Random::new(seed);
    let host = u64::from(hosts);
    let (mut all, mut start, mut gap) = (Vec::new(), 0, 4);
    while start < slots {
        if random.below(200) == 0 {
            gap = 1 << random.below(7);
        }
        let longest = [1, 8, 40, 4 * epoch_slots][random.below(4) as usize];
        let cells = 1 + random.below(longest);
        all.push((random.below(host) as u32, random.below(host) as u32, cells, start));
        start += random.below(gap + 1);
    }
    flows(all)
}

/// Short flows of few pairs, over and over: hosts send to one at a time, one sends to all, and they pause now and then.
pub fn bursts(hosts: u32, seed: u64, slots: u64) -> Vec<Flow> {
    let mut random = Random::new(seed);
    let host = u64::from(hosts);
    let (mut all, mut start) = (Vec::new(), 0);
    let pause = 1 << random.below(9);
    while start < slots {
        let (busy, hot) = (random.below(host) as u32, random.below(host) as u32);
        for _ in 0..4 * hosts {
            let (mut src, mut dst) = (random.below(host) as u32, random.below(host) as u32);
            match random.below(4) {
                0 => src = busy,
                1 | 2 => dst = hot,
                _ => {}
            }
            all.push((src, dst, 1 + random.below(4), start + random.below(20)));
        }
        start += 20 + random.below(pause);
    }
    flows(all)
}
