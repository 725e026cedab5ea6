//! Embeds the P4 include files, so that an installed library works outside the source tree.

use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../../p4/include");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut code = String::from("static SYSTEM_INCLUDES: &[(&str, &str)] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&root).expect("found below the root").display().to_string();
        let path = file.display().to_string();
        code.push_str(&format!("    ({name:?}, include_str!({path:?})),\n"));
    }
    code.push_str("];\n");
    let out = PathBuf::from(env("OUT_DIR")).join("system_includes.rs");
    std::fs::write(&out, code).expect("the build's output folder is writable");
}

fn env(name: &str) -> String {
    std::env::var(name).expect("cargo sets it")
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).expect("the include folder is readable");
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "p4") {
            files.push(path);
        }
    }
}
