//! The scheduler with two policies, as one module.

use super::{PolicyBlock, Shape, Width, ceil_log2};
use std::fmt::Write;

/// The policy port: name, width in the root, width in the leaves.
const REQUEST: [(&str, &str); 11] = [
    ("req_valid", "1"),
    ("req_kind", "3"),
    ("req_node", "NODE"),
    ("req_child", "CHILD"),
    ("req_bytes", "32"),
    ("req_stamped", "32"),
    ("req_fresh", "1"),
    ("req_head", "384"),
    ("req_now", "64"),
    ("req_any", "1"),
    ("req_least", "64"),
];
const ANSWER: [(&str, &str); 6] = [
    ("req_ready", "1"),
    ("ans_valid", "1"),
    ("ans_rank", "64"),
    ("ans_eligible", "64"),
    ("ans_clock", "64"),
    ("ans_yes", "1"),
];

/// Its text.
pub fn text(top: &str, shape: &Shape, root: &PolicyBlock, leaf: &PolicyBlock) -> String {
    let Shape { nodes, flows, depth } = *shape;
    let (node_bits, flow_bits) = (ceil_log2(nodes), ceil_log2(flows));
    let root_children = nodes.max(4);
    let leaf_children = nodes << flow_bits;
    let levels = [
        ("root", root, 1, root_children, 1, ceil_log2(root_children)),
        ("leaf", leaf, nodes, leaf_children, node_bits, node_bits + flow_bits),
    ];
    let mut ports = String::new();
    let mut inside = String::new();
    for (level, policy, count, children, node_bits, child_bits) in levels {
        let bits = |width: &str| match width {
            "NODE" => node_bits,
            "CHILD" => child_bits,
            number => number.parse().expect("a number"),
        };
        let mut connections = String::new();
        for (name, width) in REQUEST.into_iter().chain(ANSWER) {
            let range = bits(width) - 1;
            let _ = writeln!(inside, "    logic [{range}:0] {level}_{name};");
            let _ = write!(connections, ", .{name}({level}_{name})");
        }
        let _ =
            write!(ports, ",\n    input logic {level}_cfg_valid, output logic {level}_cfg_ready");
        for name in ["valid", "ready"] {
            let _ = write!(connections, ", .cfg_{name}({level}_cfg_{name})");
        }
        for (name, width) in &policy.configuration {
            let bits = match *width {
                Width::Bits(bits) => bits,
                Width::Child => child_bits,
            };
            let _ = write!(ports, ",\n    input logic [{}:0] {level}_cfg_{name}", bits - 1);
            let _ = write!(connections, ", .cfg_{name}({level}_cfg_{name})");
        }
        let module = &policy.module;
        let _ = writeln!(
            inside,
            "    {module} #(.NODES({count}), .CHILDREN({children})) u_{level} (.clk, .rst{connections});"
        );
    }
    let (node_range, flow_range) = (node_bits - 1, flow_bits - 1);
    let (root_asks, leaf_asks, head_words) = (root.asks, leaf.asks, leaf.head_words);
    format!(
        "module {top} (
    input logic clk, rst,
    input logic [63:0] now,
    input logic enq_valid, output logic enq_ready,
    input logic [{node_range}:0] enq_node,
    input logic [{flow_range}:0] enq_flow,
    input logic [15:0] enq_length, enq_handle,
    input logic [319:0] enq_job,
    output logic dep_valid, input logic dep_ready,
    output logic [{node_range}:0] dep_node,
    output logic [{flow_range}:0] dep_flow,
    output logic [15:0] dep_length, dep_handle,
    output logic [63:0] dep_time,
    output logic attempt, idle,
    output logic [31:0] dropped_packets, invalid_packets{ports}
);
{inside}    ww_scheduler_two_level #(
        .NODES({nodes}), .FLOWS({flows}), .DEPTH({depth}), .LENGTH_BITS(16), .HANDLE_BITS(16),
        .ROOT_ASKS({root_asks}), .LEAF_ASKS({leaf_asks}), .HEAD_WORDS({head_words})
    ) u_scheduler (.*);
endmodule
"
    )
}
