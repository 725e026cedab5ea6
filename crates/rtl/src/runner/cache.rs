//! Where models are kept: what was built once is not built again.
//!
//! Everything in the cache has the hash of what it was made from in its name, is complete when it
//! appears under that name, and does not change then. So any number of processes can share it.

use super::Error;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Models beyond these are removed, those that were used longest ago first.
const MOST_MODELS: usize = 4096;
/// How often, in builds, somebody looks for models to remove.
const TRIM_INTERVAL: usize = 64;

/// The cache folder.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// In [`place`](Self::place).
    pub fn open() -> Result<Self, Error> {
        let missing = || Error::Tools("set WW_CACHE to a folder for built models".to_owned());
        Self::at(Self::place().ok_or_else(missing)?)
    }

    /// `WW_CACHE`, or `wirewright` in `XDG_CACHE_HOME` or `~/.cache`; `None` where none of these is set.
    pub fn place() -> Option<PathBuf> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        variable("WW_CACHE").map(PathBuf::from).or_else(|| {
            let home = || variable("HOME").map(|home| PathBuf::from(home).join(".cache"));
            variable("XDG_CACHE_HOME")
                .map(PathBuf::from)
                .or_else(home)
                .map(|f| f.join("wirewright"))
        })
    }

    /// In this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        let folder = folder.into();
        std::fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
        let folder = folder.canonicalize().map_err(Error::file(&folder))?;
        Ok(Self { folder })
    }

    /// The folder or file called `name`; if there is none, what `make` leaves in the place that
    /// it is given. When two make the same at a time, one of the results is taken.
    pub fn get(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let place = self.folder.join(name);
        if place.exists() {
            // What is removed first is what was not used for long.
            if let Ok(file) = std::fs::File::open(&place) {
                let _ = file.set_modified(SystemTime::now());
            }
            return Ok(place);
        }
        let work = tempfile::Builder::new()
            .prefix(".building-")
            .tempdir_in(&self.folder)
            .map_err(Error::file(&self.folder))?;
        let made = work.path().join("made");
        make(&made)?;
        match std::fs::rename(&made, &place) {
            Ok(()) => {}
            // Somebody was faster.
            Err(_) if place.exists() => {}
            Err(error) => return Err(Error::file(&place)(error)),
        }
        self.trim();
        Ok(place)
    }

    /// Removes models that were not used for long, if there are too many. Whoever uses one has
    /// it open: it stays until then.
    fn trim(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let mut models: Vec<(SystemTime, PathBuf)> = entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().ends_with(".so"))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        if models.len() < MOST_MODELS + TRIM_INTERVAL {
            return;
        }
        models.sort();
        for (_, path) in models.iter().take(models.len() - MOST_MODELS) {
            // It may be gone already, or not be ours: then it stays.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A hash of several parts, as text. Where one part ends and the next begins counts.
pub fn key<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_parts_apart() {
        let of = |parts: &[&str]| key(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_ne!(of(&["a", "b"]), of(&["ab", ""]));
        assert_eq!(of(&[]).len(), 32);
    }

    #[test]
    fn made_once_and_never_half() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path()).expect("writable");
        let fails = |at: &Path| {
            std::fs::write(at, "half").expect("writable");
            Err(Error::Model("no".to_owned()))
        };
        assert!(cache.get("x.so", fails).is_err());
        let write =
            |text: &'static str| move |at: &Path| std::fs::write(at, text).map_err(Error::file(at));
        let path = cache.get("x.so", write("one")).expect("made");
        assert_eq!(cache.get("x.so", write("two")).expect("there"), path);
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "one");
        // Nothing else is left.
        assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 1);
    }

    #[test]
    fn several_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path()).expect("writable");
        std::thread::scope(|scope| {
            for n in 0..8 {
                let cache = &cache;
                scope.spawn(move || {
                    let make = |at: &Path| {
                        std::fs::create_dir(at).expect("new");
                        std::fs::write(at.join("file"), n.to_string()).map_err(Error::file(at))
                    };
                    let place = cache.get("folder", make).expect("made");
                    assert!(place.join("file").is_file());
                });
            }
        });
    }
}
