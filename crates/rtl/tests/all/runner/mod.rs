//! The Verilator runner, on a design that was written by hand: `echo.sv` does what `echo.p4` says.

mod doors;
mod echo;
mod engine;
mod faults;
mod selectors;

use std::path::PathBuf;
use ww_rtl::runner::cache::Cache;
use ww_rtl::runner::compile::{Effort, Options, build};
use ww_rtl::runner::tools::Tools;

/// The model of the design, built once.
fn model() -> PathBuf {
    let tools = Tools::find().expect("scripts/setup.sh installs it");
    let cache = Cache::open().expect("writable");
    let options = Options { effort: Effort::Quick, waveform: None };
    build(&echo::design(), options, &tools, &cache).expect("the design is well formed")
}
