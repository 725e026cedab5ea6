//! FLOWS: what hosts have to send, one line a flow.
//!
//! ```text
//! id,src,dst,cells,start_slot
//! ```
//!
//! Five decimal integers without sign or blanks. `id` is any number, once in a text; `src` and `dst` are hosts, counted from
//! 0, and differ; `cells` is 1 to [`MAX_CELLS`]; `start_slot` is at most [`MAX_START`] and never less than on the line
//! before. A line ends with a line feed, before which a carriage return may stand; the last line may lack its end.
//!
//! A sixth column, `class`, may follow (spec 004, S33): 0 to [`CLASSES`] - 1, 0 goes first. All lines have it or none.

use std::collections::HashMap;
use std::fmt;

/// Cells that a flow may have at most.
pub const MAX_CELLS: u64 = 1 << 48;

/// The last slot in which a flow may start.
pub const MAX_START: u64 = 1 << 48;

/// Classes of flows.
pub const CLASSES: u8 = 8;

/// Names of the fields of a line, in order; the last may be left out.
const FIELDS: [&str; 6] = ["id", "src", "dst", "cells", "start_slot", "class"];

/// Fields of a line without a class.
const PLAIN: usize = FIELDS.len() - 1;

/// What a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flows {
    /// The flows, by their starts.
    pub flows: Vec<Flow>,
    /// If the text has classes, that of each flow, 0 to [`CLASSES`] - 1.
    pub classes: Option<Vec<u8>>,
}

impl Flows {
    /// The flows of a text whose reader knows no classes, such as `reader`; the error is that there are classes, if so.
    pub fn without_classes(self, reader: &str) -> Result<Vec<Flow>, Mistake> {
        match self.classes {
            None => Ok(self.flows),
            Some(_) => Err(Mistake {
                line: 1,
                cause: format!(
                    "expected {PLAIN} fields, {}, as {reader} know no classes, found {}; leave the column class out, or use \
                     --rules shoal",
                    FIELDS[..PLAIN].join(","),
                    FIELDS.len()
                ),
            }),
        }
    }

    /// The text that [`read`] reads.
    pub fn text(&self) -> String {
        match &self.classes {
            None => write(&self.flows),
            Some(classes) => {
                let line = |(flow, class): (&Flow, &u8)| format!("{},{class}\n", fields(flow));
                self.flows.iter().zip(classes).map(line).collect()
            }
        }
    }
}

/// A flow: cells from one host to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Its number in the text.
    pub id: u64,
    /// The host that sends, from 0.
    pub src: u32,
    /// The host that receives, from 0; never `src`.
    pub dst: u32,
    /// Cells, 1 to [`MAX_CELLS`].
    pub cells: u64,
    /// The slot in which it starts, at most [`MAX_START`].
    pub start: u64,
}

/// Why a text is no FLOWS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What was expected and what was found.
    pub cause: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.cause)
    }
}

impl std::error::Error for Mistake {}

/// Reads the flows of a fabric of `hosts` hosts. The error is the first mistake of the text.
pub fn read(text: &[u8], hosts: usize) -> Result<Flows, Mistake> {
    let mut flows: Vec<Flow> = Vec::new();
    let mut classes = Vec::new();
    // On which line an id stands.
    let mut lines = HashMap::new();
    // What ends with a line feed has no line behind it.
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    if text.is_empty() {
        let cause = format!("expected a flow, {}, found nothing", FIELDS[..PLAIN].join(","));
        return Err(Mistake { line: 1, cause });
    }
    for (line, bytes) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let (flow, class) = parse(bytes, hosts).map_err(|cause| Mistake { line, cause })?;
        let previous = flows.last().map_or(0, |flow| flow.start);
        if flow.start < previous {
            let cause = format!(
                "expected a start_slot of at least {previous}, that of the line before, found {}; sort the flows by start",
                flow.start
            );
            return Err(Mistake { line, cause });
        }
        if let Some(first) = lines.insert(flow.id, line) {
            let cause =
                format!("expected an id of its own, found {}, the id of line {first}", flow.id);
            return Err(Mistake { line, cause });
        }
        if class.is_some() == classes.is_empty() && line > 1 {
            let of = |has_class| if has_class { FIELDS.len() } else { PLAIN };
            let cause = format!(
                "expected {} fields, as on the lines before, found {}; give all flows a class or none",
                of(class.is_none()),
                of(class.is_some())
            );
            return Err(Mistake { line, cause });
        }
        flows.push(flow);
        classes.extend(class);
    }
    let classes = (!classes.is_empty()).then_some(classes);
    Ok(Flows { flows, classes })
}

/// One line, without its line feed.
fn parse(line: &[u8], hosts: usize) -> Result<(Flow, Option<u8>), String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut fields = [0; FIELDS.len()];
    let found = line.split(|&byte| byte == b',').count();
    if !(PLAIN..=FIELDS.len()).contains(&found) {
        let text = excerpt(line);
        return Err(format!(
            "expected {PLAIN} fields, {}, or a sixth, class, found {found} in {text}",
            FIELDS[..PLAIN].join(",")
        ));
    }
    for ((field, name), text) in fields.iter_mut().zip(FIELDS).zip(line.split(|&byte| byte == b','))
    {
        *field = integer(text).ok_or_else(|| {
            format!("{name}: expected an integer of 64 bits, found {}", excerpt(text))
        })?;
    }
    let [id, src, dst, cells, start, class] = fields;
    let host = |name, number: u64| match u32::try_from(number) {
        Ok(host) if (host as usize) < hosts => Ok(host),
        _ => Err(format!(
            "{name}: expected a host, 0 to {}, found {number}",
            hosts.saturating_sub(1)
        )),
    };
    let (src, dst) = (host("src", src)?, host("dst", dst)?);
    if src == dst {
        return Err(format!("expected src and dst to differ, found {src} twice"));
    }
    if !(1..=MAX_CELLS).contains(&cells) {
        return Err(format!("cells: expected 1 to {MAX_CELLS}, found {cells}"));
    }
    if start > MAX_START {
        return Err(format!("start_slot: expected at most {MAX_START}, found {start}"));
    }
    let class = match u8::try_from(class) {
        Ok(class) if class < CLASSES => class,
        _ => {
            return Err(format!("class: expected 0 to {}, 0 first, found {class}", CLASSES - 1));
        }
    };
    let flow = Flow { id, src, dst, cells, start };
    Ok((flow, (found == FIELDS.len()).then_some(class)))
}

/// Digits alone: no sign, no blanks.
fn integer(text: &[u8]) -> Option<u64> {
    if !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// What was found, for a message: quoted and not long.
fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let cut = &bytes[..bytes.len().min(LONGEST)];
    let ending = if cut.len() < bytes.len() { "..." } else { "" };
    format!("'{}{ending}'", cut.escape_ascii())
}

/// A line without a class and without its end.
fn fields(flow: &Flow) -> String {
    let Flow { id, src, dst, cells, start } = flow;
    format!("{id},{src},{dst},{cells},{start}")
}

/// The text that [`read`] reads, of flows without classes.
pub fn write(flows: &[Flow]) -> String {
    flows.iter().map(|flow| fields(flow) + "\n").collect()
}
