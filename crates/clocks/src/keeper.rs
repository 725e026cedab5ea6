//! Clock synchronisation of one host: the trait that PTP and NTP implement.

use crate::time::Time;
use std::net::Ipv4Addr;

/// A datagram that is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// To whom.
    pub to: Ipv4Addr,
    /// UDP port, of both sides.
    pub port: u16,
    /// What UDP carries.
    pub payload: Vec<u8>,
    /// The tag with which [`Keeper::departed`] must be called when it has left.
    pub tag: Option<u32>,
}

/// A datagram that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incoming<'p> {
    /// From whom.
    pub from: Ipv4Addr,
    /// UDP port, of both sides.
    pub port: u16,
    /// What UDP carried.
    pub payload: &'p [u8],
    /// When it came, by the clock that is being kept.
    pub stamp: Time,
}

/// What is to be done to a clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adjustment {
    /// It is set forward by this much, or back.
    pub step: Time,
    /// Frequency correction relative to the oscillator from now on, in parts per 10^9; negative is slower.
    pub frequency: f64,
}

/// What a keeper has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Datagrams sent.
    pub sent: u64,
    /// Offsets that were given to the servo.
    pub samples: u64,
    /// How often the clock was stepped.
    pub steps: u64,
    /// Datagrams that were none of the protocol, or belonged to nothing that is open.
    pub unexpected: u64,
}

/// Synchronises the clock of one host, or serves its time to others. All times are that clock's readings.
pub trait Keeper: Send {
    /// Puts datagrams to be sent into `out`; returns when it must be polled again. It is polled at the start, at that time, and after every
    /// other call.
    fn poll(&mut self, now: Time, out: &mut Vec<Outgoing>) -> Option<Time>;

    /// What it sent with a tag left at this time.
    fn departed(&mut self, _tag: u32, _stamp: Time) {}

    /// A datagram has arrived. False if it is not for this keeper.
    fn receive(&mut self, incoming: Incoming<'_>) -> bool;

    /// What is to be done to the clock, once.
    fn adjustment(&mut self) -> Option<Adjustment> {
        None
    }

    /// What it has counted.
    fn counts(&self) -> Counts;
}
