//! Embeds the SystemVerilog blocks and compiles the C driver of their control plane, so that an
//! installed library works outside the source tree.

use std::path::{Path, PathBuf};

fn main() {
    let rtl = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../../rtl");
    embed(&rtl);
    driver(&rtl.join("driver"));
}

/// Writes the list of all `rtl/*/ww_*.sv`. Cargo watches these files and not their folders: tests
/// write beside them. A test of `library` notices a file that came after the build.
fn embed(rtl: &Path) {
    let mut files = Vec::new();
    for folder in entries(rtl) {
        if folder.is_dir() {
            files.extend(entries(&folder).into_iter().filter(|path| is_block(path)));
        }
    }
    files.sort();
    let mut code = String::from("static FILES: &[(&str, &str, &str)] = &[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let module = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let folder = file.parent().and_then(Path::file_name).expect("it is in a folder");
        let (folder, path) = (folder.to_string_lossy(), file.display().to_string());
        code.push_str(&format!("    ({module:?}, {folder:?}, include_str!({path:?})),\n"));
    }
    code.push_str("];\n");
    let out = PathBuf::from(env("OUT_DIR")).join("library.rs");
    std::fs::write(&out, code).expect("the build's output folder is writable");
}

/// The driver in C.
fn driver(folder: &Path) {
    let mut build = cc::Build::new();
    build.std("c99").warnings(true).extra_warnings(true).include(folder);
    for file in entries(folder) {
        let is = |extension: &str| file.extension().is_some_and(|e| e == extension);
        if is("c") || is("h") {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        if is("c") {
            build.file(&file);
        }
    }
    build.compile("ww_driver");
}

fn is_block(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.is_some_and(|name| name.starts_with("ww_") && name.ends_with(".sv"))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of the blocks is readable");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn env(name: &str) -> String {
    std::env::var(name).expect("cargo sets it")
}
