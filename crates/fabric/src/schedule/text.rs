//! Schedules as JSON and as text.

use super::{Schedule, Switches};
use std::fmt::Write;

/// A value or nothing: what JSON and text have for "no peer", "no input".
fn number(into: &mut String, value: Option<usize>, nothing: &str) {
    // Writing to a string never fails.
    let _ = match value {
        Some(value) => write!(into, "{value}"),
        None => write!(into, "{nothing}"),
    };
}

/// `[...]` with a comma between what `item` writes.
fn array(into: &mut String, length: usize, mut item: impl FnMut(&mut String, usize)) {
    into.push('[');
    for index in 0..length {
        if index > 0 {
            into.push(',');
        }
        item(into, index);
    }
    into.push(']');
}

impl Schedule {
    /// One JSON object in one line: `slots[channel][slot][host]` is the peer or null; `switches.leafX[slot][output]` and
    /// `switches.spineX[slot][output]` are the input or null. Without switches that object is empty.
    pub fn json(&self, switches: Option<&Switches>) -> String {
        let mut text = String::from("{\"slots\":");
        array(&mut text, self.channels(), |text, channel| {
            array(text, self.slots(), |text, slot| {
                array(text, self.hosts, |text, host| {
                    number(text, self.peer(channel, slot, host), "null");
                });
            });
        });
        text += ",\"switches\":{";
        for (place, switch) in switches.iter().flat_map(|switches| switches.all()).enumerate() {
            let Some(switches) = switches else { break };
            text += if place > 0 { ",\"" } else { "\"" };
            let _ = write!(text, "{switch}\":");
            array(&mut text, switches.slots(), |text, slot| {
                array(text, switches.ports(switch), |text, output| {
                    number(text, switches.input(switch, slot, output), "null");
                });
            });
        }
        text += "}}\n";
        text
    }

    /// A table for people: a line a slot for each channel, with the peer of each host in the order of hosts; then for each
    /// switch the inputs of its outputs. `-` is no peer or no input.
    pub fn table(&self, switches: Option<&Switches>) -> String {
        let mut text = format!(
            "{} hosts, {} channels, {} slots an epoch, {} order\n",
            self.hosts,
            self.channels(),
            self.slots(),
            self.order
        );
        let mut rows = |title: String, columns, cell: &dyn Fn(usize, usize) -> Option<usize>| {
            text += &title;
            for slot in 0..self.slots() {
                let _ = write!(text, "{slot:>5}:");
                for column in 0..columns {
                    text.push(' ');
                    number(&mut text, cell(slot, column), "-");
                }
                text.push('\n');
            }
        };
        for channel in 0..self.channels() {
            rows(
                format!("channel {channel}: slot: peers of hosts 0, 1, ...\n"),
                self.hosts,
                &|slot, host| self.peer(channel, slot, host),
            );
        }
        if let Some(switches) = switches {
            for switch in switches.all() {
                let title = format!("{switch}: slot: inputs of outputs 0, 1, ...\n");
                rows(title, switches.ports(switch), &|slot, output| {
                    switches.input(switch, slot, output)
                });
            }
        }
        text
    }
}
