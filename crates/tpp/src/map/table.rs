//! The one definition of the memory map, by address.
//!
//! Names are those of the paper's tables 2, 5, 6 and 7 and of its programs. The paper gives no addresses
//! but 0xb000 for `Queue:QueueOccupancy` and vendors' own ones at 0xff00 and 0xfe00.

use super::Access::{ReadOnly, ReadWrite};
use super::Availability::{Egress, Output, Parse, Stage};
use super::{Access, Entry, Index, Segment};
use crate::header;

const fn one(offset: u16, name: &'static str, access: Access, about: &'static str) -> Entry {
    Entry { offset, name, count: 1, wide: false, access, aliases: &[], about }
}

const fn many(offset: u16, name: &'static str, count: u16, about: &'static str) -> Entry {
    Entry { offset, name, count, wide: false, access: ReadWrite, aliases: &[], about }
}

/// A counter of 64 bits.
const fn wide(offset: u16, name: &'static str, about: &'static str) -> Entry {
    Entry { offset, name, count: 1, wide: true, access: ReadOnly, aliases: &[], about }
}

const fn also(entry: Entry, aliases: &'static [&'static str]) -> Entry {
    Entry { aliases, ..entry }
}

/// Entries with stats blocks among them: packets, bytes, packet rate, byte rate, six words each.
macro_rules! entries {
    ([$($before:expr),* $(,)?] $($at:literal $prefix:literal),* ; [$($behind:expr),* $(,)?]) => {
        &[
            $($before,)*
            $(
                wide($at, concat!($prefix, "-Packets"), "packets"),
                wide($at + 2, concat!($prefix, "-Bytes"), "bytes without FCS"),
                one($at + 4, concat!($prefix, "-PacketRate"), ReadOnly, "packets a second"),
                one($at + 5, concat!($prefix, "-ByteRate"), ReadOnly, "bytes a second"),
            )*
            $($behind,)*
        ]
    };
}

/// The entries of a link, with what is behind them.
macro_rules! link {
    ($($behind:expr),*) => {
        entries!([
            one(0, "ID", ReadOnly, "which link, in the whole network"),
            one(1, "Status", ReadOnly, "0 down, 1 up, 2 in maintenance"),
            also(
                one(2, "Queued-Bytes", ReadOnly, "bytes that wait for the link"),
                &["QueueSize", "QueueOccupancy"],
            ),
            one(3, "Queued-Packets", ReadOnly, "packets that wait for the link"),
            one(4, "TX-Utilization", ReadOnly, "sent load, 0x8000 is the capacity, at most 0xffff"),
            one(5, "RX-Utilization", ReadOnly, "offered load, 0x8000 is the capacity, at most 0xffff"),
            one(6, "Capacity", ReadOnly, "kb/s"),
        ] 8 "TX", 16 "RX", 24 "Drop", 32 "Error"; [$($behind),*])
    };
}

const LINK: &[Entry] = link!();
const LINK_WITH_REGISTERS: &[Entry] =
    link!(many(48, "AppSpecific_", 16, "a register that an application owns"));

const QUEUE: &[Entry] = entries!([
    also(
        one(0, "QueueOccupancy", ReadOnly, "bytes that wait in the queue"),
        &["QueueSize", "Queued-Bytes"],
    ),
    one(1, "Queued-Packets", ReadOnly, "packets that wait in the queue"),
    one(2, "Weight", ReadWrite, "share of the link among weighted queues"),
    one(3, "Quantum", ReadWrite, "deficit round robin: bytes a round"),
    one(4, "Rate", ReadWrite, "shaping: kb/s, 0 for none"),
    one(5, "Priority", ReadWrite, "strict priority, the higher first"),
    one(6, "EligibleTime", ReadOnly, "when the head may leave, ns, low 32 bits"),
    one(7, "ID", ReadOnly, "which queue of its port"),
] 8 "TX", 16 "RX", 24 "Drop"; []);

