//! The receiving end of a flow.

use super::Settings;

/// See the module. Memory grows with the packets of the flow, a byte each.
#[derive(Debug)]
pub struct Receiver {
    has: Vec<bool>,
    received: u32,
    /// Packets that come without being asked for: the initial window, and those whose data was cut off are to come again.
    unasked: u32,
    headers: u32,
    /// Pulls that were sent, and those that wait for the host's turn.
    pulls: u32,
    waiting: u32,
}

impl Receiver {
    /// Of a flow of so many packets.
    pub fn new(settings: &Settings, packets: u32) -> Self {
        let unasked = settings.initial_window.min(packets);
        let has = vec![false; packets as usize];
        Self { has, received: 0, unasked, headers: 0, pulls: 0, waiting: 0 }
    }

    /// A packet has come: whether it is new.
    pub fn take(&mut self, number: u32) -> bool {
        let Some(has) = self.has.get_mut(number as usize) else { return false };
        let is_new = !std::mem::replace(has, true);
        self.received += u32::from(is_new);
        is_new
    }

    /// A packet has come without its data.
    pub fn miss(&mut self, number: u32) {
        self.headers += u32::from(self.has.get(number as usize) == Some(&false));
    }

    /// Something has come: whether a pull has to wait for its turn for it. There are as many pulls as packets that nothing else lets the
    /// sender send; it says with each how long the flow is.
    pub fn wants_pull(&mut self) -> bool {
        let all = self.has.len() as u32 - self.unasked + self.headers;
        let wants = !self.is_complete() && self.pulls + self.waiting < all;
        self.waiting += u32::from(wants);
        wants
    }

    /// Whether a pull waits.
    pub fn waits(&self) -> bool {
        self.waiting > 0
    }

    /// It is the flow's turn: the number of the pull, and whether others wait. `None` if there is nothing to ask for any more.
    pub fn pull(&mut self) -> Option<(u32, bool)> {
        if self.waiting == 0 || self.is_complete() {
            return None;
        }
        self.waiting -= 1;
        self.pulls += 1;
        Some((self.pulls, self.waiting > 0))
    }

    /// Whether it has all packets.
    pub fn is_complete(&self) -> bool {
        self.received as usize == self.has.len()
    }

    /// Headers of packets that it did not have.
    pub fn headers(&self) -> u32 {
        self.headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { initial_window: 2, bytes: 1_514, timeout: 100 };

    /// Five packets, two without being asked: three pulls, and one for a packet without data.
    #[test]
    fn as_many_pulls_as_packets_that_nobody_else_asks_for() {
        let mut receiver = Receiver::new(&SETTINGS, 5);
        receiver.miss(0);
        assert!(receiver.wants_pull());
        assert_eq!(receiver.pull(), Some((1, false)));
        assert_eq!(receiver.pull(), None);
        assert!(receiver.take(1) && !receiver.take(1));
        let wants: Vec<bool> = (0..5).map(|_| receiver.wants_pull()).collect();
        assert_eq!(wants, [true, true, true, false, false]);
        assert_eq!(receiver.pull(), Some((2, true)));
        for number in [0, 2, 3, 4] {
            assert!(receiver.take(number));
        }
        assert!(receiver.is_complete());
        assert_eq!((receiver.pull(), receiver.headers()), (None, 1));
    }
}
