//! Messages of IEEE 1588-2008, clause 13.

use crate::time::Time;
use std::ops::Range;

/// A clock and its port (clause 7.5.2.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PortIdentity {
    /// EUI-64.
    pub clock: [u8; 8],
    /// From 1.
    pub port: u16,
}

/// What a message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// The master's time as it sends; of a two-step clock only roughly.
    Sync(Time),
    /// A slave asks when this comes.
    DelayRequest,
    /// The exact time of the Sync with this number.
    FollowUp(Time),
    /// When the request of a port with this number came.
    DelayResponse(Time, PortIdentity),
    /// There is a clock that would be master.
    Announce,
}

/// A message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Domain.
    pub domain: u8,
    /// A Follow_Up comes after this Sync.
    pub two_step: bool,
    /// What transparent clocks have added up.
    pub correction: Time,
    /// Who has sent it.
    pub source: PortIdentity,
    /// Its number.
    pub sequence: u16,
    /// log2 of the seconds between two of them.
    pub log_interval: i8,
    /// What it says.
    pub body: Body,
}

const HEADER: usize = 34;
/// The field that transparent clocks change.
pub const CORRECTION: Range<usize> = 8..16;
const STAMP: usize = 10;
const IDENTITY: usize = 10;
/// Bytes of the body of an Announce.
const ANNOUNCE: usize = 30;
const TWO_STEP: u8 = 0x02;
const VERSION: u8 = 2;

mod kind {
    pub const SYNC: u8 = 0;
    pub const DELAY_REQUEST: u8 = 1;
    pub const FOLLOW_UP: u8 = 8;
    pub const DELAY_RESPONSE: u8 = 9;
    pub const ANNOUNCE: u8 = 11;
}

impl Message {
    /// Its bytes. A time is a time stamp and, below a nanosecond, part of the correction.
    pub fn emit(&self) -> Vec<u8> {
        let (kind, control, time) = match self.body {
            Body::Sync(time) => (kind::SYNC, 0, Some(time)),
            Body::DelayRequest => (kind::DELAY_REQUEST, 1, Some(Time(0))),
            Body::FollowUp(time) => (kind::FOLLOW_UP, 2, Some(time)),
            Body::DelayResponse(time, _) => (kind::DELAY_RESPONSE, 3, Some(time)),
            Body::Announce => (kind::ANNOUNCE, 5, None),
        };
        let (seconds, nanoseconds, rest) = time.unwrap_or_default().parts();
        // A time that is later by a fraction: a Delay_Resp is subtracted (clause 11.3.2).
        let fraction = match self.body {
            Body::DelayResponse(..) => -rest,
            _ => rest,
        };
        let correction = self.correction.0 as i64 + fraction;
        let mut bytes = vec![kind, VERSION, 0, 0, self.domain, 0];
        bytes.extend([if self.two_step { TWO_STEP } else { 0 }, 0]);
        bytes.extend(correction.to_be_bytes());
        bytes.extend([0; 4]);
        bytes.extend(identity(&self.source));
        bytes.extend(self.sequence.to_be_bytes());
        bytes.extend([control, self.log_interval as u8]);
        bytes.extend(&seconds.to_be_bytes()[10..]);
        bytes.extend(nanoseconds.to_be_bytes());
        if let Body::DelayResponse(_, port) = self.body {
            bytes.extend(identity(&port));
        }
        if self.body == Body::Announce {
            bytes.resize(HEADER + ANNOUNCE, 0);
        }
        let length = bytes.len() as u16;
        bytes[2..4].copy_from_slice(&length.to_be_bytes());
        bytes
    }

    /// Reads a message. `None` if it is none, or of a kind that an end-to-end clock need not know.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER] = bytes.first_chunk()?;
        let length = usize::from(u16::from_be_bytes([header[2], header[3]]));
        if header[1] & 0x0f != VERSION || length < HEADER {
            return None;
        }
        let body = bytes.get(HEADER..length)?;
        let time = || {
            let stamp: &[u8; STAMP] = body.first_chunk()?;
            let seconds = stamp[..6].iter().fold(0, |sum, byte| sum << 8 | i128::from(*byte));
            let nanoseconds = u32::from_be_bytes(*stamp.last_chunk()?);
            let is_one = nanoseconds < 1_000_000_000;
            is_one.then(|| Time::of_nanoseconds(seconds * 1_000_000_000 + i128::from(nanoseconds)))
        };
        let body = match header[0] & 0x0f {
            kind::SYNC => Body::Sync(time()?),
            kind::DELAY_REQUEST => Body::DelayRequest,
            kind::FOLLOW_UP => Body::FollowUp(time()?),
            kind::DELAY_RESPONSE => {
                let port = body.get(STAMP..)?.first_chunk::<IDENTITY>()?;
                Body::DelayResponse(time()?, identity_of(port))
            }
            kind::ANNOUNCE => Body::Announce,
            _ => return None,
        };
        Some(Self {
            domain: header[4],
            two_step: header[6] & TWO_STEP != 0,
            correction: Time(i64::from_be_bytes(*header[CORRECTION].first_chunk()?).into()),
            source: identity_of(header[20..].first_chunk()?),
            sequence: u16::from_be_bytes([header[30], header[31]]),
            log_interval: header[33] as i8,
            body,
        })
    }
}

