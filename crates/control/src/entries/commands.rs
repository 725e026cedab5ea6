//! All commands: their names, how they are written, and what carries them out.

use super::session::{Result, Session};
use super::tables::{self, Indirect};
use super::{dumps, help, objects, profiles, replication};
use crate::word::Word;
use ww_p4::source::Span;

/// A command.
#[derive(Debug)]
pub(super) struct Command {
    /// First word of the line.
    pub name: &'static str,
    /// The words behind it.
    pub usage: &'static str,
    /// Least and greatest number of words behind the name.
    pub arguments: (usize, usize),
    /// Whether later commands refer to what it makes.
    pub creates: bool,
    /// Carries it out.
    pub run: fn(&mut Session, &[Word], Span) -> Result<()>,
}

const MANY: usize = usize::MAX;

const fn command(
    name: &'static str,
    usage: &'static str,
    arguments: (usize, usize),
    run: fn(&mut Session, &[Word], Span) -> Result<()>,
) -> Command {
    Command { name, usage, arguments, creates: false, run }
}

const fn creates(command: Command) -> Command {
    Command { creates: true, ..command }
}

/// All commands that are carried out.
pub(super) static COMMANDS: &[Command] = &[
    creates(command(
        "table_add",
        "TABLE ACTION KEY.. => [ARGUMENT..] [PRIORITY]",
        (2, MANY),
        tables::add,
    )),
    command("table_set_default", "TABLE ACTION [ARGUMENT..]", (2, MANY), tables::set_default),
    command("table_reset_default", "TABLE", (1, 1), tables::reset_default),
    command("table_modify", "TABLE ACTION HANDLE [ARGUMENT..]", (3, MANY), tables::modify),
    command("table_delete", "TABLE HANDLE", (2, 2), tables::delete),
    command("table_clear", "TABLE", (1, 1), tables::clear),
    command("table_dump", "TABLE", (1, 1), tables::dump),
    command("table_dump_entry", "TABLE HANDLE", (2, 2), tables::dump_entry),
    command(
        "table_dump_entry_from_key",
        "TABLE KEY.. [PRIORITY]",
        (1, MANY),
        dumps::entry_from_key,
    ),
    command("table_dump_member", "TABLE MEMBER", (2, 2), dumps::member),
    command("table_dump_group", "TABLE GROUP", (2, 2), dumps::group),
    command("table_num_entries", "TABLE", (1, 1), tables::count),
    command("table_info", "TABLE", (1, 1), tables::info),
    command("table_show_actions", "TABLE", (1, 1), tables::show_actions),
    command("show_tables", "", (0, 0), tables::show),
    command("show_actions", "", (0, 0), dumps::actions),
    command("show_pvs", "", (0, 0), dumps::value_sets),
    command("show_ports", "", (0, 0), dumps::ports),
    command("switch_info", "", (0, 0), dumps::switch),
    command("get_time_elapsed", "", (0, 0), dumps::time_elapsed),
    command("get_time_since_epoch", "", (0, 0), dumps::time_since_epoch),
    command("help", "[COMMAND]", (0, 1), help::help),
    command("act_prof_dump", "PROFILE", (1, 1), dumps::profile),
    command("act_prof_dump_member", "PROFILE MEMBER", (2, 2), dumps::member),
    command("act_prof_dump_group", "PROFILE GROUP", (2, 2), dumps::group),
    creates(command(
        "act_prof_create_member",
        "PROFILE ACTION [ARGUMENT..]",
        (2, MANY),
        profiles::create_member,
    )),
    command(
        "act_prof_modify_member",
        "PROFILE ACTION MEMBER [ARGUMENT..]",
        (3, MANY),
        profiles::modify_member,
    ),
    command("act_prof_delete_member", "PROFILE MEMBER", (2, 2), profiles::delete_member),
    creates(command("act_prof_create_group", "PROFILE", (1, 1), profiles::create_group)),
    command("act_prof_delete_group", "PROFILE GROUP", (2, 2), profiles::delete_group),
    command("act_prof_add_member_to_group", "PROFILE MEMBER GROUP", (3, 3), profiles::add_to_group),
    command(
        "act_prof_remove_member_from_group",
        "PROFILE MEMBER GROUP",
        (3, 3),
        profiles::remove_from_group,
    ),
    creates(command(
        "table_indirect_create_member",
        "TABLE ACTION [ARGUMENT..]",
        (2, MANY),
        profiles::create_member,
    )),
    command(
        "table_indirect_modify_member",
        "TABLE ACTION MEMBER [ARGUMENT..]",
        (3, MANY),
        profiles::modify_member,
    ),
    command("table_indirect_delete_member", "TABLE MEMBER", (2, 2), profiles::delete_member),
    creates(command("table_indirect_create_group", "TABLE", (1, 1), profiles::create_group)),
    command("table_indirect_delete_group", "TABLE GROUP", (2, 2), profiles::delete_group),
    command(
        "table_indirect_add_member_to_group",
        "TABLE MEMBER GROUP",
        (3, 3),
        profiles::add_to_group,
    ),
    command(
        "table_indirect_remove_member_from_group",
        "TABLE MEMBER GROUP",
        (3, 3),
        profiles::remove_from_group,
    ),
    creates(command(
        "table_indirect_add",
        "TABLE KEY.. => MEMBER [PRIORITY]",
        (3, MANY),
        |session, words, span| tables::indirect_add(session, words, span, Indirect::Member),
    )),
    creates(command(
        "table_indirect_add_with_group",
        "TABLE KEY.. => GROUP [PRIORITY]",
        (3, MANY),
        |session, words, span| tables::indirect_add(session, words, span, Indirect::Group),
    )),
    command("table_indirect_modify", "TABLE HANDLE MEMBER", (3, 3), |session, words, span| {
        tables::indirect_modify(session, words, span, Indirect::Member)
    }),
    command(
        "table_indirect_modify_with_group",
        "TABLE HANDLE GROUP",
        (3, 3),
        |session, words, span| tables::indirect_modify(session, words, span, Indirect::Group),
    ),
    command("table_indirect_delete", "TABLE HANDLE", (2, 2), tables::delete),
    command("table_indirect_set_default", "TABLE MEMBER", (2, 2), |session, words, span| {
        tables::indirect_set_default(session, words, span, Indirect::Member)
    }),
    command(
        "table_indirect_set_default_with_group",
        "TABLE GROUP",
        (2, 2),
        |session, words, span| tables::indirect_set_default(session, words, span, Indirect::Group),
    ),
    command("table_indirect_reset_default", "TABLE", (1, 1), tables::reset_default),
    command("register_write", "REGISTER INDEX VALUE", (3, 3), objects::register_write),
    command("register_read", "REGISTER [INDEX]", (1, 2), objects::register_read),
    command("register_reset", "REGISTER", (1, 1), objects::register_reset),
    command("counter_read", "COUNTER INDEX", (2, 2), objects::counter_read),
    command("counter_write", "COUNTER INDEX PACKETS BYTES", (4, 4), objects::counter_write),
    command("counter_reset", "COUNTER", (1, 1), objects::counter_reset),
    command(
        "meter_set_rates",
        "METER INDEX RATE:BURST RATE:BURST",
        (4, 4),
        objects::meter_set_rates,
    ),
    command(
        "meter_array_set_rates",
        "METER RATE:BURST RATE:BURST",
        (3, 3),
        objects::meter_array_set_rates,
    ),
    command("meter_get_rates", "METER INDEX", (2, 2), objects::meter_get_rates),
    command("pvs_add", "VALUE_SET VALUE..", (2, MANY), objects::value_set_add),
    command("pvs_remove", "VALUE_SET VALUE..", (2, MANY), objects::value_set_remove),
    command("pvs_get", "VALUE_SET", (1, 1), dumps::value_set),
    command("pvs_clear", "VALUE_SET", (1, 1), objects::value_set_clear),
    command(
        "set_crc16_parameters",
        "NAME POLYNOMIAL INITIAL XOR REFLECT_DATA REFLECT_REMAINDER",
        (6, 6),
        objects::set_crc16,
    ),
    command(
        "set_crc32_parameters",
        "NAME POLYNOMIAL INITIAL XOR REFLECT_DATA REFLECT_REMAINDER",
        (6, 6),
        objects::set_crc32,
    ),
    command("mirroring_add", "SESSION PORT", (2, 2), replication::mirroring_add),
    command("mirroring_add_mc", "SESSION GROUP", (2, 2), replication::mirroring_add_group),
    command(
        "mirroring_add_truncate",
        "SESSION PORT LENGTH",
        (3, 3),
        replication::mirroring_add_truncate,
    ),
    command("mirroring_delete", "SESSION", (1, 1), replication::mirroring_delete),
    command("mirroring_get", "SESSION", (1, 1), replication::mirroring_get),
    creates(command("mc_mgrp_create", "GROUP", (1, 1), replication::group_create)),
    command("mc_mgrp_destroy", "GROUP", (1, 1), replication::group_destroy),
    creates(command("mc_node_create", "RID PORT..", (1, MANY), replication::node_create)),
    command("mc_node_update", "NODE PORT..", (1, MANY), replication::node_update),
    command("mc_node_associate", "GROUP NODE", (2, 2), replication::node_associate),
    command("mc_node_dissociate", "GROUP NODE", (2, 2), replication::node_dissociate),
    command("mc_node_destroy", "NODE", (1, 1), replication::node_destroy),
    command("mc_dump", "", (0, 0), dumps::multicast),
    command("reset_state", "", (0, 0), objects::reset_state),
];

