//! Lookup of names by their ends.

use super::Error;

/// Finds the one thing called `name`: by its full name, or else by the end of it, at a dot.
pub fn find_by_suffix<'a, I>(kind: &'static str, name: &str, all: I) -> Result<usize, Error>
where
    I: Iterator<Item = &'a str> + Clone,
{
    let wanted = name.strip_prefix('.').unwrap_or(name);
    if let Some(position) = all.clone().position(|full| full == wanted) {
        return Ok(position);
    }
    let fits = |full: &str| full.strip_suffix(wanted).is_some_and(|head| head.ends_with('.'));
    let mut candidates = all.clone().enumerate().filter(|(_, full)| fits(full));
    match (candidates.next(), candidates.next()) {
        (Some((position, _)), None) => Ok(position),
        (None, _) => Err(Error::UnknownName {
            kind,
            name: name.to_owned(),
            known: all.map(str::to_owned).collect(),
        }),
        _ => Err(Error::AmbiguousName {
            kind,
            name: name.to_owned(),
            candidates: all.filter(|full| fits(full)).map(str::to_owned).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        let all = ["ingress.a.t", "egress.t", "egress.u", "u"];
        let find = |name| find_by_suffix("table", name, all.iter().copied());
        assert_eq!(find("a.t"), Ok(0));
        assert_eq!(find("egress.t"), Ok(1));
        assert_eq!(find("u"), Ok(3));
        assert_eq!(find(".egress.u"), Ok(2));
        assert!(matches!(find("t"), Err(Error::AmbiguousName { .. })));
        assert!(matches!(find("gress.t"), Err(Error::UnknownName { .. })));
    }

    #[test]
    fn close_names_are_suggested() {
        let error = find_by_suffix("table", "rout", ["ingress.route", "ingress.acl"].into_iter());
        let message = error.expect_err("unknown").to_string();
        assert_eq!(message, "there is no table named `rout`; did you mean `ingress.route`?");
    }
}
