//! Functions and objects of the core library and of v1model.

mod checksum;
mod diagnostics;
mod digest;
mod hash;
mod packet_in;
mod packet_out;
mod random;
mod replication;
mod stateful;

use super::calls::Bound;
use super::loaded::{Method, Object};
use super::machine::{Interrupt, Machine, Run};
use super::values::Value;
use crate::arch::ExternFunction as Function;
use ww_dataplane::DropReason;
use ww_dataplane::trace::{NamedValue, TraceEvent};
use ww_p4::ir::{
    Call, CallArgument, Expr, ExternFunctionId, ExternId, InstanceId, Signature, Type,
};

/// Evaluated arguments of a call to the architecture.
pub struct Arguments<'a> {
    bound: Vec<Bound<'a>>,
}

impl<'a> Arguments<'a> {
    fn find(&self, parameter: u32) -> Option<&Bound<'a>> {
        self.bound.iter().find(|b| b.argument.parameter == parameter)
    }

    /// The value for a parameter; [`Value::Absent`] if none was given.
    fn value(&self, parameter: u32) -> &Value {
        self.find(parameter).map_or(&Value::Absent, |b| &b.value)
    }

    /// As written.
    fn argument(&self, parameter: u32) -> Option<&'a CallArgument> {
        self.find(parameter).map(|b| b.argument)
    }

    /// The expression for a parameter.
    fn expr(&self, parameter: u32) -> Option<&'a Expr> {
        self.argument(parameter).and_then(|a| a.value.as_ref())
    }

    /// Sets a result.
    fn set(&mut self, parameter: u32, value: Value) {
        if let Some(bound) = self.bound.iter_mut().find(|b| b.argument.parameter == parameter) {
            bound.value = value;
        }
    }

    /// Bits in the type of a parameter's argument.
    fn width(&self, machine: &Machine<'_>, parameter: u32) -> u32 {
        match self.argument(parameter).map(|a| machine.program.types.storage(&a.ty)) {
            Some(Type::Bit(width) | Type::Signed(width)) => *width,
            Some(Type::Bool) => 1,
            _ => 64,
        }
    }

    /// The name of the enum member that an argument is.
    fn member(&self, machine: &Machine<'a>, parameter: u32) -> &'a str {
        let ty = self.argument(parameter).map(|a| {
            // The argument's own type is the enum also where the parameter's is generic.
            a.value.as_ref().map_or(&a.ty, |e| &e.ty)
        });
        match (ty, self.value(parameter)) {
            (Some(Type::Enum(id)), Value::Member(member)) => {
                let members = &machine.program.types[*id].members;
                members.get(*member as usize).map_or("", |m| &m.name)
            }
            _ => "",
        }
    }
}

impl<'a> Machine<'a> {
    /// A call of a function of the architecture.
    pub fn call_extern_function(&mut self, id: ExternFunctionId, call: &'a Call) -> Run<Value> {
        let signature = &self.program[id].signature;
        let Some(function) = self.loaded.functions[id.index()] else {
            return Err(Interrupt::Drop(DropReason::Fault));
        };
        let mut arguments = Arguments { bound: self.bind(&call.arguments)? };
        let result = self.run_function(function, &mut arguments, call)?;
        if !matches!(function, Function::LogMsg | Function::Verify) {
            self.trace_call(&signature.name, signature, &arguments, call);
        }
        self.copy_out(arguments.bound, call.span);
        Ok(result)
    }

