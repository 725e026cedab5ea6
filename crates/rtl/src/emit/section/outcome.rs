//! What leaves a graph with a packet.

use super::super::dataflow::ValueId;
use super::super::lower::{Deparsed, Environment, Lowering, Request, Slot};
use ww_p4::architecture::{Architecture, Meaning, PacketPath, PathAction, Trigger};

/// What leaves the last graph with a packet.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// 1: the packet is dropped.
    pub drop: ValueId,
    /// The port that it leaves through, 16 bits.
    pub port: ValueId,
    /// Bytes that it may have at most, 16 bits; all ones for no limit.
    pub limit: ValueId,
    /// What the deparser makes of it.
    pub deparsed: Deparsed,
    /// Ways back, in a program that makes copies.
    pub copies: Option<EgressCopies>,
}

impl Outcome {
    /// All values.
    pub fn roots(&self) -> Vec<ValueId> {
        let mut roots = vec![self.drop, self.port, self.limit];
        roots.extend(&self.deparsed.bytes);
        roots.extend([self.deparsed.length, self.deparsed.skip]);
        if let Some(copies) = &self.copies {
            roots.extend([copies.again, copies.clone, copies.session]);
            roots.extend(copies.kept.iter().chain(&copies.clone_bits));
        }
        roots
    }

    /// Whether egress, whose graph this is, can make a clone.
    pub fn clones(&self, egress: &Lowering<'_>) -> bool {
        let copies = self.copies.as_ref();
        copies.is_some_and(|copies| egress.graph.as_bit(copies.clone) != Some(false))
    }
}

/// What egress asks for beside sending.
#[derive(Clone, Debug)]
pub struct EgressCopies {
    /// 1: the packet goes back to the parser.
    pub again: ValueId,
    /// 1: because the program recirculates it.
    pub recirculates: ValueId,
    /// What it keeps: one value for each field of [`Copies::kept`].
    pub kept: Vec<ValueId>,
    /// 1: a clone.
    pub clone: ValueId,
    /// Its session, 32 bits.
    pub session: ValueId,
    /// What crosses for it, as [`Copies::crossing`].
    pub clone_bits: Vec<ValueId>,
}

/// What leaves the ingress graph of a program that makes copies.
#[derive(Clone, Debug)]
pub struct Gate {
    /// 1: the packet is dropped.
    pub drop: ValueId,
    /// The port that it goes to, 16 bits.
    pub port: ValueId,
    /// Its multicast group, 16 bits; 0 for none.
    pub group: ValueId,
    /// 1: back to the parser as it came.
    pub resubmit: ValueId,
    /// 1: a clone.
    pub clone: ValueId,
    /// Its session, 32 bits.
    pub session: ValueId,
    /// What crosses for the packet, as [`Copies::crossing`].
    pub bits: Vec<ValueId>,
    /// What crosses for its clone.
    pub clone_bits: Vec<ValueId>,
}

impl Gate {
    /// All values.
    pub fn roots(&self) -> Vec<ValueId> {
        let mut roots =
            vec![self.drop, self.port, self.group, self.resubmit, self.clone, self.session];
        roots.extend(self.bits.iter().chain(&self.clone_bits));
        roots
    }
}

/// The second graph of a program that makes copies, and what is between the two.
#[derive(Debug)]
pub struct Copies<'p> {
    /// What leaves ingress.
    pub gate: Gate,
    /// Egress and deparser.
    pub egress: Lowering<'p>,
    /// Names and widths of what crosses: inputs of the egress graph of these names.
    pub crossing: Vec<(String, u32)>,
    /// Fields that packets keep on their way back to the parser: the inputs of the ingress graph
    /// with these names.
    pub kept: Vec<(String, u32)>,
    /// Whether packets go back to the parser.
    pub reenters: bool,
    /// Whether egress makes clones.
    pub clones: bool,
}

/// Whether a path out of a block drops the packet.
pub(super) fn dropped(l: &mut Lowering<'_>, env: &Environment, block: usize) -> ValueId {
    let mut drop = l.graph.bit(false);
    for path in l.pipeline.architecture.paths_from(block) {
        let (field, value) = match (path.action, path.when) {
            (PathAction::Drop, Trigger::Equals(field, value)) => (field, Some(value)),
            (PathAction::Drop, Trigger::NotZero(field)) => (field, None),
            _ => continue,
        };
        let number = l.pipeline.intrinsic_field(field).map(|field| l.field(env, field));
        let here = match (number, value) {
            (Some(number), Some(value)) => l.graph.is(number, value),
            (Some(number), None) => {
                let zero = l.graph.is(number, 0u32);
                l.not(zero)
            }
            // A field that the program's declaration lacks is 0.
            (None, value) => l.graph.bit(value == Some(0)),
        };
        drop = l.graph.or(drop, here);
    }
    drop
}

