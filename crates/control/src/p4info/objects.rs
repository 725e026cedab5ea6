//! Counters, meters, registers, action profiles and digests: objects of the architecture.

use super::annotations::number_argument;
use super::collect::{Collector, Key};
use super::proto::{self, p4_ids::Prefix};
use num_traits::ToPrimitive;
use ww_p4::ast::Annotation;
use ww_p4::control_names::annotation_text;
use ww_p4::ir::{
    Const, ConstructorValue, ExprKind, ExternId, Instance, InstanceId, InstanceKind, TableId, Type,
};

/// The objects that P4Info knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Counter,
    DirectCounter,
    Meter,
    DirectMeter,
    Register,
    ActionProfile,
    ActionSelector,
    Digest,
}

/// The kind of an extern of v1model, PSA or PNA.
pub(super) fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "counter" | "Counter" => Kind::Counter,
        "direct_counter" | "DirectCounter" => Kind::DirectCounter,
        "meter" | "Meter" => Kind::Meter,
        "direct_meter" | "DirectMeter" => Kind::DirectMeter,
        "register" | "Register" => Kind::Register,
        "action_profile" | "ActionProfile" => Kind::ActionProfile,
        "action_selector" | "ActionSelector" => Kind::ActionSelector,
        "Digest" => Kind::Digest,
        _ => return None,
    })
}

/// The most significant byte of its ids.
pub(super) fn prefix(kind: Kind) -> Prefix {
    match kind {
        Kind::Counter => Prefix::Counter,
        Kind::DirectCounter => Prefix::DirectCounter,
        Kind::Meter => Prefix::Meter,
        Kind::DirectMeter => Prefix::DirectMeter,
        Kind::Register => Prefix::Register,
        Kind::ActionProfile | Kind::ActionSelector => Prefix::ActionProfile,
        Kind::Digest => Prefix::Digest,
    }
}

/// Names of the property for one purpose in all architectures.
fn is_property(name: &str, v1model: &str, psa: &str) -> bool {
    let other = name.strip_prefix("psa_").or_else(|| name.strip_prefix("pna_"));
    name == v1model || other == Some(psa)
}

