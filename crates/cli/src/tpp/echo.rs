//! `ww tpp echo`: TPPs that come to a host without a shim go back.

use crate::Failure;
use crate::output::{counted, print, tell};
use crate::tpp_args::EchoArguments;
use serde_json::json;
use ww_host::echo::Echo;
use ww_runtime::signals;

/// Answers until somebody stops it.
pub fn echo(arguments: &EchoArguments) -> Result<(), Failure> {
    let rejected = |error: &dyn std::fmt::Display| Failure::Rejected(error.to_string());
    let listen = arguments.listen;
    let mut echo = Echo::bind(listen).map_err(|error| {
        Failure::Rejected(format!("cannot take UDP port 26214 of {listen}: {error}"))
    })?;
    let (stop, _signals) = signals::stop()?;
    let mut failure = None;
    let counters = echo
        .run(
            || stop.is_raised(),
            |from, tpp| {
                let words: Vec<u32> = tpp.words().collect();
                let line = json!({
                    "from": from.ip().to_string(),
                    "port": from.port(),
                    "app": tpp.app_tag,
                    "hops": tpp.hop,
                    "sp": tpp.stack_pointer,
                    "words": words,
                });
                if arguments.json
                    && let Err(error) = print(&format!("{line}\n"))
                {
                    // Nobody reads any more.
                    failure = Some(error);
                    stop.raise();
                }
            },
        )
        .map_err(|error| rejected(&error))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    tell(format_args!(
        "{} sent back, {} ignored, {} answers failed",
        counters.echoed,
        counted(counters.ignored, "datagram"),
        counters.failed
    ));
    Ok(())
}
