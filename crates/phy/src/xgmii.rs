//! Words of XGMII: eight lanes, each with a control bit and an octet (IEEE 802.3 clause 46).

use crate::character::{ERROR, IDLE, SEQUENCE};

/// What eight lanes carry in one period of 156.25 MHz.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Word {
    /// Octets, that of lane 0, which is first on the line, in the low byte.
    pub data: u64,
    /// Bit i is one if lane i carries a control character.
    pub control: u8,
}

const fn repeated(octet: u8) -> u64 {
    u64::from_le_bytes([octet; 8])
}

impl Word {
    /// Eight idle characters.
    pub const IDLE: Self = Self { data: repeated(IDLE), control: 0xff };
    /// Eight error characters.
    pub const ERROR: Self = Self { data: repeated(ERROR), control: 0xff };
    /// Local fault, twice: what a receiver says that has no link (clause 46.3.4).
    pub const LOCAL_FAULT: Self =
        Self { data: 0x0100_0000_0100_0000 | repeated(0) | 0x9c_0000_009c, control: 0x11 };

    /// The lanes as (is it control, octet).
    pub fn lanes(self) -> [(bool, u8); 8] {
        let octets = self.data.to_le_bytes();
        std::array::from_fn(|lane| (self.control >> lane & 1 == 1, octets[lane]))
    }

    /// The word of eight lanes.
    pub fn of_lanes(lanes: [(bool, u8); 8]) -> Self {
        let control = (0..8).fold(0, |sum, lane| sum | u8::from(lanes[lane].0) << lane);
        Self { data: u64::from_le_bytes(lanes.map(|lane| lane.1)), control }
    }

    /// As 72 bits, eight groups {control, octet} of nine, the group of lane 0 in the low bits.
    pub fn to_bits(self) -> u128 {
        self.lanes().iter().enumerate().fold(0, |sum, (lane, (control, octet))| {
            sum | (u128::from(*control) << 8 | u128::from(*octet)) << (9 * lane)
        })
    }
}

const _: () = assert!(Word::LOCAL_FAULT.data as u8 == SEQUENCE);

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec 000 section 2.3.
    #[test]
    fn idle_as_bits() {
        assert_eq!(Word::IDLE.to_bits(), 0x83_c1e0_f078_3c1e_0f07);
    }

    #[test]
    fn local_fault_is_two_ordered_sets() {
        let set = [(true, 0x9c), (false, 0), (false, 0), (false, 1)];
        let lanes: Vec<_> = [set, set].concat();
        assert_eq!(Word::LOCAL_FAULT.lanes().to_vec(), lanes);
    }
}
