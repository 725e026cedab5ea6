//! Parts of the TCP engine alone: timers, secrets, headers.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_rtl::bench::{Bench, Top};
use ww_rtl::layout::Layouts;
use ww_rtl::library;
use ww_tcp::engine::cookie::{Connection, Secrets};
use ww_tcp::options::{Block, Options, Timestamps};
use ww_tcp::random::Random;
use ww_tcp::sequence::Sequence;

/// Levels of the tree of 64 leaves, and the root's register.
const TREE: u64 = 7;

/// Leaves are set one a clock; the first of all is right so many clocks after the last, and never one that was not set.
#[test]
fn the_first_of_all_timers_is_found() {
    let mut bench = Bench::new(&Top::of("ww_toe_timers").with("PLACES", 50u32)).unwrap();
    bench.reset(2).unwrap();
    while !bench.is("ready") {
        bench.cycle().unwrap();
    }
    let mut random = Random(3);
    let mut leaves: BTreeMap<u64, u64> = BTreeMap::new();
    for _ in 0..2_000 {
        for _ in 0..1 + random.below(9) {
            let (place, at) = (random.below(50), random.pick(&[1, 2, 3, 1_000, 1 << 47]));
            let on = !random.once_in(3);
            if on {
                leaves.insert(place, at);
            } else {
                leaves.remove(&place);
            }
            bench.set("set_valid", 1);
            bench.set("set_place", place);
            bench.set("set_time", u64::from(on) << 48 | at);
            bench.cycle().unwrap();
        }
        bench.set("set_valid", 0);
        for clock in 0..TREE {
            bench.settle().unwrap();
            assert!(!bench.is("settled") || clock + 1 >= TREE, "settled after {clock} clocks");
            bench.edge().unwrap();
        }
        bench.settle().unwrap();
        assert!(bench.is("settled"));
        let first = bench.get("first");
        let expected = leaves.iter().map(|(&place, &at)| (at, place)).min();
        let found =
            (first >> 48 & 1 == 1).then(|| (first & ((1 << 48) - 1), bench.get("first_place")));
        assert_eq!(found, expected);
    }
}

/// The hash is that of the crate siphasher, six clocks after it was asked for.
#[test]
fn secrets_are_siphash() {
    let mut bench = Bench::new(&Top::of("ww_toe_secrets")).unwrap();
    let mut random = Random(11);
    bench.reset(2).unwrap();
    for seed in 0..200 {
        let secrets = Secrets::new(seed);
        let connection = Connection {
            own: Ipv4Addr::from_bits(random.bits() as u32),
            own_port: random.bits() as u16,
            peer: SocketAddrV4::new(
                Ipv4Addr::from_bits(random.bits() as u32),
                random.bits() as u16,
            ),
        };
        let more = random.bits() as u32;
        bench.set_field("key", 0..64, secrets.key().0);
        bench.set_field("key", 64..128, secrets.key().1);
        bench.set("own_ip", u64::from(connection.own.to_bits()));
        let peer =
            u64::from(connection.peer.ip().to_bits()) << 16 | u64::from(connection.peer.port());
        bench.set("connection", peer << 16 | u64::from(connection.own_port));
        bench.set("more", u64::from(more));
        bench.set("start", 1);
        bench.cycle().unwrap();
        bench.set("start", 0);
        for _ in 0..5 {
            assert!(!bench.is("done"));
            bench.cycle().unwrap();
        }
        assert!(bench.is("done"));
        assert_eq!(bench.get("hash") as u32, secrets.hash(&connection, more));
    }
}

