//! `ww sched report`: packet schedulers in software and hardware, measured beside what was published of PIEO.
//!
//! Published: V. Shrivastav, "Towards High-Speed Networking in the Post-Moore Era" (2020), chapter 2; figures
//! are those of this chapter.

mod hardware;
mod limits;
mod power_law;
mod six_packets;

pub use hardware::{DATA, HardwareError, parse as parse_hardware};

use std::time::Duration;
use ww_plot::report::{Report, Section};
use ww_sched::report::{deviation, gallery, software_rate};

/// The parts, in the order in which they are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Six packets through WF2Q+ and its emulations.
    SixPackets,
    /// Operations a second, logic and memory against the number of elements.
    Hardware,
    /// Rate limits of ten nodes, and fair shares inside.
    Limits,
    /// How far policies are from a fluid server and from WF2Q+.
    Deviation,
    /// Operations a second of the software list.
    Rate,
    /// What each policy does to three flows.
    Gallery,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::SixPackets,
        Self::Hardware,
        Self::Limits,
        Self::Deviation,
        Self::Rate,
        Self::Gallery,
    ];

    /// As `--only` takes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::SixPackets => "six-packets",
            Self::Hardware => "hardware",
            Self::Limits => "limits",
            Self::Deviation => "deviation",
            Self::Rate => "rate",
            Self::Gallery => "gallery",
        }
    }
}

/// What to report, and how long it may take.
pub struct Options<'a> {
    /// Which parts; in the order of [`Part::ALL`].
    pub parts: Vec<Part>,
    /// Fewer seeds, shorter runs.
    pub quick: bool,
    /// Whether blocks are simulated.
    pub rtl: bool,
    /// Measured figures of the blocks: a file of scripts/pieo_figures.py.
    pub hardware: &'a str,
    /// Time that has passed, for rates.
    pub clock: &'a dyn Fn() -> Duration,
    /// Is told what happens now.
    pub progress: &'a dyn Fn(&str),
}

/// Measures.
///
/// # Errors
/// The file of hardware figures cannot be read, or a scheduler does not go on: a sentence.
pub fn report(options: &Options) -> Result<Report, String> {
    let mut sections: Vec<Section> = Vec::new();
    for part in Part::ALL.into_iter().filter(|part| options.parts.contains(part)) {
        (options.progress)(part.word());
        sections.push(match part {
            Part::SixPackets => six_packets::section(options.rtl),
            Part::Hardware => {
                hardware::section(options.hardware).map_err(|error| error.to_string())?
            }
            Part::Limits => limits::section(options.quick, options.rtl)?,
            Part::Deviation => deviation::section(options.quick)?,
            Part::Rate => software_rate::section(options.quick, options.clock),
            Part::Gallery => gallery::section()?,
        });
    }
    let mut notes = vec![format!("Made by Wirewright {}.", env!("CARGO_PKG_VERSION"))];
    if options.quick {
        notes.push("Quick: fewer seeds and shorter runs than the full report.".into());
    }
    Ok(Report {
        title: "Packet scheduling: ours beside what was published".into(),
        notes,
        sections,
    })
}
