//! A clock in software that follows the counter.
//!
//! spec: 000-p4fpga-sonic-dtp 2.6 (figure 4.32)

use ww_dtp::daemon::Smoothing;
use ww_dtp::simulation::host::daemon_errors;

/// Published: usually within 16 ticks as read, within 4 smoothed.
#[test]
fn a_daemon_is_some_ticks_off() {
    let share = |smoothing, ticks| {
        let errors = daemon_errors(smoothing, 4000, 3);
        assert!(errors.len() > 3700);
        errors.iter().filter(|error| **error <= ticks).count() as f64 / errors.len() as f64
    };
    let last = share(Smoothing::Last, 16);
    assert!(last > 0.95 && last < 1.0, "{last}: some reads are late");
    // A late read is in ten means, and so is a mean hardly better at a few ticks; the quickest reads are.
    let (mean, quickest) = (share(Smoothing::Mean, 4), share(Smoothing::Quickest, 4));
    assert!(mean > 0.8 && quickest > 0.995, "{mean} {quickest}");
    assert!(quickest > share(Smoothing::Last, 4));
}
