//! The rules `published`.

mod equality;
mod hashes;
mod reference;
