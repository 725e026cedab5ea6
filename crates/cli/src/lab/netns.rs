//! `ww lab clean`, and the processes of world netns: they hear from standard input what they are to do.

use super::watch::Watcher;
use crate::Failure;
use crate::output::{print, stdout};
use std::io::stdin;
use std::path::Path;
use ww_lab::lab::Planned;
use ww_lab::world::netns::{agent, element, run_all, shim, switch, system};
use ww_lab::world::sim::Outcome;

/// Runs a lab in world netns.
pub fn run(
    planned: &Planned,
    out: Option<&Path>,
    watch: &Watcher,
) -> Result<Vec<Vec<Outcome>>, String> {
    let ww = std::env::current_exe().map_err(|error| format!("cannot find ww: {error}"))?;
    run_all(planned, &ww, out, &|text| watch.say(text), watch)
}

/// Removes what killed runs have left behind.
pub fn clean() -> Result<(), Failure> {
    let names = system::clean().map_err(Failure::Rejected)?;
    print(&match names.len() {
        0 => "nothing to remove\n".to_owned(),
        _ => names.iter().map(|name| format!("removed {name}\n")).collect(),
    })
}

/// Carries the frames of all links.
pub fn element() -> Result<(), Failure> {
    element::run(stdin(), &mut stdout()).map_err(Failure::Rejected)
}

/// Is a plain switch.
pub fn switch() -> Result<(), Failure> {
    switch::run(stdin(), &mut stdout()).map_err(Failure::Rejected)
}

/// Is what is between a host's stack and its link.
pub fn shim() -> Result<(), Failure> {
    shim::run(stdin(), &mut stdout()).map_err(Failure::Rejected)
}

/// Sends and receives what a host does.
pub fn host() -> Result<(), Failure> {
    agent::run(stdin(), &mut stdout()).map_err(Failure::Rejected)
}
