//! The hardware blocks of `rtl/`, embedded: the SystemVerilog itself, and for each block what it is, its modules with
//! parameters and ports, what its tests compare it with, its tests, proofs and page.
//!
//! Parameters and ports are read from the modules, the rest from `rtl/NAME/block.toml` and the folder: nothing is
//! written twice.
//!
//! ```
//! let blocks = ww_blocks::blocks().expect("the descriptions are valid");
//! let fifo = blocks.iter().find(|block| block.name == "axis_fifo").expect("it exists");
//! assert_eq!(fifo.page, "rtl/axis_fifo/README.md");
//! let module = fifo.modules.iter().find(|module| module.name == "ww_axis_fifo").expect("it exists");
//! assert_eq!(module.parameters[0].name, "WIDTH");
//! ```

mod description;
pub mod facts;
pub mod generated;
mod header;
mod source;

pub use description::{Block, Model, Module, RustTest, blocks};
pub use header::{Parameter, Port};
pub use source::{Source, source, sources};
