//! A tree as P4 text.

use crate::tree::*;
use num_bigint::BigUint;
use std::fmt::Write;

impl Program {
    /// The program as P4 text.
    pub fn text(&self) -> String {
        let mut p = Printer::default();
        p.line("#include <core.p4>");
        if self.version >= GENERIC_INDICES {
            p.line(&format!("#define V1MODEL_VERSION {}", self.version));
        }
        p.line("#include <v1model.p4>");
        for declaration in &self.declarations {
            p.declaration(declaration);
        }
        let blocks: Vec<String> = BLOCKS.iter().map(|b| format!("{b}()")).collect();
        p.line(&format!("V1Switch({}) main;", blocks.join(", ")));
        p.out
    }
}

/// A type as P4 text.
pub fn type_text(ty: &Type) -> String {
    match ty {
        Type::Void => "void".into(),
        Type::Bool => "bool".into(),
        Type::Error => "error".into(),
        Type::Bit(width) => format!("bit<{width}>"),
        Type::Int(width) => format!("int<{width}>"),
        Type::Varbit(width) => format!("varbit<{width}>"),
        Type::Alias(name, _) | Type::New(name, _) | Type::Enum(name, _) | Type::Named(name) => {
            name.clone()
        }
        Type::Tuple(types) => format!("tuple<{}>", types_text(types)),
        Type::Stack(element, size) => format!("{}[{size}]", type_text(element)),
        Type::Generic(name, types) => format!("{name}<{}>", types_text(types)),
    }
}

fn types_text(types: &[Type]) -> String {
    types.iter().map(type_text).collect::<Vec<_>>().join(", ")
}

