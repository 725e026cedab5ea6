//! What the files of labs have besides what `ww_config` reads: keys set from elsewhere, names.

pub mod names;
pub mod overrides;
