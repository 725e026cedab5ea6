//! 8b/10b: octets as ten bits with as many ones as zeros in the long run (IEEE 802.3 clause 36.2.4).
//!
//! An octet is D.x.y or K.x.y, where x are its low five bits and y its high three. x becomes six bits and y four, by
//! two small tables, each entry of which has two forms; the running disparity, which is whether there were more ones
//! or more zeros so far, chooses. A code-group is a number of ten bits, of which bit 0, called a, is first on the line.
//!
//! The tables of all 1,024 code-groups are computed from the small ones when the crate is compiled.

mod tables;

use tables::{DECODE, ENCODE, Found};

/// Whether the line had more ones or more zeros so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Disparity {
    /// More zeros: a sender begins so.
    #[default]
    Negative,
    /// More ones.
    Positive,
}

/// An octet, as data or control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Octet {
    /// K instead of D.
    pub control: bool,
    /// Its eight bits: y above x.
    pub value: u8,
}

/// Why a code-group is not taken (clause 36 calls both /INVALID/).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Invalid {
    /// No octet has it.
    Code,
    /// An octet has it, but at the other running disparity.
    Disparity,
}

impl Octet {
    /// The control octets that have a code-group: K28.0 to K28.7, K23.7, K27.7, K29.7 and K30.7.
    pub const CONTROL: [Self; 12] = [
        Self::k(28, 0),
        Self::k(28, 1),
        Self::k(28, 2),
        Self::k(28, 3),
        Self::k(28, 4),
        Self::k(28, 5),
        Self::k(28, 6),
        Self::k(28, 7),
        Self::k(23, 7),
        Self::k(27, 7),
        Self::k(29, 7),
        Self::k(30, 7),
    ];

    /// D.x.y: x below 32, y below 8.
    pub const fn d(x: u8, y: u8) -> Self {
        Self { control: false, value: y << 5 | x }
    }

    /// K.x.y: x below 32, y below 8; only [`Octet::CONTROL`] have a code-group.
    pub const fn k(x: u8, y: u8) -> Self {
        Self { control: true, value: y << 5 | x }
    }

    /// Data.
    pub const fn data(value: u8) -> Self {
        Self { control: false, value }
    }

    const fn index(self) -> usize {
        (self.control as usize) << 8 | self.value as usize
    }
}

/// The code-group of an octet, and the disparity behind it; `None` for a control octet that has none.
#[inline]
pub fn encode(octet: Octet, disparity: Disparity) -> Option<(u16, Disparity)> {
    ENCODE[disparity as usize][octet.index()]
}

/// The octet of a code-group, of which the low ten bits count, or why there is none; and the disparity behind it, which follows from its bits
/// in any case (clause 36.2.4.4).
#[inline]
pub fn decode(code_group: u16, disparity: Disparity) -> (Result<Octet, Invalid>, Disparity) {
    let (found, behind) = DECODE[disparity as usize][usize::from(code_group & 0x3ff)];
    let octet = match found {
        Found::Octet(octet) => Ok(octet),
        Found::Disparity => Err(Invalid::Disparity),
        Found::Nothing => Err(Invalid::Code),
    };
    (octet, behind)
}

/// Whether a code-group begins with a comma: 0011111 or 1100000, which stand nowhere else on a line without errors, except
/// behind K28.7.
#[inline]
pub const fn is_comma(code_group: u16) -> bool {
    matches!(code_group & 0x7f, 0b111_1100 | 0b000_0011)
}
