//! Annotations for the controller.

use super::proto;
use ww_p4::ast::{Annotation, AnnotationBody, Expression, ExpressionKind, UnaryOp};
use ww_p4::lexer::encode_string;

/// Annotations that P4Info expresses by fields of its own.
const CONSUMED: [&str; 7] =
    ["id", "name", "hidden", "brief", "description", "p4runtime_translation", "pkginfo"];

/// Whether there is an annotation of that name.
pub(super) fn has(annotations: &[Annotation], name: &str) -> bool {
    annotations.iter().any(|a| &*a.name.name == name)
}

/// The annotation of that name, and its argument if that is a number.
pub(super) fn number_argument<'a>(
    annotations: &'a [Annotation],
    name: &str,
) -> Option<(&'a Annotation, Option<u64>)> {
    let annotation = annotations.iter().rev().find(|a| &*a.name.name == name)?;
    let number = match &annotation.body {
        AnnotationBody::Unstructured(tokens) => match tokens.as_slice() {
            [token] if !token.is_string => crate::number::small(number_text(&token.text)),
            _ => None,
        },
        AnnotationBody::Expressions(list) => match list.as_slice() {
            [Expression { kind: ExpressionKind::Number { value, .. }, .. }] => {
                u64::try_from(value).ok()
            }
            _ => None,
        },
        _ => None,
    };
    Some((annotation, number))
}

/// A number without its width (`32w5`).
pub(super) fn number_text(text: &str) -> &str {
    match text.find(['w', 's']) {
        Some(at) if text[..at].bytes().all(|b| b.is_ascii_digit()) => &text[at + 1..],
        _ => text,
    }
}

/// `@brief` and `@description`.
pub(super) fn documentation(annotations: &[Annotation]) -> Option<proto::Documentation> {
    let text = |name| ww_p4::control_names::annotation_text(annotations, name).map(str::to_owned);
    let (brief, description) = (text("brief"), text("description"));
    (brief.is_some() || description.is_some()).then(|| proto::Documentation {
        brief: brief.unwrap_or_default(),
        description: description.unwrap_or_default(),
    })
}

/// Unstructured annotations as text.
pub(super) fn texts(annotations: &[Annotation]) -> Vec<String> {
    annotations.iter().filter(|a| !is_consumed(a)).filter_map(text).collect()
}

fn is_consumed(annotation: &Annotation) -> bool {
    CONSUMED.contains(&&*annotation.name.name)
}

fn text(annotation: &Annotation) -> Option<String> {
    let name = &annotation.name.name;
    match &annotation.body {
        AnnotationBody::Empty => Some(format!("@{name}")),
        AnnotationBody::Unstructured(tokens) => {
            let mut body = String::new();
            let mut last_is_word = false;
            for token in tokens {
                let text = match token.is_string {
                    true => encode_string(&token.text),
                    false => token.text.to_string(),
                };
                let is_word = text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                if last_is_word && is_word {
                    body.push(' ');
                }
                last_is_word = is_word;
                body.push_str(&text);
                if text == "," {
                    body.push(' ');
                }
            }
            Some(format!("@{name}({body})"))
        }
        _ => None,
    }
}

/// Structured annotations.
pub(super) fn structured(annotations: &[Annotation]) -> Vec<proto::StructuredAnnotation> {
    use proto::structured_annotation::Body;
    let one = |annotation: &Annotation| {
        let body = match &annotation.body {
            AnnotationBody::Expressions(list) => {
                let expressions = list.iter().map(expression).collect();
                Body::ExpressionList(proto::ExpressionList { expressions })
            }
            AnnotationBody::KeyValues(pairs) => {
                let pair = |(key, value): &(ww_p4::ast::Ident, Expression)| proto::KeyValuePair {
                    key: key.name.to_string(),
                    value: Some(expression(value)),
                };
                let kv_pairs = pairs.iter().map(pair).collect();
                Body::KvPairList(proto::KeyValuePairList { kv_pairs })
            }
            _ => return None,
        };
        let name = annotation.name.name.to_string();
        Some(proto::StructuredAnnotation { name, body: Some(body), source_location: None })
    };
    annotations.iter().filter(|a| !is_consumed(a)).filter_map(one).collect()
}

/// A literal; other expressions have no form in P4Info and stay empty.
fn expression(expression: &Expression) -> proto::Expression {
    use proto::expression::Value;
    let integer = |e: &Expression| match &e.kind {
        ExpressionKind::Number { value, .. } => i64::try_from(value).ok(),
        _ => None,
    };
    let value = match &expression.kind {
        ExpressionKind::Bool(value) => Some(Value::BoolValue(*value)),
        ExpressionKind::String(text) => Some(Value::StringValue(text.to_string())),
        ExpressionKind::Number { .. } => integer(expression).map(Value::Int64Value),
        ExpressionKind::Unary(UnaryOp::Negate, inner) => {
            integer(inner).and_then(i64::checked_neg).map(Value::Int64Value)
        }
        _ => None,
    };
    proto::Expression { value }
}

/// `@pkginfo(key="value", ..)` or `@pkginfo[key="value", ..]`, one pair after the other.
pub(super) fn package_pairs(annotations: &[Annotation]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for annotation in annotations.iter().filter(|a| &*a.name.name == "pkginfo") {
        match &annotation.body {
            AnnotationBody::Unstructured(tokens) => {
                for window in tokens.windows(3) {
                    if let [key, equals, value] = window
                        && &*equals.text == "="
                        && value.is_string
                    {
                        pairs.push((key.text.to_string(), value.text.to_string()));
                    }
                }
            }
            AnnotationBody::KeyValues(list) => {
                for (key, value) in list {
                    if let ExpressionKind::String(text) = &value.kind {
                        pairs.push((key.name.to_string(), text.to_string()));
                    }
                }
            }
            _ => {}
        }
    }
    pairs
}
