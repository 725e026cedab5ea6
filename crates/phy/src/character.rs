//! Characters of XGMII and their seven-bit codes in blocks (IEEE 802.3 tables 46-3 and 49-1).

/// Idle.
pub const IDLE: u8 = 0x07;
/// Idle of a link that saves energy.
pub const LOW_POWER_IDLE: u8 = 0x06;
/// Start of a frame, in the place of its first byte of preamble.
pub const START: u8 = 0xfb;
/// End of a frame, behind its last byte.
pub const TERMINATE: u8 = 0xfd;
/// Error.
pub const ERROR: u8 = 0xfe;
/// First of an ordered set of four: a sequence, such as local fault.
pub const SEQUENCE: u8 = 0x9c;
/// First of an ordered set of four: a signal.
pub const SIGNAL: u8 = 0x5c;

/// Control characters that have a code of their own, other than /O/, /S/ and /T/, with it.
pub const CODES: [(u8, u8); 9] = [
    (IDLE, 0x00),
    (LOW_POWER_IDLE, 0x06),
    (ERROR, 0x1e),
    (0x1c, 0x2d),
    (0x3c, 0x33),
    (0x7c, 0x4b),
    (0xbc, 0x55),
    (0xdc, 0x66),
    (0xf7, 0x78),
];

/// The code of a control character other than /O/, /S/ and /T/; `None` if it has none.
pub const fn code(character: u8) -> Option<u8> {
    let mut n = 0;
    while n < CODES.len() {
        if CODES[n].0 == character {
            return Some(CODES[n].1);
        }
        n += 1;
    }
    None
}

/// The control character of a code of seven bits; `None` if none has it.
pub const fn of_code(code: u8) -> Option<u8> {
    let mut n = 0;
    while n < CODES.len() {
        if CODES[n].1 == code {
            return Some(CODES[n].0);
        }
        n += 1;
    }
    None
}

/// The code of four bits of the first character of an ordered set.
pub const fn ordered_code(character: u8) -> Option<u8> {
    match character {
        SEQUENCE => Some(0x0),
        SIGNAL => Some(0xf),
        _ => None,
    }
}

/// The first character of an ordered set with this code of four bits.
pub const fn of_ordered_code(code: u8) -> Option<u8> {
    match code {
        0x0 => Some(SEQUENCE),
        0xf => Some(SIGNAL),
        _ => None,
    }
}
