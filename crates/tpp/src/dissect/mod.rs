//! Dissectors for other tools, made of the same tables as everything here: `dissect/tpp.lua` for Wireshark and
//! `dissect/tpp.py` for scapy. `cargo run -p wirewright-tpp --example dissectors` writes them anew.

mod lua;
mod scapy;

pub use lua::lua;
pub use scapy::scapy;

use crate::map::table::SEGMENTS;
use crate::map::{Entry, Segment};

/// Line that says where a file comes from.
const NOTE: &str = "Written by `cargo run -p wirewright-tpp --example dissectors`; do not edit.";

/// A segment as both languages need it.
struct Part<'s> {
    segment: &'s Segment,
    /// Counts and strides of the indices, outermost first.
    indices: Vec<(u16, u16)>,
}

fn parts() -> impl Iterator<Item = Part<'static>> {
    SEGMENTS.iter().map(|segment| Part {
        segment,
        indices: segment.indices.iter().map(|index| (index.count, index.stride)).collect(),
    })
}

/// First offset, number of words, name, whether a number follows it.
fn rows(entry: &Entry) -> Vec<(u16, u16, String, bool)> {
    let mut rows = vec![(entry.offset, entry.count, entry.name.to_owned(), entry.count > 1)];
    if entry.wide {
        rows.push((entry.offset + 1, 1, format!("{}High", entry.name), false));
    }
    rows
}
