//! Reports of switches about packets that they drop ([`ww_tpp::switch::drops`]), and the host that collects them.

pub mod agent;
pub mod lab;
mod results;

use ww_host::record::Record;
use ww_tpp::switch::drops::Reason;

/// The UDP port that reports go to.
pub const PORT: u16 = 9_001;

/// Where a packet was dropped, and why: the first words of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Why.
    pub reason: Reason,
    /// `Switch:SwitchID`.
    pub switch: u32,
    /// The port that it would have left by, if it was known.
    pub output_port: Option<u32>,
}

impl Place {
    /// Of a record that a collector has kept.
    pub fn of(record: &Record) -> Option<Self> {
        let [reason, switch, port, ..] = *record.words.as_slice() else { return None };
        let reason = Reason::ALL.into_iter().find(|one| *one as u32 == reason)?;
        Some(Self { reason, switch, output_port: port.checked_sub(1) })
    }

    fn words(self) -> [u32; 3] {
        [self.reason as u32, self.switch, self.output_port.map_or(0, |port| port + 1)]
    }
}
