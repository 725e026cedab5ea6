//! The descriptions that come with Wirewright.

use super::{Architecture, read};
use crate::diagnostic::Diagnostics;
use crate::source::SourceMap;
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/system_architectures.rs"));

static EMBEDDED: LazyLock<Vec<&'static Architecture>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add(name, (*text).to_owned(), true);
        let architecture = read(file, &sources, &mut diagnostics);
        // A mistake in a file that is part of this library is a mistake of this library.
        architecture.unwrap_or_else(|| panic!("{}", diagnostics.render(&sources, false)))
    };
    SYSTEM_ARCHITECTURES.iter().map(read).collect()
});

/// The architectures of Wirewright's own include folder, in the order of their files' names.
pub fn embedded() -> &'static [&'static Architecture] {
    &EMBEDDED
}
