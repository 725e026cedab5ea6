//! Multicast groups and mirror sessions in hardware: rows of [`ObjectKind::Replication`].
//!
//! [`ObjectKind::Replication`]: crate::manifest::ObjectKind::Replication

use super::Error;
use super::hardware::Hardware;
use crate::manifest::ObjectKind;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use ww_engine::objects::{Replica, Replication};

const GROUPS: u32 = 0;
const REPLICAS: u32 = 1;
const SESSIONS: u32 = 2;
/// Stands for a session without truncation.
const WHOLE: u64 = 0xffff;

/// What the control plane has asked for, and what hardware has of it.
#[derive(Default)]
pub struct Replicas {
    /// Groups, their nodes, and sessions.
    pub state: Replication,
    /// Rows that are not zero, by memory and index.
    rows: BTreeMap<(u32, u32), u64>,
}

impl Replicas {
    /// Brings the rows of hardware to what the control plane has asked for. No packet is inside.
    pub fn store(&mut self, hardware: &mut Hardware, window: u32) -> Result<(), Error> {
        let sizes = match hardware.manifest().objects.get(window as usize).map(|o| &o.kind) {
            Some(&ObjectKind::Replication { groups, replicas, sessions }) => {
                (groups, replicas, sessions)
            }
            _ => return Err(Error::Control("the design makes no copies".to_owned())),
        };
        let rows = self.layout(sizes)?;
        let places: BTreeSet<_> = self.rows.keys().chain(rows.keys()).copied().collect();
        for place in places {
            let value = rows.get(&place).copied().unwrap_or(0);
            if self.rows.get(&place).copied().unwrap_or(0) != value {
                hardware.write(window, place.0, place.1, &BigUint::from(value))?;
            }
        }
        self.rows = rows;
        Ok(())
    }

    /// All groups, nodes and sessions are gone; hardware learns it with the next
    /// [`store`](Self::store).
    pub fn forget(&mut self) {
        *self = Self { rows: std::mem::take(&mut self.rows), ..Self::default() };
    }

    /// The rows that are not zero.
    fn layout(
        &self,
        (groups, replicas, sessions): (u32, u32, u32),
    ) -> Result<BTreeMap<(u32, u32), u64>, Error> {
        let mut rows = BTreeMap::new();
        let mut next = 0u32;
        let mut place = |rows: &mut BTreeMap<(u32, u32), u64>, list: &[Replica]| {
            let first = next;
            for &Replica { replication_id, port } in list {
                if next >= replicas {
                    let text = format!("the design has room for {replicas} replicas in all");
                    return Err(Error::Control(text));
                }
                let port = u64::from(port & 0xffff);
                rows.insert((REPLICAS, next), u64::from(replication_id) | port << 16);
                next += 1;
            }
            Ok(u64::from(first) | (list.len() as u64) << 16)
        };
        for group in self.state.groups() {
            let list = self.state.replicas(group);
            if list.is_empty() {
                continue;
            }
            if u32::from(group) >= groups {
                let text = format!("multicast group {group}: the design has {groups} groups");
                return Err(Error::Control(text));
            }
            let row = place(&mut rows, &list)?;
            rows.insert((GROUPS, u32::from(group)), row);
        }
        for (session, to) in self.state.sessions() {
            if session >= sessions {
                let text = format!("mirror session {session}: the design has {sessions} sessions");
                return Err(Error::Control(text));
            }
            // The copies of the group leave first.
            let mut list = to.group.map(|group| self.state.replicas(group)).unwrap_or_default();
            list.extend(to.port.map(|port| Replica { replication_id: 0, port }));
            let row = place(&mut rows, &list)?;
            let truncate = to.truncate.map_or(WHOLE, |bytes| u64::from(bytes).min(WHOLE - 1));
            rows.insert((SESSIONS, session), truncate | (row >> 16) << 16 | (row & 0xffff) << 32);
        }
        Ok(rows)
    }
}
