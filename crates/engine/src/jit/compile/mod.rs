//! The pipeline IR as machine code, through Cranelift.
//!
//! The code of a program is a few functions, each of a packet's memory and a batch's context.
//! [`Code::whole`] takes a packet from the parser to the end of the deparser, if it goes the
//! [`fast_path`]. For all others the parts are there once more: [`Code::front`] up to the end of
//! ingress, [`Code::egress`], and [`Code::finish`], which updates checksums and deparses. Fields live in the packet's memory; Cranelift keeps them in registers
//! between calls. Tables, frames and packets are different memory to it, so that a store to one
//! does not make it load the others again.

mod arrival;
mod bytes;
mod control;
mod deparser;
mod effort;
mod emitter;
mod expressions;
mod externs;
mod fast_path;
mod matches;
mod operations;
mod parser;
mod plan;
mod tables;
mod words;

pub use effort::{Effort, TooLarge, check};
pub use plan::{Leaf, Site};

use super::abi::Context;
use super::layout::Layout;
use super::packet::{PacketHead, status};
use crate::arch::Unsupported;
use crate::interp::Options;
use cranelift_codegen::ir::{AbiParam, UserFuncName, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use emitter::Emitter;
use plan::Plan;
use std::ops::Range;
use ww_dataplane::control::Schema;
use ww_p4::architecture::Meaning;
use ww_p4::pipeline::{Body, FieldId, Pipeline};

/// A function of a packet; what it gives is in [`super::packet::status`].
pub type PacketFunction = unsafe extern "C" fn(*mut PacketHead, *const Context) -> u64;

/// The compiler's stack: it recurses over expressions.
const STACK: usize = 256 << 20;

/// A program as machine code.
pub struct Code {
    /// All blocks, for packets that take the fast path.
    pub whole: PacketFunction,
    /// The first section: the parser and what is in front of the queue.
    pub front: PacketFunction,
    /// The parser alone, if the program clones in the first section.
    pub parse: PacketFunction,
    /// The section behind the queue.
    pub egress: PacketFunction,
    /// The last section, up to the deparser.
    pub finish: PacketFunction,
    /// Where fields are.
    pub layout: Layout,
    /// Calls by number.
    pub sites: Vec<Site>,
    /// Fields that copies keep, beyond those of `@field_list`s.
    pub keeps: Vec<Vec<FieldId>>,
    /// Whether random numbers are drawn.
    pub draws: bool,
    /// Whether objects are used whose accesses must happen in the order of the packets.
    pub ordered: bool,
    /// The most bytes that native code writes in the deparser; `None` if the runtime writes.
    pub output: Option<usize>,
    /// Bytes of machine code.
    pub bytes: usize,
    module: Option<JITModule>,
}

// SAFETY: after compilation only the code is used, which is not written any more.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are reachable through `self` alone.
            unsafe { module.free_memory() };
        }
    }
}

/// Which blocks a function is made of.
#[derive(Clone)]
struct Part {
    name: &'static str,
    blocks: Range<usize>,
}

const WHOLE: &str = "whole";

/// The functions, by the sections of the architecture.
fn parts(pipeline: &Pipeline) -> [Part; 5] {
    let sections = &pipeline.architecture.sections;
    [
        Part { name: WHOLE, blocks: 0..sections.finish.end },
        Part { name: "front", blocks: sections.front.clone() },
        Part { name: "parse", blocks: 0..1 },
        Part { name: "egress", blocks: sections.egress.clone() },
        Part { name: "finish", blocks: sections.finish.clone() },
    ]
}

/// Why a program has no native code.
pub enum Failure {
    /// It is too large.
    TooLarge(TooLarge),
    /// It needs what the compiler does not have.
    Unsupported(Unsupported),
}

