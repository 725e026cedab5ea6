//! The design: sections, and the top module around them.

use super::module::{Needs, Section, Shared, write};
use super::names::{Names, identifier};
use super::pipeline::Places;
use super::switch;
use super::timing::{reads, timing};
use crate::design::{Design, SourceFile};
use crate::emit::dataflow::ValueId;
use crate::emit::dataflow::schedule::Schedule;
use crate::emit::implementation::Implementation;
use crate::emit::lower::{PACKET_NUMBER, PACKET_SUM};
use crate::emit::section::{Copies, Outcome, Sections};
use crate::emit::{EmitOptions, Shape};
use crate::manifest::{Manifest, Object, ObjectKind};
use std::fmt::Write;

/// Kinds of events that are counted: see [`ObjectKind::Globals`].
pub(super) const EVENTS: u32 = crate::manifest::PORT_ROWS;
/// Bits of a count of events.
const EVENT_BITS: u32 = 64;
/// Multicast groups, replicas, mirror sessions.
const GROUPS: u32 = 4096;
const REPLICAS: u32 = 4096;
const SESSIONS: u32 = 1024;
/// Longest packet that is stored.
const MAX_BYTES: u64 = 10_240;

pub(super) const PORTS: &str = include_str!("ports.sv.in");
pub(super) const CONTROL: &str = include_str!("control.sv.in");
const WIRE: &str = include_str!("wire.sv.in");
const COPIES: &str = include_str!("copies.sv.in");
const ARRIVAL: &str = include_str!("arrival.sv.in");
const META: &str = include_str!("meta.sv.in");
const ABOUT: &str = include_str!("about.sv.in");
const STREAMS: &str = include_str!("streams.sv.in");
const PACKET_LENGTHS: &str = include_str!("packet_lengths.sv.in");
const NUMBER: &str = include_str!("number.sv.in");

/// A section's schedule and its tables.
pub struct Timed {
    /// When.
    pub schedule: Schedule,
    /// Tables by position; `None` for those not applied.
    pub tables: Vec<Option<Implementation>>,
    /// What is needed at its end.
    pub roots: Vec<ValueId>,
}

/// What a design is made from.
pub struct Parts<'a> {
    /// Name of the program.
    pub program: &'a str,
    /// What it computes.
    pub sections: &'a Sections<'a>,
    /// The first section's schedule.
    pub front: &'a Timed,
    /// That of egress, in a program that makes copies.
    pub egress: Option<&'a Timed>,
    /// Width and shape.
    pub options: &'a EmitOptions,
    /// Where in the program something stands.
    pub places: Places<'a>,
}

/// Writes a design.
pub fn design(parts: &Parts<'_>) -> Design {
    let top = top_name(parts.program);
    let mut shared = Shared {
        program: parts.program,
        top: top.clone(),
        places: parts.places,
        names: Names::default(),
        files: Vec::new(),
        objects: vec![Object {
            name: "globals".into(),
            row_bits: EVENT_BITS,
            kind: ObjectKind::Globals,
        }],
    };
    let timing = timing(parts);
    let whole = !timing.store_and_forward.is_empty();
    let text = match (&parts.sections.copies, parts.egress, parts.options.shape) {
        (Some(copies), Some(egress), _) => with_copies(parts, &mut shared, copies, egress, whole),
        (_, _, Shape::Wire) => wire(parts, &mut shared, whole),
        (_, _, Shape::Switch { ports }) => switch::switch(parts, &mut shared, ports, whole),
    };
    let Shared { mut files, objects, .. } = shared;
    files.push(SourceFile { name: format!("{top}.sv"), text });
    let manifest = Manifest {
        program: parts.program.to_owned(),
        width: parts.options.width,
        shape: parts.options.shape.name().to_owned(),
        ports: parts.options.shape.ports(),
        initiation_interval: 1,
        reenters: parts.sections.copies.as_ref().is_some_and(|copies| copies.reenters),
        egress_clones: parts.sections.copies.as_ref().is_some_and(|copies| copies.clones),
        timing,
        objects,
    };
    Design { top, files, manifest }
}

