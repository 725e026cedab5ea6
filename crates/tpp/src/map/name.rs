//! Names of addresses, both ways: `Link$3:TX-Bytes` is 0x60ca.

use super::table::SEGMENTS;
use super::{Entry, Location, Segment, locate};
use std::fmt::Write as _;
use ww_spelling::suggestion;

/// Addresses from the first to the second, both included.
pub type Range = (u16, u16);

/// Why the map does not have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// What is wrong.
    pub message: String,
    /// What may have been meant.
    pub help: Option<String>,
}

fn error(message: String) -> NameError {
    NameError { message, help: None }
}

/// The address of a name, `Namespace:Entry`. Indices follow the namespace, `Link$3` or `Link3`, and
/// numbers the entry, `Reg1`. Case does not count.
///
/// # Errors
/// Says which part of the name is unknown, and which is near.
pub fn lookup(name: &str) -> Result<u16, NameError> {
    let Some((namespace, entry)) = name.split_once(':') else {
        return Err(error(format!(
            "expected Namespace:Name or an address, found '{}'",
            shortened(name)
        )));
    };
    let (namespace, entry) = (namespace.trim(), entry.trim());
    let (word, indices) = split_indices(namespace)?;
    let known = |s: &&Segment| s.namespace.eq_ignore_ascii_case(word);
    if !SEGMENTS.iter().any(|s| known(&s)) {
        let help = suggestion(word, SEGMENTS.iter().map(|s| s.namespace));
        return Err(NameError {
            message: format!("there is no namespace '{}'", shortened(word)),
            help: help.map(|near| format!("did you mean '{near}'?")),
        });
    }
    let fitting: Vec<&Segment> =
        SEGMENTS.iter().filter(known).filter(|s| s.indices.len() == indices.len()).collect();
    if fitting.is_empty() {
        let mut forms: Vec<String> = SEGMENTS.iter().filter(known).map(form).collect();
        forms.dedup();
        return Err(NameError {
            message: format!("'{}' has the wrong number of indices", shortened(namespace)),
            help: Some(format!("write {}", forms.join(" or "))),
        });
    }
    for segment in &fitting {
        for (value, index) in indices.iter().zip(segment.indices) {
            if *value >= index.count.into() {
                return Err(error(format!(
                    "'{}': the index {value} is above {}",
                    shortened(namespace),
                    index.count - 1
                )));
            }
        }
        if let Some(offset) = segment.entries.iter().find_map(|e| offset_of(e, entry)) {
            let instance: u16 =
                indices.iter().zip(segment.indices).map(|(v, i)| *v as u16 * i.stride).sum();
            return Ok(segment.base + instance + offset?);
        }
    }
    let entries = fitting.iter().flat_map(|s| s.entries);
    let mut words: Vec<String> = Vec::new();
    for e in entries {
        words.push(spelled(e, 0));
        words.extend(e.aliases.iter().map(|&alias| alias.to_owned()));
    }
    let near = suggestion(entry, words.iter().map(String::as_str));
    Err(NameError {
        message: format!("'{}' has no '{}'", fitting[0].namespace, shortened(entry)),
        help: near.map(|near| format!("did you mean '{near}'?")),
    })
}

/// The offset if this is the entry's name; an error if its number is too large.
fn offset_of(entry: &Entry, word: &str) -> Option<Result<u16, NameError>> {
    let same = |name: &str| name.eq_ignore_ascii_case(word);
    if entry.count == 1 {
        if same(entry.name) || entry.aliases.iter().any(|alias| same(alias)) {
            return Some(Ok(entry.offset));
        }
        let low = word.get(..word.len().wrapping_sub(4)).unwrap_or_default();
        let high = word.get(low.len()..).is_some_and(|tail| tail.eq_ignore_ascii_case("High"));
        let named = entry.name.eq_ignore_ascii_case(low)
            || entry.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(low));
        return (entry.wide && high && named).then_some(Ok(entry.offset + 1));
    }
    let (name, number) = word.split_at_checked(entry.name.len())?;
    if !name.eq_ignore_ascii_case(entry.name) {
        return None;
    }
    let number: u64 = digits(number)?;
    Some(match number < u64::from(entry.count) {
        true => Ok(entry.offset + number as u16),
        false => Err(error(format!("{}{number} is above {}", entry.name, entry.count - 1))),
    })
}

