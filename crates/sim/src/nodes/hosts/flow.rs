//! Flows while they last.

use super::dcqcn::DcqcnExchange;
use super::ndp::NdpExchange;
use crate::pending::Time;
use crate::transport::tcp::{Receiver, Sender};

/// A flow: bytes from one host to another, or a stream without an end.
#[derive(Debug)]
pub(super) struct Flow {
    /// Its number in the run; 0 is nobody's.
    pub serial: u64,
    pub traffic: u32,
    /// Among hosts.
    pub from: u32,
    pub to: u32,
    /// UDP or TCP ports.
    pub ports: [u16; 2],
    pub hash: u32,
    pub class: u8,
    pub bytes: u64,
    pub start: Time,
    pub ideal: Time,
    pub role: Role,
    pub carrier: Carrier,
    /// The receiver has all of it.
    pub complete: bool,
}

/// What follows when it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing.
    Plain,
    /// The answer to the client of this source, which asked at this time.
    Request { source: u32, client: u32, asked: Time },
    /// The client asks again.
    Response { source: u32, client: u32, asked: Time },
    /// It has no end and is not recorded.
    Stream,
}

/// What carries it.
#[derive(Debug)]
pub(super) enum Carrier {
    /// UDP packets of some length; a flow with a size sends the rest of its bytes at its pace.
    Datagrams(Datagrams),
    /// TCP.
    Tcp(Box<Connection>),
    /// NDP.
    Ndp(Box<NdpExchange>),
    /// DCQCN.
    Dcqcn(Box<DcqcnExchange>),
    /// TCP of hosts with a stack.
    Stack(OverStack),
    /// Echoes between hosts with a stack.
    Echo,
}

/// TCP of hosts with a stack, as far as it can be seen from without.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OverStack {
    /// Bytes that the receiver has read, and that were as they should be.
    pub received: u64,
    /// The sequence number behind the last one that was sent.
    pub next: Option<u32>,
    /// Segments with numbers from before it.
    pub retransmitted: u64,
    /// How often such segments were sent because of a timer.
    pub timeouts: u64,
}

/// UDP.
#[derive(Clone, Copy, Debug)]
pub(super) struct Datagrams {
    /// Length of a frame.
    pub frame: u32,
    /// 2^-16 ps a byte; 0 for streams, whose source has a pace.
    pub multiplier: u64,
    pub fraction: u64,
    /// Packets that were sent.
    pub number: u32,
    /// Bytes for the application that were not sent yet, and that have arrived.
    pub rest: u64,
    pub received: u64,
}

impl Datagrams {
    /// So many bytes of an application in frames of this length.
    pub fn new(frame: u32, multiplier: u64, bytes: u64) -> Self {
        Self { frame, multiplier, fraction: 0, number: 0, rest: bytes, received: 0 }
    }
}

/// Both ends of a TCP connection that carries bytes one way.
#[derive(Debug)]
pub(super) struct Connection {
    pub sender: Sender,
    pub receiver: Receiver,
    /// When the sender's next timer expires; others that come are stale.
    pub sender_wakes: Option<Time>,
    /// The same of the receiver.
    pub receiver_wakes: Option<Time>,
    /// Bytes that were counted as goodput.
    pub counted: u64,
    /// It waits for its host's link.
    pub blocked: bool,
}

/// Flows by place. A place is used again when its flow has gone.
#[derive(Debug, Default)]
pub(super) struct Flows {
    flows: Vec<Option<Flow>>,
    free: Vec<u32>,
}

impl Flows {
    /// Its place.
    pub fn insert(&mut self, flow: Flow) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.flows[place as usize] = Some(flow);
                place
            }
            None => {
                self.flows.push(Some(flow));
                (self.flows.len() - 1) as u32
            }
        }
    }

    /// The flow at a place, if it is still the one with this number in the run.
    #[inline]
    pub fn get(&mut self, place: u32, serial: u64) -> Option<&mut Flow> {
        self.flows.get_mut(place as usize)?.as_mut().filter(|flow| flow.serial == serial)
    }

    /// As [`get`](Self::get), by the low bits of the number.
    pub fn tagged(&mut self, place: u32, tag: u32) -> Option<&mut Flow> {
        self.flows.get_mut(place as usize)?.as_mut().filter(|flow| flow.serial as u32 == tag)
    }

    /// Takes it out.
    pub fn remove(&mut self, place: u32) -> Option<Flow> {
        let flow = self.flows.get_mut(place as usize)?.take()?;
        self.free.push(place);
        Some(flow)
    }

    /// Takes out all, in the order of their numbers.
    pub fn drain(&mut self) -> Vec<Flow> {
        self.free.clear();
        let mut flows: Vec<Flow> = self.flows.drain(..).flatten().collect();
        flows.sort_by_key(|flow| flow.serial);
        flows
    }
}
