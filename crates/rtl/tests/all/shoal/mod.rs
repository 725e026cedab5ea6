//! The prototype of the fabric: the driver on a small module with the same ports, and the hardware beside the model.
//!
//! spec: 004-pieo-shoal S28, S29

mod driver;
mod loads;

use ww_fabric::configuration::{Configuration, Options, Profile};
use ww_fabric::flows::Flow;
use ww_fabric::observed::{self, Failure};
use ww_fabric::outcome::Outcome;
use ww_fabric::trace::SentCell;
use ww_rtl::runner::Error;
use ww_rtl::shoal_prototype::SimulatedPrototype;

/// The profile, with a limit of epochs or none.
fn profile(epochs: Option<u64>) -> Configuration {
    let options = Options { profile: Some(Profile::Prototype), epochs, ..Options::default() };
    options.configuration().expect("a configuration")
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
    let outcome =
        observed::run(configuration.schedule(), settings, flows, hardware, Some(&mut note));
    (outcome, trace)
}
