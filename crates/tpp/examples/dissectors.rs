//! Writes the dissectors of `dissect/` anew: `cargo run -p wirewright-tpp --example dissectors`.

use std::path::Path;
use ww_tpp::dissect::{lua, scapy};

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dissect");
    std::fs::write(folder.join("tpp.lua"), lua())?;
    std::fs::write(folder.join("tpp.py"), scapy())
}
