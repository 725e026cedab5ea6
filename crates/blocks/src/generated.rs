//! Constants in sources of other languages that are written from Rust: between a line with `generated: SET` and one with
//! `end of generated`, every number behind a name in capitals is the one that the set has for the name.
//!
//! ```text
//! // generated: pieo (crates/blocks/src/facts.rs)
//! localparam logic [1:0] ENQUEUE = 2'd0;
//! // end of generated
//! ```
//!
//! A file needs not have all names of a set; a name that is not in the set is a mistake. Base and width of a number
//! (`3'd4`, `8'h1e`) stay as they are written. A test calls [`hold`] with the files that have a set; it fails if one
//! is out of date, and rewrites it if `WW_UPDATE` is set.

use std::path::Path;

/// Rewrites files instead of comparing with them, if it is set.
pub const UPDATE: &str = "WW_UPDATE";

/// Demands that files have a region of this set, with these numbers.
///
/// # Errors
/// The first file without such a region, with an unknown name in it, or with another number: then all such lines, and
/// how to rewrite them. Whatever the file system says.
pub fn hold<N: AsRef<str>>(
    root: &Path,
    files: &[&str],
    set: &str,
    facts: &[(N, u64)],
) -> Result<(), String> {
    for file in files {
        let path = root.join(file);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let old = std::fs::read_to_string(&path).map_err(failed)?;
        let new = rewrite(&old, set, facts).map_err(|told| format!("{}:{told}", path.display()))?;
        if new == old {
            continue;
        }
        if std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty()) {
            std::fs::write(&path, new).map_err(failed)?;
            continue;
        }
        let lines = old.lines().zip(new.lines()).enumerate();
        let differ: Vec<String> = lines
            .filter(|(_, (old, new))| old != new)
            .map(|(n, (old, new))| format!("{}:\n- {old}\n+ {new}", n + 1))
            .collect();
        return Err(format!(
            "{} is out of date; run the test with {UPDATE}=1 and commit it. Line {}",
            path.display(),
            differ.join("\nline ")
        ));
    }
    Ok(())
}

/// The text with the numbers of the set; the error begins with the number of a line.
fn rewrite<N: AsRef<str>>(text: &str, set: &str, facts: &[(N, u64)]) -> Result<String, String> {
    let (mut new, mut inside, mut numbers) = (String::new(), false, 0);
    let begin = format!("generated: {set} ");
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if line.contains(&begin) {
            inside = true;
        } else if line.contains("end of generated") {
            inside = false;
        } else if inside {
            let (line, count) =
                rewrite_line(line, facts).map_err(|told| format!("{}: {told}", number + 1))?;
            numbers += count;
            new.push_str(&line);
            continue;
        }
        new.push_str(line);
    }
    match (inside, numbers) {
        (true, _) => Err(format!("1: the line 'end of generated' of {set} is missing")),
        (false, 0) => Err(format!("1: no line 'generated: {set} ...' with a number behind it")),
        (false, _) => Ok(new),
    }
}

/// A line with its numbers, and how many there are.
fn rewrite_line<N: AsRef<str>>(line: &str, facts: &[(N, u64)]) -> Result<(String, usize), String> {
    let (mut new, mut rest, mut count) = (String::new(), line, 0);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(at) = rest.find(is_name) {
        let (before, from) = rest.split_at(at);
        let (word, behind) = from.split_at(from.find(|c| !is_name(c)).unwrap_or(from.len()));
        new.push_str(before);
        new.push_str(word);
        rest = behind;
        // `NAME = 2'd0` and `#define NAME 25`.
        let gap = behind.len() - behind.trim_start_matches([' ', '=']).len();
        let literal_end = behind[gap..].find(|c: char| !is_name(c) && c != '\'');
        let literal = &behind[gap..gap + literal_end.unwrap_or(behind.len() - gap)];
        let is_upper = word.starts_with(|c: char| c.is_ascii_uppercase());
        if !is_upper || gap == 0 || !literal.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (_, value) = facts
            .iter()
            .find(|(name, _)| name.as_ref() == word)
            .ok_or_else(|| format!("`{word}` is not in the set"))?;
        new.push_str(&behind[..gap]);
        new.push_str(&written_like(literal, *value));
        rest = &behind[gap + literal.len()..];
        count += 1;
    }
    new.push_str(rest);
    Ok((new, count))
}

/// The value with the width and base of a literal.
fn written_like(literal: &str, value: u64) -> String {
    if let Some((width, number)) = literal.split_once('\'') {
        return match number.chars().next() {
            Some('h') => {
                let digits = number.len() - 1;
                format!("{width}'h{value:0digits$x}")
            }
            Some('b') => {
                let digits = number.len() - 1;
                format!("{width}'b{value:0digits$b}")
            }
            _ => format!("{width}'d{value}"),
        };
    }
    match literal.strip_prefix("0x") {
        Some(digits) => format!("0x{value:0digits$x}", digits = digits.len()),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: [(&str, u64); 3] = [("ONE", 1), ("LONG_NAME", 30), ("LIMIT", 21)];

    #[test]
    fn numbers_follow_the_set() {
        let text =
            "    localparam logic [4:0] ONE = 5'd7, LONG_NAME = 5'h00; // generated: x (here)\n";
        let inside = "// generated: x (here)\n#define LIMIT 20\n    ONE = 0x0f,\nlogic [4:0] LONG_NAME = 5'h0a, ONE=0;\n# end of generated\nONE = 4\n";
        let expected = "// generated: x (here)\n#define LIMIT 21\n    ONE = 0x01,\nlogic [4:0] LONG_NAME = 5'h1e, ONE=1;\n# end of generated\nONE = 4\n";
        assert_eq!(rewrite(inside, "x", &FACTS).as_deref(), Ok(expected));
        assert_eq!(rewrite(expected, "x", &FACTS).as_deref(), Ok(expected));
        for (wrong, told) in [
            (text, "missing"),
            ("// generated: x (here)\nTWO = 2\n// end of generated", "2: `TWO` is not in the set"),
            ("// generated: x (here)\n// end of generated", "no line"),
            ("// generated: y (here)\nONE = 1\n// end of generated", "no line"),
        ] {
            let error = rewrite(wrong, "x", &FACTS).expect_err(wrong);
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_out_of_date_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "# generated: x (here)\nONE = 2\n# end of generated\n";
        std::fs::write(folder.path().join("a.py"), text).expect("writable");
        let told = hold(folder.path(), &["a.py"], "x", &FACTS).expect_err("it is");
        assert!(told.contains("Line 2:\n- ONE = 2\n+ ONE = 1"), "{told}");
    }
}
