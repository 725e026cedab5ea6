//! Makes programs.
//!
//! [`generate`] builds the types first, then functions, sub-parsers and sub-controls, then the six
//! blocks of the package. Everything that can be read or written at a place stands in a
//! [`Scope`](scope::Scope); expressions are made from the type that is wanted downwards.

mod controls;
mod expressions;
mod externs;
mod numbers;
mod parsers;
mod scope;
mod statements;
mod tables;
mod transfers;
mod types;

use crate::pool::Pool;
use crate::profile::{Feature, Profile};
use crate::random::Random;
use crate::tree::*;
use num_bigint::BigUint;
use scope::{FunctionHead, Object, Scope};
use types::{EnumType, HeaderType, Member, StructType, UnionType};

/// The program of a seed.
pub fn generate(seed: u64, profile: &Profile) -> Program {
    let mut generator = Generator::new(seed, profile);
    generator.program()
}

/// The state of generation.
struct Generator<'p> {
    random: Random,
    profile: &'p Profile,
    pool: Pool,
    version: u32,
    names: usize,
    /// Widths that the program uses again and again.
    widths: Vec<u32>,
    enums: Vec<EnumType>,
    /// Types that are other names of numbers: `typedef` and `type`.
    renamed: Vec<Type>,
    errors: Vec<String>,
    header_types: Vec<HeaderType>,
    union_types: Vec<UnionType>,
    struct_types: Vec<StructType>,
    /// Members of the struct of headers.
    members: Vec<Member>,
    /// Fields of the struct of metadata.
    metadata: Vec<Field>,
    constants: Vec<Expr>,
    functions: Vec<FunctionHead>,
    /// Registers of the top level.
    global_objects: Vec<Object>,
    declarations: Vec<Decl>,
    scope: Scope,
}

impl<'p> Generator<'p> {
    fn new(seed: u64, profile: &'p Profile) -> Self {
        let mut random = Random::new(seed);
        let version = if random.chance(30) { GENERIC_INDICES } else { 20_180_101 };
        Self {
            random,
            profile,
            pool: Pool::new(seed),
            version,
            names: 0,
            widths: Vec::new(),
            enums: Vec::new(),
            renamed: Vec::new(),
            errors: Vec::new(),
            header_types: Vec::new(),
            union_types: Vec::new(),
            struct_types: Vec::new(),
            members: Vec::new(),
            metadata: Vec::new(),
            constants: Vec::new(),
            functions: Vec::new(),
            global_objects: Vec::new(),
            declarations: Vec::new(),
            scope: Scope::default(),
        }
    }

    fn program(&mut self) -> Program {
        self.types();
        self.global_registers();
        for _ in 0..self.random.below(3) {
            self.function();
        }
        self.parser();
        self.verify_control();
        self.ingress();
        self.egress();
        self.compute_control();
        self.deparser();
        Program { version: self.version, declarations: std::mem::take(&mut self.declarations) }
    }

    /// Whether the profile allows a feature.
    fn may(&self, feature: Feature) -> bool {
        !self.profile.without.contains(feature)
    }

    /// A name that nothing else has.
    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A value of `width` bits.
    fn value(&mut self, width: u32) -> BigUint {
        self.pool.value(&mut self.random, width)
    }

    /// One of the program's usual widths, or another.
    fn width(&mut self) -> u32 {
        if self.may(Feature::Wide) && self.random.chance(self.profile.wide_widths) {
            return self.random.between(129, 300) as u32;
        }
        if self.random.chance(self.profile.odd_widths / 3) {
            return self.random.between(1, 128) as u32;
        }
        self.widths[self.random.below(self.widths.len())]
    }

    /// A number type: `bit`, at times `int`.
    fn number_type(&mut self) -> Type {
        let width = self.width();
        if self.random.chance(25) { Type::Int(width) } else { Type::Bit(width) }
    }

    /// A type for variables, parameters and fields of structs.
    fn scalar_type(&mut self) -> Type {
        match self.random.below(20) {
            0 | 1 => Type::Bool,
            2 => Type::Error,
            3 | 4 => match self.random.pick(&self.enums) {
                Some(found) => found.ty.clone(),
                None => Type::Bool,
            },
            5 | 6 => match self.random.pick(&self.renamed) {
                Some(found) => found.clone(),
                None => Type::Bool,
            },
            _ => self.number_type(),
        }
    }

    /// A type of a fixed number of bits, as headers, keys and registers take.
    fn wire_type(&mut self) -> Type {
        let ty = self.scalar_type();
        if ty.width().is_some() { ty } else { self.number_type() }
    }
}
