//! Ports: capture files and Linux interfaces.
