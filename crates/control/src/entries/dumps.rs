//! Commands that print what is there, in the shape that BMv2's command line gives it.

use super::session::{Result, Session, argument, at, fail, small};
use super::tables::{entry_of, read_keys, read_priority};
use super::values::format_key;
use super::{objects, profiles};
use crate::word::Word;
use std::collections::BTreeSet;
use std::fmt::Write;
use ww_dataplane::control::{ActionData, ActionInfo, ProfileIndex};
use ww_p4::source::Span;

/// The line between two parts.
const PART: &str = "==========";
/// The line above each thing of a part.
const THING: &str = "**********";

/// An action with its arguments: bytes in hexadecimal digits.
fn action_text(actions: &[ActionInfo], data: &ActionData) -> String {
    let Some(action) = actions.get(data.action) else { return "?".to_owned() };
    let digits = |(value, width): (_, u32)| {
        let wide = width.div_ceil(8) as usize * 2;
        format!("{value:0wide$x}")
    };
    let widths = action.parameters.iter().map(|parameter| parameter.width);
    let arguments: Vec<_> = data.arguments.iter().zip(widths).map(digits).collect();
    format!("Action entry: {} - {}", action.name, arguments.join(", "))
}

fn members_text(session: &mut Session, id: ProfileIndex, span: Span) -> Result<String> {
    let view = session.control.profile(id).map_err(|e| at(span, e))?;
    let schema = session.schema();
    let mut text = String::new();
    for (handle, data) in &view.members {
        let shown = action_text(&schema[id].actions, data);
        let _ = write!(text, "{THING}\nDumping member {handle}\n{shown}\n");
    }
    Ok(text)
}

fn group_text(handle: u32, members: &BTreeSet<u32>) -> String {
    let members: Vec<_> = members.iter().map(u32::to_string).collect();
    format!("Dumping group {handle}\nMembers: [{}]", members.join(", "))
}

/// `act_prof_dump PROFILE`
pub(super) fn profile(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = profiles::profile(session, argument(arguments, 0, span)?)?;
    let members = members_text(session, id, span)?;
    let view = session.control.profile(id).map_err(|e| at(span, e))?;
    let mut text = format!("{PART}\nMEMBERS\n{members}{PART}\nGROUPS\n");
    for (handle, group) in &view.groups {
        let _ = write!(text, "{THING}\n{}\n", group_text(*handle, group));
    }
    session.say(text + PART);
    Ok(())
}

/// `act_prof_dump_member PROFILE MEMBER`, `table_dump_member TABLE MEMBER`
pub(super) fn member(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let name = argument(arguments, 0, span)?;
    let id = profiles::profile(session, name)?;
    let handle: u32 = small(argument(arguments, 1, span)?, "the handle of a member")?;
    let view = session.control.profile(id).map_err(|e| at(span, e))?;
    let Some(data) = view.members.get(&handle) else {
        return session.missing(span, format!("there is no member {handle} in `{}`", name.text));
    };
    let shown = action_text(&session.schema()[id].actions, data);
    session.say(format!("Dumping member {handle}\n{shown}"));
    Ok(())
}

/// `act_prof_dump_group PROFILE GROUP`, `table_dump_group TABLE GROUP`
pub(super) fn group(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let name = argument(arguments, 0, span)?;
    let id = profiles::profile(session, name)?;
    let handle: u32 = small(argument(arguments, 1, span)?, "the handle of a group")?;
    let view = session.control.profile(id).map_err(|e| at(span, e))?;
    let Some(members) = view.groups.get(&handle) else {
        return session.missing(span, format!("there is no group {handle} in `{}`", name.text));
    };
    session.say(group_text(handle, members));
    Ok(())
}

/// `table_dump_entry_from_key TABLE KEY.. [PRIORITY]`
pub(super) fn entry_from_key(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let index = session.table(argument(arguments, 0, span)?)?;
    let schema = session.schema();
    let info = &schema[index];
    let rest = &arguments[1..];
    let (keys, priority) = match rest.split_last().filter(|_| info.has_priorities()) {
        Some((priority, keys)) => (keys, read_priority(priority)?),
        None => (rest, 0),
    };
    let keys = read_keys(info, keys, span)?;
    let found = session.control.table_find(index, keys, priority).map_err(|e| at(span, e))?;
    match found {
        Some(handle) => {
            let text = entry_of(session, index, handle, span)?;
            session.say(text);
            Ok(())
        }
        None => session.missing(span, format!("no entry of table `{}` has these keys", info.name)),
    }
}

