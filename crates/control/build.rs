//! Turns our description of P4Info into Rust messages and a descriptor, without `protoc`.

use prost::Message;
use std::path::PathBuf;
use std::{env, error, fs};

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed=proto");
    let files = protox::compile(["p4/config/v1/p4info.proto"], ["proto"])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("p4info.bin"), files.encode_to_vec())?;
    prost_build::Config::new().btree_map(["."]).compile_fds(files)?;
    Ok(())
}
