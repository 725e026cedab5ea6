//! Tiny packet programs: arbitrary frames through finding, executing, sending back and stripping, and
//! arbitrary text through the assembler. Executing writes nothing but hop number, stack pointer, checksum
//! and packet memory, and nothing to switches but where the application may; the checksum stays right. Then
//! the same frames through the TCPU of a switch.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_packet::checksum::internet_checksum;
use ww_tpp::analyse::Accesses;
use ww_tpp::analyse::hazard::hazards;
use ww_tpp::assemble::{Options, Program, assemble, render};
use ww_tpp::disassemble::disassemble;
use ww_tpp::execute::{Settings, execute};
use ww_tpp::frame::{Carriage, Outcome, execute_frame, find, insert, send_back, strip};
use ww_tpp::map::Stages;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::{Operation, Protection, Rule};
use ww_tpp::split::Split;
use ww_tpp::switch::tables::NoTables;
use ww_tpp::switch::{Arrival, Carried, Config, Packet, Tcpu, Verdict};
use ww_tpp::switch_memory::{Refusal, Swap, SwitchMemory, Value};

/// Every address exists and can be written; remembers what was accessed.
#[derive(Default)]
struct Recorder {
    read: Vec<u16>,
    written: Vec<u16>,
}

impl SwitchMemory for Recorder {
    fn read(&mut self, address: u16) -> Option<Value> {
        self.read.push(address);
        Some(Value { word: u32::from(address) * 0x10001, high: (address & 1 == 0).then_some(7) })
    }

    fn write(&mut self, address: u16, _: u32) -> Result<(), Refusal> {
        self.written.push(address);
        Ok(())
    }

    fn compare_and_store(&mut self, address: u16, _: Swap) -> Result<u32, Refusal> {
        self.read.push(address);
        self.written.push(address);
        Ok(5)
    }
}

fuzz_target!(|data: &[u8]| {
    frame(data);
    switch(data);
    // The same bytes as a TPP, with lengths and checksum put right, so that much of them is executed.
    if data.len() > 12 {
        let memory = usize::from(data[2]).min(data.len() - 12) / 4 * 4;
        let words = ((data.len() - 12 - memory) / 4).min(5);
        let total = 12 + 4 * words + memory;
        let mut tpp = data[..total].to_vec();
        tpp[..2].copy_from_slice(&(total as u16).to_be_bytes());
        tpp[2] = memory as u8;
        tpp[3] &= 0xfc;
        tpp[5] = tpp[5].min(memory as u8) & 0xfc;
        tpp[6] &= 0xfc;
        tpp[8..10].fill(0);
        let checksum = internet_checksum(&tpp);
        tpp[8..10].copy_from_slice(&checksum.to_be_bytes());
        let mut whole = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x66, 0x66];
        whole.extend(&tpp);
        frame(&whole);
        switch(&whole);
        program(&Repr::parse(&Tpp::new(tpp.as_slice()).expect("put right")));
    }
    if let Ok(text) = std::str::from_utf8(data) {
        match assemble(text, &Options::default()) {
            Ok(tpp) => program(&tpp),
            Err(mistakes) => assert!(!render("t", text, &mistakes).is_empty()),
        }
        if let Ok(program) = Program::parse(text, &Options { hops: Some(3), ..Options::default() })
            && let Ok(split) = Split::new(&program, 200, &Stages::default())
        {
            for part in &split.parts {
                assert!(split.fill(part, &split.image).emit().len() <= 200);
            }
        }
    }
});

/// Text and analysis of a TPP that is sound.
fn program(tpp: &Repr) {
    let text = disassemble(tpp);
    assert_eq!(assemble(&text, &Options::default()).as_ref(), Ok(tpp), "{text}");
    let accesses = Accesses::of(tpp);
    hazards(tpp, &Stages { ingress: 3, egress: 1 });
    // What is executed is among what the analyser foresaw, at three hops.
    let mut bytes = tpp.emit();
    for _ in 0..3 {
        let mut recorder = Recorder::default();
        execute(&mut Tpp::new(bytes.as_mut_slice()).expect("a TPP"), &mut recorder, &Settings::default());
        if accesses.overwritten.is_empty() {
            let foreseen = |operation, address| {
                accesses.all.iter().any(|&(_, o, a)| (o, a) == (operation, address))
            };
            assert!(recorder.read.iter().all(|&address| foreseen(Operation::Read, address)));
            assert!(recorder.written.iter().all(|&address| foreseen(Operation::Write, address)));
        }
    }
}

