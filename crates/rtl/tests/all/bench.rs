//! The bench that all modules are simulated with: ports, fields of wide ports, parameters, what it refuses.

use ww_rtl::bench::{Bench, Top};
use ww_rtl::runner::Error;

/// A register of three parts, of which it shows the sum of the first two, and what it was reset to.
const PARTS: &str = "module parts #(parameter int LANES = 2, parameter int FIRST = 3) (
    input  logic clk, rst, in_valid,
    output logic in_ready,
    input  logic [LANES-1:0][66:0] lanes,
    output logic [LANES-1:0][66:0] held,
    output logic [66:0] sum
);
    assign in_ready = !rst;
    assign sum = held[0] + held[1];
    always_ff @(posedge clk) begin
        if (rst) held <= (LANES * 67)'(FIRST);
        else if (in_valid) held <= lanes;
    end
endmodule
";

fn parts(first: u32) -> Bench {
    let top = Top::of("parts").file("parts.sv", PARTS).with("LANES", 3u32).with("FIRST", first);
    Bench::new(&top).expect("it builds")
}

#[test]
fn fields_of_wide_ports() {
    let mut bench = parts(5);
    bench.reset(1).expect("it runs");
    assert_eq!(bench.get("held"), 5, "the parameter");
    let lane = |n: usize| 67 * n..67 * n + 64;
    // Bits between the fields stay, whatever is written beside them.
    bench.set_field("lanes", 64..67, 0b101);
    for (n, value) in [u64::MAX, 0x0123_4567_89ab_cdef, 7].into_iter().enumerate() {
        bench.set_field("lanes", lane(n), value);
    }
    assert_eq!(bench.field("lanes", 64..67), 0b101);
    assert!(bench.accepts("in_valid", "in_ready", true).expect("it runs"));
    bench.cycle().expect("it runs");
    assert_eq!(bench.field("held", lane(0)), u64::MAX);
    assert_eq!(bench.field("held", lane(1)), 0x0123_4567_89ab_cdef);
    assert_eq!(bench.field("held", lane(2)), 7);
    // 5 * 2^64 + (2^64 - 1) + 0x0123...: what is above 64 bits is 6.
    assert_eq!(bench.get("sum"), 0x0123_4567_89ab_cdee);
    assert_eq!(bench.field("sum", 64..67), 6);
    assert_eq!(bench.bytes("held").len(), 28, "201 bits in words of 32");
    // Bits beyond the field do not spill into the next one.
    bench.set_field("lanes", 3..5, u64::MAX);
    bench.set_field("lanes", 3..5, 0b1110);
    assert_eq!(bench.field("lanes", 0..8), 0b1111_0111);
}

#[test]
fn nothing_moves_without_valid_and_ready() {
    let mut bench = parts(0);
    bench.reset(1).expect("it runs");
    bench.set("lanes", 9);
    assert!(!bench.accepts("in_valid", "in_ready", false).expect("it runs"));
    bench.cycle().expect("it runs");
    assert_eq!(bench.get("held"), 0);
    bench.set("rst", 1);
    assert!(!bench.accepts("in_valid", "in_ready", true).expect("it runs"));
}

/// A module of `rtl/` needs no file, and its parameters are those of its list.
#[test]
fn a_module_of_the_library() {
    let top = Top::of("ww_fifo").with("WIDTH", 70u32).with("DEPTH", 2u32);
    let mut fifo = Bench::new(&top).expect("it builds");
    fifo.reset(2).expect("it runs");
    let [valid, ready, level] = fifo.ports(["s_valid", "s_ready", "level"]).expect("its ports");
    assert_eq!(fifo.port("m_data").expect("its port").bits(), 70);
    let mut taken = 0;
    for value in 1..=4 {
        fifo.set("s_data", value);
        taken += u32::from(fifo.accepts(valid, ready, true).expect("it runs"));
        fifo.cycle().expect("it runs");
    }
    assert_eq!(
        (taken, fifo.get(level), fifo.get("m_data")),
        (2, 2, 2),
        "nothing is taken in the first clock behind reset"
    );
}

#[test]
fn what_does_not_exist_is_named() {
    let told = |top: Top| match Bench::new(&top) {
        Ok(_) => panic!("{top:?} was built"),
        Err(error) => error.to_string(),
    };
    assert!(told(Top::of("ww_none")).contains("no module ww_none"));
    let parameter = told(Top::of("ww_fifo").with("DEPHT", 4u32));
    assert!(parameter.contains("DEPHT"), "{parameter}");
    // The module itself says which values it takes.
    let illegal = told(Top::of("ww_fifo").with("DEPTH", 0u32));
    assert!(illegal.contains("DEPTH must be 1 or more"), "{illegal}");
    let Err(Error::Model(port)) = parts(0).port("nothing") else { panic!("it has such a port") };
    assert_eq!(port, "module parts has no port nothing");
}
