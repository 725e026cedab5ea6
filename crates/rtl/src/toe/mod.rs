//! Drives TCP in hardware: the sessions of `rtl/toe`, and the host of `rtl/limago`.

mod endpoint;
pub mod equal;
mod fields;
mod host;
mod session_processor;

pub use endpoint::HardwareEndpoint;
pub use host::{HardwareHost, HostShape};
pub use session_processor::{Answer, Placement, Request, SessionProcessor, Shape};
