//! From the names of an STF file to those of a program.

use super::syntax::{ActionCall, Argument, KeyValue, MatchValue};
use crate::number;
use crate::word::Word;
use num_bigint::{BigInt, BigUint};
use std::collections::HashSet;
use ww_dataplane::control::{
    ActionData, ActionInfo, Error, KeyInfo, KeyMatch, MatchKind, TableInfo, find_by_suffix,
};
use ww_p4::diagnostic::Diagnostic;
use ww_p4::source::Span;
use ww_spelling::suggestion;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Turns a refusal into a message at a place.
pub(super) fn at(span: Span) -> impl Fn(Error) -> Box<Diagnostic> {
    move |error| Box::new(Diagnostic::error(span, error.to_string()))
}

fn fail<T>(span: Span, message: String) -> Result<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

/// The keys of an entry in the order of the table. Keys that are not mentioned match anything,
/// except exact ones, which must be there.
pub(super) fn keys(
    table: &TableInfo,
    given: &[KeyValue],
    statement: Span,
) -> Result<Vec<KeyMatch>> {
    let mut result: Vec<Option<KeyMatch>> = vec![None; table.keys.len()];
    for key in given {
        let position = find_key(table, &key.name.text)
            .map_err(|message| Box::new(Diagnostic::error(key.name.span, message)))?;
        let (info, slot) = (&table.keys[position], &mut result[position]);
        if slot.is_some() {
            return fail(key.name.span, format!("key `{}` is given twice", info.name));
        }
        *slot = Some(key_match(info, &key.value, key.span)?);
    }
    let mut complete = Vec::with_capacity(result.len());
    for (info, found) in table.keys.iter().zip(result) {
        match found.or_else(|| anything(info)) {
            Some(key) => complete.push(key),
            None => {
                let message =
                    format!("the exact key `{}` of table `{}` is missing", info.name, table.name);
                return fail(statement, message);
            }
        }
    }
    Ok(complete)
}

/// Finds the one thing called `name`: by its full name, by the end of it at a dot, or else by any
/// end of it that fits nothing else.
pub(super) fn find<'a, I>(
    kind: &'static str,
    name: &str,
    all: I,
) -> std::result::Result<usize, Error>
where
    I: Iterator<Item = &'a str> + Clone,
{
    let error = match find_by_suffix(kind, name, all.clone()) {
        Err(error @ Error::UnknownName { .. }) => error,
        other => return other,
    };
    let mut fits = all.enumerate().filter(|(_, full)| !name.is_empty() && full.ends_with(name));
    match (fits.next(), fits.next()) {
        (Some((position, _)), None) => Ok(position),
        _ => Err(error),
    }
}

/// Spellings of one name: other tools write `$valid$` for `isValid()` and `stack$1` or `stack$[1]`
/// for `stack[1]`, and quotes around the whole.
fn normal(name: &str) -> String {
    let name = name.trim_matches('"').replace("$[", "[");
    let name = name.replace("$valid$", "isValid()").replace("$valid", "isValid()");
    let mut result = String::with_capacity(name.len() + 1);
    let mut rest = name.as_str();
    while let Some(at) = rest.find('$') {
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            result.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
        } else {
            result.push_str(&rest[..at]);
            result.push_str(&format!("[{}]", &rest[at + 1..at + 1 + digits]));
            rest = &rest[at + 1 + digits..];
        }
    }
    result.push_str(rest);
    result.retain(|c| !c.is_whitespace());
    result
}

fn find_key(table: &TableInfo, name: &str) -> std::result::Result<usize, String> {
    let wanted = normal(name);
    let names: Vec<String> = table.keys.iter().map(|k| normal(&k.name)).collect();
    let find = |name: &str| find_by_suffix("key", name, names.iter().map(String::as_str));
    find(&wanted)
        .or_else(|error| {
            // The validity of a header goes by more names.
            let header = wanted.strip_suffix("valid").unwrap_or(&wanted);
            let validity = match header.strip_suffix('.') {
                _ if header.is_empty() => "isValid()".to_owned(),
                Some(header) if header.len() + 6 == wanted.len() => format!("{header}.isValid()"),
                _ => format!("{wanted}.isValid()"),
            };
            find(&validity).map_err(|_| error)
        })
        .map_err(|error| {
            let near = suggestion(&wanted, names.iter().map(String::as_str));
            match (&error, near) {
                (Error::UnknownName { .. }, Some(near)) => {
                    format!("table `{}` has no key `{name}`; did you mean `{near}`?", table.name)
                }
                (Error::UnknownName { .. }, None) => {
                    let known: Vec<_> =
                        table.keys.iter().map(|k| format!("`{}`", k.name)).collect();
                    format!(
                        "table `{}` has no key `{name}`; it has {}",
                        table.name,
                        known.join(", ")
                    )
                }
                _ => error.to_string(),
            }
        })
}

