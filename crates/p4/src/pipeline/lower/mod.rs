//! Lowering of the typed IR to the pipeline IR.

mod actions;
mod applications;
mod arguments;
mod calls;
mod draft;
mod effects;
mod expressions;
mod externs;
mod finish_control;
mod finish_parser;
mod loops;
mod objects;
mod packet;
mod parsers;
mod places;
mod roots;
mod selects;
mod statements;
mod storage;
mod tables;
mod values;

use super::fields::{Field, FieldId, FieldRole, FieldType, Scope};
use super::tables::{ExternInstanceId, TableId, ValueSetId};
use super::{Block, Body, MAX_FIELDS, Pipeline};
use crate::architecture::{self, Architecture, BlockKind, BoundBlock};
use crate::contradictions;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{self, InstanceId, InstanceKind, Program, VarId};
use crate::limits;
use crate::source::Span;
use applications::Applications;
use draft::{BlockId, Draft};
use places::Place;
use std::collections::HashMap;
use storage::Storage;
use values::Value;

/// The passes recurse over the program; the parser bounds its depth, and this holds it.
const STACK: usize = 512 << 20;

/// Lowers a checked program. On failure the diagnostics say what cannot be lowered, and where.
pub fn lower(program: &Program) -> Result<Pipeline, Diagnostics> {
    lower_with(program, false)
}

/// The same for hardware: calls of modules (`@ww_module`) stay calls, where [`lower`] has the
/// function of the program that does the same.
///
/// # Errors
/// As [`lower`].
pub fn lower_for_hardware(program: &Program) -> Result<Pipeline, Diagnostics> {
    lower_with(program, true)
}

fn lower_with(program: &Program, modules: bool) -> Result<Pipeline, Diagnostics> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("lowering".into()).stack_size(STACK);
        match builder.spawn_scoped(scope, || run(program, modules)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => {
                let mut diagnostics = Diagnostics::new();
                let message = format!("cannot start the compiler's thread: {error}");
                diagnostics.error(Span::NONE, message);
                Err(diagnostics)
            }
        }
    })
}

fn run(program: &Program, modules: bool) -> Result<Pipeline, Diagnostics> {
    contradictions::refuse(program)?;
    let one = |diagnostic| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics
    };
    limits::judge(program).map_err(|found| one(*found))?;
    let (architecture, blocks) = architecture::bind(program).map_err(one)?;
    let mut lowerer = Lowerer::new(program, architecture, Applications::of(program, &blocks));
    lowerer.modules = modules;
    if lowerer.roots(&blocks).is_ok() {
        // A block that cannot be lowered does not keep the others from being judged.
        for block in &blocks {
            let _ = lowerer.block(block);
        }
    }
    if lowerer.diagnostics.has_errors() {
        return Err(lowerer.diagnostics);
    }
    super::parse_loops::find(&mut lowerer.out);
    Ok(lowerer.out)
}

/// The reason was reported.
pub(super) struct Stop;

/// The result of anything that may fail to be lowered.
pub(super) type Lowered<T> = Result<T, Stop>;

/// What a variable stands for.
#[derive(Clone, Debug)]
enum Binding {
    /// Storage.
    Place(Place),
    /// A value that cannot change while the variable is visible.
    Value(Value),
}

/// Where statements that leave something lead to.
#[derive(Clone, Debug, Default)]
struct Flow {
    /// `exit`; without it to the end of the graph.
    exit: Option<BlockId>,
    /// Parser errors and `reject`; without it the parser rejects.
    reject: Option<BlockId>,
    /// `return`; without it to the end of the graph.
    leave: Option<BlockId>,
    /// Takes the value of a `return`.
    result: Option<Storage>,
    /// `break`
    break_to: Option<BlockId>,
    /// `continue`
    continue_to: Option<BlockId>,
}

/// The state of lowering.
struct Lowerer<'p> {
    program: &'p Program,
    architecture: &'static Architecture,
    /// What has been made so far.
    out: Pipeline,
    diagnostics: Diagnostics,
    /// How often a field's name was wished for.
    names: HashMap<String, u32>,
    /// Number of temporaries so far.
    temporaries: u32,
    /// Number of operations so far.
    operations: usize,
    /// Variables that are visible now, and some that no longer are.
    environment: HashMap<VarId, Binding>,
    /// The storage that all blocks share: by role.
    roots: HashMap<architecture::Role, Storage>,
    /// Parameters and variables of controls that tables may refer to.
    persistent: HashMap<(InstanceId, VarId), Storage>,
    applications: Applications,
    objects: HashMap<InstanceId, ExternInstanceId>,
    tables: HashMap<(InstanceId, ir::TableId), TableId>,
    value_sets: HashMap<(InstanceId, VarId), ValueSetId>,
    /// The parser or control at work.
    instance: InstanceId,
    /// The object whose abstract method is at work.
    this: Option<InstanceId>,
    /// Path in front of the names of variables.
    prefix: String,
    /// Whether the graph is a parser's.
    in_parser: bool,
    /// Whether calls of modules of hardware stay calls.
    modules: bool,
    /// The graph at work.
    draft: Draft,
    flow: Flow,
}

