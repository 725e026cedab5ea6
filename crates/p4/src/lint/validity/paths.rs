//! The headers that a body mentions, as a tree of places: variable, field, field, element.

use crate::ir::visit::{self, Visitor};
use crate::ir::{Const, Expr, ExprKind, Program, StructKind, Type, VarId};
use num_traits::ToPrimitive;
use std::collections::HashMap;

/// A place in the tree.
pub(super) type Node = u32;

struct Place {
    parent: Option<Node>,
    children: Vec<Node>,
    is_header: bool,
    in_union: bool,
}

/// All places of a body.
#[derive(Default)]
pub(super) struct HeaderPaths {
    places: Vec<Place>,
    roots: HashMap<VarId, Node>,
    steps: HashMap<(Node, u32), Node>,
}

/// Whether values of a type can hold headers.
pub(super) fn may_hold_headers(ty: &Type) -> bool {
    matches!(ty, Type::Struct(_) | Type::Stack(..))
}

impl HeaderPaths {
    /// Number of places.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// Whether there is any header.
    pub(super) fn has_headers(&self) -> bool {
        self.places.iter().any(|p| p.is_header)
    }

    /// Whether the place is a header.
    pub(super) fn is_header(&self, n: Node) -> bool {
        self.places.get(n as usize).is_some_and(|p| p.is_header)
    }

    /// The place of a variable.
    pub(super) fn root(&self, var: VarId) -> Option<Node> {
        self.roots.get(&var).copied()
    }

    /// The other members of the header union that a place is a member of.
    pub(super) fn siblings(&self, n: Node) -> impl Iterator<Item = Node> {
        let parent = self
            .places
            .get(n as usize)
            .filter(|p| p.in_union)
            .and_then(|p| p.parent)
            .and_then(|p| self.places.get(p as usize));
        parent.into_iter().flat_map(|p| p.children.iter().copied()).filter(move |&m| m != n)
    }

    /// A place and all places in it.
    pub(super) fn within(&self, n: Node) -> Vec<Node> {
        let mut found = vec![n];
        let mut next = 0;
        while let Some(place) = found.get(next).and_then(|&n| self.places.get(n as usize)) {
            found.extend(&place.children);
            next += 1;
        }
        found
    }

    /// The place that an expression names exactly.
    pub(super) fn find(&self, e: &Expr) -> Option<Node> {
        match &e.kind {
            ExprKind::Var(var) => self.root(*var),
            ExprKind::Field(base, n) => self.steps.get(&(self.find(base)?, *n)).copied(),
            ExprKind::Element(base, index) => {
                self.steps.get(&(self.find(base)?, constant_index(index)?)).copied()
            }
            _ => None,
        }
    }

    /// The smallest known place around what an l-value names.
    pub(super) fn around(&self, e: &Expr) -> Option<Node> {
        self.find(e).or_else(|| match &e.kind {
            ExprKind::Field(base, _)
            | ExprKind::Element(base, _)
            | ExprKind::Next(base)
            | ExprKind::Last(base)
            | ExprKind::Slice { base, .. } => self.around(base),
            _ => None,
        })
    }

    fn intern(&mut self, e: &Expr, program: &Program) -> Option<Node> {
        if !may_hold_headers(&e.ty) {
            return None;
        }
        let (parent, step) = match &e.kind {
            ExprKind::Var(var) => {
                if let Some(&known) = self.roots.get(var) {
                    return Some(known);
                }
                let node = self.add(None, &e.ty, None, program);
                self.roots.insert(*var, node);
                return Some(node);
            }
            ExprKind::Field(base, n) => (base, *n),
            ExprKind::Element(base, index) => (base, constant_index(index)?),
            _ => return None,
        };
        let node = self.intern(parent, program)?;
        if let Some(&known) = self.steps.get(&(node, step)) {
            return Some(known);
        }
        let child = self.add(Some(node), &e.ty, Some(&parent.ty), program);
        self.steps.insert((node, step), child);
        Some(child)
    }

    fn add(
        &mut self,
        parent: Option<Node>,
        ty: &Type,
        inside: Option<&Type>,
        program: &Program,
    ) -> Node {
        let kind = |ty| program.types.as_struct(ty).map(|def| def.kind);
        let node = self.places.len() as Node;
        self.places.push(Place {
            parent,
            children: Vec::new(),
            is_header: kind(ty) == Some(StructKind::Header),
            in_union: inside.and_then(kind) == Some(StructKind::Union),
        });
        if let Some(p) = parent.and_then(|p| self.places.get_mut(p as usize)) {
            p.children.push(node);
        }
        node
    }
}

fn constant_index(e: &Expr) -> Option<u32> {
    match &e.kind {
        ExprKind::Const(Const::Int(n)) => n.to_u32(),
        _ => None,
    }
}

/// Collects the places of everything that it is shown.
pub(super) struct Collector<'p> {
    pub program: &'p Program,
    pub paths: HeaderPaths,
}

impl Visitor for Collector<'_> {
    fn expression(&mut self, e: &Expr) {
        self.paths.intern(e, self.program);
    }
}

/// The places in what `walk` shows.
pub(super) fn collect(program: &Program, walk: impl FnOnce(&mut Collector<'_>)) -> HeaderPaths {
    let mut collector = Collector { program, paths: HeaderPaths::default() };
    walk(&mut collector);
    collector.paths
}

/// The places in a body.
pub(super) fn of_block(program: &Program, body: &crate::ir::Block) -> HeaderPaths {
    collect(program, |c| visit::block(c, body))
}
