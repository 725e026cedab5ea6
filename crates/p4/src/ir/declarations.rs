//! Declarations: functions, parsers, controls, tables, and the tree of instances.

use super::{
    ActionId, ApplyTypeId, Block, CallArgument, Const, ConstructorValue, ControlId, Direction,
    Expr, ExternFunctionId, ExternId, FunctionId, InstanceId, KeySet, Name, ParserId, Span, Stmt,
    TableId, Type, TypeParameterId, Types, VarId,
};
use crate::architecture::Architecture;
use crate::ast::Annotation;

/// A checked program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Types.
    pub types: Types,
    /// All `error` members; the index is the value.
    pub errors: Vec<Name>,
    /// All match kinds.
    pub match_kinds: Vec<Name>,
    /// All variables, parameters, local instances and value sets.
    pub variables: Vec<Variable>,
    /// Functions, specialised.
    pub functions: Vec<Function>,
    /// Functions of the architecture.
    pub extern_functions: Vec<ExternFunction>,
    /// Actions, top-level ones and those of controls.
    pub actions: Vec<Action>,
    /// Tables of all controls.
    pub tables: Vec<Table>,
    /// Parsers.
    pub parsers: Vec<Parser>,
    /// Controls.
    pub controls: Vec<Control>,
    /// Named compile-time constants of the top level, for tools.
    pub constants: Vec<(Name, Type, Const)>,
    /// Instances at the top level in order; `main` is one of them.
    pub top_level: Vec<InstanceDeclaration>,
    /// The tree of objects that exists when the program is loaded (§18); parents come first.
    pub instances: Vec<Instance>,
    /// Objects of the top level by their variables; visible everywhere.
    pub globals: Vec<(VarId, InstanceId)>,
    /// The instance named `main`, if there is one.
    pub main: Option<InstanceId>,
    /// Architectures beside those that come with Wirewright; they are looked at first.
    pub architectures: Vec<&'static Architecture>,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// Declared in a block, parser, control or loop.
    Local,
    /// Parameter of a function, action, parser or control.
    Parameter(Direction),
    /// Constructor parameter: fixed per instance, see [`Instance::bindings`].
    ConstructorParameter,
    /// An object declared by an instantiation, see [`Instance::bindings`].
    Instance,
    /// A `value_set`.
    ValueSet,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Name.
    pub name: Name,
    /// Type.
    pub ty: Type,
    /// What it is.
    pub kind: VariableKind,
    /// Where it was declared.
    pub span: Span,
}

/// The head of a callable as declared.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Name.
    pub name: Name,
    /// Type parameters.
    pub type_parameters: Vec<TypeParameterId>,
    /// Parameters.
    pub parameters: Vec<ParameterDef>,
    /// Return type.
    pub return_type: Type,
    /// Where.
    pub span: Span,
}

/// A parameter of a [`Signature`].
#[derive(Clone, Debug)]
pub struct ParameterDef {
    /// Name.
    pub name: Name,
    /// Direction.
    pub direction: Direction,
    /// Type.
    pub ty: Type,
    /// May be left out (`@optional`).
    pub optional: bool,
    /// The default value, a compile-time expression.
    pub default: Option<Expr>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Where.
    pub span: Span,
}

/// A parameter of a callable with a body.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its variable.
    pub var: VarId,
    /// Direction.
    pub direction: Direction,
    /// Type.
    pub ty: Type,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// A function with a body; abstract methods' bodies too.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name.
    pub name: Name,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Return type.
    pub return_type: Type,
    /// Body.
    pub body: Block,
    /// The name's place.
    pub span: Span,
}

/// A function of the architecture, or a module of hardware. Overloads are separate entries.
#[derive(Clone, Debug)]
pub struct ExternFunction {
    /// Head.
    pub signature: Signature,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The module that it is: `@ww_module("name", latency = 3)`.
    pub module: Option<HardwareModule>,
    /// The function of the program that does the same (`@ww_model("function")`), which engines in
    /// software call.
    pub model: Option<FunctionId>,
}

/// A module of hardware that an extern function stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardwareModule {
    /// Its name in SystemVerilog.
    pub name: Name,
    /// Clocks from a call to its results; at least 1.
    pub latency: u32,
    /// Whether results depend on the arguments of the call alone.
    pub stateless: bool,
}

