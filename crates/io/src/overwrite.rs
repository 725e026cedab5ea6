//! No output is an input: the check that commands make before they write.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// An output that would take the place of an input, or of another output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overwrite {
    /// The output as the command line names it.
    output: String,
    /// What else the file is.
    taken: String,
}

impl fmt::Display for Overwrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { output, taken } = self;
        write!(f, "{output}: the file is {taken}, which would be overwritten; choose another name")
    }
}

impl std::error::Error for Overwrite {}

/// The files of a command: what it reads, and what it is about to write.
#[derive(Debug, Clone, Default)]
pub struct Files(Vec<(String, PathBuf)>);

impl Files {
    /// A file that is read, and what it is in a sentence: `the program`.
    pub fn reads(&mut self, what: impl Into<String>, path: impl Into<PathBuf>) -> &mut Self {
        self.0.push((what.into(), path.into()));
        self
    }

    /// A file that is to be written, and the option that names it.
    ///
    /// # Errors
    /// The file is read by the command or written by another option, under this name or through
    /// a hard or symbolic link.
    pub fn writes(&mut self, option: &str, path: &Path) -> Result<&mut Self, Overwrite> {
        let output = format!("{option} '{}'", path.display());
        match self.0.iter().find(|(_, known)| same_file(known, path)) {
            Some((taken, _)) => Err(Overwrite { output, taken: taken.clone() }),
            None => Ok(self.reads(format!("the output of {option}"), path)),
        }
    }

    /// A folder whose files are replaced as a whole, and the option that names it.
    ///
    /// # Errors
    /// A file that is read lies in it.
    pub fn replaces(&mut self, option: &str, folder: &Path) -> Result<&mut Self, Overwrite> {
        let whole = resolved(folder);
        match self.0.iter().find(|(_, known)| resolved(known).starts_with(&whole)) {
            None => Ok(self),
            Some((taken, known)) => Err(Overwrite {
                output: format!("{option} '{}'", folder.display()),
                taken: format!("the folder of '{}' ({taken})", known.display()),
            }),
        }
    }
}

/// Whether two paths name one file whose content matters (so not `/dev/null` or a pipe): the same
/// path behind all links, or two names of one file.
pub(crate) fn same_file(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino()),
        // Neither is there yet, or one is not: no two names of one file.
        _ => resolved(a) == resolved(b),
    }
}

/// The path without links and detours. A file that does not exist yet keeps its name in its folder.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        match (folder.unwrap_or(Path::new(".")).canonicalize(), path.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => path.to_path_buf(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_links_of_one_file() {
        let folder = std::env::temp_dir().join(format!("ww-overwrite-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("deep")).expect("a folder");
        let path = |name: &str| folder.join(name);
        fs::write(path("a"), "a").expect("a file");
        fs::write(path("b"), "b").expect("a file");
        fs::hard_link(path("a"), path("hard")).expect("a link");
        std::os::unix::fs::symlink("a", path("soft")).expect("a link");
        for same in ["a", "deep/../a", "hard", "soft"] {
            assert!(same_file(&path("a"), &path(same)), "{same}");
            let mut files = Files::default();
            let error = files.reads("the program", path("a")).writes("--out", &path(same));
            let text = error.map(|_| ()).expect_err(same).to_string();
            assert!(text.starts_with("--out '") && text.contains("is the program,"), "{text}");
        }
        for other in ["b", "new", "deep"] {
            assert!(!same_file(&path("a"), &path(other)), "{other}");
        }
        assert!(!same_file(Path::new("/dev/null"), Path::new("/dev/null")));
        // Two outputs, of which neither is there yet.
        let mut files = Files::default();
        files.writes("-o", &path("new")).expect("it is new");
        files.writes("--list", &path("deep/../new")).expect_err("it is taken");
        files.reads("the program", path("deep/p"));
        files.replaces("--out", &path("deep")).expect_err("the program lies there");
        files.replaces("--out", &path("other")).expect("nothing lies there");
        fs::remove_dir_all(&folder).expect("the folder");
    }
}
