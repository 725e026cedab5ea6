//! Extern objects and value sets: listed when first used.

use super::values::Value;
use super::{Lowered, Lowerer};
use crate::ir::{
    Const, ConstructorValue, Expr as IrExpr, InstanceId, InstanceKind, Local, Type, VarId,
};
use crate::pipeline::tables::{
    ConstructorArgument, ExternInstance, ExternInstanceId, PropertyValue, ValueSet, ValueSetId,
};
use num_bigint::BigUint;

impl Lowerer<'_> {
    /// The entry of an extern object.
    pub(super) fn object(&mut self, id: InstanceId) -> Lowered<ExternInstanceId> {
        if let Some(known) = self.objects.get(&id) {
            return Ok(*known);
        }
        let program = self.program;
        let instance = &program[id];
        let InstanceKind::Extern(extern_id, types) = &instance.kind else {
            return self.refuse(instance.span, "this is no extern object");
        };
        let def = &program.types[*extern_id];
        let parameters = def
            .constructors
            .get(instance.constructor as usize)
            .map_or(&[][..], |c| c.parameters.as_slice());
        let mut arguments = Vec::new();
        for (parameter, argument) in parameters.iter().zip(&instance.arguments) {
            let value = match argument {
                ConstructorValue::Const(value) => self.constant_property(value, &parameter.ty),
                ConstructorValue::Instance(inner) => match program[*inner].kind {
                    InstanceKind::Extern(..) => PropertyValue::Object(self.object(*inner)?),
                    _ => PropertyValue::Other,
                },
                ConstructorValue::Absent => continue,
            };
            arguments.push(ConstructorArgument { name: parameter.name.clone(), value });
        }
        let known = ExternInstanceId(self.out.externs.len() as u32);
        self.out.externs.push(ExternInstance {
            name: instance.name.as_str().into(),
            type_name: def.name.clone(),
            type_arguments: types
                .iter()
                .map(|t| (program.types.display(t), program.types.width(t)))
                .collect(),
            arguments,
            source: id,
            span: instance.span,
        });
        self.objects.insert(id, known);
        Ok(known)
    }

    /// A compile-time value as the value of a property.
    pub(super) fn constant_property(&self, value: &Const, ty: &Type) -> PropertyValue {
        match (value, ty) {
            (Const::Member(n), Type::Enum(id)) => {
                match self.program.types[*id].members.get(*n as usize) {
                    Some(member) => PropertyValue::Member(member.name.clone()),
                    None => PropertyValue::Other,
                }
            }
            (Const::Bool(b), _) => PropertyValue::Number(BigUint::from(u32::from(*b))),
            (Const::Int(n), _) => match n.to_biguint() {
                Some(n) => PropertyValue::Number(n),
                None => PropertyValue::Other,
            },
            (Const::String(text), _) => PropertyValue::Text(text.clone()),
            _ => PropertyValue::Other,
        }
    }

    /// The entry of a value set.
    pub(super) fn value_set(&mut self, set: &IrExpr) -> Lowered<ValueSetId> {
        let Value::Members(var) = self.eval(set)? else {
            return self.refuse(set.span, "this is no value set");
        };
        let key = (self.instance, var);
        if let Some(known) = self.value_sets.get(&key) {
            return Ok(*known);
        }
        let variable = &self.program[var];
        let mut widths = Vec::new();
        if let Type::ValueSet(element) = &variable.ty {
            self.widths(element, &mut widths);
        }
        let (size, name) = self.declared_set(var);
        let path = &self.program[self.instance].name;
        let full = match name.strip_prefix('.') {
            Some(absolute) => absolute.to_owned(),
            None => format!("{path}.{name}"),
        };
        let known = ValueSetId(self.out.value_sets.len() as u32);
        self.out.value_sets.push(ValueSet { name: full.into(), source: key, widths, size });
        self.value_sets.insert(key, known);
        Ok(known)
    }

    fn declared_set(&self, wanted: VarId) -> (u64, String) {
        let plain = self.program[wanted].name.to_string();
        let InstanceKind::Parser(id) = self.program[self.instance].kind else { return (0, plain) };
        let found = self.program[id].locals.iter().find_map(|l| match l {
            Local::ValueSet { var, size, annotations } if *var == wanted => {
                Some((*size, annotations))
            }
            _ => None,
        });
        match found {
            Some((size, annotations)) => {
                let given = crate::check::string_annotation(annotations, "name");
                (size, given.map_or(plain, |name| name.to_string()))
            }
            None => (0, plain),
        }
    }

    /// Widths of the scalars of a type, in order.
    fn widths(&self, ty: &Type, out: &mut Vec<u32>) {
        if let Some((_, width)) = super::storage::scalar(&self.program.types, ty) {
            out.push(width);
            return;
        }
        match self.program.types.storage(ty) {
            Type::Struct(id) => {
                self.program.types[*id].fields.iter().for_each(|f| self.widths(&f.ty, out));
            }
            Type::Tuple(types) => types.iter().for_each(|t| self.widths(t, out)),
            Type::Varbit(width) => out.push(*width),
            _ => {}
        }
    }
}
