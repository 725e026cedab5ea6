//! Control planes of a dataplane: runtime commands, tests, and the description of a program for
//! controllers.

pub mod diagnostics;
pub mod entries;
pub mod line_server;
pub mod live;
pub mod number;
pub mod p4info;
mod rates;
pub mod stf;
pub mod trace_text;
pub mod word;

use ww_dataplane::Dataplane;
use ww_dataplane::control::Control;

/// An engine with a program: packets on one side, entries on the other.
pub trait Switch: Control + Dataplane {}

impl<T: Control + Dataplane + ?Sized> Switch for T {}