/// Messages leave without a gap, but for a clock of each if the header needs no beat of its own.
#[test]
fn headers_are_put_in_front_without_a_gap() {
    let mut bench = Bench::new(&Top::of("ww_transport_prepend")).unwrap();
    let random = Random(5).bytes(9_000);
    for (words, length) in
        [(5u64, 1usize), (5, 44), (5, 45), (5, 64), (5, 1_460), (15, 4), (15, 5), (8, 8_960)]
    {
        bench.reset(2).unwrap();
        bench.set("tcp", 1);
        bench.set("words", words);
        bench.set("length", length as u64);
        bench.set("m_axis_tready", 1);
        let head = words as usize * 4;
        let messages = 12;
        let beats = length.div_ceil(64);
        let (mut heads, mut at, mut came) = (0, 0, Vec::new());
        let (mut first, mut last) = (None, 0u64);
        for clock in 0..40 * (beats as u64 + 4) {
            bench.set("head_valid", u64::from(heads < messages));
            let (message, beat) = (at / beats, at % beats);
            let offers = message < messages;
            let bytes = &random[beat * 64..length.min(beat * 64 + 64)];
            let keep = if bytes.len() == 64 { u64::MAX } else { (1 << bytes.len()) - 1 };
            bench.set_bytes("s_axis_tdata", 0, bytes);
            bench.set("s_axis_tkeep", keep);
            bench.set("s_axis_tlast", u64::from(beat + 1 == beats));
            bench.set("s_axis_tvalid", u64::from(offers));
            bench.settle().unwrap();
            heads += usize::from(heads < messages && bench.is("head_ready"));
            at += usize::from(offers && bench.is("s_axis_tready"));
            if bench.is("m_axis_tvalid") {
                first.get_or_insert(clock);
                last = clock;
                let count = bench.get("m_axis_tkeep").count_ones() as usize;
                came.extend_from_slice(&bench.bytes("m_axis_tdata")[..count]);
            }
            bench.edge().unwrap();
        }
        assert_eq!(came.len(), messages * (head + length), "{words} words, {length} bytes");
        for message in came.chunks(head + length) {
            assert_eq!(message[head..], random[..length]);
        }
        // A clock of each message beside those of its data: its header is summed up.
        let out = (head + length).div_ceil(64);
        let clocks = last - first.expect("messages leave") + 1;
        let each = out.max(beats + 1) as u64;
        let bound = each * (messages as u64 - 1) + out as u64;
        assert_eq!(clocks, bound, "{words} words, {length} bytes");
    }
}

/// Options of all kinds of bytes, with data behind them that are none: what is read is what the model reads.
#[test]
fn options_are_read_as_the_model_does() {
    let mut bench = Bench::new(&Top::of("ww_toe_arrivals")).unwrap();
    let layouts = layouts();
    let port = bench.port("arrival").unwrap();
    bench.set("arrival_ready", 0);
    bench.set("m_axis_tready", 1);
    bench.reset(2).unwrap();
    bench.cycle().unwrap();
    let mut random = Random(23);
    let mut read = 0;
    for _ in 0..6_000 {
        let words = 5 + random.below(11) as usize;
        let mut bytes: Vec<u8> =
            (0..64).map(|_| random.pick(&[0, 1, 1, 2, 3, 3, 4, 4, 5, 8, 10, 18, 254])).collect();
        bytes[12] = (words as u8) << 4;
        let length = 64u64;
        let options = Options::parse(&bytes[20..words * 4]);
        bench.set_bytes("s_axis_tdata", 0, &bytes);
        bench.set("length", length);
        bench.set("s_axis_tvalid", 1);
        bench.settle().unwrap();
        while !bench.is("s_axis_tready") {
            bench.cycle().unwrap();
        }
        bench.cycle().unwrap();
        bench.set("s_axis_tvalid", 0);
        let mut clocks = 0;
        while !bench.is("arrival_valid") {
            bench.cycle().unwrap();
            clocks += 1;
            assert!(clocks < 44, "an option takes a clock");
        }
        let get = |path: &str| {
            bench.field(
                port,
                layouts.field("arrival_t", &format!("segment.options.{path}")).unwrap(),
            )
        };
        let times = options.timestamps.unwrap_or_default();
        let blocks = options.sack.as_slice();
        assert_eq!((get("mss_on") == 1).then(|| get("mss") as u16), options.mss, "{bytes:?}");
        assert_eq!(
            (get("scale_on") == 1).then(|| get("scale") as u8),
            options.window_scale,
            "{bytes:?}"
        );
        assert_eq!(get("sack_permitted") == 1, options.sack_permitted, "{bytes:?}");
        assert_eq!(get("timestamps") == 1, options.timestamps.is_some(), "{bytes:?}");
        assert_eq!(
            (get("value") as u32, get("echo") as u32),
            (times.value, times.echo),
            "{bytes:?}"
        );
        assert_eq!(get("count"), blocks.len() as u64, "{bytes:?}");
        for (place, block) in blocks.iter().enumerate() {
            let found = ["start", "stop"].map(|end| get(&format!("blocks.{place}.{end}")) as u32);
            assert_eq!(found, [block.start.0, block.end.0], "{bytes:?}");
        }
        read += u64::from(options != Options::default());
        bench.set("arrival_ready", 1);
        bench.cycle().unwrap();
        bench.set("arrival_ready", 0);
        bench.settle().unwrap();
    }
    assert!(read > 500, "{read} had options");
}

