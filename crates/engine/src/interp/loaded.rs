//! What is worked out once when a program is loaded, so that packets need not look up names.

use super::Options;
use super::values::Value;
use crate::arch::{Ends, ExternFunction, IntrinsicFields, Unsupported};
use std::collections::BTreeMap;
use std::sync::Arc;
use ww_dataplane::control::{
    CounterIndex, MeterIndex, RegisterIndex, Schema, TableIndex, ValueSetIndex,
};
use ww_p4::architecture::{self, Architecture, FieldPath, Meaning, Role, field_lists};
use ww_p4::ir::visit;
use ww_p4::ir::{
    Callee, ConstructorValue, ExternDef, InstanceId, InstanceKind, Program, TableId, Type, VarId,
};

/// What an extern object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// No object with state of its own.
    None,
    /// A counter.
    Counter(CounterIndex),
    /// A meter.
    Meter(MeterIndex),
    /// A register.
    Register(RegisterIndex),
}

/// What a method of an extern object does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Runs a body of the program.
    Abstract,
    /// `packet_in.extract`
    Extract,
    /// `packet_in.lookahead`
    Lookahead,
    /// `packet_in.advance`
    Advance,
    /// `packet_in.length`
    Length,
    /// `packet_out.emit`
    Emit,
    /// `counter.count`
    Count,
    /// `direct_counter.count`
    DirectCount,
    /// `meter.execute_meter`
    ExecuteMeter,
    /// `direct_meter.read`
    ReadColour,
    /// `register.read`
    ReadRegister,
    /// `register.write`
    WriteRegister,
    /// `Checksum16.get`
    Checksum16,
    /// No engine knows it.
    Unknown,
}

impl Method {
    fn of(def: &ExternDef, method: usize) -> Self {
        let method = &def.methods[method];
        if method.is_abstract {
            return Method::Abstract;
        }
        match (&*def.name, &*method.signature.name) {
            ("packet_in", "extract") => Method::Extract,
            ("packet_in", "lookahead") => Method::Lookahead,
            ("packet_in", "advance") => Method::Advance,
            ("packet_in", "length") => Method::Length,
            ("packet_out", "emit") => Method::Emit,
            ("counter", "count") => Method::Count,
            ("direct_counter", "count") => Method::DirectCount,
            ("meter", "execute_meter") => Method::ExecuteMeter,
            ("direct_meter", "read") => Method::ReadColour,
            ("register", "read") => Method::ReadRegister,
            ("register", "write") => Method::WriteRegister,
            ("Checksum16", "get") => Method::Checksum16,
            _ => Method::Unknown,
        }
    }
}

/// See the module's description.
#[derive(Debug)]
pub struct Loaded {
    /// Limits and the seed.
    pub options: Options,
    /// Names for the control plane.
    pub schema: Arc<Schema>,
    /// Default values of all variables.
    pub defaults: Vec<Value>,
    /// What to put into variables when an instance begins to run.
    pub bindings: Vec<Vec<(VarId, Value)>>,
    /// Tables of each instance, by position in its control.
    tables: Vec<Vec<TableIndex>>,
    /// Position of each table in its control.
    table_positions: Vec<usize>,
    /// Extern objects by instance.
    pub objects: Vec<Object>,
    /// Functions of the architecture by [`ww_p4::ir::ExternFunctionId`].
    pub functions: Vec<Option<ExternFunction>>,
    /// Methods by [`ww_p4::ir::ExternId`] and position.
    pub methods: Vec<Vec<Method>>,
    /// Smallest and largest size in bits of each [`ww_p4::ir::StructId`].
    pub sizes: Vec<Option<(u64, u64)>>,
    /// The architecture.
    pub architecture: &'static Architecture,
    /// The package's blocks in the order of the description.
    pub blocks: Vec<InstanceId>,
    /// The paths out of its sections.
    pub ends: Arc<Ends<Option<usize>>>,
    /// The block that verifies checksums.
    pub verifier: Option<usize>,
    /// Type of the headers.
    pub headers: Type,
    /// Type of the user's metadata.
    pub metadata: Type,
    /// Type of the intrinsic metadata.
    pub intrinsic: Type,
    /// Fields of the intrinsic metadata.
    pub fields: IntrinsicFields,
    /// Variables of the type of the intrinsic metadata.
    pub intrinsic_variables: Vec<VarId>,
    /// `@field_list`s.
    pub field_lists: BTreeMap<u64, Vec<FieldPath>>,
}

