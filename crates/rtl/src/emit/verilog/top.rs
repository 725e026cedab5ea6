//! The modules of a design: the pipeline with its tables and state, and the top around it.

use super::super::EmitOptions;
use super::super::dataflow::UnitKind;
use super::super::dataflow::schedule::Schedule;
use super::super::implementation::Implementation;
use super::super::lower::{Array, Lowering, Owner};
use super::super::section::Outcome;
use super::names::{Names, identifier};
use super::objects;
use super::pipeline::{Places, Stages, declare};
use crate::design::{Design, SourceFile};
use crate::manifest::{DigestLayout, Manifest, Object, ObjectKind};
use num_bigint::BigUint;
use std::fmt::Write;
use ww_p4::pipeline::Table;

/// Messages to the control plane that wait.
const DIGEST_DEPTH: u32 = 64;
/// Kinds of events that are counted: see [`ObjectKind::Globals`].
const EVENTS: u32 = 5;
/// Bits of a count of events.
const EVENT_BITS: u32 = 64;

/// What a design is made from.
pub struct Parts<'a> {
    /// Name of the program.
    pub program: &'a str,
    /// What it computes.
    pub lowering: &'a Lowering<'a>,
    /// When.
    pub schedule: &'a Schedule,
    /// What leaves the pipeline.
    pub outcome: &'a Outcome,
    /// Tables by position; `None` for those not applied.
    pub tables: &'a [Option<Implementation>],
    /// Width and shape.
    pub options: &'a EmitOptions,
    /// Where in the program something stands.
    pub places: Places<'a>,
}

/// An object's module as it is instantiated in the pipeline.
struct Instance {
    module: String,
    name: String,
    /// Ports beside the clock and the control bus.
    ports: Vec<(String, String)>,
    object: usize,
}

/// Writes a design.
pub fn design(parts: &Parts<'_>) -> Design {
    let mut writer = Writer {
        parts,
        top: identifier(parts.program),
        stages: Stages::new(parts.lowering, parts.schedule, parts.places, parts.outcome),
        names: Names::default(),
        files: Vec::new(),
        objects: Vec::new(),
        instances: Vec::new(),
        unused: String::new(),
        counts: false,
        digests: false,
    };
    writer.globals();
    writer.tables();
    writer.arrays();
    writer.counters();
    writer.messages();
    let pipeline = writer.pipeline();
    let top = writer.top();
    let name = writer.top.clone();
    let Writer { mut files, objects, .. } = writer;
    files.push(SourceFile { name: format!("{name}_pipeline.sv"), text: pipeline });
    files.push(SourceFile { name: format!("{name}.sv"), text: top });
    let manifest = Manifest {
        program: parts.program.to_owned(),
        width: parts.options.width,
        shape: "wire".to_owned(),
        ports: 1,
        initiation_interval: 1,
        reenters: false,
        objects,
    };
    Design { top: name, files, manifest }
}

struct Writer<'a> {
    parts: &'a Parts<'a>,
    top: String,
    stages: Stages<'a>,
    names: Names,
    files: Vec<SourceFile>,
    objects: Vec<Object>,
    instances: Vec<Instance>,
    /// Signals that take what nobody reads.
    unused: String,
    counts: bool,
    digests: bool,
}

