//! Values at run time.
//!
//! What the language leaves undefined is decided here once:
//! - A variable without initialiser, and an `out` parameter, starts with its type's default
//!   value (§7.3): zero, `false`, the first member, an invalid header.
//! - The fields of an invalid header are zero. Reading them gives zero, writing to them does
//!   nothing, `setInvalid` forgets them, and `setValid` on an invalid header makes a valid header
//!   of zeros.
//! - A stack element out of range reads as the element type's default value; writing to it does
//!   nothing.

use crate::bits::{BitReader, BitWriter, Bits};
use num_bigint::BigInt;
use std::fmt::Write as _;
use ww_p4::ir::{Const, InstanceId, Name, Program, StructKind, Type};

/// A value. Which form it has follows from its type.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// Nothing: `void`, or an optional argument that was left out.
    #[default]
    Absent,
    /// `bool`
    Bool(bool),
    /// `bit<W>`, `int<W>`, and enums and `type`s of them.
    Bits(Bits),
    /// `int`; only as shift amount, index or the like.
    Int(Box<BigInt>),
    /// `varbit<W>`; the width is the present one.
    Varbit(Box<Bits>),
    /// `string`, or a match kind.
    String(Name),
    /// `error`
    Error(u32),
    /// A member of a plain enum, or an action of `action_run`.
    Member(u32),
    /// A header.
    Header(Header),
    /// A struct, tuple or list.
    Struct(Box<[Value]>),
    /// A header union: its members, of which at most one is valid.
    Union(Box<[Value]>),
    /// A header stack or array.
    Stack(Stack),
    /// An object of the program.
    Object(InstanceId),
    /// A value set, by its position in the schema.
    ValueSet(u32),
    /// The packet that is being parsed.
    PacketIn,
    /// The packet that is being built.
    PacketOut,
}

/// A header. The fields of an invalid one are all zero, so that equal headers are equal values.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Whether it is valid.
    pub valid: bool,
    /// Its fields in order.
    pub fields: Box<[Value]>,
}

/// A stack.
#[derive(Clone, Debug)]
pub struct Stack {
    /// Its elements.
    pub elements: Box<[Value]>,
    /// `nextIndex`: the element that `next` is.
    pub next: u32,
}

/// Stacks are equal if their elements are (§8.18); the position of `next` is no part of that.
impl PartialEq for Stack {
    fn eq(&self, other: &Self) -> bool {
        self.elements == other.elements
    }
}

impl Value {
    /// A number.
    pub fn bits(width: u32, value: u128) -> Self {
        Value::Bits(Bits::new(width, value))
    }

    /// A `varbit` with so many bits at present.
    pub fn varbit(bits: Bits) -> Self {
        Value::Varbit(Box::new(bits))
    }

    /// The default value of a type (§7.3).
    pub fn default_of(program: &Program, ty: &Type) -> Self {
        match program.types.storage(ty) {
            Type::Bool => Value::Bool(false),
            Type::Int => Value::Int(Box::default()),
            Type::Bit(width) | Type::Signed(width) => Value::bits(*width, 0),
            Type::Varbit(_) => Value::varbit(Bits::zero(0)),
            Type::String | Type::MatchKind => Value::String("".into()),
            Type::Error => Value::Error(program.error_code("NoError").unwrap_or(0)),
            Type::Enum(_) | Type::ActionRun(_) => Value::Member(0),
            Type::Struct(id) => {
                let def = &program.types[*id];
                let fields = def.fields.iter().map(|f| Value::default_of(program, &f.ty)).collect();
                match def.kind {
                    StructKind::Struct => Value::Struct(fields),
                    StructKind::Header => Value::Header(Header { valid: false, fields }),
                    StructKind::Union => Value::Union(fields),
                }
            }
            Type::Stack(element, size) => {
                let element = Value::default_of(program, element);
                let elements = vec![element; *size as usize].into();
                Value::Stack(Stack { elements, next: 0 })
            }
            Type::Tuple(types) => {
                Value::Struct(types.iter().map(|t| Value::default_of(program, t)).collect())
            }
            Type::List(_) => Value::Struct(Box::default()),
            _ => Value::Absent,
        }
    }

