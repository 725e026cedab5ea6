//! Makes models of designs: Verilator turns the design into C++, one call of the compiler makes a
//! shared library of it.
//!
//! What is the same for all designs is built once: Verilator's runtime, and a precompiled header.
//! A small program takes about a second then.

use super::Error;
use super::cache::{Cache, key};
use super::shim::{INTERFACE, PREFIX, Waveform, shim};
use super::tools::Tools;
use crate::design::{Design, SourceFile};
use crate::library;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How much the C++ compiler is to do about speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As little as possible: for tests with few packets.
    Quick,
    /// Models run about four times as fast, and take that much longer to build.
    #[default]
    Fast,
}

impl Effort {
    fn option(self) -> &'static str {
        match self {
            Self::Quick => "-O0",
            Self::Fast => "-O1",
        }
    }
}

/// How a model is to be built.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// See there.
    pub effort: Effort,
    /// Whether the model can write waveforms, and of which format.
    pub waveform: Option<Waveform>,
}

/// Options of the compiler for all that becomes part of a model. Models keep to themselves: no
/// symbol of one is visible to another.
const FLAGS: [&str; 12] = [
    "-std=c++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "-w",
    "-DVM_COVERAGE=0",
    "-DVM_SC=0",
    "-DVM_TIMING=0",
    "-DVL_USER_FATAL",
    "-DVL_USER_STOP",
    "-DVL_USER_FINISH",
    "-DVERILATOR=1",
];

/// Makes a model of a design and says where it is. It is kept: the same design is not built again
/// while tools and options stay the same.
pub fn build(
    design: &Design,
    options: Options,
    tools: &Tools,
    cache: &Cache,
) -> Result<PathBuf, Error> {
    build_top(&design.top, &[], &design.files, options, tools, cache)
}

/// The same for a module with these parameters in some files of SystemVerilog, and the blocks of `rtl/` that these
/// need.
pub fn build_top(
    top: &str,
    parameters: &[(String, u64)],
    own: &[SourceFile],
    options: Options,
    tools: &Tools,
    cache: &Cache,
) -> Result<PathBuf, Error> {
    let files = sources(own)?;
    let mut choice = vec!["--top-module".to_owned(), top.to_owned()];
    choice.extend(parameters.iter().map(|(name, value)| format!("-G{name}={value}")));
    let effort = options.effort.option();
    let waveform = options.waveform.map_or("", Waveform::option);
    let versions = versions(tools);
    let mut parts: Vec<&[u8]> = vec![
        versions.as_bytes(),
        effort.as_bytes(),
        waveform.as_bytes(),
        include_bytes!("shim.cpp"),
        include_bytes!("shim.rs"),
        include_bytes!("compile.rs"),
    ];
    parts.extend(choice.iter().map(|argument| argument.as_bytes()));
    for (name, text) in &files {
        parts.push(name.as_bytes());
        parts.push(text.as_bytes());
    }
    let name = format!("{top}-{}.so", key(parts));
    cache.get(&name, |out| {
        let runtime = runtime(options, tools, cache)?;
        let folder = out.parent().unwrap_or(out);
        make(&choice, &files, options, tools, &runtime, folder, out)
    })
}

/// Names and texts of all files, in the order in which Verilator is to read them.
fn sources(own: &[SourceFile]) -> Result<Vec<(String, &str)>, Error> {
    let blocks = library::needed(own.iter().map(|file| file.text.as_str()));
    let mut list: Vec<(String, &str)> =
        blocks.iter().map(|block| (format!("{}.sv", block.module), block.text)).collect();
    for file in own {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
        if !file.name.bytes().all(plain) || file.name.starts_with('.') {
            return Err(Error::Model(format!("{:?} is no name for a source file", file.name)));
        }
        list.push((file.name.clone(), &file.text));
    }
    Ok(list)
}

/// Whatever a change of which makes other models.
fn versions(tools: &Tools) -> String {
    format!(
        "{INTERFACE} {} {} {} {FLAGS:?}",
        tools.version,
        tools.root.display(),
        tools.compiler_version,
    )
}

/// From sources to a shared library, in `folder`; `choice` are Verilator's options that choose the module and its
/// parameters.
fn make(
    choice: &[String],
    files: &[(String, &str)],
    options: Options,
    tools: &Tools,
    runtime: &Runtime,
    folder: &Path,
    out: &Path,
) -> Result<(), Error> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(Error::file(&path))
    };
    let mut verilator = Command::new(&tools.verilator);
    verilator.current_dir(folder).env("VERILATOR_ROOT", &tools.root);
    verilator.args(["--cc", "--no-timing", "--assert", "-Wall", "--x-initial", "unique"]);
    // Rows of ordered lists have thousands of bits.
    verilator.args(["--replication-limit", "65536", "--prefix", PREFIX]);
    verilator.args(["--Mdir", "model", "--quiet"]).args(choice);
    if let Some(waveform) = options.waveform {
        verilator.args([waveform.option(), "--trace-structs"]);
    }
    for (name, text) in files {
        write(name, text)?;
        verilator.arg(name);
    }
    run(verilator, "Verilator")?;

    let model = folder.join("model");
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(&model).map_err(Error::file(&model))? {
        let path = entry.map_err(Error::file(&model))?.path();
        if path.extension().is_some_and(|e| e == "cpp") {
            sources.push(path);
        }
    }
    sources.sort();
    let header = model.join(format!("{PREFIX}.h"));
    let text = std::fs::read_to_string(&header).map_err(Error::file(&header))?;
    let mut all = String::new();
    for path in sources {
        all.push_str(&format!("#include \"{}\"\n", path.display()));
    }
    all.push_str(&shim(&text, options.waveform)?);
    write("all.cpp", &all)?;

    let mut compiler = Command::new(&tools.compiler);
    compiler.current_dir(folder).args(compiler_flags(tools, options)).arg("-I").arg(&model);
    compiler.arg("-include").arg(&runtime.prelude).args(["-shared", "-o"]).arg(out);
    compiler.arg("all.cpp").args(&runtime.objects);
    // Symbols that every library may have stay those of this one, and the library can be closed.
    compiler.args(["-Wl,-Bsymbolic", "-Wl,--no-undefined"]);
    compiler.args(options.waveform.map_or(&[][..], Waveform::libraries));
    run(compiler, "the C++ compiler")
}

