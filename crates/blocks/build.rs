//! Embeds the SystemVerilog blocks of rtl/, so that an installed library works outside the source tree: sources,
//! descriptions, and the names of their tests and proofs.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let rtl = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../../rtl");
    let mut sources = String::new();
    let mut folders = String::new();
    for folder in entries(&rtl).into_iter().filter(|path| path.is_dir()) {
        let blocks: Vec<PathBuf> = entries(&folder).into_iter().filter(|p| is_source(p)).collect();
        if blocks.is_empty() {
            continue;
        }
        let name = name(&folder);
        for file in blocks {
            println!("cargo::rerun-if-changed={}", file.display());
            let module = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
            let path = file.display().to_string();
            writeln!(sources, "    ({module:?}, {name:?}, include_str!({path:?})),")
                .expect("memory");
        }
        let description = folder.join("block.toml");
        println!("cargo::rerun-if-changed={}", description.display());
        let tests =
            files(&folder.join("tests"), |name| name.starts_with("test_") && name.ends_with(".py"));
        let proofs = files(&folder.join("formal"), |name| name.ends_with(".sby"));
        let path = description.display().to_string();
        writeln!(folders, "    ({name:?}, include_str!({path:?}), &{tests:?}, &{proofs:?}),")
            .expect("memory");
    }
    let code = format!(
        "static SOURCES: &[(&str, &str, &str)] = &[\n{sources}];\n\
         static FOLDERS: &[(&str, &str, &[&str], &[&str])] = &[\n{folders}];\n"
    );
    let out = PathBuf::from(env("OUT_DIR")).join("embedded.rs");
    std::fs::write(&out, code).expect("the build's output folder is writable");
}

/// Cargo watches these files and not their folders: tests write beside them. A test notices a file that came after
/// the build.
fn files(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let names: Vec<String> = match folder.is_dir() {
        true => {
            entries(folder).iter().map(|path| name(path)).filter(|name| is_wanted(name)).collect()
        }
        false => Vec::new(),
    };
    for name in &names {
        println!("cargo::rerun-if-changed={}", folder.join(name).display());
    }
    names
}

fn is_source(path: &Path) -> bool {
    let name = name(path);
    name.starts_with("ww_") && name.ends_with(".sv")
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
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
