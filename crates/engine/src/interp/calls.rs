//! Calls with copy-in and copy-out (§6.8).
//!
//! Arguments are evaluated from left to right: values of `in` arguments are copied, l-values of
//! `out` and `inout` arguments are evaluated to places. After the call, also one that `exit` or
//! `reject` ended, the results are copied out from left to right.

use super::machine::{Flow, Interrupt, Machine, Run};
use super::places::Place;
use super::values::Value;
use ww_dataplane::DropReason;
use ww_p4::ir::{
    Block, Call, CallArgument, Callee, ControlId, Direction, Expr, FunctionId, InstanceId,
    InstanceKind, Local, Parameter, Span, Type, VarId,
};

/// An argument between its evaluation and the end of the call.
pub struct Bound<'a> {
    /// As written.
    pub argument: &'a CallArgument,
    /// The value that goes in, later the one that comes out.
    pub value: Value,
    /// Where the result goes.
    pub place: Option<Place>,
}

impl<'a> Machine<'a> {
    /// A call, as expression or statement.
    pub fn call(&mut self, call: &'a Call) -> Run<Value> {
        match &call.callee {
            Callee::Function(id) => {
                let function = &self.program[*id];
                self.call_body(&function.parameters, &call.arguments, &function.body, call)
            }
            Callee::Action(id) => {
                let action = &self.program[*id];
                self.call_body(&action.parameters, &call.arguments, &action.body, call)
            }
            Callee::ExternFunction(id) => match self.program[*id].model {
                Some(model) => {
                    let function = &self.program[model];
                    self.call_body(&function.parameters, &call.arguments, &function.body, call)
                }
                None => self.call_extern_function(*id, call),
            },
            Callee::Method { object, extern_id, method } => {
                self.call_method(object.as_deref(), *extern_id, *method, call)
            }
            Callee::Apply(object) => {
                let Value::Object(instance) = self.eval(object)? else {
                    return Err(Interrupt::Drop(DropReason::Fault));
                };
                self.apply(instance, call)
            }
            Callee::Table(table) => {
                self.apply_table(*table)?;
                Ok(Value::Absent)
            }
            Callee::IsValid(header) => {
                if let Some(value) = self.peek(header) {
                    return Ok(Value::Bool(value.is_valid()));
                }
                let value = self.eval(header)?;
                Ok(Value::Bool(value.is_valid()))
            }
            Callee::SetValid(header) => self.change(header, call, Value::set_valid),
            Callee::SetInvalid(header) => self.change(header, call, Value::set_invalid),
            Callee::PushFront(stack, count) => {
                let count = *count;
                let empty = self.empty_element(stack);
                self.change(stack, call, |value| push_front(value, count, &empty))
            }
            Callee::PopFront(stack, count) => {
                let count = *count;
                let empty = self.empty_element(stack);
                self.change(stack, call, |value| pop_front(value, count, &empty))
            }
        }
    }

    /// Changes the value at an l-value.
    fn change(
        &mut self,
        target: &'a Expr,
        call: &'a Call,
        change: impl FnOnce(&mut Value),
    ) -> Run<Value> {
        let place = self.place(target)?;
        let mut value = self.load(&place, &target.ty);
        change(&mut value);
        self.assign(&place, target, value, call.span);
        Ok(Value::Absent)
    }

    fn empty_element(&self, stack: &Expr) -> Value {
        match &stack.ty {
            Type::Stack(element, _) => Value::default_of(self.program, element),
            _ => Value::Absent,
        }
    }

    /// Evaluates arguments from left to right.
    pub fn bind(&mut self, arguments: &'a [CallArgument]) -> Run<Vec<Bound<'a>>> {
        let mut bound = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let mut place = None;
            let value = match (&argument.value, argument.direction) {
                (Some(expr), Direction::In | Direction::None) => self.eval(expr)?,
                (Some(expr), Direction::InOut) => {
                    let at = self.place(expr)?;
                    let value = self.load(&at, &expr.ty);
                    place = Some(at);
                    value
                }
                (Some(expr), Direction::Out) => {
                    place = Some(self.place(expr)?);
                    Value::default_of(self.program, &argument.ty)
                }
                (None, _) => Value::default_of(self.program, &argument.ty),
            };
            bound.push(Bound { argument, value, place });
        }
        Ok(bound)
    }

    /// Copies results out from left to right.
    pub fn copy_out(&mut self, bound: Vec<Bound<'a>>, at: Span) {
        for Bound { argument, value, place } in bound {
            if let (Some(place), Some(expr)) = (place, &argument.value) {
                self.assign(&place, expr, value, at);
            }
        }
    }

    /// A function or action.
    fn call_body(
        &mut self,
        parameters: &'a [Parameter],
        arguments: &'a [CallArgument],
        body: &'a Block,
        call: &'a Call,
    ) -> Run<Value> {
        let bound = self.bind(arguments)?;
        self.call_bound(parameters, bound, call.span, |machine| {
            Ok(match machine.block(body)? {
                Flow::Return(value) => value,
                _ => Value::Absent,
            })
        })
    }