/// An expression as P4 text. Operators are in parentheses, so that precedence never matters.
pub fn expr_text(expr: &Expr) -> String {
    let list = |all: &[Expr]| all.iter().map(expr_text).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Number(value) => number_text(value, &expr.ty),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Text(text) => format!("\"{text}\""),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Member(of, name) => format!("{}.{name}", expr_text(of)),
        ExprKind::Index(of, index) => format!("{}[{}]", expr_text(of), expr_text(index)),
        ExprKind::Slice(of, high, low) => format!("{}[{high}:{low}]", expr_text(of)),
        ExprKind::Unary(op, of) => format!("({op}{})", expr_text(of)),
        ExprKind::Binary(op, a, b) => format!("({} {op} {})", expr_text(a), expr_text(b)),
        ExprKind::Ternary(c, a, b) => {
            format!("({} ? {} : {})", expr_text(c), expr_text(a), expr_text(b))
        }
        ExprKind::Cast(of) => format!("(({}){})", type_text(&expr.ty), expr_text(of)),
        ExprKind::Call(of, types, arguments) if types.is_empty() => {
            format!("{}({})", expr_text(of), list(arguments))
        }
        ExprKind::Call(of, types, arguments) => {
            format!("{}<{}>({})", expr_text(of), types_text(types), list(arguments))
        }
        ExprKind::List(parts) => format!("{{ {} }}", list(parts)),
        ExprKind::Record(parts) => {
            let parts: Vec<_> =
                parts.iter().map(|(name, e)| format!("{name} = {}", expr_text(e))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        ExprKind::Set(op, a, b) => format!("{} {op} {}", expr_text(a), expr_text(b)),
        ExprKind::Sets(parts) => format!("({})", list(parts)),
        ExprKind::Any(text) => (*text).to_owned(),
    }
}

/// A negative number is a cast of its bits: its absolute value may not fit into the type.
fn number_text(value: &BigUint, ty: &Type) -> String {
    match ty.plain() {
        Type::Bit(width) => format!("{width}w{value:#x}"),
        Type::Int(width) if value.bits() < u64::from(*width) => format!("{width}s{value:#x}"),
        Type::Int(width) => format!("((int<{width}>){width}w{value:#x})"),
        Type::New(name, of) | Type::Enum(name, Some(of)) => {
            format!("(({name}){})", number_text(value, of))
        }
        _ => format!("{value:#x}"),
    }
}

#[derive(Default)]
struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.depth * 4);
    }

    fn braces(&mut self, head: &str, tail: &str, inside: impl FnOnce(&mut Self)) {
        self.line(format!("{head} {{").trim_start());
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line(&format!("}}{tail}"));
    }

    fn declaration(&mut self, declaration: &Decl) {
        match declaration {
            Decl::Typedef(is_new, ty, name) => {
                let word = if *is_new { "type" } else { "typedef" };
                self.line(&format!("{word} {} {name};", type_text(ty)));
            }
            Decl::Enum(name, underlying, members) => {
                let underlying =
                    underlying.as_ref().map(|ty| format!("{} ", type_text(ty))).unwrap_or_default();
                let members: Vec<_> = members
                    .iter()
                    .map(|(name, value)| match value {
                        Some(value) => format!("{name} = {value}"),
                        None => name.clone(),
                    })
                    .collect();
                self.line(&format!("enum {underlying}{name} {{ {} }}", members.join(", ")));
            }
            Decl::Errors(names) => self.line(&format!("error {{ {} }}", names.join(", "))),
            Decl::Constant(ty, name, value) => {
                self.line(&format!("const {} {name} = {};", type_text(ty), expr_text(value)));
            }
            Decl::Struct(word, name, fields) => {
                self.braces(&format!("{word} {name}"), "", |p| {
                    for field in fields {
                        let text = format!("{} {};", type_text(&field.ty), field.name);
                        p.line(format!("{} {text}", field.annotation).trim_start());
                    }
                });
            }
            Decl::Variable(ty, name, value) => self.variable(ty, name, value.as_ref()),
            Decl::Instance(ty, arguments, name) => {
                self.line(&format!("{}({}) {name};", type_text(ty), exprs_text(arguments)));
            }
            Decl::ValueSet(ty, size, name) => {
                self.line(&format!("value_set<{}>({size}) {name};", type_text(ty)));
            }
            Decl::Function(ty, name, params, body) => {
                self.block(&format!("{} {name}({})", type_text(ty), params_text(params)), body);
            }
            Decl::Action(name, params, body) => {
                self.block(&format!("action {name}({})", params_text(params)), body);
            }
            Decl::Table(table) => self.table(table),
            Decl::Parser(parser) => self.parser(parser),
            Decl::Control(control) => {
                let head = head_text("control", &control.name, &control.params);
                let head = format!("{head}{}", constructor_text(&control.constructor));
                self.braces(&head, "", |p| {
                    control.locals.iter().for_each(|d| p.declaration(d));
                    p.block("apply", &control.body);
                });
            }
        }
    }

    fn variable(&mut self, ty: &Type, name: &str, value: Option<&Expr>) {
        let value = value.map(|v| format!(" = {}", expr_text(v))).unwrap_or_default();
        self.line(&format!("{} {name}{value};", type_text(ty)));
    }

    fn table(&mut self, table: &Table) {
        self.braces(&format!("table {}", table.name), "", |p| {
            if !table.keys.is_empty() {
                p.braces("key =", "", |p| {
                    for (n, (key, kind)) in table.keys.iter().enumerate() {
                        p.line(&format!("{} : {kind} @name(\"k{n}\");", expr_text(key)));
                    }
                });
            }
            p.braces("actions =", "", |p| {
                for action in &table.actions {
                    let text = if action.arguments.is_empty() {
                        format!("{} {};", action.annotation, action.name)
                    } else {
                        format!("{} {};", action.annotation, action_text(action))
                    };
                    p.line(text.trim_start());
                }
            });
            if let Some((is_const, action)) = &table.default {
                let word = if *is_const { "const " } else { "" };
                p.line(&format!("{word}default_action = {};", action_text(action)));
            }
            if let Some((is_const, rows)) = &table.entries {
                let word = if *is_const { "const " } else { "" };
                p.braces(&format!("{word}entries ="), "", |p| {
                    for row in rows {
                        let keys = match &row.keys[..] {
                            [one] => expr_text(one),
                            several => format!("({})", exprs_text(several)),
                        };
                        let priority = match row.priority {
                            Some(n) if !is_const => format!("priority = {n}: "),
                            _ => String::new(),
                        };
                        let annotation = match row.priority {
                            Some(n) if *is_const => format!(" @priority({n})"),
                            _ => String::new(),
                        };
                        let action = action_text(&row.action);
                        p.line(&format!("{priority}{keys} : {action}{annotation};"));
                    }
                });
            }
            for (name, value) in &table.properties {
                p.line(&format!("{name} = {};", expr_text(value)));
            }
        });
    }

    fn parser(&mut self, parser: &Parser) {
        let head = head_text("parser", &parser.name, &parser.params);
        let head = format!("{head}{}", constructor_text(&parser.constructor));
        self.braces(&head, "", |p| {
            parser.locals.iter().for_each(|d| p.declaration(d));
            for state in &parser.states {
                p.braces(&format!("state {}", state.name), "", |p| {
                    state.body.iter().for_each(|s| p.statement(s));
                    match &state.transition {
                        Transition::Direct(target) => p.line(&format!("transition {target};")),
                        Transition::Select(keys, cases) => {
                            let head = format!("transition select({})", exprs_text(keys));
                            p.braces(&head, "", |p| {
                                for (sets, target) in cases {
                                    p.line(&format!("{}: {target};", expr_text(sets)));
                                }
                            });
                        }
                    }
                });
            }
        });
    }

    fn block(&mut self, head: &str, block: &[Stmt]) {
        self.braces(head, "", |p| block.iter().for_each(|s| p.statement(s)));
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Variable(ty, name, value) => self.variable(ty, name, value.as_ref()),
            Stmt::Assign(..) | Stmt::Call(_) => self.line(&format!("{};", simple_text(statement))),
            Stmt::If(condition, then, otherwise) => {
                let tail = if otherwise.is_some() { " else {" } else { "" };
                self.braces(&format!("if ({})", expr_text(condition)), tail, |p| {
                    then.iter().for_each(|s| p.statement(s));
                });
                if let Some(otherwise) = otherwise {
                    self.depth += 1;
                    otherwise.iter().for_each(|s| self.statement(s));
                    self.depth -= 1;
                    self.line("}");
                }
            }
            Stmt::Switch(value, cases) => {
                self.braces(&format!("switch ({})", expr_text(value)), "", |p| {
                    for case in cases {
                        match &case.body {
                            Some(body) => p.block(&format!("{}:", expr_text(&case.label)), body),
                            None => p.line(&format!("{}:", expr_text(&case.label))),
                        }
                    }
                });
            }
            Stmt::For { ty, name, from, condition, update, body } => {
                let update: Vec<_> = update.iter().map(simple_text).collect();
                let (ty, from, condition) = (type_text(ty), expr_text(from), expr_text(condition));
                let update = update.join(", ");
                self.block(&format!("for ({ty} {name} = {from}; {condition}; {update})"), body);
            }
            Stmt::ForIn(ty, name, set, body) => {
                let head = format!("for ({} {name} in {})", type_text(ty), expr_text(set));
                self.block(&head, body);
            }
            Stmt::Block(body) => self.block("", body),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(value)) => self.line(&format!("return {};", expr_text(value))),
            Stmt::Word(word) => self.line(&format!("{word};")),
        }
    }
}

/// A statement that may stand in the head of a loop.
fn simple_text(statement: &Stmt) -> String {
    match statement {
        Stmt::Assign(target, op, value) => {
            format!("{} {op} {}", expr_text(target), expr_text(value))
        }
        Stmt::Call(call) => expr_text(call),
        _ => String::new(),
    }
}

fn exprs_text(exprs: &[Expr]) -> String {
    exprs.iter().map(expr_text).collect::<Vec<_>>().join(", ")
}

fn action_text(action: &ActionRef) -> String {
    format!("{}({})", action.name, exprs_text(&action.arguments))
}

fn params_text(params: &[Param]) -> String {
    let params: Vec<_> = params
        .iter()
        .map(|p| format!("{} {} {}", p.direction, type_text(&p.ty), p.name))
        .map(|p| p.trim_start().to_owned())
        .collect();
    params.join(", ")
}

fn head_text(word: &str, name: &str, params: &[Param]) -> String {
    format!("{word} {name}({})", params_text(params))
}

fn constructor_text(params: &[Param]) -> String {
    if params.is_empty() { String::new() } else { format!("({})", params_text(params)) }
}
