//! What packets see, compared with a model of it that is made of the plain structures which the
//! reference engine uses.

use super::{Loaded, Random};
use crate::bits::Bits;
use crate::interp::Interp;
use crate::jit::abi::{RECORD_ARGUMENTS, RecordHead};
use crate::jit::control::records::push_words;
use crate::jit::control::{NO_ACTION, argument_words};
use crate::objects::{Profile, Replication, profiles};
use crate::tables::native::KeyLayout;
use crate::tables::{KeyField, MatchTable, key_fields};
use num_bigint::BigUint;
use ww_dataplane::control::*;
use ww_p4::pipeline::{Match, Table, TableId, ValueSetId};
use ww_packet::hash::Hash;

/// What requests that succeeded have made, as far as the control plane cannot read it back.
pub struct Model {
    profiles: Vec<Profile<ActionData>>,
    value_sets: Vec<Vec<Vec<KeyField>>>,
    replication: Replication,
    custom: [Hash; 2],
}

/// An action that a packet runs: its position, its arguments, and whether an entry decided.
type Outcome = (u32, Vec<BigUint>, bool);

impl Model {
    pub fn new(schema: &Schema) -> Self {
        Self {
            profiles: profiles(schema),
            value_sets: vec![Vec::new(); schema.value_sets.len()],
            replication: Replication::default(),
            custom: [Hash::crc16_custom(), Hash::crc32_custom()],
        }
    }

    /// A request was carried out.
    pub fn note(&mut self, request: &Request, reference: &Interp) {
        let schema = reference.schema();
        let member = |set: &ValueSetIndex, keys: &[KeyMatch]| {
            key_fields("", &schema[*set].keys, keys).expect("it was taken")
        };
        let ok = "it was carried out";
        if request.subject() == Subject::Replication {
            request.clone().carry_out(&mut self.replication).expect(ok);
            return;
        }
        match request.clone() {
            Request::MemberAdd { profile: p, data } => {
                self.profiles[p.index()].add(data).expect(ok);
            }
            Request::MemberModify { profile: p, member: n, to: data } => {
                self.profiles[p.index()].modify(n, data).expect(ok)
            }
            Request::MemberDelete { profile: p, member: n } => {
                self.profiles[p.index()].remove(n, false).expect(ok);
            }
            Request::GroupCreate { profile: p } => {
                self.profiles[p.index()].create_group().expect(ok);
            }
            Request::GroupDelete { profile: p, group: n } => {
                self.profiles[p.index()].remove_group(n, false).expect(ok)
            }
            Request::GroupAddMember { profile: p, group, member: n } => {
                self.profiles[p.index()].join(group, n).expect(ok)
            }
            Request::GroupRemoveMember { profile: p, group, member: n } => {
                self.profiles[p.index()].leave(group, n).expect(ok)
            }
            Request::ValueSetAdd { set: s, member: keys } => {
                self.value_sets[s.index()].push(member(&s, &keys))
            }
            Request::ValueSetRemove { set: s, member: keys } => {
                let keys = member(&s, &keys);
                self.value_sets[s.index()].retain(|m| *m != keys);
            }
            Request::ValueSetClear { set: s } => self.value_sets[s.index()].clear(),
            Request::SetCustomCrc { which, parameters } => {
                self.custom[usize::from(which == CustomCrc::Crc32)] = Hash::custom(parameters);
            }
            Request::ResetState {} => *self = Self::new(&schema),
            _ => {}
        }
    }

    /// Compares what packets see; returns the number of lookups that hit and that missed.
    pub fn compare(&self, loaded: &mut Loaded, random: &mut Random) -> (usize, usize) {
        let mut counts = (0, 0);
        for id in 0..loaded.pipeline.tables.len() as u32 {
            let (hits, misses) = self.compare_table(loaded, TableId(id), random);
            counts = (counts.0 + hits, counts.1 + misses);
        }
        self.compare_value_sets(loaded, random);
        let seen = loaded.readers[0].pin();
        for group in 0..5 {
            assert_eq!(seen.replication.replicas(group), self.replication.replicas(group));
        }
        for session in 0..5 {
            assert_eq!(seen.replication.session(session), self.replication.session(session));
        }
        let hashes = [&seen.crc16_custom, &seen.crc32_custom].map(|h| h.hash(b"123456789"));
        assert_eq!(hashes, [0, 1].map(|n: usize| self.custom[n].hash(b"123456789")));
        counts
    }

