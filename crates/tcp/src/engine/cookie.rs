//! SYN cookies: a SYN that finds no room is answered with a number that says all that must be remembered (RFC 4987
//! section 3.6).
//!
//! 32 bits: 2 of the time in minutes, 3 for the peer's MSS, 4 for its window scale, 1 for SACK, 22 of a keyed hash of
//! these and of the connection. Linux needs timestamps to keep scale and SACK and spends 24 bits on the hash; here a
//! cookie costs an attacker a guess among 2^22 and no feature but timestamps.

use crate::options::{LARGEST_SCALE, Options};
use crate::sequence::Sequence;
use crate::settings::{Nanoseconds, SECOND};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;
use std::net::{Ipv4Addr, SocketAddrV4};

/// Time in which a cookie's count of time stays the same. It is good in this one and the next.
const PERIOD: Nanoseconds = 64 * SECOND;

/// Lengths of segments that a cookie can tell; what a peer takes is rounded down to one.
const SIZES: [u16; 8] = [68, 536, 1_300, 1_440, 1_452, 1_460, 4_312, 8_960];

/// Stands for no window scale.
const NO_SCALE: u8 = 15;

/// The two ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Connection {
    /// Our address.
    pub own: Ipv4Addr,
    /// Our port.
    pub own_port: u16,
    /// The peer.
    pub peer: SocketAddrV4,
}

/// Numbers that nobody can guess who does not know the key: initial sequence numbers (RFC 6528) and cookies.
#[derive(Clone, Debug)]
pub struct Secrets {
    key: (u64, u64),
}

impl Secrets {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        let mut hasher = SipHasher13::new_with_keys(seed, 0x5eed);
        hasher.write_u64(1);
        let first = hasher.finish();
        hasher.write_u64(2);
        Self { key: (first, hasher.finish()) }
    }

    /// The key: its first word and its second one.
    pub fn key(&self) -> (u64, u64) {
        self.key
    }

    /// A hash of a connection and 32 bits more.
    pub fn hash(&self, connection: &Connection, more: u32) -> u32 {
        let mut hasher = SipHasher13::new_with_keys(self.key.0, self.key.1);
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&connection.own.octets());
        bytes[4..8].copy_from_slice(&connection.peer.ip().octets());
        bytes[8..10].copy_from_slice(&connection.own_port.to_be_bytes());
        bytes[10..12].copy_from_slice(&connection.peer.port().to_be_bytes());
        bytes[12..].copy_from_slice(&more.to_be_bytes());
        hasher.write(&bytes);
        hasher.finish() as u32
    }

    /// An initial sequence number: the connection's hash, and a clock of 4 us (RFC 6528 section 3).
    pub fn initial(&self, connection: &Connection, now: Nanoseconds) -> Sequence {
        Sequence(self.hash(connection, 0)) + (now / 4_000) as u32
    }

    /// What is added to the clock of a connection's timestamps.
    pub fn timestamp_offset(&self, connection: &Connection) -> u32 {
        self.hash(connection, 1)
    }

    /// The number that answers a SYN with these options and this sequence number.
    pub fn cookie(
        &self,
        connection: &Connection,
        syn: Sequence,
        options: &Options,
        now: Nanoseconds,
    ) -> Sequence {
        let mss = options.mss.unwrap_or(536);
        let size = SIZES.iter().rposition(|&size| size <= mss).unwrap_or(0) as u32;
        let scale = u32::from(options.window_scale.unwrap_or(NO_SCALE));
        let sack = u32::from(options.sack_permitted);
        let time = (now / PERIOD) as u32 & 3;
        let told = time << 8 | size << 5 | scale << 1 | sack;
        Sequence(told << 22 | self.tag(connection, syn, told))
    }

    /// What the cookie that an acknowledgement brings back says of the SYN, if it is one of ours and not too old.
    pub fn read(
        &self,
        connection: &Connection,
        syn: Sequence,
        cookie: Sequence,
        now: Nanoseconds,
    ) -> Option<Options> {
        let told = cookie.0 >> 22;
        let age = ((now / PERIOD) as u32).wrapping_sub(told >> 8) & 3;
        if age > 1 || cookie.0 & 0x3f_ffff != self.tag(connection, syn, told) {
            return None;
        }
        let scale = (told >> 1 & 15) as u8;
        Some(Options {
            mss: Some(SIZES[(told >> 5 & 7) as usize]),
            window_scale: (scale <= LARGEST_SCALE).then_some(scale),
            sack_permitted: told & 1 == 1,
            ..Options::default()
        })
    }

    fn tag(&self, connection: &Connection, syn: Sequence, told: u32) -> u32 {
        self.hash(connection, syn.0.rotate_left(7) ^ told ^ 0x8000_0000) & 0x3f_ffff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection(port: u16) -> Connection {
        Connection {
            own: Ipv4Addr::new(10, 0, 0, 1),
            own_port: 80,
            peer: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), port),
        }
    }

    #[test]
    fn a_cookie_tells_what_the_syn_said() {
        let secrets = Secrets::new(7);
        for scale in [None, Some(0), Some(8), Some(14)] {
            for sack_permitted in [false, true] {
                let options = Options {
                    mss: Some(1460),
                    window_scale: scale,
                    sack_permitted,
                    ..Options::default()
                };
                let cookie = secrets.cookie(&connection(5), Sequence(99), &options, 0);
                let read = secrets.read(&connection(5), Sequence(99), cookie, PERIOD);
                assert_eq!(read, Some(options));
            }
        }
    }

    #[test]
    fn a_cookie_is_for_one_connection_and_a_short_time() {
        let secrets = Secrets::new(7);
        let options = Options { mss: Some(1460), ..Options::default() };
        let cookie = secrets.cookie(&connection(5), Sequence(99), &options, 0);
        assert!(secrets.read(&connection(6), Sequence(99), cookie, 0).is_none());
        assert!(secrets.read(&connection(5), Sequence(98), cookie, 0).is_none());
        assert!(secrets.read(&connection(5), Sequence(99), cookie + 1, 0).is_none());
        assert!(secrets.read(&connection(5), Sequence(99), cookie, 2 * PERIOD).is_none());
        assert!(Secrets::new(8).read(&connection(5), Sequence(99), cookie, 0).is_none());
    }

    #[test]
    fn guesses_fail() {
        let secrets = Secrets::new(7);
        let right = (0..1_000_000u32)
            .filter(|&n| {
                let guess = Sequence(n.wrapping_mul(2_654_435_761));
                secrets.read(&connection(5), Sequence(99), guess, 0).is_some()
            })
            .count();
        // One in 2^23 is expected: a half of the times, one in 2^22. Six of a million have a chance below 1e-7.
        assert!(right < 6, "{right} guesses of a million were right");
    }
}
