//! Embeds the P4 include files and the descriptions of architectures, so that an installed library works outside the source tree.

use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../../p4/include");
    println!("cargo::rerun-if-changed={}", root.display());
    embed(&root, ".p4", "SYSTEM_INCLUDES", "system_includes.rs");
    embed(&root, ".arch.toml", "SYSTEM_ARCHITECTURES", "system_architectures.rs");
}

/// Writes the files below `root` whose names end so as a list of names and texts.
fn embed(root: &Path, suffix: &str, list: &str, out: &str) {
    let mut files = Vec::new();
    collect(root, suffix, &mut files);
    files.sort();
    let mut code = format!("static {list}: &[(&str, &str)] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(root).expect("found below the root").display().to_string();
        let path = file.display().to_string();
        code.push_str(&format!("    ({name:?}, include_str!({path:?})),\n"));
    }
    code.push_str("];\n");
    let out = PathBuf::from(env("OUT_DIR")).join(out);
    std::fs::write(&out, code).expect("the build's output folder is writable");
}

fn env(name: &str) -> String {
    std::env::var(name).expect("cargo sets it")
}

fn collect(dir: &Path, suffix: &str, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).expect("the include folder is readable");
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, suffix, files);
        } else if path.to_string_lossy().ends_with(suffix) {
            files.push(path);
        }
    }
}
