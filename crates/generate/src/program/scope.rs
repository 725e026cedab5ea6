//! What can be named at a place of the program.

use super::Generator;
use super::types::{MemberKind, ONCE};
use crate::tree::*;

/// Which block of the package a place belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Code of the top level, for any block.
    #[default]
    Anywhere,
    /// The parser or a part of it.
    Parser,
    /// Verification or computation of checksums.
    Checksum,
    /// Ingress.
    Ingress,
    /// Egress.
    Egress,
    /// The deparser.
    Deparser,
}

/// What kind of body a place is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Body {
    /// A function.
    #[default]
    Function,
    /// An action.
    Action,
    /// The `apply` of a control.
    Apply,
    /// A parser state.
    State,
}

/// Something scalar that can be read.
#[derive(Clone, Debug)]
pub struct Var {
    /// How it is called.
    pub expr: Expr,
    /// Whether it can be written.
    pub writable: bool,
    /// Whether its value is known when the program is compiled.
    pub constant: bool,
}

/// A header, or a stack of them if it has a size.
#[derive(Clone, Debug)]
pub struct Place {
    /// How it is called.
    pub expr: Expr,
    /// The header type.
    pub header: usize,
    /// Elements of a stack.
    pub size: Option<u32>,
    /// Whether it can be written.
    pub writable: bool,
}

/// A struct as a whole.
#[derive(Clone, Debug)]
pub struct StructPlace {
    /// How it is called.
    pub expr: Expr,
    /// Types of its fields by name.
    pub fields: Vec<(String, Type)>,
    /// Whether it can be written.
    pub writable: bool,
}

/// An object of the architecture.
#[derive(Clone, Debug)]
pub struct Object {
    /// `register`, `counter`, `meter`, `direct_meter`, `direct_counter`.
    pub kind: &'static str,
    /// Name.
    pub name: String,
    /// Type of a cell or of a result.
    pub ty: Type,
    /// Cells.
    pub size: u32,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct FunctionHead {
    /// Name.
    pub name: String,
    /// Parameters.
    pub params: Vec<Param>,
    /// Result.
    pub result: Type,
}

/// A table that can be applied.
#[derive(Clone, Debug)]
pub struct TableHead {
    /// Name.
    pub name: String,
    /// Its actions.
    pub actions: Vec<String>,
}

/// Everything that can be named.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Scalars.
    pub vars: Vec<Var>,
    /// Headers and stacks.
    pub places: Vec<Place>,
    /// Unions: how they are called, and their position among the union types.
    pub unions: Vec<(Expr, usize)>,
    /// Structs.
    pub structs: Vec<StructPlace>,
    /// Objects.
    pub objects: Vec<Object>,
    /// Functions and directly callable actions.
    pub functions: Vec<FunctionHead>,
    /// Instances of sub-controls and sub-parsers; `result` is void.
    pub blocks: Vec<FunctionHead>,
    /// Tables.
    pub tables: Vec<TableHead>,
    /// Which block.
    pub stage: Stage,
    /// What kind of body.
    pub body: Body,
    /// Whether `standard_metadata` is there, as `sm`.
    pub intrinsic: bool,
    /// Loops around the place.
    pub loops: usize,
    /// What a function returns.
    pub result: Option<Type>,
}