    fn run_function(
        &mut self,
        function: Function,
        arguments: &mut Arguments<'a>,
        call: &'a Call,
    ) -> Run<Value> {
        match function {
            Function::Verify => self.verify(arguments)?,
            Function::StaticAssert => return Ok(Value::Bool(true)),
            Function::Assert => self.assert(arguments, DropReason::Assert, call)?,
            Function::Assume => self.assert(arguments, DropReason::Assume, call)?,
            Function::LogMsg => self.log_msg(arguments, call),
            Function::Assigns(fields) => self.assign_fields(fields, arguments, call),
            Function::Hash => self.hash_function(arguments, call),
            Function::Random => self.random_function(arguments, call),
            Function::Digest => self.digest(arguments),
            Function::Truncate => {
                let length = u32::try_from(arguments.value(0).to_u64()).unwrap_or(u32::MAX);
                self.packet.requests.truncate = Some(length);
            }
            Function::Clone | Function::Clone3 | Function::ClonePreserving => {
                self.request_clone(function, arguments);
            }
            Function::Resubmit | Function::ResubmitPreserving => {
                self.packet.requests.resubmit = Some(self.preserve(function, arguments, 0));
            }
            Function::Recirculate | Function::RecirculatePreserving => {
                self.packet.requests.recirculate = Some(self.preserve(function, arguments, 0));
            }
            Function::VerifyChecksum => self.verify_checksum(arguments, false, call),
            Function::VerifyChecksumWithPayload => self.verify_checksum(arguments, true, call),
            Function::UpdateChecksum => self.update_checksum(arguments, false, call),
            Function::UpdateChecksumWithPayload => self.update_checksum(arguments, true, call),
        }
        Ok(Value::Absent)
    }

    /// A call of a method of an extern object.
    pub fn call_method(
        &mut self,
        object: Option<&'a Expr>,
        extern_id: ExternId,
        method: u32,
        call: &'a Call,
    ) -> Run<Value> {
        let fault = Err(Interrupt::Drop(DropReason::Fault));
        let object = match object {
            Some(object) => self.eval(object)?,
            None => self.this.map_or(Value::Absent, Value::Object),
        };
        let methods = &self.loaded.methods[extern_id.index()];
        let kind = methods.get(method as usize).copied().unwrap_or(Method::Unknown);
        match (kind, object) {
            (Method::Emit, _) => self.emit(call),
            (Method::Extract, _) => self.extract(call),
            (Method::Lookahead, _) => self.lookahead(call),
            (Method::Advance, _) => self.advance(call),
            (Method::Length, _) => Ok(Value::bits(32, self.packet.bytes.len() as u128)),
            (Method::Unknown, _) => fault,
            (Method::Abstract, Value::Object(instance)) => {
                self.call_abstract(instance, method, call)
            }
            (kind, Value::Object(instance)) => {
                let signature = &self.program.types[extern_id].methods[method as usize].signature;
                let mut arguments = Arguments { bound: self.bind(&call.arguments)? };
                let result = self.run_method(kind, instance, &mut arguments);
                if self.is_traced() {
                    let object = &self.program[instance].name;
                    let name = format!("{object}.{}", signature.name);
                    self.trace_call(&name, signature, &arguments, call);
                }
                self.copy_out(arguments.bound, call.span);
                Ok(result)
            }
            _ => fault,
        }
    }

    fn run_method(
        &mut self,
        kind: Method,
        instance: InstanceId,
        arguments: &mut Arguments<'a>,
    ) -> Value {
        let object = self.loaded.objects[instance.index()];
        match (kind, object) {
            (Method::Count, Object::Counter(counter)) => self.count_packet(counter, arguments),
            (Method::ExecuteMeter, Object::Meter(meter)) => self.execute_meter(meter, arguments),
            (Method::ReadColour, Object::Meter(meter)) => self.read_colour(meter, arguments),
            (Method::ReadRegister, Object::Register(register)) => {
                self.read_register(register, arguments);
            }
            (Method::WriteRegister, Object::Register(register)) => {
                self.write_register(register, arguments);
            }
            (Method::Checksum16, _) => return self.checksum16(arguments),
            // A direct counter counts by itself when its entry matches.
            _ => {}
        }
        Value::Absent
    }

    fn trace_call(
        &mut self,
        name: &str,
        signature: &Signature,
        arguments: &Arguments<'a>,
        call: &Call,
    ) {
        self.trace(|program| TraceEvent::Extern {
            name: name.to_owned(),
            arguments: arguments
                .bound
                .iter()
                .map(|b| {
                    let parameter = signature.parameters.get(b.argument.parameter as usize);
                    let ty = b.argument.value.as_ref().map_or(&b.argument.ty, |e| &e.ty);
                    NamedValue {
                        name: parameter.map_or_else(String::new, |p| p.name.to_string()),
                        value: b.value.text(program, ty),
                    }
                })
                .collect(),
            at: call.span.into(),
        });
    }
}
