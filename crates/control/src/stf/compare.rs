//! Expected packets against those that left.

use super::syntax::PacketPattern;
use std::collections::BTreeMap;
use std::fmt::Write;
use ww_p4::source::Span;

/// Bytes on one line of a report; longer packets show a window around the difference.
const WINDOW: usize = 32;

/// A packet that left.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// The bytes.
    pub frame: Vec<u8>,
    /// The `packet` line that it came from.
    pub cause: Span,
    /// Number of that packet, from 1.
    pub number: usize,
}

/// An `expect` line.
#[derive(Clone, Debug)]
pub(super) struct Expectation {
    /// What must leave.
    pub pattern: Option<PacketPattern>,
    /// The line.
    pub span: Span,
}

/// Both lists of one port.
#[derive(Clone, Debug, Default)]
pub(super) struct PortLog {
    /// In the order in which they left.
    pub outputs: Vec<Output>,
    /// In the order of the file.
    pub expected: Vec<Expectation>,
    /// Whether a line names the port.
    pub named: bool,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The line that shows it best.
    pub span: Span,
    /// Several lines of text.
    pub message: String,
}

/// All ports.
#[derive(Clone, Debug, Default)]
pub(super) struct Ports(BTreeMap<u32, PortLog>);

impl Ports {
    /// The lists of a port.
    pub fn port(&mut self, port: u32) -> &mut PortLog {
        self.0.entry(port).or_default()
    }

    /// Number of packets that left.
    pub fn outputs(&self) -> usize {
        self.0.values().map(|log| log.outputs.len()).sum()
    }

    /// The first packet, in the order of the file, whose contents differ from its expectation.
    pub fn wrong_contents(&self) -> Option<Difference> {
        let differences = self.0.iter().flat_map(|(port, log)| {
            let pairs = log.expected.iter().zip(&log.outputs).enumerate();
            pairs.filter_map(|(n, (expected, found))| contents(*port, n + 1, expected, found))
        });
        differences.min_by_key(|d| d.span.lo)
    }

    /// The first packet that no `expect` so far accounts for, on any port.
    pub fn unaccounted(&self) -> Option<Difference> {
        let extra = self.0.iter().filter_map(|(port, log)| {
            log.outputs.get(log.expected.len()).map(|found| unexpected(*port, log, found))
        });
        extra.min_by_key(|d| d.span.lo)
    }

    /// The first difference once the test is over: contents, packets that are missing, packets
    /// that nobody expects on ports that the test names.
    pub fn first_difference(&self) -> Option<Difference> {
        let missing = self.0.iter().filter_map(|(port, log)| {
            let expected = log.expected.get(log.outputs.len())?;
            let others: Vec<String> = self
                .0
                .iter()
                .filter(|(other, log)| *other != port && log.outputs.len() > log.expected.len())
                .map(|(other, log)| {
                    format!("{} too many on port {other}", log.outputs.len() - log.expected.len())
                })
                .collect();
            let note = match others.is_empty() {
                true => String::new(),
                false => format!("\n  ({})", others.join(", ")),
            };
            Some(Difference {
                span: expected.span,
                message: format!(
                    "port {port}: packet {} of {} never left{note}",
                    log.outputs.len() + 1,
                    log.expected.len()
                ),
            })
        });
        let extra = self.0.iter().filter(|(_, log)| log.named).filter_map(|(port, log)| {
            log.outputs.get(log.expected.len()).map(|found| unexpected(*port, log, found))
        });
        self.wrong_contents().into_iter().chain(missing).chain(extra).min_by_key(|d| d.span.lo)
    }
}

fn unexpected(port: u32, log: &PortLog, found: &Output) -> Difference {
    let bytes: Vec<String> = found.frame.iter().map(|b| format!("{b:02x}")).collect();
    let shown = line(&bytes, 0, bytes.len().min(2 * WINDOW));
    let dots = if bytes.len() > 2 * WINDOW { " ..." } else { "" };
    let message = format!(
        "port {port}: packet {} left but only {} expected (it came from input packet {})\n  \
         found {shown}{dots}  ({} bytes)",
        log.expected.len() + 1,
        match log.expected.len() {
            0 => "none was".to_owned(),
            1 => "1 was".to_owned(),
            n => format!("{n} were"),
        },
        found.number,
        found.frame.len(),
    );
    Difference { span: found.cause, message }
}