/// All segments, by address. What is at 0xf000 to 0xffff is the platform's affair and has no names.
pub const SEGMENTS: &[Segment] = &[
    Segment {
        namespace: "Switch",
        base: 0x0000,
        indices: &[],
        length: 0x1000,
        at: Parse,
        about: "the switch",
        entries: &[
            also(one(0, "SwitchID", ReadOnly, "which switch, in the whole network"), &["ID"]),
            one(1, "VendorID", ReadOnly, "whose platform-specific addresses it has"),
            also(
                one(2, "Version", ReadOnly, "generation of the forwarding state"),
                &["VersionNumber"],
            ),
            also(wide(4, "Clock", "cycles since the start"), &["Uptime"]),
            one(6, "ClockFrequency", ReadOnly, "Hz"),
        ],
    },
    Segment {
        namespace: "Stage",
        base: 0x1000,
        indices: &[Index { count: 48, stride: 0x100 }],
        length: 0x100,
        at: Stage,
        about: "a match-action stage and its table",
        entries: entries!([
            one(0, "Version", ReadOnly, "+1 with each change of the table"),
            one(1, "ReferenceCount", ReadOnly, "entries in the table"),
            one(2, "SramBase", ReadWrite, "the row of the stage's memory, of four words, that Sram_0 to Sram_3 show"),
        ] 8 "Lookup", 16 "Match"; [
            many(0x40, "Reg", 64, "a register of the stage"),
        ]),
    },
    Segment {
        namespace: "FlowEntry",
        base: 0x4000,
        indices: &[Index { count: 64, stride: 0x80 }],
        length: 0x80,
        at: Stage,
        about: "the entry of a table that the packet matched",
        entries: entries!([
            wide(0, "InsertClock", "the switch's clock when the entry came in"),
            one(2, "EntryID", ReadOnly, "which entry"),
        ] 8 "Match"; [
            one(0x40, "WindowEntry", ReadWrite, "the entry that the window shows, whatever matched"),
            wide(0x42, "Window-InsertClock", "the switch's clock when that entry came in"),
            wide(0x48, "Window-Match-Packets", "packets"),
            wide(0x4a, "Window-Match-Bytes", "bytes without FCS"),
        ]),
    },
    Segment {
        namespace: "Link",
        base: 0x6000,
        indices: &[Index { count: 128, stride: 0x40 }],
        length: 0x40,
        at: Output,
        about: "the link at a port",
        entries: LINK_WITH_REGISTERS,
    },
    Segment {
        namespace: "Link",
        base: 0x8000,
        indices: &[],
        length: 0x40,
        at: Output,
        about: "the link that the packet leaves by",
        entries: LINK,
    },
    Segment {
        namespace: "InputLink",
        base: 0x8040,
        indices: &[],
        length: 0x40,
        at: Parse,
        about: "the link that the packet came by",
        entries: LINK_WITH_REGISTERS,
    },
    Segment {
        namespace: "Queue",
        base: 0x9000,
        indices: &[Index { count: 32, stride: 0x100 }, Index { count: 8, stride: 0x20 }],
        length: 0x20,
        at: Output,
        about: "a queue of a port",
        entries: QUEUE,
    },
    Segment {
        namespace: "Queue",
        base: 0xb000,
        indices: &[],
        length: 0x40,
        at: Output,
        about: "the queue that the packet waits in",
        entries: QUEUE,
    },
    Segment {
        namespace: "PacketMetadata",
        base: 0xc000,
        indices: &[],
        length: 0x40,
        at: Parse,
        about: "the packet, as it came",
        entries: &[
            one(0, "InputPort", ReadOnly, "port"),
            one(1, "PacketLength", ReadOnly, "bytes without FCS"),
        ],
    },
    Segment {
        namespace: "PacketMetadata",
        base: 0xc040,
        indices: &[],
        length: 0xc0,
        at: Output,
        about: "the packet, when its way is chosen",
        entries: &[
            one(0, "OutputPort", ReadWrite, "port"),
            one(1, "OutputPortBitmap", ReadWrite, "bit n: port n, 0 to 31; 0 drops the packet"),
            one(2, "OutputPortBitmapHigh", ReadWrite, "bit n: port 32 + n"),
            one(3, "QueueID", ReadWrite, "queue of the output port"),
            one(4, "MatchedEntryID", ReadOnly, "the entry of the last table that had one"),
            one(5, "AlternateRoutes", ReadOnly, "bit n: port n leads there, too"),
        ],
    },
    Segment {
        namespace: "PacketMetadata",
        base: 0xc100,
        indices: &[],
        length: 0x100,
        at: Egress,
        about: "the packet, behind the queue",
        entries: &[one(0, "OutputQueue", ReadOnly, "the queue that it was in")],
    },
    Segment {
        namespace: "PacketMetadata",
        base: 0xc200,
        indices: &[],
        length: 0x40,
        at: Parse,
        about: "parsed header fields; 0 where the packet has no such header",
        entries: &[
            one(0, "Ethernet-DestinationHigh", ReadOnly, "upper 16 bits"),
            one(1, "Ethernet-Destination", ReadOnly, "lower 32 bits"),
            one(2, "Ethernet-SourceHigh", ReadOnly, "upper 16 bits"),
            one(3, "Ethernet-Source", ReadOnly, "lower 32 bits"),
            one(4, "EtherType", ReadOnly, "behind VLAN tags and the TPP"),
            one(5, "VlanID", ReadOnly, "of the outermost tag"),
            one(6, "IPv4-Source", ReadOnly, "address"),
            one(7, "IPv4-Destination", ReadOnly, "address"),
            one(8, "IPv4-Protocol", ReadOnly, "number"),
            one(9, "IPv4-TTL", ReadOnly, "as it came"),
            one(10, "IPv4-DSCP", ReadOnly, "code point"),
            one(11, "SourcePort", ReadOnly, "of TCP or UDP"),
            one(12, "DestinationPort", ReadOnly, "of TCP or UDP"),
        ],
    },
    Segment {
        namespace: "PacketMetadata",
        base: TPP_FIELDS,
        indices: &[],
        length: 0x40,
        at: Parse,
        about: "fields of the TPP itself, as they came",
        entries: &TPP_ENTRIES,
    },
    Segment {
        namespace: "Link",
        base: 0xd000,
        indices: &[],
        length: 0x10,
        at: Output,
        about: "registers of applications at the link that the packet leaves by",
        entries: &[many(0, "AppSpecific_", 16, "a register that an application owns")],
    },
    Segment {
        namespace: "Stage",
        base: 0xe000,
        indices: &[Index { count: 48, stride: 0x40 }],
        length: 0x40,
        at: Stage,
        about: "a window into a stage's memory",
        entries: &[many(0, "Sram_", 64, "a word of the stage's memory, from row SramBase on")],
    },
];

/// Where the fields of the TPP's own header are, one word each, in the order of [`header::FIELDS`].
pub const TPP_FIELDS: u16 = 0xc240;

const TPP_ENTRIES: [Entry; header::FIELDS.len()] = {
    let mut entries = [one(0, "", ReadOnly, ""); header::FIELDS.len()];
    let mut i = 0;
    while i < entries.len() {
        entries[i] = one(i as u16, header::FIELDS[i].name, ReadOnly, header::FIELDS[i].about);
        i += 1;
    }
    entries
};
