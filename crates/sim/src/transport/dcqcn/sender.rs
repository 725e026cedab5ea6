//! The sending end of a flow: packets at its rate, and from the one on that is missing.

use super::{Rate, Settings};
use crate::pending::Time;

/// See the module.
#[derive(Clone, Debug)]
pub struct Sender {
    settings: Settings,
    rate: Rate,
    packets: u32,
    /// The first that was not acknowledged, the next to be sent, and the first that was never sent.
    first: u32,
    next: u32,
    fresh: u32,
    /// The rate lets the next packet leave then.
    at: Time,
    heard: Time,
    retransmitted: u64,
    timeouts: u64,
}

impl Sender {
    /// Of a flow of so many packets that begins now, at a host whose line has so many bits a second.
    pub fn new(settings: &Settings, packets: u32, line: u64, now: Time) -> Self {
        Self {
            settings: *settings,
            rate: Rate::new(settings, line, now),
            packets,
            first: 0,
            next: 0,
            fresh: 0,
            at: now,
            heard: now,
            retransmitted: 0,
            timeouts: 0,
        }
    }

    fn may_send(&self) -> bool {
        self.next < self.packets && self.next - self.first < self.settings.window
    }

    /// The packet to be sent now. [`sent`](Self::sent) has to be told its length.
    pub fn poll(&mut self, now: Time) -> Option<u32> {
        if !self.may_send() || now < self.at {
            return None;
        }
        // After silence there is nobody to answer.
        if self.next == self.first {
            self.heard = now;
        }
        self.retransmitted += u64::from(self.next < self.fresh);
        self.next += 1;
        self.fresh = self.fresh.max(self.next);
        Some(self.next - 1)
    }

    /// A frame of so many bytes was sent.
    pub fn sent(&mut self, bytes: u32, now: Time) {
        let takes = f64::from(bytes) * 8e12 / self.rate.current();
        self.at = now.saturating_add(takes as Time);
        self.rate.sent(bytes);
    }

    /// All packets before this one have come.
    pub fn acknowledge(&mut self, expected: u32, now: Time) {
        let expected = expected.min(self.packets);
        if expected > self.first {
            self.heard = now;
            self.first = expected;
            self.next = self.next.max(expected);
        }
    }

    /// The same, and it has to be sent again with all behind it.
    pub fn go_back(&mut self, expected: u32, now: Time) {
        self.acknowledge(expected, now);
        self.heard = now;
        self.next = self.first;
    }

    /// Marked packets come.
    pub fn notify(&mut self, now: Time) {
        self.rate.expire(now);
        self.rate.cut(now);
    }

    /// When [`expire`](Self::expire) wants to be called, and may have packets to send.
    pub fn timer(&self) -> Option<Time> {
        if self.is_done() {
            return None;
        }
        let overdue =
            (self.next > self.first).then(|| self.heard.saturating_add(self.settings.timeout));
        let next = self.may_send().then_some(self.at);
        [overdue, next, self.rate.timer()].into_iter().flatten().min()
    }

    /// Time has passed.
    pub fn expire(&mut self, now: Time) {
        self.rate.expire(now);
        if self.next > self.first && self.heard.saturating_add(self.settings.timeout) <= now {
            self.timeouts += 1;
            self.heard = now;
            self.next = self.first;
        }
    }

    /// The receiver has all.
    pub fn is_done(&self) -> bool {
        self.first == self.packets
    }

    /// Packets that were sent again, and timeouts.
    pub fn counters(&self) -> (u64, u64) {
        (self.retransmitted, self.timeouts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,500 bytes at 12 Gb/s are 1 us.
    const MICROSECOND: Time = 1_000_000;

    fn sender(window: u32) -> Sender {
        let settings = Settings { window, timeout: 100 * MICROSECOND, ..Settings::default() };
        Sender::new(&settings, 6, 12_000_000_000, 0)
    }

    fn send(sender: &mut Sender, now: Time) -> Option<u32> {
        sender.expire(now);
        let number = sender.poll(now);
        if number.is_some() {
            sender.sent(1_500, now);
        }
        number
    }

    #[test]
    fn packets_leave_at_the_rate_inside_the_window() {
        let mut sender = sender(2);
        assert_eq!((send(&mut sender, 0), send(&mut sender, 0)), (Some(0), None));
        assert_eq!(sender.timer(), Some(MICROSECOND));
        assert_eq!(send(&mut sender, MICROSECOND), Some(1));
        assert_eq!(send(&mut sender, 2 * MICROSECOND), None);
        sender.acknowledge(1, 2 * MICROSECOND);
        // Half of the rate from here on, as alpha is 1.
        sender.notify(2 * MICROSECOND);
        assert_eq!(send(&mut sender, 2 * MICROSECOND), Some(2));
        assert_eq!(sender.at, 4 * MICROSECOND);
    }

    #[test]
    fn what_is_missing_is_sent_again_with_all_behind_it() {
        let mut sender = sender(4);
        for n in 0..4 {
            assert_eq!(send(&mut sender, n * MICROSECOND), Some(n as u32));
        }
        sender.go_back(1, 4 * MICROSECOND);
        let again: Vec<_> = (4..8).filter_map(|n| send(&mut sender, n * MICROSECOND)).collect();
        assert_eq!(again, [1, 2, 3, 4]);
        assert_eq!(sender.counters(), (3, 0));
        // Silence: all from the first one on, once more.
        assert_eq!(sender.timer(), Some(104 * MICROSECOND));
        assert_eq!(send(&mut sender, 104 * MICROSECOND), Some(1));
        assert_eq!(sender.counters(), (4, 1));
        sender.acknowledge(6, 105 * MICROSECOND);
        assert!(sender.is_done() && sender.timer().is_none());
    }
}
