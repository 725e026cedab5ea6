//! The format of operations and the lists' answers, against answers worked out by hand from the
//! definition of PIEO (dissertation, section 2.1) and of the format.

use ww_sched::list::fifo::FifoList;
use ww_sched::list::pifo::PifoList;
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Element, Limits, OrderedList, Refusal};
use ww_sched::operations::{Implementation, Operation};

/// Answers, one for each line of `operations`, with single blanks between.
fn answers(list: Box<dyn OrderedList>, operations: &str) -> Vec<String> {
    let mut list = list;
    let parsed = operations.lines().filter_map(|l| Operation::parse(l).expect("well formed"));
    parsed.map(|o| list.execute(&o).expect("works").to_string()).collect()
}

fn small() -> Limits {
    Limits::new(4, 16, 16).expect("legal")
}

#[test]
fn order_eligibility_and_ties() {
    let operations =
        "enq 0 7 5\nenq 1 7 0 # a tie\nenq 2 3 9\n\nlen\ndeq 4\ndeq 4\ndeq 65535\ndeq 5\ndeq 9";
    // At 4 only id 1 is eligible. At 65535 ids 2 (rank 3) and 0 (rank 7) are.
    let expected = ["ok", "ok", "ok", "3", "1 7 0", "none", "2 3 9", "0 7 5", "none"];
    assert_eq!(answers(Box::new(ReferenceList::new(small())), operations), expected);
}

#[test]
fn ties_leave_in_order_of_arrival_also_after_removal_and_return() {
    let operations = "enq 0 1 0\nenq 1 1 0\nenq 2 1 0\ndeqid 0\nenq 0 1 0\ndeq 0\ndeq 0\ndeq 0";
    let expected = ["ok", "ok", "ok", "0 1 0", "ok", "1 1 0", "2 1 0", "0 1 0"];
    assert_eq!(answers(Box::new(ReferenceList::new(small())), operations), expected);
}

#[test]
fn all_ones_are_values_like_others() {
    let operations = "enq 0 65535 65535\nenq 1 65535 0\ndeq 65534\ndeq 65534\ndeq 65535\nlen";
    let expected = ["ok", "ok", "1 65535 0", "none", "0 65535 65535", "0"];
    assert_eq!(answers(Box::new(ReferenceList::new(small())), operations), expected);
}

#[test]
fn the_first_reason_is_the_answer_and_the_state_stays() {
    let operations = "enq 4 65536 0\nenq 0 1 1\nenq 0 65536 0\nenq 1 65536 0\nenq 1 0 65536\n\
        enq 99999999999999999999 0 0\nenq 1 99999999999999999999 0\ndeq 65536\ndeqid 4\ndeqid 3\n\
        deqrange 65536 0 3\ndeqrange 9 1 3\ndeqrange 9 3 0\nlen\ndeqrange 0x9 0 99999999999999999999";
    let expected = [
        "id",
        "ok",
        "duplicate",
        "range",
        "range",
        "id",
        "range",
        "range",
        "id",
        "none",
        "range",
        "none",
        "none",
        "1",
        "0 1 1",
    ];
    assert_eq!(answers(Box::new(ReferenceList::new(small())), operations), expected);
}

#[test]
fn a_range_takes_the_first_of_its_own() {
    let operations = "enq 0 1 0\nenq 1 2 9\nenq 2 3 0\nenq 3 4 0\ndeqrange 5 1 2\ndeqrange 5 1 2\ndeqrange 9 1 1";
    let expected = ["ok", "ok", "ok", "ok", "2 3 0", "none", "1 2 9"];
    assert_eq!(answers(Box::new(ReferenceList::new(small())), operations), expected);
}

#[test]
fn a_list_with_more_ids_than_places_can_be_full() {
    let limits = Limits { ids: 9, ..small() };
    let lists: [Box<dyn OrderedList>; 3] = [
        Box::new(ReferenceList::new(limits)),
        Box::new(PifoList::new(limits)),
        Box::new(FifoList::new(limits)),
    ];
    for mut list in lists {
        for id in 0..4 {
            list.enqueue(Element { id, rank: 0, eligible: 0 }).expect("room");
        }
        let one_more = |id, rank| Element { id, rank, eligible: 0 };
        assert_eq!(list.enqueue(one_more(9, 1 << 16)), Err(Refusal::Id));
        assert_eq!(list.enqueue(one_more(3, 1 << 16)), Err(Refusal::Duplicate));
        assert_eq!(list.enqueue(one_more(4, 1 << 16)), Err(Refusal::Range));
        assert_eq!(list.enqueue(one_more(4, 0)), Err(Refusal::Full));
        assert_eq!(list.len(), 4);
    }
}

#[test]
fn pifo_and_fifo_ignore_eligibility() {
    let operations = "enq 0 7 9\nenq 1 3 9\nenq 2 5 0\ndeqrange 0 0 0\ndeq 0\ndeq 0\ndeq 0";
    let pifo = ["ok", "ok", "ok", "0 7 9", "1 3 9", "2 5 0", "none"];
    assert_eq!(answers(Box::new(PifoList::new(small())), operations), pifo);
    let operations = "enq 0 7 9\nenq 1 3 9\nenq 2 5 0\ndeqid 1\ndeq 0\ndeq 0\ndeq 0";
    let fifo = ["ok", "ok", "ok", "1 3 9", "0 7 9", "2 5 0", "none"];
    assert_eq!(answers(Box::new(FifoList::new(small())), operations), fifo);
}

#[test]
fn invalid_operations_are_refused() {
    let message = |line| Operation::parse(line).expect_err("malformed");
    assert!(message("push 1 2 3").contains("'push'"));
    assert_eq!(message("enq 1 2"), "expected 'enq ID RANK ELIGIBLE', found no ELIGIBLE");
    assert_eq!(message("deq -1"), "expected 'deq NOW', found '-1' instead of a number");
    assert_eq!(message("deq 0x"), "expected 'deq NOW', found '0x' instead of a number");
    assert_eq!(message("len 5"), "expected 'len', found '5' behind it");
    assert_eq!(Operation::parse("  # nothing"), Ok(None));
}
