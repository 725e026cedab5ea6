//! What a TPP costs a packet. Absolute times are this machine's: `cargo test --release -p wirewright-engine --test
//! tcpu -- --ignored --nocapture cost`.

use super::*;
use std::time::Instant;
use ww_dataplane::{Frame, Picoseconds, Sink};

/// Counts what leaves.
#[derive(Default)]
struct Counted(u64);

impl Sink for Counted {
    fn transmit(&mut self, _: PortId, _: Picoseconds, frame: &[u8]) {
        self.0 += frame.len() as u64;
    }
}

/// Nanoseconds a packet, the best of several runs.
fn cost(engine: &mut AnyEngine, frame: &[u8]) -> f64 {
    const BATCH: usize = 32;
    const BATCHES: usize = 20_000;
    let mut copies: Vec<Vec<u8>> = vec![frame.to_vec(); BATCH];
    let mut best = f64::MAX;
    for _ in 0..5 {
        let (begin, mut sink) = (Instant::now(), Counted::default());
        for n in 0..BATCHES {
            copies.iter_mut().for_each(|copy| copy.copy_from_slice(frame));
            let mut frames: Vec<Frame<'_>> =
                copies.iter_mut().map(|bytes| Frame { port: 1, bytes }).collect();
            engine.receive_batch(n as u64 * 1_000_000, &mut frames, &mut sink);
        }
        assert_eq!(sink.0, (BATCH * BATCHES * frame.len()) as u64);
        best = best.min(begin.elapsed().as_nanos() as f64 / (BATCH * BATCHES) as f64);
    }
    best
}

#[test]
#[ignore = "measures time"]
fn cost_of_five_instructions() {
    let program = "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\n\
                   PUSH [Queue:QueueOccupancy]\nPUSH [Link:RX-Utilization]\nPUSH [Link:AppSpecific_0]";
    let plain = frame(1, 2, 0x0800, &[0; 186]);
    let with = with_tpp(frame(1, 2, 0x0800, &[0; 134]), &tpp(program));
    assert_eq!(plain.len(), with.len());
    let mut done = with.clone();
    assert!(ww_tpp::frame::send_back(&mut done));
    let done =
        with_tpp(frame(1, 2, 0x0800, &[0; 134]), &ww_tpp::frame::strip(&mut done).expect("it"));
    let mut bare = {
        let compiled =
            frontend::compile_text(Path::new("t.p4"), BRIDGE.to_owned(), &Default::default());
        AnyEngine::new(Jit::new(Arc::new(compiled.program), Options::default()).expect("supported"))
    };
    add(&mut bare, "I.bridge", KeyMatch::Exact(mac(2).into()), (0, 2));
    let [mut first, mut second, mut third] = [(); 3].map(|()| bridge(Kind::Jit, Config::new(7)));
    for (what, engine, frame) in [
        ("no TCPU", &mut bare, &plain),
        ("a TCPU, no TPP", &mut first, &plain),
        ("a TPP that is done", &mut second, &done),
        ("five instructions", &mut third, &with),
    ] {
        println!("{what}: {:.0} ns a packet", cost(engine, frame));
    }
}
