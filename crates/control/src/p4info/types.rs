//! Types for the controller, and the widths under which it knows values.

use super::annotations::{number_text, structured, texts};
use super::proto::{self, p4_bitstring_like_type_spec, p4_data_type_spec, p4_new_type_spec};
use ww_p4::ast::{Annotation, AnnotationBody};
use ww_p4::ir::{EnumId, NewTypeId, Program, StructId, StructKind, Type};

/// Collects the named types that the rest refers to.
pub(super) struct TypeTable<'p> {
    program: &'p Program,
    info: proto::P4TypeInfo,
    used: bool,
}

impl<'p> TypeTable<'p> {
    /// An empty table.
    pub fn new(program: &'p Program) -> Self {
        Self { program, info: proto::P4TypeInfo::default(), used: false }
    }

    /// What was collected.
    pub fn finish(self) -> Option<proto::P4TypeInfo> {
        self.used.then_some(self.info)
    }

    /// Bits under which a controller knows a value, 0 for one that it knows as a string, and the
    /// name of its `type` if it has one.
    pub fn value(&mut self, ty: &Type) -> (i32, Option<proto::P4NamedType>) {
        match ty {
            Type::New(id) => {
                self.new_type(*id);
                let def = &self.program.types[*id];
                let name = proto::P4NamedType { name: def.name.to_string() };
                let width = match translation(&def.annotations).and_then(|t| t.sdn_type) {
                    Some(proto::p4_new_type_translation::SdnType::SdnBitwidth(width)) => width,
                    Some(proto::p4_new_type_translation::SdnType::SdnString(_)) => 0,
                    None => self.value(&def.underlying).0,
                };
                (width, Some(name))
            }
            Type::Enum(id) => {
                self.enumeration(*id);
                (self.width(ty), None)
            }
            _ => (self.width(ty), None),
        }
    }

    fn width(&self, ty: &Type) -> i32 {
        let width = match self.program.types.storage(ty) {
            Type::Varbit(width) => Some(u64::from(*width)),
            // Values without bits of their own are known by their number.
            Type::Enum(_) | Type::Error => Some(32),
            other => self.program.types.width(other),
        };
        width.and_then(|w| i32::try_from(w).ok()).unwrap_or(0)
    }

    /// The name of a `type` that an index has.
    pub fn index_name(&mut self, ty: &Type) -> Option<proto::P4NamedType> {
        self.value(ty).1
    }

    /// A whole type.
    pub fn data(&mut self, ty: &Type) -> proto::P4DataTypeSpec {
        use p4_data_type_spec::TypeSpec;
        let named = |name: &str| proto::P4NamedType { name: name.to_owned() };
        let spec = match ty {
            Type::Bool => Some(TypeSpec::Bool(proto::P4BoolType {})),
            Type::Error => {
                self.used = true;
                let members = self.program.errors.iter().map(|e| e.to_string()).collect();
                self.info.error = Some(proto::P4ErrorTypeSpec { members });
                Some(TypeSpec::Error(proto::P4ErrorType {}))
            }
            Type::Tuple(elements) => {
                let members = elements.iter().map(|e| self.data(e)).collect();
                Some(TypeSpec::Tuple(proto::P4TupleTypeSpec { members }))
            }
            Type::Struct(id) => {
                self.structure(*id);
                let def = &self.program.types[*id];
                let name = named(&def.name);
                Some(match def.kind {
                    StructKind::Header => TypeSpec::Header(name),
                    StructKind::Union => TypeSpec::HeaderUnion(name),
                    StructKind::Struct => TypeSpec::Struct(name),
                })
            }
            Type::Stack(element, size) => self.stack(element, *size),
            Type::Enum(id) => {
                self.enumeration(*id);
                let def = &self.program.types[*id];
                Some(match def.underlying {
                    Some(_) => TypeSpec::SerializableEnum(named(&def.name)),
                    None => TypeSpec::Enum(named(&def.name)),
                })
            }
            Type::New(id) => {
                self.new_type(*id);
                Some(TypeSpec::NewType(named(&self.program.types[*id].name)))
            }
            _ => bitstring(ty).map(TypeSpec::Bitstring),
        };
        proto::P4DataTypeSpec { type_spec: spec }
    }

    fn stack(&mut self, element: &Type, size: u32) -> Option<p4_data_type_spec::TypeSpec> {
        use p4_data_type_spec::TypeSpec;
        let Type::Struct(id) = element else { return None };
        self.structure(*id);
        let def = &self.program.types[*id];
        let name = Some(proto::P4NamedType { name: def.name.to_string() });
        let size = i32::try_from(size).unwrap_or(i32::MAX);
        match def.kind {
            StructKind::Header => {
                Some(TypeSpec::HeaderStack(proto::P4HeaderStackTypeSpec { header: name, size }))
            }
            StructKind::Union => {
                let spec = proto::P4HeaderUnionStackTypeSpec { header_union: name, size };
                Some(TypeSpec::HeaderUnionStack(spec))
            }
            StructKind::Struct => None,
        }
    }

