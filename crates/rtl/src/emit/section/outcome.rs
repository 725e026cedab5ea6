//! What leaves a graph with a packet.

use super::super::dataflow::ValueId;
use super::super::lower::{Deparsed, Environment, Lowering, Request, Slot};
use ww_p4::architecture::v1model::DROP_PORT;

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
}

/// Whether `egress_spec` drops the packet, and the port, 16 bits.
pub(super) fn destination(l: &mut Lowering<'_>, env: &Environment) -> (ValueId, ValueId) {
    match l.intrinsic(env, "egress_spec") {
        Some(spec) => {
            let drop = l.graph.is(spec, DROP_PORT);
            (drop, l.graph.resize(spec, 16))
        }
        None => (l.graph.bit(false), l.graph.zero(16)),
    }
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
