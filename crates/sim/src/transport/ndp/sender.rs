//! The sending end of a flow.

use super::Settings;
use crate::pending::Time;
use std::collections::VecDeque;

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It was not sent, or it has to be sent again.
    Waits,
    /// It was sent then, and nobody has said what became of it.
    Sent(Time),
    /// The receiver has it.
    Acknowledged,
}

/// See the module. Memory grows with the packets of the flow, 16 bytes each.
#[derive(Debug)]
pub struct Sender {
    timeout: Time,
    window: u32,
    packets: Vec<State>,
    /// The first packet that was never sent.
    next: u32,
    /// Those that have to be sent again, in the order in which that was told.
    again: VecDeque<u32>,
    /// Packets by the time at which they were sent; of some more is known since.
    sent: VecDeque<(Time, u32)>,
    /// Packets that it may send.
    credits: u32,
    /// Pulls that it knows of.
    pulls: u32,
    acknowledged: u32,
    /// When the receiver was last heard, or the flow began.
    heard: Time,
    retransmitted: u64,
    timeouts: u64,
}

impl Sender {
    /// Of a flow of so many packets that begins now.
    pub fn new(settings: &Settings, packets: u32, now: Time) -> Self {
        let Settings { initial_window: window, timeout, .. } = *settings;
        Self {
            timeout,
            window,
            packets: vec![State::Waits; packets as usize],
            next: 0,
            again: VecDeque::new(),
            sent: VecDeque::new(),
            credits: window.min(packets),
            pulls: 0,
            acknowledged: 0,
            heard: now,
            retransmitted: 0,
            timeouts: 0,
        }
    }

    /// The number of the packet to be sent now.
    pub fn poll(&mut self, now: Time) -> Option<u32> {
        if self.credits == 0 {
            return None;
        }
        let number = loop {
            match self.again.pop_front() {
                Some(number) if self.packets[number as usize] == State::Waits => {
                    self.retransmitted += 1;
                    break number;
                }
                Some(_) => {}
                None if (self.next as usize) < self.packets.len() => {
                    self.next += 1;
                    break self.next - 1;
                }
                None => return None,
            }
        };
        self.credits -= 1;
        self.packets[number as usize] = State::Sent(now);
        self.sent.push_back((now, number));
        Some(number)
    }

    /// The receiver has a packet.
    pub fn acknowledge(&mut self, number: u32, now: Time) {
        self.heard = now;
        if let Some(state) = self.packets.get_mut(number as usize)
            && *state != State::Acknowledged
        {
            *state = State::Acknowledged;
            self.acknowledged += 1;
        }
    }

    /// The receiver has only the header of a packet.
    pub fn reject(&mut self, number: u32, now: Time) {
        self.heard = now;
        if let Some(state @ State::Sent(_)) = self.packets.get_mut(number as usize) {
            *state = State::Waits;
            self.again.push_back(number);
        }
    }

    /// The receiver has asked for so many packets since the flow began. Pulls that were lost are in the number of the next one.
    pub fn pull(&mut self, pulls: u32, now: Time) {
        self.heard = now;
        self.credits += pulls.saturating_sub(self.pulls);
        self.pulls = self.pulls.max(pulls);
    }

    /// The oldest packet of which nothing is known since it was sent.
    fn oldest(&mut self) -> Option<(Time, u32)> {
        while let Some(&(at, number)) = self.sent.front() {
            if self.packets[number as usize] == State::Sent(at) {
                return Some((at, number));
            }
            self.sent.pop_front();
        }
        None
    }

    /// When [`expire`](Self::expire) wants to be called.
    pub fn timer(&mut self) -> Option<Time> {
        if self.is_done() {
            return None;
        }
        let since = self.oldest().map_or(self.heard, |(at, _)| at);
        Some(since.saturating_add(self.timeout))
    }

    /// Packets of which nothing was heard for the timeout may be sent again. If there is none and no pull comes, the pulls are lost: the flow
    /// begins with a window again.
    pub fn expire(&mut self, now: Time) {
        let mut overdue = Vec::new();
        while let Some((at, number)) = self.oldest()
            && at.saturating_add(self.timeout) <= now
        {
            self.sent.pop_front();
            self.packets[number as usize] = State::Waits;
            overdue.push(number);
        }
        if !overdue.is_empty() {
            self.timeouts += 1;
            self.credits += overdue.len() as u32;
            overdue.into_iter().rev().for_each(|number| self.again.push_front(number));
        } else if !self.is_done()
            && self.oldest().is_none()
            && self.heard.saturating_add(self.timeout) <= now
        {
            self.timeouts += 1;
            self.credits = self.credits.max(self.window);
            self.heard = now;
        }
    }

    /// The receiver has all.
    pub fn is_done(&self) -> bool {
        self.acknowledged as usize == self.packets.len()
    }

    /// Packets that were sent again, and timeouts.
    pub fn counters(&self) -> (u64, u64) {
        (self.retransmitted, self.timeouts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { initial_window: 3, bytes: 1_514, timeout: 100 };

    fn all(sender: &mut Sender, now: Time) -> Vec<u32> {
        std::iter::from_fn(|| sender.poll(now)).collect()
    }

    #[test]
    fn a_pull_is_a_packet_and_missing_ones_go_first() {
        let mut sender = Sender::new(&SETTINGS, 6, 0);
        assert_eq!(all(&mut sender, 0), [0, 1, 2]);
        sender.reject(1, 10);
        assert!(all(&mut sender, 10).is_empty());
        sender.pull(1, 10);
        assert_eq!(all(&mut sender, 10), [1]);
        // The pulls 2 and 3 were lost; 4 comes twice.
        sender.pull(4, 20);
        sender.pull(4, 20);
        assert_eq!(all(&mut sender, 20), [3, 4, 5]);
        (0..6).for_each(|number| sender.acknowledge(number, 30));
        assert!(sender.is_done() && sender.timer().is_none());
        assert_eq!(sender.counters(), (1, 0));
    }

    #[test]
    fn what_nobody_speaks_of_is_sent_again_after_the_timeout() {
        let mut sender = Sender::new(&SETTINGS, 3, 0);
        assert_eq!(all(&mut sender, 5), [0, 1, 2]);
        sender.acknowledge(0, 50);
        sender.acknowledge(2, 50);
        assert_eq!(sender.timer(), Some(105));
        sender.expire(104);
        assert!(all(&mut sender, 104).is_empty());
        sender.expire(105);
        assert_eq!(all(&mut sender, 105), [1]);
        // Late news of the first copy: the second one is on its way.
        sender.reject(1, 110);
        sender.acknowledge(1, 120);
        assert!(sender.is_done());
        assert_eq!(sender.counters(), (1, 1));
    }

    #[test]
    fn without_pulls_a_flow_begins_again() {
        let mut sender = Sender::new(&SETTINGS, 8, 0);
        all(&mut sender, 0);
        (0..3).for_each(|number| sender.acknowledge(number, 40));
        assert_eq!(sender.timer(), Some(140));
        sender.expire(140);
        assert_eq!(all(&mut sender, 140), [3, 4, 5]);
        assert_eq!(sender.counters(), (0, 1));
    }
}
