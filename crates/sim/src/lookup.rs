//! Finding hosts and flows by addresses and ports, for each frame.

use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Its keys are what a network's hosts have, not what others send, so that a quick hash without a secret will do.
pub type Lookup<K, V> = HashMap<K, V, FixedState>;