/// The module has no clock, and a bench wants one.
const DEPARTURES: &str = "
module departures_with_clock import ww_toe_engine_types::*; (
    input  logic         clk,
    input  leaving_t     leaving,
    output logic [3:0]   words,
    output logic [479:0] header
);
    logic [3:0]   now_words;
    logic [479:0] now_header;
    ww_toe_departures u_departures (.leaving, .words(now_words), .header(now_header));
    always_ff @(posedge clk) begin
        words <= now_words;
        header <= now_header;
    end
endmodule
";

/// Headers have their options as the model lays them out.
#[test]
fn options_are_laid_out_as_the_model_does() {
    let top = Top::of("departures_with_clock").file("departures_with_clock.sv", DEPARTURES);
    let mut bench = Bench::new(&top).unwrap();
    let layouts = layouts();
    let port = bench.port("leaving").unwrap();
    let mut random = Random(29);
    for _ in 0..3_000 {
        let mut options = Options { sack_permitted: random.once_in(3), ..Options::default() };
        if random.once_in(2) {
            options.timestamps =
                Some(Timestamps { value: random.bits() as u32, echo: random.bits() as u32 });
        }
        if random.once_in(3) {
            options.mss = Some(random.bits() as u16);
            options.window_scale = Some(random.below(15) as u8);
        } else {
            options.sack_permitted = false;
            for _ in 0..random.below(5) {
                let (start, end) = (Sequence(random.bits() as u32), Sequence(random.bits() as u32));
                options.sack.push(Block { start, end });
            }
        }
        let mut put = |path: &str, value: u64| {
            let field = layouts.field("leaving_t", &format!("departure.options.{path}")).unwrap();
            bench.set_field(port, field, value);
        };
        let times = options.timestamps.unwrap_or_default();
        put("mss_on", u64::from(options.mss.is_some()));
        put("mss", u64::from(options.mss.unwrap_or(0)));
        put("scale_on", u64::from(options.window_scale.is_some()));
        put("scale", u64::from(options.window_scale.unwrap_or(0)));
        put("sack_permitted", u64::from(options.sack_permitted));
        put("timestamps", u64::from(options.timestamps.is_some()));
        put("value", u64::from(times.value));
        put("echo", u64::from(times.echo));
        put("count", options.sack.as_slice().len() as u64);
        for (place, block) in options.sack.as_slice().iter().enumerate() {
            put(&format!("blocks.{place}.start"), u64::from(block.start.0));
            put(&format!("blocks.{place}.stop"), u64::from(block.end.0));
        }
        bench.cycle().unwrap();
        let mut expected = Vec::new();
        options.emit(&mut expected);
        assert_eq!(bench.get("words") as usize * 4, 20 + expected.len(), "{options:?}");
        assert_eq!(bench.bytes("header")[20..20 + expected.len()], expected, "{options:?}");
    }
}

/// The structures of the engine's ports.
fn layouts() -> Layouts {
    let packages =
        ["ww_toe_types", "ww_toe_engine_types"].map(|name| library::block(name).unwrap().text);
    Layouts::read(&packages.concat()).unwrap()
}
