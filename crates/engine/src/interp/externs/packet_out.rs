//! `packet_out.emit` (§16.1).

use super::super::machine::{Machine, Run};
use super::super::values::Value;
use ww_dataplane::trace::TraceEvent;
use ww_p4::ir::{Call, Expr, StructKind, Type};

impl<'a> Machine<'a> {
    /// Appends all valid headers in a value, in order.
    pub(super) fn emit(&mut self, call: &'a Call) -> Run<Value> {
        let Some(expr) = call.arguments.first().and_then(|a| a.value.as_ref()) else {
            return Ok(Value::Absent);
        };
        if self.is_traced() {
            let value = self.eval(expr)?;
            let name = expr_name(self, expr);
            self.trace_emit(name, &value, &expr.ty, call);
            value.write(&mut self.packet.emitted);
            return Ok(Value::Absent);
        }
        // The writer is taken out for a moment so that the value need not be copied.
        let mut emitted = std::mem::take(&mut self.packet.emitted);
        match self.peek(expr) {
            Some(value) => value.write(&mut emitted),
            None => self.eval(expr)?.write(&mut emitted),
        }
        self.packet.emitted = emitted;
        Ok(Value::Absent)
    }

    fn trace_emit(&mut self, name: String, value: &Value, ty: &Type, call: &Call) {
        match value {
            Value::Header(header) if header.valid => {
                let fields = self.named_fields(value, ty);
                self.trace(|_| TraceEvent::Emit { header: name, fields, at: call.span.into() });
            }
            Value::Header(_) => {}
            _ => {
                let program = self.program;
                for (n, part) in value.parts().unwrap_or_default().iter().enumerate() {
                    match program.types.storage(ty) {
                        Type::Struct(id) => {
                            let def = &program.types[*id];
                            if let Some(field) = def.fields.get(n)
                                && (def.kind != StructKind::Union || part.is_valid())
                            {
                                let name = format!("{name}.{}", field.name);
                                self.trace_emit(name, part, &field.ty, call);
                            }
                        }
                        Type::Stack(element, _) => {
                            self.trace_emit(format!("{name}[{n}]"), part, element, call);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

fn expr_name<'a>(machine: &mut Machine<'a>, expr: &'a Expr) -> String {
    use ww_p4::ir::ExprKind;
    match &expr.kind {
        ExprKind::Var(_) | ExprKind::Field(..) | ExprKind::Element(..) => {
            machine.place(expr).map(|p| machine.place_name(&p)).unwrap_or_default()
        }
        _ => "(expression)".to_owned(),
    }
}
