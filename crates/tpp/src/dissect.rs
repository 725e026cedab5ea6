//! dissect
