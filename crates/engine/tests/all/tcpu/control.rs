//! What the control plane reads and writes of the address space of TPPs.

use super::*;
use ww_dataplane::control::Error;
use ww_tpp::map::lookup;

fn address(name: &str) -> u16 {
    lookup(name).expect("the map has it")
}

#[test]
fn the_control_plane_and_tpps_see_the_same_words() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let register = address("Stage$2:Reg3");
        engine.tpp_write(register, 0xcafe).expect("a register");
        let words = ask(&mut engine, 1, "PUSH [Stage$2:Reg3]\nPUSH [Switch:SwitchID]");
        assert_eq!(words[..2], [0xcafe, 7], "{kind:?}");
        // What a TPP stored, and the version of a table that ten entries were added to.
        ask(&mut engine, 1, ".memory 0x77\nSTORE [Stage$2:Reg4], [Packet:Word[0]]");
        let names = ["Switch:SwitchID", "Stage$2:Reg3", "Stage$2:Reg4", "Stage$1:Version"];
        let addresses = names.map(address).to_vec();
        assert_eq!(engine.tpp_read(addresses), Ok(vec![7, 0xcafe, 0x77, 10]), "{kind:?}");
        assert_eq!(engine.tpp_read(Vec::new()), Ok(Vec::new()));
    }
}

#[test]
fn words_that_the_control_plane_cannot_have() {
    for kind in KINDS {
        let mut engine = bridge(kind, Config::new(7));
        let message = |result: Result<(), Error>| result.expect_err("no such word").to_string();
        let read = |engine: &mut AnyEngine, at| message(engine.tpp_read(vec![0, at]).map(drop));
        for name in
            ["PacketMetadata:InputPort", "FlowEntry$2:EntryID", "Link:TX-Bytes", "Queue:QueueSize"]
        {
            let said = read(&mut engine, address(name));
            assert!(said.ends_with("depends on a packet: only TPPs can use it"), "{name}: {said}");
        }
        // There is no ninth table.
        assert_eq!(
            read(&mut engine, address("Stage$9:Version")),
            "there is nothing at the TPP address 0x1900"
        );
        assert_eq!(message(engine.tpp_write(0, 1)), "the TPP address 0x0000 can be read only");
    }
}

#[test]
fn a_switch_without_a_tcpu_or_a_scheduler_refuses_by_name() {
    let compiled =
        frontend::compile_text(Path::new("test.p4"), BRIDGE.to_owned(), &Default::default());
    let program = Arc::new(compiled.program);
    let plain: [AnyEngine; 2] = [
        AnyEngine::new(Interp::new(program.clone(), Options::default()).expect("supported")),
        AnyEngine::new(Jit::new(program, Options::default()).expect("supported")),
    ];
    for mut engine in plain {
        let refused = |request, component: &str| {
            Err(Error::Refused { request, component: component.to_owned() })
        };
        assert_eq!(
            engine.tpp_read(vec![0]).map(drop),
            refused("tpp_read", "a switch without a TCPU")
        );
        assert_eq!(engine.tpp_write(0, 0), refused("tpp_write", "a switch without a TCPU"));
        let queues = engine.queue_statistics().map(drop);
        assert_eq!(queues, refused("queue_statistics", "queues without a scheduler"));
    }
}
