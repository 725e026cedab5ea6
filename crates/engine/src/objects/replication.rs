//! The packet replication engine: multicast groups, their nodes, and mirroring sessions.

use std::collections::{BTreeMap, BTreeSet};
use ww_dataplane::PortId;
use ww_dataplane::control::handler::Handler;
use ww_dataplane::control::{Error, MirrorSession, MulticastView, NodeHandle, NodeView};

/// One copy that a group makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replica {
    /// Becomes `egress_rid`.
    pub replication_id: u16,
    /// Where it goes.
    pub port: PortId,
}

/// Groups, nodes and sessions.
#[derive(Clone, Debug, Default)]
pub struct Replication {
    groups: BTreeMap<u16, Vec<NodeHandle>>,
    nodes: BTreeMap<NodeHandle, Node>,
    next_node: u32,
    sessions: BTreeMap<u32, MirrorSession>,
}

#[derive(Clone, Debug)]
struct Node {
    replication_id: u16,
    ports: BTreeSet<PortId>,
    group: Option<u16>,
}

type Result<T> = std::result::Result<T, Error>;

fn no_group(group: u16) -> Error {
    Error::NoSuch { what: format!("multicast group {group}") }
}

fn no_node(node: NodeHandle) -> Error {
    Error::NoSuch { what: format!("multicast node {}", node.0) }
}

/// The requests about replication; no other reaches it.
impl Handler for Replication {
    fn component(&self) -> &'static str {
        "the replication engine"
    }

    fn mirror_set(&mut self, session: u32, to: MirrorSession) -> Result<()> {
        self.sessions.insert(session, to);
        Ok(())
    }

    fn mirror_delete(&mut self, session: u32) -> Result<()> {
        let missing = || Error::NoSuch { what: format!("mirroring session {session}") };
        self.sessions.remove(&session).map(|_| ()).ok_or_else(missing)
    }

    fn mirror(&mut self, session: u32) -> Result<Option<MirrorSession>> {
        Ok(self.session(session))
    }

    fn multicast_group_create(&mut self, group: u16) -> Result<()> {
        if group == 0 {
            let message = "multicast group 0 stands for no group".to_owned();
            return Err(Error::Invalid { message });
        }
        if self.groups.contains_key(&group) {
            let message = format!("multicast group {group} exists already");
            return Err(Error::Invalid { message });
        }
        self.groups.insert(group, Vec::new());
        Ok(())
    }

    fn multicast_group_destroy(&mut self, group: u16) -> Result<()> {
        let members = self.groups.remove(&group).ok_or_else(|| no_group(group))?;
        for node in members {
            if let Some(node) = self.nodes.get_mut(&node) {
                node.group = None;
            }
        }
        Ok(())
    }

    fn multicast_node_create(
        &mut self,
        replication_id: u16,
        ports: Vec<PortId>,
    ) -> Result<NodeHandle> {
        let handle = NodeHandle(self.next_node);
        self.next_node += 1;
        let ports = ports.into_iter().collect();
        self.nodes.insert(handle, Node { replication_id, ports, group: None });
        Ok(handle)
    }

    fn multicast_node_update(&mut self, node: NodeHandle, ports: Vec<PortId>) -> Result<()> {
        let found = self.nodes.get_mut(&node).ok_or_else(|| no_node(node))?;
        found.ports = ports.into_iter().collect();
        Ok(())
    }

    fn multicast_node_associate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        let members = self.groups.get_mut(&group).ok_or_else(|| no_group(group))?;
        let found = self.nodes.get_mut(&node).ok_or_else(|| no_node(node))?;
        if let Some(other) = found.group {
            let message = format!("multicast node {} is in group {other} already", node.0);
            return Err(Error::Invalid { message });
        }
        found.group = Some(group);
        members.push(node);
        Ok(())
    }

    fn multicast_node_dissociate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        let members = self.groups.get_mut(&group).ok_or_else(|| no_group(group))?;
        let found = self.nodes.get_mut(&node).ok_or_else(|| no_node(node))?;
        if found.group != Some(group) {
            let message = format!("multicast node {} is not in group {group}", node.0);
            return Err(Error::Invalid { message });
        }
        found.group = None;
        members.retain(|member| *member != node);
        Ok(())
    }

    fn multicast(&mut self) -> Result<MulticastView> {
        Ok(self.view())
    }

    fn multicast_node_destroy(&mut self, node: NodeHandle) -> Result<()> {
        let removed = self.nodes.remove(&node).ok_or_else(|| no_node(node))?;
        if let Some(members) = removed.group.and_then(|g| self.groups.get_mut(&g)) {
            members.retain(|member| *member != node);
        }
        Ok(())
    }
}

