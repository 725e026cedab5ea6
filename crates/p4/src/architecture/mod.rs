//! Architectures as data: which blocks a package has and what their parameters are for, which
//! metadata the switch and the program share, what the extern functions and objects do to state,
//! and the ways that a packet can take between the blocks.
//!
//! The front end lowers programs by these descriptions, engines and emitters act by them. Another
//! architecture is another constant of type [`Architecture`] in [`ALL`].

mod binding;
mod field_lists;
pub mod scheduler;
pub mod v1model;

pub(crate) use binding::parameters as bind_parameters;
pub use binding::{BoundBlock, bind};
pub use field_lists::{FieldPath, MetadataRoot, field_lists};

/// All architectures that programs can be lowered for.
pub const ALL: &[&Architecture] = &[&v1model::V1MODEL];

/// The architecture whose package has this name.
pub fn by_package(package: &str) -> Option<&'static Architecture> {
    ALL.iter().copied().find(|a| a.package == package)
}

/// An architecture.
#[derive(Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Its name, as users say it.
    pub name: &'static str,
    /// Name of the package type that `main` has.
    pub package: &'static str,
    /// The programmable blocks, in the order in which a packet meets them.
    pub blocks: &'static [BlockDescription],
    /// The fields that switch and program share. A program's declaration may lack some.
    pub intrinsic: &'static [IntrinsicField],
    /// Functions beyond those of the core library.
    pub functions: &'static [ExternFunction],
    /// Object types beyond those of the core library.
    pub objects: &'static [ExternObject],
    /// What can happen to a packet at the end of a block, in the order of the checks.
    pub paths: &'static [PacketPath],
}

impl Architecture {
    /// A function by name.
    pub fn function(&self, name: &str) -> Option<&'static ExternFunction> {
        self.functions.iter().find(|f| f.name == name)
    }

    /// An object type by name.
    pub fn object(&self, name: &str) -> Option<&'static ExternObject> {
        self.objects.iter().find(|o| o.name == name)
    }

    /// Position of a block by the name of the package's parameter.
    pub fn block(&self, parameter: &str) -> Option<usize> {
        self.blocks.iter().position(|b| b.parameter == parameter)
    }
}

/// What a block is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// Takes headers out of a packet.
    Parser,
    /// Works on headers and metadata.
    Control,
    /// Puts headers in front of a packet's payload.
    Deparser,
}

/// What a block's parameter is for. Parameters of one role in different blocks are one storage:
/// what a block leaves there the next one finds.
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

/// A programmable block.
#[derive(Debug, PartialEq, Eq)]
pub struct BlockDescription {
    /// Name of the package's parameter.
    pub parameter: &'static str,
    /// Its position, for declarations with other names.
    pub position: usize,
    /// What it is made for.
    pub kind: BlockKind,
    /// What its parameters are for, in order.
    pub roles: &'static [Role],
}

/// Who sets a field of the intrinsic metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Writer {
    /// The switch; what the program writes has no effect on the packet's way.
    Switch,
    /// The program; the switch acts on it.
    Program,
}

/// A field of the intrinsic metadata.
#[derive(Debug, PartialEq, Eq)]
pub struct IntrinsicField {
    /// Its name.
    pub name: &'static str,
    /// Who sets it.
    pub writer: Writer,
    /// The block at whose start the switch sets it, or at whose end it reads it.
    pub block: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
}

/// What a call does beyond its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing: the results follow from the arguments.
    Pure,
    /// The results differ from call to call.
    Random,
    /// The result also depends on the bytes behind the parsed headers.
    ReadsPayload,
    /// Writes constants into intrinsic metadata: `(field, value)`. Calls are lowered to these
    /// assignments.
    Assigns(&'static [(&'static str, u64)]),
    /// Sets this field of the intrinsic metadata to 1 if a condition does not hold.
    Flags(&'static str),
    /// The same, over data followed by the bytes behind the parsed headers.
    FlagsWithPayload(&'static str),
    /// Asks the switch for something when the block ends; of several calls the last one counts.
    Request,
    /// Tells the control plane something.
    Message,
    /// Ends the packet's way if a condition does not hold.
    Assertion,
}

/// A function of the architecture; overloads are one entry.
#[derive(Debug, PartialEq, Eq)]
pub struct ExternFunction {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub effect: Effect,
}

/// What a method does with the object's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Nothing.
    None,
    /// Reads it.
    Read,
    /// Writes it.
    Write,
    /// Reads and writes it in one step.
    ReadModifyWrite,
}

/// A type of extern objects.
#[derive(Debug, PartialEq, Eq)]
pub struct ExternObject {
    /// Its name.
    pub name: &'static str,
    /// Its methods and what they do with its state.
    pub methods: &'static [(&'static str, Access)],
    /// Whether there is one cell per table entry instead of an array.
    pub is_direct: bool,
}

impl ExternObject {
    /// Whether packets change it.
    pub fn is_stateful(&self) -> bool {
        self.is_direct || self.methods.iter().any(|(_, access)| *access != Access::None)
    }

    /// What a method does; the strongest access for one that is not known.
    pub fn access(&self, method: &str) -> Access {
        let found = self.methods.iter().find(|(name, _)| *name == method);
        found.map_or(Access::ReadModifyWrite, |(_, access)| *access)
    }
}

/// What sends a packet on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The function was called in the block.
    Called(&'static str),
    /// A field of the intrinsic metadata has this value.
    Equals(&'static str, u64),
    /// A field of the intrinsic metadata is not zero.
    NotZero(&'static str),
    /// None of the others.
    Otherwise,
}

/// A way that a packet, or a copy of it, takes at the end of a block.
#[derive(Debug, PartialEq, Eq)]
pub struct PacketPath {
    /// Name.
    pub name: &'static str,
    /// The block that it leaves.
    pub from: &'static str,
    /// What sends it there.
    pub when: Trigger,
    /// Whether the packet itself goes on beside the copy.
    pub copies: bool,
    /// The block that it enters; `None` if it leaves the switch or is dropped.
    pub to: Option<&'static str>,
    /// Value of the intrinsic field that names the kind of packet, if it is set anew.
    pub instance_type: Option<u32>,
}
