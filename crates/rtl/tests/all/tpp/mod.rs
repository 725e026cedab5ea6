//! The TCPU of `rtl/tpp` against the golden model of `ww_tpp`.
//!
//! spec: 003-tpp 2.1 to 2.7, checks 7, 8, 10 to 14

mod bench;
mod checks;
mod equality;
mod hostile;
mod programs;
mod switch;
mod timing;
