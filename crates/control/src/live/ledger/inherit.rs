//! Carrying over what the control plane has done from one program to another.

use super::Ledger;
use super::books::TableBook;
use super::handles::Handles;
use std::fmt;
use ww_dataplane::control::{
    ActionData, ActionInfo, CellArray, Control, CounterIndex, CustomCrc, EntryView, Error, KeyInfo,
    MeterIndex, ProfileIndex, RegisterIndex, TableIndex, TableInfo, Target, ValueSetIndex,
};
use ww_spelling::suggestion;

/// What a new program has taken over.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Inherited {
    /// Names of tables with entries that were carried over, and how many.
    pub tables: Vec<(String, u64)>,
    /// What the new program starts without, one sentence each.
    pub dropped: Vec<String>,
}

/// What does not fit the new program, one sentence each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfits(pub Vec<String>);

impl fmt::Display for Misfits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

/// From positions of actions in the old program to those in the new one, by name.
type ActionMap = Vec<Result<usize, String>>;

fn action_map(old: &[ActionInfo], new: &[ActionInfo]) -> ActionMap {
    let find = |action: &ActionInfo| {
        let Some(at) = new.iter().position(|candidate| candidate.name == action.name) else {
            return Err(format!("has no action `{}`", action.name));
        };
        let widths = |info: &ActionInfo| -> Vec<u32> {
            info.parameters.iter().map(|parameter| parameter.width).collect()
        };
        let (before, after) = (widths(action), widths(&new[at]));
        if before != after {
            return Err(format!(
                "has the action `{}` with parameters of {after:?} bits instead of {before:?}",
                action.name
            ));
        }
        Ok(at)
    };
    old.iter().map(find).collect()
}

fn translate(data: ActionData, map: &ActionMap) -> Result<ActionData, String> {
    match map.get(data.action) {
        Some(Ok(action)) => Ok(ActionData { action: *action, ..data }),
        Some(Err(problem)) => Err(problem.clone()),
        None => Err("lacks an action".to_owned()),
    }
}

fn keys_differ(old: &[KeyInfo], new: &[KeyInfo]) -> Option<String> {
    if old.len() != new.len() {
        return Some(format!("has {} key(s) instead of {}", new.len(), old.len()));
    }
    let differs = |(a, b): &(&KeyInfo, &KeyInfo)| a.kind != b.kind || a.width != b.width;
    let (a, b) = old.iter().zip(new).find(differs)?;
    Some(format!(
        "has the key `{}` as {} of {} bit(s) instead of {} of {}",
        b.name,
        b.kind.name(),
        b.width,
        a.kind.name(),
        a.width
    ))
}

/// The position of `name` among `names`, or words about what is missing.
fn same_name<'a>(
    kind: &str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, String> {
    if let Some(at) = names.clone().position(|candidate| candidate == name) {
        return Ok(at);
    }
    let near = suggestion(name, names).map_or(String::new(), |n| format!(" (it has `{n}`)"));
    Err(format!("the new program has no {kind} `{name}`{near}"))
}

fn words(error: Error) -> String {
    error.to_string()
}

impl<C: Control> Ledger<C> {
    /// Takes over, from the books of another program, everything that only the control plane
    /// changes: members and groups, entries and default actions of tables that it has changed,
    /// value sets, multicast groups, mirroring sessions, parameters of CRCs. What does not fit is
    /// an error, or with `drop_misfits` stays behind.
    pub fn inherit(&mut self, old: &mut Self, drop_misfits: bool) -> Result<Inherited, Misfits> {
        let mut inherited = Inherited::default();
        let mut misfits = Vec::new();
        let mut note = |result: Result<(), String>| {
            if let Err(problem) = result {
                misfits.push(problem);
            }
        };
        for n in 0..old.schema().profiles.len() {
            note(self.inherit_profile(old, ProfileIndex(n as u32)));
        }
        for n in 0..old.schema().tables.len() {
            note(self.inherit_table(old, TableIndex(n as u32), &mut inherited));
        }
        for n in 0..old.schema().value_sets.len() {
            note(self.inherit_value_set(old, ValueSetIndex(n as u32)));
        }
        self.books.multicast = old.books.multicast.clone();
        self.books.multicast.handles =
            Handles::carried(std::iter::empty(), old.books.multicast.handles.next());
        note(self.make_multicast().map_err(words));
        for (session, to) in old.mirrors() {
            note(self.mirror_set(session, to).map_err(words));
        }
        for (which, parameters) in
            [CustomCrc::Crc16, CustomCrc::Crc32].into_iter().zip(old.books.crc)
        {
            if let Some(parameters) = parameters {
                note(self.set_custom_crc(which, parameters).map_err(words));
            }
        }
        if !drop_misfits && !misfits.is_empty() {
            return Err(Misfits(misfits));
        }
        inherited.dropped = misfits;
        inherited.dropped.extend(self.other_shapes(old));
        self.changes = 0;
        Ok(inherited)
    }