/// Name of the top module: the program's, unless a signal in it is called so.
fn top_name(program: &str) -> String {
    let name = identifier(program);
    let words = PORTS.split(|c: char| !c.is_alphanumeric() && c != '_');
    let inside = [CONTROL, WIRE, COPIES, LENGTHS, STREAMS, PACKET_LENGTHS]
        .into_iter()
        .chain(switch::TEMPLATES)
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let taken = words.chain(inside).any(|word| word == name)
        || ["out_", "done_", "gate_", "ingress_", "egress_", "copy_"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
    if taken { format!("p4_{name}") } else { name }
}

/// Tokens that can be inside a section and behind it.
pub(super) fn depth(timed: &Timed) -> u32 {
    (timed.schedule.last + 10).next_power_of_two()
}

/// Events of a design with one stream, the first in the lowest bit.
const EVENT_LIST: &str = "1'b0, digest_lost, drop_valid,
                      m_axis_tvalid && m_axis_tready && m_axis_tlast,
                      s_axis_tvalid && s_axis_tready && s_axis_tlast";

/// Fills in what all tops have.
pub(super) fn fill(
    text: &str,
    parts: &Parts<'_>,
    shared: &Shared<'_>,
    whole: bool,
    header: usize,
) -> String {
    text.replace("@PORTS@", PORTS)
        .replace("@ABOUT@", ABOUT)
        .replace("@STREAMS@", STREAMS)
        .replace("@CONTROL@", CONTROL)
        .replace("@PACKET_LENGTHS@", PACKET_LENGTHS)
        .replace("@EVENT_LIST@", EVENT_LIST)
        .replace("@PROGRAM@", parts.program)
        .replace("@TOP@", &shared.top)
        .replace("@WIDTH@", &parts.options.width.to_string())
        .replace("@HEAD_BYTES@", &parts.sections.front.head_bytes.max(1).to_string())
        .replace("@HEADER_BYTES@", &header.to_string())
        .replace("@REGISTERED@", if parts.options.registered { "1" } else { "0" })
        .replace("@OBJECTS@", &shared.objects.len().to_string())
        .replace("@WHOLE@", if whole { "1" } else { "0" })
        .replace(
            "@SUM@",
            if reads(&parts.sections.front, parts.front, PACKET_SUM) { "1" } else { "0" },
        )
        .replace("@EVENTS@", &EVENTS.to_string())
}

/// Numbers packets, if the program asks for random numbers. Those that come back to the parser
/// ask for none.
pub(super) fn numbers(parts: &Parts<'_>) -> &'static str {
    if reads(&parts.sections.front, parts.front, PACKET_NUMBER) { NUMBER } else { "" }
}

/// Ports by which a section leaves through the deparser.
pub(super) fn deparser_outputs(outcome: &Outcome) -> Vec<(String, ValueId)> {
    let mut outputs = vec![
        ("out_drop".to_owned(), outcome.drop),
        ("out_port".to_owned(), outcome.port),
        ("out_limit".to_owned(), outcome.limit),
        ("out_length".to_owned(), outcome.deparsed.length),
        ("out_skip".to_owned(), outcome.deparsed.skip),
    ];
    // Byte by byte, the last one first: together they are the header with its first byte lowest.
    let bytes = outcome.deparsed.bytes.iter().enumerate().rev();
    outputs.extend(bytes.map(|(n, byte)| (format!("out_byte_{n}"), *byte)));
    outputs
}

pub(super) fn port_list(list: &[String]) -> String {
    list.join(", ")
}

/// How a section is connected.
pub(super) struct Connection<'c> {
    /// Name of the section.
    pub(super) name: &'c str,
    /// What it needs.
    pub(super) needs: &'c Needs,
    /// Signal with its token.
    pub(super) token: &'c str,
    /// Signals of its inputs.
    pub(super) inputs: &'c dyn Fn(&str) -> String,
    /// Prefix of its outputs' signals.
    pub(super) outputs: &'c str,
    /// Prefix of its control bus.
    pub(super) bus: &'c str,
}

/// An instance of a section.
pub(super) fn instance(shared: &Shared<'_>, connection: &Connection<'_>) -> String {
    let Connection { name, needs, token, inputs, outputs, bus } = connection;
    let mut text = format!(
        "    {top}_{name} {name}_i (\n        .clk, .rst, .token_valid({token}),\n",
        top = shared.top
    );
    if needs.head {
        text.push_str("        .head,\n");
    }
    for (port, input, _) in &needs.inputs {
        let _ = writeln!(text, "        .{port}({}),", inputs(input));
    }
    if needs.counts {
        let _ = writeln!(
            text,
            "        .end_valid({}), .end_bytes({}),",
            inputs("end_valid"),
            inputs("end_bytes")
        );
    }
    if needs.digests {
        let _ = writeln!(text, "        .digest_lost({name}_lost),");
    }
    let _ = writeln!(text, "        .out_valid({outputs}_valid),");
    for (output, _) in &needs.outputs {
        let _ = writeln!(text, "        .{output}({}),", renamed(output, outputs));
    }
    let _ = writeln!(
        text,
        "        .cfg_valid(bus_valid && bus_object != 12'd0), .cfg_write(bus_write),
        .cfg_object(bus_object), .cfg_address(bus_address), .cfg_wdata(bus_wdata),
        .cfg_ready({bus}_ready), .cfg_rdata({bus}_rdata)
    );"
    );
    text
}

