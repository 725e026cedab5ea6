//! Memory of [`RecordHead`]s with their arguments, and which of a table's entries share one.

use crate::bits::Bits;
use crate::jit::abi::{CounterCell, RECORD_ARGUMENTS, RecordHead, cells_apart, flag};
use crate::objects::Meter;
use num_bigint::BigUint;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ptr::NonNull;

/// The [`RecordHead::action`] of a member whose action the table does not list: a packet that
/// gets there is dropped as faulty, as the reference engine does.
pub const NO_ACTION: u32 = u32::MAX;

/// 64-bit words in which an argument of so many bits is handed over; at least one.
pub fn argument_words(width: u32) -> usize {
    width.div_ceil(64).max(1) as usize
}

/// The words of an argument, the lowest first.
pub(super) fn push_words(bits: &Bits, out: &mut Vec<u64>) {
    let count = argument_words(bits.width());
    match bits {
        Bits::Small { value, .. } => {
            out.push(*value as u64);
            if count > 1 {
                out.push((value >> 64) as u64);
            }
        }
        Bits::Wide { value, .. } => {
            let end = out.len() + count;
            out.extend(value.iter_u64_digits());
            out.resize(end, 0);
        }
    }
}

/// The number that some words are.
pub(super) fn number(words: &[u64]) -> BigUint {
    match words {
        [word] => BigUint::from(*word),
        _ => BigUint::new(words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect()),
    }
}

/// What a record says, without the objects of its entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub action: u32,
    pub flags: u32,
    pub choice: u32,
    pub words: Vec<u64>,
}

impl Content {
    pub fn action(action: u32, words: Vec<u64>) -> Self {
        Self { action, flags: 0, choice: 0, words }
    }

    pub fn choice(flags: u32, choice: u32) -> Self {
        Self { action: NO_ACTION, flags, choice, words: Vec::new() }
    }

    /// The content for an entry, not for a default action.
    pub fn of_entry(mut self) -> Self {
        self.flags |= flag::HIT;
        self
    }
}

/// A record in memory of its own. Whoever frees it must know that nobody reads it any more.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record(NonNull<RecordHead>);

// SAFETY: records do not change after they were made (but for the atomic counters and the meters
// they point to, which have locks of their own), so any thread may read them.
unsafe impl Send for Record {}
// SAFETY: as above.
unsafe impl Sync for Record {}

/// Records begin at a cache line, so that few arguments come with the head.
const LINE: usize = 64;

fn layout(words: usize) -> Layout {
    Layout::new::<RecordHead>()
        .extend(Layout::array::<u64>(words).expect("arguments are few"))
        .and_then(|(layout, _)| layout.align_to(LINE))
        .expect("arguments are few")
        .pad_to_align()
}

impl Record {
    fn new(content: &Content, counter: *mut CounterCell, meter: *mut Meter) -> Self {
        let layout = layout(content.words.len());
        // SAFETY: the layout has the size of a head at least. Head and arguments are written
        // before anybody reads them; they lie one behind the other as `RECORD_ARGUMENTS` says.
        unsafe {
            let Some(memory) = NonNull::new(alloc(layout)) else { handle_alloc_error(layout) };
            let record = Self(memory.cast());
            record.0.write(RecordHead {
                action: content.action,
                flags: content.flags,
                choice: content.choice,
                entry: 0,
                counter,
                meter: meter.cast(),
            });
            let arguments = memory.add(RECORD_ARGUMENTS).cast::<u64>();
            let words = content.words.as_ptr();
            arguments.copy_from_nonoverlapping(
                NonNull::new_unchecked(words.cast_mut()),
                content.words.len(),
            );
            record
        }
    }

    pub fn head(&self) -> &RecordHead {
        // SAFETY: the memory is initialised, and whoever frees it keeps no copy of the record.
        unsafe { self.0.as_ref() }
    }

    /// Says whose it is. Nobody may have been able to see the record yet.
    fn set_entry(self, entry: u32) {
        // SAFETY: the memory is initialised, and nobody else has the record.
        unsafe { (*self.0.as_ptr()).entry = entry }
    }

    pub fn as_ptr(&self) -> *const RecordHead {
        self.0.as_ptr()
    }
}

