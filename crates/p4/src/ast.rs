//! The abstract syntax tree: what the author wrote, before any name has a meaning.
//!
//! The shapes follow the grammar of P4_16 1.2.5 (Appendix H). Nothing here is checked.

use crate::source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// An identifier's text.
pub type Name = Arc<str>;

/// An identifier where it was written.
#[derive(Clone, Debug)]
pub struct Ident {
    /// Its text.
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// `name` or `.name` (§6.6: a leading dot looks the name up at the top level).
#[derive(Clone, Debug)]
pub struct Path {
    /// With a leading dot.
    pub absolute: bool,
    /// The name itself.
    pub name: Ident,
}

/// A whole program after preprocessing.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Top-level declarations in order.
    pub declarations: Vec<Declaration>,
}

/// `@name...` (§20).
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name without the `@`.
    pub name: Ident,
    /// What follows.
    pub body: AnnotationBody,
    /// The whole annotation.
    pub span: Span,
}

/// What follows an annotation's name.
#[derive(Clone, Debug)]
pub enum AnnotationBody {
    /// Nothing.
    Empty,
    /// `( tokens )` or the rest of a `@pragma` line: the tokens as written, strings decoded.
    Unstructured(Vec<AnnotationToken>),
    /// `[ expression, ... ]`.
    Expressions(Vec<Expression>),
    /// `[ key = expression, ... ]`.
    KeyValues(Vec<(Ident, Expression)>),
}

/// A token inside an unstructured annotation.
#[derive(Clone, Debug)]
pub struct AnnotationToken {
    /// Source text of the token; for a string the decoded contents.
    pub text: Name,
    /// Whether it was a string literal.
    pub is_string: bool,
    /// Where.
    pub span: Span,
}

/// A type as written (§7).
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// Which.
    pub kind: TypeExprKind,
    /// Where.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug)]
pub enum TypeExprKind {
    /// `bool`
    Bool,
    /// `error`
    Error,
    /// `match_kind`
    MatchKind,
    /// `string`
    String,
    /// `void`
    Void,
    /// `int`: integers of any size, at compile time.
    Int,
    /// `bit<W>`; plain `bit` is `bit<1>` and has no expression.
    Bit(Option<Box<Expression>>),
    /// `int<W>`
    Signed(Box<Expression>),
    /// `varbit<W>`
    Varbit(Box<Expression>),
    /// A name, with type arguments if there are any: `T`, `.T`, `T<A, B>`.
    Named {
        /// The name.
        path: Path,
        /// Type arguments; empty when none were written.
        arguments: Vec<TypeExpr>,
    },
    /// `T[n]`
    Stack {
        /// Element type.
        element: Box<TypeExpr>,
        /// Number of elements.
        size: Box<Expression>,
    },
    /// `tuple<A, B>`
    Tuple(Vec<TypeExpr>),
    /// `list<T>`
    List(Box<TypeExpr>),
    /// `_` as a type argument: to be inferred.
    DontCare,
}

/// A declaration at any level.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Which kind.
    pub kind: DeclarationKind,
    /// The whole declaration.
    pub span: Span,
}

/// All kinds of declarations; which are legal where is for the parser (grammar) to say.
#[derive(Clone, Debug)]
pub enum DeclarationKind {
    /// `const T x = e;`
    Constant {
        /// Type.
        ty: TypeExpr,
        /// Name.
        name: Ident,
        /// Value.
        value: Expression,
    },
    /// `T x = e;` inside parsers, controls and blocks.
    Variable(VariableDeclaration),
    /// `T(args) x;`, optionally `= { methods and instances }`.
    Instantiation(Instantiation),
    /// `error { A, B }`
    Errors(Vec<Ident>),
    /// `match_kind { a, b }`
    MatchKinds(Vec<Ident>),
    /// `struct`, `header` or `header_union`.
    Struct(StructDeclaration),
    /// `enum E { .. }`, `enum T E { A = 1 }`
    Enum(EnumDeclaration),
    /// `typedef T X;`
    Typedef {
        /// The type.
        ty: TypeExpr,
        /// The new name.
        name: Ident,
    },
    /// `type T X;`
    NewType {
        /// The type it is made of.
        ty: TypeExpr,
        /// The new name.
        name: Ident,
    },
    /// `parser P<T>(..);`
    ParserType(ApplyType),
    /// `control C<T>(..);`
    ControlType(ApplyType),
    /// `package P<T>(..);`
    Package(ApplyType),
    /// `extern E { .. }`
    Extern(ExternDeclaration),
    /// `extern T f(..);`
    ExternFunction(Prototype),
    /// `T f(..) { .. }`
    Function(FunctionDeclaration),
    /// `parser P(..)(..) { .. }`
    Parser(ParserDeclaration),
    /// `control C(..)(..) { .. }`
    Control(ControlDeclaration),
    /// `action a(..) { .. }`
    Action(ActionDeclaration),
    /// `table t { .. }`
    Table(TableDeclaration),
    /// `value_set<T>(n) s;`
    ValueSet {
        /// Element type.
        ty: TypeExpr,
        /// Capacity.
        size: Expression,
        /// Name.
        name: Ident,
    },
}

