//! `ww tpp shim`: the shim of a host as a process between its stack and its wire.

use super::read_text;
use crate::Failure;
use crate::output::{print, tell};
use crate::terminal::Terminal;
use crate::tpp_args::ShimArguments;
use std::path::Path;
use std::sync::Arc;
use ww_host::rules_file::{self, RulesFile};
use ww_host::shim::Shim;
use ww_runtime::shim::{Settings, run};
use ww_runtime::signals;
use ww_tpp::protection::Protection;

/// Runs until the capture files end or somebody stops it, and prints what it has done.
pub fn shim(arguments: &ShimArguments) -> Result<(), Failure> {
    let settings = Settings {
        stack: arguments.stack.clone(),
        wire: arguments.wire.clone(),
        collect: arguments.collect.clone(),
        control: arguments.control.clone(),
        state: arguments.state.clone(),
        rules: arguments.rules.clone(),
    };
    let made = made(arguments)?;
    let (stop, _signals) = signals::stop()?;
    let report = run(&settings, made, &stop, Arc::new(Terminal::new()))?;
    if let Some(error) = &report.uncollected {
        tell(format_args!("warning: what arrived later was not collected: {error}"));
    }
    let counters = &report.counters;
    print(&match arguments.json {
        true => format!("{:#}\n", report.json()),
        false => format!(
            "{} stamped, {} without as they would have been too long, {} of the stack refused\n\
             {} stripped, {} sent back, {} returned\n",
            counters.stamped,
            counters.too_long,
            counters.refused,
            counters.stripped,
            counters.echoed,
            counters.returned,
        ),
    })
}

/// A shim with the rules of the file, or without any if a control plane is to bring them.
fn made(arguments: &ShimArguments) -> Result<Shim, Failure> {
    let Some(path) = &arguments.rules else {
        let mtu = arguments.mtu.unwrap_or(1500);
        return Ok(Shim::new(mtu.into(), Protection::new(&[]), 0));
    };
    let file = rules(path)?;
    let mut shim = Shim::new(file.mtu, file.protection, file.seed);
    shim.add_all(file.rules);
    Ok(shim)
}

fn rules(path: &Path) -> Result<RulesFile, Failure> {
    let text = read_text(path)?;
    rules_file::parse(&path.display().to_string(), &text)
        .map_err(|report| Failure::Rejected(report.to_string()))
}
