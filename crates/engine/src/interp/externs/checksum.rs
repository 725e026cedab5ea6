//! `verify_checksum`, `update_checksum`, both with payload, and the old `Checksum16`.

use super::super::machine::Machine;
use super::super::values::Value;
use super::Arguments;
use crate::bits::{BitWriter, Bits};
use ww_p4::ir::Call;
use ww_packet::checksum::internet_checksum;

// Parameters of all four functions: condition, data, checksum, algorithm.
impl<'a> Machine<'a> {
    /// The checksum over `data`, and the bytes that the parser left, as wide as the field.
    fn checksum(&mut self, arguments: &Arguments<'a>, payload: bool, call: &'a Call) -> Bits {
        let mut writer = BitWriter::new();
        arguments.value(1).write(&mut writer);
        if payload {
            writer.write_from(&self.packet.bytes, self.packet.cursor);
        }
        let algorithm = arguments.member(self, 3);
        let hash = self.hash(algorithm, &writer.into_bytes(), call.span);
        Bits::new(arguments.width(self, 2), u128::from(hash))
    }

    pub(super) fn verify_checksum(
        &mut self,
        arguments: &Arguments<'a>,
        payload: bool,
        call: &'a Call,
    ) {
        if arguments.value(0).is_true()
            && self.checksum(arguments, payload, call) != arguments.value(2).to_bits()
        {
            self.packet.checksum_error = true;
        }
    }

    pub(super) fn update_checksum(
        &mut self,
        arguments: &mut Arguments<'a>,
        payload: bool,
        call: &'a Call,
    ) {
        if arguments.value(0).is_true() {
            let checksum = self.checksum(arguments, payload, call);
            arguments.set(2, Value::Bits(checksum));
        }
    }

    /// `Checksum16.get(data)`
    pub(super) fn checksum16(&mut self, arguments: &Arguments<'a>) -> Value {
        Value::bits(16, u128::from(internet_checksum(&arguments.value(0).to_bytes())))
    }
}
