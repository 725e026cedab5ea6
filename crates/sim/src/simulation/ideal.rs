//! How long a flow would take if nothing else was there.

use super::{Place, Simulation};
use crate::pending::Time;

impl Simulation {
    /// From the first bit sent to the last bit received over the path that the flow takes now, back to back at
    /// full packets of `frame` bytes, of which `data` are the application's: delays, each link's time for the first
    /// packet, and the slowest link's for the others. `None` if there is no path.
    pub(super) fn ideal(
        &self,
        from: u32,
        to: u32,
        hash: u32,
        bytes: u64,
        frame: u32,
        data: u32,
    ) -> Option<Time> {
        let headers = u64::from(frame - data);
        let packets = bytes.div_ceil(u64::from(data)).max(1);
        let first = bytes.min(u64::from(data)) + headers;
        let (mut total, mut slowest) = (0u128, 0u128);
        let mut output = self.host_outputs[from as usize];
        // Longer paths than there are nodes would be circles.
        for _ in 0..self.places.len() {
            let line = &self.network.links[output as usize / 2].directions[output as usize % 2];
            let rate = u128::from(line.rate.max(1));
            let time = |bytes: u128| bytes * 8_000_000_000_000 / rate;
            total += u128::from(line.delay) + time(u128::from(first) + u128::from(line.overhead));
            let rest = u128::from(bytes.saturating_sub(u64::from(data)));
            let more = u128::from(packets - 1) * u128::from(headers + u64::from(line.overhead));
            slowest = slowest.max(time(rest + more));
            let node = self.outputs[output as usize].node;
            match self.places[node as usize] {
                Place::Host(host) if host == to => {
                    return Some(Time::try_from(total + slowest).unwrap_or(Time::MAX));
                }
                Place::Host(_) => return None,
                Place::Switch { latency, .. } => total += u128::from(latency),
                Place::Program => {}
            }
            output = self.forwarding.output(node, to, hash)?;
        }
        None
    }
}
