//! The paths out of an architecture's sections, with the fields that trigger them resolved, so
//! that packets need not look up names.

use ww_p4::architecture::{Architecture, PacketPath, PathAction, Request, Trigger};

/// The paths out of each section, in the order in which the switch tries them. `F` is where an
/// engine has a field; a field that the program's declaration lacks reads as 0.
#[derive(Clone, Debug)]
pub struct Ends<F> {
    /// Of the first section: in front of the queue.
    pub front: Vec<End<F>>,
    /// Of the section behind the queue; empty without such a section.
    pub egress: Vec<End<F>>,
    /// Of the last section: behind the deparser.
    pub finish: Vec<End<F>>,
}

/// A path.
#[derive(Clone, Copy, Debug)]
pub struct End<F> {
    /// What sends a packet there.
    pub when: When<F>,
    /// What the switch does.
    pub action: PathAction,
    /// The kind of packet from there on, if it is set anew.
    pub instance_type: Option<u32>,
}

/// [`Trigger`] with a resolved field.
#[derive(Clone, Copy, Debug)]
pub enum When<F> {
    /// The program asked for it.
    Asked(Request),
    /// The field has this value.
    Equals(F, u64),
    /// The field is not zero.
    NotZero(F),
    /// None of the paths before.
    Otherwise,
}

impl<F: Copy> Ends<F> {
    /// The paths of an architecture; `field` finds a field of the intrinsic metadata by its name.
    pub fn of(architecture: &Architecture, field: impl Fn(&str) -> F) -> Self {
        let end = |path: &PacketPath| End {
            when: match path.when {
                Trigger::Asked(request) => When::Asked(request),
                Trigger::Equals(name, value) => When::Equals(field(name), value),
                Trigger::NotZero(name) => When::NotZero(field(name)),
                Trigger::Otherwise => When::Otherwise,
            },
            action: path.action,
            instance_type: path.instance_type,
        };
        let out_of = |range: &std::ops::Range<usize>| match range.is_empty() {
            true => Vec::new(),
            false => architecture.paths_from(range.end - 1).map(end).collect(),
        };
        let sections = &architecture.sections;
        Self {
            front: out_of(&sections.front),
            egress: out_of(&sections.egress),
            finish: out_of(&sections.finish),
        }
    }
}

impl<F: Copy> End<F> {
    /// Whether a packet takes this path, given what it asked for and its fields' values.
    pub fn takes(&self, asked: impl Fn(Request) -> bool, mut get: impl FnMut(F) -> u64) -> bool {
        match self.when {
            When::Asked(request) => asked(request),
            When::Equals(field, value) => get(field) == value,
            When::NotZero(field) => get(field) != 0,
            When::Otherwise => true,
        }
    }

    /// The value of the field that triggers it; 0 for another trigger.
    pub fn value(&self, mut get: impl FnMut(F) -> u64) -> u64 {
        match self.when {
            When::Equals(field, _) | When::NotZero(field) => get(field),
            When::Asked(_) | When::Otherwise => 0,
        }
    }
}
