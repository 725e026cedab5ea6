//! Trace events as indented lines; where something stands in the source is in a column at the
//! right.

use std::fmt::Write;
use std::sync::Arc;
use ww_dataplane::trace::{NamedValue, PacketTag, Place, TraceEvent};
use ww_p4::source::SourceMap;

/// The column of the places.
const PLACES: usize = 72;

/// Renders events one after the other.
pub struct TextTrace {
    sources: Arc<SourceMap>,
    current: Option<PacketTag>,
    /// Inside a parser state.
    in_state: bool,
}

impl TextTrace {
    /// A renderer for a program that was read from `sources`.
    pub fn new(sources: Arc<SourceMap>) -> Self {
        Self { sources, current: None, in_state: false }
    }

    /// Appends the lines of an event.
    pub fn event(&mut self, tag: PacketTag, event: &TraceEvent, out: &mut String) {
        if self.current != Some(tag) {
            self.begin(tag, event, out);
        }
        let step = if self.in_state { 6 } else { 4 };
        match event {
            TraceEvent::Receive { .. } => {}
            TraceEvent::Block { name, at } => {
                self.in_state = false;
                self.line(2, &format!("block {name}"), Some(*at), out);
            }
            TraceEvent::State { parser, state, at } => {
                self.in_state = true;
                self.line(4, &format!("state {parser}.{state}"), Some(*at), out);
            }
            TraceEvent::Extract { header, offset, bits, fields, at } => {
                let text = format!("extract {header}: {}", extent(*offset, *bits));
                self.line(step, &text, Some(*at), out);
                self.fields(step + 2, fields, out);
            }
            TraceEvent::Select { values, target, at } => {
                let text = format!("select ({}) -> {target}", values.join(", "));
                let none = if at.is_none() { ": no case fits" } else { "" };
                self.line(step, &format!("{text}{none}"), *at, out);
            }
            TraceEvent::ParserError { error } => {
                let name = error.strip_prefix("error.").unwrap_or(error);
                self.line(4, &format!("rejected by the parser: error.{name}"), None, out);
            }
            TraceEvent::Table { table, keys, hit, entry, matched, action, arguments, at } => {
                let result = match (hit, entry) {
                    (true, Some(entry)) => format!("hit, entry {entry}"),
                    (true, None) => "hit".to_owned(),
                    (false, _) => "miss".to_owned(),
                };
                self.line(step, &format!("table {table}: {result}"), Some(*at), out);
                let width = keys.iter().map(|k| k.name.chars().count()).max().unwrap_or(0);
                for (n, key) in keys.iter().enumerate() {
                    let entry = match matched.get(n) {
                        Some(matched) => format!("   matches {matched}"),
                        None => String::new(),
                    };
                    let text = format!("key {:<width$} = {}{entry}", key.name, key.value);
                    self.line(step + 2, &text, None, out);
                }
                let word = if *hit { "action" } else { "default action" };
                let text = format!("{word} {action}({})", list(arguments));
                self.line(step + 2, &text, None, out);
            }
            TraceEvent::Assign { name, old, new, at } => {
                self.line(step, &format!("{name}: {old} -> {new}"), Some(*at), out);
            }
            TraceEvent::Extern { name, arguments, at } => {
                self.line(step, &format!("call {name}({})", list(arguments)), Some(*at), out);
            }
            TraceEvent::Log { message, at } => {
                self.line(step, &format!("log: {message}"), Some(*at), out);
            }
            TraceEvent::Clone { kind, session, configured } => {
                let note = match configured {
                    true => "",
                    false => ": the session does not exist, no copy is made",
                };
                let text = format!("clone {kind} to mirroring session {session}{note}");
                self.line(2, &text, None, out);
            }
            TraceEvent::Resubmit => self.line(2, "resubmitted as it came", None, out),
            TraceEvent::Recirculate { length } => {
                self.line(2, &format!("recirculated, {length} bytes"), None, out);
            }
            TraceEvent::Multicast { group, replicas } => {
                let text = match replicas.is_empty() {
                    true => format!("multicast group {group}: no members"),
                    false => {
                        let one = |(rid, port): &(u32, u32)| format!("port {port} (rid {rid})");
                        let ports: Vec<_> = replicas.iter().map(one).collect();
                        format!("multicast group {group}: {}", ports.join(", "))
                    }
                };
                self.line(2, &text, None, out);
            }
            TraceEvent::Enqueue { port } => {
                self.line(2, &format!("queued for port {port}"), None, out);
            }
            TraceEvent::Emit { header, fields, at } => {
                self.line(step, &format!("emit {header}"), Some(*at), out);
                self.fields(step + 2, fields, out);
            }
            TraceEvent::Drop { reason, at } => {
                let cause = if at.is_some() { " (marked here)" } else { "" };
                self.line(2, &format!("DROPPED: {reason}{cause}"), *at, out);
            }
            TraceEvent::Transmit { port, length } => {
                self.line(2, &format!("SENT to port {port}, {length} bytes"), None, out);
            }
        }
    }

