//! What a host has counted of a flow in a window of time.

use serde::{Deserialize, Serialize};
use ww_host::agent::Report;
use ww_host::filter::Fields;

/// What packets of a flow have read of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crossed {
    /// Its ID.
    pub link: u32,
    /// The largest utilisation, 0x8000 for the capacity.
    pub utilisation: u32,
    /// The largest count of packets that the switch has dropped in front of it.
    pub drops: u32,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of the window, from the start of the run: when packets were sent.
    pub window: u32,
    /// The flow.
    pub flow: Fields,
    /// Packets that this host has sent.
    pub sent: u64,
    /// Packets that this host has received.
    pub received: u64,
    /// The path of the last one received.
    pub path: Vec<Crossed>,
}

/// The tallies that a host has reported.
///
/// # Errors
/// It has reported none, not even an empty list, or something else.
pub fn all(report: &Report) -> Result<Vec<Tally>, String> {
    report.details()?.ok_or_else(|| "a host has reported no tallies of its flows".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_without_tallies_is_an_error() {
        let report = |details| Report { details, ..Report::default() };
        assert_eq!(all(&report(serde_json::json!([]))), Ok(Vec::new()));
        let error = all(&Report::default()).expect_err("it has none");
        assert_eq!(error, "a host has reported no tallies of its flows");
        assert!(
            all(&report(serde_json::json!([{ "window": 1 }]))).is_err(),
            "a tally lacks fields"
        );
    }
}
