//! Programs beyond a limit are refused by every engine with the same words, before anything is
//! expanded or allocated.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ww_dataplane::Dataplane;
use ww_dataplane::control::{
    CellArray, Control, CounterIndex, CounterValue, MeterIndex, MeterRate, MeterRates,
    RegisterIndex,
};
use ww_engine::engine::AnyEngine;
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::frontend::{compile_file, compile_text};
use ww_p4::pipeline;

#[test]
fn all_engines_refuse_alike() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/p4/warn/engine_limit");
    for (name, what) in [
        ("cells.p4", "meter `I.all` has 4294967295 cells"),
        ("operations.p4", "function `f20` has 2097150 operations"),
        ("operations_of_actions.p4", "action `a20` has 2097150 operations"),
        ("operations_of_controls.p4", "control `K20` has 2097150 operations"),
    ] {
        let compilation = compile_file(&folder.join(name), &Default::default());
        assert!(!compilation.diagnostics.has_errors(), "{name}");
        let program = Arc::new(compilation.program);
        let begin = Instant::now();
        let interp = Interp::new(program.clone(), Options::default()).err().expect("refused");
        let jit = Jit::new(program.clone(), Options::default()).err().expect("refused");
        let hardware = pipeline::lower_for_hardware(&program).expect_err("refused");
        assert!(begin.elapsed() < Duration::from_secs(2), "{name}: {:?}", begin.elapsed());
        assert!(interp.message.contains(what), "{name}: {interp}");
        assert_eq!((interp.to_string(), interp.span), (jit.to_string(), jit.span()), "{name}");
        let hardware = hardware.iter().next().expect("one").clone();
        assert_eq!(interp, hardware.into(), "{name}");
    }
}

/// Cells at the limit, of which packets use some.
const LARGE: &str = "
#include <core.p4>
#include <v1model.p4>
header h_t { bit<32> a; }
struct H { h_t h; }
struct M { bit<8> c; }
parser P(packet_in p, out H h, inout M m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout H h, inout M m) { apply { } }
control I(inout H h, inout M m, inout standard_metadata_t s) {
    counter(0x4000000, CounterType.packets) c;
    meter(0x2000000, MeterType.packets) r;
    register<bit<72>>(0x2000000) w;
    apply {
        c.count(h.h.a);
        r.execute_meter(h.h.a, m.c);
        w.write(h.h.a, 7);
        s.egress_spec = 1;
    }
}
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control C(inout H h, inout M m) { apply { } }
control D(packet_out p, in H h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

/// The cells of an array that are looked at, and where they are other than zero.
fn used(engine: &mut AnyEngine, array: CellArray) -> (u64, Vec<u64>) {
    let (mut looked_at, mut found, mut from) = (0, Vec::new(), 0);
    while let Some((begin, end)) = engine.next_used(array, from).expect("handled") {
        looked_at += end - begin;
        found.extend((begin..end).filter(|cell| match array {
            CellArray::Counter(counter) => {
                engine.counter_read(counter, *cell).expect("inside") != CounterValue::default()
            }
            CellArray::Meter(meter) => engine.meter_rates(meter, *cell).expect("inside").is_some(),
            CellArray::Register(register) => {
                engine.register_read(register, *cell).expect("inside").bits() > 0
            }
        }));
        from = end;
    }
    (looked_at, found)
}

#[test]
fn large_arrays_are_used_listed_and_reset_by_the_cells_in_use() {
    let compilation = compile_text(Path::new("large.p4"), LARGE.into(), &Default::default());
    let problems = compilation.diagnostics.render(&compilation.sources, false);
    assert_eq!(compilation.diagnostics.iter().count(), 0, "{problems}");
    let program = Arc::new(compilation.program);
    let interp = Interp::new(program.clone(), Options::default()).expect("within the limit");
    let jit = Jit::new(program, Options::default()).expect("within the limit");
    let arrays = [
        CellArray::Counter(CounterIndex(0)),
        CellArray::Meter(MeterIndex(0)),
        CellArray::Register(RegisterIndex(0)),
    ];
    for mut engine in [AnyEngine::new(interp), AnyEngine::new(jit)] {
        let begin = Instant::now();
        let indices = [3u32, 0x1ff_ffff, 0x3ff_ffff, 0x1000];
        for index in indices {
            let mut frame = vec![0; 60];
            frame[..4].copy_from_slice(&index.to_be_bytes());
            engine.receive(0, 0, &frame, &mut Vec::new());
        }
        let rate = MeterRate { units_per_microsecond: 1.0, burst: 1 };
        let rates = Some(MeterRates { committed: rate, peak: rate });
        engine.meter_set_rates(MeterIndex(0), Some(77), rates).expect("inside");
        let expected =
            [vec![3, 0x1000, 0x1ff_ffff, 0x3ff_ffff], vec![77], vec![3, 0x1000, 0x1ff_ffff]];
        for (array, expected) in arrays.into_iter().zip(expected) {
            let (looked_at, found) = used(&mut engine, array);
            assert_eq!(found, expected, "{array:?}");
            // Four huge pages of 2 MiB at most.
            assert!(looked_at <= 4 * (2 << 20) / 16, "{array:?}: {looked_at}");
        }
        engine.reset_state().expect("possible");
        for array in arrays {
            assert!(used(&mut engine, array).1.is_empty(), "{array:?}");
        }
        assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
        // What is given to all cells is in all of them.
        let value = CounterValue { packets: 2, bytes: 1 };
        engine.counter_write(CounterIndex(0), None, value).expect("possible");
        assert_eq!(engine.counter_read(CounterIndex(0), 0x3ff_fffe), Ok(value));
        assert_eq!(engine.next_used(arrays[0], 9), Ok(Some((9, 0x400_0000))));
        assert_eq!(engine.next_used(arrays[0], 0x400_0000), Ok(None));
    }
}
