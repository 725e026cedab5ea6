//! Scheduling policies in P4 as hardware with the policy port of `rtl/scheduler/README.md`: the emitted
//! pipeline, and a module around it that makes a packet of a request and an answer of the packet that
//! leaves, and keeps the states of nodes and children.

use crate::design::{Design, SourceFile};
use crate::emit::{EmitOptions, emit};
use crate::two_level::{PolicyBlock, Width};
use std::fmt::Write;
use std::sync::Arc;
use ww_engine::policy::P4Program;
use ww_p4::architecture::scheduler::{ANSWER, CONTROLS, REQUEST, Word, bytes, offset};
use ww_p4::ir::visit::{self, Visitor};
use ww_p4::ir::{Expr, ExprKind, Program};
use ww_p4::pipeline::passes::optimise;
use ww_p4::policy::{Layout, Policy, Size};

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

/// Words of a packet in `req_head`, 64 bits each, the first in the lowest bits.
const HEAD: [&str; 6] = ["arrival", "size", "remaining", "slack", "deadline", "release"];

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

/// Makes hardware of a policy for so many nodes and children (2 or more), under this name.
///
/// # Errors
/// What the policy needs that the hardware does not have, for its author.
pub fn policy_design(
    name: &str,
    policy: &P4Program,
    size: Size,
    options: &EmitOptions,
) -> Result<PolicyDesign, String> {
    if size.nodes < 1 || size.children < 2 || size.children < size.nodes {
        return Err("a policy block has a node or more, and two children or more".into());
    }
    let program = policy.lowered(size, Layout::Carried)?;
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
    let text = adapter(&module, &design.top, policy.policy(), size, options.width)?;
    design.files.push(SourceFile { name: format!("{module}.sv"), text });
    let parameters = PARAMETERS.iter().map(|&(name, bits)| (name.to_owned(), Width::Bits(bits)));
    let block = PolicyBlock {
        module,
        files: design.files.clone(),
        asks: asks(policy.policy()),
        head_words: head_words(&program),
        configuration: std::iter::once(("child".to_owned(), Width::Child))
            .chain(parameters)
            .collect(),
    };
    Ok(PolicyDesign { design, program, block })
}

/// The requests to which it has an answer: bit k stands for kind k. Pre- and Post-Dequeue are always asked.
fn asks(policy: &Policy) -> u8 {
    let controls = CONTROLS.iter().filter(|control| policy.has(control.kind));
    controls.fold(0b11, |asks, control| asks | 1 << control.kind as u8)
}

/// How many of the words of [`HEAD`] its packets must bring: none, the first, or all.
fn head_words(program: &Program) -> u32 {
    struct Reads<'p> {
        program: &'p Program,
        words: u32,
    }
    impl Visitor for Reads<'_> {
        fn expression(&mut self, e: &Expr) {
            let ExprKind::Field(base, field) = &e.kind else { return };
            let Some(def) = self.program.types.as_struct(&base.ty) else { return };
            if &*def.name == "head_t" {
                let name = def.fields.get(*field as usize).map(|field| &*field.name);
                let words = match HEAD.iter().position(|word| Some(*word) == name) {
                    None => 0,
                    Some(0) => 1,
                    Some(_) => HEAD.len() as u32,
                };
                self.words = self.words.max(words);
            }
        }
    }
    let mut reads = Reads { program, words: 0 };
    visit::program(&mut reads, program);
    reads.words
}

/// A state that the module keeps: its owner, and its bytes.
fn states(policy: &Policy) -> Vec<(&'static str, usize)> {
    let states = [("node", policy.node.bytes()), ("child", policy.child.bytes())];
    states.into_iter().filter(|(_, bytes)| *bytes > 0).collect()
}

