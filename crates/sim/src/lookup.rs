//! Finding hosts and flows by addresses and ports, for each frame.

use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Its keys come from the network's own configuration and not from outside, so a fast hash without a secret is safe.
pub type Lookup<K, V> = HashMap<K, V, FixedState>;
