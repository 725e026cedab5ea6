//! The messages of `p4.config.v1`, made from `proto/p4/config/v1`.

#![allow(missing_docs, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/p4.config.v1.rs"));