fn compiler_flags(tools: &Tools, options: Options) -> Vec<String> {
    let mut flags: Vec<String> = FLAGS.map(str::to_owned).to_vec();
    flags.push(options.effort.option().to_owned());
    if !tools.compiler_version.contains("clang") {
        flags.push("-fno-gnu-unique".to_owned());
    }
    let is = |format| u8::from(options.waveform == Some(format));
    let (fst, vcd) = (is(Waveform::Fst), is(Waveform::Vcd));
    flags.push(format!("-DVM_TRACE={}", fst | vcd));
    flags.push(format!("-DVM_TRACE_FST={fst}"));
    flags.push(format!("-DVM_TRACE_VCD={vcd}"));
    flags.push("-DVM_TRACE_SAIF=0".to_owned());
    for folder in ["include", "include/vltstd"] {
        flags.push(format!("-I{}", tools.root.join(folder).display()));
    }
    flags
}

/// What all models share.
struct Runtime {
    /// Object files.
    objects: Vec<PathBuf>,
    /// A header, beside its precompiled form.
    prelude: PathBuf,
}

/// Verilator's runtime and the precompiled header for these options.
fn runtime(options: Options, tools: &Tools, cache: &Cache) -> Result<Runtime, Error> {
    let mut names = vec!["verilated", "verilated_threads"];
    names.extend(options.waveform.map(Waveform::source));
    let versions = versions(tools);
    let mut objects = Vec::new();
    for name in names {
        // The runtime is made for speed in any case.
        let options = Options { effort: Effort::Fast, ..options };
        let flags = compiler_flags(tools, options);
        let path = tools.root.join(format!("include/{name}.cpp"));
        let text = std::fs::read(&path).map_err(Error::file(&path))?;
        let place = key([versions.as_bytes(), flags.join(" ").as_bytes(), &text]);
        objects.push(cache.get(&format!("{name}-{place}.o"), |out| {
            let mut compiler = Command::new(&tools.compiler);
            compiler.args(&flags).arg("-c").arg(&path).arg("-o").arg(out);
            run(compiler, "the C++ compiler").map_err(|error| hint(error, options.waveform))
        })?);
    }
    let flags = compiler_flags(tools, options);
    let place = key([versions.as_bytes(), flags.join(" ").as_bytes(), PRELUDE.as_bytes()]);
    let folder = cache.get(&format!("prelude-{place}"), |out| {
        std::fs::create_dir(out).map_err(Error::file(out))?;
        let header = out.join("prelude.h");
        std::fs::write(&header, PRELUDE).map_err(Error::file(&header))?;
        let mut compiler = Command::new(&tools.compiler);
        compiler.args(&flags).args(["-x", "c++-header"]).arg(&header);
        compiler.arg("-o").arg(out.join("prelude.h.gch"));
        run(compiler, "the C++ compiler")
    })?;
    Ok(Runtime { objects, prelude: folder.join("prelude.h") })
}

/// What every model includes.
const PRELUDE: &str = "#include \"verilated.h\"\n#include <stdexcept>\n#include <string>\n\
                       #include <vector>\n";

/// What may be the matter when the runtime for waveforms does not compile.
fn hint(error: Error, waveform: Option<Waveform>) -> Error {
    match (error, waveform) {
        (Error::Refused { .. }, Some(Waveform::Fst)) => Error::Tools(
            "waveforms in FST need the headers of lz4 and zlib (Debian: apt-get install \
             liblz4-dev zlib1g-dev); a file name that ends in .vcd needs nothing"
                .to_owned(),
        ),
        (error, _) => error,
    }
}

/// Runs a tool; what it prints goes into the error.
fn run(mut command: Command, tool: &'static str) -> Result<(), Error> {
    let output = command.output().map_err(|error| {
        Error::Tools(format!("cannot run {}: {error}", command.get_program().to_string_lossy()))
    })?;
    if output.status.success() {
        return Ok(());
    }
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    // A design can cause thousands of lines.
    if let Some((at, _)) = text.char_indices().nth(8000) {
        text.truncate(at);
        text.push_str("\n...");
    }
    Err(Error::Refused { tool, output: text })
}