/// An action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Name in the source.
    pub name: Name,
    /// The control that it belongs to; `None` at the top level.
    pub control: Option<ControlId>,
    /// Parameters: first those with a direction, then the control plane's.
    pub parameters: Vec<Parameter>,
    /// Body.
    pub body: Block,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// An instantiation in the source.
#[derive(Clone, Debug)]
pub struct InstanceDeclaration {
    /// The variable that holds the object; `None` for a nameless one.
    pub var: Option<VarId>,
    /// Name in the source; for a nameless one that of its type.
    pub name: Name,
    /// [`Type::Extern`], [`Type::Apply`] (package), [`Type::Parser`] or [`Type::Control`].
    pub ty: Type,
    /// Which constructor of an extern.
    pub constructor: u32,
    /// Arguments in parameter order; `None` for an absent `@optional`.
    pub arguments: Vec<Option<Expr>>,
    /// Bodies of abstract methods: method position and function.
    pub methods: Vec<(u32, FunctionId)>,
    /// Instances declared inside the object initialiser.
    pub inner: Vec<InstanceDeclaration>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Where.
    pub span: Span,
}

/// Something declared inside a parser or control, in order.
#[derive(Clone, Debug)]
pub enum Local {
    /// A variable, initialised on every invocation.
    Variable(VarId, Option<Expr>),
    /// An object.
    Instance(InstanceDeclaration),
    /// A value set of at most this many members (a size below zero was rejected).
    ValueSet {
        /// Its variable, of type [`Type::ValueSet`].
        var: VarId,
        /// Capacity.
        size: u64,
        /// Annotations.
        annotations: Vec<Annotation>,
    },
}

