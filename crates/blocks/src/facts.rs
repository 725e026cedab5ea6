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

    /// The row port's memory with the data of entries.
    pub const WW_LPM_MEMORY_DATA: u64 = 0;
    /// The one with the list of entry numbers.
    pub const WW_LPM_MEMORY_LIST: u64 = 1;
    /// The one of prefixes that are shorter than the root.
    pub const WW_LPM_MEMORY_SHORT: u64 = 2;
    /// The one of the nodes of all levels.
    pub const WW_LPM_MEMORY_NODES: u64 = 3;
    /// The bit of a node's index where its level begins; below is its row.
    pub const WW_LPM_LEVEL_SHIFT: u64 = 22;

    /// All of them, by name.
    pub const ALL: [(&str, u64); 7] = [
        ("WW_LPM_LEVELS_MAX", WW_LPM_LEVELS_MAX),
        ("WW_LPM_MARGIN", WW_LPM_MARGIN),
        ("WW_LPM_MEMORY_DATA", WW_LPM_MEMORY_DATA),
        ("WW_LPM_MEMORY_LIST", WW_LPM_MEMORY_LIST),
        ("WW_LPM_MEMORY_SHORT", WW_LPM_MEMORY_SHORT),
        ("WW_LPM_MEMORY_NODES", WW_LPM_MEMORY_NODES),
        ("WW_LPM_LEVEL_SHIFT", WW_LPM_LEVEL_SHIFT),
    ];
}

/// Words of the window of an object on the control bus (`ww_row_window`): byte offsets.
pub mod window {
    /// Write: the staged row is stored in the memory and row of the word.
    pub const WRITE: u64 = 0x000;
    /// Write: that row is read into the staging words.
    pub const READ: u64 = 0x004;
    /// Read: bits of a row.
    pub const WIDTH: u64 = 0x008;
    /// Read: which object it is.
    pub const OBJECT: u64 = 0x00c;
    /// The first of the staging words, lowest bits of the row first.
    pub const STAGING: u64 = 0x400;

    /// All of them, by name.
    pub const ALL: [(&str, u64); 5] = [
        ("WW_WINDOW_WRITE", WRITE),
        ("WW_WINDOW_READ", READ),
        ("WW_WINDOW_WIDTH", WIDTH),
        ("WW_WINDOW_OBJECT", OBJECT),
        ("WW_WINDOW_STAGING", STAGING),
    ];
}

/// States of a port of `ww_dtp_device`.
pub mod dtp_states {
    /// No link.
    pub const DOWN: u64 = 0;
    /// INIT is to be sent.
    pub const START: u64 = 1;
    /// INIT was sent.
    pub const SENT: u64 = 2;
    /// The delay is known.
    pub const SYNC: u64 = 3;
    /// The peer jumps and is not listened to.
    pub const FAULTY: u64 = 4;

    /// All of them, by name.
    pub const ALL: [(&str, u64); 5] =
        [("DOWN", DOWN), ("START", START), ("SENT", SENT), ("SYNC", SYNC), ("FAULTY", FAULTY)];
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
        ];
        hold(&rtl(), &files, "pieo", &super::pieo::ALL).unwrap_or_else(|told| panic!("{told}"));
    }

    #[test]
    fn files_have_the_sizes_of_tries() {
        let files = ["driver/ww_lpm.h", "table_lpm/ww_table_lpm.sv"];
        hold(&rtl(), &files, "lpm", &super::lpm::ALL).unwrap_or_else(|told| panic!("{told}"));
    }

    #[test]
    fn files_have_the_words_of_windows() {
        let files = [
            "control/ww_row_window.sv",
            "driver/ww_driver.h",
            "driver/binding.py",
            "../crates/rtl/src/api/runtime/ww_control.py",
        ];
        hold(&rtl(), &files, "window", &super::window::ALL).unwrap_or_else(|told| panic!("{told}"));
    }

    #[test]
    fn files_have_the_states_of_dtp() {
        let files = [
            "dtp/ww_dtp_protocol.sv",
            "dtp/tests/test_ww_dtp_device.py",
            "dtp/tests/test_ww_pcs_dtp.py",
        ];
        let facts = super::dtp_states::ALL;
        hold(&rtl(), &files, "dtp_states", &facts).unwrap_or_else(|told| panic!("{told}"));
    }
}
