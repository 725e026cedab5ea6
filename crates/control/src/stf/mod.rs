//! The Simple Test Framework: packets in, expected packets out, entries in between.
//!
//! One command a line; `#` starts a comment. Names of tables, actions, keys and other objects are
//! found by their full name or by the end of it, at a dot; those of tables, actions and objects
//! also by any end that fits nothing else.
//!
//! | command | meaning |
//! |---|---|
//! | `packet PORT HEX` | a packet comes in |
//! | `expect PORT [HEX] [$]` | a packet must leave: `*` stands for any half-byte; a longer packet fits too unless `$` is there; without bytes any packet fits |
//! | `no_packet` | nothing may have left that is not expected so far, on any port |
//! | `wait` | all queued work is done, then a millisecond passes |
//! | `add TABLE [PRIORITY] KEY:VALUE.. ACTION(ARGUMENT:VALUE, ..) [= NAME]` | an entry; the higher priority wins |
//! | `setdefault TABLE ACTION(..)` | the default action |
//! | `remove all`, `remove TABLE [PRIORITY] KEY:VALUE..` | entries go |
//! | `check_counter COUNTER(INDEX) [packets\|bytes] == N` | also `!= < <= > >=`; the index of a direct counter is the handle or the name of an entry |
//!
//! and `mirroring_add`, `mirroring_add_mc`, `mirroring_delete`, `mirroring_get`,
//! `mc_mgrp_create`, `mc_node_create`, `mc_node_associate`, `register_write`, `register_read`
//! (with an expected value), `register_reset`, `counter_read`, `counter_write`, `counter_reset`,
//! `meter_set_rates`, `meter_array_set_rates` and `meter_get_rates` as in BMv2.
//!
//! Arguments go by name, or all by position. Values are decimal, `0x`, `0o` or `0b` numbers with
//! `*` among the digits for ternary keys, IPv4, IPv6 or MAC addresses, `true` and `false`,
//! `V/LEN`, `V&&&MASK`, `LO->HI` or `LO..HI`. The validity of a header as key is `h.isValid()`,
//! `h.$valid$`, `h.valid` or, if no key is called so, `h`. Keys that are not mentioned match anything, except
//! exact ones, which must be there.
//!
//! Per port, the number and the order of packets must be those of the `expect` lines; a port that
//! only `packet` lines name stays silent; ports that nothing names are not looked at.

mod compare;
mod cursor;
mod parse;
mod resolve;
mod run;
pub mod syntax;

pub use parse::parse;
pub use run::{Failure, Report, WAIT, run, run_together};
