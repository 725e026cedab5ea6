//! A second reading of the specification: the TPP as binary digits.

use std::collections::HashMap;
use std::ops::RangeInclusive;

/// A location of switch memory.
pub struct Cell {
    pub value: u32,
    pub writable: bool,
}

/// A switch.
#[derive(Default)]
pub struct Switch {
    pub cells: HashMap<u16, Cell>,
    pub writes_enabled: bool,
    pub absent_guard_fails: bool,
    /// Application, whether for writing, addresses.
    pub rules: Option<Vec<(u8, bool, RangeInclusive<u16>)>>,
}

impl Switch {
    fn denies(&self, app: u8, write: bool, address: u16) -> bool {
        match &self.rules {
            None => false,
            Some(rules) => !rules
                .iter()
                .any(|(a, w, range)| *a == app && *w == write && range.contains(&address)),
        }
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:08b}")).collect()
}

fn value(digits: &str) -> u32 {
    digits.chars().fold(0, |sum, digit| 2 * sum + u32::from(digit == '1'))
}

/// The 16-bit ones' complement sum, carry by carry.
fn sum(bytes: &[u8]) -> u16 {
    let mut total: u16 = 0;
    for i in (0..bytes.len()).step_by(2) {
        let word = u16::from(bytes[i]) * 256 + u16::from(*bytes.get(i + 1).unwrap_or(&0));
        let (sum, carry) = total.overflowing_add(word);
        total = sum + u16::from(carry);
    }
    total
}

pub fn fix_checksum(bytes: &mut [u8]) {
    if bytes.len() < 12 {
        return;
    }
    let total = (usize::from(bytes[0]) * 256 + usize::from(bytes[1])).min(bytes.len()).max(12);
    bytes[8] = 0;
    bytes[9] = 0;
    let checksum = 0xffff - sum(&bytes[..total]);
    bytes[8] = (checksum / 256) as u8;
    bytes[9] = (checksum % 256) as u8;
}

/// The name of what is wrong with a TPP, in the order in which faults are looked for.
pub fn fault(bytes: &[u8]) -> Option<&'static str> {
    if bytes.len() < 12 {
        return Some("truncated");
    }
    let total = i64::from(bytes[0]) * 256 + i64::from(bytes[1]);
    let (memory, flags) = (i64::from(bytes[2]), digits(&bytes[3..4]));
    let (sp, per_hop) = (i64::from(bytes[5]), i64::from(bytes[6]));
    let word = if &flags[1..2] == "1" { 4 } else { 2 };
    let code = total - 12 - memory;
    let hop_mode = &flags[0..1] == "1";
    if total > bytes.len() as i64 {
        Some("truncated")
    } else if &flags[6..8] != "00" {
        Some("version")
    } else if code < 0 || code % 4 != 0 {
        Some("length")
    } else if code > 20 {
        Some("too_many_instructions")
    } else if memory % word != 0 || sp % word != 0 || hop_mode && per_hop % word != 0 {
        Some("alignment")
    } else if sp > memory {
        Some("stack_pointer")
    } else if sum(&bytes[..total as usize]) != 0xffff {
        Some("checksum")
    } else {
        None
    }
}

