//! Drives TCP in hardware: the sessions of `rtl/toe`, and the host of `rtl/limago`.

pub mod equal;
mod fields;
mod host;
mod session_processor;

pub use host::{HardwareHost, HostShape, Standing};
pub use session_processor::{Answer, Placement, Request, SessionProcessor, Shape};
