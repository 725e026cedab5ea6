//! Reads a [`Schema`] out of a program.

use super::hashes;
use crate::arch::{ExternObject, Unsupported};
use num_traits::ToPrimitive;
use ww_dataplane::control::{
    ActionInfo, CountUnit, CounterIndex, CounterInfo, KeyInfo, MatchKind, MeterIndex, MeterInfo,
    ParameterInfo, ProfileIndex, ProfileInfo, RegisterInfo, Schema, TableIndex, TableInfo,
    ValueSetInfo,
};
use ww_p4::contradictions::contradictions;
use ww_p4::control_names::{annotation_text, digests, full_name};
use ww_p4::diagnostic::Diagnostic;
use ww_p4::ir::{
    ActionId, Const, ConstructorValue, Expr, ExprKind, ExternId, Field, Instance,
    InstanceDeclaration, InstanceId, InstanceKind, Local, Program, Property, TableId, Type, VarId,
};
use ww_p4::limits;

/// How many entries a table without `size` holds; the same number as in BMv2.
const DEFAULT_TABLE_SIZE: u64 = 1024;

/// Width under which values without a number of bits (plain enums, `error`) are known.
const SYMBOLIC_WIDTH: u32 = 32;

/// The schema of a program; an error says that it is beyond [`limits`], or names a table with a match kind or property, an object, or
/// a hash algorithm, that no engine knows.
pub fn of(program: &Program) -> Result<Schema, Unsupported> {
    if let Some(refused) = contradictions(program).into_iter().next() {
        let message = format!("{}: {}", refused.message, refused.label);
        return Err(Diagnostic { message, ..refused }.into());
    }
    limits::judge(program).map_err(|found| Unsupported::from(*found))?;
    let mut builder = Builder { program, schema: Schema::default() };
    for index in 0..program.instances.len() {
        builder.object(InstanceId(index as u32))?;
    }
    for index in 0..program.instances.len() {
        builder.tables(InstanceId(index as u32))?;
    }
    builder.schema.digests = digests(program);
    hashes::check_calls(program)?;
    Ok(builder.schema)
}

/// Bits under which the control plane knows a value of this type, if it can.
fn control_width(program: &Program, ty: &Type) -> Option<u32> {
    match program.types.storage(ty) {
        Type::Enum(_) | Type::Error | Type::MatchKind => Some(SYMBOLIC_WIDTH),
        Type::Varbit(width) => Some(*width),
        other => program.types.width(other).and_then(|w| u32::try_from(w).ok()),
    }
}

struct Builder<'p> {
    program: &'p Program,
    schema: Schema,
}