/// What matches every value, if the kind of match has such a thing.
fn anything(key: &KeyInfo) -> Option<KeyMatch> {
    let zero = BigUint::ZERO;
    match key.kind {
        MatchKind::Exact | MatchKind::Selector => None,
        MatchKind::Lpm => Some(KeyMatch::Lpm { value: zero, prefix_len: 0 }),
        MatchKind::Ternary => Some(KeyMatch::Ternary { value: zero.clone(), mask: zero }),
        MatchKind::Optional => Some(KeyMatch::Optional(None)),
        MatchKind::Range => {
            let all = (BigUint::from(1u8) << key.width) - 1u8;
            let half = BigUint::from(1u8) << key.width.saturating_sub(1);
            Some(match key.signed && key.width > 0 {
                true => KeyMatch::Range { low: half.clone(), high: half - 1u8 },
                false => KeyMatch::Range { low: zero, high: all },
            })
        }
    }
}

fn key_match(key: &KeyInfo, value: &MatchValue, span: Span) -> Result<KeyMatch> {
    let bits = |value: &BigInt| fit(value, key.width, &format!("key `{}`", key.name), span);
    let all = (BigUint::from(1u8) << key.width) - 1u8;
    Ok(match value {
        MatchValue::Exact(value) => KeyMatch::Exact(bits(value)?),
        MatchValue::Pattern(pattern) if pattern.mask == all => {
            KeyMatch::Exact(pattern.value.clone())
        }
        MatchValue::Pattern(pattern) => {
            KeyMatch::Ternary { value: pattern.value.clone(), mask: pattern.mask.clone() }
        }
        MatchValue::Prefix(value, prefix_len) => {
            let value = bits(&value.clone().into())?;
            KeyMatch::Lpm { value, prefix_len: *prefix_len }
        }
        MatchValue::Mask(value, mask) => KeyMatch::Ternary {
            value: bits(&value.clone().into())?,
            mask: bits(&mask.clone().into())?,
        },
        MatchValue::Range(low, high) => KeyMatch::Range { low: bits(low)?, high: bits(high)? },
        MatchValue::Any => match anything(key) {
            Some(any) => any,
            None => return fail(span, format!("key `{}` is exact and takes a value", key.name)),
        },
    })
}

/// The bits of a number that must fit.
pub(super) fn fit(value: &BigInt, width: u32, what: &str, span: Span) -> Result<BigUint> {
    match number::bits(value, width) {
        Some(bits) => Ok(bits),
        None => fail(
            span,
            format!("{value} ({value:#x}) does not fit into the {width} bit(s) of {what}"),
        ),
    }
}

/// The position of the action with this name.
pub(super) fn find_action(actions: &[ActionInfo], name: &Word) -> Result<usize> {
    let all = actions.iter().map(|a| a.name.as_str());
    find("action", &name.text, all).map_err(at(name.span))
}

