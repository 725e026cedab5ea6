//! Functions, actions, parsers, controls and tables.

use super::Printer;
use crate::ir::{
    Action, ActionCall, Control, Direction, InstanceDeclaration, Local, Parameter, Parser, State,
    Table, TableId, Target, Transition,
};

/// The direction of a parameter with a space behind it.
pub(super) fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::None => "",
        Direction::In => "in ",
        Direction::Out => "out ",
        Direction::InOut => "inout ",
    }
}

impl Printer<'_> {
    fn parameters(&self, parameters: &[Parameter]) -> String {
        let one = |p: &Parameter| {
            format!("{}{} {}", direction(p.direction), self.ty(&p.ty), self.var(p.var))
        };
        parameters.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Everything with a body.
    pub(super) fn callables(&mut self) {
        let program = self.program;
        for (index, function) in program.functions.iter().enumerate() {
            if super::labels::is_generic(function) {
                continue;
            }
            self.line("");
            let name = self.labels.functions.get(index).cloned().unwrap_or_default();
            let head = format!(
                "function {} {name}({})",
                self.ty(&function.return_type),
                self.parameters(&function.parameters)
            );
            self.braces(&head, "}", |p| p.block(&function.body));
        }
        for action in program.actions.iter().filter(|a| a.control.is_none()) {
            self.line("");
            self.action(action);
        }
        for parser in &program.parsers {
            self.line("");
            self.parser(parser);
        }
        for control in &program.controls {
            self.line("");
            self.control(control);
        }
    }

    fn action(&mut self, action: &Action) {
        let head = format!("action {}({})", action.name, self.parameters(&action.parameters));
        self.braces(&head, "}", |p| p.block(&action.body));
    }

    fn head(
        &self,
        word: &str,
        name: &str,
        parameters: &[Parameter],
        constructor: &[Parameter],
    ) -> String {
        let constructor = match constructor.is_empty() {
            true => String::new(),
            false => format!("({})", self.parameters(constructor)),
        };
        format!("{word} {name}({}){constructor}", self.parameters(parameters))
    }

    fn locals(&mut self, locals: &[Local]) {
        for local in locals {
            match local {
                Local::Variable(var, init) => {
                    let ty = self.program.variables.get(var.index()).map(|v| self.ty(&v.ty));
                    let mut text = format!("{} {}", ty.unwrap_or_default(), self.var(*var));
                    if let Some(init) = init {
                        text.push_str(&format!(" = {}", self.expr(init)));
                    }
                    self.line(&format!("{text};"));
                }
                Local::Instance(declaration) => self.instance_declaration(declaration),
                Local::ValueSet { var, size, .. } => {
                    let ty = self.program.variables.get(var.index()).map(|v| self.ty(&v.ty));
                    let ty = ty.unwrap_or_default();
                    self.line(&format!("{ty}({size}) {};", self.var(*var)));
                }
            }
        }
    }

    /// An instance and the methods that it brings.
    fn instance_declaration(&mut self, declaration: &InstanceDeclaration) {
        let name = declaration.var.map_or(&*declaration.name, |var| self.var(var));
        let text = format!("instance {name} = {}", self.construction(declaration));
        if declaration.methods.is_empty() && declaration.inner.is_empty() {
            self.line(&format!("{text};"));
            return;
        }
        self.braces(&text, "}", |p| {
            for inner in &declaration.inner {
                p.instance_declaration(inner);
            }
            for (_, function) in &declaration.methods {
                let name = p.labels.functions.get(function.index()).cloned().unwrap_or_default();
                p.line(&format!("method {name};"));
            }
        });
    }

    fn parser(&mut self, parser: &Parser) {
        let head = self.head("parser", &parser.name, &parser.parameters, &parser.constructor);
        self.braces(&head, "}", |p| {
            p.locals(&parser.locals);
            for (index, state) in parser.states.iter().enumerate() {
                let start = if index == parser.start as usize { " // first" } else { "" };
                p.line(&format!("state {} {{{start}", state.name));
                p.indent += 1;
                p.statements(&state.body);
                p.transition(&state.transition, &parser.states);
                p.indent -= 1;
                p.line("}");
            }
        });
    }

    fn transition(&mut self, transition: &Transition, states: &[State]) {
        let name = |target: &Target| match target {
            Target::State(index) => states.get(*index as usize).map_or("?", |s| &*s.name),
            Target::Accept => "accept",
            Target::Reject => "reject",
        };
        match transition {
            Transition::Direct(target) => self.line(&format!("transition {};", name(target))),
            Transition::Select { values, cases } => {
                let head = format!("transition select({})", self.exprs(values));
                self.braces(&head, "}", |p| {
                    for case in cases {
                        p.line(&format!("{}: {};", p.key_sets(&case.sets), name(&case.target)));
                    }
                });
            }
        }
    }

    fn control(&mut self, control: &Control) {
        let program = self.program;
        let head = self.head("control", &control.name, &control.parameters, &control.constructor);
        self.braces(&head, "}", |p| {
            p.locals(&control.locals);
            for action in control.actions.iter().filter_map(|id| program.actions.get(id.index())) {
                p.action(action);
            }
            for id in &control.tables {
                p.table(*id);
            }
            p.braces("apply", "}", |p| p.block(&control.body));
        });
    }

    fn table(&mut self, id: TableId) {
        let Some(table) = self.program.tables.get(id.index()) else { return };
        self.braces(&format!("table {}", table.name), "}", |p| {
            if !table.keys.is_empty() {
                p.braces("key =", "}", |p| {
                    for key in &table.keys {
                        let (value, kind) = (p.expr(&key.value), &key.match_kind);
                        p.line(&format!("{value} : {kind} @name(\"{}\");", key.name));
                    }
                });
            }
            p.braces("actions =", "}", |p| {
                for listed in &table.actions {
                    let mut text = String::new();
                    if listed.default_only {
                        text.push_str("@defaultonly ");
                    }
                    if listed.table_only {
                        text.push_str("@tableonly ");
                    }
                    let name = p.action_name(listed.action);
                    p.line(&format!("{text}{name}({});", p.arguments(&listed.bound)));
                }
            });
            let word = if table.const_default { "const " } else { "" };
            p.line(&format!(
                "{word}default_action = {};",
                p.action_call(table, &table.default_action)
            ));
            if let Some(size) = table.size {
                p.line(&format!("size = {size};"));
            }
            for property in &table.properties {
                let word = if property.is_const { "const " } else { "" };
                p.line(&format!("{word}{} = {};", property.name, p.expr(&property.value)));
            }
            p.entries(table);
        });
    }

    fn entries(&mut self, table: &Table) {
        if table.entries.is_empty() && !table.const_entries {
            return;
        }
        let word = if table.const_entries { "const " } else { "" };
        let order = if table.largest_priority_wins { "" } else { " // smallest priority wins" };
        self.line(&format!("{word}entries = {{{order}"));
        self.indent += 1;
        for entry in &table.entries {
            let mut text = if entry.is_const { "const ".to_owned() } else { String::new() };
            if let Some(priority) = entry.priority {
                text.push_str(&format!("priority={priority}: "));
            }
            let action = self.action_call(table, &entry.action);
            let text = format!("{text}{} : {action};", self.key_sets(&entry.keys));
            self.line(&text);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn action_call(&self, table: &Table, call: &ActionCall) -> String {
        let listed = table.actions.get(call.action as usize);
        let name = listed.map_or("?", |listed| self.action_name(listed.action));
        format!("{name}({})", self.exprs(&call.arguments))
    }
}
