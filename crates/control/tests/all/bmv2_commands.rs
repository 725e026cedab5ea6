//! Every command of BMv2's command lines works or is refused by name, as docs/bmv2.md lists it.

use super::entries::{apply, load};
use std::path::Path;

/// The commands of `runtime_CLI` and, in the last lines, those that `simple_switch_CLI` adds.
const ALL: &str = "
    act_prof_add_member_to_group act_prof_create_group act_prof_create_member act_prof_delete_group
    act_prof_delete_member act_prof_dump act_prof_dump_group act_prof_dump_member
    act_prof_modify_member act_prof_remove_member_from_group counter_read counter_reset
    counter_write help load_new_config_file mc_dump mc_mgrp_create mc_mgrp_destroy
    mc_node_associate mc_node_create mc_node_destroy mc_node_dissociate mc_node_update
    mc_set_lag_membership meter_array_set_rates meter_get_rates meter_set_rates port_add
    port_remove pvs_add pvs_clear pvs_get pvs_remove register_read register_reset register_write
    reset_state serialize_state set_crc16_parameters set_crc32_parameters shell show_actions
    show_ports show_pvs show_tables swap_configs switch_info table_add table_clear table_delete
    table_dump table_dump_entry table_dump_entry_from_key table_dump_group table_dump_member
    table_indirect_add table_indirect_add_member_to_group table_indirect_add_with_group
    table_indirect_create_group table_indirect_create_member table_indirect_delete
    table_indirect_delete_group table_indirect_delete_member table_indirect_modify_member
    table_indirect_remove_member_from_group table_indirect_reset_default
    table_indirect_set_default table_indirect_set_default_with_group table_info table_modify
    table_num_entries table_reset_default table_set_default table_set_timeout table_show_actions
    write_config_to_file
    get_time_elapsed get_time_since_epoch mirroring_add mirroring_add_mc mirroring_add_truncate
    mirroring_delete mirroring_get set_queue_depth set_queue_rate
";

/// The page's rows: a command, and whether it works.
fn listed() -> Vec<(String, bool)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bmv2.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let rows = text.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let state = rest.split(" |").next()?;
        match state {
            "works" => Some((name.to_owned(), true)),
            "refused" => Some((name.to_owned(), false)),
            _ => None,
        }
    });
    rows.collect()
}

#[test]
fn every_command_is_listed_with_its_state() {
    let rows = listed();
    let names: Vec<&str> = ALL.split_whitespace().collect();
    let unlisted = names.iter().filter(|name| !rows.iter().any(|(row, _)| row == *name));
    assert_eq!(unlisted.collect::<Vec<_>>(), Vec::<&&str>::new());
    let mut switch = load();
    for (name, works) in rows {
        let said = apply(&mut switch, &format!("help {name}\n")).expect("help knows every command");
        let refused = said[0].starts_with(&format!("{name} is not supported: "));
        assert_eq!(refused, !works, "{name}: {said:?}");
        assert!(
            works || said[0].contains('`') || name == "shell",
            "{name}: what instead? {said:?}"
        );
        if !works {
            let errors = apply(&mut switch, &format!("{name} 1\n")).expect_err("it is refused");
            assert!(
                errors[0].starts_with(&format!("1: `{name}` is not supported: ")),
                "{errors:?}"
            );
        }
    }
    let errors = apply(&mut switch, "help table_ad\n").expect_err("there is none");
    assert!(errors[0].contains("did you mean `table_add`?"), "{errors:?}");
    let list = apply(&mut switch, "help\n").expect("a list").concat();
    assert!(list.contains("act_prof_dump_member") && list.contains("mc_dump"), "{list}");
}

