//! Tables, actions and value sets.

use super::annotations::{has, structured, texts};
use super::collect::{Collector, Key, member_id};
use super::proto::{self, match_field, p4_ids::Prefix};
use ww_p4::control_names::full_name;
use ww_p4::ir::{Const, Direction, ExprKind, InstanceId, Local, ParserId, Property, TableId, Type};

/// Entries of a table without `size`, as in BMv2.
const DEFAULT_SIZE: u64 = 1024;

impl<'p> Collector<'p, '_> {
    pub(super) fn declare_table(&mut self, instance: InstanceId, id: TableId) {
        let program = self.program;
        let table = &program[id];
        if has(&table.annotations, "hidden") {
            return;
        }
        let name = full_name(&program[instance].name, &table.name, &table.annotations);
        self.declare_nameless(instance, id, &name);
        self.add(Key::Table(instance, id), Prefix::Table, name, &table.annotations);
        for listed in &table.actions {
            let action = &program[listed.action];
            if !has(&action.annotations, "hidden") {
                let name = self.action_name(instance, listed.action);
                let key = self.action_key(instance, listed.action);
                self.add(key, Prefix::Action, name, &action.annotations);
            }
        }
    }

    pub(super) fn declare_value_sets(&mut self, instance: InstanceId, parser: ParserId) {
        let program = self.program;
        for local in &program[parser].locals {
            if let Local::ValueSet { var, annotations, .. } = local {
                let name = full_name(&program[instance].name, &program[*var].name, annotations);
                self.add(Key::ValueSet(instance, *var), Prefix::ValueSet, name, annotations);
            }
        }
    }

    pub(super) fn tables(&mut self) {
        for index in 0..self.objects.len() {
            if let Key::Table(instance, id) = self.objects[index].key {
                let table = self.table(index, instance, id);
                self.info.tables.push(table);
            }
        }
    }

    fn table(&mut self, index: usize, instance: InstanceId, id: TableId) -> proto::Table {
        let program = self.program;
        let table = &program[id];
        let mut match_fields = Vec::new();
        let mut next = 1;
        for key in &table.keys {
            if &*key.match_kind == "selector" {
                continue;
            }
            let (bitwidth, type_name) = self.types.value(&key.value.ty);
            match_fields.push(proto::MatchField {
                id: member_id(&key.annotations, &mut next),
                name: key.name.to_string(),
                annotations: texts(&key.annotations),
                bitwidth,
                type_name,
                structured_annotations: structured(&key.annotations),
                r#match: Some(match_type(&key.match_kind)),
                ..Default::default()
            });
        }
        let mut action_refs = Vec::new();
        for listed in &table.actions {
            let id = self.id_of(&self.action_key(instance, listed.action));
            if id == 0 {
                continue;
            }
            let scope = match (listed.default_only, listed.table_only) {
                (true, _) => proto::action_ref::Scope::DefaultOnly,
                (_, true) => proto::action_ref::Scope::TableOnly,
                _ => proto::action_ref::Scope::TableAndDefault,
            };
            let plain: Vec<_> = listed
                .annotations
                .iter()
                .filter(|a| !matches!(&*a.name.name, "defaultonly" | "tableonly"))
                .cloned()
                .collect();
            action_refs.push(proto::ActionRef {
                id,
                scope: scope as i32,
                annotations: texts(&plain),
                structured_annotations: structured(&plain),
                ..Default::default()
            });
        }
        let default = table.actions.get(table.default_action.action as usize);
        let const_default_action_id = match default.filter(|_| table.const_default) {
            Some(default) => self.id_of(&self.action_key(instance, default.action)),
            None => 0,
        };
        let size = table.size.unwrap_or(DEFAULT_SIZE).max(table.entries.len() as u64);
        let idle = table.properties.iter().any(|p| self.is_idle_timeout(p));
        proto::Table {
            preamble: Some(self.preamble(&self.objects[index])),
            match_fields,
            action_refs,
            const_default_action_id,
            implementation_id: self.implementation(instance, id),
            direct_resource_ids: self.direct_resources(instance, id),
            size: i64::try_from(size).unwrap_or(i64::MAX),
            idle_timeout_behavior: i32::from(idle),
            is_const_table: table.const_entries,
            other_properties: None,
        }
    }

    /// `support_timeout = true` of v1model, `psa_idle_timeout` and `pna_idle_timeout` with any
    /// member but the one that means none.
    fn is_idle_timeout(&self, property: &Property) -> bool {
        match (&*property.name, &property.value.kind) {
            ("support_timeout", ExprKind::Const(Const::Bool(value))) => *value,
            ("psa_idle_timeout" | "pna_idle_timeout", ExprKind::Const(Const::Member(member))) => {
                let Type::Enum(id) = &property.value.ty else { return false };
                let members = &self.program.types[*id].members;
                members.get(*member as usize).is_some_and(|m| &*m.name != "NO_TIMEOUT")
            }
            _ => false,
        }
    }

    pub(super) fn actions(&mut self) {
        let program = self.program;
        for index in 0..self.objects.len() {
            let Key::Action(_, id) = self.objects[index].key else { continue };
            let mut params = Vec::new();
            let mut next = 1;
            for parameter in &program[id].parameters {
                if parameter.direction != Direction::None {
                    continue;
                }
                let (bitwidth, type_name) = self.types.value(&parameter.ty);
                params.push(proto::action::Param {
                    id: member_id(&parameter.annotations, &mut next),
                    name: full_name("", &program[parameter.var].name, &parameter.annotations),
                    annotations: texts(&parameter.annotations),
                    bitwidth,
                    doc: super::annotations::documentation(&parameter.annotations),
                    type_name,
                    structured_annotations: structured(&parameter.annotations),
                    ..Default::default()
                });
            }
            let preamble = Some(self.preamble(&self.objects[index]));
            self.info.actions.push(proto::Action { preamble, params });
        }
    }

    pub(super) fn value_sets(&mut self) {
        for index in 0..self.objects.len() {
            let Key::ValueSet(instance, var) = self.objects[index].key else { continue };
            let size = self.value_set_size(instance, var);
            let r#match = match &self.program[var].ty {
                Type::ValueSet(element) => self.value_set_fields(element),
                _ => Vec::new(),
            };
            let preamble = Some(self.preamble(&self.objects[index]));
            self.info.value_sets.push(proto::ValueSet { preamble, r#match, size });
        }
    }

    fn value_set_size(&self, instance: InstanceId, wanted: ww_p4::ir::VarId) -> i32 {
        let ww_p4::ir::InstanceKind::Parser(parser) = &self.program[instance].kind else {
            return 0;
        };
        let found = self.program[*parser].locals.iter().find_map(|local| match local {
            Local::ValueSet { var, size, .. } if *var == wanted => Some(*size),
            _ => None,
        });
        i32::try_from(found.unwrap_or(0)).unwrap_or(i32::MAX)
    }

    fn value_set_fields(&mut self, element: &Type) -> Vec<proto::MatchField> {
        let program = self.program;
        let plain = |name: String, ty: &Type| (name, ty.clone(), &[][..]);
        let parts: Vec<(String, Type, &[ww_p4::ast::Annotation])> =
            match program.types.storage(element) {
                Type::Struct(id) => program.types[*id]
                    .fields
                    .iter()
                    .map(|f| (f.name.to_string(), f.ty.clone(), f.annotations.as_slice()))
                    .collect(),
                Type::Tuple(types) => {
                    types.iter().enumerate().map(|(n, ty)| plain(n.to_string(), ty)).collect()
                }
                // A single value has a key without name.
                _ => vec![plain(String::new(), element)],
            };
        let mut next = 1;
        let field = |(name, ty, annotations): (String, Type, &[ww_p4::ast::Annotation])| {
            let (bitwidth, type_name) = self.types.value(&ty);
            let kind = annotations.iter().find(|a| &*a.name.name == "match");
            let kind = match kind.map(|a| &a.body) {
                Some(ww_p4::ast::AnnotationBody::Unstructured(tokens)) => {
                    tokens.first().map_or("exact", |t| &*t.text)
                }
                _ => "exact",
            };
            proto::MatchField {
                id: member_id(annotations, &mut next),
                name,
                bitwidth,
                type_name,
                r#match: Some(match_type(kind)),
                ..Default::default()
            }
        };
        parts.into_iter().map(field).collect()
    }
}

fn match_type(kind: &str) -> match_field::Match {
    use match_field::MatchType;
    let known = match kind {
        "exact" => MatchType::Exact,
        "lpm" => MatchType::Lpm,
        "ternary" => MatchType::Ternary,
        "range" => MatchType::Range,
        "optional" => MatchType::Optional,
        other => return match_field::Match::OtherMatchType(other.to_owned()),
    };
    match_field::Match::MatchType(known as i32)
}