    fn inherit_profile(&mut self, old: &Self, from: ProfileIndex) -> Result<(), String> {
        let schema = old.schema();
        let before = &schema[from];
        let book = &old.books.profiles[from.index()];
        if book.members.is_empty() && book.groups.is_empty() {
            return Ok(());
        }
        let schema = self.schema();
        let names = schema.profiles.iter().map(|p| p.name.as_str());
        let to = ProfileIndex(same_name("action profile", &before.name, names)? as u32);
        let schema = self.schema();
        let after = &schema[to];
        let map = action_map(&before.actions, &after.actions);
        let problem = |problem: String| {
            format!("action profile `{}`: the new program's {problem}", before.name)
        };
        if !book.groups.is_empty() && after.selector.is_none() {
            return Err(problem("is no selector".to_owned()));
        }
        let mut members = Vec::new();
        for (&outer, data) in &book.members {
            members.push((outer, translate(data.clone(), &map).map_err(problem)?));
        }
        if after.size > 0 && members.len() as u64 > after.size {
            return Err(problem(format!("holds only {} members", after.size)));
        }
        let new = &mut self.books.profiles[to.index()];
        let outer = book.members.keys().map(|&n| n.into());
        new.member_handles = Handles::carried(outer, book.member_handles.next());
        let outer = book.groups.keys().map(|&n| n.into());
        new.group_handles = Handles::carried(outer, book.group_handles.next());
        new.members = members.iter().cloned().collect();
        new.groups = book.groups.clone();
        for (_, data) in members {
            self.control.member_add(to, data).map_err(words)?;
        }
        for (&group, members) in &book.groups {
            self.control.group_create(to).map_err(words)?;
            for &member in members {
                let (group, member) = (
                    self.group(to, group).map_err(words)?,
                    self.member(to, member).map_err(words)?,
                );
                self.control.group_add_member(to, group, member).map_err(words)?;
            }
        }
        Ok(())
    }

    /// Whether members that the old table refers to are there in the new program.
    fn same_profile(&self, old: &Self, before: &TableInfo, after: &TableInfo) -> Option<String> {
        match (before.profile, after.profile) {
            (None, None) => None,
            (Some(a), Some(b)) => {
                let (a_name, b_name) = (&old.schema()[a].name, &self.schema()[b].name);
                if a_name != b_name {
                    return Some(format!(
                        "uses the action profile `{b_name}` instead of `{a_name}`"
                    ));
                }
                let (a, b) = (&old.books.profiles[a.index()], &self.books.profiles[b.index()]);
                let all = b.members.keys().eq(a.members.keys()) && b.groups == a.groups;
                (!all).then(|| format!("cannot have the members of `{a_name}`"))
            }
            (Some(a), None) => {
                Some(format!("does not use the action profile `{}`", old.schema()[a].name))
            }
            (None, Some(b)) => Some(format!("uses the action profile `{}`", self.schema()[b].name)),
        }
    }

