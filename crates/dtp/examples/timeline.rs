//! What two neighbours say to each other from the moment when their link comes up, as a picture.
//!
//! ```text
//! cargo run --release -p wirewright-dtp --example timeline
//! ```

use ww_dtp::counter::Counter;
use ww_dtp::message::Message;
use ww_dtp::port::Config;
use ww_dtp::simulation::crossing::Random;
use ww_dtp::simulation::oscillator::{NANOSECOND, Oscillator};
use ww_dtp::simulation::{Cable, Simulation};

/// Nanoseconds that are drawn.
const UNTIL: u64 = 4_000;

/// Two neighbours whose link comes up at the beginning; p is a million ticks ahead.
fn neighbours() -> Simulation<Random> {
    let oscillators = vec![Oscillator::new(100.0, 0), Oscillator::new(-100.0, 3 * NANOSECOND)];
    let cable = Cable::new([(0, 0), (1, 0)], 10);
    let mut simulation = Simulation::new(Config::new(200), oscillators, &[cable], Random::new(1));
    simulation.set_counter(0, Counter::new(1_000_000));
    simulation.trace();
    simulation.all_up();
    simulation
}

fn main() {
    let mut simulation = neighbours();
    simulation.run_until(UNTIL * NANOSECOND, &mut ());
    // What happens, in the order of times: a message leaves, or is seen.
    let mut events = Vec::new();
    for passage in simulation.take_passages() {
        events.push((passage.left, passage.from.0, true, passage.message));
        events.push((passage.comes, passage.to.0, false, passage.message));
    }
    events.sort_by_key(|event| event.0);
    events.retain(|event| event.0 < UNTIL * NANOSECOND);
    // The same once more, to read counters at these times.
    let mut simulation = neighbours();
    println!("     ns   counter of p                                          counter of q");
    for (time, device, leaves, message) in events {
        // As they are once it was seen.
        simulation.run_until(time + 1, &mut ());
        let [p, q] = [0, 1].map(|device| simulation.counter(device).value());
        let text = text(message);
        let line = match (device, leaves) {
            (0, true) => format!("|-- {text:-<32}>      |"),
            (0, false) => format!("|<----- {text:<33} |"),
            (_, true) => format!("|     <{text:->32} --|"),
            (_, false) => format!("|      {text:>30} ---->|"),
        };
        println!("{:7.1}  {p:>12} {line} {q}", time as f64 / NANOSECOND as f64);
    }
}

fn text(message: Message) -> String {
    match message {
        Message::Init(ticks) => format!("INIT {ticks} "),
        Message::InitAck(ticks) => format!("INIT-ACK {ticks} "),
        Message::Beacon(low) => format!("BEACON {low} "),
        Message::Join(low) => format!("JOIN {low} "),
        Message::Msb(high) => format!("MSB {high} "),
        Message::Log(value) => format!("LOG {value} "),
    }
}
