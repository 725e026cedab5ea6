//! The places of sessions: taken, followed, freed.

use super::Engine;
use crate::session::{Events, Session, State};
use crate::settings::Nanoseconds;
use std::cmp::Reverse;

impl Engine {
    pub(super) fn take_slot(&mut self) -> Option<u32> {
        // Of those that only wait, the one whose time ends first gives its place away.
        if self.free.is_empty()
            && let Some(&(_, index)) = self.waiting.first()
        {
            self.release(index);
        }
        self.free.pop_front()
    }

    pub(super) fn occupy(&mut self, index: u32, session: Session, now: Nanoseconds) {
        self.table.insert((session.peer, session.own_port), index);
        let slot = &mut self.slots[index as usize];
        slot.session = Some(Box::new(session));
        (slot.opened, slot.news, slot.queued, slot.end_told) = (false, None, None, false);
        self.follow(index, now);
    }

    fn make_ready(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        if !slot.ready {
            slot.ready = true;
            self.ready.push_back(index);
        }
    }

    /// After anything has happened to a session: its turn to send, and what [`Self::settle`] does.
    pub(super) fn follow(&mut self, index: u32, now: Nanoseconds) {
        if self.slots[index as usize].session.as_ref().is_some_and(|session| session.is_due()) {
            self.make_ready(index);
        }
        self.settle(index, now);
    }

    /// A session's news, its timers, its end.
    pub(super) fn settle(&mut self, index: u32, now: Nanoseconds) {
        let slot = &mut self.slots[index as usize];
        let Some(session) = slot.session.as_mut() else { return };
        let events = session.take_events();
        let waits = session.wakes().filter(|_| session.state() == State::TimeWait);
        if slot.waits != waits {
            slot.waits.take().map(|at| self.waiting.remove(&(at, index)));
            slot.waits = waits;
            self.waiting.extend(waits.map(|at| (at, index)));
        }
        if session.state() == State::TimeWait && events.ended.is_none() {
            // For the application it is over.
            if slot.opened {
                slot.opened = false;
                self.counters.closed += 1;
            }
        }
        if (events.opened || events.ended.is_some())
            && session.passive
            && !session.was_open
            && let Some(listener) = self.listening.get_mut(&session.own_port)
        {
            listener.half_open = listener.half_open.saturating_sub(1);
        }
        if events.opened && !session.was_open {
            slot.opened = true;
            self.counters.opened += 1;
        }
        if events.ended.is_some() && slot.opened {
            slot.opened = false;
            self.counters.closed += 1;
        }
        // A connection that never opened on a port that listens is no news.
        session.was_open |= events.opened;
        let silent = events.ended.is_some() && session.passive && !session.was_open;
        if events != Events::default() && !silent {
            slot.news = Some(slot.news.unwrap_or_default().and(events));
            if !slot.announced {
                slot.announced = true;
                self.news.push_back(index);
            }
        }
        if let Some(at) = session.wakes()
            && slot.queued.is_none_or(|queued| at < queued || queued <= now)
        {
            slot.queued = Some(at);
            self.timers.push(Reverse((at, index)));
        }
        let over = session.state() == State::Closed && !session.is_due();
        slot.end_told |= silent;
        if over && slot.end_told {
            self.release(index);
        }
    }

    /// Frees a session's place.
    pub(super) fn release(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        let Some(session) = slot.session.take() else { return };
        self.counters.resent += session.resent_segments;
        self.counters.timeouts += session.all_timeouts;
        if slot.opened {
            slot.opened = false;
            self.counters.closed += 1;
        }
        slot.generation = slot.generation.wrapping_add(1);
        slot.queued = None;
        slot.news = None;
        slot.waits.take().map(|at| self.waiting.remove(&(at, index)));
        self.table.remove(&(session.peer, session.own_port));
        self.free.push_back(index);
    }
}
