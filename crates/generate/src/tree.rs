//! The tree of a program: what the generator builds, the printer writes and the shrinker cuts.
//!
//! It is close to P4 and knows the type of each expression; it does not guarantee that a program
//! is well typed. The generator builds well-typed ones, and the shrinker asks the front end.

use num_bigint::BigUint;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value; the type of statements' calls.
    Void,
    /// `bool`
    Bool,
    /// `error`
    Error,
    /// `bit<W>`
    Bit(u32),
    /// `int<W>`
    Int(u32),
    /// `varbit<W>`
    Varbit(u32),
    /// `typedef`: its name, and what it stands for.
    Alias(String, Box<Type>),
    /// `type`: its name, and what it is made of.
    New(String, Box<Type>),
    /// An enum: its name, and the underlying type if it has one.
    Enum(String, Option<Box<Type>>),
    /// A struct, header, union or extern type by its name.
    Named(String),
    /// `tuple<..>`
    Tuple(Vec<Type>),
    /// A header stack.
    Stack(Box<Type>, u32),
    /// An extern type with type arguments.
    Generic(String, Vec<Type>),
}

impl Type {
    /// Without `typedef` names.
    pub fn plain(&self) -> &Type {
        match self {
            Type::Alias(_, of) => of.plain(),
            other => other,
        }
    }

    /// How a value is stored: without `typedef`, `type` and enum names where there is a number
    /// beneath.
    pub fn storage(&self) -> &Type {
        match self {
            Type::Alias(_, of) | Type::New(_, of) | Type::Enum(_, Some(of)) => of.storage(),
            other => other,
        }
    }

