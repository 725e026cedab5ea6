//! Runtime entries and test scripts for a running dataplane.
