//! Random P4_16 programs for v1model, with entries and packets for them, to compare engines.
//!
//! A [`case::Case`] is a function of a seed and a [`profile::Profile`]: a program, built as a
//! [`tree`] and printed as P4, and [`case::Step`]s, requests of the control plane between packets.
//! [`compare::compare`] runs it on two engines and gives the first difference;
//! [`shrink::shrink`] makes a case small that has one.
//!
//! ```
//! use ww_engine::interp::{Interp, Options};
//! use ww_generate::{case::{Case, Source}, compare::compare, profile::Profile};
//!
//! let interp = |source: &Source| -> Result<Box<dyn ww_control::Switch>, String> {
//!     let engine = Interp::new(source.program.clone(), Options::default());
//!     Ok(Box::new(engine.map_err(|e| format!("{e:?}"))?))
//! };
//! let (case, source) = Case::generate(1, &Profile::small()).expect("accepted");
//! assert_eq!(compare(&case, &source, &interp, &interp), None);
//! ```

pub mod case;
pub mod compare;
mod entries;
pub mod listed;
mod packets;
mod pool;
pub mod print;
pub mod profile;
pub mod program;
mod random;
pub mod request;
pub mod shrink;
pub mod tree;
