//! The control plane of TPPs: which applications there are, what each may access, and whose switch memory is whose.
//!
//! Memory is allocated network-wide: a range belongs to one application at every switch (spec 003 section 2.12). The
//! whole state is a TOML document, so that it survives a restart.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use ww_config::Reader;
use ww_tpp::analyse::verify::{Violation, verify};
use ww_tpp::map;
use ww_tpp::packet::{Malformed, Repr, Tpp};
use ww_tpp::protection::{Operation, Protection, Rule};

/// Applications at one time: tags have 8 bits, and 0 belongs to nobody.
pub const MAX_APPLICATIONS: usize = 255;

/// Memory that can be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// `Link:AppSpecific_0` to `_15`: words of each link.
    Link,
    /// `Stage$i:Reg0` to `Reg63`.
    Stage(u16),
}

impl Space {
    /// First and last address; `None` if the map has no such stage.
    fn range(self) -> Option<(u16, u16)> {
        let names = match self {
            Self::Link => ["Link:AppSpecific_0".to_owned(), "Link:AppSpecific_15".to_owned()],
            Self::Stage(stage) => [format!("Stage${stage}:Reg0"), format!("Stage${stage}:Reg63")],
        };
        Some((map::lookup(&names[0]).ok()?, map::lookup(&names[1]).ok()?))
    }
}

/// What is against a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is no application with this number.
    Unknown(u64),
    /// There is one with this name already.
    NameTaken(String),
    /// There is another one with this number or this tag, or they cannot be.
    NumberTaken(u64),
    /// There are [`MAX_APPLICATIONS`].
    TooMany,
    /// There are not that many consecutive free words.
    NoMemory {
        /// Words that were wanted.
        words: u16,
    },
    /// There is no such memory.
    NoSuchSpace,
    /// These are no bytes of a TPP.
    Malformed(Malformed),
    /// The application may not do what the TPP does.
    NotAllowed(Vec<Violation>),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(id) => write!(f, "there is no application {id}"),
            Self::NameTaken(name) => write!(f, "there is an application '{name}' already"),
            Self::NumberTaken(id) => {
                write!(f, "application {id} has a number or a tag that another one has")
            }
            Self::TooMany => write!(f, "there are {MAX_APPLICATIONS} applications, which is all"),
            Self::NoMemory { words } => {
                write!(f, "there are no {words} words free one behind the other")
            }
            Self::NoSuchSpace => f.write_str("there is no such memory"),
            Self::Malformed(fault) => write!(f, "this is no TPP: {fault}"),
            Self::NotAllowed(violations) => {
                let all: Vec<String> = violations.iter().map(ToString::to_string).collect();
                f.write_str(&all.join("; "))
            }
        }
    }
}

impl std::error::Error for Refused {}

/// Something that an application may do: with these addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// Whether it may write, too.
    pub write: bool,
    /// The first address.
    pub first: u16,
    /// The last address.
    pub last: u16,
    /// Whether nobody else can be given them.
    pub own: bool,
}

/// An application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// Its number, which nobody else ever gets.
    pub id: u64,
    /// What its TPPs carry of that: its own as long as it is registered.
    pub tag: u8,
    /// Its name.
    pub name: String,
    /// What it may do.
    #[serde(default)]
    pub grants: Vec<Grant>,
}

/// The state as a document.
#[derive(Serialize)]
struct Document {
    next: u64,
    application: Vec<Application>,
}

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "Document")]
pub struct Registry {
    applications: BTreeMap<u64, Application>,
    next: u64,
}

impl Registry {
    /// Nobody.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an application that may do nothing yet. Gives its number.
    ///
    /// # Errors
    /// The name is taken, or there are too many.
    pub fn register(&mut self, name: &str) -> Result<u64, Refused> {
        if self.applications.values().any(|application| application.name == name) {
            return Err(Refused::NameTaken(name.to_owned()));
        }
        let taken = |tag: &u8| self.applications.values().any(|a| a.tag == *tag);
        let tag = (1..=u8::MAX).find(|tag| !taken(tag)).ok_or(Refused::TooMany)?;
        let id = self.next;
        self.next += 1;
        let application = Application { id, tag, name: name.to_owned(), grants: Vec::new() };
        self.applications.insert(id, application);
        Ok(id)
    }

    /// Adds an application as another registry has numbered it, with what it may do there.
    ///
    /// # Errors
    /// Its number, tag or name is another one's here, or addresses that it may write.
    pub fn adopt(&mut self, application: Application) -> Result<(), Refused> {
        let Application { id, tag, ref name, ref grants } = application;
        if self.applications.values().any(|other| other.name == *name) {
            return Err(Refused::NameTaken(name.clone()));
        }
        let is_taken = self.applications.values().any(|other| other.tag == tag || other.id == id);
        let next = id.checked_add(1).filter(|_| tag != 0 && !is_taken);
        let next = next.ok_or(Refused::NumberTaken(id))?;
        for Grant { first, last, own, write } in grants {
            let theirs = self.applications.values().flat_map(|other| &other.grants);
            let clashes = |other: &Grant| {
                other.first <= *last
                    && *first <= other.last
                    && (other.own && *write || *own && other.write)
            };
            if theirs.into_iter().any(clashes) {
                let words = last.saturating_sub(*first).saturating_add(1);
                return Err(Refused::NoMemory { words });
            }
        }
        self.next = self.next.max(next);
        self.applications.insert(id, application);
        Ok(())
    }