/// Declarations of outputs under a prefix in place of `out`, and their widths together.
pub(super) fn signals(needs: &Needs, prefix: &str) -> (String, Vec<String>, u32) {
    let (mut text, mut names, mut width) = (String::new(), Vec::new(), 0);
    for (output, bits) in &needs.outputs {
        let name = renamed(output, prefix);
        super::pipeline::declare(&mut text, *bits, &name);
        names.push(name);
        width += bits;
    }
    (text, names, width)
}

fn renamed(output: &str, prefix: &str) -> String {
    output.replacen("out_", &format!("{prefix}_"), 1)
}

/// The bytes of the new headers as one vector.
pub(super) fn header(prefix: &str, bytes: usize) -> String {
    if bytes == 0 {
        return format!("    logic [7:0] {prefix}_header;\n    assign {prefix}_header = '0;\n");
    }
    let list: Vec<String> = (0..bytes).rev().map(|n| format!("{prefix}_byte_{n}")).collect();
    let mut text = format!("    logic [{}:0] {prefix}_header;\n", bytes * 8 - 1);
    let _ = writeln!(text, "    assign {prefix}_header = {{");
    for (n, line) in list.chunks(8).enumerate() {
        let comma = if (n + 1) * 8 < bytes { "," } else { "" };
        let _ = writeln!(text, "        {}{comma}", line.join(", "));
    }
    text.push_str("    };\n");
    text
}

/// The signal for an input of the section that gets tokens from outside.
pub(super) fn token_input(shape: Shape, input: &str) -> String {
    let signal = match (input, shape) {
        ("length" | "packet_length", _) => "token_length",
        (PACKET_SUM, _) => "token_total",
        ("port", Shape::Wire) => "token_user[16:1]",
        ("port", Shape::Switch { .. }) => "token_port",
        ("arrival_time", Shape::Wire) => "token_user[64:17]",
        ("arrival_time", Shape::Switch { .. }) => "token_time",
        (other, _) => other,
    };
    signal.to_owned()
}

/// Packets whose end byte counters may wait for, of a section with this depth.
fn shape_depth(shape: Shape, depth: u32) -> u32 {
    match shape {
        Shape::Wire => depth,
        Shape::Switch { .. } => depth.max(switch::ORDER),
    }
}

/// Fills a top around the one pipeline of a program whose packets only come and go. `whole`: tokens
/// wait for the ends of their packets; `waiting`: packets whose end byte counters may wait for.
pub(super) fn one_pipeline(
    parts: &Parts<'_>,
    shared: &mut Shared<'_>,
    whole: bool,
    waiting: u32,
    template: impl FnOnce(&Needs) -> String,
) -> String {
    let sections = parts.sections;
    let bytes = sections.outcome.deparsed.bytes.len();
    let section = Section {
        lowering: &sections.front,
        schedule: &parts.front.schedule,
        tables: &parts.front.tables,
        outputs: deparser_outputs(&sections.outcome),
    };
    let needs = write(shared, "pipeline", &section, waiting);
    let (declarations, done, done_width) = signals(&needs, "done");
    let (own, out, _) = signals(&needs, "out");
    let inputs = |input: &str| token_input(parts.options.shape, input);
    let pipeline = instance(
        shared,
        &Connection {
            name: "pipeline",
            needs: &needs,
            token: "start",
            inputs: &inputs,
            outputs: "out",
            bus: "pipeline",
        },
    );
    let lost = if needs.digests {
        "    logic pipeline_lost;\n    assign digest_lost = pipeline_lost;\n"
    } else {
        "    assign digest_lost = 1'b0;\n"
    };
    let number = numbers(parts);
    let signals = format!("{own}{declarations}{}{lost}{number}", header("done", bytes));
    fill(&template(&needs), parts, shared, whole, bytes.max(1))
        .replace("@DEPTH@", &depth(parts.front).to_string())
        .replace("@SIGNALS@", &signals)
        .replace("@PIPELINE@", &pipeline)
        .replace("@DONE_WIDTH@", &done_width.to_string())
        .replace("@DONE_IN@", &port_list(&out))
        .replace("@DONE_OUT@", &port_list(&done))
        .replace("@READY@", "pipeline_ready || globals_ready")
        .replace("@RDATA@", "globals_ready ? globals_rdata : pipeline_rdata")
        .replace(
            "@BUS_SIGNALS@",
            "    logic        pipeline_ready;\n    logic [31:0] pipeline_rdata;\n",
        )
}