    fn structure(&mut self, id: StructId) {
        self.used = true;
        let def = &self.program.types[id];
        let name = def.name.to_string();
        let (annotations, structured_annotations) =
            (texts(&def.annotations), structured(&def.annotations));
        match def.kind {
            StructKind::Struct => {
                if self.info.structs.contains_key(&name) {
                    return;
                }
                // Types do not contain themselves, so this ends.
                let members = def
                    .fields
                    .iter()
                    .map(|f| proto::p4_struct_type_spec::Member {
                        name: f.name.to_string(),
                        type_spec: Some(self.data(&f.ty)),
                    })
                    .collect();
                let spec = proto::P4StructTypeSpec {
                    members,
                    annotations,
                    structured_annotations,
                    ..Default::default()
                };
                self.info.structs.insert(name, spec);
            }
            StructKind::Header => {
                let types = &self.program.types;
                let members = def
                    .fields
                    .iter()
                    .map(|f| proto::p4_header_type_spec::Member {
                        name: f.name.to_string(),
                        type_spec: bitstring(types.storage(&f.ty)),
                    })
                    .collect();
                let spec = proto::P4HeaderTypeSpec {
                    members,
                    annotations,
                    structured_annotations,
                    ..Default::default()
                };
                self.info.headers.insert(name, spec);
            }
            StructKind::Union => {
                let mut members = Vec::new();
                for field in &def.fields {
                    if let Type::Struct(header) = &field.ty {
                        self.structure(*header);
                        let header = self.program.types[*header].name.to_string();
                        members.push(proto::p4_header_union_type_spec::Member {
                            name: field.name.to_string(),
                            header: Some(proto::P4NamedType { name: header }),
                        });
                    }
                }
                let spec = proto::P4HeaderUnionTypeSpec {
                    members,
                    annotations,
                    structured_annotations,
                    ..Default::default()
                };
                self.info.header_unions.insert(name, spec);
            }
        }
    }

    fn enumeration(&mut self, id: EnumId) {
        self.used = true;
        let def = &self.program.types[id];
        let name = def.name.to_string();
        let (annotations, structured_annotations) =
            (texts(&def.annotations), structured(&def.annotations));
        let Some(underlying) = &def.underlying else {
            let member = |m: &ww_p4::ir::EnumMember| proto::p4_enum_type_spec::Member {
                name: m.name.to_string(),
                ..Default::default()
            };
            let spec = proto::P4EnumTypeSpec {
                members: def.members.iter().map(member).collect(),
                annotations,
                structured_annotations,
                ..Default::default()
            };
            self.info.enums.insert(name, spec);
            return;
        };
        let bitwidth = self.width(underlying);
        let member = |m: &ww_p4::ir::EnumMember| {
            let width = u32::try_from(bitwidth).unwrap_or(0);
            let bits = m.value.as_ref().and_then(|v| crate::number::bits(v, width));
            let value = bits.map(|v| v.to_bytes_be()).unwrap_or_default();
            let name = m.name.to_string();
            proto::p4_serializable_enum_type_spec::Member { name, value, ..Default::default() }
        };
        let spec = proto::P4SerializableEnumTypeSpec {
            underlying_type: Some(proto::P4BitTypeSpec { bitwidth }),
            members: def.members.iter().map(member).collect(),
            annotations,
            structured_annotations,
            ..Default::default()
        };
        self.info.serializable_enums.insert(name, spec);
    }

    fn new_type(&mut self, id: NewTypeId) {
        self.used = true;
        let def = &self.program.types[id];
        let name = def.name.to_string();
        if self.info.new_types.contains_key(&name) {
            return;
        }
        let representation = match translation(&def.annotations) {
            Some(translation) => p4_new_type_spec::Representation::TranslatedType(translation),
            None => p4_new_type_spec::Representation::OriginalType(self.data(&def.underlying)),
        };
        let spec = proto::P4NewTypeSpec {
            representation: Some(representation),
            annotations: texts(&def.annotations),
            structured_annotations: structured(&def.annotations),
            ..Default::default()
        };
        self.info.new_types.insert(name, spec);
    }
}

fn bitstring(ty: &Type) -> Option<proto::P4BitstringLikeTypeSpec> {
    use p4_bitstring_like_type_spec::TypeSpec;
    let bits = |w: u32| i32::try_from(w).unwrap_or(i32::MAX);
    let spec = match ty {
        Type::Bit(w) => TypeSpec::Bit(proto::P4BitTypeSpec { bitwidth: bits(*w) }),
        Type::Signed(w) => TypeSpec::Int(proto::P4IntTypeSpec { bitwidth: bits(*w) }),
        Type::Varbit(w) => TypeSpec::Varbit(proto::P4VarbitTypeSpec { max_bitwidth: bits(*w) }),
        // A header's `bool` is a bit on the wire.
        Type::Bool => TypeSpec::Bit(proto::P4BitTypeSpec { bitwidth: 1 }),
        _ => return None,
    };
    Some(proto::P4BitstringLikeTypeSpec { type_spec: Some(spec), ..Default::default() })
}

/// `@p4runtime_translation("uri", W)`, `("uri", bit<W>)` or `("uri", string)`.
fn translation(annotations: &[Annotation]) -> Option<proto::P4NewTypeTranslation> {
    use proto::p4_new_type_translation::{SdnString, SdnType};
    let annotation = annotations.iter().find(|a| &*a.name.name == "p4runtime_translation")?;
    let AnnotationBody::Unstructured(tokens) = &annotation.body else { return None };
    let uri = tokens.first().filter(|t| t.is_string)?.text.to_string();
    let rest: Vec<&str> = tokens.iter().skip(2).map(|t| &*t.text).collect();
    let width = |text: &str| crate::number::small::<u32>(number_text(text)).map(|w| w as i32);
    let sdn_type = match rest.as_slice() {
        ["string"] => Some(SdnType::SdnString(SdnString {})),
        [number] => width(number).map(SdnType::SdnBitwidth),
        ["bit", "<", number, ">"] => width(number).map(SdnType::SdnBitwidth),
        _ => None,
    };
    Some(proto::P4NewTypeTranslation { uri, sdn_type })
}
