//! Name resolution and type checking: from the syntax tree to the typed IR.
//!
//! One walk in source order, because P4 requires declaration before use (§6.6). Each expression
//! is typed, folded if it is constant, and lowered to the IR at once. A generic function is
//! checked twice: once as declared, for its errors, and once per set of type arguments, for its
//! code.

mod actions;
mod arguments;
mod calls;
mod coerce;
mod constructors;
mod context;
mod controls;
mod core_methods;
mod declarations;
mod elaborate;
mod entries;
mod expressions;
mod fold;
mod functions;
mod members;
mod mistakes;
mod modules;
mod nesting;
mod operators;
mod parameters;
mod parsers;
mod scope;
mod statements;
mod tables;
mod type_expressions;
mod unify;

use crate::ast;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{self, Type};
use crate::source::{SourceMap, Span};
use context::Context;
pub(crate) use elaborate::control_plane_name;
use scope::Scopes;
use std::collections::{HashMap, HashSet};
pub(crate) use tables::string_annotation;

/// Checks a program. Errors and warnings go to `diagnostics`; the result is fit for execution only
/// if there were no errors.
pub fn check(
    program: &ast::Program,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> ir::Program {
    let mut checker = Checker {
        sources,
        diagnostics,
        program: ir::Program::default(),
        scopes: Scopes::new(),
        context: Context::default(),
        muted: 0,
        inferred: Vec::new(),
        trail: Vec::new(),
        structs: Vec::new(),
        struct_origin: Vec::new(),
        struct_leaves: Vec::new(),
        struct_cache: HashMap::new(),
        functions: Vec::new(),
        specialised: HashMap::new(),
        parser_heads: Vec::new(),
        control_heads: Vec::new(),
        action_heads: Vec::new(),
        nameless: Vec::new(),
        constructed: HashMap::new(),
        table_names: HashMap::new(),
        depth: 0,
        ahead: vec![&program.declarations],
        statement_call: None,
        receiver: None,
        compared: 0,
        positions: HashMap::new(),
        error_codes: HashMap::new(),
        choices: HashMap::new(),
        function_heads: HashMap::new(),
        match_kinds: HashSet::new(),
    };
    checker.predefine();
    for declaration in &program.declarations {
        checker.top_level(declaration);
    }
    checker.resolve_modules();
    checker.check_main();
    if !checker.diagnostics.has_errors() {
        checker.elaborate();
    }
    checker.program
}

/// The state of one check.
pub(crate) struct Checker<'a> {
    sources: &'a SourceMap,
    diagnostics: &'a mut Diagnostics,
    program: ir::Program,
    scopes: Scopes,
    context: Context,
    /// Above zero while a body is checked again for other type arguments.
    muted: u32,
    /// What each [`Type::Infer`] stands for.
    inferred: Vec<Option<Type>>,
    /// Inference variables in the order in which they were bound.
    trail: Vec<u32>,
    structs: Vec<declarations::StructInfo<'a>>,
    /// For each [`ir::StructId`] the index in `structs`.
    struct_origin: Vec<usize>,
    /// For each [`ir::StructId`] how many scalar values it holds.
    struct_leaves: Vec<u64>,
    struct_cache: HashMap<(usize, Vec<Type>), ir::StructId>,
    functions: Vec<functions::FunctionInfo<'a>>,
    specialised: HashMap<(usize, Vec<Type>), ir::FunctionId>,
    /// Parameters of each parser with names and defaults.
    parser_heads: Vec<constructors::Head>,
    /// Parameters of each control with names and defaults.
    control_heads: Vec<constructors::Head>,
    /// Parameters of each action with names and defaults.
    action_heads: Vec<Vec<ir::ParameterDef>>,
    /// Instances that direct applications made in the parser or control under check.
    nameless: Vec<ir::InstanceDeclaration>,
    /// Objects that table properties make, by the variables given to them.
    constructed: HashMap<ir::VarId, ir::InstanceDeclaration>,
    /// Control-plane names of the tables made so far.
    table_names: HashMap<String, (ir::TableId, ir::InstanceId, Span)>,
    /// Specialisations in progress, to stop polymorphic recursion.
    depth: u32,
    /// The declarations at the top level, and of the control or parser around: what a name may be declared as later.
    ahead: Vec<&'a [ast::Declaration]>,
    /// The call that is a statement: its value is not used.
    statement_call: Option<Span>,
    /// The value that an assignment or declaration stores, and the place that it is stored in.
    receiver: Option<(Span, Span)>,
    /// Names that were compared for spelling suggestions.
    compared: usize,
    /// Members and fields by name, of the enums and structs that have many.
    positions: HashMap<members::Holder, HashMap<ast::Name, usize>>,
    /// The members of `error` with their values.
    error_codes: HashMap<ast::Name, u32>,
    /// The actions of the table under check, with their positions.
    choices: HashMap<ir::ActionId, usize>,
    /// The functions that are declared, by their names and those of their parameters.
    function_heads: HashMap<(ast::Name, Vec<ast::Name>), scope::FunctionRef>,
    /// The match kinds.
    match_kinds: HashSet<ast::Name>,
}

impl<'a> Checker<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.muted == 0 {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(span, message));
    }

    /// A new variable.
    fn variable(&mut self, name: &ast::Ident, ty: Type, kind: ir::VariableKind) -> ir::VarId {
        let id = ir::VarId(self.program.variables.len() as u32);
        let variable = ir::Variable { name: name.name.clone(), ty, kind, span: name.span };
        self.program.variables.push(variable);
        id
    }

    /// A type for people to read.
    fn show(&self, ty: &Type) -> String {
        match self.resolve(ty) {
            Type::Parser(id) => format!("parser {}", self.program[id].name),
            Type::Control(id) => format!("control {}", self.program[id].name),
            ty => self.program.types.display(&ty),
        }
    }

    /// Names and types that exist without any include.
    fn predefine(&mut self) {
        self.program.errors.clear();
        self.program.match_kinds.clear();
    }
}