/// What nobody may reach any more when it is freed.
#[derive(Debug)]
enum Retired {
    Record(Record, usize),
    Counter(NonNull<CounterCell>),
    Meter(NonNull<Meter>),
}

// SAFETY: what is pointed to belongs to this value alone.
unsafe impl Send for Retired {}

/// Makes and frees records, counters and meters.
#[derive(Debug)]
pub(super) struct Heap {
    workers: usize,
    /// Taken out of what packets see by changes that are not published yet.
    retired: Vec<Retired>,
    /// Taken out of the current copy, but perhaps not of the other one.
    fading: Vec<Retired>,
    live: usize,
}

impl Heap {
    pub fn new(workers: usize) -> Self {
        Self { workers, retired: Vec::new(), fading: Vec::new(), live: 0 }
    }

    /// Cells of a counter, without the base.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Records that exist.
    pub fn live(&self) -> usize {
        self.live
    }

    pub fn record(
        &mut self,
        content: &Content,
        counter: *mut CounterCell,
        meter: *mut Meter,
    ) -> Record {
        self.live += 1;
        Record::new(content, counter, meter)
    }

    /// A counter of zero: one cell per worker, then the base that readings are taken from.
    pub fn counter(&mut self) -> *mut CounterCell {
        let cells = vec![CounterCell::default(); self.counter_cells()].into_boxed_slice();
        Box::into_raw(cells).cast()
    }

    /// Cells that a direct counter takes.
    fn counter_cells(&self) -> usize {
        self.workers * cells_apart(self.workers) + 1
    }

    pub fn meter(&mut self) -> *mut Meter {
        Box::into_raw(Box::default())
    }

    /// Frees a record of so many words, without its objects, when no packet can see it.
    pub fn retire(&mut self, record: Record, words: usize) {
        self.retired.push(Retired::Record(record, words));
    }

    /// Frees a record of so many words, and its objects, at once.
    ///
    /// # Safety
    /// No packet has ever been able to see it.
    pub unsafe fn discard(&mut self, record: Record, words: usize) {
        let others = std::mem::take(&mut self.fading);
        let retired = std::mem::take(&mut self.retired);
        self.retire_objects(record);
        self.retire(record, words);
        self.published();
        // SAFETY: only what nobody has seen is in the list.
        unsafe { self.free() };
        (self.fading, self.retired) = (others, retired);
    }

    /// Frees the objects of an entry when no packet can see it.
    pub fn retire_objects(&mut self, record: Record) {
        let head = record.head();
        self.retired.extend(NonNull::new(head.counter).map(Retired::Counter));
        self.retired.extend(NonNull::new(head.meter.cast()).map(Retired::Meter));
    }

    /// The changes so far are published: the copy that is current now has nothing retired.
    pub fn published(&mut self) {
        self.fading.append(&mut self.retired);
    }

    /// Both copies are the same as the last published one, and nobody reads an older one.
    ///
    /// # Safety
    /// That must be true.
    pub unsafe fn free(&mut self) {
        let counter_cells = self.counter_cells();
        for retired in self.fading.drain(..) {
            // SAFETY: each was made by `Record::new`, `counter` or `meter` and retired once.
            unsafe {
                match retired {
                    Retired::Record(record, words) => {
                        self.live -= 1;
                        dealloc(record.0.as_ptr().cast(), layout(words));
                    }
                    Retired::Counter(cells) => {
                        let cells = NonNull::slice_from_raw_parts(cells, counter_cells);
                        drop(Box::from_raw(cells.as_ptr()));
                    }
                    Retired::Meter(meter) => drop(Box::from_raw(meter.as_ptr())),
                }
            }
        }
        if self.fading.capacity() > 1 << 16 {
            self.fading.shrink_to(1 << 10);
        }
    }
}

/// A record by its number in a table.
#[derive(Clone, Copy, Debug)]
struct Slot {
    record: Record,
    /// How many entries lead to it; 0 for a free number.
    count: u32,
    /// Next number with the same hash, or 0.
    next: u32,
}

