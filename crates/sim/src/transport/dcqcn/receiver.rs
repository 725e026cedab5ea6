//! The receiving end of a flow: packets in order, and notifications.

use super::Settings;
use crate::pending::Time;

/// What a packet is answered with: the number of the packet that is expected next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// All before it have come.
    Ack(u32),
    /// The same, and a later one came in its place. Said once.
    Nack(u32),
    /// Nothing: it was said before that one is missing.
    Nothing,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Receiver {
    notify_interval: Time,
    expected: u32,
    has_told: bool,
    /// Before it no notification is sent.
    notify_at: Time,
}

impl Receiver {
    /// Nothing has come.
    pub fn new(settings: &Settings) -> Self {
        let notify_interval = settings.notify_interval;
        Self { notify_interval, expected: 0, has_told: false, notify_at: 0 }
    }

    /// A packet has come: the answer, and whether it is the one that was expected.
    pub fn take(&mut self, number: u32) -> (Answer, bool) {
        if number == self.expected {
            self.expected += 1;
            self.has_told = false;
            return (Answer::Ack(self.expected), true);
        }
        if number < self.expected {
            return (Answer::Ack(self.expected), false);
        }
        match std::mem::replace(&mut self.has_told, true) {
            false => (Answer::Nack(self.expected), false),
            true => (Answer::Nothing, false),
        }
    }

    /// A marked packet has come: whether a notification has to be sent.
    pub fn marked(&mut self, now: Time) -> bool {
        if now < self.notify_at {
            return false;
        }
        self.notify_at = now.saturating_add(self.notify_interval);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_named_once() {
        let mut receiver = Receiver::new(&Settings::default());
        let answers: Vec<_> = [0, 2, 3, 1, 0, 3, 2].map(|n| receiver.take(n)).into();
        let (ack, nack, nothing) = (Answer::Ack, Answer::Nack, Answer::Nothing);
        let expected = [
            (ack(1), true),
            (nack(1), false),
            (nothing, false),
            (ack(2), true),
            (ack(2), false),
            (nack(2), false),
            (ack(3), true),
        ];
        assert_eq!(answers, expected);
    }

    #[test]
    fn notifications_keep_their_distance() {
        let settings = Settings { notify_interval: 50, ..Settings::default() };
        let mut receiver = Receiver::new(&settings);
        let sent: Vec<_> = [0, 49, 50, 60, 100].map(|now| receiver.marked(now)).into();
        assert_eq!(sent, [true, false, true, false, true]);
    }
}