    fn inherit_table(
        &mut self,
        old: &mut Self,
        from: TableIndex,
        inherited: &mut Inherited,
    ) -> Result<(), String> {
        let old_schema = old.schema();
        let before = &old_schema[from];
        let book = old.books.tables[from.index()].clone();
        if !book.entries_changed && !book.default_changed {
            return Ok(());
        }
        let entries = old.table_entries(from).map_err(words)?;
        let (fixed, carried): (Vec<EntryView>, Vec<EntryView>) = match book.entries_changed {
            true => entries.into_iter().partition(|view| view.is_const),
            false => (entries, Vec::new()),
        };
        let schema = self.schema();
        let names = schema.tables.iter().map(|t| t.name.as_str());
        let to = match same_name("table", &before.name, names) {
            Ok(at) => TableIndex(at as u32),
            Err(_) if carried.is_empty() && !book.default_changed => return Ok(()),
            Err(problem) => {
                return Err(format!("{problem}, where {} entries are", carried.len()));
            }
        };
        let after = self.schema()[to].clone();
        let problem = |p: String| format!("table `{}`: the new program's {p}", before.name);
        if let Some(difference) = keys_differ(&before.keys, &after.keys)
            .or_else(|| self.same_profile(old, before, &after))
        {
            return Err(problem(difference));
        }
        let map = action_map(&before.actions, &after.actions);
        let target = |target: Target| match target {
            Target::Action(data) => translate(data, &map).map(Target::Action).map_err(problem),
            other => Ok(other),
        };
        if !carried.is_empty() && after.const_entries {
            return Err(problem("entries are constant".to_owned()));
        }
        let mut translated = Vec::with_capacity(carried.len());
        for view in carried {
            let mut entry = view.entry;
            entry.target = target(entry.target)?;
            translated.push((view.handle.0, entry));
        }
        let default = match book.default_changed {
            true => Some(target(old.table_default(from).map_err(words)?)?),
            false => None,
        };
        if book.entries_changed {
            // Entries of the new program that are not constant give way to what is there now.
            self.control.table_clear(to).map_err(words)?;
            let initial = self.control.table_entries(to).map_err(words)?;
            let mut next = book.handles.next();
            let same_number = initial.len() == fixed.len();
            let mut pairs = Vec::new();
            for (view, n) in initial.iter().zip(0..) {
                let known = fixed.get(n).filter(|_| same_number).map(|view| view.handle.0);
                let outer = known.unwrap_or_else(|| {
                    next += 1;
                    next - 1
                });
                pairs.push((view.handle.0, outer));
            }
            let count = translated.len() as u64;
            for (outer, mut entry) in translated {
                entry.target = self.inner_target(to, entry.target).map_err(words)?;
                match self.control.table_insert(to, entry) {
                    Ok(inner) => pairs.push((inner.0, outer)),
                    Err(error) => {
                        self.control.table_clear(to).map_err(words)?;
                        return Err(problem(format!("refuses an entry: {error}")));
                    }
                }
            }
            self.books.tables[to.index()] = TableBook {
                handles: Handles::paired(&pairs, next),
                entries_changed: true,
                default_changed: false,
            };
            if count > 0 {
                inherited.tables.push((before.name.clone(), count));
            }
        }
        if let Some(default) = default {
            self.table_set_default(to, default).map_err(|e| problem(e.to_string()))?;
        }
        Ok(())
    }

    fn inherit_value_set(&mut self, old: &Self, from: ValueSetIndex) -> Result<(), String> {
        let members = old.value_set(from);
        if members.is_empty() {
            return Ok(());
        }
        let schema = old.schema();
        let before = &schema[from];
        let schema = self.schema();
        let names = schema.value_sets.iter().map(|v| v.name.as_str());
        let to = ValueSetIndex(same_name("value set", &before.name, names)? as u32);
        let problem = |p: String| format!("value set `{}`: the new program's {p}", before.name);
        if let Some(difference) = keys_differ(&before.keys, &self.schema()[to].keys) {
            return Err(problem(difference));
        }
        for member in members {
            self.value_set_add(to, member.clone()).map_err(|e| problem(e.to_string()))?;
        }
        Ok(())
    }

    /// Registers, counters and meters that start anew, since their shapes differ.
    fn other_shapes(&self, old: &Self) -> Vec<String> {
        let (a, b) = (old.schema(), self.schema());
        let mut notes = Vec::new();
        for x in &a.registers {
            match b.registers.iter().find(|y| y.name == x.name) {
                Some(y) if y.size != x.size || y.width != x.width => notes.push(format!(
                    "register `{}` starts anew: it has {} cells of {} bits instead of {} of {}",
                    x.name, y.size, y.width, x.size, x.width
                )),
                _ => {}
            }
        }
        for x in &a.counters {
            match b.counters.iter().find(|y| y.name == x.name) {
                Some(y) if y.size != x.size || y.is_direct != x.is_direct => {
                    notes.push(format!("counter `{}` starts anew: it has another size", x.name));
                }
                _ => {}
            }
        }
        for x in &a.meters {
            match b.meters.iter().find(|y| y.name == x.name) {
                Some(y) if y.size != x.size || y.is_direct != x.is_direct || y.bytes != x.bytes => {
                    notes.push(format!("meter `{}` starts anew: it has another shape", x.name));
                }
                _ => {}
            }
        }
        notes
    }