    /// Removes an application; its memory is free then.
    ///
    /// # Errors
    /// There is none.
    pub fn unregister(&mut self, id: u64) -> Result<(), Refused> {
        self.applications.remove(&id).map(|_| ()).ok_or(Refused::Unknown(id))
    }

    /// An application.
    ///
    /// # Errors
    /// There is none.
    pub fn application(&self, id: u64) -> Result<&Application, Refused> {
        self.applications.get(&id).ok_or(Refused::Unknown(id))
    }

    /// All, by number.
    pub fn applications(&self) -> impl Iterator<Item = &Application> {
        self.applications.values()
    }

    /// Lets an application read, or read and write, addresses that others may be given, too.
    ///
    /// # Errors
    /// There is no such application, or some of the addresses belong to another one.
    pub fn grant(&mut self, id: u64, write: bool, first: u16, last: u16) -> Result<(), Refused> {
        self.application(id)?;
        if write && self.owned(first, last).any(|owner| owner != id) {
            return Err(Refused::NoMemory { words: last.saturating_sub(first).saturating_add(1) });
        }
        self.add(id, Grant { write, first, last, own: false })
    }

    /// Gives an application words one behind the other that nobody else can write. Gives the first and the last.
    ///
    /// # Errors
    /// There is no such application or space, or no room.
    pub fn allocate(&mut self, id: u64, space: Space, words: u16) -> Result<(u16, u16), Refused> {
        self.application(id)?;
        let (first, last) = space.range().ok_or(Refused::NoSuchSpace)?;
        let no_room = Refused::NoMemory { words };
        let more = words.checked_sub(1).ok_or(no_room.clone())?;
        let places = (first..=last).filter(|start| last - start >= more);
        let is_free = |start: &u16| {
            let end = start + more;
            let granted = self.applications.values().flat_map(|a| &a.grants);
            !granted.filter(|g| g.write).any(|g| g.first <= end && *start <= g.last)
        };
        let start = places.into_iter().find(is_free).ok_or(no_room)?;
        self.add(id, Grant { write: true, first: start, last: start + more, own: true })?;
        Ok((start, start + more))
    }

    fn add(&mut self, id: u64, grant: Grant) -> Result<(), Refused> {
        let application = self.applications.get_mut(&id).ok_or(Refused::Unknown(id))?;
        if !application.grants.contains(&grant) {
            application.grants.push(grant);
        }
        Ok(())
    }

    /// Who owns some of these addresses.
    fn owned(&self, first: u16, last: u16) -> impl Iterator<Item = u64> + '_ {
        let overlaps = move |g: &Grant| g.own && g.first <= last && first <= g.last;
        let owns = move |a: &&Application| a.grants.iter().any(overlaps);
        self.applications.values().filter(owns).map(|application| application.id)
    }

    /// What all may do, for switches and for [`verify`].
    pub fn protection(&self) -> Protection {
        let mut rules = Vec::new();
        for application in self.applications.values() {
            for grant in &application.grants {
                let operations = [(Operation::Read, true), (Operation::Write, grant.write)];
                for (operation, _) in operations.into_iter().filter(|(_, may)| *may) {
                    let Grant { first, last, .. } = *grant;
                    rules.push(Rule { app_tag: application.tag, operation, first, last });
                }
            }
        }
        Protection::new(&rules)
    }

    /// An application's TPP, with its tag, if it may send it.
    ///
    /// # Errors
    /// It is no TPP, or does something that the application may not.
    pub fn authorise(&self, id: u64, bytes: &[u8]) -> Result<Vec<u8>, Refused> {
        let tag = self.application(id)?.tag;
        let tpp = Tpp::new(bytes).map_err(Refused::Malformed)?;
        let tpp = Repr { app_tag: tag, ..Repr::parse(&tpp) };
        verify(&tpp, &self.protection()).map_err(Refused::NotAllowed)?;
        Ok(tpp.emit())
    }

    /// The state that a table of a document has. `None` has been told.
    pub fn read(reader: &Reader<'_>) -> Option<Self> {
        let next: Option<u64> = reader.need("next", "0");
        let mut registry = Self::new();
        reader.each("application", |table| {
            let application = Application::read(table)?;
            let id = application.id;
            let adopted = match next.is_none_or(|next| id < next) {
                true => registry.adopt(application),
                false => Err(Refused::NumberTaken(id)),
            };
            adopted.map_err(|refused| table.wrong("id", refused.to_string())).ok()
        });
        registry.next = next?;
        Some(registry)
    }
}

impl Application {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        let id = reader.need("id", "0");
        let tag = reader.need("tag", "1");
        let name = reader.need("name", "\"rcp\"");
        let grants = reader.each("grants", |grant| {
            let write = grant.need("write", "true");
            let first = grant.need("first", "0xd000");
            let last = grant.need("last", "0xd00f");
            let own = grant.need("own", "false");
            Some(Grant { write: write?, first: first?, last: last?, own: own? })
        });
        Some(Self { id: id?, tag: tag?, name: name?, grants })
    }
}

