//! Architectures as data: which blocks a package has and what their parameters are for, which
//! metadata the switch and the program share, what the extern functions and objects do to state,
//! and the paths that a packet can take between the blocks.
//!
//! An architecture is described by a file, `NAME.arch.toml`, beside the P4 file that declares its
//! package: [`read`] reads it, [`embedded`] are those that come with Wirewright. The front end
//! lowers programs by these descriptions; engines and the emitter execute their packet paths
//! ([`Sections`]). Nothing below this module knows an architecture by its name.

mod binding;
mod embedded;
mod field_lists;
mod ports;
mod primitives;
mod read;
pub mod scheduler;
mod sections;
#[cfg(test)]
mod tests;
pub mod v1model;

pub(crate) use binding::parameters as bind_parameters;
pub use binding::{BoundBlock, bind};
pub use embedded::embedded;
pub use field_lists::{FieldPath, MetadataRoot, field_lists};
pub use ports::ports_of;
pub use primitives::{FUNCTIONS, OBJECTS};
pub use read::{load, read};
pub use sections::Sections;

use crate::ir::Direction;

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
    /// The blocks between one decision of the switch and the next.
    pub sections: Sections,
}

impl Architecture {
    /// A function by name.
    pub fn function(&self, name: &str) -> Option<&'static ExternFunction> {
        self.functions.iter().find(|f| f.name == name)
    }

    /// A function by the engines' name for what it does.
    pub fn by_primitive(&self, primitive: &str) -> Option<&'static ExternFunction> {
        self.functions.iter().find(|f| f.primitive == primitive)
    }

    /// An object type by name.
    pub fn object(&self, name: &str) -> Option<&'static ExternObject> {
        self.objects.iter().find(|o| o.name == name)
    }

    /// The name of the field of the intrinsic metadata that has a meaning.
    pub fn named(&self, meaning: Meaning) -> Option<&'static str> {
        self.intrinsic.iter().find(|f| f.meaning == meaning).map(|f| f.name)
    }

    /// The value of the output port's field that drops a packet at the end of the first section.
    pub fn drop_port(&self) -> Option<u64> {
        let output = self.named(Meaning::OutputPort)?;
        self.paths.iter().find_map(|path| match path.when {
            Trigger::Equals(field, value) if field == output && path.action == PathAction::Drop => {
                Some(value)
            }
            _ => None,
        })
    }

    /// The paths out of a block, in the order in which the switch tries them.
    pub fn paths_from(&self, block: usize) -> impl Iterator<Item = &'static PacketPath> {
        let name = self.blocks.get(block).map_or("", |b| b.parameter);
        self.paths.iter().filter(move |path| path.from == name)
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
    /// Their directions, in the same order.
    pub directions: &'static [Direction],
}

/// Who sets a field of the intrinsic metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Writer {
    /// The switch; what the program writes has no effect on the packet's way.
    Switch,
    /// The program; the switch acts on it.
    Program,
}

/// What a field of the intrinsic metadata means. Times are in microseconds since the run's start,
/// lengths in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// The port on which the packet came in.
    IngressPort,
    /// The port to which the program sends the packet.
    OutputPort,
    /// The port for which a queued packet is bound.
    EgressPort,
    /// The kind of packet: received, copied or on its second pass; see
    /// [`PacketPath::instance_type`].
    InstanceType,
    /// The packet's length.
    PacketLength,
    /// When the packet joined its queue.
    EnqueueTime,
    /// Packets in the queue then.
    EnqueueDepth,
    /// How long the packet was in the queue.
    QueueTime,
    /// Packets in the queue when it left.
    DequeueDepth,
    /// Start of the first section.
    IngressTime,
    /// When the packet left its queue.
    EgressTime,
    /// The multicast group that the program asks for; 0 for none.
    MulticastGroup,
    /// The replication id of a replica.
    ReplicationId,
    /// 1 after a checksum that does not hold.
    ChecksumError,
    /// How the parser ended.
    ParserError,
    /// The queue within the port that the program chooses.
    Queue,
    /// Nothing but the trigger of a path; several fields may be that.
    Trigger,
}