#[test]
fn profiles_are_dumped() {
    let mut switch = load();
    let text = "
        act_prof_create_member sel set 5
        act_prof_create_member sel drop
        act_prof_create_group sel
        act_prof_add_member_to_group sel 0 0
        act_prof_add_member_to_group sel 1 0
        act_prof_dump sel
        act_prof_dump_member sel 0
        act_prof_dump_group sel 0
        table_dump_member ecmp 1
        table_dump_group ecmp 0
    ";
    let output = apply(&mut switch, text).expect("accepted");
    let member = "Dumping member 0\nAction entry: I.set - 05";
    let other = "Dumping member 1\nAction entry: I.drop - ";
    let group = "Dumping group 0\nMembers: [0, 1]";
    assert_eq!(
        output[0],
        format!(
            "==========\nMEMBERS\n**********\n{member}\n**********\n{other}\n==========\nGROUPS\n\
             **********\n{group}\n=========="
        )
    );
    assert_eq!(output[1..], [member, group, other, group]);
    for (text, part) in [
        ("act_prof_dump_member sel 7", "there is no member 7 in `sel`"),
        ("table_dump_group ecmp 7", "there is no group 7 in `ecmp`"),
        ("act_prof_dump acl", "table `acl` has no action profile"),
    ] {
        let errors = apply(&mut switch, text).expect_err(text);
        assert!(errors[0].contains(part), "{errors:?}");
    }
}

#[test]
fn entries_are_found_by_their_keys() {
    let mut switch = load();
    let text = "
        table_add acl set 1&&&0xff => 1 10
        table_add acl set 2&&&0xff => 2 20
        table_dump_entry_from_key acl 2&&&0xff 20
        table_dump_entry acl 1
    ";
    let output = apply(&mut switch, text).expect("accepted");
    assert_eq!(output[0], "table I.acl:\n  1: hdr.h.k=0x2&&&0xff => I.set 0x2 priority 20");
    assert_eq!(output[0], output[1]);
    let errors = apply(&mut switch, "table_dump_entry_from_key acl 3&&&0xff 20").expect_err("none");
    assert!(errors[0].contains("no entry of table `I.acl` has these keys"), "{errors:?}");
}

#[test]
fn the_switch_is_described() {
    let mut switch = load();
    let text = "
        mc_mgrp_create 7
        mc_node_create 3 2 1
        mc_node_associate 7 0
        mc_dump
        pvs_add known 6
        pvs_add known 9
        pvs_get known
        show_pvs
        show_actions
        switch_info
        get_time_elapsed
    ";
    let output = apply(&mut switch, text).expect("accepted");
    assert_eq!(
        output[0],
        "==========\nMC ENTRIES\n**********\nmgrp(7)\n  -> (L1h=0, rid=3) -> (ports=[1, 2], \
         lags=[])\n==========\nLAGS\n=========="
    );
    assert_eq!(output[1], "0x6\n0x9");
    assert_eq!(output[2], format!("{:30} [8]", "P.known"));
    // NoAction is the default action of the tables that name none.
    let actions = format!("{:30} [r(8)]\n{:30} []\n{:30} []", "I.set", "I.drop", "NoAction");
    assert_eq!(output[3], actions);
    assert!(output[4].starts_with("device_id"), "{}", output[4]);
    assert_eq!(output[5], "0", "no time passes before the first packet");
    for text in ["show_ports", "get_time_since_epoch"] {
        let errors = apply(&mut switch, text).expect_err("the run has not begun");
        assert!(errors[0].contains("ww ctl"), "{errors:?}");
    }
}

#[test]
fn copies_go_to_ports_that_exist() {
    for wrong in [
        "mirroring_add 5 600",
        "mirroring_add 5 511",
        "mirroring_add_truncate 5 512 64",
        "mc_node_create 1 2 600",
    ] {
        let mut switch = load();
        let errors = apply(&mut switch, wrong).expect_err(wrong);
        assert!(
            errors[0].contains("v1model has the ports 0 to 510; 511 means drop"),
            "{wrong}: {errors:?}"
        );
        assert!(apply(&mut switch, "mirroring_get 5").is_err(), "{wrong}: nothing is set");
    }
    let text = "mc_node_create 1 2\nmc_node_update 0 600\n";
    let errors = apply(&mut load(), text).expect_err("no such port");
    assert!(errors[0].starts_with("2: there is no port 600"), "{errors:?}");
    apply(&mut load(), "mirroring_add 5 510\nmc_node_create 1 0 510\n").expect("the last ones");
}