/// A decimal number of 1 to 6 digits.
fn digits(text: &str) -> Option<u64> {
    let plain = (1..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// `Queue$1$2` is `Queue` with 1 and 2; `Stage1` is `Stage` with 1.
fn split_indices(text: &str) -> Result<(&str, Vec<u64>), NameError> {
    let wrong = || error(format!("'{}': an index is a decimal number", shortened(text)));
    if let Some((word, rest)) = text.split_once('$') {
        let indices = rest.split('$').map(|part| digits(part).ok_or_else(wrong));
        return Ok((word, indices.collect::<Result<_, _>>()?));
    }
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
    match &text[word.len()..] {
        "" => Ok((word, Vec::new())),
        number => Ok((word, vec![digits(number).ok_or_else(wrong)?])),
    }
}

/// How a segment's namespace is written: `Queue$i$j`.
pub(super) fn form(segment: &Segment) -> String {
    let letters = ["$i", "$j"];
    format!("{}{}", segment.namespace, letters[..segment.indices.len()].concat())
}

/// An entry's name with its number, if it has one.
fn spelled(entry: &Entry, number: u16) -> String {
    match entry.count {
        1 => entry.name.to_owned(),
        _ => format!("{}{number}", entry.name),
    }
}

impl Location {
    /// The name that [`lookup`] finds.
    pub fn name(&self) -> String {
        let mut name = self.segment.namespace.to_owned();
        for index in &self.indices {
            let _ = write!(name, "${index}");
        }
        let high = if self.high { "High" } else { "" };
        format!("{name}:{}{high}", spelled(self.entry, self.number))
    }
}

/// The name of an address, if the map has one.
pub fn name(address: u16) -> Option<String> {
    Some(locate(address)?.name())
}

/// The address with its name, for people.
pub fn describe(address: u16) -> String {
    match name(address) {
        Some(name) => format!("0x{address:04x} {name}"),
        None => format!("0x{address:04x}"),
    }
}

/// All named addresses in order.
pub fn names() -> impl Iterator<Item = (u16, String)> {
    (0..=u16::MAX).filter_map(|address| Some((address, name(address)?)))
}

/// The beginning of a word, for a message.
fn shortened(word: &str) -> String {
    word.chars().flat_map(char::escape_debug).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_paper() {
        for (name, address) in [
            ("Switch:SwitchID", 0x0000),
            ("Switch:ID", 0x0000),
            ("Switch:VendorID", 0x0001),
            ("Queue:QueueOccupancy", 0xb000),
            ("Link:QueueSize", 0x8002),
            ("Link:RX-Utilization", 0x8005),
            ("Link:TX-Bytes", 0x800a),
            ("Link:TX-BytesHigh", 0x800b),
            // 0x6000 + 3 * 0x40 + 8 + 2
            ("Link$3:TX-Bytes", 0x60ca),
            ("link3:tx-bytes", 0x60ca),
            ("Link:AppSpecific_0", 0xd000),
            ("Link:AppSpecific_15", 0xd00f),
            // 0x6000 + 1 * 0x40 + 48
            ("Link$1:AppSpecific_0", 0x6070),
            // 0x1000 + 0x100 + 0x40 + 1
            ("Stage1:Reg1", 0x1141),
            ("Stage$3:Reg3", 0x1343),
            // 0x9000 + 2 * 0x100 + 5 * 0x20
            ("Queue$2$5:QueueOccupancy", 0x92a0),
            ("PacketMetadata:OutputPort", 0xc040),
            ("PacketMetadata:InputPort", 0xc000),
            ("PacketMetadata:MatchedEntryID", 0xc044),
            ("PacketMetadata:HopNumber", 0xc243),
            // 0xe000 + 2 * 0x40 + 63
            ("Stage2:Sram_63", 0xe0bf),
        ] {
            assert_eq!(lookup(name), Ok(address), "{name}");
        }
    }

    #[test]
    fn every_name_leads_back() {
        let mut count = 0;
        for (address, name) in names() {
            assert_eq!(lookup(&name), Ok(address), "{name}");
            count += 1;
        }
        assert!(count > 10_000, "{count}");
        assert_eq!(name(0xf000), None);
        assert_eq!(describe(0xff00), "0xff00");
    }

    #[test]
    fn what_is_not_there() {
        let complaint = |name: &str| {
            let error = lookup(name).expect_err(name);
            format!("{}; {}", error.message, error.help.unwrap_or_default())
        };
        assert_eq!(
            complaint("Swich:SwitchID"),
            "there is no namespace 'Swich'; did you mean 'Switch'?"
        );
        assert_eq!(
            complaint("Switch:SwitchId2"),
            "'Switch' has no 'SwitchId2'; did you mean 'SwitchID'?"
        );
        assert_eq!(
            complaint("Stage:Reg1"),
            "'Stage' has the wrong number of indices; write Stage$i"
        );
        assert_eq!(complaint("Stage48:Reg1"), "'Stage48': the index 48 is above 47; ");
        assert_eq!(complaint("Stage1:Reg64"), "Reg64 is above 63; ");
        assert_eq!(complaint("Link$x:ID"), "'Link$x': an index is a decimal number; ");
        assert_eq!(
            complaint("nothing"),
            "expected Namespace:Name or an address, found 'nothing'; "
        );
    }
}
