//! What sits between a host's network stack and its link: something that changes what goes out, takes what comes in, and
//! sends by itself, as the shim and the applications of tiny packet programs do. Simulated hosts and real ones drive
//! the same agents.

use crate::record::Record;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Time in picoseconds.
pub type Time = u64;

/// The agent's verdict on a received frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// It is for the host's stack, as the agent has left it.
    Deliver,
    /// The agent has kept it.
    Taken,
    /// It goes out again, as the agent has left it.
    SendBack,
}

/// What an agent reports at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Figures by name. Those of several hosts with one name are added.
    pub figures: Vec<(String, f64)>,
    /// TPPs that it keeps.
    pub records: Vec<Record>,
    /// What only the application itself can read.
    #[serde(default)]
    pub details: serde_json::Value,
}

impl Report {
    /// The details, if there are any.
    ///
    /// # Errors
    /// They are not what the application reports.
    pub fn details<T: DeserializeOwned>(&self) -> Result<Option<T>, String> {
        Option::deserialize(&self.details)
            .map_err(|error| format!("the details of a host's report cannot be read: {error}"))
    }

    /// The sum of all figures with a name.
    ///
    /// # Errors
    /// There is none.
    pub fn figure(&self, name: &str) -> Result<f64, String> {
        let mut found = self.figures.iter().filter(|(other, _)| other == name).peekable();
        if found.peek().is_none() {
            let names: Vec<&str> = self.figures.iter().map(|(name, _)| name.as_str()).collect();
            return Err(format!(
                "a host's report has no figure '{name}'; it has {}",
                names.join(", ")
            ));
        }
        Ok(found.map(|(_, value)| value).sum())
    }
}

/// The time that is measured: from the end of the warm-up to the end of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The first picosecond.
    pub from: Time,
    /// The first one that does not count any more.
    pub until: Time,
}

impl Measured {
    /// Whether something at this time counts.
    pub fn has(&self, now: Time) -> bool {
        (self.from..self.until).contains(&now)
    }

    /// Bits a second, of bytes in this time.
    pub fn rate(&self, bytes: u64) -> f64 {
        let seconds = self.until.saturating_sub(self.from).max(1) as f64 / 1e12;
        bytes as f64 * 8.0 / seconds
    }
}

/// Sits between stack and link of one host. Times are those of the host's clock.
pub trait Agent: Send {
    /// A frame is about to join the queue of the link; the agent may change it. False drops it.
    fn transmit(&mut self, _now: Time, _frame: &mut Vec<u8>) -> bool {
        true
    }

    /// A frame has arrived.
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received;

    /// Puts frames that it sends by itself into `out`. It is called at the start, when a frame has arrived, and
    /// at the time that it gives; not again at once if that is not later than `now`.
    fn poll(&mut self, _now: Time, _out: &mut Vec<Vec<u8>>) -> Option<Time> {
        None
    }

    /// Its report. Called once, at the end.
    fn report(&mut self) -> Report {
        Report::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_figures_and_unreadable_details_are_errors() {
        let figures = vec![("sent".to_owned(), 1.5), ("sent".to_owned(), 2.0)];
        let report = Report { figures, details: serde_json::json!([1, 2]), ..Report::default() };
        assert_eq!(report.figure("sent"), Ok(3.5));
        let error = report.figure("lost").expect_err("there is none");
        assert_eq!(error, "a host's report has no figure 'lost'; it has sent, sent");
        assert_eq!(report.details::<Vec<u8>>(), Ok(Some(vec![1, 2])));
        assert_eq!(Report::default().details::<Vec<u8>>(), Ok(None));
        let error = report.details::<String>().expect_err("it is a list");
        assert!(error.starts_with("the details of a host's report cannot be read: "), "{error}");
    }
}
