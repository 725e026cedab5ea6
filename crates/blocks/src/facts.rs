//! Numbers that hardware and software share and that no model defines: [`generated`](crate::generated) writes them
//! into the SystemVerilog, C and Python.

/// The interface of the ordered lists of `rtl/pieo` and `rtl/pifo`.
pub mod pieo {
    /// `op_code`: an element comes.
    pub const ENQUEUE: u64 = 0;
    /// `op_code`: the first eligible element leaves.
    pub const DEQUEUE: u64 = 1;
    /// `op_code`: the element with this id leaves.
    pub const DEQUEUE_ID: u64 = 2;
    /// `op_code`: the first eligible element with an id in a range leaves.
    pub const DEQUEUE_RANGE: u64 = 3;
    /// `result_error`: none.
    pub const ERROR_NONE: u64 = 0;
    /// `result_error`: no such id.
    pub const ERROR_ID: u64 = 1;
    /// `result_error`: the id is in the list.
    pub const ERROR_DUPLICATE: u64 = 2;
    /// `result_error`: rank or time beyond their width.
    pub const ERROR_RANGE: u64 = 3;
    /// `result_error`: the list is full.
    pub const ERROR_FULL: u64 = 4;

    /// All of them, by name.
    pub const ALL: [(&str, u64); 9] = [
        ("ENQUEUE", ENQUEUE),
        ("DEQUEUE", DEQUEUE),
        ("DEQUEUE_ID", DEQUEUE_ID),
        ("DEQUEUE_RANGE", DEQUEUE_RANGE),
        ("ERROR_NONE", ERROR_NONE),
        ("ERROR_ID", ERROR_ID),
        ("ERROR_DUPLICATE", ERROR_DUPLICATE),
        ("ERROR_RANGE", ERROR_RANGE),
        ("ERROR_FULL", ERROR_FULL),
    ];
}

/// Sizes of `ww_table_lpm`, which the C driver chooses.
pub mod lpm {
    /// Levels of a trie at most.
    pub const WW_LPM_LEVELS_MAX: u64 = 21;
    /// Percent that memories of large tries are larger than the reference needs.
    pub const WW_LPM_MARGIN: u64 = 25;

    /// All of them, by name.
    pub const ALL: [(&str, u64); 2] =
        [("WW_LPM_LEVELS_MAX", WW_LPM_LEVELS_MAX), ("WW_LPM_MARGIN", WW_LPM_MARGIN)];
}

#[cfg(test)]
mod tests {
    use crate::generated::hold;
    use std::path::Path;

    fn rtl() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl")
    }

    #[test]
    fn files_have_the_numbers_of_ordered_lists() {
        let files = [
            "pieo/ww_pieo.sv",
            "pieo/ww_pieo_fast.sv",
            "pieo/ww_pieo_pipelined.sv",
            "pifo/ww_pifo.sv",
            "scheduler/ww_scheduler_level.sv",
            "pieo/tests/test_ww_pieo.py",
            "pieo/tests/random_operations.cpp",
        ];
        hold(&rtl(), &files, "pieo", &super::pieo::ALL).unwrap_or_else(|told| panic!("{told}"));
    }

    #[test]
    fn files_have_the_sizes_of_tries() {
        hold(&rtl(), &["driver/ww_lpm.h"], "lpm", &super::lpm::ALL)
            .unwrap_or_else(|told| panic!("{told}"));
    }
}
