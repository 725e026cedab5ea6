//! Tables and value sets.

use super::executor::Executor;
use super::expressions::{Fields, bits};
use super::packet::Context;
use super::run::{Ending, Stop};
use ww_dataplane::DropReason;
use ww_dataplane::control::{
    ActionData, Control, KeyInfo, KeyMatch, TableIndex, Target, ValueSetIndex,
};
use ww_engine::bits::{BitWriter, Bits};
use ww_engine::tables::{KeyField, MatchTable, key_fields};
use ww_p4::pipeline::{Pipeline, TableId, ValueSetId};

/// What an application gave.
pub struct Applied {
    pub hit: bool,
    pub action: u32,
    pub ending: Ending,
}

/// Entries in the form for lookups: handle and target.
pub type Entries = MatchTable<(u64, Target)>;

impl Executor {
    /// Number of a table in the schema.
    fn table_index(&self, pipeline: &Pipeline, table: TableId) -> TableIndex {
        let (instance, id) = pipeline[table].source;
        let schema = self.inner.schema();
        let tables = &schema.tables;
        let found = tables.iter().position(|t| t.instance == instance.0 && t.table == id.0);
        TableIndex(found.expect("the schema has all tables") as u32)
    }

    fn entries(&mut self, index: TableIndex) -> &Entries {
        let inner = &mut self.inner;
        self.entries.entry(index.0).or_insert_with(|| {
            let schema = inner.schema();
            let info = &schema[index];
            let mut table = MatchTable::new(&info.keys, u64::MAX);
            for view in inner.table_entries(index).expect("the table exists") {
                let field = |(info, key): (&KeyInfo, &KeyMatch)| {
                    let one = key_fields("", std::slice::from_ref(info), std::slice::from_ref(key));
                    match one {
                        Ok(mut fields) => fields.remove(0),
                        // An entry of the program may leave an exact key open.
                        Err(_) => KeyField::any(info.width),
                    }
                };
                let keys = info.keys.iter().zip(&view.entry.keys).map(field).collect();
                let payload = (view.handle.0, view.entry.target);
                table.insert_initial(keys, view.entry.priority, payload);
            }
            table
        })
    }

    /// Applies a table.
    pub fn apply(
        &mut self,
        pipeline: &Pipeline,
        id: TableId,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Result<Applied, Stop> {
        let table = &pipeline[id];
        let index = self.table_index(pipeline, id);
        let mut selector = BitWriter::new();
        let mut keys: Vec<Bits> = Vec::new();
        for key in &table.keys {
            let value = &fields[key.field.index()];
            if &*key.match_kind == "selector" {
                selector.write(value);
            } else {
                keys.push(value.clone());
            }
        }
        let found = if keys.is_empty() {
            None
        } else {
            let entries = self.entries(index);
            entries.lookup(&keys).and_then(|h| entries.get(h)).map(|e| e.payload.clone())
        };
        let selector = selector.into_bytes();
        let by_entry = found.as_ref().and_then(|(_, target)| {
            self.resolve(index, target.clone(), &selector, table.span, context)
        });
        let hit = by_entry.is_some();
        let handle = found.filter(|_| hit).map(|(handle, _)| handle);
        let initial = ActionData {
            action: table.default_action.action as usize,
            arguments: table.default_action.arguments.clone(),
        };
        let action = by_entry.unwrap_or_else(|| {
            let default = self.inner.table_default(index).expect("the table exists");
            let default = self.resolve(index, default, &selector, table.span, context);
            default.unwrap_or(initial)
        });
        self.count(index, handle, context);
        let position = action.action;
        let Some(listed) = table.actions.get(position) else {
            return Err(Stop::Drop(DropReason::Fault));
        };
        let action_body = &pipeline[listed.action];
        for (parameter, argument) in action_body.parameters.iter().zip(&action.arguments) {
            let mut left = parameter.width;
            let whole = bits(parameter.width, argument);
            for field in &parameter.fields {
                let width = pipeline[*field].width;
                left -= width;
                fields[field.index()] = match width {
                    0 => Bits::zero(0),
                    _ => whole.slice(left + width - 1, left),
                };
            }
        }
        let ending = self.control(pipeline, &action_body.body, fields, context)?;
        Ok(Applied { hit, action: position as u32, ending })
    }

    /// The action behind a target. Members name actions by their place in the profile.
    fn resolve(
        &mut self,
        index: TableIndex,
        target: Target,
        selector: &[u8],
        at: ww_p4::ir::Span,
        context: &mut Context,
    ) -> Option<ActionData> {
        let schema = self.inner.schema();
        let profile = schema[index].profile;
        let member = match target {
            Target::Action(action) => return Some(action),
            Target::Member(member) => member,
            Target::Group(group) => {
                let (algorithm, width) = schema[profile?].selector.clone()?;
                let hash = self.hash(&algorithm, selector, at, context);
                let hash = Bits::new(width.min(64), u128::from(hash)).low_u64();
                self.profiles[profile?.index()].select(group, hash)?
            }
        };
        let data = self.profiles[profile?.index()].member(member)?.clone();
        let schema = self.inner.schema();
        let wanted = schema[profile?].actions[data.action].action;
        let action = schema[index].actions.iter().position(|a| a.action == wanted)?;
        Some(ActionData { action, arguments: data.arguments })
    }

    /// Direct counters and meters of the entry.
    fn count(&mut self, index: TableIndex, hit: Option<u64>, context: &Context) {
        let schema = self.inner.schema();
        let info = &schema[index];
        let length = context.bytes.len() as u64;
        if let (Some(_), Some(handle)) = (info.counter, hit) {
            let counter = self.direct_counters.entry((index.0, handle)).or_default();
            counter.packets += 1;
            counter.bytes += length;
        }
        if let Some(meter) = info.meter {
            let units = if self.inner.schema()[meter].bytes { length } else { 1 };
            let colour = hit.map_or(0, |handle| {
                let cell = self.direct_meters.entry((index.0, handle)).or_default();
                cell.execute(context.now, units) as u8
            });
            self.colours.insert(meter.0, colour);
        }
    }

    /// Whether values are a member of a value set.
    pub fn in_set(&self, pipeline: &Pipeline, set: ValueSetId, values: &[Bits]) -> bool {
        let (instance, var) = pipeline[set].source;
        let schema = self.inner.schema();
        let sets = &schema.value_sets;
        let found = sets.iter().position(|s| s.instance == instance.0 && s.variable == var.0);
        let index = ValueSetIndex(found.expect("the schema has all value sets") as u32);
        self.value_sets[index.index()].iter().any(|member| {
            member.len() == values.len()
                && member.iter().zip(values).all(|(field, value)| field.matches(value))
        })
    }
}
