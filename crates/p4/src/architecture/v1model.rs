//! The one description that this library itself needs: scheduling policies are lowered to programs
//! for it ([`crate::policy`]).

use super::{Architecture, embedded};

/// The value of `egress_spec` that drops a packet.
pub const DROP_PORT: u64 = 511;

/// v1model, as the BMv2 `simple_switch` implements it: `v1model.arch.toml`.
pub fn v1model() -> &'static Architecture {
    let found = embedded().iter().find(|a| a.name == "v1model");
    found.expect("v1model is one of our own descriptions")
}
