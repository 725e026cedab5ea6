//! What native code calls, and what it needs for that.

pub mod arithmetic;
pub mod externs;
pub mod frame;
pub mod tables;

use super::abi::Context;
use super::compile::Site;
use super::control::{Generation, Ordered};
use std::sync::Arc;
use ww_dataplane::control::Digest;
use ww_packet::hash::Hash;

/// A call of the program, with its hash function looked up.
#[derive(Debug)]
pub struct PreparedSite {
    /// The call.
    pub site: Site,
    /// Its hash function; `None` for those that are not fixed.
    pub hash: Option<Hash>,
}

/// What the functions of one worker work with. Valid while native code runs.
#[derive(Debug)]
pub struct Runtime {
    /// The batch's generation.
    pub generation: *const Generation,
    /// Objects whose accesses are in the order of the packets; null if the program has none.
    pub ordered: *mut Ordered,
    /// Calls by number.
    pub sites: Arc<[PreparedSite]>,
    /// How often each place has drawn a random number for the packet at work.
    pub draws: Vec<(u64, u64)>,
    /// Random numbers are a function of this, the packet and the place.
    pub seed: u64,
    /// Data on the wire, while it is hashed.
    pub wire: Vec<u8>,
    /// What the deparser of programs with odd headers writes.
    pub output: Vec<u8>,
    /// Digests of the batch, with the numbers of their packets in it.
    pub digests: Vec<(u64, Digest)>,
}

/// The runtime of a batch.
///
/// # Safety
/// The context is that of a native function that is running, and no other reference to its
/// runtime is in use.
unsafe fn runtime<'c>(context: *const Context) -> &'c mut Runtime {
    // SAFETY: the caller's promise; `runtime` is set before native code runs.
    unsafe { &mut *(*context).runtime.cast::<Runtime>() }
}
