//! Tables: made once for each instance of their control, applied anywhere in it.

use super::draft::End;
use super::effects::has_effects;
use super::expressions::pattern;
use super::{FieldId, Lowered, Lowerer};
use crate::check::control_plane_name;
use crate::ir::{self, KeySet, Type};
use crate::pipeline::blocks::{Match, NodeKind};
use crate::pipeline::expression::Expr;
use crate::pipeline::fields::{FieldRole, FieldType, Scope};
use crate::pipeline::operations::OpKind;
use crate::pipeline::tables::{
    ActionCall, Entry, Key, Property, PropertyValue, Table, TableAction, TableId,
};
use crate::source::Span;
use num_bigint::BigUint;

/// What the application of a table gives.
pub(super) struct Applied {
    /// Whether an entry matched, if asked for.
    pub hit: Option<FieldId>,
    /// Which action ran, if asked for.
    pub action_run: Option<FieldId>,
}

impl Lowerer<'_> {
    /// Applies a table of the control at work.
    pub(super) fn apply_table(
        &mut self,
        id: ir::TableId,
        span: Span,
        wants_hit: bool,
        wants_action: bool,
    ) -> Lowered<Applied> {
        let known = self.tables.get(&(self.instance, id)).copied();
        let mut keys = Vec::new();
        let declared = &self.program[id].keys;
        for (n, key) in declared.iter().enumerate() {
            let value = self.eval(&key.value)?.to_bits();
            let disturbed = declared[n + 1..].iter().any(|k| has_effects(&k.value));
            let field = match known {
                Some(table) => self.out[table].keys[n].field,
                None => self.key_field(id, n, &value, disturbed)?,
            };
            if value.as_field() != Some(field) {
                self.emit(OpKind::Assign { to: field, value, guard: None }, key.value.span)?;
            }
            keys.push(field);
        }
        let table = match known {
            Some(table) => table,
            None => self.table(id, &keys)?,
        };
        let application = self.out[table].applications;
        self.out.tables[table.index()].applications += 1;
        let name = self.out[table].name.clone();
        let mut result = |wanted: bool, suffix: &str, width, ty| -> Lowered<Option<FieldId>> {
            let name = format!("{name}.{suffix}");
            let role = FieldRole::TableResult;
            wanted.then(|| self.field(name, width, ty, Scope::Local, role, span)).transpose()
        };
        let hit = result(wants_hit, "$hit", 1, FieldType::Bool)?;
        let action_run = result(wants_action, "$action_run", 32, FieldType::Bits)?;
        let next = self.new_block(span);
        let exit = self.can_exit(table).then(|| match self.flow.exit {
            Some(exit) => exit,
            None => {
                let block = self.new_block(span);
                self.draft.blocks[block.0].end = Some(End::Exit);
                block
            }
        });
        self.draft.end(End::Apply { table, application, hit, action_run, next, exit });
        self.draft.switch_to(next);
        Ok(Applied { hit, action_run })
    }

    fn can_exit(&self, table: TableId) -> bool {
        self.out[table].actions.iter().any(|a| {
            let nodes = &self.out[a.action].body.nodes;
            nodes.iter().any(|n| matches!(n.kind, NodeKind::Exit))
        })
    }

    /// The field for a key: the field of the program that it is, or one of its own.
    fn key_field(
        &mut self,
        id: ir::TableId,
        n: usize,
        value: &Expr,
        disturbed: bool,
    ) -> Lowered<FieldId> {
        let key = &self.program[id].keys[n];
        if let Some(field) = value.as_field()
            && !disturbed
            && self.is_plain(field)
            && !has_effects(&key.value)
        {
            return Ok(field);
        }
        let signed = matches!(self.program.types.storage(&key.value.ty), Type::Signed(_));
        let ty = if signed { FieldType::Signed } else { FieldType::Bits };
        let name = format!("{}.$key{n}", self.table_name(id));
        self.field(name, value.width, ty, Scope::Local, FieldRole::Key, key.value.span)
    }

    fn table_name(&self, id: ir::TableId) -> String {
        let table = &self.program[id];
        control_plane_name(&self.program[self.instance].name, &table.name, &table.annotations)
    }

    fn table(&mut self, id: ir::TableId, fields: &[FieldId]) -> Lowered<TableId> {
        let declared = &self.program[id];
        let keys: Vec<Key> = declared
            .keys
            .iter()
            .zip(fields)
            .map(|(key, field)| Key {
                name: key.name.clone(),
                field: *field,
                width: self.out[*field].width,
                signed: matches!(self.program.types.storage(&key.value.ty), Type::Signed(_)),
                match_kind: key.match_kind.clone(),
            })
            .collect();
        let mut actions = Vec::new();
        for listed in &declared.actions {
            let action = self.table_action(listed, declared.span)?;
            actions.push(TableAction {
                action,
                default_only: listed.default_only,
                table_only: listed.table_only,
            });
        }
        let default_action = self.action_call(&declared.default_action, &actions)?;
        let mut entries = Vec::new();
        for entry in &declared.entries {
            let matches = entry
                .keys
                .iter()
                .zip(&keys)
                .map(|(set, key)| self.entry_match(set, key, entry.span))
                .collect::<Lowered<Vec<_>>>()?;
            entries.push(Entry {
                keys: matches,
                action: self.action_call(&entry.action, &actions)?,
                priority: entry.priority,
                is_const: entry.is_const || declared.const_entries,
                span: entry.span,
            });
        }
        let mut properties = Vec::new();
        for property in &declared.properties {
            let value = self.property(&property.value)?;
            properties.push(Property { name: property.name.clone(), value });
        }
        let own_size = &self.program[self.instance].table_sizes;
        let own_size = own_size.iter().find(|(t, _)| *t == id).map(|(_, size)| *size);
        let table = TableId(self.out.tables.len() as u32);
        self.out.tables.push(Table {
            name: self.table_name(id).into(),
            source: (self.instance, id),
            keys,
            actions,
            default_action,
            const_default: declared.const_default,
            size: own_size.or(declared.size),
            entries,
            const_entries: declared.const_entries,
            properties,
            applications: 0,
            annotations: declared.annotations.clone(),
            span: declared.span,
        });
        self.tables.insert((self.instance, id), table);
        Ok(table)
    }

    fn property(&mut self, value: &ir::Expr) -> Lowered<PropertyValue> {
        Ok(match &value.kind {
            ir::ExprKind::Const(constant) => self.constant_property(constant, &value.ty),
            ir::ExprKind::Var(var) => match self.bound(*var) {
                Some(super::Value::Object(id)) => match self.program[id].kind {
                    ir::InstanceKind::Extern(..) => PropertyValue::Object(self.object(id)?),
                    _ => PropertyValue::Other,
                },
                Some(other) => match other.to_bits().as_const() {
                    Some(number) => PropertyValue::Number(number.clone()),
                    None => PropertyValue::Other,
                },
                None => PropertyValue::Other,
            },
            _ => PropertyValue::Other,
        })
    }

    fn action_call(
        &mut self,
        call: &ir::ActionCall,
        actions: &[TableAction],
    ) -> Lowered<ActionCall> {
        let mut arguments = Vec::new();
        let action = actions.get(call.action as usize).map(|a| a.action);
        for (n, argument) in call.arguments.iter().enumerate() {
            let parameters = action.map_or(&[][..], |a| &self.out[a].parameters);
            let width = parameters.get(n).map_or(0, |p| p.width);
            arguments.push(self.constant_pattern(argument, width)?);
        }
        Ok(ActionCall { action: call.action, arguments })
    }

    fn constant_pattern(&mut self, e: &ir::Expr, width: u32) -> Lowered<BigUint> {
        let value = self.eval(e)?;
        match pattern(&value, width) {
            Some(pattern) => Ok(pattern),
            None => self.refuse(e.span, "this is not known when the program is loaded"),
        }
    }

    fn entry_match(&mut self, set: &KeySet, key: &Key, span: Span) -> Lowered<Match> {
        let width = key.width;
        Ok(match set {
            KeySet::Any => Match::Any,
            KeySet::Value(value) => Match::Value(self.constant_pattern(value, width)?),
            KeySet::Mask(value, mask) => {
                let mask = self.constant_pattern(mask, width)?;
                Match::Mask { value: self.constant_pattern(value, width)? & &mask, mask }
            }
            KeySet::Range(low, high) => Match::Range {
                low: self.constant_pattern(low, width)?,
                high: self.constant_pattern(high, width)?,
                signed: key.signed,
            },
            KeySet::ValueSet(_) => {
                return self.refuse(span, "a value set cannot be the key of an entry");
            }
        })
    }
}
