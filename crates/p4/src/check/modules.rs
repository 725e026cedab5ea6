//! Extern functions that are modules of hardware: `@ww_module("name", latency = 3)`, and
//! `@ww_model("function")` for a function of the program that does the same.

use super::Checker;
use super::scope::{FunctionRef, Symbol};
use crate::ast::{Annotation, AnnotationBody};
use crate::ir::{self, Callee, Direction, FunctionId, HardwareModule, Type, visit};
use std::collections::HashSet;

/// Most clocks of a module.
const MAX_LATENCY: u32 = 64;
/// Ports that every module has.
const PORTS: [&str; 4] = ["clk", "rst", "request_valid", "result"];

impl Checker<'_> {
    /// Reads the annotations of extern functions, once all functions are known.
    pub(super) fn resolve_modules(&mut self) {
        for n in 0..self.program.extern_functions.len() {
            let function = &self.program.extern_functions[n];
            let find = |name: &str| function.annotations.iter().find(|a| &*a.name.name == name);
            let (module, model) = (find("ww_module").cloned(), find("ww_model").cloned());
            let signature = function.signature.clone();
            if let Some(annotation) = module {
                match self.module(&annotation, &signature) {
                    Ok(module) => self.program.extern_functions[n].module = Some(module),
                    Err(message) => {
                        self.error(annotation.span, format!("`@ww_module`: {message}"));
                    }
                }
            }
            if let Some(annotation) = model {
                match self.model(&annotation, &signature) {
                    Ok(model) => self.program.extern_functions[n].model = Some(model),
                    Err(message) => self.error(annotation.span, format!("`@ww_model`: {message}")),
                }
            }
        }
        for n in 0..self.program.extern_functions.len() {
            let Some(model) = self.program.extern_functions[n].model else { continue };
            if self.calls_a_model(model) {
                let function = &self.program.extern_functions[n];
                let annotation = function.annotations.iter().find(|a| &*a.name.name == "ww_model");
                let span = annotation.map_or(function.signature.span, |a| a.span);
                self.program.extern_functions[n].model = None;
                self.error(span, "`@ww_model`: the model calls a function that has a model itself");
            }
        }
    }

    /// `"name", latency = 3, stateless`.
    fn module(
        &self,
        annotation: &Annotation,
        signature: &ir::Signature,
    ) -> Result<HardwareModule, String> {
        const FORM: &str = "expected (\"name\", latency = CLOCKS) or \
                            (\"name\", latency = CLOCKS, stateless)";
        let AnnotationBody::Unstructured(tokens) = &annotation.body else {
            return Err(FORM.to_owned());
        };
        let texts: Vec<&str> = tokens.iter().map(|token| &*token.text).collect();
        let (name, latency, stateless) = match texts[..] {
            [name, ",", "latency", "=", latency] => (name, latency, false),
            [name, ",", "latency", "=", latency, ",", "stateless"] => (name, latency, true),
            _ => return Err(FORM.to_owned()),
        };
        if !tokens[0].is_string {
            return Err(FORM.to_owned());
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.chars().all(plain) || name.starts_with(|c: char| !c.is_ascii_alphabetic()) {
            return Err(format!("`{name}` is no name of a module"));
        }
        let latency: Option<u32> = latency.parse().ok();
        let latency = latency.filter(|latency| (1..=MAX_LATENCY).contains(latency));
        let latency = latency.ok_or_else(|| format!("the latency is 1 to {MAX_LATENCY} clocks"))?;
        if !signature.type_parameters.is_empty() {
            return Err("a module has no type parameters".to_owned());
        }
        for parameter in &signature.parameters {
            let name = &parameter.name;
            if PORTS.contains(&&**name) {
                return Err(format!("`{name}` is a port that every module has"));
            }
            if !matches!(parameter.direction, Direction::In | Direction::Out) {
                return Err(format!("`{name}` is neither `in` nor `out`"));
            }
            if !self.is_port(&parameter.ty) {
                return Err(format!("`{name}` is no bool, bit<W> or int<W>"));
            }
        }
        if signature.return_type != Type::Void && !self.is_port(&signature.return_type) {
            return Err("the result is no bool, bit<W> or int<W>".to_owned());
        }
        Ok(HardwareModule { name: name.into(), latency, stateless })
    }

    fn is_port(&self, ty: &Type) -> bool {
        match self.program.types.storage(ty) {
            Type::Bool => true,
            Type::Bit(width) | Type::Signed(width) => *width > 0,
            _ => false,
        }
    }

    /// The function of the program with this name and the same head.
    fn model(
        &mut self,
        annotation: &Annotation,
        signature: &ir::Signature,
    ) -> Result<FunctionId, String> {
        let tokens = match &annotation.body {
            AnnotationBody::Unstructured(tokens) => &tokens[..],
            _ => &[],
        };
        let [token] = tokens else { return Err("expected (\"function\")".to_owned()) };
        let name = &token.text;
        let found = self.scopes.lookup_top(name).map(|binding| binding.symbol.clone());
        let Some(Symbol::Functions(overloads)) = found else {
            return Err(format!("the program has no function `{name}`"));
        };
        let same = |head: &ir::Signature| {
            let both = || head.parameters.iter().zip(&signature.parameters);
            head.type_parameters.is_empty()
                && head.return_type == signature.return_type
                && head.parameters.len() == signature.parameters.len()
                && both().all(|(x, y)| x.direction == y.direction && x.ty == y.ty)
        };
        for overload in overloads {
            if let FunctionRef::Declared(index) = overload
                && same(&self.function_signature(overload))
            {
                return Ok(self.specialise(index, Vec::new()));
            }
        }
        let own = &signature.name;
        Err(format!("`{name}` does not have the parameters and the result of `{own}`"))
    }

    /// Whether a function calls one that has a model, itself or through others.
    fn calls_a_model(&self, function: FunctionId) -> bool {
        let (mut seen, mut stack) = (HashSet::new(), vec![function]);
        let mut found = false;
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            visit::calls_in(&self.program[id].body, &mut |call| match &call.callee {
                Callee::Function(other) => stack.push(*other),
                Callee::ExternFunction(other) => found |= self.program[*other].model.is_some(),
                _ => {}
            });
        }
        found
    }
}