impl Loaded {
    /// Prepares a program, or says what in it is not supported.
    pub fn new(program: &Program, options: Options) -> Result<Self, Unsupported> {
        let (architecture, bound) = architecture::bind(program)?;
        let blocks: Vec<InstanceId> = bound.iter().map(|b| b.instance).collect();
        check_sizes(program)?;
        let functions: Vec<_> = program
            .extern_functions
            .iter()
            .map(|f| ExternFunction::of(architecture, &f.signature.name))
            .collect();
        let methods: Vec<Vec<Method>> = program
            .types
            .externs
            .iter()
            .map(|def| (0..def.methods.len()).map(|n| Method::of(def, n)).collect())
            .collect();
        check_calls(program, &functions, &methods, options.modules)?;

        let schema = crate::schema::of(program)?;
        let ty = |role: Role| {
            let of = |bound: &architecture::BoundBlock| {
                let n = bound.description.roles.iter().position(|r| *r == role)?;
                block_parameters(program, bound.instance).get(n).map(|p| p.ty.clone())
            };
            bound.iter().find_map(of).unwrap_or(Type::Void)
        };
        let (headers, metadata, intrinsic) =
            (ty(Role::Headers), ty(Role::Metadata), ty(Role::Intrinsic));
        let def = program.types.as_struct(&intrinsic).ok_or_else(|| {
            Unsupported::new(format!(
                "architecture {} without a struct of intrinsic metadata",
                architecture.name
            ))
        })?;
        let fields = IntrinsicFields::of(architecture, def);
        let position = |name: &str| def.fields.iter().position(|f| &*f.name == name);
        let ends = Arc::new(Ends::of(architecture, position));
        let checksum = architecture.intrinsic.iter().find(|f| f.meaning == Meaning::ChecksumError);
        let verifier = checksum.and_then(|f| architecture.block(f.block));
        let intrinsic_variables = (0..program.variables.len() as u32)
            .map(VarId)
            .filter(|v| program[*v].ty == intrinsic)
            .collect();
        let mut table_positions = vec![0; program.tables.len()];
        for control in &program.controls {
            for (position, table) in control.tables.iter().enumerate() {
                table_positions[table.index()] = position;
            }
        }
        let mut tables = vec![Vec::new(); program.instances.len()];
        // The schema lists the tables of an instance in the order of its control.
        for (n, info) in schema.tables.iter().enumerate() {
            tables[info.instance as usize].push(TableIndex(n as u32));
        }
        Ok(Self {
            options,
            defaults: program.variables.iter().map(|v| Value::default_of(program, &v.ty)).collect(),
            bindings: bindings(program, &schema),
            tables,
            table_positions,
            objects: objects(program, &schema),
            functions,
            methods,
            sizes: (0..program.types.structs.len() as u32)
                .map(|n| program.types.size_in_bits(&Type::Struct(ww_p4::ir::StructId(n))))
                .collect(),
            architecture,
            blocks,
            ends,
            verifier,
            field_lists: field_lists(program, &metadata, &intrinsic),
            headers,
            metadata,
            intrinsic,
            fields,
            intrinsic_variables,
            schema: Arc::new(schema),
        })
    }

    /// The table that `table` is in an instance of its control.
    pub fn table(&self, instance: InstanceId, table: TableId) -> Option<TableIndex> {
        let position = *self.table_positions.get(table.index())?;
        self.tables.get(instance.index())?.get(position).copied()
    }
}

/// The apply parameters of a parser's or control's instance.
pub fn block_parameters(program: &Program, instance: InstanceId) -> &[ww_p4::ir::Parameter] {
    match &program[instance].kind {
        InstanceKind::Parser(id) => &program[*id].parameters,
        InstanceKind::Control(id) => &program[*id].parameters,
        _ => &[],
    }
}

/// The most numbers that all variables of a program may be made of together.
const MOST_LEAVES: u64 = 1 << 22;

