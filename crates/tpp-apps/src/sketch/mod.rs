//! Sketches of what flows over links, made at hosts (spec 003, section 2.19): packets say which links they have crossed
//! ([`COLLECT`]), the host that receives them adds what it wants to know of them to a sketch of each of these links,
//! and a service merges the sketches of all hosts. The result is what sketches in the switches would hold:
//! each packet that arrives is added at one host, and adding does not depend on the order.
//!
//! - how many different elements: [`bitmap`], the paper's; [`hyperloglog`] for large numbers
//! - how much of each element, which are large, and which have changed: [`count_min`]
//! - which elements go with many others: [`spreaders`]
//! - the bitmaps of all links of a host: [`links`]; the messages about them: [`push`]; their merging: [`service`];
//!   hosts that do all of it: [`agent`]
//!
//! Flow-size distributions, the fifth task of OpenSketch, would need arrays of counters and a fit of what they hold.
//! They are not here.

pub mod agent;
pub mod bitmap;
pub mod count_min;
pub mod hyperloglog;
pub mod lab;
pub mod links;
pub mod push;
mod results;
pub mod service;
pub mod spreaders;
mod witness;

use serde::{Deserialize, Serialize};
use ww_host::agent::Report;
use ww_host::record::Record;

/// What packets collect at each hop, for the assembler: 4 bytes.
pub const COLLECT: &str = ".word 16\nPUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\n";

/// Words that [`COLLECT`] takes a hop.
pub const WORDS: usize = 2;

/// A link, by the switch that sends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// `Switch:SwitchID`, low 16 bits.
    pub switch: u16,
    /// `PacketMetadata:OutputPort`.
    pub port: u16,
}

/// The bitmaps that a service reports, in words of 64 bits, by link; none of a host without a service.
///
/// # Errors
/// The report has something else.
pub fn bitmaps(report: &Report) -> Result<Vec<(Link, Vec<u64>)>, String> {
    Ok(report.details()?.unwrap_or_default())
}

/// The same for [`Report::details`].
fn details(bitmaps: &[(Link, Vec<u64>)]) -> serde_json::Value {
    crate::application::value(&bitmaps)
}

/// Sketches of other sizes cannot be merged or compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherSize;

/// The links that a packet has crossed, as it says.
pub fn links(record: &Record) -> impl Iterator<Item = Link> + '_ {
    record.hops(WORDS).map(|hop| Link { switch: hop[0] as u16, port: hop[1] as u16 })
}

/// The hash of all sketches, which hosts share: the first number of splitmix64 with this seed (Steele, Lea, Flood,
/// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
pub fn hash(element: u64) -> u64 {
    let mut mixed = element.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first number of seed 1234567.
    #[test]
    fn the_hash_is_splitmix64() {
        assert_eq!(hash(1_234_567), 6_457_827_717_110_365_317);
    }

    #[test]
    fn links_are_those_of_hops_that_executed() {
        let record = Record {
            at: 0,
            app: 1,
            hops: 2,
            stack_pointer: 8,
            source: 1,
            destination: 2,
            protocol: 17,
            ports: [1, 2],
            length: 60,
            words: vec![7, 1, 8, 2, 0, 0],
        };
        let wanted = [Link { switch: 7, port: 1 }, Link { switch: 8, port: 2 }];
        assert!(links(&record).eq(wanted));
    }
}
