//! What a host reports when it stops.

use super::Host;
use crate::engine::counters::{Counters, Drop};
use crate::engine::endpoint::Endpoint;
use serde_json::{Map, Value, json};

impl<E: Endpoint> Host<E> {
    /// All that was counted.
    pub fn report(&self) -> Value {
        let counters = self.engine.counters();
        let accepted: Map<String, Value> = Counters::ACCEPTED
            .iter()
            .zip(counters.accepted)
            .map(|(name, count)| ((*name).to_owned(), count.into()))
            .collect();
        let dropped: Map<String, Value> = Drop::ALL
            .iter()
            .map(|reason| (reason.name().to_owned(), counters.dropped[*reason as usize]))
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| (name, count.into()))
            .collect();
        json!({
            "frames_in": counters.frames_in,
            "frames_out": counters.frames_out,
            "clocks": self.engine.clocks(),
            "accepted": accepted,
            "dropped": dropped,
            "opened": counters.opened,
            "closed": counters.closed,
            "open": counters.opened - counters.closed,
            "retransmitted": counters.resent,
            "unresolved": counters.unresolved,
            "cookies": counters.cookies,
        })
    }
}
