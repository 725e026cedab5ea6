//! What iperf (version 2) says on the wire: the bytes of its streams, and the report that ends a UDP test.

use super::Application;
use crate::engine::Datagram;
use crate::settings::{MICROSECOND, Nanoseconds, SECOND};
use std::collections::HashMap;
use std::net::SocketAddrV4;

/// Bytes at the beginning of a stream that say what is wanted: zeros, nothing.
const HEADER: u64 = 128;

/// The byte at a position of a client's stream: digits behind the header.
pub(super) fn sent(position: u64) -> u8 {
    if position < HEADER { 0 } else { b'0' + (position % 10) as u8 }
}

/// UDP tests that are counted at the same time.
const MOST_TESTS: usize = 1_024;

/// Bytes of a datagram's own header: number, seconds, microseconds.
const NUMBER_LENGTH: usize = 12;

/// Says that a report follows.
const REPORT_FOLLOWS: u32 = 0x8000_0000;

#[derive(Clone, Copy, Debug)]
struct Test {
    began: Nanoseconds,
    bytes: u64,
    datagrams: u32,
    lost: u32,
    out_of_order: u32,
    next: i64,
}

/// The servers of datagrams.
#[derive(Clone, Debug, Default)]
pub(super) struct Datagrams {
    tests: HashMap<(SocketAddrV4, u16), Test>,
    generated: u64,
}

impl Datagrams {
    /// What an application answers to a datagram.
    pub(super) fn answer(
        &mut self,
        application: Application,
        datagram: &Datagram,
        now: Nanoseconds,
    ) -> Option<Vec<u8>> {
        match application {
            Application::Echo => Some(datagram.data.clone()),
            Application::Discard => None,
            // RFC 864: of 0 to 512 characters, as it pleases the server.
            Application::Chargen => {
                let length = 74 * (1 + self.generated % 6);
                self.generated += 1;
                Some((0..length).map(super::applications::generated).collect())
            }
            Application::Iperf => self.count(datagram, now),
        }
    }

    /// Counts a datagram of a test. The last one has a negative number, and is answered with what was counted.
    fn count(&mut self, datagram: &Datagram, now: Nanoseconds) -> Option<Vec<u8>> {
        let number = datagram.data.get(..4).and_then(|bytes| bytes.try_into().ok());
        let number = i64::from(i32::from_be_bytes(number?));
        let key = (datagram.peer, datagram.own_port);
        if !self.tests.contains_key(&key) && self.tests.len() >= MOST_TESTS {
            self.tests.clear();
        }
        let test = self.tests.entry(key).or_insert(Test {
            began: now,
            bytes: 0,
            datagrams: 0,
            lost: 0,
            out_of_order: 0,
            next: number.abs(),
        });
        if number < 0 {
            let report = test.report(&datagram.data, now);
            return Some(report);
        }
        test.bytes += datagram.data.len() as u64;
        test.datagrams += 1;
        if number >= test.next {
            test.lost = test.lost.saturating_add((number - test.next) as u32);
            test.next = number + 1;
        } else {
            test.out_of_order += 1;
            test.lost = test.lost.saturating_sub(1);
        }
        None
    }
}

impl Test {
    fn report(&self, last: &[u8], now: Nanoseconds) -> Vec<u8> {
        let elapsed = now - self.began;
        let mut out = Vec::with_capacity(NUMBER_LENGTH + 40);
        out.extend_from_slice(&last[..last.len().min(NUMBER_LENGTH)]);
        out.resize(NUMBER_LENGTH, 0);
        let words = [
            REPORT_FOLLOWS,
            (self.bytes >> 32) as u32,
            self.bytes as u32,
            (elapsed / SECOND) as u32,
            (elapsed % SECOND / MICROSECOND) as u32,
            self.lost,
            self.out_of_order,
            self.datagrams + self.lost,
            0,
            0,
        ];
        words.iter().for_each(|word| out.extend_from_slice(&word.to_be_bytes()));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_datagram_is_answered_with_the_counts() {
        let mut servers = Datagrams::default();
        let peer = SocketAddrV4::new([10, 0, 0, 1].into(), 7);
        let mut send = |number: i32, at| {
            let mut data = number.to_be_bytes().to_vec();
            data.resize(100, 0);
            servers.answer(Application::Iperf, &Datagram { peer, own_port: 5001, data }, at)
        };
        for (at, number) in [0, 1, 3, 2, 6].into_iter().enumerate() {
            assert_eq!(send(number, at as u64 * SECOND), None);
        }
        let report = send(-7, 10 * SECOND).unwrap();
        let word = |n: usize| u32::from_be_bytes(report[12 + 4 * n..][..4].try_into().unwrap());
        assert_eq!((word(0), word(2), word(3)), (REPORT_FOLLOWS, 500, 10));
        // 4 and 5 are lost, 2 came late.
        assert_eq!((word(5), word(6), word(7)), (2, 1, 7));
    }
}
