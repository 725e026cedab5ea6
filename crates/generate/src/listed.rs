//! Lists of known exceptions that stand beside a test, one a line. What newly becomes an exception, and
//! what no longer is one, changes the list, so that a reviewer sees it.

use std::collections::BTreeSet;
use std::path::Path;

/// Rewrites lists instead of comparing with them, if it is set.
pub const UPDATE: &str = "WW_UPDATE";

/// Compares what a test found with the lines of a list; lines that begin with `#` are comments, at its head.
///
/// # Errors
/// Each line that is new or gone, and how to change the list. Whatever the file system says.
pub fn compare(list: &Path, found: &BTreeSet<String>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", list.display());
    let text = std::fs::read_to_string(list).map_err(failed)?;
    let (comments, lines): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with('#'));
    let known: BTreeSet<String> = lines.into_iter().map(str::to_owned).collect();
    if known == *found {
        return Ok(());
    }
    if std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty()) {
        let lines = comments.into_iter().chain(found.iter().map(String::as_str));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        return std::fs::write(list, text).map_err(failed);
    }
    let mut message = format!("{} is out of date:", list.display());
    for (sign, lines) in [("+", found.difference(&known)), ("-", known.difference(found))] {
        lines.for_each(|line| message.push_str(&format!("\n{sign} {line}")));
    }
    message.push_str(&format!(
        "\nIf that is meant, run the test with {UPDATE}=1 and commit the list."
    ));
    Err(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_and_gone_lines_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("list");
        std::fs::write(&list, "# known\na: one\nb: two\n").expect("writable");
        let found = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
        assert_eq!(compare(&list, &found(&["b: two", "a: one"])), Ok(()));
        let told = compare(&list, &found(&["a: one", "c: three"])).expect_err("it differs");
        assert!(told.contains("\n+ c: three\n- b: two\n"), "{told}");
        let told = compare(&folder.path().join("none"), &found(&[])).expect_err("there is no list");
        assert!(told.contains("none: "), "{told}");
    }
}
