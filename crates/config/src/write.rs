//! Values as TOML, for files that we write and read again.

use serde::Serialize;

/// A value as TOML.
///
/// # Errors
/// A sentence: TOML has no such value.
pub fn write(value: &impl Serialize) -> Result<String, String> {
    toml::to_string(value).map_err(|error| error.to_string())
}