impl From<Unsupported> for Failure {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

/// Compiles a pipeline; `live` marks the fields that have a place in a packet's memory.
pub fn compile(
    pipeline: &Pipeline,
    schema: &Schema,
    live: &[bool],
    options: Options,
    effort: Effort,
) -> Result<Code, Failure> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("native code".into()).stack_size(STACK);
        let thread = builder
            .spawn_scoped(scope, || match build(pipeline, schema, live, options, effort) {
                Err(Failure::TooLarge(_)) if effort == Effort::Full => {
                    build(pipeline, schema, live, options, Effort::Linear)
                }
                done => done,
            })
            .map_err(|e| Unsupported::new(format!("native code: no thread for it: {e}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn build(
    pipeline: &Pipeline,
    schema: &Schema,
    live: &[bool],
    options: Options,
    effort: Effort,
) -> Result<Code, Failure> {
    let mut module = new_module(effort)?;
    let matched = if options.tcpu { schema.tables.len() } else { 0 };
    let mut layout = Layout::new(pipeline, live, matched);
    let mut plan = Plan::new(pipeline, schema);
    plan.tcpu = options.tcpu;
    let output = pipeline.blocks.last().and_then(|block| match &block.body {
        Body::Control(graph) => deparser::plain_output(pipeline, graph),
        Body::Parser(_) => None,
    });
    plan.plain_output = output.is_some();
    let mut functions = Vec::new();
    let mut frontend = FunctionBuilderContext::new();
    let mut bytes = 0;
    for part in parts(pipeline) {
        if part.name == "parse" && !plan.clones {
            functions.push(functions[1]);
            continue;
        }
        let (id, size) = function(
            &mut module,
            &mut frontend,
            part,
            (pipeline, schema, &layout),
            &mut plan,
            (effort, options.max_steps),
        )?;
        functions.push(id);
        bytes += size;
    }
    module.finalize_definitions().map_err(failed)?;
    layout.set_scratch(plan.scratch);
    let [whole, front, parse, egress, finish] = [0, 1, 2, 3, 4].map(|n| {
        let address = module.get_finalized_function(functions[n]);
        // SAFETY: all functions were declared with this signature.
        unsafe { std::mem::transmute::<*const u8, PacketFunction>(address) }
    });
    Ok(Code {
        whole,
        front,
        parse,
        egress,
        finish,
        layout,
        sites: plan.sites,
        keeps: plan.keeps,
        draws: plan.draws,
        ordered: plan.ordered,
        output,
        bytes,
        module: Some(module),
    })
}

fn new_module(effort: Effort) -> Result<JITModule, Unsupported> {
    let mut flags = settings::builder();
    effort.configure(&mut flags).map_err(failed)?;
    for (name, value) in [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ("enable_probestack", "false"),
    ] {
        flags.set(name, value).map_err(failed)?;
    }
    let isa = cranelift_native::builder()
        .map_err(failed)?
        .finish(settings::Flags::new(flags))
        .map_err(failed)?;
    Ok(JITModule::new(JITBuilder::with_isa(isa, default_libcall_names())))
}

fn failed(error: impl std::fmt::Display) -> Unsupported {
    Unsupported::new(format!("native code: {error}"))
}

fn function(
    module: &mut JITModule,
    frontend: &mut FunctionBuilderContext,
    part: Part,
    (pipeline, schema, layout): (&Pipeline, &Schema, &Layout),
    plan: &mut Plan,
    (effort, max_steps): (Effort, u64),
) -> Result<(FuncId, usize), Failure> {
    let mut context = module.make_context();
    let signature = &mut context.func.signature;
    signature.params = vec![AbiParam::new(types::I64); 2];
    signature.returns.push(AbiParam::new(types::I64));
    let convention = signature.call_conv;
    let id = module
        .declare_function(part.name, Linkage::Local, &context.func.signature)
        .map_err(failed)?;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let builder = FunctionBuilder::new(&mut context.func, frontend);
    let mut emitter = Emitter::new(builder, pipeline, layout, plan, convention, effort);
    let is_whole = part.name == WHOLE;
    let start = is_whole.then(|| emitter.start());
    if is_whole {
        emitter.arrive(max_steps);
    }
    let architecture = pipeline.architecture;
    let sections = &architecture.sections;
    let checksum = architecture.intrinsic.iter().find(|f| f.meaning == Meaning::ChecksumError);
    let verifier = checksum.and_then(|field| architecture.block(field.block));
    let mut sizes = vec![0; pipeline.blocks.len()];
    for position in part.blocks {
        let before = emitter.instructions();
        let Some(block) = pipeline.blocks.get(position) else { continue };
        emitter.verifying = Some(position) == verifier;
        emitter.behind_ingress = sections.is_behind_queue(position);
        if is_whole && position == sections.front.end {
            emitter.ingress_to_egress(max_steps);
        }
        if is_whole && position == sections.finish.start {
            emitter.egress_to_output();
        }
        match &block.body {
            Body::Parser(graph) => emitter.parser(graph),
            Body::Control(graph) => {
                if position + 1 == sections.finish.end {
                    emitter.choose_output(graph);
                }
                emitter.control(graph, schema);
            }
        }
        sizes[position] = emitter.instructions() - before;
    }
    if emitter.is_full()
        && let Some(too_large) =
            TooLarge::of(pipeline, &sizes, "instructions", effort.instructions())
    {
        return Err(Failure::TooLarge(too_large));
    }
    emitter.give(if is_whole { status::READY } else { status::DONE });
    emitter.finish_losses();
    if let Some(start) = start {
        emitter.finish_start(start);
    }
    emitter.b.seal_all_blocks();
    let target = module.target_config();
    emitter.b.finalize(target);
    module.define_function(id, &mut context).map_err(|e| failed(format!("{e:?}")))?;
    let size = context.compiled_code().map_or(0, |code| code.code_buffer().len());
    Ok((id, size))
}