impl Generator<'_> {
    /// Adds a value that is called `expr`, with its parts.
    pub(super) fn name_value(&mut self, expr: Expr, writable: bool) {
        match expr.ty.plain().clone() {
            Type::Named(name) => self.name_parts(expr, &name, writable),
            Type::Tuple(types) => {
                for (n, ty) in types.into_iter().enumerate() {
                    let index = Expr::number(n, Type::Void);
                    // Elements of tuples are no l-values.
                    self.name_value(expr.clone().index(index, ty), false);
                }
            }
            Type::Varbit(_) => {}
            _ => self.scope.vars.push(Var { expr, writable, constant: false }),
        }
    }

    fn name_parts(&mut self, expr: Expr, name: &str, writable: bool) {
        if let Some(header) = self.header_types.iter().position(|h| h.name == name) {
            for (field, ty) in self.header_types[header].fields.clone() {
                self.name_value(expr.clone().member(field, ty), writable);
            }
            self.scope.places.push(Place { expr, header, size: None, writable });
        } else if let Some(found) = self.struct_types.iter().find(|s| s.name == name) {
            let fields = found.fields.clone();
            for (field, ty) in fields.clone() {
                self.name_value(expr.clone().member(field, ty), writable);
            }
            self.scope.structs.push(StructPlace { expr, fields, writable });
        } else if name == "meta_t" {
            for field in self.metadata.clone() {
                let writable = writable && field.name != ONCE;
                self.name_value(expr.clone().member(field.name, field.ty), writable);
            }
        } else if name == "headers_t" {
            for member in self.members.clone() {
                let whole = expr.clone().member(member.name, self.member_type(member.kind));
                self.name_member(whole, member.kind, writable);
            }
        }
    }

    fn name_member(&mut self, whole: Expr, kind: MemberKind, writable: bool) {
        match kind {
            MemberKind::Header(_) => self.name_value(whole, writable),
            MemberKind::Stack(header, size) => {
                let ty = self.header_types[header].ty();
                for n in 0..size {
                    let index = Expr::number(n, Type::Void);
                    self.name_value(whole.clone().index(index, ty.clone()), writable);
                }
                self.scope.places.push(Place { expr: whole, header, size: Some(size), writable });
            }
            MemberKind::Union(union) => {
                for (name, header) in self.union_types[union].members.clone() {
                    let ty = self.header_types[header].ty();
                    self.name_value(whole.clone().member(name, ty), writable);
                }
                if writable {
                    self.scope.unions.push((whole, union));
                }
            }
        }
    }

    /// Starts the scope of a block of the package.
    pub(super) fn open(&mut self, stage: Stage, body: Body, params: &[Param]) {
        self.scope = Scope { stage, body, ..Scope::default() };
        self.scope.functions = self.functions.clone();
        self.scope.objects = match stage {
            Stage::Ingress | Stage::Egress => self.global_objects.clone(),
            _ => Vec::new(),
        };
        for constant in self.constants.clone() {
            self.scope.vars.push(Var { expr: constant, writable: false, constant: true });
        }
        self.name_params(params);
    }

    /// Adds parameters.
    pub(super) fn name_params(&mut self, params: &[Param]) {
        for param in params {
            let writable = matches!(param.direction, "out" | "inout");
            if param.ty == Type::Named("standard_metadata_t".into()) {
                self.intrinsic_fields();
            } else {
                self.name_value(Expr::name(param.name.clone(), param.ty.clone()), writable);
            }
        }
    }

    fn intrinsic_fields(&mut self) {
        self.scope.intrinsic = true;
        let mut fields = vec![
            ("ingress_port", Type::Bit(9)),
            ("packet_length", Type::Bit(32)),
            ("instance_type", Type::Bit(32)),
            ("parser_error", Type::Error),
            ("checksum_error", Type::Bit(1)),
            ("ingress_global_timestamp", Type::Bit(48)),
            ("priority", Type::Bit(3)),
        ];
        if self.scope.stage == Stage::Egress {
            fields.extend([
                ("egress_port", Type::Bit(9)),
                ("egress_rid", Type::Bit(16)),
                ("enq_qdepth", Type::Bit(19)),
                ("deq_qdepth", Type::Bit(19)),
                ("egress_global_timestamp", Type::Bit(48)),
            ]);
        }
        // Two or three of them, lest they crowd out the rest.
        for _ in 0..3 {
            let at = self.random.below(fields.len());
            let (name, ty) = fields.swap_remove(at);
            let expr = Expr::symbol("sm").member(name, ty);
            let writable = name == "priority" && self.scope.stage == Stage::Ingress;
            self.scope.vars.push(Var { expr, writable, constant: false });
        }
    }

    /// Makes something in a scope of its own.
    pub(super) fn nested<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let lengths = (self.scope.vars.len(), self.scope.places.len(), self.scope.structs.len());
        let made = make(self);
        self.scope.vars.truncate(lengths.0);
        self.scope.places.truncate(lengths.1);
        self.scope.structs.truncate(lengths.2);
        made
    }

    /// Something with a value unknown at compile time, and of this type if there is one.
    pub(super) fn variable(&mut self, accept: impl Fn(&Var) -> bool) -> Option<Expr> {
        let fitting: Vec<&Var> = self.scope.vars.iter().filter(|v| accept(v)).collect();
        self.random.pick(&fitting).map(|v| v.expr.clone())
    }

    /// Something that can be written, of this type.
    pub(super) fn writable(&mut self, ty: &Type) -> Option<Expr> {
        self.variable(|v| v.writable && v.expr.ty.plain() == ty.plain())
    }
}

/// A parameter.
pub fn param(direction: &'static str, ty: Type, name: impl Into<String>) -> Param {
    Param { direction, ty, name: name.into() }
}
