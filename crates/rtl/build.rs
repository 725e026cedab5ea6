//! Compiles the C driver of the blocks' control plane, so that an installed library works outside the source
//! tree.

use std::path::{Path, PathBuf};

fn main() {
    driver(&PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../../rtl/driver"));
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

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of the blocks is readable");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn env(name: &str) -> String {
    std::env::var(name).expect("cargo sets it")
}