    /// Takes over what packets change: registers, counters and rates of meters of the same name
    /// and shape. Packets should be held meanwhile.
    pub fn inherit_state(&mut self, old: &mut Self) -> Result<(), Error> {
        let new = self.schema();
        let schema = old.schema();
        for (n, before) in schema.registers.iter().enumerate() {
            let same = |r: &ww_dataplane::control::RegisterInfo| {
                r.name == before.name && r.size == before.size && r.width == before.width
            };
            let Some(to) = new.registers.iter().position(same) else { continue };
            let from = RegisterIndex(n as u32);
            for cell in old.indices(None, CellArray::Register(from))? {
                let value = old.control.register_read(from, cell)?;
                if value.bits() > 0 {
                    self.control.register_write(RegisterIndex(to as u32), Some(cell), value)?;
                }
            }
        }
        let schema = old.schema();
        for (n, before) in schema.counters.iter().enumerate() {
            let from = CounterIndex(n as u32);
            let same = |c: &ww_dataplane::control::CounterInfo| {
                c.name == before.name && c.size == before.size && c.is_direct == before.is_direct
            };
            let Some(to) = new.counters.iter().position(same) else { continue };
            let to = CounterIndex(to as u32);
            let (old_table, new_table) = (old.counter_table(from), self.counter_table(to));
            for index in self.common(old, (old_table, new_table), CellArray::Counter(from))? {
                let value = old.counter_read(from, index)?;
                if value != Default::default() {
                    self.counter_write(to, Some(index), value)?;
                }
            }
        }
        let schema = old.schema();
        for (n, before) in schema.meters.iter().enumerate() {
            let from = MeterIndex(n as u32);
            let same = |m: &ww_dataplane::control::MeterInfo| {
                m.name == before.name
                    && m.size == before.size
                    && m.bytes == before.bytes
                    && m.is_direct == before.is_direct
            };
            let Some(to) = new.meters.iter().position(same) else { continue };
            let to = MeterIndex(to as u32);
            let (old_table, new_table) = (old.meter_table(from), self.meter_table(to));
            for index in self.common(old, (old_table, new_table), CellArray::Meter(from))? {
                if let Some(rates) = old.meter_rates(from, index)? {
                    self.meter_set_rates(to, Some(index), Some(rates))?;
                }
            }
        }
        self.changes = 0;
        Ok(())
    }

    /// The indices that mean the same in both programs: cells in use, or the entries of the same
    /// handle and keys.
    fn common(
        &mut self,
        old: &mut Self,
        (from, to): (Option<TableIndex>, Option<TableIndex>),
        array: CellArray,
    ) -> Result<Vec<u64>, Error> {
        let (Some(from), Some(to)) = (from, to) else { return old.indices(None, array) };
        let mut indices = Vec::new();
        for view in old.table_entries(from)? {
            if let Some(other) = self.table_entry(to, view.handle)?
                && other.entry.keys == view.entry.keys
            {
                indices.push(view.handle.0);
            }
        }
        Ok(indices)
    }

    /// `new` takes this ledger's place, and its dataplane that of this one's, between two
    /// packets. Returns what fails while state is taken over; all goes on as before then.
    pub fn replace_by(&mut self, mut new: Self) -> Result<(), Error>
    where
        C: super::super::Replaceable,
    {
        self.control.hold()?;
        let ready = new.inherit_state(self).and_then(|()| self.control.take_digests());
        match ready {
            Ok(digests) => self.digests.extend(digests),
            Err(error) => {
                self.control.release()?;
                return Err(error);
            }
        }
        self.control.replace(new.control);
        self.books = new.books;
        self.changes += 1;
        Ok(())
    }
}
