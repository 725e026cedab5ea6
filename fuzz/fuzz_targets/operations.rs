//! Operations on ordered lists as text: no text makes the reader panic, what it reads it also writes, and
//! the fast list answers as the reference does.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_sched::list::fast::FastList;
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Limits, OrderedList};
use ww_sched::operations::{Implementation, Operation};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for (capacity, bits) in [(4, 3), (100, 12), (100, 33)] {
        let limits = Limits::new(capacity, bits, bits).expect("legal");
        let mut list: Box<dyn OrderedList> = Box::new(ReferenceList::new(limits));
        let mut fast: Box<dyn OrderedList> = Box::new(FastList::new(limits));
        for line in text.lines() {
            let Ok(Some(operation)) = Operation::parse(line) else { continue };
            assert_eq!(Operation::parse(&operation.to_string()), Ok(Some(operation)));
            assert_eq!(fast.execute(&operation), list.execute(&operation));
        }
    }
});