/// A transparent clock adds how long a message was in it. False if this is none.
pub fn add_correction(message: &mut [u8], residence: Time) -> bool {
    let Some(field) = message.get_mut(CORRECTION) else { return false };
    let Some(before) = field.first_chunk::<8>() else { return false };
    let sum = i64::from_be_bytes(*before).saturating_add(residence.0 as i64);
    field.copy_from_slice(&sum.to_be_bytes());
    true
}

fn identity(identity: &PortIdentity) -> [u8; IDENTITY] {
    let mut bytes = [0; IDENTITY];
    bytes[..8].copy_from_slice(&identity.clock);
    bytes[8..].copy_from_slice(&identity.port.to_be_bytes());
    bytes
}

fn identity_of(bytes: &[u8; IDENTITY]) -> PortIdentity {
    let [clock @ .., high, low] = *bytes;
    PortIdentity { clock, port: u16::from_be_bytes([high, low]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: Body) -> Message {
        Message {
            domain: 3,
            two_step: matches!(body, Body::Sync(_)),
            correction: Time(0x1234),
            source: PortIdentity { clock: [1, 2, 3, 0xff, 0xfe, 4, 5, 6], port: 1 },
            sequence: 0xabcd,
            log_interval: -3,
            body,
        }
    }

    /// By tables 18, 26 and 27 of the standard.
    #[test]
    fn field_offsets_match_ieee_1588() {
        let time = Time::of_nanoseconds(0x0102_0304 * 1_000_000_000 + 5);
        let port = PortIdentity { clock: [9; 8], port: 7 };
        let bytes = message(Body::DelayResponse(time, port)).emit();
        assert_eq!(bytes.len(), 54);
        assert_eq!(bytes[..8], [9, 2, 0, 54, 3, 0, 0, 0]);
        assert_eq!(bytes[8..16], [0, 0, 0, 0, 0, 0, 0x12, 0x34]);
        assert_eq!(bytes[20..34], [1, 2, 3, 0xff, 0xfe, 4, 5, 6, 0, 1, 0xab, 0xcd, 3, 0xfd]);
        assert_eq!(bytes[34..44], [0, 0, 1, 2, 3, 4, 0, 0, 0, 5]);
        assert_eq!(bytes[44..], [9, 9, 9, 9, 9, 9, 9, 9, 0, 7]);
        let sync = message(Body::Sync(time)).emit();
        assert_eq!((sync.len(), sync[0], sync[6], sync[32]), (44, 0, 2, 0));
        assert_eq!(message(Body::Announce).emit().len(), 64);
    }

    #[test]
    fn messages_round_trip() {
        let time = Time::of_nanoseconds(1_700_000_000_123_456_789);
        for body in [
            Body::Sync(time),
            Body::DelayRequest,
            Body::FollowUp(time),
            Body::DelayResponse(time, PortIdentity { clock: [7; 8], port: 2 }),
            Body::Announce,
        ] {
            let message = message(body);
            let bytes = message.emit();
            assert_eq!(Message::parse(&bytes), Some(message));
            for length in 0..bytes.len() {
                assert_eq!(Message::parse(&bytes[..length]), None, "{length} bytes");
            }
        }
    }

    /// A fraction of a nanosecond is not lost: time and correction say it together.
    #[test]
    fn fractions_go_into_the_correction_field() {
        let exact = Time(5 << 16 | 0x8000);
        let parsed = |body| Message::parse(&message(body).emit()).expect("a message");
        let follow_up = parsed(Body::FollowUp(exact));
        let Body::FollowUp(time) = follow_up.body else { panic!("{follow_up:?}") };
        assert_eq!(time + follow_up.correction, exact + Time(0x1234));
        let response = parsed(Body::DelayResponse(exact, PortIdentity::default()));
        let Body::DelayResponse(time, _) = response.body else { panic!("{response:?}") };
        assert_eq!(time - response.correction, exact - Time(0x1234));
    }

    #[test]
    fn corrections_add_up() {
        let mut bytes = message(Body::DelayRequest).emit();
        assert!(add_correction(&mut bytes, Time(1)));
        assert_eq!(Message::parse(&bytes).map(|message| message.correction), Some(Time(0x1235)));
        assert!(!add_correction(&mut bytes[..15], Time(1)));
        // It stays within its 64 bits.
        assert!(add_correction(&mut bytes, Time(i64::MAX.into())));
        assert_eq!(
            Message::parse(&bytes).map(|message| message.correction),
            Some(Time(i64::MAX.into()))
        );
    }

    #[test]
    fn other_bytes_are_refused() {
        let good = message(Body::DelayRequest).emit();
        for (at, value) in [(1, 1), (0, 5), (3, 33), (3, 200)] {
            let mut bytes = good.clone();
            bytes[at] = value;
            assert_eq!(Message::parse(&bytes), None, "{at} {value}");
        }
    }
}