impl<'p> Lowerer<'p> {
    fn new(
        program: &'p Program,
        architecture: &'static Architecture,
        applications: Applications,
    ) -> Self {
        let out = Pipeline {
            architecture,
            fields: Vec::new(),
            headers: Vec::new(),
            unions: Vec::new(),
            stacks: Vec::new(),
            errors: program.errors.clone(),
            no_error: program.error_code("NoError").unwrap_or(0),
            intrinsic: Vec::new(),
            parser_error: FieldId(0),
            field_lists: Vec::new(),
            externs: Vec::new(),
            value_sets: Vec::new(),
            tables: Vec::new(),
            actions: Vec::new(),
            blocks: Vec::new(),
        };
        Self {
            program,
            architecture,
            out,
            diagnostics: Diagnostics::new(),
            names: HashMap::new(),
            temporaries: 0,
            operations: 0,
            environment: HashMap::new(),
            roots: HashMap::new(),
            persistent: HashMap::new(),
            applications,
            objects: HashMap::new(),
            tables: HashMap::new(),
            value_sets: HashMap::new(),
            instance: InstanceId(0),
            this: None,
            prefix: String::new(),
            in_parser: false,
            modules: false,
            draft: Draft::new(),
            flow: Flow::default(),
        }
    }

    /// Reports what cannot be lowered.
    fn refuse<T>(&mut self, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.diagnostics.push(Diagnostic::error(span, message));
        Err(Stop)
    }

    /// A new field with a name like the wished one.
    fn field(
        &mut self,
        wish: String,
        width: u32,
        ty: FieldType,
        scope: Scope,
        role: FieldRole,
        span: Span,
    ) -> Lowered<FieldId> {
        if self.out.fields.len() >= MAX_FIELDS {
            let message = format!("the program needs more than {MAX_FIELDS} fields");
            return self.refuse(span, message);
        }
        let uses = self.names.entry(wish.clone()).or_insert(0);
        *uses += 1;
        let name = if *uses == 1 { wish } else { format!("{wish}#{uses}") };
        let id = FieldId(self.out.fields.len() as u32);
        self.out.fields.push(Field { name: name.into(), width, ty, scope, role, span });
        Ok(id)
    }

    /// A new field for the value of an expression.
    fn temporary(&mut self, width: u32, ty: FieldType, span: Span) -> Lowered<FieldId> {
        self.temporaries += 1;
        let name = format!("${}", self.temporaries);
        self.field(name, width, ty, Scope::Local, FieldRole::Temporary, span)
    }

    /// Lowers a block of the architecture.
    fn block(&mut self, block: &BoundBlock) -> Lowered<()> {
        let instance = &self.program[block.instance];
        self.draft = Draft::new();
        self.flow = Flow::default();
        self.in_parser = block.description.kind == BlockKind::Parser;
        self.prefix = instance.name.clone();
        let parameters = architecture::bind_parameters(self.program, block.instance);
        for (parameter, role) in parameters.iter().zip(block.description.roles) {
            let binding = match self.roots.get(role) {
                Some(storage) => Binding::Place(Place::of(storage.clone())),
                None => Binding::Value(Value::Packet),
            };
            self.environment.insert(parameter.var, binding);
        }
        let (body, span) = match instance.kind {
            InstanceKind::Parser(id) => {
                self.run_parser(block.instance, id)?;
                self.draft.end(draft::End::Accept);
                (Body::Parser(self.finish_parser()), self.program[id].span)
            }
            InstanceKind::Control(id) => {
                self.run_control(block.instance, id)?;
                self.draft.end(draft::End::Finish);
                (Body::Control(self.finish_control(false)), self.program[id].span)
            }
            _ => return self.refuse(instance.span, "this block is neither parser nor control"),
        };
        self.out.blocks.push(Block {
            description: block.description,
            name: instance.name.as_str().into(),
            instance: block.instance,
            body,
            span,
        });
        Ok(())
    }
}
