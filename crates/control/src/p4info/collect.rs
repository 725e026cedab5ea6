//! From a checked program to its P4Info.

use super::annotations::{documentation, has, package_pairs, structured, texts};
use super::ids::{Claim, Ids};
use super::proto::{self, P4Info, Preamble, p4_ids::Prefix};
use super::types::TypeTable;
use std::collections::{BTreeMap, HashMap};
use ww_p4::ast::Annotation;
use ww_p4::control_names::full_name;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::ir::{ActionId, InstanceId, InstanceKind, Program, StructKind, Type};

/// The P4Info of a program. Wrong or colliding `@id`s are reported.
pub fn p4info(program: &Program, diagnostics: &mut Diagnostics) -> P4Info {
    let mut collector = Collector {
        program,
        types: TypeTable::new(program),
        objects: Vec::new(),
        known: HashMap::new(),
        ids: Ids::default(),
        diagnostics,
        info: P4Info::default(),
    };
    collector.declare();
    collector.assign_ids();
    collector.package();
    collector.tables();
    collector.actions();
    collector.extern_objects();
    collector.value_sets();
    collector.controller_headers();
    collector.digests();
    let mut info = collector.info;
    info.type_info = collector.types.finish();
    info
}

/// What an [`Object`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    /// A table of an instance of a control.
    Table(InstanceId, ww_p4::ir::TableId),
    /// An action, as an instance of its control has it.
    Action(Option<InstanceId>, ActionId),
    /// An extern object.
    Object(InstanceId),
    /// A nameless object in a table's property.
    Nameless(InstanceId, ww_p4::ir::TableId),
    /// A value set of an instance of a parser.
    ValueSet(InstanceId, ww_p4::ir::VarId),
    /// A header with `@controller_header`.
    Header(usize),
    /// The type given to `digest`.
    Digest(String),
}

/// Something with a preamble.
pub(super) struct Object<'p> {
    pub key: Key,
    pub prefix: Prefix,
    pub name: String,
    pub annotations: &'p [Annotation],
    claim: Claim,
    pub id: u32,
    alias: String,
}

pub(super) struct Collector<'p, 'd> {
    pub program: &'p Program,
    pub types: TypeTable<'p>,
    pub objects: Vec<Object<'p>>,
    known: HashMap<Key, usize>,
    ids: Ids,
    pub diagnostics: &'d mut Diagnostics,
    pub info: P4Info,
}

