//! Figure 2.2 of the dissertation: six packets through WF2Q+ and through its emulations (checks 1 and 2
//! of section 8). Orders and virtual times are the figure's.

use ww_sched::list::fast::FastList;
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Element, Limits, OrderedList};
use ww_sched::policies::wf2q_emulation::{
    Schedule, Tagged, ideal, pifo_by_finish, pifo_by_start, two_pifos,
};

/// Length, start, finish of A to F.
const PACKETS: [(u64, u64, u64); 6] =
    [(5, 0, 10), (20, 20, 50), (10, 2, 80), (5, 1, 100), (5, 3, 125), (10, 5, 150)];

fn packets() -> Vec<Tagged> {
    PACKETS.iter().map(|&(length, start, finish)| Tagged { length, start, finish }).collect()
}

fn text(schedule: &Schedule) -> (String, Vec<u64>) {
    let name = |&(id, _): &(usize, u64)| char::from(b'A' + id as u8);
    (schedule.iter().map(name).collect(), schedule.iter().map(|&(_, now)| now).collect())
}

#[test]
fn wf2q_and_what_goes_wrong_without_eligibility() {
    let expect = |schedule: Schedule, order: &str, times: [u64; 6]| {
        assert_eq!(text(&schedule), (order.to_owned(), times.to_vec()));
    };
    expect(ideal(&packets()), "ACDBEF", [0, 5, 15, 20, 40, 45]);
    expect(pifo_by_finish(&packets()), "ABCDEF", [0, 20, 40, 50, 55, 60]);
    expect(pifo_by_start(&packets()), "ADCEFB", [0, 5, 10, 20, 25, 35]);
    expect(two_pifos(&packets()), "ADCBEF", [0, 5, 10, 20, 40, 45]);
}

/// The same table from the lists alone, with virtual time kept here: V(t + x) is the larger of V(t) + x
/// and the least start of those that remain.
#[test]
fn the_lists_alone() {
    let limits = Limits::default();
    let lists: [Box<dyn OrderedList>; 2] =
        [Box::new(ReferenceList::new(limits)), Box::new(FastList::new(limits))];
    for mut list in lists {
        for (id, &(_, start, finish)) in PACKETS.iter().enumerate() {
            let element = Element { id: id as u32, rank: finish, eligible: start };
            list.enqueue(element).expect("room");
        }
        let (mut now, mut schedule) = (0, Schedule::new());
        while let Some(element) = list.dequeue(now) {
            schedule.push((element.id as usize, now));
            let length = PACKETS[element.id as usize].0;
            now = (now + length).max(list.least_eligible().unwrap_or(0));
        }
        let (order, times) = text(&schedule);
        assert_eq!((order.as_str(), times), ("ACDBEF", vec![0, 5, 15, 20, 40, 45]));
    }
}
