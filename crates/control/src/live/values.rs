//! Values between JSON and the engine.

use super::protocol::{Arguments, Keys, Word};
use crate::entries::{format_key, parse_key, parse_value};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use ww_dataplane::control::{
    ActionInfo, Digest, KeyInfo, KeyMatch, MatchKind, MeterRates, Target, find_by_suffix,
};

/// The text of a number, an address or a truth value.
fn text(word: &Word) -> Result<String, String> {
    match word {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(number) if number.is_u64() || number.is_i64() => Ok(number.to_string()),
        Value::Number(number) => {
            Err(format!("expected a whole number, found {number}; write wide ones as text"))
        }
        other => Err(format!(
            "expected a number or a text, found {}",
            crate::word::shorten(&other.to_string())
        )),
    }
}

/// A value of `width` bits; the error is a whole sentence about `what`.
pub(super) fn value(word: &Word, width: u32, what: &str) -> Result<BigUint, String> {
    let text = text(word).map_err(|problem| format!("{what}: {problem}"))?;
    parse_value(&text, width).map_err(|problem| format!("{what} {problem}"))
}

/// A key in any of its forms.
fn key(info: &KeyInfo, word: &Word) -> Result<KeyMatch, String> {
    let named = |problem| format!("key `{}` ({}): {problem}", info.name, info.kind.name());
    match word {
        Value::Null => match info.kind {
            MatchKind::Exact | MatchKind::Selector => {
                Err(named("expected a value, found null".to_owned()))
            }
            _ => Ok(any(info)),
        },
        Value::Object(parts) => key_of_parts(info, parts).map_err(named),
        Value::Number(_) | Value::Bool(_) if info.kind != MatchKind::Ternary => {
            value(word, info.width, &format!("key `{}`", info.name)).map(KeyMatch::Exact)
        }
        _ => parse_key(info, &text(word).map_err(named)?),
    }
}

/// The key that every value matches.
fn any(info: &KeyInfo) -> KeyMatch {
    match info.kind {
        MatchKind::Lpm => KeyMatch::Lpm { value: BigUint::ZERO, prefix_len: 0 },
        MatchKind::Range => {
            let all: BigUint = (BigUint::from(1u8) << info.width) - 1u8;
            let half: BigUint = &all >> 1u32;
            match info.signed {
                true => KeyMatch::Range { low: half.clone() + BigUint::from(1u8), high: half },
                false => KeyMatch::Range { low: BigUint::ZERO, high: all },
            }
        }
        MatchKind::Optional => KeyMatch::Optional(None),
        _ => KeyMatch::Ternary { value: BigUint::ZERO, mask: BigUint::ZERO },
    }
}

/// `{"value", "prefix"}`, `{"value", "mask"}`, `{"low", "high"}` or `{"value"}`.
fn key_of_parts(info: &KeyInfo, parts: &Map<String, Value>) -> Result<KeyMatch, String> {
    let part = |name: &str| {
        let word = parts.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
        value(word, info.width, &format!("`{name}`"))
    };
    let names: Vec<&str> = parts.keys().map(String::as_str).collect();
    match names.as_slice() {
        ["prefix", "value"] => {
            let prefix = parts.get("prefix").and_then(Value::as_u64);
            let prefix_len = prefix.and_then(|n| u32::try_from(n).ok());
            let prefix_len = prefix_len.filter(|n| *n <= info.width).ok_or_else(|| {
                format!("expected a prefix length from 0 to {} in `prefix`", info.width)
            })?;
            Ok(KeyMatch::Lpm { value: part("value")?, prefix_len })
        }
        ["mask", "value"] => Ok(KeyMatch::Ternary { value: part("value")?, mask: part("mask")? }),
        ["high", "low"] => Ok(KeyMatch::Range { low: part("low")?, high: part("high")? }),
        ["value"] => Ok(KeyMatch::Exact(part("value")?)),
        _ => Err(format!(
            "expected {{value, prefix}}, {{value, mask}}, {{low, high}} or {{value}}, found {{{}}}",
            names.join(", ")
        )),
    }
}

