//! A few elements of one rank, in order of arrival, in two cache lines.

use super::lanes::Time;

/// The most that [`Few`] holds.
pub const CROWD: usize = 20;

/// Up to [`CROWD`] elements.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Few {
    len: u32,
    times: [Time; CROWD],
    ids: [u32; CROWD],
}

impl Few {
    /// Nobody.
    pub const fn new() -> Self {
        Self { len: 0, times: [0; CROWD], ids: [0; CROWD] }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether nobody else fits.
    pub fn is_full(&self) -> bool {
        self.len() == CROWD
    }

    /// Everybody leaves.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends an element; there must be room.
    #[inline]
    pub fn push(&mut self, id: u32, time: Time) {
        let len = self.len();
        self.ids[len] = id;
        self.times[len] = time;
        self.len += 1;
    }

    /// The element at a place.
    #[inline]
    pub fn member(&self, place: usize) -> (u32, Time) {
        (self.ids[place], self.times[place])
    }

    /// All, in order of arrival.
    pub fn members(&self) -> impl Iterator<Item = (u32, Time)> + use<> {
        let (ids, times) = (self.ids, self.times);
        (0..self.len()).map(move |place| (ids[place], times[place]))
    }

    /// The place of the first with a time of `now` or less.
    #[inline]
    pub fn first(&self, now: Time) -> Option<usize> {
        self.times[..self.len()].iter().position(|&time| time <= now)
    }

    /// The place of an id.
    pub fn find(&self, id: u32) -> Option<usize> {
        self.ids[..self.len()].iter().position(|&member| member == id)
    }

    /// Takes out the element at a place.
    #[inline]
    pub fn remove(&mut self, place: usize) -> (u32, Time) {
        let member = self.member(place);
        let len = self.len();
        self.ids.copy_within(place + 1..len, place);
        self.times.copy_within(place + 1..len, place);
        self.len -= 1;
        member
    }

    /// The least time; the latest if nobody is there.
    #[inline]
    pub fn least(&self) -> Time {
        self.times[..self.len()].iter().fold(Time::MAX, |least, &time| least.min(time))
    }
}
