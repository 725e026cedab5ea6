//! What kind of programs to make.

/// Parts of the language and of v1model that a profile may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// `varbit` fields.
    Varbit,
    /// `/` and `%` with operands that are not constant.
    Division,
    /// Shifts by amounts that are not constant.
    VariableShift,
    /// Values of more than 128 bits.
    Wide,
    /// Header stacks.
    Stacks,
    /// Stack elements chosen at run time.
    RuntimeIndex,
    /// Header unions.
    Unions,
    /// Loops in controls, actions and functions.
    Loops,
    /// Parser states that lead back to themselves.
    ParserLoops,
    /// `lookahead` and `advance`.
    Lookahead,
    /// Value sets.
    ValueSets,
    /// `range` keys.
    RangeKeys,
    /// Action profiles and selectors.
    Profiles,
    /// `register`, `counter`, `meter` and their direct forms.
    Objects,
    /// `random`, and the hash algorithm of that name.
    Random,
    /// `digest`
    Digest,
    /// `clone_preserving_field_list`
    Clone,
    /// `resubmit_preserving_field_list`
    Resubmit,
    /// `recirculate_preserving_field_list`
    Recirculate,
    /// `mcast_grp`
    Multicast,
    /// `truncate`
    Truncate,
    /// Checksums over the payload.
    PayloadChecksum,
    /// `assert`, `assume` and `log_msg`.
    Debugging,
    /// Requests of the control plane between the packets; all come before the first one without.
    LiveControl,
}

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureSet(u64);

impl FeatureSet {
    /// These features.
    pub fn of(features: &[Feature]) -> Self {
        Self(features.iter().fold(0, |set, &feature| set | 1 << feature as u64))
    }

    /// Whether the feature is one of them.
    pub fn contains(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u64 != 0
    }
}

/// Sizes and weights of the programs to be made.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Header types.
    pub headers: (usize, usize),
    /// Parser states that extract something.
    pub states: (usize, usize),
    /// Tables of the ingress control.
    pub tables: (usize, usize),
    /// Statements of a control's body.
    pub statements: (usize, usize),
    /// Depth of expressions.
    pub depth: usize,
    /// Percentage of widths that are chosen freely from 1 to 128.
    pub odd_widths: usize,
    /// Percentage of widths between 129 and 300.
    pub wide_widths: usize,
    /// How much likelier than usual statements with objects of the architecture are.
    pub object_weight: usize,
    /// Packets of a case.
    pub packets: (usize, usize),
    /// Requests of a case.
    pub requests: (usize, usize),
    /// What must not occur.
    pub without: FeatureSet,
}

impl Profile {
    /// The usual mix: mostly 100 to 250 lines, headers and empty controls included.
    pub fn standard() -> Self {
        Self {
            headers: (2, 3),
            states: (2, 4),
            tables: (1, 2),
            statements: (2, 5),
            depth: 3,
            odd_widths: 30,
            wide_widths: 2,
            object_weight: 2,
            packets: (8, 14),
            requests: (5, 16),
            without: FeatureSet::default(),
        }
    }

    /// Short programs.
    pub fn small() -> Self {
        Self {
            headers: (1, 2),
            states: (1, 2),
            tables: (0, 1),
            statements: (1, 4),
            packets: (4, 8),
            requests: (0, 8),
            ..Self::standard()
        }
    }

    /// Wide values and deep expressions.
    pub fn wide() -> Self {
        Self { depth: 4, odd_widths: 60, wide_widths: 20, ..Self::standard() }
    }

    /// Many parser states.
    pub fn parser_heavy() -> Self {
        Self {
            headers: (4, 7),
            states: (5, 9),
            tables: (0, 1),
            statements: (1, 3),
            packets: (16, 28),
            ..Self::standard()
        }
    }

    /// Registers, counters, meters and many packets.
    pub fn stateful() -> Self {
        Self { object_weight: 10, packets: (24, 40), requests: (12, 30), ..Self::standard() }
    }

    /// The usual mix without what hardware at line rate will refuse.
    pub fn hardware() -> Self {
        use Feature::*;
        let without = FeatureSet::of(&[
            Varbit,
            Division,
            Wide,
            Loops,
            Resubmit,
            Recirculate,
            Debugging,
            Digest,
        ]);
        Self { without, ..Self::standard() }
    }

    /// The profile for one of many programs: mostly the usual mix, each other one at times.
    pub fn for_seed(seed: u64) -> Self {
        match seed % 10 {
            1 | 6 => Self::small(),
            3 => Self::wide(),
            5 => Self::parser_heavy(),
            8 => Self::stateful(),
            _ => Self::standard(),
        }
    }
}
