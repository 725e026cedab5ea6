//! Functions and methods of the architecture.

use super::effects::has_effects;
use super::storage::{Purpose, Storage};
use super::values::Value;
use super::{Binding, Lowered, Lowerer, Place};
use crate::architecture::Effect;
use crate::ir::{
    Call, CallArgument, Direction, Expr as IrExpr, ExternFunctionId, ExternId, HardwareModule,
    Signature, Type,
};
use crate::pipeline::expression::Expr;
use crate::pipeline::fields::FieldRole;
use crate::pipeline::operations::{
    Argument, ArgumentValue, ExternCall, InLeaf, OpKind, Operand, OutLeaf,
};
use crate::pipeline::tables::ExternInstanceId;
use crate::source::Span;

/// Results that go to an l-value after the call.
type Results = Vec<(Storage, Place, Type)>;

impl Lowerer<'_> {
    /// A function of the architecture or the core library.
    pub(super) fn extern_function(&mut self, id: ExternFunctionId, call: &Call) -> Lowered<Value> {
        let signature = &self.program.extern_functions[id.index()].signature;
        match &*signature.name {
            "verify" => return self.verify_call(call),
            "static_assert" => return Ok(Value::Scalar(Expr::bool(true))),
            _ => {}
        }
        let declared = &self.program.extern_functions[id.index()];
        if let Some(module) = &declared.module {
            return match declared.model {
                _ if self.modules && self.in_parser => {
                    let message = "modules of hardware are called in controls";
                    self.refuse(call.span, message)
                }
                _ if self.modules => {
                    let name = &signature.name;
                    self.extern_call(None, name, signature, Some(module.clone()), call)
                }
                Some(model) => self.function(model, call),
                None => {
                    let message = format!(
                        "`{}` is a module of hardware: this engine needs a function of the program \
                         that does the same, named by `@ww_model`",
                        signature.name
                    );
                    self.refuse(call.span, message)
                }
            };
        }
        let Some(function) = self.architecture.function(&signature.name) else {
            let message = format!(
                "architecture {} has no function `{}`",
                self.architecture.name, signature.name
            );
            return self.refuse(call.span, message);
        };
        match function.effect {
            Effect::Assigns(values) => self.assign_intrinsic(values, call),
            _ => self.extern_call(None, function.primitive, signature, None, call),
        }
    }

    /// A method of an object.
    pub(super) fn method(
        &mut self,
        object: Value,
        extern_id: ExternId,
        method: u32,
        call: &Call,
    ) -> Lowered<Value> {
        let def = &self.program.types[extern_id];
        let Some(method_def) = def.methods.get(method as usize) else {
            return self.refuse(call.span, "there is no such method");
        };
        let name = &method_def.signature.name;
        let instance = match object {
            Value::Object(instance) => instance,
            Value::Packet => return self.packet_method(name, call),
            _ => return self.refuse(call.span, format!("`{}` without an object", def.name)),
        };
        if method_def.is_abstract {
            return self.abstract_method(instance, method, call);
        }
        if self.architecture.object(&def.name).is_none() {
            let message = format!(
                "architecture {} has no extern objects of type `{}`",
                self.architecture.name, def.name
            );
            return self.refuse(call.span, message);
        }
        let object = self.object(instance)?;
        let signature = &method_def.signature;
        self.extern_call(Some(object), &signature.name, signature, None, call)
    }

    fn verify_call(&mut self, call: &Call) -> Lowered<Value> {
        let exprs: Vec<&IrExpr> = call.arguments.iter().filter_map(|a| a.value.as_ref()).collect();
        let values = self.eval_all(&exprs)?;
        let of = |parameter: u32| {
            let n = call.arguments.iter().position(|a| a.parameter == parameter);
            n.and_then(|n| values.get(n))
        };
        let condition = of(0).map_or(Expr::bool(true), Value::bool);
        let error = of(1).map_or(Expr::zero(32), |v| v.scalar(32));
        if condition.as_bool() != Some(true) {
            self.emit(OpKind::Verify { condition, error }, call.span)?;
        }
        Ok(Value::Nothing)
    }

    /// A function that only sets fields of the intrinsic metadata: of its argument, or of the
    /// parameter of the block at work.
    fn assign_intrinsic(&mut self, values: &[(&str, u64)], call: &Call) -> Lowered<Value> {
        let argument = call.arguments.first().and_then(|a| a.value.as_ref());
        let (places, ty) = match argument {
            Some(expr) => (vec![self.place(expr, true)?], expr.ty.clone()),
            None => match self.intrinsic_type() {
                Some(ty) => (self.visible_intrinsic(&ty), ty),
                None => return Ok(Value::Nothing),
            },
        };
        let Some(def) = self.program.types.as_struct(&ty) else { return Ok(Value::Nothing) };
        for (place, (name, value)) in places.iter().flat_map(|p| values.iter().map(move |v| (p, v)))
        {
            let Some(n) = def.fields.iter().position(|f| &*f.name == *name) else { continue };
            let field = self.part(place, n);
            let width = self.program.types.width(&def.fields[n].ty).unwrap_or(0) as u32;
            let value = Value::Scalar(Expr::constant(width, *value));
            self.assign(&field, value, call.span)?;
        }
        Ok(Value::Nothing)
    }

    /// The intrinsic metadata, and the control's own copy of it if it has one.
    fn visible_intrinsic(&self, ty: &Type) -> Vec<Place> {
        let root = self.roots.get(&crate::architecture::Role::Intrinsic);
        let mut places: Vec<Place> = root.cloned().map(Place::of).into_iter().collect();
        let parameters = crate::architecture::bind_parameters(self.program, self.instance);
        for parameter in parameters.iter().filter(|p| p.ty == *ty) {
            if let Some(Binding::Place(place)) = self.environment.get(&parameter.var) {
                let fields = self.place_fields(place);
                if places.iter().all(|p| self.place_fields(p) != fields) {
                    places.push(place.clone());
                }
            }
        }
        places
    }

    /// A call that engines carry out; `name` is what they call it.
    fn extern_call(
        &mut self,
        object: Option<ExternInstanceId>,
        name: &str,
        signature: &Signature,
        module: Option<HardwareModule>,
        call: &Call,
    ) -> Lowered<Value> {
        let mut results: Results = Vec::new();
        let mut arguments = vec![None; signature.parameters.len()];
        for (n, argument) in call.arguments.iter().enumerate() {
            let disturbed =
                call.arguments[n + 1..].iter().any(|a| a.value.as_ref().is_some_and(has_effects));
            let value = self.extern_argument(argument, disturbed, &mut results, call.span)?;
            if let Some(slot) = arguments.get_mut(argument.parameter as usize) {
                *slot = Some(value);
            }
        }
        let arguments = signature
            .parameters
            .iter()
            .zip(arguments)
            .map(|(parameter, value)| Argument {
                name: parameter.name.clone(),
                value: value.unwrap_or(ArgumentValue::Absent),
            })
            .collect();
        let return_type = self.return_type(signature, call);
        let returned = match &return_type {
            Type::Void => None,
            ty => {
                self.temporaries += 1;
                let name = format!("${}", self.temporaries);
                Some(self.storage(&name, ty, Purpose::temporary(call.span))?)
            }
        };
        let result = returned.as_ref().map(|s| self.out_leaves(s, &return_type));
        let call_op = ExternCall {
            name: name.into(),
            object,
            module,
            type_arguments: call
                .type_arguments
                .iter()
                .map(|t| self.program.types.display(t))
                .collect(),
            arguments,
            result: result.unwrap_or_default(),
        };
        self.emit(OpKind::Extern(call_op), call.span)?;
        for (storage, place, ty) in results {
            let value = self.read(&Place::of(storage), &ty);
            self.assign(&place, value, call.span)?;
        }
        Ok(returned.map_or(Value::Nothing, |s| self.read_storage(&s)))
    }

    /// The return type with type parameters replaced where that is plain.
    fn return_type(&self, signature: &Signature, call: &Call) -> Type {
        match &signature.return_type {
            Type::Parameter(id) => {
                let n = signature.type_parameters.iter().position(|p| p == id);
                n.and_then(|n| call.type_arguments.get(n)).cloned().unwrap_or(Type::Void)
            }
            ty => ty.clone(),
        }
    }

    fn extern_argument(
        &mut self,
        argument: &CallArgument,
        disturbed: bool,
        results: &mut Results,
        span: Span,
    ) -> Lowered<ArgumentValue> {
        let Some(expr) = &argument.value else {
            return match argument.direction {
                Direction::Out | Direction::InOut => {
                    self.temporaries += 1;
                    let name = format!("${}", self.temporaries);
                    let storage = self.storage(&name, &argument.ty, Purpose::temporary(span))?;
                    Ok(ArgumentValue::Out(self.out_leaves(&storage, &argument.ty)))
                }
                _ => Ok(ArgumentValue::Absent),
            };
        };
        let ty = &expr.ty;
        match argument.direction {
            Direction::In | Direction::None => {
                let value = self.eval(expr)?;
                let value = if disturbed { self.materialise(&value, expr.span)? } else { value };
                self.in_argument(&value, ty, expr.span)
            }
            Direction::Out | Direction::InOut => {
                let place = self.place(expr, true)?;
                let old = (argument.direction == Direction::InOut).then(|| self.read(&place, ty));
                let old = match old {
                    Some(old) if disturbed => Some(self.materialise(&old, expr.span)?),
                    old => old,
                };
                let storage = match place.whole() {
                    Some(storage) if !self.has_headers(storage) => storage.clone(),
                    _ => {
                        self.temporaries += 1;
                        let name = format!("${}", self.temporaries);
                        let purpose = Purpose::temporary(expr.span);
                        let storage = self.storage(&name, ty, purpose)?;
                        results.push((storage.clone(), place, ty.clone()));
                        storage
                    }
                };
                let out = self.out_leaves(&storage, ty);
                Ok(match old {
                    Some(old) => ArgumentValue::InOut(self.operand(&old, ty), out),
                    None => ArgumentValue::Out(out),
                })
            }
        }
    }

    fn in_argument(&mut self, value: &Value, ty: &Type, span: Span) -> Lowered<ArgumentValue> {
        Ok(match value {
            Value::Text(text) => ArgumentValue::Text(text.clone()),
            Value::Object(instance) => ArgumentValue::Object(self.object(*instance)?),
            Value::Nothing => ArgumentValue::Absent,
            Value::Packet | Value::Members(_) => {
                return self.refuse(span, "this cannot be given to a function");
            }
            Value::Integer(n) => {
                let width = (n.bits() as u32 + 1).max(32);
                let expr = Value::Scalar(value.scalar(width));
                ArgumentValue::In(self.operand(&expr, ty))
            }
            Value::Scalar(expr) => match (ty, expr.as_const()) {
                (Type::Enum(id), Some(n)) if self.program.types[*id].underlying.is_none() => {
                    let position = super::values::count(n);
                    let members = &self.program.types[*id].members;
                    match usize::try_from(position).ok().and_then(|n| members.get(n)) {
                        Some(m) => ArgumentValue::Member(m.name.clone(), position as u32),
                        None => ArgumentValue::In(self.operand(value, ty)),
                    }
                }
                _ => ArgumentValue::In(self.operand(value, ty)),
            },
            _ => ArgumentValue::In(self.operand(value, ty)),
        })
    }

    fn has_headers(&self, storage: &Storage) -> bool {
        matches!(storage, Storage::Header(..))
            || storage.parts().iter().any(|p| self.has_headers(p))
    }

    /// A value as scalars with names.
    pub(super) fn operand(&self, value: &Value, ty: &Type) -> Operand {
        let mut leaves = Vec::new();
        self.in_leaves(value, ty, String::new(), None, &mut leaves);
        Operand { type_name: self.program.types.display(ty), leaves }
    }

    fn in_leaves(
        &self,
        value: &Value,
        ty: &Type,
        name: String,
        valid: Option<&Expr>,
        out: &mut Vec<InLeaf>,
    ) {
        let mut leaf = |value: &Expr, length: Option<&Expr>| {
            out.push(InLeaf {
                name: name.clone(),
                value: value.clone(),
                length: length.cloned(),
                valid: valid.cloned(),
            });
        };
        match value {
            Value::Scalar(expr) => return leaf(expr, None),
            Value::Varbit(bits, length) => return leaf(bits, Some(length)),
            Value::Integer(_) => return leaf(&value.scalar(64), None),
            _ => {}
        }
        let valid = match value {
            Value::Header(own, _) => Some(own),
            _ => valid,
        };
        for (n, part) in value.parts().iter().enumerate() {
            let (suffix, part_type) = self.part_name(ty, n);
            let name = if name.is_empty() { suffix } else { format!("{name}.{suffix}") };
            self.in_leaves(part, part_type, name, valid, out);
        }
    }

    fn out_leaves(&self, storage: &Storage, ty: &Type) -> Vec<OutLeaf> {
        let mut out = Vec::new();
        self.collect_out(storage, ty, String::new(), &mut out);
        out
    }

    fn collect_out(&self, storage: &Storage, ty: &Type, name: String, out: &mut Vec<OutLeaf>) {
        match storage {
            Storage::Scalar(field) => {
                out.push(OutLeaf { name, field: *field, length: None });
                return;
            }
            Storage::Varbit(field, length) => {
                out.push(OutLeaf { name, field: *field, length: Some(*length) });
                return;
            }
            Storage::Header(header, _) => {
                let name =
                    if name.is_empty() { "$valid".to_owned() } else { format!("{name}.$valid") };
                out.push(OutLeaf { name, field: self.out[*header].valid, length: None });
            }
            _ => {}
        }
        for (n, part) in storage.parts().iter().enumerate() {
            let (suffix, part_type) = self.part_name(ty, n);
            let name = if name.is_empty() { suffix } else { format!("{name}.{suffix}") };
            self.collect_out(part, part_type, name, out);
        }
    }

    fn part_name<'t>(&'t self, ty: &'t Type, n: usize) -> (String, &'t Type) {
        let types = &self.program.types;
        match types.storage(ty) {
            Type::Struct(id) => match types[*id].fields.get(n) {
                Some(field) => (field.name.to_string(), &field.ty),
                None => (n.to_string(), &Type::Void),
            },
            Type::Tuple(parts) => (n.to_string(), parts.get(n).unwrap_or(&Type::Void)),
            Type::Stack(element, _) | Type::List(element) => (n.to_string(), element),
            _ => (n.to_string(), &Type::Void),
        }
    }

    /// Whether a field is read-only for keys: its own, not that of an expression.
    pub(super) fn is_plain(&self, field: super::FieldId) -> bool {
        self.out[field].role != FieldRole::Temporary
    }
}
