//! Measurement and control with TPPs, with packets through plain switches and agents at hosts.

mod convergence;
mod drops;
mod paths;
mod silent;
mod sketch;
mod update;

use crate::network::{MICROSECOND, line};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use ww_host::agent::{Agent, Received};
use ww_packet::udp_frame::{End, data, datagram};
use ww_sched::policy_file::Plan;
use ww_sim::forwarder::tcpu::TppForwarder;
use ww_sim::network::{Network, NodeId, NodeKind, Switch};
use ww_sim::pending::Time;
use ww_sim::simulation::Parts;
use ww_sim::topology::host;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::frame::insert;
use ww_tpp::switch::{Config, Tcpu};

const RATE: u64 = 100_000_000;
const SWITCH: Switch = Switch { routes: false, latency: 0 };
const DATA: u16 = 7000;

/// Queues of all ports of a switch: first in, first out, so many bytes.
fn fifo(bytes: u32) -> Plan {
    let text = format!(
        "rate = \"100 Mb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\nname = \"all\"\n\
         [traffic.queue]\nbytes = {bytes}\n"
    );
    Plan::parse(&text).expect("a good policy")
}

/// Makes all switches of a network execute TPPs; node n has the number n + 1.
fn install(network: &mut Network, bytes: u32, config: impl Fn(Config) -> Config) -> Parts {
    let mut parts = Parts::default();
    let switches: Vec<NodeId> = (0..network.nodes.len() as NodeId)
        .filter(|node| matches!(network.nodes[*node as usize].kind, NodeKind::Switch(_)))
        .collect();
    for node in switches {
        let mut own = config(Config::new(node + 1));
        own.other_ports.rate = RATE;
        let switch = (node, Tcpu::new(own, 0), fifo(bytes).traffic_manager_at(&BTreeMap::new()));
        TppForwarder::install(network, &mut parts, 1, switch);
    }
    parts
}

fn end(number: u32, port: u16) -> End {
    let host = host(number);
    End { mac: host.mac, ip: host.ip, port }
}

/// What has come to hosts: who, when, and the frame.
type Log = Arc<Mutex<Vec<(u32, Time, Vec<u8>)>>>;

/// Sends frames at their times, and keeps what comes.
struct Script {
    number: u32,
    /// In the order of times.
    frames: std::vec::IntoIter<(Time, Vec<u8>)>,
    log: Log,
}

impl Script {
    fn boxed(number: u32, frames: Vec<(Time, Vec<u8>)>, log: &Log) -> Box<dyn Agent> {
        Box::new(Self { number, frames: frames.into_iter(), log: log.clone() })
    }
}

impl Agent for Script {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        self.log.lock().expect("whole").push((self.number, now, frame.clone()));
        Received::Taken
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        while let Some((at, frame)) = self.frames.as_slice().first() {
            if *at > now {
                return Some(*at);
            }
            out.push(frame.clone());
            self.frames.next();
        }
        None
    }
}

/// A datagram with a number in its data, `length` bytes long, and the TPP of a program.
fn numbered(from: u32, to: End, source: u16, number: u64, length: usize) -> Vec<u8> {
    let mut data = number.to_be_bytes().to_vec();
    data.resize(length - 42, 0);
    datagram(end(from, source), to, &data)
}

/// The number in a datagram's data.
fn number(frame: &[u8]) -> u64 {
    let bytes = data(frame, DATA).expect("a datagram with a number");
    u64::from_be_bytes(*bytes.first_chunk().expect("eight bytes"))
}

/// With the TPP of a program for so many hops.
fn with_tpp(mut frame: Vec<u8>, program: &str, hops: u16) -> Vec<u8> {
    let options = Options { hops: Some(hops), ..Options::default() };
    let tpp = assemble(program, &options).expect("a good program").emit();
    insert(&mut frame, &tpp).expect("it fits");
    frame
}

/// A link of 100 Mb/s and 1 us.
fn core() -> ww_sim::network::Direction {
    assert_eq!(line(RATE).delay, MICROSECOND);
    line(RATE)
}