/// Commands of BMv2's `runtime_CLI` and `simple_switch_CLI` that have no meaning here: why, and what
/// there is instead.
pub(super) static REFUSED: &[(&str, &str)] = &[
    (
        "set_queue_rate",
        "without `--scheduler` the output queues have no rate of their own; give rates in a policy \
         file: `ww run --scheduler POLICY.toml`",
    ),
    (
        "set_queue_depth",
        "without `--scheduler` the output queues are unlimited; give sizes in a policy file: `ww \
         run --scheduler POLICY.toml`",
    ),
    ("table_set_timeout", "entries do not age; remove them with `table_delete`"),
    (
        "mc_set_lag_membership",
        "link aggregation groups are not part of replication here; give the ports to `mc_node_create`",
    ),
    ("port_add", "ports are given on the command line: `ww run --port N=INTERFACE`"),
    ("port_remove", "ports are given on the command line: `ww run --port N=INTERFACE`"),
    (
        "load_new_config_file",
        "the program is given on the command line; `ww ctl load NEW.p4` loads another one",
    ),
    ("swap_configs", "`ww ctl load NEW.p4` loads another program and exchanges it at once"),
    (
        "write_config_to_file",
        "there is no BMv2 JSON here; `ww check PROG.p4 --emit ir` prints the program",
    ),
    (
        "serialize_state",
        "state is not saved in BMv2's format; `ww ctl --json table list TABLE` prints entries",
    ),
    ("shell", "a command file does not start programs; use your own shell"),
];
