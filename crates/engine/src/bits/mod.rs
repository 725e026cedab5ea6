//! Fixed-width bit strings: the values of `bit<W>` and `int<W>` (P4_16 §8.6, §8.7).
//!
//! A [`Bits`] is a width and a pattern of that many bits. Signed values are the same patterns
//! read as two's complement, so each operation that differs by sign has a form for each.

mod arithmetic;
mod buffer;

pub use buffer::{BitReader, BitWriter};

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A bit string of a fixed width (0 upwards).
///
/// Widths up to 128 live in a machine integer; both forms keep the bits beyond the width zero.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Bits {
    /// At most 128 bits.
    Small {
        /// Number of bits, 0 to 128.
        width: u32,
        /// The pattern.
        value: u128,
    },
    /// More than 128 bits.
    Wide {
        /// Number of bits, 129 upwards.
        width: u32,
        /// The pattern.
        value: Box<BigUint>,
    },
}

/// The largest number of `width` bits, for `width` up to 128.
fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The largest number of `width` bits.
pub fn all_ones(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

impl Bits {
    /// The low `width` bits of `value`.
    pub fn new(width: u32, value: u128) -> Self {
        if width <= 128 {
            Bits::Small { width, value: value & mask(width) }
        } else {
            Bits::Wide { width, value: Box::new(BigUint::from(value)) }
        }
    }

    /// Zero.
    pub fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// All bits set.
    pub fn ones(width: u32) -> Self {
        if width <= 128 {
            Bits::Small { width, value: mask(width) }
        } else {
            Bits::Wide { width, value: Box::new(all_ones(width)) }
        }
    }

    /// One bit.
    pub fn from_bool(value: bool) -> Self {
        Bits::Small { width: 1, value: u128::from(value) }
    }

    /// The low `width` bits of `value`.
    pub fn from_biguint(width: u32, value: &BigUint) -> Self {
        if width <= 128 {
            let low = value.iter_u64_digits().take(2).enumerate();
            let value = low.fold(0u128, |sum, (n, digit)| sum | u128::from(digit) << (64 * n));
            Bits::Small { width, value: value & mask(width) }
        } else if value.bits() <= u64::from(width) {
            Bits::Wide { width, value: Box::new(value.clone()) }
        } else {
            Bits::Wide { width, value: Box::new(value & all_ones(width)) }
        }
    }

    /// The low `width` bits of `value` in two's complement.
    pub fn from_bigint(width: u32, value: &BigInt) -> Self {
        match value.sign() {
            Sign::Minus => {
                let modulus = BigInt::one() << width;
                let reduced: BigInt = ((value % &modulus) + &modulus) % &modulus;
                Self::from_biguint(width, reduced.magnitude())
            }
            _ => Self::from_biguint(width, value.magnitude()),
        }
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        match self {
            Bits::Small { width, .. } | Bits::Wide { width, .. } => *width,
        }
    }

    /// The pattern as a number from 0.
    pub fn to_biguint(&self) -> BigUint {
        match self {
            Bits::Small { value, .. } => BigUint::from(*value),
            Bits::Wide { value, .. } => (**value).clone(),
        }
    }

    /// The pattern in two's complement.
    pub fn to_bigint_signed(&self) -> BigInt {
        let value = BigInt::from(self.to_biguint());
        if self.sign_bit() { value - (BigInt::one() << self.width()) } else { value }
    }

    /// The number, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match self {
            Bits::Small { value, .. } => Some(*value),
            Bits::Wide { value, .. } => value.to_u128(),
        }
    }

    /// The number, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|v| u64::try_from(v).ok())
    }

    /// The number, or the largest `u64` if it does not fit.
    pub fn to_u64_saturating(&self) -> u64 {
        self.to_u64().unwrap_or(u64::MAX)
    }

    /// The low 64 bits.
    pub fn low_u64(&self) -> u64 {
        match self {
            Bits::Small { value, .. } => *value as u64,
            Bits::Wide { value, .. } => value.iter_u64_digits().next().unwrap_or(0),
        }
    }

    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        match self {
            Bits::Small { value, .. } => *value == 0,
            Bits::Wide { value, .. } => value.is_zero(),
        }
    }

    /// The highest bit; `false` if there is none.
    pub fn sign_bit(&self) -> bool {
        match self {
            Bits::Small { width: 0, .. } => false,
            Bits::Small { width, value } => value >> (width - 1) & 1 == 1,
            Bits::Wide { width, value } => value.bit(u64::from(width - 1)),
        }
    }

    /// Compares the numbers; of two widths too.
    pub fn compare(&self, other: &Bits) -> Ordering {
        match (self, other) {
            (Bits::Small { value: a, .. }, Bits::Small { value: b, .. }) => a.cmp(b),
            _ => self.to_biguint().cmp(&other.to_biguint()),
        }
    }

    /// Compares two's complement numbers of one width.
    pub fn compare_signed(&self, other: &Bits) -> Ordering {
        match (self.sign_bit(), other.sign_bit()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.compare(other),
        }
    }

    /// The sign-extended value of a width up to 128.
    fn small_signed(width: u32, value: u128) -> i128 {
        if width == 0 {
            0
        } else {
            let spare = 128 - width;
            ((value << spare) as i128) >> spare
        }
    }

    /// The pattern from the most significant bit on, in whole bytes; the last byte is padded
    /// with zero bits at its low end.
    pub fn to_bytes_left_aligned(&self) -> Vec<u8> {
        let mut writer = BitWriter::new();
        writer.write(self);
        writer.into_bytes()
    }
}

/// In hexadecimal, with as many digits as the width asks for.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = (self.width().div_ceil(4)).max(1) as usize;
        match self {
            Bits::Small { value, .. } => write!(f, "0x{value:0digits$x}"),
            Bits::Wide { value, .. } => write!(f, "0x{:0digits$x}", **value),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}w{self}", self.width())
    }
}
