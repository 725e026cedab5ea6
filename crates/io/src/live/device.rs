//! What the live world asks of a port.

use super::PortError;
use super::interface::InterfacePort;
use super::tap::TapPort;
use crate::spec::{PortAssignment, PortSpec};
use crate::time::UtcTime;
use crate::world::PortReport;
use std::os::fd::RawFd;
use ww_engine::dataplane::PortId;

/// Takes in a frame that arrived: when (by the system's clock, if the kernel
/// noted it), and its bytes.
pub(crate) type Deliver<'a> = dyn FnMut(Option<UtcTime>, &[u8]) + 'a;

/// A live port. Once open, nothing it meets is an error to the run: trouble is
/// counted, and an interface that went away is looked for.
pub(crate) trait Device {
    /// The port's number.
    fn port(&self) -> PortId;

    /// What to wait on for frames; `None` while the interface is gone.
    fn descriptor(&self) -> Option<RawFd>;

    /// Takes in what has arrived, at most `budget` frames of the kernel's, each of
    /// which may stand for several on the wire. Never waits.
    fn receive(&mut self, budget: usize, deliver: &mut Deliver<'_>);

    /// Takes a frame to send; it leaves with the next [`flush`](Self::flush).
    fn send(&mut self, frame: Vec<u8>);

    /// Sends what was queued. Frames that find no room in time are dropped.
    fn flush(&mut self);

    /// Clears an error condition that the wait reported.
    fn clear_error(&mut self);

    /// Called a few times a second: notices interfaces that vanished or came back.
    fn check(&mut self);

    /// The counters so far.
    fn report(&mut self) -> PortReport;
}

/// Opens a live port. `None` when `port` is made of files.
pub(crate) fn open(port: &PortAssignment) -> Result<Option<Box<dyn Device>>, PortError> {
    let fail = |interface: &String, problem: String| PortError {
        port: port.port,
        interface: interface.clone(),
        problem,
    };
    let report =
        PortReport { port: port.port, spec: port.spec.to_string(), ..PortReport::default() };
    Ok(match &port.spec {
        PortSpec::Files { .. } => None,
        PortSpec::Interface(name) => {
            let opened = InterfacePort::open(name, report).map_err(|e| fail(name, e))?;
            Some(Box::new(opened))
        }
        PortSpec::Tap(name) => {
            Some(Box::new(TapPort::open(name, report).map_err(|e| fail(name, e))?))
        }
    })
}
