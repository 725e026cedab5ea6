//! What an emitted design instantiates and does not contain: the blocks of `rtl/`, embedded in crate `blocks`.

use std::collections::BTreeSet;
pub use ww_blocks::Source as Block;
use ww_blocks::source;

/// The file with this module.
pub fn block(module: &str) -> Option<Block> {
    source(module)
}

/// The files that these sources need, and those that these need in turn: packages first, each one behind those that it
/// imports, the rest in the order of their names. A name counts wherever it stands outside of comments and
/// strings.
pub fn needed<'t>(sources: impl IntoIterator<Item = &'t str>) -> Vec<Block> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = sources.into_iter().collect();
    let own: BTreeSet<String> = open.iter().flat_map(|text| declared(text)).collect();
    while let Some(text) = open.pop() {
        for name in names(text) {
            if !own.contains(name)
                && let Some(block) = block(name)
                && found.insert(block)
            {
                open.push(block.text);
            }
        }
    }
    let mut list: Vec<Block> = found.into_iter().collect();
    list.sort_by_key(|block| block.module);
    let (packages, modules): (Vec<Block>, Vec<Block>) =
        list.into_iter().partition(|block| is_package(block.text));
    let mut ordered = Vec::new();
    packages.iter().for_each(|&package| place(package, &packages, &mut ordered));
    ordered.extend(modules);
    ordered
}

/// Appends a package behind those that it imports.
fn place(package: Block, all: &[Block], ordered: &mut Vec<Block>) {
    if ordered.contains(&package) {
        return;
    }
    for name in names(package.text) {
        if name != package.module
            && let Some(&other) = all.iter().find(|other| other.module == name)
        {
            place(other, all, ordered);
        }
    }
    ordered.push(package);
}

/// Whether a file has a package.
fn is_package(text: &str) -> bool {
    words(text).any(|word| word == "endpackage")
}

/// Whether a source has a module of this name.
pub fn declares(text: &str, module: &str) -> bool {
    declared(text).iter().any(|name| name == module)
}

/// The names with our prefix.
fn names(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| word.starts_with("ww_"))
}

/// Modules and packages that a source has itself.
fn declared(text: &str) -> Vec<String> {
    let mut list = Vec::new();
    let mut words = words(text);
    while let Some(word) = words.next() {
        if matches!(word, "module" | "package")
            && let Some(name) = words.next()
        {
            list.push(name.to_owned());
        }
    }
    list
}

/// The words of a source outside of comments and strings.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let first = rest.chars().next()?;
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
            if is_word(first) {
                let (word, behind) =
                    rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
                rest = behind;
                return Some(word);
            }
            let end = if rest.starts_with("//") {
                rest.find('\n')
            } else if rest.starts_with("/*") {
                rest.find("*/").map(|at| at + 2)
            } else if first == '"' {
                string_end(rest)
            } else {
                Some(first.len_utf8())
            };
            rest = &rest[end.unwrap_or(rest.len())..];
        }
    })
}

/// Where the string at the beginning of `text` ends.
fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().skip(1).find_map(|(at, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends.then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_module_that_it_is_named_after() {
        for block in ww_blocks::sources() {
            assert!(declared(block.text).iter().any(|name| name == block.module), "{block:?}");
        }
    }

    #[test]
    fn words_outside_of_comments_and_strings() {
        let text = "a ww_b#(1) /* ww_c\n// */ \"ww_d \\\" ww_e\" // ww_f\nww_g(\"x\")ww_h";
        assert_eq!(names(text).collect::<Vec<_>>(), ["ww_b", "ww_g", "ww_h"]);
        for open in ["/* ww_x", "// ww_x", "\" ww_x"] {
            assert_eq!(names(open).count(), 0, "{open}");
        }
    }

    #[test]
    fn what_a_source_needs() {
        let modules = |text: &str| -> Vec<_> { needed([text]).iter().map(|b| b.module).collect() };
        assert_eq!(
            modules("module top; ww_ram_sdp memory(); endmodule // ww_axil_cfg"),
            ["ww_ram_sdp"]
        );
        // What is declared in the sources themselves comes from there.
        assert!(
            modules("module ww_ram_sdp; endmodule module top; ww_ram_sdp m(); endmodule")
                .is_empty()
        );
        // A block brings what it is made of.
        let of = |name: &str| {
            names(block(name).expect("it exists").text).map(str::to_owned).collect::<Vec<_>>()
        };
        let inner = of("ww_table_direct");
        let all = modules("ww_table_direct t();");
        assert!(inner.iter().any(|name| name != "ww_table_direct"), "{inner:?}");
        assert!(
            inner
                .iter()
                .filter(|name| block(name).is_some())
                .all(|name| all.contains(&name.as_str()))
        );
    }
}