    /// A compile-time value.
    pub fn from_const(program: &Program, value: &Const, ty: &Type) -> Self {
        let storage = program.types.storage(ty);
        match (value, storage) {
            (Const::Bool(b), _) => Value::Bool(*b),
            (Const::Int(n), Type::Bit(width) | Type::Signed(width)) => {
                Value::Bits(Bits::from_bigint(*width, n))
            }
            (Const::Int(n), Type::Varbit(_)) => Value::varbit(Bits::from_bigint(0, n)),
            (Const::Int(n), _) => Value::Int(Box::new(n.clone())),
            (Const::String(s) | Const::MatchKind(s), _) => Value::String(s.clone()),
            (Const::Error(code), _) => Value::Error(*code),
            (Const::Member(member), _) => Value::Member(*member),
            (Const::Aggregate(items), _) => {
                let element = |n: usize| -> &Type {
                    match storage {
                        Type::Struct(id) => {
                            program.types[*id].fields.get(n).map_or(&Type::Void, |f| &f.ty)
                        }
                        Type::Tuple(types) => types.get(n).unwrap_or(&Type::Void),
                        Type::Stack(ty, _) | Type::List(ty) => ty,
                        _ => &Type::Void,
                    }
                };
                let items = items
                    .iter()
                    .enumerate()
                    .map(|(n, item)| Value::from_const(program, item, element(n)))
                    .collect();
                Value::aggregate(program, storage, items)
            }
            (Const::Invalid, _) => Value::default_of(program, storage),
        }
    }

    /// All fields of a struct or header (which is valid then), or the elements of a tuple, list
    /// or stack; missing elements of a stack have their default value.
    pub fn aggregate(program: &Program, ty: &Type, items: Vec<Value>) -> Self {
        match program.types.storage(ty) {
            Type::Struct(id) => match program.types[*id].kind {
                StructKind::Struct => Value::Struct(items.into()),
                StructKind::Header => Value::Header(Header { valid: true, fields: items.into() }),
                StructKind::Union => Value::Union(items.into()),
            },
            Type::Stack(element, size) => {
                let mut items = items;
                items.resize(*size as usize, Value::default_of(program, element));
                Value::Stack(Stack { elements: items.into(), next: 0 })
            }
            _ => Value::Struct(items.into()),
        }
    }

    /// The truth value of a `bool`.
    pub fn is_true(&self) -> bool {
        matches!(self, Value::Bool(true))
    }

    /// Whether a header, or a member of a header union, is valid.
    pub fn is_valid(&self) -> bool {
        match self {
            Value::Header(header) => header.valid,
            Value::Union(members) => members.iter().any(Value::is_valid),
            _ => false,
        }
    }

    /// `setValid` of a header.
    pub fn set_valid(&mut self) {
        if let Value::Header(header) = self {
            header.valid = true;
        }
    }

    /// `setInvalid` of a header or of all members of a union.
    pub fn set_invalid(&mut self) {
        match self {
            Value::Header(header) if header.valid => {
                header.valid = false;
                header.fields.iter_mut().for_each(Value::clear);
            }
            Value::Union(members) => members.iter_mut().for_each(Value::set_invalid),
            _ => {}
        }
    }

    /// Back to zero; for what can be inside a header.
    fn clear(&mut self) {
        match self {
            Value::Bool(value) => *value = false,
            Value::Bits(bits) => *bits = Bits::zero(bits.width()),
            Value::Varbit(bits) => **bits = Bits::zero(0),
            Value::Member(member) => *member = 0,
            Value::Struct(fields) => fields.iter_mut().for_each(Value::clear),
            Value::Stack(stack) => stack.elements.iter_mut().for_each(Value::clear),
            other => other.set_invalid(),
        }
    }

    /// The fields, members or elements of a value that has such.
    pub fn parts(&self) -> Option<&[Value]> {
        match self {
            Value::Header(header) => Some(&header.fields),
            Value::Struct(parts) | Value::Union(parts) => Some(parts),
            Value::Stack(stack) => Some(&stack.elements),
            _ => None,
        }
    }