/// The records of a table by number; number 0 is the default action's.
#[derive(Debug)]
pub(super) struct Records {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// First number by hash of the content, if entries may share records.
    shared: Option<HashMap<u64, u32>>,
    hasher: RandomState,
    /// Words of arguments by action.
    words: Vec<usize>,
    /// How often members and groups (by flag) are referred to.
    choices: HashMap<(u32, u32), u64>,
    has_counter: bool,
    has_meter: bool,
}

const CHOICE: u32 = flag::MEMBER | flag::GROUP;

impl Records {
    /// With a record for the default action; `words` has the words of all arguments together by
    /// action.
    pub fn new(
        heap: &mut Heap,
        words: Vec<usize>,
        default: &Content,
        has_counter: bool,
        has_meter: bool,
    ) -> Self {
        let record = heap.record(default, std::ptr::null_mut(), std::ptr::null_mut());
        Self {
            slots: vec![Slot { record, count: 1, next: 0 }],
            free: Vec::new(),
            shared: (!has_counter && !has_meter).then(HashMap::new),
            hasher: RandomState::new(),
            words,
            choices: HashMap::new(),
            has_counter,
            has_meter,
        }
    }

    /// The record with a number in use.
    pub fn get(&self, number: u32) -> Record {
        self.slots[number as usize].record
    }

    /// Whether changing an entry's target keeps its number.
    pub fn keeps_numbers(&self) -> bool {
        self.shared.is_none()
    }

    /// Whether an entry or the default action refers to a member or group.
    pub fn refers_to(&self, flag: u32, choice: u32) -> bool {
        self.choices.contains_key(&(flag, choice))
    }

    fn words_of(&self, head: &RecordHead) -> usize {
        self.words.get(head.action as usize).copied().unwrap_or(0)
    }

    /// The arguments of a record.
    pub fn arguments(&self, record: &Record) -> &[u64] {
        let count = self.words_of(record.head());
        // SAFETY: a record has the arguments of its action right behind its head, and it lives as
        // long as it has a number here.
        unsafe {
            let arguments = record.as_ptr().byte_add(RECORD_ARGUMENTS).cast::<u64>();
            std::slice::from_raw_parts(arguments, count)
        }
    }

    fn has_content(&self, number: u32, content: &Content) -> bool {
        let record = self.get(number);
        let head = record.head();
        (head.action, head.flags, head.choice) == (content.action, content.flags, content.choice)
            && self.arguments(&record) == content.words
    }

    fn note(&mut self, flags: u32, choice: u32, added: bool) {
        let flags = flags & CHOICE;
        if flags == 0 {
            return;
        }
        let key = (flags, choice);
        let count = self.choices.entry(key).or_default();
        *count = if added { *count + 1 } else { count.saturating_sub(1) };
        if *count == 0 {
            self.choices.remove(&key);
        }
    }

    fn hash(&self, content: &Content) -> u64 {
        let Content { action, flags, choice, words } = content;
        self.hasher.hash_one((action, flags, choice, words))
    }

    fn hash_of(&self, number: u32) -> u64 {
        let record = self.get(number);
        let head = record.head();
        self.hasher.hash_one((&head.action, &head.flags, &head.choice, self.arguments(&record)))
    }

    /// A number for the content of one more entry, and whether its record is new. `None` if
    /// there are no more numbers.
    pub fn acquire(&mut self, heap: &mut Heap, content: &Content) -> Option<(u32, bool)> {
        let hash = self.shared.is_some().then(|| self.hash(content));
        let mut first = 0;
        if let (Some(shared), Some(hash)) = (&self.shared, hash) {
            first = shared.get(&hash).copied().unwrap_or(0);
            let mut number = first;
            while number != 0 {
                if self.has_content(number, content) {
                    self.slots[number as usize].count += 1;
                    self.note(content.flags, content.choice, true);
                    return Some((number, false));
                }
                number = self.slots[number as usize].next;
            }
        }
        let number = match self.free.pop() {
            Some(number) => number,
            None => u32::try_from(self.slots.len()).ok().filter(|n| *n < 1 << 31)?,
        };
        let counter = if self.has_counter { heap.counter() } else { std::ptr::null_mut() };
        let meter = if self.has_meter { heap.meter() } else { std::ptr::null_mut() };
        let slot = Slot { record: heap.record(content, counter, meter), count: 1, next: first };
        match self.slots.get_mut(number as usize) {
            Some(place) => *place = slot,
            None => self.slots.push(slot),
        }
        if let (Some(shared), Some(hash)) = (&mut self.shared, hash) {
            shared.insert(hash, number);
        }
        self.note(content.flags, content.choice, true);
        Some((number, true))
    }