/// Positions of named things; everything that is not named is `None`.
fn by_name<'a>(
    named: &'a BTreeMap<String, Word>,
    kind: &'static str,
    names: Vec<&str>,
) -> Result<Vec<Option<&'a Word>>, String> {
    let mut found = vec![None; names.len()];
    for (name, word) in named {
        let at = find_by_suffix(kind, name, names.iter().copied()).map_err(|e| e.to_string())?;
        if found[at].replace(word).is_some() {
            return Err(format!("the {kind} `{}` is given twice", names[at]));
        }
    }
    Ok(found)
}

/// Keys of `of` (a table or value set). Named keys that are left out match everything.
pub(super) fn keys(of: &str, infos: &[KeyInfo], keys: &Keys) -> Result<Vec<KeyMatch>, String> {
    match keys {
        Keys::List(list) => {
            if list.len() != infos.len() {
                let names: Vec<_> =
                    infos.iter().map(|k| format!("{} ({})", k.name, k.kind.name())).collect();
                return Err(format!(
                    "{of} has {} key(s), {}; found {}",
                    infos.len(),
                    names.join(", "),
                    list.len()
                ));
            }
            infos.iter().zip(list).map(|(info, word)| key(info, word)).collect()
        }
        Keys::Named(named) => {
            let names = infos.iter().map(|k| k.name.as_str()).collect();
            let found =
                by_name(named, "key", names).map_err(|problem| format!("{of}: {problem}"))?;
            let one =
                |(info, word): (&KeyInfo, Option<&Word>)| key(info, word.unwrap_or(&Value::Null));
            infos.iter().zip(found).map(one).collect()
        }
    }
}

/// Arguments of an action.
pub(super) fn arguments(
    action: &ActionInfo,
    arguments: Option<&Arguments>,
) -> Result<Vec<BigUint>, String> {
    let words: Vec<&Word> = match arguments {
        None => Vec::new(),
        Some(Arguments::List(list)) => list.iter().collect(),
        Some(Arguments::Named(named)) => {
            let names = action.parameters.iter().map(|p| p.name.as_str()).collect();
            let found = by_name(named, "parameter", names)
                .map_err(|problem| format!("action `{}`: {problem}", action.name))?;
            found.into_iter().flatten().collect()
        }
    };
    if words.len() != action.parameters.len() {
        let names: Vec<_> =
            action.parameters.iter().map(|p| format!("{} ({} bits)", p.name, p.width)).collect();
        return Err(format!(
            "action `{}` takes {} argument(s) ({}), found {}",
            action.name,
            names.len(),
            names.join(", "),
            words.len()
        ));
    }
    let one = |(parameter, word): (&ww_dataplane::control::ParameterInfo, &Word)| {
        let what = format!("parameter `{}` of action `{}`", parameter.name, action.name);
        value(word, parameter.width, &what)
    };
    action.parameters.iter().zip(words).map(one).collect()
}

/// A number as text in hexadecimal.
pub(super) fn hex(value: &BigUint) -> Value {
    format!("{value:#x}").into()
}

/// Keys by name.
pub(super) fn keys_json(infos: &[KeyInfo], keys: &[KeyMatch]) -> Value {
    let pair = |(info, key): (&KeyInfo, &KeyMatch)| (info.name.clone(), format_key(key).into());
    Value::Object(infos.iter().zip(keys).map(pair).collect())
}

