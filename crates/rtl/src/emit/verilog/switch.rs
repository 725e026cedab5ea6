//! The shape `switch`: a stream in and a stream out for each port, around one pipeline.
//!
//! Each input port has its own head and packet memory, each output its own fetch, deparser and
//! queue. The pipeline takes one token a clock, parser included, so that one of it serves all
//! ports.

use super::design::{EVENTS, Parts, depth, one_pipeline};
use super::module::Shared;
use crate::manifest::PORT_COUNTS;

const SWITCH: &str = include_str!("switch.sv.in");
const COPIES: &str = include_str!("switch_copies.sv.in");
const LOOP: &str = include_str!("switch_loop.sv.in");
const INPUTS: &str = include_str!("switch_inputs.sv.in");
const OUTPUTS: &str = include_str!("switch_outputs.sv.in");
const ENDS: &str = include_str!("switch_ends.sv.in");
const IN_ORDER: &str = include_str!("switch_order.sv.in");
const LENGTHS: &str = include_str!("switch_lengths.sv.in");
const STREAMS: &str = include_str!("switch_streams.sv.in");
const ABOUT: &str = include_str!("switch_about.sv.in");

/// The templates, for the names in them.
pub(super) const TEMPLATES: [&str; 9] =
    [SWITCH, COPIES, LOOP, INPUTS, OUTPUTS, ENDS, IN_ORDER, LENGTHS, STREAMS];

/// Longest packet in bytes; longer ones are cut.
const MAX_BYTES: u32 = 16_384;
/// Bytes of packets that a port's memory holds: two of the longest.
const RING_BYTES: u32 = 2 * MAX_BYTES;
/// Bytes that the queue of an output holds.
const QUEUE_BYTES: u32 = 65_536;
/// Packets that wait for an output with their headers.
const WAITING: u32 = 32;
/// Packets in a port's memory at least.
const PACKETS: u32 = 128;
/// Packets whose length is still to come, so that byte counters wait for it: more than come to the
/// other ports while one brings a packet of 1518 bytes.
pub(super) const ORDER: u32 = 512;

/// Nobody counts bytes in the section that gets tokens from the ports.
const NO_ORDER: &str = "    logic order_room;
    assign order_room = 1'b1;
    assign end_room = '1;
    assign end_valid = 1'b0;
    assign end_bytes = '0;
";
/// Nobody counts bytes in egress.
const NO_LENGTHS: &str = "
    assign lengths_ready = 1'b1;
    assign lengths_wait = 1'b0;
";
/// What the control part needs of the datapath.
const CONTROL_SIGNALS: &str = "    // ---- Of all packets
    logic        end_valid, digest_lost, drop_valid, hold, received_event, sent_event, lost_event;
    logic [15:0] end_bytes;
    logic [3*PORTS-1:0] port_events;

";
const EVENT_LIST: &str =
    "port_events, lost_event, digest_lost, drop_valid, sent_event, received_event";
/// The first lanes are the ports.
const ARRIVAL: &str = "    assign lane_tvalid[PORTS-1:0] = s_axis_tvalid;
    assign s_axis_tready = lane_tready[PORTS-1:0];
    assign lane_tdata[PORTS*WIDTH-1:0] = s_axis_tdata;
    assign lane_tkeep[PORTS*WIDTH/8-1:0] = s_axis_tkeep;
    assign lane_tlast[PORTS-1:0] = s_axis_tlast;
    assign lane_tuser[PORTS*65-1:0] = s_axis_tuser;
";

/// The top of a program whose packets only come and go.
pub(super) fn switch(
    parts: &Parts<'_>,
    shared: &mut Shared<'_>,
    ports: u32,
    whole: bool,
) -> String {
    let depth = depth(parts.front);
    one_pipeline(parts, shared, whole, depth.max(ORDER), |needs| {
        around(
            SWITCH,
            parts.options.width,
            ports,
            depth,
            ByteCounters { front: needs.counts, egress: false },
        )
    })
}

/// The top of a program that makes copies. `looped`: packets come back, with what `meta` or else
/// `no_meta` keeps of them; `counts`: egress counts bytes.
pub(super) fn copies(looped: bool, counts: bool, meta: &str, no_meta: &str) -> String {
    let (is_again, leaving) = match looped {
        true => ("token_lane == LANE'(PORTS)", LOOP),
        false => ("1'b0", ""),
    };
    let meta = if looped { meta } else { no_meta };
    COPIES
        .replace("@LOOPS@", if looped { "1" } else { "0" })
        .replace("@IS_AGAIN@", is_again)
        .replace("@LENGTHS@", if counts { LENGTHS } else { NO_LENGTHS })
        .replace("@META@", &meta.replace("CELLS", "LANES*PACKETS"))
        .replace("@LEAVING@", leaving)
}

/// Where a program counts the bytes of packets.
#[derive(Clone, Copy)]
pub(super) struct ByteCounters {
    /// In the section that gets tokens from the ports.
    pub(super) front: bool,
    /// In egress.
    pub(super) egress: bool,
}

/// A top with its ports, inputs and outputs. `depth` is that of the section that gets tokens from
/// the ports.
pub(super) fn around(
    text: &str,
    width: u32,
    ports: u32,
    depth: u32,
    counters: ByteCounters,
) -> String {
    let beats = |bytes: u32| bytes * 8 / width;
    // A port alone keeps the pipeline full.
    let packets = PACKETS.max(2 * depth).next_power_of_two();
    let sizes = format!(
        "    // Bytes of the longest packet; beats and packets in the memory of a port; beats in the queue of an
    // output; packets that wait for an output.
    localparam int MAX_BYTES = {MAX_BYTES};
    localparam int BEATS = {};
    localparam int PACKETS = {packets};
    localparam int QUEUE = {};
    localparam int WAITING = {WAITING};
    localparam int AT = $clog2(BEATS);
    localparam int NUMBER = $clog2(PACKETS);
",
        beats(RING_BYTES),
        beats(QUEUE_BYTES),
    );
    text.replace("@INPUTS@", INPUTS)
        .replace("@ARRIVAL@", ARRIVAL)
        .replace("@OUTPUTS@", OUTPUTS)
        .replace("@ENDS@", if counters.front || counters.egress { ENDS } else { "" })
        .replace("@ORDERED@", if counters.front { IN_ORDER } else { NO_ORDER })
        .replace("@SIZES@", &sizes)
        .replace("@ORDER@", &ORDER.to_string())
        .replace("@PORTS@", super::design::PORTS)
        .replace("@CONTROL@", super::design::CONTROL)
        .replace("@ABOUT@", ABOUT)
        .replace("@STREAMS@", STREAMS)
        .replace("@PACKET_LENGTHS@", CONTROL_SIGNALS)
        .replace("@EVENT_LIST@", EVENT_LIST)
        .replace("@EVENTS@", &(EVENTS + PORT_COUNTS * ports).to_string())
        .replace("@PORT_COUNT@", &ports.to_string())
}
