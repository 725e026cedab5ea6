//! The completion time of a flow in an empty network.

use crate::network::NodeKind;
use crate::pending::Time;
use crate::simulation::Context;

/// From the first bit sent to the last bit received over the path that the flow takes now, back to back at
/// full packets of `frame` bytes, of which `data` are the application's: delays, each link's time for the first
/// packet, and the slowest link's for the others. `None` if there is no path.
pub(super) fn ideal(
    from: u32,
    to: u32,
    hash: u32,
    (bytes, frame, data): (u64, u32, u32),
    ctx: &Context<'_>,
) -> Option<Time> {
    let headers = u64::from(frame - data);
    let packets = bytes.div_ceil(u64::from(data)).max(1);
    let first = bytes.min(u64::from(data)) + headers;
    let (mut total, mut slowest) = (0u128, 0u128);
    let (mut direction, to_node) = (ctx.host_direction(from), ctx.host_node(to));
    // Longer paths than there are nodes would be circles.
    for _ in 0..ctx.network().nodes.len() {
        let line = ctx.line(direction);
        let rate = u128::from(line.rate.max(1));
        let time = |bytes: u128| bytes * 8_000_000_000_000 / rate;
        total += u128::from(line.delay) + time(u128::from(first) + u128::from(line.overhead));
        let rest = u128::from(bytes.saturating_sub(u64::from(data)));
        let more = u128::from(packets - 1) * u128::from(headers + u64::from(line.overhead));
        slowest = slowest.max(time(rest + more));
        let node = ctx.far_end(direction).node;
        match &ctx.network().nodes[node as usize].kind {
            NodeKind::Host(_) if node == to_node => {
                return Some(Time::try_from(total + slowest).unwrap_or(Time::MAX));
            }
            NodeKind::Host(_) => return None,
            NodeKind::Switch(switch) => total += u128::from(switch.latency),
            NodeKind::Program => {}
        }
        direction = ctx.path(node, to, hash)?;
    }
    None
}