/// `action` and `arguments`, `member` or `group` of a target.
pub(super) fn target_json(actions: &[ActionInfo], target: &Target) -> Map<String, Value> {
    let mut object = Map::new();
    match target {
        Target::Member(member) => object.insert("member".into(), (*member).into()),
        Target::Group(group) => object.insert("group".into(), (*group).into()),
        Target::Action(data) => {
            let info = actions.get(data.action);
            object.insert("action".into(), info.map(|a| a.name.as_str()).into());
            let names = info.map_or(&[][..], |a| &a.parameters);
            let pairs = names.iter().zip(&data.arguments).map(|(p, v)| (p.name.clone(), hex(v)));
            object.insert("arguments".into(), Value::Object(pairs.collect()))
        }
    };
    object
}

/// Both rates of a meter, or `null`.
pub(super) fn rates_json(rates: Option<MeterRates>) -> Value {
    let one = |rate: ww_dataplane::control::MeterRate| json!({ "rate": rate.units_per_microsecond, "burst": rate.burst });
    match rates {
        Some(rates) => json!({ "committed": one(rates.committed), "peak": one(rates.peak) }),
        None => Value::Null,
    }
}

/// A digest as an event.
pub(super) fn digest_json(digest: &Digest) -> Map<String, Value> {
    let fields = digest.fields.iter().map(|field| (field.name.clone(), hex(&field.value)));
    Map::from_iter([
        ("event".to_owned(), "digest".into()),
        ("name".to_owned(), digest.name.as_str().into()),
        ("receiver".to_owned(), digest.receiver.into()),
        ("at".to_owned(), digest.at.into()),
        ("fields".to_owned(), Value::Object(fields.collect())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(kind: MatchKind) -> KeyInfo {
        KeyInfo { name: "hdr.a.k".into(), kind, width: 32, signed: false }
    }

    #[test]
    fn forms_of_keys() {
        let read = |kind, word: Value| key(&info(kind), &word);
        let prefix = KeyMatch::Lpm { value: 0x0a00_0000u32.into(), prefix_len: 8 };
        assert_eq!(read(MatchKind::Lpm, json!("10.0.0.0/8")), Ok(prefix.clone()));
        assert_eq!(read(MatchKind::Lpm, json!({"value": "10.0.0.0", "prefix": 8})), Ok(prefix));
        assert_eq!(read(MatchKind::Exact, json!(5)), Ok(KeyMatch::Exact(5u8.into())));
        assert_eq!(read(MatchKind::Optional, json!(null)), Ok(KeyMatch::Optional(None)));
        assert_eq!(
            read(MatchKind::Range, json!({"low": 1, "high": "0x10"})),
            Ok(KeyMatch::Range { low: 1u8.into(), high: 16u8.into() })
        );
        for (kind, word, expected) in [
            (MatchKind::Exact, json!(null), "expected a value, found null"),
            (MatchKind::Exact, json!(1.5), "expected a whole number, found 1.5"),
            (MatchKind::Exact, json!(-1_i64 << 40), "does not fit"),
            (MatchKind::Lpm, json!({"value": 1, "prefix": 33}), "from 0 to 32"),
            (MatchKind::Lpm, json!({"value": 1, "length": 3}), "found {length, value}"),
            (MatchKind::Ternary, json!([1]), "expected a number or a text, found [1]"),
        ] {
            let error = read(kind, word).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn keys_by_name() {
        let infos =
            [info(MatchKind::Exact), KeyInfo { name: "x.m".into(), ..info(MatchKind::Ternary) }];
        let read =
            |word: Value| keys("table `t`", &infos, &serde_json::from_value(word).expect("keys"));
        let both = read(json!({"k": 1})).expect("m may be left out");
        assert_eq!(both[1], KeyMatch::Ternary { value: 0u8.into(), mask: 0u8.into() });
        for (word, expected) in [
            (json!({"kk": 1}), "there is no key named `kk`; there are `hdr.a.k`, `x.m`"),
            (json!({"k": 1, "a.k": 2}), "the key `hdr.a.k` is given twice"),
            (json!([1]), "table `t` has 2 key(s), hdr.a.k (exact), x.m (ternary); found 1"),
        ] {
            let error = read(word).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
    }
}
