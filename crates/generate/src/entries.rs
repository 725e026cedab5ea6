//! Requests for the control plane of a program.

use crate::pool::{Pool, ones};
use crate::profile::{Feature, Profile};
use crate::random::Random;
use crate::request::{ActionCall, Goal, Request};
use num_bigint::BigUint;
use ww_dataplane::control::{
    ActionInfo, CounterValue, CustomCrc, KeyInfo, KeyMatch, MatchKind, MeterRate, MeterRates,
    MirrorSession, Schema, TableInfo,
};
use ww_packet::crc::{CASTAGNOLI, CCITT};

/// Requests for a program: those that set things up first, then any. Some ask for what must be
/// refused.
pub fn requests(
    schema: &Schema,
    pool: &Pool,
    profile: &Profile,
    random: &mut Random,
) -> Vec<Request> {
    let mut maker = Maker { schema, pool, profile, random };
    let mut out = maker.setup();
    for _ in 0..maker.random.between(profile.requests.0, profile.requests.1) {
        maker.any(&mut out);
    }
    out
}

struct Maker<'a> {
    schema: &'a Schema,
    pool: &'a Pool,
    profile: &'a Profile,
    random: &'a mut Random,
}

impl Maker<'_> {
    /// Sessions, groups, profiles and entries of each table.
    fn setup(&mut self) -> Vec<Request> {
        let mut out = Vec::new();
        if !self.profile.without.contains(Feature::Clone) && self.random.chance(80) {
            let port = Some(self.random.between(0, 9) as u32);
            let whole = MirrorSession { port, group: None, truncate: None };
            out.push(Request::Mirror(1, whole));
            let truncate = Some(self.random.between(0, 40) as u32);
            out.push(Request::Mirror(2, MirrorSession { truncate, ..whole }));
        }
        if !self.profile.without.contains(Feature::Multicast) && self.random.chance(60) {
            out.push(Request::McGroup(1));
            for node in 0..self.random.between(1, 2) as u32 {
                let ports = (0..self.random.below(3)).map(|_| self.random.below(10) as u32);
                let ports = ports.collect();
                out.push(Request::McNode(self.random.below(4) as u16, ports));
                out.push(Request::McAssociate(1, node));
            }
            if self.random.chance(30) {
                let group = MirrorSession { port: None, group: Some(1), truncate: None };
                out.push(Request::Mirror(3, group));
            }
        }
        for profile in &self.schema.profiles {
            let name = profile.name.clone();
            for _ in 0..self.random.between(1, 3) {
                if let Some(call) = self.call(&profile.actions, false) {
                    out.push(Request::MemberAdd(name.clone(), call));
                }
            }
            if profile.selector.is_some() {
                out.push(Request::GroupCreate(name.clone()));
                for member in 0..self.random.below(3) as u32 {
                    out.push(Request::GroupAdd(name.clone(), 0, member));
                }
            }
        }
        for table in &self.schema.tables {
            if !table.keys.is_empty() && !table.const_entries {
                for _ in 0..self.random.between(1, 4) {
                    out.push(self.insert(table));
                }
            }
        }
        out
    }

    fn value(&mut self, width: u32) -> BigUint {
        self.pool.value(self.random, width)
    }

    fn call(&mut self, actions: &[ActionInfo], as_default: bool) -> Option<ActionCall> {
        let allowed: Vec<&ActionInfo> = actions
            .iter()
            .filter(|a| !if as_default { a.table_only } else { a.default_only })
            .collect();
        // At times one that is not allowed in this place.
        let info = if self.random.chance(3) {
            self.random.pick(actions)?
        } else {
            self.random.pick(&allowed).copied()?
        };
        let mut arguments: Vec<BigUint> =
            info.parameters.iter().map(|p| self.pool.value(self.random, p.width)).collect();
        if self.random.chance(2) {
            arguments.push(BigUint::ZERO);
        }
        Some(ActionCall { name: info.name.clone(), arguments })
    }

    fn goal(&mut self, table: &TableInfo, as_default: bool) -> Goal {
        if let Some(profile) = table.profile
            && !self.random.chance(4)
        {
            let is_selector = self.schema[profile].selector.is_some();
            if is_selector && self.random.chance(60) {
                return Goal::Group(self.random.below(2) as u32);
            }
            return Goal::Member(self.random.below(3) as u32);
        }
        match self.call(&table.actions, as_default) {
            Some(call) => Goal::Action(call),
            None => Goal::Member(0),
        }
    }

    fn key(&mut self, info: &KeyInfo) -> KeyMatch {
        let width = info.width;
        let value = self.value(width);
        if self.random.chance(1) {
            return KeyMatch::Exact(value + (BigUint::from(1u32) << width));
        }
        match info.kind {
            MatchKind::Lpm => {
                let prefix_len = match self.random.below(4) {
                    0 => width,
                    1 => 0,
                    _ => self.random.below(width as usize + 2) as u32,
                };
                KeyMatch::Lpm { value, prefix_len }
            }
            MatchKind::Ternary => {
                let mask = if self.random.chance(40) { ones(width) } else { self.value(width) };
                KeyMatch::Ternary { value, mask }
            }
            MatchKind::Range => {
                let other = self.value(width);
                let swap = value > other && !info.signed && !self.random.chance(3);
                let (low, high) = if swap { (other, value) } else { (value, other) };
                KeyMatch::Range { low, high }
            }
            MatchKind::Optional if self.random.chance(30) => KeyMatch::Optional(None),
            MatchKind::Optional => KeyMatch::Optional(Some(value)),
            _ => KeyMatch::Exact(value),
        }
    }

    fn keys(&mut self, table: &TableInfo) -> Vec<KeyMatch> {
        table.keys.iter().map(|k| self.key(k)).collect()
    }

    fn insert(&mut self, table: &TableInfo) -> Request {
        let keys = self.keys(table);
        let priority = self.random.below(6) as i64;
        Request::Insert(table.name.clone(), keys, priority, self.goal(table, false))
    }

    fn any(&mut self, out: &mut Vec<Request>) {
        for _ in 0..4 {
            let made = match self.random.below(16) {
                0..=7 => self.table_request(out),
                8 => self.profile_request(),
                9 | 10 => self.register_request(),
                11 => self.counter_request(),
                12 | 13 => self.meter_request(),
                14 => self.set_request(),
                _ => Some(self.replication_request()),
            };
            if let Some(request) = made {
                out.push(request);
                return;
            }
        }
    }

    fn table_request(&mut self, out: &[Request]) -> Option<Request> {
        let table = self.random.pick(&self.schema.tables)?;
        let name = table.name.clone();
        let handle = self.random.below(6) as u64;
        Some(match self.random.below(20) {
            0..=2 => Request::Modify(name, handle, self.goal(table, false)),
            3 | 4 => Request::Delete(name, handle),
            5 if self.random.chance(20) => Request::Clear(name),
            6..=8 => Request::SetDefault(name, self.goal(table, true)),
            9 => Request::ResetDefault(name),
            // What was inserted before: found, or refused as a duplicate.
            10 | 11 => {
                let inserts: Vec<_> =
                    out.iter().filter(|r| matches!(r, Request::Insert(..))).collect();
                match (self.random.pick(&inserts)?, self.random.chance(50)) {
                    (Request::Insert(table, keys, priority, _), true) => {
                        Request::Find(table.clone(), keys.clone(), *priority)
                    }
                    (again, _) => (*again).clone(),
                }
            }
            _ => self.insert(table),
        })
    }

    fn profile_request(&mut self) -> Option<Request> {
        let profile = self.random.pick(&self.schema.profiles)?;
        let name = profile.name.clone();
        let (group, member) = (self.random.below(2) as u32, self.random.below(4) as u32);
        Some(match self.random.below(7) {
            0 => Request::MemberAdd(name, self.call(&profile.actions, false)?),
            1 => Request::MemberModify(name, member, self.call(&profile.actions, false)?),
            2 => Request::MemberDelete(name, member),
            3 => Request::GroupCreate(name),
            4 => Request::GroupDelete(name, group),
            5 => Request::GroupAdd(name, group, member),
            _ => Request::GroupRemove(name, group, member),
        })
    }

    /// Mostly within the array, at times behind its end, at times all of it.
    fn index(&mut self, size: u64) -> Option<u64> {
        (!self.random.chance(15)).then(|| self.random.below(size as usize + 1) as u64)
    }

    fn register_request(&mut self) -> Option<Request> {
        let register = self.random.pick(&self.schema.registers)?;
        if self.random.chance(15) {
            return Some(Request::RegisterReset(register.name.clone()));
        }
        let (index, value) = (self.index(register.size), self.value(register.width));
        Some(Request::RegisterWrite(register.name.clone(), index, value))
    }

    fn counter_request(&mut self) -> Option<Request> {
        let counter = self.random.pick(&self.schema.counters)?;
        if self.random.chance(40) {
            return Some(Request::CounterReset(counter.name.clone()));
        }
        let index = self.index(counter.size.max(3));
        let value =
            CounterValue { packets: self.random.below(9) as u64, bytes: self.random.next() };
        Some(Request::CounterWrite(counter.name.clone(), index, value))
    }

    fn meter_request(&mut self) -> Option<Request> {
        let meter = self.random.pick(&self.schema.meters)?;
        let index = if self.random.chance(50) { None } else { self.index(meter.size.max(3)) };
        let unit = if meter.bytes { 40 } else { 1 };
        let mut rate = |burst: usize| MeterRate {
            units_per_microsecond: self.random.below(8) as f64 / 4.0 * f64::from(unit),
            burst: self.random.below(burst) as u64 * unit as u64,
        };
        let rates = MeterRates { committed: rate(4), peak: rate(8) };
        let rates = (!self.random.chance(10)).then_some(rates);
        Some(Request::Rates(meter.name.clone(), index, rates))
    }

    fn set_request(&mut self) -> Option<Request> {
        let set = self.random.pick(&self.schema.value_sets)?;
        let member: Vec<KeyMatch> = set.keys.iter().map(|k| self.key(k)).collect();
        Some(if self.random.chance(85) {
            Request::SetAdd(set.name.clone(), member)
        } else {
            Request::SetRemove(set.name.clone(), member)
        })
    }

    fn replication_request(&mut self) -> Request {
        let (group, node) = (self.random.below(3) as u16, self.random.below(3) as u32);
        let ports: Vec<u32> =
            (0..self.random.below(3)).map(|_| self.random.below(10) as u32).collect();
        match self.random.below(10) {
            9 => match self.random.below(3) {
                0 => Request::Crc(CustomCrc::Crc16, CCITT),
                1 => Request::Crc(CustomCrc::Crc32, CASTAGNOLI),
                // As many bits as the other one has: refused.
                _ => Request::Crc(CustomCrc::Crc16, CASTAGNOLI),
            },
            0 => Request::Mirror(
                self.random.between(1, 3) as u32,
                MirrorSession { port: Some(2), group: None, truncate: None },
            ),
            1 => Request::MirrorDelete(self.random.between(1, 3) as u32),
            2 => Request::McGroup(group),
            3 if self.random.chance(30) => Request::McGroupDestroy(group),
            4 => Request::McNodeUpdate(node, ports),
            5 => Request::McAssociate(group, node),
            6 => Request::McDissociate(group, node),
            7 if self.random.chance(30) => Request::McNodeDestroy(node),
            8 if self.random.chance(15) => Request::Reset,
            _ => Request::McNode(self.random.below(4) as u16, ports),
        }
    }
}