/// `mc_dump`
pub(super) fn multicast(session: &mut Session, _: &[Word], span: Span) -> Result<()> {
    let view = session.control.multicast().map_err(|e| at(span, e))?;
    let mut text = format!("{PART}\nMC ENTRIES\n");
    for (group, nodes) in &view.groups {
        let _ = write!(text, "{THING}\nmgrp({group})\n");
        for handle in nodes {
            let Some(node) = view.nodes.get(handle) else { continue };
            let ports: Vec<_> = node.ports.iter().map(u32::to_string).collect();
            let _ = writeln!(
                text,
                "  -> (L1h={}, rid={}) -> (ports=[{}], lags=[])",
                handle.0,
                node.replication_id,
                ports.join(", ")
            );
        }
    }
    let _ = write!(text, "{PART}\nLAGS\n{PART}");
    session.say(text);
    Ok(())
}

/// `show_actions`
pub(super) fn actions(session: &mut Session, _: &[Word], _: Span) -> Result<()> {
    let schema = session.schema();
    let of_tables = schema.tables.iter().flat_map(|table| &table.actions);
    let of_profiles = schema.profiles.iter().flat_map(|profile| &profile.actions);
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for action in of_tables.chain(of_profiles).filter(|action| seen.insert(action.name.clone())) {
        let parameters: Vec<_> =
            action.parameters.iter().map(|p| format!("{}({})", p.name, p.width)).collect();
        lines.push(format!("{:30} [{}]", action.name, parameters.join(",\t")));
    }
    session.say(lines.join("\n"));
    Ok(())
}

/// `show_pvs`
pub(super) fn value_sets(session: &mut Session, _: &[Word], _: Span) -> Result<()> {
    let schema = session.schema();
    let one = |set: &ww_dataplane::control::ValueSetInfo| {
        let width: u32 = set.keys.iter().map(|key| key.width).sum();
        format!("{:30} [{width}]", set.name)
    };
    let lines: Vec<_> = schema.value_sets.iter().map(one).collect();
    session.say(lines.join("\n"));
    Ok(())
}

/// `pvs_get VALUE_SET`
pub(super) fn value_set(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = objects::value_set(session, argument(arguments, 0, span)?)?;
    let members = session.control.value_set_members(id).map_err(|e| at(span, e))?;
    let lines: Vec<_> = members
        .iter()
        .map(|member| member.iter().map(format_key).collect::<Vec<_>>().join(" "))
        .collect();
    session.say(lines.join("\n"));
    Ok(())
}

/// `show_ports`
pub(super) fn ports(session: &mut Session, _: &[Word], span: Span) -> Result<()> {
    const LINE: &str = "===================================================================";
    let Some(ports) = &session.surroundings.ports else {
        let message = "`show_ports`: ports are not attached yet; ask a running dataplane with `ww ctl run` or `ww ctl ports`";
        return fail(span, message);
    };
    let mut text = format!(
        "{LINE}\n{:^12}{:^24}{:^16}{:^15}\n{LINE}\n",
        "port #", "iface name", "status", "extra info"
    );
    for (port, name) in ports {
        let _ = writeln!(text, "{port:^12}{name:^24}{:^16}", "UP");
    }
    session.say(text + LINE);
    Ok(())
}

/// `switch_info`: BMv2's attributes; the switch has no number, Thrift or nanomsg sockets.
pub(super) fn switch(session: &mut Session, _: &[Word], _: Span) -> Result<()> {
    let attributes = [
        ("device_id", "0"),
        ("thrift_port", "None"),
        ("notifications_socket", "None"),
        ("elogger_socket", "None"),
        ("debugger_socket", "None"),
    ];
    let lines = attributes.map(|(name, value)| format!("{name:26}: {value}"));
    session.say(lines.join("\n"));
    Ok(())
}

/// `get_time_elapsed`: microseconds since the run began.
pub(super) fn time_elapsed(session: &mut Session, _: &[Word], _: Span) -> Result<()> {
    session.say(session.surroundings.elapsed.as_micros().to_string());
    Ok(())
}

/// `get_time_since_epoch`: microseconds since 1970.
pub(super) fn time_since_epoch(session: &mut Session, _: &[Word], span: Span) -> Result<()> {
    match session.surroundings.since_epoch {
        Some(time) => {
            session.say(time.as_micros().to_string());
            Ok(())
        }
        None => fail(
            span,
            "`get_time_since_epoch`: before the first packet there is no time; ask a running dataplane with `ww ctl run`",
        ),
    }
}