/// The top of a program whose packets only come and go. `whole`: tokens wait for the ends of
/// their packets.
fn wire(parts: &Parts<'_>, shared: &mut Shared<'_>, whole: bool) -> String {
    let depth = depth(parts.front);
    let head_bytes = parts.sections.front.head_bytes.max(1);
    let width = u64::from(parts.options.width);
    // Beats that come in while a packet is on its way, and those of the longest head.
    let beats = (u64::from(depth) + head_bytes * 8 / width + 8).next_power_of_two();
    let beats = if whole { beats.max(MAX_BYTES * 8 / width) } else { beats };
    one_pipeline(parts, shared, whole, depth, |_| WIRE.to_owned())
        .replace("@BEATS@", &beats.to_string())
        .replace("@END_VALID@", "s_axis_tvalid && s_axis_tready && s_axis_tlast")
        .replace("@END_BEAT@", "s_axis_tvalid && s_axis_tready")
        .replace("@END_KEEP@", "s_axis_tkeep")
}

/// The top of a program that makes copies.
fn with_copies(
    parts: &Parts<'_>,
    shared: &mut Shared<'_>,
    copies: &Copies<'_>,
    egress: &Timed,
    whole: bool,
) -> String {
    let outcome = &parts.sections.outcome;
    let gate = &copies.gate;
    let mut outputs = vec![
        ("out_drop".to_owned(), gate.drop),
        ("out_port".to_owned(), gate.port),
        ("out_group".to_owned(), gate.group),
        ("out_resubmit".to_owned(), gate.resubmit),
        ("out_clone".to_owned(), gate.clone),
        ("out_session".to_owned(), gate.session),
    ];
    let crossing = |prefix: &str, values: &[ValueId]| -> Vec<(String, ValueId)> {
        values.iter().enumerate().map(|(n, v)| (format!("out_{prefix}_{n}"), *v)).collect()
    };
    outputs.extend(crossing("bits", &gate.bits));
    outputs.extend(crossing("clone_bits", &gate.clone_bits));
    let ingress_depth = depth(parts.front);
    let section = Section {
        lowering: &parts.sections.front,
        schedule: &parts.front.schedule,
        tables: &parts.front.tables,
        outputs,
    };
    let shape = parts.options.shape;
    let ingress_needs = write(shared, "ingress", &section, shape_depth(shape, ingress_depth));
    let mut outputs = deparser_outputs(outcome);
    if let Some(asked) = &outcome.copies {
        outputs.push(("out_again".to_owned(), asked.again));
        outputs.push(("out_clone".to_owned(), asked.clone));
        outputs.push(("out_session".to_owned(), asked.session));
        outputs.extend(crossing("kept", &asked.kept));
        outputs.extend(crossing("clone_bits", &asked.clone_bits));
    }
    let egress_depth = depth(egress);
    let section = Section {
        lowering: &copies.egress,
        schedule: &egress.schedule,
        tables: &egress.tables,
        outputs,
    };
    let egress_needs = write(shared, "egress", &section, shape_depth(shape, egress_depth));
    let object = shared.objects.len();
    shared.objects.push(Object {
        name: "replication".into(),
        row_bits: 48,
        kind: ObjectKind::Replication { groups: GROUPS, replicas: REPLICAS, sessions: SESSIONS },
    });
    let bytes = outcome.deparsed.bytes.len();
    let bits: u32 = copies.crossing.iter().map(|(_, width)| width).sum();
    let kept: u32 = copies.kept.iter().map(|(_, width)| width).sum();

    let (gate_text, gate_names, gate_width) = signals(&ingress_needs, "gate");
    let (ingress_text, ingress_names, _) = signals(&ingress_needs, "ingress");
    let (done_text, done_names, done_width) = signals(&egress_needs, "done");
    let (egress_text, egress_names, _) = signals(&egress_needs, "egress");
    let vector = |prefix: &str, kind: &str, widths: &[(String, u32)], total: &str| {
        let list: Vec<String> = (0..widths.len()).map(|n| format!("{prefix}_{kind}_{n}")).collect();
        let value = if list.is_empty() { "'0".into() } else { format!("{{{}}}", list.join(", ")) };
        format!("    logic [{total}-1:0] {prefix}_{kind};\n    assign {prefix}_{kind} = {value};\n")
    };
    let ingress_signals = format!(
        "{gate_text}{ingress_text}{}{}{}",
        numbers(parts),
        vector("gate", "bits", &copies.crossing, "BITS"),
        vector("gate", "clone_bits", &copies.crossing, "BITS"),
    );
    let kept_value: Vec<String> =
        (0..copies.kept.len()).map(|n| format!("done_kept_{n}")).collect();
    let kept_value =
        if kept_value.is_empty() { "'0".into() } else { format!("{{{}}}", kept_value.join(", ")) };
    let egress_signals = format!(
        "{done_text}{egress_text}{}{}    assign done_kept = {kept_value};\n",
        header("done", bytes),
        vector("done", "clone_bits", &copies.crossing, "BITS"),
    );
    // Places of crossing values in the bits: the first is highest.
    let place = |list: &[(String, u32)], wanted: &str, vector: &str| -> Option<String> {
        let n = list.iter().position(|(name, _)| name == wanted)?;
        let low: u32 = list[n + 1..].iter().map(|(_, width)| width).sum();
        Some(format!("{vector}[{}:{low}]", low + list[n].1 - 1))
    };
    let ingress_inputs = |input: &str| match input {
        "kind" => "start_kind".to_owned(),
        "end_valid" | "end_bytes" | "length" | "packet_length" | PACKET_SUM | PACKET_NUMBER
        | "port" | "arrival_time" => token_input(shape, input),
        other => place(&copies.kept, other, "start_kept").unwrap_or_default(),
    };
    let egress_inputs = |input: &str| match input {
        "kind" => "copy_kind".to_owned(),
        "rid" => "copy_rid".to_owned(),
        "limit" => "copy_limit".to_owned(),
        "port" => "copy_port".to_owned(),
        "dropped" => "copy_drop".to_owned(),
        "end_valid" => "length_valid".to_owned(),
        "end_bytes" => "length_bytes".to_owned(),
        other => place(&copies.crossing, other, "copy_bits").unwrap_or_default(),
    };
    let ingress = instance(
        shared,
        &Connection {
            name: "ingress",
            needs: &ingress_needs,
            token: "start",
            inputs: &ingress_inputs,
            outputs: "ingress",
            bus: "ingress_cfg",
        },
    );
    let egress = instance(
        shared,
        &Connection {
            name: "egress",
            needs: &egress_needs,
            token: "copy_start",
            inputs: &egress_inputs,
            outputs: "egress",
            bus: "egress_cfg",
        },
    );
    let mut lost = String::new();
    let mut losses = vec!["1'b0"];
    for (needs, name) in [(&ingress_needs, "ingress_lost"), (&egress_needs, "egress_lost")] {
        if needs.digests {
            let _ = writeln!(lost, "    logic {name};");
            losses.push(name);
        }
    }
    let _ = writeln!(lost, "    assign digest_lost = {};", losses.join(" || "));
    let text = match shape {
        Shape::Wire => {
            let (arrival, leaving, meta) = match copies.reenters {
                true => (ARRIVAL, LOOPED, META),
                false => (STRAIGHT, UNLOOPED, NO_META),
            };
            COPIES
                .replace("@ARRIVAL@", arrival)
                .replace("@LEAVING@", leaving)
                .replace("@META@", meta)
                .replace("@LENGTHS@", if egress_needs.counts { LENGTHS } else { NO_LENGTHS })
        }
        Shape::Switch { ports } => {
            let text = switch::copies(copies.reenters, egress_needs.counts, META, NO_META);
            let counters =
                switch::ByteCounters { front: ingress_needs.counts, egress: egress_needs.counts };
            switch::around(&text, parts.options.width, ports, ingress_depth, counters)
        }
    };
    let bus = "    logic        ingress_cfg_ready, egress_cfg_ready, replicas_bus_ready;
    logic [31:0] ingress_cfg_rdata, egress_cfg_rdata, replicas_bus_rdata;
";
    let connect = "    assign replicas_bus_ready = replicas_cfg_ready;
    assign replicas_bus_rdata = replicas_cfg_rdata;
";
    let asked = outcome.copies.as_ref().map(|asked| asked.clone);
    let clones = asked.is_some_and(|clone| copies.egress.graph.as_bit(clone) != Some(false));
    let cells = (65_536 / 256).to_string();
    fill(&text, parts, shared, whole, bytes.max(1))
        .replace("@LAST_USE@", if clones { REFERENCES } else { LAST_USE })
        .replace("@OWNS@", if clones { "1'b1" } else { "done_last" })
        .replace("@INGRESS_DEPTH@", &ingress_depth.to_string())
        .replace("@EGRESS_DEPTH@", &egress_depth.to_string())
        .replace("@CELLS@", &cells)
        .replace("@MAX_BYTES@", &MAX_BYTES.to_string())
        .replace("@BITS@", &bits.max(1).to_string())
        .replace("@KEPT@", &kept.max(1).to_string())
        .replace("@INGRESS_SIGNALS@", &(ingress_signals + &lost))
        .replace("@EGRESS_SIGNALS@", &(egress_signals + connect))
        .replace("@INGRESS@", &ingress)
        .replace("@EGRESS@", &egress)
        .replace("@GATE_WIDTH@", &gate_width.to_string())
        .replace("@GATE_IN@", &port_list(&ingress_names))
        .replace("@GATE_OUT@", &port_list(&gate_names))
        .replace("@DONE_WIDTH@", &done_width.to_string())
        .replace("@DONE_IN@", &port_list(&egress_names))
        .replace("@DONE_OUT@", &port_list(&done_names))
        .replace("@REPLICAS_OBJECT@", &object.to_string())
        .replace("@GROUPS@", &GROUPS.to_string())
        .replace("@REPLICAS@", &REPLICAS.to_string())
        .replace("@SESSIONS@", &SESSIONS.to_string())
        .replace("@BUS_SIGNALS@", bus)
        .replace(
            "@READY@",
            "ingress_cfg_ready || egress_cfg_ready || replicas_bus_ready || globals_ready",
        )
        .replace(
            "@RDATA@",
            "globals_ready ? globals_rdata : replicas_bus_ready ? replicas_bus_rdata
        : ingress_cfg_ready ? ingress_cfg_rdata : egress_cfg_rdata",
        )
        .replace("@END_VALID@", "arrive_tvalid && arrive_tready && arrive_tlast")
        .replace("@END_BEAT@", "arrive_tvalid && arrive_tready")
        .replace("@END_KEEP@", "arrive_tkeep")
}