/// The module with the policy port; an error if a word of the architecture has no place in it.
fn adapter(
    module: &str,
    pipeline: &str,
    policy: &Policy,
    size: Size,
    width: u32,
) -> Result<String, String> {
    let Size { nodes, children } = size;
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
    let states = states(policy);
    let carried: usize = states.iter().map(|(_, bytes)| bytes).sum();
    let mut words = REQUEST.iter().map(request_word).collect::<Result<Vec<String>, String>>()?;
    words.extend(states.iter().map(|(owner, _)| format!("{owner}_state")));
    let (frame, answer) = (bytes(REQUEST) + carried, bytes(ANSWER) + carried);
    let lanes = width as usize / 8;
    let beats = frame.div_ceil(lanes);
    let last = frame - (beats - 1) * lanes;
    let slice = |at: usize, bits: usize| {
        let high = 8 * (answer - at) - 1;
        format!("answer[{high}:{}]", high + 1 - bits)
    };
    let answer_word =
        |name: &str| answer_place(name).map(|(first_byte, bits)| slice(first_byte, bits));
    let mut memories = String::new();
    let mut at = bytes(ANSWER);
    for (owner, bytes) in states {
        // Children are at least as many as nodes; where they are as many, all of the numbers are nodes.
        let (depth, clear, within) = match owner {
            "node" if nodes == children => ("NODES", "NODE_WIDTH'(clear_child)", ""),
            "node" => {
                ("NODES", "NODE_WIDTH'(clear_child)", " && clear_child < CHILD_WIDTH'(NODES)")
            }
            _ => ("CHILDREN", "clear_child", ""),
        };
        // Memories have two words or more.
        let (high, value) = (8 * bytes - 1, slice(at, 8 * bytes));
        let _ = write!(
            memories,
            "    logic [{high}:0] {owner}_state;
    ww_ram_sdp #(.WIDTH({bits}), .DEPTH({depth} > 1 ? {depth} : 2)) u_{owner}_states (
        .clk, .wr_en(done || (clearing{within})),
        .wr_addr(clearing ? {clear} : {owner}), .wr_data(clearing ? '0 : {value}),
        .rd_en(accept), .rd_addr(req_{owner}), .rd_data({owner}_state)
    );
",
            bits = 8 * bytes,
        );
        at += bytes;
    }
    Ok(format!(
        "// The policy port of rtl/scheduler around {pipeline}, which is a scheduling policy in P4: a request becomes a
// packet, with the states of its node and child, and the packet that leaves the answer, with what became of them. Made
// by Wirewright.
//
// After reset the states and the parameters of all children are zero; it takes a clock for each child, and neither
// requests nor configuration are taken meanwhile.
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
    input  logic [2:0] req_kind,
    input  logic [NODE_WIDTH-1:0] req_node,
    input  logic [CHILD_WIDTH-1:0] req_child,
    input  logic [31:0] req_bytes,
    input  logic [31:0] req_stamped,
    input  logic req_fresh,
    input  logic [383:0] req_head,
    input  logic [63:0] req_now,
    input  logic req_any,
    input  logic [63:0] req_least,
    output logic ans_valid,
    output logic [63:0] ans_rank,
    output logic [63:0] ans_eligible,
    output logic [63:0] ans_clock,
    output logic ans_yes
);
    if (NODES != {nodes} || CHILDREN != {children}) begin : g_illegal_size
        $error(\"{module}: made for {nodes} nodes and {children} children; build the policy for others\");
    end

    localparam int WIDTH = {width};
    // A request is so many beats, the last of {last} bytes; so is an answer.
    localparam int BEATS = {beats};
    localparam int ANSWER_BEATS = {answer_beats};

    typedef struct packed {{
{fields}    }} parameters_t;

    // A request is under way; its parameters are there; its beats leave; its answer is there.
    logic                   busy;
    logic                   loaded;
    logic [BEATS-1:0]       sending;
    logic                   done;
    logic                   accept;
    logic                   clearing;
    logic [CHILD_WIDTH-1:0] clear_child;
    logic [2:0]             kind;
    logic [NODE_WIDTH-1:0]  node;
    logic [CHILD_WIDTH-1:0] child;
    logic [31:0]            bytes;
    logic [31:0]            stamped;
    logic                   fresh;
    logic [383:0]           head;
    logic [63:0]            now;
    logic                   any;
    logic [63:0]            least;
    parameters_t            parameters;
    // In the order of its bytes: the first in the highest bits.
    logic [{frame_high}:0]  request;
    logic [BEATS*WIDTH-1:0] lanes;
    logic [BEATS*WIDTH-1:0] beats;
    logic [ANSWER_BEATS*WIDTH-1:0] collected;
    logic [{answer_high}:0] answer;
    logic                   in_ready;
    logic                   out_valid;
    logic                   out_last;
    logic [WIDTH-1:0]       out_data;

    assign cfg_ready = !busy && !clearing;
    assign req_ready = !busy && !clearing && !cfg_valid;
    assign accept    = req_valid && req_ready;

    ww_ram_sdp #(.WIDTH($bits(parameters_t)), .DEPTH(CHILDREN)) u_parameters (
        .clk, .wr_en(clearing || (cfg_valid && cfg_ready)), .wr_addr(clearing ? clear_child : cfg_child),
        .wr_data(clearing ? '0 : {{{settings}}}),
        .rd_en(accept), .rd_addr(req_child), .rd_data(parameters)
    );
{memories}
    assign request = {{{words}}};
    for (genvar i = 0; i < BEATS * WIDTH / 8; i++) begin : g_lane
        if (i < {frame}) begin : g_byte
            assign lanes[8*i +: 8] = request[{frame_high} - 8*i -: 8];
        end else begin : g_none
            assign lanes[8*i +: 8] = '0;
        end
    end
    for (genvar i = 0; i < {answer_bytes}; i++) begin : g_answer
        assign answer[{answer_high} - 8*i -: 8] = collected[8*i +: 8];
    end

    always_ff @(posedge clk) begin
        loaded    <= accept;
        done      <= out_valid && out_last;
        ans_valid <= done;
        if (accept) begin
            busy    <= 1'b1;
            kind    <= req_kind;
            node    <= req_node;
            child   <= req_child;
            bytes   <= req_bytes;
            stamped <= req_stamped;
            fresh   <= req_fresh;
            head    <= req_head;
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
        // The first beat comes to the lowest bits.
        if (out_valid) collected <= (ANSWER_BEATS*WIDTH)'({{out_data, collected}} >> WIDTH);
        if (done) begin
            busy         <= 1'b0;
            ans_rank     <= {rank};
            ans_eligible <= {eligible};
            ans_clock    <= {clock};
            ans_yes      <= {yes} != '0;
        end
        if (clearing) begin
            clear_child <= clear_child + 1'b1;
            if (clear_child == CHILD_WIDTH'(CHILDREN - 1)) clearing <= 1'b0;
        end
        if (rst) begin
            busy        <= 1'b0;
            loaded      <= 1'b0;
            sending     <= '0;
            done        <= 1'b0;
            ans_valid   <= 1'b0;
            clearing    <= 1'b1;
            clear_child <= '0;
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
    assign unused = ^{{out_keep, out_user, collected, awready, wready, bvalid, arready, rvalid, bus_ready, idle,
                      bresp, rresp, rdata, bus_rdata, node, child}};
endmodule
",
        answer_beats = answer.div_ceil(lanes),
        frame_high = 8 * frame - 1,
        answer_high = 8 * answer - 1,
        answer_bytes = answer,
        rank = answer_word("rank")?,
        eligible = answer_word("eligible")?,
        clock = answer_word("clock")?,
        yes = answer_word("yes")?,
        settings = settings.join(", "),
        words = words.join(", "),
    ))
}

/// Where a word of the answer is: its first byte, and its bits.
fn answer_place(name: &str) -> Result<(usize, usize), String> {
    let number = ANSWER.iter().position(|word| word.name == name).ok_or_else(|| {
        let words: Vec<&str> = ANSWER.iter().map(|word| word.name).collect();
        format!("a policy's answer has no word `{name}`; it has {}", words.join(", "))
    })?;
    Ok((offset(ANSWER, number), ANSWER[number].bits as usize))
}

/// Words of the request that the policy port brings, in registers of these names.
const PORT: [&str; 9] =
    ["kind", "fresh", "any", "node", "child", "bytes", "stamped", "now", "least"];

/// A word of the request, from what the port and the parameters say.
fn request_word(word: &Word) -> Result<String, String> {
    let Word { name, bits, .. } = *word;
    let parameter = PARAMETERS.iter().any(|(parameter, _)| *parameter == name);
    match HEAD.iter().position(|word| *word == name) {
        Some(number) => Ok(format!("head[{}:{}]", 64 * number + 63, 64 * number)),
        None if parameter => Ok(format!("{bits}'(parameters.cfg_{name})")),
        None if PORT.contains(&name) => Ok(format!("{bits}'({name})")),
        None => Err(format!("the policy port has nothing for the word `{name}` of a request")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_place() {
        let words = REQUEST.iter().map(request_word).collect::<Result<Vec<_>, _>>();
        let words = words.expect("the port brings all words");
        assert_eq!(words[0], "8'(kind)");
        assert!(words.contains(&"head[63:0]".to_owned()), "{words:?}");
        assert!(words.contains(&"64'(parameters.cfg_pace)".to_owned()), "{words:?}");
        assert_eq!(answer_place("rank"), Ok((0, 64)));
        assert_eq!(answer_place("clock"), Ok((16, 64)));
    }

    #[test]
    fn unknown_words_are_errors() {
        let told = answer_place("color").expect_err("there is no such word");
        assert_eq!(
            told,
            "a policy's answer has no word `color`; it has rank, eligible, clock, yes"
        );
        let word = Word { name: "color", ..REQUEST[0] };
        let told = request_word(&word).expect_err("there is no such word");
        assert_eq!(told, "the policy port has nothing for the word `color` of a request");
    }
}
