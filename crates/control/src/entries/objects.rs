//! Commands on registers, counters, meters, value sets and configurable CRCs.

use super::session::{Result, Session, argument, at, fail, small};
use super::values::{parse_key, parse_value};
use crate::rates;
use crate::word::Word;
use ww_dataplane::control::{
    CounterIndex, CounterValue, CustomCrc, KeyMatch, MeterIndex, MeterRate, MeterRates,
    RegisterIndex, ValueSetIndex,
};
use ww_p4::diagnostic::Diagnostic;
use ww_p4::source::Span;
use ww_packet::crc::CrcParameters;

fn register(session: &Session, name: &Word) -> Result<RegisterIndex> {
    session.schema().register(&name.text).map_err(|e| at(name.span, e))
}

fn counter(session: &Session, name: &Word) -> Result<CounterIndex> {
    session.schema().counter(&name.text).map_err(|e| at(name.span, e))
}

fn meter(session: &Session, name: &Word) -> Result<MeterIndex> {
    session.schema().meter(&name.text).map_err(|e| at(name.span, e))
}

pub(super) fn value_set(session: &Session, name: &Word) -> Result<ValueSetIndex> {
    session.schema().value_set(&name.text).map_err(|e| at(name.span, e))
}

fn index(word: &Word) -> Result<u64> {
    small(word, "an index")
}

/// `register_write REGISTER INDEX VALUE`
pub(super) fn register_write(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let name = argument(arguments, 0, span)?;
    let id = register(session, name)?;
    let cell = index(argument(arguments, 1, span)?)?;
    let word = argument(arguments, 2, span)?;
    let value = parse_value(&word.text, session.schema()[id].width).map_err(|problem| {
        Box::new(Diagnostic::error(word.span, format!("register `{}` {problem}", name.text)))
    })?;
    let answer = session.control.register_write(id, Some(cell), value.clone());
    session.done(span, answer)
}

/// `register_read REGISTER [INDEX]`
pub(super) fn register_read(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let name = argument(arguments, 0, span)?;
    let id = register(session, name)?;
    let full = session.schema()[id].name.clone();
    let text = match arguments.get(1) {
        Some(word) => {
            let cell = index(word)?;
            let value = session.control.register_read(id, cell).map_err(|e| at(span, e))?;
            format!("{full}[{cell}] = {value:#x}")
        }
        None => {
            let values = session.control.register_read_all(id).map_err(|e| at(span, e))?;
            let values: Vec<_> = values.iter().map(|v| format!("{v:#x}")).collect();
            format!("{full} = {}", values.join(", "))
        }
    };
    session.say(text);
    Ok(())
}

/// `register_reset REGISTER`
pub(super) fn register_reset(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = register(session, argument(arguments, 0, span)?)?;
    let answer = session.control.register_reset(id);
    session.done(span, answer)
}

/// `counter_read COUNTER INDEX`
pub(super) fn counter_read(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = counter(session, argument(arguments, 0, span)?)?;
    let cell = index(argument(arguments, 1, span)?)?;
    let answer = session.control.counter_read(id, cell);
    if let Some(value) = session.accept(span, answer)? {
        let CounterValue { packets, bytes } = value;
        let name = &session.schema()[id].name;
        let text = format!("{name}[{cell}] = {packets} packets, {bytes} bytes");
        session.say(text);
    }
    Ok(())
}

/// `counter_write COUNTER INDEX PACKETS BYTES`
pub(super) fn counter_write(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = counter(session, argument(arguments, 0, span)?)?;
    let cell = index(argument(arguments, 1, span)?)?;
    let value = CounterValue {
        packets: small(argument(arguments, 2, span)?, "a number of packets")?,
        bytes: small(argument(arguments, 3, span)?, "a number of bytes")?,
    };
    let answer = session.control.counter_write(id, Some(cell), value);
    session.done(span, answer)
}

/// `counter_reset COUNTER`
pub(super) fn counter_reset(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = counter(session, argument(arguments, 0, span)?)?;
    let answer = session.control.counter_reset(id);
    session.done(span, answer)
}

fn rate(word: &Word) -> Result<MeterRate> {
    match rates::parse(&word.text) {
        Ok((units_per_microsecond, burst)) => Ok(MeterRate { units_per_microsecond, burst }),
        Err(problem) => fail(word.span, problem),
    }
}

fn set_rates(
    session: &mut Session,
    name: &Word,
    cell: Option<u64>,
    rates: [&Word; 2],
    span: Span,
) -> Result<()> {
    let id = meter(session, name)?;
    let rates = MeterRates { committed: rate(rates[0])?, peak: rate(rates[1])? };
    let answer = session.control.meter_set_rates(id, cell, Some(rates));
    session.done(span, answer)
}