/// A variable.
#[derive(Clone, Debug)]
pub struct VariableDeclaration {
    /// Type.
    pub ty: TypeExpr,
    /// Name.
    pub name: Ident,
    /// First value.
    pub init: Option<Expression>,
}

/// An instance of an extern, control, parser or package.
#[derive(Clone, Debug)]
pub struct Instantiation {
    /// What is instantiated, with type arguments.
    pub ty: TypeExpr,
    /// Constructor arguments.
    pub arguments: Vec<Argument>,
    /// The instance's name.
    pub name: Ident,
    /// The object initialiser with the bodies of abstract methods (§11.3.1): functions and
    /// instantiations only.
    pub initializer: Option<Vec<Declaration>>,
}

/// Which of the three aggregate declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StructKind {
    /// `struct`
    Struct,
    /// `header`
    Header,
    /// `header_union`
    Union,
}

/// `struct`, `header`, `header_union`.
#[derive(Clone, Debug)]
pub struct StructDeclaration {
    /// Which of the three.
    pub kind: StructKind,
    /// Name.
    pub name: Ident,
    /// Type parameters.
    pub type_parameters: Vec<Ident>,
    /// Fields in order.
    pub fields: Vec<StructField>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct StructField {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Type.
    pub ty: TypeExpr,
    /// Name.
    pub name: Ident,
}

/// `enum`.
#[derive(Clone, Debug)]
pub struct EnumDeclaration {
    /// The type of a serializable enum (§8.3), absent in a plain one.
    pub underlying: Option<TypeExpr>,
    /// Name.
    pub name: Ident,
    /// Members, with values in a serializable one.
    pub members: Vec<(Ident, Option<Expression>)>,
}

/// The head of a parser, control or package type.
#[derive(Clone, Debug)]
pub struct ApplyType {
    /// Name.
    pub name: Ident,
    /// Type parameters.
    pub type_parameters: Vec<Ident>,
    /// Parameters.
    pub parameters: Vec<Parameter>,
}

/// `extern E<T> { .. }`
#[derive(Clone, Debug)]
pub struct ExternDeclaration {
    /// Name.
    pub name: Ident,
    /// Type parameters.
    pub type_parameters: Vec<Ident>,
    /// Constructors: the prototypes named like the extern, without return type.
    pub constructors: Vec<Prototype>,
    /// Methods.
    pub methods: Vec<Prototype>,
}

/// The head of a function or method.
#[derive(Clone, Debug)]
pub struct Prototype {
    /// Annotations (of methods; those of functions stand at the declaration).
    pub annotations: Vec<Annotation>,
    /// With `abstract` (§11.3.1).
    pub is_abstract: bool,
    /// Return type; `None` for a constructor.
    pub return_type: Option<TypeExpr>,
    /// Name.
    pub name: Ident,
    /// Type parameters.
    pub type_parameters: Vec<Ident>,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// The whole head.
    pub span: Span,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct FunctionDeclaration {
    /// Head.
    pub prototype: Prototype,
    /// Body.
    pub body: Block,
}

/// Where a parameter's value flows (§6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// No direction written: compile-time value, or action data.
    None,
    /// `in`
    In,
    /// `out`
    Out,
    /// `inout`
    InOut,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Direction.
    pub direction: Direction,
    /// Type.
    pub ty: TypeExpr,
    /// Name.
    pub name: Ident,
    /// `= e`
    pub default: Option<Expression>,
    /// The whole parameter.
    pub span: Span,
}

/// `parser P(..)(..) { .. }`
#[derive(Clone, Debug)]
pub struct ParserDeclaration {
    /// Name, type parameters (illegal here, but parsed) and apply parameters.
    pub head: ApplyType,
    /// Constructor parameters.
    pub constructor_parameters: Vec<Parameter>,
    /// Constants, variables, instances, value sets.
    pub locals: Vec<Declaration>,
    /// States in order.
    pub states: Vec<ParserState>,
}

/// `state s { .. transition ..; }`
#[derive(Clone, Debug)]
pub struct ParserState {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Name.
    pub name: Ident,
    /// Statements.
    pub statements: Vec<Statement>,
    /// Where it goes; absent means `reject` (§13.5).
    pub transition: Option<Transition>,
    /// The whole state.
    pub span: Span,
}

/// A state's last statement.
#[derive(Clone, Debug)]
pub enum Transition {
    /// `transition s;`
    Direct(Ident),
    /// `transition select (e, ..) { .. }`
    Select {
        /// Expressions selected on.
        expressions: Vec<Expression>,
        /// Cases in order.
        cases: Vec<SelectCase>,
        /// The whole expression.
        span: Span,
    },
}

/// One case of a `select`.
#[derive(Clone, Debug)]
pub struct SelectCase {
    /// The keyset: one expression, or several when a tuple `(a, b)` was written. Elements may be
    /// `Default`, `DontCare`, `Mask`, `Range` or plain expressions.
    pub keyset: Vec<Expression>,
    /// The state.
    pub target: Ident,
    /// The whole case.
    pub span: Span,
}

/// `control C(..)(..) { .. apply { .. } }`
#[derive(Clone, Debug)]
pub struct ControlDeclaration {
    /// Name, type parameters (illegal here, but parsed) and apply parameters.
    pub head: ApplyType,
    /// Constructor parameters.
    pub constructor_parameters: Vec<Parameter>,
    /// Constants, variables, instances, actions, tables, in order.
    pub locals: Vec<Declaration>,
    /// The `apply` block.
    pub body: Block,
}

/// `action a(..) { .. }`
#[derive(Clone, Debug)]
pub struct ActionDeclaration {
    /// Name.
    pub name: Ident,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Body.
    pub body: Block,
}

/// `table t { .. }`
#[derive(Clone, Debug)]
pub struct TableDeclaration {
    /// Name.
    pub name: Ident,
    /// Properties in order; the checker finds duplicates.
    pub properties: Vec<TableProperty>,
}

/// One property of a table (§14.2.1).
#[derive(Clone, Debug)]
pub struct TableProperty {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// With `const`.
    pub is_const: bool,
    /// Which.
    pub kind: TablePropertyKind,
    /// The whole property.
    pub span: Span,
}

/// The kinds of table properties.
#[derive(Clone, Debug)]
pub enum TablePropertyKind {
    /// `key = { e : match_kind; }`
    Key(Vec<KeyElement>),
    /// `actions = { a; b(x); }`
    Actions(Vec<ActionRef>),
    /// `entries = { .. }`
    Entries(Vec<TableEntry>),
    /// `name = expression;`: `default_action`, `size` and those of the architecture.
    Custom {
        /// Name.
        name: Ident,
        /// Value.
        value: Expression,
    },
}

/// One key of a table.
#[derive(Clone, Debug)]
pub struct KeyElement {
    /// What is matched.
    pub expression: Expression,
    /// How.
    pub match_kind: Ident,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// An action in a table's list, or chosen by an entry.
#[derive(Clone, Debug)]
pub struct ActionRef {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The action.
    pub path: Path,
    /// Arguments, `None` without parentheses.
    pub arguments: Option<Vec<Argument>>,
    /// The whole reference.
    pub span: Span,
}

/// One entry of `entries`.
#[derive(Clone, Debug)]
pub struct TableEntry {
    /// With `const`.
    pub is_const: bool,
    /// `priority = e :`
    pub priority: Option<Expression>,
    /// Keyset, as in [`SelectCase`].
    pub keyset: Vec<Expression>,
    /// Action.
    pub action: ActionRef,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// The whole entry.
    pub span: Span,
}

/// `{ .. }`
#[derive(Clone, Debug)]
pub struct Block {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Statements and declarations in order.
    pub statements: Vec<Statement>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Which.
    pub kind: StatementKind,
    /// The whole statement.
    pub span: Span,
}

/// The kinds of statements (§12).
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A constant, a variable or an instantiation.
    Declaration(Box<Declaration>),
    /// `l = e;`, or `l op= e;` with an operator.
    Assignment {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// Target.
        left: Expression,
        /// Value.
        right: Expression,
    },
    /// `f(..);`: always an [`ExpressionKind::Call`].
    Call(Expression),
    /// `{ .. }`
    Block(Block),
    /// `if (c) s else t`
    If {
        /// Condition.
        condition: Expression,
        /// Taken if true.
        then: Box<Statement>,
        /// Taken if false.
        otherwise: Option<Box<Statement>>,
    },
    /// `switch (e) { .. }`
    Switch {
        /// What decides.
        expression: Expression,
        /// Cases in order.
        cases: Vec<SwitchCase>,
    },
    /// `return e;`
    Return(Option<Expression>),
    /// `exit;`
    Exit,
    /// `for (init; condition; update) s`
    For {
        /// Annotations.
        annotations: Vec<Annotation>,
        /// Declarations, assignments and calls before the loop.
        init: Vec<Statement>,
        /// Goes on while true.
        condition: Expression,
        /// After each round.
        update: Vec<Statement>,
        /// Body.
        body: Box<Statement>,
    },
    /// `for (T x in e) s`, or with an l-value instead of `T x`.
    ForIn {
        /// Annotations.
        annotations: Vec<Annotation>,
        /// The loop variable.
        variable: ForVariable,
        /// A range, a list expression, a stack or a list.
        collection: Expression,
        /// Body.
        body: Box<Statement>,
    },
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `;`
    Empty,
}

/// The loop variable of `for .. in`.
#[derive(Clone, Debug)]
pub enum ForVariable {
    /// Declared by the loop.
    Declared {
        /// Annotations.
        annotations: Vec<Annotation>,
        /// Type.
        ty: TypeExpr,
        /// Name.
        name: Ident,
    },
    /// An l-value from outside.
    Existing(Expression),
}

/// A case of a `switch`.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// [`ExpressionKind::Default`] or an expression.
    pub label: Expression,
    /// The block; `None` falls through to the next case.
    pub body: Option<Block>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Which.
    pub kind: ExpressionKind,
    /// The whole expression.
    pub span: Span,
}