    /// Says which entry leads to a number that [`Records::acquire`] has just given, if it is the only one for ever.
    pub fn set_entry(&self, number: u32, handle: u64) {
        if self.keeps_numbers() {
            self.get(number).set_entry(handle as u32);
        }
    }

    /// Takes back what [`Records::acquire`] did last.
    pub fn undo(&mut self, heap: &mut Heap, number: u32) {
        if let Some(record) = self.give_up(number) {
            self.discard(heap, record);
        }
    }

    /// One entry less leads to a number.
    pub fn release(&mut self, heap: &mut Heap, number: u32) {
        if let Some(record) = self.give_up(number) {
            heap.retire_objects(record);
            self.retire(heap, record);
        }
    }

    /// Frees a record that is part of no change yet, at once.
    pub fn discard(&self, heap: &mut Heap, record: Record) {
        // SAFETY: packets only see records that are part of a change.
        unsafe { heap.discard(record, self.words_of(record.head())) };
    }

    /// Frees a record with one of the table's actions when no packet can see it.
    pub fn retire(&self, heap: &mut Heap, record: Record) {
        heap.retire(record, self.words_of(record.head()));
    }

    /// The record with a number, if no entry leads to it any more.
    fn give_up(&mut self, number: u32) -> Option<Record> {
        let (flags, choice) = {
            let head = *self.get(number).head();
            (head.flags, head.choice)
        };
        self.note(flags, choice, false);
        let slot = &mut self.slots[number as usize];
        slot.count -= 1;
        if slot.count > 0 {
            return None;
        }
        let Slot { record, next, .. } = *slot;
        if self.shared.is_some() {
            let hash = self.hash_of(number);
            self.unlink(hash, number, next);
        }
        self.free.push(number);
        Some(record)
    }

    fn unlink(&mut self, hash: u64, number: u32, next: u32) {
        let Some(shared) = &mut self.shared else { return };
        let first = shared.get(&hash).copied().unwrap_or(0);
        if first == number {
            if next == 0 {
                shared.remove(&hash);
            } else {
                shared.insert(hash, next);
            }
            return;
        }
        let mut at = first;
        while at != 0 {
            let slot = &mut self.slots[at as usize];
            if slot.next == number {
                slot.next = next;
                return;
            }
            at = slot.next;
        }
    }

    /// Gives the default action, or the one entry with this number, another content; its counter
    /// and meter stay.
    pub fn replace(&mut self, heap: &mut Heap, number: u32, content: &Content) {
        let old = self.get(number);
        let head = *old.head();
        self.note(head.flags, head.choice, false);
        self.note(content.flags, content.choice, true);
        self.retire(heap, old);
        let record = heap.record(content, head.counter, head.meter.cast());
        record.set_entry(head.entry);
        self.slots[number as usize].record = record;
    }

    /// Retires all records but that of the default action, which gets this content.
    pub fn reset(&mut self, heap: &mut Heap, default: &Content) {
        self.retire_all(heap);
        let record = heap.record(default, std::ptr::null_mut(), std::ptr::null_mut());
        self.slots.push(Slot { record, count: 1, next: 0 });
    }

    /// All records with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u32, Record)> {
        let slots = (0u32..).zip(&self.slots);
        slots.filter(|(_, slot)| slot.count > 0).map(|(number, slot)| (number, slot.record))
    }

    /// Retires all records.
    pub fn retire_all(&mut self, heap: &mut Heap) {
        for slot in self.slots.iter().filter(|slot| slot.count > 0) {
            heap.retire_objects(slot.record);
            self.retire(heap, slot.record);
        }
        self.slots.clear();
        self.free.clear();
        self.choices.clear();
        if let Some(shared) = &mut self.shared {
            shared.clear();
        }
    }
}
