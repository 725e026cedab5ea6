//! The integration tests of this crate, in one binary: one link instead of many.

mod jit_equality;
mod pipeline_equality;
mod stf_files;
mod tcpu;
mod v1model_switch;
