//! Commands on mirroring sessions and multicast groups.

use super::session::{Result, Session, argument, fail, small};
use crate::word::Word;
use ww_dataplane::control::{MirrorSession, NodeHandle};
use ww_p4::source::Span;

fn session_number(word: &Word) -> Result<u32> {
    small(word, "the number of a mirroring session")
}

fn port(word: &Word) -> Result<u32> {
    small(word, "a port number")
}

fn group(word: &Word) -> Result<u16> {
    small(word, "a multicast group (1 to 65535)")
}

fn node(word: &Word) -> Result<NodeHandle> {
    small(word, "the handle of a node").map(NodeHandle)
}

/// `mirroring_add SESSION PORT`
pub(super) fn mirroring_add(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let number = session_number(argument(arguments, 0, span)?)?;
    let port = Some(port(argument(arguments, 1, span)?)?);
    let answer = session.control.mirror_set(number, MirrorSession { port, ..Default::default() });
    session.done(span, answer)
}

/// `mirroring_add_mc SESSION GROUP`
pub(super) fn mirroring_add_group(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
) -> Result<()> {
    let number = session_number(argument(arguments, 0, span)?)?;
    let group = Some(group(argument(arguments, 1, span)?)?);
    let answer = session.control.mirror_set(number, MirrorSession { group, ..Default::default() });
    session.done(span, answer)
}

/// `mirroring_add_truncate SESSION PORT LENGTH`
pub(super) fn mirroring_add_truncate(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
) -> Result<()> {
    let number = session_number(argument(arguments, 0, span)?)?;
    let port = Some(port(argument(arguments, 1, span)?)?);
    let truncate = Some(small(argument(arguments, 2, span)?, "a number of bytes")?);
    let to = MirrorSession { port, group: None, truncate };
    let answer = session.control.mirror_set(number, to);
    session.done(span, answer)
}

/// `mirroring_delete SESSION`
pub(super) fn mirroring_delete(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
) -> Result<()> {
    let number = session_number(argument(arguments, 0, span)?)?;
    let answer = session.control.mirror_delete(number);
    session.done(span, answer)
}

/// `mirroring_get SESSION`
pub(super) fn mirroring_get(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let number = session_number(argument(arguments, 0, span)?)?;
    let answer = session.control.mirror(number);
    let Some(found) = session.accept(span, answer)?.flatten() else {
        return fail(span, format!("there is no mirroring session {number}"));
    };
    let mut text = format!("mirroring session {number}:");
    for (name, value) in [
        ("port", found.port),
        ("group", found.group.map(u32::from)),
        ("at most bytes", found.truncate),
    ] {
        if let Some(value) = value {
            text.push_str(&format!(" {name} {value}"));
        }
    }
    session.say(text);
    Ok(())
}

/// `mc_mgrp_create GROUP`
pub(super) fn group_create(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let group = group(argument(arguments, 0, span)?)?;
    let answer = session.control.multicast_group_create(group);
    session.done(span, answer)
}

/// `mc_mgrp_destroy GROUP`
pub(super) fn group_destroy(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let group = group(argument(arguments, 0, span)?)?;
    let answer = session.control.multicast_group_destroy(group);
    session.done(span, answer)
}

/// The ports; link aggregation groups behind `|` are refused.
fn ports(words: &[Word]) -> Result<Vec<u32>> {
    let bar = words.iter().position(|w| w.text == "|").unwrap_or(words.len());
    if let Some(lag) = words.get(bar + 1) {
        return fail(lag.span, "link aggregation groups are not part of replication here");
    }
    words[..bar].iter().map(port).collect()
}

/// `mc_node_create RID PORT.. [|]`
pub(super) fn node_create(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let id = small(argument(arguments, 0, span)?, "a replication id (0 to 65535)")?;
    let ports = ports(&arguments[1..])?;
    let answer = session.control.multicast_node_create(id, ports);
    session.accept(span, answer).map(|_| ())
}

/// `mc_node_update NODE PORT.. [|]`
pub(super) fn node_update(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let node = node(argument(arguments, 0, span)?)?;
    let ports = ports(&arguments[1..])?;
    let answer = session.control.multicast_node_update(node, ports);
    session.done(span, answer)
}

/// `mc_node_associate GROUP NODE`
pub(super) fn node_associate(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let group = group(argument(arguments, 0, span)?)?;
    let node = node(argument(arguments, 1, span)?)?;
    let answer = session.control.multicast_node_associate(group, node);
    session.done(span, answer)
}

/// `mc_node_dissociate GROUP NODE`
pub(super) fn node_dissociate(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let group = group(argument(arguments, 0, span)?)?;
    let node = node(argument(arguments, 1, span)?)?;
    let answer = session.control.multicast_node_dissociate(group, node);
    session.done(span, answer)
}

/// `mc_node_destroy NODE`
pub(super) fn node_destroy(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let node = node(argument(arguments, 0, span)?)?;
    let answer = session.control.multicast_node_destroy(node);
    session.done(span, answer)
}