impl Meaning {
    /// All, with the words that descriptions use.
    pub const ALL: &[(&str, Meaning)] = &[
        ("ingress-port", Meaning::IngressPort),
        ("output-port", Meaning::OutputPort),
        ("egress-port", Meaning::EgressPort),
        ("instance-type", Meaning::InstanceType),
        ("packet-length", Meaning::PacketLength),
        ("enqueue-time", Meaning::EnqueueTime),
        ("enqueue-depth", Meaning::EnqueueDepth),
        ("queue-time", Meaning::QueueTime),
        ("dequeue-depth", Meaning::DequeueDepth),
        ("ingress-time", Meaning::IngressTime),
        ("egress-time", Meaning::EgressTime),
        ("multicast-group", Meaning::MulticastGroup),
        ("replication-id", Meaning::ReplicationId),
        ("checksum-error", Meaning::ChecksumError),
        ("parser-error", Meaning::ParserError),
        ("queue", Meaning::Queue),
        ("trigger", Meaning::Trigger),
    ];
}

/// A field of the intrinsic metadata.
#[derive(Debug, PartialEq, Eq)]
pub struct IntrinsicField {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: Meaning,
    /// Who sets it.
    pub writer: Writer,
    /// The block at whose start the switch sets it, or at whose end it reads it.
    pub block: &'static str,
}

/// What a program asks of the switch by a call; the switch acts when the block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// A copy of the packet.
    Clone,
    /// The packet as it came in, once more.
    Resubmit,
    /// The packet as it leaves, once more.
    Recirculate,
    /// A shorter packet.
    Truncate,
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
    Request(Request),
    /// Tells the control plane something.
    Message,
    /// Ends the packet's way if a condition does not hold.
    Assertion,
}

/// A function of the architecture; overloads are one entry.
#[derive(Debug, PartialEq, Eq)]
pub struct ExternFunction {
    /// Its name in programs.
    pub name: &'static str,
    /// The function of the engines that carries it out, one of [`FUNCTIONS`]; its own name for
    /// one that only assigns.
    pub primitive: &'static str,
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
    /// The program asked for it in the block or a block before.
    Asked(Request),
    /// A field of the intrinsic metadata has this value.
    Equals(&'static str, u64),
    /// A field of the intrinsic metadata is not zero.
    NotZero(&'static str),
    /// None of the others.
    Otherwise,
}

/// What the switch does with a packet on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathAction {
    /// A copy joins the queue that its mirroring session says; the packet itself goes on. A copy
    /// of the first section has the headers as the parser found them, a later one as they are;
    /// its metadata is fresh but for what the program keeps.
    Clone,
    /// The packet goes to the parser again, before all others: as it came in when it leaves the
    /// first section, as it leaves the deparser otherwise. Its metadata is fresh but for what the
    /// program keeps.
    Restart,
    /// One copy for each replica of the group that the trigger's field names joins a queue; the
    /// packet itself is gone.
    Replicate,
    /// The packet is gone.
    Drop,
    /// The packet joins the queue of the port that [`Meaning::OutputPort`] names.
    Enqueue,
    /// The packet leaves through the port for which it was queued.
    Transmit,
}

/// A path that a packet, or a copy of it, takes at the end of a block.
#[derive(Debug, PartialEq, Eq)]
pub struct PacketPath {
    /// Its name.
    pub name: &'static str,
    /// The block that it leaves.
    pub from: &'static str,
    /// What sends it there.
    pub when: Trigger,
    /// What the switch does.
    pub action: PathAction,
    /// The block that it enters; `None` if it leaves the switch or is dropped.
    pub to: Option<&'static str>,
    /// Value of [`Meaning::InstanceType`] there, if it is set anew.
    pub instance_type: Option<u32>,
}

impl PacketPath {
    /// Whether the packet itself goes on beside the copy.
    pub fn copies(&self) -> bool {
        self.action == PathAction::Clone
    }
}
