//! Evaluation of instantiations: the tree of objects that exists when a program is loaded (§18.3).

use super::Checker;
use super::tables::string_annotation;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Const, ConstructorValue, Expr, ExprKind, Instance, InstanceDeclaration, InstanceId,
    InstanceKind, Local, StmtKind, Type, VarId,
};
use std::collections::HashMap;

/// What variables stand for while an instance is made.
type Environment = HashMap<VarId, ConstructorValue>;

/// More objects than this are a mistake or an attack.
const MAX_INSTANCES: usize = 100_000;

impl Checker<'_> {
    /// Makes all objects of the program.
    pub(super) fn elaborate(&mut self) {
        let mut environment = Environment::new();
        for declared in self.program.top_level.clone() {
            let id = self.instance(&declared, None, "", &mut environment);
            if let (Some(var), Some(id)) = (declared.var, id) {
                environment.insert(var, ConstructorValue::Instance(id));
                self.program.globals.push((var, id));
                if &*declared.name == "main" {
                    self.program.main = Some(id);
                }
            }
        }
    }

    fn instance(
        &mut self,
        declared: &InstanceDeclaration,
        parent: Option<InstanceId>,
        path: &str,
        environment: &mut Environment,
    ) -> Option<InstanceId> {
        if self.program.instances.len() >= MAX_INSTANCES {
            self.error(declared.span, format!("the program has more than {MAX_INSTANCES} objects"));
            return None;
        }
        let kind = match &declared.ty {
            Type::Extern(id, types) => InstanceKind::Extern(*id, types.clone()),
            Type::Apply(id, _) => InstanceKind::Package(*id),
            Type::Parser(id) => InstanceKind::Parser(*id),
            Type::Control(id) => InstanceKind::Control(*id),
            _ => return None,
        };
        // What a package is made of has no name but that of its type.
        let in_package =
            parent.is_some_and(|p| matches!(self.program[p].kind, InstanceKind::Package(_)));
        let annotations = match &kind {
            InstanceKind::Control(c) if in_package && declared.annotations.is_empty() => {
                &self.program[*c].annotations
            }
            InstanceKind::Parser(p) if in_package && declared.annotations.is_empty() => {
                &self.program[*p].annotations
            }
            _ => &declared.annotations,
        };
        let name = control_plane_name(path, &declared.name, annotations);
        // Parents come first: the place is taken before the arguments are made.
        let id = InstanceId(self.program.instances.len() as u32);
        self.program.instances.push(Instance {
            name: name.clone(),
            parent,
            kind: kind.clone(),
            constructor: declared.constructor,
            arguments: Vec::new(),
            bindings: Vec::new(),
            methods: declared.methods.clone(),
            table_sizes: Vec::new(),
            annotations: declared.annotations.clone(),
            span: declared.span,
        });
        let mut arguments = Vec::with_capacity(declared.arguments.len());
        for a in &declared.arguments {
            arguments.push(match a {
                None => ConstructorValue::Absent,
                // What a package is made of is named after its own declaration.
                Some(e) => {
                    self.constructor_value(e, Some(id), package_path(&kind, &name), environment)?
                }
            });
        }
        let mut inner: Environment = environment.clone();
        let mut bindings = Vec::new();
        let (parameters, locals) = match &kind {
            InstanceKind::Parser(p) => {
                let parser = &self.program[*p];
                (parser.constructor.clone(), parser.locals.clone())
            }
            InstanceKind::Control(c) => {
                let control = &self.program[*c];
                (control.constructor.clone(), control.locals.clone())
            }
            _ => (Vec::new(), Vec::new()),
        };
        for (p, value) in parameters.iter().zip(&arguments) {
            inner.insert(p.var, value.clone());
            bindings.push((p.var, value.clone()));
        }
        self.program[id].arguments = arguments;
        let mut declarations: Vec<InstanceDeclaration> = locals
            .into_iter()
            .filter_map(|l| match l {
                Local::Instance(d) => Some(d),
                _ => None,
            })
            .collect();
        if let InstanceKind::Control(c) = kind {
            let body = self.program[c].body.clone();
            instances_in(&body.statements, &mut declarations);
        }
        declarations.extend(declared.inner.iter().cloned());
        for d in &declarations {
            let child = self.instance(d, Some(id), &name, &mut inner)?;
            if let Some(var) = d.var {
                inner.insert(var, ConstructorValue::Instance(child));
                bindings.push((var, ConstructorValue::Instance(child)));
            }
        }
        self.program[id].bindings = bindings;
        if let InstanceKind::Control(c) = kind {
            self.table_properties(c, id, &name, &mut inner);
            self.table_sizes(c, id, &inner);
            self.unique_table_names(c, id, &name);
        }
        Some(id)
    }

    /// Objects made in table properties: `implementation = action_profile(32)`. They are bound to
    /// a variable of their own, which takes the property's place.
    fn table_properties(
        &mut self,
        control: ir::ControlId,
        id: InstanceId,
        path: &str,
        environment: &mut Environment,
    ) {
        for table in self.program[control].tables.clone() {
            for n in 0..self.program[table].properties.len() {
                let property = &self.program[table].properties[n];
                let (var, declared) = match &property.value.kind {
                    ExprKind::Construct(declared) => {
                        let ident =
                            crate::ast::Ident { name: declared.name.clone(), span: declared.span };
                        let mut declared = (**declared).clone();
                        declared.name = match string_annotation(&property.annotations, "name") {
                            Some(name) => name,
                            None => self.program[table].name.clone(),
                        };
                        let ty = declared.ty.clone();
                        let var = self.variable(&ident, ty, ir::VariableKind::Instance);
                        declared.var = Some(var);
                        self.program[table].properties[n].value.kind = ExprKind::Var(var);
                        self.constructed.insert(var, declared.clone());
                        (var, declared)
                    }
                    ExprKind::Var(var) => match self.constructed.get(var) {
                        Some(declared) => (*var, declared.clone()),
                        None => continue,
                    },
                    _ => continue,
                };
                if let Some(child) = self.instance(&declared, Some(id), path, environment) {
                    self.program[id].bindings.push((var, ConstructorValue::Instance(child)));
                }
            }
        }
    }

    /// Sizes that are computed from constructor parameters.
    fn table_sizes(&mut self, control: ir::ControlId, id: InstanceId, environment: &Environment) {
        for table in self.program[control].tables.clone() {
            let properties = &self.program[table].properties;
            let Some(size) = properties.iter().find(|p| &*p.name == "size") else { continue };
            let value = size.value.clone();
            match self.value(&value, environment) {
                Some(Const::Int(n)) => match super::type_expressions::as_count(&n) {
                    Some(n) => self.program[id].table_sizes.push((table, n)),
                    None => self.error(value.span, format!("illegal size {n}")),
                },
                _ => {
                    self.error(value.span, "`size` cannot be evaluated when the program is loaded")
                }
            }
        }
    }

    /// No two tables may have one name for the control plane (§18.3.2). The same control given to
    /// a package twice is named once: its parameters tell the instances apart.
    fn unique_table_names(&mut self, control: ir::ControlId, id: InstanceId, path: &str) {
        for table in self.program[control].tables.clone() {
            let t = &self.program[table];
            if super::declarations::has_annotation(&t.annotations, "hidden") {
                continue;
            }
            let span = t.span;
            let absolute =
                string_annotation(&t.annotations, "name").is_some_and(|n| n.starts_with('.'));
            let name = control_plane_name(path, &t.name, &t.annotations);
            let root = self.root_of(id);
            match self.table_names.get(&name) {
                Some(&(first, other, _)) if first == table && root != other && !absolute => {}
                Some(&(first, _, at)) => {
                    let message = format!("two tables have the control-plane name `{name}`");
                    let mut d = Diagnostic::error(span, message);
                    d = match first == table {
                        true => d.help("the control is instantiated more than once"),
                        false => d.also(at, "the other table"),
                    };
                    self.report(d);
                }
                None => {
                    self.table_names.insert(name, (table, root, span));
                }
            }
        }
    }

    /// The block given to a package that an instance belongs to.
    fn root_of(&self, mut id: InstanceId) -> InstanceId {
        while let Some(parent) = self.program[id].parent {
            if matches!(self.program[parent].kind, InstanceKind::Package(_)) {
                break;
            }
            id = parent;
        }
        id
    }

    fn constructor_value(
        &mut self,
        e: &Expr,
        parent: Option<InstanceId>,
        path: &str,
        environment: &mut Environment,
    ) -> Option<ConstructorValue> {
        if let ExprKind::Construct(declared) = &e.kind {
            return self
                .instance(declared, parent, path, environment)
                .map(ConstructorValue::Instance);
        }
        if let ExprKind::Var(var) = &e.kind
            && let Some(value) = environment.get(var)
        {
            return Some(value.clone());
        }
        match self.value(e, environment) {
            Some(value) => Some(ConstructorValue::Const(value)),
            None => {
                self.error(
                    e.span,
                    "this constructor argument cannot be evaluated when the program is loaded",
                );
                None
            }
        }
    }

    /// The value of a compile-time expression with constructor parameters in it.
    fn value(&mut self, e: &Expr, environment: &Environment) -> Option<Const> {
        let substituted = self.with_values(e, environment);
        self.evaluate(&substituted)
    }

    fn with_values(&mut self, e: &Expr, environment: &Environment) -> Expr {
        let (ty, span) = (e.ty.clone(), e.span);
        match &e.kind {
            ExprKind::Var(var) => match environment.get(var) {
                Some(ConstructorValue::Const(value)) => {
                    Expr { kind: ExprKind::Const(value.clone()), ty, span }
                }
                _ => e.clone(),
            },
            ExprKind::Unary(op, a) => {
                let a = self.with_values(a, environment);
                self.fold_unary(*op, a, ty, span)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.with_values(a, environment), self.with_values(b, environment));
                self.fold_binary(*op, a, b, ty, span)
            }
            ExprKind::Cast(a) => {
                let a = self.with_values(a, environment);
                self.fold_cast(a, ty, span)
            }
            ExprKind::Slice { base, hi, lo } => {
                let base = self.with_values(base, environment);
                self.fold_slice(base, *hi, *lo, span)
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.with_values(c, environment);
                match self.constant(&c) {
                    Some(Const::Bool(true)) => self.with_values(a, environment),
                    Some(Const::Bool(false)) => self.with_values(b, environment),
                    _ => e.clone(),
                }
            }
            ExprKind::Struct(es) => {
                let es = es.iter().map(|e| self.with_values(e, environment)).collect();
                Expr { kind: ExprKind::Struct(es), ty, span }
            }
            ExprKind::Tuple(es) => {
                let es = es.iter().map(|e| self.with_values(e, environment)).collect();
                Expr { kind: ExprKind::Tuple(es), ty, span }
            }
            ExprKind::Field(base, n) | ExprKind::TupleField(base, n) => {
                let base = self.with_values(base, environment);
                match self.evaluate(&base) {
                    Some(Const::Aggregate(values)) => match values.get(*n as usize) {
                        Some(value) => Expr { kind: ExprKind::Const(value.clone()), ty, span },
                        None => e.clone(),
                    },
                    _ => e.clone(),
                }
            }
            _ => e.clone(),
        }
    }
}