    /// Copies in, runs, and copies out.
    fn call_bound(
        &mut self,
        parameters: &'a [Parameter],
        mut bound: Vec<Bound<'a>>,
        at: Span,
        run: impl FnOnce(&mut Self) -> Run<Value>,
    ) -> Run<Value> {
        let variable = |b: &Bound<'a>| -> Option<VarId> {
            parameters.get(b.argument.parameter as usize).map(|p| p.var)
        };
        if bound.len() < parameters.len() {
            for parameter in parameters {
                self.slots[parameter.var.index()] = Value::Absent;
            }
        }
        for b in &mut bound {
            if let Some(var) = variable(b) {
                self.slots[var.index()] = std::mem::take(&mut b.value);
            }
        }
        let result = run(self);
        for b in &mut bound {
            if let (Some(var), true) = (variable(b), b.place.is_some()) {
                b.value = std::mem::take(&mut self.slots[var.index()]);
            }
        }
        if !matches!(result, Err(Interrupt::Drop(_))) {
            self.copy_out(bound, at);
        }
        result
    }

    /// The body of an action that a table chose: the program's arguments for the leading
    /// parameters, then the entry's.
    pub fn call_action(
        &mut self,
        parameters: &'a [Parameter],
        bound: &'a [CallArgument],
        data: &[Value],
        body: &'a Block,
        at: Span,
    ) -> Run<()> {
        let arguments = self.bind(bound)?;
        self.call_bound(parameters, arguments, at, |machine| {
            for (parameter, value) in parameters.iter().skip(bound.len()).zip(data) {
                machine.slots[parameter.var.index()] = value.clone();
            }
            machine.block(body).map(|_| Value::Absent)
        })?;
        Ok(())
    }

    /// `apply` of a parser or control inside another.
    fn apply(&mut self, instance: InstanceId, call: &'a Call) -> Run<Value> {
        let program = self.program;
        let parameters = super::loaded::block_parameters(program, instance);
        let bound = self.bind(&call.arguments)?;
        self.call_bound(parameters, bound, call.span, |machine| {
            machine.run_instance(instance).map(|()| Value::Absent)
        })
    }

    /// Puts what is fixed for an instance into its variables.
    pub fn bind_instance(&mut self, instance: InstanceId) {
        let loaded = self.loaded;
        for (var, value) in &loaded.bindings[instance.index()] {
            self.slots[var.index()] = value.clone();
        }
    }

    /// Runs a parser or control whose parameters are in their variables.
    pub fn run_instance(&mut self, instance: InstanceId) -> Run<()> {
        self.bind_instance(instance);
        let outer = std::mem::replace(&mut self.instance, instance);
        let result = match self.program[instance].kind {
            InstanceKind::Parser(id) => self.run_parser(id),
            InstanceKind::Control(id) => self.run_control(id),
            _ => Err(Interrupt::Drop(DropReason::Fault)),
        };
        self.instance = outer;
        result
    }

    fn run_control(&mut self, id: ControlId) -> Run<()> {
        let control = &self.program[id];
        self.locals(&control.locals)?;
        self.block(&control.body).map(|_| ())
    }

    /// Variables of a parser or control come into being on every invocation.
    pub fn locals(&mut self, locals: &'a [Local]) -> Run<()> {
        for local in locals {
            if let Local::Variable(var, init) = local {
                let value = match init {
                    Some(init) => self.eval(init)?,
                    None => self.loaded.defaults[var.index()].clone(),
                };
                self.slots[var.index()] = value;
            }
        }
        Ok(())
    }

    /// The body that an object's initialiser gives an abstract method.
    pub fn call_abstract(
        &mut self,
        instance: InstanceId,
        method: u32,
        call: &'a Call,
    ) -> Run<Value> {
        let program = self.program;
        let body = program[instance].methods.iter().find(|(m, _)| *m == method);
        let Some((_, function)): Option<&(u32, FunctionId)> = body else {
            return Err(Interrupt::Drop(DropReason::Fault));
        };
        let function = &program[*function];
        let bound = self.bind(&call.arguments)?;
        self.bind_instance(instance);
        let outer = self.this.replace(instance);
        let result = self.call_bound(&function.parameters, bound, call.span, |machine| {
            Ok(match machine.block(&function.body)? {
                Flow::Return(value) => value,
                _ => Value::Absent,
            })
        });
        self.this = outer;
        result
    }
}

/// The elements move up by `count`; the first ones become invalid (§8.18).
fn push_front(value: &mut Value, count: u32, empty: &Value) {
    if let Value::Stack(stack) = value {
        let size = stack.elements.len();
        let shift = (count as usize).min(size);
        stack.elements.rotate_right(shift);
        stack.elements.iter_mut().take(shift).for_each(|e| *e = empty.clone());
        stack.next = stack.next.saturating_add(count).min(size as u32);
    }
}

/// The elements move down by `count`; the last ones become invalid (§8.18).
fn pop_front(value: &mut Value, count: u32, empty: &Value) {
    if let Value::Stack(stack) = value {
        let size = stack.elements.len();
        let shift = (count as usize).min(size);
        stack.elements.rotate_left(shift);
        stack.elements.iter_mut().skip(size - shift).for_each(|e| *e = empty.clone());
        stack.next = stack.next.saturating_sub(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::values::Stack;

    #[test]
    fn stacks_shift() {
        let number = |n| Value::bits(8, n);
        let stack = |items: &[u128], next| {
            let elements = items.iter().map(|&n| number(n)).collect();
            Stack { elements, next }
        };
        let check = |value: &Value, items: &[u128], next| {
            let Value::Stack(found) = value else { panic!("a stack") };
            assert_eq!((found, found.next), (&stack(items, next), next));
        };
        let mut value = Value::Stack(stack(&[1, 2, 3], 2));
        push_front(&mut value, 1, &number(0));
        check(&value, &[0, 1, 2], 3);
        pop_front(&mut value, 2, &number(0));
        check(&value, &[2, 0, 0], 1);
        push_front(&mut value, 9, &number(0));
        check(&value, &[0, 0, 0], 3);
        pop_front(&mut value, 9, &number(0));
        check(&value, &[0, 0, 0], 0);
    }
}
