//! What a design costs and how fast it is: clocks by stage and frame size, sustained throughput,
//! area, logic depth, frequency.
//!
//! - [`cycles`] measures clocks on a model; [`probe`] lets it look inside, [`frames`] makes what
//!   goes in.
//! - [`synthesis`] has Yosys and nextpnr tell area and frequency.
//! - [`optimisers`] compares designs with and without each optimiser of the emitter.
//! - [`text`] and [`plot`] show all that.

pub mod cycles;
pub mod frames;
pub mod optimisers;
pub mod plot;
pub mod probe;
pub mod synthesis;
pub mod text;

use crate::manifest::{Manifest, Timing};
use cycles::Size;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use synthesis::{Area, Clock};

/// Sizes that are measured if nobody names any, in bytes.
pub const SIZES: [u64; 10] = [64, 65, 127, 128, 129, 256, 512, 1024, 1518, 9018];
/// Bytes of an Ethernet frame's time on the wire that are not on the bus: preamble, FCS, gap.
pub const WIRE_OVERHEAD: u64 = 8 + 4 + 12;
/// Gigabits a second of the line rates that are looked at.
const RATES: [u32; 4] = [10, 25, 40, 100];

/// All sizes for which throughput is promised: 64 to 1518 and 9018 bytes.
pub fn all_sizes() -> Vec<u64> {
    (64..=1518).chain([9018]).collect()
}

/// The report of a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the program.
    pub program: String,
    /// Bits of a beat.
    pub width: u32,
    /// `wire` or `switch`.
    pub shape: String,
    /// Clocks between two packets at least.
    pub initiation_interval: u32,
    /// When a packet is where.
    pub timing: Timing,
    /// By size, as far as there were frames for it.
    pub sizes: Vec<Size>,
    /// Megahertz that the measured sizes need for Ethernet at so many Gbit/s.
    pub line_rate_mhz: BTreeMap<u32, f64>,
    /// On a 7-series FPGA.
    pub area: Option<Area>,
    /// On an ECP5.
    pub clock: Option<Clock>,
}

impl Report {
    /// Of a design whose clocks were measured.
    pub fn new(manifest: &Manifest, sizes: Vec<Size>) -> Self {
        let needed = |gigabits: u32| {
            let each = sizes.iter().map(|size| {
                let bits = ((size.bytes + WIRE_OVERHEAD) * 8) as f64;
                f64::from(gigabits) * 1000.0 / bits * size.stream.clocks_per_packet
            });
            (gigabits, each.fold(0.0, f64::max))
        };
        let line_rate_mhz = RATES.map(needed).into_iter().filter(|(_, mhz)| *mhz > 0.0).collect();
        Self {
            program: manifest.program.clone(),
            width: manifest.width,
            shape: manifest.shape.clone(),
            initiation_interval: manifest.initiation_interval,
            timing: manifest.timing.clone(),
            sizes,
            line_rate_mhz,
            area: None,
            clock: None,
        }
    }

    /// Sizes with fewer packets a second than the bus allows.
    pub fn slow(&self) -> impl Iterator<Item = &Size> {
        self.sizes.iter().filter(|size| !size.stream.is_line_rate())
    }
}
