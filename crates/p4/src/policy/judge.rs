//! What a policy consists of.

use crate::architecture::Effect;
use crate::architecture::scheduler::{Argument, CONTROLS, INCLUDE, Kind, PACKAGE};
use crate::architecture::v1model::v1model;
use crate::ast::{self, DeclarationKind, ExpressionKind, StructKind};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::visit::{self, Visitor};
use crate::ir::{
    Call, Callee, Const, ConstructorValue, InstanceId, InstanceKind, Program, Signature, Stmt,
    StmtKind, Type,
};
use crate::print_ast;
use crate::source::Span;

/// Fields that the states of a node or a child may have.
const MAX_FIELDS: usize = 64;

/// The widest field, in bits.
const MAX_BITS: u32 = 512;

/// A policy.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The constructor call of each control, as P4; in the order of [`CONTROLS`].
    pub controls: Vec<Option<String>>,
    /// State of the node.
    pub node: State,
    /// State of a child.
    pub child: State,
    /// Whether `register` has the type of its index as a parameter (v1model from 20200408 on).
    pub(super) registers_name_index: bool,
}

impl Policy {
    /// Whether the policy has the control for this request.
    pub fn has(&self, kind: Kind) -> bool {
        self.controls.get(kind as usize).is_some_and(Option::is_some)
    }
}

/// A struct of states.
#[derive(Clone, Debug)]
pub struct State {
    /// Name of the struct.
    pub name: String,
    /// Its fields in order.
    pub fields: Vec<Field>,
}

impl State {
    /// Bytes in which it is carried ([`super::Layout::Carried`]): the fields, the first in the lowest bits, as one number
    /// in network byte order.
    pub fn bytes(&self) -> usize {
        self.fields.iter().map(|field| field.kind.bits() as usize).sum::<usize>().div_ceil(8)
    }
}

/// A field of a state.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: FieldKind,
}

/// Types that fields of states may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// `bool`
    Bool,
    /// `bit<W>`
    Bit(u32),
    /// `int<W>`
    Signed(u32),
}

impl FieldKind {
    /// How many bits it has.
    pub fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::Bit(bits) | Self::Signed(bits) => bits,
        }
    }
}

/// Whether `main` is a scheduling policy: the package of [`INCLUDE`], not another of that name.
pub fn is_policy(program: &Program) -> bool {
    let signature = program.main.and_then(|main| package(program, main));
    signature.is_some_and(|signature| {
        let names = signature.parameters.iter().map(|p| &*p.name);
        &*signature.name == PACKAGE && names.eq(CONTROLS.iter().map(|control| control.parameter))
    })
}

fn package(program: &Program, main: InstanceId) -> Option<&Signature> {
    match program[main].kind {
        InstanceKind::Package(id) => Some(&program.types[id].signature),
        _ => None,
    }
}

/// Reads a program that has been checked without errors as a policy. `None` if it is none, with errors
/// that say why.
pub fn judge(
    ast: &ast::Program,
    program: &Program,
    diagnostics: &mut Diagnostics,
) -> Option<Policy> {
    let Some(main) = program.main else {
        let message = "the file has no `main`: it is no scheduling policy";
        let help = format!("end it with `{PACKAGE}(MyPreEnqueue(), MyPostDequeue()) main;`");
        diagnostics.push(Diagnostic::error(Span::NONE, message).help(help));
        return None;
    };
    let at = program[main].span;
    if !is_policy(program) {
        let found = package(program, main).map_or("package", |signature| &signature.name);
        let message = format!("`main` is a `{found}`, which is no scheduling policy");
        let help =
            format!("a policy includes <{INCLUDE}> and has `{PACKAGE}(...) main;` of that file");
        diagnostics.push(Diagnostic::error(at, message).help(help));
        return None;
    }
    // The first control has both states among its parameters.
    let Some(ConstructorValue::Instance(first)) = program[main].arguments.first() else {
        diagnostics.error(at, format!("`main` has no control `{}`", CONTROLS[0].parameter));
        return None;
    };
    let InstanceKind::Control(first) = program[*first].kind else { return None };
    let parameter = |wanted| {
        let number = CONTROLS[0].arguments.iter().position(|argument| *argument == wanted)?;
        program[first].parameters.get(number)
    };
    let (node, child) = (parameter(Argument::Node)?, parameter(Argument::Child)?);
    let mut read = |owner, ty: &Type, span| state(program, owner, ty, span, diagnostics);
    let node = read("node", &node.ty, program[node.var].span);
    let child = read("child", &child.ty, program[child.var].span);
    let controls = constructors(ast, program, main, diagnostics);
    let allowed = deeds(program, diagnostics);
    let version = program.constants.iter().find(|(name, ..)| &**name == "__v1model_version");
    let registers_name_index = matches!(
        version,
        Some((_, _, Const::Int(value))) if *value >= 20_200_408.into()
    );
    let (controls, node, child) = (controls?, node?, child?);
    allowed.then_some(Policy { controls, node, child, registers_name_index })
}

