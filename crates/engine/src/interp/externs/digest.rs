//! `digest`: data for the control plane.

use super::super::machine::Machine;
use super::super::values::Value;
use super::Arguments;
use ww_dataplane::control::{Digest, DigestField};
use ww_p4::ir::Type;

impl<'a> Machine<'a> {
    /// `digest(receiver, data)`
    pub(super) fn digest(&mut self, arguments: &Arguments<'a>) {
        let ty = arguments.expr(1).map_or(&Type::Void, |e| &e.ty);
        let mut fields = Vec::new();
        self.digest_fields("", arguments.value(1), ty, &mut fields);
        let digest = Digest {
            receiver: arguments.value(0).to_u64() as u32,
            name: self.program.types.display(ty),
            fields,
            at: self.packet.now,
        };
        self.state.push_digest(digest);
    }

    fn digest_fields(&self, name: &str, value: &Value, ty: &Type, out: &mut Vec<DigestField>) {
        let Some(parts) = value.parts() else {
            let bits = value.to_bits();
            out.push(DigestField {
                name: name.to_owned(),
                width: bits.width(),
                value: bits.to_biguint(),
            });
            return;
        };
        for (n, part) in parts.iter().enumerate() {
            let (part_name, part_type) = match self.program.types.storage(ty) {
                Type::Struct(id) => match self.program.types[*id].fields.get(n) {
                    Some(field) => (field.name.to_string(), &field.ty),
                    None => continue,
                },
                Type::Tuple(types) => (n.to_string(), types.get(n).unwrap_or(&Type::Void)),
                Type::Stack(element, _) | Type::List(element) => (n.to_string(), &**element),
                _ => continue,
            };
            let full = if name.is_empty() { part_name } else { format!("{name}.{part_name}") };
            self.digest_fields(&full, part, part_type, out);
        }
    }
}
