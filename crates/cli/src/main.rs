//! The `ww` command.

fn main() {}
