//! Types and their definitions (§7).

use super::{
    ApplyTypeId, ControlId, EnumId, ExternId, Name, NewTypeId, ParserId, Signature, Span, StructId,
    StructKind, TableId, TypeParameterId,
};
use crate::ast::Annotation;
use num_bigint::BigInt;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// `bool`
    Bool,
    /// Integers of any size; only at compile time.
    Int,
    /// `bit<W>`, W >= 0.
    Bit(u32),
    /// `int<W>`, two's complement, W >= 0.
    Signed(u32),
    /// `varbit<W>`: at most W bits.
    Varbit(u32),
    /// `string`
    String,
    /// `error`
    Error,
    /// `match_kind`
    MatchKind,
    /// A struct, header or header union.
    Struct(StructId),
    /// A stack of headers or header unions, or an array.
    Stack(Box<Type>, u32),
    /// `tuple<..>`, and the type of `{ a, b }`.
    Tuple(Vec<Type>),
    /// `list<T>`
    List(Box<Type>),
    /// An enum, serializable or not.
    Enum(EnumId),
    /// `type T X`
    New(NewTypeId),
    /// An extern object.
    Extern(ExternId, Vec<Type>),
    /// A parser, control or package type.
    Apply(ApplyTypeId, Vec<Type>),
    /// A declared parser.
    Parser(ParserId),
    /// A declared control.
    Control(ControlId),
    /// A value set with elements of a type.
    ValueSet(Box<Type>),
    /// The type of a table's `action_run`; values are indices into [`super::Table::actions`].
    ActionRun(TableId),
    /// Only in the checker: a type parameter inside a generic declaration.
    Parameter(TypeParameterId),
    /// Only in the checker: a type not yet inferred.
    Infer(u32),
    /// Only in the checker: `{ a = 1 }` before its struct is known.
    Record(Vec<(Name, Type)>),
    /// Only in the checker: a set of values (`a &&& b`, `a .. b`, `_`).
    Set(Box<Type>),
    /// Only in the checker: follows an error that was reported.
    Unknown,
}

/// A struct, header or header union with its type arguments filled in.
#[derive(Clone, Debug)]
pub struct StructDef {
    /// Which of the three.
    pub kind: StructKind,
    /// Name as printed, e.g. `H<bit<8>>`.
    pub name: Name,
    /// Declared name.
    pub declared: Name,
    /// Type arguments.
    pub arguments: Vec<Type>,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Annotations of the declaration.
    pub annotations: Vec<Annotation>,
    /// The declared name's place.
    pub span: Span,
}

/// A field of a [`StructDef`].
#[derive(Clone, Debug)]
pub struct Field {
    /// Name.
    pub name: Name,
    /// Type.
    pub ty: Type,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Its name's place.
    pub span: Span,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// Name.
    pub name: Name,
    /// `bit<W>` or `int<W>` (or a `type`/`typedef` of them) of a serializable enum.
    pub underlying: Option<Type>,
    /// Members in order.
    pub members: Vec<EnumMember>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// A member of an [`EnumDef`].
#[derive(Clone, Debug)]
pub struct EnumMember {
    /// Name.
    pub name: Name,
    /// Value in a serializable enum.
    pub value: Option<BigInt>,
    /// The name's place.
    pub span: Span,
}

/// `type T X`.
#[derive(Clone, Debug)]
pub struct NewTypeDef {
    /// Name.
    pub name: Name,
    /// The type it is made of.
    pub underlying: Type,
    /// Annotations, e.g. `@p4runtime_translation`.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// An extern object's declaration, generic as declared.
#[derive(Clone, Debug)]
pub struct ExternDef {
    /// Name.
    pub name: Name,
    /// Type parameters.
    pub type_parameters: Vec<TypeParameterId>,
    /// Constructors.
    pub constructors: Vec<Signature>,
    /// Methods, abstract ones included.
    pub methods: Vec<Method>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// A method of an [`ExternDef`].
#[derive(Clone, Debug)]
pub struct Method {
    /// Head.
    pub signature: Signature,
    /// With `abstract`: each instance brings its body.
    pub is_abstract: bool,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// Which kind of type [`ApplyTypeDef`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ApplyKind {
    /// `parser P(..);`
    Parser,
    /// `control C(..);`
    Control,
    /// `package P(..);`
    Package,
}

/// A parser, control or package type as declared.
#[derive(Clone, Debug)]
pub struct ApplyTypeDef {
    /// Which.
    pub kind: ApplyKind,
    /// Name, type parameters and parameters: those of `apply`, or a package's constructor.
    pub signature: Signature,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// All type definitions of a program.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Structs, headers and header unions.
    pub structs: Vec<StructDef>,
    /// Enums.
    pub enums: Vec<EnumDef>,
    /// `type` declarations.
    pub new_types: Vec<NewTypeDef>,
    /// Extern objects.
    pub externs: Vec<ExternDef>,
    /// Parser, control and package types.
    pub apply_types: Vec<ApplyTypeDef>,
    /// Names of type parameters.
    pub parameters: Vec<Name>,
}

macro_rules! arena_index {
    ($($id:ident => $field:ident: $def:ident),* $(,)?) => {$(
        impl std::ops::Index<$id> for Types {
            type Output = $def;
            fn index(&self, id: $id) -> &$def {
                &self.$field[id.index()]
            }
        }
        impl std::ops::IndexMut<$id> for Types {
            fn index_mut(&mut self, id: $id) -> &mut $def {
                &mut self.$field[id.index()]
            }
        }
    )*};
}

arena_index! {
    StructId => structs: StructDef,
    EnumId => enums: EnumDef,
    NewTypeId => new_types: NewTypeDef,
    ExternId => externs: ExternDef,
    ApplyTypeId => apply_types: ApplyTypeDef,
}

impl Types {
    /// `ty` without `type` wrappers and with serializable enums replaced by what they are made of:
    /// how the value is stored.
    pub fn storage<'a>(&'a self, ty: &'a Type) -> &'a Type {
        match ty {
            Type::New(id) => self.storage(&self[*id].underlying),
            Type::Enum(id) => match &self[*id].underlying {
                Some(underlying) => self.storage(underlying),
                None => ty,
            },
            _ => ty,
        }
    }