impl<'p> Collector<'p, '_> {
    /// Notes an object; the same one counts once.
    pub fn add(&mut self, key: Key, prefix: Prefix, name: String, annotations: &'p [Annotation]) {
        if self.known.contains_key(&key) {
            return;
        }
        let claim = self.ids.claim(prefix, &name, annotations, self.diagnostics);
        self.known.insert(key.clone(), self.objects.len());
        let alias = String::new();
        self.objects.push(Object { key, prefix, name, annotations, claim, id: 0, alias });
    }

    /// Finds everything that gets an id.
    fn declare(&mut self) {
        let program = self.program;
        for index in 0..program.instances.len() {
            let id = InstanceId(index as u32);
            let instance = &program[id];
            match &instance.kind {
                InstanceKind::Control(control) => {
                    for table in &program[*control].tables {
                        self.declare_table(id, *table);
                    }
                }
                InstanceKind::Parser(parser) => self.declare_value_sets(id, *parser),
                InstanceKind::Extern(extern_id, _) => {
                    let kind = super::objects::kind(&program.types[*extern_id].name);
                    if let Some(prefix) = kind.map(super::objects::prefix)
                        && !has(&instance.annotations, "hidden")
                    {
                        let name = instance.name.clone();
                        self.add(Key::Object(id), prefix, name, &instance.annotations);
                    }
                }
                InstanceKind::Package(_) => {}
            }
        }
        for (index, def) in program.types.structs.iter().enumerate() {
            let name = ww_p4::control_names::annotation_text(&def.annotations, "controller_header");
            if let Some(name) = name.filter(|_| def.kind == StructKind::Header) {
                let key = Key::Header(index);
                self.add(key, Prefix::ControllerHeader, name.to_owned(), &def.annotations);
            }
        }
        // Calls of v1model's `digest`; a program that engines do not run has none.
        for name in ww_p4::control_names::digests(program) {
            self.add(Key::Digest(name.clone()), Prefix::Digest, name, &[]);
        }
    }

    fn assign_ids(&mut self) {
        for object in &mut self.objects {
            object.id = self.ids.resolve(&object.claim, object.prefix, &object.name);
        }
        let mut by_kind: BTreeMap<i32, Suffixes> = BTreeMap::new();
        for object in &self.objects {
            by_kind.entry(object.prefix as i32).or_default().add(&object.name);
        }
        let alias = |object: &Object| by_kind[&(object.prefix as i32)].shortest(&object.name);
        let aliases: Vec<String> = self.objects.iter().map(alias).collect();
        for (object, alias) in self.objects.iter_mut().zip(aliases) {
            object.alias = alias;
        }
    }

    /// The object noted under a key.
    pub fn find(&self, key: &Key) -> Option<&Object<'p>> {
        self.known.get(key).and_then(|n| self.objects.get(*n))
    }

    /// The id of an object, 0 for one without.
    pub fn id_of(&self, key: &Key) -> u32 {
        self.find(key).map_or(0, |object| object.id)
    }

    /// The preamble of an object.
    pub fn preamble(&self, object: &Object) -> Preamble {
        Preamble {
            id: object.id,
            name: object.name.clone(),
            alias: object.alias.clone(),
            annotations: texts(object.annotations),
            doc: documentation(object.annotations),
            structured_annotations: structured(object.annotations),
            ..Default::default()
        }
    }

    /// The key of an action as an instance of a control sees it.
    pub fn action_key(&self, instance: InstanceId, action: ActionId) -> Key {
        Key::Action(self.program[action].control.map(|_| instance), action)
    }

    /// The full name of an action.
    pub fn action_name(&self, instance: InstanceId, action: ActionId) -> String {
        let def = &self.program[action];
        let prefix = def.control.map_or("", |_| self.program[instance].name.as_str());
        full_name(prefix, &def.name, &def.annotations)
    }

    fn package(&mut self) {
        let Some(main) = self.program.main.map(|id| &self.program[id]) else { return };
        let InstanceKind::Package(package) = &main.kind else { return };
        let mut info = proto::PkgInfo {
            arch: match &*self.program.types[*package].signature.name {
                "V1Switch" => "v1model".to_owned(),
                "PSA_Switch" => "psa".to_owned(),
                "PNA_NIC" => "pna".to_owned(),
                other => other.to_owned(),
            },
            annotations: texts(&main.annotations),
            doc: documentation(&main.annotations),
            structured_annotations: structured(&main.annotations),
            ..Default::default()
        };
        for (key, value) in package_pairs(&main.annotations) {
            match key.as_str() {
                "name" => info.name = value,
                "version" => info.version = value,
                "organization" => info.organization = value,
                "contact" => info.contact = value,
                "url" => info.url = value,
                "arch" => info.arch = value,
                _ => {}
            }
        }
        self.info.pkg_info = Some(info);
    }

    fn controller_headers(&mut self) {
        let program = self.program;
        for (index, def) in program.types.structs.iter().enumerate() {
            let Some(object) = self.find(&Key::Header(index)) else { continue };
            let preamble = self.preamble(object);
            let mut metadata = Vec::new();
            let mut next = 1;
            for field in &def.fields {
                let (bitwidth, type_name) = self.types.value(&field.ty);
                metadata.push(proto::controller_packet_metadata::Metadata {
                    id: member_id(&field.annotations, &mut next),
                    name: field.name.to_string(),
                    annotations: texts(&field.annotations),
                    bitwidth,
                    type_name,
                    structured_annotations: structured(&field.annotations),
                    ..Default::default()
                });
            }
            let header = proto::ControllerPacketMetadata { preamble: Some(preamble), metadata };
            self.info.controller_packet_metadata.push(header);
        }
    }

    fn digests(&mut self) {
        for index in 0..self.objects.len() {
            let Key::Digest(name) = &self.objects[index].key else { continue };
            let structs = &self.program.types.structs;
            let found = structs.iter().position(|s| *s.name == **name);
            let ty = found.map(|n| Type::Struct(ww_p4::ir::StructId(n as u32)));
            let type_spec = ty.map(|ty| self.types.data(&ty));
            let preamble = Some(self.preamble(&self.objects[index]));
            self.info.digests.push(proto::Digest { preamble, type_spec });
        }
    }
}

/// `@id(n)` of a field, key or parameter, or the next number.
pub(super) fn member_id(annotations: &[Annotation], next: &mut u32) -> u32 {
    let given = super::annotations::number_argument(annotations, "id").and_then(|(_, n)| n);
    let id = given.and_then(|n| u32::try_from(n).ok()).filter(|n| *n != 0).unwrap_or(*next);
    *next = id.wrapping_add(1).max(1);
    id
}

/// The suffixes of names, at dots, with how many names have each.
#[derive(Default)]
struct Suffixes<'n>(HashMap<&'n str, usize>);

impl<'n> Suffixes<'n> {
    fn add(&mut self, name: &'n str) {
        suffixes(name).for_each(|suffix| *self.0.entry(suffix).or_default() += 1);
    }

    /// The shortest suffix of `name` that no other name has.
    fn shortest(&self, name: &str) -> String {
        let is_unique = |suffix: &&str| self.0.get(suffix).is_none_or(|count| *count <= 1);
        suffixes(name).find(is_unique).unwrap_or(name).to_owned()
    }
}

/// The suffixes of a name, the shortest first.
fn suffixes(name: &str) -> impl Iterator<Item = &str> {
    name.rmatch_indices('.').map(|(at, _)| at + 1).chain([0]).map(|at| &name[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases() {
        // The example of P4Runtime §6.4.
        let mut all = Suffixes::default();
        ["s.c1.t", "s.c2.t", "s.u", "t"].iter().for_each(|name| all.add(name));
        assert_eq!(all.shortest("s.c1.t"), "c1.t");
        assert_eq!(all.shortest("s.u"), "u");
        assert_eq!(all.shortest("t"), "t");
    }
}
