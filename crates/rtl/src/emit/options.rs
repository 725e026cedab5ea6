//! What may be asked of an emitted design: bus, memories of tables, optimisers.

use super::implementation::request::TableRequest;
use super::refusal::{Reason, Refusal};
use super::section::Sections;
use super::verilog::names::identifier;
use crate::design::SourceFile;
use crate::library::declares;
use ww_p4::pipeline::passes::Passes;

/// Most ports of the shape `switch`.
pub const MOST_PORTS: u32 = 32;

/// What is around the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One stream in and one out, with the port in `tuser`.
    Wire,
    /// A pair of streams, a head and a packet memory for each port, and a queue for each output.
    Switch {
        /// Pairs of streams: 2 to [`MOST_PORTS`].
        ports: u32,
    },
}

impl Shape {
    /// Its name in manifests and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Switch { .. } => "switch",
        }
    }

    /// Pairs of streams.
    pub fn ports(self) -> u32 {
        match self {
            Self::Wire => 1,
            Self::Switch { ports } => ports,
        }
    }
}

/// What an emitted design looks like.
#[derive(Clone, Debug)]
pub struct EmitOptions {
    /// Bits of a bus beat: 64, 128, 256 or 512.
    pub width: u32,
    /// What is around the pipeline.
    pub shape: Shape,
    /// Levels of 4-input look-up tables between two registers, as estimated.
    pub levels: u32,
    /// Clocks to read a memory of a trie, if the table does not say: 1, or 2 with a register behind
    /// the memory.
    pub memory_latency: u32,
    /// Registers within the deparser, for three clocks more.
    pub registered: bool,
    /// Tables by name with what holds them; this goes before the annotation in the program.
    pub tables: Vec<(String, TableRequest)>,
    /// The optimisers at work.
    pub optimisers: Optimisers,
    /// Files of the user's modules, packages first; they become part of the design.
    pub modules: Vec<SourceFile>,
}

/// Nanoseconds of a level of look-up tables on an ECP5 and the wire to it.
const LEVEL_NS: f64 = 1.0;
/// Nanoseconds of the registers at the ends of a path.
const REGISTERS_NS: f64 = 1.2;
/// From this clock on, in megahertz, blocks have registers of their own. The trie alone, whose
/// memories have no register at their outputs, was measured at 72 MHz.
const REGISTERED_MHZ: u32 = 80;

impl EmitOptions {
    /// The same for a clock of so many megahertz on an ECP5 of speed grade 8. More registers for a
    /// higher clock, and with them more clocks of latency; throughput stays the same.
    ///
    /// These are estimates, not promises: `ww report --clock` measures.
    #[must_use]
    pub fn with_clock(self, mhz: u32) -> Self {
        let levels = ((1000.0 / f64::from(mhz.max(1)) - REGISTERS_NS) / LEVEL_NS) as u32;
        let registered = mhz >= REGISTERED_MHZ;
        let memory_latency = if registered { 2 } else { 1 };
        Self { levels: levels.clamp(3, 7), memory_latency, registered, ..self }
    }

    /// The passes over the pipeline IR that suit them. A table whose block is chosen by name must
    /// not have become control flow before.
    pub fn passes(&self) -> Passes {
        let passes = self.optimisers.passes();
        Passes { tables_as_code: passes.tables_as_code && self.tables.is_empty(), ..passes }
    }

    /// The files of the user's modules.
    ///
    /// # Errors
    /// A module that the program calls is in none of them, or its ports cannot have the names of
    /// the parameters.
    pub(super) fn sources_of(
        &self,
        sections: &Sections<'_>,
    ) -> Result<Vec<SourceFile>, Vec<Refusal>> {
        let mut refusals = Vec::new();
        let egress = sections.copies.iter().map(|copies| &copies.egress);
        for used in egress.chain([&sections.front]).flat_map(|lowering| &lowering.modules) {
            let mut refuse = |what| {
                refusals.push(Refusal { reason: Reason::Module, what, span: Some(used.span) });
            };
            let name = &used.module.name;
            if !self.modules.iter().any(|file| declares(&file.text, name)) {
                refuse(format!("module `{name}` has no source: give its file by --module FILE.sv"));
            }
            for port in used.inputs.iter().chain(&used.outputs) {
                if identifier(port) != *port {
                    refuse(format!("module `{name}`: SystemVerilog has no port named `{port}`"));
                }
            }
        }
        if refusals.is_empty() { Ok(self.modules.clone()) } else { Err(refusals) }
    }
}