/// Whether the packet is dropped in front of the queue, and the port that it goes to, 16 bits.
pub(super) fn destination(l: &mut Lowering<'_>, env: &Environment) -> (ValueId, ValueId) {
    let last = l.pipeline.architecture.sections.front.end - 1;
    let drop = dropped(l, env, last);
    let port = match l.intrinsic(env, Meaning::OutputPort) {
        Some(port) => l.graph.resize(port, 16),
        None => l.graph.zero(16),
    };
    (drop, port)
}

/// The limit that the program asks for, otherwise `none`.
pub(super) fn limit(l: &mut Lowering<'_>, env: &Environment, none: ValueId) -> ValueId {
    let asked = l.get(env, Slot::Request(Request::Truncate));
    let length = l.get(env, Slot::Request(Request::TruncateLength));
    let fits = l.below(length, 0xffff);
    let low = l.graph.slice(length, 0, 16);
    let all = l.graph.constant(16, 0xffffu32);
    let own = l.graph.mux(fits, low, all);
    l.graph.mux(asked, own, none)
}

/// The kinds of tokens, as `ww_replicator` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Kind {
    /// The packet itself.
    Itself = 0,
    /// A clone of the first section.
    FrontClone = 1,
    /// A clone of the section behind the queue.
    EgressClone = 2,
    /// Recirculated.
    Recirculated = 4,
    /// A replica.
    Replica = 5,
    /// Resubmitted.
    Resubmitted = 6,
}

/// What the program sees of a token's kind: the value that the path sets which makes it, and
/// `itself` for the packet itself.
pub(super) fn instance_type(l: &mut Lowering<'_>, kind: ValueId, itself: u32) -> ValueId {
    let architecture = l.pipeline.architecture;
    let sections = &architecture.sections;
    let value = |block: usize, action: PathAction| {
        let mut paths = architecture.paths_from(block);
        paths.find(|path| path.action == action).and_then(|path| path.instance_type)
    };
    let (front, finish) = (sections.front.end - 1, sections.finish.end - 1);
    let egress = sections.egress.clone().next_back();
    let kinds = [
        (Kind::Itself, Some(itself)),
        (Kind::FrontClone, value(front, PathAction::Clone)),
        (Kind::EgressClone, egress.and_then(|block| value(block, PathAction::Clone))),
        (Kind::Recirculated, value(finish, PathAction::Restart)),
        (Kind::Replica, value(front, PathAction::Replicate)),
        (Kind::Resubmitted, value(front, PathAction::Restart)),
    ];
    if kinds.iter().all(|(kind, value)| value.is_none_or(|value| value == *kind as u32)) {
        return kind;
    }
    let mut seen = l.graph.zero(32);
    for (this, value) in kinds {
        let value = l.graph.constant(32, value.unwrap_or(0));
        let is_this = l.graph.is(kind, this as u32);
        seen = l.graph.mux(is_this, value, seen);
    }
    seen
}

/// What a packet that is queued becomes; `None` if it stays what it was.
pub(super) fn queued(architecture: &Architecture) -> Option<u32> {
    let mut paths = architecture.paths_from(architecture.sections.front.end - 1);
    paths.find(|path| path.action == PathAction::Enqueue).and_then(|path| path.instance_type)
}

/// The paths in the order in which hardware takes them: a clone first, then back to the parser,
/// replicas, dropping, the queue. The error is the first path that the description has elsewhere.
pub(super) fn out_of_order(architecture: &Architecture) -> Option<&'static str> {
    let rank = |path: &PacketPath| match path.action {
        PathAction::Clone => 0,
        PathAction::Restart => 1,
        PathAction::Replicate => 2,
        PathAction::Drop => 3,
        PathAction::Enqueue | PathAction::Transmit => 4,
    };
    (0..architecture.blocks.len()).find_map(|block| {
        let paths: Vec<_> = architecture.paths_from(block).collect();
        paths.windows(2).find(|pair| rank(pair[0]) > rank(pair[1])).map(|pair| pair[1].name)
    })
}