/// Refuses what a policy cannot do: it has no packet, and it always comes to an end.
fn deeds(program: &Program, diagnostics: &mut Diagnostics) -> bool {
    struct Deeds<'p> {
        program: &'p Program,
        found: Vec<Diagnostic>,
    }
    impl Visitor for Deeds<'_> {
        fn statement(&mut self, s: &Stmt) {
            if matches!(s.kind, StmtKind::Exit) {
                let message = "a policy cannot `exit`: its states would not be kept";
                self.found.push(Diagnostic::error(s.span, message).help("use `return`"));
            }
        }

        fn call(&mut self, c: &Call) {
            let Callee::ExternFunction(id) = c.callee else { return };
            let name = &self.program[id].signature.name;
            let effect = v1model().function(name).map(|function| function.effect);
            let fine = [Effect::Pure, Effect::Random, Effect::Message];
            if effect.is_some_and(|effect| !fine.contains(&effect)) {
                let message = format!("`{name}` acts on a packet, and a policy has none");
                let help = "a policy says when a child sends; what becomes of packets is for the \
                            program that gets them";
                self.found.push(Diagnostic::error(c.span, message).help(help));
            }
        }
    }
    let mut deeds = Deeds { program, found: Vec::new() };
    visit::program(&mut deeds, program);
    let fine = deeds.found.is_empty();
    deeds.found.into_iter().for_each(|diagnostic| diagnostics.push(diagnostic));
    fine
}

fn state(
    program: &Program,
    owner: &str,
    ty: &Type,
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Option<State> {
    let types = &program.types;
    let Some(def) = types.as_kind(ty, StructKind::Struct) else {
        let message = format!("the state of a {owner} is a struct, not `{}`", types.display(ty));
        let help = "a policy without state has an empty one: `struct none_t { }`";
        diagnostics.push(Diagnostic::error(span, message).help(help));
        return None;
    };
    if !def.arguments.is_empty() {
        let message = format!("the state of a {owner} is a struct without type parameters");
        diagnostics.error(def.span, message);
        return None;
    }
    if def.fields.len() > MAX_FIELDS {
        let message = format!("the state of a {owner} has at most {MAX_FIELDS} fields");
        diagnostics.error(def.span, message);
        return None;
    }
    let mut fields = Vec::new();
    for field in &def.fields {
        let kind = match field.ty {
            Type::Bool => Some(FieldKind::Bool),
            Type::Bit(bits) if (1..=MAX_BITS).contains(&bits) => Some(FieldKind::Bit(bits)),
            Type::Signed(bits) if (1..=MAX_BITS).contains(&bits) => Some(FieldKind::Signed(bits)),
            _ => None,
        };
        match kind {
            Some(kind) => fields.push(Field { name: field.name.to_string(), kind }),
            None => {
                let message = format!(
                    "field `{}` of the state of a {owner} cannot be `{}`",
                    field.name,
                    types.display(&field.ty)
                );
                let help = format!(
                    "states are kept in registers: use bit<W> or int<W> with W from 1 to \
                     {MAX_BITS}, or bool"
                );
                diagnostics.push(Diagnostic::error(field.span, message).help(help));
            }
        }
    }
    (fields.len() == def.fields.len()).then(|| State { name: def.name.to_string(), fields })
}

/// The constructor calls of the controls, as they are written in `main`.
fn constructors(
    ast: &ast::Program,
    program: &Program,
    main: InstanceId,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Option<String>>> {
    let written = ast.declarations.iter().find_map(|d| match &d.kind {
        DeclarationKind::Instantiation(i) if &*i.name.name == "main" => Some(i),
        _ => None,
    })?;
    let mut calls = vec![None; CONTROLS.len()];
    for (number, argument) in written.arguments.iter().enumerate() {
        let number = match &argument.name {
            Some(name) => CONTROLS.iter().position(|control| control.parameter == &*name.name)?,
            None => number,
        };
        let is_there = !matches!(program[main].arguments.get(number)?, ConstructorValue::Absent);
        if !is_there {
            continue;
        }
        if !matches!(argument.value.kind, ExpressionKind::Call { .. }) {
            let message = "a control of a policy is made where it is given to the scheduler";
            diagnostics
                .push(Diagnostic::error(argument.span, message).help("write `MyControl()` here"));
            return None;
        }
        *calls.get_mut(number)? = Some(print_ast::expression(&argument.value));
    }
    Some(calls)
}
