//! Drives TCP in hardware: the sessions of `rtl/toe`, and the host of `rtl/limago`.

mod endpoint;
pub mod equal;
pub mod exchange;
mod fields;
mod host;
pub mod pair;
mod ports;
mod session_processor;

pub use endpoint::HardwareEndpoint;
pub use host::{HardwareHost, HostShape};
pub use session_processor::{Answer, Placement, Request, SessionProcessor, Shape};
