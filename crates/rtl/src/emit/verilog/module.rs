//! The module of a section: its stages, and the tables and state that they use.

use super::super::dataflow::schedule::Schedule;
use super::super::dataflow::{UnitKind, ValueId};
use super::super::implementation::Implementation;
use super::super::lower::{Array, Lowering, Owner, call_data};
use super::names::{Names, identifier};
use super::pipeline::{Places, Stages, declare};
use super::value_set::value_set;
use super::{objects, tables};
use crate::design::SourceFile;
use crate::manifest::{DigestLayout, Object, ObjectKind};
use std::fmt::Write;

/// Messages to the control plane that wait.
const DIGEST_DEPTH: u32 = 64;

/// A section with its schedule.
pub struct Section<'a> {
    /// What it computes.
    pub lowering: &'a Lowering<'a>,
    /// When.
    pub schedule: &'a Schedule,
    /// Tables by position; `None` for those not applied.
    pub tables: &'a [Option<Implementation>],
    /// What leaves it: name of the port, value, and its bits.
    pub outputs: Vec<(String, ValueId)>,
}

/// What all modules of a design have in common.
pub struct Shared<'a> {
    /// Name of the program.
    pub program: &'a str,
    /// Name of the top module.
    pub top: String,
    /// Where in the program something stands.
    pub places: Places<'a>,
    /// Names of modules.
    pub names: Names,
    /// Files so far.
    pub files: Vec<SourceFile>,
    /// Objects so far.
    pub objects: Vec<Object>,
}

/// What a section's module needs from around it.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// Inputs beside the head: names of ports, names in the graph and widths.
    pub inputs: Vec<(String, String, u32)>,
    /// Outputs: names and widths.
    pub outputs: Vec<(String, u32)>,
    /// Whether it counts, and so wants to know of the ends of packets.
    pub counts: bool,
    /// Whether it sends messages.
    pub digests: bool,
    /// Clocks from the token to the outputs.
    pub latency: u32,
    /// Whether it reads the packet's head.
    pub head: bool,
}

/// An object's module as it is instantiated.
struct Instance {
    module: String,
    name: String,
    /// Ports beside the clock and the control bus.
    ports: Vec<(String, String)>,
    object: usize,
}

/// Writes the module `<top>_<name>` of a section; packets that end while `in_flight` tokens are
/// inside are counted.
pub fn write(shared: &mut Shared<'_>, name: &str, section: &Section<'_>, in_flight: u32) -> Needs {
    let outputs = section.outputs.iter().map(|(_, value)| *value);
    let roots: Vec<ValueId> = outputs.chain(section.lowering.alive.iter().copied()).collect();
    let stages = Stages::new(section.lowering, section.schedule, shared.places, &roots);
    let mut writer = Writer {
        shared,
        section,
        stages,
        names: Names::default(),
        instances: Vec::new(),
        modules: String::new(),
        unused: String::new(),
        needs: Needs { latency: section.schedule.last + 1, ..Needs::default() },
        in_flight,
    };
    writer.tables();
    writer.value_sets();
    writer.arrays();
    writer.counters();
    writer.meters();
    writer.messages();
    writer.modules();
    writer.module(name);
    writer.needs
}

struct Writer<'a, 's> {
    shared: &'s mut Shared<'a>,
    section: &'s Section<'s>,
    stages: Stages<'s>,
    names: Names,
    instances: Vec<Instance>,
    /// Instances of the user's modules.
    modules: String,
    /// Signals that take what nobody reads.
    unused: String,
    needs: Needs,
    in_flight: u32,
}

impl Writer<'_, '_> {
    fn named(&mut self, kind: &str, name: &str) -> (String, String) {
        let name = self.shared.names.fresh(&format!("{kind}_{}", identifier(name)));
        (format!("{}_{name}", self.shared.top), name)
    }