impl<'p> Builder<'p> {
    fn object(&mut self, id: InstanceId) -> Result<(), Unsupported> {
        let instance = &self.program[id];
        match &instance.kind {
            InstanceKind::Extern(extern_id, arguments) => {
                self.extern_object(id, instance, *extern_id, arguments)
            }
            InstanceKind::Parser(parser) => {
                for local in &self.program[*parser].locals {
                    if let Local::ValueSet { var, size, annotations } = local {
                        let variable = &self.program[*var];
                        let name = full_name(&instance.name, &variable.name, annotations);
                        let keys = match &variable.ty {
                            Type::ValueSet(element) => self.value_set_keys(element, &name)?,
                            _ => Vec::new(),
                        };
                        let set = ValueSetInfo {
                            name,
                            instance: id.0,
                            variable: var.0,
                            keys,
                            size: *size,
                        };
                        self.schema.value_sets.push(set);
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn extern_object(
        &mut self,
        id: InstanceId,
        instance: &Instance,
        extern_id: ExternId,
        type_arguments: &[Type],
    ) -> Result<(), Unsupported> {
        let def = &self.program.types[extern_id];
        let name = instance.name.clone();
        let size = || number(instance.arguments.first());
        let member = |position: usize| {
            let signature = def.constructors.get(instance.constructor as usize)?;
            enum_member(
                self.program,
                &signature.parameters.get(position)?.ty,
                instance.arguments.get(position)?,
            )
        };
        match ExternObject::by_name(&def.name) {
            Some(object @ (ExternObject::Counter | ExternObject::DirectCounter)) => {
                let is_direct = object == ExternObject::DirectCounter;
                let unit = match member(if is_direct { 0 } else { 1 }).as_deref() {
                    Some("packets") => CountUnit::Packets,
                    Some("bytes") => CountUnit::Bytes,
                    _ => CountUnit::PacketsAndBytes,
                };
                let size = if is_direct { 0 } else { size() };
                let info = CounterInfo { name, instance: id.0, unit, size, table: None, is_direct };
                self.schema.counters.push(info);
            }
            Some(object @ (ExternObject::Meter | ExternObject::DirectMeter)) => {
                let is_direct = object == ExternObject::DirectMeter;
                let bytes = member(if is_direct { 0 } else { 1 }).as_deref() == Some("bytes");
                let size = if is_direct { 0 } else { size() };
                let info = MeterInfo { name, instance: id.0, bytes, size, table: None, is_direct };
                self.schema.meters.push(info);
            }
            Some(ExternObject::Register) => {
                let ty = type_arguments.first().cloned().unwrap_or(Type::Void);
                let width = control_width(self.program, &ty).ok_or_else(|| {
                    let ty = self.program.types.display(&ty);
                    Unsupported::new(format!("register `{name}` with cells of type {ty}"))
                })?;
                let info = RegisterInfo { name, instance: id.0, width, size: size() };
                self.schema.registers.push(info);
            }
            Some(ExternObject::ActionProfile) => {
                self.profile(name, Some(id), size(), None);
            }
            Some(ExternObject::ActionSelector) => {
                let algorithm = member(0).unwrap_or_default();
                hashes::known(&algorithm, &format!("`{name}`"))?;
                let size = number(instance.arguments.get(1));
                let width = number(instance.arguments.get(2)).min(64) as u32;
                self.profile(name, Some(id), size, Some((algorithm, width)));
            }
            Some(ExternObject::Checksum16) => {}
            None => {
                // An object whose methods all have bodies in the program needs no help.
                let abstract_only = def.methods.iter().all(|m| m.is_abstract);
                if !abstract_only || def.methods.is_empty() {
                    return Err(Unsupported::new(format!("extern object `{}`", def.name)));
                }
            }
        }
        Ok(())
    }

    fn profile(
        &mut self,
        name: String,
        instance: Option<InstanceId>,
        size: u64,
        selector: Option<(String, u32)>,
    ) -> ProfileIndex {
        let (tables, actions, instance) = (Vec::new(), Vec::new(), instance.map(|id| id.0));
        self.schema.profiles.push(ProfileInfo { name, instance, size, selector, tables, actions });
        ProfileIndex(self.schema.profiles.len() as u32 - 1)
    }

    fn value_set_keys(&self, element: &Type, set: &str) -> Result<Vec<KeyInfo>, Unsupported> {
        let unsupported = |ty: &Type| {
            let ty = self.program.types.display(ty);
            Unsupported::new(format!("value set `{set}` with elements of type {ty}"))
        };
        let key = |name: String, ty: &Type, kind: MatchKind| {
            let width = control_width(self.program, ty).ok_or_else(|| unsupported(ty))?;
            Ok(KeyInfo { name, kind, width, signed: is_signed(self.program, ty) })
        };
        match self.program.types.storage(element) {
            Type::Struct(id) => self.program.types[*id]
                .fields
                .iter()
                .map(|f| key(f.name.to_string(), &f.ty, field_match_kind(f)))
                .collect(),
            Type::Tuple(types) => types
                .iter()
                .enumerate()
                .map(|(n, ty)| key(n.to_string(), ty, MatchKind::Exact))
                .collect(),
            _ => Ok(vec![key("value".to_owned(), element, MatchKind::Exact)?]),
        }
    }

    fn tables(&mut self, id: InstanceId) -> Result<(), Unsupported> {
        if let InstanceKind::Control(control) = &self.program[id].kind {
            for table in &self.program[*control].tables {
                self.table(id, *table)?;
            }
        }
        Ok(())
    }

    fn table(&mut self, id: InstanceId, table_id: TableId) -> Result<(), Unsupported> {
        let program = self.program;
        let instance = &program[id];
        let table = &program[table_id];
        let name = full_name(&instance.name, &table.name, &table.annotations);
        let index = TableIndex(self.schema.tables.len() as u32);
        let mut keys = Vec::new();
        for key in &table.keys {
            let kind = MatchKind::by_name(&key.match_kind).ok_or_else(|| {
                let kind = &key.match_kind;
                Unsupported::new(format!("match kind `{kind}` in table `{name}`"))
            })?;
            let width = control_width(program, &key.value.ty).ok_or_else(|| {
                let ty = program.types.display(&key.value.ty);
                Unsupported::new(format!("key `{}` of type {ty} in table `{name}`", key.name))
            })?;
            if kind != MatchKind::Selector {
                let signed = is_signed(program, &key.value.ty);
                keys.push(KeyInfo { name: key.name.to_string(), kind, width, signed });
            }
        }
        let mut actions = Vec::new();
        for action in &table.actions {
            actions.push(self.action(id, action.action, action.bound.len(), &name)?);
            if let Some(info) = actions.last_mut() {
                info.default_only = action.default_only;
                info.table_only = action.table_only;
            }
        }
        let of_instance = instance.table_sizes.iter().find(|(id, _)| *id == table_id);
        let size = of_instance.map(|(_, size)| *size).or(table.size);
        let mut info = TableInfo {
            name,
            instance: id.0,
            table: table_id.0,
            keys,
            actions,
            size: size.unwrap_or(DEFAULT_TABLE_SIZE).max(table.entries.len() as u64),
            const_entries: table.const_entries,
            const_default: table.const_default,
            profile: None,
            counter: None,
            meter: None,
        };
        for property in &table.properties {
            match &*property.name {
                "implementation" => {
                    info.profile = self.implementation(id, index, property, &info)?
                }
                "counters" => {
                    let object = self.property_object(id, property);
                    let counters = &mut self.schema.counters;
                    let found =
                        counters.iter().position(|c| Some(InstanceId(c.instance)) == object);
                    if let Some(n) = found {
                        counters[n].table = Some(index);
                        info.counter = Some(CounterIndex(n as u32));
                    }
                }
                "meters" => {
                    let object = self.property_object(id, property);
                    let meters = &mut self.schema.meters;
                    let found = meters.iter().position(|m| Some(InstanceId(m.instance)) == object);
                    if let Some(n) = found {
                        meters[n].table = Some(index);
                        info.meter = Some(MeterIndex(n as u32));
                    }
                }
                // Others only concern other targets (`support_timeout`) or tools.
                _ => {}
            }
        }
        self.schema.tables.push(info);
        Ok(())
    }

    fn action(
        &self,
        id: InstanceId,
        action_id: ActionId,
        bound: usize,
        table: &str,
    ) -> Result<ActionInfo, Unsupported> {
        let action = &self.program[action_id];
        let prefix = if action.control.is_some() { self.program[id].name.as_str() } else { "" };
        let parameter = |p: &ww_p4::ir::Parameter| {
            let name = full_name("", &self.program[p.var].name, &p.annotations);
            let width = control_width(self.program, &p.ty).ok_or_else(|| {
                let ty = self.program.types.display(&p.ty);
                Unsupported::new(format!(
                    "parameter `{name}` of type {ty} of action `{}` in table `{table}`",
                    action.name
                ))
            })?;
            Ok::<_, Unsupported>(ParameterInfo { name, width })
        };
        Ok(ActionInfo {
            name: full_name(prefix, &action.name, &action.annotations),
            action: action_id.0,
            parameters: action
                .parameters
                .iter()
                .skip(bound)
                .map(parameter)
                .collect::<Result<_, Unsupported>>()?,
            default_only: false,
            table_only: false,
        })
    }

    fn implementation(
        &mut self,
        id: InstanceId,
        index: TableIndex,
        property: &Property,
        table: &TableInfo,
    ) -> Result<Option<ProfileIndex>, Unsupported> {
        let object = self.property_object(id, property);
        let known = self
            .schema
            .profiles
            .iter()
            .position(|p| object.is_some() && p.instance.map(InstanceId) == object)
            .map(|n| ProfileIndex(n as u32));
        let profile = match (known, &property.value.kind) {
            (Some(profile), _) => profile,
            (None, ExprKind::Construct(declaration)) => self.nameless_profile(declaration, table),
            _ => {
                return Err(Unsupported::new(format!(
                    "implementation of table `{}`: neither action profile nor selector",
                    table.name
                )));
            }
        };
        let info = &mut self.schema.profiles[profile.index()];
        info.tables.push(index);
        for action in &table.actions {
            if !info.actions.iter().any(|a| a.action == action.action) {
                info.actions.push(action.clone());
            }
        }
        Ok(Some(profile))
    }

    /// A profile that exists only in the property of one table.
    fn nameless_profile(
        &mut self,
        declaration: &InstanceDeclaration,
        table: &TableInfo,
    ) -> ProfileIndex {
        let name = match annotation_text(&declaration.annotations, "name") {
            Some(name) => full_name("", name, &[]),
            None => format!("{}.implementation", table.name),
        };
        let argument = |n: usize| declaration.arguments.get(n).and_then(Option::as_ref);
        let integer = |n: usize| match argument(n).map(|e| &e.kind) {
            Some(ExprKind::Const(Const::Int(value))) => value.to_u64().unwrap_or(0),
            _ => 0,
        };
        let algorithm = argument(0).and_then(|e| match &e.kind {
            ExprKind::Const(value) => {
                let value = ConstructorValue::Const(value.clone());
                enum_member(self.program, &e.ty, &value)
            }
            _ => None,
        });
        match algorithm {
            Some(algorithm) => {
                let width = integer(2).min(64) as u32;
                self.profile(name, None, integer(1), Some((algorithm, width)))
            }
            None => self.profile(name, None, integer(0), None),
        }
    }

    /// The object that a table property names, seen from an instance of the control.
    fn property_object(&self, id: InstanceId, property: &Property) -> Option<InstanceId> {
        match &property.value {
            Expr { kind: ExprKind::Var(var), .. } => self.bound_object(id, *var),
            // A nameless object was instantiated where the property stands.
            Expr { kind: ExprKind::Construct(declaration), .. } => self
                .program
                .instances
                .iter()
                .position(|i| i.parent == Some(id) && i.span == declaration.span)
                .map(|n| InstanceId(n as u32)),
            _ => None,
        }
    }

    fn bound_object(&self, id: InstanceId, var: VarId) -> Option<InstanceId> {
        let bound = self.program[id].bindings.iter().find(|(v, _)| *v == var);
        match bound {
            Some((_, ConstructorValue::Instance(instance))) => Some(*instance),
            Some(_) => None,
            None => self.program.globals.iter().find(|(v, _)| *v == var).map(|(_, i)| *i),
        }
    }
}

/// `@match(kind)` of a field in a value set's element; `exact` without it.
fn field_match_kind(field: &Field) -> MatchKind {
    let annotation = field.annotations.iter().find(|a| &*a.name.name == "match");
    match annotation.map(|a| &a.body) {
        Some(ww_p4::ast::AnnotationBody::Unstructured(tokens)) => {
            tokens.iter().find_map(|t| MatchKind::by_name(&t.text)).unwrap_or(MatchKind::Exact)
        }
        _ => MatchKind::Exact,
    }
}

fn is_signed(program: &Program, ty: &Type) -> bool {
    matches!(program.types.storage(ty), Type::Signed(_))
}

/// A constructor argument as a number; 0 if it is none.
fn number(value: Option<&ConstructorValue>) -> u64 {
    match value {
        Some(ConstructorValue::Const(Const::Int(value))) => value.to_u64().unwrap_or(0),
        _ => 0,
    }
}

/// The member of a plain enum that a constructor argument is.
fn enum_member(program: &Program, ty: &Type, value: &ConstructorValue) -> Option<String> {
    match (ty, value) {
        (Type::Enum(id), ConstructorValue::Const(Const::Member(member))) => {
            program.types[*id].members.get(*member as usize).map(|m| m.name.to_string())
        }
        _ => None,
    }
}
