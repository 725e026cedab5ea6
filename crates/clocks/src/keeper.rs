//! What keeps the clock of one host.

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
    /// [`Keeper::departed`] is to be told with this when it left.
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
    /// From now on it is faster than its oscillator by so many parts in 10^9, or slower.
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

/// Keeps the clock of one host, or tells others its time. All times are that clock's readings.
pub trait Keeper: Send {
    /// Puts what is to be sent into `out`; gives when it wants to be asked again. It is asked at the start, at that time, and after anything
    /// else that it is told.
    fn poll(&mut self, now: Time, out: &mut Vec<Outgoing>) -> Option<Time>;

    /// What it sent with a tag left at this time.
    fn departed(&mut self, _tag: u32, _stamp: Time) {}

    /// Something came. False if it is for somebody else.
    fn receive(&mut self, incoming: Incoming<'_>) -> bool;

    /// What is to be done to the clock, once.
    fn adjustment(&mut self) -> Option<Adjustment> {
        None
    }

    /// What it has counted.
    fn counts(&self) -> Counts;
}