/// A parser.
#[derive(Clone, Debug)]
pub struct Parser {
    /// Name.
    pub name: Name,
    /// Apply parameters.
    pub parameters: Vec<Parameter>,
    /// Constructor parameters.
    pub constructor: Vec<Parameter>,
    /// Locals in order.
    pub locals: Vec<Local>,
    /// States; [`Parser::start`] is the first to run.
    pub states: Vec<State>,
    /// Position of `start`.
    pub start: u32,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// A parser state.
#[derive(Clone, Debug)]
pub struct State {
    /// Name.
    pub name: Name,
    /// Statements.
    pub body: Vec<Stmt>,
    /// Where it goes.
    pub transition: Transition,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// The end of a state.
#[derive(Clone, Debug)]
pub enum Transition {
    /// Unconditional.
    Direct(Target),
    /// `select`; without a fitting case the parser rejects with `error.NoMatch`.
    Select {
        /// Evaluated once, left to right.
        values: Vec<Expr>,
        /// In order; the first that fits is taken.
        cases: Vec<SelectCase>,
    },
}

/// A case of a `select`.
#[derive(Clone, Debug)]
pub struct SelectCase {
    /// One set per value; or a single [`KeySet::Any`] or [`KeySet::ValueSet`] for all of them.
    pub sets: Vec<KeySet>,
    /// Where to.
    pub target: Target,
    /// Where it was written.
    pub span: Span,
}

/// A state to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A state of the parser, by position.
    State(u32),
    /// `accept`
    Accept,
    /// `reject`
    Reject,
}

/// A control.
#[derive(Clone, Debug)]
pub struct Control {
    /// Name.
    pub name: Name,
    /// Apply parameters.
    pub parameters: Vec<Parameter>,
    /// Constructor parameters.
    pub constructor: Vec<Parameter>,
    /// Locals in order.
    pub locals: Vec<Local>,
    /// Actions declared here.
    pub actions: Vec<ActionId>,
    /// Tables declared here.
    pub tables: Vec<TableId>,
    /// `apply`
    pub body: Block,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// A table. Each instance of its control has entries of its own.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name in the source.
    pub name: Name,
    /// The control.
    pub control: ControlId,
    /// Keys; empty for a table that only runs its default action.
    pub keys: Vec<Key>,
    /// Actions.
    pub actions: Vec<TableAction>,
    /// The default action: position in `actions` and its control-plane arguments.
    pub default_action: ActionCall,
    /// Whether the control plane may not change it.
    pub const_default: bool,
    /// The `size` property, unless it differs from instance to instance: then it stands in
    /// [`Instance::table_sizes`].
    pub size: Option<u64>,
    /// Entries of the program, in order.
    pub entries: Vec<Entry>,
    /// With `const entries`: the control plane may not add others.
    pub const_entries: bool,
    /// Value of `largest_priority_wins` (§14.2.1.4), true by default.
    pub largest_priority_wins: bool,
    /// Further properties (`implementation`, `counters`, `meters`, `support_timeout`, ...).
    pub properties: Vec<Property>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
}

/// A property that the architecture gives a meaning to.
#[derive(Clone, Debug)]
pub struct Property {
    /// Name.
    pub name: Name,
    /// A constant, a variable of an extern type, or [`super::ExprKind::Construct`].
    pub value: Expr,
    /// With `const`.
    pub is_const: bool,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// A key of a table.
#[derive(Clone, Debug)]
pub struct Key {
    /// What is matched.
    pub value: Expr,
    /// `exact`, `lpm`, ...
    pub match_kind: Name,
    /// Name for the control plane: `@name`, or the expression as written.
    pub name: Name,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// An action of a table.
#[derive(Clone, Debug)]
pub struct TableAction {
    /// Which.
    pub action: ActionId,
    /// Arguments for the leading parameters that the program binds; evaluated when the action
    /// runs. The remaining parameters come from the entry.
    pub bound: Vec<CallArgument>,
    /// May only be the default action (`@defaultonly`).
    pub default_only: bool,
    /// May not be the default action (`@tableonly`).
    pub table_only: bool,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// An action with the control plane's arguments.
#[derive(Clone, Debug)]
pub struct ActionCall {
    /// Position in [`Table::actions`].
    pub action: u32,
    /// Values for the parameters behind [`TableAction::bound`], in order.
    pub arguments: Vec<Expr>,
}

/// An entry that the program brings.
#[derive(Clone, Debug)]
pub struct Entry {
    /// One set per key.
    pub keys: Vec<KeySet>,
    /// What it does.
    pub action: ActionCall,
    /// Priority with the larger number winning; `None` in tables without ternary-like keys.
    pub priority: Option<i64>,
    /// With `const`.
    pub is_const: bool,
    /// Where it was written.
    pub span: Span,
}

/// What an [`Instance`] is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstanceKind {
    /// An extern object with its type arguments.
    Extern(ExternId, Vec<Type>),
    /// A package.
    Package(ApplyTypeId),
    /// A parser.
    Parser(ParserId),
    /// A control.
    Control(ControlId),
}

/// An object of the loaded program.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Name for the control plane: parsers and controls given to the package are named after
    /// their declaration, those inside after their path (`Ingress.sub.table`); `@name` counts.
    pub name: String,
    /// Its enclosing instance, `None` at the top level.
    pub parent: Option<InstanceId>,
    /// What it is.
    pub kind: InstanceKind,
    /// Which constructor of an extern.
    pub constructor: u32,
    /// Constructor arguments in parameter order.
    pub arguments: Vec<ConstructorValue>,
    /// What constructor parameters and local instances stand for while this instance runs. Top
    /// level instances are in [`Program::globals`].
    pub bindings: Vec<(VarId, ConstructorValue)>,
    /// Bodies of abstract methods.
    pub methods: Vec<(u32, FunctionId)>,
    /// Sizes of a control's tables that depend on its constructor parameters.
    pub table_sizes: Vec<(TableId, u64)>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Where it was written.
    pub span: Span,
}

impl Program {
    /// The value of an `error` member.
    pub fn error_code(&self, name: &str) -> Option<u32> {
        self.errors.iter().position(|e| &**e == name).map(|n| n as u32)
    }
}

macro_rules! arena_index {
    ($($id:ident => $field:ident: $def:ident),* $(,)?) => {$(
        impl std::ops::Index<$id> for Program {
            type Output = $def;
            fn index(&self, id: $id) -> &$def {
                &self.$field[id.index()]
            }
        }
        impl std::ops::IndexMut<$id> for Program {
            fn index_mut(&mut self, id: $id) -> &mut $def {
                &mut self.$field[id.index()]
            }
        }
    )*};
}

arena_index! {
    VarId => variables: Variable,
    FunctionId => functions: Function,
    ExternFunctionId => extern_functions: ExternFunction,
    ActionId => actions: Action,
    TableId => tables: Table,
    ParserId => parsers: Parser,
    ControlId => controls: Control,
    InstanceId => instances: Instance,
}
