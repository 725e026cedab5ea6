//! Tests of the TCP/IP engine.

mod drill;
mod host;
mod hostile;
mod pair;
mod sessions;
