//! policy_file