/// An action and its arguments in the order of its parameters.
pub(super) fn action(actions: &[ActionInfo], call: &ActionCall) -> Result<ActionData> {
    let position = find_action(actions, &call.name)?;
    let Some(action) = actions.get(position) else {
        return fail(call.name.span, format!("there is no action `{}`", call.name.text));
    };
    if call.arguments.iter().any(|a| !a.is_named()) {
        return positional(action, position, call);
    }
    let mut seen = HashSet::new();
    for name in call.arguments.iter().filter_map(|a| a.name.as_ref()) {
        if !seen.insert(name.text.as_str()) {
            return fail(name.span, format!("argument `{}` is given twice", name.text));
        }
        let known = action.parameters.iter().map(|p| p.name.as_str());
        if !known.clone().any(|p| p == name.text) {
            let help = match suggestion(&name.text, known.clone()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None if action.parameters.is_empty() => "; it has none".to_owned(),
                None => format!("; it has `{}`", known.collect::<Vec<_>>().join("`, `")),
            };
            let message =
                format!("action `{}` has no parameter `{}`{help}", action.name, name.text);
            return fail(name.span, message);
        }
    }
    let mut arguments = Vec::with_capacity(action.parameters.len());
    for parameter in &action.parameters {
        let is_it = |a: &&Argument| a.name.as_ref().is_some_and(|n| n.text == parameter.name);
        let Some(Argument { value, span, .. }) = call.arguments.iter().find(is_it) else {
            let message =
                format!("argument `{}` of action `{}` is missing", parameter.name, action.name);
            return fail(call.name.span, message);
        };
        let what = format!("parameter `{}` of action `{}`", parameter.name, action.name);
        arguments.push(fit(value, parameter.width, &what, *span)?);
    }
    Ok(ActionData { action: position, arguments })
}

/// An action with arguments in the order of its parameters.
fn positional(action: &ActionInfo, position: usize, call: &ActionCall) -> Result<ActionData> {
    let (wanted, found) = (action.parameters.len(), call.arguments.len());
    if wanted != found {
        let message = format!("action `{}` takes {wanted} argument(s), found {found}", action.name);
        return fail(call.name.span, message);
    }
    let mut arguments = Vec::with_capacity(wanted);
    for (parameter, Argument { value, span, .. }) in action.parameters.iter().zip(&call.arguments) {
        let what = format!("parameter `{}` of action `{}`", parameter.name, action.name);
        arguments.push(fit(value, parameter.width, &what, *span)?);
    }
    Ok(ActionData { action: position, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_keys() {
        assert_eq!(normal("hdr.vlan.$valid$"), "hdr.vlan.isValid()");
        assert_eq!(normal("extra$0.b1"), "extra[0].b1");
        assert_eq!(normal("\"extra$[12].b1\""), "extra[12].b1");
        assert_eq!(normal("hdr.vlan.$valid"), "hdr.vlan.isValid()");
        assert_eq!(normal("a$b"), "a$b");
        assert_eq!(normal("h.x[7 : 4]"), "h.x[7:4]");
    }

    #[test]
    fn names_of_keys() {
        let key = |name: &str| KeyInfo {
            name: name.to_owned(),
            kind: MatchKind::Exact,
            width: 1,
            signed: false,
        };
        let table = |names: &[&str]| TableInfo {
            name: "t".to_owned(),
            instance: 0,
            table: 0,
            keys: names.iter().map(|n| key(n)).collect(),
            actions: Vec::new(),
            size: 1,
            const_entries: false,
            const_default: false,
            profile: None,
            counter: None,
            meter: None,
        };
        let one = table(&["hdr.vlan.isValid()", "hdr.vlan.vid", "hdr.s[1].f"]);
        for name in ["hdr.vlan.$valid$", "vlan.valid", "vlan", "valid", "$valid$", "$valid"] {
            assert_eq!(find_key(&one, name), Ok(0), "{name}");
        }
        assert_eq!(find_key(&one, "vid"), Ok(1));
        assert_eq!(find_key(&one, "hdr.s$1.f"), Ok(2));
        assert!(find_key(&one, "invalid").is_err() && find_key(&one, "lan").is_err());
        // A field called `valid` is meant first.
        assert_eq!(find_key(&table(&["h.isValid()", "h.valid"]), "h.valid"), Ok(1));
        assert!(find_key(&table(&["a.isValid()", "b.isValid()"]), "valid").is_err());
    }

    #[test]
    fn ends_of_names() {
        let all = ["ingress.big_table", "egress.table", "egress.x"];
        let find = |name| find("table", name, all.iter().copied());
        assert_eq!(find("table"), Ok(1));
        assert_eq!(find("g_table"), Ok(0));
        assert!(find("able").is_err() && find("").is_err() && find("y").is_err());
    }
}
