//! Answers with its time.

use super::PORT;
use super::message::{Message, Mode, Stamp};
use crate::keeper::{Counts, Incoming, Keeper, Outgoing};
use crate::time::Time;
use std::net::Ipv4Addr;

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct Server {
    waiting: Vec<(Ipv4Addr, Stamp, Stamp)>,
    counts: Counts,
}

impl Keeper for Server {
    fn poll(&mut self, now: Time, out: &mut Vec<Outgoing>) -> Option<Time> {
        for (to, origin, receive) in self.waiting.drain(..) {
            let transmit = Stamp::of(now);
            let message = Message { mode: Mode::Server, stratum: 1, origin, receive, transmit };
            out.push(Outgoing { to, port: PORT, payload: message.emit().to_vec(), tag: None });
            self.counts.sent += 1;
        }
        None
    }

    fn receive(&mut self, incoming: Incoming<'_>) -> bool {
        if incoming.port != PORT {
            return false;
        }
        match Message::parse(incoming.payload) {
            Some(Message { mode: Mode::Client, transmit, .. }) => {
                self.waiting.push((incoming.from, transmit, Stamp::of(incoming.stamp)));
            }
            _ => self.counts.unexpected += 1,
        }
        true
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
