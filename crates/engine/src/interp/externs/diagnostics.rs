//! `log_msg`, `assert` and `assume`.

use super::super::machine::{Interrupt, Machine, Run};
use super::super::values::Value;
use super::Arguments;
use ww_dataplane::DropReason;
use ww_dataplane::trace::TraceEvent;
use ww_p4::ir::{Call, Type};

impl<'a> Machine<'a> {
    /// A false `assert` or `assume` drops the packet.
    pub(super) fn assert(
        &mut self,
        arguments: &Arguments<'a>,
        reason: DropReason,
        call: &'a Call,
    ) -> Run<()> {
        if arguments.value(0).is_true() {
            return Ok(());
        }
        let (message, at) = (reason.to_string(), call.span.into());
        self.trace(|_| TraceEvent::Log { message, at });
        Err(Interrupt::Drop(reason))
    }

    /// `log_msg(text)` and `log_msg(text, data)`: each `{}` stands for the next element of data.
    pub(super) fn log_msg(&mut self, arguments: &Arguments<'a>, call: &'a Call) {
        if !self.is_traced() {
            return;
        }
        let Value::String(text) = arguments.value(0) else { return };
        let data = arguments.value(1);
        let ty = arguments.expr(1).map_or(&Type::Void, |e| &e.ty);
        let element_type = |n: usize| match self.program.types.storage(ty) {
            Type::Tuple(types) => types.get(n),
            Type::Struct(id) => self.program.types[*id].fields.get(n).map(|f| &f.ty),
            _ => None,
        };
        let mut message = String::new();
        for (n, piece) in text.split("{}").enumerate() {
            if n > 0 {
                match (data.parts(), data) {
                    (Some(parts), _) => match parts.get(n - 1) {
                        Some(part) => {
                            let ty = element_type(n - 1).unwrap_or(&Type::Void);
                            message.push_str(&part.text(self.program, ty));
                        }
                        None => message.push_str("{}"),
                    },
                    (None, Value::Absent) => message.push_str("{}"),
                    (None, value) => message.push_str(&value.text(self.program, ty)),
                }
            }
            message.push_str(piece);
        }
        self.trace(|_| TraceEvent::Log { message, at: call.span.into() });
    }
}
