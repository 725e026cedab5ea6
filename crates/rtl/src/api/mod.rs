//! What `ww build` writes: a design's sources, and the control API in C and Python that is made
//! from its manifest and its program.
//!
//! - [`plan`] says what the API offers; [`names`] makes identifiers.
//! - [`c`] writes it in C, on top of the driver of `rtl/driver`; [`python`] in Python, on top of
//!   the same driver as a shared library; [`register_map`] for people who have neither.
//! - [`package`] is the whole folder.

pub mod c;
pub mod names;
pub mod package;
pub mod plan;
pub mod python;
pub mod register_map;

use std::fmt;

/// Why there is no control API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// What the program says of its tables has no place in the design; the sentence says what.
    Program(String),
    /// The design has an object that the program does not have.
    Missing(String),
}

impl Error {
    fn missing(name: &str) -> Self {
        Self::Missing(name.to_owned())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(text) => f.write_str(text),
            Self::Missing(name) => write!(f, "the design has `{name}`, and the program does not"),
        }
    }
}

impl std::error::Error for Error {}
