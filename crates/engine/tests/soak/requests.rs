//! Requests to a control plane as values, so that two engines can be given the same ones, and a
//! source of random ones that keeps tables at a bounded size.

use crate::random::Random;
use crate::traffic::{ADDRESSES, COUNTED, FLOWS, GROUPS, NUMBERS, PAIRS, PORTS};

use ww_dataplane::control::{
    ActionData, BigUint, Control, EntryHandle, Error, KeyMatch, NewEntry, ProfileIndex, Schema,
    TableIndex, Target,
};

/// A request.
#[derive(Clone, Debug)]
pub enum Request {
    Insert(TableIndex, NewEntry),
    Modify(TableIndex, EntryHandle, Target),
    Delete(TableIndex, EntryHandle),
    Default(TableIndex, Target),
    MemberAdd(ProfileIndex, ActionData),
    MemberModify(ProfileIndex, u32, ActionData),
    MemberDelete(ProfileIndex, u32),
    GroupCreate(ProfileIndex),
    GroupDelete(ProfileIndex, u32),
    Join(ProfileIndex, u32, u32),
    Leave(ProfileIndex, u32, u32),
}

/// The handle that a request gave, or 0.
pub type Outcome = Result<u64, Error>;

impl Request {
    /// Has the control plane do it.
    pub fn carry_out(&self, control: &mut dyn Control) -> Outcome {
        let done = |()| 0;
        match self.clone() {
            Self::Insert(t, entry) => control.table_insert(t, entry).map(|h| h.0),
            Self::Modify(t, entry, to) => control.table_modify(t, entry, to).map(done),
            Self::Delete(t, entry) => control.table_delete(t, entry).map(done),
            Self::Default(t, to) => control.table_set_default(t, to).map(done),
            Self::MemberAdd(p, data) => control.member_add(p, data).map(u64::from),
            Self::MemberModify(p, member, to) => control.member_modify(p, member, to).map(done),
            Self::MemberDelete(p, member) => control.member_delete(p, member).map(done),
            Self::GroupCreate(p) => control.group_create(p).map(u64::from),
            Self::GroupDelete(p, group) => control.group_delete(p, group).map(done),
            Self::Join(p, group, member) => control.group_add_member(p, group, member).map(done),
            Self::Leave(p, group, member) => {
                control.group_remove_member(p, group, member).map(done)
            }
        }
    }
}

/// A table whose entries come and go.
struct Changing {
    table: TableIndex,
    /// No more entries than these.
    limit: usize,
    entries: Vec<EntryHandle>,
}

/// Makes requests, and is told what became of them.
pub struct Source {
    random: Random,
    numbers: Changing,
    routes: Changing,
    rules: Changing,
    choices: Changing,
    counted: Changing,
    stamps: [TableIndex; 2],
    /// `left` and `right`.
    pair: [TableIndex; 2],
    /// Entries of both, by key.
    pairs: Vec<Option<[EntryHandle; 2]>>,
    profile: ProfileIndex,
    members: Vec<u32>,
    groups: Vec<u32>,
}

const MEMBERS: usize = 40;
const GROUP_LIMIT: usize = 12;

fn action(action: usize, arguments: &[u64]) -> ActionData {
    ActionData { action, arguments: arguments.iter().map(|n| BigUint::from(*n)).collect() }
}

fn exact(value: u64) -> KeyMatch {
    KeyMatch::Exact(value.into())
}