/// Executes one hop. Gives a reason for each instruction that was skipped, and for a guard that failed.
pub fn execute(bytes: &mut [u8], switch: &mut Switch) -> Vec<&'static str> {
    let all = digits(bytes);
    let field = |from: usize, to: usize| value(&all[8 * from..8 * to]);
    let flag = |number: usize| &all[24 + number..25 + number] == "1";
    if flag(3) {
        return Vec::new();
    }
    let (hop_mode, wide, report_back) = (flag(0), flag(1), flag(4));
    let unit: i64 = if wide { 32 } else { 16 };
    let memory_bits = i64::from(field(2, 3)) * 8;
    let code_end = (field(0, 2) - field(2, 3)) as usize;
    let (hop, app) = (field(4, 5), field(7, 8) as u8);
    let mut stack = i64::from(field(5, 6)) * 8;
    let base = if hop_mode { i64::from(hop) * i64::from(field(6, 7)) * 8 } else { 0 };
    // Packet memory as digits; an access outside of it gives nothing.
    let mut memory: String = all[8 * code_end..].to_owned();
    let own = [
        field(0, 2),
        field(2, 3),
        field(3, 4),
        hop,
        field(5, 6),
        field(6, 7),
        field(7, 8),
        field(8, 10),
        field(10, 12),
    ];
    let mut reasons = Vec::new();
    for at in (12..code_end).step_by(4) {
        let code = &all[8 * at..8 * at + 32];
        let address = value(&code[4..20]) as u16;
        let slot = |digits: &str, bits: i64| {
            let from = base + i64::from(value(digits)) * unit;
            (from + bits <= memory_bits).then_some(from as usize..(from + bits) as usize)
        };
        let (one, two) = (&code[20..26], &code[26..32]);
        // What a read gives, or why it does not.
        let read = |address: u16| {
            if switch.denies(app, false, address) {
                Err("denied")
            } else if (0xc240..0xc249).contains(&address) {
                Ok(own[usize::from(address) - 0xc240])
            } else {
                switch.cells.get(&address).map(|cell| cell.value).ok_or("absent")
            }
        };
        let text = |number: u32| match wide {
            true => format!("{number:032b}"),
            false => format!("{:016b}", number % 65_536),
        };
        let result: Result<(), &str> = match &code[..4] {
            "0000" => Ok(()),
            "0001" => match slot(one, unit) {
                None => Err("out of memory"),
                Some(slot) => read(address).map(|found| memory.replace_range(slot, &text(found))),
            },
            "0011" => {
                let at = stack;
                stack += unit;
                if at < 0 || at + unit > memory_bits {
                    Err("out of memory")
                } else {
                    let slot = at as usize..(at + unit) as usize;
                    read(address).map(|found| memory.replace_range(slot, &text(found)))
                }
            }
            "0010" | "0100" => {
                let slot = if &code[..4] == "0010" {
                    slot(one, unit)
                } else {
                    stack -= unit;
                    let outside = stack < 0 || stack + unit > memory_bits;
                    (!outside).then_some(stack as usize..(stack + unit) as usize)
                };
                match slot.map(|slot| value(&memory[slot])) {
                    None => Err("out of memory"),
                    Some(_) if switch.denies(app, true, address) => Err("denied"),
                    Some(_) if !switch.writes_enabled => Err("disabled"),
                    Some(number) => match switch.cells.get_mut(&address) {
                        None => Err("absent"),
                        Some(cell) if !cell.writable => Err("read only"),
                        Some(cell) => {
                            cell.value = number;
                            Ok(())
                        }
                    },
                }
            }
            "0101" => match (slot(one, unit), slot(two, unit)) {
                (Some(old), Some(new)) => {
                    let denied =
                        switch.denies(app, false, address) || switch.denies(app, true, address);
                    match switch.cells.get_mut(&address) {
                        _ if denied => Err("denied"),
                        _ if !switch.writes_enabled => Err("disabled"),
                        None => Err("absent"),
                        Some(cell) if !cell.writable => Err("read only"),
                        Some(cell) => {
                            let seen = text(cell.value);
                            if seen == memory[old.clone()] {
                                cell.value = value(&memory[new]);
                            }
                            if report_back {
                                memory.replace_range(old, &seen);
                            }
                            Ok(())
                        }
                    }
                }
                _ => Err("out of memory"),
            },
            "0110" => {
                let mask = match one {
                    "111111" => Some("1".repeat(32)),
                    _ => slot(one, 32).map(|slot| memory[slot].to_owned()),
                };
                match (mask, slot(two, 32)) {
                    (Some(mask), Some(slot)) => match read(address) {
                        Err(reason) => Err(reason),
                        Ok(found) if found & value(&mask) == value(&memory[slot]) => Ok(()),
                        Ok(_) => {
                            reasons.push("guard failed");
                            break;
                        }
                    },
                    _ => Err("out of memory"),
                }
            }
            "0111" => match (slot(one, unit), slot(two, unit)) {
                (Some(to), Some(from)) => match value(&memory[from]) {
                    address if address > 0xffff => Err("absent"),
                    address => {
                        read(address as u16).map(|found| memory.replace_range(to, &text(found)))
                    }
                },
                _ => Err("out of memory"),
            },
            _ => Err("reserved"),
        };
        if let Err(reason) = result {
            reasons.push(reason);
            if &code[..4] == "0110" && switch.absent_guard_fails {
                reasons.push("guard failed");
                break;
            }
        }
    }
    let length = code_end;
    for (i, digits) in memory.as_bytes().chunks(8).enumerate() {
        bytes[length + i] = value(std::str::from_utf8(digits).expect("digits")) as u8;
    }
    bytes[4] = (hop + 1).min(255) as u8;
    bytes[5] = (stack.max(0).min(memory_bits) / 8) as u8;
    fix_checksum(bytes);
    reasons
}
