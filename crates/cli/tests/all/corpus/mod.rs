//! Finding the project's P4 programs and tests, and running over them in parallel.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// All files below `folder` whose name ends in `suffix`, in order. With the environment variable
/// `WW_ONLY` only those whose path contains its text.
pub fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let only = std::env::var("WW_ONLY").unwrap_or_default();
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(suffix)
                && path.to_string_lossy().contains(&only)
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Applies `judge` to all files, on all processors; returns the complaints with their files.
pub fn complaints(
    files: &[PathBuf],
    judge: impl Fn(&Path) -> Result<(), String> + Sync,
) -> Vec<(PathBuf, String)> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let verdict = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| judge(file)));
            let complaint = match verdict {
                Ok(Ok(())) => continue,
                Ok(Err(complaint)) => complaint,
                Err(_) => "panicked".to_owned(),
            };
            found.lock().expect("a list").push((file.clone(), complaint));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let builder = std::thread::Builder::new().stack_size(256 << 20);
            builder.spawn_scoped(scope, work).expect("a thread");
        }
    });
    let mut found = found.into_inner().expect("a list");
    found.sort();
    found
}

/// Prints all complaints and fails if there are any.
pub fn report(what: &str, total: usize, complaints: &[(PathBuf, String)]) {
    let root = root();
    for (file, complaint) in complaints {
        let file = file.strip_prefix(&root).unwrap_or(file);
        println!("\n--- {}\n{}", file.display(), complaint.trim_end());
    }
    println!("\n{what}: {} of {total} passed", total - complaints.len());
    for (file, complaint) in complaints {
        let file = file.strip_prefix(&root).unwrap_or(file);
        let first = complaint.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        println!("  FAILED {:<48} {first}", file.display());
    }
    assert!(complaints.is_empty(), "{what}: {} of {total} failed", complaints.len());
    assert!(total > 0 || std::env::var_os("WW_ONLY").is_some(), "{what}: nothing to test");
}