    /// Bits of a scalar with a fixed number of them.
    pub fn width(&self) -> Option<u32> {
        match self.storage() {
            Type::Bool => Some(1),
            Type::Bit(width) | Type::Int(width) => Some(*width),
            _ => None,
        }
    }
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number; the bit pattern of a signed one.
    Number(BigUint),
    /// `true`, `false`
    Bool(bool),
    /// Text in quotes.
    Text(String),
    /// A name.
    Name(String),
    /// `a.b`
    Member(Box<Expr>, String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a[high:low]`
    Slice(Box<Expr>, u32, u32),
    /// An operator in front of its operand.
    Unary(&'static str, Box<Expr>),
    /// An operator between its operands.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Ternary(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A cast to the expression's type.
    Cast(Box<Expr>),
    /// A call: what is called, type arguments, arguments.
    Call(Box<Expr>, Vec<Type>, Vec<Expr>),
    /// `{ a, b }`
    List(Vec<Expr>),
    /// `{ x = a, y = b }`
    Record(Vec<(String, Expr)>),
    /// A set of keys: `a &&& b`, `a .. b`.
    Set(&'static str, Box<Expr>, Box<Expr>),
    /// Several key sets: `(a, b)`.
    Sets(Vec<Expr>),
    /// `_` or `default`, a set that has everything.
    Any(&'static str),
}

impl Expr {
    /// An expression.
    pub fn new(kind: ExprKind, ty: Type) -> Self {
        Self { kind, ty }
    }

    /// A name.
    pub fn name(name: impl Into<String>, ty: Type) -> Self {
        Self::new(ExprKind::Name(name.into()), ty)
    }

    /// A name without a type of interest: of a function, object or type.
    pub fn symbol(name: impl Into<String>) -> Self {
        Self::name(name, Type::Void)
    }

    /// A member.
    pub fn member(self, name: impl Into<String>, ty: Type) -> Self {
        Self::new(ExprKind::Member(Box::new(self), name.into()), ty)
    }

    /// An element.
    pub fn index(self, index: Expr, ty: Type) -> Self {
        Self::new(ExprKind::Index(Box::new(self), Box::new(index)), ty)
    }

    /// A number.
    pub fn number(value: impl Into<BigUint>, ty: Type) -> Self {
        Self::new(ExprKind::Number(value.into()), ty)
    }

    /// A number of type `bit<width>`.
    pub fn bits(width: u32, value: u64) -> Self {
        Self::number(value, Type::Bit(width))
    }

    /// `true` or `false`.
    pub fn bool(value: bool) -> Self {
        Self::new(ExprKind::Bool(value), Type::Bool)
    }

    /// Two operands.
    pub fn binary(op: &'static str, left: Expr, right: Expr, ty: Type) -> Self {
        Self::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
    }

    /// A cast.
    pub fn cast(self, ty: Type) -> Self {
        Self::new(ExprKind::Cast(Box::new(self)), ty)
    }

    /// A slice.
    pub fn slice(self, high: u32, low: u32) -> Self {
        Self::new(ExprKind::Slice(Box::new(self), high, low), Type::Bit(high - low + 1))
    }

    /// A call.
    pub fn call(self, arguments: Vec<Expr>, ty: Type) -> Self {
        Self::new(ExprKind::Call(Box::new(self), Vec::new(), arguments), ty)
    }

    /// A call of a method.
    pub fn method(self, name: &str, arguments: Vec<Expr>, ty: Type) -> Self {
        self.member(name, Type::Void).call(arguments, ty)
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// A variable with an optional initial value.
    Variable(Type, String, Option<Expr>),
    /// An assignment: `=` or an operator with it.
    Assign(Expr, &'static str, Expr),
    /// A call.
    Call(Expr),
    /// `if`
    If(Expr, Block, Option<Block>),
    /// `switch`
    Switch(Expr, Vec<Case>),
    /// `for (T i = a; c; update)`
    For {
        /// The variable's type.
        ty: Type,
        /// The variable.
        name: String,
        /// Initial value.
        from: Expr,
        /// Condition.
        condition: Expr,
        /// What follows each round.
        update: Vec<Stmt>,
        /// What is repeated.
        body: Block,
    },
    /// `for (T i in a .. b)` or over a list or stack.
    ForIn(Type, String, Expr, Block),
    /// `{ .. }`
    Block(Block),
    /// `return`
    Return(Option<Expr>),
    /// A statement of one word: `exit`, `break`, `continue`.
    Word(&'static str),
}

/// Statements in braces.
pub type Block = Vec<Stmt>;

/// A case of a `switch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The label.
    pub label: Expr,
    /// Without a block the case falls through to the next.
    pub body: Option<Block>,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decl {
    /// `typedef T X`, or with `true` `type T X`.
    Typedef(bool, Type, String),
    /// An enum: name, underlying type, members with their values.
    Enum(String, Option<Type>, Vec<(String, Option<u64>)>),
    /// `error { .. }`
    Errors(Vec<String>),
    /// `const T X = e`
    Constant(Type, String, Expr),
    /// A struct, header or union: the keyword, its name, its fields.
    Struct(&'static str, String, Vec<Field>),
    /// A variable of a parser or control.
    Variable(Type, String, Option<Expr>),
    /// An object: type, constructor's arguments, name.
    Instance(Type, Vec<Expr>, String),
    /// A value set: type, size, name.
    ValueSet(Type, u32, String),
    /// A function.
    Function(Type, String, Vec<Param>, Block),
    /// An action.
    Action(String, Vec<Param>, Block),
    /// A table.
    Table(Table),
    /// A parser.
    Parser(Parser),
    /// A control.
    Control(Control),
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// An annotation without its blank, or nothing.
    pub annotation: String,
    /// Type.
    pub ty: Type,
    /// Name.
    pub name: String,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// `in`, `out`, `inout` or nothing.
    pub direction: &'static str,
    /// Type.
    pub ty: Type,
    /// Name.
    pub name: String,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Name.
    pub name: String,
    /// Keys and their match kinds.
    pub keys: Vec<(Expr, &'static str)>,
    /// Actions.
    pub actions: Vec<ActionRef>,
    /// The default action, and whether it is constant.
    pub default: Option<(bool, ActionRef)>,
    /// Entries of the program, and whether they are constant.
    pub entries: Option<(bool, Vec<EntryRow>)>,
    /// Other properties.
    pub properties: Vec<(&'static str, Expr)>,
}

/// An action in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRef {
    /// An annotation, or nothing.
    pub annotation: &'static str,
    /// The action.
    pub name: String,
    /// Arguments.
    pub arguments: Vec<Expr>,
}

/// An entry of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRow {
    /// The priority as `@priority(n)` or `priority = n:`.
    pub priority: Option<u64>,
    /// One set per key.
    pub keys: Vec<Expr>,
    /// What it does.
    pub action: ActionRef,
}

/// A parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parser {
    /// Name.
    pub name: String,
    /// Parameters.
    pub params: Vec<Param>,
    /// Constructor parameters.
    pub constructor: Vec<Param>,
    /// Variables, objects, value sets.
    pub locals: Vec<Decl>,
    /// States; one is called `start`.
    pub states: Vec<State>,
}

/// A parser state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Name.
    pub name: String,
    /// Statements.
    pub body: Block,
    /// What comes next.
    pub transition: Transition,
}

/// The end of a parser state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transition {
    /// Always this state.
    Direct(String),
    /// By keys: key sets and states.
    Select(Vec<Expr>, Vec<(Expr, String)>),
}

/// A control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// Name.
    pub name: String,
    /// Parameters.
    pub params: Vec<Param>,
    /// Constructor parameters.
    pub constructor: Vec<Param>,
    /// Variables, objects, actions, tables.
    pub locals: Vec<Decl>,
    /// `apply`
    pub body: Block,
}

/// A program for v1model. The six blocks of the package are the declarations called
/// [`BLOCKS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The face of v1model: the value of `V1MODEL_VERSION`.
    pub version: u32,
    /// Everything between the includes and `main`.
    pub declarations: Vec<Decl>,
}

/// The names of the blocks of the package, in its order.
pub const BLOCKS: [&str; 6] =
    ["Parse", "Verify", "IngressPipe", "EgressPipe", "Compute", "Deparse"];

/// The first version of v1model with index types as type parameters.
pub const GENERIC_INDICES: u32 = 20_200_408;