fn contents(
    port: u32,
    number: usize,
    expected: &Expectation,
    found: &Output,
) -> Option<Difference> {
    let pattern = expected.pattern.as_ref()?;
    let offset = pattern.first_difference(&found.frame)?;
    let want = pattern.bytes_as_text();
    let have: Vec<String> = found.frame.iter().map(|b| format!("{b:02x}")).collect();
    let longest = want.len().max(have.len());
    let from = if longest <= 2 * WINDOW { 0 } else { offset.saturating_sub(WINDOW / 2) };
    let to = if longest <= 2 * WINDOW { longest } else { (from + WINDOW).min(longest) };
    let dots = if from > 0 { "... " } else { "" };
    let more = |length: usize| if to < length { " ..." } else { "" };
    let mut message = format!(
        "port {port}, packet {number} (from input packet {}): {} at byte {offset}",
        found.number,
        if offset >= have.len() {
            "ends"
        } else if offset >= want.len() {
            "goes on"
        } else {
            "differs"
        },
    );
    let end = match (pattern.exact, to >= want.len()) {
        (true, true) => "$",
        _ => "",
    };
    let _ = write!(
        message,
        "\n  expected {dots}{}{end}{}  ({}{} bytes)\n  found    {dots}{}{}  ({} bytes)\n           {:indent$}^",
        line(&want, from, to),
        more(want.len()),
        if pattern.exact { "" } else { "at least " },
        want.len(),
        line(&have, from, to),
        more(have.len()),
        have.len(),
        "",
        indent = dots.len() + 3 * (offset - from),
    );
    Some(Difference { span: expected.span, message })
}

fn line(bytes: &[String], from: usize, to: usize) -> String {
    bytes.get(from.min(bytes.len())..to.min(bytes.len())).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_p4::source::FileId;

    fn span(lo: u32) -> Span {
        Span { file: FileId(0), lo, hi: lo + 1 }
    }

    fn pattern(text: &str) -> PacketPattern {
        let exact = text.ends_with('$');
        let digits = text.trim_end_matches('$').chars();
        let nibbles = digits.map(|c| c.to_digit(16).map(|d| d as u8)).collect();
        PacketPattern { nibbles, exact }
    }

    #[test]
    fn where_packets_differ() {
        let at = |text, packet: &[u8]| pattern(text).first_difference(packet);
        assert_eq!(at("0102$", &[1, 2]), None);
        assert_eq!(at("0102$", &[1, 3]), Some(1));
        assert_eq!(at("01*2", &[1, 0xf2]), None);
        assert_eq!(at("012*", &[1, 0xf2]), Some(1));
        assert_eq!(at("01", &[1, 2]), None);
        assert_eq!(at("01$", &[1, 2]), Some(1));
        assert_eq!(at("0102", &[1]), Some(1));
        assert_eq!(at("", &[]), None);
        assert_eq!(at("$", &[1]), Some(0));
    }

    fn ports(expected: &[(u32, &str, u32)], found: &[(u32, &[u8], u32)]) -> Ports {
        let mut ports = Ports::default();
        for &(port, text, lo) in expected {
            let log = ports.port(port);
            log.named = true;
            log.expected.push(Expectation { pattern: Some(pattern(text)), span: span(lo) });
        }
        for (n, &(port, frame, lo)) in found.iter().enumerate() {
            let output = Output { frame: frame.to_vec(), cause: span(lo), number: n + 1 };
            ports.port(port).outputs.push(output);
        }
        ports
    }

    #[test]
    fn the_caret_points_at_the_byte() {
        let ports = ports(&[(1, "0102*4$", 5)], &[(1, &[1, 2, 5], 0)]);
        let difference = ports.first_difference().expect("differs");
        let lines = [
            "port 1, packet 1 (from input packet 1): differs at byte 2",
            "  expected 01 02 *4$  (3 bytes)",
            "  found    01 02 05  (3 bytes)",
            "                 ^",
        ];
        assert_eq!(difference.message, lines.join("\n"));
    }

    #[test]
    fn order_and_count() {
        let good = ports(&[(1, "01", 1), (1, "02", 2)], &[(1, &[1], 0), (1, &[2], 0)]);
        assert_eq!(good.first_difference(), None);
        let swapped = ports(&[(1, "01", 1), (1, "02", 2)], &[(1, &[2], 0), (1, &[1], 0)]);
        assert_eq!(swapped.first_difference().map(|d| d.span.lo), Some(1));
        let missing = ports(&[(1, "01", 1), (1, "02", 2)], &[(1, &[1], 0)]);
        assert!(missing.first_difference().is_some_and(|d| d.message.contains("never left")));
        let extra = ports(&[(1, "01", 1)], &[(1, &[1], 0), (1, &[1], 7)]);
        assert_eq!(extra.first_difference().map(|d| d.span.lo), Some(7));
    }

    #[test]
    fn ports_that_nobody_names_are_not_looked_at() {
        let mut ports = ports(&[(1, "01", 1)], &[(1, &[1], 0), (9, &[1], 7)]);
        assert_eq!(ports.first_difference(), None);
        assert!(ports.unaccounted().is_some());
        ports.port(9).named = true;
        assert!(ports.first_difference().is_some());
    }
}