impl Source {
    /// For the program of this test.
    pub fn new(schema: &Schema, seed: u64) -> Self {
        let table = |name: &str| schema.table(name).expect("the program has it");
        let changing = |name: &str, limit| Changing { table: table(name), limit, entries: vec![] };
        Self {
            random: Random::new(seed),
            numbers: changing("numbers", 1000),
            routes: changing("routes", 500),
            rules: changing("rules", 100),
            choices: changing("choices", 12),
            counted: changing("counted", COUNTED),
            stamps: [table("stamp"), table("stamp_again")],
            pair: [table("left"), table("right")],
            pairs: vec![None; PAIRS],
            profile: schema.profile("pick").expect("the program has it"),
            members: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Handles of the entries of `counted` by key: these entries stay.
    pub fn counted(&self) -> &[EntryHandle] {
        &self.counted.entries
    }

    /// Carries a request out and keeps the handles that it gave or took.
    pub fn carry_out(&mut self, control: &mut dyn Control, request: &Request) -> Outcome {
        let outcome = request.carry_out(control);
        let Ok(handle) = outcome else { return outcome };
        match *request {
            Request::Insert(table, _) => {
                if let Some(changing) = self.changing(table) {
                    changing.entries.push(EntryHandle(handle));
                }
            }
            Request::Delete(table, entry) => {
                if let Some(changing) = self.changing(table) {
                    changing.entries.retain(|e| *e != entry);
                }
            }
            Request::MemberAdd(..) => self.members.push(handle as u32),
            Request::MemberDelete(_, member) => self.members.retain(|m| *m != member),
            Request::GroupCreate(_) => self.groups.push(handle as u32),
            Request::GroupDelete(_, group) => self.groups.retain(|g| *g != group),
            _ => {}
        }
        outcome
    }

    fn changing(&mut self, table: TableIndex) -> Option<&mut Changing> {
        let all = [
            &mut self.numbers,
            &mut self.routes,
            &mut self.rules,
            &mut self.choices,
            &mut self.counted,
        ];
        all.into_iter().find(|c| c.table == table)
    }

    /// The entries of `counted`, in the order of their keys.
    pub fn counted_entries(&mut self) -> Vec<Request> {
        let entry = |key| {
            let keys = vec![exact(key as u64)];
            let target = Target::Action(action(0, &[key as u64]));
            Request::Insert(self.counted.table, NewEntry { keys, priority: 0, target })
        };
        (0..COUNTED).map(entry).collect()
    }

    /// Sets both stamps.
    pub fn stamps(&self, value: u64) -> [Request; 2] {
        let [first, second] = self.stamps;
        let target = || Target::Action(action(0, &[value]));
        [Request::Default(first, target()), Request::Default(second, target())]
    }

    /// Changes an entry of `left` and the same of `right`, with `value` in both. The caller says
    /// with [`Source::paired`] what came out.
    pub fn pair(&mut self, value: u64) -> (usize, [Request; 2]) {
        let key = self.random.below(PAIRS);
        let [left, right] = self.pair;
        let target = || Target::Action(action(0, &[value]));
        let requests = match self.pairs[key] {
            None => [left, right].map(|table| {
                let keys = vec![exact(key as u64)];
                Request::Insert(table, NewEntry { keys, priority: 1, target: target() })
            }),
            Some([l, r]) if self.random.below(3) == 0 => {
                [Request::Delete(left, l), Request::Delete(right, r)]
            }
            Some([l, r]) => {
                [Request::Modify(left, l, target()), Request::Modify(right, r, target())]
            }
        };
        (key, requests)
    }

    /// The handles that the requests of [`Source::pair`] gave.
    pub fn paired(&mut self, key: usize, requests: &[Request; 2], handles: [u64; 2]) {
        match requests[0] {
            Request::Insert(..) => self.pairs[key] = Some(handles.map(EntryHandle)),
            Request::Delete(..) => self.pairs[key] = None,
            _ => {}
        }
    }

    /// A request for anything but stamps and pairs.
    pub fn request(&mut self) -> Request {
        match self.random.below(16) {
            0..5 => {
                let (entry, random) = (self.number(), &mut self.random);
                change(&self.numbers, random, entry)
            }
            5..8 => {
                let (entry, random) = (self.route(), &mut self.random);
                change(&self.routes, random, entry)
            }
            8..10 => {
                let (entry, random) = (self.rule(), &mut self.random);
                change(&self.rules, random, entry)
            }
            10..12 => {
                let (entry, random) = (self.choice(), &mut self.random);
                change(&self.choices, random, entry)
            }
            12 => {
                let value = self.random.bits() >> 32;
                let entry = self.random.pick(&self.counted.entries).unwrap_or(EntryHandle(0));
                Request::Modify(self.counted.table, entry, Target::Action(action(0, &[value])))
            }
            _ => self.profile_request(),
        }
    }

    fn number(&mut self) -> NewEntry {
        let keys = vec![exact(self.random.bits() % NUMBERS)];
        let (a, b) = (self.random.bits() >> 32, self.random.bits() >> 32);
        let target = match self.random.below(4) {
            0 => action(1, &[a, b]),
            1 => action(2, &[self.random.bits(), b]),
            _ => action(0, &[a]),
        };
        NewEntry { keys, priority: 0, target: Target::Action(target) }
    }

    fn route(&mut self) -> NewEntry {
        let prefix_len = 33 - (self.random.bits().leading_zeros().min(28) + 1);
        let value = BigUint::from(self.random.bits() & ADDRESSES);
        let keys = vec![KeyMatch::Lpm { value, prefix_len }];
        let port = self.random.bits() % 500;
        let target = Target::Action(action(0, &[port, self.random.bits() >> 32]));
        NewEntry { keys, priority: 0, target }
    }

    fn rule(&mut self) -> NewEntry {
        const MASKS: [u64; 5] = [FLOWS, 0xff00, 0xff, 0x0ff0, 0];
        let mut key = |values: u64| {
            let mask = MASKS[self.random.below(MASKS.len())] & values;
            KeyMatch::Ternary { value: (self.random.bits() & mask).into(), mask: mask.into() }
        };
        let keys = vec![key(FLOWS), key(PORTS)];
        let value = self.random.bits() >> 32;
        let target = if value.is_multiple_of(8) { action(1, &[]) } else { action(0, &[value]) };
        let priority = self.random.below(20) as i64;
        NewEntry { keys, priority, target: Target::Action(target) }
    }

    fn choice(&mut self) -> NewEntry {
        let keys = vec![exact(self.random.bits() % GROUPS)];
        let target = match self.random.below(3) {
            0 => self.random.pick(&self.members).map(Target::Member),
            _ => self.random.pick(&self.groups).map(Target::Group),
        };
        NewEntry { keys, priority: 0, target: target.unwrap_or(Target::Member(0)) }
    }

    fn profile_request(&mut self) -> Request {
        let profile = self.profile;
        let random = &mut self.random;
        let data = action(random.below(2), &[random.bits() >> 32]);
        let member = random.pick(&self.members);
        let group = random.pick(&self.groups);
        let (Some(member), Some(group)) = (member, group) else {
            return match group {
                None => Request::GroupCreate(profile),
                Some(_) => Request::MemberAdd(profile, data),
            };
        };
        match random.below(16) {
            0..3 if self.members.len() < MEMBERS => Request::MemberAdd(profile, data),
            0..4 => Request::MemberDelete(profile, member),
            4..8 => Request::MemberModify(profile, member, data),
            8 if self.groups.len() < GROUP_LIMIT => Request::GroupCreate(profile),
            8 | 9 => Request::GroupDelete(profile, group),
            10..14 => Request::Join(profile, group, member),
            _ => Request::Leave(profile, group, member),
        }
    }
}

/// Inserts `entry`, gives its target to another entry, or deletes one: the table is nearly full
/// most of the time.
fn change(changing: &Changing, random: &mut Random, entry: NewEntry) -> Request {
    let Changing { table, limit, entries } = changing;
    let Some(old) = random.pick(entries) else { return Request::Insert(*table, entry) };
    match random.below(8) {
        0..4 if entries.len() < *limit => Request::Insert(*table, entry),
        0..6 => Request::Modify(*table, old, entry.target),
        _ => Request::Delete(*table, old),
    }
}