/// Refuses programs whose variables do not fit into memory; everything after this may walk types
/// part by part.
fn check_sizes(program: &Program) -> Result<(), Unsupported> {
    let mut known = vec![None; program.types.structs.len()];
    let mut sum = 0u64;
    for variable in &program.variables {
        sum = sum.saturating_add(leaves(program, &variable.ty, &mut known));
        if sum > MOST_LEAVES {
            return Err(Unsupported::new(format!(
                "variables of more than {MOST_LEAVES} numbers together, up to `{}` of type {}",
                variable.name,
                program.types.display(&variable.ty)
            )));
        }
    }
    // Types that occur in expressions alone, such as that of a lookahead.
    for index in 0..program.types.structs.len() {
        let ty = Type::Struct(ww_p4::ir::StructId(index as u32));
        if leaves(program, &ty, &mut known) > MOST_LEAVES {
            let name = &program.types.structs[index].name;
            let message = format!("type `{name}` of more than {MOST_LEAVES} numbers");
            return Err(Unsupported::new(message));
        }
    }
    Ok(())
}

/// How many numbers a value of a type is made of.
fn leaves(program: &Program, ty: &Type, known: &mut Vec<Option<u64>>) -> u64 {
    match program.types.storage(ty) {
        Type::Struct(id) => {
            if let Some(count) = known[id.index()] {
                return count;
            }
            let fields = &program.types[*id].fields;
            let parts = fields.iter().map(|f| leaves(program, &f.ty, known));
            let count = parts.fold(0, u64::saturating_add);
            known[id.index()] = Some(count);
            count
        }
        Type::Stack(element, size) => {
            leaves(program, element, known).saturating_mul(u64::from(*size))
        }
        Type::Tuple(types) => {
            types.iter().map(|t| leaves(program, t, known)).fold(0, u64::saturating_add)
        }
        _ => 1,
    }
}

fn check_calls(
    program: &Program,
    functions: &[Option<ExternFunction>],
    methods: &[Vec<Method>],
    modules: bool,
) -> Result<(), Unsupported> {
    let mut unsupported = None;
    visit::calls(program, |call| match &call.callee {
        Callee::ExternFunction(id) if functions[id.index()].is_none() => {
            let function = &program[*id];
            let name = &function.signature.name;
            if function.model.is_some() || (modules && function.module.is_some()) {
                return;
            }
            if function.module.is_some() {
                unsupported.get_or_insert_with(|| {
                    Unsupported::new(format!(
                        "`{name}`, a module of hardware without a function of the program that \
                         does the same (`@ww_model`)"
                    ))
                });
            }
            unsupported
                .get_or_insert_with(|| Unsupported::new(format!("extern function `{name}`")));
        }
        Callee::Method { extern_id, method, .. }
            if methods[extern_id.index()].get(*method as usize) == Some(&Method::Unknown) =>
        {
            let def = &program.types[*extern_id];
            let method = &def.methods[*method as usize].signature.name;
            unsupported.get_or_insert_with(|| {
                Unsupported::new(format!("method `{method}` of extern `{}`", def.name))
            });
        }
        _ => {}
    });
    unsupported.map_or(Ok(()), Err)
}

fn bindings(program: &Program, schema: &Schema) -> Vec<Vec<(VarId, Value)>> {
    let value = |var: VarId, value: &ConstructorValue| match value {
        ConstructorValue::Const(value) => Value::from_const(program, value, &program[var].ty),
        ConstructorValue::Instance(id) => Value::Object(*id),
        ConstructorValue::Absent => Value::Absent,
    };
    let mut bindings: Vec<Vec<_>> = program
        .instances
        .iter()
        .map(|i| i.bindings.iter().map(|(var, bound)| (*var, value(*var, bound))).collect())
        .collect();
    for (n, set) in schema.value_sets.iter().enumerate() {
        let index = ValueSetIndex(n as u32);
        bindings[set.instance as usize].push((VarId(set.variable), Value::ValueSet(index.0)));
    }
    bindings
}

fn objects(program: &Program, schema: &Schema) -> Vec<Object> {
    let mut objects = vec![Object::None; program.instances.len()];
    for (n, info) in schema.counters.iter().enumerate() {
        objects[info.instance as usize] = Object::Counter(CounterIndex(n as u32));
    }
    for (n, info) in schema.meters.iter().enumerate() {
        objects[info.instance as usize] = Object::Meter(MeterIndex(n as u32));
    }
    for (n, info) in schema.registers.iter().enumerate() {
        objects[info.instance as usize] = Object::Register(RegisterIndex(n as u32));
    }
    objects
}
