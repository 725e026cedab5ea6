//! Tiny packet programs on a real host: what needs sockets and clocks around the parts of `ww_tpp::host`, which have
//! neither.
//!
//! [`executor`] sends standalone TPPs and waits for them, [`patterns`] are what is done with it, [`trace`] discovers
//! paths. [`echo`] answers where no shim does. [`control`] is the control plane of a shim while it runs. An [`aggregator`]
//! passes what a shim has collected on to a [`collector`].

pub mod aggregator;
pub mod collector;
pub mod control;
pub mod echo;
pub mod executor;
pub mod hex;
pub mod patterns;
pub mod trace;
