//! Types: enums, headers, unions, the structs of headers and of metadata.

use super::Generator;
use crate::profile::Feature;
use crate::tree::*;

/// The metadata field that says whether a packet was recirculated.
pub const ONCE: &str = "once";

/// An enum.
#[derive(Clone, Debug)]
pub struct EnumType {
    /// The type.
    pub ty: Type,
    /// Its members.
    pub members: Vec<String>,
}

/// A header type.
#[derive(Clone, Debug)]
pub struct HeaderType {
    /// Name.
    pub name: String,
    /// Fields; the last one may be a `varbit`.
    pub fields: Vec<(String, Type)>,
}

impl HeaderType {
    /// The type.
    pub fn ty(&self) -> Type {
        Type::Named(self.name.clone())
    }

    /// The width of a `varbit` at the end.
    pub fn varbit(&self) -> Option<u32> {
        match self.fields.last() {
            Some((_, Type::Varbit(width))) => Some(*width),
            _ => None,
        }
    }
}

/// A struct.
#[derive(Clone, Debug)]
pub struct StructType {
    /// Name.
    pub name: String,
    /// Fields: all are scalars.
    pub fields: Vec<(String, Type)>,
}

/// A header union.
#[derive(Clone, Debug)]
pub struct UnionType {
    /// Name.
    pub name: String,
    /// Members: names and positions of header types.
    pub members: Vec<(String, usize)>,
}

/// A member of the struct of headers.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name.
    pub name: String,
    /// What it is.
    pub kind: MemberKind,
}

/// What a [`Member`] is; headers and unions by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A header.
    Header(usize),
    /// A stack of headers with this many elements.
    Stack(usize, u32),
    /// A union.
    Union(usize),
}

