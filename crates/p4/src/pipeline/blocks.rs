//! The graphs of blocks: parse graphs and control-flow graphs.

use super::expression::Expr;
use super::fields::{FieldId, StackId};
use super::operations::{Op, OpKind};
use super::tables::{TableId, ValueSetId};
use crate::architecture::BlockDescription;
use crate::ast::Name;
use crate::ir::InstanceId;
use crate::source::Span;
use num_bigint::BigUint;

ww_dataplane::indices! {
    /// A [`State`] of a [`ParseGraph`].
    StateId,
    /// A [`Node`] of a [`ControlGraph`].
    NodeId,
}

/// A programmable block of the architecture.
#[derive(Clone, Debug)]
pub struct Block {
    /// What the architecture says about it.
    pub description: &'static BlockDescription,
    /// Control-plane name of the program's parser or control.
    pub name: Name,
    /// The parser or control in the typed IR.
    pub instance: InstanceId,
    /// What it does.
    pub body: Body,
    /// Where it is declared.
    pub span: Span,
}

/// What a block does.
#[derive(Clone, Debug)]
pub enum Body {
    /// A parser.
    Parser(ParseGraph),
    /// A control or a deparser.
    Control(ControlGraph),
}

/// A parser. States may form loops.
#[derive(Clone, Debug)]
pub struct ParseGraph {
    /// The states; [`ParseGraph::START`] is the first to run.
    pub states: Vec<State>,
    /// The loops, inner ones after those around them.
    pub loops: Vec<ParseLoop>,
}

impl ParseGraph {
    /// The state that runs first.
    pub const START: StateId = StateId(0);
}

/// A parser state, or a part of one without branches.
#[derive(Clone, Debug)]
pub struct State {
    /// Name in the program, with the path of sub-parsers; parts behind the first have a number.
    pub name: String,
    /// Whether a state of the program begins here. A parser that enters more states than its
    /// packet has bits, and 4096, fails with `ParserTimeout`.
    pub is_entry: bool,
    /// What it does.
    pub ops: Vec<Op>,
    /// Where it goes.
    pub transition: Transition,
    /// Where an error in `ops` or a select without fitting row leads, after the error is in
    /// [`super::Pipeline::parser_error`]: [`Target::Reject`], or a state that copies results of
    /// a sub-parser out before.
    pub on_error: Target,
    /// Bits that the state moves over, if always the same.
    pub fixed_bits: Option<u64>,
    /// The state in the program.
    pub span: Span,
}

/// The end of a state.
#[derive(Clone, Debug)]
pub enum Transition {
    /// Unconditional.
    Goto(Target),
    /// To the target of the first row that fits. If there is none the parser fails with
    /// `NoMatch`.
    Select {
        /// What is compared.
        values: Vec<Expr>,
        /// In order.
        rows: Vec<Row>,
    },
}

/// A row of a select.
#[derive(Clone, Debug)]
pub struct Row {
    /// When it fits.
    pub kind: RowKind,
    /// Where to.
    pub target: Target,
    /// Where it was written.
    pub span: Span,
}

/// When a [`Row`] fits.
#[derive(Clone, Debug)]
pub enum RowKind {
    /// One match per value.
    Values(Vec<Match>),
    /// The values, all together, are a member of the set.
    ValueSet(ValueSetId),
    /// Always.
    Any,
}

/// A state to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A state.
    State(StateId),
    /// The packet is parsed.
    Accept,
    /// The packet is not parsed to its end.
    Reject,
}

/// A set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// All.
    Any,
    /// One.
    Value(BigUint),
    /// Those that equal the value in the bits of the mask; the value has no others.
    Mask {
        /// Value.
        value: BigUint,
        /// Mask.
        mask: BigUint,
    },
    /// `low` to `high`, both inclusive.
    Range {
        /// Smallest.
        low: BigUint,
        /// Largest.
        high: BigUint,
        /// Whether the numbers are two's complement.
        signed: bool,
    },
    /// Members of a value set with one key.
    ValueSet(ValueSetId),
}

/// A loop of a parse graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseLoop {
    /// Its states in ascending order.
    pub states: Vec<StateId>,
    /// Stacks that each round extracts the next element of.
    pub stacks: Vec<StackId>,
    /// How often a state of it can be entered at most, if the stacks limit that.
    pub bound: Option<u64>,
    /// Bits that each round takes from the packet at least.
    pub bits: u64,
}

/// A control, deparser or action. Edges lead to nodes with higher numbers, but for
/// [`NodeKind::Continue`].
#[derive(Clone, Debug, Default)]
pub struct ControlGraph {
    /// The nodes; [`ControlGraph::ENTRY`] is the first to run.
    pub nodes: Vec<Node>,
}

