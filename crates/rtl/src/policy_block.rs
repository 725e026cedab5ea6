//! Scheduling policies in P4 as hardware with the policy port of `rtl/scheduler/README.md`: the emitted
//! pipeline, and a module around it that makes a packet of a request and an answer of the packet that
//! leaves.

use crate::design::{Design, SourceFile};
use crate::emit::{EmitOptions, emit};
use crate::two_level::{PolicyBlock, Width};
use std::fmt::Write;
use std::sync::Arc;
use ww_p4::architecture::scheduler::{ANSWER, CONTROLS, Kind, REQUEST, Word, bytes, offset};
use ww_p4::ir::visit::{self, Visitor};
use ww_p4::ir::{Expr, ExprKind, Program};
use ww_p4::pipeline::passes::optimise;
use ww_p4::policy::{Layout, Size};
use ww_sched::policies::p4::program::P4Program;

/// What the configuration port sets for a child: names and widths.
const PARAMETERS: [(&str, u32); 7] = [
    ("weight", 32),
    ("priority", 64),
    ("pace", 51),
    ("share", 51),
    ("node_pace", 51),
    ("burst", 32),
    ("quantum", 32),
];

/// Words of a packet that the policy port does not carry.
const ABSENT: [&str; 6] = ["arrival", "size", "remaining", "slack", "deadline", "release"];

/// A policy as hardware.
#[derive(Clone, Debug)]
pub struct PolicyDesign {
    /// The emitted pipeline; its files and the module with the policy port are in [`Design::files`].
    pub design: Design,
    /// The v1model program.
    pub program: Arc<Program>,
    /// The module with the policy port.
    pub block: PolicyBlock,
}

/// Makes hardware of a policy for so many nodes and children (2 or more), under this name. The bus is at
/// least 256 bits wide: an answer is one beat.
///
/// # Errors
/// What the policy needs that the port or the hardware does not have, for its author.
pub fn policy_design(
    name: &str,
    policy: &P4Program,
    size: Size,
    options: &EmitOptions,
) -> Result<PolicyDesign, String> {
    if size.nodes < 1 || size.children < 2 || size.children < size.nodes {
        return Err("a policy block has a node or more, and two children or more".into());
    }
    if options.width < 8 * bytes(ANSWER) as u32 {
        return Err(format!(
            "a policy block needs a bus of 256 or 512 bits, not {}",
            options.width
        ));
    }
    let absent = [Kind::MaySend, Kind::Stays, Kind::Emptied];
    if let Some(kind) = absent.into_iter().find(|kind| policy.policy().has(*kind)) {
        let control = CONTROLS[kind as usize].parameter;
        return Err(format!(
            "the policy has a control `{control}`, which the policy port never asks"
        ));
    }
    let program = policy.lowered(size, Layout::Words)?;
    if let Some(word) = absent_word(&program) {
        return Err(format!(
            "the policy reads `head.{word}`, which the policy port does not carry"
        ));
    }
    let mut pipeline = ww_p4::pipeline::lower_for_hardware(&program).map_err(|diagnostics| {
        let first = diagnostics.iter().next();
        first.map_or("it has no pipeline form".to_owned(), |first| first.message.clone())
    })?;
    optimise(&mut pipeline, options.passes());
    let mut design = emit(&pipeline, name, None, options).map_err(|refusals| {
        let lines: Vec<String> = refusals.iter().map(ToString::to_string).collect();
        format!("hardware cannot hold this: {}", lines.join("; "))
    })?;
    let module = format!("{name}_policy");
    let text = adapter(&module, &design.top, size, options.width);
    design.files.push(SourceFile { name: format!("{module}.sv"), text });
    let parameters = PARAMETERS.iter().map(|&(name, bits)| (name.to_owned(), Width::Bits(bits)));
    let block = PolicyBlock {
        module,
        files: design.files.clone(),
        is_virtual: policy.policy().has(Kind::Clock),
        configuration: std::iter::once(("child".to_owned(), Width::Child))
            .chain(parameters)
            .collect(),
    };
    Ok(PolicyDesign { design, program, block })
}

/// A word of the head that the program reads and the port does not have.
fn absent_word(program: &Program) -> Option<&'static str> {
    struct Reads<'p> {
        program: &'p Program,
        found: Option<&'static str>,
    }
    impl Visitor for Reads<'_> {
        fn expression(&mut self, e: &Expr) {
            let ExprKind::Field(base, field) = &e.kind else { return };
            let Some(def) = self.program.types.as_struct(&base.ty) else { return };
            if &*def.name == "head_t" {
                let name = def.fields.get(*field as usize).map(|field| &*field.name);
                let absent = ABSENT.into_iter().find(|absent| Some(*absent) == name);
                self.found = self.found.or(absent);
            }
        }
    }
    let mut reads = Reads { program, found: None };
    visit::program(&mut reads, program);
    reads.found
}