impl Replication {
    /// The copies that a group makes: its nodes in the order in which they joined, the ports of
    /// each ascending.
    pub fn replicas(&self, group: u16) -> Vec<Replica> {
        let members = self.groups.get(&group).map(Vec::as_slice).unwrap_or_default();
        members
            .iter()
            .filter_map(|node| self.nodes.get(node))
            .flat_map(|node| {
                let replication_id = node.replication_id;
                node.ports.iter().map(move |&port| Replica { replication_id, port })
            })
            .collect()
    }

    /// All groups and nodes.
    pub fn view(&self) -> MulticastView {
        let view = |node: &Node| NodeView {
            replication_id: node.replication_id,
            ports: node.ports.iter().copied().collect(),
        };
        MulticastView {
            groups: self.groups.clone(),
            nodes: self.nodes.iter().map(|(handle, node)| (*handle, view(node))).collect(),
        }
    }

    /// Groups that exist, ascending.
    pub fn groups(&self) -> impl Iterator<Item = u16> {
        self.groups.keys().copied()
    }

    /// A session.
    pub fn session(&self, session: u32) -> Option<MirrorSession> {
        self.sessions.get(&session).copied()
    }

    /// All sessions, by number.
    pub fn sessions(&self) -> impl Iterator<Item = (u32, MirrorSession)> {
        self.sessions.iter().map(|(&session, &to)| (session, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_in_order() {
        let mut engine = Replication::default();
        engine.multicast_group_create(9).expect("new");
        let a = engine.multicast_node_create(7, vec![3, 1, 3]).expect("room");
        let b = engine.multicast_node_create(8, vec![2]).expect("room");
        assert_eq!((a, b), (NodeHandle(0), NodeHandle(1)));
        engine.multicast_node_associate(9, b).expect("both exist");
        engine.multicast_node_associate(9, a).expect("both exist");
        let brief = |e: &Replication| -> Vec<_> {
            e.replicas(9).iter().map(|r| (r.replication_id, r.port)).collect()
        };
        assert_eq!(brief(&engine), [(8, 2), (7, 1), (7, 3)]);
        engine.multicast_node_dissociate(9, b).expect("it is in");
        engine.multicast_node_update(a, vec![4]).expect("it exists");
        assert_eq!(brief(&engine), [(7, 4)]);
        engine.multicast_node_destroy(a).expect("it exists");
        assert!(brief(&engine).is_empty());
    }

    #[test]
    fn refusals() {
        let mut engine = Replication::default();
        assert!(engine.multicast_group_create(0).is_err());
        engine.multicast_group_create(1).expect("new");
        assert!(engine.multicast_group_create(1).is_err());
        assert!(engine.multicast_node_associate(1, NodeHandle(0)).is_err());
        let node = engine.multicast_node_create(0, vec![1]).expect("room");
        engine.multicast_node_associate(1, node).expect("both exist");
        assert!(engine.multicast_node_associate(1, node).is_err());
        engine.multicast_group_destroy(1).expect("it exists");
        assert!(engine.multicast_group_destroy(1).is_err());
        assert!(engine.multicast_node_dissociate(1, node).is_err());
    }
}
