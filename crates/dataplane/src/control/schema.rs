//! What a program offers to the control plane: names, widths and sizes.
//!
//! Fields called `instance`, `action`, `table` and `variable` are numbers of the front end's program
//! that the schema was read from, for engines that hold the same program.

use super::{Error, find_by_suffix};
use crate::indices;

indices! {
    /// A table of a [`Schema`].
    TableIndex,
    /// An action profile or selector of a [`Schema`].
    ProfileIndex,
    /// A counter of a [`Schema`], direct ones too.
    CounterIndex,
    /// A meter of a [`Schema`], direct ones too.
    MeterIndex,
    /// A register of a [`Schema`].
    RegisterIndex,
    /// A value set of a [`Schema`].
    ValueSetIndex,
}

/// An array of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellArray {
    /// A counter.
    Counter(CounterIndex),
    /// A meter.
    Meter(MeterIndex),
    /// A register.
    Register(RegisterIndex),
}

/// Everything that has a control-plane name.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Tables, one per instance of the control that declares them.
    pub tables: Vec<TableInfo>,
    /// Action profiles and selectors.
    pub profiles: Vec<ProfileInfo>,
    /// Counters.
    pub counters: Vec<CounterInfo>,
    /// Meters.
    pub meters: Vec<MeterInfo>,
    /// Registers.
    pub registers: Vec<RegisterInfo>,
    /// Value sets.
    pub value_sets: Vec<ValueSetInfo>,
    /// Names of the types given to `digest`.
    pub digests: Vec<String>,
}

/// The match kinds that engines know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchKind {
    /// `exact`
    Exact,
    /// `lpm`
    Lpm,
    /// `ternary`
    Ternary,
    /// `range`
    Range,
    /// `optional`
    Optional,
    /// `selector`: not matched, but hashed to choose a member of a group.
    Selector,
}

impl MatchKind {
    /// The kind with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "exact" => Self::Exact,
            "lpm" => Self::Lpm,
            "ternary" => Self::Ternary,
            "range" => Self::Range,
            "optional" => Self::Optional,
            "selector" => Self::Selector,
            _ => return None,
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lpm => "lpm",
            Self::Ternary => "ternary",
            Self::Range => "range",
            Self::Optional => "optional",
            Self::Selector => "selector",
        }
    }
}

/// A key of a table or value set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyInfo {
    /// Name.
    pub name: String,
    /// How it is matched.
    pub kind: MatchKind,
    /// Bits.
    pub width: u32,
    /// Whether ranges compare as two's complement.
    pub signed: bool,
}

/// An action as one table offers it.
#[derive(Clone, Debug)]
pub struct ActionInfo {
    /// Full name.
    pub name: String,
    /// The action.
    pub action: u32,
    /// Parameters that an entry supplies.
    pub parameters: Vec<ParameterInfo>,
    /// Not in entries.
    pub default_only: bool,
    /// Not as default action.
    pub table_only: bool,
}

/// A parameter of an [`ActionInfo`].
#[derive(Clone, Debug)]
pub struct ParameterInfo {
    /// Name.
    pub name: String,
    /// Bits.
    pub width: u32,
}

/// A table.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// Full name.
    pub name: String,
    /// The instance of the control.
    pub instance: u32,
    /// The declaration.
    pub table: u32,
    /// Keys that entries match, in order; `selector` keys are not among them.
    pub keys: Vec<KeyInfo>,
    /// Actions in the order of the declaration.
    pub actions: Vec<ActionInfo>,
    /// How many entries it holds.
    pub size: u64,
    /// Whether entries are constant.
    pub const_entries: bool,
    /// Whether the default action is constant.
    pub const_default: bool,
    /// Its `implementation`.
    pub profile: Option<ProfileIndex>,
    /// Its direct counter.
    pub counter: Option<CounterIndex>,
    /// Its direct meter.
    pub meter: Option<MeterIndex>,
}

impl TableInfo {
    /// Whether priorities decide between entries: there is a key that can overlap in other ways
    /// than by prefix length.
    pub fn has_priorities(&self) -> bool {
        use MatchKind::{Optional, Range, Ternary};
        self.keys.iter().any(|k| matches!(k.kind, Ternary | Range | Optional))
    }