    fn compare_table(
        &self,
        loaded: &mut Loaded,
        id: TableId,
        random: &mut Random,
    ) -> (usize, usize) {
        let (instance, source) = loaded.pipeline[id].source;
        let schema = loaded.reference.schema();
        let tables = &schema.tables;
        let n = tables.iter().position(|t| (t.instance, t.table) == (instance.0, source.0));
        let index = TableIndex(n.expect("the schema has all tables") as u32);
        let schema = loaded.reference.schema();
        let info = &schema[index];
        let mut entries = MatchTable::new(&info.keys, u64::MAX);
        // A table of exact keys goes by priorities from the moment on at which an entry of the
        // program left a key open, even when that entry is gone.
        if is_open(&loaded.pipeline[id], info) {
            let open = info.keys.iter().map(|key| KeyField::any(key.width)).collect();
            entries.insert_initial(open, 0, Target::Member(0));
            entries.remove(0);
        }
        let views = loaded.reference.table_entries(index).expect("the table exists");
        for view in &views {
            let field = |(info, key): (&KeyInfo, &KeyMatch)| {
                match key_fields("", std::slice::from_ref(info), std::slice::from_ref(key)) {
                    Ok(mut fields) => fields.remove(0),
                    // An entry of the program may leave an exact key open.
                    Err(_) => KeyField::any(info.width),
                }
            };
            let keys = info.keys.iter().zip(&view.entry.keys).map(field).collect();
            // The first of equal entries wins, so later ones may be left out.
            entries.insert_initial(keys, view.entry.priority, view.entry.target.clone());
        }
        let default = loaded.reference.table_default(index).expect("the table exists");
        let layout = KeyLayout::of(&info.keys);
        let counted = info.counter.is_some();
        let mut counts = (0, 0);
        for round in 0..12 {
            let values = values(random, info, &views, round);
            let hash = random.next();
            let found = if values.is_empty() { None } else { entries.lookup(&values) };
            let target = found.and_then(|h| entries.get(h)).map(|e| e.payload.clone());
            let expected = target
                .and_then(|t| self.resolve(info, &t, hash, &loaded.reference.schema()))
                .map(|(action, arguments)| (action, arguments, true))
                .unwrap_or_else(|| {
                    let now = self.resolve(info, &default, hash, &loaded.reference.schema());
                    let (action, arguments) = now.unwrap_or_else(|| {
                        let initial = &loaded.pipeline[id].default_action;
                        (initial.action, initial.arguments.clone())
                    });
                    (action, arguments, false)
                });

            let mut words = vec![0u64; layout.words.max(1)];
            let whole = values.iter().zip(&layout.offsets);
            let whole: BigUint = whole.map(|(v, at)| v.to_biguint() << *at).sum();
            whole.iter_u64_digits().enumerate().for_each(|(n, digit)| words[n] = digit);
            let seen = loaded.readers[0].pin();
            let view = seen.views[id.index()];
            // SAFETY: the generation is pinned, and the key has the words of the layout.
            let outcome: Outcome = unsafe {
                (view.prefetch)(view.index, words.as_ptr());
                let number = (view.lookup)(view.index, words.as_ptr());
                let record = *view.records.add(number as usize);
                assert_eq!((*record).counter.is_null(), !counted || number == 0);
                let resolved = seen.resolve(id, record, hash);
                outcome(info, resolved.record, resolved.hit)
            };
            assert_eq!(outcome, expected, "table {} key {values:?} hash {hash:#x}", info.name);
            if expected.2 { counts.0 += 1 } else { counts.1 += 1 }
        }
        counts
    }

