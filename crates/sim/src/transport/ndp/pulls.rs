//! The pulls of a host: flows take turns, one pull in the time of a full packet.

use crate::pending::Time;
use std::collections::VecDeque;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Pulls {
    /// Flows with pulls that wait.
    turns: VecDeque<(u32, u64)>,
    /// Before it no pull is sent.
    next: Time,
    is_awaited: bool,
}

impl Pulls {
    /// A flow has a pull to send, and had none.
    pub fn join(&mut self, flow: (u32, u64)) {
        self.turns.push_back(flow);
    }

    /// The flow whose turn it is.
    pub fn turn(&mut self) -> Option<(u32, u64)> {
        self.is_awaited = false;
        self.turns.pop_front()
    }

    /// A pull was sent, and the next one waits for the time of a full packet on the line to the host.
    pub fn rest(&mut self, now: Time, takes: Time) {
        self.next = now.saturating_add(takes);
    }

    /// When [`turn`](Self::turn) wants to be called, if nobody will.
    pub fn timer(&mut self, now: Time) -> Option<Time> {
        let has_some = !self.turns.is_empty();
        (has_some && !std::mem::replace(&mut self.is_awaited, true)).then_some(self.next.max(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_take_turns_at_the_pace_of_the_line() {
        let mut pulls = Pulls::default();
        assert_eq!(pulls.timer(0), None);
        pulls.join((1, 10));
        pulls.join((2, 20));
        assert_eq!((pulls.timer(5), pulls.timer(6)), (Some(5), None));
        assert_eq!(pulls.turn(), Some((1, 10)));
        pulls.rest(5, 100);
        pulls.join((1, 10));
        assert_eq!(pulls.timer(5), Some(105));
        // The flow has ended, and the next one has its turn.
        assert_eq!(pulls.turn(), Some((2, 20)));
        assert_eq!(pulls.turn(), Some((1, 10)));
        pulls.rest(105, 100);
        assert_eq!((pulls.timer(105), pulls.turn()), (None, None));
        pulls.join((3, 30));
        assert_eq!(pulls.timer(110), Some(205));
    }
}
