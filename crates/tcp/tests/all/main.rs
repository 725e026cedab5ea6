//! Tests of the TCP/IP engine.

mod drill;
mod hostile;
mod host;
mod pair;
mod sessions;
