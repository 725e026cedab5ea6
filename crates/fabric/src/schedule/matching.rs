//! Who sends to whom in one slot of a channel.

/// A partial permutation of hosts 0 to N - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Nobody sends.
    Idle,
    /// Host i sends to (i + s) mod N; s from 1 to N - 1.
    Shift(usize),
    /// Host i of 0 to N/2 - 1 sends to i + N/2, the others are idle. N is even.
    LowerHalf,
    /// Host i of N/2 to N - 1 sends to i - N/2, the others are idle. N is even.
    UpperHalf,
}

impl Matching {
    /// The host to which `host` of `hosts` sends.
    pub fn peer(self, hosts: usize, host: usize) -> Option<usize> {
        let shift = self.shift(hosts).filter(|_| self.sends(hosts, host))?;
        Some((host + shift) % hosts)
    }

    /// The host that sends to `host`.
    pub fn source(self, hosts: usize, host: usize) -> Option<usize> {
        let source = (host + hosts - self.shift(hosts)?) % hosts;
        self.sends(hosts, source).then_some(source)
    }

    /// By how much the senders' numbers and their peers' differ.
    pub fn shift(self, hosts: usize) -> Option<usize> {
        match self {
            Self::Idle => None,
            Self::Shift(shift) => Some(shift),
            Self::LowerHalf | Self::UpperHalf => Some(hosts / 2),
        }
    }

    fn sends(self, hosts: usize, host: usize) -> bool {
        match self {
            Self::Idle => false,
            Self::Shift(_) => true,
            Self::LowerHalf => host < hosts / 2,
            Self::UpperHalf => host >= hosts / 2,
        }
    }
}
