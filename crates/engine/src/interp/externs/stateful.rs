//! Counters, meters and registers. An index beyond the end counts nothing, is green, reads the
//! default value, and writes nothing.

use super::super::machine::Machine;
use super::super::values::Value;
use super::Arguments;
use ww_dataplane::control::{CounterIndex, MeterIndex, RegisterIndex};

impl<'a> Machine<'a> {
    /// `counter.count(index)`
    pub(super) fn count_packet(&mut self, counter: CounterIndex, arguments: &Arguments<'a>) {
        let index = arguments.value(0).to_u64();
        let length = u64::from(self.packet.length);
        if let Some(cell) =
            self.state.counters.get_mut(counter.index()).and_then(|c| c.get_mut(index))
        {
            cell.packets = cell.packets.wrapping_add(1);
            cell.bytes = cell.bytes.wrapping_add(length);
        }
    }

    /// `meter.execute_meter(index, result)`
    pub(super) fn execute_meter(&mut self, meter: MeterIndex, arguments: &mut Arguments<'a>) {
        let index = arguments.value(0).to_u64();
        let by_bytes = self.loaded.schema[meter].bytes;
        let units = if by_bytes { u64::from(self.packet.length) } else { 1 };
        let now = self.packet.now;
        let meters = self.state.meters.get_mut(meter.index());
        let colour = meters.map_or(0, |meters| meters.execute(index, now, units) as u8);
        let width = arguments.width(self, 1);
        arguments.set(1, Value::bits(width, u128::from(colour)));
    }

    /// `direct_meter.read(result)`
    pub(super) fn read_colour(&mut self, meter: MeterIndex, arguments: &mut Arguments<'a>) {
        let colour = self.state.colours.get(meter.index()).copied().unwrap_or(0);
        let width = arguments.width(self, 0);
        arguments.set(0, Value::bits(width, u128::from(colour)));
    }

    /// `register.read(result, index)`
    pub(super) fn read_register(&mut self, register: RegisterIndex, arguments: &mut Arguments<'a>) {
        let index = arguments.value(1).to_u64();
        let cells = self.state.registers.get(register.index());
        if let Some(value) = cells.and_then(|c| c.get(index)).cloned() {
            arguments.set(0, value);
        }
    }

    /// `register.write(index, value)`
    pub(super) fn write_register(
        &mut self,
        register: RegisterIndex,
        arguments: &mut Arguments<'a>,
    ) {
        let index = arguments.value(0).to_u64();
        let value = arguments.value(1).clone();
        let cells = self.state.registers.get_mut(register.index());
        if let Some(cell) = cells.and_then(|c| c.get_mut(index)) {
            *cell = value;
        }
    }
}
