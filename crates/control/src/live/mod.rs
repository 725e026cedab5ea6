//! Live control of a running dataplane: requests as lines of JSON over a Unix socket.
//!
//! [`Server`] answers them, [`Client`] makes them; docs/control.md describes them. Between the
//! server and an engine stands a [`Ledger`], which adds transactions and knows what was done, so
//! that another program can take over. Engines whose packets and requests take turns are
//! [`share`]d; others bring a control side of their own that implements [`Replaceable`].

mod answer;
mod client;
mod connection;
mod digests;
mod direct;
mod ledger;
mod plane;
mod protocol;
mod queues;
mod resolve;
mod server;
mod shared;
mod step;
mod values;

pub use client::{CallError, Client};
pub use direct::carry_out;
pub use ledger::{Failed, Inherited, Ledger, Misfits, Multicast, MulticastNode, ProfileBook};
pub use plane::{Loaded, Plane, PortCounters, Ports};
pub use protocol::{LoadRequest, VERSION};
pub use queues::port_queues;
pub use server::{Server, ServerError};
pub use shared::{Shared, SharedControl, share};

use ww_dataplane::control::Control;

/// The control side of a dataplane that another one can take the place of.
pub trait Replaceable: Control + Send {
    /// `new`, whose dataplane has seen no packet, takes the place of this one and its dataplane
    /// that of this one's, between two packets, of which none is lost. Requests may be held when
    /// this is called and are not held afterwards.
    fn replace(&mut self, new: Self)
    where
        Self: Sized;
}
