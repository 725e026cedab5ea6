//! The clock that all processes of a run share.

use std::time::Duration;

/// Nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
pub fn monotonic() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec, which the call fills.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Sleeps until that time of CLOCK_MONOTONIC, ns.
pub fn sleep_until(time: u64) {
    loop {
        let now = monotonic();
        if now >= time {
            return;
        }
        std::thread::sleep(Duration::from_nanos(time - now));
    }
}
