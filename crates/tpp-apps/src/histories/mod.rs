//! Packet histories: which way each packet has gone, as tiny packet programs have found it (spec 003, section 2.17;
//! NetSight, NSDI 2014): [`values`] (the program), [`history`] (what comes of it), [`lines`] (records as lines of JSON),
//! and what is done with them: [`netshark`] stores them, [`ndb`] finds some of them, [`netwatch`] judges each,
//! [`profile`] adds them up.
//!
//! Nothing here reads a clock or a socket. A packet that was dropped has no history, and all trusts the switches.

pub mod history;
pub mod lab;
pub mod lines;
pub mod ndb;
pub mod netshark;
pub mod netwatch;
pub mod profile;
mod results;
pub mod values;
