//! The rules `published`.

mod hashes;
mod reference;
