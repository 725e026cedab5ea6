//! The blocks of a TCP/IP host around its sessions, each beside the model in `tcp`.

mod arp;
mod cuckoo;
mod drill;
mod frames;
mod host;
mod inbound;
mod ip_host;
mod pair;
mod parts;
mod turns;