fn frame(data: &[u8]) {
    let rule = |operation, first, last| Rule {
        app_tag: data.get(21).copied().unwrap_or(0),
        operation,
        first,
        last,
    };
    let table = Protection::new(&[
        rule(Operation::Read, 0, 0x7fff),
        rule(Operation::Write, 0x4000, 0x9fff),
    ]);
    let settings = Settings { protection: Some(&table), ..Settings::default() };
    let mut frame = data.to_vec();
    let mut memory = Recorder::default();
    let outcome = execute_frame(&mut frame, &mut memory, &settings);
    assert_eq!(frame.len(), data.len());
    assert!(memory.read.iter().all(|address| *address <= 0x7fff));
    assert!(memory.written.iter().all(|address| (0x4000..=0x9fff).contains(address)));
    match outcome {
        Outcome::NoTpp | Outcome::Malformed(_) => assert_eq!(frame, data),
        Outcome::Done(_) => {
            let place = find(&frame).expect("still a TPP");
            assert_ne!(place.carriage, Carriage::Echo);
            let tpp = Tpp::new(&frame[place.bytes.clone()]).expect("the checksum is right");
            let at = place.bytes.start;
            let memory = at + tpp.length() - tpp.memory_length()..at + tpp.length();
            for (i, (new, old)) in frame.iter().zip(data).enumerate() {
                let may = memory.contains(&i) || [4, 5, 8, 9].iter().any(|byte| at + byte == i);
                assert!(new == old || may, "byte {i}");
            }
        }
    }
    let mut back = frame.clone();
    if send_back(&mut back) {
        assert_eq!(back.len(), frame.len());
        let again = back.clone();
        assert!(!send_back(&mut back), "once");
        assert_eq!(back, again);
    }
    let before = frame.clone();
    match strip(&mut frame) {
        None => assert_eq!(frame, before),
        Some(tpp) => {
            assert_eq!(frame.len() + tpp.len(), before.len());
            // What was stripped of EtherType 0x6666 goes in again, if it left an Ethernet frame without TPP.
            if find(&before).is_some_and(|place| place.carriage == Carriage::Transparent)
                && insert(&mut frame, &tpp).is_ok()
            {
                assert_eq!(frame.len(), before.len());
                assert!(strip(&mut frame).is_some());
            }
        }
    }
}

/// The same through a switch's TCPU: what comes out is as long, and nothing but the TPP differs from the frame.
fn switch(data: &[u8]) {
    let mut tcpu = Tcpu::new(Config::new(7), 2);
    let (mut frame, mut tpp) = (data.to_vec(), Carried::default());
    let Arrival::Carries { begin } = tcpu.arrive(1, 5, &mut frame, &mut tpp) else {
        return assert_eq!(frame, data);
    };
    let seen = frame.split_off(begin);
    let place = find(data).expect("a TPP").bytes.start;
    let mut way = Packet::new(5, (1, &seen, data.len() as u32), (2, 0));
    let verdict = tcpu.execute(&mut tpp, &mut way, &NoTables);
    let (mut there, mut left) = (seen.clone(), Vec::new());
    tpp.write_into(&mut there);
    tpp.put_back(&there, &mut left);
    assert_eq!(left.len(), data.len());
    assert_eq!(left[..place], data[..place]);
    if verdict == Verdict::Reflect {
        let (back, again) = tcpu.reflect(&seen, &tpp);
        assert_eq!(back.len() + again.map_or(0, |tpp| tpp.extra()) as usize, data.len());
    }
}
