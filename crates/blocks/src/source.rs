//! The files of SystemVerilog.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A file of `rtl/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The module or package in it; the file's name is this with `.sv`.
    pub module: &'static str,
    /// Its folder below `rtl/`: the name of its block.
    pub folder: &'static str,
    /// The SystemVerilog.
    pub text: &'static str,
}

/// All files, in the order of their folders and names.
pub fn sources() -> impl Iterator<Item = Source> {
    SOURCES.iter().map(|&(module, folder, text)| Source { module, folder, text })
}

/// The file with this module.
pub fn source(module: &str) -> Option<Source> {
    sources().find(|source| source.module == module)
}

/// A folder with modules.
pub(crate) struct Folder {
    pub name: &'static str,
    /// Its `block.toml`.
    pub description: &'static str,
    /// Files in `tests/` and in `formal/`.
    pub tests: &'static [&'static str],
    pub proofs: &'static [&'static str],
}

/// All folders with modules, by name.
pub(crate) fn folders() -> impl Iterator<Item = Folder> {
    FOLDERS.iter().map(|&(name, description, tests, proofs)| Folder {
        name,
        description,
        tests,
        proofs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn everything_in_the_tree_is_embedded() {
        let rtl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl");
        let mut on_disk = BTreeSet::new();
        for folder in std::fs::read_dir(rtl).expect("the tree has it").flatten() {
            let Ok(files) = std::fs::read_dir(folder.path()) else { continue };
            for file in files.flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                if name.starts_with("ww_")
                    && let Some(module) = name.strip_suffix(".sv")
                {
                    on_disk.insert(module.to_owned());
                }
            }
        }
        let embedded: BTreeSet<String> = sources().map(|file| file.module.to_owned()).collect();
        assert_eq!(embedded, on_disk, "touch crates/blocks/build.rs");
    }
}
