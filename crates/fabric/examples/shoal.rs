//! Runs FLOWS under the rules `shoal` and prints the figures:
//! `shoal FLOWS HOSTS CHANNELS DELAY_SLOTS EPOCHS [WORKERS]`, in reordered order; 0 epochs: until all flows have finished.

use std::time::Instant;
use ww_fabric::configuration::{Options, Rules};
use ww_fabric::{flows, relay, schedule};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| -> Result<usize, Box<dyn std::error::Error>> {
        Ok(arguments
            .get(place)
            .ok_or("expected FLOWS HOSTS CHANNELS DELAY_SLOTS EPOCHS")?
            .parse()?)
    };
    let hosts = number(1)?;
    let options = Options {
        rules: Some(Rules::Relay(relay::Rules::Shoal)),
        hosts: Some(hosts),
        order: Some(schedule::Order::Reordered),
        channels: Some(number(2)?),
        slot_ps: Some(23_250),
        delay_ps: Some(23_250 * number(3)? as u64),
        epochs: Some(number(4)? as u64).filter(|&epochs| epochs > 0),
        workers: arguments.get(5).map(|workers| workers.parse()).transpose()?,
        ..Options::default()
    };
    let configuration = options.configuration()?;
    if let Some(warning) = configuration.warning() {
        eprintln!("warning: {warning}");
    }
    let flows =
        flows::read(&std::fs::read(&arguments[0])?, hosts)?.without_classes("measured runs")?;
    let start = Instant::now();
    let outcome = configuration.run(&flows, None)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{:#}", outcome.figures());
    println!("{seconds:.2} s, {:.1} M cell-slots/s", outcome.cell_slots() as f64 / seconds / 1e6);
    Ok(())
}
