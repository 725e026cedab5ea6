//! Figure 2.2: six packets through WF2Q+, through lists with eligibility and through queues without.

use crate::list::fast::FastList;
use crate::list::reference::ReferenceList;
use crate::list::{Limits, OrderedList};
use crate::operations::{Answer, Implementation, Operation};
use crate::policies::wf2q_emulation::{Schedule, Tagged, pifo_by_finish, pifo_by_start, two_pifos};
use serde_json::json;
use ww_plot::report::{Outcome, Section, Table, Verdict};

/// Length, start, finish of A to F, as published.
const PACKETS: [(u64, u64, u64); 6] =
    [(5, 0, 10), (20, 20, 50), (10, 2, 80), (5, 1, 100), (5, 3, 125), (10, 5, 150)];

/// Order and virtual times, as published.
type Published = (&'static str, [u64; 6]);
const IDEAL: Published = ("ACDBEF", [0, 5, 15, 20, 40, 45]);
const BY_FINISH: Published = ("ABCDEF", [0, 20, 40, 50, 55, 60]);
const BY_START: Published = ("ADCEFB", [0, 5, 10, 20, 25, 35]);
const TWO: Published = ("ADCBEF", [0, 5, 10, 20, 40, 45]);

/// Elements of the simulated blocks: those that tests simulate too, so that a model serves both.
const CAPACITY: u32 = 20;
/// What lists must be made for.
pub const LIMITS: Limits =
    Limits { capacity: CAPACITY, ids: CAPACITY, rank_bits: 16, time_bits: 16 };

/// Feeds the packets to a list and serves it: V(t + x) is the larger of V(t) + x and the least start of
/// those that remain.
///
/// # Errors
/// The list fails, or does something else than serve: a sentence.
pub fn served(list: &mut dyn Implementation) -> Result<Schedule, String> {
    let mut waiting: Vec<usize> = (0..PACKETS.len()).collect();
    for (id, (_, start, finish)) in PACKETS.iter().enumerate() {
        let (id, rank, eligible) = ((id as u64).into(), (*finish).into(), (*start).into());
        match list.execute(&Operation::Enqueue { id, rank, eligible })? {
            Answer::Done => {}
            other => return Err(format!("packet {} is not taken: {other}", id.value)),
        }
    }
    let (mut now, mut schedule) = (0, Schedule::new());
    while let Some(least) = waiting.iter().map(|&id| PACKETS[id].1).min() {
        now = least.max(now);
        match list.execute(&Operation::Dequeue { now: now.into() })? {
            Answer::Element(element) => {
                let id = element.id as usize;
                let length = PACKETS.get(id).ok_or("an element that nobody put in")?.0;
                waiting.retain(|&waits| waits != id);
                schedule.push((id, now));
                now += length;
            }
            other => return Err(format!("at {now}: {other} instead of a packet")),
        }
    }
    Ok(schedule)
}

fn text(schedule: &Schedule) -> (String, Vec<u64>) {
    let order = schedule.iter().map(|&(id, _)| char::from(b'A' + id as u8)).collect();
    (order, schedule.iter().map(|&(_, now)| now).collect())
}

/// What became of the packets.
pub enum Run {
    /// The order, and the virtual time of each.
    Served(Schedule),
    /// The list fails, or does something else than serve.
    Wrong(String),
    /// It could not be tried; says why.
    Absent(String),
}

fn software(list: Box<dyn OrderedList>) -> Run {
    served(&mut { list }).map_or_else(Run::Wrong, Run::Served)
}

/// The table; `blocks` are lists in hardware by name.
pub fn section(blocks: impl IntoIterator<Item = (&'static str, Run)>) -> Section {
    let tagged = PACKETS.map(|(length, start, finish)| Tagged { length, start, finish });
    let mut rows = vec![
        ("one PIFO by finish time", BY_FINISH, Run::Served(pifo_by_finish(&tagged))),
        ("one PIFO by start time", BY_START, Run::Served(pifo_by_start(&tagged))),
        ("two PIFOs", TWO, Run::Served(two_pifos(&tagged))),
        ("list, reference", IDEAL, software(Box::new(ReferenceList::new(LIMITS)))),
        ("list, fast", IDEAL, software(Box::new(FastList::new(LIMITS)))),
    ];
    rows.extend(blocks.into_iter().map(|(name, run)| (name, IDEAL, run)));
    let mut section = Section::new("six-packets", "Six packets through WF2Q+ and its emulations");
    section.about = vec![
        "Figure 2.2: packets (length, start, finish) A 5,0,10; B 20,20,50; C 10,2,80; D 5,1,100; E 5,3,125; F 10,5,150. \
         WF2Q+ takes, of those whose start has come, the one that finishes first. A queue that knows only a rank \
         cannot: by finish time it serves B before its time, by start time it forgets who should finish first, and two \
         in a row decide before all who became eligible have moved over. A list with eligibility is right."
            .into(),
        "The figure lists the PIFO by start time of the two as D, F, C, E, B; by the start times of the same figure it is \
         D, C, E, F, B, which is what leads to the published order."
            .into(),
    ];
    let mut table = Table::new("", ["queue", "published", "V", "ours", "V"]);
    let mut data = Vec::new();
    for (name, (order, times), run) in rows {
        let published = format!("{order} at {} (figure 2.2)", list(&times));
        let (found, at) = match &run {
            Run::Served(schedule) => text(schedule),
            _ => Default::default(),
        };
        let verdict = match run {
            Run::Served(_) => {
                let outcome = Outcome::of(found == order && at == times);
                Verdict::new(name, published, format!("{found} at {}", list(&at)), outcome)
            }
            Run::Wrong(reason) => Verdict::new(name, published, "", Outcome::Worse).because(reason),
            Run::Absent(reason) => {
                Verdict::new(name, published, "", Outcome::Absent).because(reason)
            }
        };
        section.verdicts.push(verdict.required());
        table.rows.push(vec![name.into(), spread(order), list(&times), spread(&found), list(&at)]);
        data.push(json!({ "queue": name, "published": order, "published_v": times, "order": found, "v": at }));
    }
    section.tables.push(table);
    section.data = json!({ "rows": data });
    section
}

fn list(times: &[u64]) -> String {
    times.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn spread(order: &str) -> String {
    order.chars().map(String::from).collect::<Vec<_>>().join(" ")
}
