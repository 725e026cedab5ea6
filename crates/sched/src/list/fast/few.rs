//! A few elements of one rank, in order of arrival.

use super::lanes::Time;

/// The most that [`Few`] holds.
pub const CROWD: usize = 32;

/// Up to [`CROWD`] elements; how many is the caller's to know. Times behind the last are the latest, so
/// that all can be compared at once.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Few {
    times: [Time; CROWD],
    ids: [u32; CROWD],
}

impl Few {
    /// Nobody.
    pub const EMPTY: Self = Self { times: [Time::MAX; CROWD], ids: [0; CROWD] };

    /// Puts an element at a free place.
    #[inline]
    pub fn put(&mut self, place: usize, id: u32, time: Time) {
        self.ids[place] = id;
        self.times[place] = time;
    }

    /// The element at a place.
    #[inline]
    pub fn member(&self, place: usize) -> (u32, Time) {
        (self.ids[place], self.times[place])
    }

    /// All of `len`, in order of arrival.
    pub fn members(&self, len: usize) -> impl Iterator<Item = (u32, Time)> + use<> {
        let (ids, times) = (self.ids, self.times);
        (0..len).map(move |place| (ids[place], times[place]))
    }

    /// The place of the first of `len` with a time of `now` or less.
    #[inline]
    pub fn first(&self, len: usize, now: Time) -> Option<usize> {
        self.times[..len].iter().position(|&time| time <= now)
    }

    /// The place of an id among `len`.
    pub fn find(&self, len: usize, id: u32) -> Option<usize> {
        self.ids[..len].iter().position(|&member| member == id)
    }

    /// Takes out the element at a place of `len`.
    #[inline]
    pub fn remove(&mut self, len: usize, place: usize) -> (u32, Time) {
        let member = self.member(place);
        self.ids.copy_within(place + 1..len, place);
        self.times.copy_within(place + 1..len, place);
        self.times[len - 1] = Time::MAX;
        member
    }

    /// The least time; the latest if there are no elements.
    #[inline]
    pub fn least(&self) -> Time {
        self.times.iter().fold(Time::MAX, |least, &time| least.min(time))
    }
}
