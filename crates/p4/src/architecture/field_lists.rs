//! `@field_list(n, ...)` on metadata fields: what survives cloning, resubmission and
//! recirculation.

use super::Role;
use crate::ast::{Annotation, AnnotationBody};
use crate::ir::{Const, Program, Type};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// Which of the two metadata structs a [`FieldPath`] starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MetadataRoot {
    /// The user's.
    User,
    /// The switch's.
    Intrinsic,
}

impl MetadataRoot {
    /// The parameters that hold it.
    pub fn role(self) -> Role {
        match self {
            MetadataRoot::User => Role::Metadata,
            MetadataRoot::Intrinsic => Role::Intrinsic,
        }
    }
}

/// A field, or a whole struct, of the metadata.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldPath {
    /// Where it starts.
    pub root: MetadataRoot,
    /// Positions of the fields on the way; empty for all of the root.
    pub fields: Vec<u32>,
}

/// The field lists of a program by number, given the types of both metadata structs.
pub fn field_lists(
    program: &Program,
    metadata: &Type,
    intrinsic: &Type,
) -> BTreeMap<u64, Vec<FieldPath>> {
    let mut lists = BTreeMap::new();
    for (root, ty) in [(MetadataRoot::User, metadata), (MetadataRoot::Intrinsic, intrinsic)] {
        collect(program, ty, &mut FieldPath { root, fields: Vec::new() }, &mut lists);
    }
    lists
}

fn collect(
    program: &Program,
    ty: &Type,
    path: &mut FieldPath,
    lists: &mut BTreeMap<u64, Vec<FieldPath>>,
) {
    let Some(def) = program.types.as_struct(ty) else { return };
    for (position, field) in def.fields.iter().enumerate() {
        path.fields.push(position as u32);
        for number in numbers(program, &field.annotations) {
            lists.entry(number).or_default().push(path.clone());
        }
        collect(program, &field.ty, path, lists);
        path.fields.pop();
    }
}

/// The numbers in all `@field_list` annotations: literals, named constants, or members of a
/// serializable enum.
fn numbers(program: &Program, annotations: &[Annotation]) -> Vec<u64> {
    let mut found = Vec::new();
    for annotation in annotations.iter().filter(|a| &*a.name.name == "field_list") {
        let AnnotationBody::Unstructured(tokens) = &annotation.body else { continue };
        for item in tokens.split(|t| &*t.text == ",") {
            let texts: Vec<&str> = item.iter().map(|t| &*t.text).filter(|t| *t != ".").collect();
            let number = match texts.as_slice() {
                [one] => literal(one).or_else(|| constant(program, one)),
                [enumeration, member] => enum_member(program, enumeration, member),
                _ => None,
            };
            found.extend(number);
        }
    }
    found
}

fn literal(text: &str) -> Option<u64> {
    let text = text.replace('_', "");
    let digits = match text.find(['w', 's']) {
        Some(at) if text.starts_with(|c: char| c.is_ascii_digit()) => &text[at + 1..],
        _ => &text,
    };
    let (radix, digits) = match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (16, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0d") => (10, &digits[2..]),
        _ => (10, digits),
    };
    u64::from_str_radix(digits, radix).ok()
}

fn constant(program: &Program, name: &str) -> Option<u64> {
    match program.constants.iter().find(|(n, _, _)| &**n == name)? {
        (_, _, Const::Int(value)) => value.to_u64(),
        _ => None,
    }
}

fn enum_member(program: &Program, enumeration: &str, member: &str) -> Option<u64> {
    let def = program.types.enums.iter().find(|e| &*e.name == enumeration)?;
    let member = def.members.iter().find(|m| &*m.name == member)?;
    member.value.as_ref()?.to_u64()
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn literals() {
        assert_eq!(literal("12"), Some(12));
        assert_eq!(literal("8w3"), Some(3));
        assert_eq!(literal("8w0x1F"), Some(31));
        assert_eq!(literal("0b1_01"), Some(5));
        assert_eq!(literal("LIST"), None);
    }
}