    /// The number that an amount, index or count is; the largest if it is beyond `u64`.
    pub fn to_u64(&self) -> u64 {
        match self {
            Value::Bits(bits) => bits.to_u64_saturating(),
            Value::Int(value) => u64::try_from(&**value).unwrap_or(u64::MAX),
            Value::Bool(value) => u64::from(*value),
            Value::Member(n) | Value::Error(n) => u64::from(*n),
            _ => 0,
        }
    }

    /// The value as one bit string, for keys and the control plane.
    pub fn to_bits(&self) -> Bits {
        match self {
            Value::Bits(bits) => bits.clone(),
            Value::Varbit(bits) => (**bits).clone(),
            Value::Bool(value) => Bits::from_bool(*value),
            Value::Member(n) | Value::Error(n) => Bits::new(32, u128::from(*n)),
            Value::Int(value) => Bits::from_bigint(64, value),
            other => other
                .parts()
                .into_iter()
                .flatten()
                .fold(Bits::zero(0), |sum, part| sum.concat(&part.to_bits())),
        }
    }

    /// The inverse of [`Value::to_bits`]: a value of a type from the control plane's number.
    pub fn from_bits(program: &Program, ty: &Type, bits: &Bits) -> Self {
        match program.types.storage(ty) {
            Type::Bool => Value::Bool(!bits.is_zero()),
            Type::Bit(width) | Type::Signed(width) => Value::Bits(bits.resize(*width)),
            Type::Varbit(_) => Value::varbit(bits.clone()),
            Type::Enum(_) => Value::Member(bits.low_u64() as u32),
            Type::Error => Value::Error(bits.low_u64() as u32),
            _ => {
                let bytes = bits.to_bytes_left_aligned();
                let reader = BitReader::new(&bytes);
                Value::read(program, ty, reader, &mut 0, 0)
                    .unwrap_or_else(|| Value::default_of(program, ty))
            }
        }
    }

    /// Reads a value from a packet and moves `offset` behind it; `None` past the end. The
    /// `varbit` field in it, if any, has `varbit_width` bits.
    pub fn read(
        program: &Program,
        ty: &Type,
        reader: BitReader<'_>,
        offset: &mut u64,
        varbit_width: u32,
    ) -> Option<Self> {
        let take = |width: u32, offset: &mut u64| {
            let bits = reader.read(*offset, width)?;
            *offset += u64::from(width);
            Some(bits)
        };
        Some(match program.types.storage(ty) {
            Type::Bool => Value::Bool(!take(1, offset)?.is_zero()),
            Type::Bit(width) | Type::Signed(width) => Value::Bits(take(*width, offset)?),
            Type::Varbit(_) => Value::varbit(take(varbit_width, offset)?),
            Type::Struct(id) => {
                let def = &program.types[*id];
                let fields = def
                    .fields
                    .iter()
                    .map(|f| Value::read(program, &f.ty, reader, offset, varbit_width))
                    .collect::<Option<Box<[Value]>>>()?;
                match def.kind {
                    StructKind::Struct => Value::Struct(fields),
                    StructKind::Header => Value::Header(Header { valid: true, fields }),
                    StructKind::Union => Value::Union(fields),
                }
            }
            Type::Stack(element, size) => {
                let elements = (0..*size)
                    .map(|_| Value::read(program, element, reader, offset, varbit_width))
                    .collect::<Option<Box<[Value]>>>()?;
                Value::Stack(Stack { elements, next: *size })
            }
            Type::Tuple(types) => Value::Struct(
                types
                    .iter()
                    .map(|t| Value::read(program, t, reader, offset, varbit_width))
                    .collect::<Option<Box<[Value]>>>()?,
            ),
            other => Value::default_of(program, other),
        })
    }

    /// Appends the value as it is on the wire; invalid headers append nothing.
    pub fn write(&self, writer: &mut BitWriter) {
        match self {
            Value::Bits(bits) => writer.write(bits),
            Value::Varbit(bits) => writer.write(bits),
            Value::Header(header) if !header.valid => {}
            Value::Absent | Value::String(_) => {}
            other => match other.parts() {
                Some(parts) => parts.iter().for_each(|part| part.write(writer)),
                None => writer.write(&other.to_bits()),
            },
        }
    }