/// The path under which a package's arguments are named: none, for they are roots themselves.
fn package_path<'n>(kind: &InstanceKind, name: &'n str) -> &'n str {
    match kind {
        InstanceKind::Package(_) => "",
        _ => name,
    }
}

/// The name of something declared at `path`: `@name` counts, and a leading dot makes it absolute.
pub(crate) fn control_plane_name(
    path: &str,
    name: &str,
    annotations: &[crate::ast::Annotation],
) -> String {
    let given = string_annotation(annotations, "name");
    let own = given.as_deref().unwrap_or(name);
    match own.strip_prefix('.') {
        Some(absolute) => absolute.to_owned(),
        None if path.is_empty() => own.to_owned(),
        None => format!("{path}.{own}"),
    }
}

/// Instances declared among statements.
fn instances_in(statements: &[ir::Stmt], out: &mut Vec<InstanceDeclaration>) {
    for s in statements {
        match &s.kind {
            StmtKind::Instance(d) => out.push((**d).clone()),
            StmtKind::Block(b)
            | StmtKind::For { body: b, .. }
            | StmtKind::ForIn { body: b, .. } => {
                instances_in(&b.statements, out);
            }
            StmtKind::If { then, otherwise, .. } => {
                instances_in(&then.statements, out);
                if let Some(b) = otherwise {
                    instances_in(&b.statements, out);
                }
            }
            StmtKind::Switch { cases, .. } => {
                for c in cases {
                    instances_in(&c.body.statements, out);
                }
            }
            _ => {}
        }
    }
}
