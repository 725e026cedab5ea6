//! The design under test, and what software knows of it.

use ww_rtl::design::{Design, SourceFile};
use ww_rtl::manifest::*;

/// See `echo.sv`.
pub fn design() -> Design {
    let text = include_str!("echo.sv").to_owned();
    Design {
        top: "echo".to_owned(),
        files: vec![SourceFile { name: "echo.sv".to_owned(), text }],
        manifest: manifest(),
    }
}

fn manifest() -> Manifest {
    let parameter =
        |name: &str, width, offset| ParameterLayout { name: name.to_owned(), width, offset };
    let action = |name: &str, parameters| ActionLayout { name: name.to_owned(), parameters };
    let object = |name: &str, row_bits, kind| Object { name: name.to_owned(), row_bits, kind };
    let table = TableObject {
        implementation: "hash".to_owned(),
        entries: 1024,
        key_bits: 32,
        data_bits: 18,
        action_bits: 1,
        keys: vec![KeyLayout {
            name: "h.head.key".to_owned(),
            match_kind: "exact".to_owned(),
            width: 32,
            offset: 0,
            is_signed_range: false,
        }],
        actions: vec![
            action("I.drop", vec![]),
            action("I.forward", vec![parameter("port", 9, 1), parameter("change", 8, 10)]),
        ],
        copies: 1,
        number_bits: 0,
        hash: Some(HashParameters { ways: 4, buckets: 512, stash: 4, seed: 1 }),
        memory_bits: 0,
        compared_bits: 0,
        selector: None,
    };
    Manifest {
        program: "echo".to_owned(),
        width: 64,
        shape: "wire".to_owned(),
        ports: 1,
        initiation_interval: 1,
        reenters: false,
        egress_clones: false,
        timing: Timing::default(),
        objects: vec![
            object("globals", 64, ObjectKind::Globals),
            object("I.t", 51, ObjectKind::Table(table)),
            object("I.seen", 32, ObjectKind::Register { width: 32, size: 8 }),
        ],
    }
}
