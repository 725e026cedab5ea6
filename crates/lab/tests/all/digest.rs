//! What the digest of a lab depends on, and what is said of files that it cannot read.

use std::fs;
use std::path::Path;
use ww_lab::lab::{Lab, Request};
use ww_lab::results::digest;

#[test]
fn an_unreadable_file_is_an_error() {
    let hello = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/hello");
    let folder = tempfile::tempdir().expect("a folder");
    for file in fs::read_dir(hello).expect("a lab") {
        let file = file.expect("a file");
        fs::copy(file.path(), folder.path().join(file.file_name())).expect("copied");
    }
    let lab = Lab::open(folder.path()).unwrap_or_else(|report| panic!("{report}"));
    let request = Request::default();
    let planned = lab.plan(&request).unwrap_or_else(|report| panic!("{report}"));
    let digest = || digest(&lab, &request, &planned);
    let whole = digest().expect("all files are there");

    let expected = folder.path().join("expected.toml");
    fs::remove_file(&expected).expect("it was there");
    let without = digest().expect("a lab need not expect anything");
    assert_ne!(without, whole);
    fs::create_dir(&expected).expect("a folder of that name");
    let error = digest().expect_err("a folder is no file");
    assert!(error.contains("expected.toml"), "{error}");
    fs::remove_dir(&expected).expect("it was there");

    let program = &planned.variants[0].plan.programs[0].file;
    fs::remove_file(program).expect("it was there");
    let error = digest().expect_err("the program is gone");
    assert!(error.starts_with(&format!("cannot read '{}': ", program.display())), "{error}");
}