impl From<Registry> for Document {
    fn from(registry: Registry) -> Self {
        let application = registry.applications.into_values().collect();
        Self { next: registry.next, application }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_tpp::assemble::{Options, assemble};

    fn tpp(program: &str) -> Vec<u8> {
        let options = Options { hops: Some(3), ..Options::default() };
        assemble(program, &options).expect("a good program").emit()
    }

    #[test]
    fn memory_belongs_to_one_application() {
        let mut registry = Registry::new();
        let rcp = registry.register("rcp").expect("registered");
        let other = registry.register("other").expect("registered");
        assert_eq!(registry.register("rcp"), Err(Refused::NameTaken("rcp".to_owned())));
        assert_eq!(registry.allocate(rcp, Space::Link, 1), Ok((0xd000, 0xd000)));
        assert_eq!(registry.allocate(other, Space::Link, 15), Ok((0xd001, 0xd00f)));
        assert_eq!(registry.allocate(rcp, Space::Link, 1), Err(Refused::NoMemory { words: 1 }));
        assert_eq!(registry.allocate(rcp, Space::Stage(2), 64), Ok((0x1240, 0x127f)));
        assert_eq!(registry.allocate(rcp, Space::Stage(99), 1), Err(Refused::NoSuchSpace));
        assert_eq!(registry.allocate(rcp, Space::Link, 0), Err(Refused::NoMemory { words: 0 }));
        assert!(registry.grant(other, true, 0xd000, 0xd000).is_err(), "it has an owner");
        registry.grant(other, false, 0xd000, 0xd000).expect("reading is no harm");
        registry.unregister(rcp).expect("it was there");
        assert_eq!(registry.allocate(other, Space::Link, 1), Ok((0xd000, 0xd000)));
        let again = registry.register("rcp").expect("registered");
        assert_eq!((again, registry.application(again).map(|a| a.tag)), (2, Ok(1)));
    }

    /// Acceptance check 25 of spec 003: also what a LOADI finds in packet memory counts.
    #[test]
    fn programs_are_judged_before_anything_is_sent() {
        let mut registry = Registry::new();
        let id = registry.register("rcp").expect("registered");
        let load = tpp("PUSH [Switch:SwitchID]");
        assert!(matches!(registry.authorise(id, &load), Err(Refused::NotAllowed(_))));
        registry.grant(id, false, 0, 0x0fff).expect("granted");
        let sent = registry.authorise(id, &load).expect("it may");
        assert_eq!(Tpp::new(sent).map(|tpp| tpp.app_tag()), Ok(1), "the tag is the application's");
        let indirect = |address: u16| {
            tpp(&format!(".memory {address}, 0\nLOADI [Packet:Word[0]], [Packet:Word[1]]"))
        };
        assert!(registry.authorise(id, &indirect(0x0004)).is_ok());
        assert!(registry.authorise(id, &indirect(0xd000)).is_err());
        let store = tpp(".memory 1\nSTORE [Switch:SwitchID], [Packet:Word[0]]");
        assert!(registry.authorise(id, &store).is_err(), "reading is not writing");
        assert!(matches!(registry.authorise(id, &[0; 12]), Err(Refused::Malformed(_))));
        assert_eq!(registry.authorise(7, &load), Err(Refused::Unknown(7)));
    }

    #[test]
    fn another_registry_has_numbered_it() {
        let mut network = Registry::new();
        let ids = ["a", "b"].map(|name| network.register(name).expect("registered"));
        for id in ids {
            network.allocate(id, Space::Link, 1).expect("allocated");
        }
        let [a, b] = ids.map(|id| network.application(id).cloned().expect("it is there"));
        let mut host = Registry::new();
        host.adopt(b.clone()).expect("it fits");
        assert_eq!(host.adopt(b.clone()), Err(Refused::NameTaken("b".to_owned())));
        let same_tag = Application { tag: b.tag, ..a.clone() };
        assert_eq!(host.adopt(same_tag), Err(Refused::NumberTaken(0)));
        let same_memory = Application { grants: b.grants.clone(), ..a.clone() };
        assert_eq!(host.adopt(same_memory), Err(Refused::NoMemory { words: 1 }));
        host.adopt(a).expect("it fits");
        assert_eq!(host, network);
        assert_eq!(host.register("c"), Ok(2));
    }

    #[test]
    fn the_state_survives() {
        let mut registry = Registry::new();
        for name in ["a", "b \"quoted\""] {
            let id = registry.register(name).expect("registered");
            registry.allocate(id, Space::Link, 3).expect("allocated");
        }
        registry.unregister(0).expect("it was there");
        let parse = |text: &str| ww_config::parse("", text, Registry::read);
        let document = ww_config::write(&registry).expect("a document");
        let again = parse(&document).expect("its own document");
        assert_eq!(again, registry);
        for text in
            ["next = 1\n[[application]]\nid = 1\ntag = 1\nname = \"x\"", "nxt = 1", "next = -1"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
