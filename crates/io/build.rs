//! Compiles the C side of DPDK ports, if they are asked for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "dpdk")]
    dpdk();
}

/// DPDK's packet functions are inline, so they are compiled into a few functions that
/// Rust can call.
#[cfg(feature = "dpdk")]
fn dpdk() {
    println!("cargo:rerun-if-changed=src/dpdk/shim.c");
    let library = match pkg_config::Config::new().atleast_version("22.11").probe("libdpdk") {
        Ok(library) => library,
        Err(error) => {
            eprintln!("the feature `dpdk` needs libdpdk-dev and pkg-config: {error}");
            std::process::exit(1);
        }
    };
    let mut build = cc::Build::new();
    build.file("src/dpdk/shim.c").includes(&library.include_paths).opt_level(3);
    // What pkg-config says beyond folders: the least processor, and the configuration.
    build.flag("-march=corei7").flag("-include").flag("rte_config.h");
    build.warnings(false).compile("ww_dpdk_shim");
}
