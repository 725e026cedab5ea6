//! `ww tcp equal`: the hardware beside the model.

use crate::Failure;
use crate::output::print;
use crate::tcp_args::EqualArguments;
use serde_json::json;
use ww_rtl::toe::equal::{Plan, run};

/// Runs both and prints what differed. Status 1 if anything did.
pub fn equal(arguments: &EqualArguments) -> Result<(), Failure> {
    let plan = Plan { events: arguments.events, hostile: arguments.hostile, seed: arguments.seed };
    let found = run(plan).map_err(|error| Failure::Rejected(error.to_string()))?;
    if arguments.json {
        let report = json!({
            "events": found.events,
            "differences": found.differences,
            "first": found.first,
            "clocks": found.clocks,
        });
        print(&format!("{report}\n"))?;
    } else {
        print(&format!(
            "{} events, {} clocks, {} differences\n",
            found.events, found.clocks, found.differences
        ))?;
    }
    found.first.map_or(Ok(()), |first| Err(Failure::Rejected(first)))
}
