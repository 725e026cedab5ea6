//! Functions with bodies (§10), generic ones specialised per use.

use super::Checker;
use super::context::{Context, Place};
use super::parameters::Owner;
use super::scope::{FunctionRef, Symbol};
use crate::ast;
use crate::ir::{self, FunctionId, Type};

/// A function as declared.
pub(super) struct FunctionInfo<'a> {
    pub declaration: &'a ast::FunctionDeclaration,
    pub signature: ir::Signature,
}

/// Specialisations may nest this deep before we call it polymorphic recursion.
const MAX_SPECIALISATION_DEPTH: u32 = 64;

impl<'a> Checker<'a> {
    /// The head of an overload.
    pub(super) fn function_signature(&self, function: FunctionRef) -> ir::Signature {
        match function {
            FunctionRef::Extern(id) => self.program[id].signature.clone(),
            FunctionRef::Declared(n) => self.functions[n].signature.clone(),
        }
    }

    /// `T f<X>(..) { .. }` at the top level.
    pub(super) fn function_declaration(&mut self, f: &'a ast::FunctionDeclaration) {
        let signature = self.signature(&f.prototype, Owner::Function);
        let index = self.functions.len();
        let generic = !signature.type_parameters.is_empty();
        let arguments = signature.type_parameters.iter().map(|&p| Type::Parameter(p)).collect();
        self.functions.push(FunctionInfo { declaration: f, signature });
        // The name becomes visible behind the body: there is no recursion.
        let id = self.function_body(index, arguments);
        if !generic {
            self.specialised.insert((index, Vec::new()), id);
        }
        self.declare_function(&f.prototype.name, FunctionRef::Declared(index));
    }

    /// The code of a function for some type arguments.
    pub(super) fn specialise(&mut self, index: usize, arguments: Vec<Type>) -> FunctionId {
        let key = (index, arguments.clone());
        if let Some(&id) = self.specialised.get(&key) {
            return id;
        }
        if arguments.iter().any(|t| self.is_generic(t) || self.is_open(t))
            || self.depth > MAX_SPECIALISATION_DEPTH
        {
            // Inside a generic body that is only checked: this code is never executed.
            return FunctionId(0);
        }
        let inner = self.scopes.leave_to_top();
        self.muted += 1;
        self.depth += 1;
        let id = self.function_body(index, arguments);
        self.depth -= 1;
        self.muted -= 1;
        self.scopes.restore(inner);
        self.specialised.insert(key, id);
        id
    }

    /// Checks a body with the type parameters standing for `arguments`.
    fn function_body(&mut self, index: usize, arguments: Vec<Type>) -> FunctionId {
        let f = self.functions[index].declaration;
        let prototype = &f.prototype;
        self.scopes.push();
        for (name, ty) in prototype.type_parameters.iter().zip(arguments) {
            self.declare(name, Symbol::Type(ty));
        }
        let id = self.callable(prototype, &f.body, None);
        self.scopes.pop();
        id
    }

    /// A function or an abstract method's body, in the current scope.
    pub(super) fn callable(
        &mut self,
        prototype: &'a ast::Prototype,
        body: &'a ast::Block,
        this: Option<Type>,
    ) -> FunctionId {
        let return_type = match &prototype.return_type {
            Some(ty) => self.type_of(ty),
            None => Type::Void,
        };
        let context = Context {
            place: Place::Function,
            return_type: Some(return_type.clone()),
            control: if this.is_some() { self.context.control } else { None },
            this,
            ..Context::default()
        };
        let outer = std::mem::replace(&mut self.context, context);
        self.scopes.push();
        // The signature was checked when it was declared; here it only makes variables.
        let (parameters, _) = self.parameters(&prototype.parameters, Owner::Function);
        let lowered = self.body(body);
        self.scopes.pop();
        self.context = outer;
        if !matches!(return_type, Type::Void | Type::Unknown)
            && !super::statements::always_returns(&lowered)
        {
            let message =
                format!("function `{}` can end without returning a value", prototype.name.name);
            self.error(prototype.name.span, message);
        }
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(ir::Function {
            name: prototype.name.name.clone(),
            parameters,
            return_type,
            body: lowered,
            span: prototype.name.span,
        });
        id
    }
}