impl ControlGraph {
    /// The node that runs first.
    pub const ENTRY: NodeId = NodeId(0);

    /// All operations with the nodes that they are in.
    pub fn operations(&self) -> impl Iterator<Item = (NodeId, &Op)> {
        self.nodes.iter().enumerate().flat_map(|(n, node)| {
            let ops = match &node.kind {
                NodeKind::Block { ops, .. } => ops.as_slice(),
                _ => &[],
            };
            ops.iter().map(move |op| (NodeId(n as u32), op))
        })
    }

    /// The headers that a deparser emits in order, if it does nothing but emit: each emission
    /// depends on the validity of its header alone.
    pub fn emits(&self) -> Option<Vec<super::fields::HeaderId>> {
        let mut headers = Vec::new();
        let mut at = ControlGraph::ENTRY;
        loop {
            match &self.nodes.get(at.index())?.kind {
                NodeKind::Block { ops, next } => {
                    for op in ops {
                        let OpKind::Emit { header } = op.kind else { return None };
                        headers.push(header);
                    }
                    at = *next;
                }
                NodeKind::End => return Some(headers),
                _ => return None,
            }
        }
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which.
    pub kind: NodeKind,
    /// The statement that it stands for.
    pub span: Span,
}

/// The kinds of nodes.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Operations without branches.
    Block {
        /// In order; not empty.
        ops: Vec<Op>,
        /// Then.
        next: NodeId,
    },
    /// One of two ways.
    Branch {
        /// One bit.
        condition: Expr,
        /// If 1.
        then: NodeId,
        /// If 0.
        otherwise: NodeId,
    },
    /// One of several ways.
    Switch {
        /// Compared with the cases.
        value: Expr,
        /// The cases; no value is in two of them.
        cases: Vec<SwitchCase>,
        /// If no case fits.
        default: NodeId,
    },
    /// Applies a table: looks up its key fields, then runs the action found.
    Apply {
        /// The table.
        table: TableId,
        /// Which of the table's applications this is, from 0.
        application: u32,
        /// Takes whether an entry matched.
        hit: Option<FieldId>,
        /// Takes the position of the action in [`super::Table::actions`].
        action_run: Option<FieldId>,
        /// Then.
        next: NodeId,
        /// Then, if the action ended with [`NodeKind::Exit`]; `None` if no action can.
        exit: Option<NodeId>,
    },
    /// A loop: its body runs until it leaves. Leaving is any edge to a node behind the loop.
    Loop {
        /// The body's first node.
        body: NodeId,
        /// The node behind the loop, if the loop is ever left that way.
        next: Option<NodeId>,
        /// How often the body runs at most, if that is known.
        bound: Option<u64>,
    },
    /// To the next round of a loop around this node.
    Continue {
        /// The [`NodeKind::Loop`].
        head: NodeId,
    },
    /// The end.
    End,
    /// The end of an action, and with it of the block: see [`NodeKind::Apply`]. Only in actions.
    Exit,
}

/// A case of a [`NodeKind::Switch`].
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// Values that lead here.
    pub values: Vec<BigUint>,
    /// Where to.
    pub target: NodeId,
}

impl NodeKind {
    /// Calls `visit` with every node that can come next.
    pub fn for_each_successor(&self, visit: &mut dyn FnMut(NodeId)) {
        match self {
            NodeKind::Block { next, .. } => visit(*next),
            NodeKind::Branch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            NodeKind::Switch { cases, default, .. } => {
                cases.iter().for_each(|c| visit(c.target));
                visit(*default);
            }
            NodeKind::Apply { next, exit, .. } => {
                visit(*next);
                exit.iter().copied().for_each(visit);
            }
            NodeKind::Loop { body, .. } => visit(*body),
            NodeKind::Continue { head } => visit(*head),
            NodeKind::End | NodeKind::Exit => {}
        }
    }
}

impl Transition {
    /// Calls `visit` with every target; an exhausted select is not among them.
    pub fn for_each_target(&self, visit: &mut dyn FnMut(Target)) {
        match self {
            Transition::Goto(target) => visit(*target),
            Transition::Select { rows, .. } => rows.iter().for_each(|r| visit(r.target)),
        }
    }
}

impl Row {
    /// Whether it fits all values.
    pub fn is_any(&self) -> bool {
        match &self.kind {
            RowKind::Any => true,
            RowKind::Values(matches) => matches.iter().all(|m| *m == Match::Any),
            RowKind::ValueSet(_) => false,
        }
    }
}
