//! The integration tests of this crate, in one binary: one link instead of many.

mod driver;
mod equality;
mod fairness;
mod gallery;
mod operations;
mod policy_file;
mod scheduler;
mod shaping;
mod traffic;
mod wf2q_vector;
