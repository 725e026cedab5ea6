//! `ww build`

use crate::Failure;
use crate::args::BuildArguments;
use crate::output::print;
use crate::terminal::Compiling;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_control::p4info::{Format, encode, p4info};
use ww_engine::policy::P4Program;
use ww_p4::diagnostic::{Diagnostic, Diagnostics};
use ww_p4::pipeline::passes::optimise;
use ww_p4::policy::Size;
use ww_p4::source::Span;
use ww_rtl::api::package::{File, package};
use ww_rtl::emit::emit;
use ww_rtl::policy_block::{PolicyDesign, policy_design};
use ww_rtl::two_level::PolicyBlock;
use ww_runtime::error::Mistakes;
use ww_runtime::hardware::module_name;
use ww_runtime::program::{Program, files};
use ww_runtime::signals::Ending;

/// Names the files that a folder has from us, so that a later build knows what it may replace.
const LIST: &str = ".ww-build";

/// Writes a program as hardware with its control API into a folder.
pub fn build(arguments: &BuildArguments) -> Result<(), Failure> {
    let path = &arguments.program.program;
    let folder = Folder::new(&arguments.out)?;
    let ending = Ending::new()?;
    let compiling = Compiling::new(path);
    let Program { sources, ir: program, .. } = Program::open(path, &arguments.program.options())?;
    let mut inputs = files(&sources);
    arguments.design.add_files(&mut inputs);
    inputs.replaces("--out", &arguments.out)?;
    if ww_p4::policy::is_policy(&program) {
        return policy(arguments, &folder, ending);
    }
    if arguments.nodes.is_some() || arguments.children.is_some() {
        let message = "--nodes and --children are for scheduling policies";
        return Err(Failure::Usage(message.to_owned()));
    }
    let rejected =
        |diagnostics: Diagnostics| Mistakes::new(path, diagnostics, Arc::clone(&sources));
    let mut pipeline = ww_p4::pipeline::lower_for_hardware(&program).map_err(rejected)?;
    let options = arguments.design.emit().map_err(Failure::Usage)?;
    optimise(&mut pipeline, options.passes());
    let name = module_name(path);
    let design = emit(&pipeline, &name, Some(&sources), &options).map_err(|refusals| {
        let mut diagnostics = Diagnostics::new();
        for refusal in refusals {
            let message = format!("hardware cannot hold this: {refusal}");
            let span = refusal.span.unwrap_or(Span::NONE);
            diagnostics.push(Diagnostic::error(span, message));
        }
        rejected(diagnostics)
    })?;
    let mut diagnostics = Diagnostics::new();
    let info = p4info(&program, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(rejected(diagnostics).into());
    }
    let info = encode(&info, Format::Text).map_err(Failure::Rejected)?;
    let files = package(&design, &program, info)
        .map_err(|error| Failure::Rejected(format!("{}: {error}", path.display())))?;
    drop(compiling);
    let _held = ending.hold();
    folder.replace(&files)?;
    let objects = design.manifest.objects.len();
    let out = arguments.out.display();
    print(&format!("{out}: {} files, top module {}, {objects} windows\n", files.len(), design.top))
}

/// Writes a scheduling policy as hardware: the pipeline, and the policy port around it.
fn policy(arguments: &BuildArguments, folder: &Folder, ending: Ending) -> Result<(), Failure> {
    let path = &arguments.program.program;
    let wrong = |message: String| Failure::Rejected(format!("{}: {message}", path.display()));
    let options = arguments.design.emit().map_err(Failure::Usage)?;
    let size =
        Size { nodes: arguments.nodes.unwrap_or(1), children: arguments.children.unwrap_or(64) };
    let program = P4Program::with_options(path, &arguments.program.options());
    let program = program.map_err(Failure::Rejected)?;
    let made = policy_design(&module_name(path), &program, size, &options);
    let PolicyDesign { design, program, block } = made.map_err(wrong)?;
    let info = p4info(&program, &mut Diagnostics::new());
    let info = encode(&info, Format::Text).map_err(Failure::Rejected)?;
    let files = package(&design, &program, info).map_err(|error| wrong(error.to_string()))?;
    let _held = ending.hold();
    folder.replace(&files)?;
    let PolicyBlock { module, asks, head_words, .. } = block;
    let (out, top, Size { nodes, children }) = (arguments.out.display(), design.top, size);
    print(&format!(
        "{out}: {} files, top module {top}, policy port {module} for {nodes} nodes and {children} \
         children\nparameters of the scheduler: ASKS 7'b{asks:07b}, HEAD_WORDS {head_words}\n",
        files.len()
    ))
}

