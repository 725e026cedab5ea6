//! `ww tpp aggregate` and `ww tpp collect`: what shims of many hosts have collected comes to one place.

use crate::Failure;
use crate::output::{counted, tell};
use crate::tpp_args::{AggregateArguments, CollectArguments};
use std::fs;
use std::io;
use ww_host::aggregator::{Aggregator, Settings};
use ww_host::collector::Collector;
use ww_io::overwrite::Files;
use ww_runtime::signals;

/// Where the kernel has the host's name.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

fn rejected(error: impl std::fmt::Display) -> Failure {
    Failure::Rejected(error.to_string())
}

/// Passes on what a shim collects, until somebody stops it.
pub fn aggregate(arguments: &AggregateArguments) -> Result<(), Failure> {
    let host = match &arguments.host {
        Some(host) => host.clone(),
        None => {
            let name = fs::read_to_string(HOST_NAME);
            name.map_err(|error| rejected(format!("say --host: '{HOST_NAME}': {error}")))?
                .trim()
                .to_owned()
        }
    };
    if let Some(state) = &arguments.state {
        Files::default().reads("the input", &arguments.file).writes("--state", state)?;
    }
    let settings = Settings {
        file: arguments.file.clone(),
        host,
        to: arguments.to.clone(),
        apps: arguments.app.clone(),
        changes: arguments.changes,
        state: arguments.state.clone(),
        once: arguments.once,
    };
    let mut aggregator = Aggregator::new(settings).map_err(rejected)?;
    let (stop, _signals) = signals::stop()?;
    let done = aggregator.run(|| stop.is_raised(), |told| tell(told)).map_err(rejected)?;
    tell(format_args!(
        "{} passed on, {} left out, {} malformed",
        counted(done.sent, "record"),
        done.left_out,
        counted(done.malformed, "line")
    ));
    Ok(())
}

/// Writes down what aggregators pass on, until somebody stops it.
pub fn collect(arguments: &CollectArguments) -> Result<(), Failure> {
    let collector = Collector::new(arguments.listen, &arguments.out).map_err(rejected)?;
    let at = collector.address().map_err(|error: io::Error| rejected(error))?;
    tell(format_args!("collecting at {at}"));
    let (stop, _signals) = signals::stop()?;
    let done = collector.run(|| stop.is_raised()).map_err(rejected)?;
    tell(format_args!(
        "{}, {} refused",
        counted(done.records, "record"),
        counted(done.refused, "connection")
    ));
    Ok(())
}
