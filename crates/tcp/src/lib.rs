//! The TCP/IP engine of Limago as a model.

pub mod drill;
pub mod engine;
pub mod host;
pub mod options;
pub mod pair;
pub mod random;
pub mod sequence;
pub mod session;
pub mod settings;
