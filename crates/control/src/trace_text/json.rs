//! Trace events as JSON: one object per packet, on a line of its own.

use serde_json::{Map, Value, json};
use std::sync::Arc;
use ww_dataplane::trace::{PacketTag, Place, TraceEvent};
use ww_p4::source::SourceMap;

/// Collects the events of a packet: `{"packet": 1, "events": [{"copy": 0, "event": ..}, ..]}`.
/// Places are `file:line:column`.
pub struct JsonTrace {
    sources: Arc<SourceMap>,
    packet: u64,
    events: Vec<Value>,
}

impl JsonTrace {
    /// A renderer for a program that was read from `sources`.
    pub fn new(sources: Arc<SourceMap>) -> Self {
        Self { sources, packet: 0, events: Vec::new() }
    }

    /// Takes an event; appends the line of the packet before when another one begins.
    pub fn event(&mut self, tag: PacketTag, event: &TraceEvent, out: &mut String) {
        if tag.packet != self.packet {
            self.finish(out);
            self.packet = tag.packet;
        }
        let mut object = Map::new();
        object.insert("copy".to_owned(), tag.copy.into());
        if let Ok(Value::Object(fields)) = serde_json::to_value(event) {
            for (name, value) in fields {
                object.insert(name, self.with_places(value));
            }
        }
        self.events.push(Value::Object(object));
    }

    /// Appends the line of the last packet.
    pub fn finish(&mut self, out: &mut String) {
        if self.packet != 0 {
            let events = std::mem::take(&mut self.events);
            out.push_str(&json!({ "packet": self.packet, "events": events }).to_string());
            out.push('\n');
        }
        self.packet = 0;
    }

    /// The value with a place in words, if it is one.
    fn with_places(&self, value: Value) -> Value {
        let Value::Object(object) = &value else { return value };
        let number = |name: &str| object.get(name)?.as_u64().and_then(|n| u32::try_from(n).ok());
        match (number("file"), number("lo"), number("hi")) {
            (Some(file), Some(lo), Some(hi)) if object.len() == 3 => {
                self.sources.describe(Place { file, lo, hi }.into()).into()
            }
            _ => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_per_packet() {
        let mut sources = SourceMap::new();
        sources.add("a.p4", "one\ntwo\n".into(), false);
        let mut trace = JsonTrace::new(Arc::new(sources));
        let mut out = String::new();
        let at = Place { file: 0, lo: 4, hi: 7 };
        let tag = |packet, copy| PacketTag { packet, copy };
        trace.event(tag(1, 0), &TraceEvent::Receive { port: 2, length: 60 }, &mut out);
        let assign =
            TraceEvent::Assign { name: "x".into(), old: "0x0".into(), new: "0x1".into(), at };
        trace.event(tag(1, 1), &assign, &mut out);
        assert!(out.is_empty());
        trace.event(tag(2, 0), &TraceEvent::Resubmit, &mut out);
        trace.finish(&mut out);
        let lines: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let expected = [
            json!({"packet": 1, "events": [
                {"copy": 0, "event": "receive", "port": 2, "length": 60},
                {"copy": 1, "event": "assign", "name": "x", "old": "0x0", "new": "0x1", "at": "a.p4:2:1"},
            ]}),
            json!({"packet": 2, "events": [{"copy": 0, "event": "resubmit"}]}),
        ];
        assert_eq!(lines, expected);
    }
}
