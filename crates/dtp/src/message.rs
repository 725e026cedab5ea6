//! What the 56 control bits of an idle block carry: three bits that say what it is, and 53 of a counter.
//!
//! | code | message | payload |
//! |---|---|---|
//! | 000 | none: an idle block as it is | zero |
//! | 001 | INIT | the sender's ticks |
//! | 010 | INIT-ACK | the ticks of the INIT, later by as long as the answer waited |
//! | 011 | BEACON | the counter, an even number of ones |
//! | 100 | BEACON | the counter, an odd number of ones |
//! | 101 | LOG | for measurements: what its sender's host says, or a stamp |
//! | 110 | JOIN | the counter's low half |
//! | 111 | MSB | the counter's high half |
//!
//! The published format has three bits of type in the text and two with a parity bit in the code; here the code of a beacon is
//! its parity, over all of the counter, and a wrong bit anywhere in a beacon is noticed or makes it another message, which then has
//! to be expected ([`port`](crate::port)).

use crate::counter::{Counter, LOW_MASK};

/// The codes of messages, the low three of the [`BITS`] bits.
pub mod code {
    /// No message.
    pub const NONE: u64 = 0;
    /// INIT.
    pub const INIT: u64 = 1;
    /// INIT-ACK.
    pub const ACK: u64 = 2;
    /// BEACON with an even number of ones.
    pub const BEACON: u64 = 3;
    /// BEACON with an odd number of ones.
    pub const ODD_BEACON: u64 = 4;
    /// LOG.
    pub const LOG: u64 = 5;
    /// JOIN.
    pub const JOIN: u64 = 6;
    /// MSB.
    pub const MSB: u64 = 7;
}

/// Bits of an idle block behind its type.
pub const BITS: u32 = 56;

/// A message; payloads have 53 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Message {
    /// Asks for an answer, to measure the delay.
    Init(u64),
    /// The answer.
    InitAck(u64),
    /// The sender's counter.
    Beacon(u64),
    /// The low half of a counter that may be far away.
    Join(u64),
    /// The high half of the sender's counter.
    Msb(u64),
    /// A measurement.
    Log(u64),
}

/// The bit of a LOG that distinguishes the host's data from a time stamp.
const HOST_DATA: u64 = 1 << 52;

impl Message {
    /// A LOG as it leaves: the host's data if their bit 52 is one, else the low 52 bits of the counter.
    pub fn log(data: u64, counter: Counter) -> Self {
        Self::Log(match data & HOST_DATA {
            0 => counter.low() & (HOST_DATA - 1),
            _ => data & LOW_MASK,
        })
    }

    /// The 56 bits, three of code below 53 of payload.
    pub const fn to_bits(self) -> u64 {
        let (code, payload) = match self {
            Self::Init(payload) => (code::INIT, payload),
            Self::InitAck(payload) => (code::ACK, payload),
            Self::Beacon(payload) => (beacon(payload & LOW_MASK), payload),
            Self::Log(payload) => (code::LOG, payload),
            Self::Join(payload) => (code::JOIN, payload),
            Self::Msb(payload) => (code::MSB, payload),
        };
        (payload & LOW_MASK) << 3 | code
    }

    /// The message of 56 bits; `None` for none, and for a beacon with a wrong parity.
    pub const fn of_bits(bits: u64) -> Option<Self> {
        let payload = bits >> 3 & LOW_MASK;
        match bits & 7 {
            code::INIT => Some(Self::Init(payload)),
            code::ACK => Some(Self::InitAck(payload)),
            kind @ (code::BEACON | code::ODD_BEACON) if kind == beacon(payload) => {
                Some(Self::Beacon(payload))
            }
            code::LOG => Some(Self::Log(payload)),
            code::JOIN => Some(Self::Join(payload)),
            code::MSB => Some(Self::Msb(payload)),
            _ => None,
        }
    }
}

/// The code of a beacon with this payload: its parity.
const fn beacon(payload: u64) -> u64 {
    if payload.count_ones().is_multiple_of(2) { code::BEACON } else { code::ODD_BEACON }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip() {
        assert_eq!(Message::of_bits(0), None);
        for payload in [0, 1, 0b111, LOW_MASK, LOW_MASK - 6, 0x5_5555_5555_5555] {
            for message in [
                Message::Init(payload),
                Message::InitAck(payload),
                Message::Beacon(payload),
                Message::Log(payload),
                Message::Join(payload),
                Message::Msb(payload),
            ] {
                let bits = message.to_bits();
                assert!(bits < 1 << BITS && bits != 0);
                assert_eq!(Message::of_bits(bits), Some(message));
            }
        }
    }

    /// A beacon with one wrong bit is no beacon.
    #[test]
    fn a_wrong_bit_makes_no_other_beacon() {
        for payload in [0, 77, LOW_MASK, 1 << 52] {
            let bits = Message::Beacon(payload).to_bits();
            for bit in 0..BITS {
                let wrong = Message::of_bits(bits ^ 1 << bit);
                assert!(!matches!(wrong, Some(Message::Beacon(_))), "bit {bit} of {payload}");
            }
        }
    }
}
