//! The memory map as a table in Markdown: `ww tpp map`, and part of `docs/tpp.md`.

use super::name::form;
use super::table::SEGMENTS;
use super::{Access, Availability, Entry, Segment};
use std::fmt::Write as _;

/// The whole map.
pub fn markdown() -> String {
    let mut page = String::from("| address | name | access | what |\n|---|---|---|---|\n");
    for segment in SEGMENTS {
        heading(&mut page, segment);
        for entry in segment.entries {
            row(&mut page, segment, entry);
        }
    }
    page + "| 0xf000–0xffff | | | **platform-specific**: no names, write the address |\n"
}

fn heading(page: &mut String, segment: &Segment) {
    let at = match segment.at {
        Availability::Parse => "from the parser on",
        Availability::Stage => "in stage i",
        Availability::Output => "in the last ingress stage",
        Availability::Egress => "in the first egress stage",
    };
    let (base, last, form) = (segment.base, segment.last(), form(segment));
    let _ = write!(
        page,
        "| **0x{base:04x}–0x{last:04x}** | **{form}:** | | **{}**, {at}",
        segment.about
    );
    for (letter, index) in ["i", "j"].iter().zip(segment.indices) {
        let _ = write!(page, "; {letter} 0 to {}, 0x{:x} apart", index.count - 1, index.stride);
    }
    page.push_str(" |\n");
}

fn row(page: &mut String, segment: &Segment, entry: &Entry) {
    let words = entry.count + u16::from(entry.wide);
    let first = if segment.indices.is_empty() { segment.base } else { 0 } + entry.offset;
    let plus = if segment.indices.is_empty() { "0x" } else { "+0x" };
    let mut address = format!("{plus}{first:02x}");
    if words > 1 {
        let _ = write!(address, "–{:02x}", first + words - 1);
    }
    let mut name = match entry.count {
        1 => format!("`{}`", entry.name),
        count => format!("`{0}0` to `{0}{1}`", entry.name, count - 1),
    };
    if entry.wide {
        let _ = write!(name, ", `{}High`", entry.name);
    }
    for alias in entry.aliases {
        let _ = write!(name, ", `{alias}`");
    }
    let access = if entry.access == Access::ReadOnly { "r" } else { "rw" };
    let _ = writeln!(page, "| {address} | {name} | {access} | {} |", entry.about);
}
