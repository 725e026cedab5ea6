//! `packet_in` (§13.8) and `verify` (§13.7).
//!
//! Of the checks that the specification leaves to the target, the one for whole bytes is made:
//! a variable part, or an advance, that is no multiple of eight bits is an
//! `error.ParserInvalidArgument`.

use super::super::machine::{Interrupt, Machine, Run};
use super::super::values::Value;
use super::Arguments;
use crate::bits::BitReader;
use ww_dataplane::trace::{NamedValue, TraceEvent};
use ww_p4::ir::{Call, Type};

impl<'a> Machine<'a> {
    /// `extract`, with one argument or, for a header with a `varbit` field, two.
    pub(super) fn extract(&mut self, call: &'a Call) -> Run<Value> {
        let bound = self.bind(&call.arguments)?;
        let Some(header) = bound.iter().find(|b| b.argument.parameter == 0) else {
            return Ok(Value::Absent);
        };
        let argument = header.argument;
        // The argument's own type: a header, also where the parameter is generic.
        let ty = argument.value.as_ref().map_or(&argument.ty, |e| &e.ty);
        let variable = bound.iter().find(|b| b.argument.parameter == 1).map(|b| b.value.to_u64());
        let varbit_width = variable.unwrap_or(0);

        if varbit_width % 8 != 0 {
            return Err(self.parser_error("ParserInvalidArgument"));
        }
        let (min, max) = self.size_in_bits(ty);
        let start = self.packet.cursor;
        let reader_length = self.packet.bytes.len() as u64 * 8;
        let needed = min.saturating_add(varbit_width);
        if start.saturating_add(needed) > reader_length {
            return Err(self.parser_error("PacketTooShort"));
        }
        if needed > max {
            return Err(self.parser_error("HeaderTooShort"));
        }
        let bytes = self.packet.bytes.clone();
        let mut end = start;
        let reader = BitReader::new(&bytes);
        let value = Value::read(self.program, ty, reader, &mut end, varbit_width as u32)
            .ok_or_else(|| self.parser_error("PacketTooShort"))?;

        if let (true, Some(expr)) = (self.is_traced(), &argument.value) {
            let header = header.place.as_ref().map(|p| self.place_name(p)).unwrap_or_default();
            let fields = self.named_fields(&value, &expr.ty);
            let (offset, bits) = (start, end - start);
            let at = call.span.into();
            self.trace(|_| TraceEvent::Extract { header, offset, bits, fields, at });
        }
        if let Some(place) = &header.place {
            self.store(place, value);
            self.advance_next(place);
        }
        self.packet.cursor = end;
        Ok(Value::Absent)
    }

    /// `lookahead`: the value that the next bits are; they stay where they are.
    pub(super) fn lookahead(&mut self, call: &'a Call) -> Run<Value> {
        let ty = call.type_arguments.first().unwrap_or(&Type::Void);
        let bytes = self.packet.bytes.clone();
        let mut offset = self.packet.cursor;
        Value::read(self.program, ty, BitReader::new(&bytes), &mut offset, 0)
            .ok_or_else(|| self.parser_error("PacketTooShort"))
    }

    /// `advance`
    pub(super) fn advance(&mut self, call: &'a Call) -> Run<Value> {
        let bound = self.bind(&call.arguments)?;
        let amount = bound.first().map_or(0, |b| b.value.to_u64());
        if amount % 8 != 0 {
            return Err(self.parser_error("ParserInvalidArgument"));
        }
        let target = self.packet.cursor.saturating_add(amount);
        if target > self.packet.bytes.len() as u64 * 8 {
            return Err(self.parser_error("PacketTooShort"));
        }
        self.packet.cursor = target;
        Ok(Value::Absent)
    }

    /// `verify`
    pub(super) fn verify(&mut self, arguments: &Arguments<'a>) -> Run<()> {
        match (arguments.value(0), arguments.value(1)) {
            (Value::Bool(true), _) => Ok(()),
            (_, Value::Error(code)) => Err(Interrupt::Reject(Some(*code))),
            _ => Err(Interrupt::Reject(None)),
        }
    }

    fn size_in_bits(&self, ty: &Type) -> (u64, u64) {
        let size = match ty {
            Type::Struct(id) => self.loaded.sizes[id.index()],
            other => self.program.types.size_in_bits(other),
        };
        size.unwrap_or((0, 0))
    }

    /// The leaves of a value with their names, for traces.
    pub(super) fn named_fields(&self, value: &Value, ty: &Type) -> Vec<NamedValue> {
        let mut fields = Vec::new();
        self.collect_fields("", value, ty, &mut fields);
        fields
    }

    fn collect_fields(&self, prefix: &str, value: &Value, ty: &Type, out: &mut Vec<NamedValue>) {
        let def = match self.program.types.storage(ty) {
            Type::Struct(id) => &self.program.types[*id],
            _ => return,
        };
        for (part, field) in value.parts().unwrap_or_default().iter().zip(&def.fields) {
            let name = format!("{prefix}{}", field.name);
            if part.parts().is_some() {
                self.collect_fields(&format!("{name}."), part, &field.ty, out);
            } else {
                out.push(NamedValue { name, value: part.text(self.program, &field.ty) });
            }
        }
    }
}
