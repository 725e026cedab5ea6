//! Where the repository's STF tests and their programs are.

use std::path::{Path, PathBuf};

/// All `.stf` files below a folder.
pub fn tests(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            tests(&path, out);
        } else if path.extension().is_some_and(|e| e == "stf") {
            out.push(path);
        }
    }
}

/// The program of a test: `a.stf` and `a.something.stf` are tests of `a.p4`.
pub fn program_of(test: &Path) -> Option<PathBuf> {
    let mut path = test.with_extension("p4");
    while !path.exists() {
        let stem = path.file_stem()?.to_str()?.rsplit_once('.')?.0.to_owned();
        path = path.with_file_name(format!("{stem}.p4"));
    }
    Some(path)
}