    /// The struct definition behind a type, through no wrappers.
    pub fn as_struct(&self, ty: &Type) -> Option<&StructDef> {
        match ty {
            Type::Struct(id) => Some(&self[*id]),
            _ => None,
        }
    }

    /// The definition of `ty` if it is a struct of this kind.
    pub fn as_kind(&self, ty: &Type, kind: StructKind) -> Option<&StructDef> {
        self.as_struct(ty).filter(|def| def.kind == kind)
    }

    /// Whether `ty` is a header.
    pub fn is_header(&self, ty: &Type) -> bool {
        self.as_kind(ty, StructKind::Header).is_some()
    }

    /// Whether `ty` is a header union.
    pub fn is_union(&self, ty: &Type) -> bool {
        self.as_kind(ty, StructKind::Union).is_some()
    }

    /// Smallest and largest size in bits on the wire (§9: `minSizeInBits`, `maxSizeInBits`), or
    /// `None` for types without a layout. They differ where a `varbit` or a header union is.
    pub fn size_in_bits(&self, ty: &Type) -> Option<(u64, u64)> {
        match self.storage(ty) {
            Type::Bool => Some((1, 1)),
            Type::Bit(w) | Type::Signed(w) => Some((u64::from(*w), u64::from(*w))),
            Type::Varbit(w) => Some((0, u64::from(*w))),
            Type::Tuple(elements) => {
                elements.iter().try_fold((0, 0), |sum, e| self.add_size(sum, e))
            }
            Type::Stack(element, n) => {
                let (min, max) = self.size_in_bits(element)?;
                Some((min * u64::from(*n), max * u64::from(*n)))
            }
            Type::Struct(id) => {
                let def = &self[*id];
                let mut fields = def.fields.iter();
                if def.kind == StructKind::Union {
                    let first = self.size_in_bits(&fields.next()?.ty)?;
                    fields.try_fold(first, |(min, max), f| {
                        let (a, b) = self.size_in_bits(&f.ty)?;
                        Some((min.min(a), max.max(b)))
                    })
                } else {
                    fields.try_fold((0, 0), |sum, f| self.add_size(sum, &f.ty))
                }
            }
            _ => None,
        }
    }

    fn add_size(&self, (min, max): (u64, u64), ty: &Type) -> Option<(u64, u64)> {
        let (a, b) = self.size_in_bits(ty)?;
        Some((min + a, max + b))
    }

    /// Width of a value with a fixed number of bits.
    pub fn width(&self, ty: &Type) -> Option<u64> {
        self.size_in_bits(ty).filter(|(min, max)| min == max).map(|(min, _)| min)
    }

    /// The type as an author would write it.
    pub fn display(&self, ty: &Type) -> String {
        let list =
            |types: &[Type]| types.iter().map(|t| self.display(t)).collect::<Vec<_>>().join(", ");
        let with_arguments = |name: &str, arguments: &[Type]| {
            if arguments.is_empty() {
                name.to_owned()
            } else {
                format!("{name}<{}>", list(arguments))
            }
        };
        match ty {
            Type::Void => "void".into(),
            Type::Bool => "bool".into(),
            Type::Int => "int".into(),
            Type::Bit(w) => format!("bit<{w}>"),
            Type::Signed(w) => format!("int<{w}>"),
            Type::Varbit(w) => format!("varbit<{w}>"),
            Type::String => "string".into(),
            Type::Error => "error".into(),
            Type::MatchKind => "match_kind".into(),
            Type::Struct(id) => self[*id].name.to_string(),
            Type::Stack(element, n) => format!("{}[{n}]", self.display(element)),
            Type::Tuple(elements) => format!("tuple<{}>", list(elements)),
            Type::List(element) => format!("list<{}>", self.display(element)),
            Type::Enum(id) => self[*id].name.to_string(),
            Type::New(id) => self[*id].name.to_string(),
            Type::Extern(id, arguments) => with_arguments(&self[*id].name, arguments),
            Type::Apply(id, arguments) => with_arguments(&self[*id].signature.name, arguments),
            Type::Parser(id) => format!("parser #{}", id.0),
            Type::Control(id) => format!("control #{}", id.0),
            Type::ValueSet(element) => format!("value_set<{}>", self.display(element)),
            Type::ActionRun(_) => "action_run".into(),
            Type::Parameter(id) => {
                self.parameters.get(id.index()).map_or("?".into(), |name| name.to_string())
            }
            Type::Infer(_) => "_".into(),
            Type::Record(fields) => {
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(name, ty)| format!("{} {name};", self.display(ty)))
                    .collect();
                format!("struct {{ {} }}", fields.join(" "))
            }
            Type::Set(element) => format!("set<{}>", self.display(element)),
            Type::Unknown => "<unknown>".into(),
        }
    }
}