    fn resolve(
        &self,
        info: &TableInfo,
        target: &Target,
        hash: u64,
        schema: &Schema,
    ) -> Option<(u32, Vec<BigUint>)> {
        let member = match target {
            Target::Action(data) => return Some((data.action as u32, data.arguments.clone())),
            Target::Member(member) => *member,
            Target::Group(group) => {
                let (_, width) = schema[info.profile?].selector.as_ref()?;
                let hash = hash & ((1u64 << width) - 1);
                self.profiles[info.profile?.index()].select(*group, hash)?
            }
        };
        let data = self.profiles[info.profile?.index()].member(member)?;
        let action = schema[info.profile?].actions[data.action].action;
        match info.actions.iter().position(|a| a.action == action) {
            Some(position) => Some((position as u32, data.arguments.clone())),
            None => Some((NO_ACTION, Vec::new())),
        }
    }

    fn compare_value_sets(&self, loaded: &mut Loaded, random: &mut Random) {
        let seen = loaded.readers[0].pin();
        let schema = loaded.reference.schema();
        for (n, set) in loaded.pipeline.value_sets.iter().enumerate() {
            let (instance, var) = set.source;
            let index = schema
                .value_sets
                .iter()
                .position(|s| (s.instance, s.variable) == (instance.0, var.0));
            let index = index.expect("the schema has all value sets");
            for _ in 0..6 {
                let values: Vec<Bits> = set
                    .widths
                    .iter()
                    .map(|width| Bits::new(*width, u128::from(random.below(7))))
                    .collect();
                let expected = self.value_sets[index]
                    .iter()
                    .any(|m| m.iter().zip(&values).all(|(key, value)| key.matches(value)));
                let mut words = Vec::new();
                values.iter().for_each(|value| push_words(value, &mut words));
                assert_eq!(seen.in_value_set(ValueSetId(n as u32), &words), expected);
            }
        }
    }
}

/// Whether an entry of the program leaves an exact key open.
fn is_open(table: &Table, info: &TableInfo) -> bool {
    let is_exact = |key: &KeyInfo| key.kind == MatchKind::Exact;
    let mut entries = table.entries.iter();
    entries.any(|e| e.keys.iter().zip(&info.keys).any(|(m, k)| *m == Match::Any && is_exact(k)))
}

/// A key that is likely to meet an entry.
fn values(random: &mut Random, info: &TableInfo, views: &[EntryView], round: u32) -> Vec<Bits> {
    let near = |random: &mut Random, key: &KeyMatch| match key {
        KeyMatch::Exact(value)
        | KeyMatch::Lpm { value, .. }
        | KeyMatch::Ternary { value, .. }
        | KeyMatch::Range { low: value, .. }
        | KeyMatch::Optional(Some(value)) => value.clone(),
        KeyMatch::Optional(None) => BigUint::from(random.below(9)),
    };
    let entry =
        views.get(random.below(views.len() as u64) as usize).filter(|_| !round.is_multiple_of(3));
    info.keys
        .iter()
        .enumerate()
        .map(|(n, key)| {
            let value = match entry {
                Some(view) => near(random, &view.entry.keys[n]),
                None => BigUint::from(random.below(9)),
            };
            let flip = if random.one_in(4) { random.below(4) } else { 0 };
            Bits::from_biguint(key.width, &(value ^ BigUint::from(flip)))
        })
        .collect()
}

/// What a record says.
///
/// # Safety
/// `record` is one of a pinned generation.
unsafe fn outcome(info: &TableInfo, record: *const RecordHead, hit: bool) -> Outcome {
    // SAFETY: the arguments follow the head as the interface says.
    unsafe {
        let action = (*record).action;
        let parameters = info.actions.get(action as usize).map_or(&[][..], |a| &a.parameters);
        let mut at = record.byte_add(RECORD_ARGUMENTS).cast::<u64>();
        let mut arguments = Vec::new();
        for parameter in parameters {
            let words = argument_words(parameter.width);
            let digits = std::slice::from_raw_parts(at, words).iter();
            let digits = digits.flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
            arguments.push(BigUint::new(digits));
            at = at.add(words);
        }
        (action, arguments, hit)
    }
}
