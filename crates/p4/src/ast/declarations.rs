//! Declarations of all kinds but parsers and controls.

use super::{
    ActionDeclaration, Annotation, Argument, Block, ControlDeclaration, Expression, Ident,
    ParserDeclaration, TableDeclaration, TypeExpr,
};
use crate::source::Span;

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