impl<'p> Collector<'p, '_> {
    /// A profile that exists only in a table's property has an instance of its own or, in some
    /// programs, none; then it is known by its table.
    pub(super) fn declare_nameless(&mut self, instance: InstanceId, id: TableId, table: &str) {
        let program = self.program;
        for property in &program[id].properties {
            if !is_property(&property.name, "implementation", "implementation") {
                continue;
            }
            if let ExprKind::Construct(declaration) = &property.value.kind
                && self.property_object(instance, id, "implementation", "implementation").is_none()
            {
                let name = match annotation_text(&declaration.annotations, "name") {
                    Some(name) => name.to_owned(),
                    None => format!("{table}.implementation"),
                };
                let key = Key::Nameless(instance, id);
                self.add(key, Prefix::ActionProfile, name, &declaration.annotations);
            }
        }
    }

    /// The object that a table's property refers to.
    fn property_object(
        &self,
        instance: InstanceId,
        id: TableId,
        v1model: &str,
        psa: &str,
    ) -> Option<InstanceId> {
        let program = self.program;
        let property =
            program[id].properties.iter().find(|p| is_property(&p.name, v1model, psa))?;
        match &property.value.kind {
            ExprKind::Var(var) => {
                let bound = program[instance].bindings.iter().find(|(v, _)| v == var);
                match bound {
                    Some((_, ConstructorValue::Instance(object))) => Some(*object),
                    Some(_) => None,
                    None => program.globals.iter().find(|(v, _)| v == var).map(|(_, i)| *i),
                }
            }
            ExprKind::Construct(declaration) => {
                let fits = |i: &Instance| i.parent == Some(instance) && i.span == declaration.span;
                let found = program.instances.iter().position(fits);
                found.map(|n| InstanceId(n as u32))
            }
            _ => None,
        }
    }

    /// The key of a table's action profile.
    fn implementation_key(&self, instance: InstanceId, id: TableId) -> Key {
        match self.property_object(instance, id, "implementation", "implementation") {
            Some(object) => Key::Object(object),
            None => Key::Nameless(instance, id),
        }
    }

    pub(super) fn implementation(&self, instance: InstanceId, id: TableId) -> u32 {
        self.id_of(&self.implementation_key(instance, id))
    }

    pub(super) fn direct_resources(&self, instance: InstanceId, id: TableId) -> Vec<u32> {
        [("counters", "direct_counter"), ("meters", "direct_meter")]
            .iter()
            .filter_map(|(v1model, psa)| self.property_object(instance, id, v1model, psa))
            .map(|object| self.id_of(&Key::Object(object)))
            .filter(|id| *id != 0)
            .collect()
    }

    /// The table whose direct resource an object is.
    fn direct_table(&self, object: InstanceId) -> u32 {
        let found = self.objects.iter().find(|candidate| match candidate.key {
            Key::Table(instance, id) => {
                self.property_object(instance, id, "counters", "direct_counter") == Some(object)
                    || self.property_object(instance, id, "meters", "direct_meter") == Some(object)
            }
            _ => false,
        });
        found.map_or(0, |table| table.id)
    }

    pub(super) fn extern_objects(&mut self) {
        for index in 0..self.objects.len() {
            match self.objects[index].key {
                Key::Object(id) => self.object(index, id),
                Key::Nameless(..) => self.nameless(index),
                _ => {}
            }
        }
    }

    fn object(&mut self, index: usize, id: InstanceId) {
        let program = self.program;
        let instance = &program[id];
        let InstanceKind::Extern(extern_id, types) = &instance.kind else { return };
        let Some(kind) = kind(&program.types[*extern_id].name) else { return };
        let preamble = Some(self.preamble(&self.objects[index]));
        let size = integer(instance.arguments.first());
        let unit = self.unit(instance, *extern_id);
        match kind {
            Kind::Counter => {
                let index_type_name = types.last().and_then(|ty| self.types.index_name(ty));
                let spec = Some(proto::CounterSpec { unit });
                let counter = proto::Counter { preamble, spec, size, index_type_name };
                self.info.counters.push(counter);
            }
            Kind::DirectCounter => {
                let direct_table_id = self.direct_table(id);
                let spec = Some(proto::CounterSpec { unit });
                let counter = proto::DirectCounter { preamble, spec, direct_table_id };
                self.info.direct_counters.push(counter);
            }
            Kind::Meter => {
                let index_type_name = types.last().and_then(|ty| self.types.index_name(ty));
                let spec = Some(proto::MeterSpec { unit });
                let meter = proto::Meter { preamble, spec, size, index_type_name };
                self.info.meters.push(meter);
            }
            Kind::DirectMeter => {
                let direct_table_id = self.direct_table(id);
                let spec = Some(proto::MeterSpec { unit });
                let meter = proto::DirectMeter { preamble, spec, direct_table_id };
                self.info.direct_meters.push(meter);
            }
            Kind::Register => {
                let index_type_name = types.get(1).and_then(|ty| self.types.index_name(ty));
                let type_spec = types.first().map(|ty| self.types.data(ty));
                let size = i32::try_from(size).unwrap_or(i32::MAX);
                let register = proto::Register { preamble, type_spec, size, index_type_name };
                self.info.registers.push(register);
            }
            Kind::ActionProfile | Kind::ActionSelector => {
                let with_selector = kind == Kind::ActionSelector;
                let size = match with_selector {
                    true => integer(instance.arguments.get(1)),
                    false => size,
                };
                self.profile(index, size, with_selector, &instance.annotations);
            }
            Kind::Digest => {
                let type_spec = types.first().map(|ty| self.types.data(ty));
                self.info.digests.push(proto::Digest { preamble, type_spec });
            }
        }
    }

    fn nameless(&mut self, index: usize) {
        let Key::Nameless(_, id) = self.objects[index].key else { return };
        let properties = &self.program[id].properties;
        let found = properties.iter().find_map(|p| match &p.value.kind {
            ExprKind::Construct(d) if is_property(&p.name, "implementation", "implementation") => {
                Some(d)
            }
            _ => None,
        });
        let Some(declaration) = found else { return };
        let Type::Extern(extern_id, _) = &declaration.ty else { return };
        let name = &self.program.types[*extern_id].name;
        let with_selector = kind(name) == Some(Kind::ActionSelector);
        let argument = declaration.arguments.get(usize::from(with_selector));
        let size = match argument.and_then(Option::as_ref).map(|e| &e.kind) {
            Some(ExprKind::Const(value)) => integer(Some(&ConstructorValue::Const(value.clone()))),
            _ => 0,
        };
        self.profile(index, size, with_selector, &declaration.annotations);
    }

    fn profile(&mut self, index: usize, size: i64, with_selector: bool, from: &[Annotation]) {
        use proto::action_profile::{SelectorSizeSemantics, SumOfMembers, SumOfWeights};
        let object = &self.objects[index];
        let table_ids = self
            .objects
            .iter()
            .filter(|candidate| match candidate.key {
                Key::Table(instance, id) => self.implementation_key(instance, id) == object.key,
                _ => false,
            })
            .map(|table| table.id)
            .collect();
        let number = |name: &str| {
            let number = number_argument(from, name).and_then(|(_, n)| n);
            number.and_then(|n| i32::try_from(n).ok())
        };
        let semantics = match annotation_text(from, "selector_size_semantics") {
            Some("sum_of_members") => Some(SelectorSizeSemantics::SumOfMembers(SumOfMembers {
                max_member_weight: number("max_member_weight"),
            })),
            Some("sum_of_weights") => Some(SelectorSizeSemantics::SumOfWeights(SumOfWeights {})),
            _ => None,
        };
        let profile = proto::ActionProfile {
            preamble: Some(self.preamble(object)),
            table_ids,
            with_selector,
            size,
            max_group_size: number("max_group_size").unwrap_or(0),
            selector_size_semantics: semantics,
        };
        self.info.action_profiles.push(profile);
    }

    /// What a counter or meter counts: the constructor's argument of an enum type. Counters and
    /// meters agree on the numbers of bytes (1) and packets (2).
    fn unit(&self, instance: &Instance, extern_id: ExternId) -> i32 {
        let def = &self.program.types[extern_id];
        let Some(signature) = def.constructors.get(instance.constructor as usize) else { return 0 };
        for (parameter, argument) in signature.parameters.iter().zip(&instance.arguments) {
            if let (Type::Enum(id), ConstructorValue::Const(Const::Member(member))) =
                (&parameter.ty, argument)
            {
                let member = self.program.types[*id].members.get(*member as usize);
                return match member.map(|m| m.name.to_ascii_lowercase()).as_deref() {
                    Some("bytes") => proto::counter_spec::Unit::Bytes as i32,
                    Some("packets") => proto::counter_spec::Unit::Packets as i32,
                    Some("packets_and_bytes") => proto::counter_spec::Unit::Both as i32,
                    _ => 0,
                };
            }
        }
        0
    }
}

fn integer(value: Option<&ConstructorValue>) -> i64 {
    match value {
        Some(ConstructorValue::Const(Const::Int(value))) => value.to_i64().unwrap_or(0),
        _ => 0,
    }
}
