//! What is known about each block.

use crate::header::{self, Parameter, Port};
use crate::source::{Folder, folders, sources};
use serde::Serialize;
use ww_config::{Reader, Report, parse};

/// A block: a folder of `rtl/`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// The folder's name.
    pub name: String,
    /// What is in it, one line.
    pub summary: String,
    /// The page that describes it, a path in the source tree.
    pub page: String,
    /// What its tests compare it with.
    pub model: Model,
    /// Its modules, by name.
    pub modules: Vec<Module>,
    /// Tests in its folder, paths in the source tree.
    pub tests: Vec<String>,
    /// Tests in Rust, beside those.
    pub rust_tests: Vec<RustTest>,
    /// Proofs, paths in the source tree.
    pub proofs: Vec<String>,
    /// Which of them end within a minute.
    pub quick_proofs: Vec<String>,
}

/// The models of a block: in Python beside its tests, in a crate of Rust, or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Model {
    /// In Python.
    pub python: Option<String>,
    /// In Rust: the crate, and what it models.
    pub rust: Option<String>,
}

/// A test in Rust that simulates modules of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RustTest {
    /// A module of the tests of `crates/rtl`.
    pub test: String,
    /// The modules at the top of its simulations.
    pub tops: Vec<String>,
}

/// A module of SystemVerilog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Its file, a path in the source tree.
    pub file: String,
    /// Its parameters, in their order; derived ones (`localparam`) are not among them.
    pub parameters: Vec<Parameter>,
    /// Its ports, in their order.
    pub ports: Vec<Port>,
}

/// All blocks, by name.
///
/// # Errors
/// All mistakes of a `block.toml`.
pub fn blocks() -> Result<Vec<Block>, Report> {
    folders().map(|folder| block(&folder)).collect()
}

fn block(folder: &Folder) -> Result<Block, Report> {
    let path = |file: &str| format!("rtl/{}/{file}", folder.name);
    let paths = |below: &str, files: &[&str]| -> Vec<String> {
        files.iter().map(|file| path(&format!("{below}/{file}"))).collect()
    };
    let modules = sources().filter(|source| source.folder == folder.name).filter_map(|source| {
        let header = header::read(source.module, source.text)?;
        Some(Module {
            name: source.module.to_owned(),
            file: path(&format!("{}.sv", source.module)),
            parameters: header.parameters,
            ports: header.ports,
        })
    });
    parse(&path("block.toml"), folder.description, |file| {
        let summary: Option<String> = file.need("summary", "\"stream FIFO\"");
        let quick: Vec<(String, _)> = file.list("quick_proofs");
        for (name, place) in &quick {
            if !folder.proofs.contains(&name.as_str()) {
                file.mistakes().add(place, format!("'{name}' is not in formal/"));
            }
        }
        let model = file.inner("model").map(|model| {
            let found = Model { python: model.get("python"), rust: model.get("rust") };
            if found.python.is_none() && found.rust.is_none() {
                model.missing("python", "\"a list of words\"");
            }
            model.finish();
            found
        });
        if model.is_none() {
            file.missing("model", "{ python = \"a list of words\" }");
        }
        let rust_tests = file.each("rust_tests", rust_test);
        Some(Block {
            name: folder.name.to_owned(),
            summary: summary?,
            page: path("README.md"),
            model: model?,
            modules: modules.collect(),
            tests: paths("tests", folder.tests),
            rust_tests,
            proofs: paths("formal", folder.proofs),
            quick_proofs: quick.iter().map(|(name, _)| path(&format!("formal/{name}"))).collect(),
        })
    })
}

fn rust_test(reader: &Reader<'_>) -> Option<RustTest> {
    let test = reader.need("test", "\"tpp\"");
    let tops = reader.list("tops").into_iter().map(|(top, _)| top).collect();
    Some(RustTest { test: test?, tops })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Block> {
        blocks().unwrap_or_else(|report| panic!("{report}"))
    }

    #[test]
    fn every_block_describes_itself() {
        let blocks = all();
        assert!(blocks.len() >= 35, "{}", blocks.len());
        for block in &blocks {
            assert!(!block.modules.is_empty(), "{}: no module", block.name);
            assert!(!block.tests.is_empty() || !block.rust_tests.is_empty(), "{}", block.name);
            for module in &block.modules {
                let ports = module.ports.len();
                assert!(ports >= 2, "{}: {ports} ports", module.name);
            }
        }
        // Each file is a module of its block, or a package.
        let modules: usize = blocks.iter().map(|block| block.modules.len()).sum();
        let packages = sources().filter(|source| source.text.contains("\nendpackage")).count();
        assert_eq!(modules, sources().count() - packages);
        assert!(packages >= 10, "{packages}");
    }

    #[test]
    fn models_tests_and_proofs() {
        let blocks = all();
        let of = |name: &str| blocks.iter().find(|block| block.name == name).expect("it exists");
        let tpp = of("tpp");
        assert_eq!(tpp.rust_tests, [RustTest { test: "tpp".into(), tops: vec!["ww_tpp".into()] }]);
        assert!(tpp.model.rust.as_ref().is_some_and(|model| model.starts_with("crates/tpp")));
        let fifo = of("axis_fifo");
        assert!(fifo.tests.contains(&"rtl/axis_fifo/tests/test_ww_fifo.py".to_owned()));
        assert!(fifo.proofs.contains(&"rtl/axis_fifo/formal/ww_fifo.sby".to_owned()));
        assert_eq!(fifo.proofs, fifo.quick_proofs);
    }

    #[test]
    fn mistakes_of_a_description_are_told_together() {
        let folder = Folder {
            name: "bad",
            description: "summry = 'x'\nquick_proofs = ['none.sby']\n[model]\n",
            tests: &[],
            proofs: &[],
        };
        let told = block(&folder).expect_err("it is wrong").to_string();
        for part in
            ["rtl/bad/block.toml:1:1", "'summary'", "'none.sby' is not in formal/", "python"]
        {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}
