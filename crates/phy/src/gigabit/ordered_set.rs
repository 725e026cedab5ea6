//! Ordered sets (IEEE 802.3 table 36-3).

use crate::eight_b_ten_b::Octet;

/// The first code-group of idle and configuration; it has the comma.
pub const COMMA: Octet = Octet::k(28, 5);
/// /S/: in the place of the first byte of preamble.
pub const START: Octet = Octet::k(27, 7);
/// /T/: behind the last byte of a frame.
pub const END: Octet = Octet::k(29, 7);
/// /R/: behind /T/, once or twice, so that what follows stands at an even place.
pub const REPEAT: Octet = Octet::k(23, 7);
/// /V/: an error that the sender knows of.
pub const ERROR: Octet = Octet::k(30, 7);

/// What a comma begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Filling {
    /// /I1/, K28.5 D5.6: idle that turns the running disparity to negative.
    Idle1,
    /// /I2/, K28.5 D16.2: idle that leaves it.
    Idle2,
    /// /C1/, K28.5 D21.5 and a register of two octets.
    Configuration1,
    /// /C2/, K28.5 D2.2 and a register of two octets.
    Configuration2,
    /// Another code-group of data: it counts as idle.
    Other,
}

impl Filling {
    /// What stands behind the comma; `None` for what can be any.
    pub const fn second(self) -> Option<Octet> {
        match self {
            Self::Idle1 => Some(Octet::d(5, 6)),
            Self::Idle2 => Some(Octet::d(16, 2)),
            Self::Configuration1 => Some(Octet::d(21, 5)),
            Self::Configuration2 => Some(Octet::d(2, 2)),
            Self::Other => None,
        }
    }

    /// What a comma begins that has this data behind it; `None` for control.
    pub fn of(second: Octet) -> Option<Self> {
        if second.control {
            return None;
        }
        let known = [Self::Idle1, Self::Idle2, Self::Configuration1, Self::Configuration2];
        Some(known.into_iter().find(|set| set.second() == Some(second)).unwrap_or(Self::Other))
    }
}
