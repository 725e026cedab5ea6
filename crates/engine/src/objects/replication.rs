//! The packet replication engine: multicast groups, their nodes, and mirroring sessions.

use std::collections::{BTreeMap, BTreeSet};
use ww_dataplane::PortId;
use ww_dataplane::control::{Error, MirrorSession, NodeHandle};

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

impl Replication {
    /// Makes an empty group.
    pub fn create_group(&mut self, group: u16) -> Result<()> {
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

    /// Removes a group; its nodes are free then.
    pub fn destroy_group(&mut self, group: u16) -> Result<()> {
        let members = self.groups.remove(&group).ok_or_else(|| no_group(group))?;
        for node in members {
            if let Some(node) = self.nodes.get_mut(&node) {
                node.group = None;
            }
        }
        Ok(())
    }

    /// Makes a node.
    pub fn create_node(&mut self, replication_id: u16, ports: &[PortId]) -> NodeHandle {
        let handle = NodeHandle(self.next_node);
        self.next_node += 1;
        let ports = ports.iter().copied().collect();
        self.nodes.insert(handle, Node { replication_id, ports, group: None });
        handle
    }

    /// Gives a node other ports.
    pub fn update_node(&mut self, node: NodeHandle, ports: &[PortId]) -> Result<()> {
        let found = self.nodes.get_mut(&node).ok_or_else(|| no_node(node))?;
        found.ports = ports.iter().copied().collect();
        Ok(())
    }

    /// Puts a node into a group.
    pub fn associate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
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

    /// Takes a node out of a group.
    pub fn dissociate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
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

    /// Removes a node.
    pub fn destroy_node(&mut self, node: NodeHandle) -> Result<()> {
        let removed = self.nodes.remove(&node).ok_or_else(|| no_node(node))?;
        if let Some(members) = removed.group.and_then(|g| self.groups.get_mut(&g)) {
            members.retain(|member| *member != node);
        }
        Ok(())
    }

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

    /// Makes or replaces a session.
    pub fn set_session(&mut self, session: u32, to: MirrorSession) {
        self.sessions.insert(session, to);
    }

    /// Removes a session.
    pub fn delete_session(&mut self, session: u32) -> Result<()> {
        self.sessions
            .remove(&session)
            .map(|_| ())
            .ok_or_else(|| Error::NoSuch { what: format!("mirroring session {session}") })
    }

    /// A session.
    pub fn session(&self, session: u32) -> Option<MirrorSession> {
        self.sessions.get(&session).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_in_order() {
        let mut engine = Replication::default();
        engine.create_group(9).expect("new");
        let a = engine.create_node(7, &[3, 1, 3]);
        let b = engine.create_node(8, &[2]);
        assert_eq!((a, b), (NodeHandle(0), NodeHandle(1)));
        engine.associate(9, b).expect("both exist");
        engine.associate(9, a).expect("both exist");
        let brief = |e: &Replication| -> Vec<_> {
            e.replicas(9).iter().map(|r| (r.replication_id, r.port)).collect()
        };
        assert_eq!(brief(&engine), [(8, 2), (7, 1), (7, 3)]);
        engine.dissociate(9, b).expect("it is in");
        engine.update_node(a, &[4]).expect("it exists");
        assert_eq!(brief(&engine), [(7, 4)]);
        engine.destroy_node(a).expect("it exists");
        assert!(brief(&engine).is_empty());
    }

    #[test]
    fn refusals() {
        let mut engine = Replication::default();
        assert!(engine.create_group(0).is_err());
        engine.create_group(1).expect("new");
        assert!(engine.create_group(1).is_err());
        assert!(engine.associate(1, NodeHandle(0)).is_err());
        let node = engine.create_node(0, &[1]);
        engine.associate(1, node).expect("both exist");
        assert!(engine.associate(1, node).is_err());
        engine.destroy_group(1).expect("it exists");
        assert!(engine.destroy_group(1).is_err());
        assert!(engine.dissociate(1, node).is_err());
    }
}
