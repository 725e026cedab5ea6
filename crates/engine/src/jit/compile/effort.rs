//! How much work goes into native code. The compiler's optimiser and its usual register allocator
//! take time that grows faster than a function; above a size that ordinary programs do not reach
//! they are left out, and above a further one the program is refused.

use cranelift_codegen::settings;
use cranelift_codegen::settings::{Configurable, SetError};
use std::fmt;
use ww_p4::pipeline::{Body, Pipeline};
use ww_p4::source::Span;

/// How much work goes into a program's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The fastest code.
    Full,
    /// A time that is linear in the program's size.
    Linear,
}

/// Most instructions of the compiler's input, a function, with [`Effort::Full`]. The largest
/// program in `p4/programs` has 13,000.
const FULL_INSTRUCTIONS: usize = 1 << 15;

/// Most instructions of the compiler's input, a function.
pub const MAX_INSTRUCTIONS: usize = 1 << 19;

/// Most nodes of control-flow graphs and parser states of a program.
pub const MAX_NODES: usize = 1 << 15;

/// Most operations of a program.
pub const MAX_OPERATIONS: usize = 1 << 19;

impl Effort {
    /// Most instructions of a function.
    pub fn instructions(self) -> usize {
        match self {
            Self::Full => FULL_INSTRUCTIONS,
            Self::Linear => MAX_INSTRUCTIONS,
        }
    }

    /// Fields whose values are known at a time: each place where ways part or join looks at all
    /// of them, and those in registers compete for these.
    pub fn known_fields(self) -> usize {
        match self {
            Self::Full => 512,
            Self::Linear => 32,
        }
    }

    /// Sets the compiler's options.
    pub fn configure(self, flags: &mut settings::Builder) -> Result<(), SetError> {
        let (level, allocator) = match self {
            Self::Full => ("speed", "backtracking"),
            Self::Linear => ("none", "single_pass"),
        };
        flags.set("opt_level", level)?;
        flags.set("regalloc_algorithm", allocator)
    }
}

/// A program that is too large for native code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The largest block: its kind and its name in the program.
    pub what: String,
    /// Where the block is declared.
    pub span: Span,
    /// How large it is, as far as it was looked at, and in which unit.
    pub size: (usize, &'static str),
    /// The limit of the program in the same unit.
    pub limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, unit) = self.size;
        let Self { what, limit, .. } = self;
        write!(
            f,
            "the program is too large for native code: it has more than {limit} {unit} when what \
             it calls is inlined, most of them ({size}) in {what}"
        )
    }
}

impl TooLarge {
    /// Of the largest of a program's blocks.
    pub fn of(
        pipeline: &Pipeline,
        sizes: &[usize],
        unit: &'static str,
        limit: usize,
    ) -> Option<Self> {
        let largest = (0..sizes.len()).max_by_key(|n| sizes[*n])?;
        let block = pipeline.blocks.get(largest)?;
        let kind = match block.body {
            Body::Parser(_) => "parser",
            Body::Control(_) => "control",
        };
        Some(Self {
            what: format!("{kind} `{}`", block.name),
            span: block.span,
            size: (sizes[largest], unit),
            limit,
        })
    }
}

/// Refuses what would take long before native code is made: passes look at each node and
/// operation several times.
///
/// # Errors
/// The program has more nodes or operations than the limits above.
pub fn check(pipeline: &Pipeline) -> Result<(), TooLarge> {
    let mut nodes = Vec::new();
    let mut operations = Vec::new();
    for block in &pipeline.blocks {
        let (n, o) = match &block.body {
            Body::Parser(graph) => {
                (graph.states.len(), graph.states.iter().map(|s| s.ops.len()).sum())
            }
            Body::Control(graph) => (graph.nodes.len(), graph.operations().count()),
        };
        nodes.push(n);
        operations.push(o);
    }
    for (sizes, unit, limit) in
        [(nodes, "nodes", MAX_NODES), (operations, "operations", MAX_OPERATIONS)]
    {
        if sizes.iter().sum::<usize>() > limit
            && let Some(too_large) = TooLarge::of(pipeline, &sizes, unit, limit)
        {
            return Err(too_large);
        }
    }
    Ok(())
}
