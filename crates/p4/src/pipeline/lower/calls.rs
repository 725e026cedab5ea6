//! Calls: functions, actions, sub-controls and sub-parsers are inlined.

use super::arguments::{Home, Passing};
use super::draft::End;
use super::storage::Purpose;
use super::values::Value;
use super::{Binding, Flow, Lowered, Lowerer, Place};
use crate::architecture;
use crate::ir::{
    ActionId, Block, Call, Callee, ControlId, FunctionId, InstanceId, InstanceKind, Local,
    Parameter, Type,
};
use crate::source::Span;
use std::collections::HashSet;

impl Lowerer<'_> {
    /// A call, as expression or statement.
    pub(super) fn call(&mut self, call: &Call) -> Lowered<Value> {
        self.count_operation(call.span)?;
        match &call.callee {
            Callee::Function(id) => self.function(*id, call),
            Callee::Action(id) => self.action(*id, call),
            Callee::ExternFunction(id) => self.extern_function(*id, call),
            Callee::Method { object, extern_id, method } => {
                let object = match object {
                    Some(object) => self.eval(object)?,
                    None => self.this.map_or(Value::Nothing, Value::Object),
                };
                self.method(object, *extern_id, *method, call)
            }
            Callee::Apply(object) => {
                let Value::Object(instance) = self.eval(object)? else {
                    return self.refuse(object.span, "this is no parser or control");
                };
                self.apply(instance, call)?;
                Ok(Value::Nothing)
            }
            Callee::Table(table) => {
                self.apply_table(*table, call.span, false, false)?;
                Ok(Value::Nothing)
            }
            Callee::IsValid(header) => Ok(Value::Scalar(self.eval(header)?.is_valid())),
            Callee::SetValid(header) => self.set_valid(header, true).map(|()| Value::Nothing),
            Callee::SetInvalid(header) => self.set_valid(header, false).map(|()| Value::Nothing),
            Callee::PushFront(stack, n) => {
                self.shift_stack(stack, i64::from(*n)).map(|()| Value::Nothing)
            }
            Callee::PopFront(stack, n) => {
                self.shift_stack(stack, -i64::from(*n)).map(|()| Value::Nothing)
            }
        }
    }

    pub(super) fn function(&mut self, id: FunctionId, call: &Call) -> Lowered<Value> {
        let function = &self.program[id];
        let body = Inlined {
            name: &function.name,
            parameters: &function.parameters,
            body: &function.body,
            return_type: &function.return_type,
            reach: HashSet::new(),
        };
        self.inline(body, call)
    }

    fn action(&mut self, id: ActionId, call: &Call) -> Lowered<Value> {
        let action = &self.program[id];
        let body = Inlined {
            name: &action.name,
            parameters: &action.parameters,
            body: &action.body,
            return_type: &Type::Void,
            reach: self.reach(id),
        };
        self.inline(body, call)
    }

    /// The body that an object's initialiser gives an abstract method. It sees the variables
    /// around the object, so nothing is passed by reference.
    pub(super) fn abstract_method(
        &mut self,
        instance: InstanceId,
        method: u32,
        call: &Call,
    ) -> Lowered<Value> {
        let program = self.program;
        let found = program[instance].methods.iter().find(|(m, _)| *m == method);
        let Some((_, function)) = found else {
            return self.refuse(call.span, "this method has no body");
        };
        let outer = self.this.replace(instance);
        let result = self.function(*function, call);
        self.this = outer;
        result
    }

    fn inline(&mut self, inlined: Inlined<'_>, call: &Call) -> Lowered<Value> {
        let Inlined { name, parameters, body, return_type, reach } = inlined;
        let prefix = format!("{}.{name}", self.prefix);
        let outer_prefix = std::mem::replace(&mut self.prefix, prefix);
        let result = self.inline_in(parameters, body, return_type, &reach, call);
        self.prefix = outer_prefix;
        result
    }

    fn inline_in(
        &mut self,
        parameters: &[Parameter],
        body: &Block,
        return_type: &Type,
        reach: &HashSet<super::FieldId>,
        call: &Call,
    ) -> Lowered<Value> {
        let span = call.span;
        let passing = Passing {
            parameters,
            arguments: &call.arguments,
            reach,
            home: Home::Call,
            by_reference: self.this.is_none(),
            span,
        };
        let results = self.pass(&passing)?;
        let result = match return_type {
            Type::Void => None,
            ty => {
                self.temporaries += 1;
                let name = format!("${}", self.temporaries);
                Some(self.storage(&name, ty, Purpose::temporary(span))?)
            }
        };
        self.with_copy_out(&results, span, |lowerer| lowerer.body(body, result.clone(), span))?;
        Ok(result.map_or(Value::Nothing, |storage| self.read_storage(&storage)))
    }

    /// A body that `return` leaves.
    pub(super) fn body(
        &mut self,
        body: &Block,
        result: Option<super::Storage>,
        span: Span,
    ) -> Lowered<()> {
        let leave = self.new_block(span);
        let Flow { exit, reject, .. } = self.flow;
        let flow = Flow { exit, reject, leave: Some(leave), result, ..Flow::default() };
        let outer = std::mem::replace(&mut self.flow, flow);
        let done = self.statement_block(body);
        self.flow = outer;
        done?;
        self.draft.end(End::Goto(leave));
        self.draft.switch_to(leave);
        Ok(())
    }

    /// `apply` of a parser or control inside another.
    fn apply(&mut self, instance: InstanceId, call: &Call) -> Lowered<()> {
        let program = self.program;
        let parameters = architecture::bind_parameters(program, instance);
        let shared = self.applications.is_shared(instance);
        let reach = HashSet::new();
        let passing = Passing {
            parameters,
            arguments: &call.arguments,
            reach: &reach,
            home: Home::Instance(instance),
            by_reference: !shared,
            span: call.span,
        };
        let results = self.pass(&passing)?;
        let outer_instance = std::mem::replace(&mut self.instance, instance);
        let prefix = program[instance].name.clone();
        let outer_prefix = std::mem::replace(&mut self.prefix, prefix);
        let outer_flow = self.flow.clone();
        self.flow.break_to = None;
        self.flow.continue_to = None;
        let result =
            self.with_copy_out(&results, call.span, |lowerer| match program[instance].kind {
                InstanceKind::Parser(id) => lowerer.run_parser(instance, id),
                InstanceKind::Control(id) => lowerer.run_control(instance, id),
                _ => lowerer.refuse(call.span, "this is no parser or control"),
            });
        self.flow = outer_flow;
        self.instance = outer_instance;
        self.prefix = outer_prefix;
        result
    }

    /// The body of a control whose parameters are bound.
    pub(super) fn run_control(&mut self, instance: InstanceId, id: ControlId) -> Lowered<()> {
        let control = &self.program[id];
        self.instance = instance;
        self.bind_instance(instance);
        self.locals(instance, &control.locals)?;
        self.body(&control.body, None, control.span)
    }

    /// What is fixed for an instance is looked up when it is used.
    pub(super) fn bind_instance(&mut self, instance: InstanceId) {
        for (var, _) in &self.program[instance].bindings {
            self.environment.remove(var);
        }
    }

    /// Variables of a parser or control come into being on every invocation.
    pub(super) fn locals(&mut self, instance: InstanceId, locals: &[Local]) -> Lowered<()> {
        for local in locals {
            let Local::Variable(var, init) = local else { continue };
            let variable = &self.program[*var];
            let value = match init {
                Some(init) => self.eval(init)?,
                None => self.default_value(&variable.ty),
            };
            let key = (instance, *var);
            let storage = match self.persistent.get(&key) {
                Some(storage) => storage.clone(),
                None => {
                    let name = format!("{}.{}", self.prefix, variable.name);
                    let purpose = Purpose::local(variable.span);
                    let storage = self.storage(&name, &variable.ty, purpose)?;
                    self.persistent.insert(key, storage.clone());
                    storage
                }
            };
            let place = Place::of(storage);
            self.environment.insert(*var, Binding::Place(place.clone()));
            self.assign(&place, value, variable.span)?;
        }
        Ok(())
    }
}

/// A function or action to be inlined.
struct Inlined<'a> {
    name: &'a str,
    parameters: &'a [Parameter],
    body: &'a Block,
    return_type: &'a Type,
    reach: HashSet<super::FieldId>,
}
