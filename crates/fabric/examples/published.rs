//! Runs FLOWS for 512 hosts under the rules `published` and prints the figures: `published FLOWS [WORKERS]`.

use std::time::Instant;
use ww_fabric::{flows, published};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected FLOWS")?;
    let workers = arguments.next().map_or(Ok(1), |number| number.parse())?;
    let flows = flows::read(&std::fs::read(file)?, 512)?.without_classes("the rules published")?;
    let start = Instant::now();
    let outcome = published::run(&published::Settings::new(512), &flows, workers, None)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{:#}", outcome.figures());
    println!("{seconds:.1} s, {:.1} M cell-slots/s", outcome.cell_slots() as f64 / seconds / 1e6);
    Ok(())
}