    fn begin(&mut self, tag: PacketTag, event: &TraceEvent, out: &mut String) {
        if self.current.is_some_and(|current| current.packet != tag.packet) {
            out.push('\n');
        }
        self.current = Some(tag);
        self.in_state = false;
        let copy = match tag.copy {
            0 => String::new(),
            copy => format!(", copy {copy}"),
        };
        let from = match event {
            TraceEvent::Receive { port, length } => format!(": port {port}, {length} bytes"),
            _ => String::new(),
        };
        let _ = writeln!(out, "packet {}{copy}{from}", tag.packet);
    }

    fn line(&self, indent: usize, text: &str, at: Option<Place>, out: &mut String) {
        let place = at.map(|at| self.sources.describe(at.into())).unwrap_or_default();
        if place.is_empty() {
            let _ = writeln!(out, "{:indent$}{text}", "");
        } else {
            let width = PLACES.saturating_sub(indent);
            let _ = writeln!(out, "{:indent$}{text:<width$}  {place}", "");
        }
    }

    fn fields(&self, indent: usize, fields: &[NamedValue], out: &mut String) {
        let width = fields.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
        for field in fields {
            self.line(indent, &format!("{:<width$} = {}", field.name, field.value), None, out);
        }
    }
}

fn list(values: &[NamedValue]) -> String {
    let one = |v: &NamedValue| format!("{} = {}", v.name, v.value);
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Where in the packet something is: in bytes where that is possible.
fn extent(offset: u64, bits: u64) -> String {
    if offset.is_multiple_of(8) && bits.is_multiple_of(8) {
        format!("{} bytes at byte {}", bits / 8, offset / 8)
    } else {
        format!("{bits} bits at bit {offset}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_dataplane::DropReason;

    fn value(name: &str, value: &str) -> NamedValue {
        NamedValue { name: name.into(), value: value.into() }
    }

    #[test]
    fn a_packet_that_is_dropped() {
        let mut sources = SourceMap::new();
        sources.add("a.p4", "one\ntwo\nthree\n".into(), false);
        let mut trace = TextTrace::new(Arc::new(sources));
        let at = Place { file: 0, lo: 4, hi: 7 };
        let tag = PacketTag { packet: 1, copy: 0 };
        let mut out = String::new();
        for event in [
            TraceEvent::Receive { port: 3, length: 64 },
            TraceEvent::Block { name: "P".into(), at },
            TraceEvent::State { parser: "P".into(), state: "start".into(), at },
            TraceEvent::Extract {
                header: "hdr.h".into(),
                offset: 8,
                bits: 16,
                fields: vec![value("a", "0x01"), value("long", "0x02")],
                at,
            },
            TraceEvent::Select { values: vec!["0x01".into()], target: "accept".into(), at: None },
            TraceEvent::Block { name: "I".into(), at },
            TraceEvent::Table {
                table: "I.t".into(),
                keys: vec![value("hdr.h.a", "0x01")],
                hit: true,
                entry: Some(7),
                matched: vec!["0x00&&&0xf0".into()],
                action: "I.drop".into(),
                arguments: vec![],
                at,
            },
            TraceEvent::Drop { reason: DropReason::Ingress, at: Some(at) },
        ] {
            trace.event(tag, &event, &mut out);
        }
        let lines: Vec<&str> = out.lines().map(str::trim_end).collect();
        let wide = |text: &str| format!("{text:<74}a.p4:2:1");
        let expected = [
            "packet 1: port 3, 64 bytes".to_owned(),
            wide("  block P"),
            wide("    state P.start"),
            wide("      extract hdr.h: 2 bytes at byte 1"),
            "        a    = 0x01".to_owned(),
            "        long = 0x02".to_owned(),
            "      select (0x01) -> accept: no case fits".to_owned(),
            wide("  block I"),
            wide("    table I.t: hit, entry 7"),
            "      key hdr.h.a = 0x01   matches 0x00&&&0xf0".to_owned(),
            "      action I.drop()".to_owned(),
            wide("  DROPPED: egress_spec is the drop port after ingress (marked here)"),
        ];
        assert_eq!(lines, expected);
    }
}