/// Nothing comes back.
const STRAIGHT: &str = "
    assign arrive_tvalid = s_axis_tvalid;
    assign s_axis_tready = arrive_tready;
    assign arrive_tdata = s_axis_tdata;
    assign arrive_tkeep = s_axis_tkeep;
    assign arrive_tlast = s_axis_tlast;
    assign arrive_tuser = {1'b0, s_axis_tuser};
    assign loop_tvalid = 1'b0;
    assign loop_tready = 1'b0;
    assign loop_tdata = '0;
    assign loop_tkeep = '0;
    assign loop_tlast = 1'b0;
    assign loop_tuser = '0;
";
const UNLOOPED: &str = "
    assign m_axis_tvalid = leave_tvalid;
    assign leave_tready = m_axis_tready;
    assign m_axis_tdata = leave_tdata;
    assign m_axis_tkeep = leave_tkeep;
    assign m_axis_tlast = leave_tlast;
    assign m_axis_tuser = leave_tuser[64:0];
";
const NO_META: &str = "    assign meta_valid = 1'b0;
    assign meta_room = 1'b1;
    assign meta_kind = 3'd0;
    assign meta_passes = '0;
    assign meta_kept = '0;
    assign done_loops = 1'b0;
";
/// Egress counts the bytes of packets.
const LENGTHS: &str = include_str!("lengths.sv.in");
const NO_LENGTHS: &str = "
    assign lengths_ready = 1'b1;
    assign lengths_wait = 1'b0;
";
/// One token of each packet is its last.
const LAST_USE: &str = "    assign read_free = done_last && !done_clone;\n";
const REFERENCES: &str = include_str!("references.sv.in");
const LOOPED: &str = include_str!("leaving.sv.in");
