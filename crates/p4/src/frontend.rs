//! The whole front end in one call: from a file to a checked program.

use crate::architecture;
use crate::ast;
use crate::check;
use crate::diagnostic::Diagnostics;
use crate::ir;
use crate::lint;
use crate::parse;
use crate::policy;
use crate::preprocess::{self, Options};
use crate::source::{SourceMap, Span};
use std::path::Path;

/// Everything that one compilation produces. With errors in `diagnostics` the program must not be
/// executed; it is then as far as the front end got.
#[derive(Debug, Default)]
pub struct Compilation {
    /// The files that were read.
    pub sources: SourceMap,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
    /// The syntax tree.
    pub ast: ast::Program,
    /// The typed IR.
    pub program: ir::Program,
}

/// The passes recurse over the program; the parser bounds its depth, and this holds it.
const STACK: usize = 512 << 20;

/// Compiles a file.
pub fn compile_file(path: &Path, options: &Options) -> Compilation {
    run(options, |options, sources, diagnostics| {
        preprocess::preprocess(path, options, sources, diagnostics)
    })
}

/// Compiles a text that stands for the file `path`, which need not exist.
pub fn compile_text(path: &Path, text: String, options: &Options) -> Compilation {
    run(options, |options, sources, diagnostics| {
        preprocess::preprocess_text(path, text, options, sources, diagnostics)
    })
}

fn run(
    options: &Options,
    read: impl FnOnce(&Options, &mut SourceMap, &mut Diagnostics) -> Vec<crate::lexer::Token> + Send,
) -> Compilation {
    let compile = || {
        let mut c = Compilation::default();
        let mut options = options.clone();
        let mut architectures = Vec::new();
        for path in std::mem::take(&mut options.architectures) {
            architectures.extend(architecture::load(&path, &mut c.sources, &mut c.diagnostics));
            options.include_dirs.extend(path.parent().map(Path::to_owned));
        }
        let tokens = read(&options, &mut c.sources, &mut c.diagnostics);
        c.ast = parse::parse(&tokens, &mut c.diagnostics);
        if !c.diagnostics.has_errors() {
            c.program = check::check(&c.ast, &c.sources, &mut c.diagnostics);
            c.program.architectures = architectures;
        }
        if !c.diagnostics.has_errors() {
            lint::lint(&c.ast, &c.program, &c.sources, &mut c.diagnostics);
            if policy::is_policy(&c.program) {
                policy::judge(&c.ast, &c.program, &mut c.diagnostics);
            }
        }
        c
    };
    with_stack(compile).unwrap_or_else(|message| {
        let mut c = Compilation::default();
        c.diagnostics.error(Span::NONE, message);
        c
    })
}

/// Does what recurses over programs, on a thread that has the stack for it. The error is a sentence.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("front end".into()).stack_size(STACK);
        match builder.spawn_scoped(scope, work) {
            Ok(thread) => {
                Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            }
            Err(error) => Err(format!("cannot start the compiler's thread: {error}")),
        }
    })
}
