//! Which core each worker gets.

use std::io;

/// The cores that this thread may run on.
pub(super) fn allowed() -> Vec<usize> {
    // SAFETY: a set of zeros is valid; the kernel fills it in.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
            return Vec::new();
        }
        set
    };
    // SAFETY: the numbers are within the set.
    (0..libc::CPU_SETSIZE as usize).filter(|core| unsafe { libc::CPU_ISSET(*core, &set) }).collect()
}

/// Binds this thread to the given cores.
pub(super) fn pin(cores: &[usize]) -> io::Result<()> {
    // SAFETY: a set of zeros is valid, the numbers are checked, the kernel only reads.
    let result = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for core in cores {
            if *core >= libc::CPU_SETSIZE as usize {
                return Err(io::ErrorKind::InvalidInput.into());
            }
            libc::CPU_SET(*core, &mut set);
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// A core for each worker: those that were asked for, else those that we may use, one
/// after the other. `None`, and a word about it, where there is none.
pub(super) fn assign(
    workers: usize,
    wanted: Option<&[usize]>,
    allowed: &[usize],
    notice: &dyn Fn(&str),
) -> Vec<Option<usize>> {
    let mut assigned: Vec<Option<usize>> = Vec::new();
    for worker in 0..workers {
        let core = wanted.unwrap_or(allowed).get(worker).copied();
        let problem = match core {
            None => Some("there is none left for it".to_owned()),
            Some(core) if !allowed.contains(&core) => {
                Some(format!("core {core} is not available to this process"))
            }
            Some(core) if assigned.contains(&Some(core)) => {
                Some(format!("core {core} has a worker already"))
            }
            Some(_) => None,
        };
        if let Some(problem) = &problem {
            notice(&format!(
                "worker {worker} gets no core of its own: {problem}; it goes on unpinned"
            ));
        }
        assigned.push(core.filter(|_| problem.is_none()));
    }
    assigned
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn assigned(
        n: usize,
        wanted: Option<&[usize]>,
        free: &[usize],
    ) -> (Vec<Option<usize>>, String) {
        let said = RefCell::new(String::new());
        let cores = assign(n, wanted, free, &|text| said.borrow_mut().push_str(text));
        (cores, said.into_inner())
    }

    #[test]
    fn one_core_each() {
        assert_eq!(assigned(2, None, &[1, 4, 5]), (vec![Some(1), Some(4)], String::new()));
        assert_eq!(assigned(2, Some(&[5, 1]), &[1, 4, 5]), (vec![Some(5), Some(1)], String::new()));
        let (cores, said) = assigned(2, None, &[3]);
        assert_eq!(cores, [Some(3), None]);
        assert!(said.contains("worker 1 gets no core of its own: there is none left"), "{said}");
        let (cores, said) = assigned(1, Some(&[9]), &[0, 1]);
        assert_eq!(cores, [None]);
        assert!(said.contains("core 9 is not available"), "{said}");
        let (cores, said) = assigned(2, Some(&[1, 1]), &[0, 1]);
        assert_eq!(cores, [Some(1), None]);
        assert!(said.contains("core 1 has a worker already"), "{said}");
    }

    #[test]
    fn a_thread_stays_where_it_is_pinned() {
        let all = allowed();
        assert!(!all.is_empty());
        std::thread::spawn(move || {
            pin(&all[..1]).unwrap();
            assert_eq!(allowed(), all[..1]);
            assert!(pin(&[libc::CPU_SETSIZE as usize]).is_err());
        })
        .join()
        .unwrap();
    }
}
