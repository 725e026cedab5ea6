//! The memory map of a switch: which of the 65,536 word addresses is what.
//!
//! [`table::SEGMENTS`] is the one definition. Names, the assembler, the disassembler, dissectors, the table
//! in `docs/tpp.md` and what the analyser knows of stages come from it. A switch need not have all that
//! the map names, and an instruction on what it lacks is skipped.

mod name;
pub mod page;
pub mod table;

pub use name::{NameError, Range, describe, lookup, name, names};

/// Whether programs may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reading only.
    ReadOnly,
    /// Reading and writing.
    ReadWrite,
}

/// When, on a packet's way through the pipeline, a location can be accessed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Availability {
    /// From the parser on, in every stage.
    Parse,
    /// In the match-action stage that the first index of the name says.
    Stage,
    /// When output port and queue are chosen: in the last ingress stage.
    Output,
    /// Behind the queue: in the first egress stage.
    Egress,
}

/// A location, or several that are counted, in a [`Segment`].
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Words from the start of the instance.
    pub offset: u16,
    /// The name, without the number if there are several.
    pub name: &'static str,
    /// How many there are, a word each; 1 if the name has no number.
    pub count: u16,
    /// Whether it is the low word of a 64-bit value whose high word is at the next address.
    pub wide: bool,
    /// Whether programs may write.
    pub access: Access,
    /// Other names, which programs of the paper use.
    pub aliases: &'static [&'static str],
    /// What it holds, with the unit.
    pub about: &'static str,
}

/// An index in a name: `Link$3` has one, `Queue$3$1` has two.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// Values are 0 to `count - 1`.
    pub count: u16,
    /// Words from one instance to the next.
    pub stride: u16,
}

/// A part of the map: instances of the same entries, one for each value of the indices.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The name in front of the colon. Several segments may share it.
    pub namespace: &'static str,
    /// The first address.
    pub base: u16,
    /// The indices of the namespace.
    pub indices: &'static [Index],
    /// Words of an instance.
    pub length: u16,
    /// When its locations can be accessed.
    pub at: Availability,
    /// What it is.
    pub about: &'static str,
    /// Its locations.
    pub entries: &'static [Entry],
}

impl Segment {
    /// The last address.
    pub const fn last(&self) -> u16 {
        let mut last = self.base + self.length - 1;
        let mut i = 0;
        while i < self.indices.len() {
            last += (self.indices[i].count - 1) * self.indices[i].stride;
            i += 1;
        }
        last
    }

    /// The values of the indices and the offset in the instance; `None` outside of all instances.
    fn locate(&self, address: u16) -> Option<(Vec<u16>, u16)> {
        let mut rest = address.checked_sub(self.base)?;
        let mut values = Vec::new();
        for index in self.indices {
            let value = rest / index.stride;
            if value >= index.count {
                return None;
            }
            values.push(value);
            rest %= index.stride;
        }
        (rest < self.length).then_some((values, rest))
    }
}

/// A location of the map.
#[derive(Clone, Debug)]
pub struct Location {
    /// The segment.
    pub segment: &'static Segment,
    /// The values of its indices.
    pub indices: Vec<u16>,
    /// The entry.
    pub entry: &'static Entry,
    /// Its number, from 0, where there are several.
    pub number: u16,
    /// Whether it is the high word of a 64-bit value.
    pub high: bool,
}

/// What is at an address; `None` if the map has no name for it.
pub fn locate(address: u16) -> Option<Location> {
    table::SEGMENTS.iter().find_map(|segment| {
        let (indices, offset) = segment.locate(address)?;
        segment.entries.iter().find_map(|entry| {
            let number = offset.checked_sub(entry.offset)?;
            let high = entry.wide && number == 1;
            (high || number < entry.count).then(|| Location {
                segment,
                indices: indices.clone(),
                entry,
                number: if high { 0 } else { number },
                high,
            })
        })
    })
}

/// Whether the address is the low word of a 64-bit value.
pub fn is_wide(address: u16) -> bool {
    locate(address).is_some_and(|location| location.entry.wide && !location.high)
}

/// Whether the map lets programs write the address. What it does not name is the platform's affair.
pub fn is_writable(address: u16) -> bool {
    locate(address).is_none_or(|location| location.entry.access == Access::ReadWrite)
}

/// The match-action stages of a pipeline, numbered from 1: first ingress, then egress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Stages in front of the queues.
    pub ingress: u16,
    /// Stages behind the queues.
    pub egress: u16,
}

impl Default for Stages {
    /// The four-stage pipeline of the paper's prototype.
    fn default() -> Self {
        Self { ingress: 4, egress: 0 }
    }
}

impl Stages {
    /// The first stage that can access the address; 0 for what the parser provides, which every stage
    /// can. What the map does not name is taken for something that is known with the output port.
    pub fn of(&self, address: u16) -> u16 {
        let segment = table::SEGMENTS.iter().find_map(|s| Some((s, s.locate(address)?.0)));
        match segment.map(|(segment, indices)| (segment.at, indices)) {
            Some((Availability::Parse, _)) => 0,
            Some((Availability::Stage, indices)) => indices.first().copied().unwrap_or(0),
            Some((Availability::Egress, _)) => self.ingress + self.egress.min(1),
            Some((Availability::Output, _)) | None => self.ingress,
        }
    }

    /// All stages.
    pub const fn all(&self) -> u16 {
        self.ingress + self.egress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_apart_and_entries_are_inside() {
        let mut last = None;
        for segment in table::SEGMENTS {
            assert!(last.is_none_or(|last| segment.base > last), "{segment:?}");
            last = Some(segment.last());
            let mut next = 0;
            for entry in segment.entries {
                let place = format!("{}:{}", segment.namespace, entry.name);
                assert!(entry.offset >= next, "{place} overlaps");
                next = entry.offset + entry.count + u16::from(entry.wide);
                assert!(next <= segment.length, "{place} is outside");
                assert!(entry.count == 1 || !entry.wide, "{place}");
            }
            let mut outer = u32::MAX;
            for index in segment.indices {
                assert!(u32::from(index.stride) <= outer, "indices go from the outside in");
                outer = index.stride.into();
            }
            if segment.indices.len() == 2 {
                let [outer, inner] = [segment.indices[0], segment.indices[1]];
                assert!(inner.count * inner.stride <= outer.stride, "{segment:?}");
            }
            assert!(u32::from(segment.length) <= outer);
        }
    }

    #[test]
    fn stages_of_addresses() {
        let stages = Stages { ingress: 4, egress: 2 };
        // Switch:SwitchID, Stage$3:Version, FlowEntry$2, PacketMetadata: InputPort, OutputPort, OutputQueue.
        let found = [0, 0x1300, 0x4100, 0xc000, 0xc040, 0xc100].map(|address| stages.of(address));
        assert_eq!(found, [0, 3, 2, 0, 4, 5]);
        // Link, Queue, Link:AppSpecific_0, SRAM of stage 7, platform-specific.
        let found = [0x8000, 0xb000, 0xd000, 0xe1c0, 0xff00].map(|address| stages.of(address));
        assert_eq!(found, [4, 4, 4, 7, 4]);
        assert_eq!(Stages::default().of(0xc100), 4, "without egress stages");
    }
}
