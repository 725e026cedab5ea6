//! What the runtime has to know about the code that was made.

use std::ops::Range;
use ww_dataplane::control::{CounterIndex, MeterIndex, RegisterIndex, Schema, TableIndex};
use ww_p4::pipeline::{Body, ExternInstanceId, FieldId, Header, Op, OpKind, Pipeline, TableId};
use ww_p4::source::Span;

/// A scalar of data that a function of the runtime reads from the scratch area: its words, then
/// a word for its length if it is a `varbit`, then one for the validity of its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its name within the data.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Whether its length follows.
    pub has_length: bool,
    /// Whether the validity of its header follows.
    pub has_validity: bool,
}

/// Data that a function of the runtime reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// Name of its type.
    pub type_name: String,
    /// Its scalars.
    pub leaves: Vec<Leaf>,
}

/// A call for which the runtime needs more than numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where the call is.
    pub span: Span,
    /// Whether it is made in egress or behind it.
    pub behind_ingress: bool,
    /// Name of the hash algorithm, if it hashes.
    pub algorithm: String,
    /// The data.
    pub data: Data,
    /// Whether the bytes behind the parsed headers follow the data.
    pub with_payload: bool,
    /// Bits of the numbers that the call also takes.
    pub widths: Vec<u32>,
}

impl Site {
    /// The number of the place for random numbers.
    pub fn place(&self) -> u64 {
        ww_dataplane::random::site(self.span.begin(), self.behind_ingress)
    }
}

/// See the module's description.
#[derive(Debug, Default)]
pub struct Plan {
    /// Calls by number.
    pub sites: Vec<Site>,
    /// Fields that copies keep, beyond those of `@field_list`s.
    pub keeps: Vec<Vec<FieldId>>,
    /// Words of scratch that the code needs.
    pub scratch: usize,
    /// Whether tables note for a TCPU what they do with packets.
    pub tcpu: bool,
    /// Whether random numbers are drawn.
    pub draws: bool,
    /// Whether objects are used whose accesses must happen in the order of the packets.
    pub ordered: bool,
    /// Whether a clone can be asked for.
    pub clones: bool,
    /// Whether native code itself writes what the deparser puts out: see
    /// [`super::deparser::plain_output`].
    pub plain_output: bool,
    /// By [`TableId`].
    tables: Vec<Option<TableIndex>>,
    /// By [`ExternInstanceId`].
    counters: Vec<Option<CounterIndex>>,
    meters: Vec<Option<MeterIndex>>,
    registers: Vec<Option<RegisterIndex>>,
    counter_sizes: Vec<u64>,
    /// By [`FieldId`]: whether anything but the extraction of a header writes it.
    changed: Vec<bool>,
    widths: Vec<u32>,
}

impl Plan {
    /// Finds the schema's objects for those of a pipeline.
    pub fn new(pipeline: &Pipeline, schema: &Schema) -> Self {
        let find = |n: Option<usize>| n.map(|n| n as u32);
        let tables = pipeline.tables.iter().map(|table| {
            let (instance, id) = table.source;
            find(schema.tables.iter().position(|t| t.instance == instance.0 && t.table == id.0))
                .map(TableIndex)
        });
        let objects = || pipeline.externs.iter().map(|object| object.source);
        Self {
            tables: tables.collect(),
            counters: objects()
                .map(|o| find(schema.counters.iter().position(|c| c.instance == o.0)))
                .map(|n| n.map(CounterIndex))
                .collect(),
            meters: objects()
                .map(|o| find(schema.meters.iter().position(|m| m.instance == o.0)))
                .map(|n| n.map(MeterIndex))
                .collect(),
            registers: objects()
                .map(|o| find(schema.registers.iter().position(|r| r.instance == o.0)))
                .map(|n| n.map(RegisterIndex))
                .collect(),
            counter_sizes: schema.counters.iter().map(|c| c.size).collect(),
            changed: changed(pipeline),
            widths: pipeline.fields.iter().map(|f| f.width).collect(),
            ..Self::default()
        }
    }

    /// The bytes of a header, in runs, with fields that the program writes.
    pub fn changed_bytes(&self, header: &Header) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for item in &header.layout {
            if !self.changed[item.field.index()] {
                continue;
            }
            let end = item.offset + self.widths[item.field.index()];
            let bytes = item.offset as usize / 8..end.div_ceil(8) as usize;
            match runs.last_mut() {
                Some(last) if last.end >= bytes.start => last.end = last.end.max(bytes.end),
                _ => runs.push(bytes),
            }
        }
        runs
    }

    /// Asks for words of scratch.
    pub fn need_scratch(&mut self, words: usize) {
        self.scratch = self.scratch.max(words);
    }

    /// A new site.
    pub fn site(&mut self, site: Site) -> u64 {
        self.sites.push(site);
        self.sites.len() as u64 - 1
    }

    /// The schema's table.
    pub fn table(&self, table: TableId) -> Option<TableIndex> {
        self.tables.get(table.index()).copied().flatten()
    }

    /// The schema's counter.
    pub fn counter(&self, object: ExternInstanceId) -> Option<CounterIndex> {
        self.counters.get(object.index()).copied().flatten()
    }

    /// The schema's meter.
    pub fn meter(&self, object: ExternInstanceId) -> Option<MeterIndex> {
        self.meters.get(object.index()).copied().flatten()
    }

    /// The schema's register.
    pub fn register(&self, object: ExternInstanceId) -> Option<RegisterIndex> {
        self.registers.get(object.index()).copied().flatten()
    }

    /// Cells of a counter.
    pub fn counter_size(&self, counter: CounterIndex) -> u64 {
        self.counter_sizes.get(counter.index()).copied().unwrap_or(0)
    }
}

/// Which fields anything but the extraction of a header writes, by number.
fn changed(pipeline: &Pipeline) -> Vec<bool> {
    let mut changed = vec![false; pipeline.fields.len()];
    for block in &pipeline.blocks {
        match &block.body {
            Body::Parser(graph) => {
                graph
                    .states
                    .iter()
                    .flat_map(|s| &s.ops)
                    .for_each(|op| mark(pipeline, op, &mut changed));
            }
            Body::Control(graph) => {
                graph.operations().for_each(|(_, op)| mark(pipeline, op, &mut changed));
            }
        }
    }
    for action in &pipeline.actions {
        action.body.operations().for_each(|(_, op)| mark(pipeline, op, &mut changed));
        let data = action.parameters.iter().flat_map(|p| &p.fields);
        data.for_each(|field| changed[field.index()] = true);
    }
    changed
}

fn mark(pipeline: &Pipeline, op: &Op, changed: &mut [bool]) {
    use OpKind::{Extract, Invalidate, InvalidateElement};
    // A header that becomes invalid is not put out.
    if !matches!(op.kind, Extract(_) | Invalidate { .. } | InvalidateElement { .. }) {
        op.kind.for_each_write(&pipeline.headers, &mut |field| changed[field.index()] = true);
    }
}