    /// The action called `name`, by its full name or the end of it.
    pub fn action(&self, name: &str) -> Result<usize, Error> {
        find_by_suffix("action", name, self.actions.iter().map(|a| a.name.as_str()))
    }
}

/// An action profile or selector.
#[derive(Clone, Debug)]
pub struct ProfileInfo {
    /// Full name.
    pub name: String,
    /// The object; `None` if it exists only in a table property.
    pub instance: Option<u32>,
    /// How many members it holds.
    pub size: u64,
    /// Hash algorithm and number of its bits in use, of a selector.
    pub selector: Option<(String, u32)>,
    /// The tables that use it.
    pub tables: Vec<TableIndex>,
    /// The actions of its tables.
    pub actions: Vec<ActionInfo>,
}

impl ProfileInfo {
    /// The action called `name`, by its full name or the end of it.
    pub fn action(&self, name: &str) -> Result<usize, Error> {
        find_by_suffix("action", name, self.actions.iter().map(|a| a.name.as_str()))
    }
}

/// What a counter or meter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountUnit {
    /// Packets.
    Packets,
    /// Bytes.
    Bytes,
    /// Both.
    PacketsAndBytes,
}

/// A counter.
#[derive(Clone, Debug)]
pub struct CounterInfo {
    /// Full name.
    pub name: String,
    /// The object.
    pub instance: u32,
    /// What it counts.
    pub unit: CountUnit,
    /// Number of cells; 0 for a direct one.
    pub size: u64,
    /// The table of a direct counter.
    pub table: Option<TableIndex>,
    /// Whether it is a direct one.
    pub is_direct: bool,
}

/// A meter.
#[derive(Clone, Debug)]
pub struct MeterInfo {
    /// Full name.
    pub name: String,
    /// The object.
    pub instance: u32,
    /// Whether it measures bytes instead of packets.
    pub bytes: bool,
    /// Number of cells; 0 for a direct one.
    pub size: u64,
    /// The table of a direct meter.
    pub table: Option<TableIndex>,
    /// Whether it is a direct one.
    pub is_direct: bool,
}

/// A register.
#[derive(Clone, Debug)]
pub struct RegisterInfo {
    /// Full name.
    pub name: String,
    /// The object.
    pub instance: u32,
    /// Bits of a cell.
    pub width: u32,
    /// Number of cells.
    pub size: u64,
}

/// A value set.
#[derive(Clone, Debug)]
pub struct ValueSetInfo {
    /// Full name.
    pub name: String,
    /// The instance of the parser.
    pub instance: u32,
    /// Its variable.
    pub variable: u32,
    /// One key, or one per field of its element type.
    pub keys: Vec<KeyInfo>,
    /// How many members it holds.
    pub size: u64,
}

macro_rules! lookups {
    ($($(#[$doc:meta])* $method:ident: $field:ident, $kind:literal => $index:ident, $info:ident;)*) => {
        impl Schema {$(
            $(#[$doc])*
            pub fn $method(&self, name: &str) -> Result<$index, Error> {
                let names = self.$field.iter().map(|item| item.name.as_str());
                find_by_suffix($kind, name, names).map(|n| $index(n as u32))
            }
        )*}

        $(impl std::ops::Index<$index> for Schema {
            type Output = $info;
            /// # Panics
            /// If the index belongs to another schema.
            fn index(&self, index: $index) -> &$info {
                &self.$field[index.index()]
            }
        })*
    };
}

lookups! {
    /// The table called `name`, by its full name or the end of it.
    table: tables, "table" => TableIndex, TableInfo;
    /// The action profile or selector called `name`.
    profile: profiles, "action profile" => ProfileIndex, ProfileInfo;
    /// The counter called `name`.
    counter: counters, "counter" => CounterIndex, CounterInfo;
    /// The meter called `name`.
    meter: meters, "meter" => MeterIndex, MeterInfo;
    /// The register called `name`.
    register: registers, "register" => RegisterIndex, RegisterInfo;
    /// The value set called `name`.
    value_set: value_sets, "value set" => ValueSetIndex, ValueSetInfo;
}
