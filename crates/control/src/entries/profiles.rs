//! Commands on action profiles and selectors. The older commands name the table instead.

use super::session::{Result, Session, argument, at, fail, small};
use super::tables::{action_arguments, without_arrow};
use crate::word::Word;
use ww_dataplane::control::{ActionData, ProfileIndex};
use ww_p4::source::Span;

pub(super) fn profile(session: &Session, name: &Word) -> Result<ProfileIndex> {
    let refused = match session.schema().profile(&name.text) {
        Ok(profile) => return Ok(profile),
        Err(refused) => refused,
    };
    match session.schema().table(&name.text) {
        Ok(table) => match session.schema()[table].profile {
            Some(profile) => Ok(profile),
            None => fail(name.span, format!("table `{}` has no action profile", name.text)),
        },
        Err(_) => Err(at(name.span, refused)),
    }
}

fn data(
    session: &Session,
    profile: ProfileIndex,
    action: &Word,
    words: &[Word],
    span: Span,
) -> Result<ActionData> {
    let schema = session.schema();
    let info = &schema[profile];
    let position = info.action(&action.text).map_err(|e| at(action.span, e))?;
    let arguments = action_arguments(&info.actions[position], without_arrow(words), span)?;
    Ok(ActionData { action: position, arguments })
}

fn member(word: &Word) -> Result<u32> {
    small(word, "the handle of a member")
}

fn group(word: &Word) -> Result<u32> {
    small(word, "the handle of a group")
}

/// `act_prof_create_member PROFILE ACTION [ARGUMENT..]`
pub(super) fn create_member(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let profile = profile(session, argument(arguments, 0, span)?)?;
    let data = data(session, profile, argument(arguments, 1, span)?, &arguments[2..], span)?;
    let answer = session.control.member_add(profile, data);
    session.accept(span, answer).map(|_| ())
}

/// `act_prof_modify_member PROFILE ACTION MEMBER [ARGUMENT..]`
pub(super) fn modify_member(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let profile = profile(session, argument(arguments, 0, span)?)?;
    let handle = member(argument(arguments, 2, span)?)?;
    let data = data(session, profile, argument(arguments, 1, span)?, &arguments[3..], span)?;
    let answer = session.control.member_modify(profile, handle, data);
    session.done(span, answer)
}

/// `act_prof_delete_member PROFILE MEMBER`
pub(super) fn delete_member(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let profile = profile(session, argument(arguments, 0, span)?)?;
    let handle = member(argument(arguments, 1, span)?)?;
    let answer = session.control.member_delete(profile, handle);
    session.done(span, answer)
}

/// `act_prof_create_group PROFILE`
pub(super) fn create_group(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let profile = profile(session, argument(arguments, 0, span)?)?;
    let answer = session.control.group_create(profile);
    session.accept(span, answer).map(|_| ())
}

/// `act_prof_delete_group PROFILE GROUP`
pub(super) fn delete_group(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let profile = profile(session, argument(arguments, 0, span)?)?;
    let handle = group(argument(arguments, 1, span)?)?;
    let answer = session.control.group_delete(profile, handle);
    session.done(span, answer)
}

/// `act_prof_add_member_to_group PROFILE MEMBER GROUP`
pub(super) fn add_to_group(session: &mut Session, arguments: &[Word], span: Span) -> Result<()> {
    let profile = profile(session, argument(arguments, 0, span)?)?;
    let member = member(argument(arguments, 1, span)?)?;
    let group = group(argument(arguments, 2, span)?)?;
    let answer = session.control.group_add_member(profile, group, member);
    session.done(span, answer)
}

/// `act_prof_remove_member_from_group PROFILE MEMBER GROUP`
pub(super) fn remove_from_group(
    session: &mut Session,
    arguments: &[Word],
    span: Span,
) -> Result<()> {
    let profile = profile(session, argument(arguments, 0, span)?)?;
    let member = member(argument(arguments, 1, span)?)?;
    let group = group(argument(arguments, 2, span)?)?;
    let answer = session.control.group_remove_member(profile, group, member);
    session.done(span, answer)
}