    /// The value on the wire, padded with zero bits to whole bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = BitWriter::new();
        self.write(&mut writer);
        writer.into_bytes()
    }

    /// For people: numbers in hexadecimal, members by name.
    pub fn text(&self, program: &Program, ty: &Type) -> String {
        let mut text = String::new();
        self.append_text(program, ty, &mut text);
        text
    }

    fn append_text(&self, program: &Program, ty: &Type, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match (self, ty) {
            (Value::Absent, _) => write!(out, "-"),
            (Value::Bool(value), _) => write!(out, "{value}"),
            (Value::Bits(bits), _) => write!(out, "{bits}"),
            (Value::Varbit(bits), _) => write!(out, "{}w{bits}", bits.width()),
            (Value::Int(value), _) => write!(out, "{value}"),
            (Value::String(text), _) => write!(out, "{text}"),
            (Value::Error(code), _) => match program.errors.get(*code as usize) {
                Some(name) => write!(out, "error.{name}"),
                None => write!(out, "error {code}"),
            },
            (Value::Member(member), Type::Enum(id)) => {
                let def = &program.types[*id];
                match def.members.get(*member as usize) {
                    Some(m) => write!(out, "{}.{}", def.name, m.name),
                    None => write!(out, "{} {member}", def.name),
                }
            }
            (Value::Member(member), _) => write!(out, "{member}"),
            (Value::Object(id), _) => {
                let name = program.instances.get(id.index()).map_or("object", |i| &i.name);
                write!(out, "{name}")
            }
            (Value::ValueSet(_), _) => write!(out, "value set"),
            (Value::PacketIn | Value::PacketOut, _) => write!(out, "packet"),
            (Value::Header(header), _) if !header.valid => write!(out, "invalid"),
            (Value::Union(members), Type::Struct(id)) => {
                let def = &program.types[*id];
                match members.iter().zip(&def.fields).find(|(m, _)| m.is_valid()) {
                    Some((member, field)) => {
                        let _ = write!(out, "{}=", field.name);
                        member.append_text(program, &field.ty, out);
                        Ok(())
                    }
                    None => write!(out, "invalid"),
                }
            }
            (other, ty) => {
                out.push('{');
                for (n, part) in other.parts().into_iter().flatten().enumerate() {
                    if n > 0 {
                        out.push_str(", ");
                    }
                    match program.types.storage(ty) {
                        Type::Struct(id) => {
                            if let Some(field) = program.types[*id].fields.get(n) {
                                let _ = write!(out, "{}=", field.name);
                                part.append_text(program, &field.ty, out);
                            }
                        }
                        Type::Tuple(types) => {
                            part.append_text(program, types.get(n).unwrap_or(&Type::Void), out);
                        }
                        Type::Stack(element, _) | Type::List(element) => {
                            part.append_text(program, element, out);
                        }
                        _ => part.append_text(program, &Type::Void, out),
                    }
                }
                out.push('}');
                Ok(())
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_small() {
        assert!(size_of::<Value>() <= 32, "{}", size_of::<Value>());
    }

    #[test]
    fn invalid_headers_forget_their_fields() {
        let fields = Box::new([Value::bits(8, 7), Value::varbit(Bits::new(16, 1))]);
        let mut header = Value::Header(Header { valid: true, fields });
        header.set_invalid();
        assert!(!header.is_valid());
        header.set_valid();
        let zeros = Box::new([Value::bits(8, 0), Value::varbit(Bits::zero(0))]);
        assert_eq!(header, Value::Header(Header { valid: true, fields: zeros }));
    }

    #[test]
    fn stacks_compare_without_their_position() {
        let stack = |next| Value::Stack(Stack { elements: Box::new([Value::Bool(true)]), next });
        assert_eq!(stack(0), stack(1));
    }

    #[test]
    fn invalid_headers_leave_no_bytes() {
        let header =
            |valid| Value::Header(Header { valid, fields: Box::new([Value::bits(12, 0xabc)]) });
        let parts = vec![header(true), header(false), Value::bits(4, 0xd)];
        assert_eq!(Value::Struct(parts.into()).to_bytes(), [0xab, 0xcd]);
    }
}
