//! The prototype of the fabric: the driver on a small module with the same ports, and the hardware beside the model.
//!
//! spec: 004-pieo-shoal S28, S29

mod deaths;
mod driver;
mod errors;
mod loads;
mod offsets;

use ww_fabric::configuration::{Configuration, Options, Profile};
use ww_fabric::flows::Flow;
use ww_fabric::observed::{self, Failure};
use ww_fabric::offsets::Offsets;
use ww_fabric::outcome::Outcome;
use ww_fabric::trace::SentCell;
use ww_rtl::runner::Error;
use ww_rtl::shoal_prototype::SimulatedPrototype;

/// The profile, with a limit of epochs or none.
fn profile(epochs: Option<u64>) -> Configuration {
    with_errors(epochs, None)
}

/// The same, with errors in headers: their probability, and what chooses them.
fn with_errors(epochs: Option<u64>, errors: Option<(f64, u64)>) -> Configuration {
    let options = Options {
        profile: Some(Profile::Prototype),
        epochs,
        flip: errors.map(|(probability, _)| probability),
        flip_seed: errors.map(|(_, seed)| seed),
        ..Options::default()
    };
    options.configuration().expect("a configuration")
}

/// Holds the hardware to what the model does with some flows: the same trace, figures and flows. Returns the model's outcome.
fn compare(configuration: &Configuration, flows: &[Flow], what: &str) -> (Outcome, usize) {
    compare_with(configuration, &Offsets::default(), flows, what)
}

/// The same of hardware whose hosts' slots begin late.
fn compare_with(
    configuration: &Configuration,
    offsets: &Offsets,
    flows: &[Flow],
    what: &str,
) -> (Outcome, usize) {
    let mut trace = String::new();
    let mut note = |cell: &SentCell| trace.push_str(&cell.to_string());
    let model = configuration.run(flows, Some(&mut note)).expect("an outcome of the model");
    let mut hardware = SimulatedPrototype::new().expect("a model of the hardware");
    hardware.set_offsets(offsets);
    let (outcome, rows) = on_hardware(configuration, &mut hardware, flows);
    let outcome = outcome.unwrap_or_else(|error| panic!("{what}: {error}"));
    if let Some((line, (expected, found))) =
        trace.lines().zip(rows.lines()).enumerate().find(|(_, (a, b))| a != b)
    {
        panic!("{what}, row {line}: the model sent {expected}, the hardware {found}");
    }
    assert_eq!(rows.len(), trace.len(), "{what}: length of the traces");
    assert_eq!(outcome.figures(), model.figures(), "{what}");
    assert_eq!(outcome.finished, model.finished, "{what}");
    (model, trace.lines().count())
}

/// The outcome and the trace of hardware.
fn on_hardware(
    configuration: &Configuration,
    hardware: &mut SimulatedPrototype,
    flows: &[Flow],
) -> (Result<Outcome, Failure<Error>>, String) {
    let mut trace = String::new();
    let mut note = |cell: &SentCell| trace.push_str(&cell.to_string());
    let settings = configuration.relay().expect("hosts that relay");
    let schedule = configuration.schedule();
    let outcome = match configuration.failures() {
        None => observed::run(schedule, settings, flows, hardware, Some(&mut note)),
        Some(failures) => {
            observed::failures::run(schedule, settings, failures, flows, hardware, Some(&mut note))
        }
    };
    (outcome, trace)
}
