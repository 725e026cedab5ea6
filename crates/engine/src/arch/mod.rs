//! Architectures as data: which blocks a package has, what their parameters are for, and which
//! fields of the metadata the switch and the program share.

mod annotations;
mod intrinsic;
pub mod v1model;

pub use annotations::{PathRoot, PreservedPath, field_lists};
pub use intrinsic::IntrinsicFields;

use std::fmt;
use ww_p4::ir::{ConstructorValue, InstanceId, InstanceKind, Program};

/// What an engine cannot run, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The sentence.
    pub message: String,
}

impl Unsupported {
    /// With this sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not supported: {}", self.message)
    }
}

impl std::error::Error for Unsupported {}

/// What a block's parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The packet being parsed (`packet_in`) or built (`packet_out`).
    Packet,
    /// The parsed headers.
    Headers,
    /// The user's metadata.
    Metadata,
    /// What switch and program tell each other.
    Intrinsic,
}

/// A programmable block of an architecture.
#[derive(Clone, Copy, Debug)]
pub struct BlockDescription {
    /// Name of the package's parameter.
    pub parameter: &'static str,
    /// Its position, for declarations with other names.
    pub position: usize,
    /// What its parameters are for, in order.
    pub roles: &'static [Role],
    /// Whether it is a parser.
    pub is_parser: bool,
}

/// The instances that a program's `main` is made of, in the order of the description.
pub fn bind_blocks(
    program: &Program,
    package: &str,
    blocks: &[BlockDescription],
) -> Result<Vec<InstanceId>, Unsupported> {
    let main = program.main.ok_or_else(|| {
        Unsupported::new("the program has no `main`: there is nothing that packets could enter")
    })?;
    let main = &program[main];
    let InstanceKind::Package(id) = &main.kind else {
        return Err(Unsupported::new("`main` is not a package"));
    };
    let signature = &program.types[*id].signature;
    if &*signature.name != package {
        return Err(Unsupported::new(format!(
            "package `{}`; programs for `{package}` (v1model) run on this engine",
            signature.name
        )));
    }
    let bind = |block: &BlockDescription| {
        let by_name = signature.parameters.iter().position(|p| &*p.name == block.parameter);
        let argument = main.arguments.get(by_name.unwrap_or(block.position));
        let Some(ConstructorValue::Instance(instance)) = argument else {
            return Err(Unsupported::new(format!(
                "`main` has no block `{}` of package `{package}`",
                block.parameter
            )));
        };
        let (parameters, is_parser) = match &program[*instance].kind {
            InstanceKind::Parser(id) => (&program[*id].parameters, true),
            InstanceKind::Control(id) => (&program[*id].parameters, false),
            _ => (&Vec::new(), false),
        };
        if parameters.len() != block.roles.len() || is_parser != block.is_parser {
            return Err(Unsupported::new(format!(
                "block `{}` of package `{package}` with {} parameters; {} are expected",
                block.parameter,
                parameters.len(),
                block.roles.len()
            )));
        }
        Ok(*instance)
    };
    blocks.iter().map(bind).collect()
}
