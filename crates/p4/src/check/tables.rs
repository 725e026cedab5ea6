//! Tables (§14.2).

use super::Checker;
use super::declarations::has_annotation;
use super::scope::Symbol;
use crate::ast::{self, Annotation, AnnotationBody, Expression, ExpressionKind, TablePropertyKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, ActionCall, CallArgument, ControlId, Expr, ExprKind, ParameterDef, TableId, Type,
};
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// The single string of an annotation such as `@name("x")`.
pub(crate) fn string_annotation(annotations: &[Annotation], name: &str) -> Option<ast::Name> {
    let annotation = annotations.iter().find(|a| &*a.name.name == name)?;
    match &annotation.body {
        AnnotationBody::Unstructured(tokens) => joined_strings(tokens),
        AnnotationBody::Expressions(list) => match list.first().map(|e| &e.kind) {
            Some(ExpressionKind::String(s)) => Some(s.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The text of `"a"` or `"a" ++ "b"`; `None` for any other tokens.
pub(crate) fn joined_strings(tokens: &[ast::AnnotationToken]) -> Option<ast::Name> {
    let strings = tokens.iter().step_by(2);
    let mut joints = tokens.iter().skip(1).step_by(2);
    let legal = tokens.len() % 2 == 1
        && strings.clone().all(|t| t.is_string)
        && joints.all(|t| !t.is_string && &*t.text == "++");
    legal.then(|| strings.map(|t| &*t.text).collect::<String>().into())
}

impl<'a> Checker<'a> {
    pub(super) fn table_declaration(
        &mut self,
        t: &'a ast::TableDeclaration,
        annotations: &'a [Annotation],
        control: ControlId,
    ) -> TableId {
        let id = TableId(self.program.tables.len() as u32);
        self.program.tables.push(ir::Table {
            name: t.name.name.clone(),
            control,
            keys: Vec::new(),
            actions: Vec::new(),
            default_action: ActionCall { action: 0, arguments: Vec::new() },
            const_default: false,
            size: None,
            entries: Vec::new(),
            const_entries: false,
            largest_priority_wins: true,
            properties: Vec::new(),
            annotations: annotations.to_vec(),
            span: t.name.span,
        });
        self.duplicate_properties(t);
        let mut written_actions: &'a [ast::ActionRef] = &[];
        let mut found = false;
        for p in &t.properties {
            self.check_annotations(&p.annotations);
            match &p.kind {
                TablePropertyKind::Key(keys) => {
                    if p.is_const {
                        self.error(p.span, "`key` cannot be `const`");
                    }
                    for key in keys {
                        if let Some(key) = self.key(key) {
                            self.program[id].keys.push(key);
                        }
                    }
                }
                TablePropertyKind::Actions(list) => {
                    (written_actions, found) = (list, true);
                    if p.is_const {
                        self.error(p.span, "`actions` cannot be `const`");
                    }
                }
                _ => {}
            }
        }
        if !found {
            let d =
                Diagnostic::error(t.name.span, format!("table `{}` has no `actions`", t.name.name))
                    .help("every table needs `actions = { ... }`");
            self.report(d);
        }
        let mut names: HashSet<&str> = HashSet::with_capacity(written_actions.len());
        for a in written_actions {
            self.listed_action(id, a, names.insert(&a.path.name.name));
        }
        self.choices = self.program[id].actions.iter().map(|a| a.action).zip(0..).collect();
        let actions_at =
            t.properties.iter().position(|p| matches!(p.kind, TablePropertyKind::Actions(_)));
        for (n, p) in t.properties.iter().enumerate() {
            if let TablePropertyKind::Custom { name, .. } = &p.kind
                && &*name.name == "default_action"
                && actions_at.is_some_and(|at| n < at)
            {
                self.error(p.span, "`default_action` must stand behind `actions`");
            }
        }
        let mut default = None;
        let mut entries = None;
        for p in &t.properties {
            match &p.kind {
                TablePropertyKind::Custom { name, value } if &*name.name == "default_action" => {
                    default = Some((value, p.is_const));
                }
                TablePropertyKind::Custom { name, value } => {
                    self.custom_property(id, name, value, p);
                }
                TablePropertyKind::Entries(list) => entries = Some((list, p)),
                _ => {}
            }
        }
        self.default_action(id, default);
        if let Some((list, p)) = entries {
            self.entries(id, list, p);
        }
        self.declare(&t.name, Symbol::Table(id));
        id
    }

    fn duplicate_properties(&mut self, t: &'a ast::TableDeclaration) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for p in &t.properties {
            let name = match &p.kind {
                TablePropertyKind::Key(_) => "key",
                TablePropertyKind::Actions(_) => "actions",
                TablePropertyKind::Entries(_) => "entries",
                TablePropertyKind::Custom { name, .. } => &name.name,
            };
            if let Some(first) = seen.insert(name, p.span) {
                let d = Diagnostic::error(p.span, format!("property `{name}` is given twice"));
                self.report(d.also(first, "first"));
            }
        }
    }

    fn key(&mut self, key: &'a ast::KeyElement) -> Option<ir::Key> {
        self.check_annotations(&key.annotations);
        let kind = &key.match_kind;
        if !self.match_kinds.contains(&kind.name) {
            let known = self.program.match_kinds.iter().map(|k| &**k);
            let near = Self::nearest(&mut self.compared, &kind.name, known);
            let d = Diagnostic::error(kind.span, format!("`{}` is not a match kind", kind.name));
            self.report(match near {
                Some(near) => d.help(format!("did you mean `{near}`?")),
                None if self.program.match_kinds.is_empty() => {
                    d.help("the usual ones are declared in core.p4: `#include <core.p4>`")
                }
                None => d,
            });
        }
        let value = self.expression(&key.expression, None);
        if value.ty == Type::Unknown {
            return None;
        }
        let shallow = self.shallow(&value.ty);
        let legal = match shallow {
            Type::Int => false,
            Type::Struct(_) | Type::Tuple(_) => false,
            _ => self.can_match(&shallow),
        };
        if !legal {
            let message = format!("a key cannot have type `{}`", self.show(&value.ty));
            self.error(key.expression.span, message);
            return None;
        }
        let name = match string_annotation(&key.annotations, "name") {
            Some(name) => name.trim_start_matches('.').into(),
            None => {
                if !has_name(&key.expression) {
                    let d = Diagnostic::error(
                        key.expression.span,
                        "this key has no name for the control plane",
                    )
                    .label("too complex for its text to be a name")
                    .help("write one behind the match kind: `... : exact @name(\"key\");`");
                    self.report(d);
                }
                self.key_name(&key.expression)
            }
        };
        Some(ir::Key {
            value,
            match_kind: kind.name.clone(),
            name,
            annotations: key.annotations.clone(),
        })
    }

    /// A key's name as the control plane knows it: the expression as written, without blanks.
    fn key_name(&self, e: &Expression) -> ast::Name {
        let text = self.sources.snippet(e.span);
        let mut out = String::with_capacity(text.len());
        let mut word_before = false;
        let mut gap = false;
        for c in text.chars() {
            if c.is_whitespace() {
                gap = true;
                continue;
            }
            let word = c.is_alphanumeric() || c == '_';
            if gap && word_before && word {
                out.push(' ');
            }
            gap = false;
            word_before = word;
            out.push(c);
        }
        out.trim_start_matches('.').into()
    }

    /// An entry of `actions = { .. }`; `is_new`: none before it has the same name.
    fn listed_action(&mut self, table: TableId, a: &'a ast::ActionRef, is_new: bool) {
        self.check_annotations(&a.annotations);
        let Some(action) = self.action_named(&a.path) else { return };
        if !is_new {
            let message = format!("action `{}` is listed twice", a.path.name.name);
            self.error(a.span, message);
            return;
        }
        let parameters = self.action_parameters(action);
        let directed = Self::directed(&parameters);
        let arguments = a.arguments.as_deref().unwrap_or_default();
        let bound = match self.bind(
            &a.path.name.name,
            &parameters[..directed],
            &parameters,
            arguments,
            a.span,
        ) {
            Some(bound) => bound,
            None => return,
        };
        let default_only = has_annotation(&a.annotations, "defaultonly");
        let table_only = has_annotation(&a.annotations, "tableonly");
        if default_only && table_only {
            self.error(a.span, "an action cannot be both `@defaultonly` and `@tableonly`");
        }
        self.program[table].actions.push(ir::TableAction {
            action,
            bound,
            default_only,
            table_only,
            annotations: a.annotations.clone(),
        });
    }

    /// The action that a name stands for.
    pub(super) fn action_named(&mut self, path: &'a ast::Path) -> Option<ir::ActionId> {
        match self.lookup(path) {
            Some(Symbol::Action(id)) => Some(id),
            Some(Symbol::Broken) => None,
            Some(symbol) => {
                let message =
                    format!("`{}` is {}, not an action", path.name.name, symbol.describe());
                self.error(path.name.span, message);
                None
            }
            None => {
                self.unknown_name(path, "action");
                None
            }
        }
    }

    /// Arguments of a listed action: exactly its parameters with a direction.
    fn bind(
        &mut self,
        name: &str,
        directed: &[ParameterDef],
        all: &[ParameterDef],
        arguments: &'a [ast::Argument],
        span: Span,
    ) -> Option<Vec<CallArgument>> {
        let data = |a: &&ast::Argument| {
            a.name.as_ref().is_some_and(|n| all[directed.len()..].iter().any(|p| p.name == n.name))
        };
        if let Some(a) = arguments.iter().find(data).or_else(|| {
            let positional = arguments.first().is_some_and(|a| a.name.is_none());
            arguments.get(directed.len()).filter(|_| positional && all.len() >= arguments.len())
        }) {
            let d =
                Diagnostic::error(a.span, format!("this parameter of `{name}` has no direction"))
                    .label("its value comes from the control plane and cannot be bound here");
            self.report(d);
            self.arguments_of_broken_call(arguments);
            return None;
        }
        self.lower_arguments(name, directed, arguments, span, false)
    }

    /// `default_action`, or `NoAction`.
    fn default_action(&mut self, table: TableId, written: Option<(&'a Expression, bool)>) {
        let Some((e, is_const)) = written else {
            self.implicit_default(table);
            return;
        };
        self.program[table].const_default = is_const;
        let reference = match &e.kind {
            ExpressionKind::Name(path) => Some((path, None)),
            ExpressionKind::Call { callee, type_arguments, arguments }
                if type_arguments.is_empty() =>
            {
                match &callee.kind {
                    ExpressionKind::Name(path) => Some((path, Some(&arguments[..]))),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((path, arguments)) = reference else {
            self.error(e.span, "`default_action` must name an action");
            return;
        };
        let Some(call) = self.chosen_action(table, path, arguments, e.span) else { return };
        if self.program[table].actions[call.action as usize].table_only {
            let message = format!(
                "action `{}` is `@tableonly` and cannot be the default action",
                path.name.name
            );
            self.error(e.span, message);
        }
        self.program[table].default_action = call;
    }

    /// Without `default_action` a miss runs `NoAction` (§14.2.1.3).
    fn implicit_default(&mut self, table: TableId) {
        let action = match self.scopes.lookup_top("NoAction").map(|b| b.symbol.clone()) {
            Some(Symbol::Action(id)) => id,
            _ => {
                // A program without the core library: the same action, made here.
                let id = ir::ActionId(self.program.actions.len() as u32);
                self.program.actions.push(ir::Action {
                    name: "NoAction".into(),
                    control: None,
                    parameters: Vec::new(),
                    body: ir::Block::default(),
                    annotations: Vec::new(),
                    span: Span::NONE,
                });
                self.action_heads.push(Vec::new());
                id
            }
        };
        let actions = &mut self.program[table].actions;
        let position = actions.iter().position(|a| a.action == action).unwrap_or_else(|| {
            actions.push(ir::TableAction {
                action,
                bound: Vec::new(),
                default_only: true,
                table_only: false,
                annotations: Vec::new(),
            });
            actions.len() - 1
        });
        self.program[table].default_action =
            ActionCall { action: position as u32, arguments: Vec::new() };
    }

    /// An action of the table with the control plane's arguments, for entries and the default.
    pub(super) fn chosen_action(
        &mut self,
        table: TableId,
        path: &'a ast::Path,
        arguments: Option<&'a [ast::Argument]>,
        span: Span,
    ) -> Option<ActionCall> {
        let action = self.action_named(path)?;
        let Some(position) = self.choices.get(&action).copied() else {
            let message = format!(
                "action `{}` is not among the actions of table `{}`",
                path.name.name, self.program[table].name
            );
            let d = Diagnostic::error(span, message).help("add it to `actions = { ... }`");
            self.report(d);
            return None;
        };
        let parameters = self.action_parameters(action);
        let directed = Self::directed(&parameters);
        let arguments = arguments.unwrap_or_default();
        let name = path.name.name.clone();
        // Bound arguments may be repeated, but must then be the same (§14.2.1.3).
        let repeats = arguments.len() > parameters.len() - directed
            || arguments.iter().any(|a| {
                a.name
                    .as_ref()
                    .is_some_and(|n| parameters[..directed].iter().any(|p| p.name == n.name))
            });
        let data = if repeats { &parameters[..] } else { &parameters[directed..] };
        let lowered = self.lower_arguments(&name, data, arguments, span, false)?;
        let offset = if repeats { directed } else { 0 };
        let mut ordered: Vec<Option<Expr>> = vec![None; parameters.len() - directed];
        for (written, a) in lowered.into_iter().enumerate() {
            let n = a.parameter as usize;
            if n < offset {
                self.check_repeated(table, position, n, &a, arguments.get(written), span);
            } else {
                ordered[n - offset] = a.value;
            }
        }
        let mut values = Vec::with_capacity(ordered.len());
        for (value, p) in ordered.into_iter().zip(&parameters[directed..]) {
            let value = match value {
                Some(value) => value,
                None if p.optional => Expr { kind: ExprKind::Default, ty: p.ty.clone(), span },
                None => return None,
            };
            if !self.is_compile_time(&value) {
                let d = Diagnostic::error(
                    value.span,
                    format!("the argument for `{}` must be a compile-time constant", p.name),
                );
                self.report(d.label("not known at compile time"));
                return None;
            }
            values.push(value);
        }
        Some(ActionCall { action: position as u32, arguments: values })
    }

    fn check_repeated(
        &mut self,
        table: TableId,
        position: usize,
        parameter: usize,
        a: &CallArgument,
        written: Option<&ast::Argument>,
        span: Span,
    ) {
        let bound = self.program[table].actions[position]
            .bound
            .iter()
            .find(|b| b.parameter as usize == parameter)
            .and_then(|b| b.value.as_ref());
        let text = |checker: &Self, e: &Expr| {
            checker.sources.snippet(e.span).split_whitespace().collect::<String>()
        };
        let (Some(bound), Some(value)) = (bound, &a.value) else { return };
        let same_value = self.constant(bound).is_some_and(|c| self.constant(value) == Some(c));
        if !same_value && text(self, bound) != text(self, value) {
            let first = bound.span;
            let d = Diagnostic::error(
                written.map_or(span, |w| w.span),
                "this argument differs from the one in the list of actions",
            );
            self.report(d.also(first, "bound here"));
        }
    }

    fn custom_property(
        &mut self,
        table: TableId,
        name: &'a ast::Ident,
        value: &'a Expression,
        p: &'a ast::TableProperty,
    ) {
        match &*name.name {
            "size" => {
                let e = self.expression(value, None);
                if let Some(size) = self.integer(&e) {
                    match super::type_expressions::as_count(size) {
                        Some(n) => self.program[table].size = Some(n),
                        None => {
                            let message = format!("illegal size {size}");
                            self.error(value.span, message);
                        }
                    }
                    return;
                }
                let storage = self.program.types.storage(&self.shallow(&e.ty)).clone();
                if !matches!(storage, Type::Int | Type::Bit(_) | Type::Signed(_) | Type::Unknown) {
                    let message = format!("`size` must be an integer, not `{}`", self.show(&e.ty));
                    self.error(value.span, message);
                    return;
                }
            }
            "largest_priority_wins" => {
                let e = self.typed_expression(value, &Type::Bool);
                match self.constant(&e) {
                    Some(ir::Const::Bool(b)) => self.program[table].largest_priority_wins = *b,
                    _ if e.ty == Type::Unknown => {}
                    _ => self.error(
                        value.span,
                        "`largest_priority_wins` must be a compile-time constant",
                    ),
                }
                return;
            }
            "priority_delta" => {
                let Some(delta) = self.compile_time_integer(value, "`priority_delta`") else {
                    return;
                };
                if super::type_expressions::as_count(&delta).is_none_or(|d| d == 0) {
                    self.error(
                        value.span,
                        format!("`priority_delta` must be positive, not {delta}"),
                    );
                }
            }
            _ => {}
        }
        // An architecture may let a property name an action, as PSA's psa_empty_group_action does.
        let (named, arguments) = match &value.kind {
            ExpressionKind::Call { callee, arguments, .. } => (&callee.kind, &arguments[..]),
            kind => (kind, &[][..]),
        };
        if let ExpressionKind::Name(path) = named
            && matches!(self.lookup(path), Some(Symbol::Action(_)))
        {
            self.arguments_of_broken_call(arguments);
            return;
        }
        let lowered = self.expression(value, None);
        if lowered.ty == Type::Unknown {
            return;
        }
        if !self.is_compile_time(&lowered) {
            self.error(
                value.span,
                format!("property `{}` must be a compile-time value", name.name),
            );
            return;
        }
        self.program[table].properties.push(ir::Property {
            name: name.name.clone(),
            value: lowered,
            is_const: p.is_const,
            annotations: p.annotations.clone(),
        });
    }
}

/// Whether a key's text serves as its name (§18.3.1.3): validity, elements, constants, fields,
/// slices and masks do.
fn has_name(e: &Expression) -> bool {
    match &e.kind {
        ExpressionKind::Name(_)
        | ExpressionKind::Number { .. }
        | ExpressionKind::Bool(_)
        | ExpressionKind::Type(_)
        | ExpressionKind::Error => true,
        ExpressionKind::Member(base, _) => has_name(base),
        ExpressionKind::Index(base, index) => has_name(base) && has_name(index),
        ExpressionKind::Slice(base, hi, lo) => [base, hi, lo].iter().all(|e| has_name(e)),
        ExpressionKind::Binary(ast::BinaryOp::And, a, b) => has_name(a) && has_name(b),
        ExpressionKind::Call { callee, arguments, .. } => match &callee.kind {
            ExpressionKind::Member(base, method) => {
                &*method.name == "isValid" && arguments.is_empty() && has_name(base)
            }
            _ => false,
        },
        _ => false,
    }
}