/// `meter_set_rates METER INDEX RATE:BURST RATE:BURST`
pub(super) fn meter_set_rates(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let cell = index(argument(arguments, 1, span)?)?;
    let rates = [argument(arguments, 2, span)?, argument(arguments, 3, span)?];
    set_rates(session, argument(arguments, 0, span)?, Some(cell), rates, span)
}

/// `meter_array_set_rates METER RATE:BURST RATE:BURST`
pub(super) fn meter_array_set_rates(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
) -> Result<()> {
    let rates = [argument(arguments, 1, span)?, argument(arguments, 2, span)?];
    set_rates(session, argument(arguments, 0, span)?, None, rates, span)
}

/// `meter_get_rates METER INDEX`
pub(super) fn meter_get_rates(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = meter(session, argument(arguments, 0, span)?)?;
    let cell = index(argument(arguments, 1, span)?)?;
    let answer = session.control.meter_rates(id, cell);
    if let Some(rates) = session.accept(span, answer)? {
        let one = |r: MeterRate| format!("{}:{}", r.units_per_microsecond, r.burst);
        let shown = match rates {
            Some(rates) => format!("{} {}", one(rates.committed), one(rates.peak)),
            None => "not set".to_owned(),
        };
        let text = format!("{}[{cell}] = {shown}", session.schema()[id].name);
        session.say(text);
    }
    Ok(())
}

fn members(
    session: &Session,
    id: ValueSetIndex,
    words: &[Word],
    span: Span,
) -> Result<Vec<KeyMatch>> {
    let schema = session.schema();
    let info = &schema[id];
    if words.len() != info.keys.len() {
        let message = format!(
            "members of value set `{}` have {} value(s), found {}",
            info.name,
            info.keys.len(),
            words.len()
        );
        return fail(span, message);
    }
    let read = |(key, word): (_, &Word)| {
        parse_key(key, &word.text).map_err(|m| Box::new(Diagnostic::error(word.span, m)))
    };
    info.keys.iter().zip(words).map(read).collect()
}

/// `pvs_add VALUE_SET VALUE..`
pub(super) fn value_set_add(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = value_set(session, argument(arguments, 0, span)?)?;
    let member = members(session, id, &arguments[1..], span)?;
    let answer = session.control.value_set_add(id, member);
    session.done(span, answer)
}

/// `pvs_remove VALUE_SET VALUE..`
pub(super) fn value_set_remove(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
) -> Result<()> {
    let id = value_set(session, argument(arguments, 0, span)?)?;
    let member = members(session, id, &arguments[1..], span)?;
    let answer = session.control.value_set_remove(id, member);
    session.done(span, answer)
}

/// `pvs_clear VALUE_SET`
pub(super) fn value_set_clear(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = value_set(session, argument(arguments, 0, span)?)?;
    let answer = session.control.value_set_clear(id);
    session.done(span, answer)
}

fn flag(word: &Word) -> Result<bool> {
    match word.text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "y" => Ok(true),
        "false" | "0" | "no" | "n" => Ok(false),
        _ => fail(word.span, format!("expected `true` or `false`, found `{}`", word.text)),
    }
}

fn set_crc(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
    which: CustomCrc,
    width: u8,
) -> Result<()> {
    let number = |n: usize, what: &str| -> Result<u64> {
        let word = argument(arguments, n, span)?;
        let value: u64 = small(word, what)?;
        if value >> width != 0 {
            return fail(
                word.span,
                format!("{what} has {width} bits, which `{}` does not fit", word.text),
            );
        }
        Ok(value)
    };
    let parameters = CrcParameters {
        width,
        polynomial: number(1, "the polynomial")?,
        init: number(2, "the initial remainder")?,
        reflect_input: flag(argument(arguments, 4, span)?)?,
        reflect_output: flag(argument(arguments, 5, span)?)?,
        xor_output: number(3, "the final XOR value")?,
    };
    let answer = session.control.set_custom_crc(which, parameters);
    session.done(span, answer)
}

/// `set_crc16_parameters NAME ..`: whatever the name, for every use of `crc16_custom`.
pub(super) fn set_crc16(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    set_crc(session, arguments, span, CustomCrc::Crc16, 16)
}

/// `set_crc32_parameters NAME ..`: whatever the name, for every use of `crc32_custom`.
pub(super) fn set_crc32(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    set_crc(session, arguments, span, CustomCrc::Crc32, 32)
}

/// `reset_state`
pub(super) fn reset_state(session: &mut Session, _: &[Word], span: Span) -> Result<()> {
    let answer = session.control.reset_state();
    session.done(span, answer)
}
