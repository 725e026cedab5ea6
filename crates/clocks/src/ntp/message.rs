//! The header of RFC 5905 section 7.3, without extensions.

use crate::time::Time;

/// Modes of associations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A request.
    Client,
    /// An answer.
    Server,
}

/// A packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Who sends it.
    pub mode: Mode,
    /// Steps from a reference clock: 1 for a server that has one, 0 unknown.
    pub stratum: u8,
    /// The request's [`Self::transmit`], as it was.
    pub origin: Stamp,
    /// When the request came.
    pub receive: Stamp,
    /// When this one left.
    pub transmit: Stamp,
}

/// Seconds and a fraction in 2^-32: wraps after 136 years.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stamp(pub u64);

/// Bytes of a packet.
pub const LENGTH: usize = 48;
const VERSION: u8 = 4;

impl Stamp {
    /// Of a reading.
    pub fn of(time: Time) -> Self {
        let (seconds, nanoseconds, rest) = time.parts();
        let below = i128::from(nanoseconds) << 16 | i128::from(rest);
        // 10^9 * 2^16 units are a second.
        Self(((seconds as u64) << 32) | ((below << 16) / 1_000_000_000) as u64)
    }

    /// The reading nearest to `near`.
    pub fn time(self, near: Time) -> Time {
        let since = self.0.wrapping_sub(Self::of(near).0) as i64;
        near + Time((i128::from(since) * 1_000_000_000) >> 16)
    }
}

impl Message {
    /// Its bytes.
    pub fn emit(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[0] = VERSION << 3 | if self.mode == Mode::Client { 3 } else { 4 };
        bytes[1] = self.stratum;
        for (at, stamp) in [(24, self.origin), (32, self.receive), (40, self.transmit)] {
            bytes[at..at + 8].copy_from_slice(&stamp.0.to_be_bytes());
        }
        bytes
    }

    /// Reads a packet of version 3 or 4; `None` for others, and for modes that are not between client and server.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; LENGTH] = bytes.first_chunk()?;
        let mode = match header[0] & 7 {
            3 => Mode::Client,
            4 => Mode::Server,
            _ => return None,
        };
        if !(3..=VERSION).contains(&(header[0] >> 3 & 7)) {
            return None;
        }
        let stamp = |at: usize| Some(Stamp(u64::from_be_bytes(*header[at..].first_chunk()?)));
        Some(Self {
            mode,
            stratum: header[1],
            origin: stamp(24)?,
            receive: stamp(32)?,
            transmit: stamp(40)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_round_trip() {
        assert_eq!(Stamp::of(Time::of_seconds(1.5)).0, 0x1_8000_0000);
        for time in [0i128, 1, 999_999_999, 4_294_967_296_500_000_000, 1_700_000_000_123_456_789] {
            let time = Time::of_nanoseconds(time);
            let near = time + Time::of_nanoseconds(-5_000_000);
            let error = Stamp::of(time).time(near) - time;
            // 2^-32 s are 0.23 ns, and `near` is rounded too.
            assert!(error.nanoseconds().abs() < 0.5, "{time:?}: {error:?}");
        }
    }

    #[test]
    fn messages_round_trip() {
        let [origin, receive, transmit] = [1, 2, 3].map(Stamp);
        let message = Message { mode: Mode::Server, stratum: 1, origin, receive, transmit };
        let bytes = message.emit();
        assert_eq!(bytes[..2], [0x24, 1], "no leap, version 4, server");
        assert_eq!((bytes[31], bytes[39], bytes[47]), (1, 2, 3));
        assert_eq!(Message::parse(&bytes), Some(message));
        assert_eq!(Message::parse(&bytes[..47]), None);
        for first in [0x23 ^ 1, 0x2b, 0x13] {
            assert_eq!(Message::parse(&[&[first], &bytes[1..]].concat()), None, "{first:#x}");
        }
    }
}