/// The kinds of expressions (§8).
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// `true`, `false`
    Bool(bool),
    /// A number; with a width if it had a prefix such as `8w` or `4s`.
    Number {
        /// The value as written, never negative.
        value: BigInt,
        /// Width in bits and signedness of the prefix.
        width: Option<NumberWidth>,
    },
    /// A string literal, decoded.
    String(Name),
    /// `x`, `.x`
    Name(Path),
    /// `this`
    This,
    /// `error` or a type with arguments, as the base of a member: `error.NoError`, `T<A>.m`.
    Type(Box<TypeExpr>),
    /// `e.m`
    Member(Box<Expression>, Ident),
    /// `e[i]`
    Index(Box<Expression>, Box<Expression>),
    /// `e[hi:lo]`
    Slice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `f<T>(..)`; also a constructor call, which only the checker can tell apart. The callee of
    /// a constructor with type arguments is `Name` with `type_arguments`.
    Call {
        /// What is called.
        callee: Box<Expression>,
        /// Explicit type arguments.
        type_arguments: Vec<TypeExpr>,
        /// Arguments.
        arguments: Vec<Argument>,
    },
    /// `-e` etc.
    Unary(UnaryOp, Box<Expression>),
    /// `a + b` etc.
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `c ? a : b`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `(T) e`
    Cast(Box<TypeExpr>, Box<Expression>),
    /// `{ a, b }`, `{ a, ... }`; a final `...` sets the flag.
    List {
        /// Elements.
        elements: Vec<Expression>,
        /// Ends with `...`.
        defaults: bool,
    },
    /// `{ a = 1, b = 2 }`, possibly ending with `...`.
    Record {
        /// Fields in written order.
        fields: Vec<(Ident, Expression)>,
        /// Ends with `...`.
        defaults: bool,
    },
    /// `{#}`
    Invalid,
    /// `...` as a whole value.
    Defaults,
    /// `a &&& b`
    Mask(Box<Expression>, Box<Expression>),
    /// `a .. b`
    Range(Box<Expression>, Box<Expression>),
    /// `_`
    DontCare,
    /// `default` as a label or keyset.
    Default,
    /// Something unreadable that was reported already.
    Error,
}

/// The prefix of a number: `8w` or `8s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberWidth {
    /// Bits.
    pub bits: u32,
    /// `s` rather than `w`.
    pub signed: bool,
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Argument {
    /// `name = e`
    pub name: Option<Ident>,
    /// The value; [`ExpressionKind::DontCare`] for `_`.
    pub value: Expression,
    /// The whole argument.
    pub span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `|+|`
    SatAdd,
    /// `|-|`
    SatSub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
    /// `++`
    Concat,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
}

impl BinaryOp {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::SatAdd => "|+|",
            BinaryOp::SatSub => "|-|",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::And => "&",
            BinaryOp::Xor => "^",
            BinaryOp::Or => "|",
            BinaryOp::Concat => "++",
            BinaryOp::LogicalAnd => "&&",
            BinaryOp::LogicalOr => "||",
        }
    }
}

impl UnaryOp {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Plus => "+",
            UnaryOp::Not => "!",
            UnaryOp::Complement => "~",
        }
    }
}
