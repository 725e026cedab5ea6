//! Clock synchronisation in the physical layer (DTP: Lee, Wang, Shrivastav and Weatherspoon, "Globally Synchronized Time via
//! Datacenter Networks", SIGCOMM 2016).
//!
//! Every device counts the ticks of its oscillator, 6.4 ns each, and neighbours tell each other their counters in the control bits
//! of idle blocks, which carry nothing otherwise: no packet is added. A device that receives a larger counter, corrected by the link delay,
//! adopts it. So all counters follow the fastest oscillator, a few ticks apart.
//!
//! [`message`] is what an idle block carries; [`device`] and [`port`] are the protocol, without a clock of their own; and
//! [`simulation`] runs devices in true time: oscillators some parts per million off, cables, crossings between clocks, links
//! that are full of frames, links that fail.

pub mod counter;
pub mod daemon;
pub mod device;
pub mod message;
pub mod port;
pub mod simulation;