impl Default for EmitOptions {
    fn default() -> Self {
        Self {
            width: 512,
            shape: Shape::Wire,
            levels: 7,
            memory_latency: 1,
            registered: false,
            tables: Vec::new(),
            optimisers: Optimisers::all(),
            modules: Vec::new(),
        }
    }
}

/// An optimiser of the emitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Optimiser {
    /// Fields of headers and metadata end where they are read last. Without it, each one that has
    /// a value goes along to the end of its pipeline.
    DeadFields,
    /// What an action does, it does at once. Without it, each statement of a block begins a clock
    /// behind the one before.
    ActionMerging,
    /// The cheapest block that has a table's match kinds. Without it, `hash` for exact keys and
    /// `ternary` for all others.
    TableMemory,
    /// A branch's tables are looked up before it is known whether the branch is taken. Without
    /// it, a clock after that.
    IfConversion,
    /// Tables with constant entries become logic. Without it, they are memories that software
    /// fills.
    ConstantEntries,
    /// Headers at the end that the program leaves as they are stay in the packet. Without it, the
    /// deparser writes them.
    KeepUnchanged,
}

impl Optimiser {
    /// All, in the order in which they are listed.
    pub const ALL: [Self; 6] = [
        Self::DeadFields,
        Self::ActionMerging,
        Self::TableMemory,
        Self::IfConversion,
        Self::ConstantEntries,
        Self::KeepUnchanged,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::DeadFields => "dead-fields",
            Self::ActionMerging => "action-merging",
            Self::TableMemory => "table-memory",
            Self::IfConversion => "if-conversion",
            Self::ConstantEntries => "constant-entries",
            Self::KeepUnchanged => "keep-unchanged",
        }
    }
}

impl std::str::FromStr for Optimiser {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|optimiser| optimiser.name() == text);
        found.ok_or_else(|| format!("expected one of {names}, or all"))
    }
}

/// A set of optimisers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimisers(u8);

impl Optimisers {
    /// All of them.
    pub fn all() -> Self {
        Optimiser::ALL.into_iter().fold(Self::none(), |set, optimiser| {
            let Self(bits) = set;
            Self(bits | 1 << optimiser as u8)
        })
    }

    /// None of them.
    pub fn none() -> Self {
        Self(0)
    }

    /// The same without one.
    pub fn without(self, optimiser: Optimiser) -> Self {
        Self(self.0 & !(1 << optimiser as u8))
    }

    /// Whether one is among them.
    pub fn has(self, optimiser: Optimiser) -> bool {
        self.0 & 1 << optimiser as u8 != 0
    }

    /// The passes over the pipeline IR that belong to them. Constants and copies are propagated
    /// and parser states joined in any case: without that most programs have no bounds that show.
    fn passes(self) -> Passes {
        Passes {
            tables_as_code: self.has(Optimiser::ConstantEntries),
            dead_code: self.has(Optimiser::DeadFields),
            if_conversion: self.has(Optimiser::IfConversion),
            ..Passes::all()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_for_a_clock() {
        let slow = EmitOptions::default().with_clock(50);
        assert_eq!((slow.levels, slow.memory_latency, slow.registered), (7, 1, false));
        // 6.67 ns less 1.2 ns are five levels and a half.
        let fast = EmitOptions::default().with_clock(150);
        assert_eq!((fast.levels, fast.memory_latency, fast.registered), (5, 2, true));
        let fastest = EmitOptions::default().with_clock(1000);
        assert_eq!(fastest.levels, 3);
    }

    #[test]
    fn sets() {
        for optimiser in Optimiser::ALL {
            assert!(Optimisers::all().has(optimiser) && !Optimisers::none().has(optimiser));
            let rest = Optimisers::all().without(optimiser);
            assert!(Optimiser::ALL.into_iter().all(|o| rest.has(o) == (o != optimiser)));
            assert_eq!(optimiser.name().parse(), Ok(optimiser));
        }
        assert!("speed".parse::<Optimiser>().is_err());
    }
}
