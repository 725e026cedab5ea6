//! P4_16 front end: preprocessor, parser, type checker, typed IR and pipeline IR.

pub mod architecture;
pub mod ast;
pub mod check;
pub mod contradictions;
pub mod control_names;
pub mod diagnostic;
pub mod frontend;
pub mod ir;
pub mod lexer;
pub mod limits;
pub mod lint;
pub mod parse;
pub mod pipeline;
pub mod policy;
pub mod preprocess;
pub mod print_ast;
pub mod print_ir;
pub mod source;