impl Generator<'_> {
    pub(super) fn types(&mut self) {
        let odd = self.random.between(1, 64) as u32;
        let odder = self.random.between(1, 128) as u32;
        self.widths = vec![8, 8, 16, 32, odd, odder, self.random.between(1, 9) as u32];
        self.names_of_numbers();
        self.enum_types();
        self.error_names();
        for _ in 0..self.random.between(self.profile.headers.0, self.profile.headers.1) {
            self.header_type();
        }
        // The length of the part is looked ahead at.
        if self.may(Feature::Varbit) && self.may(Feature::Lookahead) && self.random.chance(15) {
            self.varbit_type();
        }
        for _ in 0..self.random.between(1, 2) {
            self.struct_type();
        }
        self.constants();
        self.headers_struct();
        self.metadata_struct();
    }

    fn names_of_numbers(&mut self) {
        for is_new in [false, true] {
            if self.random.chance(50) {
                let name = self.fresh(if is_new { "new_" } else { "alias_" });
                let of = if is_new { Type::Bit(self.width()) } else { self.number_type() };
                self.declarations.push(Decl::Typedef(is_new, of.clone(), name.clone()));
                let of = Box::new(of);
                self.renamed.push(if is_new { Type::New(name, of) } else { Type::Alias(name, of) });
            }
        }
    }

    fn enum_types(&mut self) {
        for serializable in [false, true] {
            if !self.random.chance(60) {
                continue;
            }
            let name = self.fresh("enum_");
            let count = self.random.between(2, 5);
            let members: Vec<String> = (0..count).map(|_| self.fresh("M")).collect();
            let underlying = serializable.then(|| Type::Bit(self.random.between(3, 16) as u32));
            let values = (0..count as u64).map(|n| if serializable { Some(n) } else { None });
            let listed = members.iter().cloned().zip(values).collect();
            self.declarations.push(Decl::Enum(name.clone(), underlying.clone(), listed));
            self.enums.push(EnumType { ty: Type::Enum(name, underlying.map(Box::new)), members });
        }
    }

    fn error_names(&mut self) {
        self.errors = ["NoError", "PacketTooShort", "NoMatch"].map(String::from).to_vec();
        if self.random.chance(40) {
            let own = vec![self.fresh("Error"), self.fresh("Error")];
            self.errors.extend(own.clone());
            self.declarations.push(Decl::Errors(own));
        }
    }

    /// Fields that are whole bytes in all, though seldom each of them.
    fn header_type(&mut self) {
        let mut fields = Vec::new();
        let mut bits = 0;
        for _ in 0..self.random.between(1, 4) {
            let ty = self.wire_type();
            bits += ty.width().unwrap_or(0);
            fields.push((self.fresh("f"), ty));
        }
        if bits % 8 != 0 {
            let at = self.random.below(fields.len() + 1);
            fields.insert(at, (self.fresh("f"), Type::Bit(8 - bits % 8)));
        }
        self.add_header(fields);
    }

    /// A length in bytes in the first three bits, then a part of that length.
    fn varbit_type(&mut self) {
        let width = 8 * self.random.between(2, 7) as u32;
        let fields = vec![
            (self.fresh("len"), Type::Bit(3)),
            (self.fresh("f"), Type::Bit(13)),
            (self.fresh("vb"), Type::Varbit(width)),
        ];
        self.add_header(fields);
    }

    fn add_header(&mut self, fields: Vec<(String, Type)>) {
        let name = self.fresh("header_");
        self.declare_struct("header", &name, &fields);
        self.header_types.push(HeaderType { name, fields });
    }

    fn struct_type(&mut self) {
        let fields: Vec<_> = (0..self.random.between(2, 3))
            .map(|_| {
                let ty = self.wire_type();
                (self.fresh("s"), ty)
            })
            .collect();
        let name = self.fresh("struct_");
        self.declare_struct("struct", &name, &fields);
        self.struct_types.push(StructType { name, fields });
    }

    fn declare_struct(&mut self, word: &'static str, name: &str, fields: &[(String, Type)]) {
        let field = |(name, ty): &(String, Type)| Field {
            annotation: String::new(),
            ty: ty.clone(),
            name: name.clone(),
        };
        let fields = fields.iter().map(field).collect();
        self.declarations.push(Decl::Struct(word, name.to_owned(), fields));
    }

    fn constants(&mut self) {
        for _ in 0..self.random.below(3) {
            let ty = self.number_type();
            let value = self.literal(&ty);
            let name = self.fresh("CONST");
            self.declarations.push(Decl::Constant(ty.clone(), name.clone(), value));
            self.constants.push(Expr::name(name, ty));
        }
    }

    fn headers_struct(&mut self) {
        let plain: Vec<usize> = (0..self.header_types.len())
            .filter(|&h| self.header_types[h].varbit().is_none())
            .collect();
        for header in 0..self.header_types.len() {
            let name = self.fresh("h");
            self.members.push(Member { name, kind: MemberKind::Header(header) });
        }
        if self.may(Feature::Stacks) && self.random.chance(35) {
            let header = plain[self.random.below(plain.len())];
            let kind = MemberKind::Stack(header, self.random.between(2, 4) as u32);
            let name = self.fresh("stack");
            self.members.push(Member { name, kind });
        }
        if self.may(Feature::Unions) && plain.len() > 1 && self.random.chance(25) {
            let members: Vec<_> = plain.iter().take(3).map(|&h| (self.fresh("u"), h)).collect();
            let name = self.fresh("union_");
            let fields: Vec<_> =
                members.iter().map(|(n, h)| (n.clone(), self.header_types[*h].ty())).collect();
            self.declare_struct("header_union", &name, &fields);
            self.union_types.push(UnionType { name, members });
            let name = self.fresh("un");
            self.members.push(Member { name, kind: MemberKind::Union(0) });
        }
        let fields: Vec<_> =
            self.members.iter().map(|m| (m.name.clone(), self.member_type(m.kind))).collect();
        self.declare_struct("struct", "headers_t", &fields);
    }

    pub(super) fn member_type(&self, kind: MemberKind) -> Type {
        match kind {
            MemberKind::Header(h) => self.header_types[h].ty(),
            MemberKind::Stack(h, size) => Type::Stack(Box::new(self.header_types[h].ty()), size),
            MemberKind::Union(u) => Type::Named(self.union_types[u].name.clone()),
        }
    }

    fn metadata_struct(&mut self) {
        let mut types = vec![Type::Bit(8), Type::Bit(16), Type::Bool];
        for _ in 0..self.random.between(2, 4) {
            types.push(self.scalar_type());
        }
        if self.random.chance(60) {
            types.push(Type::Named(self.struct_types[0].name.clone()));
        }
        if self.random.chance(15) {
            types.push(self.header_types[0].ty());
        }
        let annotation = "@field_list(1, 2)".to_owned();
        self.metadata.push(Field { annotation, ty: Type::Bit(1), name: ONCE.to_owned() });
        let header = self.header_types[0].ty();
        for ty in types {
            let annotation = if ty != header && self.random.chance(40) {
                format!("@field_list({})", self.random.between(1, 2))
            } else {
                String::new()
            };
            let name = self.fresh("m");
            self.metadata.push(Field { annotation, ty, name });
        }
        let declaration = Decl::Struct("struct", "meta_t".into(), self.metadata.clone());
        self.declarations.push(declaration);
    }
}
