//! The tree of nodes and flows, laid out so that the children of a node are neighbours in the list of
//! their level.

use super::{ChildSpec, NodeSpec, Policy, Stamp, Trigger};
use crate::list::MAX_ELEMENTS;
use crate::list::fast::tree::Forest;

/// A node.
#[derive(Debug)]
pub struct Node {
    pub policy: Box<dyn Policy>,
    pub trigger: Trigger,
    /// The level of the children, whose lists share storage and numbers.
    pub level: usize,
    /// The list of the children among those of the level.
    pub list: usize,
    /// Number of child 0 in that level.
    pub first: u32,
    pub children: Vec<Child>,
    /// The node and its number there; the root has none.
    pub parent: Option<(usize, usize)>,
    /// Children that are not idle.
    pub active: usize,
    /// A child that is chosen again without a look at the list.
    pub serving: Option<usize>,
}

impl Node {
    /// The number of a child in its level.
    pub fn id(&self, child: usize) -> u32 {
        self.first + child as u32
    }
}

/// A child of a node.
#[derive(Debug)]
pub struct Child {
    pub below: Below,
    pub state: State,
    /// The length that Pre-Enqueue was given.
    pub stamped: u32,
    /// The length of its last packet; before it has sent one, of the one that made it busy.
    pub last: u32,
}

/// What a child is.
#[derive(Clone, Copy, Debug)]
pub enum Below {
    Flow(usize),
    Node(usize),
}

/// Where a child is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has nothing to send.
    Idle,
    /// In the list.
    Listed,
    /// Out of the list for a moment: it is being served.
    Served,
    /// A class that was chosen but has no eligible child: out of the list until this time, if time can
    /// change that, or until a packet arrives. Its stamp is kept.
    Aside(Option<u64>, Stamp),
}

/// All nodes (the root first), where each flow is (node and child number), for each level a list for each node.
/// Nobody asks for the first of a whole level, so there is no list of that.
pub struct Tree {
    pub nodes: Vec<Node>,
    pub flows: Vec<(usize, usize)>,
    pub levels: Vec<Forest>,
}

/// How many nodes a level has, and children of these.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    children: u32,
}

impl Tree {
    /// Lays out the tree.
    ///
    /// # Errors
    /// A sentence, if a node has no children or there are too many.
    pub fn new(root: NodeSpec) -> Result<Self, String> {
        let mut tree = Self { nodes: Vec::new(), flows: Vec::new(), levels: Vec::new() };
        let mut sizes = Vec::new();
        tree.add(root, None, 0, &mut sizes)?;
        tree.levels = sizes.iter().map(|size| Forest::new(size.nodes, size.children)).collect();
        Ok(tree)
    }

    fn add(
        &mut self,
        spec: NodeSpec,
        parent: Option<(usize, usize)>,
        level: usize,
        sizes: &mut Vec<Size>,
    ) -> Result<usize, String> {
        if spec.children.is_empty() {
            return Err("a node has no children".into());
        }
        if sizes.len() == level {
            sizes.push(Size::default());
        }
        let Size { nodes: list, children: first } = sizes[level];
        let count = spec.children.len();
        let end = (first as usize).checked_add(count).filter(|&n| n <= MAX_ELEMENTS as usize);
        let Some(end) = end else {
            return Err(format!("more than {MAX_ELEMENTS} children in one level"));
        };
        sizes[level] = Size { nodes: list + 1, children: end as u32 };
        let index = self.nodes.len();
        self.nodes.push(Node {
            policy: spec.policy,
            trigger: spec.trigger,
            level,
            list,
            first,
            children: Vec::with_capacity(count),
            parent,
            active: 0,
            serving: None,
        });
        for (child, (parameters, below)) in spec.children.into_iter().enumerate() {
            self.nodes[index].policy.configure(child, &parameters);
            let below = match below {
                ChildSpec::Flow => {
                    self.flows.push((index, child));
                    Below::Flow(self.flows.len() - 1)
                }
                ChildSpec::Node(spec) => {
                    Below::Node(self.add(spec, Some((index, child)), level + 1, sizes)?)
                }
            };
            let child = Child { below, state: State::Idle, stamped: 0, last: 0 };
            self.nodes[index].children.push(child);
        }
        Ok(index)
    }
}
