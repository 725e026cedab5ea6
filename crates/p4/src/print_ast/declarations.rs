//! Declarations.

use super::Printer;
use crate::ast::{
    ActionRef, ApplyType, Declaration, DeclarationKind, Direction, Ident, Instantiation, Parameter,
    ParserState, Prototype, StructKind, TablePropertyKind, Transition, TypeExpr,
    VariableDeclaration,
};

impl Printer {
    /// A declaration on lines of its own.
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        self.annotation_lines(&declaration.annotations);
        self.start();
        match &declaration.kind {
            DeclarationKind::Constant { ty, name, value } => {
                self.text("const ");
                self.typed(ty, name);
                self.text(" = ");
                self.expression(value);
                self.end(";");
            }
            DeclarationKind::Variable(variable) => {
                self.variable(variable);
                self.end(";");
            }
            DeclarationKind::Instantiation(instance) => self.instantiation(instance),
            DeclarationKind::Errors(names) => self.names("error", names),
            DeclarationKind::MatchKinds(names) => self.names("match_kind", names),
            DeclarationKind::Struct(declared) => {
                self.text(match declared.kind {
                    StructKind::Struct => "struct ",
                    StructKind::Header => "header ",
                    StructKind::Union => "header_union ",
                });
                self.text(&declared.name.name);
                self.type_parameters(&declared.type_parameters);
                self.braces("}", |p| {
                    for field in &declared.fields {
                        p.annotation_lines(&field.annotations);
                        p.start();
                        p.typed(&field.ty, &field.name);
                        p.end(";");
                    }
                });
            }
            DeclarationKind::Enum(declared) => {
                self.text("enum ");
                if let Some(ty) = &declared.underlying {
                    self.ty(ty);
                    self.text(" ");
                }
                self.text(&declared.name.name);
                self.braces("}", |p| {
                    for (index, (name, value)) in declared.members.iter().enumerate() {
                        p.start();
                        p.text(&name.name);
                        if let Some(value) = value {
                            p.text(" = ");
                            p.expression(value);
                        }
                        p.end(if index + 1 < declared.members.len() { "," } else { "" });
                    }
                });
            }
            DeclarationKind::Typedef { ty, name } => {
                self.text("typedef ");
                self.typed(ty, name);
                self.end(";");
            }
            DeclarationKind::NewType { ty, name } => {
                self.text("type ");
                self.typed(ty, name);
                self.end(";");
            }
            DeclarationKind::ParserType(head) => {
                self.apply_type("parser", head);
                self.end(";");
            }
            DeclarationKind::ControlType(head) => {
                self.apply_type("control", head);
                self.end(";");
            }
            DeclarationKind::Package(head) => {
                self.apply_type("package", head);
                self.end(";");
            }
            DeclarationKind::Extern(declared) => {
                self.text("extern ");
                self.text(&declared.name.name);
                self.type_parameters(&declared.type_parameters);
                self.braces("}", |p| {
                    for method in declared.constructors.iter().chain(&declared.methods) {
                        p.annotation_lines(&method.annotations);
                        p.start();
                        p.prototype(method);
                        p.end(";");
                    }
                });
            }
            DeclarationKind::ExternFunction(prototype) => {
                self.text("extern ");
                self.prototype(prototype);
                self.end(";");
            }
            DeclarationKind::Function(function) => {
                self.prototype(&function.prototype);
                self.block(&function.body);
                self.end("");
            }
            DeclarationKind::Parser(parser) => {
                self.apply_type("parser", &parser.head);
                self.constructor_parameters(&parser.constructor_parameters);
                self.braces("}", |p| {
                    for local in &parser.locals {
                        p.declaration(local);
                    }
                    for state in &parser.states {
                        p.state(state);
                    }
                });
            }
            DeclarationKind::Control(control) => {
                self.apply_type("control", &control.head);
                self.constructor_parameters(&control.constructor_parameters);
                self.braces("}", |p| {
                    for local in &control.locals {
                        p.declaration(local);
                    }
                    p.start();
                    p.text("apply");
                    p.block(&control.body);
                    p.end("");
                });
            }
            DeclarationKind::Action(action) => {
                self.text("action ");
                self.text(&action.name.name);
                self.parameters(&action.parameters);
                self.block(&action.body);
                self.end("");
            }
            DeclarationKind::Table(table) => {
                self.text("table ");
                self.text(&table.name.name);
                self.braces("}", |p| {
                    for property in &table.properties {
                        p.annotation_lines(&property.annotations);
                        p.start();
                        if property.is_const {
                            p.text("const ");
                        }
                        p.table_property(&property.kind);
                    }
                });
            }
            DeclarationKind::ValueSet { ty, size, name } => {
                self.text("value_set<");
                self.ty(ty);
                self.text(">(");
                self.expression(size);
                self.text(") ");
                self.text(&name.name);
                self.end(";");
            }
        }
    }

    fn typed(&mut self, ty: &TypeExpr, name: &Ident) {
        self.ty(ty);
        self.text(" ");
        self.text(&name.name);
    }

    pub(super) fn variable(&mut self, variable: &VariableDeclaration) {
        self.typed(&variable.ty, &variable.name);
        if let Some(init) = &variable.init {
            self.text(" = ");
            self.expression(init);
        }
    }

    fn instantiation(&mut self, instance: &Instantiation) {
        self.ty(&instance.ty);
        self.arguments(&instance.arguments);
        self.text(" ");
        self.text(&instance.name.name);
        match &instance.initializer {
            None => self.end(";"),
            Some(declarations) => {
                self.text(" =");
                self.braces("};", |p| {
                    for declaration in declarations {
                        p.declaration(declaration);
                    }
                });
            }
        }
    }

    fn names(&mut self, word: &str, names: &[Ident]) {
        self.text(word);
        self.braces("}", |p| {
            for (index, name) in names.iter().enumerate() {
                p.start();
                p.text(&name.name);
                p.end(if index + 1 < names.len() { "," } else { "" });
            }
        });
    }

    fn type_parameters(&mut self, names: &[Ident]) {
        if !names.is_empty() {
            self.text("<");
            self.commas(names, |p, name| p.text(&name.name));
            self.text(">");
        }
    }

    fn apply_type(&mut self, word: &str, head: &ApplyType) {
        self.text(word);
        self.text(" ");
        self.text(&head.name.name);
        self.type_parameters(&head.type_parameters);
        self.parameters(&head.parameters);
    }

    fn constructor_parameters(&mut self, parameters: &[Parameter]) {
        if !parameters.is_empty() {
            self.parameters(parameters);
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        self.text("(");
        self.commas(parameters, |p, parameter| {
            p.annotations_before(&parameter.annotations);
            p.text(match parameter.direction {
                Direction::None => "",
                Direction::In => "in ",
                Direction::Out => "out ",
                Direction::InOut => "inout ",
            });
            p.typed(&parameter.ty, &parameter.name);
            if let Some(default) = &parameter.default {
                p.text(" = ");
                p.expression(default);
            }
        });
        self.text(")");
    }

    fn prototype(&mut self, prototype: &Prototype) {
        if prototype.is_abstract {
            self.text("abstract ");
        }
        if let Some(ty) = &prototype.return_type {
            self.ty(ty);
            self.text(" ");
        }
        self.text(&prototype.name.name);
        self.type_parameters(&prototype.type_parameters);
        self.parameters(&prototype.parameters);
    }

    fn state(&mut self, state: &ParserState) {
        self.annotation_lines(&state.annotations);
        self.start();
        self.text("state ");
        self.text(&state.name.name);
        self.braces("}", |p| {
            for statement in &state.statements {
                p.statement(statement);
            }
            match &state.transition {
                None => {}
                Some(Transition::Direct(target)) => {
                    p.line(&format!("transition {};", target.name));
                }
                Some(Transition::Select { expressions, cases, .. }) => {
                    p.start();
                    p.text("transition select(");
                    p.commas(expressions, |p, e| p.expression(e));
                    p.text(")");
                    p.braces("}", |p| {
                        for case in cases {
                            p.start();
                            p.keyset(&case.keyset);
                            p.text(": ");
                            p.text(&case.target.name);
                            p.end(";");
                        }
                    });
                }
            }
        });
    }

    fn table_property(&mut self, property: &TablePropertyKind) {
        match property {
            TablePropertyKind::Key(keys) => {
                self.text("key =");
                self.braces("}", |p| {
                    for key in keys {
                        p.start();
                        p.expression(&key.expression);
                        p.text(": ");
                        p.text(&key.match_kind.name);
                        p.annotations_behind(&key.annotations);
                        p.end(";");
                    }
                });
            }
            TablePropertyKind::Actions(actions) => {
                self.text("actions =");
                self.braces("}", |p| {
                    for action in actions {
                        p.start();
                        p.annotations_before(&action.annotations);
                        p.action_ref(action);
                        p.end(";");
                    }
                });
            }
            TablePropertyKind::Entries(entries) => {
                self.text("entries =");
                self.braces("}", |p| {
                    for entry in entries {
                        p.start();
                        if entry.is_const {
                            p.text("const ");
                        }
                        if let Some(priority) = &entry.priority {
                            p.text("priority = ");
                            p.number_or_parenthesized(priority);
                            p.text(": ");
                        }
                        p.keyset(&entry.keyset);
                        p.text(": ");
                        p.action_ref(&entry.action);
                        p.annotations_behind(&entry.annotations);
                        p.end(";");
                    }
                });
            }
            TablePropertyKind::Custom { name, value } => {
                self.text(&name.name);
                self.text(" = ");
                self.expression(value);
                self.end(";");
            }
        }
    }

    fn action_ref(&mut self, action: &ActionRef) {
        self.path(&action.path);
        if let Some(arguments) = &action.arguments {
            self.arguments(arguments);
        }
    }
}
