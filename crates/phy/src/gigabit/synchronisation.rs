//! Synchronisation (IEEE 802.3 figure 36-9): whether code-groups are where they seem to be.
//!
//! Three commas at even places, with data behind each and nothing bad between, are believed. Each bad code-group
//! takes a step away from that, and four good ones in a row a step back; the fourth step loses it. Bad are code-groups that are none, and commas
//! at odd places.

/// Good code-groups in a row that make up for a bad one.
const TO_FORGIVE: u32 = 4;

/// Watches code-groups.
#[derive(Debug, Clone, Default)]
pub struct Synchronisation {
    state: State,
    /// The code-group that was taken last stands at an even place.
    even: bool,
}

/// States have the names of the figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    LossOfSync,
    /// The n-th comma, 1 to 3.
    CommaDetect(u32),
    /// Behind the n-th comma and its data, 1 or 2.
    AcquireSync(u32),
    /// So many steps from what is best, 0 to 3, and good code-groups since.
    SyncAcquired { steps: u32, good: u32 },
}

impl Synchronisation {
    /// Takes what a code-group is: whether an octet has it at the running disparity, whether that is data, and whether it begins with a
    /// comma. Gives whether there is synchronisation now.
    #[inline]
    pub fn code_group(&mut self, valid: bool, data: bool, comma: bool) -> bool {
        self.even = !self.even;
        let bad = !valid || comma && !self.even;
        self.state = match self.state {
            State::SyncAcquired { steps: 0, .. } if !bad => return true,
            State::LossOfSync if comma => self.comma(1),
            State::LossOfSync => State::LossOfSync,
            State::CommaDetect(3) if valid && data => State::SyncAcquired { steps: 0, good: 0 },
            State::CommaDetect(n) if valid && data => State::AcquireSync(n),
            State::CommaDetect(_) => State::LossOfSync,
            State::AcquireSync(_) if bad => State::LossOfSync,
            State::AcquireSync(n) if comma => self.comma(n + 1),
            State::AcquireSync(n) => State::AcquireSync(n),
            State::SyncAcquired { steps: 3, .. } if bad => State::LossOfSync,
            State::SyncAcquired { steps, .. } if bad => {
                State::SyncAcquired { steps: steps + 1, good: 0 }
            }
            State::SyncAcquired { steps, good } if good + 1 == TO_FORGIVE => {
                State::SyncAcquired { steps: steps - 1, good: 0 }
            }
            State::SyncAcquired { steps, good } => State::SyncAcquired { steps, good: good + 1 },
        };
        self.acquired()
    }

    /// Whether there is synchronisation.
    pub fn acquired(&self) -> bool {
        matches!(self.state, State::SyncAcquired { .. })
    }

    /// Whether the code-group that was taken last stands at an even place, as the first one of an ordered set does.
    pub fn even(&self) -> bool {
        self.even
    }

    fn comma(&mut self, n: u32) -> State {
        self.even = true;
        State::CommaDetect(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// c: comma, d: data, k: other control, x: invalid.
    fn after(sync: &mut Synchronisation, text: &str) -> bool {
        for letter in text.chars() {
            sync.code_group(letter != 'x', letter == 'd', letter == 'c');
        }
        sync.acquired()
    }

    #[test]
    fn three_commas_acquire() {
        for (text, acquired) in [
            ("cdcdcd", true),
            ("cdcdc", false),
            ("dcdddcdddcd", true),
            // Between commas an even number of code-groups.
            ("cdcddcd", false),
            ("cdcdxdcd", false),
            ("cdkdcdkkcd", true),
            // Behind a comma there is data.
            ("cdcdck", false),
            ("cdcdcxcd", false),
        ] {
            assert_eq!(after(&mut Synchronisation::default(), text), acquired, "{text}");
        }
    }

    #[test]
    fn four_bad_ones_lose() {
        let good = "cdcdcd";
        for (text, acquired) in [
            ("xxx", true),
            ("xxxx", false),
            ("xdxdxdx", false),
            // Four good ones for each bad one.
            (&"xdddd".repeat(100), true),
            // Three do not.
            ("xdddxdddxdddxddd", false),
            ("xxxddddx", true),
            ("xxxddddxx", false),
            ("xxxddddddddxx", true),
            ("xxxddddddddddddxxx", true),
            // Commas at odd places.
            ("dcccc", true),
            ("dcdcdcdc", false),
        ] {
            let mut sync = Synchronisation::default();
            assert!(after(&mut sync, good));
            assert_eq!(after(&mut sync, text), acquired, "{text}");
        }
    }
}
