//! Names that tell things apart.

use crate::ir::{
    Block, ExprKind, Function, Local, Parameter, Program, Stmt, StmtKind, Type, VarId,
};
use std::collections::HashMap;

/// What variables and functions are called in the text.
pub(super) struct Labels {
    pub variables: Vec<String>,
    pub functions: Vec<String>,
}

impl Labels {
    /// Numbers are added where a declaration has several variables, or the program several
    /// functions, of one name.
    pub fn of(program: &Program) -> Self {
        let mut owners = Owners { of: vec![0; program.variables.len()], current: 0 };
        for function in &program.functions {
            owners.next();
            owners.parameters(&function.parameters);
            owners.block(&function.body);
        }
        for action in program.actions.iter().filter(|a| a.control.is_none()) {
            owners.next();
            owners.parameters(&action.parameters);
            owners.block(&action.body);
        }
        for parser in &program.parsers {
            owners.next();
            owners.parameters(&parser.parameters);
            owners.parameters(&parser.constructor);
            owners.locals(&parser.locals);
            parser.states.iter().for_each(|state| owners.statements(&state.body));
        }
        for control in &program.controls {
            owners.next();
            owners.parameters(&control.parameters);
            owners.parameters(&control.constructor);
            owners.locals(&control.locals);
            for action in control.actions.iter().filter_map(|id| program.actions.get(id.index())) {
                owners.parameters(&action.parameters);
                owners.block(&action.body);
            }
            owners.block(&control.body);
        }
        let mut count: HashMap<(usize, &str), usize> = HashMap::new();
        for (variable, owner) in program.variables.iter().zip(&owners.of) {
            *count.entry((*owner, &variable.name)).or_default() += 1;
        }
        let label = |(index, variable): (usize, &crate::ir::Variable)| {
            let owner = owners.of.get(index).copied().unwrap_or(0);
            match count.get(&(owner, &*variable.name)) {
                Some(1) => variable.name.to_string(),
                _ => format!("{}#{index}", variable.name),
            }
        };
        let variables = program.variables.iter().enumerate().map(label).collect();
        let mut count: HashMap<&str, usize> = HashMap::new();
        for function in program.functions.iter().filter(|f| !is_generic(f)) {
            *count.entry(&function.name).or_default() += 1;
        }
        let label =
            |(index, function): (usize, &crate::ir::Function)| match count.get(&*function.name) {
                Some(1) => function.name.to_string(),
                _ => format!("{}#{index}", function.name),
            };
        let functions = program.functions.iter().enumerate().map(label).collect();
        Self { variables, functions }
    }
}

/// Whether a function is one as declared, whose copies for certain types are what runs.
pub(super) fn is_generic(function: &Function) -> bool {
    let types = function.parameters.iter().map(|p| &p.ty).chain([&function.return_type]);
    types.into_iter().any(mentions_parameter)
}

fn mentions_parameter(ty: &Type) -> bool {
    match ty {
        Type::Parameter(_) => true,
        Type::Stack(element, _) | Type::List(element) | Type::ValueSet(element) => {
            mentions_parameter(element)
        }
        Type::Tuple(types) | Type::Extern(_, types) | Type::Apply(_, types) => {
            types.iter().any(mentions_parameter)
        }
        _ => false,
    }
}

/// Which declaration each variable belongs to; 0 is the top level.
struct Owners {
    of: Vec<usize>,
    current: usize,
}

impl Owners {
    fn next(&mut self) {
        self.current += 1;
    }

    fn own(&mut self, var: VarId) {
        if let Some(owner) = self.of.get_mut(var.index()) {
            *owner = self.current;
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        parameters.iter().for_each(|p| self.own(p.var));
    }

    fn locals(&mut self, locals: &[Local]) {
        for local in locals {
            match local {
                Local::Variable(var, _) | Local::ValueSet { var, .. } => self.own(*var),
                Local::Instance(declaration) => {
                    declaration.var.iter().for_each(|var| self.own(*var));
                }
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.statements(&block.statements);
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            match &statement.kind {
                StmtKind::Declare { var, .. } => self.own(*var),
                StmtKind::Instance(declaration) => {
                    declaration.var.iter().for_each(|var| self.own(*var));
                }
                StmtKind::Block(block) => self.block(block),
                StmtKind::If { then, otherwise, .. } => {
                    self.block(then);
                    otherwise.iter().for_each(|block| self.block(block));
                }
                StmtKind::Switch { cases, .. } => {
                    cases.iter().for_each(|case| self.block(&case.body));
                }
                StmtKind::For { init, update, body, .. } => {
                    self.statements(init);
                    self.statements(update);
                    self.block(body);
                }
                StmtKind::ForIn { variable, body, .. } => {
                    if let ExprKind::Var(var) = &variable.kind {
                        self.own(*var);
                    }
                    self.block(body);
                }
                StmtKind::Assign { .. }
                | StmtKind::Call(_)
                | StmtKind::Return(_)
                | StmtKind::Exit
                | StmtKind::Break
                | StmtKind::Continue => {}
            }
        }
    }
}
