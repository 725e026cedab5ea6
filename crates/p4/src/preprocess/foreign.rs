//! Files that are given as programs and are none: what they are, said in one sentence.

/// How much of a file is looked at, in bytes.
const LOOKED_AT: usize = 1 << 20;

/// What a text is and what to give instead, if it is certainly no P4: no program begins with `{`.
pub(super) fn what_it_is(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with('{') {
        return None;
    }
    let end = (0..=text.len().min(LOOKED_AT)).rev().find(|&n| text.is_char_boundary(n))?;
    let head = text.get(..end)?;
    let has = |key: &str| head.contains(key);
    Some(if has("\"header_types\"") || has("\"pipelines\"") || has("\"parse_states\"") {
        "this is the JSON that p4c makes of a program for BMv2, not a program: give the P4 source \
         (the .p4 file) that it was compiled from"
    } else if has("\"tables\"") && has("\"pkgInfo\"") {
        "this is P4Info as JSON, not a program: give the P4 source (the .p4 file)"
    } else if head.trim_start_matches('{').trim_start().starts_with(['"', '}']) {
        "this is JSON, not a P4 program: give the P4 source (the .p4 file)"
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use super::what_it_is;

    #[test]
    fn compiler_output_is_named() {
        let compiled = "{\n  \"header_types\" : [ { \"name\" : \"scalars_0\" } ]\n}";
        assert!(what_it_is(compiled).is_some_and(|text| text.contains("BMv2")));
        assert!(what_it_is("{\"target\": \"bmv2\"}").is_some_and(|text| text.contains("JSON")));
        assert!(what_it_is("\u{feff} {}").is_some());
        for program in ["", "header h { }", "/* { */ header h { }", "{ header_types }", "}"] {
            assert_eq!(what_it_is(program), None, "{program}");
        }
    }
}