impl Writer<'_> {
    /// Packets that can be between the head and the deparser.
    fn in_flight(&self) -> u32 {
        (self.parts.schedule.last + 10).next_power_of_two()
    }

    fn module(&mut self, kind: &str, name: &str) -> (String, String) {
        let name = self.names.fresh(&format!("{kind}_{}", identifier(name)));
        (format!("{}_{name}", self.top), name)
    }

    /// The signal of a unit's output.
    fn output(&mut self, unit: usize, n: u32, width: u32) -> String {
        match self.stages.output(unit, n) {
            Some(signal) => signal,
            None => self.unused(width),
        }
    }

    /// A signal for what nobody reads.
    fn unused(&mut self, width: u32) -> String {
        let name = self.names.fresh("unused_output");
        declare(&mut self.unused, width, &name);
        name
    }

    fn file(&mut self, module: &str, about: &str, text: &str) {
        let head = format!("// {about}\n// Made by Wirewright from {}.\n", self.parts.program);
        self.files.push(SourceFile { name: format!("{module}.sv"), text: head + text });
    }

    fn globals(&mut self) {
        let object =
            Object { name: "globals".into(), row_bits: EVENT_BITS, kind: ObjectKind::Globals };
        self.objects.push(object);
    }

    fn tables(&mut self) {
        for n in 0..self.parts.tables.len() {
            let Some(implementation) = &self.parts.tables[n] else { continue };
            let table = &self.parts.lowering.pipeline.tables[n];
            let object = self.objects.len();
            let (module, name) = self.module("table", &table.name);
            let default = default_data(implementation, table);
            let text = objects::table(&module, object, implementation, &default);
            self.file(&module, &format!("Table `{}`.", table.name), &text);
            self.objects.push(Object {
                name: table.name.to_string(),
                row_bits: implementation.row_bits.max(implementation.object.data_bits),
                kind: ObjectKind::Table(implementation.object.clone()),
            });
            let mut ports = Vec::new();
            for unit in self.stages.units(|kind| matches!(kind, UnitKind::Lookup(t, _) if t as usize == n))
            {
                let UnitKind::Lookup(_, copy) = self.parts.lowering.graph.units[unit].kind else {
                    continue;
                };
                if implementation.object.implementation != "none" {
                    let (key, clock) = self.stages.input(unit, 0);
                    ports.push((format!("lookup_valid_{copy}"), format!("valid[{clock}]")));
                    ports.push((format!("lookup_key_{copy}"), key));
                }
                for (k, port) in ["hit", "data", "row"].iter().enumerate() {
                    let width = self.parts.lowering.graph.units[unit].outputs[k];
                    let signal = self.output(unit, k as u32, width);
                    ports.push((format!("{port}_{copy}"), signal));
                }
            }
            for copy in 0..implementation.object.copies {
                if ports.iter().any(|(port, _)| *port == format!("hit_{copy}")) {
                    continue;
                }
                // Nothing reads this copy's result.
                if implementation.object.implementation != "none" {
                    ports.push((format!("lookup_valid_{copy}"), "1'b0".into()));
                    ports.push((format!("lookup_key_{copy}"), "'0".into()));
                }
                let widths = [1, implementation.object.data_bits, 32];
                for (port, width) in ["hit", "data", "row"].iter().zip(widths) {
                    let signal = self.unused(width);
                    ports.push((format!("{port}_{copy}"), signal));
                }
            }
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    fn arrays(&mut self) {
        for n in 0..self.parts.lowering.arrays.len() {
            let array = self.parts.lowering.arrays[n].clone();
            if array.width == 0 {
                continue;
            }
            let is = |kind: UnitKind| match kind {
                UnitKind::Read(a, _) | UnitKind::Write(a, _) => a as usize == n,
                _ => false,
            };
            let units = self.stages.units(is);
            let instance = &self.parts.lowering.pipeline[array.object];
            let object = self.objects.len();
            let (module, name) = self.module("register", &instance.name);
            let writes = units.iter().any(|u| {
                matches!(self.parts.lowering.graph.units[*u].kind, UnitKind::Write(..))
            });
            let single = array.ports.len() == 1;
            let text = if single {
                objects::register(&module, object, &array, writes)
            } else {
                objects::register_file(&module, object, &array)
            };
            self.file(&module, &format!("Register array `{}`.", instance.name), &text);
            self.objects.push(Object {
                name: instance.name.to_string(),
                row_bits: array.width,
                kind: ObjectKind::Register { width: array.width, size: array.size },
            });
            let ports = self.array_ports(&array, &units, single);
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    fn array_ports(
        &mut self,
        array: &Array,
        units: &[usize],
        single: bool,
    ) -> Vec<(String, String)> {
        let graph = &self.parts.lowering.graph;
        let index = objects::index_bits(array.size.max(1));
        let mut ports = Vec::new();
        for unit in units {
            let input = |this: &mut Self, n: usize| this.stages.input(*unit, n);
            match graph.units[*unit].kind {
                UnitKind::Read(_, port) => {
                    let (at, clock) = input(self, 0);
                    let suffix = if single { String::new() } else { format!("_{port}") };
                    if single {
                        ports.push(("read_valid".into(), format!("valid[{clock}]")));
                    }
                    ports.push((format!("read_index{suffix}"), format!("{index}'({at})")));
                    let output = self.output(*unit, 0, array.width);
                    ports.push((format!("read_data{suffix}"), output));
                }
                UnitKind::Write(_, store) => {
                    let (enable, clock) = input(self, 0);
                    let valid = format!("valid[{clock}] && {enable}");
                    let (at, _) = input(self, 1);
                    let (value, _) = input(self, 2);
                    if single {
                        ports.push(("write_valid".into(), valid));
                        ports.push(("write_data".into(), value));
                    } else {
                        ports.push((format!("write_valid_{store}"), valid));
                        ports.push((format!("write_index_{store}"), format!("{index}'({at})")));
                        ports.push((format!("write_data_{store}"), value));
                    }
                }
                _ => {}
            }
        }
        let given = |ports: &[(String, String)], name: &str| ports.iter().any(|(p, _)| p == name);
        if single {
            if !given(&ports, "read_valid") {
                ports.push(("read_valid".into(), "1'b0".into()));
                ports.push(("read_index".into(), "'0".into()));
                let unused = self.unused(array.width);
                ports.push(("read_data".into(), unused));
            }
        } else {
            for n in 0..array.ports.len() {
                if !given(&ports, &format!("read_index_{n}")) {
                    ports.push((format!("read_index_{n}"), "'0".into()));
                    let unused = self.unused(array.width);
                    ports.push((format!("read_data_{n}"), unused));
                }
            }
            for n in 0..array.writes.len() {
                if !given(&ports, &format!("write_valid_{n}")) {
                    ports.push((format!("write_valid_{n}"), "1'b0".into()));
                    ports.push((format!("write_index_{n}"), "'0".into()));
                    ports.push((format!("write_data_{n}"), "'0".into()));
                }
            }
        }
        ports
    }

    fn counters(&mut self) {
        for n in 0..self.parts.lowering.counters.len() {
            let counter = self.parts.lowering.counters[n].clone();
            let is = |kind: UnitKind| matches!(kind, UnitKind::Count(c, _) if c as usize == n);
            let units = self.stages.units(is);
            let instance = &self.parts.lowering.pipeline[counter.object];
            let (size, table) = match &counter.owner {
                Owner::Own(size) => (*size, None),
                Owner::Table(table) => {
                    let entries = self.parts.tables.iter().zip(&self.parts.lowering.pipeline.tables);
                    let found = entries.filter(|(_, t)| *t.name == **table).find_map(|(i, _)| i.as_ref());
                    let rows = found.map_or(1, |i| match i.object.implementation.as_str() {
                        "direct" => 1 << i.object.key_bits,
                        _ => i.object.entries,
                    });
                    (rows, Some(table.to_string()))
                }
            };
            let object = self.objects.len();
            let (module, name) = self.module("counter", &instance.name);
            let lanes = units.len().max(1);
            let text = objects::counter(&module, object, size, lanes, self.in_flight() + 8);
            self.file(&module, &format!("Counter array `{}`.", instance.name), &text);
            let kind = ObjectKind::Counter { size, table };
            self.objects.push(Object { name: instance.name.to_string(), row_bits: 128, kind });
            let index = objects::index_bits(size.max(1));
            let mut ports = Vec::new();
            for (lane, unit) in units.iter().enumerate() {
                let (enable, clock) = self.stages.input(*unit, 0);
                let (at, _) = self.stages.input(*unit, 1);
                ports.push((format!("packet_{lane}"), format!("valid[{clock}]")));
                ports.push((format!("enable_{lane}"), enable));
                ports.push((format!("index_{lane}"), format!("{index}'({at})")));
            }
            if units.is_empty() {
                ports.push(("packet_0".into(), "1'b0".into()));
                ports.push(("enable_0".into(), "1'b0".into()));
                ports.push(("index_0".into(), "'0".into()));
                ports.push(("end_valid".into(), "1'b0".into()));
                ports.push(("end_bytes".into(), "'0".into()));
            } else {
                self.counts = true;
                ports.push(("end_valid".into(), "end_valid".into()));
                ports.push(("end_bytes".into(), "end_bytes".into()));
            }
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    fn messages(&mut self) {
        let units = self.stages.units(|kind| matches!(kind, UnitKind::Digest(_)));
        if units.is_empty() {
            return;
        }
        self.digests = true;
        let mut widths = Vec::new();
        let mut layouts = Vec::new();
        let mut ports = Vec::new();
        for (n, unit) in units.iter().enumerate() {
            let UnitKind::Digest(which) = self.parts.lowering.graph.units[*unit].kind else {
                continue;
            };
            let message = &self.parts.lowering.digests[which as usize];
            widths.push(self.parts.lowering.graph.width(message.data));
            layouts.push(DigestLayout { name: message.name.clone(), fields: message.fields.clone() });
            let (enable, clock) = self.stages.input(*unit, 0);
            ports.push((format!("valid_{n}"), format!("valid[{clock}] && {enable}")));
            let (receiver, _) = self.stages.input(*unit, 1);
            ports.push((format!("receiver_{n}"), receiver));
            let (data, _) = self.stages.input(*unit, 2);
            ports.push((format!("data_{n}"), data));
        }
        ports.push(("lost".into(), "digest_lost".into()));
        let object = self.objects.len();
        let (module, name) = self.module("digests", "");
        let (text, row_bits) = objects::digests(&module, object, &widths, DIGEST_DEPTH);
        self.file(&module, "Messages to the control plane.", &text);
        let kind = ObjectKind::Digests { layouts, depth: DIGEST_DEPTH };
        self.objects.push(Object { name: "digests".into(), row_bits, kind });
        self.instances.push(Instance { module, name, ports, object });
    }

    /// The pipeline's module.
    fn pipeline(&mut self) -> String {
        let (last, outcome) = (self.parts.schedule.last, self.parts.outcome);
        let stages = self.stages.write();
        let head_bits = (self.parts.lowering.head_bytes * 8).max(8);
        let header_bytes = outcome.deparsed.bytes.len().max(1);
        let mut text = format!(
            "// The stages of a packet. Made by Wirewright from {program}.
//
// Names are the program's; `name__s5` is `name` in stage 5, five clocks behind the token.
module {top}_pipeline (
    input  logic clk,
    input  logic rst,
    // A packet begins its way; never held back.
    input  logic token_valid,
    // Its first bytes, the first in the highest bits.
    input  logic [{head_top}:0] head,
",
            program = self.parts.program,
            top = self.top,
            head_top = head_bits - 1,
        );
        for (name, width) in [("length", 16), ("port", 16), ("arrival_time", 48)] {
            let _ = writeln!(text, "    input  logic [{}:0] {name},", width - 1);
        }
        if self.counts {
            text.push_str("    // The end of a packet, and its bytes.\n");
            text.push_str("    input  logic end_valid,\n    input  logic [15:0] end_bytes,\n");
        }
        if self.digests {
            text.push_str("    output logic digest_lost,\n");
        }
        let _ = write!(
            text,
            "    // {clocks} clocks later: what becomes of the packet.
    output logic out_valid,
    output logic out_drop,
    output logic [15:0] out_port,
    output logic [15:0] out_limit,
    output logic [15:0] out_length,
    output logic [15:0] out_skip,
    // Its new headers, the first byte in the low byte.
    output logic [{header_top}:0] out_header,
    // Control bus: held until cfg_ready.
    input  logic        cfg_valid,
    input  logic        cfg_write,
    input  logic [11:0] cfg_object,
    input  logic [11:0] cfg_address,
    input  logic [31:0] cfg_wdata,
    output logic        cfg_ready,
    output logic [31:0] cfg_rdata
);
    // The stages that hold a packet.
    logic [{next}:0] valid;
    logic [{last}:0] held;

    assign valid = {{held, token_valid}};
    always_ff @(posedge clk) begin
        if (rst) held <= '0;
        else held <= valid[{last}:0];
    end
    assign out_valid = held[{last}];

",
            clocks = last + 1,
            next = last + 1,
            header_top = header_bytes * 8 - 1,
        );
        text.push_str(&stages);
        text.push_str("\n    always_ff @(posedge clk) begin\n");
        let root = |this: &mut Self, id| this.stages.at(id, last).text;
        for (name, id) in [
            ("out_drop", outcome.drop),
            ("out_port", outcome.port),
            ("out_limit", outcome.limit),
            ("out_length", outcome.deparsed.length),
            ("out_skip", outcome.deparsed.skip),
        ] {
            let value = root(self, id);
            let _ = writeln!(text, "        {name} <= {value};");
        }
        for (n, byte) in outcome.deparsed.bytes.iter().enumerate() {
            let value = root(self, *byte);
            let _ = writeln!(text, "        out_header[{}:{}] <= {value};", n * 8 + 7, n * 8);
        }
        if outcome.deparsed.bytes.is_empty() {
            text.push_str("        out_header <= '0;\n");
        }
        text.push_str("    end\n\n");
        self.instances(&mut text);
        let mut unread: Vec<&str> = vec!["head", "length", "port", "arrival_time", "cfg_object"];
        if self.instances.is_empty() {
            unread.extend(["cfg_valid", "cfg_write", "cfg_address", "cfg_wdata"]);
        }
        let _ = writeln!(
            text,
            "    logic unused_inputs;\n    assign unused_inputs = &{{{}, valid, 1'b0}};\nendmodule",
            unread.join(", ")
        );
        text
    }

    fn instances(&self, text: &mut String) {
        text.push_str("    // ---- Tables and state\n");
        let count = self.objects.len();
        let _ = writeln!(text, "    logic [{}:0] ready;\n    logic [31:0] rdata [{count}];", count - 1);
        let _ = writeln!(text, "    assign ready[0] = 1'b0;\n    assign rdata[0] = 32'd0;\n");
        text.push_str(&self.unused);
        for instance in &self.instances {
            let _ = writeln!(text, "    {} {} (\n        .clk, .rst,", instance.module, instance.name);
            for (port, signal) in &instance.ports {
                let _ = writeln!(text, "        .{port}({signal}),");
            }
            let n = instance.object;
            let _ = writeln!(
                text,
                "        .cfg_valid(cfg_valid && cfg_object == 12'd{n}), .cfg_write, .cfg_address, .cfg_wdata,
        .cfg_ready(ready[{n}]), .cfg_rdata(rdata[{n}])
    );
"
            );
        }
        let _ = writeln!(
            text,
            "    assign cfg_ready = |ready;
    always_comb begin
        cfg_rdata = '0;
        for (int n = 0; n < {count}; n++) begin
            if (ready[n]) cfg_rdata = cfg_rdata | rdata[n];
        end
    end
"
        );
    }

    /// The top: head, pipeline, deparser, and the control bus.
    fn top(&self) -> String {
        let width = self.parts.options.width;
        let (program, top) = (self.parts.program, &self.top);
        let lowering = self.parts.lowering;
        let head_bytes = lowering.head_bytes.max(1);
        let header_bytes = self.parts.outcome.deparsed.bytes.len().max(1);
        let depth = self.in_flight();
        // Beats that come in while a packet is on its way, and those of the longest head.
        let beats = (u64::from(depth) + head_bytes * 8 / u64::from(width) + 8).next_power_of_two();
        let beats = if lowering.reads_length { beats.max(u64::from(9216 * 8 / width)) } else { beats };
        let objects = self.objects.len();
        let whole = u32::from(lowering.reads_length);
        let ends = if self.counts { ".end_valid(end_valid), .end_bytes(end_bytes)," } else { "" };
        let lost = if self.digests { ".digest_lost(digest_lost)," } else { "" };
        let lost_default =
            if self.digests { "" } else { "    assign digest_lost = 1'b0;\n" };
        TOP.replace("@PROGRAM@", program)
            .replace("@TOP@", top)
            .replace("@WIDTH@", &width.to_string())
            .replace("@HEAD_BYTES@", &head_bytes.to_string())
            .replace("@HEADER_BYTES@", &header_bytes.to_string())
            .replace("@DEPTH@", &depth.to_string())
            .replace("@BEATS@", &beats.to_string())
            .replace("@OBJECTS@", &objects.to_string())
            .replace("@WHOLE@", &whole.to_string())
            .replace("@EVENTS@", &EVENTS.to_string())
            .replace("@ENDS@", ends)
            .replace("@LOST@", lost)
            .replace("@LOST_DEFAULT@", lost_default)
    }
}

/// The default action of the program as the row of a table's memory 15.
fn default_data(implementation: &Implementation, table: &Table) -> BigUint {
    let call = &table.default_action;
    let mut data = BigUint::from(call.action);
    let layout = implementation.object.actions.get(call.action as usize);
    for (parameter, value) in layout.iter().flat_map(|l| &l.parameters).zip(&call.arguments) {
        data |= value << parameter.offset;
    }
    data
}

/// The top with places for what differs.
const TOP: &str = include_str!("top.sv.in");
