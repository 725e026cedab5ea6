//! Diagnostics as JSON.

use serde_json::{Value, json};
use ww_p4::diagnostic::{Diagnostic, Diagnostics, Severity};
use ww_p4::source::{SourceMap, Span};

/// All diagnostics in the order of their places: `{"errors": N, "warnings": N, "diagnostics":
/// [..]}`. Lines and columns count from 1; the end is behind the last character.
pub fn to_json(diagnostics: &Diagnostics, sources: &SourceMap) -> Value {
    let mut list: Vec<&Diagnostic> = diagnostics.iter().collect();
    list.sort_by_key(|d| d.span);
    let warnings = list.iter().filter(|d| d.severity == Severity::Warning).count();
    let list: Vec<Value> = list.into_iter().map(|d| one(d, sources)).collect();
    json!({ "errors": diagnostics.error_count(), "warnings": warnings, "diagnostics": list })
}

fn one(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let mut value = place(diagnostic.span, sources);
    let related: Vec<Value> = diagnostic
        .secondary
        .iter()
        .map(|(span, label)| {
            let mut value = place(*span, sources);
            value["label"] = label.as_str().into();
            value
        })
        .collect();
    value["severity"] = match diagnostic.severity {
        Severity::Error => "error".into(),
        Severity::Warning => "warning".into(),
    };
    value["message"] = diagnostic.message.as_str().into();
    value["label"] = diagnostic.label.as_str().into();
    value["help"] = diagnostic.help.as_deref().into();
    value["related"] = related.into();
    value
}

fn place(span: Span, sources: &SourceMap) -> Value {
    let end = sources.position(Span { lo: span.hi, ..span });
    match (sources.file(span.file), sources.position(span), end) {
        (Some(file), Some(at), Some(end)) => json!({
            "file": file.path.display().to_string(),
            "line": at.line,
            "column": at.column,
            "end_line": end.line,
            "end_column": end.column,
        }),
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_counts() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.p4", "ab\ncdef\n".into(), false);
        let span = |lo, hi| Span { file, lo, hi };
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::warning(span(4, 6), "odd").label("here").help("mend it"));
        diagnostics.push(Diagnostic::error(Span::NONE, "bad").also(span(0, 2), "there"));
        let value = to_json(&diagnostics, &sources);
        assert_eq!((&value["errors"], &value["warnings"]), (&json!(1), &json!(1)));
        let warning = &value["diagnostics"][0];
        let expected = json!({
            "severity": "warning", "message": "odd", "label": "here", "help": "mend it",
            "file": "a.p4", "line": 2, "column": 2, "end_line": 2, "end_column": 4, "related": [],
        });
        assert_eq!(warning, &expected);
        let error = &value["diagnostics"][1];
        assert_eq!(error["related"][0]["end_column"], 3);
        assert!(error.get("line").is_none());
    }
}
