//! The control plane of a shim while it runs (spec 003 sections 2.12 and 2.14): applications, what they may access,
//! and the rules that put their TPPs into packets. Requests are lines of JSON over a Unix socket, which only the owner of the
//! process may use; the client is `ww_control::live::Client`.
//!
//! What is asked for is in the state's file before it is answered, so that it is still there when the process has been
//! killed.

mod plane;
mod request;
mod server;
mod state;

pub use plane::Plane;
pub use request::Request;
pub use server::Server;
pub use state::{State, StoredRule};