/// The folder that is to be written.
struct Folder {
    path: PathBuf,
    /// Where it is made, beside its place.
    work: PathBuf,
}

impl Folder {
    /// Checks that nobody else's files are there.
    fn new(path: &Path) -> Result<Self, Failure> {
        let fail = |error: io::Error| cannot(path, &error);
        let name = path.file_name().ok_or_else(|| {
            Failure::Usage(format!("--out '{}': expected the name of a folder", path.display()))
        })?;
        match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(fail(error)),
            Ok(metadata) if !metadata.is_dir() => {
                let text = format!("--out '{}': it is no folder", path.display());
                return Err(Failure::Rejected(text));
            }
            Ok(_) => {
                let list = std::fs::read_to_string(path.join(LIST)).unwrap_or_default();
                let ours: BTreeSet<&str> = list.lines().chain([LIST]).collect();
                if let Some(other) = foreign(path, path, &ours).map_err(fail)? {
                    let text = format!(
                        "--out '{}': `{}` is not from an earlier build; choose an empty folder",
                        path.display(),
                        other.display()
                    );
                    return Err(Failure::Rejected(text));
                }
            }
        }
        let mut work = std::ffi::OsString::from(".");
        work.push(name);
        work.push(format!(".{}.tmp", std::process::id()));
        Ok(Self { path: path.to_owned(), work: path.with_file_name(work) })
    }

    /// Puts the files in the place of whatever an earlier build left.
    fn replace(&self, files: &[File]) -> Result<(), Failure> {
        let result = self.write(files).and_then(|()| {
            let old = self.work.with_extension("old");
            match std::fs::rename(&self.path, &old) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            if let Err(error) = std::fs::rename(&self.work, &self.path) {
                // What was there comes back; if even that fails, it is still beside its place.
                let _ = std::fs::rename(&old, &self.path);
                return Err(error);
            }
            // A rest of the old folder does no harm.
            let _ = std::fs::remove_dir_all(&old);
            Ok(())
        });
        result.map_err(|error| {
            let _ = std::fs::remove_dir_all(&self.work);
            cannot(&self.path, &error)
        })
    }

    fn write(&self, files: &[File]) -> io::Result<()> {
        std::fs::create_dir_all(&self.work)?;
        let mut list = String::new();
        for (name, contents) in files {
            let path = self.work.join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, contents)?;
            list.push_str(name);
            list.push('\n');
        }
        std::fs::write(self.work.join(LIST), list)
    }
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    Failure::Rejected(format!("cannot write '{}': {error}", path.display()))
}

/// A file below `folder` that is neither in the list nor made of what is in it.
fn foreign(root: &Path, folder: &Path, ours: &BTreeSet<&str>) -> io::Result<Option<PathBuf>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.strip_prefix(root).unwrap_or(&path);
        if path.symlink_metadata()?.is_dir() {
            // Python's cache of our modules.
            if !path.ends_with("control/__pycache__")
                && let Some(found) = foreign(root, &path, ours)?
            {
                return Ok(Some(found));
            }
            continue;
        }
        // `make` in `control` leaves a library.
        let built = name.starts_with("control") && name.extension().is_some_and(|e| e == "so");
        if !built && !name.to_str().is_some_and(|name| ours.contains(name)) {
            return Ok(Some(name.to_owned()));
        }
    }
    Ok(None)
}