    fn file(&mut self, module: &str, about: &str, text: &str) {
        let head = format!("// {about}\n// Made by Wirewright from {}.\n", self.shared.program);
        let name = format!("{module}.sv");
        self.shared.files.push(SourceFile { name, text: head + text });
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

    fn tables(&mut self) {
        for n in 0..self.section.tables.len() {
            let Some(implementation) = &self.section.tables[n] else { continue };
            let table = &self.section.lowering.pipeline.tables[n];
            let object = self.shared.objects.len();
            let (module, name) = self.named("table", &table.name);
            let lowering = self.section.lowering;
            let layout = lowering.data_layout(table);
            let default = call_data(lowering.pipeline, table, &table.default_action, layout);
            let text = tables::table(&module, object, implementation, &default);
            self.file(&module, &format!("Table `{}`.", table.name), &text);
            self.shared.objects.push(Object {
                name: table.name.to_string(),
                row_bits: implementation.widest_row(),
                kind: ObjectKind::Table(implementation.object.clone()),
            });
            let ports = self.table_ports(n, implementation);
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    fn table_ports(&mut self, n: usize, table: &Implementation) -> Vec<(String, String)> {
        let has_keys = table.object.has_entries();
        let mut ports = Vec::new();
        let is = |kind: UnitKind| matches!(kind, UnitKind::Lookup(t, _) if t as usize == n);
        let units = self.stages.units(is);
        for copy in 0..table.object.copies {
            let graph = &self.section.lowering.graph;
            let unit = units.iter().copied().find(
                |unit| matches!(graph.units[*unit].kind, UnitKind::Lookup(_, c) if c == copy),
            );
            let selects = table.object.selector.is_some();
            let inputs = has_keys.then_some("key").into_iter().chain(selects.then_some("hash"));
            for (k, port) in inputs.enumerate() {
                let (valid, value) = match unit {
                    Some(unit) => {
                        let (value, clock) = self.stages.input(unit, k);
                        (format!("valid[{clock}]"), value)
                    }
                    // Nothing reads this copy's result.
                    None => ("1'b0".to_owned(), "'0".to_owned()),
                };
                if k == 0 {
                    ports.push((format!("lookup_valid_{copy}"), valid));
                }
                ports.push((format!("lookup_{port}_{copy}"), value));
            }
            let widths = [1, table.result_bits(), 32];
            for (k, (port, width)) in ["hit", "data", "row"].iter().zip(widths).enumerate() {
                let signal = match unit {
                    Some(unit) => self.output(unit, k as u32, width),
                    None => self.unused(width),
                };
                ports.push((format!("{port}_{copy}"), signal));
            }
        }
        ports
    }

    fn value_sets(&mut self) {
        let lowering = self.section.lowering;
        for (n, set) in lowering.pipeline.value_sets.iter().enumerate() {
            let is = |kind: UnitKind| matches!(kind, UnitKind::Member(s, _) if s as usize == n);
            let units = self.stages.units(is);
            if units.is_empty() {
                continue;
            }
            let object = self.shared.objects.len();
            let (module, name) = self.named("value_set", &set.name);
            let key = set.widths.iter().sum();
            let (text, row_bits) = value_set(&module, object, key, set.size, units.len());
            self.file(&module, &format!("Value set `{}`.", set.name), &text);
            let kind = ObjectKind::ValueSet { widths: set.widths.clone(), size: set.size };
            self.shared.objects.push(Object { name: set.name.to_string(), row_bits, kind });
            let mut ports = Vec::new();
            for (port, unit) in units.into_iter().enumerate() {
                ports.push((format!("key_{port}"), self.stages.input(unit, 0).0));
                ports.push((format!("hit_{port}"), self.output(unit, 0, 1)));
            }
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    fn arrays(&mut self) {
        for n in 0..self.section.lowering.arrays.len() {
            let array = self.section.lowering.arrays[n].clone();
            if array.width == 0 {
                continue;
            }
            let is = |kind: UnitKind| match kind {
                UnitKind::Read(a, _) | UnitKind::Write(a, _) => a as usize == n,
                _ => false,
            };
            let units = self.stages.units(is);
            let instance = &self.section.lowering.pipeline[array.object];
            let object = self.shared.objects.len();
            let (module, name) = self.named("register", &instance.name);
            let graph = &self.section.lowering.graph;
            let writes = units.iter().any(|u| matches!(graph.units[*u].kind, UnitKind::Write(..)));
            let single = array.ports.len() == 1;
            let text = if single {
                objects::register(&module, object, &array, writes)
            } else {
                objects::register_file(&module, object, &array)
            };
            self.file(&module, &format!("Register array `{}`.", instance.name), &text);
            self.shared.objects.push(Object {
                name: instance.name.to_string(),
                row_bits: array.width,
                kind: ObjectKind::Register { width: array.width, size: array.size },
            });
            let mut ports = Vec::new();
            for unit in &units {
                self.access(*unit, &array, single, &mut ports);
            }
            self.idle_accesses(&array, single, &mut ports);
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    /// Ports of one access to a register array.
    fn access(
        &mut self,
        unit: usize,
        array: &Array,
        single: bool,
        ports: &mut Vec<(String, String)>,
    ) {
        let index = objects::index_bits(array.size.max(1));
        match self.section.lowering.graph.units[unit].kind {
            UnitKind::Read(_, port) => {
                let (at, clock) = self.stages.input(unit, 0);
                let suffix = if single { String::new() } else { format!("_{port}") };
                if single {
                    ports.push(("read_valid".into(), format!("valid[{clock}]")));
                }
                ports.push((format!("read_index{suffix}"), format!("{index}'({at})")));
                let output = self.output(unit, 0, array.width);
                ports.push((format!("read_data{suffix}"), output));
            }
            UnitKind::Write(_, store) => {
                let (enable, clock) = self.stages.input(unit, 0);
                let valid = format!("valid[{clock}] && {enable}");
                let (at, _) = self.stages.input(unit, 1);
                let (value, _) = self.stages.input(unit, 2);
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

    /// Ports of accesses whose results nobody needs.
    fn idle_accesses(&mut self, array: &Array, single: bool, ports: &mut Vec<(String, String)>) {
        let given = |ports: &[(String, String)], name: &str| ports.iter().any(|(p, _)| p == name);
        if single {
            if !given(ports, "read_valid") {
                let unused = self.unused(array.width);
                ports.push(("read_valid".into(), "1'b0".into()));
                ports.push(("read_index".into(), "'0".into()));
                ports.push(("read_data".into(), unused));
            }
            return;
        }
        for n in 0..array.ports.len() {
            if !given(ports, &format!("read_index_{n}")) {
                let unused = self.unused(array.width);
                ports.push((format!("read_index_{n}"), "'0".into()));
                ports.push((format!("read_data_{n}"), unused));
            }
        }
        for n in 0..array.writes.len() {
            if !given(ports, &format!("write_valid_{n}")) {
                ports.push((format!("write_valid_{n}"), "1'b0".into()));
                ports.push((format!("write_index_{n}"), "'0".into()));
                ports.push((format!("write_data_{n}"), "'0".into()));
            }
        }
    }

    fn counters(&mut self) {
        for n in 0..self.section.lowering.counters.len() {
            let counter = self.section.lowering.counters[n].clone();
            let is = |kind: UnitKind| matches!(kind, UnitKind::Count(c, _) if c as usize == n);
            let units = self.stages.units(is);
            let instance = &self.section.lowering.pipeline[counter.object];
            let (size, table) = match &counter.owner {
                Owner::Own(size) => (*size, None),
                Owner::Table(table) => (self.rows_of(table), Some(table.to_string())),
            };
            let object = self.shared.objects.len();
            let (module, name) = self.named("counter", &instance.name);
            let lanes = units.len().max(1);
            let text = objects::counter(&module, object, size, lanes, self.in_flight + 8);
            self.file(&module, &format!("Counter array `{}`.", instance.name), &text);
            let kind = ObjectKind::Counter { size, table };
            self.shared.objects.push(Object {
                name: instance.name.to_string(),
                row_bits: 128,
                kind,
            });
            let index = objects::index_bits(size.max(1));
            let mut ports = Vec::new();
            for (lane, unit) in units.iter().enumerate() {
                let (enable, clock) = self.stages.input(*unit, 0);
                let (at, _) = self.stages.input(*unit, 1);
                ports.push((format!("packet_{lane}"), format!("valid[{clock}]")));
                ports.push((format!("enable_{lane}"), enable));
                ports.push((format!("index_{lane}"), format!("{index}'({at})")));
            }
            let (valid, bytes) = if units.is_empty() {
                ports.push(("packet_0".into(), "1'b0".into()));
                ports.push(("enable_0".into(), "1'b0".into()));
                ports.push(("index_0".into(), "'0".into()));
                ("1'b0", "'0")
            } else {
                self.needs.counts = true;
                ("end_valid", "end_bytes")
            };
            ports.push(("end_valid".into(), valid.into()));
            ports.push(("end_bytes".into(), bytes.into()));
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    fn meters(&mut self) {
        for n in 0..self.section.lowering.meters.len() {
            let meter = self.section.lowering.meters[n].clone();
            let is = |kind: UnitKind| matches!(kind, UnitKind::Meter(m) if m as usize == n);
            let units = self.stages.units(is);
            let instance = &self.section.lowering.pipeline[meter.object];
            let (size, table) = match &meter.owner {
                Owner::Own(size) => (*size, None),
                Owner::Table(table) => (self.rows_of(table), Some(table.to_string())),
            };
            let object = self.shared.objects.len();
            let (module, name) = self.named("meter", &instance.name);
            let (text, row_bits) = objects::meter(&module, object, size);
            self.file(&module, &format!("Meter array `{}`.", instance.name), &text);
            let kind = ObjectKind::Meter { size, bytes: meter.bytes, table };
            self.shared.objects.push(Object { name: instance.name.to_string(), row_bits, kind });
            let index = objects::index_bits(size.max(1));
            let ports: Vec<(String, String)> = match units.first().copied() {
                Some(unit) => {
                    let (enable, clock) = self.stages.input(unit, 0);
                    let mut ports =
                        vec![("execute_valid".into(), format!("valid[{clock}] && {enable}"))];
                    let (at, _) = self.stages.input(unit, 1);
                    ports.push(("execute_index".into(), format!("{index}'({at})")));
                    ports.push(("execute_units".into(), self.stages.input(unit, 2).0));
                    ports.push(("execute_time".into(), self.stages.input(unit, 3).0));
                    ports.push(("colour".into(), self.output(unit, 0, 2)));
                    ports
                }
                // Nobody looks at the colour.
                None => {
                    let colour = self.unused(2);
                    let idle = ["execute_index", "execute_units", "execute_time"];
                    let mut ports: Vec<(String, String)> =
                        idle.iter().map(|port| ((*port).into(), "'0".into())).collect();
                    ports.push(("execute_valid".into(), "1'b0".into()));
                    ports.push(("colour".into(), colour));
                    ports
                }
            };
            self.instances.push(Instance { module, name, ports, object });
        }
    }

    /// Rows that a table's entries can be in.
    fn rows_of(&self, table: &str) -> u64 {
        let tables = self.section.tables.iter().zip(&self.section.lowering.pipeline.tables);
        let found = tables.filter(|(_, t)| *t.name == *table).find_map(|(i, _)| i.as_ref());
        found.map_or(1, |i| match i.object.implementation.as_str() {
            "direct" => 1 << i.object.key_bits,
            _ => i.object.entries,
        })
    }

    fn messages(&mut self) {
        let units = self.stages.units(|kind| matches!(kind, UnitKind::Digest(_)));
        if units.is_empty() {
            return;
        }
        self.needs.digests = true;
        let (mut widths, mut layouts, mut ports) = (Vec::new(), Vec::new(), Vec::new());
        for (n, unit) in units.iter().enumerate() {
            let UnitKind::Digest(which) = self.section.lowering.graph.units[*unit].kind else {
                continue;
            };
            let message = &self.section.lowering.digests[which as usize];
            widths.push(self.section.lowering.graph.width(message.data));
            layouts
                .push(DigestLayout { name: message.name.clone(), fields: message.fields.clone() });
            let (enable, clock) = self.stages.input(*unit, 0);
            ports.push((format!("valid_{n}"), format!("valid[{clock}] && {enable}")));
            let (receiver, _) = self.stages.input(*unit, 1);
            ports.push((format!("receiver_{n}"), receiver));
            let (data, _) = self.stages.input(*unit, 2);
            ports.push((format!("data_{n}"), data));
        }
        ports.push(("lost".into(), "digest_lost".into()));
        let object = self.shared.objects.len();
        let (module, name) = self.named("digests", "");
        let (text, row_bits) = objects::digests(&module, object, &widths, DIGEST_DEPTH);
        self.file(&module, "Messages to the control plane.", &text);
        let kind = ObjectKind::Digests { layouts, depth: DIGEST_DEPTH };
        let name_of_object = self.shared.names.fresh("messages");
        self.shared.objects.push(Object { name: name_of_object, row_bits, kind });
        self.instances.push(Instance { module, name, ports, object });
    }

    /// Instances of the user's modules.
    fn modules(&mut self) {
        let units = self.stages.units(|kind| matches!(kind, UnitKind::Module(..)));
        for unit in units {
            let described = self.section.lowering.graph.units[unit].clone();
            let UnitKind::Module(which, _) = described.kind else { continue };
            let used = self.section.lowering.modules[which as usize].clone();
            let name = self.names.fresh(&format!("module_{}", used.function));
            let at =
                (self.shared.places)(used.span).map_or(String::new(), |at| format!(" // {at}"));
            let (enable, clock) = self.stages.input(unit, 0);
            let latency = used.module.latency;
            let mut ports = vec![format!("        .request_valid(valid[{clock}] && {enable})")];
            for (n, port) in used.inputs.iter().enumerate() {
                ports.push(format!("        .{port}({})", self.stages.input(unit, n + 1).0));
            }
            ports.push(format!("        // {latency} clocks later."));
            for (n, port) in used.outputs.iter().enumerate() {
                let signal = self.output(unit, n as u32, described.outputs[n]);
                ports.push(format!("        .{port}({signal})"));
            }
            let mut list = String::new();
            for (n, port) in ports.iter().enumerate() {
                let comma = if n + 1 == ports.len() || port.contains("//") { "" } else { "," };
                let _ = writeln!(list, "{port}{comma}");
            }
            let module = &used.module.name;
            let _ = writeln!(
                self.modules,
                "    {module} {name} ({at}\n        .clk, .rst,\n{list}    );\n"
            );
        }
    }

    /// The section's module.
    fn module(&mut self, name: &str) {
        let lowering = self.section.lowering;
        let graph = &lowering.graph;
        let last = self.section.schedule.last;
        let stages = self.stages.write();
        let live =
            |wanted: &dyn Fn(&super::super::dataflow::ValueKind) -> bool| {
                graph.values.iter().enumerate().any(|(n, value)| {
                    self.section.schedule.clocks[n].is_some() && wanted(&value.kind)
                })
            };
        use super::super::dataflow::ValueKind;
        self.needs.head = live(&|kind| matches!(kind, ValueKind::Head(_)));
        for (n, (input, width)) in graph.inputs.iter().enumerate() {
            if live(&|kind| *kind == ValueKind::Input(n as u32)) {
                let port = self.stages.input_name(n);
                self.needs.inputs.push((port, input.clone(), *width));
            }
        }
        for (output, value) in &self.section.outputs {
            self.needs.outputs.push((output.clone(), graph.width(*value)));
        }
        let module = format!("{}_{name}", self.shared.top);
        let mut text = format!(
            "// Stages of a packet: {name}. Made by Wirewright from {program}.
//
// Names are the program's; `name__s5` is `name` in stage 5, five clocks behind the token.
module {module} (
    input  logic clk,
    input  logic rst,
    // A packet begins its way; never held back.
    input  logic token_valid,
",
            program = self.shared.program,
        );
        if self.needs.head {
            let _ = writeln!(
                text,
                "    // Its first bytes, the first in the highest bits.\n    input  logic [{}:0] head,",
                lowering.head_bytes.max(1) * 8 - 1
            );
        }
        for (input, _, width) in &self.needs.inputs {
            let _ = writeln!(text, "    input  logic {}{input},", objects::range(*width));
        }
        if self.needs.counts {
            text.push_str("    // The end of a packet, and its bytes.\n");
            text.push_str("    input  logic end_valid,\n    input  logic [15:0] end_bytes,\n");
        }
        if self.needs.digests {
            text.push_str("    output logic digest_lost,\n");
        }
        let _ = writeln!(
            text,
            "    // {} clocks later: what becomes of the packet.\n    output logic out_valid,",
            last + 1
        );
        for (output, width) in &self.needs.outputs {
            let _ = writeln!(text, "    output logic {}{output},", objects::range(*width));
        }
        let _ = write!(
            text,
            "    // Control bus: held until cfg_ready.
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

    assign valid = rst ? '0 : {{held, token_valid}};
    always_ff @(posedge clk) begin
        if (rst) held <= '0;
        else held <= valid[{last}:0];
    end
    assign out_valid = held[{last}];

",
            next = last + 1,
        );
        text.push_str(&stages);
        text.push_str("\n    always_ff @(posedge clk) begin\n");
        for (output, value) in &self.section.outputs {
            let value = self.stages.at(*value, last).text;
            let _ = writeln!(text, "        {output} <= {value};");
        }
        text.push_str("    end\n\n");
        self.instances_text(&mut text);
        let mut unread: Vec<String> = vec!["cfg_object".into(), "valid".into()];
        if self.needs.head {
            unread.push("head".into());
        }
        unread.extend(self.needs.inputs.iter().map(|(port, ..)| port.clone()));
        if self.instances.is_empty() {
            let bus = ["cfg_valid", "cfg_write", "cfg_address", "cfg_wdata"];
            unread.extend(bus.map(str::to_owned));
        }
        let _ = writeln!(
            text,
            "    logic unused_inputs;\n    assign unused_inputs = &{{{}, 1'b0}};\nendmodule",
            unread.join(", ")
        );
        self.shared.files.push(SourceFile { name: format!("{module}.sv"), text });
    }

    fn instances_text(&self, text: &mut String) {
        text.push_str("    // ---- Tables and state\n");
        let count = self.instances.len().max(1);
        let _ =
            writeln!(text, "    logic [{}:0] ready;\n    logic [31:0] rdata [{count}];", count - 1);
        if self.instances.is_empty() {
            text.push_str("    assign ready[0] = 1'b0;\n    assign rdata[0] = 32'd0;\n");
        }
        text.push_str(&self.unused);
        text.push_str(&self.modules);
        for (n, instance) in self.instances.iter().enumerate() {
            let _ =
                writeln!(text, "    {} {} (\n        .clk, .rst,", instance.module, instance.name);
            for (port, signal) in &instance.ports {
                let _ = writeln!(text, "        .{port}({signal}),");
            }
            let _ = writeln!(
                text,
                "        .cfg_valid(cfg_valid && cfg_object == 12'd{object}), .cfg_write, .cfg_address,
        .cfg_wdata, .cfg_ready(ready[{n}]), .cfg_rdata(rdata[{n}])
    );
",
                object = instance.object,
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
}
