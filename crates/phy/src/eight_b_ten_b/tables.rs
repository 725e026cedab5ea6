//! Code-groups, computed from the codes of five bits and of three (IEEE 802.3 tables 36-1 and 36-2, of which these are the parts).

use super::{Disparity, Octet};

/// abcdei of each x at negative disparity, in the order of the line. At positive disparity it is inverted, if it has
/// more ones than zeros, or is that of 7.
const SIX: [&[u8; 6]; 32] = [
    b"100111", b"011101", b"101101", b"110001", b"110101", b"101001", b"011001", b"111000",
    b"111001", b"100101", b"010101", b"110100", b"001101", b"101100", b"011100", b"010111",
    b"011011", b"100011", b"010011", b"110010", b"001011", b"101010", b"011010", b"111010",
    b"110011", b"100110", b"010110", b"110110", b"001110", b"101110", b"011110", b"101011",
];

/// abcdei of K28.
const SIX_K28: &[u8; 6] = b"001111";

/// fghj of each y at negative disparity; at positive it is inverted, if it has more ones than zeros, or is that of 3.
const FOUR: [&[u8; 4]; 8] =
    [b"1011", b"1001", b"0101", b"1100", b"1101", b"1010", b"0110", b"1110"];

/// fghj of 7 where that above would make a run of five with the bits in front of it, and of K.x.7.
const FOUR_7: &[u8; 4] = b"0111";

/// fghj of control octets at negative disparity; at positive it is always inverted, so that no comma comes about.
const FOUR_K: [&[u8; 4]; 8] =
    [b"1011", b"0110", b"1010", b"1100", b"1101", b"0101", b"1001", b"0111"];

/// The code-group of an octet and the disparity behind it.
type Encoded = Option<(u16, Disparity)>;

/// By disparity, and then by control and value.
pub(super) static ENCODE: [[Encoded; 512]; 2] =
    [encodings(Disparity::Negative), encodings(Disparity::Positive)];

/// What a code-group stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found {
    Octet(Octet),
    /// One of the other disparity.
    Disparity,
    Nothing,
}

/// By disparity, and then by code-group.
pub(super) static DECODE: [[(Found, Disparity); 1024]; 2] =
    [decodings(Disparity::Negative), decodings(Disparity::Positive)];

/// The first on the line is bit 0.
const fn bits(text: &[u8]) -> u16 {
    let (mut bits, mut n) = (0, 0);
    while n < text.len() {
        bits |= ((text[n] == b'1') as u16) << n;
        n += 1;
    }
    bits
}

const fn is_positive(disparity: Disparity) -> bool {
    matches!(disparity, Disparity::Positive)
}

/// The disparity behind six or four bits. Those with as many ones as zeros leave it, but 000111 and 0011 end high, 111000 and 1100
/// low.
const fn behind(bits: u16, length: u32, before: Disparity) -> Disparity {
    let twice = 2 * bits.count_ones();
    let high =
        bits == self::bits(b"000111") && length == 6 || bits == self::bits(b"0011") && length == 4;
    let low =
        bits == self::bits(b"111000") && length == 6 || bits == self::bits(b"1100") && length == 4;
    if twice > length || high {
        Disparity::Positive
    } else if twice < length || low {
        Disparity::Negative
    } else {
        before
    }
}

/// The disparity behind a code-group, whether an octet has it or not.
const fn behind_code_group(code_group: u16, before: Disparity) -> Disparity {
    behind(code_group >> 6, 4, behind(code_group & 0x3f, 6, before))
}

/// One of the two forms.
const fn form(bits: u16, length: u32, disparity: Disparity, always: bool) -> u16 {
    let inverts = always || 2 * bits.count_ones() != length;
    if inverts && is_positive(disparity) { !bits & ((1 << length) - 1) } else { bits }
}

const fn code_group(octet: Octet, disparity: Disparity) -> Option<u16> {
    let (x, y) = ((octet.value & 31) as usize, (octet.value >> 5) as usize);
    if octet.control && !(x == 28 || y == 7 && (x == 23 || x == 27 || x == 29 || x == 30)) {
        return None;
    }
    let six = bits(if octet.control && x == 28 { SIX_K28 } else { SIX[x] });
    let six = form(six, 6, disparity, x == 7);
    let between = behind(six, 6, disparity);
    let four = if octet.control {
        form(bits(FOUR_K[y]), 4, between, true)
    } else {
        let runs = match between {
            Disparity::Negative => x == 17 || x == 18 || x == 20,
            Disparity::Positive => x == 11 || x == 13 || x == 14,
        };
        form(bits(if y == 7 && runs { FOUR_7 } else { FOUR[y] }), 4, between, y == 3)
    };
    Some(four << 6 | six)
}

const fn octet_of(index: usize) -> Octet {
    Octet { control: index >= 256, value: index as u8 }
}

const fn encodings(disparity: Disparity) -> [Encoded; 512] {
    let mut table = [None; 512];
    let mut index = 0;
    while index < 512 {
        if let Some(bits) = code_group(octet_of(index), disparity) {
            table[index] = Some((bits, behind_code_group(bits, disparity)));
        }
        index += 1;
    }
    table
}

const fn decodings(disparity: Disparity) -> [(Found, Disparity); 1024] {
    let mut table = [(Found::Nothing, Disparity::Negative); 1024];
    let other = if is_positive(disparity) { Disparity::Negative } else { Disparity::Positive };
    let mut index = 0;
    while index < 512 {
        if let Some(bits) = code_group(octet_of(index), other) {
            table[bits as usize].0 = Found::Disparity;
        }
        index += 1;
    }
    index = 0;
    while index < 512 {
        if let Some(bits) = code_group(octet_of(index), disparity) {
            table[bits as usize].0 = Found::Octet(octet_of(index));
        }
        index += 1;
    }
    index = 0;
    while index < 1024 {
        table[index].1 = behind_code_group(index as u16, disparity);
        index += 1;
    }
    table
}