/// The module with the policy port.
fn adapter(module: &str, pipeline: &str, size: Size, width: u32) -> String {
    let Size { nodes, children } = size;
    let mut out = String::new();
    let mut ports = String::new();
    let mut fields = String::new();
    let mut settings = Vec::new();
    for (name, bits) in PARAMETERS {
        let range = bits - 1;
        // Writing to a string cannot fail.
        let _ = writeln!(ports, "    input  logic [{range}:0] cfg_{name},");
        // `priority` alone is a keyword.
        let _ = writeln!(fields, "        logic [{range}:0] cfg_{name};");
        settings.push(format!("cfg_{name}"));
    }
    let words: Vec<String> = REQUEST.iter().map(request_word).collect();
    let (frame, answer) = (8 * bytes(REQUEST), 8 * bytes(ANSWER));
    let lanes = width as usize / 8;
    let beats = bytes(REQUEST).div_ceil(lanes);
    let padded = beats * width as usize;
    let last = bytes(REQUEST) - (beats - 1) * lanes;
    let answer_word = |name: &str| {
        let number = ANSWER.iter().position(|word| word.name == name).unwrap_or_default();
        let high = answer - 8 * offset(ANSWER, number) - 1;
        format!("answer[{high}:{}]", high + 1 - ANSWER[number].bits as usize)
    };
    let (rank, eligible, clock) =
        (answer_word("rank"), answer_word("eligible"), answer_word("clock"));
    let _ = write!(
        out,
        "// The policy port of rtl/scheduler around {pipeline}, which is a scheduling policy in P4: a request becomes a
// packet, and the packet that leaves the answer. Made by Wirewright.
//
// States are zero at power-up; reset does not clear them. Parameters of children that have not been configured are
// zero, too.
module {module} #(
    // Nodes that have this policy; children of all of them: what the policy was made for.
    parameter int NODES = {nodes},
    parameter int CHILDREN = {children},
    // Not to be set.
    localparam int NODE_WIDTH = NODES > 1 ? $clog2(NODES) : 1,
    localparam int CHILD_WIDTH = $clog2(CHILDREN)
) (
    input  logic clk,
    input  logic rst,
    // Configuration of a child: docs/scheduling.md, \"Policies in P4\".
    input  logic cfg_valid,
    output logic cfg_ready,
    input  logic [CHILD_WIDTH-1:0] cfg_child,
{ports}    // The policy port.
    input  logic req_valid,
    output logic req_ready,
    input  logic [1:0] req_kind,
    input  logic [NODE_WIDTH-1:0] req_node,
    input  logic [CHILD_WIDTH-1:0] req_child,
    input  logic [31:0] req_bytes,
    input  logic [31:0] req_stamped,
    input  logic req_fresh,
    input  logic [63:0] req_now,
    input  logic req_any,
    input  logic [63:0] req_least,
    output logic ans_valid,
    output logic [63:0] ans_rank,
    output logic [63:0] ans_eligible,
    output logic [63:0] ans_clock
);
    if (NODES != {nodes} || CHILDREN != {children}) begin : g_illegal_size
        $error(\"{module}: made for {nodes} nodes and {children} children; build the policy for others\");
    end

    localparam int WIDTH = {width};
    // A request is so many beats, the last of {last} bytes.
    localparam int BEATS = {beats};

    typedef struct packed {{
{fields}    }} parameters_t;

    // A request is under way; its parameters are there; its beats leave.
    logic                   busy;
    logic                   loaded;
    logic [BEATS-1:0]       sending;
    logic                   accept;
    logic [1:0]             kind;
    logic [NODE_WIDTH-1:0]  node;
    logic [CHILD_WIDTH-1:0] child;
    logic [31:0]            bytes;
    logic [31:0]            stamped;
    logic                   fresh;
    logic [63:0]            now;
    logic                   any;
    logic [63:0]            least;
    parameters_t            parameters;
    // In the order of its bytes: the first in the highest bits.
    logic [{frame_high}:0]  request;
    logic [{padded_high}:0] lanes;
    logic [{padded_high}:0] beats;
    logic [{answer_high}:0] answer;
    logic                   in_ready;
    logic                   out_valid;
    logic                   out_last;
    logic [WIDTH-1:0]       out_data;

    assign cfg_ready = !busy;
    assign req_ready = !busy && !cfg_valid;
    assign accept    = req_valid && req_ready;

    ww_ram_sdp #(.WIDTH($bits(parameters_t)), .DEPTH(CHILDREN)) u_parameters (
        .clk, .wr_en(cfg_valid && cfg_ready), .wr_addr(cfg_child),
        .wr_data({{{settings}}}),
        .rd_en(accept), .rd_addr(req_child), .rd_data(parameters)
    );

    assign request = {{{words}}};
    for (genvar i = 0; i < BEATS * WIDTH / 8; i++) begin : g_lane
        if (i < {request_bytes}) begin : g_byte
            assign lanes[8*i +: 8] = request[{frame_high} - 8*i -: 8];
        end else begin : g_none
            assign lanes[8*i +: 8] = '0;
        end
    end
    for (genvar i = 0; i < {answer_bytes}; i++) begin : g_answer
        assign answer[{answer_high} - 8*i -: 8] = out_data[8*i +: 8];
    end

    always_ff @(posedge clk) begin
        loaded    <= accept;
        ans_valid <= out_valid && out_last;
        if (accept) begin
            busy    <= 1'b1;
            kind    <= req_kind;
            node    <= req_node;
            child   <= req_child;
            bytes   <= req_bytes;
            stamped <= req_stamped;
            fresh   <= req_fresh;
            now     <= req_now;
            any     <= req_any;
            least   <= req_least;
        end
        if (loaded) begin
            beats   <= lanes;
            sending <= '1;
        end else if (sending[0] && in_ready) begin
            beats   <= beats >> WIDTH;
            sending <= sending >> 1;
        end
        if (out_valid && out_last) begin
            busy         <= 1'b0;
            ans_rank     <= {rank};
            ans_eligible <= {eligible};
            ans_clock    <= {clock};
        end
        if (rst) begin
            busy      <= 1'b0;
            loaded    <= 1'b0;
            sending   <= '0;
            ans_valid <= 1'b0;
        end
    end

    logic [WIDTH/8-1:0] out_keep;
    logic [64:0]        out_user;
    logic               awready, wready, bvalid, arready, rvalid, bus_ready, idle;
    logic [1:0]         bresp, rresp;
    logic [31:0]        rdata, bus_rdata;
    {pipeline} u_policy (
        .clk, .rst,
        .s_axis_tvalid(sending[0]), .s_axis_tready(in_ready), .s_axis_tdata(beats[WIDTH-1:0]),
        .s_axis_tkeep(sending == BEATS'(1) ? (WIDTH/8)'({{{last}{{1'b1}}}}) : '1), .s_axis_tlast(sending == BEATS'(1)),
        .s_axis_tuser('0),
        .m_axis_tvalid(out_valid), .m_axis_tready(1'b1), .m_axis_tdata(out_data), .m_axis_tkeep(out_keep),
        .m_axis_tlast(out_last), .m_axis_tuser(out_user),
        .s_axil_awaddr('0), .s_axil_awprot('0), .s_axil_awvalid(1'b0), .s_axil_awready(awready),
        .s_axil_wdata('0), .s_axil_wstrb('0), .s_axil_wvalid(1'b0), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(1'b1),
        .s_axil_araddr('0), .s_axil_arprot('0), .s_axil_arvalid(1'b0), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(1'b1),
        .cfg_valid(1'b0), .cfg_write(1'b0), .cfg_object('0), .cfg_address('0), .cfg_wdata('0),
        .cfg_ready(bus_ready), .cfg_rdata(bus_rdata), .idle
    );

    logic unused;
    assign unused = ^{{out_keep, out_user, out_data, answer, awready, wready, bvalid, arready, rvalid, bus_ready, idle,
                      bresp, rresp, rdata, bus_rdata}};
endmodule
",
        frame_high = frame - 1,
        padded_high = padded - 1,
        answer_high = answer - 1,
        request_bytes = bytes(REQUEST),
        answer_bytes = bytes(ANSWER),
        settings = settings.join(", "),
        words = words.join(", "),
    );
    out
}

/// A word of the request, from what the port and the parameters say.
fn request_word(word: &Word) -> String {
    let Word { name, bits, .. } = *word;
    match PARAMETERS.iter().any(|(parameter, _)| *parameter == name) {
        true => format!("{bits}'(parameters.cfg_{name})"),
        false if ABSENT.contains(&name) => format!("{bits}'d0"),
        false => format!("{bits}'({name})"),
    }
}
